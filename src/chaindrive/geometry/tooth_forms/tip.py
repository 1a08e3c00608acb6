"""The end of a tooth: the tip circle, and the edge between it and the flank."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin, sqrt, tan

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.profile import Arc, Element, Point, Profile, Segment

__all__ = ["EDGE_FRACTION", "with_corner", "with_tip"]

EDGE_FRACTION = 0.02
"""Radius of the rounded edge of the tip, as a fraction of the roller diameter. The standards do not specify it. [-]"""


def with_tip(elements: tuple[Element, ...], teeth: int, tip_radius: float, edge: float, seat_radius: float) -> Profile:
    """Close a tooth gap: cut its last element at the tip circle, round the edge, and continue to the centre line of the
    tooth.

    The last element is a convex arc or a segment. edge: radius of the rounded edge [m]. If the flanks of a tooth meet
    below the tip circle, the tooth is pointed: the edge is then on the centre line of the tooth and the tip radius is
    smaller. Raises InputError if no tooth is left between the gaps.
    """
    half = pi / teeth
    last = elements[-1]
    centre = _on_circle(last, edge, tip_radius - edge)
    if centre is None or atan2(centre[0], centre[1]) >= half:
        centre = _on_ray(last, edge, (sin(half), cos(half)))
    place = atan2(centre[0], centre[1])
    if isinstance(last, Arc):
        angle = atan2(centre[1] - last.centre[1], centre[0] - last.centre[0])
        flank: Element = last._replace(end_angle=angle)
        usable = angle < last.start_angle
    else:
        _, (ux, uy) = last.at(0.0)
        angle = atan2(ux, -uy)
        end = (centre[0] - edge * uy, centre[1] + edge * ux)
        flank = Segment(last.start, end)
        usable = (end[0] - last.start[0]) * ux + (end[1] - last.start[1]) * uy > 0.0
    outer = hypot(*centre) + edge
    if not usable or angle <= pi / 2 - place or outer <= seat_radius:
        raise InputError(_no_tooth(last, half))
    finish: tuple[Element, ...] = (flank, Arc(centre, edge, angle, pi / 2 - place))
    if place < half - 1e-12:
        finish += (Arc((0.0, 0.0), outer, pi / 2 - place, pi / 2 - half),)
    return Profile((*elements[:-1], *finish), True, outer, seat_radius)


def with_corner(elements: tuple[Element, ...], teeth: int, edge: float, seat_radius: float) -> Profile:
    """Close a gap whose last element ends along the centre line of the gap: a rounded corner, then the tip circle.

    edge: requested radius of the corner [m], smaller where the tooth is too narrow for it. A roller that leaves the gap
    rolls over the corner. Its distance from the surface and the direction of the force change continuously, so that the
    force has a potential. At a surface that simply ends, a roller that is pressed sideways would suddenly gain or lose
    elastic energy as it passes the end. Raises InputError if no tooth is left between the gaps.
    """
    half = pi / teeth
    (x, y), _ = elements[-1].at(1.0)
    room = y * tan(half) - x  # to the centre line of the tooth
    if room <= 0.0:
        raise InputError(
            Problem("tooth", "the walls leave no tooth: the roller or the clearance is too large for the pitch")
        )
    radius = min(edge, 0.5 * room)
    centre = (x + radius, y)
    place = atan2(*centre)
    outer = hypot(*centre) + radius
    finish = (Arc(centre, radius, pi, pi / 2 - place), Arc((0.0, 0.0), outer, pi / 2 - place, pi / 2 - half))
    return Profile((*elements, *finish), True, outer, seat_radius)


def _no_tooth(last: Element, half: float) -> Problem:
    """Return the reason why the last element of a gap cannot end in a tooth whose centre line lies at the angle
    ``half`` [rad].

    A convex arc whose centre lies before that line falls or ends before reaching it: its radius, a multiple of the
    roller radius, is too small. If the centre lies beyond the line, or the flank is straight, the flanks of both gaps
    meet too low.
    """
    if isinstance(last, Arc) and atan2(*last.centre) < half:
        return Problem("tooth", "the flanks end before the middle of the tooth: the roller is too small for the pitch")
    return Problem("tooth", "the flanks leave no tooth: the roller or the gap is too large for the pitch")


def _on_circle(last: Element, edge: float, radius: float) -> Point | None:
    """Return the centre of the edge arc, inside the flank by the radius of the edge and at this distance from the wheel
    centre.
    """
    if isinstance(last, Segment):
        (x, y), (ux, uy) = last.at(0.0)
        x, y = x + edge * uy, y - edge * ux
        root = (x * ux + y * uy) ** 2 - (x * x + y * y - radius**2)
        if root < 0.0:
            return None
        t = -(x * ux + y * uy) + sqrt(root)
        return x + t * ux, y + t * uy
    (bx, by), inner = last.centre, last.radius - edge
    d = hypot(bx, by)
    along = (d * d + radius**2 - inner**2) / (2 * d)
    root = radius**2 - along**2
    if root < 0.0:
        return None
    across = sqrt(root)
    return (along * bx - across * by) / d, (along * by + across * bx) / d


def _on_ray(last: Element, edge: float, ray: Point) -> Point:
    """Return the centre of the edge arc, inside the flank by the radius of the edge and on the centre line of the
    tooth.
    """
    if isinstance(last, Segment):
        (x, y), (ux, uy) = last.at(0.0)
        x, y = x + edge * uy, y - edge * ux
        rho = (x * uy - y * ux) / (ray[0] * uy - ray[1] * ux)
        return rho * ray[0], rho * ray[1]
    (bx, by), inner = last.centre, last.radius - edge
    along = bx * ray[0] + by * ray[1]
    root = inner**2 - (bx * bx + by * by - along**2)
    if root < 0.0:
        raise InputError(_no_tooth(last, atan2(*ray)))
    rho = along + sqrt(root)
    return rho * ray[0], rho * ray[1]
