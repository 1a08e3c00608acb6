"""A hoist with a roller chain."""

from __future__ import annotations

from math import ceil
from typing import Annotated

from chaindrive.model import StandardChain
from chaindrive.templates.estimates import GRAVITY, contact, disc, radius, simple_wheel, turn_speed
from chaindrive.templates.questions import Count, Given, Number, Title, amount
from chaindrive.templates.selection import strong_chain, sufficient
from chaindrive.templates.sheet import Sheet
from chaindrive.templates.template import template

__all__ = ["hoist"]

MOST_LINKS = 500
RAMP = 0.4
"""Time from rest to speed. [s]"""
HELD = 0.005
"""Mass on the loose end divided by the load; this mass holds the chain on the last teeth. [-]"""
LOOSE = 10
"""Number of links that hang on the loose side. [-]"""


@template("hoist")
def hoist(
    *,
    load: Annotated[Given, Number("mass that is lifted, with hook and block", "kg", "20 kg", "20 t")] = "500 kg",
    speed: Annotated[Given, Number("lifting speed", "m/s", "0.01 m/s", "0.5 m/s")] = "0.14 m/s",
    height: Annotated[Given, Number("length of chain between load and sprocket", "m", "0.5 m", "12 m")] = "2 m",
    safety: Annotated[Given, Number("breaking load divided by weight", "", "3", "12")] = "7",
    teeth: Annotated[Given, Count("teeth of the sprocket", 9, 25)] = 11,
    name: Annotated[Given, Title()] = "hoist",
) -> Sheet:
    """A hoist: an open roller chain over one sprocket, with the load at one end and the other end hanging freely.

    The chain is the smallest of the B series of ISO 606 whose breaking load is at least the weight times the safety.
    """

    def fits(chain: StandardChain) -> bool:
        return height / chain.pitch <= MOST_LINKS and height > 4.0 * chain.pitch

    places = "load, height, safety"
    chain = strong_chain("iso-606-b", lambda _: load * GRAVITY, safety, places, fits)
    r = radius(chain, teeth)
    links = 2 * ceil(0.5 * (height / chain.pitch + 0.5 * teeth + LOOSE))
    loose = max(4.0 * chain.link_mass, HELD * load)
    sheet = Sheet(
        "hoist", name, "A hoist: the load hangs on the left and is lifted; the sprocket turns clockwise.", "clockwise"
    )
    sheet.table("[chain]")
    sheet.put("standard", chain.name, sufficient(chain, safety, load * GRAVITY, "the weight of the load"))
    sheet.put("links", links, f"height, half of the sprocket, and about {LOOSE} links on the loose side")
    sheet.estimate("joint_friction", 0.1, "lubricated pins in bushes")
    ends = [
        {"kind": "free", "mass": amount(load, "kg", 6), "position": [amount(-r, "mm", 6), amount(-height, "m", 6)]},
        {"kind": "free", "mass": amount(loose, "kg", 3)},
    ]
    how = "the load is given; the weight that holds the chain on the last teeth is 0.5 % of it, at least four links"
    sheet.estimate("ends", ends, how)
    contact(sheet, chain)
    simple_wheel(sheet, "sprocket", teeth, (0.0, 0.0), chain)
    sheet.estimate("inertia", amount(disc(chain, teeth).inertia, "kg*m^2", 3), "the sprocket as a solid disc")
    turning = {
        "kind": "constant_speed",
        "speed": amount(-turn_speed(chain, teeth, speed), "rpm", 6),
        "ramp": f"{RAMP:g} s",
    }
    sheet.put("motion", turning, f"{amount(speed, 'm/s')}; the ramp is an estimate")
    sheet.table("[limits]")
    limit = amount(chain.breaking_load / (0.8 * safety), "N", 3)
    sheet.put(
        "tension",
        limit,
        "breaking load divided by 0.8 times the safety factor: on starting, the pull exceeds the weight",
    )
    sheet.table("[run]")
    lifted = min(0.5 * height / speed, 1.5)
    sheet.put("until", amount(lifted, "s", 3), "the time to lift at most half of the height")
    sheet.put("start", "at_rest")
    tolerances = {
        "atol_length": "0.1 nm",
        "atol_speed": "1 um/s",
        "atol_angle": "0.1 nrad",
        "atol_angular_speed": "1 urad/s",
    }
    sheet.put("solver", tolerances, "tighter than the defaults, because a start from rest exchanges little energy")
    return sheet
