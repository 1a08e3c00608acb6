"""Projected Gauss-Seidel along a chain of rollers: sweeps over rigid contacts without their coupling matrix.

Impulses on a roller reach others through the links, and through the part that carries its surface. The factors of A,
the matrix of the links (rigid.py), are used. With the matrix T = L diag(pivot) L^T of all links except the last, and
the border b of the last link,

    A^-1 = T^-1 + z z^T / pivot_last,  z = (-b, 1),      (T^-1)_ij = (-factor_i+1) ... (-factor_j) (T^-1)_jj,  i < j.

Effects are transmitted from link to link by a product of factors. Two numbers at each roller therefore describe the
effect of all other rollers on its links: one for the rollers before it along the chain, and one for the rollers after
it. A sweep has linear cost. All sweeps go forwards: if they alternated with backward sweeps, over-relaxation would gain
nothing (Young, Iterative Solution of Large Linear Systems, 1971). The sweeps converge to the solution that
``complementarity/gauss_seidel.py`` finds with the matrix.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from chaindrive.formulations.planar.rigid import Carried, carried_of, find_coupled, push_surface, yield_of_surface
from chaindrive.kernels import fill, index, kernel
from chaindrive.kernels.tables import Reals, Wholes, blank

__all__ = ["Sweeps", "relax", "sweeps_of"]

RELAXATION = 1.2
"""Over-relaxation factor. It is useful because contacts of a row of rollers, especially sticking ones, pass on half of
the impulses that reach them. [-]"""


class Touching(NamedTuple):
    """Active contacts in the order of their rollers, (most,) each: the normal is (x, y), friction acts
    along (-y, x).
    """

    number: Wholes
    """number of the contact among the active contacts"""
    surface: Wholes
    x: Reals
    y: Reals
    lever: Reals
    friction_lever: Reals
    """lever arms of both directions on the surface [m]"""
    compliance: Reals
    """speed due to a unit normal impulse of a spring in the contact, 0 for a rigid contact [1/kg]"""
    yields: Reals
    slips: Reals
    """speed in each direction due to a unit impulse in the same direction, including that spring [1/kg]"""
    across: Reals
    """speed in one direction due to a unit impulse in the other direction [1/kg]"""
    inertia: Reals
    friction_inertia: Reals
    """inverse of these speeds in the same direction, times the over-relaxation factor [kg]"""
    shared: Reals
    """friction impulse per unit normal impulse [-]"""
    arrives: Reals
    friction_arrives: Reals
    """speed in each direction due to a unit rate from previous rollers [-]"""
    leaves: Reals
    friction_leaves: Reals
    """rate due to a unit impulse, at the link before the next roller with contacts [1/kg]"""
    at_border: Reals
    friction_at_border: Reals
    """rate at the last link due to a unit impulse, divided by the root of the pivot of that link [1/kg^(1/2)]"""
    turns: Reals
    friction_turns: Reals
    """angular velocity of a surface that only turns, due to a unit impulse [rad/s/(N s)]"""
    root: Reals
    friction_root: Reals
    """square roots of ``yields`` and ``slips``, by which impulses are multiplied for comparison [1/kg^(1/2)]"""
    approach: Reals
    slide: Reals
    """speeds without the unknown impulses [m/s]"""
    friction: Reals
    """[-]"""
    push: Reals
    rub: Reals
    """impulses [N s]"""
    speed: Reals
    slip: Reals
    """speeds with these impulses [m/s]"""


class Met(NamedTuple):
    """Rollers with active contacts, along the chain, (N,) each; "before" and "behind" denote the links before and after
    them.
    """

    first: Wholes
    end: Wholes
    """indices in ``Touching`` of the first contact of the roller, and after its last one"""
    roller: Wholes
    yields_before: Reals
    yields_behind: Reals
    """diagonal entry of T^-1 for these links, 0 for the last link of the chain [kg]"""
    hop: Reals
    """factor from one of these links to the other [-]"""
    leap: Reals
    """factor from the link behind to the link before the next roller with contacts [-]"""
    border_before: Reals
    border_behind: Reals
    """entries of z for the links before and behind [-]"""
    before_x: Reals
    before_y: Reals
    behind_x: Reals
    behind_y: Reals
    """rates at which the links lengthen due to a unit impulse on the roller [1/kg]"""
    free: Reals
    """velocity due to a unit impulse without the links [1/kg]"""
    xx: Reals
    xy: Reals
    yy: Reals
    """the same velocity with the links"""
    right: Reals
    """impulse from the rollers behind, at the link behind [N s]"""
    before: Reals
    behind: Reals
    """rates at which the contacts of the roller lengthen its links [m/s]"""
    x: Reals
    y: Reals
    """impulse of these contacts [N s]"""


class Sweeps(NamedTuple):
    """Scratch arrays of :func:`relax`."""

    touching: Touching
    met: Met
    at_roller: Wholes
    """(N + 1,)"""
    yields: Reals
    """(T^-1) of each link: its diagonal entry, (N,) [kg]"""
    carried: Carried


def sweeps_of(rollers: int, surfaces: int, most: int) -> Sweeps:
    """Return scratch arrays for up to this many active contacts."""
    return Sweeps(
        touching=blank(Touching, most),
        met=blank(Met, rollers),
        at_roller=np.zeros(rollers + 1, np.int64),
        yields=np.zeros(rollers),
        carried=carried_of(surfaces),
    )


@kernel(inner=True)
def relax(count, vector, friction, compliance, impulse, motion, most, tolerance, w, p):
    """See ``planar.rigid.RigidChain``."""
    rollers = index(_sort(count, w, p))
    _describe_links(rollers, w, p)
    find_coupled(w.carried, p.planar)
    size = _describe_contacts(rollers, count, vector, friction, compliance, impulse, w, p)
    border = _begin(rollers, w, p)
    sweeps, change = 0, math.inf
    while not change <= tolerance * size and sweeps < most:
        change = left = 0.0
        _come_from_behind(rollers, w)
        for r in range(rollers):
            largest, left, border = _project(r, left, border, w, p)
            change = max(change, largest)
        sweeps += 1
    touch = w.touching
    for k in range(count):
        c = touch.number[k]
        impulse[c], impulse[count + c] = touch.push[k], touch.rub[k]
        motion[c], motion[count + c] = touch.speed[k], touch.slip[k]
    return sweeps, (change / size if size > 0.0 else 0.0)


@kernel(inner=True)
def _sort(count, w, p):
    """Sort the contacts in the order of their rollers; return the number of rollers with contacts."""
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
        w.touching.number[start[of[c]]] = c
        start[of[c]] += 1
    return rollers


@kernel(inner=True)
def _describe_links(rollers, w, p):
    """Compute the factors by which the links of these rollers transmit effects, and the mobility of the rollers with
    these links.
    """
    row, last, yields, met, link = p.implicit, p.links - 1, w.yields, w.met, p.link
    yields[last] = 0.0
    yields[last - 1] = 1.0 / row.pivot[last - 1]
    for i in range(last - 2, -1, -1):
        yields[i] = 1.0 / row.pivot[i] + row.factor[i + 1] * row.factor[i + 1] * yields[i + 1]
    by_border = 1.0 / row.pivot[last]
    for r in range(rollers):
        behind = met.roller[r]
        before = behind - 1 if behind > 0 else last
        hop = -row.factor[behind] if 0 < behind < last else 0.0
        ahead = 1.0 if before == last else -row.border[before]
        back = 1.0 if behind == last else -row.border[behind]
        met.yields_before[r], met.yields_behind[r], met.hop[r] = yields[before], yields[behind], hop
        met.border_before[r], met.border_behind[r] = ahead, back
        leap = 1.0
        for i in range(behind + 1, met.roller[r + 1] if r + 1 < rollers else 0):
            leap *= -row.factor[i]
        met.leap[r] = leap
        free = 1.0 / row.mass[behind]
        ax, ay = free * link.x[before], free * link.y[before]
        bx, by = -free * link.x[behind], -free * link.y[behind]
        both = hop * yields[behind] + ahead * by_border * back
        first, second = yields[before] + ahead * by_border * ahead, yields[behind] + back * by_border * back
        met.before_x[r], met.before_y[r], met.behind_x[r], met.behind_y[r], met.free[r] = ax, ay, bx, by, free
        met.xx[r] = free - ax * (first * ax + both * bx) - bx * (both * ax + second * bx)
        met.xy[r] = -ax * (first * ay + both * by) - bx * (both * ay + second * by)
        met.yy[r] = free - ay * (first * ay + both * by) - by * (both * ay + second * by)


@kernel(inner=True)
def _describe_contacts(rollers, count, vector, friction, compliance, impulse, w, p):
    """Set the contacts of these rollers and their response to impulses.

    Return the largest speed times the square root of the inertia.
    """
    met, touch, meeting, size = w.met, w.touching, p.planar.meeting, 0.0
    scale = 1.0 / math.sqrt(p.implicit.pivot[p.links - 1])
    for r in range(rollers):
        xx, xy, yy, hop = met.xx[r], met.xy[r], met.yy[r], met.hop[r]
        first, second = met.yields_before[r], hop * met.yields_behind[r]
        for k in range(index(met.first[r]), index(met.end[r])):
            c = index(touch.number[k])
            t = c + index(count)
            x, y = meeting.x[c], meeting.y[c]
            touch.surface[k], touch.x[k], touch.y[k] = meeting.surface[c], x, y
            touch.lever[k], touch.friction_lever[k] = meeting.lever[c], meeting.lever[t]
            yields, slips = xx * x * x + 2.0 * xy * x * y + yy * y * y, xx * y * y - 2.0 * xy * x * y + yy * x * x
            across, turns = (yy - xx) * x * y + xy * (x * x - y * y), w.carried.turns[meeting.surface[c]]
            if turns > 0.0:
                yields += turns * meeting.lever[c] * meeting.lever[c]
                slips += turns * meeting.lever[t] * meeting.lever[t]
                across += turns * meeting.lever[c] * meeting.lever[t]
            elif w.carried.couples[meeting.surface[c]] > 0:
                yields += yield_of_surface(c, c, p.planar)
                slips += yield_of_surface(t, t, p.planar)
                across += yield_of_surface(t, c, p.planar)
            touch.across[k], touch.compliance[k] = across, compliance[c]
            yields += compliance[c]
            touch.yields[k], touch.slips[k] = yields, slips
            touch.inertia[k], touch.friction_inertia[k] = RELAXATION / yields, RELAXATION / slips
            touch.shared[k] = across * touch.friction_inertia[k]
            touch.turns[k], touch.friction_turns[k] = turns * meeting.lever[c], turns * meeting.lever[t]
            before, behind = met.before_x[r] * x + met.before_y[r] * y, met.behind_x[r] * x + met.behind_y[r] * y
            along, back = met.before_y[r] * x - met.before_x[r] * y, met.behind_y[r] * x - met.behind_x[r] * y
            touch.arrives[k] = -(first * before + second * behind)
            touch.friction_arrives[k] = -(first * along + second * back)
            touch.leaves[k] = met.leap[r] * (hop * before + behind)
            touch.friction_leaves[k] = met.leap[r] * (hop * along + back)
            touch.at_border[k] = scale * (met.border_before[r] * before + met.border_behind[r] * behind)
            touch.friction_at_border[k] = scale * (met.border_before[r] * along + met.border_behind[r] * back)
            touch.root[k], touch.friction_root[k] = math.sqrt(yields), math.sqrt(slips)
            touch.approach[k], touch.slide[k], touch.friction[k] = vector[c], vector[t], friction[c]
            touch.push[k], touch.rub[k] = impulse[c], impulse[t]
            size = max(size, max(abs(vector[c]) / touch.root[k], abs(vector[t]) / touch.friction_root[k]))
    return size


@kernel(inner=True)
def _begin(rollers, w, p):
    """Apply the initial impulses of the sweeps; return the rate at the last link, divided by the root of its pivot."""
    met, touch, border = w.met, w.touching, 0.0
    fill(w.carried.x, 0.0)
    fill(w.carried.y, 0.0)
    fill(w.carried.turn, 0.0)
    for r in range(rollers):
        met.before[r] = met.behind[r] = met.x[r] = met.y[r] = 0.0
        x, y = 0.0, 0.0
        for k in range(index(met.first[r]), index(met.end[r])):
            push, rub = touch.push[k], touch.rub[k]
            jx, jy = touch.x[k] * push - touch.y[k] * rub, touch.y[k] * push + touch.x[k] * rub
            x, y = x + jx, y + jy
            border += touch.at_border[k] * push + touch.friction_at_border[k] * rub
            _push_surface(k, jx, jy, push, rub, w, p)
        _push_roller(r, x, y, w)
    return border


@kernel(inner=True)
def _push_surface(k, x, y, push, rub, w, p):
    """Apply an impulse to the surface of contact k, opposite to the impulse on the roller."""
    touch, carried, s = w.touching, w.carried, index(w.touching.surface[k])
    carried.turn[s] += touch.turns[k] * push + touch.friction_turns[k] * rub
    if carried.couples[s] > 0:
        push_surface(s, -x, -y, touch.lever[k] * push + touch.friction_lever[k] * rub, carried, p.planar)


@kernel(inner=True)
def _push_roller(r, x, y, w):
    """Apply an impulse to roller r."""
    met = w.met
    met.x[r] += x
    met.y[r] += y
    met.before[r] += met.before_x[r] * x + met.before_y[r] * y
    met.behind[r] += met.behind_x[r] * x + met.behind_y[r] * y


@kernel(inner=True)
def _come_from_behind(rollers, w):
    """Compute the effect of the rollers behind each roller on the link behind it."""
    met, right = w.met, 0.0
    for after in range(rollers):
        r = rollers - index(1) - after
        met.right[r] = right
        own = met.yields_before[r] * met.before[r] + met.hop[r] * met.yields_behind[r] * met.behind[r]
        right = (own + met.hop[r] * right) * (met.leap[r - 1] if r > 0 else 0.0)


@kernel(inner=True)
def _project(r, left, border, w, p):
    """Take a projected step over all contacts of a roller.

    left: rate at the link before the roller, due to the rollers before it; border: rate at the last link, divided by
    the root of its pivot. Return the largest change, times the root of the inertia, and both rates for the next
    roller. Terms that depend on left and border come last in every sum, so that the sweep does not wait for other
    results.
    """
    met, touch, carried, border_next, largest = w.met, w.touching, w.carried, border, 0.0
    hop, before, behind = met.hop[r], met.before[r], met.behind[r]
    beyond = met.yields_behind[r] * behind + met.right[r]
    at_before = met.yields_before[r] * before + hop * beyond
    at_behind = met.yields_behind[r] * hop * before + beyond
    vx = met.free[r] * met.x[r] - met.before_x[r] * at_before - met.behind_x[r] * at_behind
    vy = met.free[r] * met.y[r] - met.before_y[r] * at_before - met.behind_y[r] * at_behind
    left_next = met.leap[r] * (hop * (left + before) + behind)
    xx, xy, yy, pushed_x, pushed_y = met.xx[r], met.xy[r], met.yy[r], 0.0, 0.0
    for k in range(index(met.first[r]), index(met.end[r])):
        s, x, y = index(touch.surface[k]), touch.x[k], touch.y[k]
        ux, uy, turn = vx - carried.x[s], vy - carried.y[s], carried.turn[s]
        speed = touch.approach[k] + touch.compliance[k] * touch.push[k] + x * ux + y * uy + touch.lever[k] * turn
        speed -= touch.at_border[k] * border
        speed += touch.arrives[k] * left
        slip = touch.slide[k] + x * uy - y * ux + touch.friction_lever[k] * turn
        slip -= touch.friction_at_border[k] * border
        slip += touch.friction_arrives[k] * left
        was, rubbed = touch.push[k], touch.rub[k]
        now = max(was - speed * touch.inertia[k], 0.0)
        push, limit = now - was, touch.friction[k] * now
        holding = rubbed - slip * touch.friction_inertia[k] - touch.shared[k] * push
        rub = min(max(holding, -limit), limit) - rubbed
        touch.push[k], touch.rub[k] = now, rubbed + rub
        touch.speed[k] = speed + touch.yields[k] * push + touch.across[k] * rub
        touch.slip[k] = slip + touch.across[k] * push + touch.slips[k] * rub
        if push != 0.0 or rub != 0.0:
            left_next += touch.leaves[k] * push
            left_next += touch.friction_leaves[k] * rub
            border_next += touch.at_border[k] * push
            border_next += touch.friction_at_border[k] * rub
            jx, jy = x * push - y * rub, y * push + x * rub
            vx, vy = vx + xx * jx + xy * jy, vy + xy * jx + yy * jy
            pushed_x, pushed_y = pushed_x + jx, pushed_y + jy
            _push_surface(k, jx, jy, push, rub, w, p)
            largest = max(largest, max(abs(push) * touch.root[k], abs(rub) * touch.friction_root[k]))
    _push_roller(r, pushed_x, pushed_y, w)
    return largest, left_next, border_next
