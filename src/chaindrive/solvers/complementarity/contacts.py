"""Solving complementarity problems from Python.

Contacts: G = W^T M^-1 W is the inverse inertia of k planar contacts, first for their k normal directions, then for
their k tangential directions. P are the forces or impulses of the contacts, and c is the motion that the contacts would
have without them. The contacts move with xi = G P + c:

    0 <= xi_N _|_ P_N >= 0,      |P_T| <= mu P_N,   P_T = -mu P_N sgn xi_T where xi_T is not 0.

xi are accelerations if P are forces lambda, and velocities if P are impulses. P_T is the friction that acts on the body
moving with xi_T, and is opposed to xi_T.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from chaindrive.contract.states import FloatArray
from chaindrive.errors import InputError, Problem
from chaindrive.solvers.complementarity.forms import (
    compact_form,
    copositive_form,
    forces_of_compact_form,
    forces_of_paper_form,
    paper_form,
)
from chaindrive.solvers.complementarity.gauss_seidel import gauss_seidel
from chaindrive.solvers.complementarity.lemke import lemke, lemke_work, pivots_allowed
from chaindrive.solvers.complementarity.outcome import Outcome
from chaindrive.solvers.complementarity.semismooth import semismooth, semismooth_work

__all__ = ["FORMS", "METHODS", "ContactSolution", "LcpSolution", "solve_contacts", "solve_lcp"]

METHODS = ("lemke", "gauss-seidel", "semismooth-newton")
FORMS = ("compact", "paper", "copositive")


class LcpSolution(NamedTuple):
    """Solution of y = A x + b, y >= 0, x >= 0, y x = 0."""

    x: FloatArray
    """(n,)"""
    y: FloatArray
    """(n,)"""
    outcome: Outcome
    pivots: int
    residual: float
    """Largest value of |min(x, y)| in the scaled problem, relative to the size of its vector. [-]"""


class ContactSolution(NamedTuple):
    """Forces or impulses of k contacts."""

    force: FloatArray
    """k normal values, then k tangential values, (2k,). [N or N s]"""
    motion: FloatArray
    """xi, (2k,). [m/s^2 or m/s]"""
    outcome: Outcome
    iterations: int
    """Number of pivots, sweeps or iterations."""
    residual: float
    """With Lemke's method as in ``LcpSolution``; with other methods the largest change in a projected step, relative to
    c. [-]"""


def solve_lcp(matrix: ArrayLike, vector: ArrayLike, most_pivots: int | None = None) -> LcpSolution:
    """Solve y = A x + b for 0 <= y _|_ x >= 0 by Lemke's method, see ``lemke.py``.

    matrix A (n, n), vector b (n,). Raises InputError if shapes do not match; a failure of the method is reported in
    ``outcome``.
    """
    a = np.ascontiguousarray(matrix, dtype=float)
    b = np.ascontiguousarray(vector, dtype=float)
    _check_shapes({"matrix": (a, (b.size, b.size)), "vector": (b, (b.size,))})
    n, x = b.size, np.zeros(b.size)
    found = lemke(a, b, n, x, lemke_work(n), pivots_allowed(n) if most_pivots is None else most_pivots)
    with np.errstate(invalid="ignore"):  # reported by the outcome
        y = a @ x + b
    return LcpSolution(x, y, Outcome(found[0]), found[1], found[2])


def solve_contacts(
    matrix: ArrayLike,
    vector: ArrayLike,
    friction: ArrayLike,
    *,
    sliding: ArrayLike | None = None,
    before: ArrayLike | None = None,
    method: str = "lemke",
    form: str = "compact",
    start: ArrayLike | None = None,
    relaxation: float = 1.0,
    most: int | None = None,
    tolerance: float = 1e-12,
) -> ContactSolution:
    """Solve the problem of planar contacts with friction (above).

    matrix G (2k, 2k), vector c (2k,); friction (k,): coefficients of friction for the state of each contact, 0 for
    none; sliding (k,): for problems with accelerations, sgn g_T' of contacts that slide, so that the direction of their
    friction is known, and 0 for contacts that stick; before (k,): normal impulses already applied, see
    ``compact_form``. The last two are for Lemke's method only, and ``before`` not for its paper form. method: a name in
    METHODS; form: a name in FORMS, for Lemke's method. start (2k,), relaxation, most (largest number of sweeps or
    iterations, or of pivots) and tolerance are parameters of the iterative methods. Raises an InputError that lists
    everything that is not allowed; a failure of the method is reported in ``outcome``.
    """
    g, c, mu = (np.ascontiguousarray(values, dtype=float) for values in (matrix, vector, friction))
    k = mu.size
    state, given, force = (
        np.zeros(size) if values is None else np.array(values, dtype=float)
        for values, size in ((sliding, k), (before, k), (start, 2 * k))
    )
    shapes = {
        "matrix": (g, (2 * k, 2 * k)),
        "vector": (c, (2 * k,)),
        "sliding": (state, (k,)),
        "before": (given, (k,)),
        "start": (force, (2 * k,)),
    }
    _check_shapes(shapes)
    _check_choice(mu, method, form, relaxation, bool(state.any()), bool(given.any()))
    found: Any
    if method == "lemke":
        a, b, x = np.zeros((5 * k, 5 * k)), np.zeros(5 * k), np.zeros(5 * k)
        if form == "compact":
            n = compact_form(g, c, mu, state, given, k, a, b)
        elif form == "copositive":
            n = copositive_form(g, c, mu, state, given, k, a, b)
        else:
            n = paper_form(g, c, mu, state, k, a, b)
        found = lemke(a, b, n, x, lemke_work(n), pivots_allowed(n) if most is None else most)
        if form == "compact":
            forces_of_compact_form(x, mu, state, given, k, force)
        else:
            forces_of_paper_form(x, mu, state, k, force)
    elif method == "gauss-seidel":
        found = gauss_seidel(g, c, mu, k, force, relaxation, 10_000 if most is None else most, tolerance)
    else:
        found = semismooth(g, c, mu, k, force, semismooth_work(k), 100 if most is None else most, tolerance)
    return ContactSolution(force, g @ force + c, Outcome(found[0]), found[1], found[2])


def _check_shapes(shapes: dict[str, tuple[FloatArray, tuple[int, ...]]]) -> None:
    problems = [
        Problem(name, f"Must have the shape {wanted}.", str(values.shape))
        for name, (values, wanted) in shapes.items()
        if values.shape != wanted
    ]
    if problems:
        raise InputError(problems)


def _check_choice(friction: FloatArray, method: str, form: str, relaxation: float, sliding: bool, before: bool) -> None:
    problems = [
        Problem(f"friction[{i}]", "A coefficient of friction must be a finite number, at least 0.", f"{value:g}")
        for i, value in enumerate(friction)
        if not 0.0 <= value < np.inf
    ]
    if method not in METHODS:
        problems.append(Problem("method", f"Must be one of {', '.join(METHODS)}.", repr(method)))
    if form not in FORMS:
        problems.append(Problem("form", f"Must be one of {', '.join(FORMS)}.", repr(form)))
    if not 0.0 < relaxation < 2.0:
        problems.append(Problem("relaxation", "Must be between 0 and 2.", f"{relaxation:g}"))
    if (sliding or before) and method in METHODS[1:]:
        problems.append(Problem("method", "Sliding contacts and impulses given beforehand need 'lemke'.", repr(method)))
    if before and form == "paper":
        message = "Must be 'compact' or 'copositive' with impulses given beforehand."
        problems.append(Problem("form", message, repr(form)))
    if problems:
        raise InputError(problems)
