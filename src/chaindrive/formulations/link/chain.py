"""The links as coordinates of the chain: x of all centres of mass, then y, then all angles, in the plane."""

from __future__ import annotations

from chaindrive.formulations.link.ends import locate_ends
from chaindrive.formulations.link.joints import stick_joints
from chaindrive.formulations.planar.chain import ChainKernels
from chaindrive.formulations.planar.sticking import sticking
from chaindrive.geometry.sines import vector_sincos
from chaindrive.kernels import Kernel, kernel

__all__ = ["chain_kernels", "coordinates_of", "locate", "positions_of", "tensions_of", "velocities_of"]


def coordinates_of(links: int) -> int:
    """How many coordinates a chain has: x, y and angle of every link."""
    return 3 * links


@kernel(inner=True)
def locate(y, p):
    """Where bushes and pins are, and how fast, into ``p.place``, ``p.velocity`` and ``p.pin``.

    One short loop for each few rows: a compiler that cannot tell more rows apart keeps off vector registers.
    """
    n, v, joints = p.links, p.planar.layout.positions, p.planar.rollers
    link, body, pin = p.link, p.body, p.pin
    cosine, sine = link.cos, link.sin
    _turn(y[2 * n : 3 * n], cosine, sine)
    _arm(cosine, body.to_bush_x, -1.0, sine, body.to_bush_y, link.bush_x)
    _arm(sine, body.to_bush_x, 1.0, cosine, body.to_bush_y, link.bush_y)
    _arm(cosine, body.to_pin_x, -1.0, sine, body.to_pin_y, link.pin_x)
    _arm(sine, body.to_pin_x, 1.0, cosine, body.to_pin_y, link.pin_y)
    rate = y[v + 2 * n : v + 3 * n]
    turning = p.planar.turning
    for i in range(n):
        turning[i] = rate[i]
    _place(y[:n], link.bush_x, p.place[:n])
    _place(y[n : 2 * n], link.bush_y, p.place[joints:])
    _velocity(y[v : v + n], rate, link.bush_y, -1.0, p.velocity[:n])
    _velocity(y[v + n : v + 2 * n], rate, link.bush_x, 1.0, p.velocity[joints:])
    # The pin of link i belongs to joint i + 1.
    last = n - 1
    _place(y[:last], link.pin_x[:last], pin.x[1:])
    _place(y[n : n + last], link.pin_y[:last], pin.y[1:])
    _velocity(y[v : v + last], rate[:last], link.pin_y[:last], -1.0, pin.vx[1:])
    _velocity(y[v + n : v + n + last], rate[:last], link.pin_x[:last], 1.0, pin.vy[1:])
    j = 0 if p.planar.closed else n
    pin.x[j], pin.y[j] = y[last] + link.pin_x[last], y[n + last] + link.pin_y[last]
    pin.vx[j] = y[v + last] - rate[last] * link.pin_y[last]
    pin.vy[j] = y[v + n + last] + rate[last] * link.pin_x[last]
    if not p.planar.closed:
        locate_ends(p)


@kernel(inner=True, parallel_sums=False)  # reordered, the parts of pi/2 in vector_sincos would be one
def _turn(angle, cosine, sine):
    for i in range(angle.size):
        sine[i], cosine[i] = vector_sincos(angle[i])


@kernel(inner=True)
def _arm(along, x, sign, across, y, turned):
    for i in range(x.size):
        turned[i] = along[i] * x[i] + sign * across[i] * y[i]


@kernel(inner=True)
def _place(centre, arm, place):
    for i in range(centre.size):
        place[i] = centre[i] + arm[i]


@kernel(inner=True)
def _velocity(centre, rate, arm, sign, velocity):
    for i in range(centre.size):
        velocity[i] = centre[i] + sign * rate[i] * arm[i]


@kernel(inline=True)
def positions_of(y, p):
    """Places of the bushes, (2 J,). [m]"""
    return p.place


@kernel(inline=True)
def velocities_of(y, p):
    """Their velocities, (2 J,). [m/s]"""
    return p.velocity


@kernel(inline=True)
def tensions_of(p):
    """Forces of the pins along their links in the last evaluation, (J,), a view. [N]"""
    return p.link.tension


STICK = sticking(positions_of, stick_joints)


def chain_kernels(in_plane: Kernel) -> ChainKernels:
    """What the planar room asks of the chain, around a kernel of ``Coordinates``."""

    @kernel(inner=True)
    def locate_in_plane(y, p):
        locate(in_plane(y, p), p)

    return ChainKernels(locate_in_plane, positions_of, velocities_of, tensions_of, STICK)
