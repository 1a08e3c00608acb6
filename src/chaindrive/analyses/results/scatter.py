"""Scatter of the extremes of a run, between equal windows of its steady part and between runs with perturbed starts.

The largest value of an irregular motion is the largest value of a sample: it is different in another window, and also
if the same run starts from a state that differs only by rounding. Without its scatter, the value would suggest more
accuracy than it has.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.steadiness import Part
from chaindrive.analyses.signals.windows import instants, window_of
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive
from chaindrive.results.solution import Solution

__all__ = ["EXTREMES", "SCATTERED", "Spread", "equal_windows", "spread_of_runs", "spread_of_windows"]

FloatArray = NDArray[np.float64]

EXTREMES = ("tension_steady", "tension_run", "contact_force", "bearing_force", "vibration")
"""Keys of the findings that are extremes and whose scatter is shown."""
SCATTERED = 0.1
"""If the smallest and the largest extreme differ by more than this fraction of the largest, repeated runs are
recommended. [-]"""
LEAST, MOST = 3, 10
"""Smallest and largest number of windows."""
SAME_LINKS = 2
"""Period of a chain whose inner and outer links differ. [links]"""


class Spread(NamedTuple):
    """Extremes of the same quantity in several windows or runs."""

    low: float
    """The smallest of the extremes, in the unit of the quantity."""
    median: float
    high: float
    """The largest of the extremes."""
    count: int  # type: ignore[assignment]
    """Number of windows or runs."""

    @property
    def share(self) -> float:
        """Return the difference between largest and smallest extreme, relative to the largest; 0 if the largest is 0.
        [-]
        """
        return (self.high - self.low) / abs(self.high) if self.high != 0.0 else 0.0

    def text(self, shown: Callable[[float], str]) -> str:
        """Return the range as a string, with each value formatted by ``shown``: "9.1 kN to 10.3 kN"."""
        low, high = shown(self.low), shown(self.high)
        return high if low == high else f"{low} to {high}"


def _spread(values: Sequence[float]) -> Spread | None:
    """Return the spread of the extremes; None if there are fewer than two."""
    known = [value for value in values if math.isfinite(value)]
    if len(known) < 2:
        return None
    return Spread(min(known), float(np.median(known)), max(known), len(known))


def equal_windows(solution: Solution, part: Part) -> tuple[slice, ...]:
    """Return the rows of the equal windows into which a part of a run is divided, in order; empty if it cannot be
    divided.

    A window contains one or more whole periods of motions, loads and eccentric masses (``DriveFacts.period``), and
    whole loops for a chain with unequal links. If only the teeth excite the drive and the part has fewer than ``LEAST``
    revolutions, a window contains whole teeth, at least two: between two rows there may be a peak. The number of
    windows is ``LEAST`` to ``MOST``; the first window takes the remainder. Open chains have no period. Raises
    InputError if nothing was stored in the part.
    """
    drive = solution.drive
    window = window_of(instants(solution), part.start, part.stop)
    if drive.chain.ends is not None or not drive.wheels or "wheel_angle" not in solution:
        return ()
    facts = drive_facts(drive)
    angle = np.asarray(solution.values("wheel_angle", window.rows, facts.driver), dtype=np.float64)
    left = np.abs(angle[-1] - angle) * drive.wheels[facts.driver].teeth / (2.0 * math.pi)
    if angle.size < 2 * LEAST or not np.all(np.diff(left) < 0.0):
        return ()
    covered = float(left[0]) * angle.size / (angle.size - 1)  # each row stands for one step of saving
    period = _period(drive)
    alone = not solution.notes.get("shafts")  # parts connected by a shaft may vary more slowly
    if alone and facts.repeats_with_teeth and period < drive.chain.links and covered < LEAST * period:
        period = 1
    whole = math.floor(covered / period * (1.0 + 1e-9))
    count = min(whole // 2 if period == 1 else whole, MOST, angle.size // 2)
    if count < LEAST:
        return ()
    length = period * (whole // count)
    inner = [int(np.argmin(np.abs(left - k * length))) for k in range(count - 1, 0, -1)]
    edges = [window.first, *(window.first + row + 1 for row in inner), window.end]
    return tuple(slice(a, b) for a, b in itertools.pairwise(edges))


def _period(drive: Drive) -> int:
    """Return the number of pitches of chain after which motions and loads repeat; for a chain with unequal links, at
    least a loop.
    """
    chain, period = drive.chain, drive_facts(drive).period
    links = list(zip(chain.elongations, chain.attached_masses, strict=True))
    uneven = any(link != links[k % SAME_LINKS] for k, link in enumerate(links))
    return period * math.ceil(chain.links / period) if uneven else period


def spread_of_windows(values: FloatArray, windows: Sequence[slice]) -> Spread | None:
    """Return the spread of the largest values in the windows; None without windows or if all values are nan. values:
    (rows, items).
    """
    largest = (values[rows] for rows in windows)
    return _spread([float(np.nanmax(each)) for each in largest if np.isfinite(each).any()])


def spread_of_runs(solution: Solution, key: str, value: float) -> Spread | None:
    """Return the spread of an extreme between a run, which has this value, and its repetitions; None without
    repetitions.
    """
    return _spread([value, *(run.extremes[key] for run in solution.repeats if key in run.extremes)])
