"""The mean path of the chain, about which its spans vibrate."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.signals.windows import chain_advance, instants, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.results.solution import Solution

__all__ = ["Course", "mean_course"]

FloatArray = NDArray[np.float64]

PER_PITCH = 2
"""Number of positions per pitch; between neighbouring positions the chain is nearly straight."""
ROWS = 500
"""Number of rows that are read at a time."""


class Course(NamedTuple):
    """The centre line of a closed chain, averaged at fixed positions along its loop."""

    places: FloatArray
    """Positions along the loop, shape (M,), from 0 [pitches], counted in the same way as ``chain_advance``."""
    points: FloatArray
    """Points, shape (M, 2) [m]."""
    start: float
    """Start of the window. [s]"""
    stop: float
    """End of the window. [s]"""
    rows: int
    """Number of stored instants over which the mean is taken."""


def mean_course(solution: Solution, start: float | None = None, stop: float | None = None) -> Course:
    """Return the mean position of the chain at every point of its loop from start to stop [s], by default over the
    whole run.

    At each instant the chain is the polygon of its rollers, and each point lies on the link at this position along the
    loop. All stored instants of the window have equal weight. Raises InputError for an open chain, for a window without
    instants, and if roller_position or link_path_position was not stored.
    """
    if solution.drive.chain.ends is not None:
        raise InputError(Problem("chain.ends", "an open chain has no loop"))
    window = window_of(instants(solution), start, stop)
    advance = chain_advance(solution)
    links = solution.drive.chain.links
    places = np.arange(PER_PITCH * links) / PER_PITCH
    total, count = np.zeros((places.size, 2)), 0
    for first in range(window.rows.start, window.rows.stop, ROWS):
        rows = slice(first, min(first + ROWS, window.rows.stop))
        rollers = np.asarray(solution.values("roller_position", rows), dtype=np.float64)
        known = np.isfinite(advance[rows]) & np.isfinite(rollers).all(axis=(1, 2))
        along = places - advance[rows][known][:, None]  # roller number at each place, with the fraction along its link
        before = np.floor(along).astype(np.int64)
        part = (along - before)[..., None]
        behind, ahead = (
            np.take_along_axis(rollers[known], (numbers % links)[..., None], axis=1) for numbers in (before, before + 1)
        )
        total += ((1.0 - part) * behind + part * ahead).sum(axis=0)
        count += int(known.sum())
    if not count:
        raise InputError(Problem("window", "it contains no numbers"))
    times = instants(solution)[window.rows]
    return Course(places, total / count, float(times[0]), float(times[-1]), count)
