"""Placing the joints of an open chain along its route: in the gaps of the wheels, in the spans and at the ends of the
chain.

There are three cases. If an end is free, the remaining links are placed there. A chain between two anchors is stretched
evenly in its spans if it is short. If it is long, one of its spans hangs.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.elementary import cos, sin
from chaindrive.errors import InputError, Problem
from chaindrive.geometry.hanging import hang
from chaindrive.geometry.initial_configuration import (
    LARGEST_SPAN_STRETCH,
    LARGEST_STRAIN,
    ROUNDING,
    InitialConfiguration,
    seated,
)
from chaindrive.geometry.open_route import turned_round
from chaindrive.geometry.roots import root_to_rounding
from chaindrive.geometry.route import Route, length_in_pitches
from chaindrive.geometry.walk import Track, Walk

__all__ = ["place_open_chain"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

APART = 0.5
"""Smallest distance, in pitches, that is assumed between two anchors from which a chain hangs. [-]"""
MOST_CHANGES = 200
"""Largest number of times that rollers beside a hanging span are seated or lifted."""


def place_open_chain(
    way: Route,
    teeth: ArrayLike,
    pitch: float,
    links: int,
    free: tuple[bool, bool],
    gravity: tuple[float, float] = (0.0, -9.81),
    slack_span: int | None = None,
) -> InitialConfiguration:
    """Place the links + 1 joints of an open chain.

    way: an open route, on the circles of the wrapped rollers; teeth: shape (W,); pitch [m]; free: for each of the two
    ends, whether it is free; gravity [m/s^2]: only its direction is used; slack_span: the span that hangs if a chain
    between two anchors is longer than its route, by default the longest span.

    Roller i of the result is joint i, joined to the next by link i; there are links + 1 of them.
    Raises InputError for a chain that does not fit.
    """
    z = np.asarray(teeth, dtype=np.int64).reshape(-1)
    if free[1] or free[0]:
        lay = _laid_from_an_end(way, z, pitch, links, backwards=not free[1])
        return _assembled(way, z, pitch, lay, pitch, pitch, -1, 0.0)
    needed = length_in_pitches(way, pitch, z)
    if needed > links * (1.0 + LARGEST_STRAIN):
        raise InputError(_too_short(needed, links))
    if needed > links * (1.0 - ROUNDING):
        lay, spacing = _stretched(way, z, pitch, links)
        if spacing > (1.0 + LARGEST_SPAN_STRETCH) * pitch:
            raise InputError(_too_short(needed, links))
        if spacing > pitch * (1.0 - ROUNDING):
            return _assembled(way, z, pitch, lay, spacing, pitch * max(needed / links, 1.0), -1, 0.0)
    span = int(np.argmax(way.span_length)) if slack_span is None or slack_span < 0 else slack_span
    hung = next(
        (found for g in (gravity, (0.0, 0.0)) if (found := _hanging(way, z, pitch, links, span, g)) is not None), None
    )
    if hung is None:
        message = (
            f"the route needs {needed:.2f} pitches, and there is no room for the rest of the {links} links: use fewer"
        )
        raise InputError(Problem("chain.links", message, str(links)))
    lay, sag = hung
    return _assembled(way, z, pitch, lay, pitch, pitch, span, sag)


def _track(way: Route, teeth: IntArray, chord: float) -> Track:
    """Return the open route as a ring: a wheel of zero radius at the first end, the span to wheel 0, then wheels and
    spans alternately. The last element has no end.
    """
    nothing = np.zeros((1, 2))
    trailing = len(way.span_length) - len(way.radii) + 1 - way.leading

    def spans(values: FloatArray) -> FloatArray:
        around = np.zeros((1, *values.shape[1:]))
        return np.concatenate([*([around] * (1 - way.leading)), values, *([around] * (1 - trailing))])

    ring = way._replace(
        centres=np.concatenate([nothing, way.centres]),
        radii=np.concatenate([[chord], way.radii]),
        signs=np.concatenate([[1.0], way.signs]),
        span_start=spans(way.span_start),
        span_end=spans(way.span_end),
        span_direction=spans(way.span_direction),
        span_length=spans(way.span_length),
        arrival_angle=np.concatenate([[0.0], way.arrival_angle]),
        departure_angle=np.concatenate([[0.0], way.departure_angle]),
        wrap=np.concatenate([[0.0], way.wrap]),
    )
    track = Track(ring, np.concatenate([[np.pi], 2.0 * np.pi / teeth]), chord)
    track.limits[_last_element(way)] = np.inf
    return track


def _first_element(way: Route) -> int:
    return 1 if way.leading else 2


def _last_element(way: Route) -> int:
    """Return the element at the second end of the route: its last span or its last wheel."""
    trailing = len(way.span_length) - len(way.radii) + 1 - way.leading
    return 2 * len(way.radii) + (1 if trailing else 0)


def _walked(way: Route, teeth: IntArray, chord: float, links: int) -> Walk:
    """Return all links + 1 joints, starting at the first end."""
    track = _track(way, teeth, chord)
    element, progress = _first_element(way), 0.0
    elements, places, points = [element], [progress], [track.point(element, progress)]
    for _ in range(links):
        element, progress = track.step(element, progress, points[-1])
        elements.append(element)
        places.append(progress)
        points.append(track.point(element, progress))
    return Walk(np.array(elements), np.array(places), np.array(points))


def _laid_from_an_end(way: Route, teeth: IntArray, pitch: float, links: int, backwards: bool) -> Walk:
    """Return all joints, laid one after the other from the end that is held or whose position is given."""
    here, z = (turned_round(way), teeth[::-1]) if backwards else (way, teeth)
    lay = _walked(here, z, pitch, links)
    if lay.element[-1] < _last_element(here):
        raise InputError(_too_short(length_in_pitches(way, pitch, teeth), links))
    return _backwards(lay, way) if backwards else lay


def _backwards(lay: Walk, way: Route) -> Walk:
    """Return joints that were laid along the reversed route, in the order of the route itself."""
    return Walk(2 * len(way.radii) + 2 - lay.element[::-1], np.zeros(len(lay.element)), lay.position[::-1])


def _stretched(way: Route, teeth: IntArray, pitch: float, links: int) -> tuple[Walk, float]:
    """Return the joints between two anchors, and the chord of the links in the spans [m]."""
    last = _last_element(way)
    end = float(way.span_length[-1]) if last % 2 else float(way.wrap[-1])

    def missing(chord: float) -> float:
        lay = _walked(way, teeth, chord, links)
        short = 2.0 * (last - int(lay.element[-1])) * pitch
        return float(lay.progress[-1]) - end - short if lay.element[-1] == last else -end - short

    low, high = 0.98 * pitch, 1.02 * pitch
    while missing(low) > 0.0 and low > 0.1 * pitch:
        low -= 0.02 * pitch
    while missing(high) < 0.0 and high < 2.0 * pitch:
        high += 0.02 * pitch
    near = root_to_rounding(missing, low, high, 1e-18)
    elements = _walked(way, teeth, near, links).element.tolist()

    def follow(chord: float) -> list[float]:
        track, places = _track(way, teeth, chord), [0.0]
        for before, after in pairwise(elements):
            places.append(track.reach(after, before, places[-1], track.point(before, places[-1])))
        return places

    wide = 1e-6 * near
    low, high = near - wide, near + wide
    while follow(low)[-1] > end and low > 0.5 * near:
        low -= high - low
    while follow(high)[-1] < end and high < 1.5 * near:
        high += high - low
    chord = root_to_rounding(lambda d: follow(d)[-1] - end, low, high, 1e-18)
    places, track = follow(chord), _track(way, teeth, chord)
    points = [track.point(e, p) for e, p in zip(elements, places, strict=True)]
    return Walk(np.array(elements), np.array(places), np.array(points)), chord


class _Side:
    """The chain from an anchor to the hanging span: its joints in order, and the number of joints on the wheel beside
    the span.
    """

    def __init__(self, way: Route, teeth: IntArray, pitch: float, span_element: int, links: int) -> None:
        """Lay the chain from its anchor. span_element: element of the hanging span, on a route walked from this
        anchor.
        """
        self.way, self.wheel = way, span_element // 2 - 1
        lay = _walked(way, teeth, pitch, links) if self.wheel >= 0 else _walked(way, teeth, pitch, 0)
        kept = lay.element < span_element if self.wheel >= 0 else np.ones(1, dtype=bool)
        self.lay = Walk(lay.element[kept], lay.progress[kept], lay.position[kept])
        self.tooth = float(2.0 * np.pi / teeth[self.wheel]) if self.wheel >= 0 else 0.0
        self.seated = int(np.count_nonzero(self.lay.element == span_element - 1)) if self.wheel >= 0 else 0
        self.more = 0

    @property
    def joints(self) -> tuple[IntArray, FloatArray]:
        """Elements and positions of the joints, after joints have been added or removed beside the span."""
        count = len(self.lay.element)
        if self.more <= 0:
            return self.lay.element[: count + self.more], self.lay.position[: count + self.more]
        begin = self.lay.progress[-1] if self.seated else -self.tooth
        angle = self.way.arrival_angle[self.wheel] + self.way.signs[self.wheel] * (
            begin + self.tooth * np.arange(1, self.more + 1)
        )
        arm = self.way.radii[self.wheel] * np.column_stack([cos(angle), sin(angle)])
        element = np.full(self.more, 2 * (self.wheel + 1))
        return (
            np.concatenate([self.lay.element, element]),
            np.concatenate([self.lay.position, self.way.centres[self.wheel] + arm]),
        )

    def change(self, curve: FloatArray, pitch: float) -> int:
        """Return +1 if the curve on this side enters the wheel, -1 if it lifts the last joint off the wheel, else 0."""
        if self.wheel < 0:
            return 0
        arm = curve[1:-1] - self.way.centres[self.wheel]
        radius = float(self.way.radii[self.wheel])
        if radius - np.hypot(arm[:, 0], arm[:, 1]).min(initial=np.inf) > 1e-6 * pitch:
            return 1
        _, places = self.joints
        if len(places) < 2 or self.seated + self.more < 1:
            return 0
        (ax, ay), (bx, by) = places[-1] - places[-2], curve[1] - places[-1]
        return -1 if self.way.signs[self.wheel] * (ax * by - ay * bx) < 0.0 else 0


def _hanging(
    way: Route, teeth: IntArray, pitch: float, links: int, span: int, gravity: tuple[float, float]
) -> tuple[Walk, float] | None:
    """Lay the chain from both anchors to the hanging span, and let the rest hang; also return the sag [m]."""
    element = 2 * (span - way.leading) + 3
    last = 2 * len(way.radii) + 2
    head = _Side(way, teeth, pitch, element, links)
    tail = _Side(turned_round(way), teeth[::-1], pitch, last - element, links)
    u = way.span_direction[span]
    side = np.array([-u[1], u[0]]) * (-1.0 if np.sum(way.signs) >= 0.0 else 1.0)
    seen: set[tuple[int, int]] = set()
    while True:
        (elements, before), (others, after) = head.joints, tail.joints
        rest = links + 1 - len(before) - len(after)
        if rest < 0:
            return None
        curve = _curve(before[-1], after[-1], rest + 1, pitch, gravity, side)
        if curve is None:
            return None
        if (head.more, tail.more) in seen or len(seen) == MOST_CHANGES:  # settled, or one joint alternates
            break
        seen.add((head.more, tail.more))
        change = head.change(curve, pitch)
        head.more += change
        tail.more += 0 if change else tail.change(curve[::-1], pitch)
    inside = np.full(links + 1 - len(before) - len(after), element)
    position = np.concatenate([before, curve[1:-1], after[::-1]])
    where = np.concatenate([elements, inside, last - others[::-1]])
    line = curve[-1] - curve[0]
    distance = float(np.hypot(*line))
    off = (curve - curve[0]) @ np.array([-line[1], line[0]]) / distance if distance > 0.0 else curve[:, 1] - curve[0, 1]
    return Walk(where, np.zeros(links + 1), position), float(np.abs(off).max())


def _curve(
    begin: FloatArray, end: FloatArray, links: int, pitch: float, gravity: tuple[float, float], side: FloatArray
) -> FloatArray | None:
    """Return the joints of a chain that hangs between two points, which may coincide."""
    if links == 1:
        return np.stack([begin, end])
    if float(np.hypot(*(end - begin))) >= APART * pitch:
        return hang(begin, end, links, pitch, gravity, side)
    gx, gy = gravity if any(gravity) else (0.0, -1.0)
    shift = 0.5 * APART * pitch * np.array([-gy, gx]) / np.hypot(gx, gy)
    curve = hang(begin - shift, end + shift, links, pitch, gravity if any(gravity) else (0.0, -1.0), side)
    if curve is not None:
        curve[0], curve[-1] = begin, end
    return curve


def _assembled(
    way: Route, teeth: IntArray, pitch: float, lay: Walk, spacing: float, even: float, slack_span: int, sag: float
) -> InitialConfiguration:
    """Turn the wheels so that every wrapped roller lies in a gap."""
    element, position = lay.element - 2, lay.position  # the track of an open route begins with two elements of the ring
    ahead = np.gradient(position, axis=0)
    ahead /= np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), 1e-300)[:, None]
    on_one = (element[:-1] % 2 == 0) & (element[1:] == element[:-1])
    span_of_link = np.where(on_one, -1, element[:-1] // 2 + way.leading)
    return seated(way, teeth, pitch, element, position, ahead, span_of_link, spacing, even, slack_span, sag)


def _too_short(needed: float, links: int) -> Problem:
    message = (
        f"the route needs {needed:.2f} pitches; the chain has {links} links: use more, or move its ends closer together"
    )
    return Problem("chain.links", message, str(links))
