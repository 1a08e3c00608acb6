"""Detection of the steady state: the power balance and the span tensions, revolution by revolution of the driver.

If loads repeat with a different wheel, "revolution" means the common period of motions and loads.

Pedersen (2004), section 4.3.5: the steady state is reached when the power supplied equals the power dissipated. Here
the work supplied and the work dissipated during a full revolution of the driver are compared, and the work of loads
counts as dissipated. Since power may be in balance long before the slack has settled, the mean tension of every span
must also be constant.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.periods import MOST_PERIOD
from chaindrive.mechanism.stages import chains_alone
from chaindrive.model import VARYING, Drive

__all__ = [
    "Criteria",
    "Cycle",
    "Reading",
    "SteadyWatch",
    "cycle_of",
    "power_imbalance",
    "read",
    "streak_start",
    "tension_change",
]

FloatArray = NDArray[np.float64]

READINGS_PER_TOOTH = 4
"""Number of readings of span tensions per tooth of the driver. With four readings, harmonics of the tooth frequency
below the fourth do not affect the mean over a revolution."""
MOST_REVOLUTIONS, MOST_LOOPS, MOST_PERIODS = 200, 10, 20
"""Default time limit for reaching the steady state, in revolutions of the driver, loops of the chain and periods; the
longest of the three applies."""


class Criteria(NamedTuple):
    """Criteria for the steady state."""

    imbalance: float = 0.01
    """Largest permitted imbalance of the works of a revolution, relative to the largest of them
    (``power_imbalance``)."""
    tension: float = 0.005
    """Largest permitted change of a span's mean tension from one revolution to the next (``tension_change``)."""
    revolutions: int = 3
    """Number of consecutive revolutions that must meet both criteria; see also ``loops``."""
    loops: float = 2.0
    """Minimum total length of these revolutions, in loops of the chain."""

    def needed(self, cycle: Cycle) -> int:
        """Return the number of consecutive periods that must meet the criteria."""
        return max(self.revolutions, math.ceil(self.loops * cycle.links / cycle.pitches - 1e-9))


class Cycle(NamedTuple):
    """The periods of a drive in steady motion."""

    wheel: int
    """Index of the driver (``mechanism.facts.DriveFacts``)."""
    teeth: int
    """Number of teeth of the driver; for a pair of sheaves, number of pitches around it, which is not a whole
    number.
    """
    links: int
    """Number of links of the chain."""
    speed: float
    """Magnitude of the nominal angular speed of the driver. [rad/s]"""
    direction: float = 1.0
    """Sign of the speed, counter-clockwise positive."""
    repeats: int | None = None
    """Number of pitches of chain travel after which motions and loads both repeat; None: a revolution of the driver."""

    @property
    def pitches(self) -> int:
        """Number of pitches in a period."""
        return self.teeth if self.repeats is None else self.repeats

    @property
    def readings(self) -> int:
        """Number of readings in a period, READINGS_PER_TOOTH for each pitch, rounded for sheaves."""
        return round(READINGS_PER_TOOTH * self.pitches)

    @property
    def period(self) -> float:
        """Nominal time in which motions and loads repeat. [s]"""
        return self.revolution * self.pitches / self.teeth

    @property
    def revolution(self) -> float:
        """Nominal time of a revolution of the driver. [s]"""
        return 2.0 * math.pi / self.speed

    @property
    def loop(self) -> float:
        """Nominal time of one loop of the chain. [s]"""
        return self.revolution * self.links / self.teeth


def cycle_of(drive: Drive, at_most: float | None = None) -> Cycle:
    """Return the cycle of a drive; without a prescribed motion, the nominal speed of its driver applies.

    at_most: time limit for reaching the steady state [s]; None: the limit that follows from the cycle. Raises
    InputError, with all problems, if the motions do not repeat: in a run-up or run-down, with a driver at standstill,
    or if the common period of an oscillation with orders and of the loads is longer than MOST_PERIOD revolutions of the
    driver. Also raises InputError if neither a speed nor at_most gives a time limit.
    """
    facts = drive_facts(drive)
    first = facts.driver
    if not facts.prescribed:
        return _driven_cycle(chains_alone(drive)[0], at_most)
    problems = []
    base = drive.wheels[first].motion
    nominal = 0.0 if base is None or isinstance(base, VARYING) else base.speed
    speed, pitches, teeth = abs(nominal), facts.period, drive.wheels[first].teeth
    for i, wheel in enumerate(drive.wheels):
        motion, place = wheel.motion, f"wheels[{i}].motion"
        if motion is None:
            continue
        if isinstance(motion, VARYING):
            message = "a run-up, run-down or speed table has no steady state; give a time as until, or a constant speed"
            problems.append(Problem(f"{place}.kind", message, repr(motion.kind)))
        elif motion.kind == "input":
            message = (
                "with the speed as an input it is not known whether a steady state is reached; give a time as until"
            )
            problems.append(Problem(f"{place}.kind", message, repr(motion.kind)))
        elif motion.speed == 0.0:
            problems.append(Problem(f"{place}.speed", "a wheel at standstill has no revolutions to compare", "0"))
        elif speed > 0.0 and motion.kind != "constant_speed":
            own = [1.0] if motion.kind == "angle_table" else [term.order for term in motion.orders]
            for order in own:
                relative = order * abs(motion.speed) / speed
                cycles = relative * pitches / teeth
                if abs(cycles - round(cycles)) > 1e-6 * max(1.0, cycles):
                    message = (
                        f"the motions and loads have no common period within {MOST_PERIOD} revolutions of the "
                        "driver; give a time as until"
                    )
                    problems.append(Problem(place, message, f"order {relative:g} of the driver"))
    if facts.oscillations and speed > 0.0 and not facts.common_period:
        message = (
            "the oscillations of bodies and the motions and loads of wheels have no common period within "
            f"{MOST_PERIOD} revolutions of the driver; give a time as until"
        )
        problems.append(Problem("bodies", message, ", ".join(f"{each:g} Hz" for each in facts.oscillations)))
    if problems:
        raise InputError(problems)
    direction = -1.0 if nominal < 0.0 else 1.0
    return Cycle(first, teeth, drive.chain.links, speed, direction, pitches)


def _driven_cycle(drive: Drive, at_most: float | None) -> Cycle:
    """Return the cycle of a drive that is driven by torques."""
    facts = drive_facts(drive)
    first, speed = facts.driver, facts.nominal_speed
    if speed is None and at_most is None:
        message = (
            'is needed with until = "steady": there is no speed at which torques and loads balance, so the default '
            "time limit is unknown"
        )
        raise InputError(Problem("run.at_most", message))
    direction = float(facts.senses[first])
    pace = speed or facts.starting_pace
    return Cycle(first, drive.wheels[first].teeth, drive.chain.links, pace, direction, facts.period)


def power_imbalance(put_in: ArrayLike, taken_out: ArrayLike, lost: ArrayLike) -> FloatArray:
    """Return the imbalance of the works of each revolution: |in - out - lost| divided by the largest of the three.

    Arguments: works over each revolution, (n,) [J]. Returns (n,), with 0 for a revolution without any work. Pedersen
    (2004), section 4.3.5, Eq. 4.8 to 4.13.
    """
    given, out, loss = (np.atleast_1d(np.asarray(x, dtype=np.float64)) for x in (put_in, taken_out, lost))
    largest = np.maximum(np.maximum(np.abs(given), np.abs(out)), np.abs(loss))
    difference = np.abs(given - out - loss)
    return np.divide(difference, largest, out=np.zeros_like(difference), where=largest > 0.0)


def tension_change(tensions: ArrayLike) -> FloatArray:
    """Return the largest change of a span's mean tension since the previous revolution, relative to the tightest span,
    (n,).

    tensions: means over each revolution, (n, spans) [N]. The first revolution has no predecessor, so its change is
    infinite. The change in a slack span is also divided by the tension of the tightest span, as its own mean is too
    small for a scale.
    """
    means = np.asarray(tensions, dtype=np.float64)
    change = np.full(len(means), np.inf)
    if len(means) > 1:
        scale = np.abs(means[1:]).max(axis=1)
        moved = np.abs(np.diff(means, axis=0)).max(axis=1)
        change[1:] = np.divide(moved, scale, out=np.zeros_like(moved), where=scale > 0.0)
    return change


def streak_start(imbalance: FloatArray, change: FloatArray, criteria: Criteria, needed: int) -> int | None:
    """Return the index of the first of the consecutive latest revolutions that meet the criteria, or None if there are
    fewer than ``needed``.
    """
    meets = (imbalance <= criteria.imbalance) & (change <= criteria.tension)
    missed = np.flatnonzero(~meets)
    start = int(missed[-1]) + 1 if missed.size else 0
    return start if len(meets) - start >= needed else None


class Reading(NamedTuple):
    """Data read from a drive at one instant."""

    time: float
    """Time. [s]"""
    angle: float
    """Angle of the driver, which increases as the driver turns forwards. [rad]"""
    speed: float
    """Speed of the driver, with the same sign. [rad/s]"""
    works: FloatArray
    """Input, output and losses since the start, (3,). [J]"""
    tension: FloatArray
    """Tensions of the spans, (spans,). [N]"""


def read(system: System, cycle: Cycle, time: float, state: FloatArray) -> Reading:
    """Take a reading of a system at a state (n,), which is the state of the integrator at ``time`` [s]."""
    row = system.row(time, state)
    found = {channel.name: channel.read(row) for channel in system.channels}
    lost = sum(
        float(value)
        for name, value in found.items()
        if name.startswith("work_") and name not in ("work_input", "work_output")
    )
    works = np.array([found["work_input"], found["work_output"], lost])
    angle, speed = (cycle.direction * float(found[name][cycle.wheel]) for name in ("wheel_angle", "wheel_speed"))
    return Reading(time, angle, speed, works, found["span_tension"].copy())


# Columns of the table of revolutions before those of the spans
FROM, TO, IN, OUT, LOST, TURNED, FIRST_SPAN = 0, 1, 2, 3, 4, 5, 6

WHOLE = 0.25
"""Fraction of a period by which the rotation of the driver may deviate from a full period. The deviation is larger if
the driver accelerates from rest, stands still or reverses; then there are no periods to compare. [-]"""


@dataclass
class _Watched:
    """State of the watch."""

    target: float
    """Time of the next reading. [s]"""
    origin: float = 0.0
    """Angle of the driver at the first reading. [rad]"""
    readings: float = -1.0
    """Number of readings after the first; -1 before the first."""
    began: float = 0.0
    """Time at which the present revolution began. [s]"""
    since: float = -1.0
    """Time since which the drive has been steady; -1 while it is not steady. [s]"""
    end: float = -1.0
    """Number of readings after which the run is over; -1 while this is not known."""
    began_angle: float = 0.0
    """Angle of the driver at which the present revolution began. [rad]"""


class SteadyWatch:
    """Guides a run from reading to reading until it is steady, and then for one more loop of the chain.

    Here "revolution" means a revolution of the driver, or the period after which motions and loads repeat
    (``Cycle.pitches``). The run integrates up to ``target`` and passes a reading to ``reached``. Readings are at equal
    angles of the driver, READINGS_PER_TOOTH for each tooth, from ``begin`` (the end of ramps and fade-ins). A step ends
    at each reading. The times of readings depend on earlier readings only, so an interrupted run can continue bit for
    bit with ``state`` and ``restore``, even with a later ``at_most``.

    at_most: time after which no revolution is begun [s]; None means 200 revolutions of the driver, 10 loops of the
    chain or 20 periods after ``begin``, whichever is longest.
    """

    def __init__(
        self, cycle: Cycle, spans: int, begin: float, at_most: float | None = None, criteria: Criteria | None = None
    ) -> None:
        self.cycle, self.criteria = cycle, criteria or Criteria()
        self.needed = self.criteria.needed(cycle)
        wait = max(MOST_REVOLUTIONS * cycle.revolution, MOST_LOOPS * cycle.loop, MOST_PERIODS * cycle.period)
        self.at_most = begin + wait if at_most is None else at_most
        self._at = _Watched(begin)
        self._works = np.zeros(3)
        self._sum = np.zeros(spans)
        self._revolutions = np.zeros((0, FIRST_SPAN + spans))

    @property
    def target(self) -> float:
        """Time of the next reading. [s]"""
        return min(float(self._at.target), self.latest)

    @property
    def latest(self) -> float:
        """Latest possible end of a run: ``at_most`` plus twice the nominal time of a period and a loop. [s]"""
        return self.at_most + 2.0 * (self.cycle.period + self.cycle.loop)

    @property
    def steady(self) -> bool:
        """Whether the criteria have been met."""
        return bool(self._at.since >= 0.0)

    def reached(self, reading: Reading) -> bool:
        """Accept the reading taken at ``target``; returns True if the run is over."""
        at = self._at
        if reading.time < at.target:  # at ``latest``, short of the next angle
            return True
        if at.readings < 0.0:
            at.origin = at.began_angle = reading.angle
            at.readings, at.began = 0.0, reading.time
            self._works = reading.works.copy()
        elif self._over:  # a finished run that was taken up again
            if self.steady or self._late(reading):
                return True
            at.end = -1.0
        else:
            at.readings += 1.0
            self._sum += reading.tension
            if at.readings % self.cycle.readings == 0.0:
                self._turned(reading)
        if self._over:
            return True
        self._aim(reading)
        return False

    def _late(self, reading: Reading) -> bool:
        """Whether ``at_most`` is reached, allowing for rounding accumulated over many readings."""
        return reading.time >= self.at_most - 1e-6 * self.cycle.revolution

    @property
    def _over(self) -> bool:
        return bool(0.0 <= self._at.end <= self._at.readings)

    def notes(self) -> dict[str, Any]:
        """Return notes for the results: whether the drive is steady, since when [s], and the values compared with the
        criteria for the last revolutions.
        """
        found: dict[str, Any] = {
            "steady": self.steady,
            "driver_revolution": self.cycle.revolution,
            "period_turns": self.cycle.pitches / self.cycle.teeth,
            "loop_time": self.cycle.loop,
            "steady_revolutions_needed": self.needed,
        }
        if self.steady:
            found["steady_since"] = float(self._at.since)
        table = self._revolutions
        if len(table) > 1:
            last = table[-self.needed :]
            tension = last[:, FIRST_SPAN:]
            scale = float(np.abs(tension).max())
            found["steady_revolutions"] = len(last)
            found["steady_imbalance"] = float(power_imbalance(last[:, IN], last[:, OUT], last[:, LOST]).max())
            found["steady_tension_change"] = float(tension_change(table[:, FIRST_SPAN:])[1:][-self.needed :].max())
            found["steady_tension_drift"] = float(np.ptp(tension, axis=0).max()) / scale if scale > 0.0 else 0.0
        return found

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the data needed to continue, for a checkpoint."""
        return {
            "at": np.array(astuple(self._at)),
            "works": self._works.copy(),
            "sum": self._sum.copy(),
            "revolutions": self._revolutions.copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the data of a checkpoint; without data, watching begins at the present time."""
        if state:
            self._at, self._works = _Watched(*state["at"].tolist()), state["works"].copy()
            self._sum, self._revolutions = state["sum"].copy(), state["revolutions"].copy()

    def _turned(self, reading: Reading) -> None:
        """Complete a revolution or period."""
        at = self._at
        works = reading.works - self._works
        tension = self._sum / self.cycle.readings
        turned = abs(reading.angle - at.began_angle) * self.cycle.teeth / (2.0 * math.pi * self.cycle.pitches)
        row = np.concatenate([[at.began, reading.time], works, [turned], tension])
        self._revolutions = np.vstack([self._revolutions, row])
        self._works, self._sum = reading.works.copy(), np.zeros_like(self._sum)
        at.began, at.began_angle = reading.time, reading.angle
        if at.end >= 0.0:
            return
        table = self._revolutions
        imbalance = power_imbalance(table[:, IN], table[:, OUT], table[:, LOST])
        imbalance[np.abs(table[:, TURNED] - 1.0) > WHOLE] = math.inf
        start = streak_start(imbalance, tension_change(table[:, FIRST_SPAN:]), self.criteria, self.needed)
        if start is not None:
            at.since = table[start, FROM]
            at.end = at.readings + READINGS_PER_TOOTH * self.cycle.links
        elif self._late(reading):
            at.end = at.readings

    def _aim(self, reading: Reading) -> None:
        """Choose the instant of the next reading, at which the driver will have turned far enough at its present speed.

        The direction does not matter, because a load may drive it backwards steadily.
        """
        cycle = self.cycle
        part = (
            2.0 * math.pi / (READINGS_PER_TOOTH * cycle.teeth) * (READINGS_PER_TOOTH * cycle.pitches / cycle.readings)
        )
        nominal, speed = part / cycle.speed, abs(reading.speed)
        wanted = (self._at.readings + 1.0) * part - abs(reading.angle - self._at.origin)
        wait = wanted / speed if speed > 0.0 else nominal
        least = 0.25 * part / max(cycle.speed, speed)
        self._at.target = reading.time + min(max(wait, least), 4.0 * nominal)
