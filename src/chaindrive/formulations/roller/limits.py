"""What limits an explicit step: the frequencies and damping rates that a drive is built with."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from chaindrive.formulations.roller.parameters import (
    INDEX_BODY,
    INDEX_MOTION,
    LIMIT_DAMPING,
    LIMIT_RATE,
    LIMIT_SQUARE,
    LINK_TENSION,
    SURFACE_EXPONENT,
    SURFACE_INVERSE_MASS,
    SURFACE_LENGTH,
    SURFACE_MIDDLE_X,
    SURFACE_MIDDLE_Y,
    SURFACE_REACH,
    SURFACE_STIFFNESS,
    SURFACE_X,
    SURFACE_Y,
    WHEEL_INERTIA,
    WHEEL_TIP,
    FloatArray,
    Parameters,
)
from chaindrive.formulations.roller.variants import kernels_for
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism.description import Carriers
from chaindrive.mechanism.elements import element_limits, joint_matrices
from chaindrive.mechanism.tree import mass_matrix, point_rates, stiffness_frequency
from chaindrive.mechanism.tree_kernels import COORDINATE, MOTION

__all__ = ["REFERENCE_PENETRATION", "Expected", "frequency_at", "highest_frequency", "set_limits"]

REFERENCE_PENETRATION = 0.01
"""Penetration, as a part of the roller radius, at which the stiffness of a contact is taken before a run. What occurs
in the run is looked at while it runs (frequency.py)."""


class Expected(NamedTuple):
    """What a run is expected to bring, for the limit of an explicit step."""

    tension: float
    """Of the tightest links [N]"""
    load_damping: FloatArray
    """How steeply the load torques of the wheels grow with speed, (W,) [N m s/rad]"""


def highest_frequency(p: Parameters, carried: Carriers, expected: Expected) -> float:
    """What limits an explicit step, see System.highest_frequency. [rad/s]

    Links and contacts: w^2 = (4 K + k_contact)/m. Dampers of links and joints: c = (4 D + 16 C/P^2)/m, the largest
    eigenvalues of their chains, where C includes the slope of joint friction at the expected tension. The mechanism
    adds its own w^2 and c: a spring between two masses sees the sum of both inverse masses. Loads of wheels and oil
    that settles have rates of their own.
    """
    depth = REFERENCE_PENETRATION * p.roller_radius
    exponent = p.surface[:, SURFACE_EXPONENT]
    tangents = exponent * p.surface[:, SURFACE_STIFFNESS] * depth ** (exponent - 1.0)
    joint = p.joint_damping + p.joint_friction_radius * expected.tension / p.joint_friction_rate
    rate = (4.0 * p.damping + 16.0 * joint / p.pitch**2) / p.mass
    square = (4.0 * p.stiffness + tangents.max(initial=0.0)) / p.mass
    if carried.tree.joints:
        stiffness, damping = joint_matrices(carried.elements, carried.tree)
        stiffness += _contact_stiffness(p, carried, tangents)
        frequency, rate_of_joints = stiffness_frequency(carried.tree, carried.riding, stiffness, damping)
        rate, square = rate + rate_of_joints, square + frequency**2
    rate = max(rate, _lone_rate(p, carried, expected))
    return rate + math.sqrt(rate * rate + square)


def frequency_at(p: Parameters, carried: Carriers, expected: Expected, state: FloatArray) -> float:
    """The same where the chain is tighter than expected, as by tensioners and guides. [rad/s]"""
    kernels_for(p).rhs(0.0, state, p.derivative, p)
    tightest = max(expected.tension, float(p.link[LINK_TENSION].max()))
    return highest_frequency(p, carried, expected._replace(tension=tightest))


def _lone_rate(p: Parameters, carried: Carriers, expected: Expected) -> float:
    """The highest rate of loads of wheels and of oil that settles. [1/s]"""
    free = p.wheel_index[:, INDEX_MOTION] == motions.FREE
    loads = expected.load_damping[free] / p.wheel[free, WHEEL_INERTIA]
    return float(max([0.0, *loads, *element_limits(carried.elements).rate]))


def set_limits(p: Parameters, carried: Carriers, expected: Expected) -> None:
    """Write what the kernel of frequency.py adds to the contacts that it finds: ``p.limit``, and how surfaces yield."""
    p.limit[LIMIT_SQUARE] = 4.0 * p.stiffness / p.mass
    p.limit[LIMIT_DAMPING] = (4.0 * p.damping + 16.0 * p.joint_damping / p.pitch**2) / p.mass
    p.limit[LIMIT_RATE] = _lone_rate(p, carried, expected)
    if carried.tree.joints:
        frequency, rate = stiffness_frequency(
            carried.tree, carried.riding, *joint_matrices(carried.elements, carried.tree)
        )
        p.limit[LIMIT_SQUARE] += frequency**2
        p.limit[LIMIT_DAMPING] += rate
    for s in range(p.surfaces):
        p.surface[s, SURFACE_INVERSE_MASS] = _inverse_mass(p, carried, s)


def _inverse_mass(p: Parameters, carried: Carriers, s: int) -> float:
    """Largest speed of a surface over the impulse that gives it, in the drawing position. [1/kg]"""
    total = 0.0
    if s < p.wheels and p.wheel_index[s, INDEX_MOTION] == motions.FREE and p.wheel[s, WHEEL_INERTIA] > 0.0:
        total = float(p.wheel[s, WHEEL_TIP] ** 2 / p.wheel[s, WHEEL_INERTIA])
    if p.surface_index[s, INDEX_BODY] < 0:
        return total
    tree = carried.tree
    free = tree.index[tree.index[:, COORDINATE] >= 0, MOTION] == motions.FREE
    if not free.any():
        return total
    rates = _surface_rates(p, carried, s)[:, free]
    masses = mass_matrix(tree, carried.riding)[np.ix_(free, free)]
    return total + float(np.linalg.eigvalsh(rates @ np.linalg.solve(masses, rates.T))[-1])


def _surface_rates(p: Parameters, carried: Carriers, s: int) -> FloatArray:
    """Rate of the middle of a surface on a body for a unit speed of every joint, (2, J)."""
    body = int(p.surface_index[s, INDEX_BODY])
    origin = next(at for index, at in carried.bodies.values() if index == body)
    middle = [SURFACE_X, SURFACE_Y] if s < p.wheels else [SURFACE_MIDDLE_X, SURFACE_MIDDLE_Y]
    x, y = p.surface[s, middle] + origin
    return point_rates(carried.tree, body, (float(x), float(y)))


def _contact_stiffness(p: Parameters, carried: Carriers, tangents: FloatArray) -> FloatArray:
    """What the rollers on surfaces that ride on bodies are to the joints: at most so many contact springs, (J, J)."""
    tree = carried.tree
    total = np.zeros((tree.joints, tree.joints))
    for s in range(p.surfaces):
        body = int(p.surface_index[s, INDEX_BODY])
        if body < 0:
            continue
        reach = p.surface[s, SURFACE_REACH] if s < p.wheels else p.surface[s, SURFACE_LENGTH]
        rollers = (math.pi if s < p.wheels else 2.0) * reach / p.pitch + 1.0
        rates = _surface_rates(p, carried, s)
        total += rollers * tangents[s] * (rates.T @ rates)
    return total
