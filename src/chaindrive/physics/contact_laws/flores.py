"""Flores, Machado, Silva & Martins (2011), On the continuous contact force models for soft materials,
Multibody System Dynamics 25. The law was derived for large losses: a requested e = 0.5 gives 0.470.
"""

from __future__ import annotations

from chaindrive.physics.contact_laws.base import ForceCoefficients, check_restitution

__all__ = ["coefficients"]


def coefficients(stiffness: float, exponent: float, restitution: float, mass: float) -> ForceCoefficients:
    """Coefficients with D = 8 (1 - e)/(5 e).

    stiffness K [N/m^n]; exponent n [-]; restitution e [-]; mass [kg] is not used.
    Raises ValueError when e lies outside (0, 1]: D is infinite at e = 0.
    """
    check_restitution(restitution, "Flores", zero_allowed=False)
    return ForceCoefficients(stiffness, exponent, 1.6 * (1.0 - restitution) / restitution, 0.0)
