"""The circular tooth profile: the lower half of the seat, with low teeth in between."""

from __future__ import annotations

from math import pi, sin

from chaindrive.geometry.profile import Arc, Profile
from chaindrive.geometry.tooth_forms.asa_ii import seat_clearance
from chaindrive.geometry.tooth_forms.tip import EDGE_FRACTION, with_corner

__all__ = ["profile"]


def profile(teeth: int, pitch: float, roller_diameter: float, clearance: float | None = None) -> Profile:
    """Half circle of radius Rr + clearance, centred clearance above the pitch circle. Lengths in m.

    Pedersen (2004), sec. 3.5.5, eqs. 3.54-3.60. A roller rests with its centre on the pitch circle. The half circle
    ends in a corner, and the tooth at the height of that corner (a full circle would pull leaving rollers back into the
    gap). In the thesis nothing follows it; a roller that leaves while pressed sideways then loses its elastic energy,
    and one that comes down on a tooth is inside it. clearance: radius of the seat minus radius of the roller; None
    takes that of ANSI B29.1 type II. Raises InputError when no tooth is left between the gaps.
    """
    gap = seat_clearance(roller_diameter) if clearance is None else clearance
    pitch_radius = pitch / (2 * sin(pi / teeth))
    radius, centre = roller_diameter / 2 + gap, pitch_radius + gap
    seat = Arc((0.0, centre), radius, -pi / 2, 0.0)
    return with_corner((seat,), teeth, EDGE_FRACTION * roller_diameter, pitch_radius)
