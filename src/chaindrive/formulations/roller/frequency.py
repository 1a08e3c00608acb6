"""Limits of an explicit step at a state, due to its contacts and tensions.

They are added to the limits of the reference configuration. For one roller of mass m, with links of stiffness K and
damping D, on a surface whose contact has the slope k and the damping c (planar/frequency.py), w^2 = (4 K + k)/m, and
the damping rate is (4 D + 16 C/P^2 + c)/m (``limits.highest_frequencies``). Here C = C_viscous + mu r F/phi*, with the
force F of the tightest joint.
"""

from __future__ import annotations

from chaindrive.formulations.planar.frequency import frequency_of
from chaindrive.kernels import kernel

__all__ = ["frequency"]


@kernel(inner=True)
def _yielding(p, i, nx, ny, arm):
    """Return 1 / m for every direction, because a roller has no lever arm. [1/kg]"""
    return 1.0 / (p.mass if p.planar.closed else p.roller.mass[i])


@kernel(inner=True)
def _with_joints(p, square, rate):
    """Add the friction of the joints to the squared frequency and the damping rate."""
    if p.joint_friction_radius > 0.0 and not p.planar.elastic_friction:
        tightest = 0.0
        for i in range(p.links):
            tightest = max(tightest, abs(p.link.tension[i]))
        joint = p.joint_friction_radius * tightest / p.joint_friction_rate
        rate += 16.0 * joint / (p.planar.pitch * p.planar.pitch * p.mass)
    return square, rate


frequency = frequency_of(_yielding, _with_joints)
