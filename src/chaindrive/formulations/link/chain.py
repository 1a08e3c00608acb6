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
    """Return the number of coordinates of a chain: x, y and angle of every link."""
    return 3 * links


@kernel(inner=True)
def locate(y, p):
    """Write positions and velocities of bushes and pins into ``p.place``, ``p.velocity`` and ``p.pin``."""
    n, v, joints = p.links, p.planar.layout.positions, p.planar.rollers
    link, pin = p.link, p.pin
    last = n - 1
    _turn(y[2 * n : 3 * n], link.cos, link.sin)
    vx, vy, rate = y[v : v + n], y[v + n : v + 2 * n], y[v + 2 * n : v + 3 * n]
    copy_into(p.planar.turning[:n], rate)
    _ends(
        p, p.body.to_bush_x, p.body.to_bush_y, y[:n], y[n : 2 * n], vx, vy, rate, link.bush_x, link.bush_y,
        p.place[:n], p.place[joints:], p.velocity[:n], p.velocity[joints:],
    )  # fmt: skip
    # The pin of link i belongs to joint i + 1.
    _ends(
        p, p.body.to_pin_x, p.body.to_pin_y, y[:last], y[n : n + last], vx, vy, rate, link.pin_x, link.pin_y,
        pin.x[1:], pin.y[1:], pin.vx[1:], pin.vy[1:],
    )  # fmt: skip
    link.pin_x[last], link.pin_y[last] = _arm(p, last, p.body.to_pin_x, p.body.to_pin_y)
    j = 0 if p.planar.closed else n
    pin.x[j], pin.y[j] = y[last] + link.pin_x[last], y[n + last] + link.pin_y[last]
    pin.vx[j], pin.vy[j] = vx[last] - rate[last] * link.pin_y[last], vy[last] + rate[last] * link.pin_x[last]
    if not p.planar.closed:
        locate_ends(p)


@kernel(inner=True, parallel_sums=False)  # reordered, the parts of pi/2 in vector_sincos would be one
def _turn(angle, cosine, sine):
    for i in range(angle.size):
        sine[i], cosine[i] = vector_sincos(angle[i])


@kernel(inline=True)
def _arm(p, i, to_x, to_y):
    """Return the vector from the centre of mass of a link to its bush or pin, converted from the frame of the link to
    the global frame. [m]
    """
    c, s = p.link.cos[i], p.link.sin[i]
    return c * to_x[i] - s * to_y[i], s * to_x[i] + c * to_y[i]


@kernel(inner=True, distinct=True)
def _ends(p, to_x, to_y, centre_x, centre_y, centre_vx, centre_vy, rate, arm_x, arm_y, x, y, vx, vy):
    """Write arms [m], positions [m] and velocities [m/s] of bushes or pins."""
    for i in range(centre_x.size):
        ax, ay = _arm(p, i, to_x, to_y)
        arm_x[i], arm_y[i] = ax, ay
        x[i], y[i] = centre_x[i] + ax, centre_y[i] + ay
        vx[i], vy[i] = centre_vx[i] - rate[i] * ay, centre_vy[i] + rate[i] * ax


@kernel(inline=True)
def positions_of(y, p):
    """Return the positions of the bushes, (2 J,). [m]"""
    return p.place


@kernel(inline=True)
def velocities_of(y, p):
    """Return the velocities of the bushes, (2 J,). [m/s]"""
    return p.velocity


@kernel(inline=True)
def tensions_of(p):
    """Return a view of the forces of the pins along their links in the last evaluation, (J,). [N]"""
    return p.link.tension


STICK = sticking(positions_of, stick_joints)


def chain_kernels(in_plane: Kernel) -> ChainKernels:
    """Return the kernels of the chain that the planar package requires, compiled around a kernel of ``Coordinates``."""

    @kernel(inner=True)
    def locate_in_plane(y, p):
        locate(in_plane(y, p), p)

    return ChainKernels(locate_in_plane, positions_of, velocities_of, tensions_of, STICK)
