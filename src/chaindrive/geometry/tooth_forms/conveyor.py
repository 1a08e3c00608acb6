"""Teeth for conveyor chains of long pitch: straight flanks that leave room for rollers that enter and leave."""

from __future__ import annotations

from math import cos, hypot, pi, radians, sin, tan

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.profile import Arc, Element, Profile, Segment
from chaindrive.geometry.tooth_forms.tip import EDGE_FRACTION, with_tip

__all__ = ["profile"]

FLANK_ANGLE = radians(16.5)
"""Angle between a flank and the centre line of its tooth, in the middle of the range from 13 to 20 degrees. [rad]"""
CLEARANCE = 0.01
"""Pitch-line clearance divided by the pitch. [-]"""
SEAT = 0.505
"""Radius of the seat arcs divided by the roller diameter, as in the minimum gap form of ISO 606. [-]"""


def profile(
    teeth: int, pitch: float, roller_diameter: float, flank_angle: float | None = None, clearance: float | None = None
) -> Profile:
    """Flat bottom, seat arc, straight flank, arc about the neighbouring roller, tip circle. Lengths in m, angle in rad.

    After GOST 592-81, table 1 (sprockets of conveyor chains): the flank is inclined to the centre line of the tooth by
    13 to 20 degrees. It is followed by an arc about the position of the next roller on the pitch circle, tangent to the
    flank. The surface of a roller that enters or leaves turns about that position at a distance of at least p - d1/2,
    and therefore stays clear of the tooth. The gap angles of that table, from 86 degrees for 6 to 8 teeth to 42 degrees
    for more than 45 teeth, equal 2 (flank_angle + 180 degrees / z) with a flank_angle of 15 to 18 degrees. clearance:
    width of the flat bottom, by which a roller can shift; None: 0.01 p, the lower end of the standard's range of 0.01
    to 0.05 p, which is quoted from memory. Root diameter d - d1, tip diameter p (0.6 + cot(180 degrees / z)): IS
    12198:1987 (conveyor sprockets, chains of 150 mm). Raises InputError if no tooth is left.
    """
    lean = FLANK_ANGLE if flank_angle is None else flank_angle
    play = CLEARANCE * pitch if clearance is None else clearance
    half, seat = pi / teeth, SEAT * roller_diameter
    opening = half + lean
    if opening >= 0.5 * pi:
        message = f"leaves no flank with {teeth} teeth: use a smaller angle or more teeth"
        raise InputError(Problem("tooth.flank_angle", message, f"{lean:g} rad"))
    pitch_radius = pitch / (2.0 * sin(half))
    root = pitch_radius - 0.5 * roller_diameter
    centre, along = (0.5 * play, root + seat), (sin(opening), cos(opening))
    start = (centre[0] + seat * along[1], centre[1] - seat * along[0])
    next_roller = (pitch_radius * sin(2.0 * half), pitch_radius * cos(2.0 * half))
    dx, dy = next_roller[0] - start[0], next_roller[1] - start[1]
    straight, head = dx * along[0] + dy * along[1], dx * along[1] - dy * along[0]
    end = (start[0] + straight * along[0], start[1] + straight * along[1])
    tip = 0.5 * pitch * (0.6 + 1.0 / tan(half))
    elements: tuple[Element, ...] = (Arc(centre, seat, -0.5 * pi, -opening), Segment(start, end))
    if play > 0.0:
        elements = (Segment((0.0, root), (0.5 * play, root)), *elements)
    if hypot(*end) < tip - EDGE_FRACTION * roller_diameter:
        elements = (*elements, Arc(next_roller, head, pi - opening, 0.0))
    return with_tip(elements, teeth, tip, EDGE_FRACTION * roller_diameter, pitch_radius)
