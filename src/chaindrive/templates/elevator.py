"""A bucket elevator."""

from __future__ import annotations

from typing import Annotated

from chaindrive.model import StandardChain
from chaindrive.templates.closed import closed_at, even_links, way_around
from chaindrive.templates.estimates import GRAVITY, contact, disc, radius, simple_wheel, turn_speed
from chaindrive.templates.questions import Given, Number, Title, amount
from chaindrive.templates.selection import strong_chain, sufficient
from chaindrive.templates.sheet import Sheet
from chaindrive.templates.template import template

__all__ = ["elevator"]

TEETH = 16
SAFETY = 8.0
"""Breaking load divided by pull. [-]"""
MOTION = 1.4
"""Allowance for the motion: largest tension divided by that of the calculation."""
MOST_LINKS = 400
SLACK = 4e-4
"""Slack divided by the height. [-]"""


@template("elevator")
def elevator(
    *,
    throughput: Annotated[Given, Number("mass that is lifted per unit of time", "kg/s", "1 t/h", "300 t/h")] = "50 t/h",
    height: Annotated[Given, Number("distance from boot to head", "m", "3 m", "30 m")] = "10 m",
    speed: Annotated[Given, Number("speed of the chain", "m/s", "0.2 m/s", "2 m/s")] = "1.1 m/s",
    buckets: Annotated[
        Given, Number("mass of the empty buckets per metre of chain", "kg/m", "0.5 kg/m", "60 kg/m")
    ] = "5 kg/m",
    name: Annotated[Given, Title()] = "bucket elevator",
) -> Sheet:
    """A bucket elevator with the head above the boot and goods on the rising span.

    The chain is the smallest bush chain of ISO 1977 whose breaking load is at least 11.2 times the weight of the rising
    span.
    """
    goods = throughput / speed

    def pull(chain: StandardChain) -> float:
        return GRAVITY * height * (chain.mass_per_length + buckets + goods)

    def fits(chain: StandardChain) -> bool:
        return (
            "M" in chain.name
            and "-B-" in chain.name
            and 2.0 * height / chain.pitch <= MOST_LINKS
            and (height > 3.0 * radius(chain, TEETH))
        )

    places = "throughput, height, speed, buckets"
    chain = strong_chain("conveyor", lambda each: MOTION * pull(each), SAFETY, places, fits)
    r = radius(chain, TEETH)

    def needed(distance: float) -> float:
        sprockets = [(TEETH, (0.0, distance), False), (TEETH, (0.0, 0.0), False)]
        return way_around(chain, sprockets)[0] + SLACK * height / chain.pitch

    links = 2 * even_links(0.5 * needed(height))  # a multiple of 4: a bucket on every fourth link all around the chain
    a = closed_at(lambda at: needed(at) - links, height - 2.0 * chain.pitch, height + 2.0 * chain.pitch, "height")
    sheet = Sheet("elevator", name, "A bucket elevator: the span on the right rises, the head turns counter-clockwise.")
    sheet.table("[chain]")
    sheet.put("standard", chain.name, sufficient(chain, MOTION * SAFETY, pull(chain), "the weight of the rising span"))
    sheet.put("links", links, f"the number of links, a multiple of 4, that comes nearest to {amount(height, 'm')}")
    sheet.estimate("joint_friction", 0.15, "pins in bushes")
    bucket = {"mass": amount(4.0 * buckets * chain.pitch, "kg"), "every": 4}
    sheet.put("attachments", [bucket], f"a bucket on every 4th link, {amount(buckets, 'kg/m')} in total")
    contact(sheet, chain)
    simple_wheel(sheet, "head", TEETH, (0.0, a), chain)
    sheet.estimate("inertia", amount(disc(chain, TEETH).inertia, "kg*m^2", 3), "the sprocket as a solid disc")
    turning = {"kind": "constant_speed", "speed": amount(turn_speed(chain, TEETH, speed), "rpm", 6), "ramp": "0.5 s"}
    sheet.put("motion", turning, amount(speed, "m/s"))
    simple_wheel(sheet, "boot", TEETH, (0.0, 0.0), chain)
    sheet.estimate("inertia", amount(disc(chain, TEETH).inertia, "kg*m^2", 3), "the sprocket as a solid disc")
    drag = 0.01 * pull(chain) * r
    sheet.estimate("load_torque", amount(drag, "N*m", 3), "scooping buckets, 1 % of the weight of the rising span")
    sheet.table("[closing]", "Moves the head until the chain closes with this slack; its position above is the result.")
    sheet.put("wheel", "head")
    sheet.put("direction", "90 deg")
    sheet.estimate("slack", amount(SLACK * height, "mm"), "0.04 % of the height")
    sheet.table("[[payloads]]")
    sheet.put("name", "goods")
    sheet.put("span", 1, "from boot to head")
    sheet.put("mass_per_length", amount(goods, "kg/m"), f"{amount(throughput, 't/h')} at {amount(speed, 'm/s')}")
    sheet.estimate("start", amount(chain.pitch, "m"), "from a hopper at rest")
    sheet.estimate("end", amount(a - chain.pitch, "m", 6), "goods leave before the head")
    sheet.table("[limits]")
    sheet.put("tension", amount(chain.breaking_load / SAFETY, "N", 3), f"breaking load divided by {SAFETY:g}")
    sheet.table("[run]")
    sheet.put("until", amount(20.0 * chain.pitch / speed, "s", 2), "20 pitches")
    sheet.put("start", "at_speed")
    return sheet
