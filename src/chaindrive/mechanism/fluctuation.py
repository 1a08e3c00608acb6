"""The fluctuation of a wheel's speed about a given mean: its speed at the start, and how it fades in.

The mean is the mean over time: a revolution takes 2 pi / |mean speed| on average over the periods of the fluctuation.

As a function of the nominal angle W t (W is the mean speed), the acceleration sum A_k sin(k W t + phi_k) is that of the
speed

    w = W - sum A_k / (k W) cos(k W t + phi_k).

As a function of the true angle, with the acceleration f and its integral F of zero mean (F' = f), speed and angle are
related by the energy integral w^2 / 2 = W^2 / 2 + e + F(angle). The excess e >= 0 is the root for which a period takes
the right time. A fluctuation fades in as w^2 / 2 = W^2 / 2 + S(x) (e + F), with the completed fraction x of the fade-in
angle and the polynomial S of ``smooth_weight``. So its mean speed is exactly W from the end of the fade-in on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.elementary import cos, exp
from chaindrive.kernels.tables import copied
from chaindrive.mechanism.motion import (
    TABLE_COLUMNS,
    Motion,
    MotionKind,
    MotionRows,
)
from chaindrive.physics.tables import periodic_spline

__all__ = ["SLOWEST", "angle_table", "change_mean", "fade_in_after", "orders", "speed_at"]

FloatArray = NDArray[np.float64]
Potential = Callable[[FloatArray], FloatArray]
"""Function that returns F [rad^2/s^2] at angles [rad], in an array of the same shape."""

SLOWEST = 0.02
"""Smallest speed of an angle-dependent fluctuation, as a fraction of its mean. If the speed fell lower, accumulated
rounding errors could let it pass through zero.
"""
SAMPLES_PER_PERIOD, FEWEST_SAMPLES, MOST_SAMPLES = 512, 8192, 2**20
MOST_TURNS = 1000
"""Largest number of turns after which orders that are not whole numbers may repeat for their period to be used."""
PANELS_PER_PERIOD, FEWEST_PANELS, MOST_PANELS = 16, 32, 20_000
GAUSS, WEIGHTS = np.polynomial.legendre.leggauss(6)


def angle_table(
    base: Motion, angles: FloatArray, accelerations: FloatArray, start: float, fade_in: float
) -> tuple[Motion, float]:
    """Add an angular acceleration tabulated over the angle of the wheel to a mean speed.

    base: as ``motion.constant_speed`` makes it; angles (n,) [rad], increasing, covering one turn or more; accelerations
    (n,) [rad/s^2], see ``periodic_spline``. A mean acceleration would speed up the wheel indefinitely, and is removed.
    start, fade_in [s]: as in ``orders``. Returns the motion and the mean that was removed [rad/s^2]. Raises ValueError
    as ``orders`` does.
    """
    table, mean = periodic_spline(angles, accelerations)
    table[:, 4] -= mean
    _integrate(table)
    return _fluctuating(base, MotionKind.ANGLE_TABLE, table, start, fade_in), mean


def orders(
    base: Motion, terms: list[tuple[float, float, float]], over_angle: bool, start: float, fade_in: float
) -> Motion:
    """Add a sum of orders (order, amplitude [rad/s^2], phase [rad]) to a mean speed.

    base: as ``motion.constant_speed`` makes it. over_angle: whether they are functions of the true angle of the wheel;
    otherwise of the nominal angle since the fluctuation began (Pedersen 2004, Eq. 4.6). start: time at which the
    fluctuation begins [s], at the earliest after the ramp. fade_in: time until it has its full size [s]; 0: one
    revolution at the mean speed, or no fade-in in a run that begins with the fluctuation (start 0, no ramp). Raises
    ValueError for a mean speed of zero, and if the speed would pass through zero with orders over the angle.
    """
    table = np.zeros((len(terms), TABLE_COLUMNS))
    table[:, :3] = terms
    kind = MotionKind.ORDERS_OVER_ANGLE if over_angle else MotionKind.ORDERS_OVER_TIME
    return _fluctuating(base, kind, table, start, fade_in)


def _fluctuating(base: Motion, kind: MotionKind, table: FloatArray, start: float, fade_in: float) -> Motion:
    row = copied(base.row)
    nominal = float(row.nominal_speed[0])
    if nominal == 0.0:
        raise ValueError("the mean of a fluctuating speed must not be 0")
    row.rows_end[0] = len(table)
    if kind != MotionKind.ORDERS_OVER_TIME:
        row.gain[0] = _excess_for(_potential(kind, table), *_fineness(kind, table), nominal)
    if start == 0.0 and fade_in == 0.0 and row.ramp[0] == 0.0:
        return Motion(kind, row, table, base.stops, speed_at(kind, row, table, 0.0, 0.0))
    stops = fade_in_after(kind, row, table, (start, fade_in), 0.0, base.initial_speed)
    return Motion(kind, row, table, (*base.stops, *stops), base.initial_speed)


def speed_at(kind: int, row: MotionRows, table: FloatArray, t: float, turned: float) -> float:
    """Return the speed of a fluctuation of full size at time t [s], with the wheel turned by an angle [rad]. [rad/s]

    row: one row, whose ``gain`` is the excess e; table: the rows of this fluctuation only.
    """
    nominal = float(row.nominal_speed[0])
    if kind == MotionKind.ORDERS_OVER_TIME:
        phase = np.array([nominal * (t - row.start[0])])
        return nominal + float(_orders_potential(table)(phase)[0]) / nominal
    energy = 0.5 * nominal**2 + row.gain[0] + float(_potential(kind, table)(np.array([turned]))[0])
    return math.copysign(math.sqrt(2.0 * energy), nominal)


def fade_in_after(
    kind: int, row: MotionRows, table: FloatArray, asked: tuple[float, float], turned: float, speed: float
) -> tuple[float, float]:
    """Let a fluctuation fade in after the ramp of ``row``, which is changed in place; return start and end of the
    fade-in. [s]

    asked: given start and fade_in [s], see ``orders``; turned, speed: angle from the reference [rad] and speed [rad/s]
    at time 0, from which the ramp leads to the mean speed; table: the rows of this fluctuation only.
    """
    nominal, ramp = float(row.nominal_speed[0]), float(row.ramp[0])
    begin, lasting = max(asked[0], ramp), asked[1] or 2.0 * math.pi / abs(nominal)
    row.start[0], row.fade_in[0], row.grows[0] = begin, lasting, 1.0
    if kind != MotionKind.ORDERS_OVER_TIME:
        sense = math.copysign(1.0, nominal)
        row.fade_from[0] = sense * (turned + (speed + 0.5 * row.speed[0]) * ramp + nominal * (begin - ramp))
        course = _Course(_potential(kind, table), float(row.fade_from[0]), sense, 0.5 * nominal**2, row.gain[0], True)
        row.fade_angle[0] = _fade_angle(course, lasting, _fineness(kind, table)[1])
    return begin, begin + lasting


def change_mean(kind: int, row: MotionRows, table: FloatArray, lasting: float, turned: float, speed: float) -> None:
    """Let a fluctuation at full amplitude pass from the mean speed of a wheel at time 0 to the mean speed of ``row``.

    lasting: duration of the change [s]; turned, speed: angle from the reference [rad] and speed [rad/s] at time 0.
    ``row.start`` determines the phase of a fluctuation over time.
    """
    if kind == MotionKind.ORDERS_OVER_TIME:
        row.speed[0], row.ramp[0] = speed_at(kind, row, table, 0.0, turned) - speed, lasting
        return
    nominal, potential = float(row.nominal_speed[0]), _potential(kind, table)
    sense = math.copysign(1.0, nominal)
    energy = 0.5 * speed**2 - float(potential(np.array([turned]))[0])
    gain = 0.5 * nominal**2 + float(row.gain[0]) - energy
    width = _fade_angle(
        _Course(potential, sense * turned, sense, energy, gain, False), lasting, _fineness(kind, table)[1]
    )
    row.speed[0], row.ramp[0], row.start[0], row.fade_in[0] = 0.0, 0.0, 0.0, lasting
    row.fade_from[0], row.fade_angle[0], row.gain[0], row.grows[0] = sense * turned, width, gain, 0.0


# The energy integral -------------------------------------------------------------------------------------------------


def _potential(kind: int, table: FloatArray) -> Potential:
    return _table_potential(table) if kind == MotionKind.ANGLE_TABLE else _orders_potential(table)


def _fineness(kind: int, table: FloatArray) -> tuple[FloatArray, float]:
    """Return the cycles per turn of an angle-dependent fluctuation, and the highest relevant number of cycles."""
    if kind == MotionKind.ANGLE_TABLE:
        return np.ones(1), max(1.0, len(table) / 8.0)
    return table[:, 0], max(1.0, float(table[:, 0].max()))


def _integrate(table: FloatArray) -> None:
    """Fill the last column of a table of zero mean: the integral at the knots minus the mean of the integral."""
    width = np.diff(np.append(table[:, 0], 2.0 * math.pi))
    constant, linear, square, cubic = table[:, 4], table[:, 3] / 2.0, table[:, 2] / 3.0, table[:, 1] / 4.0
    gained = width * (constant + width * (linear + width * (square + width * cubic)))
    table[:, 5] = np.concatenate([[0.0], np.cumsum(gained)[:-1]])
    inside = width**2 * (constant / 2.0 + width * (linear / 3.0 + width * (square / 4.0 + width * cubic / 5.0)))
    table[:, 5] -= float((table[:, 5] * width + inside).sum()) / (2.0 * math.pi)


def _orders_potential(table: FloatArray) -> Potential:
    """Return F = - sum A_k / k cos(k angle + phi_k); table (rows, ...): order, amplitude [rad/s^2], phase [rad]."""

    def potential(angle: FloatArray) -> FloatArray:
        total = np.zeros_like(angle)
        for order, amplitude, phase in table[:, :3]:
            total -= amplitude / order * cos(order * angle + phase)
        return total

    return potential


def _table_potential(table: FloatArray) -> Potential:
    """Return F of a periodic cubic spline from ``periodic_spline``; its last column is F at the knots."""
    knots, cubic, at_knot = table[:, 0], table[:, 1:5], table[:, 5]

    def potential(angle: FloatArray) -> FloatArray:
        turn = np.mod(angle, 2.0 * math.pi)
        row = np.clip(np.searchsorted(knots, turn, side="right") - 1, 0, len(knots) - 1)
        u, c = turn - knots[row], cubic[row]
        return np.asarray(at_knot[row] + u * (c[:, 3] + u * (c[:, 2] / 2.0 + u * (c[:, 1] / 3.0 + u * c[:, 0] / 4.0))))

    return potential


def _sampled(potential: Potential, orders: FloatArray, finest: float) -> tuple[FloatArray, FloatArray]:
    """Return F at many angles over whole periods, and the weights of its mean, both (n,).

    If the orders have no common period within MOST_TURNS turns, a weighted mean over many turns is used, with a weight
    that vanishes smoothly at both ends. This mean converges faster than any power of the number of turns (Das et al.
    2017).
    """
    for turns in range(1, MOST_TURNS + 1):
        if np.all(np.abs(turns * orders - np.round(turns * orders)) < 1e-9 * turns):
            count = int(min(max(SAMPLES_PER_PERIOD * finest * turns, FEWEST_SAMPLES), MOST_SAMPLES))
            angle = 2.0 * math.pi * turns * np.arange(count) / count
            return potential(angle), np.full(count, 1.0 / count)
    turns = int(max(20, min(MOST_TURNS, MOST_SAMPLES / (32.0 * finest))))
    part = (np.arange(MOST_SAMPLES) + 0.5) / MOST_SAMPLES
    weight = exp(-1.0 / (part * (1.0 - part)))
    return potential(2.0 * math.pi * turns * part), weight / weight.sum()


def _excess_for(potential: Potential, orders: FloatArray, finest: float, speed: float) -> float:
    """Return the excess e in the energy integral (see the module) for which the mean speed over time is ``speed``.
    [rad^2/s^2]

    orders (n,): cycles per turn of the terms of the potential, 1 for a table; finest: highest relevant cycles per turn;
    speed [rad/s], not 0. Raises ValueError if the speed would fall below SLOWEST of its mean; the message states how
    large a fluctuation may be.
    """
    values, weights = _sampled(potential, orders, finest)
    found = _excess(values, weights, speed)
    if found is None:
        raise ValueError(
            "the speed would pass through zero: with these accelerations, the wheel cannot keep turning at a mean of "
            f"{speed:.6g} rad/s. Multiply the accelerations by {_largest(values, weights, speed):.3g} or less, raise "
            "the speed, or use orders over = 'time'"
        )
    return found


def _excess(values: FloatArray, weights: FloatArray, speed: float) -> float | None:
    """Return the excess; None if the speed becomes too low."""
    from scipy.optimize import brentq

    lowest, nominal = float(values.min()), 0.5 * speed * speed
    slow = 0.5 * (SLOWEST * speed) ** 2

    def too_fast(more: float) -> float:
        """Return the relative difference between the mean speed of the motion and the required speed."""
        squares = 2.0 * (nominal + more + values)
        return 1.0 / float(weights @ (1.0 / np.sqrt(squares))) / abs(speed) - 1.0

    # The mean of 1/w is least at a given mean of w^2 where w is constant, so e >= 0; with e = -min F no w is below W.
    least, most = max(0.0, slow - lowest - nominal), max(-lowest, 0.0)
    if most <= 1e-15 * nominal:
        return 0.0
    if least >= most or too_fast(least) > 1e-12:
        return None if least > 0.0 else 0.0
    return float(brentq(too_fast, least, most, xtol=1e-14 * nominal, rtol=4.0 * np.finfo(float).eps))


def _largest(values: FloatArray, weights: FloatArray, speed: float) -> float:
    """Return the largest factor on the accelerations for which the speed stays high enough, rounded down to three
    digits.
    """
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _excess(middle * values, weights, speed) is not None else (low, middle)
    scale = 10.0 ** (2 - math.floor(math.log10(low))) if low > 0.0 else 1.0
    return math.floor(low * scale) / scale


class _Course(NamedTuple):
    """The motion w^2/2 = energy + S gain + (S or 1) F over an angle, with S rising from 0 to 1."""

    potential: Potential
    begin: float
    """Angle at which the motion begins, in the direction of rotation from the reference of F. [rad]"""
    sense: float
    """The direction of rotation, +1 or -1, in which the angle is counted."""
    energy: float
    gain: float
    """[rad^2/s^2]"""
    grows: bool
    """Whether F fades in with S, or has its full size from the start."""

    def duration(self, width: float, panels: int) -> float:
        """Return the time taken over the angle ``width`` [rad], by Gauss quadrature with this number of panels. [s]"""
        x = ((np.arange(panels)[:, None] + 0.5 + 0.5 * GAUSS) / panels).ravel()
        weight = x * x * x * (10.0 - x * (15.0 - 6.0 * x))
        swing = self.potential(self.sense * (self.begin + width * x))
        squares = 2.0 * (self.energy + weight * self.gain + (weight if self.grows else 1.0) * swing)
        return width * float(np.tile(0.5 * WEIGHTS / panels, panels) @ (1.0 / np.sqrt(squares)))


def _fade_angle(course: _Course, lasting: float, finest: float) -> float:
    """Return the angle over which the motion takes exactly ``lasting`` [s]; finest: highest relevant cycles per turn.
    [rad]
    """
    from scipy.optimize import brentq

    def late(width: float) -> float:
        periods = finest * width / (2.0 * math.pi)
        panels = min(max(math.ceil(PANELS_PER_PERIOD * periods), FEWEST_PANELS), MOST_PANELS)
        return course.duration(width, panels) - lasting

    low = high = math.sqrt(2.0 * max(course.energy, course.energy + course.gain)) * lasting
    while late(low) > 0.0:
        low *= 0.5
    while late(high) < 0.0:
        high *= 2.0
    return low if low == high else float(brentq(late, low, high, xtol=1e-12 * high, rtol=1e-13))
