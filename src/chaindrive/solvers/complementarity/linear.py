"""Dense linear equations of a few unknowns, in kernels: Gaussian elimination with partial pivoting."""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["factorise", "substitute"]

SMALLEST_PIVOT = 1e-14
"""A pivot below this fraction of the largest entry of the matrix counts as zero. [-]"""


@kernel(inner=True)
def factorise(matrix, n, order):
    """Replace the first n rows and columns by their LU factors; return False if they are singular. order (n,): rows of
    the pivots.
    """
    largest = 0.0
    for i in range(n):
        for j in range(n):
            largest = max(largest, abs(matrix[i, j]))
    for c in range(n):
        best = c
        for r in range(c + 1, n):
            if abs(matrix[r, c]) > abs(matrix[best, c]):
                best = r
        order[c] = best
        if not abs(matrix[best, c]) > SMALLEST_PIVOT * largest:
            return False
        if best != c:
            for j in range(n):
                matrix[c, j], matrix[best, j] = matrix[best, j], matrix[c, j]
        for r in range(c + 1, n):
            factor = matrix[r, c] / matrix[c, c]
            matrix[r, c] = factor
            for j in range(c + 1, n):
                matrix[r, j] -= factor * matrix[c, j]
    return True


@kernel(inner=True)
def substitute(matrix, n, order, x):
    """Solve with the factors; the solution replaces the right-hand side x."""
    for c in range(n):
        x[c], x[order[c]] = x[order[c]], x[c]
    for r in range(n):
        for j in range(r):
            x[r] -= matrix[r, j] * x[j]
    for r in range(n - 1, -1, -1):
        for j in range(r + 1, n):
            x[r] -= matrix[r, j] * x[j]
        x[r] /= matrix[r, r]
