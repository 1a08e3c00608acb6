"""What limits an explicit step at a state: its contacts and the friction of its joints, besides what a drive is built
with (limits.py).
"""

from __future__ import annotations

import math

from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.frequency import contact_rates
from chaindrive.formulations.planar.parameters import LIMIT_DAMPING, LIMIT_RATE, LIMIT_SQUARE
from chaindrive.kernels import kernel

__all__ = ["frequency", "least_mass"]


@kernel(inner=True)
def least_mass(p):
    """The least mass that a surface meets at a bush, or where a link slides on it: 1 / (1/m + b^2/I). [kg]

    b: the arm of the bush, and of the surface on which it slides.
    """
    most, arm = 0.0, 0.0
    for s in range(p.planar.surfaces):
        arm = max(arm, p.planar.surface[s, P.SURFACE_ARM])
    for i in range(p.links):
        square = p.body[L.BODY_X, i] ** 2 + p.body[L.BODY_Y, i] ** 2 + arm * arm
        most = max(most, 1.0 / p.body[L.BODY_MASS, i] + square / p.body[L.BODY_INERTIA, i])
    return 1.0 / most


@kernel
def frequency(y, p):
    """The limit c + sqrt(c^2 + w^2) at the state y that was evaluated last. [rad/s]"""
    square, rate = contact_rates(p.planar, least_mass(p))
    rate += p.planar.limit[LIMIT_DAMPING] + p.surface_oil_damping / least_mass(p)
    if p.joint_friction_radius > 0.0:
        steepest = 0.0
        for i in range(p.links):
            steepest = max(steepest, p.pin[L.PIN_FORCE, i] / p.body[L.BODY_INERTIA, i])
        rate += 4.0 * p.joint_friction_radius * steepest / p.joint_friction_rate
    rate = max(rate, p.planar.limit[LIMIT_RATE])
    square += p.planar.limit[LIMIT_SQUARE]
    return rate + math.sqrt(rate * rate + square)
