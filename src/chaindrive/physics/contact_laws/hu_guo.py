"""Hu & Guo (2015), A dissipative contact force model for impact analysis in multibody dynamics, Multibody System
Dynamics 35. A requested e = 0.5 gives 0.488.
"""

from __future__ import annotations

from chaindrive.physics.contact_laws.base import ForceCoefficients, check_restitution

__all__ = ["coefficients"]


def coefficients(stiffness: float, exponent: float, restitution: float, mass: float) -> ForceCoefficients:
    """Coefficients with D = 3 (1 - e)/(2 e).

    stiffness K [N/m^n]; exponent n [-]; restitution e [-]; mass [kg] is not used.
    Raises ValueError when e lies outside (0, 1]: D is infinite at e = 0.
    """
    check_restitution(restitution, "Hu-Guo", zero_allowed=False)
    return ForceCoefficients(stiffness, exponent, 1.5 * (1.0 - restitution) / restitution, 0.0)
