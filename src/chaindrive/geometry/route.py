"""The route: common tangents of the wheels in the order in which the chain meets them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.elementary import arctan2, sin
from chaindrive.errors import InputError, Problem

if TYPE_CHECKING:
    from chaindrive.geometry.pitch_line import OvalWheel

__all__ = ["DOWN", "Route", "length_in_pitches", "oval_route", "pitch_radius", "route", "taut_route", "tooth_frequency"]

FloatArray = NDArray[np.float64]

DOWN = (0.0, -9.81)
"""Default acceleration of gravity. [m/s^2]"""


class Route(NamedTuple):
    """A route around W wheels. Span k of a closed route runs from wheel k to wheel k + 1 (mod W).

    A span between two coaxial wheels hangs in a loop, and so does the only span of a single wheel; the straight line
    between the ends of the loop is perpendicular to gravity. An open route (``geometry.open_route``) begins with the
    span before wheel 0 and ends with the span after the last wheel, unless the chain is anchored to these wheels. It
    has S = W + 1, W or W - 1 spans, in the order of the chain.
    """

    centres: FloatArray
    """Wheel centres, shape (W, 2). [m]"""
    radii: FloatArray
    """Shape (W,). [m]"""
    signs: FloatArray
    """Direction in which the chain turns each wheel, +1 counter-clockwise, -1 clockwise, shape (W,)."""
    span_start: FloatArray
    """Where span k leaves wheel k, shape (W, 2). [m]"""
    span_end: FloatArray
    """Where span k arrives on wheel k + 1, shape (W, 2). [m]"""
    span_direction: FloatArray
    """Unit vector along span k, shape (W, 2)."""
    span_length: FloatArray
    """Shape (W,). [m]"""
    arrival_angle: FloatArray
    """Direction, seen from the centre of wheel w, in which the chain arrives on it, shape (W,), 0..2 pi. [rad]"""
    departure_angle: FloatArray
    """Direction, seen from the centre of wheel w, in which the chain leaves it, shape (W,), 0..2 pi. [rad]"""
    wrap: FloatArray
    """Angle over which the chain lies on wheel w, shape (W,), 0..2 pi. [rad]"""
    closed: bool = True
    leading: int = 0
    """Number of spans before wheel 0: 1 in an open route that begins with a span, else 0."""
    loop: int = -1
    """The span that hangs in a loop between coaxial wheels or from a single wheel; -1 if there is none."""
    oval: OvalWheel | None = None
    """The oval sprocket. Spans begin and end at corners of its pitch polygon, its radius is that of a round sprocket,
    and its wrap is one tooth angle 2 pi/z for each pitch of chain on it.
    """
    oval_gaps: tuple[int, int] = (-1, -1)
    """Gaps of the oval sprocket at which the chain arrives and leaves."""

    @property
    def length(self) -> float:
        """Length of the route, with the wrapped parts as arcs of circles. [m] A chain is shorter, see
        :func:`length_in_pitches`.
        """
        return float(self.span_length.sum() + self.wrap @ self.radii)

    @property
    def on_oval(self) -> FloatArray:
        """Those corners of the oval sprocket on which the chain lies, relative to its axis, in the order of the chain,
        (n, 2). [m]
        """
        assert self.oval is not None
        w, z = self.oval.wheel, len(self.oval.corners)
        steps = round(float(self.wrap[w]) * z / (2.0 * np.pi))
        order = self.oval_gaps[0] + int(self.signs[w]) * np.arange(steps + 1)
        return self.oval.corners[order % z]

    @property
    def hanging_loop(self) -> bool:
        """Whether one of its spans hangs in a loop."""
        return self.loop >= 0

    @property
    def string_length(self) -> FloatArray:
        """Length over which every span vibrates as a string, shape (S,); NaN for a loop that hangs. [m]"""
        return np.where(np.arange(len(self.span_length)) == self.loop, np.nan, self.span_length)

    @property
    def one_centre(self) -> NDArray[np.bool_]:
        """Whether two different wheels are coaxial, and therefore in different planes, for every pair, shape (W, W)."""
        same = (self.centres[:, None] == self.centres[None]).all(axis=2)
        return np.asarray(same & ~np.eye(len(self.radii), dtype=np.bool_))

    def span_before(self, wheel: int) -> int:
        """The span that leads to a wheel, -1 if an open route begins on it."""
        return (wheel - 1) % len(self.radii) if self.closed else wheel + self.leading - 1

    def span_after(self, wheel: int) -> int:
        """The span that leads away from a wheel, -1 if an open route ends on it."""
        after = wheel + self.leading
        return after if after < len(self.span_length) else -1

    def wheels_of(self, span: int) -> tuple[int, int]:
        """The wheels at the beginning and end of a span, -1 for an end of an open route."""
        before, after = span - self.leading, span - self.leading + 1
        if self.closed:
            return before, after % len(self.radii)
        return before, after if after < len(self.radii) else -1


def pitch_radius(pitch: float, teeth: ArrayLike) -> FloatArray:
    """Radius of the circle through the pins of a wrapped chain, P/(2 sin(pi/z)). [m]"""
    return np.asarray(pitch / (2.0 * sin(np.pi / np.asarray(teeth, dtype=np.float64))))


def tooth_frequency(wheel_speed: ArrayLike, teeth: ArrayLike) -> FloatArray:
    """Tooth meshing frequency |w| z / (2 pi): the number of pitches of chain that pass a point per second. [Hz]

    wheel_speed: w [rad/s].
    """
    return np.asarray(np.abs(wheel_speed) * np.asarray(teeth) / (2.0 * np.pi))


def route(centres: ArrayLike, radii: ArrayLike, signs: ArrayLike, gravity: tuple[float, float] = DOWN) -> Route:
    """Tangents, spans and wrap angles around wheels in route order.

    centres: shape (W, 2) [m], W >= 1; radii: shape (W,) [m]; signs: shape (W,), +1 where the chain turns the wheel
    counter-clockwise, -1 clockwise; gravity [m/s^2]: only its direction matters, and only for a hanging loop. Two
    wheels of the same sign are joined by an outer tangent, two of different signs by an inner tangent. Two coaxial
    wheels of the same sign have no common tangent: the chain hangs between them, and leaves and arrives along gravity.
    It passes from the plane of one wheel to that of the other, and makes one more turn.

    With D from centre to centre, the unit vector u along the span and its left normal l: D.l = s_b R_b - s_a R_a, touch
    points C - s R l. Pedersen (2004), appendix A, eqs. A.1-A.12 (A.10 and A.11 are inverted in print). Raises
    InputError if circles overlap so that a tangent does not exist, or if the route does not close into one loop
    (because the chain does not reach a wheel).
    """
    c, r = np.asarray(centres, dtype=np.float64), np.asarray(radii, dtype=np.float64)
    s = np.asarray(signs, dtype=np.float64)
    if c.ndim != 2 or c.shape[1] != 2 or len(c) < 1 or r.shape != (len(c),) or s.shape != (len(c),):
        shapes = f"{c.shape}, {r.shape}, {s.shape}"
        raise InputError(Problem("wheels", "a route needs wheels, each with a centre, a radius and a sign", shapes))
    before, after = _around(len(c))
    between, distance, offset = _apart(c, r, s)
    hanging = (distance == 0.0) & (s == s[after])
    loops = np.flatnonzero(hanging)
    if len(loops) > 1:
        pairs = ", ".join(f"{k} and {(k + 1) % len(c)}" for k in loops)
        raise InputError(Problem("wheels", "only one loop can hang between coaxial wheels", f"wheels {pairs}"))
    problems = []
    for k in np.flatnonzero((distance <= np.abs(offset)) & ~hanging):
        other = (k + 1) % len(c)
        kind = "on the same side of" if s[k] == s[other] else "on opposite sides of"
        message = (
            f"wheels {k} and {other} lie {kind} the chain and overlap: their centres must be more than"
            f" {abs(offset[k]):.6g} m apart"
        )
        problems.append(Problem(f"wheels[{other}].position", message, f"{distance[k]:.6g} m"))
    if problems:
        raise InputError(problems)
    length, u = _tangents(between, distance, offset)
    away, towards = u.copy(), u.copy()  # directions in which every span leaves its wheel and arrives on the next
    for k in loops:
        down = _down(gravity)
        away[k], towards[k] = down, -down
        u[k], length[k] = s[k] * np.array([-down[1], down[0]]), r[k] + r[after[k]]
    leaving = -s[:, None] * _left(away)  # from the centre of wheel k to where span k leaves it
    arriving = -s[:, None] * _left(towards)[before]  # and to where span k - 1 arrives on it
    wrap = _turn(towards[before], away, s)
    turns = float(s @ wrap + np.pi * s[loops].sum()) / (2.0 * np.pi)
    rounds = 1 + len(loops) * (len(c) > 1)
    if abs(abs(turns) - rounds) > 1e-6:
        message = (
            "in this order and on these sides the wheels do not form a closed loop: the chain would cross itself or "
            "pass a wheel without touching it; check the order, the side and the position of every wheel"
        )
        raise InputError(Problem("wheels", message, "wrap angles " + ", ".join(f"{w:.1f}" for w in np.degrees(wrap))))
    return Route(
        centres=c,
        radii=r,
        signs=s,
        span_start=c + r[:, None] * leaving,
        span_end=(c + r[:, None] * arriving)[after],
        span_direction=u,
        span_length=length,
        arrival_angle=arctan2(arriving[:, 1], arriving[:, 0]) % (2.0 * np.pi),
        departure_angle=arctan2(leaving[:, 1], leaving[:, 0]) % (2.0 * np.pi),
        wrap=wrap,
        loop=int(loops[0]) if len(loops) else -1,
    )


def _down(gravity: tuple[float, float]) -> FloatArray:
    """Unit vector along gravity. Raises InputError without gravity, which alone determines the position of a hanging
    loop.
    """
    size = float(np.hypot(*gravity))
    if not size > 0.0:
        message = (
            "must not be zero, as a loop on a single wheel, or between coaxial wheels, hangs under its weight: give "
            "a gravity such as [0, -9.81], or add a wheel elsewhere"
        )
        raise InputError(Problem("gravity", message, repr(list(gravity))))
    return np.asarray(gravity, dtype=np.float64) / size


def _left(direction: FloatArray) -> FloatArray:
    """Return unit vectors (W, 2) turned counter-clockwise by a right angle."""
    return direction[:, ::-1] * (-1.0, 1.0)


def _around(count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indices of the wheels before and after each wheel in route order, where the first follows the last
    (W,).
    """
    order = np.arange(count)
    return order - 1, order + 1 - count


def oval_route(path: Route, oval: OvalWheel) -> Route:
    """Return a route in which one circle is replaced by the pitch polygon of an oval sprocket at its present angle.

    path: a closed route with at least two wheels and no hanging loop. The spans of the sprocket are tangents from a
    corner of the polygon to the circles of its neighbours. Raises InputError if no link lies on the sprocket.
    """
    w, c, r, s = oval.wheel, path.centres, path.radii, path.signs
    before, after = (w - 1) % len(r), (w + 1) % len(r)
    places, sign = c[w] + oval.corners, s[w]
    u, length = path.span_direction.copy(), path.span_length.copy()

    def tangent(corner: int, leaves: bool) -> tuple[FloatArray, float]:
        other = after if leaves else before
        between = (c[other] - places[corner]) * (1.0 if leaves else -1.0)
        offset = s[other] * r[other] * (1.0 if leaves else -1.0)
        lengths, directions = _tangents(between[None], np.hypot(*between)[None], np.array([offset]))
        return directions[0], float(lengths[0])

    gaps = []
    for span, leaves in ((before, False), (w, True)):
        gap = -1
        for _ in range(len(places)):
            found = int(np.argmax(-sign * (places @ np.array([-u[span][1], u[span][0]]))))
            if found == gap:
                break
            gap = found
            u[span], length[span] = tangent(gap, leaves)
        gaps.append(gap)
    teeth = len(places)
    steps = int(sign * (gaps[1] - gaps[0])) % teeth
    outward = -s[:, None] * _left(u)
    arriving = -s[:, None] * np.roll(_left(u), 1, axis=0)
    start, end = c + r[:, None] * outward, np.roll(c + r[:, None] * arriving, -1, axis=0)
    start[w], end[before] = places[gaps[1]], places[gaps[0]]
    wrap = _turn(np.roll(u, 1, axis=0), u, s)
    if steps == 0 or abs(steps * 2.0 * np.pi / teeth - wrap[w]) > np.pi:
        message = "no link of the chain lies on this oval sprocket: check its position and those of its neighbours"
        raise InputError(Problem(f"wheels[{w}].pitch_line", message))
    wrap[w] = steps * 2.0 * np.pi / teeth
    arrival, departure = (arctan2(d[:, 1], d[:, 0]) % (2.0 * np.pi) for d in (arriving, outward))
    for angle, gap in ((arrival, gaps[0]), (departure, gaps[1])):
        angle[w] = arctan2(*(places[gap] - c[w])[::-1]) % (2.0 * np.pi)
    return path._replace(
        span_start=start, span_end=end, span_direction=u, span_length=length, arrival_angle=arrival,
        departure_angle=departure, wrap=wrap, oval=oval, oval_gaps=(gaps[0], gaps[1]),
    )  # fmt: skip


def taut_route(
    centres: ArrayLike, radii: ArrayLike, signs: ArrayLike, passed_by: ArrayLike
) -> tuple[Route, NDArray[np.int64]]:
    """Return the route without the circles that the taut chain does not touch, and the indices of the remaining
    circles.

    Arguments as for :func:`route`; passed_by: which circles may be omitted, shape (W,). Starting from a route forced
    around all circles, the circle that bends it most to the wrong side is removed, until there are no such circles.
    Raises InputError as ``route`` does.
    """
    c, r = np.asarray(centres, dtype=np.float64), np.asarray(radii, dtype=np.float64)
    s, may = np.asarray(signs, dtype=np.float64), np.asarray(passed_by, dtype=np.bool_)
    places, reaches, sides = c.tolist(), (s * r).tolist(), s.tolist()
    count = len(places)
    before, after = [(k - 1) % count for k in range(count)], [(k + 1) % count for k in range(count)]
    turn, left = np.zeros(count), set(range(count))

    def direction(k: int) -> float:
        """Direction of the tangent from circle k to the next. [rad]"""
        (x, y), (further_x, further_y) = places[k], places[after[k]]
        x, y, offset = further_x - x, further_y - y, reaches[after[k]] - reaches[k]
        length = math.sqrt(max(x * x + y * y - offset * offset, 0.0))
        return math.atan2(length * y - offset * x, length * x + offset * y)

    directions = [direction(k) for k in range(count)]

    def bend(k: int) -> None:
        if may[k]:
            turn[k] = sides[k] * math.remainder(directions[k] - directions[before[k]], 2.0 * math.pi)

    for k in range(count):
        bend(k)
    while len(left) > 2 and turn[out := int(turn.argmin())] < 0.0:
        left.remove(out)
        turn[out] = 0.0
        one, other = before[out], after[out]
        after[one], before[other] = other, one
        directions[one] = direction(one)
        bend(one)
        bend(other)
    at = np.array(sorted(left), dtype=np.int64)
    return route(c[at], r[at], s[at]), at


def _apart(c: FloatArray, r: FloatArray, s: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Vector from each centre to the next (W, 2), its length (W,), and the offset of the tangent from both (W,). [m]"""
    _, after = _around(len(c))
    between, reach = c[after] - c, s * r
    return between, np.hypot(between[:, 0], between[:, 1]), reach[after] - reach


def _tangents(between: FloatArray, distance: FloatArray, offset: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lengths (W,) [m] and unit vectors (W, 2) of the tangents from every circle to the next; arbitrary between
    concentric circles, which have none.
    """
    none = distance == 0.0
    between, distance = np.where(none[:, None], (1.0, 0.0), between), np.where(none, 1.0, distance)
    length = np.sqrt(np.maximum(distance**2 - offset**2, 0.0))
    u = (length[:, None] * between - offset[:, None] * _left(between)) / (distance**2)[:, None]
    return length, u / np.hypot(u[:, 0], u[:, 1])[:, None]


def _turn(before: FloatArray, after: FloatArray, signs: FloatArray) -> FloatArray:
    """Return the angles from one direction to the next, in the direction of the signs, 0..2 pi; rounding does not
    produce a full turn. [rad]
    """
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    angle = (signs * arctan2(cross, (before * after).sum(axis=1))) % (2.0 * np.pi)
    return np.where(angle > 2.0 * np.pi - 1e-9, 0.0, angle)


def length_in_pitches(route: Route, pitch: float, teeth: ArrayLike) -> float:
    """Return the number of links that fill the route: spans by their length, wrapped parts by their teeth. [-]

    This is sum(span)/P + sum(wrap z)/(2 pi). A wrapped chain is a polygon with one pitch per tooth, and not an arc of a
    circle.
    """
    wrapped = float(route.wrap @ np.asarray(teeth, dtype=np.float64)) / (2.0 * np.pi)
    return float(route.span_length.sum()) / pitch + wrapped
