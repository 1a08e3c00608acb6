"""A run that begins where another run ended, possibly with wheels in other positions: everything except the chain."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.end_state import EndState
from chaindrive.contract.states import Kind
from chaindrive.contract.system import System
from chaindrive.elementary import cos, sin
from chaindrive.errors import InputError, Problem
from chaindrive.formulations.planar.findings import findings
from chaindrive.formulations.planar.moving import Geometry, Moved
from chaindrive.formulations.planar.parameters import (
    FloatArray,
    PlanarParameters,
)
from chaindrive.mechanism.continuing import (
    Before,
    continue_motions,
    continue_torques,
    facts_of,
    incompatibilities,
    packed_end_state,
    restarted_system,
)
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, loads

__all__ = ["continued_on", "end_state_of"]


class Facts(NamedTuple):
    """Reference values of the W wheels and the chain of an end state."""

    wheel_position: FloatArray
    """Centres of the wheels in the end state, (W, 2) [m]"""
    reference_angle: FloatArray
    """Reference angle of every wheel for tables, orders and the position of an eccentric mass, (W,) [rad]"""
    motion_phase: FloatArray
    """Nominal phase angle reached by the orders over time, (W,) [rad]"""
    settled: NDArray[np.bool_]
    """Whether ramps and fade-ins of the wheel's motion and load were over, (W,)."""
    path_angle: FloatArray
    """Angle of wheel 0 from which the travel of the chain is counted, () [rad]"""
    overrun: FloatArray
    """Angles by which hubs behind freewheels have run ahead of their wheels, (W,) [rad]"""
    anchored: FloatArray
    """Columns of ``PlanarParameters.anchored``, as rows of an array; the rows are empty if friction is smoothed."""
    hinge: FloatArray
    """Columns of ``Hinges``, (3, N); (3, 0) if joints have no springs."""
    bearing: FloatArray
    """Columns of ``Bearings``, (1, W)."""
    joint: FloatArray
    """Anchors of the joints of bodies, (1, B)."""
    goods: FloatArray
    """Anchors of goods that are dragged, (1, payloads, N)."""


def end_state_of(
    kind: str, p: PlanarParameters, system: System, drive: Drive, time: float, state: FloatArray
) -> EndState:
    """Return the data that another run needs to begin at ``state`` (n,), reached at ``time`` [s] by the system of
    ``drive``.

    kind: name of the formulation; p: its planar parameters.
    """
    return packed_end_state(
        kind,
        p,
        system,
        drive,
        time,
        state,
        Facts,
        wheel_position=_wheel_positions(system, time, state),
        path_angle=np.array(p.path_angle),
        overrun=p.overrun.copy(),
        anchored=np.array(p.anchored),
        hinge=np.array(p.hinge),
        bearing=np.array(p.bearing),
        joint=np.array([p.tree.anchor]),
        goods=np.array([p.payload_anchor]),
    )


def continued_on(
    system: System, kind: str, drive: Drive, end: EndState, move: Callable[[FloatArray, Geometry, Geometry], Moved]
) -> System:
    """Return ``system`` with the end of another run as its state: positions, velocities and angles, with all works
    zero.

    kind: name of the formulation. move(state, old, new): moves the chain of a state in place if wheels have other
    positions or the pitch has changed, so that the move itself neither presses a roller into a tooth nor tears a link;
    the wheels are turned by this function. Stored impacts are deleted, sticking contacts are kept if the chain was not
    moved, and motions continue (mechanism.continuing). The time of the new run begins at zero. Raises InputError when
    the state does not fit the drive.
    """
    before = loads(end.drive, "drive of the start state")
    facts = _facts(kind, end, len(before.wheels))
    problems = [*_misfits(drive, before), *_other_coordinates(system, end)]
    if problems:
        raise InputError(problems)
    p: PlanarParameters = system.parameters.planar
    layout = p.layout
    state = end.state.copy()
    state[layout.work :][end.kinds[layout.work :] == Kind.WORK] = 0.0
    furthest, warnings, rolled = 0.0, tuple[str, ...](), np.zeros(len(before.wheels))
    centres = _wheel_positions(system, 0.0, state)
    if not np.array_equal(centres, facts.wheel_position) or drive.chain.pitch != before.chain.pitch:
        if not p.closed:
            message = "an open chain can only continue from another run with the same wheels and pitch"
            raise InputError(Problem("wheels", message))
        if drive_facts(drive).oval is not None:
            message = "a drive with an oval sprocket can only continue from another run with the same wheels and pitch"
            raise InputError(Problem("wheels", message))
        tips = p.wheel.tip
        moved = move(state, Geometry(before, facts.wheel_position, tips), Geometry(drive, centres, tips))
        state[layout.wheel_angle : layout.joint_position] += moved.rolled
        furthest, warnings, rolled = moved.furthest, moved.warnings, moved.rolled
    angles = state[layout.wheel_angle : layout.joint_position]
    speeds = state[layout.wheel_speed : layout.joint_speed]
    earlier = Before(before, angles, speeds, facts.reference_angle, facts.motion_phase, facts.settled)
    _turn_unbalance(p, p.running.reference_angle - facts.reference_angle)
    p.overrun[:] = facts.overrun - p.freewheel.sense * rolled
    kinds = p.wheel.motion
    kinks = continue_motions(drive, earlier, kinds, p.motion, p.motion_table)
    kinks += continue_torques(drive, earlier, p.running, p.torque)
    turns = round((float(facts.path_angle) - p.path_angle) / (2.0 * math.pi))
    p = p._replace(path_angle=p.path_angle + 2.0 * math.pi * turns, anchors_kept=_keep_anchors(p, facts, furthest))
    parameters = system.parameters._replace(planar=p)
    here = p._replace(path_angle=float(angles[0])) if drive.wheels else p
    findings_of = partial(findings, drive, here)
    system.kernels.begin(0.0, state, parameters)
    found = restarted_system(system, state, end, kinks, findings_of).noted({"start_state_moved": furthest})
    return replace(found.with_story(warnings=(*found.story.warnings, *warnings)), parameters=parameters)


def _keep_anchors(p: PlanarParameters, facts: Facts, furthest: float) -> bool:
    """Let rollers and joints stick where they did before; return whether they do.

    They do not stick if the chain was moved or if there were no springs.
    """
    now = p.anchored, p.hinge, p.bearing, (p.tree.anchor,), (p.payload_anchor,)
    before = facts.anchored, facts.hinge, facts.bearing, facts.joint, facts.goods
    tables = [(table, columns) for table, columns in zip(now, before, strict=True) if np.size(table)]
    sticks = p.elastic_friction or p.elastic_joints or p.tree.elastic or bool(p.payload.sticking.any())
    if furthest == 0.0 and sticks and all(columns.shape == np.shape(table) for table, columns in tables):
        for table, columns in tables:
            for column, values in zip(table, columns, strict=True):
                column[:] = values
        return True
    return False


def _facts(kind: str, end: EndState, wheels: int) -> Facts:
    """Return the reference values of an end state. Raises InputError if they do not belong to this formulation."""
    absent = {"overrun": np.zeros(wheels), "anchored": np.zeros((5, 0)), "hinge": np.zeros((3, 0))}
    absent |= {"bearing": np.zeros((1, 0)), "joint": np.zeros((1, 0)), "goods": np.zeros((1, 0, 0))}
    end = replace(end, facts=absent | dict(end.facts))  # of a version without freewheels, or elastic friction
    shapes = dict.fromkeys(Facts._fields, (wheels,)) | {"wheel_position": (wheels, 2), "path_angle": ()}
    shapes |= {name: np.shape(end.facts[name]) for name in ("anchored", "hinge", "bearing", "joint", "goods")}
    return facts_of(Facts, kind, end, shapes)


def _turn_unbalance(p: PlanarParameters, angles: FloatArray) -> None:
    """Keep the directions of eccentric masses in the frames of their wheels.

    angles (W,): reference angles of the wheels in this drive minus those in the end state [rad].
    """
    x, y = p.wheel.moment_x.copy(), p.wheel.moment_y.copy()
    p.wheel.moment_x[:] = cos(angles) * x - sin(angles) * y
    p.wheel.moment_y[:] = sin(angles) * x + cos(angles) * y


def _misfits(drive: Drive, before: Drive) -> list[Problem]:
    """Return the reasons why the state of one drive cannot be a state of the other."""
    problems = incompatibilities(drive, before, [("chain.links", drive.chain.links, before.chain.links)])
    if not drive_facts(drive).one_speed:
        message = "a chain over two wheels of one shaft (shaft_with) cannot continue from the end of another run"
        problems.append(Problem("initial", message))
    for w, (wheel, earlier) in enumerate(zip(drive.wheels, before.wheels, strict=False)):
        if wheel.pitch_line != earlier.pitch_line:
            message = "must be that of the start state, because its rollers sit in the teeth of that wheel"
            problems.append(Problem(f"wheels[{w}].pitch_line", message))
    for i, body in enumerate(drive.bodies):
        if body.joint.kind != "fixed" and body.joint.motion is not None:
            message = "a prescribed motion of a joint begins at rest and cannot continue from the end of another run"
            problems.append(Problem(f"bodies[{i}].joint.motion", message))
    return problems


def _other_coordinates(system: System, end: EndState) -> list[Problem]:
    if system.positions == end.positions and np.array_equal(system.kinds, end.kinds):
        return []
    message = (
        "the start state has different coordinates (bodies, joints, pressures, motors with a state; in space, joints "
        "with smoothed friction) from this drive"
    )
    return [Problem("initial", message, f"{end.state.size} instead of {system.state.size} states")]


def _wheel_positions(system: System, time: float, state: FloatArray) -> FloatArray:
    """Return the centres of the wheels at a state, (W, 2) [m]. Changes no memory."""
    if not any(channel.name == "wheel_position" for channel in system.channels):
        return np.zeros((0, 2))
    return system.channel("wheel_position").read(system.row(time, state))
