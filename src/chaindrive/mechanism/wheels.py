"""Torques that turn a wheel, their work, and the force on its bearing, for all formulations and for rotors.

``p`` has ``running``, ``torque``, ``torque_table``, ``shaft``, ``motion`` and ``motion_table``. In the state, the work
supplied to the drive is at ``work``, followed by the work taken from it; the work of the shaft of a wheel is at
``own``.
"""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.kernels import kernel
from chaindrive.kernels.tables import Reals
from chaindrive.mechanism.motion import FREE, motion_acceleration
from chaindrive.mechanism.torque_kernels import shaft_powers, wheel_torques

__all__ = ["ShaftTorques", "bearing_force", "shaft_moment", "turn_wheel"]


class ShaftTorques(NamedTuple):
    """Torques on every wheel, or on its hub, in the last evaluation, counter-clockwise positive, (W,) each. [N m]"""

    driving: Reals
    """driving torque"""
    load: Reals
    """torque of all loads, and of shafts that are joined to the wheel"""
    motion: Reals
    """torque that makes the wheel follow a prescribed motion"""


@kernel(inner=True)
def shaft_moment(t, angle, speed, y, dy, machines, work, own, p, w):
    """Return the moment of torques, loads and joined shafts on wheel w, or on its hub, at this angle and speed. [N m]

    Their powers are written into dy, as are the rates of the states of motors and governors, which begin at
    ``machines``.
    """
    load, applied = wheel_torques(t, angle, speed, y, dy, machines, p, w)
    p.shaft.driving[w], p.shaft.load[w] = applied, load
    supplied, delivered = shaft_powers(load, applied, speed, p, w)
    dy[work] += supplied
    dy[work + 1] += delivered
    dy[own] = (load + applied) * speed
    return load + applied


@kernel(inner=True)
def turn_wheel(kind, t, angle, speed, moment, inertia, dy, at, work, own, p, w):
    """Write the angular acceleration of wheel w into dy[at], and add the power of a prescribed motion to the
    balance.
    """
    if kind == FREE:
        dy[at] = moment / inertia
    else:
        dy[at] = motion_acceleration(kind, t, angle, p.motion, p.motion_table, w)
        p.shaft.motion[w] = inertia * dy[at] - moment
        supplied = p.shaft.motion[w] * speed
        dy[work] += supplied
        dy[own] += supplied


@kernel(inner=True)
def bearing_force(fx, fy, mass, ex, ey, speed, acceleration, gx, gy):
    """Return the force of a wheel on its bearing: the force (fx, fy) on the wheel minus the force that accelerates it.
    [N]

    mass [kg]; (ex, ey): mass times the position of the centre of mass relative to the axis [kg m]; acceleration:
    angular [rad/s^2]; (gx, gy): gravity minus the acceleration of the axis [m/s^2].
    """
    square = speed * speed
    return fx + mass * gx + acceleration * ey + square * ex, fy + mass * gy - acceleration * ex + square * ey
