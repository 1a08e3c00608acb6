"""A bicycle in one gear."""

from __future__ import annotations

import math
from typing import Annotated

from chaindrive.templates.estimates import SPIN_UP, spun_up
from chaindrive.templates.questions import Choice, Count, Given, Number, Title, amount
from chaindrive.templates.sheet import Sheet
from chaindrive.templates.template import template

__all__ = ["bicycle"]


@template("bicycle")
def bicycle(
    *,
    power: Annotated[Given, Number("power at the rear wheel", "W", "20 W", "1500 W")] = "250 W",
    cadence: Annotated[Given, Number("cadence", "rad/s", "30 rpm", "150 rpm")] = "90 rpm",
    chainring: Annotated[Given, Count("teeth of the chainring", 26, 60)] = 46,
    cog: Annotated[Given, Count("teeth of the cog", 9, 52)] = 16,
    chainstay: Annotated[Given, Number("length of the chainstay", "m", "380 mm", "500 mm")] = "410 mm",
    rear: Annotated[
        Given, Choice("rear end", {"single-speed": "axle moved back", "derailleur": "cage with two pulleys"})
    ] = "single-speed",
    name: Annotated[Given, Title()] = "bicycle",
) -> Sheet:
    """A bicycle in one gear, with sprockets in line, constant cadence and a load at the rear wheel.

    The chain is bicycle-single (1/2 x 1/8), or bicycle-11 with a derailleur.
    """
    single = rear == "single-speed"
    sheet = Sheet("bicycle", name, "A bicycle seen from the right, riding to the right.", "")
    sheet.table("[chain]")
    sheet.put(
        "standard",
        "bicycle-single" if single else "bicycle-11",
        "typical of such bicycles; as many links as the route needs",
    )
    sheet.estimate("link_stiffness", "50 MN/m" if single else "30 MN/m", "plates, and pins that bend; not measured")
    sheet.estimate("joint_friction", 0.09, "a lubricated chain")
    sheet.table("[contact]")
    force = power / (cadence * chainring * 0.0127 / (2.0 * math.pi))
    how = f"the pull of {force:.3g} N presses a roller in by as much as it stretches a link, at least 8 GN/m^1.5"
    stiffness = max((5e7 if single else 3e7) ** 1.5 / force**0.5, 8e9)
    sheet.estimate("stiffness", amount(stiffness, "GN/m^1.5", 2), how)
    sheet.estimate("restitution", 0.5, "steel on steel or aluminium")
    sheet.estimate("friction", 0.1, "lubricated")
    sheet.table("[bicycle]")
    sheet.put("gear", f"{chainring}x{cog}", "given")
    sheet.put("chainrings", [chainring])
    sheet.put("cassette", [cog])
    sheet.put("chainstay", amount(chainstay, "mm"), "given")
    sheet.estimate("bottom_bracket_drop", "65 mm", "common road geometry")
    if single:
        sheet.put("axle_travel", "20 mm", "track ends; the axle is moved back until the chain has the slack below")
        sheet.estimate("slack", "0.5 mm", "the lower run can be moved by about 10 mm")
    else:
        sheet.put("straight_chainline", True, "sprockets in line, as a model in the plane requires")
    sheet.put("tooth", {"form": "iso-606"})
    if not single:
        sheet.table("[bicycle.derailleur]")
        sheet.estimate("cage_length", "56 mm", "a short cage")
        sheet.estimate("spring_torque", "1 N*m", "about 10 N in the lower run")
        sheet.estimate("damping", "0.02 N*m*s/rad", "friction of its pivot")
    sheet.table("[bicycle.rider]")
    sheet.put("cadence", amount(cadence, "rpm"), "given")
    sheet.put("power", amount(power, "W"), "given")
    how = (
        f"a test rig that the power accelerates to speed in {SPIN_UP:g} s; for a rider give mass x "
        f"wheel_radius^2, and "
        "pedals = 'torque'"
    )
    wheel = cadence * chainring / cog
    sheet.estimate("rear_inertia", amount(spun_up(power / wheel, wheel), "kg*m^2", 3), how)
    sheet.table("[run]")
    sheet.put("until", amount(4.0 * math.pi / cadence, "s", 2), "two turns of the crank")
    sheet.put("start", "at_speed")
    sheet.put("formulation", {"kind": "roller"}, "in the plane; 'spatial' for links in space")
    return sheet
