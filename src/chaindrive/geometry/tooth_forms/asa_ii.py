"""The American standard tooth form, type II (also JIS form S), which is the "real" profile of Pedersen's thesis."""

from __future__ import annotations

from math import cos, pi, radians, sin, tan

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.profile import Arc, Profile, Segment
from chaindrive.geometry.tooth_forms.tip import EDGE_FRACTION, with_tip

__all__ = ["INCH", "profile", "seat_clearance"]

INCH = 0.0254  # m


def seat_clearance(roller_diameter: float) -> float:
    """Radius of the seat minus radius of the roller, (0.005 Dr + 0.003 in)/2. [m]"""
    return 0.0025 * roller_diameter + 0.0015 * INCH


def profile(teeth: int, pitch: float, roller_diameter: float, flank_factor: float = 1.4) -> Profile:
    """Return the gap of ANSI B29.1 type II: seat arc, working arc, straight part, topping arc, tip circle. Lengths in
    m.

    Pedersen (2004), appendix C, eqs. C.1-C.8, after Binder (1956), with these corrections: B = 18 - 56/z degrees
    (printed as 18 - 35/z, which leaves a kink), centre of the topping arc at (W3, -W4) (printed as +W4); the constants
    0.003 and 0.0015 are in inches; the tip diameter is P (0.6 + cot(pi/z)). flank_factor: 1.4 today, 1.24 in ASA
    B29.1-1950. The seat is centred on the pitch circle: a roller rests (seat radius - roller radius) below it. Raises
    InputError if no such tooth is possible, because there are too few teeth (such as 5 with a flank factor of 1.24), or
    because the roller is too small or too large for the pitch.
    """
    z, dr = teeth, roller_diameter
    a, b, c = radians(35 + 60 / z), radians(18 - 56 / z), radians(17 - 64 / z)
    pitch_radius = pitch / (2 * sin(pi / z))
    seat = dr / 2 + seat_clearance(dr)
    working = 1.3025 * dr + 0.0015 * INCH
    topping = dr * (0.8 * cos(b) + flank_factor * cos(c) - 1.3025) - 0.0015 * INCH
    if b <= 0.0 or flank_factor * sin(c) <= 0.8 * sin(b):
        message = (
            f"the working arc and the topping arc do not meet with a flank factor of {flank_factor:g}: use more teeth"
        )
        raise InputError(Problem("tooth", message, f"{teeth} teeth"))
    if topping <= 0.0:
        message = (
            "no topping arc remains: the roller is too small for the clearance of the seat, which is fixed in inches"
        )
        raise InputError(Problem("tooth", message, f"{dr:g} m"))
    working_centre = (-0.8 * dr * cos(a), pitch_radius + 0.8 * dr * sin(a))
    topping_centre = (flank_factor * dr * cos(pi / z), pitch_radius - flank_factor * dr * sin(pi / z))
    nx, ny = cos(a - b), -sin(a - b)  # from the working centre to the straight part
    elements = (
        Arc((0.0, pitch_radius), seat, -pi / 2, -a),
        Arc(working_centre, working, -a, b - a),
        Segment(
            (working_centre[0] + working * nx, working_centre[1] + working * ny),
            (topping_centre[0] - topping * nx, topping_centre[1] - topping * ny),
        ),
        Arc(topping_centre, topping, pi - (a - b), pi / 2 - pi / z),
    )
    tip = pitch / 2 * (0.6 + 1 / tan(pi / z))
    return with_tip(elements, z, tip, EDGE_FRACTION * dr, pitch_radius - seat_clearance(dr))
