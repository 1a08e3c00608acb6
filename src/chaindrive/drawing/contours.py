"""Contours of wheels as arcs and lines, for manufacturing drawings."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, cos, hypot, pi, sin
from typing import Any

from chaindrive.geometry.pitch_line import PitchPolygon
from chaindrive.geometry.profile import Arc, Element, Point, Profile, Segment
from chaindrive.mechanism.variator import loop_of

__all__ = ["around", "moved", "wheel_contour"]

_SAME = 1e-9
"""Relative difference of centres and radii below which two arcs count as one."""


def around(drive: Any, w: int) -> str:
    """Return the size of wheel w in words: its number of teeth or, for a pair of sheaves, the running
    radius as placed.
    """
    if drive.sheaves:
        return f"runs at {1e3 * loop_of(drive).radii[w]:.4g} mm"
    return f"{drive.wheels[w].teeth:.4g} teeth"


def wheel_contour(gap: Profile, teeth: float, polygon: PitchPolygon | None = None) -> tuple[Element, ...]:
    """Return the closed contour of a wheel about its centre, travelled counter-clockwise, with gap 0 in the direction
    of +x.

    Arcs that continue each other (the two halves of a roller seat, or the tip of a tooth between two gaps) become one.
    polygon: the pitch polygon of an oval sprocket, whose tips are joined by short lines.
    """
    half = [_to_wheel(element) for element in gap.elements]
    whole = [*(_mirrored(element) for element in reversed(half)), *half]
    if polygon is not None:
        return _oval_contour(whole, polygon)
    pitch_angle = 2.0 * pi / ceil(teeth)
    joined = _joined(moved(element, k * pitch_angle) for k in range(ceil(teeth)) for element in whole)
    if len(joined) > 1 and (closing := _one(joined[-1], joined[0])) is not None:
        joined = [*joined[1:-1], closing]
    return tuple(joined)


def _oval_contour(gap: list[Element], polygon: PitchPolygon) -> tuple[Element, ...]:
    places = zip(polygon.direction.tolist(), polygon.origins.tolist(), strict=True)
    found = [_joined(moved(element, angle, (x, y)) for element in gap) for angle, (x, y) in places]
    joined: list[Element] = []
    for one, following in zip(found, [*found[1:], found[0]], strict=True):
        tips = Segment(one[-1].at(1.0)[0], following[0].at(0.0)[0])
        joined += [*one, tips] if tips.length > 0.0 else one
    return tuple(joined)


def _to_wheel(element: Element) -> Element:
    """Transform an element from the frame of the gap (xi tangential, eta outward) to that of the wheel: x = eta, y =
    xi.
    """
    if isinstance(element, Segment):
        return Segment(element.start[::-1], element.end[::-1])
    return Arc(element.centre[::-1], element.radius, pi / 2 - element.start_angle, pi / 2 - element.end_angle)


def _mirrored(element: Element) -> Element:
    """Return the element mirrored about the x axis and travelled in the other direction."""
    if isinstance(element, Segment):
        (x0, y0), (x1, y1) = element.start, element.end
        return Segment((x1, -y1), (x0, -y0))
    (x, y) = element.centre
    return Arc((x, -y), element.radius, -element.end_angle, -element.start_angle)


def moved(element: Element, angle: float, by: Point = (0.0, 0.0)) -> Element:
    """Return an element rotated about the origin by ``angle`` [rad] and then shifted by ``by`` [m]."""
    c, s = cos(angle), sin(angle)

    def to(point: Point) -> Point:
        return (c * point[0] - s * point[1] + by[0], s * point[0] + c * point[1] + by[1])

    if isinstance(element, Segment):
        return Segment(to(element.start), to(element.end))
    return Arc(to(element.centre), element.radius, element.start_angle + angle, element.end_angle + angle)


def _joined(elements: Iterable[Element]) -> list[Element]:
    found: list[Element] = []
    for element in elements:
        both = _one(found[-1], element) if found else None
        if both is None:
            found.append(element)
        else:
            found[-1] = both
    return found


def _one(first: Element, second: Element) -> Element | None:
    """Return both elements as one if the second continues the first, otherwise None."""
    if isinstance(first, Arc) and isinstance(second, Arc):
        way, more = first.end_angle - first.start_angle, second.end_angle - second.start_angle
        apart = hypot(first.centre[0] - second.centre[0], first.centre[1] - second.centre[1])
        unlike = max(apart, abs(first.radius - second.radius)) > _SAME * first.radius
        return None if unlike or way * more <= 0.0 else first._replace(end_angle=first.end_angle + more)
    if isinstance(first, Segment) and isinstance(second, Segment):
        _, (ux, uy) = first.at(0.5)
        _, (vx, vy) = second.at(0.5)
        straight = abs(ux * vy - uy * vx) < _SAME and ux * vx + uy * vy > 0.0
        return Segment(first.start, second.end) if straight else None
    return None
