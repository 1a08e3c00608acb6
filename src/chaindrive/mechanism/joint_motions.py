"""Prescribed motions of the joints of bodies, as the numbers that the kernels read (``motion``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.kernels.tables import blank
from chaindrive.mechanism.motion import (
    TABLE_COLUMNS,
    Motion,
    MotionKind,
    MotionRows,
    given_from_outside,
    harmonic,
    move,
)
from chaindrive.model.body import PrismaticMotion, RevoluteMotion

if TYPE_CHECKING:
    from scipy.interpolate import BPoly

__all__ = ["joint_motion", "position_curve", "position_table"]

FloatArray = NDArray[np.float64]
STEEPEST = 2.0
"""Largest speed at a point of a monotone table, relative to the smaller of the mean speeds on both sides of the point.
[-]
"""


def joint_motion(given: RevoluteMotion | PrismaticMotion | None) -> Motion | None:
    """Return the motion of a joint as numbers; None if no motion is prescribed."""
    if given is None:
        return None
    if given.kind == "input":
        return given_from_outside()
    if given.kind == "move":
        return move(given.by, given.start, given.duration)
    if given.kind == "table":
        return position_table(given.times, given.coordinates, given.interpolation == "smooth")
    fade_in = 1.0 / given.frequency if given.fade_in is None else given.fade_in
    return harmonic(given.amplitude, given.frequency, given.phase, given.start, fade_in)


def position_table(times: ArrayLike, positions: ArrayLike, smooth: bool = False) -> Motion:
    """Return the motion of a joint whose coordinate follows a table, from rest to rest, with continuous speed and
    acceleration.

    times (n,) [s], increasing; positions (n,) [rad or m], the first at the start of the run. Between two points the
    coordinate is the polynomial of degree five that has the speeds and accelerations of ``_monotone`` at both or, with
    ``smooth``, those of the spline of degree five.
    """
    from scipy.interpolate import PPoly

    t, s = np.asarray(times, dtype=np.float64), np.asarray(positions, dtype=np.float64)
    pieces = position_curve(t, s, smooth).derivative(2)
    table = np.zeros((t.size, TABLE_COLUMNS))
    table[:, 0] = t
    table[:-1, 1:5] = PPoly.from_bernstein_basis(pieces).c.T
    row = blank(MotionRows, 1)
    row.rows_end[0] = t.size
    return Motion(MotionKind.POSITION_TABLE, row, table, tuple(t.tolist()), 0.0, float(s[0]))


def position_curve(times: ArrayLike, positions: ArrayLike, smooth: bool = False) -> BPoly:
    """Return the coordinate of ``position_table`` as a function of time, from the first to the last point."""
    from scipy.interpolate import BPoly

    t, s = np.asarray(times, dtype=np.float64), np.asarray(positions, dtype=np.float64)
    speed, acceleration = _smooth(t, s) if smooth else _monotone(t, s)
    return BPoly.from_derivatives(t, np.column_stack([s, speed, acceleration]))


def _monotone(t: FloatArray, s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return speeds and accelerations at the points such that no polynomial goes beyond the two points that it joins.

    The speeds are those of Fritsch and Carlson (1980), and the accelerations are zero. If a and b are the speeds at
    both ends of a polynomial, relative to its mean speed, the speed in between is a (1 - S) + b S + (1 - (a + b)/2) 30
    x^2 (1 - x)^2, S = 3 x^2 - 2 x^3. It is nowhere negative for a and b from 0 to STEEPEST.
    """
    from scipy.interpolate import PchipInterpolator

    mean = np.abs(np.diff(s) / np.diff(t))
    speed = PchipInterpolator(t, s).derivative()(t)
    speed[[0, -1]] = 0.0
    most = STEEPEST * np.minimum(mean[:-1], mean[1:])
    speed[1:-1] = np.clip(speed[1:-1], -most, most)
    return speed, np.zeros(t.size)


def _smooth(t: FloatArray, s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return speeds and accelerations at the points of the spline of degree five that is at rest at both ends."""
    from scipy.interpolate import make_interp_spline

    rest = [(1, 0.0), (2, 0.0)]
    spline = make_interp_spline(t, s, k=5, bc_type=(rest, rest))
    return spline(t, 1), spline(t, 2)
