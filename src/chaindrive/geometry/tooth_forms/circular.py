"""The circular tooth profile: only the lower half of the seat."""

from __future__ import annotations

from math import hypot, pi, sin

from chaindrive.geometry.profile import Arc, Profile
from chaindrive.geometry.tooth_forms.asa_ii import seat_clearance

__all__ = ["profile"]


def profile(teeth: int, pitch: float, roller_diameter: float, clearance: float | None = None) -> Profile:
    """Half circle of radius Rr + clearance, centred clearance above the pitch circle. Lengths in m.

    Pedersen (2004), sec. 3.5.5, eqs. 3.54-3.60. A roller rests with its centre on the pitch circle. There is no surface
    above the half circle (a whole circle would pull rollers that leave back into the gap). clearance: radius of the
    seat minus radius of the roller; None takes that of ANSI B29.1 type II.
    """
    gap = seat_clearance(roller_diameter) if clearance is None else clearance
    pitch_radius = pitch / (2 * sin(pi / teeth))
    radius, centre = roller_diameter / 2 + gap, pitch_radius + gap
    seat = Arc((0.0, centre), radius, -pi / 2, 0.0)
    return Profile((seat,), True, hypot(radius, centre), pitch_radius, open_end=True)
