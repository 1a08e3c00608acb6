"""A symmetric bordered matrix of a closed chain: stored as blocks, factorised and solved in linear time.

Every link couples to the previous and the next link, and to a few additional positions (wheels, joints of a mechanism),
which form the border. With N links of b positions each and m border positions, the matrix reads

    K = | T   B |     T cyclic block tridiagonal, N blocks b x b;  B (N b, m);  C (m, m)
        | B^T C |

The last link is moved to the border, which opens the ring. The rest is factorised block by block (Thomas' algorithm as
a block L D L^T), and a small dense matrix remains for the border (Golub & Van Loan, Matrix Computations, 4.5;
bordering: Govaerts 2000, section 3.3). The computing effort grows as N (b + m)^2, the memory as N b (b + m).

A formulation fills the blocks (``Rest.statics``), and solvers factorise them. Neither may import the other, so the
matrix is defined here.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.kernels import kernel

__all__ = ["Bordered", "Factors", "bordered", "dense", "factorise", "factors_for", "solve"]

FloatArray = NDArray[np.float64]

SMALLEST_PIVOT = 1e-14
"""Smallest pivot, as a fraction of the diagonal entry from which it results. With a smaller pivot, the matrix is
treated as not positive definite. [-]"""


class Bordered(NamedTuple):
    """The blocks of the upper triangle, and the border."""

    diagonal: FloatArray
    """(N, b, b)"""
    upper: FloatArray
    """(N, b, b): rows of link i, columns of link i + 1; the last block closes the ring"""
    border: FloatArray
    """(N, b, m)"""
    corner: FloatArray
    """(m, m)"""


class Factors(NamedTuple):
    """Scratch arrays and result of :func:`factorise`; M = m + b is the size of the border with the last link."""

    inverse: FloatArray
    """(N, b, b): inverse pivots of all links but the last"""
    ratio: FloatArray
    """(N, b, b): pivot^-1 times the block that couples link i to link i + 1"""
    reduced: FloatArray
    """(N, b, M): border columns after forward elimination"""
    corner: FloatArray
    """(M, M): Cholesky factor, lower triangle"""
    right: FloatArray
    """(N, b)"""
    tail: FloatArray
    """(M,)"""


def bordered(links: int, block: int, border: int) -> Bordered:
    """Return a matrix of zeros."""
    return Bordered(
        np.zeros((links, block, block)),
        np.zeros((links, block, block)),
        np.zeros((links, block, border)),
        np.zeros((border, border)),
    )


def factors_for(matrix: Bordered) -> Factors:
    """Return arrays for the factors of a matrix of this shape."""
    n, b, m = matrix.border.shape
    return Factors(
        np.zeros((n, b, b)),
        np.zeros((n, b, b)),
        np.zeros((n, b, m + b)),
        np.zeros((m + b, m + b)),
        np.zeros((n, b)),
        np.zeros(m + b),
    )


def dense(matrix: Bordered) -> FloatArray:
    """Return the full matrix, (n_q, n_q), with positions in the order of ``System``: block by block, then the
    border.
    """
    n, b, m = matrix.border.shape
    full = np.zeros((b * n + m, b * n + m))
    at = np.arange(b)[None, :] * n + np.arange(n)[:, None]
    for i in range(n):
        j = (i + 1) % n
        full[np.ix_(at[i], at[i])] += matrix.diagonal[i]
        full[np.ix_(at[i], at[j])] += matrix.upper[i]
        full[np.ix_(at[j], at[i])] += matrix.upper[i].T
        full[at[i], b * n :] += matrix.border[i]
        full[b * n :, at[i]] += matrix.border[i].T
    full[b * n :, b * n :] += matrix.corner
    return full


@kernel(inner=True)
def _invert(a, i, limit, inverse):
    """Write the inverse of the symmetric block a[i] (b, b), by Cholesky factorisation, into inverse[i]; return False if
    it is not positive definite.

    limit: smallest pivot allowed. a[i] is overwritten.
    """
    b = a.shape[1]
    for k in range(b):
        pivot = a[i, k, k]
        for j in range(k):
            pivot -= a[i, k, j] * a[i, k, j]
        if not pivot > limit:
            return False
        root = math.sqrt(pivot)
        a[i, k, k] = root
        for r in range(k + 1, b):
            value = a[i, r, k]
            for j in range(k):
                value -= a[i, r, j] * a[i, k, j]
            a[i, r, k] = value / root
    for c in range(b):  # L L^T x = e_c
        for r in range(b):
            value = 1.0 if r == c else 0.0
            for j in range(r):
                value -= a[i, r, j] * inverse[i, j, c]
            inverse[i, r, c] = value / a[i, r, r]
        for r in range(b - 1, -1, -1):
            value = inverse[i, r, c]
            for j in range(r + 1, b):
                value -= a[i, j, r] * inverse[i, j, c]
            inverse[i, r, c] = value / a[i, r, r]
    return True


@kernel
def factorise(matrix, shift, free, factors):
    """Factorise matrix + diag(shift). Returns False if it is not positive definite; the factors are then useless.

    matrix: Bordered with N >= 3 links; shift (n_q,), in the order of the positions; free (m,): False for a border
    position that is held; its row and column are then treated as those of the unit matrix.
    """
    n, b, m = matrix.border.shape
    last = n - 1
    inverse, ratio, reduced, corner = factors.inverse, factors.ratio, factors.reduced, factors.corner
    for r in range(m):
        for c in range(m):
            corner[r, c] = matrix.corner[r, c] if free[r] and free[c] else 0.0
        corner[r, r] = corner[r, r] + shift[b * n + r] if free[r] else 1.0
    for r in range(b):
        for c in range(b):
            corner[m + r, m + c] = matrix.diagonal[last, r, c]
        corner[m + r, m + r] += shift[r * n + last]
        for c in range(m):
            corner[c, m + r] = corner[m + r, c] = matrix.border[last, r, c] if free[c] else 0.0

    # ratio holds the pivot block until it is inverted.
    for i in range(last):
        largest = 0.0
        for r in range(b):
            for c in range(b):
                ratio[i, r, c] = matrix.diagonal[i, r, c]
            ratio[i, r, r] += shift[r * n + i]
            largest = max(largest, abs(ratio[i, r, r]))
            for c in range(m):
                reduced[i, r, c] = matrix.border[i, r, c] if free[c] else 0.0
            for c in range(b):
                reduced[i, r, m + c] = 0.0
        if i == 0:
            for r in range(b):
                for c in range(b):  # the ring closes between the last link and the first
                    reduced[0, r, m + c] += matrix.upper[last, c, r]
        else:
            for r in range(b):
                for c in range(b):
                    for k in range(b):
                        ratio[i, r, c] -= matrix.upper[i - 1, k, r] * ratio[i - 1, k, c]
                for c in range(m + b):
                    for k in range(b):
                        reduced[i, r, c] -= ratio[i - 1, k, r] * reduced[i - 1, k, c]
        if i == last - 1:
            for r in range(b):
                for c in range(b):
                    reduced[i, r, m + c] += matrix.upper[i, r, c]
        if not _invert(ratio, i, SMALLEST_PIVOT * largest, inverse):
            return False
        for r in range(b):
            for c in range(b):
                total = 0.0
                for k in range(b):
                    total += inverse[i, r, k] * matrix.upper[i, k, c]
                ratio[i, r, c] = total
        for r in range(m + b):
            for k in range(b):
                total = 0.0
                for j in range(b):
                    total += inverse[i, k, j] * reduced[i, j, r]
                for c in range(m + b):
                    corner[c, r] -= reduced[i, k, c] * total
    return _cholesky(corner)


@kernel(inner=True)
def _cholesky(a):
    """Compute the lower Cholesky factor of a symmetric matrix in place; return False if it is not positive definite."""
    n = a.shape[0]
    for k in range(n):
        pivot = a[k, k]
        for j in range(k):
            pivot -= a[k, j] * a[k, j]
        if not pivot > 0.0:
            return False
        root = math.sqrt(pivot)
        a[k, k] = root
        for r in range(k + 1, n):
            value = a[r, k]
            for j in range(k):
                value -= a[r, j] * a[k, j]
            a[r, k] = value / root
    return True


@kernel
def solve(matrix, free, factors, right, solution):
    """Solve the equations with the factors. The right-hand side ``right`` and the ``solution``, each (n_q,), are in the
    order of the positions; the solution is zero for held positions.
    """
    n, b, m = matrix.border.shape
    last = n - 1
    work, tail, reduced = factors.right, factors.tail, factors.reduced
    for r in range(m):
        tail[r] = right[b * n + r] if free[r] else 0.0
    for r in range(b):
        tail[m + r] = right[r * n + last]
    for i in range(last):
        for r in range(b):
            value = right[r * n + i]
            if i > 0:
                for k in range(b):
                    value -= factors.ratio[i - 1, k, r] * work[i - 1, k]
            work[i, r] = value
    for i in range(last):
        for k in range(b):
            total = 0.0
            for j in range(b):
                total += factors.inverse[i, k, j] * work[i, j]
            for c in range(m + b):
                tail[c] -= reduced[i, k, c] * total
    _substitute(factors.corner, tail)
    for r in range(b):
        solution[r * n + last] = tail[m + r]
    for i in range(last - 1, -1, -1):
        for r in range(b):
            value = 0.0
            for j in range(b):
                part = work[i, j]
                for c in range(m + b):
                    part -= reduced[i, j, c] * tail[c]
                value += factors.inverse[i, r, j] * part
            if i < last - 1:
                for k in range(b):
                    value -= factors.ratio[i, r, k] * solution[k * n + i + 1]
            solution[r * n + i] = value
    for r in range(m):
        solution[b * n + r] = tail[r] if free[r] else 0.0


@kernel(inner=True)
def _substitute(a, x):
    """Solve L L^T x = x in place."""
    n = a.shape[0]
    for r in range(n):
        value = x[r]
        for j in range(r):
            value -= a[r, j] * x[j]
        x[r] = value / a[r, r]
    for r in range(n - 1, -1, -1):
        value = x[r]
        for j in range(r + 1, n):
            value -= a[j, r] * x[j]
        x[r] = value / a[r, r]
