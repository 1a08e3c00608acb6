"""Conversion of a variator to a system, with the chain placed on the running radii of its ratio.

The system consists of arrays, states and channels.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from chaindrive.contract.bordered import bordered, factors_for
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.motion import Motion
from chaindrive.contract.pointwise import PointwiseKernels
from chaindrive.contract.rest import Rest
from chaindrive.contract.states import TOLERANCES, Kind
from chaindrive.contract.story import Story
from chaindrive.contract.system import System
from chaindrive.elementary import arctan2
from chaindrive.formulations.cvt import parameters as P
from chaindrive.formulations.cvt.accept import accept, begin
from chaindrive.formulations.cvt.endings import ENDINGS, ended_at
from chaindrive.formulations.cvt.peaks import gather
from chaindrive.formulations.cvt.record import channels, record
from chaindrive.formulations.cvt.rhs import BEFORE_TILTS, release, resolve, rhs
from chaindrive.formulations.cvt.variator import Variator, variator_of
from chaindrive.formulations.declare import blank_row, channels_of, in_a_row
from chaindrive.geometry.variator import Loop, loop_around, place_pins, second_radius
from chaindrive.kernels.tables import blank
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism.doubts import turned_back
from chaindrive.mechanism.inputs import wheel_inputs
from chaindrive.mechanism.torques import by_torques
from chaindrive.mechanism.variator import slip_warnings
from chaindrive.mechanism.wheels import ShaftTorques
from chaindrive.model import CvtOptions, Drive
from chaindrive.physics.sheave import tilt_of_variation

__all__ = ["compile_cvt", "compile_variator"]

KERNELS = Kernels(
    rhs=rhs,
    accept=accept,
    record=record,
    begin=begin,
    gather=gather,
    pointwise=PointwiseKernels(release=release, resolve=resolve),
)


def compile_cvt(drive: Drive, options: CvtOptions, at_speed: bool) -> System:
    """Compile a drive with two pairs of sheaves, which turn at the start as their motions and the ratio require."""
    system = compile_variator(variator_of(drive, options, at_speed))
    return system.with_story(
        warnings=(*turned_back(drive), *slip_warnings(drive)),
        findings=partial(findings, drive, 0.0, system.parameters.coordinates),
    )


def findings(drive: Drive, angle: float, place: int, state: P.FloatArray) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the distance that the chain has travelled, in loops, since pair 0 was at ``angle`` [rad] (Story.findings).

    place: index of this angle in the state.
    """
    turned = abs(float(state[place]) - angle) / (2.0 * math.pi)
    return {"loops": turned * drive.wheels[0].teeth / drive.chain.links}, ()


def compile_variator(variator: Variator) -> System:
    """Compile a variator.

    The chain lies on its running radii and rolls at the initial speeds of the pairs. The pins are compressed as they
    would be by the clamping force alone, and the chain has the resulting tension. The pins of a pair that is held or
    shifted are compressed by the clamping force of the other pair.
    """
    moved = [pair.motion for pair in variator.pairs]
    shifted = [pair.shift for pair in variator.pairs]
    kinds, motion, motion_table, stops = motions.pack(moved, np.zeros(P.PAIRS))
    shift_kinds, shift, shift_table, shift_stops = motions.pack(shifted, np.zeros(P.PAIRS))
    acting = variator.torques
    n, coordinates = len(variator.pitches), variator.coordinates
    speeds = coordinates + 2 * P.PAIRS
    works = len(P.WORKS) + P.PAIRS
    declared = channels(n, by_torques(acting.torque), motions.INPUT in kinds)
    state = np.zeros(2 * speeds + P.TILTS + works + acting.states.size + P.CONTROLS)
    p = _parameters(variator)._replace(
        motion_kind=kinds,
        motion=motion,
        motion_table=motion_table,
        shift_kind=shift_kinds,
        shift=shift,
        shift_table=shift_table,
        running=acting.running,
        torque=acting.torque,
        torque_table=acting.torque_table,
        row=blank_row(declared),
        derivative=np.zeros_like(state),
        joint=_joints(n if variator.revolute else 0, state.size),
    )
    rolling = _place(variator, p, state)
    machines = 2 * speeds + BEFORE_TILTS + P.TILTS
    state[machines : machines + acting.states.size] = acting.states
    free, shifting = kinds == motions.FREE, shift_kinds == motions.FREE
    names = tuple(pair.name for pair in variator.pairs)
    system = System(
        kernels=KERNELS,
        parameters=p,
        memory=P.MEMORY,
        scratch=P.SCRATCH,
        state=state,
        positions=speeds,
        kinds=_kinds(variator, works, acting.states.size),
        channels=in_a_row(channel for channel in channels_of(declared) if channel.size),
        labels={"wheel": names, "span": (f"{names[0]} - {names[1]}", f"{names[1]} - {names[0]}"), "axis": ("x", "y")},
        masses=np.concatenate(
            [
                np.full(2 * n, variator.link_mass),
                np.full(coordinates - 2 * n, variator.link_inertia),
                np.where(free, p.wheel.inertia, math.inf),
                np.where(shifting, p.sheave.mass, math.inf),
            ]
        ),
        force_scale=float(max(pair.force for pair in variator.pairs)) or 1.0,
        inputs=wheel_inputs(p, kinds, names, range(coordinates, speeds), range(speeds + coordinates, 2 * speeds)),
        motion=Motion(
            rolling=rolling,
            highest_frequency=highest_frequency(variator),
            stops=np.unique(np.concatenate([stops, shift_stops, acting.stops, control_stops(variator)])),
            tolerances=TOLERANCES,
        ),
        rest=Rest(held=tuple(range(speeds))),
        story=Story(
            endings=ENDINGS, ended_at=partial(ended_at, names, p), name_of=partial(_name_of, names, n, coordinates)
        ),
    )
    begin(0.0, system.state, p)
    return system


def _kinds(variator: Variator, works: int, machines: int) -> P.IntArray:
    """Return the kinds of the states, in the order of ``rhs``."""
    places = 2 * len(variator.pitches)
    angles = variator.coordinates - places + P.PAIRS
    counts = (
        (Kind.LENGTH, places), (Kind.ANGLE, angles), (Kind.LENGTH, P.PAIRS),
        (Kind.SPEED, places), (Kind.ANGULAR_SPEED, angles), (Kind.SPEED, P.PAIRS),
        (Kind.WORK, works), (Kind.ANGLE, P.TILTS), (Kind.MACHINE, machines + P.CONTROLS),
    )  # fmt: skip
    return np.concatenate([np.full(count, kind, dtype=np.int64) for kind, count in counts])


def _parameters(variator: Variator) -> P.Parameters:
    """Return the parameters except those of motions and torques."""
    pairs, n = variator.pairs, len(variator.pitches)
    (x, y), (farther_x, farther_y) = pairs[0].centre, pairs[1].centre
    distance = variator.distance
    wheel, sheave, link = blank(P.Wheels, P.PAIRS), blank(P.Sheaves, P.PAIRS), blank(P.Links, n)
    for w, pair in enumerate(pairs):
        wheel.x[w], wheel.y[w] = pair.centre
        wheel.inertia[w] = pair.inertia
        wheel.bearing_damping[w], wheel.bearing_friction[w] = pair.bearing_damping, pair.bearing_friction
        sheave.radius[w] = pair.radius
        sheave.least[w], sheave.most[w] = pair.reach
        sheave.mass[w], sheave.damping[w], sheave.force[w] = pair.sheave_mass, pair.sheave_damping, pair.force
        sheave.stiffness[w] = pair.tilt_stiffness
        sheave.time[w] = math.inf
        if pair.tilt_stiffness < math.inf:
            sheave.time[w] = pair.tilt_time
        elif pair.variation > 0.0 and pair.widest is None:
            sheave.time[w] = pair.tilt_time
            sheave.size[w] = tilt_of_variation(pair.variation, math.cos(variator.half_angle))
    link.pitch[:] = variator.pitches
    control, target = _controls(variator)
    return P.Parameters(
        pins=n,
        rigid=int(variator.rigid),
        revolute=int(variator.revolute),
        coordinates=variator.coordinates,
        control=control,
        target=target,
        distance=distance,
        line_x=(farther_x - x) / distance,
        line_y=(farther_y - y) / distance,
        sine=math.sin(variator.half_angle),
        cosine=math.cos(variator.half_angle),
        friction=variator.friction,
        smooth=variator.smooth,
        link_mass=variator.link_mass,
        per_inertia=1.0 / variator.link_inertia if variator.rigid else 0.0,
        pin_stiffness=variator.pin_stiffness,
        pin_damping=variator.pin_damping,
        link_stiffness=0.0 if variator.revolute else variator.link_stiffness,
        link_damping=0.0 if variator.revolute else variator.link_damping,
        slip_speed=variator.slip_speed,
        gravity_x=float(variator.gravity[0]),
        gravity_y=float(variator.gravity[1]),
        wheel=wheel,
        sheave=sheave,
        motion_kind=np.zeros(P.PAIRS, dtype=np.int64),
        motion=blank(motions.MotionRows, P.PAIRS),
        motion_table=np.zeros((1, motions.TABLE_COLUMNS)),
        shift_kind=np.zeros(P.PAIRS, dtype=np.int64),
        shift=blank(motions.MotionRows, P.PAIRS),
        shift_table=np.zeros((1, motions.TABLE_COLUMNS)),
        running=variator.torques.running,
        torque=variator.torques.torque,
        torque_table=variator.torques.torque_table,
        start_energy=np.zeros(1),
        pin=blank(P.Pins, n),
        joint_x=np.zeros(n if variator.revolute else 0),
        joint_y=np.zeros(n if variator.revolute else 0),
        joint=_joints(0, 0),
        expected=np.zeros(P.PAIRS),
        peaks=P.Peaks(np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(P.PAIRS)),
        contacts=np.zeros(1, dtype=np.int64),
        place=blank(P.Places, n),
        touch=blank(P.Touching, n),
        link=link,
        sum=blank(P.Sums, P.PAIRS),
        shaft=blank(ShaftTorques, P.PAIRS),
        derivative=np.zeros(0),
        row=blank_row(channels(n)),
    )


def _controls(variator: Variator) -> tuple[P.Controls, P.FloatArray]:
    """Return the controllers of the ratio, and the table of their target ratios."""
    control, tables, used = blank(P.Controls, P.PAIRS), [], 0
    for w, pair in enumerate(variator.pairs):
        given = pair.control
        if given is None:
            continue
        control.sense[w] = 1.0 if w == variator.driver else -1.0
        control.proportional[w], control.integral[w] = given.proportional, given.integral
        control.least[w], control.largest[w] = given.least_force, given.largest_force
        control.slow[w] = variator.slow_speed
        tables.append(given.rows())
        control.rows[w], control.rows_end[w] = used, used + len(tables[-1])
        used = int(control.rows_end[w])
    return control, np.concatenate(tables) if tables else np.zeros((1, 3))


def control_stops(variator: Variator) -> list[float]:
    """Return the times at which target ratios have kinks. [s]"""
    return [time for pair in variator.pairs if pair.control is not None for time in pair.control.times if time > 0.0]


def _joints(links: int, states: int) -> P.Joints:
    """Return the scratch arrays of revolute joints."""
    matrix = bordered(links, 2, 0)
    return P.Joints(
        matrix=matrix,
        factors=factors_for(matrix),
        free=np.zeros(0, dtype=np.bool_),
        shift=np.zeros(2 * links),
        right=np.zeros(2 * links),
        found=np.zeros(2 * links),
        rates=np.zeros(states),
    )


def _place(variator: Variator, p: P.Parameters, state: P.FloatArray) -> P.FloatArray:
    """Put the chain on its loop and close the sheaves; return the velocities with which it rolls, (n_v,)."""
    pairs, loop = variator.pairs, _stretched(variator)
    places, ways = place_pins(loop, variator.pitches, [pair.centre for pair in pairs])
    chain = variator.coordinates
    rolling = np.zeros(chain + 2 * P.PAIRS)
    pace = variator.speeds[0] * pairs[0].radius
    state[:chain], rolling[:chain] = (links_between if variator.rigid else _points)(places, pace * ways)
    for w, pair in enumerate(pairs):
        held = loop.wraps[w] / (2.0 * math.asin(0.5 * float(np.mean(variator.pitches)) / pair.radius))
        force = pair.force if pair.shift is None else pairs[1 - w].force
        farther = 2.0 * (loop.radii[w] - pair.radius) * math.tan(variator.half_angle)
        state[chain + P.PAIRS + w] = farther + force / (held * variator.pin_stiffness)
        if pair.variation > 0.0 and pair.widest is not None:
            size = tilt_of_variation(pair.variation, math.cos(variator.half_angle))
            tilt = 2 * rolling.size + BEFORE_TILTS + w
            state[tilt], state[tilt + P.PAIRS] = size * math.cos(pair.widest), size * math.sin(pair.widest)
    rolling[chain : chain + P.PAIRS] = variator.speeds
    rolling[chain + P.PAIRS :] = [0.0 if pair.shift is None else pair.shift.initial_speed for pair in pairs]
    return rolling


def _points(places: P.FloatArray, velocities: P.FloatArray) -> tuple[P.FloatArray, P.FloatArray]:
    """Return the coordinates of pins at these positions (N, 2), and their rates, (2 N,) each."""
    return places.T.ravel(), velocities.T.ravel()


def links_between(places: P.FloatArray, velocities: P.FloatArray) -> tuple[P.FloatArray, P.FloatArray]:
    """Return the coordinates of rigid links midway between pins at these positions (N, 2), and their rates, (3 N,)
    each.
    """
    along, faster = np.roll(places, -1, axis=0) - places, np.roll(velocities, -1, axis=0) - velocities
    angles = np.unwrap(arctan2(along[:, 1], along[:, 0]))
    turning = (along[:, 0] * faster[:, 1] - along[:, 1] * faster[:, 0]) / (along**2).sum(axis=1)
    centres, rates = places + 0.5 * along, velocities + 0.5 * faster
    return np.concatenate([*centres.T, angles]), np.concatenate([*rates.T, turning])


def _stretched(variator: Variator) -> Loop:
    """Return the loop with the tension due to the clamping force on frictionless sheaves, T = 2 tan(beta) S / wrap.

    A pair that is held stays at its radius.
    """
    pairs, loop = variator.pairs, variator.loop
    given = 1 if pairs[0].shift is None and pairs[1].shift is not None else 0
    pressed = 1 - given
    tension = 2.0 * math.tan(variator.half_angle) * pairs[pressed].force / loop.wraps[pressed]
    pitch = np.array(variator.pitches) + (0.0 if variator.revolute else tension / variator.link_stiffness)
    try:
        other = second_radius(pairs[given].radius, variator.distance, pitch, len(variator.pitches))
    except ValueError:  # stretched so much that it does not close: the run begins without tension
        return loop
    first, second = (pairs[0].radius, other) if given == 0 else (other, pairs[1].radius)
    return loop_around(first, second, variator.distance)


def highest_frequency(variator: Variator) -> float:
    """Return the frequency that limits an explicit step, see Motion.highest_frequency. [rad/s]

    It is the higher of two: that of the chain in the groove, and that of the sheaves on all of their pins. The squares
    of links and groove add in the chain. Neighbouring links or pins that move against each other stretch the link or
    bushing between them by twice their own displacement: 4 k / m. Rigid links that all turn alike stretch the bushings
    transversely: k p^2 / J. Other motions lie between these two. A pin is held in the groove with the stiffness
    4 tan(beta)^2 k_pin.
    """
    slope, links, pins = math.tan(variator.half_angle), 4.0 / variator.link_mass, 1.0 / variator.link_mass
    if variator.rigid:
        square = max(variator.pitches) ** 2 / variator.link_inertia
        links, pins = max(links, square), pins + 0.25 * square
    if variator.revolute:
        links = 0.0
    groove = 4.0 * slope * slope * pins
    found = [
        (
            links * variator.link_stiffness + groove * variator.pin_stiffness,
            links * variator.link_damping + groove * variator.pin_damping,
        )
    ]
    for pair, wrap in zip(variator.pairs, variator.loop.wraps, strict=True):
        if pair.shift is None:
            pins = wrap * pair.radius / min(variator.pitches)
            rate = pins * variator.pin_damping + pair.sheave_damping
            found.append((pins * variator.pin_stiffness / pair.sheave_mass, rate / pair.sheave_mass))
    return max(c + math.sqrt(c * c + square) for square, c in found)


def _name_of(names: tuple[str, ...], pins: int, coordinates: int, position: int) -> str:
    """Return a description of the part to which a position belongs."""
    if position < coordinates:
        return f"{'pin' if coordinates == 2 * pins else 'link'} {position % pins}"
    return f"sheaves {names[(position - coordinates) % P.PAIRS]!r}"
