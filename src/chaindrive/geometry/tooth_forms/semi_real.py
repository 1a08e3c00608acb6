"""The semi-real tooth profile: a seat, straight walls and straight inclined flanks."""

from __future__ import annotations

from math import cos, pi, sin, tan

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.profile import Arc, Profile, Segment
from chaindrive.geometry.tooth_forms.tip import EDGE_FRACTION, with_tip

__all__ = ["profile"]


def profile(
    teeth: int,
    pitch: float,
    roller_diameter: float,
    clearance: float,
    height: float,
    flank_angle: float,
    corner_radius: float,
) -> Profile:
    """Return the rectangular form with flanks above the walls, inclined by flank_angle [rad], up to the tip. Lengths in
    m.

    This corresponds to Pedersen (2004), sec. 3.5.4, eqs. 3.52-3.53. The corner between wall and flank, at the height
    above the pitch circle, is rounded with corner_radius so that the normal does not jump; the tip diameter, which
    Pedersen leaves open, is that of ANSI B29.1, P (0.6 + cot(pi/z)). Raises InputError if the rounding leaves no wall.
    """
    cut = corner_radius * tan(flank_angle / 2)
    problems = []
    if not 0.0 < flank_angle < pi / 2:
        problems.append(Problem("tooth.flank_angle", "between 0 and 90 degrees", f"{flank_angle} rad"))
    elif clearance < 0.0 or corner_radius <= 0.0 or height - cut <= clearance:
        message = (
            "the wall must end above the seat: height above clearance + corner_radius tan(flank_angle/2), both > 0"
        )
        problems.append(Problem("tooth.height", message, f"{height}"))
    if problems:
        raise InputError(problems)
    pitch_radius = pitch / (2 * sin(pi / teeth))
    radius, centre = roller_diameter / 2 + clearance, pitch_radius + clearance
    corner = (radius + corner_radius, pitch_radius + height - cut)
    foot = (corner[0] - corner_radius * cos(flank_angle), corner[1] + corner_radius * sin(flank_angle))
    elements = (
        Arc((0.0, centre), radius, -pi / 2, 0.0),
        Segment((radius, centre), (radius, corner[1])),
        Arc(corner, corner_radius, pi, pi - flank_angle),
        Segment(foot, (foot[0] + pitch * sin(flank_angle), foot[1] + pitch * cos(flank_angle))),
    )
    tip = pitch / 2 * (0.6 + 1 / tan(pi / teeth))
    return with_tip(elements, teeth, tip, EDGE_FRACTION * roller_diameter, pitch_radius)
