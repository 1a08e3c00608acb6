"""What the planar package requires of the chain of a formulation, in any coordinates."""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.kernels import Kernel, kernel

__all__ = ["ChainKernels", "nothing_to_locate"]


class ChainKernels(NamedTuple):
    """Kernels of the chain, to be inlined, for N rollers (or bushes if the chain has no rollers).

    p: the parameters of the formulation.
    """

    locate: Kernel
    """(y, p): computes the positions of the rollers, if they are not coordinates of the chain"""
    positions: Kernel
    """(y, p): returns the positions of the rollers, (2 N,), first all x, then all y; after ``locate`` or an evaluation
    [m]"""
    velocities: Kernel
    """(y, p): returns the velocities of the rollers, (2 N,) [m/s]"""
    tensions: Kernel
    """(p): returns the tensions of the links in the last evaluation, (N,) [N]"""
    stick: Kernel
    """(t, y, p, anew): lets springs of friction and of damped joints follow the last evaluation, at time t [s]; anew:
    resets them so that moving parts slide, as at the start of a run"""


@kernel(inner=True)
def nothing_to_locate(y, p):
    """Do nothing, because the rollers are coordinates of the chain."""
