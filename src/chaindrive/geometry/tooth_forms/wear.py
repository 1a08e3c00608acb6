"""Worn teeth: a tooth gap from which as much is worn off everywhere, square to its surface.

The surface moves into the material by the depth of the wear: the parallel curve of an arc is an arc of the same centre,
that of a line a line, and both stay tangent to each other. A roller in the seat sits lower by the depth; where both
flanks of a tooth meet, it is pointed, and lower.
"""

from __future__ import annotations

from math import atan2, hypot, pi

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.profile import Arc, Element, Profile, Segment

__all__ = ["worn"]


def worn(gap: Profile, teeth: int, depth: float) -> Profile:
    """A tooth gap of a wheel with ``teeth``, worn by ``depth`` [m].

    Raises InputError, with the place ``tooth_wear``, where an arc or the tooth would be worn away.
    """
    elements: list[Element] = []
    for element in gap.elements:
        if isinstance(element, Segment):
            _, (ux, uy) = element.at(0.0)
            shift = uy * depth, -ux * depth  # against the normal out of the material
            moved = [(x + shift[0], y + shift[1]) for x, y in (element.start, element.end)]
            elements.append(Segment(moved[0], moved[1]))
            continue
        radius = element.radius + (depth if element.curvature < 0.0 else -depth)
        if radius <= 0.0 and element is gap.elements[-1]:
            continue  # the edge of the tip, which is no more
        if radius <= 0.0:
            message = f"must be less than {element.radius:.4g} m, the radius of an arc of the flanks that it wears off"
            raise InputError(Problem("tooth_wear", message, f"{depth:g} m"))
        elements.append(Arc(element.centre, radius, element.start_angle, element.end_angle))
    left = _pointed(elements, pi / teeth)
    tip = min(gap.tip_radius, hypot(*left[-1].at(1.0)[0])) if left else 0.0
    if tip <= gap.seat_radius:
        message = "must be less: nothing would be left of the teeth beyond the middle of the rollers"
        raise InputError(Problem("tooth_wear", message, f"{depth:g} m"))
    return Profile(tuple(left), gap.symmetric, tip, gap.seat_radius - depth)


def _pointed(elements: list[Element], half: float) -> list[Element]:
    """The elements up to the middle of the tooth, half a pitch angle [rad] on, where both worn flanks meet."""
    left: list[Element] = []
    for element in elements:
        if _angle(element, 0.0) >= half:
            break
        if _angle(element, 1.0) < half:
            left.append(element)
            continue
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if _angle(element, middle) < half else (low, middle)
        if isinstance(element, Segment):
            left.append(Segment(element.start, element.at(low)[0]))
        else:
            left.append(
                element._replace(end_angle=element.start_angle + low * (element.end_angle - element.start_angle))
            )
        break
    return left


def _angle(element: Element, fraction: float) -> float:
    """Of a point of the element from the middle of the gap. [rad]"""
    (x, y), _ = element.at(fraction)
    return atan2(x, y)
