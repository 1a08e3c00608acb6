"""Number of links that fill the path of a chain around its wheels and the rails that press into it."""

from __future__ import annotations

from collections.abc import Iterable
from math import pi
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.errors import InputError
from chaindrive.geometry import guide
from chaindrive.geometry.guide import GuideProfile
from chaindrive.geometry.route import Route, route, taut_route

__all__ = ["RailOnWay", "nearest_span", "pitches_around", "rail_on_way"]


class RailOnWay(NamedTuple):
    """A rail around which the taut chain bends."""

    span: int
    along: float
    """Position of the middle of the rail along the span. [m]"""
    points: NDArray[np.float64]
    """Points on the surface of the rail, shape (n, 2). [m]"""
    radius: float
    """Distance of the pins from the surface. [m]"""
    sign: float
    """+1 if the chain bends to the left around the rail, -1 if to the right."""


def rail_on_way(profile: GuideProfile, way: Route, radius: float, left: bool) -> RailOnWay:
    """Return the rail with its position along the nearest span. radius [m]: as in RailOnWay; left: whether the chain
    bends to the left.
    """
    centre, _ = guide.middle(profile)
    span = nearest_span(way, centre)
    along = float((np.array(centre) - way.span_start[span]) @ way.span_direction[span])
    return RailOnWay(span, along, guide.outline(profile), radius, 1.0 if left else -1.0)


def nearest_span(way: Route, point: tuple[float, float]) -> int:
    """Return the span whose line is nearest to a point [m]. A guide with its middle at this point is meant for this
    span.
    """
    offset = np.asarray(point) - way.span_start
    along = np.clip((offset * way.span_direction).sum(axis=1), 0.0, way.span_length)
    beside = offset - along[:, None] * way.span_direction
    return int(np.argmin(np.hypot(beside[:, 0], beside[:, 1])))


def pitches_aside(spans: ArrayLike, offsets: ArrayLike, pitch: float) -> float:
    """Number of links by which spans in space are longer than in the plane. [-]

    spans: lengths in the plane, shape (W,) [m]; offsets: of the wheels in front of the plane, shape (W,) [m].
    """
    length, aside = np.asarray(spans, dtype=np.float64), np.asarray(offsets, dtype=np.float64)
    return float(np.sum(np.hypot(length, np.roll(aside, -1) - aside) - length)) / pitch


def pitches_around(
    centres: ArrayLike, radii: ArrayLike, signs: ArrayLike, teeth: ArrayLike, pitch: float, rails: Iterable[RailOnWay]
) -> float:
    """Number of links that fill the path around the wheels and the rails that the taut chain touches. [-]

    centres (W, 2), radii, signs as for ``route``; teeth, shape (W,); pitch: of the taut chain [m]. If the chain cannot
    be laid around the rails, only the wheels are considered. Raises InputError if there is no route.
    """
    places, circle_radii, turns = (np.asarray(x, dtype=np.float64) for x in (centres, radii, signs))
    per_angle = np.asarray(teeth, dtype=np.float64) / (2.0 * pi)
    circles: list[tuple[float, float, float, float, float]] = []
    in_order = sorted(rails, key=lambda rail: rail[:2])
    for w, (x, y) in enumerate(places):
        circles.append((x, y, circle_radii[w], turns[w], per_angle[w]))
        for rail in (each for each in in_order if each.span == w):
            # a row of small circles, at the distance of the line of the pins
            circles += [(px, py, rail.radius, rail.sign, 0.0) for px, py in rail.points]
    x, y, radius, sign, tooth = np.array(circles).T
    on_wheel = tooth > 0.0
    try:
        way, at = taut_route(np.column_stack([x, y]), radius, sign, ~on_wheel)
    except InputError:
        way, at = route(places, circle_radii, turns), np.flatnonzero(on_wheel)
    wrapped = np.where(on_wheel[at], tooth[at], way.radii / pitch)
    return float(way.span_length.sum() / pitch + way.wrap @ wrapped)
