"""Forces of a spring and damper, an end stop and a ratchet along the line between two points; a force > 0 pushes the
points apart.

The length L of an element is the distance between its ends; the rate L' is positive in extension.
"""

from __future__ import annotations

import math

from chaindrive.kernels import kernel
from chaindrive.physics.contact import contact_dissipation, elastic_force_linear, normal_force

__all__ = [
    "damping_force",
    "ratchet_depth",
    "ratchet_latch",
    "spring_energy",
    "spring_force",
    "stop_energy",
    "stop_force",
]

ROUNDING = 1e-9
"""Fraction of a ratchet pitch by which a length may miss a tooth owing to rounding. [-]"""


@kernel(inline=True)
def spring_force(length, reference, stiffness, preload):
    """Force of a spring with preload: F0 + k (L0 - L) [N].

    length L [m]; reference L0 [m], the length at which the force is the preload; stiffness k [N/m]; preload F0 [N].
    With F0 = 0, L0 is the free length; with k = 0 the force is constant.
    """
    return preload + stiffness * (reference - length)


@kernel(inline=True)
def spring_energy(length, reference, stiffness, preload):
    """Energy of :func:`spring_force`: k (L - L0)^2/2 - F0 (L - L0), zero at the reference length [J].

    length L [m]; reference L0 [m]; stiffness k [N/m]; preload F0 [N].
    """
    extension = length - reference
    return (0.5 * stiffness * extension - preload) * extension


@kernel(inline=True)
def damping_force(rate, extension_damping, compression_damping):
    """Force of a viscous damper whose damping may depend on the direction: -c L' [N]. The heat -force L' is never
    negative.

    rate L' [m/s]; c [N s/m] is extension_damping for L' > 0 and compression_damping for L' < 0.
    """
    damping = compression_damping if rate < 0.0 else extension_damping
    return -damping * rate


@kernel
def stop_force(depth, rate, stiffness, damping):
    """Force of a stop, max(0, k d + c d') for d > 0, else 0, and the power that the stop turns into heat [N, W].

    depth d [m], positive when pressed; rate d' [m/s], positive when pressed deeper; stiffness k [N/m];
    damping c [N s/m]. The stop is a Kelvin-Voigt element that cannot pull (``physics.contact.normal_force``).
    """
    elastic = elastic_force_linear(depth, stiffness)
    force = normal_force(elastic, rate, 1.0, 0.0, damping, depth)
    return force, contact_dissipation(force, elastic, rate)


@kernel(inline=True)
def stop_energy(depth, stiffness):
    """Elastic energy of a stop: k d^2/2 for d > 0, else 0 [J]. depth d [m]; stiffness k [N/m]."""
    pressed = 0.0 if depth <= 0.0 else depth
    return 0.5 * stiffness * pressed * pressed


@kernel
def ratchet_latch(latch, length, reference, pitch):
    """Length at which a ratchet holds after the element has reached a length; it is never shorter than before [m].

    latch: this length before [m], -inf if there was none; length L [m]; the teeth are at reference + k pitch [m] for
    any integer k; with a pitch of 0 the ratchet is a stepless one-way clutch, which holds at the largest length
    reached.
    """
    reached = length
    if pitch > 0.0:
        reached = reference + pitch * math.floor((length - reference) / pitch + ROUNDING)
    return reached if reached > latch else latch


@kernel(inline=True)
def ratchet_depth(length, latch, backlash):
    """Distance by which an element has been pushed back into the tooth that holds it: L_latch - b - L, pressed if > 0
    [m].

    length L [m]; latch [m] from :func:`ratchet_latch`; backlash b [m], the retraction before the tooth carries load.
    With this depth :func:`stop_force` gives the force, which resists retraction and never pulls.
    """
    return latch - backlash - length
