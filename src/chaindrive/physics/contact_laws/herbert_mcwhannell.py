"""Herbert & McWhannell (1977), Shape and frequency composition of pulses from an impact pair, J. Eng. Industry 99.

A requested e = 0.5 gives 0.594; e = 0 gives 0.488.
"""

from __future__ import annotations

from chaindrive.physics.contact_laws.base import ForceCoefficients, check_restitution

__all__ = ["coefficients"]


def coefficients(stiffness: float, exponent: float, restitution: float, mass: float) -> ForceCoefficients:
    """Coefficients with D = 6 (1 - e)/((2 e - 1)^2 + 3).

    stiffness K [N/m^n]; exponent n [-]; restitution e [-]; mass [kg] is not used.
    Raises ValueError when e lies outside [0, 1].
    """
    check_restitution(restitution)
    return ForceCoefficients(
        stiffness, exponent, 6.0 * (1.0 - restitution) / ((2.0 * restitution - 1.0) ** 2 + 3.0), 0.0
    )
