"""Two sprockets: a chain drive from a motor or gearbox to a machine."""

from __future__ import annotations

import math
from typing import Annotated

from chaindrive.errors import InputError, Problem
from chaindrive.model import StandardChain, chain_names, standard_chain
from chaindrive.numbers import quantity
from chaindrive.templates.closed import closed_at, even_links, way_around
from chaindrive.templates.estimates import SPIN_UP, contact, disc, radius, simple_wheel, spun_up
from chaindrive.templates.questions import Given, Number, Title, amount
from chaindrive.templates.selection import MOST_PITCHES, rated_chain, teeth_of_ratio
from chaindrive.templates.sheet import Sheet
from chaindrive.templates.template import template

__all__ = ["two_wheels"]

SAG = 0.02
"""Sag of the slack span divided by the centre distance. [-]"""
LEAST_WRAP = math.radians(120.0)
"""Smallest wrap recommended by ISO 10823."""


@template("two-wheels")
def two_wheels(
    *,
    power: Annotated[Given, Number("power that the chain transmits", "W", "10 W", "200 kW")] = "2 kW",
    speed: Annotated[Given, Number("speed of the driving sprocket", "rad/s", "10 rpm", "3000 rpm")] = "500 rpm",
    ratio: Annotated[Given, Number("ratio, driver speed divided by driven speed", "", "0.2", "6")] = "2",
    centre_distance: Annotated[Given, Number("desired centre distance", "m", "50 mm", "5 m")] = "500 mm",
    application_factor: Annotated[
        Given, Number("application factor f1 of ISO 10823, 1 for smooth loads", "", "1", "2.5")
    ] = "1.3",
    name: Annotated[Given, Title()] = "two wheels",
) -> Sheet:
    """Two sprockets, from a motor or gearbox to a machine.

    The chain is the one of the B series of ISO 606 with the fewest strands and the smallest pitch whose rating at the
    smaller sprocket (ANSI B29.1) suffices, with at most 80 pitches between the centres and a wrap of at least 120
    degrees. ISO 10823 also recommends at least 30 pitches, which a chain with more strands may have.
    """
    small, large = teeth_of_ratio(max(ratio, 1.0 / ratio))
    driver, driven = (small, large) if ratio >= 1.0 else (large, small)
    fastest = speed * driver / small

    def fits(chain: StandardChain) -> bool:
        lean = (radius(chain, large) - radius(chain, small)) / centre_distance
        apart = centre_distance - radius(chain, large) - radius(chain, small)
        return (
            apart > 2.0 * chain.pitch
            and 2.0 * math.acos(lean) >= LEAST_WRAP
            and (centre_distance <= MOST_PITCHES * chain.pitch)
        )

    if not any(fits(standard_chain(name)) for name in chain_names("iso-606-b")):
        message = f"is too small for sprockets of {small} and {large} teeth of any chain of the B series of ISO 606"
        raise InputError(Problem("centre_distance, ratio", message, amount(centre_distance, "mm")))
    places = "power, speed, ratio, centre_distance, application_factor"
    chain, rating = rated_chain(power * application_factor, fastest, small, places, fits)
    a, links = _closed(chain, (driver, driven), centre_distance)
    torque = power / speed * driven / driver
    pull = power / (speed * radius(chain, driver))
    sheet = Sheet(
        "two-wheels",
        name,
        "Two sprockets: the driver, on the left, turns counter-clockwise and pulls the upper span; the slack span is "
        "below.",
    )
    sheet.table("[chain]")
    sheet.put(
        "standard",
        chain.name,
        f"rated for {quantity(rating, 'W')} at {small} teeth and {amount(fastest, 'rpm')} (ANSI B29.1); needed: "
        f"{quantity(power, 'W')} x {application_factor:.4g}",
    )
    sheet.put(
        "links",
        links,
        f"the even number of links that comes nearest to {amount(centre_distance, 'mm')} between centres",
    )
    sheet.estimate("joint_friction", 0.1, "lubricated pins in bushes")
    contact(sheet, chain)
    sheet.table("[closing]", "Moves the driven sprocket until the chain closes; its position below is the result.")
    sheet.put("wheel", "driven")
    sheet.put(
        "sag", amount(SAG * centre_distance, "mm", 3), "2 % of the centre distance; chain makers recommend 1 to 4 %"
    )
    simple_wheel(sheet, "driver", driver, (0.0, 0.0), chain)
    sheet.estimate("inertia", amount(disc(chain, driver).inertia, "kg*m^2", 3), "the sprocket alone, as a solid disc")
    turning = {"kind": "constant_speed", "speed": amount(speed, "rpm", 6), "ramp": "0.5 s"}
    sheet.put("motion", turning, "given; the ramp is for a start from rest")
    simple_wheel(sheet, "driven", driven, (a, 0.0), chain)
    inertia = disc(chain, driven).inertia + spun_up(torque, speed * driver / driven)
    how = f"sprocket, and a machine that its torque accelerates to speed in {SPIN_UP:g} s"
    sheet.estimate("inertia", amount(inertia, "kg*m^2", 3), how)
    sheet.put(
        "load_torque", amount(torque, "N*m"), f"{quantity(power, 'W')} at {amount(speed * driver / driven, 'rpm')}"
    )
    sheet.table("[limits]")
    sheet.put("application_factor", application_factor, "given")
    sheet.put(
        "tension",
        amount(chain.breaking_load / 8.0, "N", 3),
        f"an eighth of the breaking load; pull: {quantity(pull, 'N')}",
    )
    sheet.table("[run]")
    turns = 3.0 * 2.0 * math.pi / speed * max(driven / driver, 1.0)
    sheet.put("until", amount(max(turns, 0.2), "s", 2), "three turns of the slower sprocket, at least 0.2 s")
    sheet.put("start", "at_speed")
    return sheet


def _closed(chain: StandardChain, teeth: tuple[int, int], wanted: float) -> tuple[float, int]:
    """Return the centre distance, nearest to the requested one, at which a chain with an even number of links closes
    with ``SAG`` [m], and the number of links.
    """

    def needed(distance: float) -> float:
        slack = 8.0 / 3.0 * SAG**2 * wanted / chain.pitch
        return way_around(chain, [(teeth[0], (0.0, 0.0), False), (teeth[1], (distance, 0.0), False)])[0] + slack

    links = even_links(needed(wanted))
    found = closed_at(lambda a: needed(a) - links, wanted - chain.pitch, wanted + chain.pitch, "centre_distance")
    return found, links
