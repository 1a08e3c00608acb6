"""The tooth gap of ISO 606: a seat arc and two convex flank arcs, in a form between a minimum and a maximum form."""

from __future__ import annotations

from math import cos, pi, radians, sin

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.profile import Arc, Profile
from chaindrive.geometry.tooth_forms.tip import EDGE_FRACTION, with_tip

__all__ = ["profile"]


def profile(teeth: int, pitch: float, roller_diameter: float, gap: str = "mean") -> Profile:
    """Gap of ISO 606 in its minimum or maximum form, or the mean of both (mean of ri, re and alpha). Lengths in m.

    Minimum: re = 0.12 d1 (z + 2), ri = 0.505 d1, alpha = 140 - 90/z degrees; maximum: re = 0.008 d1 (z^2 + 180), ri =
    0.505 d1 + 0.069 d1^(1/3) (d1 in mm), alpha = 120 - 90/z. The seat spans the angle alpha. The flank arc touches the
    end of the seat from outside, so that the distance between their centres is ri + re and both are tangent. The root
    diameter is d - d1: a roller rests with its centre on the pitch circle, whatever ri. The tip diameter is the mean of
    d + 1.25 p - d1 and d + p (1 - 1.6/z) - d1. The figures are taken from manufacturers' handbooks, not from the
    standard itself.
    """
    z, d1 = teeth, roller_diameter
    minimum = (0.12 * d1 * (z + 2), 0.505 * d1, 140 - 90 / z)
    maximum = (0.008 * d1 * (z * z + 180), 0.505 * d1 + 0.069e-3 * (d1 * 1e3) ** (1 / 3), 120 - 90 / z)
    forms = {
        "minimum": minimum,
        "maximum": maximum,
        "mean": tuple((low + high) / 2 for low, high in zip(minimum, maximum, strict=True)),
    }
    if gap not in forms:
        raise InputError(Problem("tooth.gap", f"choose one of {', '.join(forms)}", gap))
    flank, seat, angle = forms[gap]
    pitch_radius = pitch / (2 * sin(pi / z))
    seat_centre = pitch_radius - d1 / 2 + seat
    joint = radians(angle) / 2 - pi / 2
    flank_centre = ((seat + flank) * cos(joint), seat_centre + (seat + flank) * sin(joint))
    elements = (
        Arc((0.0, seat_centre), seat, -pi / 2, joint),
        Arc(flank_centre, flank, joint + pi, pi / 2 - pi / z),
    )
    tip = pitch_radius - d1 / 2 + pitch * (2.25 - 1.6 / z) / 4
    return with_tip(elements, z, tip, EDGE_FRACTION * d1, pitch_radius)
