"""The links as the coordinates of the chain: x of all centres of mass, then y, then all angles."""

from __future__ import annotations

from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.planar.chain import ChainKernels
from chaindrive.formulations.planar.contact import index
from chaindrive.geometry.sines import vector_sincos
from chaindrive.kernels import kernel

__all__ = ["CHAIN_KERNELS", "coordinates_of", "locate", "positions_of", "tensions_of", "velocities_of"]


def coordinates_of(links: int) -> int:
    """How many coordinates a chain has: x, y and angle of every link."""
    return 3 * links


@kernel(inline=True)
def locate(y, p):
    """Where bushes and pins are, and how fast, into ``p.place``, ``p.velocity`` and ``p.pin``."""
    n, v = index(p.links), index(p.planar.layout.positions)
    link, body = p.link, p.body
    for i in range(n):
        s, c = vector_sincos(y[n + n + i])
        rate = y[v + n + n + i]
        p.planar.turning[i] = rate
        behind, beside = -body[L.BODY_X, i], -body[L.BODY_Y, i]
        ahead = body[L.BODY_LENGTH, i] + behind
        bx, by = c * behind - s * beside, s * behind + c * beside
        px, py = c * ahead - s * beside, s * ahead + c * beside
        link[L.LINK_COS, i], link[L.LINK_SIN, i] = c, s
        link[L.LINK_BUSH_X, i], link[L.LINK_BUSH_Y, i] = bx, by
        link[L.LINK_PIN_X, i], link[L.LINK_PIN_Y, i] = px, py
        p.place[i], p.place[n + i] = y[i] + bx, y[n + i] + by
        p.velocity[i], p.velocity[n + i] = y[v + i] - rate * by, y[v + n + i] + rate * bx
    for i in range(n - index(1)):  # the pin of link i belongs to joint i + 1
        _pin(y, p, link, i, i + index(1), n, v)
    _pin(y, p, link, n - index(1), index(0), n, v)


@kernel(inline=True)
def _pin(y, p, link, i, j, n, v):
    """Place and velocity of the pin of link i, which belongs to joint j."""
    rate = y[v + n + n + i]
    p.pin[L.PIN_X, j], p.pin[L.PIN_Y, j] = y[i] + link[L.LINK_PIN_X, i], y[n + i] + link[L.LINK_PIN_Y, i]
    p.pin[L.PIN_VX, j] = y[v + i] - rate * link[L.LINK_PIN_Y, i]
    p.pin[L.PIN_VY, j] = y[v + n + i] + rate * link[L.LINK_PIN_X, i]


@kernel(inline=True)
def positions_of(y, p):
    """Places of the bushes, (2 N,). [m]"""
    return p.place


@kernel(inline=True)
def velocities_of(y, p):
    """Their velocities, (2 N,). [m/s]"""
    return p.velocity


@kernel(inline=True)
def tensions_of(p):
    """Forces of the pins along their links in the last evaluation, (N,), a view. [N]"""
    return p.link[L.LINK_TENSION]


CHAIN_KERNELS = ChainKernels(locate, positions_of, velocities_of, tensions_of)
