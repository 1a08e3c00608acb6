"""A chain link as a spring and damper between two rollers (Pedersen 2004, Eqs. 3.3-3.7, 4.58)."""

from __future__ import annotations

import math

from chaindrive.kernels import kernel

__all__ = [
    "critical_link_damping",
    "link_dissipation",
    "link_energy",
    "link_force",
    "strand_stiffness",
]


@kernel(inline=True)
def link_force(length, length_rate, pitch, stiffness, damping):
    """Force along a link, positive in tension: K (l - P) + D l' [N].

    Pedersen (2004), Eq. 3.7. length l [m], distance of its two rollers; length_rate l' [m/s]; pitch P [m], the
    unloaded length; stiffness K [N/m]; damping D [N s/m]. A link pushes when it is shorter than the pitch.
    """
    return stiffness * (length - pitch) + damping * length_rate


@kernel(inline=True)
def link_energy(length, pitch, stiffness):
    """Elastic energy of a link: K (l - P)^2 / 2 [J].

    length l [m]; pitch P [m]; stiffness K [N/m].
    """
    elongation = length - pitch
    return 0.5 * stiffness * elongation * elongation


@kernel(inline=True)
def link_dissipation(length_rate, damping):
    """Power that a link turns into heat: D l'^2 [W].

    length_rate l' [m/s]; damping D [N s/m].
    """
    return damping * length_rate * length_rate


@kernel(inline=True)
def strand_stiffness(stiffness, links):
    """Stiffness of n links in series: K/n [N/m].

    Pedersen (2004), Eq. 4.58. stiffness K of one link [N/m]; links n, may be a fraction [-].
    """
    return stiffness / links


@kernel(inline=True)
def critical_link_damping(stiffness, mass, links):
    """Damping coefficient of one link at which a strand of n links is about critically damped: 2 n sqrt(K m) [N s/m].

    Pedersen (2004), section 4.4.9: the strand taken as one mass n m on one spring K/n and one damper D/n, so that
    D/n = 2 sqrt(K/n n m). stiffness K of one link [N/m]; mass m per link [kg]; links n [-].
    """
    return 2.0 * links * math.sqrt(stiffness * mass)
