"""Surfaces made of arcs and lines, such as every tooth gap and every guide.

A profile is traversed so that the material lies to the right and the roller to the left. An arc traversed
counter-clockwise is therefore hollow (a roller seat), and an arc traversed clockwise bulges towards the roller (a tooth
tip).

A tooth gap is symmetric: only the half with xi >= 0 is listed, from the bottom of the seat outward. It is given in the
frame of the gap, whose origin is at the wheel centre, with eta radially outward along the centre line of the gap and xi
tangential.
"""

from __future__ import annotations

from math import cos, hypot, sin
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["MOST_ELEMENTS", "Arc", "Element", "Point", "Profile", "Segment", "outline", "table"]

Point: TypeAlias = tuple[float, float]

MOST_ELEMENTS = 6
"""Largest number of arcs and lines in half a tooth gap. As the number is fixed, the contact kernel can select one of
them without branches.
"""


class Arc(NamedTuple):
    """Part of a circle, traversed from start_angle to end_angle [rad]; hollow if the angle increases."""

    centre: Point
    radius: float
    start_angle: float
    end_angle: float

    @property
    def curvature(self) -> float:
        """Signed curvature: +1/radius where the material bulges towards the roller, -1/radius where it is hollow.
        [1/m]
        """
        return -self._turn / self.radius

    @property
    def length(self) -> float:
        """Arc length. [m]"""
        return self.radius * abs(self.end_angle - self.start_angle)

    @property
    def _turn(self) -> float:
        return 1.0 if self.end_angle > self.start_angle else -1.0

    def at(self, fraction: float) -> tuple[Point, Point]:
        """Point [m] and unit tangent at a fraction 0..1 of the length."""
        angle = self.start_angle + fraction * (self.end_angle - self.start_angle)
        c, s = cos(angle), sin(angle)
        (x, y), turn = self.centre, self._turn
        return (x + self.radius * c, y + self.radius * s), (-turn * s, turn * c)


class Segment(NamedTuple):
    """A straight part from start to end. [m]"""

    start: Point
    end: Point

    @property
    def curvature(self) -> float:
        """Zero: a straight surface. [1/m]"""
        return 0.0

    @property
    def length(self) -> float:
        """Distance from start to end. [m]"""
        return hypot(self.end[0] - self.start[0], self.end[1] - self.start[1])

    def at(self, fraction: float) -> tuple[Point, Point]:
        """Point [m] and unit tangent at a fraction 0..1 of the length."""
        dx, dy = self.end[0] - self.start[0], self.end[1] - self.start[1]
        length = hypot(dx, dy)
        return (self.start[0] + fraction * dx, self.start[1] + fraction * dy), (dx / length, dy / length)


Element: TypeAlias = Arc | Segment


class Profile(NamedTuple):
    """A tangent-continuous sequence of arcs and lines with the material on the right."""

    elements: tuple[Element, ...]
    symmetric: bool
    """Whether this is the half xi >= 0 of a tooth gap; the other half is its mirror image."""
    tip_radius: float
    """Outer radius of the surface, from the wheel centre. [m]"""
    seat_radius: float
    """Distance from the wheel centre to the centre of a roller resting in the bottom of the gap. [m]"""

    @property
    def length(self) -> float:
        """Length of the listed elements. [m]"""
        return sum(element.length for element in self.elements)


def table(profile: Profile) -> NDArray[np.float64]:
    """The profile as the array that the kernels read, shape (E, 9).

    Columns: mx, my a point on the element [m]; nx, ny the unit normal there, out of the material; signed curvature
    [1/m] (see :class:`Arc`); bx, by [m] the boundary before this element and tx, ty the unit tangent at the boundary,
    pointing into this element (row 0: zeros, unused). A point x belongs to the last row e with (x - b_e).t_e > 0.
    """
    rows = []
    for number, element in enumerate(profile.elements):
        (mx, my), (ux, uy) = element.at(0.5)
        start, tangent = element.at(0.0) if number else ((0.0, 0.0), (0.0, 0.0))
        rows.append((mx, my, -uy, ux, element.curvature, *start, *tangent))
    return np.array(rows, dtype=np.float64)


def outline(profile: Profile, n: int) -> NDArray[np.float64]:
    """The profile as a polyline of n points at equal distances along it, shape (n, 2). [m]

    A symmetric profile is drawn with both sides, from the end at negative xi to the end at positive xi.
    """
    ends = np.cumsum([element.length for element in profile.elements])
    starts = ends - [element.length for element in profile.elements]
    along = np.linspace(-ends[-1] if profile.symmetric else 0.0, ends[-1], n)
    which = np.minimum(np.searchsorted(ends, np.abs(along)), len(profile.elements) - 1)
    points = np.empty((n, 2))
    for i, (s, e) in enumerate(zip(along, which, strict=True)):
        element = profile.elements[e]
        points[i], _ = element.at((abs(s) - starts[e]) / element.length)
        if s < 0.0:
            points[i, 0] *= -1.0
    return points
