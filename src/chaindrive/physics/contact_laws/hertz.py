"""Hertz (1882): purely elastic contact without losses. The requested restitution is ignored, as the restitution is
always 1.
"""

from __future__ import annotations

from chaindrive.physics.contact_laws.base import ForceCoefficients, check_restitution

__all__ = ["coefficients"]


def coefficients(stiffness: float, exponent: float, restitution: float, mass: float) -> ForceCoefficients:
    """Coefficients of f = K d^n; D = 0.

    stiffness K [N/m^n]; exponent n [-]; restitution e [-]; mass [kg] is not used.
    Raises ValueError when e lies outside [0, 1].
    """
    check_restitution(restitution)
    return ForceCoefficients(stiffness, exponent, 0.0, 0.0)
