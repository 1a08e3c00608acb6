"""The links as coordinates of the chain: x of all centres of mass, then y, then all angles, in the plane."""

from __future__ import annotations

from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.link.ends import locate_ends
from chaindrive.formulations.planar.chain import ChainKernels
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
    cosine, sine = link[L.LINK_COS], link[L.LINK_SIN]
    _turn(y[2 * n : 3 * n], cosine, sine)
    _arm(cosine, body[L.BODY_TO_BUSH_X], -1.0, sine, body[L.BODY_TO_BUSH_Y], link[L.LINK_BUSH_X])
    _arm(sine, body[L.BODY_TO_BUSH_X], 1.0, cosine, body[L.BODY_TO_BUSH_Y], link[L.LINK_BUSH_Y])
    _arm(cosine, body[L.BODY_TO_PIN_X], -1.0, sine, body[L.BODY_TO_PIN_Y], link[L.LINK_PIN_X])
    _arm(sine, body[L.BODY_TO_PIN_X], 1.0, cosine, body[L.BODY_TO_PIN_Y], link[L.LINK_PIN_Y])
    rate = y[v + 2 * n : v + 3 * n]
    turning = p.planar.turning
    for i in range(n):
        turning[i] = rate[i]
    _place(y[:n], link[L.LINK_BUSH_X], p.place[:n])
    _place(y[n : 2 * n], link[L.LINK_BUSH_Y], p.place[joints:])
    _velocity(y[v : v + n], rate, link[L.LINK_BUSH_Y], -1.0, p.velocity[:n])
    _velocity(y[v + n : v + 2 * n], rate, link[L.LINK_BUSH_X], 1.0, p.velocity[joints:])
    # The pin of link i belongs to joint i + 1.
    last = n - 1
    _place(y[:last], link[L.LINK_PIN_X, :last], pin[L.PIN_X, 1:])
    _place(y[n : n + last], link[L.LINK_PIN_Y, :last], pin[L.PIN_Y, 1:])
    _velocity(y[v : v + last], rate[:last], link[L.LINK_PIN_Y, :last], -1.0, pin[L.PIN_VX, 1:])
    _velocity(y[v + n : v + n + last], rate[:last], link[L.LINK_PIN_X, :last], 1.0, pin[L.PIN_VY, 1:])
    j = 0 if p.planar.closed else n
    pin[L.PIN_X, j], pin[L.PIN_Y, j] = y[last] + link[L.LINK_PIN_X, last], y[n + last] + link[L.LINK_PIN_Y, last]
    pin[L.PIN_VX, j] = y[v + last] - rate[last] * link[L.LINK_PIN_Y, last]
    pin[L.PIN_VY, j] = y[v + n + last] + rate[last] * link[L.LINK_PIN_X, last]
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
    return p.link[L.LINK_TENSION]


def chain_kernels(in_plane: Kernel) -> ChainKernels:
    """What the planar room asks of the chain, around a kernel of ``Coordinates``."""

    @kernel(inner=True)
    def locate_in_plane(y, p):
        locate(in_plane(y, p), p)

    return ChainKernels(locate_in_plane, positions_of, velocities_of, tensions_of)
