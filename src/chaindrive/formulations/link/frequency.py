"""Limits of an explicit step at a state, due to contacts, oil on the surfaces and smoothed friction of joints.

They are combined with the limits of the drive as built (limits.py).
"""

from __future__ import annotations

from chaindrive.formulations.planar.frequency import frequency_of
from chaindrive.kernels import kernel

__all__ = ["frequency"]


@kernel(inner=True)
def _yielding(p, i, nx, ny, arm):
    """Return 1/m + b^2/I of link i for an impulse at its bush along (nx, ny); ``arm`` adds to the lever arm. [1/kg]"""
    if i == p.links:  # the roller on the last pin of an open chain
        last = i - 1
        lever = abs(p.link.pin_x[last] * ny - p.link.pin_y[last] * nx) + arm
        return p.body.inverse_mass[last] + lever * lever * p.body.inverse_inertia[last]
    lever = abs(p.link.bush_x[i] * ny - p.link.bush_y[i] * nx) + arm
    return p.body.inverse_mass[i] + lever * lever * p.body.inverse_inertia[i]


@kernel(inner=True)
def _most_yielding(p):
    """Return the largest 1/m + b^2/I of any link, for a transverse impulse at its bush or at the last pin of an open
    chain. [1/kg]
    """
    most = 0.0
    for i in range(p.links):
        square = p.body.x[i] ** 2 + p.body.y[i] ** 2
        most = max(most, p.body.inverse_mass[i] + square * p.body.inverse_inertia[i])
    if not p.planar.closed:  # and at the roller on its last pin
        last = p.links - 1
        square = p.body.to_pin_x[last] ** 2 + p.body.to_pin_y[last] ** 2
        most = max(most, p.body.inverse_mass[last] + square * p.body.inverse_inertia[last])
    return most


@kernel(inner=True)
def _with_joints(p, square, rate):
    """Add the oil on the surfaces and the friction of the joints to the squared frequency and the damping rate."""
    if p.surface_oil_damping > 0.0:
        rate += p.surface_oil_damping * _most_yielding(p)
    if p.joint_friction_radius > 0.0 and not p.planar.elastic_friction:
        steepest = 0.0
        for i in range(p.links):
            steepest = max(steepest, p.pin.force[i] / p.body.inertia[i])
        if not p.planar.closed:
            steepest = max(steepest, p.pin.force[p.links] / p.body.inertia[p.links - 1])
        rate += 4.0 * p.joint_friction_radius * steepest / p.joint_friction_rate
    return square, rate


frequency = frequency_of(_yielding, _with_joints)
