"""Collisions along a route: wheels, spans and rails that overlap.

The chain is modelled as the line of its roller centres, with a roller radius on both sides. A wheel is modelled as its
tip circle and, where the chain lies on it, the circle that encloses the rollers. A rail is a surface without thickness.
Plates are ignored, as they pass beside the teeth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chaindrive.geometry.route import Route

__all__ = ["TOLERANCE", "Finding", "Kind", "Layout", "Rail", "findings", "lies_on", "nearest_points", "straight_lines"]

FloatArray = NDArray[np.float64]

TOLERANCE = 0.02
"""Overlap of parts, in pitches, up to which it is not reported: such an overlap is due to play, rounding or bedding
in. [-]
"""

SAME_PLACE = 2.0 * np.pi
"""Distance along the chain, in roller radii, up to which two points are taken to be at the same place. [-]"""
BOX = 1.01
"""Distance between the bounding boxes of two segments, in roller diameters, up to which the distance between the
segments is computed. [-]
"""

Kind: TypeAlias = Literal[
    "wheel in span", "wheel meets span", "wheels", "spans", "rail in wheel", "rail on wheel", "rail across span",
    "rail beside span",
]  # fmt: skip
"""Kinds of findings.

wheel in span: the pitch circle of a wheel, or the chain on it, intersects a span to which it does not belong. wheel
meets span: only the teeth of a wheel reach between the rollers of such a span (permissible if both move in the same
direction). wheels: the tips of two wheels overlap, or one wheel and the chain on the other. spans: two spans cross, or
their rollers overlap. rail in wheel: a rail is inside the root circle. rail on wheel: a rail is between the teeth, or
presses on the chain on the wheel. rail across span: a rail crosses a span for which it is not meant. rail beside span:
a rail touches the rollers of such a span.
"""


class Rail(NamedTuple):
    """The surface of a guide as a polyline."""

    surface: FloatArray
    """Points in order, with the material on the right, shape (n, 2). [m]"""
    span: int
    """The span for which the rail is meant."""
    contact_radius: float
    """Distance between roller centre and surface at which contact begins. [m]"""


class Layout(NamedTuple):
    """A route with W wheels and W spans, and the extents of all parts."""

    route: Route
    tips: FloatArray
    """Tip radius of every wheel, shape (W,). [m]"""
    roller_radius: float
    """[m]"""
    pitch: float
    """[m]"""
    lines: tuple[FloatArray, ...]
    """Roller centres of every span as a polyline from one wheel to the next, shape (n, 2) each. [m]"""
    rails: tuple[Rail, ...] = ()


class Finding(NamedTuple):
    """Two parts that collide."""

    kind: Kind
    first: int
    """Index of the part that the kind names first."""
    second: int
    """Index of the other part."""
    amount: float
    """Depth by which they overlap. [m]"""
    at: tuple[float, float]
    """Position of the collision. [m]"""


def straight_lines(route: Route) -> tuple[FloatArray, ...]:
    """Return the spans of a taut chain as polylines of two points."""
    return tuple(np.stack(ends) for ends in zip(route.span_start, route.span_end, strict=True))


def apart(line: FloatArray, others: Iterable[FloatArray]) -> float:
    """Return the smallest distance between a polyline, shape (n, 2), and others [m]; 0 if it crosses one of them."""
    starts, ends = (np.concatenate([other[part] for other in others]) for part in (slice(None, -1), slice(1, None)))
    return min(float(_between_segments(a, b, starts, ends)[0].min()) for a, b in pairwise(line))


def findings(layout: Layout) -> tuple[Finding, ...]:
    """Return all pairs of parts that overlap by more than the tolerance."""
    found = (
        *_wheels_in_spans(layout),
        *_wheels_at_wheels(layout),
        *_spans_at_spans(layout),
        *_rails_at_wheels(layout),
        *_rails_at_spans(layout),
    )
    least = TOLERANCE * layout.pitch
    return tuple(finding for finding in found if finding.amount > least)


def _wheels_in_spans(layout: Layout) -> Iterator[Finding]:
    """Yield the wheels that intersect spans. A wheel may touch the spans before and after it. Every other span must
    clear it, except a loop that hangs between coaxial wheels, which lies beside the other spans.
    """
    way, radius, beside = layout.route, layout.roller_radius, layout.route.one_centre
    reach = np.maximum(layout.tips, way.radii + radius) + radius
    for k, line in enumerate(layout.lines):
        if k == way.loop:
            continue
        points = nearest_points(line, way.centres)
        arms = points - way.centres
        distance = np.hypot(arms[:, 0], arms[:, 1])
        for w in np.flatnonzero(distance < reach):
            if k in (way.span_after(int(w)), way.span_before(int(w))) or beside[w, _wheels_at(way, k)].any():
                continue
            wrapped = bool(_wrapped(way, int(w), arms[w]))
            outer = max(float(layout.tips[w]), float(way.radii[w]) + radius) if wrapped else float(layout.tips[w])
            meshes = not wrapped and distance[w] > way.radii[w] - TOLERANCE * layout.pitch
            kind: Kind = "wheel meets span" if meshes else "wheel in span"
            yield Finding(kind, int(w), k, outer + radius - float(distance[w]), _pair(points[w]))


def _wheels_at_wheels(layout: Layout) -> Iterator[Finding]:
    way, radius = layout.route, layout.roller_radius
    largest = np.maximum(layout.tips, way.radii + radius)
    between = way.centres[None] - way.centres[:, None]
    distance = np.hypot(between[..., 0], between[..., 1])
    near = (distance < largest[:, None] + largest[None]) & ~way.one_centre
    for i, j in np.argwhere(np.triu(near, 1)):
        chain = [
            float(way.radii[w]) + radius if _wrapped(way, w, arm) else 0.0
            for w, arm in ((int(i), between[i, j]), (int(j), between[j, i]))
        ]
        outer = max(float(layout.tips[i]), chain[0]) + max(float(layout.tips[j]), chain[1])
        at = way.centres[i] + between[i, j] * (layout.tips[i] / max(float(distance[i, j]), 1e-300))
        yield Finding("wheels", int(i), int(j), outer - float(distance[i, j]), _pair(at))


def _wheels_at(way: Route, span: int) -> list[int]:
    """Return the wheels at the ends of a span."""
    return [w for w in way.wheels_of(span) if w >= 0]


def _wrapped(way: Route, w: int, arm: FloatArray) -> bool:
    """The same as ``lies_on``, for an arm given by two coordinates."""
    return lies_on(way, w, complex(*arm))


def lies_on(way: Route, w: int, arm: complex) -> bool:
    """Return whether the chain lies on wheel w in the direction of the arm from the wheel's centre."""
    turned = way.signs[w] * (np.angle(arm) - way.arrival_angle[w]) % (2.0 * np.pi)
    return bool(turned < way.wrap[w])


def _spans_at_spans(layout: Layout) -> Iterator[Finding]:
    """Yield spans that cross, or are closer to each other than a roller diameter, except near a wheel that they share.

    Spans at different coaxial wheels are not in one plane.
    """
    way = layout.route
    at = [_wheels_at(way, k) for k in range(len(layout.lines))]
    start = np.concatenate([line[:-1] for line in layout.lines])
    end = np.concatenate([line[1:] for line in layout.lines])
    span = np.repeat(np.arange(len(layout.lines)), [len(line) - 1 for line in layout.lines])
    along = _along_the_loop(layout)
    total = float(way.span_length.sum() + way.wrap @ way.radii)
    size = 2.0 * layout.roller_radius
    low, high = np.minimum(start, end) - BOX * size, np.maximum(start, end) + BOX * size
    for k, line in enumerate(layout.lines[:-1]):
        later = np.flatnonzero(span > k)
        nearest: dict[int, tuple[float, FloatArray]] = {}
        for a, b, here in zip(line[:-1], line[1:], along[span == k], strict=True):
            others = later[((low[later] <= np.maximum(a, b)) & (high[later] >= np.minimum(a, b))).all(axis=1)]
            if not others.size:
                continue
            distance, s, t = _between_segments(a, b, start[others], end[others])
            way_on = np.abs(
                along[others] + t * np.hypot(*(end[others] - start[others]).T) - here - s * np.hypot(*(b - a))
            )
            apart = (np.minimum(way_on, total - way_on) if way.closed else way_on) > SAME_PLACE * layout.roller_radius
            for o in np.flatnonzero(apart & (distance < size)):
                other = int(span[others[o]])
                if other not in nearest or distance[o] < nearest[other][0]:
                    nearest[other] = float(distance[o]), a + s[o] * (b - a)
        for other, (distance_, place) in sorted(nearest.items()):
            if not way.one_centre[np.ix_(at[k], at[other])].any():
                yield Finding("spans", k, other, size - distance_, _pair(place))


def _along_the_loop(layout: Layout) -> FloatArray:
    """Return the distance along the route from its contact with wheel 0 to the start of every segment of all
    spans. [m]
    """
    way = layout.route
    parts, reached = [], 0.0
    for k, line in enumerate(layout.lines):
        wheel = way.wheels_of(k)[0]
        reached += float(way.wrap[wheel] * way.radii[wheel]) if wheel >= 0 else 0.0
        lengths = np.hypot(*np.diff(line, axis=0).T)
        scale = float(way.span_length[k]) / max(float(lengths.sum()), 1e-300)  # a hanging span is longer than the route
        parts.append(reached + scale * (np.cumsum(lengths) - lengths))
        reached += float(way.span_length[k])
    return np.concatenate(parts)


def _rails_at_wheels(layout: Layout) -> Iterator[Finding]:
    way, radius = layout.route, layout.roller_radius
    for g, rail in enumerate(layout.rails):
        points = nearest_points(rail.surface, way.centres)
        arms = points - way.centres
        for w, distance in enumerate(np.hypot(arms[:, 0], arms[:, 1]).tolist()):
            outer = float(layout.tips[w])
            if _wrapped(way, w, arms[w]):
                outer = max(outer, float(way.radii[w]) + rail.contact_radius)
            root = float(way.radii[w]) - radius - TOLERANCE * layout.pitch
            kind: Kind = "rail in wheel" if distance < root else "rail on wheel"
            yield Finding(kind, g, w, outer - distance, _pair(points[w]))


def _rails_at_spans(layout: Layout) -> Iterator[Finding]:
    """Yield rails that touch spans for which they are not meant. Such spans must pass behind the rail, or in front of
    it without contact.
    """
    for g, rail in enumerate(layout.rails):
        for k, line in enumerate(layout.lines):
            if k != rail.span:
                yield from _rail_at_line(g, rail, k, line)


def _rail_at_line(g: int, rail: Rail, k: int, line: FloatArray) -> Iterator[Finding]:
    """Yield the finding for a rail and a span for which it is not meant, if they touch."""
    low, high = rail.surface.min(axis=0) - rail.contact_radius, rail.surface.max(axis=0) + rail.contact_radius
    if (line.max(axis=0) < low).any() or (line.min(axis=0) > high).any():
        return
    nearest, place, facing = np.inf, rail.surface[0], False
    for a, b in zip(rail.surface[:-1], rail.surface[1:], strict=True):
        distance, s, t = _between_segments(a, b, line[:-1], line[1:])
        o = int(np.argmin(distance))
        if distance[o] == 0.0:
            yield Finding("rail across span", g, k, _reach_across(rail.surface, line), _pair(a + s[o] * (b - a)))
            return
        if distance[o] < nearest:
            place, nearest = a + s[o] * (b - a), float(distance[o])
            ux, uy = b - a
            vx, vy = line[o] + t[o] * (line[o + 1] - line[o]) - place
            facing = ux * vy - uy * vx > 0.0  # on the left of travel: in front of the surface
    if facing:
        yield Finding("rail beside span", g, k, rail.contact_radius - nearest, _pair(place))


def _reach_across(surface: FloatArray, line: FloatArray) -> float:
    """Return the distance by which a surface extends beyond a line that it crosses, on the side on which it extends
    less. [m]
    """
    along = line[-1] - line[0]
    along = along / np.hypot(*along)
    seen = surface - line[0]
    beside = seen[:, 1] * along[0] - seen[:, 0] * along[1]
    return float(max(min(beside.max(), -beside.min()), 0.0))


def nearest_points(line: FloatArray, points: FloatArray) -> FloatArray:
    """Return the nearest point on a polyline for each of the points, shape (P, 2)."""
    start, step = line[:-1], np.diff(line, axis=0)
    square = np.maximum((step**2).sum(axis=1), 1e-300)
    offset = points[:, None] - start[None]
    share = np.clip((offset * step).sum(axis=2) / square, 0.0, 1.0)
    near = start + share[..., None] * step
    which = np.argmin(np.hypot(*np.moveaxis(points[:, None] - near, 2, 0)), axis=1)
    return np.asarray(near[np.arange(len(points)), which])


def _between_segments(
    a: FloatArray, b: FloatArray, starts: FloatArray, ends: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the distance between a segment and each of several others, 0 where they cross, and where on both it
    occurs, 0..1, shape (S,).
    """
    d, e = b - a, ends - starts
    between = starts - a
    cross = d[0] * e[:, 1] - d[1] * e[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):  # parallel segments do not cross
        s = (between[:, 0] * e[:, 1] - between[:, 1] * e[:, 0]) / cross
        t = (between[:, 0] * d[1] - between[:, 1] * d[0]) / cross
    crossing = (s >= 0.0) & (s <= 1.0) & (t >= 0.0) & (t <= 1.0)
    square_d, square_e = max(float(d @ d), 1e-300), np.maximum((e**2).sum(axis=1), 1e-300)
    candidates = []
    for fixed in (0.0, 1.0):  # an end of the first segment against the others, and an end of the others against it
        point = a + fixed * d - starts
        share = np.clip((point * e).sum(axis=1) / square_e, 0.0, 1.0)
        candidates.append((np.full(len(e), fixed), share))
        share = np.clip(((starts + fixed * e - a) @ d) / square_d, 0.0, 1.0)
        candidates.append((share, np.full(len(e), fixed)))
    places = np.array([[one, other] for one, other in candidates])
    gaps = starts + places[:, 1, :, None] * e - a - places[:, 0, :, None] * d
    distances = np.hypot(gaps[..., 0], gaps[..., 1])
    which, all_ = np.argmin(distances, axis=0), np.arange(len(e))
    return (
        np.where(crossing, 0.0, distances[which, all_]),
        np.where(crossing, s, places[which, 0, all_]),
        np.where(crossing, t, places[which, 1, all_]),
    )


def _pair(point: Sequence[float] | FloatArray) -> tuple[float, float]:
    return float(point[0]), float(point[1])
