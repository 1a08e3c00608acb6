"""Surfaces of guides: a flat part or a path of arcs and lines, with rounded ends. The functions of this module are not
compiled.

A guide is described in the direction in which the chain runs along its route, by the side of the chain on which it
lies; its surface is traversed so that the material lies to the right (``profile``). A guide on the right is therefore
traversed with the chain, one on the left against it:

        chain  o---o---o---o-->              material  //////////
               __________  with the chain              __________  against the chain
    side right ////////// material           side left
                                             chain  o---o---o---o-->

All coordinates are those of the reference configuration. A guide is a thin rail: it has one surface and no back, see
``kernels.open_profile_distance``.

Pedersen (2004), sec. 3.8.2 and appendix D: flat part, rounded ends of radius R_ge over the length L_ge, indentation
(D.8), rotation (D.9, D.10). D.1 is printed with the wrong sign: the tangent is (r_gj - r_gi)/L_g, as 3.87 and D.9 need.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import asin, atan2, ceil, cos, hypot, isfinite, pi, sin
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chaindrive.geometry.profile import Arc, Element, Point, Segment
from chaindrive.geometry.route import Route

__all__ = [
    "COLUMNS",
    "GuideProfile",
    "Piece",
    "Side",
    "middle",
    "on_span",
    "outline",
    "path",
    "profile_of",
    "straight",
    "table",
]

Side: TypeAlias = Literal["left", "right"]
GuideProfile: TypeAlias = tuple[Element, ...]
"""A tangent-continuous sequence of arcs and lines, with the material on the right, open at both ends."""

COLUMNS = 13
"""Number of columns of the table of a guide, see :func:`table`."""

_JOINT = 1.0e-9
"""Largest gap [m] and kink [rad] between two elements that count as joined."""


class Piece(NamedTuple):
    """A piece of a guide's path, joined tangentially to the one before."""

    length: float
    """Length along the surface. [m]"""
    radius: float | None = None
    """Radius of curvature [m]; None: straight."""
    bend: Side = "left"
    """Side to which the piece bends, seen in the direction of the chain."""


def straight(
    start: Sequence[float],
    end: Sequence[float],
    side: Side,
    end_radius: float = 0.0,
    end_length: float = 0.0,
    indentation: float = 0.0,
    rotation: float = 0.0,
) -> GuideProfile:
    """Return the surface of a flat guide with rounded ends, from the end points of its flat part.

    start, end [m]: end points of the flat part, in the direction in which the chain runs; side: on which side of the
    chain the guide lies, seen in that direction; end_radius [m] of arcs that continue the flat part tangentially, away
    from the chain, over end_length [m] measured along the flat part (0: none); indentation [m]: moves the surface
    towards the chain along its normal; rotation [rad]: about the middle of the flat part, counter-clockwise. Raises
    ValueError.
    """
    x, y = float(end[0]) - float(start[0]), float(end[1]) - float(start[1])
    if not hypot(x, y) > 0.0:
        raise ValueError(f"start and end of the flat part must differ; both are ({start[0]:g}, {start[1]:g}) m")
    flat = Piece(hypot(x, y))
    return path(start, atan2(y, x), (flat,), side, end_radius, end_length, indentation, rotation)


def on_span(
    span_start: Sequence[float],
    span_end: Sequence[float],
    at: float,
    side: Side,
    length: float,
    end_radius: float = 0.0,
    end_length: float = 0.0,
    indentation: float = 0.0,
    rotation: float = 0.0,
    contact_radius: float = 0.0,
) -> GuideProfile:
    """Return the surface of a flat guide that lies along a span.

    span_start, span_end [m]: ends of the line of roller centres, in the direction of the route; at: middle of the flat
    part as a fraction of the span; side: the side of the span on which the guide lies; length [m]: of the flat part;
    contact_radius [m]: distance of the flat part from the line, so that without indentation the rollers just touch. The
    other arguments are those of :func:`straight`. Raises ValueError.
    """
    ax, ay = float(span_start[0]), float(span_start[1])
    dx, dy = float(span_end[0]) - ax, float(span_end[1]) - ay
    span = hypot(dx, dy)
    if not span > 0.0:
        raise ValueError("the span has no length")
    if not 0.0 <= at <= 1.0:
        raise ValueError(f"at is a fraction of the span, from 0 to 1, not {at:g}")
    if not (length > 0.0 and isfinite(length)):
        raise ValueError(f"the length of the flat part must be above 0, not {length:g} m")
    if not contact_radius >= 0.0:
        raise ValueError(f"contact_radius must be at least 0, not {contact_radius:g} m")
    ux, uy = dx / span, dy / span
    away = contact_radius if side == "left" else -contact_radius
    first, last = at * span - 0.5 * length, at * span + 0.5 * length
    start = ax + first * ux - away * uy, ay + first * uy + away * ux
    end = ax + last * ux - away * uy, ay + last * uy + away * ux
    return straight(start, end, side, end_radius, end_length, indentation, rotation)


def path(
    start: Sequence[float],
    direction: float,
    pieces: Sequence[Piece],
    side: Side,
    end_radius: float = 0.0,
    end_length: float = 0.0,
    indentation: float = 0.0,
    rotation: float = 0.0,
    contact_radius: float = 0.0,
) -> GuideProfile:
    """Return the surface of a guide made of arcs and straight pieces, each tangent to the one before, with rounded
    ends.

    start [m], direction [rad]: of the first piece; pieces: in the direction in which the chain runs; side: on which
    side of the chain the guide lies, seen in that direction; end_radius, end_length [m] as in :func:`straight`, tangent
    to the first and to the last piece; indentation [m]: moves the whole surface towards the chain, along the normal at
    half the length of the pieces; rotation [rad]: counter-clockwise about the point at half their length;
    contact_radius [m]: radius of the parts that touch the surface, which must fit into its hollows. Raises ValueError.
    """
    _check(start, (direction, indentation, rotation), pieces, side, end_radius, end_length, contact_radius)
    elements: list[Element] = []
    x, y, heading = float(start[0]), float(start[1]), float(direction)
    for piece in pieces:
        elements.append(_element((x, y), heading, _curvature(piece), piece.length))
        (x, y), heading = elements[-1].at(1.0)[0], heading + _curvature(piece) * piece.length
    (mx, my), (tx, ty) = middle(tuple(elements))
    # Both rounded ends bend towards the side on which the guide lies: they bulge towards the chain.
    away = 1.0 if side == "left" else -1.0
    if end_length > 0.0:
        arc, curvature = end_radius * asin(end_length / end_radius), away / end_radius
        beginning = _element((float(start[0]), float(start[1])), float(direction), curvature, -arc)
        elements = [_reversed(beginning), *elements, _element((x, y), heading, curvature, arc)]
    moved = tuple(_moved(e, (away * indentation * ty, -away * indentation * tx), rotation, (mx, my)) for e in elements)
    _check_crossing(moved)
    return tuple(_reversed(element) for element in reversed(moved)) if side == "left" else moved


def profile_of(shape: Any, way: Route, contact_radius: float) -> GuideProfile:
    """Return the surface of a guide from its description, on the route of a drive.

    shape: its kind is "straight", "on_span" or "path", and its other attributes are the arguments of the function of
    that name. That of kind "on_span" also has the number of its span, and the pieces of a "path" have length, radius
    and bend. way: the route on the pitch circles, whose spans are the lines of roller centres; contact_radius [m].
    Raises ValueError.
    """
    ends = (shape.end_radius, shape.end_length, shape.indentation, shape.rotation)
    if shape.kind == "straight":
        return straight(shape.start, shape.end, shape.side, *ends)
    if shape.kind == "on_span":
        if not 0 <= shape.span < len(way.span_length):
            raise ValueError(
                f"span {shape.span} does not exist; spans are numbered from 0 to {len(way.span_length) - 1}"
            )
        span = way.span_start[shape.span], way.span_end[shape.span]
        return on_span(*span, shape.at, shape.side, shape.length, *ends, contact_radius)
    if shape.kind == "path":
        pieces = [Piece(piece.length, piece.radius, piece.bend) for piece in shape.pieces]
        return path(shape.start, shape.direction, pieces, shape.side, *ends, contact_radius)
    raise ValueError(f"the kind of a guide must be straight, on_span or path, not {shape.kind!r}")


def middle(profile: GuideProfile) -> tuple[Point, Point]:
    """Return the point [m] and the unit tangent at half the length of a surface."""
    left = 0.5 * sum(element.length for element in profile)
    for element in profile:
        if left <= element.length:
            return element.at(left / element.length)
        left -= element.length
    return profile[-1].at(1.0)


def table(profile: GuideProfile, origin: Sequence[float] = (0.0, 0.0)) -> NDArray[np.float64]:
    """Return the surface of a guide as the array that ``kernels.open_profile_distance`` reads, shape (E, 13).

    Columns: mx, my a point on the element [m]; nx, ny the unit normal there, out of the material; signed curvature
    [1/m]; sx, sy the point [m] and tx, ty the unit tangent where the element starts; ex, ey, ux, uy the same where it
    ends. Points are relative to the origin [m]. Arcs of more than 180 degrees take two rows. Raises ValueError if
    consecutive elements do not join.
    """
    elements = [half for element in profile for half in _halves(element)]
    rows = np.empty((len(elements), COLUMNS))
    for row, element in zip(rows, elements, strict=True):
        (mx, my), (tx, ty) = element.at(0.5)
        row[:5] = mx, my, -ty, tx, element.curvature
        row[5:9] = *element.at(0.0)[0], *element.at(0.0)[1]
        row[9:13] = *element.at(1.0)[0], *element.at(1.0)[1]
    for number, (before, after) in enumerate(pairwise(rows)):
        gap = hypot(*(after[5:7] - before[9:11]))
        kink = abs(atan2(before[11] * after[8] - before[12] * after[7], before[11:13] @ after[7:9]))
        if gap > _JOINT or kink > _JOINT:
            raise ValueError(
                f"elements {number} and {number + 1} of the surface do not join: gap of {gap:.3g} m, "
                f"kink of {kink:.3g} rad"
            )
        before[9:13] = after[5:9]
    rows[:, [0, 5, 9]] -= float(origin[0])
    rows[:, [1, 6, 10]] -= float(origin[1])
    return rows


def outline(profile: GuideProfile, angle: float = 0.02) -> NDArray[np.float64]:
    """Return the surface as a polyline, shape (n, 2) [m], with points on its arcs at most this angle [rad] apart.

    A chord deviates from its arc by at most radius angle^2/8: with the default angle, 0.05 mm per metre of radius.
    """
    points = [profile[0].at(0.0)[0]]
    for element in profile:
        count = max(1, ceil(element.length * abs(element.curvature) / angle))
        points += [element.at(k / count)[0] for k in range(1, count + 1)]
    return np.array(points, dtype=np.float64)


def _check(
    start: Sequence[float],
    numbers: Sequence[float],
    pieces: Sequence[Piece],
    side: str,
    end_radius: float,
    end_length: float,
    contact_radius: float,
) -> None:
    if side not in ("left", "right"):
        raise ValueError(f"side must be left or right, not {side!r}")
    if not all(map(isfinite, (*start, *numbers, end_radius, end_length))):
        raise ValueError("start, direction, indentation, rotation and ends of a guide must be finite")
    if not pieces:
        raise ValueError("a path needs at least one piece")
    if end_radius < 0.0 or end_length < 0.0:
        raise ValueError("end_radius and end_length must be at least 0")
    if end_length > end_radius:
        raise ValueError(
            f"end_length ({end_length:g} m) must not exceed end_radius ({end_radius:g} m): at most a quarter circle"
        )
    for number, piece in enumerate(pieces):
        if not (piece.length > 0.0 and isfinite(piece.length)):
            raise ValueError(f"piece {number}: the length must be above 0, not {piece.length:g} m")
        if piece.radius is None:
            continue
        if not (piece.radius > 0.0 and isfinite(piece.radius)) or piece.bend not in ("left", "right"):
            raise ValueError(f"piece {number}: the radius must be above 0 and the bend must be left or right")
        if piece.length > 2.0 * pi * piece.radius:
            raise ValueError(f"piece {number}: {piece.length:g} m is more than a full circle of {piece.radius:g} m")
        if piece.bend != side and piece.radius <= contact_radius:
            raise ValueError(
                f"piece {number}: a roller of radius {contact_radius:g} m does not fit into a hollow of radius "
                f"{piece.radius:g} m"
            )


def _check_crossing(profile: GuideProfile) -> None:
    """Refuse a surface that crosses itself. The polylines of elements are compared if their bounding boxes overlap."""
    lines = [outline((element,)) for element in profile]
    low, high = np.array([line.min(axis=0) for line in lines]), np.array([line.max(axis=0) for line in lines])
    overlap = ((low[:, None] <= high[None]) & (low[None] <= high[:, None])).all(axis=2)
    for i, j in np.argwhere(np.triu(overlap, 1)):
        crossing = _crossing(lines[i], lines[j])
        if j == i + 1:
            crossing[-1, 0] = False  # they meet there
        if crossing.any():
            x, y = lines[i][int(np.argwhere(crossing)[0, 0])]
            raise ValueError(f"the surface of the guide crosses itself near ({x:.6g}, {y:.6g}) m")


def _crossing(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which segments of one polyline cross which segments of another, shape (n - 1, m - 1)."""
    d, e = np.diff(first, axis=0)[:, None], np.diff(second, axis=0)[None]
    between = second[None, :-1] - first[:-1, None]
    cross = d[..., 0] * e[..., 1] - d[..., 1] * e[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):  # parallel segments do not cross
        s = (between[..., 0] * e[..., 1] - between[..., 1] * e[..., 0]) / cross
        t = (between[..., 0] * d[..., 1] - between[..., 1] * d[..., 0]) / cross
    return np.asarray((s > 0.0) & (s < 1.0) & (t > 0.0) & (t < 1.0))


def _curvature(piece: Piece) -> float:
    """Return the signed curvature of a piece, positive if it bends to the left. [1/m]"""
    if piece.radius is None:
        return 0.0
    return (1.0 if piece.bend == "left" else -1.0) / piece.radius


def _element(start: Point, heading: float, curvature: float, length: float) -> Element:
    """Return the arc or line that starts from a point in a direction [rad]. It bends left if the curvature [1/m] is
    positive, and goes backwards if the length [m] is negative.
    """
    if curvature == 0.0:
        return Segment(start, (start[0] + length * cos(heading), start[1] + length * sin(heading)))
    centre = (start[0] - sin(heading) / curvature, start[1] + cos(heading) / curvature)
    angle = heading - (0.5 * pi if curvature > 0.0 else -0.5 * pi)
    return Arc(centre, 1.0 / abs(curvature), angle, angle + curvature * length)


def _reversed(element: Element) -> Element:
    if isinstance(element, Arc):
        return Arc(element.centre, element.radius, element.end_angle, element.start_angle)
    return Segment(element.end, element.start)


def _moved(element: Element, shift: Point, angle: float, about: Point) -> Element:
    """Return the element, rotated about a point and then shifted."""
    c, s = cos(angle), sin(angle)

    def to(point: Point) -> Point:
        x, y = point[0] - about[0], point[1] - about[1]
        return about[0] + c * x - s * y + shift[0], about[1] + s * x + c * y + shift[1]

    if isinstance(element, Arc):
        return Arc(to(element.centre), element.radius, element.start_angle + angle, element.end_angle + angle)
    return Segment(to(element.start), to(element.end))


def _halves(element: Element) -> tuple[Element, ...]:
    """Return an arc of more than 180 degrees as two arcs, so that the normals at the ends of each bound a sector."""
    if isinstance(element, Arc) and abs(element.end_angle - element.start_angle) > pi:
        half = 0.5 * (element.start_angle + element.end_angle)
        return element._replace(end_angle=half), element._replace(start_angle=half)
    return (element,)
