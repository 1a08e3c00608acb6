"""Planar contacts with friction as a linear complementarity problem, in three forms.

Pfeiffer, Fritz & Srnik (1997), Eq. 1 to 8, as corrected in ``docs/theory/corrections.md``. Some of k contacts slide in
a known direction, and m stick or may begin to slide. G refers to all contacts (``contacts.py``). Sliding friction is
included in the columns of the normal forces, which become G_N - G_T mu sgn g_T'.

The paper's form has k + 4m unknowns: lambda_T = lambda+ - lambda-, the slacks of both limits, and the positive and
negative parts z+, z- of the acceleration with which the contact begins to slide. The compact form has k + 2m unknowns:
R = lambda_T + mu0 lambda_N, and the negative part a- of the acceleration (Glocker & Studer, Multibody Syst. Dyn. 13
(2005) 447). The same matrix with m = k, and with velocities in place of accelerations, describes an impact by Moreau's
law.

A third form has k + 3m unknowns (Anitescu & Potra, Nonlinear Dyn. 14 (1997) 231): lambda+, lambda- and the magnitude
|a| of the slip. Its matrix is copositive if no contact slides yet. Lemke's method then finds a solution of every
plastic impact, even with redundant contacts; with the other two forms it may end on a ray.
"""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["compact_form", "copositive_form", "forces_of_compact_form", "forces_of_paper_form", "paper_form"]


@kernel(inner=True)
def normal_column(matrix, row, j, k, friction, sliding):
    """Return an entry of the column of a normal force, with sliding friction included."""
    if sliding[j] != 0.0:
        return matrix[row, j] - matrix[row, k + j] * friction[j] * sliding[j]
    return matrix[row, j]


@kernel(inner=True)
def may_stick(friction, sliding, k):
    """Return the number m of contacts that stick or may begin to slide."""
    m = 0
    for i in range(k):
        if sliding[i] == 0.0 and friction[i] > 0.0:
            m += 1
    return m


@kernel(inner=True)
def clear(a, b, n):
    """Set the first n rows and columns of a problem to zero."""
    for r in range(n):
        b[r] = 0.0
        for c in range(n):
            a[r, c] = 0.0


@kernel(inner=True)
def write_accelerations(matrix, vector, friction, sliding, k, m, a, b):
    """Write the rows g_N'' of all contacts, then g_T'' and -g_T'' of the contacts that may stick, with the columns
    lambda_N, lambda+, lambda-.
    """
    row = 0
    for i in range(2 * k):
        if i >= k and (sliding[i - k] != 0.0 or friction[i - k] == 0.0):
            continue
        b[row] = vector[i]
        of = k
        for j in range(k):
            a[row, j] = normal_column(matrix, i, j, k, friction, sliding)
            if sliding[j] == 0.0 and friction[j] > 0.0:
                a[row, of], a[row, of + m] = matrix[i, k + j], -matrix[i, k + j]
                of += 1
        if i >= k:
            for c in range(k + 2 * m):
                a[row + m, c] = -a[row, c]
            b[row + m] = -b[row]
        row += 1


@kernel
def compact_form(matrix, vector, friction, sliding, before, k, a, b):
    """Write the problem with k + 2m unknowns (lambda_N, R, a-) into a and b, and return the number of unknowns.

    matrix G (2k, 2k), vector c (2k,); friction (k,): coefficient of friction for the state of each contact; sliding
    (k,): sgn g_T' of contacts that slide, 0 of contacts that stick; before (k,): normal impulses already applied (in
    Poisson's expansion phase), which raise the friction limit; a (>= n, >= n), b (>= n,).
    """
    m = may_stick(friction, sliding, k)
    n, of = k + 2 * m, 0
    clear(a, b, n)
    for i in range(k):
        b[i] = vector[i]
    for i in range(k):
        if sliding[i] == 0.0 and friction[i] > 0.0:
            b[k + of] = vector[k + i]
            of += 1
    row = 0
    for i in range(2 * k):  # rows g_N'' of all contacts, then g_T'' = a+ - a- of those that stick
        if i >= k and (sliding[i - k] != 0.0 or friction[i - k] == 0.0):
            continue
        of = 0
        for j in range(k):
            a[row, j] = normal_column(matrix, i, j, k, friction, sliding)
            if sliding[j] == 0.0 and friction[j] > 0.0:
                a[row, j] -= matrix[i, k + j] * friction[j]
                a[row, k + of] = matrix[i, k + j]
                b[row] -= matrix[i, k + j] * friction[j] * before[j]
                of += 1
        if i >= k:
            limit = row + m
            a[row, limit] = 1.0
            a[limit, i - k] = 2.0 * friction[i - k]
            a[limit, row] = -1.0
            b[limit] = 2.0 * friction[i - k] * before[i - k]
        row += 1
    return n


@kernel
def forces_of_compact_form(x, friction, sliding, before, k, force):
    """Write the normal and tangential forces (2k,) of the solution into ``force``; normal impulses already applied are
    not included.
    """
    of = k
    for i in range(k):
        force[i] = x[i]
        if sliding[i] == 0.0 and friction[i] > 0.0:
            force[k + i] = x[of] - friction[i] * (x[i] + before[i])
            of += 1
        else:
            force[k + i] = -friction[i] * sliding[i] * x[i]


@kernel
def paper_form(matrix, vector, friction, sliding, k, a, b):
    """Write the problem with k + 4m unknowns (lambda_N, lambda+, lambda-, z+, z-) into a and b, and return the number
    of unknowns.

    The arguments are those of :func:`compact_form`.
    """
    m = may_stick(friction, sliding, k)
    n = k + 4 * m
    clear(a, b, n)
    write_accelerations(matrix, vector, friction, sliding, k, m, a, b)
    row = k
    for i in range(k):  # kappa+ = g_T'' + z+, kappa- = -g_T'' + z-; limits mu0 lambda_N - lambda+ and - lambda-
        if sliding[i] == 0.0 and friction[i] > 0.0:
            back, upper, lower = row + m, row + 2 * m, row + 3 * m
            a[row, upper], a[back, lower] = 1.0, 1.0
            a[upper, i], a[lower, i] = friction[i], friction[i]
            a[upper, row], a[lower, back] = -1.0, -1.0
            row += 1
    return n


@kernel
def copositive_form(matrix, vector, friction, sliding, before, k, a, b):
    """Write the problem with k + 3m unknowns (lambda_N, lambda+, lambda-, |a|) into a and b, and return the number of
    unknowns.

    The arguments are those of :func:`compact_form`; ``forces_of_paper_form`` reads the solution.
    """
    m = may_stick(friction, sliding, k)
    n = k + 3 * m
    clear(a, b, n)
    write_accelerations(matrix, vector, friction, sliding, k, m, a, b)
    row = k
    for i in range(k):
        if sliding[i] == 0.0 and friction[i] > 0.0:
            back, limit = row + m, row + 2 * m
            a[row, limit], a[back, limit] = 1.0, 1.0
            a[limit, i], a[limit, row], a[limit, back] = friction[i], -1.0, -1.0
            b[limit] = friction[i] * before[i]
            row += 1
    return n


@kernel
def forces_of_paper_form(x, friction, sliding, k, force):
    """Write the normal and tangential forces (2k,) of the solution into ``force``; this also applies to the copositive
    form.
    """
    m = may_stick(friction, sliding, k)
    of = k
    for i in range(k):
        force[i] = x[i]
        if sliding[i] == 0.0 and friction[i] > 0.0:
            force[k + i] = x[of] - x[of + m]
            of += 1
        else:
            force[k + i] = -friction[i] * sliding[i] * x[i]
