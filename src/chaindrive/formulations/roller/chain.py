"""The rollers as the coordinates of the chain: first all x, then all y, at the beginning of positions
and velocities.
"""

from __future__ import annotations

from chaindrive.formulations.planar.chain import ChainKernels, nothing_to_locate
from chaindrive.formulations.planar.sticking import sticking
from chaindrive.formulations.roller.joints import stick_joints
from chaindrive.kernels import kernel

__all__ = ["CHAIN_KERNELS", "coordinates_of", "positions_of", "tensions_of", "velocities_of"]


def coordinates_of(links: int) -> int:
    """Return the number of coordinates of a chain: x and y of every roller."""
    return 2 * links


@kernel(inline=True)
def positions_of(y, p):
    """Return a view of the positions of the rollers in the state y, (2 N,). [m]"""
    return y[: p.planar.layout.wheel_angle]


@kernel(inline=True)
def velocities_of(y, p):
    """Return a view of the velocities of the rollers [m/s] or, in the derivative of a state, of their accelerations, (2
    N,).
    """
    return y[p.planar.layout.positions : p.planar.layout.wheel_speed]


@kernel(inline=True)
def tensions_of(p):
    """Return a view of the tensions of the links in the last evaluation, (N,). [N]"""
    return p.link.tension


CHAIN_KERNELS = ChainKernels(
    nothing_to_locate, positions_of, velocities_of, tensions_of, sticking(positions_of, stick_joints)
)
