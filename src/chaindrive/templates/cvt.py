"""A variator with a rocker-pin chain."""

from __future__ import annotations

import math
from typing import Annotated

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.roots import root_to_rounding
from chaindrive.templates.estimates import SPIN_UP
from chaindrive.templates.questions import Given, Number, Title, amount
from chaindrive.templates.sheet import Sheet
from chaindrive.templates.template import template

__all__ = ["cvt"]

REFERENCE = 0.155
"""Centre distance of the reference variator, from which the estimates are scaled. [m]"""
HALF_ANGLE = math.radians(11.0)
FRICTION = 0.09
BALANCED = 0.32
"""Running radius at the ratio 1, divided by the centre distance. [-]"""
INNER, OUTER = 0.16, 0.485
"""Smallest and largest radius at which the grooves hold a pin, divided by the centre distance. [-]"""


@template("cvt")
def cvt(
    *,
    torque: Annotated[Given, Number("torque of the secondary sheaves", "N*m", "5 N*m", "600 N*m")] = "100 N*m",
    speed: Annotated[Given, Number("speed of the primary sheaves", "rad/s", "500 rpm", "6000 rpm")] = "2000 rpm",
    ratio: Annotated[Given, Number("ratio, primary speed divided by secondary speed", "", "0.45", "2.2")] = "1",
    centre_distance: Annotated[Given, Number("centre distance", "m", "120 mm", "220 mm")] = "155 mm",
    safety: Annotated[Given, Number("clamping force divided by its value at the slip limit", "", "1.2", "4")] = "1.6",
    name: Annotated[Given, Title()] = "variator",
) -> Sheet:
    """A variator: a rocker-pin chain between two pairs of conical sheaves, of which the secondary pair is clamped.

    Sizes are those of the example cvt-63, scaled with the centre distance; the clamping force follows from the torque,
    the safety and the slip limit 2 mu S R / cos(beta).
    """
    scale = centre_distance / REFERENCE
    length = 2.0 * centre_distance + 2.0 * math.pi * BALANCED * centre_distance
    links = round(length / (9.85e-3 * scale))
    pitch = length / links

    def excess(primary: float) -> float:
        secondary = ratio * primary
        lean = math.asin((secondary - primary) / centre_distance)
        spans = 2.0 * centre_distance * math.cos(lean)
        return spans + math.pi * (primary + secondary) + 2.0 * lean * (secondary - primary) - length

    primary = root_to_rounding(excess, 0.1 * centre_distance, min(1.0, 0.9 / ratio) * centre_distance, 1e-16)
    secondary = ratio * primary
    for each in (primary, secondary):
        if not INNER * centre_distance < each < OUTER * centre_distance:
            message = f"the chain would run at a radius of {amount(each, 'mm')}, outside the grooves"
            raise InputError(Problem("ratio", message, f"{ratio:g}"))
    clamping = safety * torque * math.cos(HALF_ANGLE) / (2.0 * FRICTION * secondary)
    sheet = Sheet("cvt", name, "A variator: the primary pair of sheaves on the left turns at a given speed.", "")
    sheet.table("[chain]", f"Sizes scale with the centre distance: a pitch of 9.85 mm at {amount(REFERENCE, 'mm')}.")
    sheet.put("kind", "rocker-pin")
    sheet.put("links", links, "such that the chain runs at equal radii of 0.32 centre distances at the ratio 1")
    sheet.estimate("pitch", amount(pitch, "mm", 6), "9.85 mm x scale, adjusted to a whole number of links")
    sheet.estimate("link_mass", amount(12e-3 * scale**3, "g", 3), "12 g x scale^3")
    sheet.estimate("link_stiffness", amount(200e6 * scale, "MN/m", 3), "200 MN/m x scale")
    sheet.estimate("link_damping", amount(60.0 * scale**2, "N*s/m", 3), "60 N s/m x scale^2")
    pins = {
        "length": amount(24e-3 * scale, "mm", 4),
        "half_angle": "11 deg",
        "friction": FRICTION,
        "stiffness": amount(100e6 * scale, "MN/m", 3),
        "damping": amount(300.0 * scale**2, "N*s/m", 3),
    }
    sheet.estimate("pins", pins, "24 mm x scale, 100 MN/m x scale, 300 N s/m x scale^2; traction fluid")

    def sheaves(which: str, x: float) -> None:
        sheet.table("[[sheaves]]")
        sheet.put("name", which)
        sheet.put("position", [amount(x, "mm"), "0 mm"])
        sheet.estimate("inner_radius", amount(INNER * centre_distance, "mm"), f"{INNER:g} centre distances")
        sheet.estimate("outer_radius", amount(OUTER * centre_distance, "mm"), f"{OUTER:g} centre distances")
        sheet.estimate("sheave_mass", amount(2.0 * scale**3, "kg", 3), "2 kg x scale^3")
        sheet.estimate("sheave_damping", amount(20e3 * scale**2, "kN*s/m", 3), "20 kN s/m x scale^2, hydraulics")
        sheet.estimate("tilt_stiffness", amount(1.2e6 * scale**3, "MN*m/rad", 3), "1.2 MN m/rad x scale^3")

    sheaves("primary", 0.0)
    sheet.put(
        "running_radius",
        amount(primary, "mm", 7),
        f"for the ratio {ratio:.4g}; the other pair: {amount(secondary, 'mm')}",
    )
    sheet.put("motion", {"kind": "constant_speed", "speed": amount(speed, "rpm", 6)}, "given")
    sheaves("secondary", centre_distance)
    why = f"{safety:.4g} x {amount(torque, 'N*m')} cos(11 deg) / (2 x {FRICTION} x {amount(secondary, 'mm')})"
    sheet.put("clamping_force", amount(clamping, "kN"), why)
    inertia = torque * SPIN_UP * ratio / speed
    sheet.estimate(
        "inertia", amount(inertia, "kg*m^2", 3), f"an inertia that the torque accelerates to speed in {SPIN_UP:g} s"
    )
    sheet.put("load_torque", amount(torque, "N*m"), "given")
    sheet.table("[run]")
    sheet.put("until", amount(5.0 * length / (speed * primary), "s", 2), "five circulations of the chain")
    return sheet
