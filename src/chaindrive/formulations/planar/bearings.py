"""Bearings of wheels: viscous damping and Coulomb friction, smoothed or elastic (physics/elastic_friction.py).

The spring and damper of elastic friction act on the angle of the wheel relative to the ground or to the body that
carries it. The spring is soft compared with the chain, so that it does not shorten the step, but stiff enough to hold a
drive at rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaindrive.formulations.planar.axles import wheel_angle, wheel_speed
from chaindrive.formulations.planar.tables import Wheels
from chaindrive.kernels import kernel
from chaindrive.physics.bearing import BEARING_YIELD, bearing_moment, bearing_turned, sticking_bearing_moment

if TYPE_CHECKING:
    from chaindrive.model import Chain

__all__ = ["set_bearing_stiffness", "stick_bearings", "wheel_bearing_moment"]

SHARE = 0.02
"""Largest frequency of a wheel on the spring of its bearing, relative to the highest frequency of links. [-]"""


def set_bearing_stiffness(wheel: Wheels, chain: Chain) -> None:
    """Write the stiffness of sticking wheel bearings. [N m/rad]"""
    given = wheel.bearing_friction / BEARING_YIELD
    most = SHARE**2 * 4.0 * chain.link_stiffness / chain.link_mass * wheel.inertia
    wheel.bearing_stiffness[:] = np.where(wheel.inertia > 0.0, np.minimum(given, most), given)


@kernel(inline=True)
def _angle(y, p, w):
    """Return the angle of wheel w relative to the part that carries it. [rad]"""
    body = p.surface.body[w]
    carrier = p.tree.frame.angle[body] if body >= 0 else 0.0
    return wheel_angle(y, p, w) - carrier


@kernel(inner=True)
def wheel_bearing_moment(y, p, w, turning):
    """Return the torque of the bearing of wheel w against its rotation. [N m]

    turning: angular velocity of the wheel in the bearing [rad/s].
    """
    damping, friction = p.wheel.bearing_damping[w], p.wheel.bearing_friction[w]
    if p.elastic_friction and friction > 0.0:
        turned, stiffness = _angle(y, p, w) - p.bearing.angle[w], p.wheel.bearing_stiffness[w]
        return sticking_bearing_moment(turned, turning, damping, friction, stiffness, p.wheel.inertia[w])
    return bearing_moment(turning, damping, friction)


@kernel(inner=True)
def stick_bearings(y, p, anew):
    """Let the anchors of bearings follow the last evaluation.

    anew: reset them so that turning parts slide, as at the start of a run.
    """
    for w in range(p.wheels):
        friction = p.wheel.bearing_friction[w]
        if friction == 0.0:
            continue
        body = p.surface.body[w]
        carrier = p.tree.frame.angular_velocity[body] if body >= 0 else 0.0
        turning, angle = wheel_speed(y, p, w) - carrier, _angle(y, p, w)
        turned, stiffness = angle - p.bearing.angle[w], p.wheel.bearing_stiffness[w]
        left = bearing_turned(turned, turning, friction, stiffness, p.wheel.inertia[w], anew)
        if left != turned:
            p.bearing.angle[w] = angle - left
