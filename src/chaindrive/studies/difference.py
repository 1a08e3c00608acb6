"""Difference between a curve of a run and a measured curve."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.errors import InputError, Problem
from chaindrive.model.study.measured import Measurement
from chaindrive.units import factor_of

__all__ = ["Reference", "reference_of", "rms_difference"]

LEAST_PART = 0.5
"""Smallest fraction of the window that the measurement must cover."""
MOST_SHIFTS = 400
"""Largest number of shifts that are tried in either direction before the best shift is refined."""


class Reference(NamedTuple):
    """A measured curve in SI units, with the times of its points."""

    times: tuple[float, ...]
    """Increasing times; with ``shift`` added they refer to the clock of the run. [s]"""
    values: tuple[float, ...]
    """Values at these times, in the unit of the channel."""
    shift: float
    """Time to be added to ``times``. [s]"""
    within: float
    """Largest permitted difference between the best-fitting shift and ``shift``. [s]"""


def reference_of(measured: Measurement, unit: str) -> Reference:
    """Return the measured curve of a figure of merit in the SI unit of its channel. Raises ValueError if it is of
    another kind.
    """
    factor = factor_of(measured.unit, unit)
    return Reference(
        measured.times, tuple(factor * value for value in measured.values), measured.shift, measured.shift_within
    )


def rms_difference(time: NDArray[np.float64], values: NDArray[np.float64], reference: Reference) -> tuple[float, float]:
    """Return the root mean square of the difference, in the unit of the values, and the shift at which it was found
    [s].

    time [s], values: instants of the window and values at these instants, shape (instants,). The measured curve is
    interpolated linearly at those instants of the run that it covers for every permitted shift. Raises InputError if
    these are fewer than half of the instants of the window.
    """
    from scipy.optimize import minimize_scalar

    times, measured = np.asarray(reference.times), np.asarray(reference.values)
    first, last = times[0] + reference.shift + reference.within, times[-1] + reference.shift - reference.within
    room = 1e-9 * max(abs(first), abs(last))
    inside = (time >= first - room) & (time <= last + room)
    if inside.sum() < max(2.0, LEAST_PART * time.size):
        covered = f"{first:g} to {last:g} s" if last > first else "nothing, because shifts are allowed"
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
