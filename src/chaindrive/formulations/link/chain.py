"""The links as coordinates of the chain: x of all centres of mass, then y, then all angles, in the plane."""

from __future__ import annotations

from chaindrive.formulations.link.ends import locate_ends
from chaindrive.formulations.link.joints import stick_joints
from chaindrive.formulations.planar.chain import ChainKernels
from chaindrive.formulations.planar.sticking import sticking
from chaindrive.geometry.sines import vector_sincos
from chaindrive.kernels import Kernel, copy_into, kernel

__all__ = ["chain_kernels", "coordinates_of", "locate", "positions_of", "tensions_of", "velocities_of"]


def coordinates_of(links: int) -> int:
    """Number of coordinates of a chain: x, y and angle of every link."""
    return 3 * links


@kernel(inner=True)
def locate(y, p):
    """Write places and velocities of bushes and pins into ``p.place``, ``p.velocity`` and ``p.pin``."""
    n, v, joints = p.links, p.planar.layout.positions, p.planar.rollers
    link, pin = p.link, p.pin
    _turn(y[2 * n : 3 * n], link.cos, link.sin)
    vx, vy, rate = y[v : v + n], y[v + n : v + 2 * n], y[v + 2 * n : v + 3 * n]
    _arms(p, link.bush_x, link.bush_y, link.pin_x, link.pin_y)
    copy_into(p.planar.turning[:n], rate)
    _put(y[:n], y[n : 2 * n], link.bush_x, link.bush_y, p.place[:n], p.place[joints:])
    _move(vx, vy, rate, link.bush_x, link.bush_y, p.velocity[:n], p.velocity[joints:])
    # The pin of link i belongs to joint i + 1.
    last = n - 1
    _put(y[:last], y[n : n + last], link.pin_x, link.pin_y, pin.x[1:], pin.y[1:])
    _move(vx[:last], vy, rate, link.pin_x, link.pin_y, pin.vx[1:], pin.vy[1:])
    j = 0 if p.planar.closed else n
    pin.x[j], pin.y[j] = y[last] + link.pin_x[last], y[n + last] + link.pin_y[last]
    pin.vx[j], pin.vy[j] = vx[last] - rate[last] * link.pin_y[last], vy[last] + rate[last] * link.pin_x[last]
    if not p.planar.closed:
        locate_ends(p)


@kernel(inner=True, parallel_sums=False)  # reordered, the parts of pi/2 in vector_sincos would be one
def _turn(angle, cosine, sine):
    for i in range(angle.size):
        sine[i], cosine[i] = vector_sincos(angle[i])


@kernel(inner=True, distinct=True)
def _arms(p, bush_x, bush_y, pin_x, pin_y):
    """Vectors from the centres of mass to bushes and pins. [m]"""
    body, cosine, sine = p.body, p.link.cos, p.link.sin
    for i in range(p.links):
        c, s = cosine[i], sine[i]
        bush_x[i] = c * body.to_bush_x[i] - s * body.to_bush_y[i]
        bush_y[i] = s * body.to_bush_x[i] + c * body.to_bush_y[i]
        pin_x[i] = c * body.to_pin_x[i] - s * body.to_pin_y[i]
        pin_y[i] = s * body.to_pin_x[i] + c * body.to_pin_y[i]


@kernel(inner=True, distinct=True)
def _put(centre_x, centre_y, arm_x, arm_y, x, y):
    """Places of bushes or pins at the ends of arms. [m]"""
    for i in range(centre_x.size):
        x[i] = centre_x[i] + arm_x[i]
        y[i] = centre_y[i] + arm_y[i]


@kernel(inner=True, distinct=True)
def _move(centre_x, centre_y, rate, arm_x, arm_y, x, y):
    """Velocities of bushes or pins at the ends of arms. [m/s]"""
    for i in range(centre_x.size):
        x[i] = centre_x[i] - rate[i] * arm_y[i]
        y[i] = centre_y[i] + rate[i] * arm_x[i]


@kernel(inline=True)
def positions_of(y, p):
    """Places of the bushes, (2 J,). [m]"""
    return p.place


@kernel(inline=True)
def velocities_of(y, p):
    """Velocities of the bushes, (2 J,). [m/s]"""
    return p.velocity


@kernel(inline=True)
def tensions_of(p):
    """Forces of the pins along their links in the last evaluation, (J,), a view. [N]"""
    return p.link.tension


STICK = sticking(positions_of, stick_joints)


def chain_kernels(in_plane: Kernel) -> ChainKernels:
    """What the planar package requires of the chain, around a kernel of ``Coordinates``."""

    @kernel(inner=True)
    def locate_in_plane(y, p):
        locate(in_plane(y, p), p)

    return ChainKernels(locate_in_plane, positions_of, velocities_of, tensions_of, STICK)
