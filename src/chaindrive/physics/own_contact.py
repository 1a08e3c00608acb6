"""Normal contact force given by a user-defined law, a function F(d, d', v0) at a memory address (``kernels.pointers``).

Depth d [m], its rate d' [m/s], positive on approach, speed v0 at which the impact began [m/s]. The value of the
function at d' = 0 is the elastic force f_e(d), whose integral over the depth is the energy stored. The remaining force
dissipates energy at the power (F - f_e) d'. Negative forces are set to zero, as in the laws of the package, and so are
forces without penetration.

Properties that built-in laws give in closed form are computed from values of the function: the energy by quadrature,
the slopes by difference quotients.
"""

from __future__ import annotations

import math

import numpy as np

from chaindrive.kernels import kernel
from chaindrive.kernels.pointers import call_at_three

__all__ = [
    "depth_reached",
    "elastic_energy_own",
    "elastic_force_own",
    "elastic_slope_own",
    "normal_force_own",
    "rate_slope_own",
    "slope_own",
]

SOME_SPEED = 1.0
"""Impact speed used to evaluate the elastic force of a law, which does not depend on the impact speed. [m/s]"""
SHIFT = 1e-4
"""Step of the difference quotient for a slope, relative to the depth or the impact speed. [-]"""
ENERGY_PARTS = 400
"""Number of subintervals of the range of depths; the stored energy at their ends is computed before a run."""
GROWTH = 1.2
"""Factor by which the depth grows from step to step in the search for the depth that an impact reaches. [-]"""
SMALL_DEPTH = 1e-9
"""Smallest depth at which this search begins. [m]"""
MOST_STEPS = 120
"""Largest number of steps of this search, which then reaches one metre; no contact is deeper."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(4)
NODE1, NODE2, NODE3, NODE4 = (float(0.5 * (1.0 + node)) for node in _NODES)
WEIGHT1, WEIGHT2, WEIGHT3, WEIGHT4 = (float(weight) for weight in _WEIGHTS)
"""Nodes from 0 to 1 and weights (whose sum is 2) of four-point Gauss-Legendre quadrature."""


@kernel(inner=True)
def elastic_force_own(law, penetration):
    """Elastic force f_e = max(0, F(d, 0, .)) for d > 0, else 0. [N]"""
    if penetration <= 0.0:
        return 0.0
    force = call_at_three(law, penetration, 0.0, SOME_SPEED)
    return 0.0 if force < 0.0 else force


@kernel(inner=True)
def normal_force_own(law, penetration, rate, impact_speed):
    """Normal force max(0, F(d, d', v0)) for d > 0, else 0. [N]"""
    if penetration <= 0.0:
        return 0.0
    force = call_at_three(law, penetration, rate, impact_speed)
    return 0.0 if force < 0.0 else force


@kernel(inner=True)
def elastic_energy_own(law, penetration, deepest, energies):
    """Energy stored, the integral of the elastic force from 0 to d. [J]

    energies: energies at ENERGY_PARTS + 1 depths (``contact_laws.own.stored_energies``) up to the depth ``deepest``
    [m]; beyond this depth the force is integrated.
    """
    if penetration <= 0.0:
        return 0.0
    if not penetration < deepest:
        return energies[ENERGY_PARTS] + _integral(law, math.sqrt(deepest), math.sqrt(penetration))
    root = math.sqrt(penetration)
    part = int(ENERGY_PARTS * math.sqrt(penetration / deepest))
    return energies[part] + _integral(law, math.sqrt(deepest) * part / ENERGY_PARTS, root)


@kernel(inner=True)
def _integral(law, low, high):
    """Integral of the elastic force between two depths, given by their square roots s, by four-point quadrature. [J]

    With d = s^2 the integrand 2 s f_e(s^2) is a polynomial if the force is a power of the depth with a half-integer
    exponent up to 3, for which the rule is exact; it is never steep at 0.
    """
    width = high - low
    s1, s2, s3, s4 = low + NODE1 * width, low + NODE2 * width, low + NODE3 * width, low + NODE4 * width
    total = WEIGHT1 * s1 * elastic_force_own(law, s1 * s1) + WEIGHT2 * s2 * elastic_force_own(law, s2 * s2)
    total += WEIGHT3 * s3 * elastic_force_own(law, s3 * s3) + WEIGHT4 * s4 * elastic_force_own(law, s4 * s4)
    return width * total


@kernel(inner=True)
def elastic_slope_own(law, penetration):
    """Slope df_e/dd at a depth above 0. [N/m]"""
    shift = SHIFT * penetration
    return (elastic_force_own(law, penetration + shift) - elastic_force_own(law, penetration - shift)) / (2.0 * shift)


@kernel(inner=True)
def slope_own(law, penetration, rate, impact_speed):
    """Slope dF/dd at a depth above 0, including the damping at this rate. [N/m]"""
    shift = SHIFT * penetration
    ahead = normal_force_own(law, penetration + shift, rate, impact_speed)
    return (ahead - normal_force_own(law, penetration - shift, rate, impact_speed)) / (2.0 * shift)


@kernel(inner=True)
def rate_slope_own(law, penetration, rate, impact_speed):
    """Damping dF/dd', the larger of the values at rest and at the given rate. [N s/m]"""
    shift = SHIFT * impact_speed
    still = normal_force_own(law, penetration, shift, impact_speed)
    still -= normal_force_own(law, penetration, -shift, impact_speed)
    moving = normal_force_own(law, penetration, rate + shift, impact_speed)
    moving -= normal_force_own(law, penetration, rate - shift, impact_speed)
    return max(still, moving, 0.0) / (2.0 * shift)


@kernel(inner=True)
def depth_reached(law, penetration, energy):
    """Depth at which the stored energy has grown by ``energy`` [J], and the steepest elastic slope up to this depth.
    [m, N/m]
    """
    depth = max(penetration, SMALL_DEPTH)
    force, steepest = elastic_force_own(law, depth), elastic_slope_own(law, depth)
    for _ in range(MOST_STEPS):
        width = (GROWTH - 1.0) * depth
        ahead = elastic_force_own(law, depth + width)
        work = 0.5 * (force + ahead) * width
        if not work < energy:
            depth += width * energy / work if work > 0.0 else 0.0
            break
        steepest = max(steepest, (ahead - force) / width)
        energy, depth, force = energy - work, depth + width, ahead
    return depth, max(steepest, elastic_slope_own(law, depth))
