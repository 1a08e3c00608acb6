"""From a drive to a system of the roller formulation: numbers into arrays, the chain onto its wheels."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from chaindrive.colouring import chain_colouring
from chaindrive.formulations.roller.parameters import (
    CANDIDATE_ROWS,
    CONTACT_ROWS,
    INDEX_BODY,
    INDEX_MOTION,
    LINK_ROWS,
    LINK_TENSION,
    MEMORY,
    PUSH_COLUMNS,
    SEARCH_ENTRIES,
    SEGMENT_COLUMNS,
    SURFACE_EXPONENT,
    SURFACE_FRICTION,
    SURFACE_LENGTH,
    SURFACE_MIDDLE_X,
    SURFACE_MIDDLE_Y,
    SURFACE_REACH,
    SURFACE_STIFFNESS,
    SURFACE_X,
    SURFACE_Y,
    WHEEL_INERTIA,
    WORKS,
    FloatArray,
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
    Counts,
    channels,
)
from chaindrive.formulations.roller.surfaces import NO_SURFACES, Surfaces, hold_back, intrusion, surfaces_of
from chaindrive.formulations.roller.variants import kernels_for
from chaindrive.geometry.placing import Placing, place_chain, span_places
from chaindrive.geometry.route import pitch_radius, route
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism.description import NOTHING_CARRIED, Carriers, carriers_of
from chaindrive.mechanism.elements import element_limits, joint_matrices
from chaindrive.mechanism.loads import COLUMNS as LOAD_COLUMNS
from chaindrive.mechanism.loads import load_damping
from chaindrive.mechanism.rails import hanging_direction
from chaindrive.mechanism.running import (
    driver,
    highest_speed,
    slack_span,
    turning_signs,
    wheel_loads,
    wheel_motion,
)
from chaindrive.mechanism.tree import REVOLUTE, joint_kinds, mass_matrix, point_rates, stiffness_frequency
from chaindrive.mechanism.tree_kernels import COORDINATE, MOTION
from chaindrive.model import Chain, Drive, RollerOptions
from chaindrive.physics.friction import Regularisation, kernel_sharpness
from chaindrive.system import Kind, System

REFERENCE_PENETRATION = 0.01
"""Penetration, as a part of the roller radius, at which the stiffness of a contact is taken for the step of Verlet."""

SEARCH_MARGIN = 0.25
"""How much farther than the reach of the teeth candidates are kept, in pitches."""


def compile_roller(drive: Drive, options: RollerOptions, at_speed: bool) -> System:
    """Compile a drive into the roller formulation (Pedersen 2004, chapter 3), with the chain placed on its wheels.

    The state holds the kinematic placing with zero velocity; ``rolling`` the velocities at the start speed.
    Raises InputError when the chain does not fit the route, the contact law not the contact, or the mechanism cannot
    move as described.
    """
    chain, signs = drive.chain, turning_signs(drive)
    carried = carriers_of(drive)
    centres = np.array([wheel.position for wheel in drive.wheels], dtype=float)
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    slack = slack_span(drive)
    hanging = hanging_direction(drive, route(centres, pitch_radius(chain.pitch, teeth), signs), slack)
    placing = place_chain(centres, teeth, signs, chain.pitch, chain.links, hanging, slack_span=slack)
    moved = [wheel_motion(wheel, at_speed) for wheel in drive.wheels]
    kinds, motion, motion_table, stops = motions.pack([m for m, _ in moved], placing.wheel_angle)
    surfaces = surfaces_of(drive, options, placing, carried.bodies)
    surfaces.wheel_index[:, INDEX_MOTION] = kinds
    loads = wheel_loads(drive, placing.wheel_angle)
    parameters = _parameters(chain, drive.gravity, options, surfaces, carried)._replace(
        motion=motion,
        motion_table=motion_table,
        load=loads.rows,
        load_table=loads.table,
        spans=_spans(placing, chain.pitch),
        path_angle=float(placing.wheel_angle[0]),
        path_sign=float(signs[0]),
    )
    first = moved[driver(drive)][0]
    speed = (first.initial_speed if first else 0.0) / placing.wheel_rate[driver(drive)]
    rolling = speed * np.concatenate([placing.roller_tangent.T.ravel(), placing.wheel_rate])
    fastest = highest_speed(drive) * np.abs(placing.wheel_rate / placing.wheel_rate[driver(drive)])
    expected = Expected(_expected_tension(drive, placing, fastest), load_damping(loads, fastest))
    system = _system(parameters, placing.roller_position, placing.wheel_angle, carried, expected)
    return replace(
        system,
        rolling=np.concatenate([rolling, carried.speeds]),
        labels=_labels(drive),
        stops=np.unique(np.concatenate([stops, carried.stops, loads.stops])),
        intrusion=intrusion(parameters, placing),
        hold_back=partial(hold_back, parameters),
        frequency_at=partial(_frequency_at, parameters, carried, expected),
        rolling_past=partial(_rolling_past, placing, np.concatenate([rolling, carried.speeds])),
        warnings=tuple(text for _, text in moved if text),
        notes={
            "placing_strain": float(placing.strain),
            "placing_tension": float(chain.link_stiffness * placing.strain * chain.pitch),
            "placing_sag": float(placing.sag),
            "chain_speed": float(speed),
        },
    )


def _rolling_past(placing: Placing, rolling: FloatArray, state: FloatArray) -> FloatArray:
    """Velocities ``rolling`` of the placing, with rollers in spans moving along the chain as it lies in the state."""
    n = len(placing.roller_position)
    position, velocity = state[: 2 * n].reshape(2, n), rolling.copy()
    ahead = np.roll(position, -1, axis=1) - np.roll(position, 1, axis=1)
    ahead /= np.hypot(*ahead)
    free = placing.seat_wheel < 0
    placed = rolling[: 2 * n].reshape(2, n)
    speed = np.hypot(*placed) * np.sign((placed * ahead).sum(axis=0))
    velocity[: 2 * n] = np.where(free, speed * ahead, placed).ravel()
    return velocity


def _labels(drive: Drive) -> dict[str, tuple[str, ...]]:
    """Names along the dimensions that there are."""
    parts: dict[str, tuple[Any, ...]] = {
        "wheel": drive.wheels,
        "guide": drive.guides,
        "body": drive.bodies,
        "tensioner": drive.tensioners,
    }
    named = {dim: tuple(part.name for part in found) for dim, found in parts.items() if found}
    return named | {"axis": ("x", "y")}


def free_chain(chain: Chain, gravity: tuple[float, float], position: FloatArray) -> System:
    """A closed chain without wheels, its rollers at ``position``, (N, 2) [m]: for conservation laws and pendulums."""
    parameters = _parameters(chain, gravity, RollerOptions(), NO_SURFACES, NOTHING_CARRIED)
    return _system(parameters, position, np.zeros(0), NOTHING_CARRIED, Expected(0.0, np.zeros(0)))


def _parameters(
    chain: Chain, gravity: tuple[float, float], options: RollerOptions, surfaces: Surfaces, carried: Carriers
) -> Parameters:
    """Parameters of a drive, without those of its motions and spans."""
    n, w, s = chain.links, len(surfaces.wheel), len(surfaces.surface)
    stored = options.impact_memory == "stored"
    smoothing = Regularisation.named(options.friction_regularisation)
    positions = 2 * n + w + carried.tree.joints
    return Parameters(
        links=n,
        wheels=w,
        surfaces=s,
        positions=positions,
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
        rubbing=bool(surfaces.surface[:, SURFACE_FRICTION].any()),
        friction_kind=int(smoothing),
        friction_speed=options.friction_speed,
        friction_sharpness=kernel_sharpness(smoothing, options.friction_sharpness),
        speed_floor=options.impact_speed_floor if stored else options.reference_speed,
        stored_memory=stored,
        search_margin=SEARCH_MARGIN * chain.pitch,
        wheel=surfaces.wheel,
        wheel_index=surfaces.wheel_index,
        surface=surfaces.surface,
        surface_index=surfaces.surface_index,
        profile=surfaces.profile,
        guide_profile=surfaces.guide_profile,
        direction=surfaces.direction,
        motion=np.zeros((w, motions.COLUMNS)),
        motion_table=np.zeros((1, motions.TABLE_COLUMNS)),
        load=np.zeros((w, LOAD_COLUMNS)),
        load_table=np.zeros((1, motions.TABLE_COLUMNS)),
        spans=np.zeros((w, SPAN_COLUMNS)),
        path_angle=0.0,
        path_sign=1.0,
        tree=carried.tree,
        elements=carried.elements,
        gap=np.full((w, n), -1, dtype=np.int64),
        impact_speed=np.zeros((s, n)),
        segment=np.zeros((s * (n // 2 + 2), SEGMENT_COLUMNS), dtype=np.int64),
        segments_used=np.zeros(2, dtype=np.int64),
        candidate=np.zeros((CANDIDATE_ROWS, s * n)),
        search=np.zeros(SEARCH_ENTRIES),
        latch=carried.elements.latch,
        frame=surfaces.frame,
        push=np.zeros((s, PUSH_COLUMNS)),
        contact=np.zeros((CONTACT_ROWS, s * n)),
        link=np.zeros((LINK_ROWS, n)),
        derivative=np.zeros(2 * positions + len(WORKS) + len(carried.pressures)),
        joint_force=np.zeros((carried.tree.bodies, 2)),
        joint_moment=np.zeros(carried.tree.bodies),
    )


def _expected_tension(drive: Drive, placing: Placing, speeds: FloatArray) -> float:
    """Tension to reckon with where friction grows with it: preload of the placing, and what the loads pull. [N]

    speeds (W,): of the wheels, without sign [rad/s].
    """
    total = drive.chain.link_stiffness * placing.strain * drive.chain.pitch
    for wheel, rate, radius in zip(drive.wheels, speeds, placing.route.radii, strict=True):
        torque = wheel.load_torque + wheel.load_viscous * rate + wheel.load_quadratic * rate * rate
        if wheel.load_table is not None:
            torque += max(wheel.load_table.torques)
        total += torque / float(radius)
    return float(total)


class Expected(NamedTuple):
    """What a run is expected to bring, for the limit of an explicit step."""

    tension: float
    """Of the tightest links [N]"""
    load_damping: FloatArray
    """How steeply the load torques of the wheels grow with speed, (W,) [N m s/rad]"""


def _system(p: Parameters, position: FloatArray, angle: FloatArray, carried: Carriers, expected: Expected) -> System:
    """A system at rest, the rollers at ``position`` (N, 2), the wheels at ``angle`` (W,)."""
    n, w, positions = p.links, p.wheels, p.positions
    state = np.zeros(p.derivative.size)
    state[:n], state[n : 2 * n] = position.T
    state[2 * n : 2 * n + w] = angle
    state[2 * n + w : positions] = carried.coordinates
    state[2 * positions + len(WORKS) :] = carried.pressures
    colours, neighbours = chain_colouring(n, 2, w + carried.tree.joints)
    turns = [kind == REVOLUTE for kind in joint_kinds(carried.tree)]
    places = [Kind.LENGTH] * (2 * n) + [Kind.ANGLE] * w + [Kind.ANGLE if turn else Kind.LENGTH for turn in turns]
    speeds = [Kind.SPEED if kind == Kind.LENGTH else Kind.ANGULAR_SPEED for kind in places]
    others = [Kind.WORK] * len(WORKS) + [Kind.PRESSURE] * len(carried.pressures)
    counts = Counts(n, w, p.surfaces - w, carried.tree.bodies, carried.elements.count)
    system = System(
        kernels=kernels_for(p),
        parameters=p,
        memory=MEMORY,
        state=state,
        rolling=np.zeros(positions),
        positions=positions,
        kinds=np.array(places + speeds + others, dtype=np.int64),
        channels=channels(counts),
        labels={"axis": ("x", "y")},
        highest_frequency=_highest_frequency(p, carried, expected),
        stops=np.zeros(0),
        colours=colours,
        neighbours=neighbours,
        masses=_masses(p, carried),
    )
    system.kernels.begin(0.0, system.state, p)
    return system


def _masses(p: Parameters, carried: Carriers) -> FloatArray:
    """Mass or inertia of every position, infinite where the motion is prescribed, (positions,)."""
    tree = carried.tree
    free = p.wheel_index[:, INDEX_MOTION] == motions.FREE
    wheels = np.where(free, p.wheel[:, WHEEL_INERTIA], math.inf)
    driven = tree.index[tree.index[:, COORDINATE] >= 0, MOTION] != motions.FREE
    joints = np.where(driven, math.inf, mass_matrix(tree, carried.riding).diagonal())
    return np.concatenate([np.full(2 * p.links, p.mass), wheels, joints])


def _spans(placing: Placing, pitch: float) -> FloatArray:
    """Columns of Parameters.spans: where each span lies along the loop, from roller 0 on; its middle and direction."""
    way = placing.route
    spans = np.zeros((len(way.span_length), SPAN_COLUMNS))
    spans[:, [SPAN_START, SPAN_END]] = span_places(placing, pitch)
    spans[:, [SPAN_X, SPAN_Y]] = 0.5 * (way.span_start + way.span_end)
    spans[:, [SPAN_UX, SPAN_UY]] = way.span_direction
    return spans


def _highest_frequency(p: Parameters, carried: Carriers, expected: Expected) -> float:
    """What limits an explicit step, see System.highest_frequency. [rad/s]

    Links and contacts: w^2 = (4 K + k_contact)/m. Dampers of links and joints: c = (4 D + 16 C/P^2)/m, the largest
    eigenvalues of their chains, where C includes the slope of joint friction at the expected tension. The mechanism
    adds its own w^2 and c: a spring between two masses sees the sum of both inverse masses. Loads of wheels and oil
    that settles have rates of their own.
    """
    depth = REFERENCE_PENETRATION * p.roller_radius
    exponent = p.surface[:, SURFACE_EXPONENT]
    tangents = exponent * p.surface[:, SURFACE_STIFFNESS] * depth ** (exponent - 1.0)
    joint = p.joint_damping + p.joint_friction_radius * expected.tension / p.joint_friction_rate
    rate = (4.0 * p.damping + 16.0 * joint / p.pitch**2) / p.mass
    square = (4.0 * p.stiffness + tangents.max(initial=0.0)) / p.mass
    if carried.tree.joints:
        stiffness, damping = joint_matrices(carried.elements, carried.tree)
        stiffness += _contact_stiffness(p, carried, tangents)
        frequency, rate_of_joints = stiffness_frequency(carried.tree, carried.riding, stiffness, damping)
        rate, square = rate + rate_of_joints, square + frequency**2
    free = p.wheel_index[:, INDEX_MOTION] == motions.FREE
    loads = expected.load_damping[free] / p.wheel[free, WHEEL_INERTIA]
    rate = max([rate, *loads, *element_limits(carried.elements).rate])
    return rate + math.sqrt(rate * rate + square)


def _frequency_at(p: Parameters, carried: Carriers, expected: Expected, state: FloatArray) -> float:
    """The same where the chain is tighter than expected, as by tensioners and guides. [rad/s]"""
    kernels_for(p).rhs(0.0, state, p.derivative, p)
    tightest = max(expected.tension, float(p.link[LINK_TENSION].max()))
    return _highest_frequency(p, carried, expected._replace(tension=tightest))


def _contact_stiffness(p: Parameters, carried: Carriers, tangents: FloatArray) -> FloatArray:
    """What the rollers on surfaces that ride on bodies are to the joints: at most so many contact springs, (J, J)."""
    tree = carried.tree
    total = np.zeros((tree.joints, tree.joints))
    for s in range(p.surfaces):
        body = int(p.surface_index[s, INDEX_BODY])
        if body < 0:
            continue
        reach = p.surface[s, SURFACE_REACH] if s < p.wheels else p.surface[s, SURFACE_LENGTH]
        rollers = (math.pi if s < p.wheels else 2.0) * reach / p.pitch + 1.0
        origin = next(at for index, at in carried.bodies.values() if index == body)
        middle = [SURFACE_X, SURFACE_Y] if s < p.wheels else [SURFACE_MIDDLE_X, SURFACE_MIDDLE_Y]
        x, y = p.surface[s, middle] + origin
        rates = point_rates(tree, body, (float(x), float(y)))
        total += rollers * tangents[s] * (rates.T @ rates)
    return total
