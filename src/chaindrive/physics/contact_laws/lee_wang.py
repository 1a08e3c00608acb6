"""Lee & Wang (1983), On the dynamics of intermittent-motion mechanisms, J. Mech. Transm. Autom. Design 105.

A requested e = 0.5 gives 0.799; e = 0 gives 0.663.
"""

from __future__ import annotations

from chaindrive.physics.contact_laws.base import ForceCoefficients, check_restitution

__all__ = ["coefficients"]


def coefficients(stiffness: float, exponent: float, restitution: float, mass: float) -> ForceCoefficients:
    """Coefficients with D = 3 (1 - e)/4.

    stiffness K [N/m^n]; exponent n [-]; restitution e [-]; mass [kg] is not used.
    Raises ValueError when e lies outside [0, 1].
    """
    check_restitution(restitution)
    return ForceCoefficients(stiffness, exponent, 0.75 * (1.0 - restitution), 0.0)
