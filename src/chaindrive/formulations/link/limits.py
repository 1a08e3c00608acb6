"""What limits an explicit step: the frequencies and damping rates that a drive is built with.

In a chain of rigid links with joints of stiffness k, each joint is part of two links, which yield to forces on their
two joints by

    along      1/m (1  1; 1  1),     across    (1/m + b^2/I   1/m - a b/I;   1/m - a b/I   1/m + a^2/I),

a and b the arms of pin and bush. With the largest eigenvalue e of these over all links w^2 <= 2 k e, which a chain
whose links all turn against their neighbours has, and damping rates follow in the same way. A pin that is held by a
tension in a bush with clearance meets across no more than k: T/(c + T/k). An end joint of an open chain is part of one
link alone, so that half of its k counts, and of what holds it.
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
    mechanism_limit,
    step_limit,
    tangents,
)
from chaindrive.formulations.planar.parameters import FloatArray

if TYPE_CHECKING:
    from chaindrive.mechanism.description import Mechanism

__all__ = ["compliance", "frequency_at", "highest_frequencies", "limits_of_chain", "set_limits"]


def compliance(p: L.Parameters) -> float:
    """The largest e of the module's docstring. [1/kg]"""
    mass, inertia = p.body.mass, p.body.inertia
    bush = np.hypot(p.body.x, p.body.y)
    pin = np.hypot(p.body.length - p.body.x, p.body.y)
    middle = 1.0 / mass + 0.5 * (bush**2 + pin**2) / inertia
    half = 0.5 * (bush**2 - pin**2) / inertia
    across = middle + np.hypot(half, 1.0 / mass - pin * bush / inertia)
    return float(np.maximum(across, 2.0 / mass).max())


def _joints(p: L.Parameters, tension: float) -> tuple[float, float]:
    """Square of the highest frequency [rad^2/s^2], and damping rate [1/s], of links and joints at a tension [N]."""
    yielding, part = 2.0 * compliance(p), np.ones(p.joint.clearance.size)
    if not p.planar.closed:
        part[[0, -1]] = 0.5
    damping = float((part * p.joint.damping).max()) + p.oil_damping
    turning = _alone(p)
    if not p.planar.elastic_friction:
        turning += p.joint_friction_radius * tension / p.joint_friction_rate
    rate = yielding * damping + 4.0 * turning / float(p.body.inertia.min())
    square = yielding * float((part * p.joint.stiffness).max())
    if (p.planar.elastic_friction and p.joint_friction_radius > 0.0) or p.joint_relaxation > 0.0:
        square += 4.0 * p.joint_friction_stiffness / float(p.body.inertia.min())
    by_wheels = wheel_rates(p.planar)
    return square + by_wheels[0], rate + by_wheels[1]


def _alone(p: L.Parameters) -> float:
    """Damping of a joint that is in series with nothing. [N m s/rad]"""
    return 0.0 if p.joint_relaxation > 0.0 else p.joint_damping


def highest_frequencies(p: L.Parameters, mechanism: Mechanism, expected: Expected) -> Frequencies:
    """What limits an explicit step. [rad/s]"""
    square, rate = _joints(p, expected.tension)
    least = 1.0 / compliance(p)
    square += tangents(p.planar).max(initial=0.0) / least
    square_of_joints, rate_of_joints = mechanism_limit(p.planar, mechanism)
    rate, square = rate + rate_of_joints, square + square_of_joints
    return frequencies(square, rate, lone_rate(p.planar, mechanism, expected.load_damping))


def limits_of_chain(p: L.Parameters, expected: Expected) -> dict[str, float]:
    """What limits an explicit step of links and joints, each as if it were alone. [rad/s]"""
    yielding, turning = 2.0 * compliance(p), 4.0 / float(p.body.inertia.min())
    links = yielding * float(p.joint.stiffness.max()), yielding * float(p.joint.damping.max())
    found = {
        "links": step_limit(*links, 0.0),
        "oil of the joints": step_limit(0.0, yielding * p.oil_damping, 0.0),
        "damping of the joints": step_limit(0.0, turning * _alone(p), 0.0),
    }
    if not p.planar.elastic_friction:
        slope = p.joint_friction_radius * expected.tension / p.joint_friction_rate
        found["smoothed friction of the joints"] = step_limit(0.0, turning * slope, 0.0)
    return found


def frequency_at(p: L.Parameters, mechanism: Mechanism, expected: Expected, state: FloatArray) -> float:
    """The highest of them where the chain is tighter than expected, as by tensioners and guides. [rad/s]"""
    VARIANTS.of_drive(p.planar).kernels.rhs(0.0, state, p.planar.derivative, p)
    tightest = max(expected.tension, float(p.pin.force.max()))
    return highest_frequencies(p, mechanism, expected._replace(tension=tightest)).highest


def set_limits(p: L.Parameters, mechanism: Mechanism, expected: Expected) -> None:
    """Write what the kernel of frequency.py adds to the contacts that it finds."""
    planar_limits.set_sticking(p.planar, float(p.joint.stiffness.max()))
    planar_limits.let_oil_settle(p.planar, math.sqrt(2.0 * compliance(p) * float(p.joint.stiffness.max())))
    planar_limits.set_limits(p.planar, mechanism, expected.load_damping)
    square, rate = _joints(p, 0.0)
    p.planar.limit.square[0] += square
    p.planar.limit.damping[0] += rate
