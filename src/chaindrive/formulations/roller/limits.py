"""Limits of an explicit step: frequencies and damping rates of a drive in its reference configuration."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from chaindrive.formulations.planar import limits as planar_limits
from chaindrive.formulations.planar.anchors import anchor_rates
from chaindrive.formulations.planar.limits import (
    Expected,
    Frequencies,
    frequencies,
    lone_rate,
    step_limit,
    tangents,
    together_with_mechanism,
)
from chaindrive.formulations.planar.parameters import (
    FloatArray,
)
from chaindrive.formulations.roller.parameters import (
    Parameters,
)
from chaindrive.formulations.roller.variants import VARIANTS

if TYPE_CHECKING:
    from chaindrive.mechanism.description import Mechanism

__all__ = ["LIMITS_OF_JOINTS", "frequency_at", "highest_frequencies", "limits_of_chain", "set_limits", "tightest_at"]

LIMITS_OF_JOINTS = DAMPED, SMOOTHED = "damping of the joints", "smoothed friction of the joints"
"""Names of the dampers in the joints, in the list of step limits."""


def highest_frequencies(p: Parameters, mechanism: Mechanism, expected: Expected) -> Frequencies:
    """Return the frequencies that limit an explicit step. [rad/s]

    Links and contacts: w^2 = (4 K + k_contact)/m. Dampers of links and joints: c = (4 D + 16 C/P^2)/m. These are the
    largest eigenvalues of chains of such links and joints. C includes the slope of smoothed joint friction at the
    expected tension, but no damping in series with a spring. The mechanism adds its own c; contacts couple it to the
    chain. Loads of wheels and the oil of tensioners have rates of their own.
    """
    joint = _alone(p)
    if not p.planar.elastic_friction:
        joint += p.joint_friction_radius * expected.tension / p.joint_friction_rate
    rate = (4.0 * p.damping + 16.0 * joint / p.planar.pitch**2) / p.mass
    if not p.planar.closed:
        rate = _of_open_chain(p)[1] + 16.0 * joint / p.planar.pitch**2 / p.mass
    contact = tangents(p.planar).max(initial=0.0)
    square, rate_of_joints = together_with_mechanism(p.planar, mechanism, lambda factor: _square(p, factor * contact))
    return frequencies(square, rate + rate_of_joints, lone_rate(p.planar, mechanism, expected.load_damping))


def _square(p: Parameters, contact: float) -> float:
    """Return the square of the highest frequency of rollers between links, on contacts of this stiffness [N/m].
    [rad^2/s^2]
    """
    if p.planar.closed:
        return (4.0 * p.stiffness + contact) / p.mass
    return _of_open_chain(p)[0] + contact / float(p.roller.mass.min())


def limits_of_chain(p: Parameters, expected: Expected) -> dict[str, float]:
    """Return the frequencies by which links and joints, each considered alone, limit an explicit step. [rad/s]"""
    turning = 16.0 / p.planar.pitch**2 / p.mass
    found = {
        "links": step_limit(4.0 * p.stiffness / p.mass, 4.0 * p.damping / p.mass, 0.0),
        DAMPED: step_limit(0.0, turning * _alone(p), 0.0),
    }
    if not p.planar.elastic_friction:
        slope = p.joint_friction_radius * expected.tension / p.joint_friction_rate
        found[SMOOTHED] = step_limit(0.0, turning * slope, 0.0)
    return found


def _alone(p: Parameters) -> float:
    """Return the damping of joints that acts alone, that is, not in series with a spring. [N m s/rad]"""
    return 0.0 if p.joint_relaxation > 0.0 else p.joint_damping


def frequency_at(p: Parameters, mechanism: Mechanism, expected: Expected, state: FloatArray) -> float:
    """Return the highest frequency at a state in which the chain may be tighter than expected, for example due to
    tensioners and guides. [rad/s]
    """
    tightest = max(expected.tension, tightest_at(p, state))
    return highest_frequencies(p, mechanism, expected._replace(tension=tightest)).highest


def tightest_at(p: Parameters, state: FloatArray) -> float:
    """Return the tension of the tightest link at a state. [N]"""
    VARIANTS.of_drive(p.planar).kernels.rhs(0.0, state, p.planar.derivative, p)
    return float(p.link.tension.max())


def set_limits(p: Parameters, mechanism: Mechanism, expected: Expected) -> None:
    """Write the values that the kernel of frequency.py adds to the limits due to contacts."""
    planar_limits.set_sticking(p.planar, p.stiffness)
    planar_limits.let_oil_settle(p.planar, math.sqrt(4.0 * p.stiffness / p.mass))
    planar_limits.set_limits(p.planar, mechanism, expected.load_damping)
    if not p.planar.closed:
        square, rate = _of_open_chain(p)
        p.planar.limit.square[0] += square
        p.planar.limit.damping[0] += rate + 16.0 * _alone(p) / p.planar.pitch**2 / p.mass
        return
    p.planar.limit.square[0] += 4.0 * p.stiffness / p.mass
    p.planar.limit.damping[0] += (4.0 * p.damping + 16.0 * _alone(p) / p.planar.pitch**2) / p.mass


def _of_open_chain(p: Parameters) -> tuple[float, float]:
    """Return the square of the highest frequency [rad^2/s^2] and the damping rate [1/s] of links and anchors."""
    first, last = p.roller.mass[[0, -1]]
    return anchor_rates(p.planar, (p.stiffness, p.damping), p.mass, (float(first), float(last)))
