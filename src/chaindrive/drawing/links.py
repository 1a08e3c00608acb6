"""Drawing of rigid links: plates with round ends, bushes, and pins at their positions inside the bushes."""

from __future__ import annotations

from math import pi
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.drawing.contours import moved
from chaindrive.geometry.profile import Arc, Element, Segment
from chaindrive.mechanism.links import link_data
from chaindrive.model.links import link_dimensions

__all__ = ["LinkSizes", "LinksView", "link_sizes", "links_view"]

FloatArray = NDArray[np.float64]

_END = 13
"""Number of points on the round end of a plate."""


class LinkSizes(NamedTuple):
    """Dimensions of the links of a chain of N links. [m]

    Joint i is the pin of link i - 1 in the bush of link i. Links with even i are inner links, the others outer links.
    The number of joints J is N + 1 for an open chain and N for a closed one.
    """

    rear: FloatArray
    """Radius of the round end of the plates at the bush, (N,)."""
    front: FloatArray
    """Radius of the round end of the plates at the pin, (N,)."""
    length: FloatArray
    """Distance from the centre of the bush to the centre of the pin, (N,)."""
    clearance: FloatArray
    """Travel of the pin of joint i from the middle of its bush until it touches, (J,)."""
    bush: float
    """Outer radius of the bushes."""
    pin: float
    """Radius of the pins."""

    def pins(self, bushes: ArrayLike, angles: ArrayLike) -> FloatArray:
        """Return the centres of the pins of all joints.

        bushes: their centres, (..., J, 2) [m]; angles: of the links, (..., N) [rad].

        The pin of the first fitting of an open chain is drawn in the middle of its bush.
        """
        ahead, places = np.asarray(angles, dtype=np.float64), np.asarray(bushes, dtype=np.float64)
        along = self.length[:, None] * np.stack([np.cos(ahead), np.sin(ahead)], axis=-1)
        pins = places[..., : len(self.length), :] + along
        if places.shape[-2] > len(self.length):
            return np.concatenate([places[..., :1, :], pins], axis=-2)
        return np.roll(pins, 1, axis=-2)


def link_sizes(drive: Any) -> LinkSizes | None:
    """Return the dimensions of the links of a drive; None if its formulation has no rigid links."""
    options = drive.run.formulation
    if options.kind != "link":
        return None
    links, value = link_data(drive).jointed(options.joint), link_dimensions(drive.chain)
    inner, outer = (0.5 * value[f"{name}.plate_depth"].value for name in ("inner_link", "outer_link"))
    count = drive.chain.links
    rear = np.where(np.arange(count) % 2 == 0, inner, outer)
    front = rear.copy()
    if count % 2 and drive.chain.ends is None:
        front[-1] = outer  # the cranked link
    bush = 0.5 * value["bush_diameter"].value
    return LinkSizes(rear, front, links.length, links.clearance, bush, links.pin_radius)


class LinksView(NamedTuple):
    """Links at one instant."""

    sizes: LinkSizes
    bushes: FloatArray
    """Centres, (J, 2) [m]."""
    angles: FloatArray
    """Directions from bush to pin, (N,) [rad]."""

    @property
    def pins(self) -> FloatArray:
        """Centres of the pins of all joints, (J, 2) [m]."""
        return self.sizes.pins(self.bushes, self.angles)

    @property
    def plates(self) -> FloatArray:
        """Closed outlines of the plates of all links, (N, points, 2) [m]."""
        turn = np.linspace(0.5 * pi, 1.5 * pi, _END)
        end = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        pin = np.stack([self.sizes.length, np.zeros_like(self.sizes.length)], axis=1)
        rear = self.sizes.rear[:, None, None] * end
        front = pin[:, None] - self.sizes.front[:, None, None] * end
        outline = np.concatenate([rear, front, rear[:, :1]], axis=1)
        c, s = np.cos(self.angles), np.sin(self.angles)
        turned = np.stack([np.stack([c, s], axis=1), np.stack([-s, c], axis=1)], axis=1)
        return np.asarray(outline @ turned + self.bushes[: len(self.angles), None])

    def contour(self, i: int) -> tuple[Element, ...]:
        """Return the outline of the plates of link i as arcs and lines, counter-clockwise."""
        rear, front, length = (float(values[i]) for values in (self.sizes.rear, self.sizes.front, self.sizes.length))
        elements = (
            Arc((0.0, 0.0), rear, 0.5 * pi, 1.5 * pi),
            Segment((0.0, -rear), (length, -front)),
            Arc((length, 0.0), front, -0.5 * pi, 0.5 * pi),
            Segment((length, front), (0.0, rear)),
        )
        x, y = (float(value) for value in self.bushes[i])
        return tuple(moved(element, float(self.angles[i]), (x, y)) for element in elements)


def links_view(drive: Any, bushes: ArrayLike, angles: ArrayLike | None = None) -> LinksView | None:
    """Return the links with their bushes at (J, 2) [m] and angles (N,) [rad]; None if the formulation has no rigid
    links.

    If angles are omitted, every link points to the next bush.
    """
    sizes = link_sizes(drive)
    if sizes is None:
        return None
    places = np.asarray(bushes, dtype=np.float64)
    if angles is None:
        ahead = np.roll(places, -1, axis=0) - places if drive.chain.ends is None else np.diff(places, axis=0)
        angles = np.arctan2(ahead[:, 1], ahead[:, 0])
    return LinksView(sizes, places, np.asarray(angles, dtype=np.float64))
