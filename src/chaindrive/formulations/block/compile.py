"""Conversion of a drive to a system of the chain drive block.

Wheels and spans become arrays, and the slack follows from the length of the chain.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.modes import Modes, ModeShares
from chaindrive.contract.motion import Motion
from chaindrive.contract.port import Port
from chaindrive.contract.rest import Rest
from chaindrive.contract.states import TOLERANCES, Kind
from chaindrive.contract.story import Story
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.formulations.block import parameters as P
from chaindrive.formulations.block.accept import accept, begin, margin
from chaindrive.formulations.block.endings import ENDINGS, ended_at
from chaindrive.formulations.block.parameters import FloatArray, Parameters
from chaindrive.formulations.block.peaks import gather
from chaindrive.formulations.block.record import channels, record
from chaindrive.formulations.block.rhs import rhs
from chaindrive.formulations.block.targets import Targets
from chaindrive.formulations.brake import hold_by_bearings
from chaindrive.formulations.declare import blank_row, channels_of, in_a_row
from chaindrive.geometry.route import Route, length_in_pitches
from chaindrive.kernels.tables import blank
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism import torque_kernels as torques
from chaindrive.mechanism.facts import DriveFacts, drive_facts
from chaindrive.mechanism.inputs import wheel_inputs
from chaindrive.mechanism.layout import judge_layout, placed_chain
from chaindrive.mechanism.torques import by_torques
from chaindrive.mechanism.wheel_motions import wheel_motions
from chaindrive.mechanism.wheel_torques import expected_pull, torque_damping, wheel_torques
from chaindrive.mechanism.wheels import ShaftTorques
from chaindrive.model import BlockOptions, Drive
from chaindrive.physics.bearing import BEARING_YIELD

KERNELS = Kernels(rhs=rhs, accept=accept, record=record, begin=begin, margin=margin, gather=gather)
FINE = {**TOLERANCES, Kind.ANGLE: 1e-11, Kind.ANGULAR_SPEED: 1e-8}
"""Tolerances with which the period of a chain that rattles in its slack is accurate to 1e-6; with few states they cost
little."""


def compile_block(drive: Drive, options: BlockOptions, at_speed: bool) -> System:
    """Compile a drive into the chain drive block, with slack or pretension shared by all spans.

    The share of every span is proportional to its compliance, so that a chain under pretension has the same tension
    everywhere. With two spans, each has half of the slack, as in Simscape's block. The state is this position at rest
    with all angles zero; ``rolling`` contains the velocities at the start speed. Raises InputError when the chain does
    not fit the route, parts collide, or targets cannot be met.
    """
    way, slack, doubts = _fitted(drive, options)
    moved = wheel_motions(drive, at_speed)
    wheels = len(drive.wheels)
    kinds, motion, motion_table, stops = motions.pack([m for m, _ in moved], np.zeros(wheels))
    facts = drive_facts(drive)
    acting = wheel_torques(facts, np.zeros(wheels), at_speed)
    machines = acting.states.size
    declared = channels(wheels, by_torques(acting.torque), motions.INPUT in kinds)
    p = _parameters(drive, options, way, slack)
    _refuse_turned_levers(p)
    p = p._replace(
        motion_kind=kinds,
        motion=motion,
        motion_table=motion_table,
        row=blank_row(declared),
        derivative=np.zeros(3 * wheels + len(P.WORKS) + machines),
        running=acting.running,
        torque=acting.torque,
        torque_table=acting.torque_table,
    )
    _let_bearings_stick(p)
    rolling = _rolling(facts, p, [m.initial_speed if m else None for m, _ in moved], at_speed)
    free = kinds == motions.FREE
    radius, slides = p.wheel.radius, p._replace(sticks=False)
    speeds = facts.highest_speed * np.abs(radius[facts.driver] / radius)
    scale = _force_scale(drive, p, speeds)
    p.wheel.tension_friction[:], p.wheel.standstill[:] = options.tension_friction, facts.slow_speeds
    rubbing = 2.0 * options.tension_friction * scale + p.friction_map.forces.max()
    steepness = torque_damping(facts, speeds) + rubbing * np.abs(radius) / facts.slow_speeds
    system = System(
        kernels=KERNELS,
        parameters=p,
        memory=P.MEMORY,
        scratch=P.SCRATCH,
        state=np.concatenate([np.zeros(p.derivative.size - machines), acting.states]),
        positions=wheels,
        kinds=np.array(
            [Kind.ANGLE] * wheels
            + [Kind.ANGULAR_SPEED] * wheels
            + [Kind.WORK] * (len(P.WORKS) + wheels)
            + [Kind.MACHINE] * machines,
            dtype=np.int64,
        ),
        channels=in_a_row(channel for channel in channels_of(declared) if channel.size),
        labels={
            "wheel": tuple(wheel.name for wheel in drive.wheels),
            "span": drive.span_names,
            "axis": ("x", "y"),
        },
        masses=np.where(free, p.wheel.inertia, math.inf),
        force_scale=scale,
        port=partial(_port, p),
        inputs=wheel_inputs(p, kinds, [wheel.name for wheel in drive.wheels], range(wheels), range(wheels, 2 * wheels)),
        motion=Motion(
            rolling=rolling,
            highest_frequency=highest_frequency(p, steepness),
            stops=np.unique(np.concatenate([stops, acting.stops])),
            tolerances=FINE,
            braked=_brake(facts.driver, p),
        ),
        rest=Rest(held=() if facts.prescribed else (facts.driver,), dragged=slides, searched=slides),
        modes=Modes(shares=partial(_mode_shares, drive)),
        story=Story(
            endings=ENDINGS,
            ended_at=partial(ended_at, drive, p),
            findings=partial(findings, drive, 0.0),
            warnings=(*doubts, *(text for _, text in moved if text)),
            notes=_notes(drive, options, p, slack) | {"step_limits": limits_of_parts(drive, p, steepness)},
            name_of=partial(_name_of, drive),
        ),
    )
    if options.targets:
        targets = Targets(drive, options.targets, p, {int(w): float(rolling[w]) for w in np.flatnonzero(~free)})
        system = system.with_rest(targeted=targets.meet)
    begin(0.0, system.state, p)
    return system


def _parameters(drive: Drive, options: BlockOptions, way: Route, slack: float) -> Parameters:
    """Return the parameters of a drive, without the parameters of its motions and loads."""
    limit, wheels = options.maximum_tension or drive.chain.breaking_load, len(drive.wheels)
    return Parameters(
        wheels=wheels,
        net=options.compliance == "block",
        damping_in_slack=options.damping_in_slack,
        sticks=True,
        anchors_kept=False,
        maximum_tension=math.inf if limit is None else limit,
        gravity_x=float(drive.gravity[0]),
        gravity_y=float(drive.gravity[1]),
        maps_friction=options.friction_map is not None,
        friction_map=_friction_map(options),
        ripples=bool(options.ripple),
        ripple=_ripples(drive, options),
        wheel=_wheels(drive, way),
        motion_kind=np.zeros(wheels, dtype=np.int64),
        span=_spans(drive, options, way, slack),
        motion=blank(motions.MotionRows, wheels),
        motion_table=np.zeros((1, motions.TABLE_COLUMNS)),
        running=blank(torques.Running, wheels),
        torque=blank(torques.TorqueRows, 0),
        torque_table=np.zeros((1, torques.TABLE_COLUMNS)),
        start_energy=np.zeros(1),
        bearing_angle=np.zeros(wheels),
        peaks=P.Peaks(np.zeros(wheels), np.zeros(wheels), np.zeros(wheels)),
        pull=blank(P.Pulls, wheels),
        shaft=blank(ShaftTorques, wheels),
        derivative=np.zeros(3 * wheels + len(P.WORKS)),
        row=blank_row(channels(wheels)),
    )


def _fitted(drive: Drive, options: BlockOptions) -> tuple[Route, float, tuple[str, ...]]:
    """Return the route, the excess length of the chain over it [m], and warnings about the positions of the parts."""
    way = drive_facts(drive).route
    if options.slack is not None:
        judgement = judge_layout(drive)
        if judgement.problems:
            raise InputError(judgement.problems)
        return way, options.slack, judgement.warnings
    _, doubts = placed_chain(drive, straight=True)
    chain = drive.chain
    needed = length_in_pitches(way, chain.pitch, [wheel.teeth for wheel in drive.wheels])
    slack = (chain.links - needed) * chain.pitch
    if options.compliance == "block" and slack < 0.0:
        message = (
            f"the chain is {-slack * 1e3:.4g} mm shorter than its route, and compliance = 'block' has no pretension: "
            "use 'spans', give a slack, or move a wheel"
        )
        raise InputError(Problem("run.formulation.compliance", message, "'block'"))
    return way, slack, doubts


def _wheels(drive: Drive, way: Route) -> P.Wheels:
    """Return the wheels.

    The radius of a wheel is that of a pulley for a belt with the same number of teeth, P z / (2 pi). Speed ratios then
    equal the ratios of the numbers of teeth, and the chain advances by one pitch per tooth. The pitch radius, P / (2
    sin(pi / z)), is larger by the factor 1 + (pi / z)^2 / 6: on average, polygonal action slows the chain by this
    factor.
    """
    found = blank(P.Wheels, len(drive.wheels))
    found.x[:], found.y[:] = way.centres.T
    for w, (wheel, sign) in enumerate(zip(drive.wheels, drive_facts(drive).signs, strict=True)):
        found.radius[w] = sign * drive_facts(drive).levers[w]
        found.inertia[w], found.mass[w] = wheel.turned_inertia or 0.0, wheel.mass or 0.0
        found.bearing_damping[w], found.bearing_friction[w] = wheel.bearing_damping, wheel.bearing_friction
        if wheel.unbalance is not None:
            found.moment_x[w] = wheel.unbalance.mass_moment * math.cos(wheel.unbalance.angle)
            found.moment_y[w] = wheel.unbalance.mass_moment * math.sin(wheel.unbalance.angle)
    return found


def _spans(drive: Drive, options: BlockOptions, way: Route, slack: float) -> P.Spans:
    """Return the spans as links in series, with the slack (or, if negative, the pretension) shared in proportion to
    compliance.
    """
    found = blank(P.Spans, len(drive.wheels))
    links = way.span_length / drive.chain.pitch
    found.stiffness[:] = drive.chain.link_stiffness / links if options.stiffness is None else options.stiffness
    found.damping[:] = drive.chain.link_damping / links if options.damping is None else options.damping
    compliance = 1.0 / found.stiffness
    found.offset[:] = -slack * compliance / compliance.sum()
    found.ux[:], found.uy[:] = way.span_direction.T
    return found


def _friction_map(options: BlockOptions) -> P.FrictionMap:
    """Return the friction map of the options, or a map of zeros if there is none."""
    given = options.friction_map
    if given is None:
        return P.FrictionMap(np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.zeros((2, 2)))
    return P.FrictionMap(np.array(given.speeds), np.array(given.tensions), np.array(given.forces))


def _ripples(drive: Drive, options: BlockOptions) -> P.Ripples:
    """Return the ripples given by the options."""
    found = blank(P.Ripples, len(options.ripple))
    for i, each in enumerate(options.ripple):
        found.span[i], found.wheel[i] = each.span, each.wheel
        found.order[i] = drive.wheels[each.wheel].teeth if each.order is None else each.order
        found.amplitude[i], found.phase[i] = each.amplitude, each.phase
    return found


def _rises(p: Parameters) -> FloatArray:
    """Return the largest slopes of the elongations of spans (rows) with respect to wheel angles due to ripple, (W, W).
    [m/rad]
    """
    found = np.zeros((p.wheels, p.wheels))
    np.add.at(found, (p.ripple.span, p.ripple.wheel), p.ripple.amplitude * p.ripple.order)
    return found


def _refuse_turned_levers(p: Parameters) -> None:
    """Raise InputError if ripple would reverse the lever arm of a span about a wheel."""
    rises = _rises(p)
    problems = [
        Problem(
            "run.formulation.ripple",
            f"the sum of amplitude times order for span {k} and wheel {w} must be below the radius of the wheel, "
            f"{abs(p.wheel.radius[w]):.4g} m: otherwise the lever arm of the span would change its sign",
            f"{rises[k, w]:.4g} m",
        )
        for k, w in zip(*np.nonzero(rises >= np.abs(p.wheel.radius)), strict=True)
    ]
    if problems:
        raise InputError(problems)


def _rolling(facts: DriveFacts, p: Parameters, given: list[float | None], at_speed: bool) -> FloatArray:
    """Return the angular velocities of the wheels when the chain runs without slip at the speed of the driver, (W,)
    [rad/s]; a wheel with a prescribed motion has its own speed.
    """
    radius = p.wheel.radius
    first = facts.driver
    speed = facts.driver_speed * at_speed if given[first] is None else given[first]
    rolling = speed * radius[first] / radius
    for w, own in enumerate(given):
        rolling[w] = rolling[w] if own is None else own
    return np.asarray(rolling)


def elongations(p: Parameters) -> FloatArray:
    """Return the elongation of each span per unit of each wheel angle, (W spans, W wheels). [m/rad]"""
    radius = p.wheel.radius
    return np.asarray(np.roll(np.diag(radius), -1, axis=0) - np.diag(radius))


BEARING_SHARE = 0.3
"""Largest natural frequency of a wheel on the spring of its bearing, relative to the highest frequency of the spans.
[-]"""


def _let_bearings_stick(p: Parameters) -> None:
    """Write the stiffness of sticking bearings.

    It is so high that the bearings hardly deflect, but limited so that the step is at worst halved.
    """
    free = p.motion_kind == motions.FREE
    most = np.full(p.wheels, math.inf)
    most[free] = BEARING_SHARE**2 * _spans_square(p) * p.wheel.inertia[free]
    p.wheel.bearing_stiffness[:] = np.minimum(p.wheel.bearing_friction / BEARING_YIELD, most)


def _stretch(p: Parameters) -> FloatArray:
    """Return the elongations of the spans due to the free wheels, divided by the roots of the inertias. [1/sqrt(kg)]

    The slope of a ripple has its largest value.
    """
    free = p.motion_kind == motions.FREE
    levers = elongations(p)
    levers += np.copysign(_rises(p), levers)
    return np.asarray(levers[:, free] / np.sqrt(p.wheel.inertia[free]))


def _spans_square(p: Parameters) -> float:
    """Return the square of the highest frequency of the wheels between taut spans; 0 if all wheels are prescribed.
    [rad^2/s^2]
    """
    stretch = _stretch(p)
    values = np.linalg.eigvalsh(stretch.T @ (p.span.stiffness[:, None] * stretch))
    return float(max(values[-1], 0.0)) if values.size else 0.0


def highest_frequency(p: Parameters, damping_of_torques: FloatArray) -> float:
    """Return the frequency that limits an explicit step (Motion.highest_frequency), with all spans taut and all dampers
    active. [rad/s]

    damping_of_torques: (W,) [N m s/rad]. The result is 0 if all motions are prescribed.
    """
    free = p.motion_kind == motions.FREE
    if not free.any():
        return 0.0
    stretch, inertia = _stretch(p), p.wheel.inertia[free]
    held = p.wheel.bearing_stiffness[free] / inertia
    shafts = (p.wheel.bearing_damping[free] + damping_of_torques[free]) / inertia + 2.0 * np.sqrt(held)
    rate = np.linalg.eigvalsh(stretch.T @ (p.span.damping[:, None] * stretch) + np.diag(shafts))[-1]
    return float(rate + math.sqrt(rate * rate + _spans_square(p) + held.max()))


def limits_of_parts(drive: Drive, p: Parameters, damping_of_torques: FloatArray) -> dict[str, float]:
    """Return the frequency with which each part alone would limit an explicit step, the highest first. [rad/s]

    damping_of_torques: (W,) [N m s/rad].
    """
    free = p.motion_kind == motions.FREE
    yielding = np.divide(p.wheel.radius**2, p.wheel.inertia, out=np.zeros(p.wheels), where=free)
    found = {}
    for s, name in enumerate(drive.span_names):
        square, rate = (
            each * (yielding[s] + yielding[(s + 1) % p.wheels]) for each in (p.span.stiffness[s], p.span.damping[s])
        )
        found[f"span {name!r}"] = rate + math.sqrt(rate * rate + square)
    for w in np.flatnonzero(free):
        root = math.sqrt(p.wheel.bearing_stiffness[w] / p.wheel.inertia[w])
        found[f"bearing of wheel {drive.wheels[w].name!r}"] = (2.0 + math.sqrt(5.0)) * root
        found[f"torques on wheel {drive.wheels[w].name!r}"] = (
            2.0 * (p.wheel.bearing_damping[w] + damping_of_torques[w]) / p.wheel.inertia[w]
        )
    return dict(sorted(((name, float(each)) for name, each in found.items() if each > 0.0), key=lambda each: -each[1]))


def _force_scale(drive: Drive, p: Parameters, speeds: FloatArray) -> float:
    """Return the scale of the forces: pretension, and the chain pull due to the loads at the speeds (W,)
    [rad/s]. [N]
    """
    pretension = np.maximum(p.span.offset * p.span.stiffness, 0.0).max()
    return float(pretension + expected_pull(drive, speeds, np.abs(p.wheel.radius))) or 1.0


def _brake(driver: int, p: Parameters) -> Callable[[System, float], System]:
    """Return the function that lets the bearing of the driver hold it (Motion.braked)."""

    def braked(system: System, torque: float) -> System:
        hold_by_bearings(p.bearing_angle, p.wheel.bearing_friction, p.wheel.bearing_stiffness, [driver], torque)
        return replace(system, parameters=system.parameters._replace(anchors_kept=True))

    return braked


def _port(p: Parameters, wheel: int) -> Port:
    """Return the data of a wheel with which a shaft is connected to it (System.port)."""
    accounts = P.WORK_INPUT, P.WORK_OUTPUT, len(P.WORKS) + wheel
    return Port(p.running, wheel, wheel, p.wheels + wheel, accounts, p.motion_kind, p.motion)


def _name_of(drive: Drive, position: int) -> str:
    """Return a description of the part to which a position belongs."""
    return f"wheel {drive.wheels[position].name!r}"


def _mode_shares(drive: Drive, _: FloatArray, __: FloatArray, energy: FloatArray) -> ModeShares:
    """Return the mode shares, (M, W) (Modes.shares). Only wheels have kinetic energy."""
    return ModeShares(tuple(wheel.name for wheel in drive.wheels), energy, ("wheel",) * len(drive.wheels))


def findings(drive: Drive, angle: float, state: FloatArray) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the distance travelled by the chain, in loops, since wheel 0 was at ``angle`` [rad] (Story.findings)."""
    turned = abs(float(state[0]) - angle) / (2.0 * math.pi)
    return {"loops": turned * drive.wheels[0].teeth / drive.chain.links}, ()


def _notes(drive: Drive, options: BlockOptions, p: Parameters, slack: float) -> dict[str, Any]:
    """Return notes on the data of the spans, and on properties of the drive that this formulation neglects."""
    left_out = ["inertia of the chain", "weight of the chain"] if any(drive.gravity) else ["inertia of the chain"]
    left_out += ["polygonal action"] * (not options.ripple)
    left_out += ["contact with teeth", "compliance of teeth and wrapped links"]
    left_out += ["joints of the chain"] * bool(drive.chain.joint_damping or drive.chain.joint_friction)
    left_out += ["tilt of wheels"] * any(any(wheel.tilt) for wheel in drive.wheels)
    left_out += ["clearance of the joints"] * bool(np.any(drive.chain.joint_clearance))
    return {
        "slack": float(slack),
        "span_stiffness": [float(x) for x in p.span.stiffness],
        "span_damping": [float(x) for x in p.span.damping],
        "left_out": left_out,
    }
