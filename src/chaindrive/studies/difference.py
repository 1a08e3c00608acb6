"""Difference between a curve of a run and a measured curve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.errors import InputError, Problem
from chaindrive.model.run import Run
from chaindrive.model.study.description import FigureOfMerit
from chaindrive.model.study.measured import Measurement
from chaindrive.units import factor_of

__all__ = ["Reference", "coverage_problem", "reference_of", "rms_difference", "times_covered"]

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


def times_covered(times: Sequence[float], shift: float, within: float) -> tuple[float, float]:
    """Return the first and the last time of the run that a curve covers for every permitted shift [s]; the last is not
    after the first if there are none.

    times: increasing times of the curve; shift: added to them; within: largest permitted change of the shift. [s]
    """
    return times[0] + shift + within, times[-1] + shift - within


def coverage_problem(figure: FigureOfMerit, place: str, run: Run) -> Problem | None:
    """Return the problem of a figure whose measured curve covers less than half of its window; None if it covers
    enough, or if the window is not known before the run.
    """
    measured, stop = figure.measured, run.until if figure.stop is None else figure.stop
    if measured is None:
        return None
    first, last = times_covered(measured.times, measured.shift, measured.shift_within)
    window = "the window"
    if isinstance(figure.start, str) or isinstance(stop, str) or figure.start >= stop:
        enough = first < last
    else:
        window = f"the window, {figure.start:g} to {stop:g} s,"
        row = 0.0 if run.save.rate == "auto" else 1.0 / run.save.rate
        shared = min(last, stop) - max(first, figure.start)
        enough = first < last and shared + row >= LEAST_PART * (stop - figure.start) * (1.0 - 1e-9)
    if enough:
        return None
    given = f"covers {first:g} to {last:g} s" if first < last else "covers no part"
    allowed = f" for every shift within {measured.shift_within:g} s" * bool(measured.shift_within)
    source = (measured.file or "times") + (f", column {measured.column!r}" if measured.column else "")
    message = f"{given} of the run{allowed}; at least half of {window} is needed: check the times and shift"
    return Problem(f"{place}.measured", message, source)


def rms_difference(time: NDArray[np.float64], values: NDArray[np.float64], reference: Reference) -> tuple[float, float]:
    """Return the root mean square of the difference, in the unit of the values, and the shift at which it was found
    [s].

    time [s], values: instants of the window and values at these instants, shape (instants,). The measured curve is
    interpolated linearly at those instants of the run that it covers for every permitted shift. Raises InputError if
    these are fewer than half of the instants of the window.
    """
    from scipy.optimize import minimize_scalar

    times, measured = np.asarray(reference.times), np.asarray(reference.values)
    first, last = times_covered(reference.times, reference.shift, reference.within)
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
