"""The surfaces that rollers touch, in the form that the kernels read: the teeth of the wheels, then the guides."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from chaindrive.elementary import cos, sin
from chaindrive.errors import InputError, Problem
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.cassette import cogs_of
from chaindrive.formulations.planar.limits import REFERENCE_PENETRATION
from chaindrive.formulations.planar.parameters import FloatArray, PlanarParameters
from chaindrive.formulations.planar.tables import Cogs, Faces, Frames, Surfaces, Tilts, Wheels
from chaindrive.geometry import guide as guides
from chaindrive.geometry.initial_configuration import InitialConfiguration
from chaindrive.geometry.kernels import open_profile_distance
from chaindrive.geometry.pitch_line import OvalWheel
from chaindrive.geometry.profile import table
from chaindrive.geometry.route import Route
from chaindrive.kernels.tables import blank, joined
from chaindrive.mechanism.description import carrier
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.rails import contact_radius, guide_profile, nearest_span
from chaindrive.mechanism.shafts import slope_over_deflection
from chaindrive.mechanism.teeth import tooth_gaps, tooth_wedges
from chaindrive.model import Chain, Contact, Drive, PlanarOptions
from chaindrive.model.own_law import Law
from chaindrive.physics.contact_laws import CONTACT_LAWS, ForceCoefficients, own, speed_of_depth
from chaindrive.physics.own_contact import ENERGY_PARTS

GROUND = -1


class SurfaceData(NamedTuple):
    """The part of PlanarParameters that belongs to surfaces."""

    wheel: Wheels
    surface: Surfaces
    face: Faces
    profile: FloatArray
    guide_profile: FloatArray
    direction: FloatArray
    gap_shift: FloatArray
    cog: Cogs
    law_energy: FloatArray
    tilt: Tilts
    frame: Frames


NO_SURFACES = SurfaceData(
    wheel=blank(Wheels, 0),
    surface=blank(Surfaces, 0),
    face=blank(Faces, 0),
    profile=np.zeros((0, 9)),
    guide_profile=np.zeros((0, guides.COLUMNS)),
    direction=np.zeros((0, 2)),
    gap_shift=np.zeros((0, 2)),
    cog=blank(Cogs, 0),
    law_energy=np.zeros((0, ENERGY_PARTS + 1)),
    tilt=blank(Tilts, 0),
    frame=blank(Frames, 0),
)


def surfaces_of(
    drive: Drive,
    options: PlanarOptions,
    configuration: InitialConfiguration,
    bodies: Mapping[str, tuple[int, tuple[float, float]]],
) -> SurfaceData:
    """Return all surfaces of a drive whose chain has been placed.

    bodies: for every body, by its name, its index and the origin of its frame in the drawing [m]
    (``Mechanism.bodies``). Raises InputError for a contact law that does not fit a contact, and for a tooth or a guide
    of impossible shape.
    """
    teeth = _teeth(drive, options, configuration, bodies)
    rails = _rails(drive, options, configuration.route, bodies)
    surface = joined(teeth.surface, rails.surface)
    frame = blank(Frames, surface.x.size)
    frame.x[:], frame.y[:], frame.cos[:] = surface.x, surface.y, 1.0
    wheels = len(drive.wheels)
    contacts = [wheel.contact or drive.contact for wheel in drive.wheels]
    contacts += [guide.contact for guide in drive.guides]
    rows = [tuple(row) for row in zip(*teeth.face, strict=True)]
    rows[wheels:wheels] = [(g, 0, 0, -1) for g in range(wheels, surface.x.size)]
    return teeth._replace(
        surface=surface,
        face=_faces(rows),
        guide_profile=rails.guide_profile,
        law_energy=_law_energies(contacts),
        frame=frame,
    )


def _teeth(
    drive: Drive,
    options: PlanarOptions,
    configuration: InitialConfiguration,
    bodies: Mapping[str, tuple[int, tuple[float, float]]],
) -> SurfaceData:
    """Return the rows of the wheels, and of all their faces."""
    chain = drive.chain
    count = len(drive.wheels)
    columns, surface, tilt = blank(Wheels, count), _blank_surfaces(count), blank(Tilts, count)
    columns.hub[:] = GROUND
    profiles = np.zeros((count, P.PROFILE_ROWS, 9))
    bottoms: list[FloatArray] = []
    faces: list[tuple[int, int, int, int]] = []
    others: list[tuple[int, int, int, int]] = []
    for i, (wheel, gap, wedge) in enumerate(zip(drive.wheels, tooth_gaps(drive), tooth_wedges(drive), strict=True)):
        touched = gap if wedge is None else wedge.flank
        profiles[i, : len(touched.elements)] = table(touched)
        faces.append((i, i * P.PROFILE_ROWS, 0 if wedge is None else 1, -1))
        if wedge is not None:
            others += [(i, i * P.PROFILE_ROWS, -1, -1), (i, (count + len(bottoms)) * P.PROFILE_ROWS, 0, -1)]
            bottoms.append(_padded(table(wedge.bottom)))
        contact = wheel.contact or drive.contact
        _put_contact(surface, i, contact, options, chain, f"wheels[{i}].contact" if wheel.contact else "contact")
        body, origin = bodies[carrier(drive, i)]
        surface.x[i], surface.y[i] = np.subtract(wheel.position, origin)
        tilt.x[i], tilt.y[i] = wheel.tilt
        if wheel.shaft is not None:
            tilt.slope[i], tilt.length[i] = slope_over_deflection(wheel.shaft), wheel.shaft.length
        surface.radius[i] = 0.5 * chain.roller_diameter
        surface.reach[i] = gap.tip_radius + 0.5 * chain.roller_diameter
        surface.max_penetration[i] = 0.25 * chain.roller_diameter
        surface.body[i], surface.profile[i] = body, i * P.PROFILE_ROWS
        surface.profile_end[i] = (i + 1) * P.PROFILE_ROWS
        columns.inertia[i] = wheel.turned_inertia or 0.0
        columns.mass[i] = wheel.mass or 0.0
        columns.bearing_damping[i] = wheel.bearing_damping
        columns.bearing_friction[i] = wheel.bearing_friction
        columns.tip[i] = gap.tip_radius
        if wheel.unbalance is not None:  # given for the drawing, kept in the wheel's own frame
            angle = wheel.unbalance.angle - configuration.wheel_angle[i]
            moment = wheel.unbalance.mass_moment
            columns.moment_x[i], columns.moment_y[i] = moment * cos(angle), moment * sin(angle)
        columns.teeth[i] = wheel.teeth
        columns.smooth[i], columns.cogs[i] = wheel.tooth.form == "smooth", len(wheel.cogs)
        columns.order[i] = 1 if configuration.wheel_rate[i] > 0.0 else -1
    columns.gap[1:] = np.cumsum(columns.teeth[:-1])
    facts = drive_facts(drive)
    directions = [_gap_directions(wheel.teeth) for wheel in drive.wheels]
    shifts = NO_SURFACES.gap_shift
    if facts.oval is not None:
        shifts = _put_oval(facts.oval, directions, surface)
    cogs = cogs_of(drive, columns.order, len(drive.guides) + len(faces) + len(others))
    for c, cog in enumerate(cogs.profiles):
        others.append((int(cogs.table.wheel[c]), (count + len(bottoms)) * P.PROFILE_ROWS, 0, c))
        bottoms.append(_padded(table(cog)))
        cogs.table.gap[c] = sum(len(each) for each in directions)
        directions.append(_gap_directions(int(cogs.table.teeth[c]), cogs.phases[c]))
        if facts.oval is not None:
            shifts = np.concatenate([shifts, np.zeros_like(directions[-1])])
    columns.axle[:] = facts.axles
    columns.ahead[:] = configuration.wheel_angle - configuration.wheel_angle[facts.leaders]
    _put_planes(columns, configuration)
    return NO_SURFACES._replace(
        wheel=columns,
        surface=surface,
        face=_faces([*faces, *others]),
        profile=np.concatenate([NO_SURFACES.profile, *profiles, *bottoms]),
        direction=np.concatenate([NO_SURFACES.direction, *directions]),
        gap_shift=shifts,
        cog=cogs.table,
        tilt=tilt,
    )


def _put_oval(oval: OvalWheel, directions: list[FloatArray], surface: Surfaces) -> FloatArray:
    """Set the directions of the gaps and the reach of an oval sprocket; return the shifts of the gaps of all wheels.
    [m]
    """
    w, polygon = oval.wheel, oval.polygon
    round_one = float(np.hypot(*(polygon.corners - polygon.origins).T)[0])
    surface.reach[w] += float(polygon.radii.max()) - round_one
    directions[w] = np.column_stack([cos(polygon.direction), sin(polygon.direction)])
    shifts = [np.zeros_like(each) for each in directions]
    shifts[w] = polygon.shift
    return np.concatenate(shifts)


def _put_planes(columns: Wheels, configuration: InitialConfiguration) -> None:
    """Set which rollers may touch the wheels of a chain that runs in several planes, over coaxial wheels.

    They are the rollers on a wheel, and those within half of its circumference along the chain.
    """
    columns.along[:] = np.inf
    for w in range(columns.teeth.size if configuration.route.one_centre.any() else 0):
        seated, half = configuration.seat_wheel == w, 0.5 * float(columns.teeth[w])
        for first in np.flatnonzero(seated & ~np.roll(seated, 1)):
            columns.first[w], columns.along[w] = first - half, float(seated.sum()) - 1.0 + 2.0 * half


def _padded(rows: FloatArray) -> FloatArray:
    """Return a profile padded to the number of rows that the kernels read."""
    return np.concatenate([rows, np.zeros((P.PROFILE_ROWS - len(rows), rows.shape[1]))])


def _rails(
    drive: Drive,
    options: PlanarOptions,
    route: Route,
    bodies: Mapping[str, tuple[int, tuple[float, float]]],
) -> SurfaceData:
    """Return the rows of the guides."""
    chain = drive.chain
    surface = _blank_surfaces(len(drive.guides))
    tables = [NO_SURFACES.guide_profile]
    used = 0
    for g, guide in enumerate(drive.guides):
        profile = guide_profile(guide, route, 0.5 * chain.roller_diameter, g)
        _put_contact(surface, g, guide.contact, options, chain, f"guides[{g}].contact")
        body, origin = bodies[guide.body]
        rows = guides.table(profile, origin)
        radius = contact_radius(guide, 0.5 * chain.roller_diameter)
        surface.radius[g] = surface.reach[g] = radius
        deepest = 0.25 * chain.roller_diameter if guide.max_penetration is None else guide.max_penetration
        surface.max_penetration[g], surface.depth[g] = deepest, 2.0 * deepest
        _put_box(surface, g, guides.outline(profile) - origin)
        surface.body[g], surface.profile[g], surface.profile_end[g] = body, used, used + len(rows)
        tables.append(rows)
        used += len(rows)
    return NO_SURFACES._replace(surface=surface, guide_profile=np.concatenate(tables))


def initial_penetration(p: PlanarParameters, configuration: InitialConfiguration) -> float:
    """Return the depth by which guides reach into the chain as placed, at the frames of the last evaluation. [m]

    The initial configuration has no guides. Every guide is meant for the span that is nearest to its middle, and the
    rollers of this span may be behind the guide by any depth. The result is 0 if the depth is less than a quarter of
    the roller radius, because contact forces then push the rollers out.
    """
    deepest = 0.0
    for g in range(p.wheels, p.surfaces):
        turn = complex(p.frame.cos[g], p.frame.sin[g])
        origin = complex(p.frame.x[g], p.frame.y[g])
        first, end = int(p.surface.profile[g]), int(p.surface.profile_end[g])
        middle = origin + turn * complex(*p.guide_profile[(first + end) // 2, :2])
        span = nearest_span(configuration.route, (middle.real, middle.imag))
        rollers = configuration.roller_position[configuration.roller_span == span] @ (1.0, 1.0j)
        for seen in (rollers - origin) / turn:
            phi, _, _ = open_profile_distance(p.guide_profile, first, end, seen.real, seen.imag, math.inf)
            deepest = max(deepest, float(p.surface.radius[g] - phi))
    return deepest if deepest > 0.25 * p.roller_radius else 0.0


def retract_guides(p: PlanarParameters, distance: float, behind: float) -> None:
    """Retract all guides by a distance [m]; they then also catch rollers this far ``behind`` their positions [m]."""
    surface, rails = p.surface, slice(p.wheels, None)
    surface.radius[rails] = surface.reach[rails] - distance
    surface.depth[rails] = 2.0 * surface.max_penetration[rails] + behind


def _blank_surfaces(count: int) -> Surfaces:
    surface = blank(Surfaces, count)
    surface.body[:] = GROUND
    return surface


def _faces(rows: Sequence[tuple[int, ...]]) -> Faces:
    """Return the faces, from rows of surface, profile, side and cog."""
    return Faces(*np.array(rows, dtype=np.int64).reshape(-1, len(Faces._fields)).T.copy())


def _put_contact(surface: Surfaces, i: int, contact: Contact, options: PlanarOptions, chain: Chain, where: str) -> None:
    depth = REFERENCE_PENETRATION * 0.5 * chain.roller_diameter
    force, speed = _force(contact, options, chain.link_mass, depth, where)
    surface.stiffness[i], surface.exponent[i] = force.stiffness, force.exponent
    surface.softness[i] = surface.losing[i] = 1.0
    surface.hysteresis[i], surface.viscous[i] = force.hysteresis, force.viscous
    surface.speed_of_depth[i] = speed
    surface.friction[i] = contact.friction
    surface.sprung[i] = options.rigid_contacts and contact.compliant
    if contact.coefficient_law is not None:
        surface.coefficient_law[i] = contact.coefficient_law.address
        surface.friction_slope[i] = max(contact.coefficient_law.slope(0)[1], 0.0)
    surface.law[i] = {1.0: P.LAW_LINEAR, 1.5: P.LAW_HERTZ}.get(force.exponent, P.LAW_POWER)
    if contact.law is not None:
        surface.law[i], surface.contact_law[i] = P.LAW_OWN, contact.law.address
        surface.deepest[i] = contact.law.axes[0][-1]


def _law_energies(contacts: Sequence[Contact]) -> FloatArray:
    """Return the energies stored by the user-defined laws of all surfaces, one row each; no rows without
    such laws. [J]
    """
    if all(contact.law is None for contact in contacts):
        return NO_SURFACES.law_energy
    nothing = np.zeros(ENERGY_PARTS + 1)
    return np.array([nothing if contact.law is None else _stored(contact.law) for contact in contacts])


@lru_cache(maxsize=256)
def _stored(law: Law) -> FloatArray:
    return own.stored_energies(law, float(law.axes[0][-1]))


def _put_box(surface: Surfaces, g: int, outline: FloatArray) -> None:
    """Set the box around a guide, along the line between its ends."""
    along = outline[-1] - outline[0]
    length = np.hypot(*along)
    along = along / length if length > 0.0 else np.array([1.0, 0.0])
    across = np.array([-along[1], along[0]])
    low_along, high_along = (outline @ along).min(), (outline @ along).max()
    low_across, high_across = (outline @ across).min(), (outline @ across).max()
    middle = 0.5 * ((low_along + high_along) * along + (low_across + high_across) * across)
    surface.middle_x[g], surface.middle_y[g] = middle
    surface.along_x[g], surface.along_y[g] = along
    surface.length[g], surface.width[g] = 0.5 * (high_along - low_along), 0.5 * (high_across - low_across)


def _gap_directions(teeth: int, first: float = 0.0) -> FloatArray:
    """Return cosine and sine of the direction of every gap of a wheel, in the frame of the wheel, (teeth, 2).

    first: direction of the first gap [rad].
    """
    angle = first + 2.0 * np.pi * np.arange(teeth) / teeth
    return np.column_stack([cos(angle), sin(angle)])


def _force(
    contact: Contact, options: PlanarOptions, mass: float, depth: float, where: str
) -> tuple[ForceCoefficients, float]:
    """Return the constants of the law of a contact, and its impact speed per root of elastic force times depth
    [1/sqrt(kg)].

    The second result is 0 if the depth does not bound the speed. where: place of the contact in the file of the drive;
    depth: depth at which a user-defined law is evaluated [m].
    """
    sprung = contact.compliant or not options.rigid_contacts  # else springs of the static equilibrium alone
    name = options.contact_law if sprung else type(options).model_fields["contact_law"].default
    place, given, bounded = "run.formulation.contact_law", repr(name), options.impact_memory == "bounded"
    try:
        if contact.law is not None:
            place, given = f"{where}.law", contact.law.name
            force = own.coefficients(contact.law, depth, options.reference_speed)
            return force, _own_speed_of_depth(contact.law, mass, depth) if bounded else 0.0
        force = CONTACT_LAWS[name](contact.stiffness, contact.exponent, contact.restitution, mass)
    except ValueError as error:
        of = f"of {where}: " if contact.law is None else ""
        raise InputError(Problem(place, f"{of}{error}", given)) from error
    return force, speed_of_depth(force, mass) if bounded else 0.0


@lru_cache(maxsize=256)
def _own_speed_of_depth(law: Law, mass: float, depth: float) -> float:
    """Return the impact speed divided by the root of elastic force times depth, for a user-defined law. [1/sqrt(kg)]

    It is 0 if the losses of the law do not depend on the impact speed.
    """
    tells_impacts = float(np.ptp(law.values, axis=2).max()) > 0.0
    return own.speed_of_depth_own(law, mass, depth) if tells_impacts else 0.0
