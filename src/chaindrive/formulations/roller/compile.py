"""From a drive to a system of the roller formulation: numbers into arrays, the chain onto its wheels."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from chaindrive.colouring import chain_colouring
from chaindrive.errors import InputError, Problem
from chaindrive.formulations.roller.accept import accept
from chaindrive.formulations.roller.begin import begin
from chaindrive.formulations.roller.parameters import (
    CANDIDATE_ROWS,
    CONTACT_ROWS,
    INDEX_COLUMNS,
    INDEX_GAP,
    INDEX_LAW,
    INDEX_MOTION,
    INDEX_PROFILE,
    INDEX_TEETH,
    LAW_HERTZ,
    LAW_LINEAR,
    LAW_POWER,
    LINK_ROWS,
    MEMORY,
    PROFILE_ROWS,
    SEARCH_ENTRIES,
    SEGMENT_COLUMNS,
    WHEEL_BEARING_DAMPING,
    WHEEL_BEARING_FRICTION,
    WHEEL_COLUMNS,
    WHEEL_EXPONENT,
    WHEEL_FRICTION,
    WHEEL_HYSTERESIS,
    WHEEL_INERTIA,
    WHEEL_LOAD,
    WHEEL_REACH,
    WHEEL_STIFFNESS,
    WHEEL_TIP,
    WHEEL_VISCOUS,
    WHEEL_X,
    WHEEL_Y,
    WORKS,
    FloatArray,
    IntArray,
    Parameters,
)
from chaindrive.formulations.roller.record import (
    SPAN_COLUMNS,
    SPAN_END,
    SPAN_START,
    SPAN_UX,
    SPAN_UY,
    SPAN_X,
    SPAN_Y,
    channels,
    record,
)
from chaindrive.formulations.roller.rhs import rhs
from chaindrive.geometry.placing import Placing, place_chain
from chaindrive.geometry.profile import table
from chaindrive.geometry.tooth_forms import tooth_profile
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism.running import driver, running_direction, slack_span, turning_signs, wheel_motion
from chaindrive.model import Chain, Contact, Drive, RollerOptions
from chaindrive.physics.contact_laws import CONTACT_LAWS, ForceCoefficients
from chaindrive.physics.friction import Regularisation, kernel_sharpness
from chaindrive.system import Kernels, Kind, System

REFERENCE_PENETRATION = 0.01
"""Penetration, as a part of the roller radius, at which the stiffness of a contact is taken for the step of Verlet."""

SEARCH_MARGIN = 0.25
"""How much farther than the reach of the teeth candidates are kept, in pitches."""


def compile_roller(drive: Drive, options: RollerOptions, at_speed: bool) -> System:
    """Compile a drive into the roller formulation (Pedersen 2004, chapter 3), with the chain placed on its wheels.

    The state holds the kinematic placing with zero velocity; ``rolling`` the velocities at the start speed.
    Raises InputError when the chain does not fit the route, or the contact law not the contact.
    """
    chain, signs = drive.chain, turning_signs(drive)
    centres = np.array([wheel.position for wheel in drive.wheels], dtype=float)
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    placing = place_chain(centres, teeth, signs, chain.pitch, chain.links, drive.gravity, slack_span=slack_span(drive))
    moved = [wheel_motion(wheel, at_speed) for wheel in drive.wheels]
    kinds, motion, motion_table, stops = motions.pack([m for m, _ in moved], placing.wheel_angle)
    wheel, index, profile = _wheel_tables(drive, options, signs)
    index[:, INDEX_MOTION] = kinds
    parameters = _chain_parameters(chain, drive.gravity, options, len(drive.wheels))._replace(
        rubbing=bool(wheel[:, WHEEL_FRICTION].any()),
        wheel=wheel,
        wheel_index=index,
        profile=profile,
        direction=np.concatenate([_gap_directions(int(z)) for z in teeth]),
        motion=motion,
        motion_table=motion_table,
        spans=_spans(placing, chain.pitch),
        path_angle=float(placing.wheel_angle[0]),
        path_sign=float(signs[0]),
    )
    first = moved[driver(drive)][0]
    speed = (first.initial_speed if first else 0.0) / placing.wheel_rate[driver(drive)]
    system = _system(parameters, placing.roller_position, placing.wheel_angle, _expected_tension(drive, placing))
    return replace(
        system,
        rolling=speed * np.concatenate([placing.roller_tangent.T.ravel(), placing.wheel_rate]),
        labels={"wheel": tuple(x.name for x in drive.wheels), "axis": ("x", "y")},
        stops=stops,
        warnings=tuple(text for _, text in moved if text),
        notes={
            "placing_strain": float(placing.strain),
            "placing_tension": float(chain.link_stiffness * placing.strain * chain.pitch),
            "placing_sag": float(placing.sag),
            "chain_speed": float(speed),
        },
    )


def free_chain(chain: Chain, gravity: tuple[float, float], position: FloatArray) -> System:
    """A closed chain without wheels, its rollers at ``position``, (N, 2) [m]: for conservation laws and pendulums."""
    return _system(_chain_parameters(chain, gravity, RollerOptions(), 0), position, np.zeros(0), 0.0)


def _chain_parameters(chain: Chain, gravity: tuple[float, float], options: RollerOptions, w: int) -> Parameters:
    """Parameters of the chain and the options; those of w wheels are left empty."""
    n = chain.links
    stored = options.impact_memory == "stored"
    smoothing = Regularisation.named(options.friction_regularisation)
    return Parameters(
        links=n,
        wheels=w,
        pitch=chain.pitch,
        mass=chain.link_mass,
        stiffness=chain.link_stiffness,
        damping=chain.link_damping,
        joint_damping=chain.joint_damping,
        joint_friction_radius=0.5 * chain.joint_friction * (chain.pin_diameter or 0.0),
        joint_friction_rate=options.joint_friction_rate,
        gravity_x=float(gravity[0]),
        gravity_y=float(gravity[1]),
        roller_radius=0.5 * chain.roller_diameter,
        breaking_load=chain.breaking_load if chain.breaking_load is not None else math.inf,
        rubbing=False,
        friction_kind=int(smoothing),
        friction_speed=options.friction_speed,
        friction_sharpness=kernel_sharpness(smoothing, options.friction_sharpness),
        speed_floor=options.impact_speed_floor if stored else options.reference_speed,
        stored_memory=stored,
        search_margin=SEARCH_MARGIN * chain.pitch,
        wheel=np.zeros((w, WHEEL_COLUMNS)),
        wheel_index=np.zeros((w, INDEX_COLUMNS), dtype=np.int64),
        profile=np.zeros((w * PROFILE_ROWS, 9)),
        direction=np.zeros((0, 2)),
        motion=np.zeros((w, motions.COLUMNS)),
        motion_table=np.zeros((1, motions.TABLE_COLUMNS)),
        spans=np.zeros((w, SPAN_COLUMNS)),
        path_angle=0.0,
        path_sign=1.0,
        gap=np.full((w, n), -1, dtype=np.int64),
        impact_speed=np.zeros((w, n)),
        segment=np.zeros((w * (n // 2 + 2), SEGMENT_COLUMNS), dtype=np.int64),
        segments_used=np.zeros(2, dtype=np.int64),
        candidate=np.zeros((CANDIDATE_ROWS, w * n)),
        search=np.zeros(SEARCH_ENTRIES),
        contact=np.zeros((CONTACT_ROWS, w * n)),
        link=np.zeros((LINK_ROWS, n)),
        derivative=np.zeros(2 * (2 * n + w) + len(WORKS)),
    )


def _expected_tension(drive: Drive, placing: Placing) -> float:
    """Tension to reckon with where friction grows with it: preload of the placing, and what the loads pull. [N]"""
    loads = sum(wheel.load_torque / radius for wheel, radius in zip(drive.wheels, placing.route.radii, strict=True))
    return drive.chain.link_stiffness * placing.strain * drive.chain.pitch + float(loads)


def _system(p: Parameters, position: FloatArray, angle: FloatArray, tension: float) -> System:
    """A system at rest, the rollers at ``position`` (N, 2), the wheels at ``angle`` (W,); tension as expected [N]."""
    n, w = p.links, p.wheels
    positions = 2 * n + w
    state = np.zeros(2 * positions + len(WORKS))
    state[:n], state[n : 2 * n] = position.T
    state[2 * n : positions] = angle
    free = p.wheel_index[:, INDEX_MOTION] == motions.FREE
    colours, neighbours = chain_colouring(n, 2, w)
    kinds = [Kind.LENGTH] * (2 * n) + [Kind.ANGLE] * w + [Kind.SPEED] * (2 * n) + [Kind.ANGULAR_SPEED] * w
    system = System(
        kernels=Kernels(rhs, accept, record, begin),
        parameters=p,
        memory=MEMORY,
        state=state,
        rolling=np.zeros(positions),
        positions=positions,
        kinds=np.array(kinds + [Kind.WORK] * len(WORKS), dtype=np.int64),
        channels=channels(n, w),
        labels={"axis": ("x", "y")},
        highest_frequency=_highest_frequency(p, tension),
        stops=np.zeros(0),
        colours=colours,
        neighbours=neighbours,
        masses=np.concatenate([np.full(2 * n, p.mass), np.where(free, p.wheel[:, WHEEL_INERTIA], math.inf)]),
    )
    begin(0.0, system.state, p)
    return system


def _wheel_tables(drive: Drive, options: RollerOptions, signs: IntArray) -> tuple[FloatArray, IntArray, FloatArray]:
    """Columns of Parameters.wheel and wheel_index, and the tooth profiles, for all wheels."""
    chain = drive.chain
    count = len(drive.wheels)
    columns, index = np.zeros((count, WHEEL_COLUMNS)), np.zeros((count, INDEX_COLUMNS), dtype=np.int64)
    profiles = np.zeros((count * PROFILE_ROWS, 9))
    direction = running_direction(drive)
    for i, wheel in enumerate(drive.wheels):
        options_of_form = wheel.tooth.model_dump(exclude={"form"}, exclude_none=True)
        gap = tooth_profile(wheel.tooth.form, wheel.teeth, chain.pitch, chain.roller_diameter, **options_of_form)
        elements = table(gap)
        profiles[i * PROFILE_ROWS : i * PROFILE_ROWS + len(elements)] = elements
        contact = wheel.contact or drive.contact
        force = _force(contact, options, chain.link_mass, i)
        columns[i, [WHEEL_X, WHEEL_Y]] = wheel.position
        columns[i, WHEEL_INERTIA] = wheel.inertia or 0.0
        columns[i, WHEEL_BEARING_DAMPING] = wheel.bearing_damping
        columns[i, WHEEL_BEARING_FRICTION] = wheel.bearing_friction
        columns[i, WHEEL_LOAD] = -signs[i] * direction * wheel.load_torque
        columns[i, WHEEL_TIP] = gap.tip_radius
        columns[i, WHEEL_REACH] = gap.tip_radius + 0.5 * chain.roller_diameter
        columns[i, [WHEEL_STIFFNESS, WHEEL_EXPONENT]] = force.stiffness, force.exponent
        columns[i, [WHEEL_HYSTERESIS, WHEEL_VISCOUS]] = force.hysteresis, force.viscous
        columns[i, WHEEL_FRICTION] = contact.friction
        index[i, INDEX_TEETH] = wheel.teeth
        index[i, INDEX_PROFILE] = i * PROFILE_ROWS
        index[i, INDEX_LAW] = {1.0: LAW_LINEAR, 1.5: LAW_HERTZ}.get(force.exponent, LAW_POWER)
    index[1:, INDEX_GAP] = np.cumsum(index[:-1, INDEX_TEETH])
    return columns, index, profiles


def _gap_directions(teeth: int) -> FloatArray:
    """Cosine and sine of the direction of every gap of a wheel, in its own frame, (teeth, 2)."""
    angle = 2.0 * np.pi * np.arange(teeth) / teeth
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _force(contact: Contact, options: RollerOptions, mass: float, wheel: int) -> ForceCoefficients:
    law = CONTACT_LAWS[options.contact_law]
    try:
        return law(contact.stiffness, contact.exponent, contact.restitution, mass)
    except ValueError as error:
        place = "run.formulation.contact_law"
        raise InputError(Problem(place, f"on wheel {wheel}: {error}", repr(options.contact_law))) from error


def _spans(placing: Placing, pitch: float) -> FloatArray:
    """Columns of Parameters.spans: where each span lies along the loop, from roller 0 on; its middle and direction."""
    way = placing.route
    count, n = len(way.span_length), len(placing.roller_position)
    spans = np.zeros((count, SPAN_COLUMNS))
    for k in range(count):
        along = (placing.roller_position - way.span_start[k]) @ way.span_direction[k] / pitch
        links = np.flatnonzero(placing.span_of_link == k)
        first = next((i for i in links if placing.span_of_link[i - 1] != k), 0)
        last = (first + len(links)) % n
        spans[k, SPAN_START] = first + max(0.0, -along[first])
        spans[k, SPAN_END] = first + len(links) - max(0.0, along[last] - way.span_length[k] / pitch)
        spans[k, [SPAN_X, SPAN_Y]] = 0.5 * (way.span_start[k] + way.span_end[k])
        spans[k, [SPAN_UX, SPAN_UY]] = way.span_direction[k]
    return spans


def _highest_frequency(p: Parameters, tension: float) -> float:
    """What limits an explicit step, see System.highest_frequency. [rad/s]

    Links and contacts: w^2 = (4 K + k_contact)/m. Dampers of links and joints: c = (4 D + 16 C/P^2)/m, the largest
    eigenvalues of their chains, where C includes the slope of joint friction at an expected tension [N].
    """
    depth = REFERENCE_PENETRATION * p.roller_radius
    exponent = p.wheel[:, WHEEL_EXPONENT]
    tangent = (exponent * p.wheel[:, WHEEL_STIFFNESS] * depth ** (exponent - 1.0)).max(initial=0.0)
    joint = p.joint_damping + p.joint_friction_radius * tension / p.joint_friction_rate
    rate = (4.0 * p.damping + 16.0 * joint / p.pitch**2) / p.mass
    return rate + math.sqrt(rate * rate + (4.0 * p.stiffness + tangent) / p.mass)
