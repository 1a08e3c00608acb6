"""Moments of viscous damping and Coulomb friction in the joint between two links.

Rollers are points and carry no moment, so that the moment on each link acts as a couple of forces on its two rollers
(Pedersen 2004, section 3.3, after Nikravesh 1988). The rate of the joint angle is the difference of the two angular
velocities of the links, phi' = w_next - w_previous with w = (l x l')/l^2. This is exact at every angle; Pedersen's Eqs.
3.11-3.14 obtain the same rate through division by sin(phi) or cos(phi), and Eq. 3.14 needs a correction: it is printed
as -1/(l.l+) (... - (l' l+ + l l+') sin phi) and must be ... + (...) sin phi. The positive direction is
counter-clockwise here, clockwise in the thesis.
"""

from __future__ import annotations

from chaindrive.kernels import kernel
from chaindrive.physics.friction import vector_tanh

__all__ = [
    "couple_force",
    "couple_force_slopes",
    "joint_dissipation",
    "joint_friction_moment",
    "joint_friction_slopes",
    "joint_moment",
    "link_angular_velocity",
    "link_turn_slopes",
    "presliding_moment",
    "presliding_rate",
]


@kernel(inline=True)
def link_angular_velocity(ux, uy, inverse_length, x_rate, y_rate):
    """Angular velocity of a link: w = (u x l')/l, counter-clockwise positive [rad/s].

    (ux, uy) = u [-], unit vector from the first to the second roller; inverse_length 1/l [1/m];
    (x_rate, y_rate) = l' [m/s], difference of the velocities of both rollers.
    """
    return (ux * y_rate - uy * x_rate) * inverse_length


@kernel(inline=True)
def link_turn_slopes(ux, uy, inverse_length, length_rate, angular_velocity, follow, lead):
    """Derivatives of the angle (x, y) and of the angular velocity (x, y) of a link with respect to a displacement of
    its second roller relative to the first [rad/m, rad/(m s)].

    follow, lead: as for ``link.link_force_slope``; u, 1/l as for :func:`link_angular_velocity`; length_rate l' [m/s];
    angular_velocity w [rad/s].
    """
    turned = follow * inverse_length
    across = (lead - turned * length_rate) * inverse_length
    along = -turned * angular_velocity
    return -uy * turned, ux * turned, along * ux - across * uy, along * uy + across * ux


@kernel(inline=True)
def joint_moment(rate, damping):
    """Damping moment of a joint on the link that ends in it: +C phi' [N m]. The opposite moment acts on the next link.

    rate phi' [rad/s]; damping C [N m s/rad].
    """
    return damping * rate


@kernel(inline=True)
def joint_friction_moment(rate, force, radius, rate_scale):
    """Moment of Coulomb friction in a joint on the link that ends in it: mu r |F| tanh(phi'/phi*). [N m].

    Pedersen (2004), section 5.6 (tau = mu F_n R_p), regularised. rate phi' [rad/s]; force F between pin and bush [N];
    radius mu r: friction coefficient times pin radius [m]; rate_scale phi* [rad/s].
    """
    return radius * abs(force) * vector_tanh(rate / rate_scale)


@kernel(inline=True)
def joint_friction_slopes(rate, force, radius, rate_scale):
    """Derivatives of :func:`joint_friction_moment` with respect to the rate [N m s/rad] and to the force [m]."""
    sign = vector_tanh(rate / rate_scale)
    return radius * abs(force) * (1.0 - sign * sign) / rate_scale, radius * sign * (1.0 if force >= 0.0 else -1.0)


@kernel(inline=True)
def presliding_moment(turn, force, radius, limit):
    """Moment of Coulomb friction on the link that ends in a joint, if the joint deflects before it slides. [N m]

    Dahl (1968): mu r |F| z/z0. turn z: angle by which the joint has deflected [rad]; limit z0: angle at which it
    slides [rad]; force F between pin and bush [N]; radius mu r: friction coefficient times pin radius [m].
    """
    return radius * force * min(max(turn / limit, -1.0), 1.0)


@kernel(inline=True)
def presliding_rate(rate, turn, limit):
    """Rate at which a joint that turns at phi' deflects [rad/s]: z' = phi' (1 - sgn(phi') z/z0), but never opposite to
    phi' (Dahl 1968).
    """
    left = limit - turn if rate > 0.0 else limit + turn
    return rate * max(left, 0.0) / limit


@kernel(inline=True)
def couple_force(ux, uy, inverse_length, moment):
    """Force (f_x, f_y) on the second roller of a link that, with -f on the first roller, forms a couple with this
    moment [N].

    f = M e_z x u / l, perpendicular to the link and of size M/l (Pedersen 2004, Eqs. 3.16, 3.17).
    (ux, uy) = u [-], unit vector from the first to the second roller; inverse_length 1/l [1/m]; moment M [N m],
    counter-clockwise positive; for a link with joints at both ends, the sum of both moments.
    """
    per_length = moment * inverse_length
    return -uy * per_length, ux * per_length


@kernel(inline=True)
def couple_force_slopes(ux, uy, inverse_length, moment):
    """Derivatives of :func:`couple_force` with respect to the position of the second roller, for a constant moment
    [N/m]: the components xx, xy = yx and yy of -(u n^T + n u^T) M/l^2 with n = e_z x u.
    """
    size = moment * inverse_length * inverse_length
    doubled = 2.0 * ux * uy * size
    return doubled, (uy * uy - ux * ux) * size, -doubled


@kernel(inline=True)
def joint_dissipation(rate, damping):
    """Power that a joint turns into heat: C phi'^2 [W].

    rate phi' [rad/s]; damping C [N m s/rad].
    """
    return damping * rate * rate
