"""Mean force of a contact over a step in which its depth changes from d0 to d1, for steps too long to resolve the
contact.

The elastic part is the mean over the depth, (E(d1) - E(d0)) / (d1 - d0) where E(d) is the stored energy, K d^(n+1) /
(n+1) for a closed contact (d > 0) and 0 for an open one. This is a discrete gradient (Gonzalez, J. Nonlinear Sci. 6
(1996) 449; for contacts: Laursen & Chawla, Int. J. Numer. Methods Eng. 40 (1997) 863). Whatever the step, the work
against this force equals the energy that the contact stores, even in a step in which the contact closes or opens. The
force is accurate to second order, never pulls, and grows continuously with d1, so that it can be found implicitly.
"""

from __future__ import annotations

from chaindrive.kernels import kernel
from chaindrive.physics.contact import elastic_force_power

__all__ = ["mean_elastic_force", "pressed_part", "stored_energy"]

SLIGHT = 1e-3
"""Relative change of the depth below which the mean force is expanded about the middle of the step, with an error of (n
SLIGHT)^4. [-]"""


@kernel(inline=True)
def stored_energy(depth, stiffness, exponent):
    """Energy stored in a contact: K d^(n+1) / (n+1) at a depth d > 0 [m], 0 if it is open; stiffness K [N/m^n]. [J]"""
    pressed = 0.0 if depth <= 0.0 else depth
    return elastic_force_power(pressed, stiffness, exponent) * pressed / (exponent + 1.0)


@kernel(inline=True)
def mean_elastic_force(before, after, stiffness, exponent):
    """Elastic part of the mean force (see the module), from the depths before and after the step [m], which are
    negative for a gap. [N]

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
    """Fraction of the path between two depths [m] on which the contact is closed. [-]"""
    if before > 0.0 and after > 0.0:
        return 1.0
    deepest = max(before, after)
    return deepest / abs(after - before) if deepest > 0.0 else 0.0
