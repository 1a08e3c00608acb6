"""Kelvin-Voigt: linear spring and dashpot, f = K d + c d', which cannot pull.

The impact ends when the force reaches zero, which is before the penetration reaches zero. With c = 2 zeta sqrt(K m),
zeta = sin a, this gives exactly e = exp(-(pi - 2 a) tan a): Schwager & Poeschel (2007), Coefficient of restitution and
linear-dashpot model revisited, Granular Matter 9; for zeta > 1, e = exp(-2 b coth b) with zeta = cosh b. The textbook
formula e = exp(-pi tan a) lets the contact pull until the penetration is zero (zeta = 0.1: 0.729 instead of 0.744).
"""

from __future__ import annotations

import math

from chaindrive.physics.contact_laws.base import ForceCoefficients, check_restitution

__all__ = ["coefficients", "damping_ratio", "restitution_of"]


def restitution_of(zeta: float) -> float:
    """Restitution of an impact that ends at zero force. [-] zeta >= 0: damping ratio c/(2 sqrt(K m)) [-]."""
    if zeta < 1.0:
        return math.exp(-2.0 * math.acos(zeta) * zeta / math.sqrt(1.0 - zeta * zeta))
    return math.exp(-2.0 * math.acosh(zeta) * zeta / math.sqrt(zeta * zeta - 1.0)) if zeta > 1.0 else math.exp(-2.0)


def damping_ratio(restitution: float) -> float:
    """Damping ratio that gives this restitution, by bisection. [-] restitution in (0, 1]."""
    low, high = 0.0, 1.0 + 0.5 / math.sqrt(restitution)  # e < 1/(4 zeta^2) there, as e = exp(-2 b coth b) < exp(-2 b)
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if restitution_of(middle) > restitution else (low, middle)
    return low


def coefficients(stiffness: float, exponent: float, restitution: float, mass: float) -> ForceCoefficients:
    """Coefficients with D = 0, c = 2 zeta sqrt(K m). stiffness K [N/m]; restitution e [-]; impacting mass m [kg].

    Raises ValueError when the exponent is not 1 or when e lies outside (0, 1]: c is infinite at e = 0.
    """
    check_restitution(restitution, "Kelvin-Voigt", zero_allowed=False)
    if exponent != 1.0:
        raise ValueError(f"The Kelvin-Voigt law is linear: the contact exponent must be 1, not {exponent:g}.")
    return ForceCoefficients(stiffness, 1.0, 0.0, 2.0 * damping_ratio(restitution) * math.sqrt(stiffness * mass))
