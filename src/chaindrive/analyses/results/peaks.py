"""Extremes of forces over all steps if the results contain them, otherwise over the stored instants.

In every row a run stores the largest force since the previous row for every link, wheel, guide and tensioner
("link_tension_max"), and the smallest force of links and tensioners. These channels may be missing in results of
versions before 0.3, and in results with selected channels.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from chaindrive.numbers import count
from chaindrive.results.solution import Solution

__all__ = ["Which", "extreme_channel", "extreme_values", "magnitudes", "of_rows_text", "tooth_forces"]

FloatArray = NDArray[np.float64]

Which = Literal["max", "min"]


def extreme_channel(stored: Container[str], name: str, which: Which = "max") -> str:
    """Return the channel with the extremes of a channel over all steps; the channel itself if they were not stored.

    stored: a solution, or the names of channels.
    """
    extreme = f"{name}_{which}"
    return extreme if extreme in stored else name


def extreme_values(solution: Solution, name: str, rows: slice = slice(None), which: Which = "max") -> NDArray[Any]:
    """Return the extremes of a channel since the previous row, shape (rows, items); for a vector, the extremes of its
    magnitude.

    If no extremes were stored, the values in the rows are returned. Raises InputError if neither was stored.
    """
    return magnitudes(np.asarray(solution.values(extreme_channel(solution, name, which), rows)))


def magnitudes(values: NDArray[Any]) -> NDArray[Any]:
    """Return the magnitudes of vectors, shape (rows, items), of values of shape (rows, items, 2); other values are
    returned as they are.
    """
    return np.hypot(values[..., 0], values[..., 1]) if values.ndim == 3 else values


def tooth_forces(solution: Solution, rows: slice = slice(None)) -> tuple[FloatArray, str]:
    """Return the largest normal tooth forces, shape (rows, wheels) [N], and "wheel". If these were not stored, return
    the forces on every roller on a wheel, 0 elsewhere, shape (rows, rollers), and "roller". Raises InputError if
    neither was stored.
    """
    if "tooth_force_max" in solution:
        return np.asarray(solution.values("tooth_force_max", rows), dtype=np.float64), "wheel"
    forces = np.abs(np.asarray(solution.values("contact_force", rows), dtype=np.float64))
    surfaces = np.asarray(solution.values("contact_surface", rows))
    return np.where((surfaces >= 0) & (surfaces < len(solution.drive.wheels)), forces, 0.0), "roller"


def of_rows_text(solution: Solution, name: str) -> str:
    """Return a remark that the peaks of a channel are known only at the stored instants; empty if extremes were
    stored.
    """
    extreme = "tooth_force_max" if name == "contact_force" else f"{name}_max"
    if extreme in solution or solution.time.size < 2:
        return ""
    rate = (solution.time.size - 1) / float(solution.time[-1] - solution.time[0])
    return f"of {count(rate)} stored instants per second: higher peaks may lie between them"
