"""A mass on springs on a belt: the smallest system whose friction is solved separately at its contact.

m x'' = -k x + F_x,   m y'' = -k y + F_y,   |F| <= mu N against the sliding on a belt that moves along x at u
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from chaindrive.contract.channels import Channel
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.motion import Motion
from chaindrive.contract.pointwise import PointwiseKernels
from chaindrive.contract.states import FloatArray, Kind
from chaindrive.contract.status import Accepted
from chaindrive.contract.system import System
from chaindrive.kernels import kernel

UNCHANGED = int(Accepted.UNCHANGED)


class Parameters(NamedTuple):
    """Parameters of the kernels."""

    mass: float
    stiffness: float
    limit: float
    """mu N [N]"""
    belt: float
    """[m/s]"""
    force: FloatArray
    """memory: friction, (2,) [N]"""


@kernel
def release(t, y, dy, p):
    """Forces of the springs alone."""
    for k in range(2):
        dy[k] = y[2 + k]
        dy[2 + k] = -p.stiffness / p.mass * y[k]
    dy[4] = 0.0


@kernel
def resolve(t, y, dy, h, p):
    """Sticks to the belt or slides on it."""
    give = h / p.mass
    along, across = y[2] + h * dy[2] - p.belt, y[3] + h * dy[3]
    free = math.hypot(along, across)
    part = 1.0 if free <= give * p.limit else give * p.limit / free
    p.force[0], p.force[1] = -part * along / give, -part * across / give
    for k in range(2):
        dy[2 + k] += p.force[k] / p.mass
    dy[4] = -p.force[0] * (y[2] + 0.5 * h * dy[2] - p.belt) - p.force[1] * (y[3] + 0.5 * h * dy[3])


@kernel
def rhs(t, y, dy, p):
    """Derivatives with the friction of the last step."""
    release(t, y, dy, p)
    dy[4] = -p.force[0] * (y[2] - p.belt) - p.force[1] * y[3]
    for k in range(2):
        dy[2 + k] += p.force[k] / p.mass


@kernel
def accept(t, y, p):
    """There is no memory to update."""
    return UNCHANGED


@kernel
def begin(t, y, p):
    """No friction yet."""
    p.force[0] = p.force[1] = 0.0
    return UNCHANGED


@kernel
def record(t, y, p, row):
    """State and friction."""
    for k in range(5):
        row[k] = y[k]
    row[5], row[6] = p.force[0], p.force[1]


def system(stiffness: float, limit: float, belt: float, state: tuple[float, ...], mass: float = 2.0) -> System:
    """stiffness k [N/m], limit mu N [N], belt u [m/s], state x, y [m] and their rates [m/s]."""
    names = ("x", "y", "vx", "vy", "work", "fx", "fy")
    return System(
        kernels=Kernels(rhs, accept, record, begin, pointwise=PointwiseKernels(release, resolve)),
        parameters=Parameters(mass, stiffness, limit, belt, np.zeros(2)),
        memory=("force",),
        state=np.array([*state, 0.0]),
        positions=2,
        kinds=np.array([Kind.LENGTH] * 2 + [Kind.SPEED] * 2 + [Kind.WORK]),
        masses=np.full(2, mass),
        channels=tuple(Channel(name, (), "", name, k, ()) for k, name in enumerate(names)),
        labels={},
        motion=Motion(rolling=np.zeros(2), highest_frequency=math.sqrt(stiffness / mass)),
    )
