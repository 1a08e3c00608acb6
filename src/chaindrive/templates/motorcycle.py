"""A motorcycle on its swingarm."""

from __future__ import annotations

import math
from typing import Annotated

from chaindrive.model import StandardChain
from chaindrive.templates.closed import even_links, way_around
from chaindrive.templates.estimates import GRAVITY, contact, radius, simple_wheel
from chaindrive.templates.questions import Count, Given, Number, Title, amount
from chaindrive.templates.selection import strong_chain, sufficient
from chaindrive.templates.sheet import Sheet
from chaindrive.templates.template import template

__all__ = ["motorcycle"]

SAFETY = 5.0
"""Breaking load divided by the pull of the mean torque. [-]"""
SAG = 0.03
"""Sag of the slack span divided by the length of the swingarm. [-]"""
BEHIND, BELOW = 0.15, 0.08
"""Distances by which the swingarm pivot is behind, and the rear axle below, the countershaft, divided by the length of
the swingarm. [-]
"""
ROLLING = 0.31
"""Rolling radius of typical rear wheels. [m]"""
SUSPENSION = 2.5
"""Natural frequency of the machine on its rear suspension. [Hz]"""


@template("motorcycle")
def motorcycle(
    *,
    torque: Annotated[Given, Number("mean torque of the engine", "N*m", "3 N*m", "150 N*m")] = "33 N*m",
    speed: Annotated[Given, Number("speed of the engine", "rad/s", "1500 rpm", "14000 rpm")] = "5000 rpm",
    gear_ratio: Annotated[
        Given, Number("speed of the engine divided by that of the countershaft", "", "1.5", "12")
    ] = "4",
    front_teeth: Annotated[Given, Count("teeth of the countershaft sprocket", 11, 20)] = 15,
    rear_teeth: Annotated[Given, Count("teeth of the rear sprocket", 30, 60)] = 45,
    swingarm: Annotated[Given, Number("length of the swingarm", "m", "350 mm", "800 mm")] = "530 mm",
    mass: Annotated[Given, Number("mass of machine and rider", "kg", "80 kg", "450 kg")] = "210 kg",
    name: Annotated[Given, Title()] = "motorcycle",
) -> Sheet:
    """A motorcycle in one gear: engine, chain, rear wheel on its swingarm, and air drag of machine and rider.

    The chain is the smallest motorcycle chain whose breaking load is at least 5 times the pull of the mean torque in
    this gear.
    """

    def pull(chain: StandardChain) -> float:
        return torque * gear_ratio / radius(chain, front_teeth)

    chain = strong_chain("motorcycle", pull, SAFETY, "torque, gear_ratio, front_teeth")
    front = speed / gear_ratio
    rear = front * front_teeth / rear_teeth
    road = rear * ROLLING
    pivot = (-BEHIND * swingarm, -0.01 * swingarm)
    axle = (pivot[0] - swingarm * math.cos(0.07), -BELOW * swingarm)
    slack = 8.0 / 3.0 * SAG**2 * swingarm / chain.pitch
    # The countershaft comes first, so that the pull is on the upper span of a clockwise loop, seen from the right.
    needed = way_around(chain, [(front_teeth, (0.0, 0.0), False), (rear_teeth, axle, False)])[0] + slack
    links = even_links(needed)
    sheet = Sheet("motorcycle", name, "A motorcycle seen from the right, riding to the right.", "clockwise")
    sheet.table("[chain]")
    sheet.put("standard", chain.name, sufficient(chain, SAFETY, pull(chain), "the pull of the mean torque"))
    sheet.put("links", links, "the even number of links that comes nearest to this length of the swingarm")
    sheet.estimate("joint_friction", 0.1, "greased pins in bushes")
    contact(sheet, chain, 0.3)
    sheet.table("[closing]", "Moves the rear wheel in the swingarm, as the chain adjusters do.")
    sheet.put("wheel", "rear wheel")
    sheet.put("direction", "180 deg")
    sheet.estimate("sag", amount(SAG * swingarm, "mm", 3), "3 % of the swingarm")
    simple_wheel(sheet, "countershaft", front_teeth, (0.0, 0.0), chain)
    inertia = 4e-4 * torque * gear_ratio**2
    how = "crankshaft of 4 kg cm^2 for each N m of mean torque, times the gear ratio squared"
    sheet.estimate("inertia", amount(inertia, "kg*m^2", 3), how)
    sheet.put("initial_speed", amount(-front, "rpm", 6), f"{amount(speed, 'rpm')} of the engine; clockwise")
    orders = [
        {"order": 0.5, "amplitude": amount(0.9 * torque, "N*m")},
        {"order": 1, "amplitude": amount(0.7 * torque, "N*m")},
    ]
    drive = {"kind": "orders", "mean": amount(-torque, "N*m"), "gear_ratio": gear_ratio, "orders": orders}
    sheet.estimate("torque", drive, "mean torque given; plus orders of a four-stroke engine with few cylinders")
    simple_wheel(sheet, "rear wheel", rear_teeth, axle, chain)
    sheet.put("body", "swingarm")
    inertia = 0.06 * mass * (0.7 * ROLLING) ** 2
    sheet.estimate("inertia", amount(inertia, "kg*m^2", 3), "a wheel of 6 % of the mass, at 0.7 of the rolling radius")
    force = torque * gear_ratio * rear_teeth / front_teeth / ROLLING
    vehicle = {
        "equivalent_mass": amount(1.04 * mass, "kg"),
        "mass": amount(mass, "kg"),
        "rolling_radius": amount(ROLLING, "m"),
        "rolling_resistance": 0.015,
        "drag_area": amount(2.0 * max(force - 0.015 * mass * GRAVITY, 0.05 * force) / (1.2 * road**2), "m^2", 3),
    }
    how = (
        f"mass given, and 4 % for the wheels that turn; the drag area keeps the machine at {amount(road, 'km/h', 3)}, "
        "in place of slope and acceleration: about 0.5 m^2 is typical of unfaired machines"
    )
    sheet.estimate("vehicle", vehicle, how)
    sheet.table("[[bodies]]")
    sheet.put("name", "swingarm")
    sheet.estimate("mass", amount(0.05 * mass, "kg", 3), "5 % of machine and rider, without the wheel")
    sheet.estimate("inertia", amount(0.05 * mass * swingarm**2 / 12.0, "kg*m^2", 3), "a rod of its length")
    middle = [amount(0.5 * (p + a), "mm", 5) for p, a in zip(pivot, axle, strict=True)]
    sheet.estimate("centre_of_mass", middle, "halfway between pivot and axle")
    joint = {"kind": "revolute", "position": [amount(part, "mm", 5) for part in pivot]}
    sheet.estimate("joint", joint, f"the pivot, behind the countershaft by {100 * BEHIND:g} % of the swingarm length")
    sheet.table("[[tensioners]]", "Spring and damper, acting vertically at the axle.")
    sheet.put("name", "spring and damper")
    sheet.put("kind", "spring_damper")
    omega = 2.0 * math.pi * SUSPENSION
    sheet.put("from_position", [amount(axle[0], "mm", 5), amount(axle[1] + 0.3, "mm", 5)])
    sheet.put("to_body", "swingarm")
    sheet.put("to_position", [amount(part, "mm", 5) for part in axle])
    how = f"half of the mass bounces on it at {SUSPENSION:g} Hz"
    sheet.estimate("stiffness", amount(0.5 * mass * omega**2, "kN/m", 3), how)
    sheet.estimate("damping", amount(0.3 * mass * omega, "N*s/m", 3), "30 % of critical")
    sheet.put("preload", "0 N", "force in addition to the static force that carries the machine")
    sheet.table("[limits]")
    sheet.put("tension", amount(chain.breaking_load / 2.0, "N", 3), "half of the breaking load")
    sheet.table("[run]")
    sheet.put("until", amount(6.0 * 2.0 * math.pi / rear, "s", 2), "six turns of the rear wheel")
    sheet.put("start", "at_speed")
    return sheet
