"""Estimates of data that a drawing does not contain. All of them scale with the size of the drive."""

from __future__ import annotations

import math
from typing import NamedTuple

from chaindrive.geometry.route import pitch_radius
from chaindrive.model import Chain, StandardChain
from chaindrive.templates.questions import amount
from chaindrive.templates.sheet import Sheet

__all__ = [
    "GRAVITY",
    "SPIN_UP",
    "Disc",
    "contact",
    "disc",
    "link_stiffness",
    "radius",
    "simple_wheel",
    "spun_up",
    "turn_speed",
]

GRAVITY = 9.81
STEEL = 7850.0
"""Density of steel. [kg/m^3]"""
WORKING = 1.0 / 20.0
"""Tension in operation divided by breaking load. [-]"""
SPIN_UP = 0.2
"""Time in which the torque accelerates a machine to its speed. [s]"""


def radius(chain: StandardChain, teeth: int) -> float:
    """Return the pitch radius of a sprocket. [m]"""
    return float(pitch_radius(chain.pitch, teeth))


def link_stiffness(chain: StandardChain) -> float:
    """Return the stiffness of one link as estimated by ``Chain``. [N/m]"""
    return Chain(standard=chain.name, links=100).link_stiffness


def turn_speed(chain: StandardChain, teeth: int, speed: float) -> float:
    """Return the speed of a sprocket with this number of teeth [rad/s] at the mean speed of a chain [m/s]."""
    return 2.0 * math.pi * speed / (teeth * chain.pitch)


class Disc(NamedTuple):
    """A solid disc."""

    mass: float
    inertia: float
    """Moment of inertia about its axis. [kg m^2]"""


def disc(chain: StandardChain, teeth: int) -> Disc:
    """Return a sprocket as a solid steel disc with the pitch diameter and a width of 0.9 inner widths, one disc for
    each strand.
    """
    r = radius(chain, teeth)
    mass = STEEL * math.pi * r**2 * 0.9 * max(chain.inner_width, 0.3 * chain.pitch) * chain.strands
    return Disc(mass, 0.5 * mass * r**2)


def spun_up(torque: float, speed: float) -> float:
    """Return the moment of inertia that a torque [N m] accelerates to a speed [rad/s] within ``SPIN_UP``. [kg m^2]"""
    return torque * SPIN_UP / speed


def contact(sheet: Sheet, chain: StandardChain, restitution: float = 0.0, friction: float = 0.1) -> None:
    """Add the table [contact].

    At a twentieth of the breaking load a roller is pressed into its seat by as much as a link stretches: K = k^1.5 /
    sqrt(F).
    """
    stiffness = link_stiffness(chain) ** 1.5 / math.sqrt(WORKING * chain.breaking_load)
    sheet.table("[contact]")
    how = "at 1/20 of the breaking load a roller is pressed into its seat by as much as a link stretches"
    sheet.estimate("stiffness", amount(stiffness, "GN/m^1.5", 2), how)
    sheet.estimate("restitution", restitution, "rebound speed divided by impact speed of a roller")
    sheet.estimate("friction", friction, "lubricated steel on steel")


def simple_wheel(sheet: Sheet, name: str, teeth: int, position: tuple[float, float], chain: StandardChain) -> None:
    """Add the first keys of a table [[wheels]]: name, teeth, position, mass, tooth."""
    sheet.table("[[wheels]]")
    sheet.put("name", name)
    sheet.put("teeth", teeth)
    sheet.put("position", [amount(part, "mm", 8) for part in position])
    sheet.put("tooth", {"form": "conveyor" if chain.series == "conveyor" else "iso-606"})
    sheet.estimate("mass", amount(disc(chain, teeth).mass, "kg", 3), "solid steel disc of the pitch diameter")
