"""The kernels of a rotor: a rotating mass with its motors and loads, joined to a wheel by a shaft.

    J phi'' = shaft + motors + loads - bearing        State: [phi | phi' | works, states of machines]

The torque of the shaft is one of the loads (``mechanism.torque_kernels.Running.joined``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.modular import ModularKernels
from chaindrive.contract.status import Accepted
from chaindrive.formulations.declare import Row, Shown
from chaindrive.kernels import copy_into, kernel
from chaindrive.mechanism.torque_kernels import Running, TorqueRows
from chaindrive.mechanism.wheels import ShaftTorques, shaft_moment
from chaindrive.physics.bearing import bearing_moment, bearing_turned, sticking_bearing_moment

__all__ = [
    "KERNELS",
    "MACHINES",
    "MEMORY",
    "SCRATCH",
    "SHAFT_WORK",
    "WORK_INPUT",
    "WORK_OUTPUT",
    "Parameters",
    "RotorChannels",
]

FloatArray = NDArray[np.float64]

WORK_INPUT, WORK_OUTPUT, WORK_BEARING, OWN_WORK, SHAFT_WORK, MACHINES = 2, 3, 4, 5, 6, 7
"""Indices in the state: the work put in, taken out and lost in the bearing; the work of the rotor's own motors and
loads; the work of its shaft; then the states of motors and governors."""
UNCHANGED = int(Accepted.UNCHANGED)


class RotorChannels(NamedTuple):
    """The channels, in the order of a recorded row."""

    angle: Shown
    speed: Shown
    motor: Shown
    load: Shown
    work_input: Shown
    work_output: Shown
    work_bearing: Shown
    kinetic: Shown
    residual: Shown
    own_work: Shown
    shaft_work: Shown


class Parameters(NamedTuple):
    """Parameters of a rotor."""

    inertia: float
    """[kg m^2]"""
    bearing_damping: float
    """[N m s/rad]"""
    bearing_friction: float
    """[N m]"""
    bearing_stiffness: float
    """stiffness of the bearing while it sticks [N m/rad]"""
    sticks: bool
    """Whether friction of the bearing is elastic (physics/bearing.py) rather than smoothed."""
    rate: float
    """Frequency that limits an explicit step. [rad/s]"""
    running: Running
    """Table of one row for the torques of the rotor, as in the formulations."""
    torque: TorqueRows
    torque_table: FloatArray
    start_energy: FloatArray
    """Memory, (1,): stored energy at the start [J]"""
    bearing_angle: FloatArray
    """Memory, (1,): angle at which elastic friction of the bearing exerts no moment [rad]"""
    shaft: ShaftTorques
    derivative: FloatArray
    """(states,) for evaluations by ``record``"""
    row: Row
    """row into which ``record`` writes"""


MEMORY = ("start_energy", "bearing_angle")
SCRATCH = ("shaft", "derivative", "row")


@kernel(apart=True)
def rhs(t, y, dy, p):
    """See contract/kernels.py."""
    angle, speed = y[0], y[1]
    for k in range(WORK_INPUT, y.size):
        dy[k] = 0.0
    moment = shaft_moment(t, angle, speed, y, dy, MACHINES, WORK_INPUT, OWN_WORK, p, 0)
    bearing = _bearing(angle, speed, p)
    joined = p.running.joined[0]
    dy[0], dy[1] = speed, (moment - bearing) / p.inertia
    dy[WORK_BEARING] = bearing * speed
    dy[OWN_WORK], dy[SHAFT_WORK] = (moment - joined) * speed, joined * speed


@kernel(inner=True)
def _bearing(angle, speed, p):
    """Return the torque of the bearing against the rotation of the rotor. [N m]"""
    if p.sticks and p.bearing_friction > 0.0:
        turned = angle - p.bearing_angle[0]
        return sticking_bearing_moment(
            turned, speed, p.bearing_damping, p.bearing_friction, p.bearing_stiffness, p.inertia
        )
    return bearing_moment(speed, p.bearing_damping, p.bearing_friction)


@kernel(inner=True)
def _stick(y, p, anew):
    """Move the anchor of the bearing at an accepted state.

    anew: place the anchor so that the bearing slides, as at the start of a run.
    """
    if p.sticks and p.bearing_friction > 0.0:
        turned = y[0] - p.bearing_angle[0]
        left = bearing_turned(turned, y[1], p.bearing_friction, p.bearing_stiffness, p.inertia, anew)
        if left != turned:
            p.bearing_angle[0] = y[0] - left


@kernel(apart=True)
def accept(t, y, p):
    """See contract/kernels.py."""
    _stick(y, p, False)
    return UNCHANGED


@kernel(apart=True)
def begin(t, y, p):
    """See contract/kernels.py."""
    _stick(y, p, True)
    p.start_energy[0] = 0.5 * p.inertia * y[1] * y[1]
    return UNCHANGED


@kernel(apart=True)
def record(t, y, p, row):
    """Write angle, speed, torques, works and energies into a row."""
    own = p.row.views
    rhs(t, y, p.derivative, p)
    own.angle[0], own.speed[0] = y[0], y[1]
    own.motor[0], own.load[0] = p.shaft.driving[0], p.shaft.load[0] - p.running.joined[0]
    own.work_input[0], own.work_output[0], own.work_bearing[0] = y[WORK_INPUT], y[WORK_OUTPUT], y[WORK_BEARING]
    own.kinetic[0] = 0.5 * p.inertia * y[1] * y[1]
    own.residual[0] = own.kinetic[0] - p.start_energy[0] - y[WORK_INPUT] + y[WORK_OUTPUT] + y[WORK_BEARING]
    own.own_work[0], own.shaft_work[0] = y[OWN_WORK], y[SHAFT_WORK]
    copy_into(row, p.row.values)


@kernel
def frequency(y, p):
    """See contract/kernels.py."""
    return p.rate


@kernel(inner=True)
def _mechanism(t, y, dy, force, p):
    """See contract/modular.py; no chain acts on a rotor."""
    rhs(t, y, dy, p)


@kernel(inner=True)
def _no_forces(p, force):
    """See contract/modular.py."""


@kernel(inner=True)
def _no_power(y, force, p):
    """See contract/modular.py."""
    return 0.0


MODULAR = ModularKernels(_mechanism, _no_forces, _no_power)
KERNELS = Kernels(rhs=rhs, accept=accept, record=record, begin=begin, frequency=frequency, modular=MODULAR)
