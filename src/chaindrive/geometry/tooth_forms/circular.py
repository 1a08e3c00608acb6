"""The circular tooth profile: half-circle seats with low teeth between them."""

from __future__ import annotations

from math import pi, sin

from chaindrive.geometry.profile import Arc, Profile
from chaindrive.geometry.tooth_forms.asa_ii import seat_clearance
from chaindrive.geometry.tooth_forms.tip import EDGE_FRACTION, with_corner

__all__ = ["profile"]


def profile(teeth: int, pitch: float, roller_diameter: float, clearance: float | None = None) -> Profile:
    """Return a half circle of radius Rr + clearance, whose centre lies above the pitch circle by the clearance. Lengths
    in m.

    Pedersen (2004), sec. 3.5.5, eqs. 3.54-3.60. A roller rests with its centre on the pitch circle. The half circle
    ends in a rounded corner, at whose height the tooth ends (a full circle would pull rollers back into the gap as they
    leave). In the thesis the surface simply ends with the half circle: a roller that leaves while it is pressed
    sideways then loses its elastic energy, and a roller that comes down on a tooth penetrates it.

    clearance: radius of the seat minus radius of the roller; None: that of ANSI B29.1 type II. Raises InputError if no
    tooth is left between the gaps.
    """
    gap = seat_clearance(roller_diameter) if clearance is None else clearance
    pitch_radius = pitch / (2 * sin(pi / teeth))
    radius, centre = roller_diameter / 2 + gap, pitch_radius + gap
    seat = Arc((0.0, centre), radius, -pi / 2, 0.0)
    return with_corner((seat,), teeth, EDGE_FRACTION * roller_diameter, pitch_radius)
