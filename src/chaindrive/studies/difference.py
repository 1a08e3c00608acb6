"""Difference between a curve of a run and a measured one."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.errors import InputError, Problem
from chaindrive.model.study.measured import Measurement
from chaindrive.units import parse_unit

__all__ = ["Reference", "reference_of", "rms_difference"]

LEAST_PART = 0.5
"""Smallest fraction of the window that the measurement must cover."""
MOST_SHIFTS = 400
"""Number of shifts tried to either side, before the best is refined."""


class Reference(NamedTuple):
    """A measured curve in SI units, with its times."""

    times: tuple[float, ...]
    """Increasing times; by the clock of the run once ``shift`` is added. [s]"""
    values: tuple[float, ...]
    """Values at these times, in the unit of the channel."""
    shift: float
    """Shift of the clock. [s]"""
    within: float
    """Largest distance of the best-fitting shift from ``shift``. [s]"""


def reference_of(measured: Measurement) -> Reference:
    """The curve of a figure of merit in SI units."""
    factor = parse_unit(measured.unit).factor
    return Reference(
        measured.times, tuple(factor * value for value in measured.values), measured.shift, measured.shift_within
    )


def rms_difference(time: NDArray[np.float64], values: NDArray[np.float64], reference: Reference) -> tuple[float, float]:
    """Root of the mean squared difference, in the unit of the values, and the shift for which it was found [s].

    time [s], values: shape (instants,), those of the window. The measured curve is interpolated linearly onto those
    instants of the run that it covers whatever the shift. Raises InputError if these are fewer than half of the
    window.
    """
    from scipy.optimize import minimize_scalar

    times, measured = np.asarray(reference.times), np.asarray(reference.values)
    first, last = times[0] + reference.shift + reference.within, times[-1] + reference.shift - reference.within
    room = 1e-9 * max(abs(first), abs(last))
    inside = (time >= first - room) & (time <= last + room)
    if inside.sum() < max(2.0, LEAST_PART * time.size):
        covered = f"{first:g} to {last:g} s" if last > first else "nothing, as shifts are allowed"
        message = f"the window is {time[0]:g} to {time[-1]:g} s; less than half of it has been measured"
        raise InputError(Problem("measured", message, covered))
    instants, ours = time[inside], values[inside]

    def distance(shift: float) -> float:
        return math.sqrt(np.mean(np.square(ours - np.interp(instants - shift, times, measured))))

    if not reference.within:
        return distance(reference.shift), reference.shift
    step = max(float(np.median(np.diff(instants))), reference.within / MOST_SHIFTS)
    count = math.ceil(reference.within / step)
    low, high = reference.shift - reference.within, reference.shift + reference.within
    tried = np.linspace(low, high, 2 * count + 1)
    best = float(tried[int(np.argmin([distance(shift) for shift in tried]))])
    bounds = (max(best - step, low), min(best + step, high))
    finer = minimize_scalar(distance, bounds=bounds, method="bounded", options={"xatol": 1e-3 * step})
    return min((float(finer.fun), float(finer.x)), (distance(best), best))
