"""Outcome of a shift between cogs: its end, the rotation of the cassette, the tension of the chain."""

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
"""Share of the rollers on a wheel at the start that a cog must carry at the end for the chain to lie on it. [-]"""
TAIL = 0.1
"""Fraction of the rows at the end of the run from which the number of rollers on a cog is determined. [-]"""


class Shifting(NamedTuple):
    """A shift between the cogs of a wheel."""

    wheel: str
    teeth: tuple[int, ...]
    """numbers of teeth of the wheel itself, then of its further cogs"""
    seated: tuple[int, ...]
    """numbers of rollers seated on the wheel and on its cogs at the end"""
    cog: int
    """teeth of the cog on which the chain lies at the end, 0 if it is not on a single one"""
    start: float
    """time at which the first roller pressed on a cog other than the initial one [s]; nan: none did"""
    end: float
    """time from which the chain lies on that cog alone, until the end of the run [s]; nan if there is no such
    time"""
    turned: float
    """angle by which the wheel turned between these times [rad]; nan if one of them is nan"""
    tension: float
    """the largest tension of a link in the stored rows until then, or until the end of the run [N]"""

    @property
    def complete(self) -> bool:
        """Whether the whole chain has moved to another cog."""
        return self.cog not in (0, self.teeth[0]) and math.isfinite(self.end)


def shifting(solution: Solution) -> Shifting:
    """The shift between the cogs of a wheel of a run; the first such wheel.

    Raises InputError where no wheel has further cogs, and for channels that the run did not keep.
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
    """The cog on which the chain lies at the end; the row in which the first roller is on a different one, and the row
    from which the chain lies on the final cog alone, with the final number of rollers; -1: none.

    rows (rows, cogs): seated rollers, first those of the wheel itself.
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
