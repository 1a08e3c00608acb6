"""Limits of an explicit step: frequencies and damping rates of a drive as built.

A joint of stiffness k between two links stores no more energy than two springs, one on each link:
k (u - v)^2 <= k u^2/s + k v^2/(1 - s) for any s from 0 to 1. Therefore no frequency of a chain is higher than the
highest frequency of its individual links. Each link has three coordinates, is held by springs k/s at the bush and
k/(1 - s) at the pin, and rests on its contact. The share s is e of the link divided by the sum of e of both links,
where e is the largest eigenvalue of the mobility of a link at its two joints,

    along      1/m (1  1; 1  1),     across    (1/m + b^2/I   1/m - a b/I;   1/m - a b/I   1/m + a^2/I),

with the arms a of the pin and b of the bush. For any alternating masses, links that move against their neighbours then
all have the same frequency, which is that of the chain: w^2 = 2 k (1/m1 + 1/m2). Damping rates follow in the same way.
For a pin held by a tension in a bush with clearance, the stiffness transverse to that tension is below k: T/(c + T/k).
An end joint of an open chain is part of only one link.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.link.variants import VARIANTS
from chaindrive.formulations.planar import limits as planar_limits
from chaindrive.formulations.planar.anchors import wheel_rates
from chaindrive.formulations.planar.limits import (
    Expected,
    Frequencies,
    frequencies,
    lone_rate,
    step_limit,
    tangents,
    together_with_mechanism,
)
from chaindrive.formulations.planar.parameters import FloatArray

if TYPE_CHECKING:
    from chaindrive.mechanism.description import Mechanism

__all__ = [
    "frequency_at",
    "highest_frequencies",
    "limits_of_chain",
    "set_limits",
    "tightest_at",
    "yielding_to_contacts",
]


def _compliances(p: L.Parameters) -> FloatArray:
    """Return ``e`` of every link, as defined in the docstring of the module, (N,). [1/kg]"""
    mass, inertia = p.body.mass, p.body.inertia
    bush = np.hypot(p.body.x, p.body.y)
    pin = np.hypot(p.body.length - p.body.x, p.body.y)
    middle = 1.0 / mass + 0.5 * (bush**2 + pin**2) / inertia
    half = 0.5 * (bush**2 - pin**2) / inertia
    across = middle + np.hypot(half, 1.0 / mass - pin * bush / inertia)
    found: FloatArray = np.maximum(across, 2.0 / mass)
    return found


def yielding_to_contacts(p: L.Parameters) -> float:
    """Return the largest speed of a bush, or of the last pin of an open chain, per unit impulse on it. [1/kg]"""
    bush = 1.0 / p.body.mass + (p.body.to_bush_x**2 + p.body.to_bush_y**2) / p.body.inertia
    if p.planar.closed:
        return float(bush.max())
    pin = 1.0 / p.body.mass[-1] + (p.body.to_pin_x[-1] ** 2 + p.body.to_pin_y[-1] ** 2) / p.body.inertia[-1]
    return float(max(bush.max(), pin))


def _highest(p: L.Parameters, joints: FloatArray, turning: float, contact: float) -> float:
    """Return an upper bound of the largest eigenvalue of a chain with respect to its masses.

    For stiffness it is the square of the highest frequency [rad^2/s^2]; for damping it is the highest rate [1/s].

    joints: stiffness or damping of the joints, (J,); turning: the same for every joint against rotation of its links;
    contact: the same for the contact of every bush.
    """
    yields, n = _compliances(p), p.links
    before, behind = np.roll(yields, 1), np.roll(yields, -1)
    if not p.planar.closed:  # nothing moves beyond the ends
        before[0] = behind[-1] = 0.0
    at_bush, at_pin = 1.0 + before / yields, 1.0 + behind / yields  # 1/s and 1/(1 - s)
    last = joints[n:] if not p.planar.closed else joints[:1]
    held = joints[:n] * at_bush + contact, np.append(joints[1:n], last) * at_pin
    if not p.planar.closed:  # its last roller
        held[1][-1] += contact
    matrix = np.zeros((n, 3, 3))
    matrix[:, 2, 2] = turning * (at_bush + at_pin)
    body = p.body
    for stiffness, x, y in ((held[0], body.to_bush_x, body.to_bush_y), (held[1], body.to_pin_x, body.to_pin_y)):
        matrix[:, 0, 0] += stiffness
        matrix[:, 1, 1] += stiffness
        matrix[:, 2, 0] -= stiffness * y
        matrix[:, 2, 1] += stiffness * x
        matrix[:, 2, 2] += stiffness * (x**2 + y**2)
    scale = 1.0 / np.sqrt(np.column_stack([body.mass, body.mass, body.inertia]))
    return float(np.linalg.eigvalsh(scale[:, :, None] * matrix * scale[:, None, :]).max())  # by their lower halves


def _square(p: L.Parameters, contact: float) -> float:
    """Return an upper bound of the square of the highest frequency of links held by their joints and by contacts of
    this stiffness [N/m], including wheels that rotate against the fittings of anchors. [rad^2/s^2]
    """
    sticks = (p.planar.elastic_friction and p.joint_friction_radius > 0.0) or p.joint_relaxation > 0.0
    turning = p.joint_friction_stiffness if sticks else 0.0
    return _highest(p, p.joint.stiffness, turning, contact) + wheel_rates(p.planar)[0]


def _rate(p: L.Parameters, tension: float) -> float:
    """Return the highest damping rate of links and joints at a tension [N]. [1/s]"""
    turning = _alone(p)
    if not p.planar.elastic_friction:
        turning += p.joint_friction_radius * tension / p.joint_friction_rate
    return _highest(p, p.joint.damping + p.oil_damping, turning, 0.0) + wheel_rates(p.planar)[1]


def _alone(p: L.Parameters) -> float:
    """Return the damping of joints that acts alone, that is, not in series with a spring. [N m s/rad]"""
    return 0.0 if p.joint_relaxation > 0.0 else p.joint_damping


def highest_frequencies(p: L.Parameters, mechanism: Mechanism, expected: Expected) -> Frequencies:
    """Return the frequencies that limit an explicit step. [rad/s]"""
    contact = tangents(p.planar).max(initial=0.0)
    square, rate_of_joints = together_with_mechanism(p.planar, mechanism, lambda factor: _square(p, factor * contact))
    rate = _rate(p, expected.tension) + rate_of_joints
    return frequencies(square, rate, lone_rate(p.planar, mechanism, expected.load_damping))


def limits_of_chain(p: L.Parameters, expected: Expected) -> dict[str, float]:
    """Return the frequencies by which links and joints limit an explicit step, each considered alone. [rad/s]"""
    nothing = np.zeros(p.joint.stiffness.size)
    links = _highest(p, p.joint.stiffness, 0.0, 0.0), _highest(p, p.joint.damping, 0.0, 0.0)
    found = {
        "links": step_limit(*links, 0.0),
        "oil of the joints": step_limit(0.0, _highest(p, nothing + p.oil_damping, 0.0, 0.0), 0.0),
        "damping of the joints": step_limit(0.0, _highest(p, nothing, _alone(p), 0.0), 0.0),
    }
    if not p.planar.elastic_friction:
        slope = p.joint_friction_radius * expected.tension / p.joint_friction_rate
        found["smoothed friction of the joints"] = step_limit(0.0, _highest(p, nothing, slope, 0.0), 0.0)
    return found


def frequency_at(p: L.Parameters, mechanism: Mechanism, expected: Expected, state: FloatArray) -> float:
    """Return the highest frequency at a state in which the chain may be tighter than expected, for example due to
    tensioners and guides. [rad/s]
    """
    tightest = max(expected.tension, tightest_at(p, state))
    return highest_frequencies(p, mechanism, expected._replace(tension=tightest)).highest


def tightest_at(p: L.Parameters, state: FloatArray) -> float:
    """Return the force in the joint that is loaded most at a state. [N]"""
    VARIANTS.of_drive(p.planar).kernels.rhs(0.0, state, p.planar.derivative, p)
    return float(p.pin.force.max())


def set_limits(p: L.Parameters, mechanism: Mechanism, expected: Expected) -> None:
    """Write the step limits of the drive as built, to which the kernel of frequency.py adds those of the active
    contacts.
    """
    planar_limits.set_sticking(p.planar, float(p.joint.stiffness.max()))
    planar_limits.let_oil_settle(p.planar, math.sqrt(2.0 * _compliances(p).max() * float(p.joint.stiffness.max())))
    planar_limits.set_limits(p.planar, mechanism, expected.load_damping)
    p.planar.limit.square[0] += _square(p, 0.0)
    p.planar.limit.damping[0] += _rate(p, 0.0)
