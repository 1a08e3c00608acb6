"""Rollers at the additional cogs of a cassette: which rollers may touch their teeth, and in which gaps.

A cog turns with its wheel. It has its own face, after the faces of all surfaces, and its own teeth, gaps and contact
memory. A roller keeps its gap while it is between the teeth, inside the tip circle and in the plane of the cog; beside
the cog or beyond the tips it takes the nearest gap.
"""

from __future__ import annotations

import math

from chaindrive.kernels import index, kernel

__all__ = ["beside_teeth", "nearest_gap_of_cog"]

KEPT = 2.0
"""Offset assigned to a roller that keeps its gap, larger than any actual offset. [teeth]"""


@kernel(inline=True)
def beside_teeth(p, w, i):
    """Return whether roller i is beside the teeth of wheel w itself, which has additional cogs."""
    return p.wheel.cogs[w] != 0 and abs(p.height[i] - p.wheel.height[w]) > p.wheel.band[w]


@kernel(inner=True)
def nearest_gap_of_cog(place, p, c, i, angle):
    """Find the gap of cog c in which roller i is, or the gap nearest to it, or -1 if the roller is out of reach.

    The gap is written into ``p.cog_gap`` and returned [-], with the counter-clockwise offset of the roller from it
    [teeth], which is ``KEPT`` if the roller keeps its gap. angle: angle of the wheel [rad].
    """
    n, w, gaps = index(p.rollers), p.cog.wheel[c], p.cog_gap[c]
    j = index(i)
    dx, dy = place[j] - p.frame.x[w], place[n + j] - p.frame.y[w]
    distance_squared = dx * dx + dy * dy
    reach = p.cog.reach[c] + p.search_margin
    if distance_squared > reach * reach:
        gaps[j] = -1
        return -1, KEPT
    beside = abs(p.height[j] - p.cog.height[c]) > p.cog.band[c]
    if gaps[j] >= 0 and not beside and distance_squared <= p.cog.tip[c] * p.cog.tip[c]:
        return gaps[j], KEPT
    first, teeth = p.cog.gap[c], p.cog.teeth[c]
    turn = math.atan2(dy, dx) - angle - math.atan2(p.direction[first, 1], p.direction[first, 0])
    turn *= teeth / (2.0 * math.pi)
    nearest = math.floor(turn + 0.5)
    gaps[j] = int(nearest) % teeth
    return gaps[j], turn - nearest
