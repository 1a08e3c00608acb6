"""Projection of the positions of chains with rigid contacts after a step: contacts that penetrate too deeply are pushed
out.

Impulses control speeds, not positions, so no later step corrects an excessive penetration. With the inertia M of the
step (contract/rigid.py), which includes the resistance of links as in a step,

    M dq = W lambda,     0 <= gap + allowed + W^T dq  _|_  lambda >= 0

is, to first order, the smallest change after which no contact penetrates more deeply than is allowed. Velocities are
unchanged. The change in the stored energy is recorded separately, because it is not caused by forces in a motion.

All contacts that penetrate too deeply are pushed out together, as far as the allowed depth. Corrections by a fraction
of the depth in every step, or by the entire depth, strained chains more when steps were long
(docs/decisions/0013-rigid-contacts.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chaindrive.contract.kernels import Kernels
from chaindrive.kernels import fill, kernel
from chaindrive.solvers.complementarity.gauss_seidel import gauss_seidel
from chaindrive.solvers.complementarity.outcome import Outcome
from chaindrive.solvers.nonsmooth.impulses import ITERATED, solve_in_form

if TYPE_CHECKING:
    from chaindrive.contract.rigid import RigidKernels

__all__ = ["projecting"]

SOLVED, TOO_MANY = int(Outcome.SOLVED), int(Outcome.TOO_MANY_ITERATIONS)
SWEEPS = 100
"""Number of sweeps of projected Gauss-Seidel before Lemke's method is used."""


def projecting(kernels: Kernels) -> Callable[..., None]:
    """Return the kernel project(c, w, time, h, rates, p), which projects the positions in ``trial``; the rates there
    must just have been evaluated.

    If the problem has no solution, as for rollers that are pressed from two sides, positions are unchanged.
    """
    rhs = kernels.rhs
    rigid: Any = kernels.asked("rigid", "projection of positions")
    if rigid.renew is None:
        return _leave
    gaps, renew, respond, book = rigid.gaps, rigid.renew, rigid.respond, rigid.book
    find = _finding(rigid)

    @kernel(inner=True)
    def project(c, w, time, h, rates, p):
        if not w.allowed < math.inf:
            return
        y = c.trial
        gaps(w.state.gap, w.before, p)
        k = _find_near(w)
        if k == 0:
            return
        book(1.0, y, p)
        renew(time, y, rates, h, p)
        if find(y, w, k, p) == SOLVED:
            respond(k, w.found, w.rate, p)
            for j in range(w.rate.size):
                y[j] += w.rate[j]
        rhs(time, y, rates, p)
        book(-1.0, y, p)
        c.counts.evaluations[0] += 1

    return project


@kernel(inner=True)
def _leave(c, w, time, h, rates, p):
    """Do nothing, for a system without position projection."""


@kernel(inner=True)
def _find_near(w):
    """Write the contacts that a projection must include into ``near``, and how far each of them may close; return their
    number, 0 if none penetrates too deeply.

    They are all contacts whose gap is smaller than the depth of the deepest contact.
    """
    deepest = 0.0
    for i in range(w.state.gap.size):
        if w.springs[i] == 0:
            deepest = max(deepest, -w.state.gap[i])
    if not deepest > w.allowed:
        return 0
    k = _find_within(w, deepest)
    if k > w.tried.size:
        k = _find_within(w, 0.0)
    if k > w.tried.size:
        return 0
    fill(w.compliance[:k], 0.0)
    fill(w.friction[:k], 0.0)
    fill(w.vector[: 2 * k], 0.0)
    fill(w.found[: 2 * k], 0.0)
    for c in range(k):
        w.vector[c] = w.state.gap[w.near[c]] + w.allowed
    return k


@kernel(inner=True)
def _find_within(w, reach):
    """Find the rigid contacts whose gap is smaller than ``reach`` [m]; return their number."""
    k = 0
    for i in range(w.state.gap.size):
        if w.springs[i] == 0 and w.state.gap[i] < reach:
            w.near[k] = i
            k += 1
    return k


@kernel(apart=True)
def _solve(w, k):
    """Write lambda of k contacts without friction, computed from their ``matrix``, into ``found``; return an
    outcome.
    """
    outcome, _, _ = gauss_seidel(w.matrix, w.vector, w.friction, k, w.found, 1.0, SWEEPS, ITERATED)
    return outcome if outcome == SOLVED else solve_in_form(w, k, True)


def _finding(rigid: RigidKernels) -> Callable[..., int]:
    """Return the kernel find(y, w, k, p), which writes lambda of k contacts without friction into ``found`` and returns
    an outcome.
    """
    inverse_inertia: Any = rigid.inverse_inertia
    relax: Any = rigid.relax

    @kernel(inner=True)
    def by_matrix(y, w, k, p):
        if 2 * k > w.matrix.shape[0]:
            return TOO_MANY
        inverse_inertia(y, w.near, k, w.matrix, p)
        return _solve(w, k)

    @kernel(inner=True)
    def by_sweeps(y, w, k, p):
        e, most = w.compliance, SWEEPS
        _, change = relax(y, w.near, k, w.vector, w.friction, e, w.found, w.motion, most, ITERATED, w.scratch, p)
        return SOLVED if change <= ITERATED else by_matrix(y, w, k, p)

    return by_matrix if relax is None else by_sweeps
