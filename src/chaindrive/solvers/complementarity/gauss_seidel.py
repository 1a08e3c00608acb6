"""Projected Gauss-Seidel with over-relaxation for planar contacts with friction (problem: ``contacts.py``).

Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235; over-relaxation: Cryer, SIAM J. Control 9 (1971) 385. A sweep
takes (2k)^2 operations. The method converges linearly; it starts from the impulses of the previous step.
"""

from __future__ import annotations

import math

import numpy as np

from chaindrive.kernels import kernel
from chaindrive.solvers.complementarity.outcome import Outcome

__all__ = ["contact_residual", "gauss_seidel"]

SOLVED, TOO_MANY_ITERATIONS = int(Outcome.SOLVED), int(Outcome.TOO_MANY_ITERATIONS)
SINGULAR, NOT_A_NUMBER = int(Outcome.SINGULAR), int(Outcome.NOT_A_NUMBER)


@kernel(inner=True)
def row_product(matrix, row, size, impulse):
    """Return one row of the matrix times the impulses."""
    total = 0.0
    for j in range(size):
        total += matrix[row, j] * impulse[j]
    return total


@kernel(inner=True)
def clipped(value, limit):
    return min(max(value, -limit), limit)


@kernel(inner=True)
def size_of(matrix, vector, k):
    """Return the largest entry of the vector, scaled so that every contact has inertia 1; 1 for a vector of zeros."""
    largest = 0.0
    for r in range(2 * k):
        if matrix[r, r] > 0.0:
            largest = max(largest, abs(vector[r]) / math.sqrt(matrix[r, r]))
    return largest if largest > 0.0 else 1.0


@kernel(inner=True)
def contact_residual(matrix, vector, friction, k, impulse):
    """Return the largest change of the impulses in a projected step, relative to the size of the vector (both scaled so
    that every contact has inertia 1). [-]
    """
    worst, size = 0.0, size_of(matrix, vector, k)
    for i in range(k):
        inertia = matrix[i, i]
        moved = impulse[i] - (row_product(matrix, i, 2 * k, impulse) + vector[i]) / inertia
        worst = max(worst, abs(impulse[i] - max(moved, 0.0)) * math.sqrt(inertia))
        if friction[i] > 0.0:
            t, inertia = k + i, matrix[k + i, k + i]
            moved = impulse[t] - (row_product(matrix, t, 2 * k, impulse) + vector[t]) / inertia
            limit = friction[i] * impulse[i]
            worst = max(worst, abs(impulse[t] - clipped(moved, limit)) * math.sqrt(inertia))
    return worst / size


@kernel
def gauss_seidel(matrix, vector, friction, k, impulse, relaxation, most, tolerance):
    """Sweep over the contacts until the residual is small; return an outcome, the number of sweeps, and the residual
    [-].

    matrix G (2k, 2k), vector (2k,), friction (k,): see ``contacts.py``; impulse (2k,): start values, replaced by the
    result; relaxation: between 0 and 2, with 1 for plain Gauss-Seidel; most: largest number of sweeps; tolerance:
    largest accepted residual.
    """
    for r in range(2 * k):
        if not (math.isfinite(vector[r]) and math.isfinite(matrix[r, r])):
            return NOT_A_NUMBER, 0, np.inf
        if not matrix[r, r] > 0.0 and (r < k or friction[r - k] > 0.0):
            return SINGULAR, 0, np.inf
    residual, size = contact_residual(matrix, vector, friction, k, impulse), size_of(matrix, vector, k)
    sweeps = 0
    while not residual <= tolerance and sweeps < most:
        moved = 0.0
        for i in range(k):
            before, before_along = impulse[i], impulse[k + i]
            change = -(row_product(matrix, i, 2 * k, impulse) + vector[i]) / matrix[i, i]
            impulse[i] = max(impulse[i] + relaxation * change, 0.0)
            t, limit = k + i, friction[i] * impulse[i]
            if limit > 0.0:
                change = -(row_product(matrix, t, 2 * k, impulse) + vector[t]) / matrix[t, t]
                impulse[t] = clipped(impulse[t] + relaxation * change, limit)
            else:
                impulse[t] = 0.0
            moved = max(moved, abs(impulse[i] - before) * math.sqrt(matrix[i, i]))
            moved = max(moved, abs(impulse[t] - before_along) * math.sqrt(matrix[t, t]))
        sweeps += 1
        if moved <= tolerance * size or sweeps == most:
            residual = contact_residual(matrix, vector, friction, k, impulse)
    return (SOLVED if residual <= tolerance else TOO_MANY_ITERATIONS), sweeps, residual
