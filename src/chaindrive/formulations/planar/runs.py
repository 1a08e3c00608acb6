"""Runs of neighbouring rollers at one face of a surface: segments of the slots of contacts."""

from __future__ import annotations

from chaindrive.kernels import index, kernel

__all__ = ["filled_up"]

LANES, REST = index(4), index(3)
"""Numbers in a vector register, and the largest number missing to fill one."""


@kernel(inline=True)
def filled_up(p, s):
    """Number of rollers of a run for a loop that writes only into its slots: a whole number of registers.

    The few extra ones write into slots of the next run, which overwrites them later, or after the last run. If the rows
    end before that, it is the number of rollers of the run.
    """
    first, slot = index(p.segment.first[s]), index(p.segment.slot[s])
    count = index(p.segment.end[s]) - first
    filled = (count + REST) // LANES * LANES
    room = first + filled <= index(p.rollers) and slot + filled <= index(p.contact.force.size)
    return filled if room else count
