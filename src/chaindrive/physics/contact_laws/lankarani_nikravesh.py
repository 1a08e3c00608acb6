"""Lankarani & Nikravesh (1990), A contact force model with hysteresis damping, J. Mech. Design 112.

Pedersen (2004), Eq. 3.47. The law was derived for small losses: a requested e = 0.5 gives 0.725, and e = 0 gives 0.663,
which is not a plastic impact.
"""

from __future__ import annotations

from chaindrive.physics.contact_laws.base import ForceCoefficients, check_restitution

__all__ = ["coefficients"]


def coefficients(stiffness: float, exponent: float, restitution: float, mass: float) -> ForceCoefficients:
    """Coefficients with D = 3 (1 - e^2)/4.

    stiffness K [N/m^n]; exponent n [-]; restitution e [-]; mass [kg] is not used.
    Raises ValueError when e lies outside [0, 1].
    """
    check_restitution(restitution)
    return ForceCoefficients(stiffness, exponent, 0.75 * (1.0 - restitution * restitution), 0.0)
