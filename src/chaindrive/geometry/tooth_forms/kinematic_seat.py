"""The kinematic seat: a roller is held at its corner of the pitch polygon until the wheel would have to pull it."""

from __future__ import annotations

from math import cos, pi, sin

from chaindrive.geometry.profile import Arc, Profile, Segment
from chaindrive.geometry.tooth_forms.tip import EDGE_FRACTION, with_tip

__all__ = ["profile"]

HEIGHT = 0.3
"""Height of a tooth above the pitch circle, as a fraction of the roller diameter. [-]"""
ROOM = 0.05
"""Gap between the roller and the bottom, as a fraction of the roller radius. [-]"""


def profile(teeth: int, pitch: float, roller_diameter: float) -> Profile:
    """Return two walls that hold a roller on the pitch circle. They are perpendicular to the sides of the pitch polygon
    and, further out, follow the path of a roller that turns about the next one.

    Lengths in m.

    Pedersen (2004), sec. 3.4: a roller inside the pitch circle is fixed to its position on the circle, eq. 3.18, until
    the reaction of the wheel leaves the sector between the two sides of the polygon. Two frictionless walls, each with
    its own force (wedge.py), can exert all forces in that sector: with rigid contacts, a roller behaves as under
    Pedersen's constraint. The roller is released as from any contact; under Pedersen's rule, forces that pull it
    towards the wheel would remain. Raises InputError if no tooth is left between the gaps.
    """
    half, radius, fillet = pi / teeth, 0.5 * roller_diameter, EDGE_FRACTION * roller_diameter
    pitch_radius = pitch / (2.0 * sin(half))
    touched = (radius * cos(half), pitch_radius - radius * sin(half))
    bottom = pitch_radius - (1.0 + ROOM) * radius
    height = bottom + fillet
    hollow = (touched[0] - (fillet - (height - touched[1]) * sin(half)) / cos(half), height)
    beside = (pitch * cos(half), pitch_radius - pitch * sin(half))
    elements = (
        Segment((0.0, bottom), (hollow[0], bottom)),
        Arc(hollow, fillet, -0.5 * pi, -half),
        Segment((hollow[0] + fillet * cos(half), height - fillet * sin(half)), touched),
        Arc(beside, pitch - radius, pi - half, 0.5 * pi - half),
    )
    tip = pitch_radius + HEIGHT * roller_diameter
    return with_tip(elements, teeth, tip, EDGE_FRACTION * roller_diameter, pitch_radius)
