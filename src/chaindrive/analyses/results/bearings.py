"""Forces that the wheels exert on their bearings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.peaks import extreme_values
from chaindrive.analyses.signals.selection import steady_window
from chaindrive.analyses.signals.windows import instants, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.results.solution import Solution

__all__ = ["BearingLoads", "bearing_loads"]

FloatArray = NDArray[np.float64]


class BearingLoads(NamedTuple):
    """Forces that W wheels exert on their bearings at M instants, in the fixed frame of the drawing."""

    names: tuple[str, ...]
    """Names of the wheels."""
    start: float
    """Start of the window. [s]"""
    stop: float
    """End of the window. [s]"""
    time: FloatArray
    """Instants, shape (M,) [s]."""
    force: FloatArray
    """Forces, shape (M, W, 2) [N]."""
    mean: FloatArray
    """Mean force, a vector, shape (W, 2) [N]: the steady load of the bearing."""
    mean_magnitude: FloatArray
    """Mean of the magnitude, shape (W,) [N]; it is at least as large as the magnitude of the mean force."""
    mean_direction: FloatArray
    """Direction of the mean force, counter-clockwise from the x axis, shape (W,) [rad]."""
    largest: FloatArray
    """Largest magnitude, shape (W,) [N]."""
    largest_direction: FloatArray
    """Direction of the largest force, shape (W,) [rad]."""
    largest_time: FloatArray
    """Time of the largest force, shape (W,) [s]."""
    largest_row: NDArray[np.int64]
    """Row of the results with the largest force, shape (W,)."""
    smallest: FloatArray
    """Smallest magnitude, shape (W,) [N]."""
    fluctuation: FloatArray
    """RMS of the force about its mean, for both axes together, shape (W,) [N]."""

    @property
    def magnitude(self) -> FloatArray:
        """Magnitudes, shape (M, W) [N]."""
        return np.asarray(np.hypot(self.force[..., 0], self.force[..., 1]))


def bearing_loads(solution: Solution, start: float | None = None, stop: float | None = None) -> BearingLoads:
    """Return the mean, extremes, directions and fluctuation of the forces on the bearings.

    The default window covers the last whole revolutions of the driver in the steady part of a run.

    The wheel exerts the force on its bearing: the pull of the chain and, if the mass of the wheel is given, its weight
    and inertia force. start, stop [s]. The mean square about the mean is the sum over both axes. Raises InputError
    without the channel bearing_force, and for an empty window.
    """
    times = instants(solution)
    force = np.asarray(solution.values("bearing_force"), dtype=np.float64)
    window = window_of(times, *steady_window(solution, start, stop))
    part = force[window.rows]
    known = np.isfinite(part).all(axis=(1, 2))
    if not known.any():
        raise InputError(Problem("bearing_force", "is not a number in this window: the run diverged"))
    rows = np.arange(window.first, window.end)[known]
    part = part[known]
    magnitude = np.hypot(part[..., 0], part[..., 1])
    mean = part.mean(axis=0)
    extreme = extreme_values(solution, "bearing_force", window.rows)[known]
    row = extreme.argmax(axis=0)
    wheels = np.arange(part.shape[1])
    most = part[row, wheels]
    return BearingLoads(
        names=tuple(wheel.name for wheel in solution.drive.wheels),
        start=window.start,
        stop=window.stop,
        time=times[rows],
        force=part,
        mean=mean,
        mean_magnitude=magnitude.mean(axis=0),
        mean_direction=np.arctan2(mean[:, 1], mean[:, 0]),
        largest=np.asarray(extreme[row, wheels], dtype=np.float64),
        largest_direction=np.arctan2(most[:, 1], most[:, 0]),
        largest_time=times[rows[row]],
        largest_row=rows[row],
        smallest=magnitude.min(axis=0),
        fluctuation=np.sqrt(((part - mean) ** 2).sum(axis=-1).mean(axis=0)),
    )
