"""Projected Gauss-Seidel along a chain of rollers: sweeps over rigid contacts without the matrix between them.

Impulses on a roller reach others through the links, and through what carries its surface. With the factors of A, the
matrix of the links (rigid.py): T = L diag(pivot) L^T of all links but the last, whose border is b,

    A^-1 = T^-1 + z z^T / pivot_last,  z = (-b, 1),      (T^-1)_ij = (-factor_i+1) ... (-factor_j) (T^-1)_jj,  i < j.

What passes from link to link is a product of factors. So two numbers at each roller say what all others do to its
links: what comes along the chain from those before it, and from those behind. A sweep has linear cost; sweeps go
forwards and backwards in turn, and each leaves the numbers that the next one needs. They converge to what
``complementarity/gauss_seidel.py`` finds with the matrix.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from chaindrive.formulations.planar.rigid import (
    Carried,
    carried_of,
    find_coupled,
    push_surface,
    speed_of_surface,
    yield_of_surface,
)
from chaindrive.kernels import fill, kernel
from chaindrive.kernels.tables import Reals, Wholes, blank

__all__ = ["Sweeps", "relax", "sweeps_of"]

RELAXATION = 1.15
"""Over-relaxation: sweeps are fewer than with 1 where steps are long, and not more where they are short. [-]"""


class Directions(NamedTuple):
    """Directions of active contacts, (2 most,) each."""

    before: Reals
    behind: Reals
    """rates at which the links before and behind the roller lengthen by a unit impulse [1/kg]"""
    by_before: Reals
    by_behind: Reals
    """impulses of these links that resist [-]"""
    border: Reals
    """rate at the border of the links [1/kg]"""
    yields: Reals
    """speed by a unit impulse, its own [1/kg]"""
    inertia: Reals
    """the inverse [kg]"""
    size: Reals
    """the square root of this"""


class Met(NamedTuple):
    """Rollers with active contacts, along the chain, (N,) each; "before" and "behind": their links."""

    first: Wholes
    end: Wholes
    """of the contacts in ``Sweeps.contact``"""
    roller: Wholes
    yields_before: Reals
    yields_behind: Reals
    """(T^-1) of these links, 0 of the last link of the chain [kg]"""
    hop: Reals
    """factor from one of them to the other [-]"""
    leap: Reals
    """factor from the link behind to that before the next of these rollers [-]"""
    border_before: Reals
    border_behind: Reals
    """z of these links [-]"""
    left: Reals
    """rate that comes from rollers before, at the link before [m/s]"""
    right: Reals
    """impulse that comes from rollers behind, at the link behind [N s]"""
    before: Reals
    behind: Reals
    """rates at which its own contacts lengthen its links [m/s]"""
    x: Reals
    y: Reals
    """velocity by these contacts, without the links [m/s]"""


class Sweeps(NamedTuple):
    """Scratch of :func:`relax`."""

    direction: Directions
    met: Met
    contact: Wholes
    """active contacts in the order of their rollers, (most,)"""
    across: Reals
    """speed of each active contact in one of its directions by a unit impulse in the other, (most,) [1/kg]"""
    at_roller: Wholes
    """(N + 1,)"""
    yields: Reals
    """(T^-1) of each link, (N,) [kg]"""
    at_border: Reals
    """z of all rates, (1,) [m/s]"""
    carried: Carried


def sweeps_of(rollers: int, surfaces: int, most: int) -> Sweeps:
    """Scratch for up to so many active contacts."""
    return Sweeps(
        direction=blank(Directions, 2 * most),
        met=blank(Met, rollers),
        contact=np.zeros(most, np.int64),
        across=np.zeros(most),
        at_roller=np.zeros(rollers + 1, np.int64),
        yields=np.zeros(rollers),
        at_border=np.zeros(1),
        carried=carried_of(surfaces),
    )


@kernel(inner=True)
def relax(count, vector, friction, impulse, motion, most, tolerance, w, p):
    """See ``planar.rigid.RigidChain``."""
    rollers = _sort(count, w, p)
    _describe_links(rollers, w, p)
    find_coupled(w.carried, p.planar)
    _describe_directions(rollers, count, w, p)
    _begin(rollers, count, impulse, w, p)
    size = 0.0
    for a in range(2 * count):
        size = max(size, abs(vector[a]) * w.direction.size[a])
    sweeps, change = 0, math.inf
    while not change <= tolerance * size and sweeps < most:
        change = 0.0
        for place in range(rollers):
            r = place if sweeps % 2 == 0 else rollers - 1 - place
            if sweeps % 2 == 0:
                _come_from_before(r, w)
            else:
                _come_from_behind(r, rollers, w)
            change = max(change, _project(r, count, vector, friction, impulse, motion, w, p))
        sweeps += 1
    return sweeps, (change / size if size > 0.0 else 0.0)


@kernel(inner=True)
def _sort(count, w, p):
    """Contacts in the order of their rollers; how many rollers have any."""
    start, of = w.at_roller, p.planar.meeting.roller
    for i in range(start.size):
        start[i] = 0
    for c in range(count):
        start[of[c] + 1] += 1
    rollers = 0
    for i in range(p.links):
        if start[i + 1] > 0:
            w.met.roller[rollers], w.met.first[rollers] = i, start[i]
            w.met.end[rollers] = start[i] + start[i + 1]
            rollers += 1
        start[i + 1] += start[i]
    for c in range(count):
        w.contact[start[of[c]]] = c
        start[of[c]] += 1
    return rollers


@kernel(inner=True)
def _describe_links(rollers, w, p):
    """What the links of these rollers pass on."""
    row, last, yields, met = p.implicit, p.links - 1, w.yields, w.met
    yields[last] = 0.0
    yields[last - 1] = 1.0 / row.pivot[last - 1]
    for i in range(last - 2, -1, -1):
        yields[i] = 1.0 / row.pivot[i] + row.factor[i + 1] * row.factor[i + 1] * yields[i + 1]
    for r in range(rollers):
        behind = met.roller[r]
        before = behind - 1 if behind > 0 else last
        met.yields_before[r], met.yields_behind[r] = yields[before], yields[behind]
        met.hop[r] = -row.factor[behind] if 0 < behind < last else 0.0
        met.border_before[r] = 1.0 if before == last else -row.border[before]
        met.border_behind[r] = 1.0 if behind == last else -row.border[behind]
        leap = 1.0
        for i in range(behind + 1, met.roller[r + 1] if r + 1 < rollers else 0):
            leap *= -row.factor[i]
        met.leap[r] = leap


@kernel(inner=True)
def _describe_directions(rollers, count, w, p):
    """How the links resist in every direction, and what an impulse meets there."""
    met, way, meeting, link = w.met, w.direction, p.planar.meeting, p.link
    by_border = 1.0 / p.implicit.pivot[p.links - 1]
    for r in range(rollers):
        i = met.roller[r]
        before, mass = i - 1 if i > 0 else p.links - 1, p.implicit.mass[i]
        ahead, back = met.border_before[r], met.border_behind[r]
        both = met.hop[r] * met.yields_behind[r] + ahead * by_border * back
        first = met.yields_before[r] + ahead * by_border * ahead
        second = met.yields_behind[r] + back * by_border * back
        for k in range(met.first[r], met.end[r]):
            c, t = w.contact[k], count + w.contact[k]
            for a in (c, t):
                dx, dy = meeting.x[a], meeting.y[a]
                f1 = (link.x[before] * dx + link.y[before] * dy) / mass
                f2 = -(link.x[i] * dx + link.y[i] * dy) / mass
                way.before[a], way.behind[a] = f1, f2
                way.by_before[a], way.by_behind[a] = first * f1 + both * f2, both * f1 + second * f2
                way.border[a] = ahead * f1 + back * f2
                yields = 1.0 / mass - f1 * way.by_before[a] - f2 * way.by_behind[a]
                way.yields[a] = yields + yield_of_surface(a, a, p.planar)
                way.inertia[a] = 1.0 / way.yields[a]
                way.size[a] = math.sqrt(way.inertia[a])
            resist = way.before[t] * way.by_before[c] + way.behind[t] * way.by_behind[c]
            w.across[c] = yield_of_surface(t, c, p.planar) - resist


@kernel(inner=True)
def _begin(rollers, count, impulse, w, p):
    """What the impulses do that sweeps begin with."""
    met, way, meeting = w.met, w.direction, p.planar.meeting
    w.at_border[0] = 0.0
    fill(w.carried.x, 0.0)
    fill(w.carried.y, 0.0)
    fill(w.carried.turn, 0.0)
    for r in range(rollers):
        mass = p.implicit.mass[met.roller[r]]
        met.before[r] = met.behind[r] = met.x[r] = met.y[r] = 0.0
        for k in range(met.first[r], met.end[r]):
            c, t = w.contact[k], count + w.contact[k]
            push, rub = impulse[c], impulse[t]
            met.before[r] += way.before[c] * push + way.before[t] * rub
            met.behind[r] += way.behind[c] * push + way.behind[t] * rub
            met.x[r] += (meeting.x[c] * push + meeting.x[t] * rub) / mass
            met.y[r] += (meeting.y[c] * push + meeting.y[t] * rub) / mass
            w.at_border[0] += way.border[c] * push + way.border[t] * rub
            push_surface(c, push, t, rub, w.carried, p.planar)
    for r in range(rollers - 1, -1, -1):
        _come_from_behind(r, rollers, w)


@kernel(inner=True)
def _come_from_before(r, w):
    """What the rollers before one do to the link before it."""
    met, q = w.met, r - 1
    met.left[r] = met.leap[q] * (met.hop[q] * (met.left[q] + met.before[q]) + met.behind[q]) if r > 0 else 0.0


@kernel(inner=True)
def _come_from_behind(r, rollers, w):
    """What the rollers behind one do to the link behind it."""
    met, q = w.met, r + 1
    if q == rollers:
        met.right[r] = 0.0
        return
    behind = met.yields_behind[q] * met.behind[q] + met.right[q]
    met.right[r] = met.leap[r] * (met.yields_before[q] * met.before[q] + met.hop[q] * behind)


@kernel(inner=True)
def _project(r, count, vector, friction, impulse, motion, w, p):
    """A projected step of all contacts of a roller; the largest change, with the root of the inertia."""
    met, way, meeting = w.met, w.direction, p.planar.meeting
    mass, by_border = p.implicit.mass[met.roller[r]], 1.0 / p.implicit.pivot[p.links - 1]
    border = by_border * w.at_border[0]
    arriving = met.left[r] + met.before[r]
    before = met.yields_before[r] * arriving + met.border_before[r] * border
    before += met.hop[r] * (met.yields_behind[r] * met.behind[r] + met.right[r])
    behind = met.yields_behind[r] * (met.hop[r] * arriving + met.behind[r]) + met.right[r]
    behind += met.border_behind[r] * border
    vx, vy, largest = met.x[r], met.y[r], 0.0
    for k in range(met.first[r], met.end[r]):
        c, t = w.contact[k], count + w.contact[k]
        speed = vector[c] + meeting.x[c] * vx + meeting.y[c] * vy - way.before[c] * before - way.behind[c] * behind
        slip = vector[t] + meeting.x[t] * vx + meeting.y[t] * vy - way.before[t] * before - way.behind[t] * behind
        speed += speed_of_surface(c, w.carried, p.planar)
        slip += speed_of_surface(t, w.carried, p.planar)
        push = max(impulse[c] - RELAXATION * speed * way.inertia[c], 0.0) - impulse[c]
        impulse[c] += push
        slip += w.across[c] * push
        limit = friction[c] * impulse[c]
        rub = min(max(impulse[t] - RELAXATION * slip * way.inertia[t], -limit), limit) - impulse[t]
        impulse[t] += rub
        motion[c] = speed + way.yields[c] * push + w.across[c] * rub
        motion[t] = slip + way.yields[t] * rub
        if push != 0.0 or rub != 0.0:
            before += way.by_before[c] * push + way.by_before[t] * rub
            behind += way.by_behind[c] * push + way.by_behind[t] * rub
            vx += (meeting.x[c] * push + meeting.x[t] * rub) / mass
            vy += (meeting.y[c] * push + meeting.y[t] * rub) / mass
            met.before[r] += way.before[c] * push + way.before[t] * rub
            met.behind[r] += way.behind[c] * push + way.behind[t] * rub
            w.at_border[0] += way.border[c] * push + way.border[t] * rub
            push_surface(c, push, t, rub, w.carried, p.planar)
            largest = max(largest, max(abs(push) / way.size[c], abs(rub) / way.size[t]))
    met.x[r], met.y[r] = vx, vy
    return largest
