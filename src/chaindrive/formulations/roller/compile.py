"""From a drive to a system of the roller formulation: numbers into arrays, the chain onto its wheels."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from chaindrive.colouring import chain_colouring
from chaindrive.errors import InputError, Problem
from chaindrive.formulations.roller.endings import ENDINGS, NO_REST, ended_at
from chaindrive.formulations.roller.findings import findings
from chaindrive.formulations.roller.limits import Expected, frequency_at, highest_frequency, set_limits
from chaindrive.formulations.roller.modes import mode_shares
from chaindrive.formulations.roller.parameters import (
    CANDIDATE_ROWS,
    CONTACT_ROWS,
    INDEX_MOTION,
    LIMIT_ENTRIES,
    LINK_ROWS,
    MEMORY,
    MESH_COLUMNS,
    PUSH_COLUMNS,
    SCRATCH,
    SEARCH_ENTRIES,
    SEGMENT_COLUMNS,
    SURFACE_FRICTION,
    SURFACE_HYSTERESIS,
    SURFACE_STIFFNESS,
    SURFACE_VISCOUS,
    WHEEL_BEARING_DAMPING,
    WHEEL_BEARING_FRICTION,
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
from chaindrive.formulations.roller.surfaces import Surfaces, hold_back, intrusion, surfaces_of
from chaindrive.formulations.roller.variants import kernels_for, statics_for
from chaindrive.geometry.placing import Placing, span_places
from chaindrive.mechanism import loads as loading
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism.description import Carriers, carriers_of
from chaindrive.mechanism.layout import placed_chain
from chaindrive.mechanism.loads import COLUMNS as LOAD_COLUMNS
from chaindrive.mechanism.loads import load_damping
from chaindrive.mechanism.running import (
    driver,
    driver_speed,
    highest_speed,
    prescribed,
    turning_signs,
    wheel_loads,
    wheel_motions,
)
from chaindrive.mechanism.tree import REVOLUTE, joint_kinds, mass_matrix
from chaindrive.mechanism.tree_kernels import COORDINATE, MOTION
from chaindrive.model import Chain, Drive, RollerOptions, largest_torque
from chaindrive.model.body import FixedJoint
from chaindrive.physics.friction import Regularisation, kernel_sharpness
from chaindrive.system import Kind, System

JOINT_FRICTION_SHARE = 0.02
"""Turning rate over which joint friction changes its sign, as a part of that of joints on the fastest wheel. [-]"""

JOINT_FRICTION_SHARE_ON_GUIDES = 0.01
"""The same for a drive with guides: on their long arcs joints turn slowly. With 0.03 the loss in the joints of the
example timing-06b is 2.2 % too small, with 0.01 0.7 %, against 1 rad/s, 0.003. [-]"""

JOINT_FRICTION_RATE_AT_REST = 1.0
"""The same where no wheel has a speed to turn at. [rad/s]"""

SEARCH_MARGIN = 0.25
"""How much farther than the reach of the teeth candidates are kept, in pitches."""


def compile_roller(drive: Drive, options: RollerOptions, at_speed: bool) -> System:
    """Compile a drive into the roller formulation (Pedersen 2004, chapter 3), with the chain placed on its wheels.

    The state holds the kinematic placing with zero velocity; ``rolling`` the velocities at the start speed.
    Raises InputError when the chain does not fit the route, parts are in each other's way, the contact law does not fit
    the contact, there is no such form of friction, or the mechanism cannot move as described.
    """
    hanging = _compile(drive, options, at_speed, False)
    if hanging.intrusion == 0.0 or not hanging.notes["placing_sag"] > 0.0:
        return hanging
    straight = _compile(drive, options, at_speed, True)  # rails carry the span that would hang
    return straight if straight.intrusion < hanging.intrusion else hanging


def _compile(drive: Drive, options: RollerOptions, at_speed: bool, straight: bool) -> System:
    """The same with the slack chain hanging, or straight."""
    chain, signs = drive.chain, turning_signs(drive)
    carried = carriers_of(drive)
    placing, doubts = placed_chain(drive, straight)
    moved = wheel_motions(drive, at_speed)
    kinds, motion, motion_table, stops = motions.pack([m for m, _ in moved], placing.wheel_angle)
    surfaces = surfaces_of(drive, options, placing, carried.bodies)
    surfaces.wheel_index[:, INDEX_MOTION] = kinds
    loads = wheel_loads(drive, placing.wheel_angle)
    fastest = highest_speed(drive) * np.abs(placing.wheel_rate / placing.wheel_rate[driver(drive)])
    rate = options.joint_friction_rate or _joint_friction_rate(fastest, bool(drive.guides))
    parameters = parameters_of(chain, drive.gravity, options, surfaces, carried)._replace(
        joint_friction_rate=rate,
        motion=motion,
        motion_table=motion_table,
        load=loads.rows,
        load_table=loads.table,
        spans=_spans(placing, chain.pitch),
        path_angle=float(placing.wheel_angle[0]),
        path_sign=float(signs[0]),
    )
    first = moved[driver(drive)][0]
    start = first.initial_speed if first else driver_speed(drive) * at_speed
    speed = start / placing.wheel_rate[driver(drive)]
    turning = speed * placing.wheel_rate
    for w, (motion_of_wheel, _) in enumerate(moved):  # a second driver fluctuates in its own way
        turning[w] = motion_of_wheel.initial_speed if motion_of_wheel else turning[w]
    rolling = np.concatenate([speed * placing.roller_tangent.T.ravel(), turning])
    expected = Expected(_expected_tension(drive, placing, fastest), load_damping(loads, fastest))
    system = system_at_rest(parameters, placing.roller_position, placing.wheel_angle, carried, expected)
    return replace(
        system,
        rolling=np.concatenate([rolling, carried.speeds]),
        labels=_labels(drive),
        stops=np.unique(np.concatenate([stops, carried.stops, loads.stops])),
        intrusion=intrusion(parameters, placing),
        hold_back=partial(hold_back, parameters),
        force_scale=_force_scale(drive, expected),
        mode_shares=partial(mode_shares, drive),
        ended_at=partial(ended_at, drive, parameters),
        searched=parameters._replace(stop_at_jump=False),
        held=() if prescribed(drive) else (2 * chain.links + driver(drive),),
        dragged=_dragged(parameters),
        name_of=partial(_name_of, drive),
        frequency_at=partial(frequency_at, parameters, carried, expected),
        findings=partial(findings, drive, parameters),
        rolling_past=partial(_rolling_past, placing, np.concatenate([rolling, carried.speeds])),
        warnings=(*doubts, *(text for _, text in moved if text)),
        notes={
            "placing_strain": float(placing.strain),
            "placing_tension": float(chain.link_stiffness * placing.strain * chain.pitch),
            "placing_sag": float(placing.sag),
            "chain_speed": float(speed),
        }
        | ({"joint_friction_rate": rate} if parameters.joint_friction_radius else {}),
    )


def _joint_friction_rate(speeds: FloatArray, guided: bool) -> float:
    """The rate that smooths joint friction where none is given, from the speeds of the wheels (W,). [rad/s]

    A joint that comes onto a wheel turns as fast as the wheel. A small part of the largest such rate leaves friction
    its full value on wheels of ten times the size, and does not make an explicit step shorter than it must be: its
    limit is the slope of friction at rest, mu r F over this rate. The fastest speed of the run counts, also of one
    that starts at rest.
    """
    share = JOINT_FRICTION_SHARE_ON_GUIDES if guided else JOINT_FRICTION_SHARE
    return share * float(speeds.max(initial=0.0)) or JOINT_FRICTION_RATE_AT_REST


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
    return named | {"span": drive.span_names, "axis": ("x", "y")}


def parameters_of(
    chain: Chain, gravity: tuple[float, float], options: RollerOptions, surfaces: Surfaces, carried: Carriers
) -> Parameters:
    """Parameters of a drive, without those of its motions and spans."""
    n, w, s = chain.links, len(surfaces.wheel), len(surfaces.surface)
    stored = options.impact_memory == "stored"
    smoothing, sharpness = _smoothing(options)
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
        joint_friction_rate=options.joint_friction_rate or JOINT_FRICTION_RATE_AT_REST,
        gravity_x=float(gravity[0]),
        gravity_y=float(gravity[1]),
        roller_radius=0.5 * chain.roller_diameter,
        breaking_load=chain.breaking_load if chain.breaking_load is not None else math.inf,
        rubbing=bool(surfaces.surface[:, SURFACE_FRICTION].any()),
        friction_kind=int(smoothing),
        friction_speed=options.friction_speed,
        friction_sharpness=sharpness,
        reference_speed=options.reference_speed,
        speed_floor=options.impact_speed_floor if stored else options.reference_speed,
        stored_memory=stored,
        search_margin=SEARCH_MARGIN * chain.pitch,
        stop_at_jump=options.on_jump == "stop",
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
        limit=np.zeros(LIMIT_ENTRIES),
        tree=carried.tree,
        elements=carried.elements,
        gap=np.full((w, n), -1, dtype=np.int64),
        impact_speed=np.zeros((s, n)),
        segment=np.zeros((s * (n // 2 + 2), SEGMENT_COLUMNS), dtype=np.int64),
        segments_used=np.zeros(2, dtype=np.int64),
        candidate=np.zeros((CANDIDATE_ROWS, s * n)),
        search=np.zeros(SEARCH_ENTRIES),
        mesh=np.zeros((w, MESH_COLUMNS)),
        latch=carried.elements.latch,
        frame=surfaces.frame,
        push=np.zeros((s, PUSH_COLUMNS)),
        contact=np.zeros((CONTACT_ROWS, s * n)),
        link=np.zeros((LINK_ROWS, n)),
        derivative=np.zeros(2 * positions + len(WORKS) + w + len(carried.pressures)),
        joint_force=np.zeros((carried.tree.bodies, 2)),
        joint_moment=np.zeros(carried.tree.bodies),
    )


def _smoothing(options: RollerOptions) -> tuple[Regularisation, float]:
    """How Coulomb friction passes through zero speed, and its sharpness as the kernels take it."""
    try:
        form = Regularisation.named(options.friction_regularisation)
        return form, kernel_sharpness(form, options.friction_sharpness)
    except ValueError as error:
        given = f"{options.friction_regularisation!r}, {options.friction_sharpness:g}"
        raise InputError(Problem("run.formulation.friction_regularisation", str(error), given)) from error


def _expected_tension(drive: Drive, placing: Placing, speeds: FloatArray) -> float:
    """Tension to reckon with where friction grows with it: preload of the placing, and what the loads pull. [N]

    speeds (W,): of the wheels, without sign [rad/s].
    """
    total = drive.chain.link_stiffness * placing.strain * drive.chain.pitch
    for wheel, rate, radius in zip(drive.wheels, speeds, placing.route.radii, strict=True):
        torque = abs(wheel.load_torque) + abs(largest_torque(wheel.torque))
        torque += wheel.load_viscous * rate + wheel.load_quadratic * rate * rate
        if wheel.load_table is not None:
            torque += max(abs(value) for value in wheel.load_table.torques)
        total += torque / float(radius)
    return float(total)


def system_at_rest(
    p: Parameters, position: FloatArray, angle: FloatArray, carried: Carriers, expected: Expected
) -> System:
    """A system at rest, the rollers at ``position`` (N, 2), the wheels at ``angle`` (W,)."""
    n, w, positions = p.links, p.wheels, p.positions
    set_limits(p, carried, expected)
    state = np.zeros(p.derivative.size)
    state[:n], state[n : 2 * n] = position.T
    state[2 * n : 2 * n + w] = angle
    state[2 * n + w : positions] = carried.coordinates
    state[2 * positions + len(WORKS) + w :] = carried.pressures
    colours, neighbours = chain_colouring(n, 2, w + carried.tree.joints)
    turns = [kind == REVOLUTE for kind in joint_kinds(carried.tree)]
    places = [Kind.LENGTH] * (2 * n) + [Kind.ANGLE] * w + [Kind.ANGLE if turn else Kind.LENGTH for turn in turns]
    speeds = [Kind.SPEED if kind == Kind.LENGTH else Kind.ANGULAR_SPEED for kind in places]
    others = [Kind.WORK] * (len(WORKS) + w) + [Kind.PRESSURE] * len(carried.pressures)
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
        highest_frequency=highest_frequency(p, carried, expected),
        stops=np.zeros(0),
        colours=colours,
        neighbours=neighbours,
        masses=_masses(p, carried),
        coupled=carried.tree.joints > 0,
        statics=statics_for(p),
        scratch=SCRATCH,
        endings=ENDINGS,
        static_advice=NO_REST,
        softened=partial(_softened, p),
    )
    system.kernels.begin(0.0, system.state, p)
    return system


def _softened(p: Parameters, links: float, contacts: float) -> Parameters:
    """The same chain with links and contacts softer by these factors."""
    surface = p.surface.copy()
    surface[:, SURFACE_STIFFNESS] *= contacts
    return p._replace(stiffness=links * p.stiffness, surface=surface, stop_at_jump=False)


def _dragged(p: Parameters) -> Parameters | None:
    """The same chain with no other losses than those that have one sense while it runs; None where it has none."""
    guides = p.surface[p.wheels :, SURFACE_FRICTION].any()
    joints = p.joint_friction_radius > 0.0 or p.joint_damping > 0.0
    bearings = p.wheel[:, [WHEEL_BEARING_DAMPING, WHEEL_BEARING_FRICTION]].any()
    loads = p.load[:, [loading.VISCOUS, loading.QUADRATIC]].any()
    if not (guides or joints or bearings or loads):
        return None
    surface = p.surface.copy()
    surface[:, [SURFACE_HYSTERESIS, SURFACE_VISCOUS]] = 0.0
    surface[: p.wheels, SURFACE_FRICTION] = 0.0
    return p._replace(surface=surface, damping=0.0, stop_at_jump=False)


def _name_of(drive: Drive, position: int) -> str:
    """What a position belongs to, in words."""
    links, wheels = drive.chain.links, len(drive.wheels)
    if position < 2 * links:
        return f"roller {position % links}"
    if position < 2 * links + wheels:
        return f"wheel {drive.wheels[position - 2 * links].name!r}"
    moving = [body for body in drive.bodies if not isinstance(body.joint, FixedJoint)]
    return f"body {moving[position - 2 * links - wheels].name!r}"


def _force_scale(drive: Drive, expected: Expected) -> float:
    """The expected tension, and the weight of the chain. [N]"""
    weight = drive.chain.links * drive.chain.link_mass * math.hypot(*drive.gravity)
    return expected.tension + weight or 1.0


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
