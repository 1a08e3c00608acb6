"""Rollers that are too large for the gap and are held between both of its flanks."""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.geometry.kernels import gap_distance
from chaindrive.geometry.profile import Profile, Segment, table

__all__ = ["Wedge", "wedge"]

TOO_NARROW = 1e-9
"""Smallest excess of the roller radius over the seat radius for which the roller does not fit, as a fraction of the
roller radius. [-]
"""
HALVINGS = 60
"""Number of bisections after which a height is exact in double precision."""


class Wedge(NamedTuple):
    """The parts of a gap that an oversized roller may touch, each with its own force."""

    flank: Profile
    """One flank, from the point above which the roller fits; its first arc or line is continued inwards.
    ``seat_radius`` is the distance from the wheel centre at which a roller on the centre line begins to touch both
    flanks. It exceeds ``tip_radius`` if the roller is too large to enter the gap.
    """
    bottom: Profile
    """The flat bottom of the gap, the only part of the seat that a roller wider than the seat can reach."""
    rise: float
    """Height of the roller above the bottom when it begins to touch both flanks. [m]"""


def wedge(gap: Profile, roller_radius: float) -> Wedge | None:
    """Return the parts of a gap that hold a roller of this radius [m] if it does not fit into the seat; None if it
    fits.

    Hollow arcs narrower than the roller are omitted. The centre of a roller without contact is bounded only by the
    remaining parts of both flanks, which form a corner on the centre line of the gap. If the roller is pressed further
    in, the force of each flank still has a potential, even as the roller crosses the centre line.
    """
    narrow = [
        number
        for number, element in enumerate(gap.elements)
        if element.curvature < 0.0 and -1.0 / element.curvature < roller_radius * (1.0 - TOO_NARROW)
    ]
    if not narrow:
        return None
    flank = gap._replace(elements=gap.elements[narrow[-1] + 1 :])
    (_, root), _ = gap.elements[0].at(0.0)
    height, half = _height(flank, root, roller_radius), 0.5 * roller_radius
    bottom = gap._replace(elements=(Segment((-half, root), (half, root)),))
    return Wedge(flank._replace(seat_radius=height), bottom, height - root - roller_radius)


def _height(flank: Profile, root: float, radius: float) -> float:
    """Distance from the wheel centre at which a roller on the centre line of the gap touches both flanks. [m]"""
    rows = table(flank)
    low, high = root, flank.tip_radius + radius
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if gap_distance(rows, 0.0, middle)[0] < radius:
            low = middle
        else:
            high = middle
    return high
