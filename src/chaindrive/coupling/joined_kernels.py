"""The kernels of two systems joined by a shaft: each system has its own kernels for its own part of the state.

    y = [ q1 q2 | v1 v2 | w1 w2, work lost in the shaft ]

With the angle phi of the wheel that turns the shaft, the angle psi of the wheel that the shaft turns, and the ratio r
of their speeds,

    u = r phi - psi + u0,     T = k u + c u'  (physics/torsion.py),     T on the driven wheel, -r T on the other.

With a rigid shaft, T is computed for all systems together (``rigid_kernels.py``), and no work is lost. Each torque is a
load on its wheel (``mechanism.torque_kernels.JOINED``), and its power is supplied to or taken from the system of the
wheel.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.modular import ModularKernels
from chaindrive.contract.status import FIRST_FAILURE
from chaindrive.coupling.joined_contacts import Contacts, joined_contacts, without_contacts
from chaindrive.formulations.declare import Row, Shown
from chaindrive.kernels import Kernel, copy_into, kernel
from chaindrive.kernels.tables import Reals
from chaindrive.mechanism.torque_kernels import Running
from chaindrive.physics.torsion import torsion_energy, torsion_torque
from chaindrive.solvers.control import nothing_to_gather

__all__ = ["MEMORY", "SCRATCH", "SECOND_ENDINGS", "Joined", "ShaftChannels", "ShaftNow", "joined_kernels"]

FloatArray = NDArray[np.float64]

SECOND_ENDINGS = 100
"""Number that is added to the codes of the endings of the second system."""
MEMORY = ("shaft_zero",)
SCRATCH = ("y1", "dy1", "y2", "dy2", "shaft", "row", "contacts")


class ShaftNow(NamedTuple):
    """Values of the shaft in the last evaluation, each (1,); for a rigid shaft only the torque, which is given from
    outside.
    """

    torque: Reals
    """[N m]"""
    twist: Reals
    """[rad]"""
    lost: Reals
    """Power lost [W]"""


class ShaftChannels(NamedTuple):
    """The channels of an elastic shaft in the order of a row."""

    torque: Shown
    twist: Shown
    lost: Shown
    elastic: Shown


class Joined(NamedTuple):
    """Parameters of two systems and of the shaft between them."""

    first: Any
    second: Any
    q1: int
    """Number of positions of the first system; v1 and w1 are its numbers of velocities and other states, and q2, v2 and
    w2 are those of the second system."""
    q2: int
    v1: int
    v2: int
    w1: int
    w2: int
    row1: int
    """Size of the rows of the first system."""
    row2: int
    forces1: int
    """Number of forces that chain and mechanism of the first system exchange."""
    running1: Running
    """Table ``running`` of the wheels of the first system, the same object as in its own parameters."""
    running2: Running
    wheel1: int
    """Row in ``running1`` of the wheel that turns the shaft."""
    wheel2: int
    """Row in ``running2`` of the wheel that the shaft turns."""
    angle1: int
    """Index of the angle of the first wheel in its state; its speed follows q1 entries later."""
    angle2: int
    ratio: float
    stiffness: float
    """[N m/rad]"""
    damping: float
    """[N m s/rad]"""
    backlash: float
    """[rad]"""
    frequency: float
    """Frequency with which the shaft alone limits an explicit step. [rad/s]"""
    shaft_zero: FloatArray
    """u0, (1,) [rad]"""
    y1: FloatArray
    dy1: FloatArray
    y2: FloatArray
    dy2: FloatArray
    shaft: ShaftNow
    row: Row
    """Row of an elastic shaft, into which ``record`` writes"""
    contacts: Contacts
    """Scratch arrays for the rigid contacts of both systems"""


@kernel(inner=True)
def _part(y, y1, y2, p):
    """Split a combined state, or its derivative, into the arrays of both systems."""
    v = p.q1 + p.q2
    w = v + p.v1 + p.v2
    copy_into(y1[: p.q1], y[: p.q1])
    copy_into(y1[p.q1 : p.q1 + p.v1], y[v : v + p.v1])
    copy_into(y1[p.q1 + p.v1 : p.q1 + p.v1 + p.w1], y[w : w + p.w1])
    copy_into(y2[: p.q2], y[p.q1 : v])
    copy_into(y2[p.q2 : p.q2 + p.v2], y[v + p.v1 : w])
    copy_into(y2[p.q2 + p.v2 : p.q2 + p.v2 + p.w2], y[w + p.w1 : w + p.w1 + p.w2])


@kernel(inner=True)
def _gather(dy, p):
    """Write the derivatives of both systems into the derivative of the combined state."""
    v = p.q1 + p.q2
    w = v + p.v1 + p.v2
    copy_into(dy[: p.q1], p.dy1[: p.q1])
    copy_into(dy[p.q1 : v], p.dy2[: p.q2])
    copy_into(dy[v : v + p.v1], p.dy1[p.q1 : p.q1 + p.v1])
    copy_into(dy[v + p.v1 : w], p.dy2[p.q2 : p.q2 + p.v2])
    copy_into(dy[w : w + p.w1], p.dy1[p.q1 + p.v1 : p.q1 + p.v1 + p.w1])
    copy_into(dy[w + p.w1 : w + p.w1 + p.w2], p.dy2[p.q2 + p.v2 : p.q2 + p.v2 + p.w2])


@kernel(inner=True)
def _twisted(p):
    """Return the torque of the shaft on the wheel that it turns, from the states of both systems, and write it into
    p.shaft. [N m]
    """
    twist = p.ratio * p.y1[p.angle1] - p.y2[p.angle2] + p.shaft_zero[0]
    rate = p.ratio * p.y1[p.q1 + p.angle1] - p.y2[p.q2 + p.angle2]
    torque, lost = torsion_torque(twist, rate, p.stiffness, p.damping, p.backlash)
    p.shaft.torque[0], p.shaft.twist[0], p.shaft.lost[0] = torque, twist, lost
    return torque


@kernel(inner=True)
def _apply_given_torque(p):
    """Return the given torque of a rigid shaft on the wheel that it turns. [N m]"""
    return p.shaft.torque[0]


@kernel(inner=True)
def _joined(p, torque):
    """Add the torque of the shaft to the loads of both wheels, and return their loads from other shafts, to be
    restored. [N m]
    """
    before = p.running1.joined[p.wheel1], p.running2.joined[p.wheel2]
    p.running1.joined[p.wheel1] -= p.ratio * torque
    p.running2.joined[p.wheel2] += torque
    return before


@kernel(inner=True)
def _parted(p, before):
    """Restore the loads of both wheels without the shaft. [N m]"""
    p.running1.joined[p.wheel1], p.running2.joined[p.wheel2] = before


def joined_kernels(first: Kernels, second: Kernels, rigid: bool) -> Kernels:
    """Return the kernels of two systems joined by a shaft, which call the kernels of each system. Kernels that both
    lack are omitted.

    rigid: the torque of the shaft is given (``Joined.shaft``), and the shaft has no part in the state and in rows.
    """
    accept = _answering(first.accept, second.accept, rigid)
    begin = _answering(first.begin, second.begin, rigid)
    rhs, record = _rhs(first, second, rigid), _record(first, second, rigid)
    frequency, gather = _frequency(first, second), _gathering(first, second)
    margin = _least(first.margin, second.margin, _far_off)
    horizon = _least(first.horizon, second.horizon, _for_ever)
    contacts = joined_contacts(first, second, _part_both, _release(first, second, rigid))
    modular = None if rigid else _modular(first, second)
    return Kernels(
        rhs, accept, record, begin, frequency,
        margin=margin, gather=gather, horizon=horizon, rigid=contacts, modular=modular,
    )  # fmt: skip


@kernel(inner=True)
def _part_both(y, p):
    """Split the combined state into the states of both systems."""
    _part(y, p.y1, p.y2, p)


def _release(first: Kernels, second: Kernels, rigid: bool) -> Kernel | None:
    """Return the kernel ``release`` of rigid contacts, if either system has them."""
    if first.rigid is None and second.rigid is None:
        return None
    one, other = (each.rigid or without_contacts(each.rhs) for each in (first, second))
    torque = _apply_given_torque if rigid else _twisted

    @kernel
    def release(t, y, dy, h, p):
        """See contract/rigid.py; the torque of the shaft is treated explicitly."""
        _part(y, p.y1, p.y2, p)
        before = _joined(p, torque(p))
        one.release(t, p.y1, p.dy1, h, p.first)
        other.release(t, p.y2, p.dy2, h, p.second)
        _parted(p, before)
        _gather(dy, p)
        if not rigid:
            dy[dy.size - 1] = p.shaft.lost[0]

    return release


def _modular(first: Kernels, second: Kernels) -> ModularKernels | None:
    """Return the kernels of both mechanisms and the shaft as one mechanism, if both systems are divided into modules;
    forces of the first system precede those of the second.
    """
    if first.modular is None or second.modular is None:
        return None
    one, forces_of_one, power_of_one = first.modular
    other, forces_of_other, power_of_other = second.modular

    @kernel(apart=True)
    def mechanism(t, y, dy, force, p):
        """See contract/modular.py."""
        _part(y, p.y1, p.y2, p)
        before = _joined(p, _twisted(p))
        one(t, p.y1, p.dy1, force[: p.forces1], p.first)
        other(t, p.y2, p.dy2, force[p.forces1 :], p.second)
        _parted(p, before)
        _gather(dy, p)

    @kernel(inner=True)
    def forces(p, force):
        """See contract/modular.py."""
        forces_of_one(p.first, force[: p.forces1])
        forces_of_other(p.second, force[p.forces1 :])

    @kernel(inner=True)
    def power(y, force, p):
        """See contract/modular.py; p.y1 and p.y2 still contain the states of both systems at y."""
        of_one = power_of_one(p.y1, force[: p.forces1], p.first)
        return of_one + power_of_other(p.y2, force[p.forces1 :], p.second)

    return ModularKernels(mechanism, forces, power)


def _rhs(first: Kernels, second: Kernels, rigid: bool) -> Kernel:
    """Return the kernel ``rhs``."""
    one, other, torque = first.rhs, second.rhs, _apply_given_torque if rigid else _twisted

    @kernel(apart=True)
    def rhs(t, y, dy, p):
        """See contract/kernels.py."""
        _part(y, p.y1, p.y2, p)
        before = _joined(p, torque(p))
        one(t, p.y1, p.dy1, p.first)
        other(t, p.y2, p.dy2, p.second)
        _parted(p, before)
        _gather(dy, p)
        if not rigid:
            dy[dy.size - 1] = p.shaft.lost[0]

    return rhs


def _answering(one: Kernel, other: Kernel, rigid: bool) -> Kernel:
    """Return the kernel ``accept`` or ``begin``; SECOND_ENDINGS is added to codes of endings of the second system."""
    torque = _apply_given_torque if rigid else _twisted

    @kernel(apart=True)
    def answer(t, y, p):
        """See contract/kernels.py."""
        _part(y, p.y1, p.y2, p)
        before = _joined(p, torque(p))
        first = one(t, p.y1, p.first)
        second = other(t, p.y2, p.second)
        _parted(p, before)
        return _answer(first, second)

    return answer


def _record(first: Kernels, second: Kernels, rigid: bool) -> Kernel:
    """Return the kernel ``record``: the rows of both systems, then the row of an elastic shaft."""
    one, other, torque = first.record, second.record, _apply_given_torque if rigid else _twisted

    @kernel(apart=True)
    def record(t, y, p, row):
        """See contract/kernels.py."""
        _part(y, p.y1, p.y2, p)
        before = _joined(p, torque(p))
        one(t, p.y1, p.first, row[: p.row1])
        other(t, p.y2, p.second, row[p.row1 : p.row1 + p.row2])
        _parted(p, before)
        if not rigid:
            own = p.row.views
            own.torque[0], own.twist[0], own.lost[0] = p.shaft.torque[0], p.shaft.twist[0], y[y.size - 1]
            own.elastic[0] = torsion_energy(p.shaft.twist[0], p.stiffness, p.backlash)
            copy_into(row[p.row1 + p.row2 :], p.row.values)

    return record


@kernel(inner=True)
def _answer(one, other):
    """Return one result from both results of ``accept`` or ``begin``: an ending, otherwise whether anything changed."""
    if one >= FIRST_FAILURE:
        return one
    if other >= FIRST_FAILURE:
        return other + SECOND_ENDINGS
    return max(one, other)


def _frequency(first: Kernels, second: Kernels) -> Kernel | None:
    """Return the kernel ``frequency``, if both systems have one."""
    if first.frequency is None or second.frequency is None:
        return None
    one, other = first.frequency, second.frequency

    @kernel
    def frequency(y, p):
        """See contract/kernels.py; y is the state of the last evaluation, and p.y1 and p.y2 still contain its two
        parts.
        """
        return max(p.frequency, one(p.y1, p.first), other(p.y2, p.second))

    return frequency


def _least(first: Kernel | None, second: Kernel | None, without: Kernel) -> Kernel | None:
    """Return a kernel of the parameters that returns the smaller of two values; without: substitute for a missing
    kernel.
    """
    if first is None and second is None:
        return None
    one, other = first or without, second or without

    @kernel
    def least(p):
        """``margin`` or ``horizon``, see contract/kernels.py."""
        return min(one(p.first), other(p.second))

    return least


def _gathering(first: Kernels, second: Kernels) -> Kernel | None:
    """Return the kernel ``gather``, if either system has one."""
    if first.gather is None and second.gather is None:
        return None
    one, other = first.gather or nothing_to_gather, second.gather or nothing_to_gather

    @kernel
    def gather(t, y, dy, p, anew):
        """See contract/kernels.py."""
        _part(y, p.y1, p.y2, p)
        _part(dy, p.dy1, p.dy2, p)
        first, second = one(t, p.y1, p.dy1, p.first, anew), other(t, p.y2, p.dy2, p.second, anew)
        return first if first > 0.0 else second

    return gather


@kernel(inner=True)
def _for_ever(p):
    """Return the horizon of a system whose memory is valid for any step. [s]"""
    return math.inf


@kernel(inner=True)
def _far_off(p):
    """Return the margin of a system that has no such ending."""
    return 1.0
