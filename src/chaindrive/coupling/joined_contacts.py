"""Kernels of rigid contacts (contract/rigid.py) for two systems that a shaft joins; they call the kernels of each
system.

Contacts are numbered consecutively across both systems. Without a shaft, or with an elastic shaft, no impulse is
transmitted: the inverse inertia has one block for each system, and sweeps process one chain and then the other.

With rigid shafts, a wheel moves other wheels, G = G_0 - U (B M^-1 B^T)^-1 U^T, U = W^T M^-1 B^T (rigid_kernels.py), so
sweeps always need the matrix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.rigid import MOST_DENSE, RigidContacts, RigidKernels
from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.contract.unilateral import ContactLaws
from chaindrive.kernels import Kernel, copy_into, kernel

if TYPE_CHECKING:
    from chaindrive.contract.system import System

__all__ = ["Contacts", "contacts_of", "held_contacts", "joined_contacts", "joined_laws", "without_contacts"]


class Own(NamedTuple):
    """Scratch arrays for the active contacts of one of the systems, k out of n."""

    size: IntArray
    """k, (1,)"""
    active: IntArray
    """(n,)"""
    speed: FloatArray
    """(2n,) [m/s]"""
    vector: FloatArray
    impulse: FloatArray
    motion: FloatArray
    """each (2n,), see ``relax``"""
    friction: FloatArray
    compliance: FloatArray
    """each (n,), see ``relax``"""
    matrix: FloatArray
    """at most (2k, 2k) [1/kg]"""


class Contacts(NamedTuple):
    """Scratch arrays for the contacts of both systems."""

    first: Own
    second: Own


class Both(NamedTuple):
    """Data that the kernels ``relax`` of both systems need."""

    first: Any
    second: Any


def contacts_of(first: System, second: System) -> Contacts:
    """Return scratch arrays for the rigid contacts of both systems; they are empty for a system without rigid
    contacts.
    """
    return Contacts(_own(first), _own(second))


def _own(system: System) -> Own:
    n = 0 if system.rigid is None else system.rigid.laws.friction.size
    speed, vector, impulse, motion = np.zeros((4, 2 * n))
    size = 2 * min(n, MOST_DENSE)
    friction, compliance = np.zeros((2, n))
    active, matrix = np.zeros(n, np.int64), np.zeros((size, size))
    return Own(np.zeros(1, np.int64), active, speed, vector, impulse, motion, friction, compliance, matrix)


def joined_laws(first: System, second: System) -> RigidContacts | None:
    """Return the rigid contacts of both systems; None if neither has any."""
    one, other = first.rigid, second.rigid
    if one is None or other is None:
        return one or other
    laws = ContactLaws(*(np.concatenate(pair) for pair in zip(one.laws, other.laws, strict=True)))
    scratch = None if one.scratch is None or other.scratch is None else Both(one.scratch, other.scratch)
    springs = np.concatenate([one.springs, other.springs])
    return RigidContacts(laws, one.most + other.most, springs, max(one.closing, other.closing), scratch)


@kernel(inner=True)
def _sort(active, count, p):
    """Sort the active contacts by system, starting with the first."""
    first, second = p.contacts.first, p.contacts.second
    k = 0
    while k < count and active[k] < first.active.size:
        first.active[k] = active[k]
        k += 1
    for c in range(k, count):
        second.active[c - k] = active[c] - first.active.size
    first.size[0], second.size[0] = k, count - k


@kernel(inner=True)
def _take(own, begin, count, values, found):
    """Copy the values of one system, whose first contact is ``begin``, from those of all active contacts, (2
    count,).
    """
    k = own.size[0]
    for c in range(k):
        found[c], found[k + c] = values[begin + c], values[count + begin + c]


@kernel(inner=True)
def _put(own, begin, count, found, values):
    """Copy the values of one system back to those of all active contacts."""
    k = own.size[0]
    for c in range(k):
        values[begin + c], values[count + begin + c] = found[c], found[k + c]


@kernel(inner=True)
def _spread_speeds(own, begin, n, speed):
    """Copy the speeds of the active contacts of one system, whose first contact is ``begin``, to those of all n
    contacts.
    """
    size = own.active.size
    for c in range(own.size[0]):
        i = own.active[c]
        speed[begin + i], speed[n + begin + i] = own.speed[i], own.speed[size + i]


@kernel(inner=True)
def _spread_block(own, begin, count, matrix):
    """Copy the matrix of one system into the matrix of all active contacts."""
    k = own.size[0]
    for a in range(2 * k):
        row = begin + a if a < k else count + begin + a - k
        for b in range(2 * k):
            matrix[row, begin + b if b < k else count + begin + b - k] = own.matrix[a, b]


def joined_contacts(first: Kernels, second: Kernels, part: Kernel, release: Any) -> RigidKernels | None:
    """Return the combined kernels of both systems; None if neither has rigid contacts. part(y, p): writes the states of
    both into p.y1 and p.y2; release: the kernel ``release`` of both systems with the shaft.
    """
    if first.rigid is None and second.rigid is None:
        return None
    one, other = first.rigid or without_contacts(first.rhs), second.rigid or without_contacts(second.rhs)

    @kernel
    def soften(change, p):
        """See contract/rigid.py."""
        one.soften(change[: p.v1], p.first)
        other.soften(change[p.v1 :], p.second)

    @kernel
    def gaps(gap, opening, p):
        """See contract/rigid.py."""
        n = p.contacts.first.active.size
        fastest = one.gaps(gap[:n], opening[:n], p.first)
        return max(fastest, other.gaps(gap[n:], opening[n:], p.second))

    @kernel
    def speeds(y, later, active, count, speed, p):
        """See contract/rigid.py."""
        part(y, p)
        _sort(active, count, p)
        a, b = p.contacts.first, p.contacts.second
        one.speeds(p.y1, later, a.active, a.size[0], a.speed, p.first)
        other.speeds(p.y2, later, b.active, b.size[0], b.speed, p.second)
        n = a.active.size + b.active.size
        _spread_speeds(a, 0, n, speed)
        _spread_speeds(b, a.active.size, n, speed)

    @kernel
    def inverse_inertia(y, active, count, matrix, p):
        """See contract/rigid.py."""
        part(y, p)
        _sort(active, count, p)
        a, b = p.contacts.first, p.contacts.second
        one.inverse_inertia(p.y1, a.active, a.size[0], a.matrix, p.first)
        other.inverse_inertia(p.y2, b.active, b.size[0], b.matrix, p.second)
        for i in range(2 * count):
            for j in range(2 * count):
                matrix[i, j] = 0.0
        _spread_block(a, 0, count, matrix)
        _spread_block(b, a.size[0], count, matrix)

    @kernel
    def respond(count, impulse, change, p):
        """See contract/rigid.py."""
        a, b = p.contacts.first, p.contacts.second
        _take(a, 0, count, impulse, a.impulse)
        _take(b, a.size[0], count, impulse, b.impulse)
        one.respond(a.size[0], a.impulse, change[: p.v1], p.first)
        other.respond(b.size[0], b.impulse, change[p.v1 :], p.second)

    @kernel
    def give(active, count, force, p):
        """See contract/rigid.py."""
        _sort(active, count, p)
        a, b = p.contacts.first, p.contacts.second
        _take(a, 0, count, force, a.impulse)
        _take(b, a.size[0], count, force, b.impulse)
        one.give(a.active, a.size[0], a.impulse, p.first)
        other.give(b.active, b.size[0], b.impulse, p.second)

    @kernel
    def press(contact, gap, opening, speed, h, p):
        """See contract/rigid.py."""
        n = p.contacts.first.active.size
        if contact < n:
            return one.press(contact, gap, opening, speed, h, p.first)
        return other.press(contact - n, gap, opening, speed, h, p.second)

    relax = _relaxing(first, second, part)
    return RigidKernels(release, soften, gaps, speeds, inverse_inertia, respond, give, press, relax)


def _relaxing(first: Kernels, second: Kernels, part: Kernel) -> Kernel | None:
    """Return the kernel ``relax``: sweeps of one system, then of the other; None if either has contacts but no such
    kernel.
    """
    one, other = (None if each.rigid is None else each.rigid.relax for each in (first, second))
    if (first.rigid is not None and one is None) or (second.rigid is not None and other is None):
        return None
    if first.rigid is None or second.rigid is None:
        return _relaxing_one(one, True) if second.rigid is None else _relaxing_one(other, False)

    @kernel
    def relax(y, active, count, vector, friction, compliance, impulse, motion, most, tolerance, scratch, p):
        """See contract/rigid.py."""
        part(y, p)
        _sort(active, count, p)
        a, b = p.contacts.first, p.contacts.second
        k = a.size[0]
        for own, begin in ((a, 0), (b, k)):
            _take(own, begin, count, vector, own.vector)
            _take(own, begin, count, impulse, own.impulse)
            for c in range(own.size[0]):
                own.friction[c], own.compliance[c] = friction[begin + c], compliance[begin + c]
        m, e, w = most, tolerance, scratch.first
        sweeps, change = one(
            p.y1, a.active, k, a.vector, a.friction, a.compliance, a.impulse, a.motion, m, e, w, p.first
        )
        w, rest = scratch.second, b.size[0]
        more, last = other(
            p.y2, b.active, rest, b.vector, b.friction, b.compliance, b.impulse, b.motion, m, e, w, p.second
        )
        for own, begin in ((a, 0), (b, k)):
            _put(own, begin, count, own.impulse, impulse)
            _put(own, begin, count, own.motion, motion)
        return max(sweeps, more), max(change, last)

    return relax


def _relaxing_one(sweep: Any, first: bool) -> Kernel:
    """Return the kernel ``relax`` for the case that only one of the systems has contacts."""

    @kernel
    def relax(y, active, count, vector, friction, compliance, impulse, motion, most, tolerance, scratch, p):
        """See contract/rigid.py."""
        _sort(active, count, p)
        v, f, e, i, m = vector, friction, compliance, impulse, motion
        if first:
            return sweep(p.y1, active, count, v, f, e, i, m, most, tolerance, scratch, p.first)
        return sweep(p.y2, active, count, v, f, e, i, m, most, tolerance, scratch, p.second)

    return relax


def without_contacts(rhs: Kernel) -> RigidKernels:
    """Return the kernels of a system without rigid contacts, such as a rotor."""

    @kernel
    def release(t, y, dy, h, p):
        """See contract/rigid.py."""
        rhs(t, y, dy, p)

    return RigidKernels(
        release, _nothing_to_soften, _no_gaps, _no_speeds, _no_inertia, _no_response, _no_forces, _no_springs
    )


@kernel
def _nothing_to_soften(change, p):
    """See contract/rigid.py."""


@kernel
def _no_gaps(gap, opening, p):
    """See contract/rigid.py."""
    return 0.0


@kernel
def _no_speeds(y, later, active, count, speed, p):
    """See contract/rigid.py."""


@kernel
def _no_inertia(y, active, count, matrix, p):
    """See contract/rigid.py."""


@kernel
def _no_response(count, impulse, change, p):
    """See contract/rigid.py."""
    for j in range(change.size):
        change[j] = 0.0


@kernel
def _no_forces(active, count, force, p):
    """See contract/rigid.py."""


@kernel
def _no_springs(contact, gap, opening, speed, h, p):
    """See contract/rigid.py."""
    return 0.0, 0.0


def held_contacts(within: RigidKernels, hold: Kernel) -> RigidKernels:
    """Return the kernels of systems with rigid shafts between them, which call the kernels of the systems side by side.

    hold(y, dy, p): adds the effect of the shafts to derivatives.
    """

    @kernel
    def release(t, y, dy, h, p):
        """See contract/rigid.py."""
        within.release(t, y, dy, h, p.within)
        hold(y, dy, p)

    @kernel
    def soften(change, p):
        """See contract/rigid.py; shafts only turn wheels, and no spring acts on wheels."""
        within.soften(change, p.within)

    @kernel
    def gaps(gap, opening, p):
        """See contract/rigid.py."""
        return within.gaps(gap, opening, p.within)

    @kernel
    def speeds(y, later, active, count, speed, p):
        """See contract/rigid.py."""
        within.speeds(y, later, active, count, speed, p.within)

    @kernel
    def inverse_inertia(y, active, count, matrix, p):
        """See contract/rigid.py."""
        within.inverse_inertia(y, active, count, matrix, p.within)
        copy_into(p.moved, y)
        within.speeds(p.moved, 0.0, active, count, p.speed, p.within)
        shafts, n = p.ratio.size, p.speed.size // 2
        for k in range(shafts):
            for r in range(2 * count):
                p.by_shaft[k, r] = -p.speed[active[r] if r < count else n + active[r - count]]
        for k in range(shafts):
            before, behind = p.shaft.before[k], p.shaft.behind[k]
            p.moved[p.wheel.speed[before]] += p.ratio[k] * p.compliance[before]
            p.moved[p.wheel.speed[behind]] -= p.compliance[behind]
            within.speeds(p.moved, 0.0, active, count, p.speed, p.within)
            copy_into(p.moved, y)
            for r in range(2 * count):
                p.by_shaft[k, r] += p.speed[active[r] if r < count else n + active[r - count]]
        for i in range(shafts):
            for k in range(shafts):
                for a in range(2 * count):
                    through = p.inverse[i, k] * p.by_shaft[i, a]
                    for b in range(2 * count):
                        matrix[a, b] -= through * p.by_shaft[k, b]

    @kernel
    def respond(count, impulse, change, p):
        """See contract/rigid.py."""
        within.respond(count, impulse, change, p.within)
        for j in range(p.on_wheel.size):
            p.on_wheel[j] = 0.0
        for k in range(p.ratio.size):
            for i in range(p.ratio.size):
                before = p.wheel.speed[p.shaft.before[i]] - p.positions
                behind = p.wheel.speed[p.shaft.behind[i]] - p.positions
                through = p.inverse[k, i] * (p.ratio[i] * change[before] - change[behind])
                p.on_wheel[p.shaft.before[k]] -= p.ratio[k] * through
                p.on_wheel[p.shaft.behind[k]] += through
        for j in range(p.on_wheel.size):
            change[p.wheel.speed[j] - p.positions] += p.on_wheel[j] * p.compliance[j]

    @kernel
    def give(active, count, force, p):
        """See contract/rigid.py."""
        within.give(active, count, force, p.within)

    @kernel
    def press(contact, gap, opening, speed, h, p):
        """See contract/rigid.py."""
        return within.press(contact, gap, opening, speed, h, p.within)

    return RigidKernels(release, soften, gaps, speeds, inverse_inertia, respond, give, press)
