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
"""Number of halvings after which a height is exact in double precision."""


class Wedge(NamedTuple):
    """The parts of a gap that a roller too large for it may touch, each with its own force."""

    flank: Profile
    """One flank, from the point at which the roller fits; its first arc or line is continued inwards. ``seat_radius``
    is the distance at which a roller on the centre line begins to touch both flanks, larger than ``tip_radius`` if it
    is too large to enter the gap."""
    bottom: Profile
    """The flat bottom of the gap, the only part of the seat that a wider roller can reach."""
    rise: float
    """Height of the roller above the bottom when it begins to touch both flanks. [m]"""


def wedge(gap: Profile, roller_radius: float) -> Wedge | None:
    """The parts of a gap that hold a roller of this radius [m] if it does not fit into the seat; None if it fits.

    Hollow arcs narrower than the roller are omitted: the centre of a roller without contact is bounded only by the rest
    of both flanks, which form a corner on the centre line of the gap. For a roller pressed further in, the force of
    each flank has a potential, also as the roller crosses the centre line.
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
