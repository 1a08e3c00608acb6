"""Selection of one signal of a result: the channel, its item, and the time window."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.signals.windows import even_rows, instants, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import VARYING
from chaindrive.model.problems import shown
from chaindrive.results.solution import Solution

__all__ = [
    "Axis",
    "Signal",
    "check_index",
    "motion_channel",
    "run_up_of",
    "signal_of",
    "span_of",
    "steady_start",
    "steady_window",
    "wheel_index",
    "window_means",
]

FloatArray = NDArray[np.float64]
Axis = Literal["magnitude", "x", "y"]


class Signal(NamedTuple):
    """One quantity versus time."""

    channel: str
    item: int
    """Index of the item of the channel; 0 if the channel has only one."""
    label: str
    """Description for a title: "wheel speed of crankshaft"."""
    unit: str
    time: FloatArray
    """Instants, shape (n,). [s]"""
    values: FloatArray
    """Values, shape (n,)."""

    def between(self, start: float | None, stop: float | None) -> Signal:
        """Return the part with start <= time <= stop [s]. Raises InputError if it is empty."""
        rows = window_of(self.time, start, stop).rows
        return self._replace(time=self.time[rows], values=self.values[rows])

    def evenly_sampled(self) -> Signal:
        """Return the signal without a last instant that follows sooner than the others, as at the end of a run."""
        rows = even_rows(self.time)
        return self._replace(time=self.time[:rows], values=self.values[:rows])

    def checked(self) -> Signal:
        """Return the signal itself. Raises InputError with its name if it contains values that are not finite."""
        wrong = np.flatnonzero(~np.isfinite(self.values))
        if wrong.size:
            message = (
                f"the {self.label} is not a finite number at {self.time[wrong[0]]:.6g} s: choose another window or item"
            )
            raise InputError(Problem("channel", message, f"{wrong.size} of {self.values.size} values are not"))
        return self


def signal_of(
    solution: Solution,
    channel: str,
    index: int | str | None = None,
    start: float | None = None,
    stop: float | None = None,
    axis: Axis = "magnitude",
) -> Signal:
    """Return one signal of a result within start <= time <= stop [s]; None leaves an end open.

    index: number or name of the wheel, span, link ... of the channel, by default the first. axis: magnitude or one
    component of a vector channel such as ``bearing_force``. Raises InputError with all problems: a channel that does
    not exist (with the three most similar names), an item or axis that the channel does not have, and a window without
    saved instants.
    """
    kept = solution.channel(channel)
    problems = []
    if kept.holds == "index":
        problems.append(
            Problem("channel", "contains indices of wheels and guides, which are not a signal", repr(channel))
        )
    if axis not in ("magnitude", "x", "y"):
        problems.append(Problem("axis", "must be one of magnitude, x, y", repr(axis)))
    names = solution.items(channel)
    item = 0
    if index is not None and not names:
        problems.append(Problem("index", f"{channel} is a single signal without items", repr(index)))
    elif index is not None:
        try:
            item = _item(index, kept.dims[0], names)
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    window = window_of(instants(solution), start, stop)
    values = np.asarray(solution.values(channel, window.rows, item if names else None), dtype=np.float64)
    label = channel.replace("_", " ")
    if "axis" in kept.dims:
        values = np.hypot(values[:, 0], values[:, 1]) if axis == "magnitude" else values[:, 0 if axis == "x" else 1]
        label += "" if axis == "magnitude" else f" ({axis})"
    if names:
        label += f" of {names[item]}"
    return Signal(channel, item, label, kept.unit, solution.time[window.rows], values)


def motion_channel(solution: Solution) -> str:
    """Return the channel that best shows the motion of the chain: displacements of the spans or, if missing,
    tensions.
    """
    return "span_tension" if solution.offers("span_displacement") is False else "span_displacement"


def span_of(solution: Solution, channel: str, item: int) -> int | None:
    """Return the span to which an item of a channel belongs; None for a channel with other items."""
    return item if solution.channel(channel).dims == ("span",) else None


def _item(index: int | str, dim: str, names: Sequence[str]) -> int:
    if isinstance(index, str):
        if index in names:
            return names.index(index)
        if not index.strip().isdecimal():
            message = f"there is no {dim} of this name; available: {_listed(names)}"
            raise InputError(Problem("index", message, repr(index)))
        index = int(index)
    if not 0 <= index < len(names):
        raise InputError(Problem("index", f"only {dim}s 0 to {len(names) - 1} exist: {_listed(names)}", str(index)))
    return int(index)


def _listed(names: Sequence[str], most: int = 12) -> str:
    return ", ".join(names) if len(names) <= most else f"{', '.join(names[:2])} ... {names[-1]}"


def check_index(kind: str, index: int, count: int) -> int:
    """Return ``index`` if it is a whole number and 0 <= index < count, and raise InputError otherwise."""
    if not isinstance(index, Integral) or isinstance(index, bool) or not 0 <= index < count:
        raise InputError(Problem(kind, f"the drive has the {kind}s 0 to {count - 1}", shown(index)))
    return int(index)


def wheel_index(drive: Any, wheel: int | str | None) -> int:
    """Return the number of a wheel given by number or name; None stands for the driver.

    Raises InputError with the names of the existing wheels.
    """
    if not drive.wheels:
        raise InputError(Problem("wheel", "the drive has no wheel whose revolutions can be counted"))
    if wheel is None:
        return drive_facts(drive).driver
    try:
        return _item(wheel, "wheel", [one.name for one in drive.wheels])
    except InputError as error:
        raise InputError([problem._replace(place="wheel") for problem in error.problems]) from None


def run_up_of(drive: Any) -> tuple[float, float] | None:
    """Return start and end of the first prescribed run-up or run-down [s]; None if there is none."""
    for wheel in drive.wheels:
        if isinstance(wheel.motion, VARYING):
            return float(wheel.motion.start), float(wheel.motion.start + wheel.motion.duration)
    return None


def steady_start(solution: Solution, stop: float | None = None) -> float:
    """Return the start of the steady part of a result up to stop: the time at which it was found steady, otherwise its
    middle [s].
    """
    time = instants(solution)
    first, last = float(time[0]), float(time[-1]) if stop is None else stop
    since = solution.notes.get("steady_since")
    if isinstance(since, int | float) and first <= since < last:
        return float(since)
    return 0.5 * (first + last)


def steady_window(solution: Solution, start: float | None = None, stop: float | None = None) -> tuple[float, float]:
    """Return the first and the last saved instant [s] of the window for spectra and statistics.

    Given ends are kept. By default the window covers the last whole revolutions of the driver in the steady part of the
    result. The steady part begins where the run was found to be steady, otherwise halfway through the result. If
    motions and loads take several revolutions to repeat, whole common periods are used if one fits; otherwise whole
    periods of a single load, if the motion is uniform. The samples from first to last, each representing one save
    interval, then cover whole revolutions, and the lines of a steady drive fall on bins of the spectrum. If not even
    one revolution fits, the window is the steady part. A last row that follows sooner than the others, as at the end of
    a run, belongs to the window only if ``stop`` is given.
    """
    time = instants(solution)
    time = time[: even_rows(time)] if stop is None else time
    window = window_of(time, start, stop)
    last = window.stop
    if start is not None:
        return window.start, last
    begin = steady_start(solution, last)
    rows = np.flatnonzero((time >= begin - 1e-9 * abs(begin)) & (time <= last))
    if "wheel_angle" in solution and rows.size > 2:
        angle = solution.values("wheel_angle", slice(rows[0], rows[-1] + 1), wheel_index(solution.drive, None))
        turned = np.abs(angle - angle[-1])
        known = math.isfinite(float(turned[0]))  # not of a run that diverged
        whole = float(turned[0]) / (2.0 * math.pi) * (1.0 + 1e-9) if known else 0.0
        found = (turns * math.floor(whole / turns) for turns in _turns_of_periods(solution.drive))
        whole = next((turns for turns in found if turns > 0.0), 0.0)
        if whole and np.all(np.diff(turned) < 0.0):
            at = float(np.interp(-2.0 * math.pi * whole, -turned, time[rows]))
            step = float(time[rows[-1]] - time[rows[0]]) / (rows.size - 1)
            count = max(round((last - at) / step), 2)
            return float(time[max(int(rows[-1]) - count + 1, int(rows[0]))]), last
    return float(time[rows[0]]), last


def _turns_of_periods(drive: Any) -> list[float]:
    """Return the numbers of driver revolutions after which all motions and loads repeat together, after which
    individual loads repeat, and after which the driver itself repeats.
    """
    facts = drive_facts(drive)
    first = drive.wheels[facts.driver]
    even = first.motion is None or first.motion.kind not in ("orders", "angle_table")
    pitches = [facts.period, *(facts.load_periods if even else ())]
    return [*(each / first.teeth for each in pitches), 1.0]


def window_means(time: FloatArray, values: FloatArray, starts: FloatArray, stops: FloatArray) -> FloatArray:
    """Return the means over time windows, shape (C, ...): values (n, ...) at time (n,), starts and stops (C,) [s].

    Each mean covers the saved instants in the window, both ends included; nan if there are none.
    """
    tolerance = 1e-9 * max(abs(float(time[0])), abs(float(time[-1])), 1e-30)
    first = np.searchsorted(time, starts - tolerance, side="left")
    end = np.searchsorted(time, stops + tolerance, side="right")
    means = np.full((starts.size, *values.shape[1:]), np.nan)
    for k, (a, b) in enumerate(zip(first, end, strict=True)):
        if b > a:
            means[k] = values[a:b].mean(axis=0)
    return means
