"""The camshaft drive of a marine two-stroke engine."""

from __future__ import annotations

import math
from typing import Annotated

from chaindrive.errors import InputError, Problem
from chaindrive.model import StandardChain
from chaindrive.numbers import quantity
from chaindrive.templates.closed import closed_at, even_links, way_around
from chaindrive.templates.estimates import contact, disc, radius, simple_wheel
from chaindrive.templates.questions import Count, Given, Number, Title, amount
from chaindrive.templates.selection import strong_chain, sufficient
from chaindrive.templates.sheet import Sheet
from chaindrive.templates.template import template

__all__ = ["marine"]

SAFETY = 25.0
"""Breaking load divided by the largest pull, as in engines of this kind. [-]"""
FLUCTUATION = 0.8
"""Amplitude of the camshaft torque divided by its mean. [-]"""
TENSIONER = 24
SLACK = 0.02
"""Slack of the chain as drawn. [pitches]"""
PRELOAD = 0.5
"""Tension of the chain at rest divided by the largest pull; with a lower tension the slack span would go completely
slack in every period. [-]"""
IRREGULARITY = 0.005
"""Amplitude of the crankshaft speed divided by its mean. [-]"""


@template("marine")
def marine(
    *,
    speed: Annotated[Given, Number("speed of the engine", "rad/s", "50 rpm", "250 rpm")] = "120 rpm",
    camshaft_power: Annotated[Given, Number("mean power of the camshaft", "W", "2 kW", "600 kW")] = "60 kW",
    height: Annotated[Given, Number("distance from crankshaft to camshaft", "m", "2 m", "8 m")] = "3.5 m",
    wheel_diameter: Annotated[Given, Number("pitch diameter of both sprockets", "m", "0.6 m", "2.4 m")] = "1.5 m",
    cylinders: Annotated[Given, Count("number of cylinders", 4, 14)] = 6,
    name: Annotated[Given, Title()] = "camshaft drive",
) -> Sheet:
    """The camshaft drive of a two-stroke marine engine, with a tensioner on the back of the slack span.

    The chain is the smallest of the B series of ISO 606 whose breaking load is at least 25 times the largest pull of
    the camshaft.
    """
    torque = camshaft_power / speed
    peak = (1.0 + FLUCTUATION) * torque / (0.5 * wheel_diameter)

    def fits(chain: StandardChain) -> bool:
        return 30 <= math.pi * wheel_diameter / chain.pitch <= 110

    chain = strong_chain("iso-606-b", lambda _: peak, SAFETY, "camshaft_power, speed, wheel_diameter", fits)
    teeth = 2 * round(0.5 * math.pi * wheel_diameter / chain.pitch)
    r, small = radius(chain, teeth), radius(chain, TENSIONER)
    if height < 2.0 * r + 6.0 * small:
        room = amount(2.0 * r + 6.0 * small, "m", 3)
        message = f"must be at least {room}: room for sprockets of this wheel_diameter and a tensioner"
        raise InputError(Problem("height", message, amount(height, "m")))

    def sprockets(inwards: float) -> list[tuple[int, tuple[float, float], bool]]:
        at = (r + small - inwards, 0.5 * height)
        return [(teeth, (0.0, 0.0), False), (TENSIONER, at, True), (teeth, (0.0, height), False)]

    def needed(inwards: float) -> float:
        return way_around(chain, sprockets(inwards))[0] + SLACK

    low, high = 0.01 * height, min(0.3 * height, 1.5 * r)
    links = even_links(needed(0.5 * (low + high)))
    if links > needed(high):
        links -= 2
    inwards = closed_at(lambda x: needed(x) - links, low, high, "height, wheel_diameter")
    (_, at, _) = sprockets(inwards)[1]
    about = "Crankshaft below, camshaft above; the crankshaft turns counter-clockwise and pulls on the left."
    sheet = Sheet("marine", name, about)
    sheet.table("[chain]")
    sheet.put("standard", chain.name, sufficient(chain, SAFETY, peak, "the largest pull of the camshaft"))
    sheet.put("links", links, "the even number of links that puts the tensioner nearest to the middle of its travel")
    sheet.estimate("joint_friction", 0.1, "lubricated pins in bushes")
    contact(sheet, chain)
    sheet.table(
        "[preload]", "Moves the tensioner until the chain at rest has this tension; as placed below it is slack."
    )
    share = (
        f"{100.0 * PRELOAD:g} % of the largest pull; with less, the slack span would lose all tension at every firing"
    )
    sheet.estimate("tension", amount(PRELOAD * peak, "kN", 3), share)
    sheet.put("span", 0)
    sheet.put("by", "wheel")
    sheet.put("wheel", 1, "the tensioner")
    sheet.put("direction", "180 deg")
    simple_wheel(sheet, "crankshaft", teeth, (0.0, 0.0), chain)
    sheet.estimate("inertia", amount(disc(chain, teeth).inertia, "kg*m^2", 3), "the sprocket as a solid disc")
    order = {"order": cylinders, "amplitude": amount(IRREGULARITY * cylinders * speed**2, "rad/s^2", 3)}
    turning = {"kind": "orders", "speed": amount(speed, "rpm", 6), "ramp": "2 s", "orders": [order]}
    how = f"speed given; it fluctuates by {100 * IRREGULARITY:g} % with every firing"
    sheet.estimate("motion", turning, how)
    simple_wheel(sheet, "tensioner", TENSIONER, at, chain)
    sheet.put("side", "back")
    sheet.estimate("inertia", amount(disc(chain, TENSIONER).inertia, "kg*m^2", 3), "the sprocket as a solid disc")
    simple_wheel(sheet, "camshaft", teeth, (0.0, height), chain)
    inertia = 2.0 * disc(chain, teeth).inertia
    sheet.estimate("inertia", amount(inertia, "kg*m^2", 3), "twice that of the sprocket: camshaft and cams")
    cams = {
        "kind": "orders",
        "mean": amount(torque, "N*m"),
        "orders": [{"order": cylinders, "amplitude": amount(FLUCTUATION * torque, "N*m")}],
    }
    share = f"{100 * FLUCTUATION:g} % of it as amplitude"
    how = f"mean {quantity(camshaft_power, 'W')} given; {share}, once for every cylinder"
    sheet.estimate("loads", [{"torque": cams, "against": "running_sense"}], how)
    sheet.table("[[guides]]", "A guide bar inside the tight span.")
    sheet.put("name", "guide bar")
    shape = {
        "kind": "on_span",
        "span": 2,
        "side": "left",
        "length": amount(0.3 * height, "m", 3),
        "end_radius": amount(0.15 * height, "m", 3),
        "end_length": amount(0.05 * height, "m", 3),
    }
    sheet.estimate("shape", shape, "30 % of the height, with rounded ends, just touching")
    rubber = amount(chain.breaking_load * 0.001 / 0.003**1.5, "MN/m^1.5", 2)
    law = {"stiffness": rubber, "restitution": 0.2, "friction": 0.1}
    sheet.estimate("contact", law, "rubber: 0.1 % of the breaking load presses a roller in by 3 mm")
    sheet.estimate("max_penetration", amount(chain.pitch, "mm"), "one pitch, because rubber is soft")
    sheet.table("[limits]")
    sheet.put("tension", amount(chain.breaking_load / 10.0, "kN", 3), "a tenth of the breaking load")
    sheet.table("[run]")
    sheet.put("until", amount(4.0 * 2.0 * math.pi / speed, "s", 2), "four turns")
    sheet.put("start", "at_speed")
    return sheet
