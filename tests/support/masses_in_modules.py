"""The two masses of ``two_masses.py`` as one system whose mass 2 is the mechanism: the smallest system that is divided.

    y = [x1 x2 | v1 v2 | work lost in the dampers]

The force of the chain, mass 1 with the spring between both, on mass 2 is -f.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from chaindrive.contract.channels import Channel
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.modular import ModularKernels, Modules
from chaindrive.contract.motion import Motion
from chaindrive.contract.states import FloatArray, Kind
from chaindrive.contract.status import Accepted
from chaindrive.contract.system import System
from chaindrive.kernels import kernel
from support.two_masses import Masses

__all__ = ["system"]

UNCHANGED = int(Accepted.UNCHANGED)


class Parameters(NamedTuple):
    """Parameters of the kernels; SI units."""

    m1: float
    m2: float
    k1: float
    k2: float
    kc: float
    d1: float
    d2: float
    dc: float
    force: FloatArray
    """scratch: f of the last evaluation, (1,)"""


@kernel
def rhs(t, y, dy, p):
    """Both masses."""
    f = p.kc * (y[1] - y[0]) + p.dc * (y[3] - y[2])
    p.force[0] = f
    dy[0], dy[1] = y[2], y[3]
    dy[2] = (-p.k1 * y[0] - p.d1 * y[2] + f) / p.m1
    dy[3] = (-p.k2 * y[1] - p.d2 * y[3] - f) / p.m2
    dy[4] = p.d1 * y[2] ** 2 + p.d2 * y[3] ** 2 + p.dc * (y[3] - y[2]) ** 2


@kernel
def mechanism(t, y, dy, force, p):
    """Mass 2 alone."""
    dy[1] = y[3]
    dy[3] = (-p.k2 * y[1] - p.d2 * y[3] + force[0]) / p.m2


@kernel
def forces(p, force):
    """Force of the spring on mass 2."""
    force[0] = -p.force[0]


@kernel
def power(y, force, p):
    """Power of the spring on mass 2."""
    return force[0] * y[3]


@kernel
def accept(t, y, p):
    """There is no memory to update."""
    return UNCHANGED


@kernel
def begin(t, y, p):
    """There is no memory to set."""
    return UNCHANGED


@kernel
def record(t, y, p, row):
    """The state."""
    for k in range(5):
        row[k] = y[k]


def system(masses: Masses) -> System:
    """The masses at their start."""
    p = masses
    x1, v1, x2, v2 = p.start
    names = ("x1", "x2", "v1", "v2", "work")
    return System(
        kernels=Kernels(rhs, accept, record, begin, modular=ModularKernels(mechanism, forces, power)),
        parameters=Parameters(p.m1, p.m2, p.k1, p.k2, p.kc, p.d1, p.d2, p.dc, np.zeros(1)),
        memory=(),
        scratch=("force",),
        state=np.array([x1, x2, v1, v2, 0.0]),
        positions=2,
        kinds=np.array([Kind.LENGTH] * 2 + [Kind.SPEED] * 2 + [Kind.WORK]),
        masses=np.array([p.m1, p.m2]),
        channels=tuple(Channel(name, (), "", name, k, ()) for k, name in enumerate(names)),
        labels={},
        motion=Motion(rolling=np.zeros(2), highest_frequency=math.sqrt((p.k1 + p.kc) / p.m1)),
        modules=Modules(np.array([1, 3]), 1, lambda whole: whole),
    )
