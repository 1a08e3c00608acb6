"""The six-point tooth: points at root, flank and tip on both sides of a gap, joined by straight lines (Omar 2014)."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin, tan

from chaindrive.geometry.profile import Arc, Point, Profile, Segment
from chaindrive.geometry.tooth_forms import iso_606
from chaindrive.geometry.tooth_forms.tip import EDGE_FRACTION, with_tip

__all__ = ["profile"]

FLANK_FRACTION = 0.1
"""Radius of the rounded corner at the flank point, as a fraction of the roller diameter. [-]"""


def profile(teeth: int, pitch: float, roller_diameter: float) -> Profile:
    """Return five straight lines through six points of a gap: its bottom and, on either side, a lower and an upper
    flank.

    Omar (2014) gives the idea without numbers: half a tooth is described by three points at root, flank and tip, and is
    mirrored. Here the bottom and the lower flanks touch a roller that rests on the pitch circle: the bottom at the
    lowest point of the roller, the flanks at the end of the seat of ISO 606 (mean of both forms). The flank point is
    halfway up from the end of the seat to the end of the flank of ISO 606, through which the upper flank passes. A
    roller therefore rests on the pitch circle. Lines between points on the seat arc would lift the roller by the height
    of the arc below the bottom line, r (1 - cos(beta/2)) for an arc of the angle beta: 0.24 mm for r = 3.91 mm and 40
    degrees.

    Root points are hollow corners that no roller can reach: a roller touches the bottom and both flanks, each with its
    own force (wedge.py). Flank and tip points are rounded, so that a roller passes them smoothly; the tip is one arc as
    high as the teeth of ISO 606. Lengths in m. Raises InputError if no tooth is left.
    """
    half, radius = pi / teeth, 0.5 * roller_diameter
    pitch_radius = pitch / (2.0 * sin(half))
    standard = iso_606.profile(teeth, pitch, roller_diameter)
    seat, flank = standard.elements[:2]
    assert isinstance(seat, Arc)
    touching = seat.end_angle
    touched = (radius * cos(touching), pitch_radius + radius * sin(touching))
    end, _ = flank.at(1.0)
    root = (radius * tan(0.5 * (touching + 0.5 * pi)), pitch_radius - radius)
    lower = (-sin(touching), cos(touching))
    corner = _on(touched, lower, 0.5 * hypot(end[0] - touched[0], end[1] - touched[1]))
    rest = hypot(end[0] - corner[0], end[1] - corner[1])
    along = (end[0] - corner[0]) / rest, (end[1] - corner[1]) / rest
    bend = atan2(along[0] * lower[1] - along[1] * lower[0], along[0] * lower[0] + along[1] * lower[1])
    rounding, fillet = FLANK_FRACTION * roller_diameter, EDGE_FRACTION * roller_diameter
    back, inside = fillet * tan(0.5 * (touching + 0.5 * pi)), rounding * tan(0.5 * bend)
    bottom_end, lower_start = (root[0] - back, root[1]), _on(root, lower, back)
    lower_end, upper_start = _on(corner, lower, -inside), _on(corner, along, inside)
    hollow = (bottom_end[0], root[1] + fillet)
    bulge = (lower_end[0] + rounding * lower[1], lower_end[1] - rounding * lower[0])
    elements = (
        Segment((0.0, root[1]), bottom_end),
        Arc(hollow, fillet, -0.5 * pi, touching),
        Segment(lower_start, lower_end),
        Arc(bulge, rounding, pi + touching, pi + touching - bend),
        Segment(upper_start, _on(upper_start, along, pitch)),
    )
    edge = max(_tip_radius(upper_start, along, half, standard.tip_radius), fillet)
    return with_tip(elements, teeth, 2.0 * standard.tip_radius, edge, pitch_radius)


def _on(point: Point, direction: Point, distance: float) -> Point:
    """The point at a given distance along a line."""
    return point[0] + distance * direction[0], point[1] + distance * direction[1]


def _tip_radius(start: Point, along: Point, half: float, tip: float) -> float:
    """Return the radius e of the arc at the middle of a tooth, at the angle ``half``, that touches a line and the tip
    circle. [m]

    The centre of the arc, at tip - e from the centre of the wheel, is at the distance e inside the line.
    """
    inward = (along[1], -along[0])
    towards = inward[0] * sin(half) + inward[1] * cos(half)
    offset = inward[0] * start[0] + inward[1] * start[1]
    return (tip * towards - offset) / (1.0 + towards)
