"""The rectangular tooth profile: a seat with straight walls."""

from __future__ import annotations

from math import pi, sin

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.profile import Arc, Profile, Segment
from chaindrive.geometry.tooth_forms.tip import EDGE_FRACTION, with_corner

__all__ = ["profile"]


def profile(teeth: int, pitch: float, roller_diameter: float, clearance: float, height: float) -> Profile:
    """Return a half-circle seat of radius Rr + clearance, with walls parallel to the centre line of the gap. Lengths in
    m.

    This corresponds to Pedersen (2004), sec. 3.5.3, who adds to the single point a tangential contact with a small
    clearance, up to the pitch radius plus height, where the roller is released. Here the walls and the tooth end in a
    rounded corner, so that the roller is released without a jump in the force. The centre of the seat lies above the
    pitch circle by the clearance: a roller rests with its centre on the pitch circle. Raises InputError unless 0 <=
    clearance < height, and if no tooth is left between the gaps.
    """
    if not 0.0 <= clearance < height:
        raise InputError(
            Problem("tooth.height", "the walls must end above the seat: height above clearance", f"{height}")
        )
    pitch_radius = pitch / (2 * sin(pi / teeth))
    radius, centre = roller_diameter / 2 + clearance, pitch_radius + clearance
    top = (radius, pitch_radius + height)
    elements = (Arc((0.0, centre), radius, -pi / 2, 0.0), Segment((radius, centre), top))
    return with_corner(elements, teeth, EDGE_FRACTION * roller_diameter, pitch_radius)
