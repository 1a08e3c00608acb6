"""The trajectory: the ideal path of the chain as one smooth closed curve, along which link coordinates are measured.

The chain lies on arcs of the wheels, and of guides that hold it, and runs straight between them. Where arcs and lines
meet, the curvature jumps, and so would the rate of rotation of a link that follows the curve.
Hippmann, Arnold, Schittenhelm (2005), section 2.2, insert polynomial transitions. Here each jump in curvature, at s_j,
is spread over a length L centred on it:

    kappa(s) = sum of jump_j h((s - s_j)/L + 1/2),   h(u) = 3 u^2 - 2 u^3 between 0 at u < 0 and 1 at u > 1

The curvature and its slope are then continuous. Transitions may overlap and add up: an arc shorter than L becomes a
bend with less than the curvature of the arc, and an arc of vanishing length has hardly any effect. No transition has to
be shortened where elements are short, and one jump gives the curvature a slope of at most 1.5 jump/L: only the
length of the transition determines how quickly links turn.

A transition lies outside the arc that it leaves (by L^2/(40 R) for a long arc), so that the lines move slightly, but
not the arcs: the curve touches each circle in the middle of its wrap, at the distance R from its centre, and a wrapped
link keeps y = 0. The lengths of arcs and lines and the first point are found by Newton's method from these conditions
and from the condition that the curve closes. A line shorter than L, between arcs of guides that meet each other or
nearly so, keeps its length. Where arcs are joined by such lines, the longest arc stays in place, and the others are
moved along the lines that join their centres.

The table is piecewise polynomial. The angle theta(s) is the exact integral of kappa, of degree 4; cosine and sine are
those of this angle, and X(s) is their integral as a polynomial of degree 12 on elements that turn by at most 0.5 rad,
for which it is accurate to rounding. Tangent, curvature and slope of the curvature are therefore derivatives of the
position to rounding, as equations of motion in path coordinates require. In a table of interpolated points, curvature
and tangent differ from the derivatives, which creates or absorbs energy. An evaluation takes two polynomials and one
sine and cosine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from chaindrive.elementary import arctan2, cos, sin
from chaindrive.errors import InputError, Problem
from chaindrive.geometry import trajectory_kernels as K
from chaindrive.geometry.route import Route

__all__ = ["ArcError", "GuideArc", "Trajectory", "trajectory", "trajectory_of_fitting_arcs"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

LARGEST_TURN = 0.5
"""Largest angle by which one element turns. [rad]"""
TRANSITION_PIECES = 4
"""Number of elements of a transition."""
SHIFT = 1.0e-7
"""Shift of an unknown for numerical derivatives, as a fraction of the length of the curve. [-]"""
CLOSED = 1.0e-13
"""Largest gap of a curve that counts as closed, as a fraction of its length. [-]"""
MOST_ITERATIONS = 30


class GuideArc(NamedTuple):
    """An arc of a guide along which the chain lies, as the path of the roller centres."""

    centre: tuple[float, float]
    """[m]"""
    radius: float
    """Radius of the path of the roller centres: that of the surface plus, where it bulges, the contact radius. [m]"""
    sign: float
    """Direction in which the chain turns around the centre, +1 counter-clockwise, -1 clockwise."""
    guide: int
    """Index of the guide to which the arc belongs."""


class ArcError(InputError):
    """There is no curve for these arcs of guides; arc ``number`` of those in ``span`` fits worst."""

    def __init__(self, problems: Sequence[Problem] | Problem, source: str = "", span: int = 0, number: int = 0) -> None:
        super().__init__(problems, source)
        self.span, self.number = span, number


class Trajectory(NamedTuple):
    """A closed curve of E elements around C circles, which are wheels and arcs of guides in the order of the route.

    s = 0 is where the chain arrives on wheel 0, in the middle of the transition to this wheel.
    """

    table: FloatArray
    """Table that the kernels read, shape (E, COLUMNS), see ``trajectory_kernels``."""
    arcs: FloatArray
    """Path coordinates of the beginning and end of the arc on each circle, shape (C, 2). [m]"""
    transition: float
    """Length over which a jump in curvature is spread. [m]"""
    residual: float
    """Largest remaining gap, at the closing point of the curve or between it and the circles. [m]"""

    @property
    def length(self) -> float:
        """Length of the closed curve. [m]"""
        return float(self.table[0, K.LENGTH])


class _Circles(NamedTuple):
    """C circles in the order in which the chain meets them, and the C lines from each circle to the next."""

    centre: FloatArray
    curvature: FloatArray
    """Positive counter-clockwise. [1/m]"""
    owner: IntArray
    """Span, and number of the guide arc in this span, -1 for the wheel before it, shape (C, 2)."""
    direction: FloatArray
    """Unit vector of the line after each circle, shape (C, 2)."""
    line: FloatArray
    """Length of the line after each circle. [m]"""
    turn: FloatArray
    """Angle over which the chain lies on each circle. [rad]"""
    gives_way: IntArray
    """For each line, the circle that is moved so that the line keeps its length, -1 for none, shape (C,)."""


def trajectory(way: Route, transition: float, guides: Sequence[Sequence[GuideArc]] = ()) -> Trajectory:
    """Return the smooth closed curve along a route.

    way: wheels and their radii; transition [m]: length over which a jump in curvature is spread, about one pitch;
    guides: for each span, the arcs of guides along which the chain lies, in the order of the route; by default none.
    Consecutive arcs are joined by the line that touches both.

    Raises ArcError for arcs that the chain does not touch, that overlap, or for which there is no curve. Raises
    InputError if the transition is not above 0 or is longer than the shortest span between two wheels, or if there is
    no curve even without arcs.
    """
    arcs = [list(of_span) for of_span in guides] or [[] for _ in way.radii]
    shortest = min((float(t) for t, of_span in zip(way.span_length, arcs, strict=True) if not of_span), default=np.inf)
    if not 0.0 < transition <= shortest:
        limit = "" if np.isinf(shortest) else f" and at most {shortest:.6g} m, the shortest span between two wheels"
        raise InputError(Problem("transition", f"must be above 0{limit}", f"{transition:g} m"))
    circles = _circles(way, arcs, transition)
    loop = float(np.sign(way.signs @ way.wrap)) * 2.0 * np.pi
    unknowns, residual = _solve(circles, transition, loop)
    table, begin, end = _lay(unknowns, circles.curvature, transition, loop)
    places = np.stack([begin, end], axis=1)
    return Trajectory(table, places, transition, residual)


def trajectory_of_fitting_arcs(
    way: Route, transition: float, guides: Sequence[Sequence[GuideArc]]
) -> tuple[Trajectory, list[GuideArc]]:
    """Return the trajectory without the arcs that do not fit, and those arcs.

    One arc at a time is omitted, namely the one that fits worst (``ArcError``), because the others may fit without it.
    Raises InputError if there is no curve even without arcs.
    """
    arcs, left_out = [list(of_span) for of_span in guides], list[GuideArc]()
    while True:
        try:
            return trajectory(way, transition, arcs), left_out
        except ArcError as error:
            left_out.append(arcs[error.span].pop(error.number))


def _circles(way: Route, guides: list[list[GuideArc]], transition: float) -> _Circles:
    """Return wheels and arcs of guides in one sequence, with the lines that join consecutive circles."""
    rows, owners = [], []
    for w, of_span in enumerate(guides):
        rows.append((*way.centres[w], way.signs[w] / way.radii[w]))
        rows += [(*arc.centre, arc.sign / arc.radius) for arc in of_span]
        owners += [(w, number) for number in range(-1, len(of_span))]
    centre, curvature, owner = np.array(rows)[:, :2], np.array(rows)[:, 2], np.array(owners)
    direction, line = _lines(centre, curvature, owner)
    before, is_wheel = np.roll(direction, 1, axis=0), owner[:, 1] < 0
    cross = before[:, 0] * direction[:, 1] - before[:, 1] * direction[:, 0]
    turn = np.sign(curvature) * arctan2(cross, (before * direction).sum(axis=1))
    turn = np.where(is_wheel & (turn < -1e-9), turn + 2.0 * np.pi, turn)
    problems = [
        Problem(_place(owner[k]), "the chain does not touch it: omit it", f"wrap {np.degrees(turn[k]):.4g} degrees")
        for k in np.flatnonzero(turn < -1e-9)
    ]
    if problems:
        raise _refusal(problems, owner, turn)
    length = np.maximum(turn, 0.0) / np.abs(curvature)
    if abs(abs(np.sign(curvature) @ turn) - 2.0 * np.pi) > 1e-6:
        message = (
            "with these arcs the chain does not form a closed loop: one of them lifts it off a wheel or is on the "
            "wrong side of the chain"
        )
        wraps = "wrap " + ", ".join(f"{w:.1f}" for w in np.degrees(turn))
        raise _refusal(Problem("guides", message, wraps), owner, -turn)
    gives_way = _gives_way(line < transition, np.where(is_wheel, np.inf, length))
    if is_wheel[gives_way[gives_way >= 0]].any() or (line < transition).all():
        message = (
            "between two wheels, the arcs of guides must leave at least one straight line as long as a transition, "
            f"{transition:g} m"
        )
        raise _refusal(Problem("guides", message), owner, length)
    return _Circles(centre, curvature, owner, direction, line, np.maximum(turn, 0.0), gives_way)


def _lines(centre: FloatArray, curvature: FloatArray, owner: IntArray) -> tuple[FloatArray, FloatArray]:
    """The lines that touch each circle and the next: unit vectors, shape (C, 2), and lengths, shape (C,) [m]."""
    between = np.roll(centre, -1, axis=0) - centre
    offset = np.roll(1.0 / curvature, -1) - 1.0 / curvature
    distance = np.hypot(between[:, 0], between[:, 1])
    square = distance**2 - offset**2
    apart = square > -1e-9 * distance**2
    if not apart.all():
        after = np.roll(owner, -1, axis=0)
        problems = [
            Problem(_place(after[k]), f"overlaps with {_place(owner[k])}: no line touches both", f"{distance[k]:g} m")
            for k in np.flatnonzero(~apart)
        ]
        raise _refusal(problems, owner, np.where(apart & np.roll(apart, 1), np.inf, 1.0 / np.abs(curvature)))
    line = np.sqrt(np.where(square < 1e-12 * distance**2, 0.0, square))  # none between arcs that meet, but for rounding
    rotated = np.stack([-between[:, 1], between[:, 0]], axis=1)
    direction = (line[:, None] * between - offset[:, None] * rotated) / (distance**2)[:, None]
    return direction / np.hypot(direction[:, 0], direction[:, 1])[:, None], line


def _place(owner: IntArray) -> str:
    """Return the name of a circle for messages."""
    span, number = owner
    return f"wheels[{span}]" if number < 0 else f"guides of span {span}, arc {number}"


def _refusal(problems: Sequence[Problem] | Problem, owner: IntArray, size: FloatArray) -> InputError:
    """Return the error for circles for which there is no curve. The guide arc with the smallest size (C,) fits
    worst.
    """
    arcs = np.flatnonzero(owner[:, 1] >= 0)
    if not arcs.size:
        return InputError(problems)
    span, number = owner[arcs[np.argmin(size[arcs])]]
    return ArcError(problems, span=int(span), number=int(number))


def _gives_way(short: NDArray[np.bool_], weight: FloatArray) -> IntArray:
    """Return, for each short line, the circle at one of its ends that is moved, -1 for other lines, shape (C,).

    Where short lines join several circles, the first circle with the largest weight stays in place.
    """
    count = len(short)
    found = np.full(count, -1)
    for first in np.flatnonzero(short & ~np.roll(short, 1)):
        lines = [k % count for k in range(first, first + count)]
        lines = lines[: next((i for i, k in enumerate(lines) if not short[k]), count)]
        joined = [*lines, (lines[-1] + 1) % count]
        stays = int(np.argmax(weight[joined]))
        for i, k in enumerate(lines):
            found[k] = joined[i] if i < stays else joined[i + 1]
    return found


def _solve(circles: _Circles, transition: float, loop: float) -> tuple[FloatArray, float]:
    """Return the lengths of arcs and lines, the first point and the angle there, shape (2 C + 3,), and the largest
    remaining gap [m].
    """
    count = len(circles.curvature)
    into = circles.direction[-1]
    touch = circles.centre[0] - np.array([-into[1], into[0]]) / circles.curvature[0]
    arcs = circles.turn / np.abs(circles.curvature)
    unknowns = np.concatenate([arcs, circles.line, touch, [arctan2(into[1], into[0])]])
    size = float(arcs.sum() + circles.line.sum())
    shifts = SHIFT * np.append(np.full(2 * count + 2, size), 1.0)
    best, largest = unknowns, np.inf
    for _ in range(MOST_ITERATIONS):
        if not 0.5 * size < unknowns[: 2 * count].sum() < 2.0 * size:
            break
        gaps = _gaps(unknowns, circles, transition, loop)
        gap = float(np.abs(gaps).max())
        if not gap < 0.5 * largest and largest < CLOSED * size:
            break
        if gap < largest:
            best, largest = unknowns, gap
        columns = [
            (_gaps(unknowns + shift, circles, transition, loop) - gaps) / shift.sum() for shift in np.diag(shifts)
        ]
        unknowns = unknowns - np.linalg.lstsq(np.stack(columns, axis=1), gaps, rcond=None)[0]
    if not largest < CLOSED * size or best[: 2 * count].min() < -0.5 * transition:
        message = (
            "the curve around wheels and guides does not close with transitions of this length: use shorter ones, or "
            "omit arcs of guides that are close to each other or to a wheel"
        )
        raise _refusal(Problem("transition", message, f"{transition:g} m"), circles.owner, arcs)
    return best, largest


def _gaps(unknowns: FloatArray, circles: _Circles, transition: float, loop: float) -> FloatArray:
    """Return the gaps that must vanish, shape (2 C + 3,) [m]; see the module."""
    table, begin, end = _lay(unknowns, circles.curvature, transition, loop)
    x, y, angle = _at(table, np.append(0.5 * (begin + end), table[0, K.LENGTH]))
    normal = np.stack([-sin(angle), cos(angle)], axis=1)[:-1]
    beside = np.stack([x[:-1], y[:-1]], axis=1) + normal / circles.curvature[:, None] - circles.centre
    count = len(circles.curvature)
    for k in np.flatnonzero(circles.gives_way >= 0):
        moved = circles.gives_way[k]
        between = circles.centre[(k + 1) % count] - circles.centre[k]
        between /= np.hypot(between[0], between[1])
        beside[moved] += (unknowns[count + k] - circles.line[k] - beside[moved] @ between) * between
    x0, y0, angle0 = unknowns[-3:]
    closing = (x[-1] - x0, y[-1] - y0, (angle[-1] - angle0 - loop) * table[0, K.LENGTH] / (2.0 * np.pi))
    return np.concatenate([beside.ravel(), closing])


def _lay(
    unknowns: FloatArray, curvature: FloatArray, transition: float, loop: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the table of the curve whose arcs and lines have these lengths, and where the arcs begin and end, shape
    (C,) each [m].
    """
    count = len(curvature)
    ends = np.cumsum(np.ravel(np.stack([unknowns[:count], unknowns[count : 2 * count]], axis=1)))
    length, leave = float(ends[-1]), ends[::2]
    arrive = np.append(0.0, ends[1:-1:2])
    joints = np.ravel(np.stack([arrive, leave], axis=1))
    jumps = np.ravel(np.stack([curvature, -curvature], axis=1))
    edges = np.ravel(joints[:, None] + transition * np.linspace(-0.5, 0.5, TRANSITION_PIECES + 1)) % length
    edges = np.sort(edges[(edges > 1e-12 * length) & (edges < (1.0 - 1e-12) * length)])
    edges = np.concatenate([[0.0], edges[np.diff(edges, prepend=-length) > 1e-12 * length], [length]])
    joints = np.concatenate([joints - length, joints, joints + length])
    jumps = np.tile(jumps, 3)
    bends = np.abs(_curvature(edges, joints, jumps, transition) @ np.vander(np.linspace(-1, 1, 9), 4, True).T)
    pieces = np.ceil(np.maximum(1.0, bends.max(axis=1) * np.diff(edges) / LARGEST_TURN)).astype(int)
    parts = (np.arange(pieces.sum()) - np.repeat(np.cumsum(pieces) - pieces, pieces)) / np.repeat(pieces, pieces)
    edges = np.append(np.repeat(edges[:-1], pieces) + parts * np.repeat(np.diff(edges), pieces), length)
    table = _integrate(edges, _curvature(edges, joints, jumps, transition), unknowns[-3:])
    table[:, K.TURN] = loop
    return table, arrive, leave


def _curvature(edges: FloatArray, joints: FloatArray, jumps: FloatArray, transition: float) -> FloatArray:
    """Return the coefficients of the curvature of the elements between the edges, as polynomials in v = -1..1, shape
    (E, 4). [1/m]
    """
    u = (0.5 * (edges[1:] + edges[:-1])[:, None] - joints) / transition + 0.5
    g = (0.5 * np.diff(edges) / transition)[:, None]
    bend = np.where((u > 0.0) & (u < 1.0), jumps, 0.0)
    passed = np.where(u >= 1.0, jumps, 0.0).sum(axis=1)
    passed[np.abs(passed) < 1e-13 * np.abs(jumps).max()] = 0.0  # a straight line, but for rounding
    terms = (u**2 * (3.0 - 2.0 * u), 6.0 * g * u * (1.0 - u), 3.0 * g**2 * (1.0 - 2.0 * u), -2.0 * g**3 + 0.0 * u)
    coefficients = np.stack([(bend * term).sum(axis=1) for term in terms], axis=1)
    coefficients[:, 0] += passed
    return coefficients


def _integrate(edges: FloatArray, curvature: FloatArray, start: FloatArray) -> FloatArray:
    """Return the table of the curve with these coefficients of curvature that begins at this point and angle. The
    column ``TURN`` is left zero.
    """
    half = 0.5 * np.diff(edges)
    table = np.zeros((len(half), K.COLUMNS))
    table[:, K.BEGIN], table[:, K.END], table[:, K.LENGTH] = edges[:-1], edges[1:], edges[-1]
    table[:, K.MIDDLE], table[:, K.INVERSE_HALF] = 0.5 * (edges[1:] + edges[:-1]), 1.0 / half
    angle = table[:, K.ANGLE : K.ANGLE + K.ANGLE_TERMS]
    angle[:, 1:] = half[:, None] * curvature / np.arange(1.0, 5.0)
    angle[:, 0] = _constant(angle, float(start[2]))
    theta = angle @ np.vander(_NODES, K.ANGLE_TERMS, increasing=True).T
    for first, values, begin in ((K.X, cos(theta), start[0]), (K.Y, sin(theta), start[1])):
        terms = table[:, first : first + K.POSITION_TERMS]
        terms[:] = half[:, None] * ((values @ _TO_CHEBYSHEV.T) @ _TO_INTEGRAL.T)
        terms[:, 0] = _constant(terms, float(begin))
    return table


def _constant(terms: FloatArray, begin: float) -> FloatArray:
    """Return the constant terms that join polynomials in v = -1..1 continuously, starting from an initial value."""
    even, odd = terms[:, 2::2].sum(axis=1), terms[:, 1::2].sum(axis=1)
    return begin + np.append(0.0, np.cumsum(2.0 * odd)[:-1]) - (even - odd)


def _at(table: FloatArray, s: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Position [m] and angle [rad] at path coordinates on lap 0."""
    row = np.clip(np.searchsorted(table[:, K.BEGIN], s, side="right") - 1, 0, len(table) - 1)
    v = (s - table[row, K.MIDDLE]) * table[row, K.INVERSE_HALF]
    powers = np.vander(v, K.POSITION_TERMS, increasing=True)
    x, y = ((table[row, first : first + K.POSITION_TERMS] * powers).sum(axis=1) for first in (K.X, K.Y))
    return x, y, (table[row, K.ANGLE : K.ANGLE + K.ANGLE_TERMS] * powers[:, : K.ANGLE_TERMS]).sum(axis=1)


_NODES = chebyshev.chebpts1(K.POSITION_TERMS - 1)
_TO_CHEBYSHEV = np.linalg.inv(chebyshev.chebvander(_NODES, K.POSITION_TERMS - 2))
"""Matrix that transforms values at the nodes to coefficients of Chebyshev polynomials."""
_TO_INTEGRAL = np.zeros((K.POSITION_TERMS, K.POSITION_TERMS - 1))
for _degree, _one in enumerate(np.eye(K.POSITION_TERMS - 1)):
    _powers = chebyshev.cheb2poly(chebyshev.chebint(_one))
    _TO_INTEGRAL[: len(_powers), _degree] = _powers
"""Matrix that transforms these coefficients to power coefficients of the integral."""
