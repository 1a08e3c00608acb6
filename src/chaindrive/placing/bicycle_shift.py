"""Converts a gear shift of a bicycle to parts of the drive: the cogs passed on the way, and the motion of the pulleys
along their axes.
"""

from __future__ import annotations

from typing import Any

from chaindrive.errors import Problem
from chaindrive.model.bicycle.description import Bicycle, Derailleur
from chaindrive.model.bicycle.shift import Shift

__all__ = ["cogs_on_the_way", "limit_problems", "moved_pulleys"]

Table = dict[str, Any]


def cogs_on_the_way(bicycle: Bicycle) -> list[Table]:
    """Return the cogs from that of the selected gear (excluded) to the target of the shift (included), as
    ``Wheel.cogs``.
    """
    assert bicycle.shift is not None
    cogs, (_, here) = sorted(bicycle.cassette, reverse=True), bicycle.selected  # the smallest is the outermost
    first, last = cogs.index(here), cogs.index(bicycle.shift.to)
    outwards = 1 if last > first else -1
    return [
        {"teeth": cogs[k], "offset": bicycle.cog_pitch * (k - first)}
        for k in range(first + outwards, last + outwards, outwards)
    ]


def _way(bicycle: Bicycle, shift: Shift) -> tuple[float, float]:
    """Return the distances by which the pulleys move to the plane of the cog, without and with overshift. [m]"""
    to_cog = float(cogs_on_the_way(bicycle)[-1]["offset"])
    return to_cog, to_cog + (shift.overshift if to_cog > 0.0 else -shift.overshift)


def moved_pulleys(bicycle: Bicycle) -> Table:
    """Return the motion of the pulleys along their axes, as ``Wheel.lateral_motion``."""
    shift = bicycle.shift
    assert shift is not None
    plane, farthest = _way(bicycle, shift)
    there = shift.start + shift.duration
    times, positions = [shift.start, there], [0.0, farthest]
    if shift.start > 0.0:
        times, positions = [0.0, *times], [0.0, *positions]
    if shift.hold is not None:
        back = there + shift.hold
        more = [(back, farthest)] if shift.hold > 0.0 else []
        for time, position in [*more, (back + shift.duration, plane)]:
            times, positions = [*times, time], [*positions, position]
    return {"kind": "table", "times": times, "positions": positions}


def limit_problems(bicycle: Bicycle, arm: Derailleur, line: float) -> list[Problem]:
    """Return a problem if the shift would move the pulleys beyond the reach of the derailleur; otherwise an empty list.
    line: distance of the cog in use from the middle plane of the frame [m].
    """
    shift = bicycle.shift
    assert shift is not None
    farthest = line + _way(bicycle, shift)[1]
    if arm.inner_limit <= farthest <= arm.outer_limit:
        return []
    which = "inner_limit" if farthest < arm.inner_limit else "outer_limit"
    message = (
        f"the pulleys would move to {1e3 * farthest:.4g} mm from the middle plane of the frame, beyond the reach of "
        f"the derailleur ({1e3 * arm.inner_limit:.4g} to {1e3 * arm.outer_limit:.4g} mm): move "
        f"bicycle.derailleur.{which}, or use less overshift"
    )
    return [Problem("bicycle.shift.to", message, str(shift.to))]
