"""Uniformity of the rotation of two wheels: the ratio of their speeds, and its deviation from the mean.

In a chain drive without tooth jumps, the mean ratio is the tooth ratio; deviations come from polygonal action, stretch
of the spans, and torsional vibration.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.signals.selection import steady_window, wheel_index
from chaindrive.analyses.signals.windows import instants, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.results.solution import Solution

__all__ = ["SpeedRatio", "speed_ratio"]

FloatArray = NDArray[np.float64]

SLOW = 0.01
"""If the reference turns at less than this fraction of its highest speed, no ratio is given."""


class SpeedRatio(NamedTuple):
    """The speed of a wheel relative to that of a reference wheel at n instants. Speeds are positive in the direction of
    rotation.
    """

    wheel: int
    reference: int
    names: tuple[str, str]
    """Names of the wheel and of the reference."""
    time: FloatArray
    """Instants, shape (n,). [s]"""
    mean: float
    """Mean speed of the wheel divided by mean speed of the reference: the ratio of the angles turned in the window."""
    teeth: float
    """Tooth ratio, z_reference / z_wheel. The mean ratio differs from it if the chain has jumped teeth."""
    relative: FloatArray
    """Relative deviation of the speed, w / (mean w_reference) - 1, shape (n,); nan if the reference turns at less than
    SLOW of its highest speed."""
    absolute: FloatArray
    """Deviation of the speed, w - mean w_reference, shape (n,). [rad/s]"""


def speed_ratio(
    solution: Solution,
    wheel: int | str | None = None,
    reference: int | str | None = None,
    start: float | None = None,
    stop: float | None = None,
) -> SpeedRatio:
    """Return the deviation of the speed of a wheel from its mean ratio to the speed of a reference.

    wheel: number or name, by default the first after the reference; reference: by default the driver. Both speeds are
    positive in the direction of rotation of their own wheel (``DriveFacts.senses``), even for wheels driven by the back
    of the chain: the result is positive for a wheel that is faster than the mean ratio, whatever its direction of
    rotation. The mean is taken from start to stop [s], by default over the last whole revolutions of the driver in the
    steady part. Needs the channel wheel_speed. Raises InputError for wheels that do not exist or are the same, and for
    a reference that does not turn on average.
    """
    drive = solution.drive
    first = wheel_index(drive, reference)
    count = len(drive.wheels)
    if count < 2:
        raise InputError(Problem("wheel", "there is only one wheel, so there is no other to compare it with"))
    chosen = (first + 1) % count if wheel is None else wheel_index(drive, wheel)
    if first == chosen:
        raise InputError(Problem("wheel", "must be a wheel other than the reference", repr(drive.wheels[first].name)))
    if start is None and stop is None:
        start, stop = steady_window(solution)
    times = instants(solution)
    rows = window_of(times, start, stop).rows
    senses, time = drive_facts(drive).senses, times[rows]
    own, other = (senses[w] * np.asarray(solution.values("wheel_speed", rows, w), np.float64) for w in (chosen, first))
    known = np.isfinite(own) & np.isfinite(other)
    highest = float(np.abs(other[known]).max(initial=0.0))
    turning = _mean(time[known], other[known])
    if not abs(turning) > SLOW * highest:
        message = "does not turn on average: a mean speed ratio is not defined"
        raise InputError(Problem("reference", message, repr(drive.wheels[first].name)))
    mean = _mean(time[known], own[known]) / turning
    expected = mean * other
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(np.abs(other) >= SLOW * highest, (own - expected) / expected, np.nan)
    return SpeedRatio(
        wheel=chosen,
        reference=first,
        names=(drive.wheels[chosen].name, drive.wheels[first].name),
        time=time,
        mean=mean,
        teeth=drive.wheels[first].teeth / drive.wheels[chosen].teeth,
        relative=relative,
        absolute=own - expected,
    )


def _mean(time: FloatArray, values: FloatArray) -> float:
    """Return the mean over time by the trapezoidal rule; 0 for an empty signal."""
    if values.size < 2:
        return float(values.sum())
    return float(0.5 * (values[1:] + values[:-1]) @ np.diff(time) / (time[-1] - time[0]))
