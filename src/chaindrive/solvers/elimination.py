"""Elimination of the links from the equations of an implicit step (``structure.py``), in linear time.

Elimination proceeds block by block (Golub & Van Loan, Matrix Computations, 4.5), and then treats the border with
partial pivoting. The work grows as N b (b + m)^2 for N blocks of b unknowns and a border of m unknowns.
"""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["factorise", "invert", "solve"]

SMALLEST_PIVOT = 1e-13
"""A matrix counts as singular if a pivot is below this fraction of the largest entry of its block or, in the border, of
its row. [-]"""


@kernel(inner=True)
def invert(a, inverse):
    """Invert a small matrix by Gauss-Jordan elimination with row pivoting; a is overwritten. Return False if it is
    singular.
    """
    b = a.shape[0]
    largest = 0.0
    for r in range(b):
        for c in range(b):
            inverse[r, c] = 1.0 if r == c else 0.0
            largest = max(largest, abs(a[r, c]))
    for k in range(b):
        pivot = k
        for r in range(k + 1, b):
            if abs(a[r, k]) > abs(a[pivot, k]):
                pivot = r
        if not abs(a[pivot, k]) > SMALLEST_PIVOT * largest:
            return False
        if pivot != k:
            for c in range(b):
                a[k, c], a[pivot, c] = a[pivot, c], a[k, c]
                inverse[k, c], inverse[pivot, c] = inverse[pivot, c], inverse[k, c]
        factor = 1.0 / a[k, k]
        for c in range(b):
            a[k, c] *= factor
            inverse[k, c] *= factor
        for r in range(b):
            if r == k:
                continue
            factor = a[r, k]
            for c in range(b):
                a[r, c] -= factor * a[k, c]
                inverse[r, c] -= factor * inverse[k, c]
    return True


@kernel(inner=True)
def _factorise_end(a, order):
    """Replace a dense matrix by its LU factors with row pivoting; return the row in which it is singular, or -1."""
    size = a.shape[0]
    for k in range(size):
        pivot, largest = k, 0.0
        for r in range(k, size):
            if abs(a[r, k]) > abs(a[pivot, k]):
                pivot = r
        for c in range(k, size):
            largest = max(largest, abs(a[pivot, c]))
        if not abs(a[pivot, k]) > SMALLEST_PIVOT * largest:
            return k
        order[k] = pivot
        if pivot != k:
            for c in range(size):
                a[k, c], a[pivot, c] = a[pivot, c], a[k, c]
        for r in range(k + 1, size):
            if a[r, k] == 0.0:
                continue
            factor = a[r, k] / a[k, k]
            a[r, k] = factor
            for c in range(k + 1, size):
                a[r, c] -= factor * a[k, c]
    return -1


@kernel(inner=True)
def _product(a, b, i, out):
    """Write the matrix product a[i] b[i] into out[i]."""
    for r in range(a.shape[1]):
        for c in range(b.shape[2]):
            total = 0.0
            for k in range(a.shape[2]):
                total += a[i, r, k] * b[i, k, c]
            out[i, r, c] = total


@kernel(inner=True)
def _gather_block(s, i):
    """Write the pivot of block i into ``ahead``, and write its columns and rows in the border, with earlier blocks
    eliminated.
    """
    b = s.chain.shape[1]
    m = s.border.size
    pivot, columns, rows = s.ahead[i], s.columns[i], s.rows[i]
    for r in range(b):
        for c in range(b):
            pivot[r, c] = s.diagonal[i, r, c]
        for c in range(m):
            columns[r, c] = s.right[i, r, c]
            rows[c, r] = s.below[i, c, r]
    if i == 0:
        return
    lower, ahead = s.lower[i], s.ahead[i - 1]
    for r in range(b):
        for k in range(b):
            for c in range(b):
                pivot[r, c] -= lower[r, k] * ahead[k, c]
            for c in range(m):
                columns[r, c] -= lower[r, k] * s.columns[i - 1, k, c]
    for r in range(m):
        for k in range(b):
            for c in range(b):
                rows[r, c] -= s.rows[i - 1, r, k] * ahead[k, c]


@kernel(inner=True)
def _eliminate(s, i):
    """Eliminate block i from the equations of the border."""
    b = s.chain.shape[1]
    columns, vector = s.columns[i], s.work[i]
    for c in range(columns.shape[1]):
        for r in range(b):
            vector[r] = 0.0
            for k in range(b):
                vector[r] += s.inverse[i, r, k] * columns[k, c]
        for r in range(b):
            columns[r, c] = vector[r]
    _product(s.inverse, s.upper, i, s.ahead)
    for r in range(s.end.shape[0]):
        for k in range(b):
            factor = s.rows[i, r, k]
            if factor != 0.0:
                for c in range(s.end.shape[0]):
                    s.end[r, c] -= factor * columns[k, c]


@kernel
def factorise(s):
    """Factorise the matrix in the blocks; return False if it is singular, with the unknown concerned in ``fault``."""
    s.fault[0] = -1
    for r in range(s.border.size):
        for c in range(s.border.size):
            s.end[r, c] = s.corner[r, c]
    for i in range(s.chain.shape[0]):
        _gather_block(s, i)
        if not invert(s.ahead[i], s.inverse[i]):
            s.fault[0] = s.chain[i, 0]
            return False
        _eliminate(s, i)
    at = _factorise_end(s.end, s.order)
    if at >= 0:
        s.fault[0] = s.border[at]
        return False
    return True


@kernel
def solve(s, right, solution):
    """Solve with the factors; right and solution (unknowns,) may be the same array. The entries of works are left
    unchanged.
    """
    blocks, b = s.chain.shape
    tail, work, own = s.tail, s.work, s.work[blocks]
    for r in range(tail.size):
        tail[r] = right[s.border[r]]
    for i in range(blocks):
        for r in range(b):
            own[r] = right[s.chain[i, r]]
            if i > 0:
                for k in range(b):
                    own[r] -= s.lower[i, r, k] * work[i - 1, k]
        for r in range(b):
            work[i, r] = 0.0
            for k in range(b):
                work[i, r] += s.inverse[i, r, k] * own[k]
        for r in range(tail.size):
            for k in range(b):
                tail[r] -= s.rows[i, r, k] * work[i, k]
    _solve_end(s.end, s.order, tail)
    for r in range(tail.size):
        solution[s.border[r]] = tail[r]
    for i in range(blocks - 1, -1, -1):
        for r in range(b):
            value = work[i, r]
            for c in range(tail.size):
                value -= s.columns[i, r, c] * tail[c]
            if i < blocks - 1:
                for k in range(b):
                    value -= s.ahead[i, r, k] * solution[s.chain[i + 1, k]]
            solution[s.chain[i, r]] = value


@kernel(inner=True)
def _solve_end(a, order, x):
    """Solve with the factors of a dense matrix in place."""
    size = a.shape[0]
    for k in range(size):
        pivot = order[k]
        if pivot != k:
            x[k], x[pivot] = x[pivot], x[k]
    for r in range(size):
        for k in range(r):
            x[r] -= a[r, k] * x[k]
    for r in range(size - 1, -1, -1):
        for k in range(r + 1, size):
            x[r] -= a[r, k] * x[k]
        x[r] /= a[r, r]
