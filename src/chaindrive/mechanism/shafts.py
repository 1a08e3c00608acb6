"""Elastic shafts that carry a wheel at their end: cantilevers bent by a transverse force.

With the bending stiffness EI and the length L from the clamped end of the shaft to the plane of the chain, a force F in
that plane gives the deflection L^3 F/(3 EI) and the slope L^2 F/(2 EI). There is no other load at the end, and the
inertia of a wheel against tilting is small. Slope and deflection are therefore proportional, and a shaft is represented
by two transverse springs, along x and y, that carry the mass of the wheel.
"""

from __future__ import annotations

import math

from chaindrive.mechanism.tree import GROUND, PRISMATIC, BodyData
from chaindrive.model.wheel import Shaft

__all__ = ["bending_stiffness", "lateral_stiffness", "shaft_end", "slope_over_deflection"]

STEEL = 206e9
"""Modulus of elasticity. [Pa]"""


def bending_stiffness(shaft: Shaft) -> float:
    """Return E I; if a diameter is given, that of a solid steel shaft. [N m^2]"""
    if shaft.bending_stiffness is not None:
        return shaft.bending_stiffness
    assert shaft.diameter is not None
    return STEEL * math.pi * shaft.diameter**4 / 64.0


def lateral_stiffness(shaft: Shaft) -> float:
    """Return force divided by deflection in the plane of the chain. [N/m]"""
    return 3.0 * bending_stiffness(shaft) / shaft.length**3


def slope_over_deflection(shaft: Shaft) -> float:
    """Return the slope of the shaft divided by its deflection, both in the plane of the chain. [rad/m]"""
    return 1.5 / shaft.length


def shaft_end(shaft: Shaft, position: tuple[float, float], index: int) -> tuple[BodyData, BodyData]:
    """Return two massless slides, along x and y, one on the other; the wheel is carried by the second.

    position: of the wheel [m]; index: of the first slide.
    """
    spring = BodyData(
        joint=PRISMATIC,
        centre=position,
        position=position,
        stiffness=lateral_stiffness(shaft),
        damping=shaft.damping,
    )
    return spring._replace(parent=GROUND), spring._replace(parent=index, direction=(0.0, 1.0))
