"""Reduces a steady run to the few values that the analytical checks need."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.analytical.operating import OperatingPoint, operating_point
from chaindrive.analyses.signals.selection import steady_window
from chaindrive.analyses.signals.windows import Window, instants, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.geometry.route import tooth_frequency
from chaindrive.mechanism.balance import is_motor
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.periods import varies
from chaindrive.mechanism.rails import guided_spans
from chaindrive.mechanism.stages import Turned, first_stage, turned_parts
from chaindrive.mechanism.torques import resisting
from chaindrive.model import Governor, loads_on, torques_of
from chaindrive.results.solution import Solution

__all__ = ["Case", "Compared", "LeftOut", "NotSteadyError", "case_of"]

FloatArray = NDArray[np.float64]

STEADY = 0.01
"""Largest relative change of the chain speed between the halves of the window for which a run counts as steady."""
WHOLE = 0.03
"""Allowed deviation of a window from whole turns of a wheel whose load varies with its angle. [turns]"""


class NotSteadyError(InputError):
    """No check applies: the chain is of a kind without analytical checks, does not run steadily in the window, or runs
    against its driving direction.
    """


class Compared(NamedTuple):
    """A value from a run, and the same quantity from an analytical check."""

    quantity: str
    where: str
    """Wheel or span, by name; empty for the whole drive."""
    kind: str
    """wheel, span or drive"""
    index: int  # type: ignore[assignment]
    """Index of the wheel or span; -1 for the drive."""
    simulated: float
    analytical: float
    unit: str
    """SI unit."""
    formula: str
    source: str
    remark: str = ""
    """Effects that the analytical check neglects here."""

    @property
    def difference(self) -> float:
        """Simulated value minus analytical value, in ``unit``."""
        return self.simulated - self.analytical

    @property
    def relative(self) -> float:
        """The difference divided by the analytical value; nan if the analytical value is zero."""
        return self.difference / abs(self.analytical) if self.analytical != 0.0 else math.nan


class LeftOut(NamedTuple):
    """An analytical check that does not apply, with the reason."""

    quantity: str
    where: str
    reason: str


class Case(NamedTuple):
    """Mean values over a window in which the chain runs steadily, for a drive with W wheels. Span k runs from wheel k
    to wheel k + 1.
    """

    solution: Solution
    window: Window
    drive: Any
    """The drive with only the first chain, and with the wheels at their mean positions."""
    point: OperatingPoint
    """Operating point with the mean tensions of the spans, and the mean speed of the chain."""
    forward: bool
    """Whether the chain runs in the listed order of the wheels."""
    pace: float
    """Pitches per second. [Hz]"""
    resistance: FloatArray
    """Resisting torque of load and bearing on every wheel at its mean speed, including the torques of parts that it
    drives through shafts but not driving torques; 0 if the motion is prescribed, shape (W,). [N m]"""
    driving: FloatArray
    """Mean driving torque in the direction of rotation of every wheel, from motors and, if no motion is prescribed,
    from driving loads, on the wheel or connected to it by shafts, shape (W,). [N m]"""
    speeding: FloatArray
    """Torque that accelerates every wheel, J (w after - w before) / T, shape (W,). [N m]"""
    turned: tuple[Turned, ...]
    """The wheels and the parts connected to them by shafts."""
    governed: bool
    """Whether a governor supplies the torque that the rest of the drive requires."""
    guided: frozenset[int]
    """Spans with a guide."""
    joined: frozenset[int] = frozenset()
    """Wheels on shafts that lead to rotors or other chains. The drive of this chain alone has no such shafts, so their
    torques are taken from the run."""

    @property
    def weight(self) -> FloatArray:
        """Weight of a metre of chain, a vector, shape (2,) [N/m]."""
        return np.asarray(self.drive.gravity, dtype=np.float64) * self.point.mass_per_length

    def rise(self, before: FloatArray, after: FloatArray) -> float:
        """Increase of tension from one point to another due to the weight of the chain between them [N]."""
        return -float(self.weight @ (np.asarray(after) - np.asarray(before)))

    @property
    def middles(self) -> FloatArray:
        """Middle of every span, shape (W, 2) [m]."""
        return 0.5 * (self.point.route.span_start + self.point.route.span_end)

    def partial_turns_reason(self, w: int) -> str:
        """Return the reason why the mean load of wheel w in the window differs from its mean over whole turns, or an
        empty string.
        """
        rows = self.window.end - self.window.first
        pitches = self.pace / self.drive.wheels[w].teeth * self.window.duration * rows / (rows - 1)
        for each in self.turned:
            turns = pitches * abs(each.ratio)
            if each.wheel == w and varies(each.part) and abs(turns - round(turns)) >= WHOLE:
                return f"its load varies with the angle, but it makes {turns:.4g} turns in the window: use whole turns"
        return ""

    def mean(self, name: str) -> FloatArray:
        """Mean of a channel over the window, without nan."""
        return _mean(self.solution.values(name, self.window.rows))

    def has(self, *names: str) -> bool:
        """Return whether all these channels were kept."""
        return all(name in self.solution for name in names)


def _mean(values: NDArray[Any]) -> FloatArray:
    """Return the mean without nan values; nan if there are no other values."""
    known = np.isfinite(values)
    total = np.where(known, values, 0.0).sum(axis=0, dtype=np.float64)
    return np.asarray(total / np.where(known.any(axis=0), known.sum(axis=0), np.nan))


def case_of(solution: Solution, start: float | None = None, stop: float | None = None) -> Case:
    """Return the case of a run, by default over the last whole revolutions of the driver in its steady part.

    Raises InputError if span_tension or wheel_speed was not kept, or if fewer than 8 rows lie in the window. Raises
    NotSteadyError if the chain stands still, runs against its driving direction, or changes its speed by more than 1 %
    from the first half of the window to the second, if the speeds are not numbers, and for an open chain, a chain that
    hangs from a single wheel, or a chain over two wheels of one shaft.
    """
    times = instants(solution)
    drive = solution.drive
    if drive.chain.ends is not None:
        raise NotSteadyError(Problem("chain.ends", "analytical checks are for closed chains only"))
    if not drive_facts(drive).one_speed:
        message = "analytical checks need a single chain speed; a chain over two wheels of one shaft has several"
        raise NotSteadyError(Problem("wheels", message))
    if drive_facts(drive).route.hanging_loop:
        raise NotSteadyError(Problem("wheels", "analytical checks need two wheels; the chain hangs from a single one"))
    window = window_of(times, *steady_window(solution, start, stop), least=8)
    if "wheel_position" in solution:
        centres = solution.values("wheel_position", window.rows).mean(axis=0)
        moved = [
            w.model_copy(update={"position": (float(x), float(y))})
            for w, (x, y) in zip(drive.wheels, centres, strict=True)
        ]
        drive = drive.model_copy(update={"wheels": tuple(moved)})
    wheels = (Turned(w, wheel, 1.0) for w, wheel in enumerate(drive.wheels))
    turned, drive = (*wheels, *turned_parts(drive)), first_stage(drive)
    facts = drive_facts(drive)
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    speeds = np.asarray(solution.values("wheel_speed", window.rows), dtype=np.float64)
    along = np.sign(speeds) * facts.signs * tooth_frequency(speeds, teeth)
    paces = np.median(along, axis=1)
    pace, half = float(paces.mean()), paces.size // 2
    change = abs(float(paces[half:].mean() - paces[:half].mean()))
    motion = drive.wheels[facts.driver].motion
    if motion is not None and motion.kind in ("orders", "angle_table"):
        # a speed that fluctuates is the same after whole periods, but not on average over both halves of them
        change = min(change, abs(float(paces[-1] - paces[0])))
    where = f"{window.start:g} to {window.stop:g} s"
    if not math.isfinite(pace):
        raise NotSteadyError(Problem("time", "the speeds are not numbers: the run diverged", where))
    if not abs(pace) > 1e-6:
        raise NotSteadyError(
            Problem("time", "the chain stands still: analytical checks are for a running chain", where)
        )
    if change > STEADY * abs(pace):
        message = f"the speed of the chain changes by {100.0 * change / abs(pace):.2g} % in this time"
        raise NotSteadyError(Problem("time", f"{message}: analytical checks are for a steady speed", where))
    turning = abs(pace) * 2.0 * math.pi / teeth[facts.driver]
    point = operating_point(drive, _mean(solution.values("span_tension", window.rows)), turning)
    forward = pace > 0.0
    if forward != (facts.direction > 0):
        raise NotSteadyError(Problem("time", "the chain runs against its driving direction", where))
    mean = facts.senses * 2.0 * math.pi * abs(pace) / teeth
    resisting_torque, driving, inertia = np.zeros((3, len(teeth)))
    for each in turned:
        inertia[each.wheel] += each.ratio**2 * (each.part.turned_inertia or 0.0)
        torque = _mean_torques(each, mean[each.wheel], times[window.rows], speeds[:, each.wheel], facts.prescribed)
        resisting_torque[each.wheel] += torque[0] if drive.wheels[each.wheel].motion is None else 0.0
        driving[each.wheel] += torque[1]
    joined = frozenset(w for w, wheel in enumerate(drive.wheels) if wheel.name in solution.notes.get("shafts", ()))
    for w in joined if "shaft_work" in solution else ():
        if drive.wheels[w].motion is None:
            resisting_torque[w], driving[w] = _torque_of_the_run(solution, window, w, drive.wheels[w], abs(mean[w]))
    speeding = inertia * (np.abs(speeds[-1]) - np.abs(speeds[0])) / window.duration
    governed = [] if facts.prescribed else [each.wheel for each in turned if _governors(each)]
    left = float(((resisting_torque + speeding - driving) / teeth).sum())
    for w in governed:  # all on one shaft give the same torque
        driving[w] += left * teeth[w] / len(governed)
    return Case(
        solution,
        window,
        drive,
        point,
        forward,
        abs(pace),
        resisting_torque,
        driving,
        speeding,
        turned,
        bool(governed),
        guided_spans(drive, point.route),
        joined,
    )


def _torque_of_the_run(solution: Solution, window: Window, w: int, wheel: Any, speed: float) -> tuple[float, float]:
    """Return the resisting and the driving torque on a wheel that shafts connect to rotors or other chains, from the
    work of these shafts. [N m]

    The torques at nominal speed differ from the torques in a run, because a motor slows down under its load.
    """
    work = np.asarray(solution.values("shaft_work", window.rows, w), dtype=np.float64)
    taken = (float(work[0]) - float(work[-1])) / (window.duration * speed)
    return max(taken, 0.0) + wheel.bearing_friction + wheel.bearing_damping * speed, max(-taken, 0.0)


def _mean_torques(
    turned: Turned, mean: float, times: FloatArray, speeds: FloatArray, is_prescribed: bool
) -> tuple[float, float]:
    """Return the resisting and the driving torque on a part, without governors, referred to the wheel with which it
    turns. [N m]

    mean: mean speed of this wheel, with the sign of its direction of rotation [rad/s]; speeds (n,) at times (n,), over
    which the driving torques are averaged [rad/s, s].
    """
    _, part, ratio = turned
    own, size = ratio * mean, abs(ratio)
    sense = math.copysign(1.0, own)
    governors = () if is_prescribed else _governors(turned)
    torques = [torque for torque in torques_of(part.torque) if torque not in governors]
    motor = is_motor(part, sense) and not is_prescribed
    load = resisting(loads_on(part) if motor else [*torques, *loads_on(part)], abs(own), sense)
    driving = 0.0
    if motor:
        at = zip(times.tolist(), (ratio * speeds).tolist(), strict=True)
        driving = sense * float(np.mean([sum(m.mean_torque(w, sense, t) for m in torques) for t, w in at]))
    if load < 0.0 and not is_prescribed:
        load, driving = 0.0, driving - load
    return size * (load + part.bearing_friction + part.bearing_damping * abs(own)), size * driving


def _governors(turned: Turned) -> tuple[Governor, ...]:
    """Return the governors of a part, which supply the torque that its speed requires."""
    return tuple(torque for torque in torques_of(turned.part.torque) if isinstance(torque, Governor))
