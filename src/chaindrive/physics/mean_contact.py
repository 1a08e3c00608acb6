"""Mean force of a contact over a step in which its depth changes from d0 to d1, for steps that do not resolve it.

The elastic part is the mean over the depth, (E(d1) - E(d0)) / (d1 - d0) with the energy E(d) = K d^(n+1) / (n+1) of a
closed contact, d > 0, and 0 of an open one. This is a discrete gradient (Gonzalez, J. Nonlinear Sci. 6 (1996) 449; of
contacts: Laursen & Chawla, Int. J. Numer. Methods Eng. 40 (1997) 863). Whatever the step, the work against this force
is the energy that the contact stores, also in a step in which it closes or opens. The force is of second order, never
pulls, and grows with d1 without a jump, so that it can be found implicitly.
"""

from __future__ import annotations

from chaindrive.kernels import kernel
from chaindrive.physics.contact import elastic_force_power

__all__ = ["mean_elastic_force", "pressed_part", "stored_energy"]

SLIGHT = 1e-3
"""Change of the depth, as a fraction of it, below which the mean is expanded about the middle, with an error of (n
SLIGHT)^4. [-]"""


@kernel(inline=True)
def stored_energy(depth, stiffness, exponent):
    """Energy K d^(n+1) / (n+1) of a contact of the depth d [m], 0 of an open one; stiffness K [N/m^n]. [J]"""
    pressed = 0.0 if depth <= 0.0 else depth
    return elastic_force_power(pressed, stiffness, exponent) * pressed / (exponent + 1.0)


@kernel(inline=True)
def mean_elastic_force(before, after, stiffness, exponent):
    """Elastic part of the mean force, see the module; depths before and after the step, negative: a gap [m]. [N]

    If the depth hardly changes, the quotient of small differences is replaced by K d^n (1 + n (n-1)/24 (change/d)^2)
    with the depth d in the middle.
    """
    change, middle = after - before, 0.5 * (before + after)
    if abs(change) <= SLIGHT * middle:
        ratio = change / middle if middle > 0.0 else 0.0
        bent = 1.0 + exponent * (exponent - 1.0) / 24.0 * ratio * ratio
        return elastic_force_power(middle, stiffness, exponent) * bent
    if before <= 0.0 and after <= 0.0:
        return 0.0
    return (stored_energy(after, stiffness, exponent) - stored_energy(before, stiffness, exponent)) / change


@kernel(inline=True)
def pressed_part(before, after):
    """Fraction of the way between two depths [m] on which the contact is closed. [-]"""
    if before > 0.0 and after > 0.0:
        return 1.0
    deepest = max(before, after)
    return deepest / abs(after - before) if deepest > 0.0 else 0.0
