"""The single-point contact: the roller is held at one point of the pitch circle."""

from __future__ import annotations

from chaindrive.geometry.profile import Profile
from chaindrive.geometry.tooth_forms import circular

__all__ = ["profile"]


def profile(teeth: int, pitch: float, roller_diameter: float) -> Profile:
    """Return a half circle of exactly the radius of the roller, centred on the pitch circle. Lengths in m.

    This corresponds to Pedersen (2004), sec. 3.5.2: a roller inside the pitch circle is pushed back to the point where
    the centre line of the gap meets that circle. Here the force acts along the displacement delta, K |delta|^n.
    Pedersen's eq. 3.49 has separate forces K delta_r^n and K delta_t^n in the radial and the tangential direction. The
    result is the same for n = 1, and for displacements along either axis. For n = 1.5 and a displacement at 45 degrees,
    Pedersen's force is 16 % smaller (factor 2^(1/2 - n/2)).
    """
    return circular.profile(teeth, pitch, roller_diameter, clearance=0.0)
