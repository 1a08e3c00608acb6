"""Contact laws by name. Each law turns stiffness, exponent, restitution and mass into the constants of the same force
law.

All give f = K d^n (1 + D d'/v0) + c d' (``physics.contact.normal_force``) and differ only in D and c. How closely the
restitution achieved agrees with the restitution requested depends on the law (``achieved_restitution``).
"""

from __future__ import annotations

from collections.abc import Callable

from chaindrive.physics.contact_laws import (
    flores,
    gonthier,
    herbert_mcwhannell,
    hertz,
    hu_guo,
    hunt_crossley,
    kelvin_voigt,
    lankarani_nikravesh,
    lee_wang,
)
from chaindrive.physics.contact_laws.base import ForceCoefficients, achieved_restitution, speed_of_depth

__all__ = ["CONTACT_LAWS", "ForceCoefficients", "achieved_restitution", "speed_of_depth"]

CONTACT_LAWS: dict[str, Callable[[float, float, float, float], ForceCoefficients]] = {
    "hertz": hertz.coefficients,
    "kelvin-voigt": kelvin_voigt.coefficients,
    "hunt-crossley": hunt_crossley.coefficients,
    "lankarani-nikravesh": lankarani_nikravesh.coefficients,
    "flores": flores.coefficients,
    "herbert-mcwhannell": herbert_mcwhannell.coefficients,
    "lee-wang": lee_wang.coefficients,
    "gonthier": gonthier.coefficients,
    "hu-guo": hu_guo.coefficients,
}
"""The function ``coefficients(stiffness, exponent, restitution, mass)`` of each law, which raises ValueError with a
message for the user."""
