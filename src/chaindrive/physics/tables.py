"""Periodic tables over an angle as cubic polynomials for the kernels, and their means.

Each row contains a knot [rad], measured from 0, and the four coefficients of the cubic that follows it, the highest
power first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["mean_of_cubics", "monotone_cubics", "periodic_spline"]

FloatArray = NDArray[np.float64]


def periodic_spline(angles: ArrayLike, values: ArrayLike) -> tuple[FloatArray, float]:
    """Rows of a periodic cubic spline over one turn, (rows, 6) with a last column of 0, and the mean of the spline.

    angles (n,) [rad], increasing, covering one turn or more; values (n,). One turn is used and closed periodically
    (Pedersen 2004, section 4.3.1).
    """
    from scipy.interpolate import CubicSpline

    at, own = np.asarray(angles, dtype=np.float64), np.asarray(values, dtype=np.float64)
    turn = 2.0 * np.pi
    inside = (at >= at[0]) & (at < at[0] + turn - 1e-9)
    knots = np.mod(at[inside], turn)
    knots[knots > turn - 1e-12] = 0.0  # an angle just below zero is rounded to a whole turn
    order = np.argsort(knots)
    knots, own = knots[order], own[inside][order]
    if knots[0] > 1e-12:  # begin the table at angle zero
        wrapped = CubicSpline(np.append(knots, knots[0] + turn), np.append(own, own[0]), bc_type="periodic")
        knots, own = np.insert(knots, 0, 0.0), np.insert(own, 0, wrapped(turn))
    knots[0] = 0.0
    spline = CubicSpline(np.append(knots, turn), np.append(own, own[0]), bc_type="periodic")
    rows = np.column_stack([knots, spline.c.T, np.zeros(len(knots))])
    return rows, float(spline.integrate(0.0, turn) / turn)


def monotone_cubics(angles: ArrayLike, values: ArrayLike) -> FloatArray:
    """Rows of monotone cubics, which do not overshoot, through periodic points, of which the last equals the first, (n
    - 1, 5).

    angles, values (n,). The method of Fritsch and Carlson (1980) is applied to three periods, of which the middle one
    is used.
    """
    from scipy.interpolate import PchipInterpolator

    at, own = np.asarray(angles, dtype=np.float64), np.asarray(values, dtype=np.float64)[:-1]
    period, knots = at[-1] - at[0], at[:-1] - at[0]
    count = len(knots)
    spline = PchipInterpolator(np.concatenate([knots - period, knots, knots + period]), np.tile(own, 3))
    return np.column_stack([knots, spline.c.T[count : 2 * count]])


def mean_of_cubics(rows: FloatArray, period: float) -> float:
    """Exact mean of ``monotone_cubics`` over their period [rad]."""
    width = np.diff(np.append(rows[:, 0], period))
    cubic, square, linear, constant = rows[:, 1:5].T
    inside = width * (constant + width * (linear / 2.0 + width * (square / 3.0 + width * cubic / 4.0)))
    return float(inside.sum() / period)
