"""Motions and loads of wheels that continue from the end of a previous run, without a second start or a jump in
phase.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.end_state import EndState
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.kernels.tables import copied, row_of
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism import torque_kernels as K
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.fluctuation import change_mean, fade_in_after
from chaindrive.mechanism.motion import MotionRows
from chaindrive.model import VARYING, AngleTable, Drive, Motion, Orders
from chaindrive.model.torques.acting import OVER_TURN

__all__ = [
    "Before",
    "continue_motions",
    "continue_torques",
    "facts_of",
    "incompatibilities",
    "packed_end_state",
    "phases",
    "refuse_other_machines",
    "restarted_system",
    "transients_ended",
]

FloatArray = NDArray[np.float64]
F = TypeVar("F", bound=tuple[Any, ...])
Findings = Callable[[FloatArray], tuple[dict[str, Any], tuple[str, ...]]]
"""``Story.findings``."""

SAME_SPEED = 1e-9
"""Relative difference in speed that is attributed to rounding, so that no ramp is needed."""


class Before(NamedTuple):
    """Motion of the wheels at the end of the previous run. W wheels."""

    drive: Drive
    angle: FloatArray
    """(W,) [rad]"""
    speed: FloatArray
    """Actual angular speeds, (W,) [rad/s]"""
    reference_angle: FloatArray
    """(W,) [rad]"""
    phase: FloatArray
    """(W,) [rad], see ``phases``"""
    settled: NDArray[np.bool_]
    """(W,), see ``transients_ended``"""


def phases(rows: MotionRows, time: float) -> FloatArray:
    """Return the nominal phase angle, at ``time`` [s], of the orders over time of every wheel. (W,) [rad]"""
    return rows.nominal_speed * (time - rows.start)


def transients_ended(motion: MotionRows, running: K.Running, torque: K.TorqueRows, time: float) -> NDArray[np.bool_]:
    """Return whether the ramp, fade-in and run-up of every wheel, and the fade-in of its load, have ended at ``time``
    [s], (W,).
    """
    lasting = np.maximum(motion.fade_in, motion.run_duration)
    found = (time >= motion.ramp) & (time >= motion.start + lasting)
    for w, row in _loads_over_a_turn(running, torque):
        found[w] &= time >= row.start[0] + row.rise[0]
    return found


def _loads_over_a_turn(running: K.Running, torque: K.TorqueRows) -> list[tuple[int, K.TorqueRows]]:
    """Return the wheels that have a load tabulated over a turn, each with the row of this load, which can be changed in
    place.
    """
    own = zip(running.first, running.end, strict=True)
    return [(w, row_of(torque, k)) for w, ends in enumerate(own) for k in range(*ends) if torque.kind[k] == OVER_TURN]


def packed_end_state(
    kind: str,
    p: Any,
    system: System,
    drive: Drive,
    time: float,
    state: FloatArray,
    facts: Callable[..., Any],
    **own: Any,
) -> EndState:
    """Return the end state from which a new run can begin at ``state`` (n,), reached at ``time`` [s] by the system of
    ``drive``.

    kind: of the formulation; p: parameters of the formulation, with motions, torques and running wheels; facts: the
    class of its facts; own: the facts that only this formulation has.
    """
    found = facts(
        reference_angle=p.running.reference_angle.copy(),
        motion_phase=phases(p.motion, time),
        settled=transients_ended(p.motion, p.running, p.torque, time),
        **own,
    )
    return EndState(
        drive=drive.to_toml(),
        formulation=kind,
        time=time,
        positions=system.positions,
        kinds=system.kinds.copy(),
        state=state.copy(),
        facts=found._asdict(),
    )


def facts_of(facts: type[F], kind: str, end: EndState, shapes: Mapping[str, tuple[int, ...]]) -> F:
    """Return the facts of an end state as a named tuple of the formulation ``kind``. shapes: shape of the array of each
    fact.

    ``settled`` is an array of truth values, all others are arrays of numbers. Raises InputError if the end state is
    that of a different formulation, or damaged.
    """
    if end.formulation != kind:
        raise InputError(Problem("initial", "belongs to a different formulation", end.formulation))
    for name, shape in shapes.items():
        value, dtype = end.facts.get(name), np.bool_ if name == "settled" else np.float64
        if value is None or value.shape != shape or value.dtype != dtype:
            raise InputError(Problem("initial", f"this end state is damaged: {name} does not fit its drive"))
    return facts(**{name: end.facts[name] for name in shapes})


def incompatibilities(drive: Drive, before: Drive, others: Sequence[tuple[str, Any, Any]] = ()) -> list[Problem]:
    """Return the reasons why wheels cannot continue from those of a previous drive: different names, teeth or
    directions of rotation.

    others: additional values that must not differ, each with its place, its present value and its previous value.
    """
    wheels = (
        ("wheels", [w.name for w in drive.wheels], [w.name for w in before.wheels]),
        ("teeth of the wheels", [w.teeth for w in drive.wheels], [w.teeth for w in before.wheels]),
        ("directions of rotation of the wheels", drive_facts(drive).signs.tolist(), drive_facts(before).signs.tolist()),
    )
    message = "the start state belongs to a drive with {}; only a drive with the same values can continue from it"
    return [Problem(place, message.format(then), str(now)) for place, now, then in (*others, *wheels) if now != then]


def refuse_other_machines(system: System, end: EndState) -> None:
    """Raise InputError if the motors and governors are not those of the end state."""
    if not np.array_equal(system.kinds, end.kinds):
        message = (
            "the motors or governors of the start state are not those of this drive: only a drive with the same "
            "motors and governors can continue from it"
        )
        raise InputError(Problem("initial", message, f"{end.state.size} instead of {system.state.size} states"))


def restarted_system(
    system: System, state: FloatArray, end: EndState, kinks: Sequence[float], findings: Findings
) -> System:
    """Return the system that begins at ``state`` (n,), with the velocities of this state.

    kinks: instants of kinks in motions and torques that continue [s]; findings: for the story of the system.
    """
    n, velocities = system.positions, system.velocities
    stops = np.unique(np.array([*system.motion.stops, *(k for k in kinks if k > 0.0)], dtype=np.float64))
    notes = dict(system.story.notes) | {"start_state_time": end.time}
    return replace(
        system,
        state=state,
        motion=replace(system.motion, rolling=state[n : n + velocities].copy(), stops=stops),
        story=replace(system.story, findings=findings, notes=notes),
    )


def continue_motions(
    drive: Drive, before: Before, kinds: NDArray[np.int64], rows: MotionRows, table: FloatArray
) -> list[float]:
    """Change the rows of a drive compiled at speed so that its motions continue; return the instants of their kinks.

    Tables and orders over the angle refer to the same angle of the wheel as before. An oscillation that is the same as
    before, and had its full amplitude, continues with full amplitude and in phase. Any other oscillation fades in as
    specified, after the previous fluctuation of the speed has been ramped out. If the nominal speed is different from
    before (or the actual speed differs from it, and no oscillation continues), the ramp of the motion leads to the new
    nominal speed, which is then the mean speed. A run-up takes place at its own times. kinds (W,): values of
    MotionKind; table: as packed. Raises InputError if a speed must change and the motion has no ramp. Kinks are counted
    from the start of this run. [s]
    """
    kinks: list[float] = []
    problems = []
    for w, wheel in enumerate(drive.wheels):
        given, earlier, row = wheel.motion, before.drive.wheels[w].motion, row_of(rows, w)
        row.reference_angle[0] = before.reference_angle[w]
        if given is None:
            continue
        goes_on = bool(before.settled[w]) and _same_oscillation(given, earlier)
        nominal = _speed_of(given, row, table)
        now = float(before.speed[w])
        if goes_on and isinstance(earlier, (AngleTable, Orders)):
            now = earlier.speed
        change = nominal - now
        if abs(change) <= SAME_SPEED * max(abs(nominal), abs(now)):
            change = 0.0
        elif given.ramp == 0.0:
            message = (
                f"must be above zero, because the speed changes from {now:.6g} rad/s in the start state to "
                f"{nominal:.6g} rad/s"
            )
            problems.append(Problem(f"wheels[{w}].motion.ramp", message, "0"))
        row.speed[0], row.ramp[0] = change, given.ramp if change else 0.0
        kinks.append(float(row.ramp[0]))
        if isinstance(given, VARYING):
            kinks += [given.start, given.start + given.duration]
        elif isinstance(given, (AngleTable, Orders)):
            own = table[row.rows[0] : row.rows_end[0]]
            turned = before.angle[w] - before.reference_angle[w]
            row.fade_in[0] = row.fade_angle[0] = 0.0
            if goes_on:
                row.start[0] = -before.phase[w] / nominal
                if change and given.ramp > 0.0:
                    change_mean(kinds[w], row, own, given.ramp, turned, before.speed[w])
            else:
                kinks += fade_in_after(kinds[w], row, own, (given.start, given.fade_in), turned, now)
    if problems:
        raise InputError(problems)
    return kinks


def _speed_of(given: Motion, row: MotionRows, table: FloatArray) -> float:
    """Return the speed of a motion at its beginning, after a ramp, including the contribution of its orders. [rad/s]"""
    if not isinstance(given, VARYING):
        return given.speed
    at_once = copied(row)
    at_once.ramp[0] = 0.0
    swing = motions.course_swing(0.0, at_once, table, 0) if given.orders else 0.0
    return float(given.initial_speed + swing)


def continue_torques(drive: Drive, before: Before, running: K.Running, torque: K.TorqueRows) -> list[float]:
    """Change the torque rows of a compiled drive (``torque_kernels``) so that the torques continue; return their kinks.
    [s]

    Angles are counted from the same reference as before. A load tabulated over a turn that is the same as before, and
    had its full size, continues with full size. Variations over time are those of this run.
    """
    running.reference_angle[:] = before.reference_angle
    kinks: list[float] = []
    kept = {"start", "fade_in"}
    for w, row in _loads_over_a_turn(running, torque):
        table, earlier = (each.wheels[w].load_table for each in (drive, before.drive))
        same = table and earlier and table.model_dump(exclude=kept) == earlier.model_dump(exclude=kept)
        if same and before.settled[w]:
            row.start[0], row.rise[0] = -1.0, 0.0
        else:
            kinks += [float(row.start[0]), float(row.start[0] + row.rise[0])]
    return kinks


def _same_oscillation(one: Motion, other: Motion | None) -> bool:
    """Return whether two motions in the same direction have the same fluctuation: the same table, or the same orders
    over the same variable.
    """
    if other is None or isinstance(one, VARYING) or isinstance(other, VARYING) or one.speed * other.speed < 0.0:
        return False
    if one.kind == "angle_table" and other.kind == "angle_table":
        return one.angles == other.angles and one.accelerations == other.accelerations
    if one.kind == "orders" and other.kind == "orders":
        return one.orders == other.orders and one.over == other.over
    return False
