"""Kernels for systems side by side (``joined_kernels.py``) with rigid shafts between their wheels.

A rigid shaft of ratio r from a wheel with the angle phi to a wheel with the angle psi is the constraint r phi - psi =
const. It is linear in the angles, so explicit steps that start on it satisfy it except for rounding. With a the
accelerations of all wheels without the torques T of the shafts, and M the inertias of the wheels (infinite if a motion
is prescribed),

    B M^-1 B^T T = b,   b_k = r_k a(phi_k) - a(psi_k),        a - M^-1 B^T T

give the torques and the accelerations that include them (Lagrange's equations of the first kind); row k of B has r_k at
phi_k and -1 at psi_k. B M^-1 B^T is constant and is inverted once. It is regular because every shaft turns a wheel that
no other shaft turns. The torques of several shafts on one wheel, and of shafts in series, are solved for together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.kernels import Kernels
from chaindrive.coupling.joined_contacts import held_contacts
from chaindrive.kernels import Kernel, copy_into, kernel
from chaindrive.kernels.tables import Wholes

__all__ = ["SCRATCH", "Rigid", "rigid_kernels"]

FloatArray = NDArray[np.float64]

SCRATCH = ("torque", "given", "on_wheel", "derivative", "moved", "speed", "by_shaft")


class Shafts(NamedTuple):
    """Indices in ``Rigid.wheel`` of the wheels of every shaft, each (S,): the wheels that turn the shafts, and the
    wheels turned by them.
    """

    before: Wholes
    behind: Wholes


class Wheels(NamedTuple):
    """Indices in the state for every wheel, each (J,)."""

    speed: Wholes
    account: Wholes
    """index of the input work if a shaft turns the wheel, otherwise of the output work"""
    shaft_work: Wholes
    supply: Wholes
    """index of the input work if the motion is prescribed, otherwise -1"""


class Rigid(NamedTuple):
    """Parameters of all systems, and of the S rigid shafts between them, which join J wheels."""

    within: Any
    row: int
    """Size of the rows of all systems."""
    shaft: Shafts
    ratio: FloatArray
    """(S,)"""
    inverse: FloatArray
    """Inverse of B M^-1 B^T, (S, S) [kg m^2]"""
    wheel: Wheels
    sign: FloatArray
    """Sign of the power of shafts in the account of the wheel, (J,): 1 for input work, -1 for output work"""
    compliance: FloatArray
    """1 / inertia; 0 if a motion is prescribed, (J,) [1/(kg m^2)]"""
    torque: FloatArray
    """Torques of the shafts on the wheels that they turn, in the last evaluation, (S,) [N m]"""
    given: FloatArray
    """Torques of the shafts as used by the systems side by side, (S,): 0 except while they accept and record [N m]"""
    on_wheel: FloatArray
    """Total torque of all rigid shafts on each wheel, (J,) [N m]"""
    derivative: FloatArray
    """scratch array for evaluations by ``record``, (states,)"""
    positions: int
    moved: FloatArray
    """scratch array for the speeds of n rigid contacts, (states,)"""
    speed: FloatArray
    """(2n,) [m/s]"""
    by_shaft: FloatArray
    """Speeds of active contacts due to unit impulses of the shafts, (S, 2 most) [1/kg]"""


@kernel(inner=True)
def _hold(y, dy, p):
    """Find the torques of the shafts, and add their effect to the derivatives."""
    shafts, wheels = p.ratio.size, p.on_wheel.size
    for j in range(wheels):
        p.on_wheel[j] = 0.0
    for k in range(shafts):
        torque = 0.0
        for i in range(shafts):
            before, behind = p.wheel.speed[p.shaft.before[i]], p.wheel.speed[p.shaft.behind[i]]
            torque += p.inverse[k, i] * (p.ratio[i] * dy[before] - dy[behind])
        p.torque[k] = torque
        p.on_wheel[p.shaft.before[k]] -= p.ratio[k] * torque
        p.on_wheel[p.shaft.behind[k]] += torque
    for j in range(wheels):
        power = p.on_wheel[j] * y[p.wheel.speed[j]]
        dy[p.wheel.speed[j]] += p.on_wheel[j] * p.compliance[j]
        dy[p.wheel.account[j]] += p.sign[j] * power
        dy[p.wheel.shaft_work[j]] += power
        if p.wheel.supply[j] >= 0:
            dy[p.wheel.supply[j]] -= power
            dy[p.wheel.shaft_work[j]] -= power
    for k in range(shafts):  # the same except for rounding
        dy[p.wheel.speed[p.shaft.behind[k]]] = p.ratio[k] * dy[p.wheel.speed[p.shaft.before[k]]]


@kernel(inner=True)
def _give(p):
    """Pass the torques of the last evaluation to the systems side by side."""
    for k in range(p.given.size):
        p.given[k] = p.torque[k]


@kernel(inner=True)
def _take_back(p):
    for k in range(p.given.size):
        p.given[k] = 0.0


def rigid_kernels(within: Kernels) -> Kernels:
    """Return the kernels of systems with rigid shafts between them, which call the kernels of the systems side by
    side.
    """
    rhs_within, accept_within = within.rhs, within.accept
    begin_within, record_within = within.begin, within.record

    @kernel(apart=True)
    def rhs(t, y, dy, p):
        """See contract/kernels.py."""
        rhs_within(t, y, dy, p.within)
        _hold(y, dy, p)

    @kernel(apart=True)
    def accept(t, y, p):
        """See contract/kernels.py; the torques come from the evaluation just before."""
        _give(p)
        answer = accept_within(t, y, p.within)
        _take_back(p)
        return answer

    @kernel(apart=True)
    def begin(t, y, p):
        """See contract/kernels.py; the start does not depend on the torques of shafts."""
        return begin_within(t, y, p.within)

    @kernel(apart=True)
    def record(t, y, p, row):
        """See contract/kernels.py; writes the rows of all systems, then the torques of the rigid shafts."""
        rhs(t, y, p.derivative, p)
        _give(p)
        record_within(t, y, p.within, row[: p.row])
        _take_back(p)
        copy_into(row[p.row :], p.torque)

    frequency = None if within.frequency is None else _frequency(within.frequency)
    margin = None if within.margin is None else _asking(within.margin)
    gather = None if within.gather is None else _gathering(within.gather)
    horizon = None if within.horizon is None else _asking(within.horizon)
    contacts = None if within.rigid is None else held_contacts(within.rigid, _hold)
    return Kernels(rhs, accept, record, begin, frequency, margin=margin, gather=gather, horizon=horizon, rigid=contacts)


def _frequency(within: Kernel) -> Kernel:
    """Return the kernel ``frequency``; a shaft leaves the highest frequency unchanged or lowers it (Rayleigh)."""

    @kernel
    def frequency(y, p):
        """See contract/kernels.py."""
        return within(y, p.within)

    return frequency


def _gathering(within: Kernel) -> Kernel:
    """Return the kernel ``gather``."""

    @kernel
    def gather(t, y, dy, p, anew):
        """See contract/kernels.py."""
        return within(t, y, dy, p.within, anew)

    return gather


def _asking(within: Kernel) -> Kernel:
    """Return the kernel ``margin`` or ``horizon``, which takes only the parameters, from that of the systems side by
    side.
    """

    @kernel
    def answer(p):
        """See contract/kernels.py."""
        return within(p.within)

    return answer
