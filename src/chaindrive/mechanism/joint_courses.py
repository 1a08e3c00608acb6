"""The coordinates of joints with prescribed motion as functions of time, from formulas and without a run."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.elementary import sin
from chaindrive.mechanism.joint_motions import position_curve
from chaindrive.model.body import PrismaticMotion, RevoluteMotion

__all__ = ["JointCourse", "joint_course"]

FloatArray = NDArray[np.float64]
Over = Callable[[FloatArray], FloatArray]


class JointCourse(NamedTuple):
    """Coordinate of a joint at any time, and the distance that it has travelled by then."""

    coordinate: Over
    """Function that returns coordinates (T,) [rad or m] at times (T,) [s]"""
    way: Over
    """Function that returns the largest possible distance travelled back and forth, (T,) [rad or m], at times
    (T,) [s]
    """
    instants: FloatArray
    """Instants at which the motion changes, ascending. After the last of them the joint rests, or repeats its motion.
    [s]
    """
    largest: float
    """Largest distance from coordinate 0. [rad or m]"""
    period: float = 0.0
    """Period; 0 if the joint comes to rest. [s]"""


def joint_course(given: RevoluteMotion | PrismaticMotion) -> JointCourse | None:
    """Return the course of a prescribed motion; None for a motion that is supplied during a run."""
    if given.kind == "input":
        return None
    if given.kind == "move":
        return _through((given.start, given.start + given.duration), (0.0, given.by))
    if given.kind == "table":
        return _through(given.times, given.coordinates, given.interpolation == "smooth")
    period = 1.0 / given.frequency
    fade_in = period if given.fade_in is None else given.fade_in
    return _harmonic(given.amplitude, given.frequency, given.phase, given.start, fade_in)


def _through(times: tuple[float, ...], coordinates: tuple[float, ...], smooth: bool = False) -> JointCourse:
    """Return the course along a table, at rest before and after it; a move is a table of two points."""
    from scipy.interpolate import PPoly

    curve = position_curve(times, coordinates, smooth)
    turns = PPoly.from_bernstein_basis(curve.derivative()).roots(discontinuity=False, extrapolate=False)
    instants = np.unique(np.concatenate([times, turns[np.isfinite(turns)]]))
    reached = np.abs(np.diff(curve(instants), prepend=coordinates[0])).cumsum()

    def coordinate(t: FloatArray) -> FloatArray:
        return np.asarray(curve(np.clip(t, times[0], times[-1])))

    def way(t: FloatArray) -> FloatArray:
        before = np.clip(np.searchsorted(instants, t, "right") - 1, 0, None)
        return np.asarray(reached[before] + np.abs(coordinate(t) - coordinate(instants[before])))

    return JointCourse(coordinate, way, instants, float(np.abs(curve(instants)).max()))


def _harmonic(amplitude: float, frequency: float, phase: float, start: float, fade_in: float) -> JointCourse:
    """Return an oscillation that grows within fade_in. Its speed is at most amplitude (2 pi frequency + rate of
    growth).
    """
    turning, grows = 2.0 * math.pi * frequency, _through((start, start + fade_in), (0.0, 1.0))

    def coordinate(t: FloatArray) -> FloatArray:
        return amplitude * grows.coordinate(t) * sin(turning * (t - start) + phase)

    def way(t: FloatArray) -> FloatArray:
        return amplitude * (turning * np.maximum(t - start, 0.0) + grows.coordinate(t))

    return JointCourse(coordinate, way, grows.instants, amplitude, 1.0 / frequency)
