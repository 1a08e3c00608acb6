"""Outcome of a shift between cogs: completion, rotation of the cassette, chain tension."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.signals.windows import instants
from chaindrive.errors import InputError, Problem
from chaindrive.results.solution import Solution

__all__ = ["Shifting", "shifting"]

FloatArray = NDArray[np.float64]

HOLDS = 0.5
"""The chain lies on a cog at the end if the cog carries at least this share of the rollers that were on the wheel at
the start. [-]"""
TAIL = 0.1
"""Fraction of the rows, at the end of the run, that determine the number of rollers on a cog. [-]"""


class Shifting(NamedTuple):
    """A shift between the cogs of a wheel."""

    wheel: str
    teeth: tuple[int, ...]
    """Numbers of teeth of the wheel itself, then of its additional cogs"""
    seated: tuple[int, ...]
    """Numbers of rollers seated on the wheel and on its cogs at the end"""
    cog: int
    """Number of teeth of the cog on which the chain lies at the end; 0 if it does not lie on a single cog"""
    start: float
    """Time at which the first roller pressed on a cog other than the initial one [s]; nan if none did"""
    end: float
    """Time from which the chain lies on the final cog alone, until the end of the run [s]; nan if there is no such
    time"""
    turned: float
    """Angle by which the wheel turned between these two times [rad]; nan if either time is nan"""
    tension: float
    """Largest link tension in the stored rows from the start of the shift to its end; from the start, or to the end, of
    the run where these are unknown [N]"""

    @property
    def complete(self) -> bool:
        """Return whether the whole chain has moved to another cog."""
        return self.cog not in (0, self.teeth[0]) and math.isfinite(self.end)


def shifting(solution: Solution) -> Shifting:
    """Return the shift between the cogs of the first wheel of a run that has several.

    Raises InputError if no wheel has additional cogs, and for channels that the run did not keep.
    """
    drive = solution.drive
    found = [(w, wheel) for w, wheel in enumerate(drive.wheels) if wheel.cogs]
    if not found:
        raise InputError(Problem("wheels", "no wheel has cogs to shift between"))
    w, wheel = found[0]
    seated = np.asarray(solution.values("seated_rollers"), dtype=np.float64)
    first = len(drive.wheels)
    rows = seated[:, [w, *range(first, first + len(wheel.cogs))]]
    teeth = (wheel.teeth, *(cog.teeth for cog in wheel.cogs))
    times = instants(solution)
    last, begin, stop = _course(rows)
    angle = np.asarray(solution.values("wheel_angle"))[:, w]
    tension = np.asarray(solution.values("link_tension"))
    until = len(rows) if stop < 0 else stop + 1
    return Shifting(
        wheel.name,
        teeth,
        tuple(int(each) for each in rows[-1]),
        teeth[last] if last >= 0 else 0,
        float(times[begin]) if begin >= 0 else math.nan,
        float(times[stop]) if stop >= 0 else math.nan,
        float(abs(angle[stop] - angle[begin])) if stop >= 0 else math.nan,
        float(tension[max(begin, 0) : until].max()),
    )


def _course(rows: FloatArray) -> tuple[int, int, int]:
    """Return the cog on which the chain lies at the end, the row in which the first roller is on a cog other than the
    initial one, and the row from which the chain lies on the final cog alone, with the final number of rollers. -1
    stands for none.

    rows (rows, cogs): number of seated rollers, first on the wheel itself.
    """
    on, begun = rows[-1] > 0.0, np.flatnonzero(rows[:, 1:].sum(axis=1) > 0.0)
    begin = int(begun[0]) if begun.size else -1
    last = int(np.argmax(rows[-1]))
    if on.sum() != 1 or rows[-1, last] < HOLDS * rows[0, 0]:
        return -1, begin, -1
    if begin < 0:
        return last, -1, -1
    full = rows[-max(int(TAIL * len(rows)), 1) :, last].min()
    full = max(full, 1.0)
    partly = np.flatnonzero((np.delete(rows, last, axis=1).sum(axis=1) > 0.0) | (rows[:, last] < full))
    alone = int(partly[-1]) + 1 if partly.size else 0
    return last, begin, alone if alone < len(rows) else -1
