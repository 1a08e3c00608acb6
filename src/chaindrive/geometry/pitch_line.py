"""Pitch lines that are not circles: the positions of the rollers on an oval sprocket.

A sprocket whose pitch line has a radius r that varies with the angle carries its rollers at the corners of a polygon
with sides of one pitch: the distance between neighbouring gaps is one chord, whatever the radius. All gaps have the
form of those of a round sprocket with the same number of teeth. Gap k is turned so that its centre line is normal to
the line from roller k - 1 to roller k + 1, and shifted so that its roller is at corner k.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from math import hypot, isfinite, nan, pi
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.elementary import arctan2, cos, sin
from chaindrive.geometry.route import pitch_radius

__all__ = ["OvalWheel", "PitchPolygon", "ellipse", "pitch_polygon"]

FloatArray = NDArray[np.float64]

ACCURACY = 1e-13
"""Accuracy with which the angle of a corner is computed. [rad]"""
TRIALS = 60
"""Largest number of steps of the secant method."""
FARTHEST = 0.5
"""Largest relative difference in size between a line on which a polygon closes and the pitch circle of a round
sprocket. [-]
"""


class PitchPolygon(NamedTuple):
    """The rollers on an oval sprocket with z teeth, in the frame of the sprocket: angle 0 is that of the pitch line."""

    corners: FloatArray
    """Positions of the rollers, counter-clockwise, the first at angle 0, shape (z, 2). [m]"""
    direction: FloatArray
    """Direction of the centre line of every gap, shape (z,). [rad]"""
    shift: FloatArray
    """Shift of each gap relative to a round sprocket, along the centre line of the gap and to its left, shape (z, 2).
    [m]
    """
    scale: float
    """Factor by which the pitch line was enlarged so that the polygon closes. [-]"""

    @property
    def convex(self) -> bool:
        """Whether the polygon is convex."""
        ahead = np.roll(self.corners, -1, axis=0) - self.corners
        after = np.roll(ahead, -1, axis=0)
        return bool((ahead[:, 0] * after[:, 1] - ahead[:, 1] * after[:, 0] > 0.0).all())

    @property
    def origins(self) -> FloatArray:
        """For each gap, the centre of the round sprocket to which it would belong, shape (z, 2). [m]"""
        along = np.column_stack([cos(self.direction), sin(self.direction)])
        left = np.column_stack([-along[:, 1], along[:, 0]])
        return self.shift[:, :1] * along + self.shift[:, 1:] * left

    @property
    def radii(self) -> FloatArray:
        """Distances of the rollers from the axis, shape (z,). [m]"""
        return np.hypot(*self.corners.T)


class OvalWheel(NamedTuple):
    """The oval sprocket of a drive."""

    wheel: int
    """Number of the wheel."""
    polygon: PitchPolygon
    angle: float
    """Direction of the angle 0 of the sprocket, and therefore of its first gap. [rad]"""

    @property
    def corners(self) -> FloatArray:
        """Positions of the rollers relative to the axis of the sprocket, in the order of its gaps, shape (z, 2). [m]"""
        c, s = math.cos(self.angle), math.sin(self.angle)
        x, y = self.polygon.corners.T
        return np.column_stack([c * x - s * y, s * x + c * y])


def ellipse(ovality: float) -> Callable[[float], float]:
    """Return the radius of an ellipse as a function of the angle. Its axes have the given ratio, its mean radius is
    near 1, and its long axis is at angle 0.
    """
    a, b = ovality**0.5, ovality**-0.5
    return lambda angle: 1.0 / hypot(math.cos(angle) / a, math.sin(angle) / b)


def pitch_polygon(radius: Callable[[float], float], teeth: int, pitch: float) -> PitchPolygon:
    """Place one roller per tooth along a pitch line, each one pitch from the next.

    radius: function of the angle [rad], periodic in one turn; its size does not matter, as it is scaled until the
    polygon closes; teeth: z; pitch [m]. If no polygon fits the line, the corners are NaN.
    """
    mean = float(np.mean([radius(angle) for angle in np.linspace(0.0, 2.0 * pi, 720, endpoint=False)]))
    nominal = float(pitch_radius(pitch, teeth)) / mean

    def beyond(scale: float) -> float:
        return _angles(radius, scale, teeth, pitch)[-1] - 2.0 * pi

    scale = _secant(beyond, nominal, nominal * (1.0 + 1e-4), ACCURACY * nominal)
    scale = scale if abs(scale / nominal - 1.0) < FARTHEST else nan
    angles = np.array(_angles(radius, scale, teeth, pitch)[:-1])
    corners = np.array([(r * math.cos(a), r * math.sin(a)) for a in angles for r in (scale * radius(a),)])
    across = np.roll(corners, -1, axis=0) - np.roll(corners, 1, axis=0)
    direction = arctan2(-across[:, 0], across[:, 1])
    c, s = cos(direction), sin(direction)
    along = c * corners[:, 0] + s * corners[:, 1] - float(pitch_radius(pitch, teeth))
    aside = c * corners[:, 1] - s * corners[:, 0]
    return PitchPolygon(corners, direction, np.column_stack([along, aside]), scale)


def _angles(radius: Callable[[float], float], scale: float, teeth: int, pitch: float) -> list[float]:
    """Return the angles of the rollers, starting at 0, each one pitch from the one before; z + 1 values for z teeth.
    [rad]
    """
    angle, step, found = 0.0, 2.0 * pi / teeth, [0.0]
    for _ in range(teeth):
        r = scale * radius(angle)
        x, y, start = r * math.cos(angle), r * math.sin(angle), angle

        def beyond(turned: float, x: float = x, y: float = y, start: float = start) -> float:
            there = scale * radius(start + turned)
            return hypot(there * math.cos(start + turned) - x, there * math.sin(start + turned) - y) - pitch

        step = _secant(beyond, step, 1.01 * step, ACCURACY)
        angle = start + step
        found.append(angle)
    return found


def _secant(function: Callable[[float], float], one: float, other: float, accuracy: float) -> float:
    """Return the root of a smooth function near two guesses; NaN if the iteration fails."""
    at_one, at_other = function(one), function(other)
    for _ in range(TRIALS):
        if abs(other - one) <= accuracy or at_other == at_one:
            break
        one, other, at_one = other, other - at_other * (other - one) / (at_other - at_one), at_other
        if not isfinite(other):
            return nan
        at_other = function(other)
    return other
