"""Runs of neighbouring rollers at one face of a surface, which are segments of the slots of contacts."""

from __future__ import annotations

from chaindrive.kernels import index, kernel

__all__ = ["filled_up"]

LANES, REST = index(4), index(3)
"""Number of values in a vector register, and the largest number by which a run can fall short of filling it."""


@kernel(inline=True)
def filled_up(p, s):
    """Return the number of passes of a loop that writes only into the slots of a run: a whole number of registers.

    The few surplus rollers write into slots of the next run, which overwrites them later, or beyond all runs. If there
    are not enough rows for this, the result is the number of rollers of the run.
    """
    first, slot = index(p.segment.first[s]), index(p.segment.slot[s])
    count = index(p.segment.end[s]) - first
    filled = (count + REST) // LANES * LANES
    room = first + filled <= index(p.rollers) and slot + filled <= index(p.contact.force.size)
    return filled if room else count
