"""Worn teeth: a tooth gap whose seat and flanks are worn by the same depth everywhere, normal to the surface.

The surface is moved into the material by the depth of the wear. An arc becomes an arc with the same centre and a line
becomes a line, and they remain tangent to each other. A roller in the seat lies lower by the depth. The tip circle and
the radius of its edge are unchanged; if both flanks of a tooth meet below the tip circle, the tooth is pointed and
lower.
"""

from __future__ import annotations

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.profile import Arc, Element, Profile, Segment
from chaindrive.geometry.tooth_forms.tip import with_corner, with_tip

__all__ = ["worn"]

RADIAL = 1e-9
"""Component of a flank's direction normal to the centre line of its gap below which the flank counts as parallel to
that line. [-]"""


def worn(gap: Profile, teeth: int, depth: float) -> Profile:
    """A tooth gap of a wheel with ``teeth``, worn by ``depth`` [m].

    Raises InputError for the key ``tooth_wear`` if there are no teeth, or if an arc or the whole tooth would be worn
    away.
    """
    elements, edge = _flank(gap)
    moved = tuple(_parallel(element, depth) for element in elements)
    if not moved:
        raise InputError(Problem("tooth_wear", "must be omitted: a smooth rim has no teeth", f"{depth:g} m"))
    last, seat = moved[-1], gap.seat_radius - depth
    _, (ux, _) = last.at(1.0)
    try:
        if last.curvature < 0.0 or abs(ux) < RADIAL:
            found = with_corner(moved, teeth, edge, seat)
        else:
            found = with_tip(moved, teeth, gap.tip_radius, edge, seat)
    except InputError as error:
        message = f"must be less: {error.problems[0].message}"
        raise InputError(Problem("tooth_wear", message, f"{depth:g} m")) from None
    if found.tip_radius <= gap.seat_radius:
        message = "must be smaller: no tooth would be left above the centres of the rollers"
        raise InputError(Problem("tooth_wear", message, f"{depth:g} m"))
    return found


def _flank(gap: Profile) -> tuple[tuple[Element, ...], float]:
    """Return the seat and flank without the edge and tip that follow, and the radius of the edge. [m]"""
    elements = list(gap.elements)
    if isinstance(elements[-1], Arc) and elements[-1].centre == (0.0, 0.0):
        elements.pop()
    edge = elements.pop() if elements else None
    return tuple(elements), edge.radius if isinstance(edge, Arc) else 0.0


def _parallel(element: Element, depth: float) -> Element:
    """Return the element, moved into the material by ``depth`` [m]."""
    if isinstance(element, Segment):
        _, (ux, uy) = element.at(0.0)
        start, end = ((x + uy * depth, y - ux * depth) for x, y in (element.start, element.end))
        return Segment(start, end)
    radius = element.radius + (depth if element.curvature < 0.0 else -depth)
    if radius <= 0.0:
        message = f"must be less than {element.radius:.4g} m, the radius of an arc of the flanks that it wears away"
        raise InputError(Problem("tooth_wear", message, f"{depth:g} m"))
    return element._replace(radius=radius)
