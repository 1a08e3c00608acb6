"""Small systems with rigid contacts whose motion is known: the problems on the page about rigid contacts. All systems
share one kernel and are selected by ``kind``, so that each method is compiled only once for all of them.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray
from chaindrive.contract.unilateral import UnilateralSystem, contact_laws
from chaindrive.kernels import kernel
from chaindrive.solvers.nonsmooth import dense_system

__all__ = ["WOODPECKER_START", "block", "body", "bowl", "cradle", "rod", "woodpecker"]

BLOCK, CRADLE, BODY, BOWL, WOODPECKER = range(5)
GRAVITY = 9.81


class Numbers(NamedTuple):
    """Parameters of one of the systems."""

    kind: int
    value: FloatArray
    points: FloatArray
    """Points of a body in body-fixed axes, (n, 2). [m]"""


@kernel(inner=True)
def describe_block(q, u, m, value):
    """A mass on a spring and on a belt. Values: mass, stiffness, forces in x and y, speed of the belt."""
    m.mass[0, 0] = m.mass[1, 1] = value[0]
    m.force[0] = value[2] - value[1] * q[0]
    m.force[1] = value[3]
    m.gap[0] = q[1]
    m.normal[0, 1] = m.tangent[0, 0] = 1.0
    m.drift[1] = -value[4]


@kernel(inner=True)
def describe_cradle(q, u, m, value):
    """Balls in a row. Values: mass, diameter."""
    for i in range(q.size):
        m.mass[i, i] = value[0]
    for i in range(m.gap.size):
        m.gap[i] = q[i + 1] - q[i] - value[1]
        m.normal[i, i + 1], m.normal[i, i] = 1.0, -1.0


@kernel(inner=True)
def describe_body(q, u, m, value, points):
    """A rigid body (x, y, phi) whose points rest on the ground. Values: mass, inertia, weight."""
    m.mass[0, 0] = m.mass[1, 1] = value[0]
    m.mass[2, 2] = value[1]
    m.force[1] = -value[2]
    n = m.gap.size
    for i in range(n):
        x = points[i, 0] * math.cos(q[2]) - points[i, 1] * math.sin(q[2])
        y = points[i, 0] * math.sin(q[2]) + points[i, 1] * math.cos(q[2])
        m.gap[i] = q[1] + y
        m.normal[i, 1], m.normal[i, 2] = 1.0, x
        m.tangent[i, 0], m.tangent[i, 2] = 1.0, -y
        m.rate[i], m.rate[n + i] = -y * u[2] ** 2, -x * u[2] ** 2


@kernel(inner=True)
def describe_bowl(q, u, m, value):
    """A particle in a circular bowl. Values: mass, weight, radius."""
    m.mass[0, 0] = m.mass[1, 1] = value[0]
    m.force[1] = -value[1]
    r = math.hypot(q[0], q[1])
    outward, along = (q[0] * u[0] + q[1] * u[1]) / r, (q[0] * u[1] - q[1] * u[0]) / r
    m.gap[0] = value[2] - r
    m.normal[0, 0], m.normal[0, 1] = -q[0] / r, -q[1] / r
    m.tangent[0, 0], m.tangent[0, 1] = -q[1] / r, q[0] / r
    m.rate[0], m.rate[1] = -(along**2) / r, -along * outward / r


@kernel(inner=True)
def describe_woodpecker(q, u, m, value):
    """Glocker's woodpecker toy (y, phi_M, phi_S): sleeve on a pole, bird on a spring."""
    g, stiffness, m_m, m_s, j_m, j_s = value[0], value[1], value[2], value[3], value[4], value[5]
    r_0, r_m, h_m, l_m, l_g, h_s, l_s = value[6], value[7], value[8], value[9], value[10], value[11], value[12]
    m.mass[0, 0] = m_m + m_s
    m.mass[0, 1] = m.mass[1, 0] = m_s * l_m
    m.mass[0, 2] = m.mass[2, 0] = m_s * l_g
    m.mass[1, 1] = j_m + m_s * l_m**2
    m.mass[1, 2] = m.mass[2, 1] = m_s * l_m * l_g
    m.mass[2, 2] = j_s + m_s * l_g**2
    moment = stiffness * (q[1] - q[2])
    m.force[0] = -(m_m + m_s) * g
    m.force[1] = -moment - m_s * g * l_m
    m.force[2] = moment - m_s * g * l_g
    m.gap[0] = l_m + l_g - l_s - r_0 - h_s * q[2]
    m.gap[1] = r_m - r_0 + h_m * q[1]
    m.gap[2] = r_m - r_0 - h_m * q[1]
    m.normal[0, 2], m.normal[1, 1], m.normal[2, 1] = -h_s, h_m, -h_m
    m.tangent[0, 0], m.tangent[0, 1], m.tangent[0, 2] = 1.0, l_m, l_g - l_s
    for i in range(1, 3):
        m.tangent[i, 0], m.tangent[i, 1] = 1.0, r_m


@kernel(inner=True)
def describe(t, q, u, m, p):
    """Equations of motion of one of the systems."""
    if p.kind == BLOCK:
        describe_block(q, u, m, p.value)
    elif p.kind == CRADLE:
        describe_cradle(q, u, m, p.value)
    elif p.kind == BODY:
        describe_body(q, u, m, p.value, p.points)
    elif p.kind == BOWL:
        describe_bowl(q, u, m, p.value)
    elif p.kind == WOODPECKER:
        describe_woodpecker(q, u, m, p.value)


def _system(kind: int, value: Any, velocities: int, names: tuple[str, ...], points: Any = (), **laws: Any) -> Any:
    numbers = Numbers(kind, np.array(value, dtype=float), np.array(points, dtype=float).reshape(-1, 2))
    return dense_system(describe, numbers, contact_laws(names, **laws), velocities, names)


def block(mass: float, stiffness: float, along: float, down: float, belt: float = 0.0, **laws: Any) -> UnilateralSystem:
    """A mass [kg] on a spring [N/m] and on a moving plane (x along the plane, y normal to it), with forces along the
    plane and downwards [N].
    """
    return _system(BLOCK, (mass, stiffness, along, -down, belt), 2, ("block on plane",), **laws)


def cradle(balls: int, **laws: Any) -> UnilateralSystem:
    """Balls in a row, each with a mass of 1 kg and a diameter of 0.1 m."""
    names = tuple(f"ball {i + 1} on ball {i + 2}" for i in range(balls - 1))
    return _system(CRADLE, (1.0, 0.1), balls, names, **laws)


def body(width: float, height: float, **laws: Any) -> UnilateralSystem:
    """A rectangular block of 1 kg with these dimensions [m] on the ground."""
    b, h = 0.5 * width, 0.5 * height
    return _system(
        BODY,
        (1.0, (b * b + h * h) / 3.0, GRAVITY),
        3,
        ("left corner", "right corner"),
        ((-b, -h), (b, -h)),
        **laws,
    )


def rod(half_length: float, **laws: Any) -> UnilateralSystem:
    """A slender rod of 1 kg whose lower end slides on the ground (Painleve). [m]"""
    return _system(BODY, (1.0, half_length**2 / 3.0, GRAVITY), 3, ("tip of the rod",), ((-half_length, 0.0),), **laws)


def bowl(radius: float, **laws: Any) -> UnilateralSystem:
    """A particle of 1 kg in a circular bowl about the origin. [m]"""
    return _system(BOWL, (1.0, GRAVITY, radius), 2, ("particle in bowl",), **laws)


WOODPECKER_START = np.array([0.0, -0.1036, -0.2788]), np.array([-0.3411, 0.0, -7.4583])
"""Position (y [m], phi_M, phi_S) and velocity."""


def woodpecker() -> UnilateralSystem:
    """Glocker's woodpecker toy with the data of the Siconos example (WoodPeckerConsts.h)."""
    value = (
        *(9.81, 0.0056, 0.0003, 0.0045, 5.0e-9, 7.0e-7),
        *(0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.02, 0.0201),
    )
    names = ("beak on pole", "sleeve below on pole", "sleeve above on pole")
    return _system(WOODPECKER, value, 3, names, friction=0.3, restitution=(0.5, 0.0, 0.0))
