"""A semismooth Newton method for planar contacts with friction (problem: ``contacts.py``).

Alart & Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353: impulses solve the problem if a projected step does not
change them,

    P_N = max(0, P_N - xi_N / G_NN),      P_T = clip(P_T - xi_T / G_TT, mu max(0, P_N - xi_N / G_NN)).

Newton's method uses the derivative of the active branch, and halves its step while the residual grows. It needs few
iterations for any number of contacts; each iteration solves 2k linear equations. Impulses are scaled so that G has
diagonal 1.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.kernels import kernel
from chaindrive.solvers.complementarity.linear import factorise, substitute
from chaindrive.solvers.complementarity.outcome import Outcome

__all__ = ["SemismoothWork", "semismooth", "semismooth_work"]

SOLVED, TOO_MANY_ITERATIONS = int(Outcome.SOLVED), int(Outcome.TOO_MANY_ITERATIONS)
SINGULAR, NOT_A_NUMBER = int(Outcome.SINGULAR), int(Outcome.NOT_A_NUMBER)

HALVINGS = 8
"""Largest number of times that a step is halved because the residual grows. The shortest step is always taken, which
prevents endless cycles."""


class SemismoothWork(NamedTuple):
    """Scratch arrays of :func:`semismooth` for up to k contacts."""

    scaled: FloatArray
    """G with diagonal 1, (2k, 2k)."""
    vector: FloatArray
    """(2k,)"""
    scale: FloatArray
    """(2k,)"""
    limit: FloatArray
    """Coefficients of friction of the scaled problem, (k,)."""
    jacobian: FloatArray
    """(2k, 2k)"""
    order: IntArray
    """(2k,)"""
    change: FloatArray
    """(2k,)"""
    present: FloatArray
    """(2k,)"""
    trial: FloatArray
    """(2k,)"""
    direction: FloatArray
    """(2k,)"""
    slip: FloatArray
    """xi at the trial impulses, (2k,)."""


def semismooth_work(k: int) -> SemismoothWork:
    """Return scratch arrays for up to k contacts."""
    m = 2 * k
    return SemismoothWork(
        np.zeros((m, m)),
        np.zeros(m),
        np.zeros(m),
        np.zeros(k),
        np.zeros((m, m)),
        np.zeros(m, np.int64),
        *(np.zeros(m) for _ in range(5)),
    )


@kernel(inner=True)
def scale_problem(matrix, vector, friction, k, work):
    """Scale the problem so that the diagonal of G and the size of the vector are 1; return an outcome."""
    m, largest = 2 * k, 0.0
    for r in range(m):
        used = r < k or friction[r - k] > 0.0
        if not (math.isfinite(vector[r]) and math.isfinite(matrix[r, r])):
            return NOT_A_NUMBER
        if used and not matrix[r, r] > 0.0:
            return SINGULAR
        work.scale[r] = 1.0 / math.sqrt(matrix[r, r]) if used else 0.0
        largest = max(largest, abs(work.scale[r] * vector[r]))
    for r in range(m):
        work.vector[r] = work.scale[r] * vector[r] / (largest if largest > 0.0 else 1.0)
        for c in range(m):
            work.scaled[r, c] = work.scale[r] * matrix[r, c] * work.scale[c]
        if work.scale[r] == 0.0:
            work.scaled[r, r] = 1.0
        if r >= k:
            work.limit[r - k] = friction[r - k] * work.scale[r - k] / work.scale[r] if work.scale[r] > 0.0 else 0.0
    return SOLVED


@kernel(inner=True)
def residual_at(work, k, linearise):
    """Write the residual at the trial impulses into ``change`` and return its size. linearise: whether its derivative
    is written too, into ``jacobian``.
    """
    m, p, g, size = 2 * k, work.trial, work.scaled, 0.0
    for r in range(m):
        work.slip[r] = work.vector[r]
        for j in range(m):
            work.slip[r] += g[r, j] * p[j]
    for i in range(k):
        t = k + i
        pressed = p[i] - work.slip[i]
        active = pressed > 0.0
        pushed, limit = p[t] - work.slip[t], work.limit[i] * max(pressed, 0.0)
        sticks = abs(pushed) < limit
        work.change[i] = work.slip[i] if active else p[i]
        work.change[t] = work.slip[t] if sticks else p[t] - math.copysign(limit, pushed)
        size = max(size, max(abs(work.change[i]), abs(work.change[t])))
        if linearise:
            along = math.copysign(work.limit[i], pushed) if active else 0.0
            for j in range(m):
                work.jacobian[i, j] = g[i, j] if active else 0.0
                work.jacobian[t, j] = g[t, j] if sticks else along * g[i, j]
            if not active:
                work.jacobian[i, i] = 1.0
            if not sticks:
                work.jacobian[t, i] -= along
                work.jacobian[t, t] += 1.0
    return size


@kernel(inner=True)
def searched(work, k, residual):
    """Find a step along the direction with which the residual decreases, and return the size of the residual there."""
    part, found = 1.0, residual
    for _ in range(HALVINGS):
        for r in range(2 * k):
            work.trial[r] = work.present[r] - part * work.direction[r]
        found = residual_at(work, k, True)
        if found < residual:
            break
        part *= 0.5
    return found


@kernel
def semismooth(matrix, vector, friction, k, impulse, work, most, tolerance):
    """Apply Newton's method, starting from the given impulses; return an outcome, the number of iterations, and the
    residual [-].

    matrix G (2k, 2k), vector (2k,), friction (k,): see ``contacts.py``; impulse (2k,): start values, replaced by the
    result; work: result of ``semismooth_work``; most: largest number of iterations; tolerance: largest accepted
    residual.
    """
    outcome = scale_problem(matrix, vector, friction, k, work)
    if outcome != SOLVED:
        return outcome, 0, np.inf
    m, largest = 2 * k, 0.0
    for r in range(m):
        largest = max(largest, abs(work.scale[r] * vector[r]))
    largest = largest if largest > 0.0 else 1.0
    for r in range(m):
        work.trial[r] = impulse[r] / (work.scale[r] * largest) if work.scale[r] > 0.0 else 0.0
    iterations, residual = 0, residual_at(work, k, True)
    while not residual <= tolerance and iterations < most:
        if not factorise(work.jacobian, m, work.order):
            outcome = SINGULAR
            break
        substitute(work.jacobian, m, work.order, work.change)
        for r in range(m):
            work.present[r], work.direction[r] = work.trial[r], work.change[r]
        residual = searched(work, k, residual)
        iterations += 1
    if outcome == SOLVED and not residual <= tolerance:
        outcome = TOO_MANY_ITERATIONS
    for r in range(m):
        impulse[r] = work.trial[r] * work.scale[r] * largest
    return outcome, iterations, residual
