"""A chain link as a spring and damper between two rollers (Pedersen 2004, Eqs. 3.3-3.7)."""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = [
    "link_dissipation",
    "link_energy",
    "link_force",
    "link_force_slope",
]


@kernel(inline=True)
def link_force(length, length_rate, pitch, stiffness, damping):
    """Force along a link, positive in tension: K (l - P) + D l' [N].

    Pedersen (2004), Eq. 3.7. length l [m], distance between the two rollers; length_rate l' [m/s]; pitch P [m], the
    unloaded length; stiffness K [N/m]; damping D [N s/m]. A link pushes when it is shorter than the pitch.
    """
    return stiffness * (length - pitch) + damping * length_rate


@kernel(inline=True)
def link_force_slope(ux, uy, angular_velocity, stiffness, damping, follow, lead):
    """Derivative of :func:`link_force` with respect to a displacement of the second roller relative to the first, (x,
    y) [N/m].

    The displacement changes positions by ``follow`` times and velocities by ``lead`` times its amount [-, 1/s]. u [-],
    unit vector from the first to the second roller; angular_velocity w of the link [rad/s]; stiffness K [N/m]; damping
    D [N s/m]: l' = u . v changes with v and as u turns at w.
    """
    along = stiffness * follow + damping * lead
    across = damping * angular_velocity * follow
    return along * ux - across * uy, along * uy + across * ux


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
