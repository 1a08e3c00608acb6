"""Torque with which the bearing of a wheel resists its rotation."""

from __future__ import annotations

import math

from chaindrive.kernels import kernel
from chaindrive.physics.elastic_friction import held_force, settling_damping, settling_spring, spring_left

__all__ = ["BEARING_SPEED", "BEARING_YIELD", "bearing_moment", "bearing_turned", "sticking_bearing_moment"]

BEARING_SPEED = 1e-2
"""Speed scale below which Coulomb friction of a bearing is smoothed. [rad/s]"""
BEARING_YIELD = 1e-3
"""Angle beyond which a bearing with elastic friction slides. [rad]"""


@kernel(inline=True)
def bearing_moment(turning, damping, friction):
    """Viscous and smoothed Coulomb friction of a bearing: c w + M tanh(w / BEARING_SPEED). [N m]

    turning w [rad/s], damping c [N m s/rad], friction M [N m].
    """
    moment = damping * turning
    if friction > 0.0:
        moment += friction * math.tanh(turning / BEARING_SPEED)
    return moment


@kernel(inline=True)
def sticking_bearing_moment(turned, turning, damping, friction, stiffness, inertia):
    """Viscous and elastic Coulomb friction of a bearing (physics/elastic_friction.py). [N m]

    turned: angle from the anchor of its spring [rad]; turning w [rad/s], damping c [N m s/rad], friction M > 0 [N m];
    stiffness of the spring [N m/rad]; inertia that the spring holds [kg m^2].
    """
    spring, _ = settling_spring(turned, turning, stiffness, settling_damping(stiffness, inertia))
    return damping * turning + held_force(spring, friction)


@kernel(inline=True)
def bearing_turned(turned, turning, friction, stiffness, inertia, anew):
    """Angle from the anchor of the spring after the anchor has moved, at an accepted state. [rad]

    It is unchanged while the bearing sticks. Arguments as for :func:`sticking_bearing_moment`; anew: whether to reset
    the anchor as at the start of a run, so that a turning bearing slides.
    """
    spring, damper = settling_spring(turned, turning, stiffness, settling_damping(stiffness, inertia))
    moment = bearing_moment(turning, 0.0, friction) if anew else held_force(spring, friction)
    return turned if moment == spring and not anew else spring_left(moment, damper) / stiffness
