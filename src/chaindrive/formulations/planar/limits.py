"""Effect of contacts, mechanism and loads on the limit of an explicit step, for a drive in its reference
configuration.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chaindrive.elementary import power
from chaindrive.formulations.planar.anchors import anchor_matrices
from chaindrive.formulations.planar.parameters import FloatArray, PlanarParameters
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism.elements import element_limits, joint_matrices
from chaindrive.mechanism.tree import mass_matrix, point_rates, stiffness_frequency

if TYPE_CHECKING:
    from chaindrive.mechanism.description import Mechanism

__all__ = [
    "REFERENCE_PENETRATION",
    "Expected",
    "Frequencies",
    "coupled_square",
    "frequencies",
    "let_oil_settle",
    "lone_rate",
    "lone_step_limit",
    "mechanism_rates",
    "set_limits",
    "set_sticking",
    "step_limit",
    "tangents",
    "together_with_mechanism",
]


def step_limit(square: float, rate: float, lone: float) -> float:
    """Return the frequency that limits an explicit step, see Motion.highest_frequency. [rad/s]

    square [rad^2/s^2] and rate [1/s]: stiffness divided by mass, and damping divided by mass, of masses that move
    together; lone [1/s]: the highest rate of first-order decay.
    """
    return max(rate + math.sqrt(rate * rate + square), 2.0 * lone)


class Frequencies(NamedTuple):
    """Frequencies of a drive that limit an explicit step, see Motion. [rad/s]"""

    highest: float
    undamped: float
    damping_rate: float


def frequencies(square: float, rate: float, lone: float) -> Frequencies:
    """Return all frequencies, from the arguments of ``step_limit``."""
    return Frequencies(float(step_limit(square, rate, lone)), math.sqrt(square), float(rate))


def coupled_square(chain: float, on_chain: float, mechanism: float, on_mechanism: float) -> float:
    """Return the square of the highest frequency of a chain and a mechanism with contacts between them. [rad^2/s^2]

    chain, mechanism: square for each of them without the contacts; on_chain, on_mechanism: stiffness of the contacts
    divided by the mass of each of them, with the other fixed. The bound is that of a motion in which all these
    stiffnesses act together.
    """
    middle = 0.5 * (chain + on_chain + mechanism + on_mechanism)
    half = 0.5 * (chain + on_chain - mechanism - on_mechanism)
    return middle + math.sqrt(half * half + on_chain * on_mechanism)


def lone_step_limit(rate: float) -> float:
    """Return the step limit of a first-order decay at this rate [1/s]. [rad/s]"""
    return step_limit(0.0, 0.0, rate)


class Expected(NamedTuple):
    """Values expected in a run, for the limit of an explicit step."""

    tension: float
    """Tension of the tightest links [N]"""
    load_damping: FloatArray
    """Slope of the load torques of the wheels with respect to speed, (W,) [N m s/rad]"""


HALVINGS = 12
"""Number of times that the interval for sharing a spring between the two parts that it joins is halved."""
REFERENCE_PENETRATION = 0.01
"""Penetration at which the stiffness of a contact is taken before a run, as a fraction of the roller radius. Values
that occur in the run are checked during it (frequency.py)."""


def set_sticking(p: PlanarParameters, links: float) -> None:
    """Write the stiffness of surfaces against sticking rollers: that of the contact, but at least that of the links
    [N/m].

    The energy in the spring of a contact that opens is lost, and a stiff spring keeps this loss small. A spring as
    stiff as the links hardly shortens the step.
    """
    p.surface.tangential[:] = np.maximum(_normal_slopes(p), links)


def let_oil_settle(p: PlanarParameters, frequency: float) -> None:
    """Limit the rate at which the oil of tensioners settles to what a step for links of this frequency [rad/s]
    resolves.
    """
    p.elements.value.fastest[:] = 0.5 * frequency


def tangents(p: PlanarParameters) -> FloatArray:
    """Return the stiffness of every surface against a roller. [N/m]

    It is the stiffness normal to the surface at the reference penetration, or the stiffness of elastic friction along
    the surface if that is larger.
    """
    found = _normal_slopes(p)
    found[p.face.surface[p.surfaces :]] *= 2.0  # both flanks of a gap
    if p.elastic_friction:
        found = np.where(p.surface.friction > 0.0, np.maximum(found, p.surface.tangential), found)
    return found


def _normal_slopes(p: PlanarParameters) -> FloatArray:
    """Return the slope of the normal force of one roller on every surface at the reference penetration, (S,). [N/m]"""
    depth = REFERENCE_PENETRATION * p.roller_radius
    exponent = p.surface.exponent
    slopes: FloatArray = exponent * p.surface.stiffness * power(depth, exponent - 1.0)
    return slopes


def together_with_mechanism(
    p: PlanarParameters, mechanism: Mechanism, chain: Callable[[float], float]
) -> tuple[float, float]:
    """Return the square of the highest frequency of a chain and the mechanism [rad^2/s^2], and a damping rate [1/s].

    The damping rate is that of the mechanism. chain(f): returns the square for the chain alone, on contacts f times as
    stiff as they are [rad^2/s^2]. A spring between both stores no more energy than two springs that each hold one of
    them, k (u - v)^2 <= k u^2/s + k v^2/(1 - s) for any s from 0 to 1; s is chosen so that neither part has the higher
    frequency. Anchors of an open chain also join both parts; for an open chain the squares are added.
    """
    if not mechanism.tree.joints:
        return chain(1.0), 0.0
    joints, damping = _joint_matrices(p, mechanism)
    contacts = _contact_stiffness(p, mechanism, tangents(p))
    square_of_clutch, rate_of_clutch = _clutches(p)

    def moved(stiffness: FloatArray) -> tuple[float, float]:
        frequency, rate = stiffness_frequency(mechanism.tree, mechanism.point_masses, joints + stiffness, damping)
        return frequency**2 + square_of_clutch, rate + rate_of_clutch

    square, rate = moved(contacts)
    if not p.closed:
        return chain(1.0) + square, rate
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        share = 0.5 * (low + high)
        if chain(1.0 / share) > moved(contacts / (1.0 - share))[0]:
            low = share
        else:
            high = share
    return max(chain(1.0 / share), moved(contacts / (1.0 - share))[0]), rate


def _joint_matrices(p: PlanarParameters, mechanism: Mechanism) -> tuple[FloatArray, FloatArray]:
    """Return stiffness and damping of joints, tensioners and anchors of an open chain, (J, J) each."""
    own, anchors = joint_matrices(mechanism.elements, mechanism.tree), anchor_matrices(p, mechanism)
    return own[0] + anchors[0], own[1] + anchors[1]


def _clutches(p: PlanarParameters) -> tuple[float, float]:
    """Return the square of the highest frequency [rad^2/s^2] of wheels against hubs behind freewheels, and the damping
    rate [1/s].
    """
    square = rate = 0.0
    for w in np.flatnonzero(p.wheel.hub >= 0):
        inertia = p.tree.body.inertia[p.wheel.hub[w]]
        yielding = float(1.0 / p.wheel.inertia[w] + 1.0 / inertia)
        square = max(square, float(p.freewheel.stiffness[w]) * yielding)
        rate = max(rate, float(p.freewheel.damping[w]) * yielding)
    return square, rate


def lone_rate(p: PlanarParameters, mechanism: Mechanism, load_damping: FloatArray) -> float:
    """Return the highest decay rate due to loads of wheels and settling oil. [1/s]

    load_damping: slope of the load torques of the wheels with respect to speed, (W,) [N m s/rad].
    """
    free = p.wheel.motion == motions.FREE
    loads = load_damping[free] / p.wheel.inertia[free]
    return float(max([0.0, *loads, *element_limits(mechanism.elements).rate]))


def set_limits(p: PlanarParameters, mechanism: Mechanism, load_damping: FloatArray) -> None:
    """Write the limits due to mechanism and loads into ``p.limit``, and the mobility of surfaces; see frequency.py."""
    p.limit.mechanism[0], p.limit.damping[0] = mechanism_rates(p, mechanism)
    p.limit.rate[0] = lone_rate(p, mechanism, load_damping)
    for s in range(p.surfaces):
        p.surface.inverse_mass[s] = _inverse_mass(p, mechanism, s)


def mechanism_rates(p: PlanarParameters, mechanism: Mechanism) -> tuple[float, float]:
    """Return the square of the highest frequency [rad^2/s^2] and the damping rate [1/s] of the mechanism without the
    chain.
    """
    if not mechanism.tree.joints:
        return 0.0, 0.0
    frequency, rate = stiffness_frequency(mechanism.tree, mechanism.point_masses, *_joint_matrices(p, mechanism))
    square_of_clutch, rate_of_clutch = _clutches(p)
    return frequency**2 + square_of_clutch, rate + rate_of_clutch


def _inverse_mass(p: PlanarParameters, mechanism: Mechanism, s: int) -> float:
    """Return the largest speed of a surface per unit impulse on it, in the reference configuration. [1/kg]"""
    total = 0.0
    if s < p.wheels and p.wheel.motion[s] == motions.FREE and p.wheel.inertia[s] > 0.0:
        total = float(p.wheel.tip[s] ** 2 / p.wheel.inertia[s])
    if p.surface.body[s] < 0:
        return total
    tree = mechanism.tree
    free = tree.body.motion[tree.body.coordinate >= 0] == motions.FREE
    if not free.any():
        return total
    rates = _surface_rates(p, mechanism, s)[:, free]
    masses = mass_matrix(tree, mechanism.point_masses)[np.ix_(free, free)]
    return total + float(np.linalg.eigvalsh(rates @ np.linalg.solve(masses, rates.T))[-1])


def _surface_rates(p: PlanarParameters, mechanism: Mechanism, s: int) -> FloatArray:
    """Return the velocity of the middle of a surface on a body per unit speed of every joint, (2, J)."""
    body = int(p.surface.body[s])
    origin = next(at for index, at in mechanism.bodies.values() if index == body)
    surface = p.surface
    x, y = (surface.x[s], surface.y[s]) if s < p.wheels else (surface.middle_x[s], surface.middle_y[s])
    return point_rates(mechanism.tree, body, (float(x + origin[0]), float(y + origin[1])))


def _contact_stiffness(p: PlanarParameters, mechanism: Mechanism, tangents: FloatArray) -> FloatArray:
    """Return the stiffness, seen by the joints, of all contact springs of rollers on surfaces of bodies, (J, J)."""
    tree = mechanism.tree
    total = np.zeros((tree.joints, tree.joints))
    for s in range(p.surfaces):
        body = int(p.surface.body[s])
        if body < 0:
            continue
        reach = p.surface.reach[s] if s < p.wheels else p.surface.length[s]
        rollers = (math.pi if s < p.wheels else 2.0) * reach / p.pitch + 1.0
        rates = _surface_rates(p, mechanism, s)
        total += rollers * tangents[s] * (rates.T @ rates)
    return total
