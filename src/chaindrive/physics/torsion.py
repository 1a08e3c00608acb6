"""A shaft or gearing between two wheels, modelled as a torsion spring and damper with backlash."""

from __future__ import annotations

from chaindrive.kernels import kernel
from chaindrive.physics.tensioners.mechanical import stop_energy, stop_force

__all__ = ["torsion_energy", "torsion_torque"]


@kernel
def torsion_torque(twist, rate, stiffness, damping, backlash):
    """Torque due to a twist, measured from the middle of the backlash, and the power lost [N m, W].

    The torque is k u + c u' without backlash. With backlash it is zero within the backlash, and beyond its ends that of
    a stop that cannot pull (``tensioners.mechanical.stop_force``), as teeth or keys can separate.

    twist u [rad]; rate u' [rad/s]; stiffness k [N m/rad]; damping c [N m s/rad]; backlash from one side to the other
    [rad].
    """
    if backlash == 0.0:
        return stiffness * twist + damping * rate, damping * rate * rate
    if twist < 0.0:
        torque, lost = stop_force(-twist - 0.5 * backlash, -rate, stiffness, damping)
        return -torque, lost
    return stop_force(twist - 0.5 * backlash, rate, stiffness, damping)


@kernel
def torsion_energy(twist, stiffness, backlash):
    """Elastic energy of the spring of :func:`torsion_torque`, with the same arguments [J]."""
    return stop_energy(abs(twist) - 0.5 * backlash, stiffness)
