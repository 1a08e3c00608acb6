"""Lemke's method for a linear complementarity problem, y = A x + b, y >= 0, x >= 0, y x = 0.

Lemke, Management Science 11 (1965) 681; Cottle, Pang & Stone, The Linear Complementarity Problem (1992), 4.4. The
tableau expresses the basic variables in terms of the n + 1 nonbasic variables, so a pivot takes n (n + 2) operations.
Ties in the ratio test are broken lexicographically (op. cit. 4.9), so the method cannot cycle. Ties are frequent: they
occur whenever several contacts carry no load.

Variables are scaled by 1/sqrt(A_ii). Without scaling, the entries of light bodies (1e-9 compared with 1 in a woodpecker
toy) would be treated as zeros, and the method would end on spurious rays. A pair without a diagonal entry, such as the
limits of friction, is scaled so that the largest entry in its column becomes 1.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.kernels import kernel
from chaindrive.solvers.complementarity.outcome import Outcome

__all__ = ["LemkeWork", "lemke", "lemke_work", "pivots_allowed"]

SOLVED, RAY = int(Outcome.SOLVED), int(Outcome.RAY)
TOO_MANY_ITERATIONS, INACCURATE = int(Outcome.TOO_MANY_ITERATIONS), int(Outcome.INACCURATE)
NOT_A_NUMBER = int(Outcome.NOT_A_NUMBER)

SMALLEST_PIVOT = 1e-11
"""Entries of the scaled tableau below this value count as zero. [-]"""
TIE = 1e-12
"""Ratios that differ by less than this, relative to the right-hand side, are regarded as tied. [-]"""
SMALLEST_DIAGONAL = 1e-14
"""A diagonal entry below this fraction of the largest diagonal entry is not used for scaling. [-]"""
EXACT, ACCURACY = 1e-10, 1e-7
"""Limits of the residual of the scaled problem: up to the first, the problem counts as solved, no matter how the method
ended; above the second, a solution that the method found counts as inaccurate. [-]"""


class LemkeWork(NamedTuple):
    """Scratch arrays of :func:`lemke` for problems of up to n unknowns."""

    tableau: FloatArray
    """(n, n + 2): constants, then the columns of the nonbasic variables"""
    basic: IntArray
    """Number of the variable of every row, (n,): i for y_i, n + i for x_i, and 2n for the artificial variable."""
    nonbasic: IntArray
    """Number of the variable of every column, (n + 1,)."""
    place: IntArray
    """Row of every basic variable, and -1 - column of every nonbasic variable, (2n + 1,)."""
    scale: FloatArray
    """(n,)"""


def lemke_work(n: int) -> LemkeWork:
    """Return scratch arrays for problems of up to n unknowns."""
    return LemkeWork(
        np.zeros((n, n + 2)),
        np.zeros(n, np.int64),
        np.zeros(n + 1, np.int64),
        np.zeros(2 * n + 1, np.int64),
        np.zeros(n),
    )


@kernel(inner=True)
def find_scale(matrix, n, scale):
    """Write the scale of every variable, which is also the scale of its row."""
    largest = 0.0
    for i in range(n):
        largest = max(largest, matrix[i, i])
    for i in range(n):
        has_one = matrix[i, i] > SMALLEST_DIAGONAL * largest
        scale[i] = 1.0 / math.sqrt(matrix[i, i]) if has_one else 0.0
    for i in range(n):
        if scale[i] == 0.0:
            found = 0.0
            for j in range(n):
                if scale[j] > 0.0:
                    found = max(found, abs(matrix[j, i]) * scale[j])
            scale[i] = -1.0 / found if found > 0.0 else -1.0  # negative: ignored for others
    for i in range(n):
        scale[i] = abs(scale[i])


@kernel(inner=True)
def fill_tableau(matrix, vector, n, largest, work):
    """Write y as a function of x and the artificial variable into the tableau; return False if a number is not finite.
    largest: size of the vector.
    """
    t, finite = work.tableau, True
    for i in range(n):
        t[i, 0] = work.scale[i] * vector[i] / largest
        for j in range(n):
            t[i, j + 1] = work.scale[i] * matrix[i, j] * work.scale[j]
            finite = finite and math.isfinite(t[i, j + 1])
        t[i, n + 1] = 1.0
        work.basic[i], work.nonbasic[i] = i, n + i
        work.place[i], work.place[n + i] = i, -1 - i
    work.nonbasic[n], work.place[2 * n] = 2 * n, -1 - n
    return finite


@kernel(inner=True)
def add_scaled(found, given, factor, size):
    """Add a factor times a row to another row; the rows are passed as separate arrays so that vector registers can be
    used.
    """
    for j in range(size):
        found[j] += factor * given[j]


@kernel(inner=True)
def pivot(work, n, row, column):
    """Make the variable of a column basic, in place of the variable of a row."""
    t = work.tableau
    inverse = 1.0 / t[row, column + 1]
    for j in range(n + 2):
        t[row, j] *= -inverse
    t[row, column + 1] = inverse
    for i in range(n):
        factor = t[i, column + 1]
        if i != row and factor != 0.0:
            t[i, column + 1] = 0.0
            add_scaled(t[i], t[row], factor, n + 2)
    entering, leaving = work.nonbasic[column], work.basic[row]
    work.basic[row], work.nonbasic[column] = entering, leaving
    work.place[entering], work.place[leaving] = row, -1 - column


@kernel(inner=True)
def comes_first(work, n, one, other, column):
    """Return whether row ``one`` is lexicographically before row ``other`` in the ratio test of a column.

    The inverse basis is read from the columns of the variables y: for a nonbasic variable it is minus its column in the
    tableau, for a basic variable a unit vector.
    """
    t = work.tableau
    of_one, of_other = -1.0 / t[one, column + 1], -1.0 / t[other, column + 1]
    for j in range(n):
        at = work.place[j]
        if at < 0:
            first, second = -t[one, -at] * of_one, -t[other, -at] * of_other
        else:
            first, second = of_one if at == one else 0.0, of_other if at == other else 0.0
        if abs(first - second) > TIE * max(1.0, max(abs(first), abs(second))):
            return first < second
    return one > other


@kernel(inner=True)
def preferred(work, n, one, other, column):
    """Return whether row ``one`` leaves the basis rather than row ``other``, with which it is tied; the artificial
    variable has priority.
    """
    if work.basic[other] == 2 * n:
        return False
    return work.basic[one] == 2 * n or comes_first(work, n, one, other, column)


@kernel(inner=True)
def leaving_row(work, n, column):
    """Return the row whose variable is the first to become zero as the variable of a column grows; -1 if none does (a
    ray).
    """
    t, best, least = work.tableau, -1, np.inf
    for i in range(n):
        if t[i, column + 1] < -SMALLEST_PIVOT:
            ratio = max(t[i, 0], 0.0) / -t[i, column + 1]
            tied = abs(ratio - least) <= TIE * max(1.0, ratio)
            if not tied and ratio < least:
                best, least = i, ratio
            elif tied and preferred(work, n, i, best, column):
                best, least = i, min(ratio, least)
    return best


@kernel(inner=True)
def residual_of(matrix, vector, n, largest, solution, scale):
    """Return the largest |min(x, y)| of the scaled problem, relative to the size of its vector. [-]"""
    worst = 0.0
    for i in range(n):
        y = vector[i]
        for j in range(n):
            y += matrix[i, j] * solution[j]
        worst = max(worst, abs(min(solution[i] / (scale[i] * largest), y * scale[i] / largest)))
    return worst


@kernel
def lemke(matrix, vector, n, solution, work, most):
    """Solve y = A x + b for 0 <= y _|_ x >= 0; return an outcome, the number of pivots, and the residual of the scaled
    problem [-].

    matrix A (n, n) and vector b (n,), which may be the first parts of larger arrays; solution x (n,), written here;
    work: result of ``lemke_work``; most: largest number of pivots.
    """
    find_scale(matrix, n, work.scale)
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(work.scale[i] * vector[i]))
        if not math.isfinite(vector[i]):
            return NOT_A_NUMBER, 0, np.inf
        solution[i] = 0.0
    if largest == 0.0:
        return SOLVED, 0, 0.0
    if not fill_tableau(matrix, vector, n, largest, work):
        return NOT_A_NUMBER, 0, np.inf
    row, least = -1, 0.0
    for i in range(n):  # the last of equal entries is lexicographically the smallest
        if work.tableau[i, 0] < 0.0 and work.tableau[i, 0] <= least:
            row, least = i, work.tableau[i, 0]
    pivots, column, outcome = 0, n, SOLVED
    while row >= 0:
        leaving = work.basic[row]
        pivot(work, n, row, column)
        pivots += 1
        if leaving == 2 * n:
            break
        column = -1 - work.place[leaving + n if leaving < n else leaving - n]
        row = leaving_row(work, n, column)
        if row < 0:
            outcome = RAY
        elif pivots >= most:
            outcome, row = TOO_MANY_ITERATIONS, -1
    for i in range(n):
        at = work.place[n + i]
        solution[i] = max(work.tableau[at, 0], 0.0) * work.scale[i] * largest if at >= 0 else 0.0
    residual = residual_of(matrix, vector, n, largest, solution, work.scale)
    if residual <= EXACT:  # also at the start of a ray, with an artificial variable that is zero except for rounding
        outcome = SOLVED
    elif outcome == SOLVED and not residual <= ACCURACY:
        outcome = INACCURATE
    return outcome, pivots, residual


def pivots_allowed(n: int) -> int:
    """Return the number of pivots after which a problem of n unknowns counts as failed; usually a few times n are
    enough.
    """
    return 20 * n + 50
