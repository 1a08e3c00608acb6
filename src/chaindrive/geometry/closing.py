"""The tensioner coordinate at which a chain with a given number of links closes around its wheels."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.errors import InputError
from chaindrive.geometry.initial_configuration import SETTLED, first_wheel
from chaindrive.geometry.roots import root_to_rounding
from chaindrive.geometry.route import Route, length_in_pitches, oval_route, pitch_radius, route
from chaindrive.geometry.walk import overshoot, shares_in_plane, walk

if TYPE_CHECKING:
    from chaindrive.geometry.pitch_line import OvalWheel

__all__ = ["Closing", "Loop", "closing", "fewest_links"]

FloatArray = NDArray[np.float64]

STEPS = 180
"""Number of steps into which the travel of the tensioner is divided. The route is computed at their ends."""


class Loop(NamedTuple):
    """A loop of chain around wheels, some of which a tensioner moves."""

    centres_at: Callable[[float], ArrayLike]
    """Wheel centres in route order for a coordinate of the tensioner, shape (W, 2). [m]"""
    teeth: ArrayLike
    """Numbers of teeth, shape (W,)."""
    signs: ArrayLike
    """+1 where the chain turns the wheel counter-clockwise, -1 clockwise, shape (W,)."""
    pitch: float
    """Pitch of the taut chain. [m]"""
    radii: ArrayLike | None = None
    """Radii of the circles on which the wrapped rollers lie, shape (W,) [m]; None: the pitch circles."""
    offsets: ArrayLike | None = None
    """Offsets of the wheels in front of the plane, shape (W,) [m]; None: all in one plane."""
    oval: OvalWheel | None = None
    """The oval sprocket at its present angle, if there is one."""

    def route_at(self, coordinate: float) -> Route:
        """Return the route with the tensioner at this coordinate. Raises InputError if there is none."""
        radii = pitch_radius(self.pitch, self.teeth) if self.radii is None else self.radii
        path = route(self.centres_at(coordinate), radii, self.signs)
        return path if self.oval is None else oval_route(path, self.oval)

    def pitches_at(self, coordinate: float) -> float:
        """Return the number of links that fill the route with the tensioner at this coordinate, to a few hundredths;
        NaN if there is no route.
        """
        try:
            return length_in_pitches(self.route_at(coordinate), self.pitch, self.teeth)
        except InputError:
            return np.nan


class Closing(NamedTuple):
    """Position of a tensioner with the chain fitted."""

    coordinate: float
    """Coordinate at which the loop closes or, if it does not, is nearest to closing."""
    spare: float
    """Length by which the chain is longer than every possible route; negative: it is shorter than all of them; 0: it
    closes. [m]
    """
    rate: float
    """Derivative of the length of the route with respect to the coordinate. [m per unit of the coordinate]"""

    @property
    def closes(self) -> bool:
        """Whether the loop closes at some position."""
        return self.spare == 0.0


def closing(loop: Loop, links: int, start: float, end: float, slack: float = 0.0) -> Closing:
    """Return the coordinate at which the loop with this number of links closes, as the tensioner moves from ``start``
    towards ``end``.

    This is the first coordinate at which the increasing length of the route reaches that of the chain. The chain is
    mounted with the tensioner held at ``start``; when released, the tensioner moves until the chain stops it. Wrapped
    links are chords of the pitch circles, seated from the first one on the first wheel. Links between offset wheels
    share the offset evenly, as in ``place_chain``. So the length of every link is the pitch, to rounding. slack: length
    by which the chain is longer than the route [m]; the position then follows from the length of the route, without
    seating. Raises InputError if there is no route at any coordinate.
    """
    wanted = links - slack / loop.pitch
    places, needed = _along_the_way(loop, start, end)
    rises = _rises(needed, wanted)
    if len(rises) == 0:
        return _nearest(loop, places, needed, wanted)
    k = int(rises[0])
    found = root_to_rounding(lambda q: loop.pitches_at(q) - wanted, places[k], places[k + 1], 1e-16)
    if slack == 0.0:
        found = _seated(loop, links, found, np.sort([start, end]))
    return Closing(found, 0.0, _rate(loop, found, (end - start) / STEPS))


def fewest_links(loop: Loop, start: float, end: float) -> int:
    """Return the smallest even number of links with which the loop closes somewhere along the travel of the tensioner.

    Raises InputError if there is no route at any coordinate.
    """
    _, needed = _along_the_way(loop, start, end)
    least, most = float(np.nanmin(needed)), float(np.nanmax(needed))
    first = 2 * int(np.ceil(0.5 * least))
    for links in range(first, max(int(most), first) + 1, 2):
        if len(_rises(needed, links)):
            return links
    return first


def _along_the_way(loop: Loop, start: float, end: float) -> tuple[FloatArray, FloatArray]:
    """Return coordinates along the travel of the tensioner, and the number of links that fill the route at each.

    The number is NaN where there is no route. Raises InputError if there is no route at any of the coordinates.
    """
    places = np.linspace(start, end, STEPS + 1)
    needed = np.array([loop.pitches_at(q) for q in places])
    if not np.isfinite(needed).any():
        loop.route_at(end)  # raises, with the reason
    return places, needed


def _rises(needed: FloatArray, wanted: float) -> NDArray[np.int64]:
    """Return the steps of the travel in which the increasing length of the route reaches that of the chain."""
    return np.flatnonzero((needed[:-1] < wanted) & (needed[1:] >= wanted))


def _nearest(loop: Loop, places: FloatArray, needed: FloatArray, wanted: float) -> Closing:
    """Return the position with the longest route, if the chain is too long, or with the shortest route, if it is too
    short.
    """
    short = bool(np.nanmin(needed) > wanted)
    k = int(np.nanargmin(needed) if short else np.nanargmax(needed))
    place = float(places[k])
    spare = (wanted - float(needed[k])) * loop.pitch
    return Closing(place, spare or loop.pitch * 1e-9, _rate(loop, place, places[1] - places[0]))


def _rate(loop: Loop, place: float, step: float) -> float:
    """Return the derivative of the length of the route, by differences over a hundredth of a step, one-sided at the
    ends of the range. [m per unit of the coordinate]
    """
    h = 0.01 * abs(step)
    at = [q for q in (place - h, place, place + h) if np.isfinite(loop.pitches_at(q))]
    if len(at) < 2:
        return np.nan
    return (loop.pitches_at(at[-1]) - loop.pitches_at(at[0])) * loop.pitch / (at[-1] - at[0])


def _seated(loop: Loop, links: int, near: float, limits: FloatArray) -> float:
    """Return the coordinate near the given one at which the links, seated one by one, close the loop to rounding."""
    tooth = 2.0 * np.pi / np.asarray(loop.teeth, dtype=np.float64)
    offsets = None if loop.offsets is None else np.asarray(loop.offsets, dtype=np.float64)
    shares: FloatArray | None = None

    def excess(q: float) -> float:
        path = loop.route_at(q)
        return overshoot(path, tooth, loop.pitch, links, 2 * first_wheel(path, tooth), 0.0, shares)

    found = _root_near(excess, near, limits, near)
    if offsets is None or np.ptp(offsets) == 0.0:
        return found
    for _ in range(SETTLED):
        path, before = loop.route_at(found), shares
        lay = walk(path, tooth, loop.pitch, links - 1, 2 * first_wheel(path, tooth), 0.0, shares)
        shares = shares_in_plane(lay, offsets, loop.pitch)
        if before is not None and np.allclose(shares, before, rtol=0.0, atol=1e-15):
            break
        found = _root_near(excess, found, limits, near)
    return found


def _root_near(function: Callable[[float], float], near: float, limits: FloatArray, default: float) -> float:
    """Return the root of a function near a given point and within limits, or the default if there is none. The interval
    around the point is widened until it contains a root.
    """
    width = 1e-4 * float(limits[1] - limits[0])
    for _ in range(12):
        low, high = max(near - width, limits[0]), min(near + width, limits[1])
        try:
            below, above = function(low), function(high)
        except InputError:
            return default
        if below * above <= 0.0:
            return root_to_rounding(function, low, high, 1e-16)
        width *= 2.0
    return default
