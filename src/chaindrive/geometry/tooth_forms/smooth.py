"""No teeth: the round rim of a sheave or drum."""

from __future__ import annotations

from math import pi, sin

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.profile import Arc, Profile

__all__ = ["disc", "profile"]


def profile(teeth: int, pitch: float, roller_diameter: float) -> Profile:
    """Return a circle on which rollers lie with their centres on the pitch circle, P/(2 sin(pi/z)). [m]

    teeth: z, the number of pitches around the circle.
    """
    radius = pitch / (2.0 * sin(pi / teeth))
    rim = radius - 0.5 * roller_diameter
    if not rim > 0.0:
        raise InputError(
            Problem("teeth", "with so few pitches there is no room for a rim inside the rollers", str(teeth))
        )
    return disc(teeth, rim, radius)


def disc(pieces: int, rim: float, radius: float) -> Profile:
    """Return a round rim for pins on a circle of this radius [m]; the profile is half of one of the equal pieces of the
    rim.
    """
    return Profile((Arc((0.0, 0.0), rim, 0.5 * pi, 0.5 * pi - pi / pieces),), True, rim, radius)
