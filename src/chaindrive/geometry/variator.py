"""Geometry of a chain between two pairs of conical sheaves: radii for a ratio, length of the loop, positions of pins.

The chain runs on two circles, whose centres are a distance a apart, and straight between them. The radii R_0 and R_1 of
the circles are the running radii of the pins. The pins lie on the circles, so that a pitch p is a chord: a wrap of the
angle w holds w / (2 asin(p / 2 R)) pitches. With sin(alpha) = (R_0 - R_1) / a the wraps are pi + 2 alpha and pi - 2
alpha, and

    2 a cos(alpha) + sum over both circles of w p / (2 asin(p / 2 R)) = N p

The transmission ratio is i = R_1 / R_0, which is the speed of pair 0 divided by that of pair 1. Pitches may differ
along the chain: p and asin(p / 2 R) are then mean values of a wrap over a revolution of the chain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.elementary import arcsin
from chaindrive.geometry.roots import root_to_rounding

__all__ = ["Loop", "groove_width", "loop_around", "loop_length", "place_pins", "radii_of_ratio", "second_radius"]

FloatArray = NDArray[np.float64]
Pitch = float | Sequence[float] | FloatArray


class Loop(NamedTuple):
    """A closed chain around both pairs of sheaves."""

    radii: tuple[float, float]
    """Running radii R_0, R_1 [m]"""
    distance: float
    """Distance a between the centres [m]"""
    wraps: tuple[float, float]
    """Angles of wrap [rad]"""
    span: float
    """Length of each span [m]"""
    inclination: float
    """Inclination alpha of a span to the line of centres [rad]"""

    @property
    def ratio(self) -> float:
        """Transmission ratio R_1 / R_0. [-]"""
        return self.radii[1] / self.radii[0]


def loop_around(first: float, second: float, distance: float) -> Loop:
    """Return the loop with these running radii. [m] Raises ValueError if one circle lies within the other."""
    if not abs(first - second) < distance:
        raise ValueError(
            f"no chain runs around circles of radius {first:g} m and {second:g} m whose centres are {distance:g} m "
            "apart"
        )
    alpha = math.asin((first - second) / distance)
    wraps = (math.pi + 2.0 * alpha, math.pi - 2.0 * alpha)
    return Loop((first, second), distance, wraps, distance * math.cos(alpha), alpha)


def _around(wrap: float, radius: float, pitch: Pitch) -> float:
    """Length of chain on a wrap of a running radius [m]."""
    each = np.asarray(pitch)
    return wrap * float(each.mean() / (2.0 * arcsin(0.5 * each / radius)).mean())


def loop_length(loop: Loop, pitch: Pitch) -> float:
    """Length of chain that closes around a loop. [m] pitch: of all links, or of each link (N,) [m]."""
    return 2.0 * loop.span + sum(_around(w, r, pitch) for w, r in zip(loop.wraps, loop.radii, strict=True))


def second_radius(first: float, distance: float, pitch: Pitch, links: int) -> float:
    """Return the running radius of pair 1 at which a chain with this number of links closes, for a given radius of pair
    0. [m]

    first: running radius of pair 0 [m]; distance: between the centres [m]; pitch: of all links, or of each link
    (links,) [m]. Raises ValueError if there is no such radius, because the chain is too short for pair 0 or too long
    for the distance.
    """
    least, most = 0.5 * float(np.max(pitch)) * 1.001, distance - 1e-9 * distance
    if first < least:
        raise ValueError(f"links of {2.0 * least:.3g} m do not fit on a circle of radius {first:g} m")

    length = links * float(np.mean(pitch))

    def missing(second: float) -> float:
        return loop_length(loop_around(first, second, distance), pitch) - length

    low, high = max(least, first - most), min(first + most, most)
    if missing(low) > 0.0 or missing(high) < 0.0:
        which = "short" if missing(low) > 0.0 else "long"
        raise ValueError(
            f"the chain is too {which} to close with a running radius of {first:g} m at this centre distance"
        )
    return root_to_rounding(missing, low, high, 1e-15)


def radii_of_ratio(ratio: float, distance: float, pitch: float, links: int) -> tuple[float, float]:
    """Return the running radii R_0 and R_1 with this transmission ratio R_1 / R_0 for which the chain closes. [m]

    Raises ValueError if there are none.
    """

    def missing(first: float) -> float:
        return loop_length(loop_around(first, ratio * first, distance), pitch) - links * pitch

    low = 0.5005 * pitch / min(ratio, 1.0)
    high = 0.999 * distance / max(ratio, 1.0)  # neither circle extends to the centre of the other
    if not (low < high and missing(low) < 0.0 < missing(high)):
        raise ValueError(f"the chain does not close at a ratio of {ratio:g}")
    first = root_to_rounding(missing, low, high, 1e-15)
    return first, ratio * first


def groove_width(radius: float, running: float, half_angle: float, pin_length: float) -> float:
    """Width of the groove at a radius, if a pin of this length touches the sheaves at the running radius. [m]"""
    return pin_length - 2.0 * (running - radius) * math.tan(half_angle)


def place_pins(
    loop: Loop,
    pitches: Sequence[float] | FloatArray,
    centres: ArrayLike = ((0.0, 0.0), (1.0, 0.0)),
) -> tuple[FloatArray, FloatArray]:
    """Return the positions of the pins on a loop, and their directions of motion, counter-clockwise, (N, 2) each. [m,
    -]

    centres (2, 2): centre of pair 0 [m], and centre of pair 1 or any point in its direction. Link i, of the pitch
    pitches[i] (N,) [m], leads from pin i to pin i + 1. Pin 0 is where the chain leaves pair 0. The difference in length
    between chain and loop is shared equally by all links.
    """
    each = np.asarray(pitches, dtype=np.float64)
    (first, second), alpha = loop.radii, loop.inclination
    lengths = [loop.span, _around(loop.wraps[1], second, each), loop.span, _around(loop.wraps[0], first, each)]
    ends = np.cumsum(lengths)
    along = np.concatenate([[0.0], np.cumsum(each)[:-1]]) * ends[-1] / each.sum()
    places, ways = np.empty((each.size, 2)), np.empty((each.size, 2))
    # Counter-clockwise, the lower span leads from pair 0 to pair 1 and touches both at this angle.
    lower = -(0.5 * math.pi - alpha)
    starts = {1: (lower, second, loop.distance, loop.wraps[1]), 3: (-lower, first, 0.0, loop.wraps[0])}
    for i, s in enumerate(along):
        piece = int(np.searchsorted(ends, s, side="right"))
        part = (s - (ends[piece] - lengths[piece])) / lengths[piece]
        if piece in starts:
            angle, radius, centre, wrap = starts[piece]
            turned = angle + part * wrap
            places[i] = centre + radius * math.cos(turned), radius * math.sin(turned)
            ways[i] = -math.sin(turned), math.cos(turned)
        else:
            side = -1.0 if piece == 0 else 1.0
            touching = np.array([math.sin(alpha), side * math.cos(alpha)])
            here, there = first * touching, np.array([loop.distance, 0.0]) + second * touching
            if piece == 2:
                here, there = there, here
            places[i] = here + part * (there - here)
            ways[i] = (there - here) / np.linalg.norm(there - here)
    origin, other = np.asarray(centres, dtype=np.float64)
    x, y = (other - origin) / np.linalg.norm(other - origin)
    turned = np.array([[x, y], [-y, x]])
    return places @ turned + origin, ways @ turned
