"""The result of every contact law, and the restitution that a hysteresis damping factor achieves."""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["ForceCoefficients", "achieved_restitution", "check_restitution", "speed_of_depth"]


class ForceCoefficients(NamedTuple):
    """The constants of f = K d^n (1 + D d'/v0) + c d' (``physics.contact.normal_force``)."""

    stiffness: float
    """K [N/m^n]"""
    exponent: float
    """n [-]"""
    hysteresis: float
    """Hysteresis damping factor D [-]; v0 is the approach speed at the beginning of the impact."""
    viscous: float
    """Viscous damping coefficient c [N s/m]"""


def check_restitution(restitution: float, law: str = "", zero_allowed: bool = True) -> None:
    """Raise ValueError unless the coefficient of restitution is in [0, 1], or in (0, 1] if the law is singular at
    zero.
    """
    if not 0.0 <= restitution <= 1.0:
        raise ValueError(f"The coefficient of restitution must be between 0 and 1, not {restitution:g}.")
    if restitution == 0.0 and not zero_allowed:
        raise ValueError(
            f"The {law} law needs infinite damping for a restitution of 0. Give a small positive restitution, or a "
            "law that is finite at 0, such as lankarani-nikravesh."
        )


def achieved_restitution(hysteresis: float) -> float:
    """Restitution that f = K d^n (1 + D d'/v0) actually gives a free impact, independent of K, n, mass and speed [-].

    Separation of variables in v dv = -(f/m) dd gives the exact first integral D - ln(1+D) = -D e - ln(1 - D e)
    (Zhang & Sharf 2009), solved here by bisection to about 1e-15/D. hysteresis D >= 0 [-]; valid only for laws without
    viscous damping (Kelvin-Voigt gives the requested restitution). Since e < 1/D, the force of a free impact never
    becomes negative, for any D.
    """
    if hysteresis == 0.0:
        return 1.0
    approach = hysteresis - math.log1p(hysteresis)
    low, high = 0.0, min(1.0, 1.0 / hysteresis)
    for _ in range(60):
        middle = 0.5 * (low + high)
        loss = hysteresis * middle
        if loss < 1.0 and -loss - math.log1p(-loss) < approach:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def speed_of_depth(force: ForceCoefficients, mass: float) -> float:
    """Approach speed of the free impact that comes to rest at a depth d, divided by sqrt(f_e d) at this depth.
    [1/sqrt(kg)]

    The same separation of variables, down to d' = 0, gives f_e d/(n + 1) = m v0^2 (D - ln(1 + D))/D^2. mass m > 0 of
    the impact [kg]. The result is 0 without hysteresis, as the force then does not depend on the impact speed.
    """
    damping = force.hysteresis
    if damping == 0.0:
        return 0.0
    return damping / math.sqrt((force.exponent + 1.0) * mass * (damping - math.log1p(damping)))
