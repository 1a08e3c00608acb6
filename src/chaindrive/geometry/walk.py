"""Walking along a route in steps of one link: the positions of the rollers, and the step with which the loop closes.

A route of W wheels is a ring of 2 W elements: element 2 w is wheel w, and element 2 w + 1 is the span after it. The
numbering continues over additional laps (2 W is wheel 0 again). Progress is measured from the beginning of an element:
as an angle [rad] on a wheel, and as a distance [m] in a span.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from math import acos, asin, atan2, hypot, pi, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.elementary import cos, sin
from chaindrive.geometry.roots import root_to_rounding
from chaindrive.geometry.route import Route

if TYPE_CHECKING:
    from chaindrive.geometry.pitch_line import OvalWheel

__all__ = ["Track", "Walk", "close", "overshoot", "seat_points", "shares_in_plane", "walk"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Point = tuple[float, float]


class Walk(NamedTuple):
    """A sequence of rollers along a route."""

    element: IntArray
    """Shape (n,)."""
    progress: FloatArray
    """Shape (n,). [rad or m]"""
    position: FloatArray
    """Shape (n, 2). [m]"""


class Track:
    """A route in plain numbers, with the step from one roller to the next."""

    def __init__(self, path: Route, tooth: FloatArray | None, chord: float, shares: FloatArray | None = None) -> None:
        """Prepare the route.

        tooth: angle from roller to roller on each wheel [rad], None: that of the chord; chord: length of one step [m];
        shares: projection of the chord onto the plane in each span, as a fraction, (W,), by default 1.
        """
        self.count = 2 * len(path.radii)
        self.chords = [chord] * len(path.radii) if shares is None else (chord * shares).tolist()
        self.limits: list[float] = []
        self.wheels = list(zip(*(a.tolist() for a in (*path.centres.T, path.radii, path.signs)), strict=True))
        self.arrival = path.arrival_angle.tolist()
        self.spans = list(zip(*(a.tolist() for a in (*path.span_start.T, *path.span_direction.T)), strict=True))
        for wrap, length in zip(path.wrap.tolist(), path.span_length.tolist(), strict=True):
            self.limits += [wrap, length]
        self.tooth = [2.0 * asin(chord / (2.0 * r)) for r in path.radii] if tooth is None else tooth.tolist()
        lengths = np.ravel(np.column_stack([path.wrap * path.radii, path.span_length]))
        self.lap = float(lengths.sum())
        self.begin = (np.cumsum(lengths) - lengths).tolist()
        self.oval, self.corners = -1, [(0.0, 0.0)]
        if path.oval is not None:
            self._lay_on_oval(path, path.oval)

    def _lay_on_oval(self, path: Route, oval: OvalWheel) -> None:
        """Place rollers on an oval sprocket at the corners of its polygon.

        An arriving roller meets a circle that touches the span at the first corner.
        """
        w, (first, _) = oval.wheel, path.oval_gaps
        self.oval, sign, radius = w, path.signs[w], path.radii[w]
        places = path.centres[w] + oval.corners
        order = (first + sign.astype(int) * np.arange(len(places))) % len(places)
        self.corners = [(float(x), float(y)) for x, y in places[order]]
        ux, uy = path.span_direction[path.span_before(w)]
        x, y = places[first] + sign * radius * np.array([-uy, ux])
        self.wheels[w] = (float(x), float(y), float(radius), float(sign))
        self.arrival[w] = atan2(-sign * ux, sign * uy)
        self.limits[2 * w] += 1e-6 * self.tooth[w]  # rounding of accumulated angles

    def point(self, element: int, progress: float) -> Point:
        """Position of a roller. [m]"""
        place, span = divmod(element % self.count, 2)
        if span:
            x, y, ux, uy = self.spans[place]
            return x + progress * ux, y + progress * uy
        if place == self.oval:
            return self.corners[round(progress / self.tooth[place]) % len(self.corners)]
        x, y, r, s = self.wheels[place]
        angle = self.arrival[place] + s * progress
        return x + r * math.cos(angle), y + r * math.sin(angle)

    def along(self, element: int, progress: float) -> float:
        """Distance along the route from the touch point on wheel 0, with arcs measured along the arc. [m]"""
        laps, place = divmod(element, self.count)
        scale = 1.0 if place % 2 else self.wheels[place // 2][2]
        return laps * self.lap + self.begin[place] + scale * progress

    def reach(self, element: int, before: int, progress: float, point: Point) -> float:
        """Return the progress on an element of the roller that follows the roller at (before, progress) by one link."""
        place, span = divmod(element % self.count, 2)
        chord = self.chords[before % self.count // 2]
        if element == before:
            return progress + (chord if span else self.tooth[place])
        if span:
            x, y, ux, uy = self.spans[place]
            wx, wy = point[0] - x, point[1] - y
            ahead = wx * ux + wy * uy
            return ahead + sqrt(max(0.0, ahead * ahead - (wx * wx + wy * wy - chord**2)))
        x, y, r, s = self.wheels[place]
        wx, wy = point[0] - x, point[1] - y
        rho = hypot(wx, wy)
        cosine = (rho * rho + r * r - chord**2) / (2.0 * rho * r)
        behind = s * (atan2(wy, wx) - self.arrival[place])
        behind -= 2.0 * pi * round(behind / (2.0 * pi))
        return behind + acos(min(1.0, max(-1.0, cosine)))

    def step(self, element: int, progress: float, point: Point) -> tuple[int, float]:
        """Return the element and progress of the next roller: it is on the first element whose end it does not pass."""
        for ahead in range(element, element + self.count + 1):
            there = self.reach(ahead, element, progress, point)
            if there <= self.limits[ahead % self.count]:
                return ahead, there
        return ahead, there


def walk(
    path: Route,
    tooth: FloatArray | None,
    chord: float,
    steps: int,
    element: int,
    progress: float,
    shares: FloatArray | None = None,
) -> Walk:
    """Return the steps + 1 rollers along a route over ``steps`` links, starting from a given roller.

    tooth: angle from roller to roller on each wheel, shape (W,) [rad], None: chords there as well; chord [m]; shares:
    projection of the chord onto the plane in each span, as a fraction, shape (W,), see ``shares_in_plane``.
    """
    track = Track(path, tooth, chord, shares)
    elements, places, points = [element], [progress], [track.point(element, progress)]
    for _ in range(steps):
        element, progress = track.step(element, progress, points[-1])
        elements.append(element)
        places.append(progress)
        points.append(track.point(element, progress))
    return Walk(np.array(elements), np.array(places), np.array(points))


def overshoot(
    path: Route,
    tooth: FloatArray | None,
    chord: float,
    links: int,
    element: int,
    progress: float,
    shares: FloatArray | None = None,
) -> float:
    """Return the distance by which this number of links with this chord, laid around the route, extends beyond its own
    beginning; negative if the links are too short. [m]

    Arguments as for ``walk``. The distance is zero if the loop closes with the full chord of every link.
    """
    track = Track(path, tooth, chord, shares)
    start = track.along(element, progress)
    for _ in range(links):
        element, progress = track.step(element, progress, track.point(element, progress))
    return track.along(element, progress) - start - track.lap


def shares_in_plane(lay: Walk, offsets: FloatArray, chord: float) -> FloatArray:
    """Return the projection onto the plane of the chord of links between offset wheels, as a fraction, for each span,
    (W,).

    lay: the links of one lap, shape (n,), the last of which ends where the first begins; offsets: of the wheels, normal
    to the plane, shape (W,) [m]. All links from the last roller on a wheel to the first roller on the next wheel cross
    over by equal amounts: sqrt(1 - (offset / (links chord))^2).
    """
    wheels = len(offsets)
    element = lay.element % (2 * wheels)
    between = (element % 2 == 1) | (element != np.roll(element, -1))
    links = np.bincount(element[between] // 2, minlength=wheels)
    across = (np.roll(offsets, -1) - offsets) / (np.maximum(links, 1) * chord)
    return np.sqrt(np.maximum(1.0 - across**2, 0.25))


def close(
    path: Route,
    tooth: FloatArray | None,
    guess: float,
    links: int,
    element: int,
    progress: float,
    shares: FloatArray | None = None,
) -> tuple[float, Walk]:
    """Return the chord with which this number of links closes the loop [m], and the rollers, shape (links,).

    First, the chord is bracketed while rollers may change between span and wheel. Whenever a roller does so, the length
    of the path jumps by up to the stretch of a link. Then every roller is held on its element, and the loop is closed
    to rounding.
    """
    near = _root(lambda d: overshoot(path, tooth, d, links, element, progress, shares), guess, 1e-3)
    elements = walk(path, tooth, near, links - 1, element, progress, shares).element.tolist()
    elements.append(element + 2 * len(path.radii))

    def follow(chord: float) -> list[float]:
        track = Track(path, tooth, chord, shares)
        places = [progress]
        for before, after in pairwise(elements):
            places.append(track.reach(after, before, places[-1], track.point(before, places[-1])))
        return places

    chord = _root(lambda d: follow(d)[-1] - progress, near, 1e-6)
    places, track = follow(chord)[:-1], Track(path, tooth, chord, shares)
    points = [track.point(e, p) for e, p in zip(elements[:-1], places, strict=True)]
    return chord, Walk(np.array(elements[:-1]), np.array(places), np.array(points))


def seat_points(path: Route, wheel: int, progress: FloatArray) -> FloatArray:
    """Positions of rollers on a wheel, shape (n, 2). [m]"""
    angle = path.arrival_angle[wheel] + path.signs[wheel] * progress
    return path.centres[wheel] + path.radii[wheel] * np.column_stack([cos(angle), sin(angle)])


def _root(function: Callable[[float], float], guess: float, width: float) -> float:
    """Return the root of an increasing function near a guess."""
    low, high = guess * (1.0 - width), guess * (1.0 + width)
    while function(low) > 0.0:
        low -= high - low
    while function(high) < 0.0:
        high += high - low
    return root_to_rounding(function, low, high, 1e-18)
