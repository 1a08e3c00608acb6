"""A pin in a bush with clearance, modelled as one circle inside another (Hippmann, Arnold & Schittenhelm 2005, section
2.3.1).

The force acts along the line through the two centres, so it exerts no moment about either centre; friction is a moment
that opposes the rotation (``physics.joint``). Stiffness and damping are those of both half links and the contact in
series. The oil film is a radial damper whose damping grows as the gap closes; the paper does not say how. Here, as for
a squeezed film, the damping resists only the closing of the gap. As the gap h decreases, it grows from zero at h0 to
D_oil where the solids touch: D_oil (1 - h/h0)^2.
"""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["oil_film_force", "oil_film_slopes", "pin_energy", "pin_force", "pin_force_slopes"]


@kernel(inline=True)
def pin_force(penetration, rate, stiffness, damping):
    """Force between pin and bush: max(K d + D d', 0) for d > 0, and zero for an open gap. [N]

    penetration d [m], its rate d' [m/s], stiffness K [N/m], damping D [N s/m].
    """
    force = stiffness * penetration + damping * rate
    return force if penetration > 0.0 and force > 0.0 else 0.0


@kernel(inline=True)
def oil_film_force(penetration, rate, damping, inverse_distance):
    """Force of the oil between two approaching surfaces: D_oil (1 - h/h0)^2 d', and zero if they separate. [N]

    penetration d = -h [m], its rate d' [m/s], damping D_oil [N s/m] where the solids touch, inverse_distance 1/h0 [1/m]
    of the gap above which there is no force.
    """
    closed = 1.0 + penetration * inverse_distance
    closed = 0.0 if closed < 0.0 else closed
    closed = 1.0 if closed > 1.0 else closed
    return damping * closed * closed * rate if rate > 0.0 else 0.0


@kernel(inline=True)
def pin_force_slopes(penetration, rate, stiffness, damping):
    """Derivatives of :func:`pin_force` with respect to penetration [N/m] and rate [N s/m]."""
    pressed = penetration > 0.0 and stiffness * penetration + damping * rate > 0.0
    return stiffness if pressed else 0.0, damping if pressed else 0.0


@kernel(inline=True)
def oil_film_slopes(penetration, rate, damping, inverse_distance):
    """Derivatives of :func:`oil_film_force` with respect to penetration [N/m] and rate [N s/m]."""
    closed = 1.0 + penetration * inverse_distance
    if not (rate > 0.0 and closed > 0.0):
        return 0.0, 0.0
    if closed >= 1.0:
        return 0.0, damping
    return 2.0 * damping * closed * inverse_distance * rate, damping * closed * closed


@kernel(inline=True)
def pin_energy(penetration, stiffness):
    """Elastic energy of the contact: K d^2 / 2 for d > 0, else 0. [J]

    penetration d [m], stiffness K [N/m].
    """
    pressed = penetration if penetration > 0.0 else 0.0
    return 0.5 * stiffness * pressed * pressed
