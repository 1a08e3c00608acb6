"""A slat conveyor."""

from __future__ import annotations

from typing import Annotated

from chaindrive.model import StandardChain
from chaindrive.numbers import quantity
from chaindrive.templates.closed import closed_at, even_links, way_around
from chaindrive.templates.estimates import GRAVITY, contact, disc, simple_wheel, turn_speed
from chaindrive.templates.questions import Count, Given, Number, Title, amount
from chaindrive.templates.selection import strong_chain, sufficient
from chaindrive.templates.sheet import Sheet
from chaindrive.templates.template import template

__all__ = ["conveyor"]

TEETH = 12
SAFETY = 8.0
"""Breaking load divided by pull, as recommended by manufacturers of conveyor chains. [-]"""
MOST_LINKS = 500
MOTION = 1.25
"""Allowance for the motion: largest tension divided by that of the calculation."""
TAKE_UP = 1.0
"""Tension due to the take-up in each span, divided by the pull. At 0.15, polygonal action would slacken the return
span, and its rollers would slip under their rail. [-]"""
GEAR = 0.94
"""Efficiency of a helical gear unit with two or three stages, including its bearings. [-]"""
BREAKAWAY = 1.5
"""Friction at standstill divided by friction in motion. [-]"""
COMPRESSED = 0.06
"""Compression of the springs of the take-up. [m]"""


@template("conveyor")
def conveyor(
    *,
    length: Annotated[Given, Number("distance from tail to head", "m", "2 m", "60 m")] = "20 m",
    speed: Annotated[Given, Number("speed of the chain", "m/s", "0.05 m/s", "1.5 m/s")] = "0.5 m/s",
    goods: Annotated[Given, Number("goods per metre of conveyor", "kg/m", "1 kg/m", "500 kg/m")] = "80 kg/m",
    slats: Annotated[Given, Number("slats per metre of conveyor", "kg/m", "1 kg/m", "100 kg/m")] = "6 kg/m",
    friction: Annotated[Given, Number("friction of the chain on its rails", "", "0.02", "0.4")] = "0.1",
    chains: Annotated[Given, Count("number of parallel chains that share the load", 1, 4)] = 2,
    name: Annotated[Given, Title()] = "conveyor",
) -> Sheet:
    """A level slat conveyor: a chain on rails, with goods on the upper span and a spring take-up at the tail.

    The chain is the smallest chain of ISO 1977 with large rollers that has a breaking load of at least 10 times the
    friction of chain, slats and goods on the rails, together with the pretension.
    """

    def pull(chain: StandardChain) -> float:
        return GRAVITY * friction * length * (2.0 * chain.mass_per_length + (2.0 * slats + goods) / chains)

    def fits(chain: StandardChain) -> bool:
        links = 2.0 * length / chain.pitch
        return "-P-" in chain.name and links <= MOST_LINKS and length > 30.0 * chain.pitch

    places = "length, goods, slats, friction, chains"
    chain = strong_chain("conveyor", lambda each: MOTION * (1.0 + TAKE_UP) * pull(each), SAFETY, places, fits)
    force = pull(chain)

    def needed(distance: float) -> float:
        return way_around(chain, [(TEETH, (0.0, 0.0), False), (TEETH, (distance, 0.0), False)])[0]

    links = even_links(needed(length))
    a = closed_at(lambda at: needed(at) - links, length - chain.pitch, length + chain.pitch, "length")
    per_link = slats / chains * chain.pitch
    sheet = Sheet(
        "conveyor", name, "A slat conveyor, running to the right: tail on the left, head on the right.", "clockwise"
    )
    which = f"one of {chains} chains" if chains > 1 else "the only chain"
    sheet.table("[chain]", f"{which.capitalize()}; it carries its share of slats and goods.")
    sheet.put(
        "standard",
        chain.name,
        sufficient(chain, MOTION * SAFETY, (1.0 + TAKE_UP) * force, "the friction on the rails and the pretension"),
    )
    sheet.put("links", links, f"the even number of links that comes nearest to {amount(length, 'm')}")
    sheet.estimate("joint_friction", 0.15, "pins in bushes")
    sheet.put("attachments", [{"mass": amount(per_link, "kg"), "every": 1}], f"{amount(slats, 'kg/m')} of slats")
    contact(sheet, chain)
    simple_wheel(sheet, "tail", TEETH, (0.0, 0.0), chain)
    sheet.put("body", "take-up")
    sheet.estimate("inertia", amount(disc(chain, TEETH).inertia, "kg*m^2", 3), "the sprocket as a solid disc")
    simple_wheel(sheet, "head", TEETH, (a, 0.0), chain)
    sheet.estimate("inertia", amount(disc(chain, TEETH).inertia, "kg*m^2", 3), "the sprocket as a solid disc")
    turning = {"kind": "constant_speed", "speed": amount(-turn_speed(chain, TEETH, speed), "rpm", 6), "ramp": "1 s"}
    sheet.put("motion", turning, f"{amount(speed, 'm/s')}; clockwise")
    sheet.table("[[bodies]]")
    sheet.put("name", "take-up")
    mass = disc(chain, TEETH).mass
    sheet.estimate("mass", amount(mass, "kg", 3), "as heavy as the sprocket")
    preload = 2.0 * TAKE_UP * force
    joint = {
        "kind": "prismatic",
        "direction": "180 deg",
        "stiffness": amount(preload / COMPRESSED, "kN/m", 3),
        "neutral": amount(COMPRESSED, "mm"),
        "damping": amount(0.2 * (preload / COMPRESSED * mass) ** 0.5, "N*s/m", 3),
    }
    share = f"{100.0 * TAKE_UP:g} % of the pull in each span"
    how = f"springs that push with {quantity(preload, 'N')}, {share}, compressed by {amount(COMPRESSED, 'mm')}"
    sheet.estimate("joint", joint, how)
    rail = amount(a - 4.0 * chain.pitch, "m", 6)
    for rail_name, span, side in (("upper rail", 0, "right"), ("lower rail", 1, "left")):
        sheet.table("[[guides]]")
        sheet.put("name", rail_name)
        shape = {"kind": "on_span", "span": span, "side": side, "length": rail}
        sheet.estimate("shape", shape, "straight, two pitches from either end of the span")
        stiffness = amount(chain.mass_per_length * chain.pitch * GRAVITY / (1e-5) ** 1.5, "GN/m^1.5", 2)
        law = {"stiffness": stiffness, "restitution": 0, "friction": friction}
        sheet.estimate("contact", law, "the weight of a link presses it into the rail by 10 um; friction is given")
    sheet.table("[[payloads]]")
    sheet.put("name", "goods")
    sheet.put("span", 0)
    sheet.put("mass_per_length", amount(goods / chains, "kg/m"), f"given, on {which}")
    sheet.estimate("start", amount(2.0 * chain.pitch, "m"), "loaded where the rail begins")
    sheet.estimate("end", amount(a - 2.0 * chain.pitch, "m", 6), "unloaded where it ends")
    sheet.put("feed_speed", amount(speed, "m/s"), "goods are loaded at the speed of the chain")
    sheet.table("[limits]")
    sheet.put("tension", amount(chain.breaking_load / SAFETY, "N", 3), f"breaking load divided by {SAFETY:g}")
    sheet.estimate("gear_efficiency", GEAR, f"helical gear unit; the verdict gives the motor power for {which}")
    sheet.estimate("breakaway", BREAKAWAY, "friction at standstill divided by that in motion")
    sheet.table("[run]")
    sheet.put("until", amount(20.0 * chain.pitch / speed, "s", 2), "20 pitches")
    sheet.put("start", "at_speed")
    return sheet
