"""The surfaces that rollers touch, as the kernels read them: the teeth of the wheels, then the guides."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from chaindrive.errors import InputError, Problem
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.parameters import FloatArray, IntArray, PlanarParameters
from chaindrive.geometry import guide as guides
from chaindrive.geometry.initial_configuration import InitialConfiguration
from chaindrive.geometry.kernels import open_profile_distance
from chaindrive.geometry.profile import table
from chaindrive.geometry.route import Route
from chaindrive.mechanism.description import carrier
from chaindrive.mechanism.rails import contact_radius, guide_profile, nearest_span
from chaindrive.mechanism.shafts import slope_over_deflection
from chaindrive.mechanism.teeth import tooth_gaps, tooth_wedges
from chaindrive.model import Contact, Drive, PlanarOptions
from chaindrive.physics.contact_laws import CONTACT_LAWS, ForceCoefficients

GROUND = -1


class Surfaces(NamedTuple):
    """Arrays of PlanarParameters that belong to surfaces. W wheels, S surfaces."""

    wheel: FloatArray
    wheel_index: IntArray
    surface: FloatArray
    surface_index: IntArray
    face: IntArray
    profile: FloatArray
    guide_profile: FloatArray
    direction: FloatArray
    tilt: FloatArray
    frame: FloatArray


NO_SURFACES = Surfaces(
    wheel=np.zeros((0, P.WHEEL_COLUMNS)),
    wheel_index=np.zeros((0, P.INDEX_COLUMNS), dtype=np.int64),
    surface=np.zeros((0, P.SURFACE_COLUMNS)),
    surface_index=np.zeros((0, P.SURFACE_INDEX_COLUMNS), dtype=np.int64),
    face=np.zeros((0, P.FACE_COLUMNS), dtype=np.int64),
    profile=np.zeros((0, 9)),
    guide_profile=np.zeros((0, guides.COLUMNS)),
    direction=np.zeros((0, 2)),
    tilt=np.zeros((0, P.TILT_COLUMNS)),
    frame=np.zeros((0, P.FRAME_COLUMNS)),
)


def surfaces_of(
    drive: Drive,
    options: PlanarOptions,
    configuration: InitialConfiguration,
    bodies: Mapping[str, tuple[int, tuple[float, float]]],
) -> Surfaces:
    """All surfaces of a drive whose chain is placed.

    bodies: index and origin of its frame, in the drawing [m], of every body by its name (``Mechanism.bodies``).
    Raises InputError for a contact law that does not fit a contact, and for a tooth or a guide of impossible shape.
    """
    teeth = _teeth(drive, options, configuration, bodies)
    rails = _rails(drive, options, configuration.route, bodies)
    surface = np.concatenate([teeth.surface, rails.surface])
    surface_index = np.concatenate([teeth.surface_index, rails.surface_index])
    frame = np.zeros((len(surface), P.FRAME_COLUMNS))
    frame[:, [P.FRAME_X, P.FRAME_Y]] = surface[:, [P.SURFACE_X, P.SURFACE_Y]]
    frame[:, P.FRAME_COS] = 1.0
    of_guides = np.zeros((len(rails.surface), P.FACE_COLUMNS), dtype=np.int64)
    of_guides[:, P.FACE_SURFACE] = np.arange(len(teeth.surface), len(surface))
    return teeth._replace(
        surface=surface,
        surface_index=surface_index,
        face=np.insert(teeth.face, len(teeth.surface), of_guides, axis=0),
        guide_profile=rails.guide_profile,
        frame=frame,
    )


def _teeth(
    drive: Drive,
    options: PlanarOptions,
    configuration: InitialConfiguration,
    bodies: Mapping[str, tuple[int, tuple[float, float]]],
) -> Surfaces:
    """Rows of the wheels, and of all their faces."""
    chain = drive.chain
    count = len(drive.wheels)
    columns, index = np.zeros((count, P.WHEEL_COLUMNS)), np.zeros((count, P.INDEX_COLUMNS), dtype=np.int64)
    index[:, P.INDEX_HUB] = -1
    surface, surface_index = _rows(count)
    profiles = np.zeros((count, P.PROFILE_ROWS, 9))
    bottoms: list[FloatArray] = []
    tilt = np.zeros((count, P.TILT_COLUMNS))
    face, others = np.zeros((count, P.FACE_COLUMNS), dtype=np.int64), []
    for i, (wheel, gap, wedge) in enumerate(zip(drive.wheels, tooth_gaps(drive), tooth_wedges(drive), strict=True)):
        touched = gap if wedge is None else wedge.flank
        profiles[i, : len(touched.elements)] = table(touched)
        face[i] = i, i * P.PROFILE_ROWS, 0 if wedge is None else 1
        if wedge is not None:
            others += [(i, i * P.PROFILE_ROWS, -1), (i, (count + len(bottoms)) * P.PROFILE_ROWS, 0)]
            bottoms.append(_padded(table(wedge.bottom)))
        contact = wheel.contact or drive.contact
        _put_contact(surface[i], surface_index[i], contact, _force(contact, options, chain.link_mass, f"wheel {i}"))
        body, origin = bodies[carrier(drive, i)]
        surface[i, [P.SURFACE_X, P.SURFACE_Y]] = np.subtract(wheel.position, origin)
        tilt[i, [P.TILT_X, P.TILT_Y]] = wheel.tilt
        if wheel.shaft is not None:
            tilt[i, [P.TILT_SLOPE, P.TILT_LENGTH]] = slope_over_deflection(wheel.shaft), wheel.shaft.length
        surface[i, P.SURFACE_RADIUS] = 0.5 * chain.roller_diameter
        surface[i, P.SURFACE_REACH] = gap.tip_radius + 0.5 * chain.roller_diameter
        surface[i, P.SURFACE_MAX_PENETRATION] = 0.25 * chain.roller_diameter
        surface_index[i, [P.INDEX_BODY, P.INDEX_PROFILE, P.INDEX_PROFILE_END]] = (
            body,
            i * P.PROFILE_ROWS,
            (i + 1) * P.PROFILE_ROWS,
        )
        columns[i, P.WHEEL_INERTIA] = wheel.turned_inertia or 0.0
        columns[i, P.WHEEL_MASS] = wheel.mass or 0.0
        columns[i, P.WHEEL_BEARING_DAMPING] = wheel.bearing_damping
        columns[i, P.WHEEL_BEARING_FRICTION] = wheel.bearing_friction
        columns[i, P.WHEEL_TIP] = gap.tip_radius
        if wheel.unbalance is not None:  # told for the drawing, kept in the wheel's own frame
            angle = wheel.unbalance.angle - configuration.wheel_angle[i]
            moment = wheel.unbalance.mass_moment
            columns[i, [P.WHEEL_MOMENT_X, P.WHEEL_MOMENT_Y]] = moment * np.cos(angle), moment * np.sin(angle)
        index[i, P.INDEX_TEETH] = wheel.teeth
        index[i, P.INDEX_SMOOTH] = wheel.tooth.form == "smooth"
        index[i, P.INDEX_ORDER] = 1 if configuration.wheel_rate[i] > 0.0 else -1
    index[1:, P.INDEX_GAP] = np.cumsum(index[:-1, P.INDEX_TEETH])
    direction = np.concatenate([NO_SURFACES.direction, *(_gap_directions(wheel.teeth) for wheel in drive.wheels)])
    return NO_SURFACES._replace(
        wheel=columns,
        wheel_index=index,
        surface=surface,
        surface_index=surface_index,
        face=np.concatenate([face, np.array(others, dtype=np.int64).reshape(-1, P.FACE_COLUMNS)]),
        profile=np.concatenate([NO_SURFACES.profile, *profiles, *bottoms]),
        direction=direction,
        tilt=tilt,
    )


def _padded(rows: FloatArray) -> FloatArray:
    """Rows of a profile as many as the kernels read."""
    return np.concatenate([rows, np.zeros((P.PROFILE_ROWS - len(rows), rows.shape[1]))])


def _rails(
    drive: Drive,
    options: PlanarOptions,
    route: Route,
    bodies: Mapping[str, tuple[int, tuple[float, float]]],
) -> Surfaces:
    """Rows of the guides."""
    chain = drive.chain
    surface, surface_index = _rows(len(drive.guides))
    tables = [NO_SURFACES.guide_profile]
    used = 0
    for g, guide in enumerate(drive.guides):
        profile = guide_profile(guide, route, 0.5 * chain.roller_diameter, g)
        force = _force(guide.contact, options, chain.link_mass, f"guide {g}")
        _put_contact(surface[g], surface_index[g], guide.contact, force)
        body, origin = bodies[guide.body]
        rows = guides.table(profile, origin)
        radius = contact_radius(guide, 0.5 * chain.roller_diameter)
        surface[g, [P.SURFACE_RADIUS, P.SURFACE_REACH]] = radius
        deepest = 0.25 * chain.roller_diameter if guide.max_penetration is None else guide.max_penetration
        surface[g, P.SURFACE_MAX_PENETRATION], surface[g, P.SURFACE_DEPTH] = deepest, 2.0 * deepest
        _put_box(surface[g], guides.outline(profile) - origin)
        surface_index[g, [P.INDEX_BODY, P.INDEX_PROFILE, P.INDEX_PROFILE_END]] = body, used, used + len(rows)
        tables.append(rows)
        used += len(rows)
    return NO_SURFACES._replace(surface=surface, surface_index=surface_index, guide_profile=np.concatenate(tables))


def initial_penetration(p: PlanarParameters, configuration: InitialConfiguration) -> float:
    """How far guides reach into the chain as it is placed, at the frames of the last evaluation. [m]

    The initial configuration knows of no guides. Every guide is meant for the span that is nearest to its middle, whose
    rollers may lie behind it by any depth. 0 when it is less than a quarter of the roller radius: contact forces push
    the rollers out by themselves.
    """
    deepest = 0.0
    for g in range(p.wheels, p.surfaces):
        turn = complex(p.frame[g, P.FRAME_COS], p.frame[g, P.FRAME_SIN])
        origin = complex(p.frame[g, P.FRAME_X], p.frame[g, P.FRAME_Y])
        first, end = p.surface_index[g, [P.INDEX_PROFILE, P.INDEX_PROFILE_END]]
        middle = origin + turn * complex(*p.guide_profile[(first + end) // 2, :2])
        span = nearest_span(configuration.route, (middle.real, middle.imag))
        rollers = configuration.roller_position[configuration.roller_span == span] @ (1.0, 1.0j)
        for seen in (rollers - origin) / turn:
            phi, _, _ = open_profile_distance(p.guide_profile, first, end, seen.real, seen.imag, math.inf)
            deepest = max(deepest, float(p.surface[g, P.SURFACE_RADIUS] - phi))
    return deepest if deepest > 0.25 * p.roller_radius else 0.0


def retract_guides(p: PlanarParameters, distance: float, behind: float) -> None:
    """Let all guides stand back by a distance [m], and catch what lies ``behind`` their places by so much [m], too."""
    held = p.surface[p.wheels :]
    held[:, P.SURFACE_RADIUS] = held[:, P.SURFACE_REACH] - distance
    held[:, P.SURFACE_DEPTH] = 2.0 * held[:, P.SURFACE_MAX_PENETRATION] + behind


def _rows(count: int) -> tuple[FloatArray, IntArray]:
    surface_index = np.zeros((count, P.SURFACE_INDEX_COLUMNS), dtype=np.int64)
    surface_index[:, P.INDEX_BODY] = GROUND
    return np.zeros((count, P.SURFACE_COLUMNS)), surface_index


def _put_contact(surface: FloatArray, index: IntArray, contact: Contact, force: ForceCoefficients) -> None:
    surface[[P.SURFACE_STIFFNESS, P.SURFACE_EXPONENT]] = force.stiffness, force.exponent
    surface[[P.SURFACE_HYSTERESIS, P.SURFACE_VISCOUS]] = force.hysteresis, force.viscous
    surface[P.SURFACE_FRICTION] = contact.friction
    index[P.INDEX_LAW] = {1.0: P.LAW_LINEAR, 1.5: P.LAW_HERTZ}.get(force.exponent, P.LAW_POWER)


def _put_box(surface: FloatArray, outline: FloatArray) -> None:
    """The box around a guide, along the line between its ends."""
    along = outline[-1] - outline[0]
    length = np.hypot(*along)
    along = along / length if length > 0.0 else np.array([1.0, 0.0])
    across = np.array([-along[1], along[0]])
    low_along, high_along = (outline @ along).min(), (outline @ along).max()
    low_across, high_across = (outline @ across).min(), (outline @ across).max()
    middle = 0.5 * ((low_along + high_along) * along + (low_across + high_across) * across)
    surface[[P.SURFACE_MIDDLE_X, P.SURFACE_MIDDLE_Y]] = middle
    surface[[P.SURFACE_ALONG_X, P.SURFACE_ALONG_Y]] = along
    surface[[P.SURFACE_LENGTH, P.SURFACE_WIDTH]] = 0.5 * (high_along - low_along), 0.5 * (high_across - low_across)


def _gap_directions(teeth: int) -> FloatArray:
    """Cosine and sine of the direction of every gap of a wheel, in its own frame, (teeth, 2)."""
    angle = 2.0 * np.pi * np.arange(teeth) / teeth
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _force(contact: Contact, options: PlanarOptions, mass: float, where: str) -> ForceCoefficients:
    law = CONTACT_LAWS[options.contact_law]
    try:
        return law(contact.stiffness, contact.exponent, contact.restitution, mass)
    except ValueError as error:
        place = "run.formulation.contact_law"
        raise InputError(Problem(place, f"on {where}: {error}", repr(options.contact_law))) from error
