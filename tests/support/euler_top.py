"""A free rigid body turned by a quaternion: the smallest system whose positions outnumber its velocities.

q = (e0, e1, e2, e3) leads from the body's axes to those of space, v = angular velocity in the body's axes:
dq/dt = q (0, v) / 2 and I dv/dt = -v x I v. One work, which is always zero, follows them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from chaindrive.contract.channels import Channel
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.motion import Motion
from chaindrive.contract.states import Kind
from chaindrive.contract.system import System
from chaindrive.kernels import kernel
from chaindrive.physics.rotation import turn_freely

INERTIA = (1e-8, 2e-8, 3e-8)
START = (10.0, 0.0, 8.0)
PERIOD = 0.9360696
"""Period of the angular velocity. [s]"""


class Top(NamedTuple):
    inertia: np.ndarray
    inverse: np.ndarray
    """1 / inertia"""
    torque: np.ndarray
    """Torque about the axes of the body, in proportion to e1, e2, e3: springs that pull it back to its first
    attitude."""
    accepted: np.ndarray


@kernel
def rates(q, v, dq, p):
    dq[0] = 0.5 * (-q[1] * v[0] - q[2] * v[1] - q[3] * v[2])
    dq[1] = 0.5 * (q[0] * v[0] + q[2] * v[2] - q[3] * v[1])
    dq[2] = 0.5 * (q[0] * v[1] + q[3] * v[0] - q[1] * v[2])
    dq[3] = 0.5 * (q[0] * v[2] + q[1] * v[1] - q[2] * v[0])


@kernel
def rhs(t, y, dy, p):
    rates(y[:4], y[4:7], dy[:4], p)
    a, b, c = p.inertia[0], p.inertia[1], p.inertia[2]
    dy[4] = (-p.torque[0] * y[1] + (b - c) * y[5] * y[6]) / a
    dy[5] = (-p.torque[1] * y[2] + (c - a) * y[6] * y[4]) / b
    dy[6] = (-p.torque[2] * y[3] + (a - b) * y[4] * y[5]) / c
    dy[7] = 0.0


@kernel
def drift(y, h, p):
    """The free rotation of a time h, composed of exact parts; without the torque."""
    a, b, c = p.inertia[0], p.inertia[1], p.inertia[2]
    parts = y[:1], y[1:2], y[2:3], y[3:4]
    y[4], y[5], y[6] = a * y[4], b * y[5], c * y[6]
    turn_freely(h, *parts, y[4:5], y[5:6], y[6:7], p.inverse[:1], p.inverse[1:2], p.inverse[2:])
    y[4], y[5], y[6] = y[4] / a, y[5] / b, y[6] / c


@kernel
def inertial(y, dy, factor, p):
    """Adds the accelerations of the free rotation."""
    a, b, c = p.inertia[0], p.inertia[1], p.inertia[2]
    dy[4] += factor * (b - c) / a * y[5] * y[6]
    dy[5] += factor * (c - a) / b * y[6] * y[4]
    dy[6] += factor * (a - b) / c * y[4] * y[5]


@kernel
def accept(t, y, p):
    p.accepted[0] += 1.0
    return 0


@kernel
def record(t, y, p, row):
    for j in range(y.size):
        row[j] = y[j]


@kernel
def begin(t, y, p):
    p.accepted[0] = 0.0
    return 0


def euler_top(torque: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> System:
    kinds = [Kind.ANGLE] * 4 + [Kind.ANGULAR_SPEED] * 3 + [Kind.WORK]
    return System(
        kernels=Kernels(rhs, accept, record, begin, rates=rates, drift=drift, inertial=inertial),
        parameters=Top(np.array(INERTIA), 1.0 / np.array(INERTIA), np.array(torque), np.zeros(1)),
        memory=("accepted",),
        state=np.array([1.0, 0.0, 0.0, 0.0, *START, 0.0]),
        positions=4,
        kinds=np.array(kinds, dtype=np.int64),
        channels=(Channel("everything", ("place",), "", "states", 0, (8,)),),
        labels={},
        masses=np.array(INERTIA),
        motion=Motion(rolling=np.array(START), highest_frequency=30.0),
    )


def angular_momentum(rows: np.ndarray) -> np.ndarray:
    """Angular momentum in space, from rows of states, (k, 3) [kg m^2/s]."""
    e, momentum = rows[:, :4], rows[:, 4:7] * INERTIA
    axis = e[:, 1:]
    turned = np.cross(axis, np.cross(axis, momentum) + e[:, :1] * momentum)
    return momentum + 2.0 * turned / (e**2).sum(axis=1, keepdims=True)


def period() -> float:
    """Period of v: Landau & Lifshitz, Mechanics (1976), section 37, by the arithmetic-geometric
    mean."""
    (a, b, c), w = INERTIA, START
    energy = 0.5 * sum(i * v * v for i, v in zip(INERTIA, w, strict=True))
    square = sum((i * v) ** 2 for i, v in zip(INERTIA, w, strict=True))
    if square < 2.0 * energy * b:
        a, c = c, a
    k2 = (b - a) * (2.0 * energy * c - square) / ((c - b) * (square - 2.0 * energy * a))
    x, y = 1.0, math.sqrt(1.0 - k2)
    while abs(x - y) > 1e-15:
        x, y = 0.5 * (x + y), math.sqrt(x * y)
    quarter = math.pi / (2.0 * x)
    return 4.0 * quarter * math.sqrt(a * b * c / ((c - b) * (square - 2.0 * energy * a)))
