"""The route of an open chain: from its first end around the wheels to its second end."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.elementary import arctan2
from chaindrive.errors import InputError, Problem
from chaindrive.geometry.route import Route

__all__ = ["RouteEnd", "open_route", "turned_round"]

FloatArray = NDArray[np.float64]

SHORTEST_FREE_SPAN = 0.5
"""Smallest length, in pitches, of the span to a free end. It is used if no links are left for this span. [-]"""


class RouteEnd(NamedTuple):
    """An end of an open route: exactly one of the three fields is given."""

    point: tuple[float, float] | None = None
    """Position of the end. [m]"""
    on_wheel: float | None = None
    """Direction from the centre of the adjacent wheel to the point of the wheel at which the route begins or ends.
    [rad]
    """
    towards: tuple[float, float] | None = None
    """Unit vector of the last link of the chain, towards its free end."""


def open_route(
    centres: ArrayLike,
    radii: ArrayLike,
    signs: ArrayLike,
    teeth: ArrayLike,
    ends: tuple[RouteEnd, RouteEnd],
    links: int,
    pitch: float,
) -> Route:
    """Tangents, spans and wrap angles of an open chain with this number of links.

    centres: shape (W, 2) [m], W >= 0; radii, signs, teeth: shape (W,), as for ``geometry.route.route``; pitch [m].
    Spans and tangents are found as for a closed ``Route``, with the ends as circles of zero radius. The span to a free
    end holds the remaining links, and is at least half a pitch long. Raises InputError if circles overlap, an end is
    inside a wheel, or two consecutive points coincide.
    """
    c = np.asarray(centres, dtype=np.float64).reshape(-1, 2)
    r, s = np.asarray(radii, dtype=np.float64).reshape(-1), np.asarray(signs, dtype=np.float64).reshape(-1)
    z = np.asarray(teeth, dtype=np.float64).reshape(-1)
    first, second = ends
    if first.point is None and second.point is None and not len(c):
        raise InputError(Problem("chain.ends", "a chain without wheels needs the position of one of its ends"))
    if not len(c) and (first.towards is not None or second.towards is not None):
        return _hanging_alone(ends, links, pitch)
    places = [(centre, float(radius), float(sign)) for centre, radius, sign in zip(c, r, s, strict=True)]
    names = [f"wheels[{w}].position" for w in range(len(c))]
    for end, at in ((first, 0), (second, len(c) + 1)):
        if end.point is not None:
            places.insert(at, (np.array(end.point), 0.0, 1.0))
            names.insert(at, f"chain.ends[{min(at, 1)}].position")
    starts, stops, along = _between(places, names)
    before = [] if first.towards is None else [_leaving(c[0], r[0], s[0], -np.array(first.towards))]
    after = [] if second.towards is None else [_leaving(c[-1], r[-1], s[-1], np.array(second.towards))]
    direction = np.array([u for _, u in before] + along + [u for _, u in after])
    span_start = np.array([p for p, _ in before] + starts + [p for p, _ in after])
    span_end = np.array([p for p, _ in before] + stops + [p for p, _ in after])
    leading = 0 if first.on_wheel is not None else 1
    arrival, departure, wrap = _around(direction, s, leading, first.on_wheel, second.on_wheel)
    length = np.hypot(*(span_end - span_start).T) if len(direction) else np.zeros(0)
    left = (links - float(wrap @ z) / (2.0 * np.pi)) * pitch - float(length.sum())
    free = max(left, SHORTEST_FREE_SPAN * pitch)
    if before:
        span_start[0], length[0] = span_end[0] - free * direction[0], free
    if after:
        span_end[-1], length[-1] = span_start[-1] + free * direction[-1], free
    return Route(
        centres=c,
        radii=r,
        signs=s,
        span_start=span_start.reshape(-1, 2),
        span_end=span_end.reshape(-1, 2),
        span_direction=direction.reshape(-1, 2),
        span_length=length,
        arrival_angle=arrival,
        departure_angle=departure,
        wrap=wrap,
        closed=False,
        leading=leading,
    )


def turned_round(way: Route) -> Route:
    """Return an open route as seen from its second end."""
    trailing = len(way.span_length) - len(way.radii) + 1 - way.leading
    return way._replace(
        centres=way.centres[::-1],
        radii=way.radii[::-1],
        signs=-way.signs[::-1],
        span_start=way.span_end[::-1],
        span_end=way.span_start[::-1],
        span_direction=-way.span_direction[::-1],
        span_length=way.span_length[::-1],
        arrival_angle=way.departure_angle[::-1],
        departure_angle=way.arrival_angle[::-1],
        wrap=way.wrap[::-1],
        leading=trailing,
    )


def _hanging_alone(ends: tuple[RouteEnd, RouteEnd], links: int, pitch: float) -> Route:
    """Return a route of one straight span, from the end whose position is known."""
    first, second = ends
    length = links * pitch
    if first.point is not None:
        start = np.array(first.point)
        u = np.array(second.towards)
    else:
        u = -np.array(first.towards)
        start = np.array(second.point) - length * u
    none = np.zeros(0)
    return Route(
        centres=np.zeros((0, 2)),
        radii=none,
        signs=none,
        span_start=start[None],
        span_end=(start + length * u)[None],
        span_direction=u[None],
        span_length=np.array([length]),
        arrival_angle=none,
        departure_angle=none,
        wrap=none,
        closed=False,
        leading=1,
    )


def _between(
    places: list[tuple[FloatArray, float, float]], names: list[str]
) -> tuple[list[FloatArray], list[FloatArray], list[FloatArray]]:
    """Return the beginning, end and direction of the tangent from every circle to the next."""
    starts, stops, along, problems = [], [], [], []
    for k, ((c, r, s), (d, q, t)) in enumerate(pairwise(places)):
        between, offset = d - c, t * q - s * r
        distance = float(np.hypot(*between))
        if distance <= max(abs(offset), 1e-12):
            message = (
                f"leaves no path for the chain from {names[k].rpartition('.')[0]}: the two must be more than "
                f"{abs(offset):.6g} m apart"
            )
            problems.append(Problem(names[k + 1], message, f"{distance:.6g} m"))
            continue
        length = np.sqrt(distance**2 - offset**2)
        u = (length * between - offset * np.array([-between[1], between[0]])) / distance**2
        u /= np.hypot(*u)
        normal = np.array([-u[1], u[0]])
        starts.append(c - s * r * normal)
        stops.append(d - t * q * normal)
        along.append(u)
    if problems:
        raise InputError(problems)
    return starts, stops, along


def _leaving(centre: FloatArray, radius: float, sign: float, u: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the point at which the chain, running along u, leaves or meets a wheel, and u itself."""
    return centre - sign * radius * np.array([-u[1], u[0]]), u


def _around(
    direction: FloatArray, signs: FloatArray, leading: int, begins: float | None, ends: float | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Angles of arrival and departure, and the wrap, of every wheel, shape (W,) each. [rad]

    begins, ends: directions from the centre of the first and the last wheel to the points at which the route begins and
    ends on them; None: the route does not begin or end on a wheel.
    """
    count = len(signs)
    arrival, departure = np.zeros(count), np.zeros(count)
    for w, s in enumerate(signs):
        first, last = w == 0 and begins is not None, w == count - 1 and ends is not None
        arrival[w] = begins if first else _seen(direction[w + leading - 1], s)
        departure[w] = ends if last else _seen(direction[w + leading], s)
    wrap = np.mod(signs * (departure - arrival), 2.0 * np.pi)
    wrap = np.where(wrap > 2.0 * np.pi - 1e-9, 0.0, wrap)
    return np.mod(arrival, 2.0 * np.pi), np.mod(departure, 2.0 * np.pi), wrap


def _seen(u: FloatArray, sign: float) -> float:
    """Direction from the centre of a wheel to the point at which a span along u touches it. [rad]"""
    return float(arctan2(-sign * u[0], sign * u[1]))
