"""Prescribed motion of a wheel or a joint: its acceleration as a function of time and angle.

The motion is integrated along with everything else, so that one rule applies to all kinds: a wheel that follows a
motion has the angular acceleration a(t, angle), where a free wheel has moment / inertia. The speed before any motion
starts is an initial value. A joint of a mechanism follows a motion in the same way; its coordinate is an angle or a
length.

For a fluctuating motion (orders, or a table over the angle), the given speed is the mean over time; ``fluctuation.py``
ensures this.

``MotionRows`` is the table ``motion`` of wheels or joints; ``TABLE_COLUMNS`` lists the columns of ``motion_table``.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.kernels import kernel
from chaindrive.kernels.tables import Reals, Wholes, blank

FREE, CONSTANT_SPEED, ANGLE_TABLE, ORDERS_OVER_TIME, ORDERS_OVER_ANGLE, RUN_UP = 0, 1, 2, 3, 4, 5
MOVE, HARMONIC = 6, 7
COURSE, POSITION_TABLE, INPUT = 8, 9, 10


class MotionKind(IntEnum):
    """Kinds of motion of a wheel or a joint; the values are the codes that the kernels use."""

    FREE = FREE
    CONSTANT_SPEED = CONSTANT_SPEED
    ANGLE_TABLE = ANGLE_TABLE
    ORDERS_OVER_TIME = ORDERS_OVER_TIME
    ORDERS_OVER_ANGLE = ORDERS_OVER_ANGLE
    RUN_UP = RUN_UP
    MOVE = MOVE
    HARMONIC = HARMONIC
    COURSE = COURSE
    POSITION_TABLE = POSITION_TABLE
    INPUT = INPUT


TABLE_COLUMNS = 6
"""Angle table: knot [rad], the four coefficients of the cubic after it, and the integral F, of zero mean, at the knot.
Orders: order, amplitude, phase, 0, 0, 0. Course: knot [s], the four coefficients of the cubic of the speed after it,
and the angle there [rad]. Position table: knot [s], the four coefficients of the cubic of the acceleration after it;
the last row has none. Input: one row, the starting time and the cubic of the acceleration since then
(``contract.inputs``).
"""


class MotionRows(NamedTuple):
    """Motions of wheels or joints, one per row.

    For an angle-dependent fluctuation, angles are counted in the direction of rotation from the reference angle.
    """

    speed: Reals
    """change of speed over the ramp [rad/s]"""
    ramp: Reals
    """duration of the ramp; 0 if the run starts at speed [s]"""
    start: Reals
    fade_in: Reals
    """start and duration of the fade-in of the fluctuation, or start of the run-up; with orders over time, the phase is
    zero at ``start`` [s]
    """
    run_change: Reals
    run_duration: Reals
    """change of speed [rad/s] and duration [s] of a run-up"""
    rows: Wholes
    rows_end: Wholes
    """rows of the table that belong to this wheel"""
    reference_angle: Reals
    """angle of the wheel at which the table or the phase is zero [rad]"""
    nominal_speed: Reals
    """speed of which the orders are multiples [rad/s]"""
    change: Reals
    duration: Reals
    """travel of the coordinate of a joint [rad or m], and its duration [s]"""
    amplitude: Reals
    frequency: Reals
    phase: Reals
    """amplitude, frequency and phase of the motion of a joint [rad or m, rad/s, rad]; it fades in within
    ``fade_in``
    """
    fade_from: Reals
    fade_angle: Reals
    """angle at which the fade-in begins, and angle over which it extends; 0: the fluctuation has its full size [rad]"""
    gain: Reals
    """growth of w^2/2 during the fade-in, excluding the integral F of the acceleration over the angle [rad^2/s^2]"""
    grows: Reals
    """1: the fluctuation itself grows from zero; 0: it has its full size, and only the mean speed changes"""
    knots_end: Wholes
    """row after the last knot; the rows from here to ``rows_end`` are orders"""
    full_speed: Reals
    """speed above which orders of constant amplitude have their full size [rad/s]"""
    squared: Reals
    """speed at which amplitudes that grow with the square of the speed have the given values; 0: amplitudes are
    constant [rad/s]
    """


class Motion(NamedTuple):
    """The motion of one wheel or joint, as numbers."""

    kind: MotionKind
    row: MotionRows
    """One row; ``rows`` and ``rows_end`` count from the first row of ``table``."""
    table: NDArray[np.float64]
    """(rows, TABLE_COLUMNS)"""
    stops: tuple[float, ...]
    """Instants at which the acceleration has a kink. [s]"""
    initial_speed: float
    """Speed at the start of the run [rad/s; m/s for a prismatic joint]"""
    initial_coordinate: float = 0.0
    """Coordinate of a joint at the start of the run [rad; m for a prismatic joint]"""


@kernel
def smooth_ramp(t, start, duration, change):
    """Return the angular acceleration that changes the speed by ``change`` between start and start + duration.
    [rad/s^2]

    Pedersen (2004), Eq. 4.3: a = change 6 t (tc - t) / tc^3. Its integral over the ramp is exactly ``change``, and a
    ramp from rest covers the angle change tc / 2.
    """
    s = t - start
    if duration <= 0.0 or s <= 0.0 or s >= duration:
        return 0.0
    return change * 6.0 * s * (duration - s) / (duration * duration * duration)


@kernel
def row_of(turn, table, first, end):
    """Return the row of table[first:end] with the last knot (column 0) that is not above ``turn``; the first row if all
    are above.
    """
    low, high = first, end
    while high - low > 1:
        middle = (low + high) // 2
        if table[middle, 0] <= turn:
            low = middle
        else:
            high = middle
    return low


@kernel
def cubic_value(x, table, first, end):
    """Return the value at x of piecewise cubics with knots table[first:end, 0] and coefficients in columns 1 to 4."""
    low = row_of(x, table, first, end)
    u = x - table[low, 0]
    return ((table[low, 1] * u + table[low, 2]) * u + table[low, 3]) * u + table[low, 4]


@kernel
def table_value(angle, table, first, end):
    """Return the value of a cubic spline of period 2 pi with knots table[first:end, 0] that begin at 0."""
    turn = angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi))
    return cubic_value(turn, table, first, end)


@kernel
def table_integral(angle, table, first, end):
    """Return the integral of ``table_value`` over the angle, from the integrals at the knots; both have zero mean."""
    turn = angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi))
    low = row_of(turn, table, first, end)
    u = turn - table[low, 0]
    linear, square, cubic = table[low, 3] / 2.0, table[low, 2] / 3.0, table[low, 1] / 4.0
    return table[low, 5] + u * (table[low, 4] + u * (linear + u * (square + u * cubic)))


@kernel
def _orders_value(phase, table, first, end):
    """Return the sum of A_k sin(k phase + phase_k) (Pedersen 2004, Eq. 4.5, for several orders)."""
    total = 0.0
    for i in range(first, end):
        total += table[i, 1] * math.sin(table[i, 0] * phase + table[i, 2])
    return total


@kernel
def _orders_integral(phase, table, first, end):
    """Return the integral of ``_orders_value`` over the phase, of zero mean."""
    total = 0.0
    for i in range(first, end):
        total -= table[i, 1] / table[i, 0] * math.cos(table[i, 0] * phase + table[i, 2])
    return total


@kernel
def smooth_weight(x):
    """Return 10 x^3 - 15 x^4 + 6 x^5, which rises from 0 to 1; its first two derivatives are zero at both ends."""
    return x * x * x * (10.0 - x * (15.0 - 6.0 * x))


@kernel
def smooth_rate(x):
    """Return the derivative of ``smooth_weight``."""
    return 30.0 * x * x * (1.0 - x) * (1.0 - x)


@kernel
def smooth_move(t, start, duration, change):
    """Return the acceleration that changes a coordinate by ``change`` between start and start + duration, from rest to
    rest.

    It is the second derivative of change (10 x^3 - 15 x^4 + 6 x^5), x = (t - start)/duration. Speed and acceleration
    are continuous, and a method of order five integrates them without error. [rad/s^2 or m/s^2]
    """
    s = t - start
    if s <= 0.0 or s >= duration:
        return 0.0
    x = s / duration
    return change * x * (60.0 - x * (180.0 - 120.0 * x)) / (duration * duration)


@kernel
def harmonic_acceleration(t, start, fade_in, amplitude, frequency, phase):
    """Return the second derivative of w(t) A sin(f (t - start) + phase) after ``start``, zero before. [rad/s^2 or
    m/s^2]

    w rises from 0 to 1 within ``fade_in`` like the polynomial of ``smooth_move``; it is 1 if fade_in is 0. amplitude A
    [rad or m]; frequency f [rad/s]; phase [rad].
    """
    s = t - start
    if s < 0.0:
        return 0.0
    sine, cosine = math.sin(frequency * s + phase), math.cos(frequency * s + phase)
    if s >= fade_in:
        return -amplitude * frequency * frequency * sine
    x = s / fade_in
    weight, rate = smooth_weight(x), smooth_rate(x) / fade_in
    bend = smooth_move(t, start, fade_in, 1.0)
    return amplitude * ((bend - weight * frequency * frequency) * sine + 2.0 * rate * frequency * cosine)


@kernel
def position_table_acceleration(t, table, first, end):
    """Return the acceleration of a motion along a table of positions over time; zero before its first knot. [rad/s^2 or
    m/s^2]
    """
    return cubic_value(t, table, first, end) if t > table[first, 0] else 0.0


@kernel
def motion_acceleration(kind, t, angle, motion, table, w):
    """Return the acceleration of wheel or joint w at a time t and an angle or coordinate. [rad/s^2; m/s^2 for a
    prismatic joint]

    kind: MotionKind other than FREE; motion: rows of the wheels; table (rows, TABLE_COLUMNS).
    """
    if kind == MOVE:
        return smooth_move(t, motion.start[w], motion.duration[w], motion.change[w])
    if kind == HARMONIC:
        amplitude, frequency, phase = motion.amplitude[w], motion.frequency[w], motion.phase[w]
        return harmonic_acceleration(t, motion.start[w], motion.fade_in[w], amplitude, frequency, phase)
    if kind == POSITION_TABLE:
        return position_table_acceleration(t, table, motion.rows[w], motion.rows_end[w])
    if kind == INPUT and t >= table[motion.rows[w], 0]:
        return cubic_value(t, table, motion.rows[w], motion.rows_end[w])
    value = smooth_ramp(t, 0.0, motion.ramp[w], motion.speed[w])
    if kind in (CONSTANT_SPEED, INPUT):
        return value
    if kind == COURSE:
        return value + course_acceleration(t, motion, table, w)
    if kind == RUN_UP:
        return value + smooth_ramp(t, motion.start[w], motion.run_duration[w], motion.run_change[w])
    if kind == ORDERS_OVER_TIME:
        return value + _over_time(t, motion, table, w)
    return value + _over_angle(kind, angle, motion, table, w)


@kernel
def _over_time(t, motion, table, w):
    """Return the acceleration S a + dS/dt v of a fluctuation over the nominal angle; v: integral of a over time.
    [rad/s^2]
    """
    s, fade_in, nominal = t - motion.start[w], motion.fade_in[w], motion.nominal_speed[w]
    if s < 0.0:
        return 0.0
    first, end = motion.rows[w], motion.rows_end[w]
    value = _orders_value(nominal * s, table, first, end)
    if s >= fade_in:
        return value
    x = s / fade_in
    swing = _orders_integral(nominal * s, table, first, end) / nominal
    return smooth_weight(x) * value + smooth_rate(x) / fade_in * swing


@kernel
def _over_angle(kind, angle, motion, table, w):
    """Return the acceleration f of an angle-dependent fluctuation; during the fade-in, that of w^2/2 = const + S
    (``gain`` + F).
    """
    first, end = motion.rows[w], motion.rows_end[w]
    turned, width, grows = angle - motion.reference_angle[w], motion.fade_angle[w], motion.grows[w] > 0.0
    sense = 1.0 if motion.nominal_speed[w] >= 0.0 else -1.0
    s = sense * turned - motion.fade_from[w]
    if width > 0.0 and grows and s <= 0.0:
        return 0.0
    value = table_value(turned, table, first, end) if kind == ANGLE_TABLE else _orders_value(turned, table, first, end)
    if s <= 0.0 or s >= width:
        return value
    x = s / width
    rate = sense * smooth_rate(x) / width
    if not grows:
        return value + rate * motion.gain[w]
    if kind == ANGLE_TABLE:
        energy = motion.gain[w] + table_integral(turned, table, first, end)
    else:
        energy = motion.gain[w] + _orders_integral(turned, table, first, end)
    return smooth_weight(x) * value + rate * energy


@kernel
def _mean_course(t, motion, table, w):
    """Return angle [rad], speed [rad/s], acceleration [rad/s^2] and jerk [rad/s^3] of the mean course, including its
    ramp.
    """
    first, end = motion.rows[w], motion.knots_end[w]
    low = row_of(t, table, first, end)
    u = t - table[low, 0]
    cubic, square, linear, constant = table[low, 1], table[low, 2], table[low, 3], table[low, 4]
    angle = table[low, 5] + u * (constant + u * (linear / 2.0 + u * (square / 3.0 + u * cubic / 4.0)))
    speed = constant + u * (linear + u * (square + u * cubic))
    rate, jerk = linear + u * (2.0 * square + 3.0 * u * cubic), 2.0 * square + 6.0 * u * cubic
    duration, change = motion.ramp[w], motion.speed[w]
    if t < duration:
        x = t / duration
        speed += change * (x * x * (3.0 - 2.0 * x) - 1.0)
        angle += change * duration * (x * x * x * (1.0 - 0.5 * x) - x)
        rate += change * 6.0 * x * (1.0 - x) / duration
        jerk += change * 6.0 * (1.0 - 2.0 * x) / (duration * duration)
    else:
        angle -= 0.5 * change * duration
    return angle, speed, rate, jerk


@kernel
def _gain_of_orders(speed, full, squared):
    """Return G(W) of course.py at a mean speed W, and its first and second derivatives with respect to W. [s^2/rad^2,
    ...]
    """
    if squared > 0.0:
        return 1.0 / (squared * squared), 0.0, 0.0
    size, sense = abs(speed), math.copysign(1.0, speed)
    x = 2.0 * size / full - 1.0
    if x <= 0.0:
        return 0.0, 0.0, 0.0
    inverse = 1.0 / (size * size)
    value, slope, bend = inverse, -2.0 * inverse / size, 6.0 * inverse * inverse
    if x < 1.0:
        per = 2.0 / full
        s, rate, turn = smooth_weight(x), smooth_rate(x) * per, x * (60.0 - x * (180.0 - 120.0 * x)) * per * per
        value, slope, bend = s * value, rate * value + s * slope, turn * value + 2.0 * rate * slope + s * bend
    return value, sense * slope, bend


@kernel
def course_acceleration(t, motion, table, w):
    """Return the acceleration of a course without its ramp: that of the mean speed and of the orders added to it
    (course.py). [rad/s^2]
    """
    first, knots, end = motion.rows[w], motion.knots_end[w], motion.rows_end[w]
    if knots == end:
        low = row_of(t, table, first, knots)
        u = t - table[low, 0]
        return table[low, 3] + u * (2.0 * table[low, 2] + 3.0 * u * table[low, 1]) if u > 0.0 else 0.0
    angle, speed, rate, jerk = _mean_course(t, motion, table, w)
    gain, slope, bend = _gain_of_orders(speed, motion.full_speed[w], motion.squared[w])
    first_rate, second_rate = slope * rate, bend * rate * rate + slope * jerk
    value = rate - smooth_ramp(t, 0.0, motion.ramp[w], motion.speed[w])
    for i in range(knots, end):
        k = table[i, 0]
        sine, cosine = math.sin(k * angle + table[i, 2]), math.cos(k * angle + table[i, 2])
        swing = (second_rate - gain * k * k * speed * speed) * sine
        swing += (2.0 * first_rate * speed + gain * rate) * k * cosine
        value -= table[i, 1] / (k * k) * swing
    return value


@kernel
def course_swing(t, motion, table, w):
    """Return the difference of the speed from its mean at time t, due to the orders of a course. [rad/s]"""
    knots, end = motion.knots_end[w], motion.rows_end[w]
    if knots == end:
        return 0.0
    angle, speed, rate, _ = _mean_course(t, motion, table, w)
    gain, slope, _ = _gain_of_orders(speed, motion.full_speed[w], motion.squared[w])
    total = 0.0
    for i in range(knots, end):
        k = table[i, 0]
        phase = k * angle + table[i, 2]
        total -= table[i, 1] / (k * k) * (slope * rate * math.sin(phase) + gain * k * speed * math.cos(phase))
    return total


def constant_speed(speed: float, ramp: float) -> Motion:
    """Return a motion at constant speed [rad/s] after a smooth ramp [s]; with ramp 0, the wheel turns at this speed
    from the start.
    """
    row = blank(MotionRows, 1)
    row.speed[0], row.ramp[0], row.nominal_speed[0] = speed, ramp, speed
    stops = (ramp,) if ramp > 0 else ()
    return Motion(MotionKind.CONSTANT_SPEED, row, np.zeros((0, TABLE_COLUMNS)), stops, 0.0 if ramp > 0 else speed)


def given_from_outside(speed: float = 0.0, ramp: float = 0.0) -> Motion:
    """Return a motion that is written between steps; until then, the speed [rad/s, m/s] is constant after its
    ramp [s].
    """
    base = constant_speed(speed, ramp)
    base.row.rows_end[0] = 1
    table = np.zeros((1, TABLE_COLUMNS))
    table[0, 0] = math.inf
    return base._replace(kind=MotionKind.INPUT, table=table)


def run_up(initial: float, final: float, start: float, duration: float, ramp: float) -> Motion:
    """Return a motion from rest to the speed ``initial`` within ``ramp`` and, from ``start``, to the speed ``final``
    within ``duration``. [rad/s, s]
    """
    base = constant_speed(initial, ramp)
    base.row.start[0], base.row.run_duration[0], base.row.run_change[0] = start, duration, final - initial
    return base._replace(kind=MotionKind.RUN_UP, stops=(*base.stops, start, start + duration))


def move(change: float, start: float, duration: float) -> Motion:
    """Return the motion of a joint whose coordinate changes smoothly by ``change`` [rad or m], from rest to rest. [s]

    Raises ValueError if the duration is not positive, or if the motion starts before the run.
    """
    if not duration > 0.0:
        raise ValueError(f"a move needs a duration above zero, not {duration!r} s")
    if start < 0.0:
        raise ValueError(f"a move must start at time zero or later, not at {start!r} s")
    row = blank(MotionRows, 1)
    row.change[0], row.start[0], row.duration[0] = change, start, duration
    return Motion(MotionKind.MOVE, row, np.zeros((0, TABLE_COLUMNS)), (start, start + duration), 0.0)


def harmonic(amplitude: float, frequency: float, phase: float, start: float = 0.0, fade_in: float = 0.0) -> Motion:
    """Return the motion of a joint whose coordinate is s = A sin(2 pi f (t - start) + phase) after ``start``.

    amplitude A [rad or m]; frequency f [Hz]; phase [rad]; start, fade_in [s].

    A finite acceleration cannot make a joint move instantaneously. With a fade_in, the joint is at rest at zero until
    ``start``, and the oscillation then grows smoothly to its full size. Without a fade_in, the joint starts with
    ``initial_coordinate`` and ``initial_speed``, such that the oscillation follows exactly. For start = 0 these are the
    values of the oscillation itself. For a later start, they are those of a uniform motion that leads into the
    oscillation at ``start``; if the phase is a quarter turn, this means rest.

    Raises ValueError if a time or the frequency is negative.
    """
    if frequency < 0.0 or start < 0.0 or fade_in < 0.0:
        raise ValueError(
            f"frequency, start and fade-in must not be negative: {frequency!r} Hz, {start!r} s, {fade_in!r} s"
        )
    turning = 2.0 * math.pi * frequency
    row = blank(MotionRows, 1)
    row.start[0], row.fade_in[0] = start, fade_in
    row.amplitude[0], row.frequency[0], row.phase[0] = amplitude, turning, phase
    speed = coordinate = 0.0
    if fade_in == 0.0:
        speed = amplitude * turning * math.cos(phase)
        coordinate = amplitude * math.sin(phase) - speed * start
    stops = (start, start + fade_in)
    return Motion(MotionKind.HARMONIC, row, np.zeros((0, TABLE_COLUMNS)), stops, speed, coordinate)


class Motions(NamedTuple):
    """The motions of all W wheels, or of all W joints, packed for the kernels."""

    kinds: NDArray[np.int64]
    """(W,), values of MotionKind"""
    rows: MotionRows
    """(W,) each"""
    table: NDArray[np.float64]
    """(rows, TABLE_COLUMNS)"""
    stops: NDArray[np.float64]
    """Instants after the start at which an acceleration has a kink. [s]"""


def pack(motions: list[Motion | None], reference_angles: NDArray[np.float64]) -> Motions:
    """Pack the motions of all wheels or joints; None: no motion is prescribed.

    reference_angles (W,): angles of the wheels from which their motions are counted [rad].
    """
    kinds = np.zeros(len(motions), dtype=np.int64)
    rows = blank(MotionRows, len(motions))
    tables: list[NDArray[np.float64]] = []
    stops: set[float] = set()
    used = 0
    for w, motion in enumerate(motions):
        if motion is None:
            continue
        kinds[w] = motion.kind
        for column, value in zip(rows, motion.row, strict=True):
            column[w] = value[0]
        rows.rows[w], rows.rows_end[w] = used, used + len(motion.table)
        rows.knots_end[w] += used
        rows.reference_angle[w] = reference_angles[w]
        tables.append(motion.table)
        used += len(motion.table)
        stops.update(motion.stops)
    table = np.ascontiguousarray(np.concatenate(tables)) if used else np.zeros((1, TABLE_COLUMNS))
    return Motions(kinds, rows, table, np.array(sorted(s for s in stops if s > 0.0)))
