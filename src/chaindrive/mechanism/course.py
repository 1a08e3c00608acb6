"""A prescribed motion whose mean speed follows a table over time, with superimposed orders of the rotation.

The mean speed W(t) is piecewise cubic, and the mean angle phi(t) is its integral. With orders, the angle of the wheel
is

    theta = phi + d,   d = - sum A_k G(W) / k^2 sin(k phi + phi_k),

so that phi and W are exactly its mean angle and speed. With G = 1/W^2, times a smooth switch from 0 to 1 between half
of the speed ``from`` and that speed, the acceleration at constant mean speed is sum A_k sin(k phi + phi_k). With
G = 1/W_max^2 it is that times (W/W_max)^2, and the angle d does not depend on the speed. The kernels are in
``motion.py``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.kernels.tables import blank
from chaindrive.mechanism import motion as M
from chaindrive.mechanism.fluctuation import SLOWEST
from chaindrive.mechanism.motion import Motion, MotionKind, MotionRows, course_acceleration, course_swing

__all__ = ["change_table", "course", "speed_knots"]

FloatArray = NDArray[np.float64]
LEAST_FROM = 0.1
"""Smallest default value of the speed from which orders have their full amplitudes, relative to the highest
speed. [-]
"""
SAMPLES = 4000
"""Number of points of the motion at which it is checked that the wheel keeps turning."""


def speed_knots(times: ArrayLike, speeds: ArrayLike) -> FloatArray:
    """Return monotone cubics of the speed, (rows, TABLE_COLUMNS): knot [s], four coefficients, angle at the knot [rad].

    times (n,) [s], increasing; speeds (n,) [rad/s]. The speed is constant before the first and after the last point.
    The cubics are those of Fritsch and Carlson (1980). The angle is 0 at time 0.
    """
    from scipy.interpolate import PchipInterpolator

    t, w = np.asarray(times, dtype=np.float64), np.asarray(speeds, dtype=np.float64)
    slopes = PchipInterpolator(t, w).derivative()(t)
    slopes[[0, -1]] = 0.0  # constant beyond the ends, and no kink there
    width, rise = np.diff(t), np.diff(w)
    cubic = (slopes[:-1] + slopes[1:] - 2.0 * rise / width) / width**2
    square = (3.0 * rise / width - 2.0 * slopes[:-1] - slopes[1:]) / width
    zero = np.zeros(1)
    rows = np.zeros((t.size, M.TABLE_COLUMNS))
    rows[:, 0], rows[:, 3], rows[:, 4] = t, np.append(slopes[:-1], zero), w
    rows[:, 1], rows[:, 2] = np.append(cubic, zero), np.append(square, zero)
    if t[0] > 0.0:
        rows = np.vstack([[0.0, 0.0, 0.0, 0.0, w[0], 0.0], rows])
    return _with_angles(rows)


def change_table(initial: float, final: float, start: float, duration: float) -> FloatArray:
    """Table of knots, as from ``speed_knots``, for a change of speed by ``motion.smooth_ramp``, whose speed is a cubic.
    [rad/s, s]
    """
    return speed_knots([start, start + duration], [initial, final])


def _with_angles(rows: FloatArray) -> FloatArray:
    """Fill the last column, the angle at the knots. [rad]"""
    u = np.diff(rows[:, 0])
    cubic, square, linear, constant = rows[:-1, 1:5].T
    turned = u * (constant + u * (linear / 2.0 + u * (square / 3.0 + u * cubic / 4.0)))
    rows[:, 5] = np.concatenate([[0.0], np.cumsum(turned)])
    return rows


def course(
    table: FloatArray,
    ramp: float,
    orders: Sequence[tuple[float, float, float]] = (),
    squared: bool = False,
    full_from: float | None = None,
) -> Motion:
    """Return a motion along a table of ``speed_knots``, after a smooth ramp from rest to its first speed.

    ramp: duration [s], 0: no ramp. orders: (order, amplitude [rad/s^2], phase [rad]) each. squared: amplitudes are
    those at the highest speed, and are proportional to the square of the speed; otherwise they are constant, and have
    their full size from the speed ``full_from`` [rad/s]. Raises ValueError if the orders would turn the wheel back.
    """
    speeds = table[:, 4]
    first, fastest = float(speeds[0]), float(np.abs(speeds).max())
    ramp = ramp if first else 0.0
    row = blank(M.MotionRows, 1)
    row.speed[0], row.ramp[0], row.nominal_speed[0] = first, ramp, float(speeds[np.argmax(np.abs(speeds))])
    row.start[0], row.run_duration[0] = _changing(table)
    row.rows_end[0] = row.knots_end[0] = len(table)
    stops = (*((ramp,) if ramp > 0.0 else ()), *table[:, 0].tolist())
    initial = 0.0 if ramp > 0.0 else first
    if not len(orders):
        return Motion(MotionKind.COURSE, row, table, stops, initial)
    slower = np.abs(speeds[speeds != 0.0]).min()
    row.full_speed[0] = full_from or max(float(slower), LEAST_FROM * fastest)
    row.squared[0] = fastest if squared else 0.0
    harmonics = np.zeros((len(orders), M.TABLE_COLUMNS))
    harmonics[:, :3] = orders
    table = np.vstack([table, harmonics])
    row.rows_end[0] = len(table)
    _keeps_turning(row, table)
    swing = course_swing(0.0, row, table, 0)
    return Motion(MotionKind.COURSE, row, table, stops, initial + swing)


def _changing(table: FloatArray) -> tuple[float, float]:
    """Return the time at which the speed begins to change, and the duration of the change. [s]"""
    changes = np.flatnonzero(np.diff(table[:, 4]))
    if not changes.size:
        return 0.0, 0.0
    return float(table[changes[0], 0]), float(table[changes[-1] + 1, 0] - table[changes[0], 0])


def _keeps_turning(row: MotionRows, table: FloatArray) -> None:
    """Raise ValueError if the speed fluctuation of all orders together can exceed the mean speed."""
    knots = table[: row.knots_end[0]]
    fastest = float(np.abs(knots[:, 4]).max())
    speed = np.linspace(1e-3, 1.0, SAMPLES) * fastest
    if row.squared[0] > 0.0:
        part = np.ones(SAMPLES) / row.squared[0] ** 2
    else:
        full = row.full_speed[0]
        x = np.clip((speed - 0.5 * full) / (0.5 * full), 0.0, 1.0)
        part = x**3 * (10.0 - x * (15.0 - 6.0 * x)) / speed**2
    harmonics = table[row.knots_end[0] :]
    swings = part * float((harmonics[:, 1] / harmonics[:, 0]).sum())
    worst = int(np.argmax(swings))
    if swings[worst] > 1.0 - SLOWEST:
        rpm = 30.0 / math.pi
        where = "" if row.squared[0] > 0.0 else f" at a mean of {speed[worst] * rpm:.4g} rpm"
        remedy = "" if row.squared[0] > 0.0 else ", raise orders_from"
        raise ValueError(
            f"the orders would reverse the wheel{where}: the speed fluctuates by {100 * swings[worst]:.3g} % of its "
            f"mean; multiply their amplitudes by {(1.0 - SLOWEST) / swings[worst]:.2g} or less{remedy}, or use "
            "order_amplitudes = 'speed_squared'"
        )


def course_at(row: MotionRows, table: FloatArray, time: float) -> float:
    """Return the acceleration at a time [s] of a motion made by ``course``, for tests and drawings. [rad/s^2]"""
    return float(course_acceleration(time, row, table, 0))
