"""Joining the lines and arcs of a drawing end to end into one curve, and points of a smooth curve by arcs.

The curve is returned in pieces, each tangent to the one before, as required for a rail or the flank of a tooth.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, cos, degrees, hypot, pi, sin, tan

from chaindrive.geometry.guide import Piece
from chaindrive.geometry.profile import Arc, Element, Point, Segment

__all__ = [
    "arc_through",
    "arcs_through",
    "bezier_arcs",
    "bulged",
    "half_gap",
    "joined",
    "pieces_of",
    "reversed_curve",
    "shifted",
]

NEAR = 1e-5
"""Ends of lines and arcs that are closer to each other than this are joined. [m]"""
KINK = 1e-3
"""Largest corner between two elements that is taken for a rounding error of the drawing. [rad]"""
SHARPEST = 0.55
"""Largest corner at a point of a smooth curve. [rad]"""
DEVIATION = 1e-6
"""Largest deviation of arcs from the curve that they replace. [m]"""
STRAIGHTEST = 1e3
"""Radius of an arc through three points above which it is replaced by a line. [m]"""
STRAIGHT = 1e-9
"""Angle of an arc below which it is replaced by a line. [rad]"""


def bulged(start: Point, end: Point, bulge: float) -> Element:
    """Return the element of a polyline from one vertex to the next. bulge: tangent of a quarter of its angle, 0:
    straight [-].
    """
    if abs(bulge) < STRAIGHT:
        return Segment(start, end)
    dx, dy = end[0] - start[0], end[1] - start[1]
    apart = (1.0 - bulge * bulge) / (4.0 * bulge)  # of the centre from the chord, over its length
    centre = (0.5 * (start[0] + end[0]) - apart * dy, 0.5 * (start[1] + end[1]) + apart * dx)
    first = atan2(start[1] - centre[1], start[0] - centre[0])
    radius = hypot(start[0] - centre[0], start[1] - centre[1])
    return Arc(centre, radius, first, first + 4.0 * atan2(bulge, 1.0))


def _flipped(element: Element) -> Element:
    if isinstance(element, Segment):
        return Segment(element.end, element.start)
    return element._replace(start_angle=element.end_angle, end_angle=element.start_angle)


def shifted(element: Element, by: Point) -> Element:
    """Return the element, moved by (x, y) [m]."""
    if isinstance(element, Segment):
        (ax, ay), (bx, by_) = element.start, element.end
        return Segment((ax + by[0], ay + by[1]), (bx + by[0], by_ + by[1]))
    return element._replace(centre=(element.centre[0] + by[0], element.centre[1] + by[1]))


def reversed_curve(curve: Sequence[Element]) -> list[Element]:
    """Return the curve traversed in the opposite direction."""
    return [_flipped(element) for element in reversed(curve)]


def joined(elements: Sequence[Element]) -> list[Element]:
    """Return the elements in the order of the curve, reversed where needed.

    The curve begins at its left end, or at its lower end if both ends have the same x. Raises ValueError for elements
    that are not a single curve with two ends.
    """
    rest = [element for element in elements if element.length > NEAR]
    if not rest:
        raise ValueError("contains neither lines nor arcs")
    curve = [rest.pop(0)]
    while rest:
        found = _following(curve[-1], rest)
        if found is None:
            curve = reversed_curve(curve)
            found = _following(curve[-1], rest)
        if found is None:
            (x, y), _ = curve[-1].at(1.0)
            raise ValueError(
                f"is in several parts: {len(rest)} of {len(rest) + len(curve)} lines and arcs do not join the end at "
                f"({x * 1e3:.4g}, {y * 1e3:.4g}) mm; draw one curve, or name its layer"
            )
        number, element = found
        rest.pop(number)
        curve.append(element)
    first, last = curve[0].at(0.0)[0], curve[-1].at(1.0)[0]
    if _apart(first, last) <= NEAR:
        raise ValueError("is a closed curve; use one with two ends")
    return curve if (round(first[0], 9), first[1]) <= (round(last[0], 9), last[1]) else reversed_curve(curve)


def _following(last: Element, rest: Sequence[Element]) -> tuple[int, Element] | None:
    """Return the element that continues from the end of another, in the direction of travel."""
    end = last.at(1.0)[0]
    near = [(_apart(end, each.at(at)[0]), number, at) for number, each in enumerate(rest) for at in (0.0, 1.0)]
    distance, number, at = min(near)
    if distance > NEAR:
        return None
    return number, rest[number] if at == 0.0 else _flipped(rest[number])


def _apart(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def pieces_of(curve: Sequence[Element]) -> tuple[Point, float, list[Piece]]:
    """Return the start [m], the direction there [rad], and the pieces of a curve, each tangent to the one before.

    A curve that consists only of straight lines with corners is taken as a row of points, and becomes arcs through
    these points. Raises ValueError for other corners.
    """
    corners = [_corner(one, other) for one, other in pairwise(curve)]
    worst = max(corners, key=abs, default=0.0)
    if abs(worst) > KINK and all(isinstance(element, Segment) for element in curve):
        curve = arcs_through([curve[0].at(0.0)[0], *(element.at(1.0)[0] for element in curve)])
    elif abs(worst) > KINK:
        (x, y), _ = curve[corners.index(worst)].at(1.0)
        raise ValueError(
            f"has a corner of {degrees(abs(worst)):.3g} deg at ({x * 1e3:.4g}, {y * 1e3:.4g}) mm; "
            "round it in the drawing"
        )
    start, (ux, uy) = curve[0].at(0.0)
    pieces = []
    for element in curve:
        if isinstance(element, Segment):
            pieces.append(Piece(element.length))
        else:
            pieces.append(Piece(element.length, element.radius, "right" if element.curvature > 0.0 else "left"))
    return start, atan2(uy, ux), pieces


def half_gap(elements: Sequence[Element]) -> tuple[float, list[Piece]]:
    """Return half a tooth gap from a drawing: the distance of its bottom from the origin [m], and its pieces from there
    outward.

    Raises ValueError if the curve does not begin on the y axis, at right angles to it.
    """
    curve = joined(elements)
    if abs(curve[-1].at(1.0)[0][0]) < abs(curve[0].at(0.0)[0][0]):
        curve = reversed_curve(curve)
    first, (x, y) = curve[0].at(0.0)[0], curve[-1].at(1.0)[0]
    if abs(first[0]) > NEAR or first[1] <= 0.0:
        ends = f"({first[0] * 1e3:.4g}, {first[1] * 1e3:.4g}) mm and ends at ({x * 1e3:.4g}, {y * 1e3:.4g}) mm"
        raise ValueError(
            "must begin at the bottom of the gap, on the positive y axis, with the centre of the wheel at the origin; "
            f"it begins at {ends}"
        )
    if x < 0.0:  # the other half
        curve = [_mirrored(element) for element in curve]
    (_, bottom), direction, pieces = pieces_of(curve)
    if abs(direction) > KINK:
        raise ValueError(
            f"must begin at right angles to the centre line of the gap; it rises by {degrees(direction):.3g} deg there"
        )
    return bottom, pieces


def _mirrored(element: Element) -> Element:
    if isinstance(element, Segment):
        return Segment((-element.start[0], element.start[1]), (-element.end[0], element.end[1]))
    x, y = element.centre
    return Arc((-x, y), element.radius, pi - element.start_angle, pi - element.end_angle)


def _corner(one: Element, other: Element) -> float:
    (ax, ay), (bx, by) = one.at(1.0)[1], other.at(0.0)[1]
    return atan2(ax * by - ay * bx, ax * bx + ay * by)


def arc_through(first: Point, between: Point, last: Point) -> Element:
    """Return the arc through three points in this order, or a line if they are in line, or nearly so (radius above
    1 km).

    The second chord is turned from the first by half the angle of the arc. Raises ValueError for points that coincide,
    or for points in line if the second is not between the others.
    """
    if min(_apart(first, between), _apart(between, last), _apart(first, last)) <= NEAR:
        raise ValueError("needs three different points: two of them are closer together than 0.01 mm")
    half = _turn(
        atan2(last[1] - between[1], last[0] - between[0]) - atan2(between[1] - first[1], between[0] - first[0])
    )
    if abs(half) > pi - STRAIGHT:
        raise ValueError("has three points in line, but the second is not between the others: give the points in order")
    if _apart(first, last) >= 2.0 * STRAIGHTEST * abs(sin(half)):
        return Segment(first, last)
    return bulged(first, last, tan(0.5 * half))


def arcs_through(points: Sequence[Point]) -> list[Element]:
    """Return a smooth curve through points: two arcs between neighbouring points, tangent to each other and to the arcs
    beside them.

    The tangent at a point is that of the circle through the point and both of its neighbours (at the ends, through the
    nearest three points). The angle is shared between the arcs of a pair as in Bolton (1975), with equal distances
    along both tangents. Points on a circle give that circle. Raises ValueError if the curve turns by more than 31
    degrees at a point.
    """
    if len(points) < 3:
        return [Segment(points[0], points[1])]
    for a, b, c in zip(points, points[1:], points[2:], strict=False):
        turn = _turn(atan2(c[1] - b[1], c[0] - b[0]) - atan2(b[1] - a[1], b[0] - a[0]))
        if abs(turn) > SHARPEST:
            raise ValueError(
                f"turns by {degrees(abs(turn)):.3g} deg at the point ({b[0] * 1e3:.4g}, {b[1] * 1e3:.4g}) mm; give "
                f"points of a smooth curve, so closely spaced that it turns by less than {degrees(SHARPEST):.2g} deg, "
                "or arcs"
            )
    headings = _headings(points)
    curve: list[Element] = []
    for k, (start, end) in enumerate(pairwise(points)):
        curve += _pair(start, headings[k], end, headings[k + 1])
    return curve


def bezier_arcs(start: Point, first: Point, second: Point, end: Point) -> list[Element]:
    """Return a cubic Bézier curve as arcs, tangent to each other and to its ends, to within ``DEVIATION``.

    first, second: its control points [m]. Raises ValueError for a curve that has a corner or needs more than 2^7 arcs.
    """
    points = (start, first, second, end)
    if max(_apart(start, other) for other in points) == 0.0:
        return []
    for halvings in range(7):
        count = 2**halvings
        ends = [_on_bezier(points, k / count) for k in range(count + 1)]
        try:
            pairs = [_pair(*one, *other) for one, other in pairwise(ends)]
        except (ValueError, ZeroDivisionError):  # a loop, or a corner
            continue
        middles = [_on_bezier(points, (k + part) / count)[0] for k in range(count) for part in (0.25, 0.5, 0.75)]
        if all(_deviation(pair, middle) < DEVIATION for pair, middle in zip(_each(pairs, 3), middles, strict=True)):
            return [element for pair in pairs for element in pair]
    raise ValueError("has a Bézier curve with a corner or a loop, or a very long one: save it as lines and arcs")


def _each(pairs: Sequence[list[Element]], times: int) -> list[list[Element]]:
    return [pair for pair in pairs for _ in range(times)]


def _on_bezier(points: Sequence[Point], t: float) -> tuple[Point, float]:
    """Return a point on a cubic Bézier curve and the heading there [rad], by de Casteljau's construction."""
    rows = [list(points)]
    while len(rows[-1]) > 1:
        row = rows[-1]
        rows.append([(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for a, b in pairwise(row)])
    for row in (rows[2], rows[1], rows[0]):  # where the derivative is zero, towards the next control point
        (ax, ay), (bx, by) = row[0], row[-1]
        if hypot(bx - ax, by - ay) > NEAR * 1e-4:
            break
    return rows[-1][0], atan2(by - ay, bx - ax)


def _deviation(pair: Sequence[Element], point: Point) -> float:
    """Return the distance of a point from the nearer of two elements, continued beyond their ends. [m]"""
    found = []
    for element in pair:
        (x, y), (ux, uy) = element.at(0.5)
        if isinstance(element, Arc):
            found.append(abs(_apart(element.centre, point) - element.radius))
        else:
            found.append(abs((point[0] - x) * uy - (point[1] - y) * ux))
    return min(found)


def _turn(angle: float) -> float:
    return (angle + pi) % (2.0 * pi) - pi


def _headings(points: Sequence[Point]) -> list[float]:
    """Return the directions at the points, from circles through three neighbouring points. [rad]"""
    chords = [(atan2(b[1] - a[1], b[0] - a[0]), _apart(a, b)) for a, b in pairwise(points)]
    found = []
    for (one, before), (other, after) in pairwise(chords):
        turn = _turn(other - one)  # the tangent of a circle makes with each chord half the angle over it
        found.append(one + atan2(before * sin(turn), after + before * cos(turn)))
    first = chords[0][0] - _turn(found[0] - chords[0][0])
    last = chords[-1][0] - _turn(found[-1] - chords[-1][0])
    return [first, *found, last]


def _pair(start: Point, heading: float, end: Point, leaving: float) -> list[Element]:
    """Return two arcs, or one line, from one point and direction to another."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    chord, along = hypot(dx, dy), atan2(dy, dx)
    a, b = _turn(heading - along), _turn(leaving - along)
    if max(abs(a), abs(b)) < STRAIGHT:
        return [Segment(start, end)]
    # tangent points at the distance d along both tangents: |chord - d (t1 + t2)| = 2 d
    tx, ty = cos(a) + cos(b), sin(a) + sin(b)
    square, middle = tx * tx + ty * ty - 4.0, chord * tx
    if abs(square) < 1e-12:
        d = 0.5 * chord * chord / middle
    else:
        d = (middle - (middle * middle - square * chord * chord) ** 0.5) / square
    px, py = start[0] + d * cos(heading), start[1] + d * sin(heading)
    qx, qy = end[0] - d * cos(leaving), end[1] - d * sin(leaving)
    joint = 0.5 * (px + qx), 0.5 * (py + qy)
    between = atan2(qy - py, qx - px)
    turns = _turn(between - heading), _turn(leaving - between)
    return [bulged(start, joint, tan(0.25 * turns[0])), bulged(joint, end, tan(0.25 * turns[1]))]
