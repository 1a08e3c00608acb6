"""Gonthier, McPhee, Lange & Piedboeuf (2004), A regularized contact model with asymmetric damping and dwell-time
dependent friction, Multibody System Dynamics 11; Zhang & Sharf (2009) give the same relation.

The exact relation is (1 + D)/(1 - e D) = exp(D (1 + e)), which is the first integral that ``base.achieved_restitution``
solves. This law uses the authors' closed-form approximation of it: a requested e = 0.5 gives 0.488.
"""

from __future__ import annotations

from chaindrive.physics.contact_laws.base import ForceCoefficients, check_restitution

__all__ = ["coefficients"]


def coefficients(stiffness: float, exponent: float, restitution: float, mass: float) -> ForceCoefficients:
    """Coefficients with D = (1 - e^2)/e.

    stiffness K [N/m^n]; exponent n [-]; restitution e [-]; mass [kg] is not used.
    Raises ValueError when e lies outside (0, 1]: D is infinite at e = 0.
    """
    check_restitution(restitution, "Gonthier", zero_allowed=False)
    return ForceCoefficients(stiffness, exponent, (1.0 - restitution * restitution) / restitution, 0.0)
