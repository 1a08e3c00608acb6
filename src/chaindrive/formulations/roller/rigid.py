"""Rollers under impulses from rigid contacts.

Links are springs that are integrated implicitly over a step and eliminated exactly.

Over a step h the implicit midpoint rule gives a link of stiffness k and damping c, along its direction u, the
resistance D = h^2 k/4 + h c/2 to a change of its elongation rate. With J giving the elongation rates of all links,

    (M + J^T D J)^-1 M = 1 - M^-1 J^T A^-1 J,       A = D^-1 + J M^-1 J^T,

and A is tridiagonal, cyclically so for a closed chain, so that the cost is linear (the last link is eliminated as a
border). The fitting of an anchored end is a spring in all directions, and adds its D to the mass of its roller.
"""

from __future__ import annotations

from chaindrive.formulations.planar.rigid import RigidChain
from chaindrive.formulations.roller.sweeps import relax
from chaindrive.kernels import kernel

__all__ = ["RIGID_CHAIN"]


@kernel(inner=True)
def _prepare(h, p):
    """Factorise A for the links of the last evaluation as A = L diag(pivot) L^T, with the last link as a border."""
    n, link, row, mass, anchor = p.links, p.link, p.implicit, p.implicit.mass, p.planar.anchor
    for i in range(n):
        mass[i] = p.roller.mass[i] + p.planar.carried[i]
    for k in range(anchor.roller.size):
        mass[anchor.roller[k]] += 0.25 * h * h * anchor.stiffness[k] + 0.5 * h * anchor.damping[k]
    resists = 0.25 * h * h * p.stiffness + 0.5 * h * p.damping
    last = n - 1
    for i in range(n):
        j = i + 1 if i < last else 0
        row.diagonal[i] = 1.0 / resists + 1.0 / mass[i] + 1.0 / mass[j]
        row.beside[i] = -(link.x[i] * link.x[j] + link.y[i] * link.y[j]) / mass[j]
        row.border[i] = 0.0
    if not p.planar.closed:
        row.diagonal[last], row.beside[last], row.beside[last - 1] = 1.0, 0.0, 0.0
    row.border[0] = row.beside[last]
    row.border[last - 1] += row.beside[last - 1]
    row.pivot[0] = row.diagonal[0]
    for i in range(1, last):
        row.factor[i] = row.beside[i - 1] / row.pivot[i - 1]
        row.pivot[i] = row.diagonal[i] - row.factor[i] * row.beside[i - 1]
    _substitute(row.border, row, last)
    at_border = row.diagonal[last] - row.beside[last] * row.border[0]
    row.pivot[last] = at_border - row.beside[last - 1] * row.border[last - 1]


@kernel(inner=True)
def _substitute(x, row, last):
    """Solve for all links except the last, in place."""
    for i in range(1, last):
        x[i] -= row.factor[i] * x[i - 1]
    x[last - 1] /= row.pivot[last - 1]
    for i in range(last - 2, -1, -1):
        x[i] = x[i] / row.pivot[i] - row.factor[i + 1] * x[i + 1]


@kernel(inner=True)
def _solve(x, row, n):
    """Solve A x = b, (N,), in place."""
    last = n - 1
    _substitute(x, row, last)
    x[last] = (x[last] - row.beside[last] * x[0] - row.beside[last - 1] * x[last - 1]) / row.pivot[last]
    for i in range(last):
        x[i] -= row.border[i] * x[last]


@kernel(inner=True)
def _soften(v, p):
    """See ``planar.rigid.RigidChain``."""
    n, mass = p.links, p.implicit.mass
    for i in range(n):
        part = (p.roller.mass[i] + p.planar.carried[i]) / mass[i]
        v[i] *= part
        v[n + i] *= part
    _join(v, p)


@kernel(inner=True)
def _join(v, p):
    """See ``planar.rigid.RigidChain``."""
    n, link, impulse, mass = p.links, p.link, p.implicit.impulse, p.implicit.mass
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        impulse[i] = link.x[i] * (v[j] - v[i]) + link.y[i] * (v[n + j] - v[n + i])
    _solve(impulse, p.implicit, n)
    for i in range(n):
        before = i - 1 if i > 0 else n - 1
        v[i] -= (link.x[before] * impulse[before] - link.x[i] * impulse[i]) / mass[i]
        v[n + i] -= (link.y[before] * impulse[before] - link.y[i] * impulse[i]) / mass[i]


@kernel(inner=True)
def _mobility(count, matrix, p):
    """See ``planar.rigid.RigidChain``.

    A^-1 is formed column by column for the links at the rollers that touch surfaces.
    """
    meeting, near, place, n = p.planar.meeting, p.near, p.place, p.links
    links = 0
    for c in range(count):
        i = meeting.roller[c]
        for link in (i - 1 if i > 0 else n - 1, i):
            if place[link] < 0:
                place[link] = links
                near.link[links] = link
                links += 1
    for k in range(links):
        _column(k, links, p)
    for a in range(2 * count):
        i, dx, dy = meeting.roller[a], meeting.x[a], meeting.y[a]
        before, mass = i - 1 if i > 0 else n - 1, p.implicit.mass[i]
        near.first[a], near.second[a] = place[before], place[i]
        near.by_first[a] = (p.link.x[before] * dx + p.link.y[before] * dy) / mass
        near.by_second[a] = -(p.link.x[i] * dx + p.link.y[i] * dy) / mass
    inverse = p.inverse
    for a in range(2 * count):
        a1, a2, f1, f2 = near.first[a], near.second[a], near.by_first[a], near.by_second[a]
        for b in range(2 * count):
            b1, b2 = near.first[b], near.second[b]
            along = f1 * inverse[a1, b1] + f2 * inverse[a2, b1]
            along_second = f1 * inverse[a1, b2] + f2 * inverse[a2, b2]
            matrix[a, b] -= along * near.by_first[b] + along_second * near.by_second[b]
            if meeting.roller[a] == meeting.roller[b]:
                across = meeting.x[a] * meeting.x[b] + meeting.y[a] * meeting.y[b]
                matrix[a, b] += across / p.implicit.mass[meeting.roller[a]]
    for k in range(links):
        place[near.link[k]] = -1


@kernel(inner=True)
def _column(k, links, p):
    """Compute the effect of an impulse of the k-th of these links on all of them, which is a column of A^-1."""
    impulse, near = p.implicit.impulse, p.near
    for i in range(p.links):
        impulse[i] = 0.0
    impulse[near.link[k]] = 1.0
    _solve(impulse, p.implicit, p.links)
    for j in range(links):
        p.inverse[j, k] = impulse[near.link[j]]


@kernel(inner=True)
def _push(row, impulse, v, p):
    """See ``planar.rigid.RigidChain``."""
    meeting = p.planar.meeting
    i = meeting.roller[row]
    v[i] += impulse * meeting.x[row] / p.implicit.mass[i]
    v[p.links + i] += impulse * meeting.y[row] / p.implicit.mass[i]


@kernel(inner=True)
def _nothing_to_locate(y, later, p):
    """Do nothing, because the rollers are coordinates of the chain."""


@kernel(inner=True)
def _no_constraints(count, force, p):
    """Do nothing, because links are springs rather than constraints."""


RIGID_CHAIN = RigidChain(
    locate=_nothing_to_locate,
    prepare=_prepare,
    soften=_soften,
    correct=_soften,
    join=_join,
    mobility=_mobility,
    push=_push,
    react=_no_constraints,
    relax=relax,
)
