"""Tooth jumps of the chain: wheel, time and number of teeth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from chaindrive.analyses.signals.windows import instants
from chaindrive.numbers import quantity
from chaindrive.results.solution import Solution

__all__ = ["Jump", "jumps_text", "tooth_jumps"]

CHANNEL = "tooth_jumps"


class Jump(NamedTuple):
    """A jump of the chain on a wheel."""

    wheel: int
    name: str
    time: float
    """First stored instant after the jump, late by up to one save interval. [s]"""
    teeth: int


def tooth_jumps(solution: Solution) -> list[Jump]:
    """Return every jump of the chain on every wheel, in order of time; empty if the channel tooth_jumps was not kept.

    A jump is complete when all rollers on the wheel have moved to their new tooth gaps. Several jumps between two
    stored instants are one entry with several teeth.
    """
    if CHANNEL not in solution:
        return []
    counted, times = solution.values(CHANNEL), instants(solution)
    rises = np.diff(counted, axis=0, prepend=np.zeros((1, counted.shape[1])))
    names = [wheel.name for wheel in solution.drive.wheels]
    return [Jump(int(w), names[w], float(times[row]), round(float(rises[row, w]))) for row, w in np.argwhere(rises > 0)]


def jumps_text(notes: Mapping[str, Any]) -> str:
    """Return a description with the number of teeth jumped on each wheel and the time of the first jump, from the notes
    of a run; empty without jumps.
    """
    found = [
        f"{each['teeth']} on {name}, first at {quantity(float(each['first']), 's', 6)}"
        for name, each in notes.get("tooth_jumps", {}).items()
    ]
    return "; ".join(found)
