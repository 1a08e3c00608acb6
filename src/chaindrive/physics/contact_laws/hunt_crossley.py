"""Hunt & Crossley (1975), Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42.

With the linear law e = 1 - a v0 for the restitution, D = 3 a v0 / 2. This is a first-order result for e near 1: a
requested e = 0.5 gives 0.663.
"""

from __future__ import annotations

from chaindrive.physics.contact_laws.base import ForceCoefficients, check_restitution

__all__ = ["coefficients"]


def coefficients(stiffness: float, exponent: float, restitution: float, mass: float) -> ForceCoefficients:
    """Coefficients with D = 3 (1 - e)/2.

    stiffness K [N/m^n]; exponent n [-]; restitution e [-]; mass [kg] is not used.
    Raises ValueError when e lies outside [0, 1].
    """
    check_restitution(restitution)
    return ForceCoefficients(stiffness, exponent, 1.5 * (1.0 - restitution), 0.0)
