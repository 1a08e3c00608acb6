"""Rollers that are too large for the gap, and are held between both of its flanks."""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.geometry.kernels import gap_distance
from chaindrive.geometry.profile import Profile, Segment, table

__all__ = ["Wedge", "wedge"]

TOO_NARROW = 1e-9
"""Smallest excess of the radius of a roller over that of a seat into which it does not fit, as a part of its own
radius. [-]
"""
HALVINGS = 60
"""Number of halvings until a height is exact to a double."""


class Wedge(NamedTuple):
    """The parts of a gap that a roller too large for it may touch. It touches them one by one, each with its own
    force.
    """

    flank: Profile
    """One flank, from where the roller fits; its first arc or line continues inwards. ``seat_radius`` is where a roller
    on the centre line begins to touch both, beyond ``tip_radius`` for one that is too large to enter the gap."""
    bottom: Profile
    """The flat bottom of the gap, the only part of the seat that a wider roller can reach."""
    rise: float
    """Height of the roller above the bottom when it begins to touch both flanks. [m]"""


def wedge(gap: Profile, roller_radius: float) -> Wedge | None:
    """The parts of a gap that hold a roller of this radius [m] that does not fit into the seat of a gap; None where it
    fits.

    Hollow arcs narrower than the roller are left out: the centre of a roller that touches nothing is bounded by the
    rest of both flanks alone, in a corner on the centre line of the gap. Where it has sunk in by more than that, as a
    pressed one has, the force of each flank has a potential, also as the roller passes the centre line.
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
