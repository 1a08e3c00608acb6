"""Coordinates of a link along and normal to the trajectory of the chain, in compiled code.

A link has the coordinate s along the trajectory [m], the distance y to the left of it [m] and the angle gamma relative
to its tangent [rad] (Hippmann, Arnold, Schittenhelm 2005, section 2.2). With the unit tangent t, the normal n to its
left and the curvature kappa:

    position      X + y n                  angle            theta + gamma
    velocity      (1 - y kappa) s' t + y' n    angular velocity     kappa s' + gamma'

s and the angle theta continue to grow over the laps, and may be negative. A point has path coordinates if y kappa < 1,
that is, on the near side of the centre of curvature. Elsewhere they are NaN, which ends a run.

Every function that looks up s takes the row of the table in which s was last found, or any row if none is known, and
returns the present row.
"""

from __future__ import annotations

from math import cos, nan, pi, sin

import numpy as np

from chaindrive.kernels import kernel

__all__ = [
    "acceleration_to_path",
    "acceleration_to_plane",
    "find",
    "to_path",
    "to_plane",
    "trajectory_point",
    "velocity_to_path",
    "velocity_to_plane",
]

# Columns of the table, one row an element
BEGIN, END = 0, 1  # place of its ends [m]
LENGTH = 2  # of the whole closed curve, the same in every row [m]
TURN = 3  # angle of one lap, 2 pi or -2 pi, the same in every row [rad]
MIDDLE, INVERSE_HALF = 4, 5  # place of its middle [m]; one over half its length [1/m]
ANGLE = 6  # coefficients of theta, degree 4, in v = (s - MIDDLE) INVERSE_HALF, which runs from -1 to 1 [rad]
ANGLE_TERMS = 5
X = ANGLE + ANGLE_TERMS  # coefficients of x in v [m]
POSITION_TERMS = 13
Y = X + POSITION_TERMS  # of y [m]
COLUMNS = Y + POSITION_TERMS

SMALL_STEP = 1.0e-9
"""Newton step, as a fraction of the length of the curve, below which the next one is negligible."""
MOST_STEPS = 60
"""Largest number of Newton steps to the foot point: usually five suffice, but many are needed near the centre of
curvature.
"""
FLATTEST = 0.01
"""Value of 1 - y kappa below which the Newton step is replaced by the step for a straight line. [-]"""


@kernel
def _row(table, row, s):
    """Return the row of the element at s in 0..length: the given row or a neighbouring one, or else a row found by
    bisection.
    """
    count = table.shape[0]
    if table[row, BEGIN] <= s and s < table[row, END]:
        return row
    after = row + 1 if row + 1 < count else 0
    if table[after, BEGIN] <= s and s < table[after, END]:
        return after
    before = row - 1 if row > 0 else count - 1
    if table[before, BEGIN] <= s and s < table[before, END]:
        return before
    low, high = 0, count
    while high - low > 1:
        middle = (low + high) // 2
        if s >= table[middle, BEGIN]:
            low = middle
        else:
            high = middle
    return low


@kernel
def trajectory_point(table, row, s):
    """Return the trajectory at s: row, x, y [m], angle [rad], cosine and sine of the angle, curvature [1/m], and its
    slope [1/m^2].

    table: shape (E, COLUMNS), see ``trajectory.Trajectory``; s [m], of any lap.
    """
    laps = np.floor(s / table[row, LENGTH])
    s -= laps * table[row, LENGTH]
    row = _row(table, row, s)
    per_half = table[row, INVERSE_HALF]
    v = (s - table[row, MIDDLE]) * per_half
    a1, a2, a3, a4 = table[row, ANGLE + 1], table[row, ANGLE + 2], table[row, ANGLE + 3], table[row, ANGLE + 4]
    angle = table[row, ANGLE] + v * (a1 + v * (a2 + v * (a3 + v * a4)))
    curvature = (a1 + v * (2.0 * a2 + v * (3.0 * a3 + v * 4.0 * a4))) * per_half
    slope = (2.0 * a2 + v * (6.0 * a3 + v * 12.0 * a4)) * per_half * per_half
    x, y = table[row, X + POSITION_TERMS - 1], table[row, Y + POSITION_TERMS - 1]
    for term in range(POSITION_TERMS - 2, -1, -1):
        x = table[row, X + term] + v * x
        y = table[row, Y + term] + v * y
    return row, x, y, angle + laps * table[row, TURN], cos(angle), sin(angle), curvature, slope


@kernel
def to_plane(table, row, s, y, gamma):
    """Row, position x, y [m] and angle [rad] in the plane, from path coordinates s, y [m] and gamma [rad]."""
    row, px, py, angle, c, n, _, _ = trajectory_point(table, row, s)
    return row, px - y * n, py + y * c, angle + gamma


@kernel
def to_path(table, row, x, y, angle, near):
    """Return the row and the path coordinates s, y [m], gamma [rad] of a position [m] and an angle [rad], starting from
    a nearby s [m].

    Newton's method solves (x - X(s)).t(s) = 0. s is on the lap of the initial value; gamma is within -pi..pi. The
    result is NaN if there is no foot point with y kappa < 1, or none is found; see :func:`find`.
    """
    s, step, steps = near, 1.0, 0
    while abs(step) > SMALL_STEP * table[row, LENGTH] and steps < MOST_STEPS:
        row, px, py, _, c, n, curvature, _ = trajectory_point(table, row, s)
        stretch = 1.0 - curvature * ((y - py) * c - (x - px) * n)
        step = ((x - px) * c + (y - py) * n) / (stretch if stretch > FLATTEST else 1.0)
        s += step
        steps += 1
    row, px, py, theta, c, n, curvature, _ = trajectory_point(table, row, s)
    beside = (y - py) * c - (x - px) * n
    if curvature * beside < 1.0 and abs(step) <= SMALL_STEP * table[row, LENGTH]:
        turned = angle - theta
        return row, s, beside, turned - 2.0 * pi * np.floor(turned / (2.0 * pi) + 0.5)
    return row, nan, nan, nan


@kernel
def find(table, x, y, angle):
    """The same as :func:`to_path` without an initial value: it finds the nearest foot point on the trajectory, on lap
    0.

    If the chain passes a point on both sides, the nearest span may be the wrong one; use an initial value in this case.
    """
    nearest, place, found = 1.0e300, 0.0, 0
    for row in range(table.shape[0]):
        begin, end = table[row, BEGIN], table[row, END]
        for fifth in range(5):
            s = begin + 0.25 * fifth * (end - begin)
            for _ in range(4):
                _, px, py, _, c, n, curvature, _ = trajectory_point(table, row, s)
                distance = (x - px) * (x - px) + (y - py) * (y - py)
                if distance < nearest:
                    nearest, place, found = distance, s, row
                stretch = 1.0 - curvature * ((y - py) * c - (x - px) * n)
                step = ((x - px) * c + (y - py) * n) / (stretch if stretch > FLATTEST else 1.0)
                s = min(end, max(begin, s + step))
    return to_path(table, found, x, y, angle, place)


@kernel(inline=True)
def velocity_to_plane(point, y, s_rate, y_rate, gamma_rate):
    """Velocity [m/s] and angular velocity [rad/s] in the plane, from the rates of path coordinates.

    point: the result of :func:`trajectory_point`; y [m].
    """
    _, _, _, _, c, n, curvature, _ = point
    along = (1.0 - y * curvature) * s_rate
    return along * c - y_rate * n, along * n + y_rate * c, curvature * s_rate + gamma_rate


@kernel(inline=True)
def velocity_to_path(point, y, vx, vy, omega):
    """Rates of path coordinates s', y' [m/s], gamma' [rad/s]: the inverse of :func:`velocity_to_plane`."""
    _, _, _, _, c, n, curvature, _ = point
    stretch = 1.0 - y * curvature
    s_rate = (vx * c + vy * n) / stretch if stretch > 0.0 else nan
    return s_rate, vy * c - vx * n, omega - curvature * s_rate


@kernel(inline=True)
def acceleration_to_plane(point, y, s_rate, y_rate, s_second, y_second, gamma_second):
    """Acceleration [m/s^2], angular acceleration [rad/s^2] in the plane, from second derivatives of path coordinates.

    a.t = (1 - y kappa) s'' - 2 kappa s' y' - y kappa' s'^2,  a.n = y'' + (1 - y kappa) kappa s'^2,
    alpha = gamma'' + kappa s'' + kappa' s'^2, with kappa' along s. point, y as in :func:`velocity_to_plane`.
    """
    _, _, _, _, c, n, curvature, slope = point
    stretch = 1.0 - y * curvature
    along = stretch * s_second - (2.0 * curvature * y_rate + y * slope * s_rate) * s_rate
    across = y_second + stretch * curvature * s_rate * s_rate
    return along * c - across * n, along * n + across * c, gamma_second + curvature * s_second + slope * s_rate * s_rate


@kernel(inline=True)
def acceleration_to_path(point, y, s_rate, y_rate, ax, ay, alpha):
    """Second derivatives of path coordinates s'', y'' [m/s^2], gamma'' [rad/s^2], from accelerations in the plane.

    The inverse of :func:`acceleration_to_plane`.
    """
    _, _, _, _, c, n, curvature, slope = point
    stretch = 1.0 - y * curvature
    along = ax * c + ay * n + (2.0 * curvature * y_rate + y * slope * s_rate) * s_rate
    s_second = along / stretch if stretch > 0.0 else nan
    y_second = ay * c - ax * n - stretch * curvature * s_rate * s_rate
    return s_second, y_second, alpha - curvature * s_second - slope * s_rate * s_rate
