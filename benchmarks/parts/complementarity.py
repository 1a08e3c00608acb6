"""Complementarity solvers: microseconds of a problem over its size."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from measure import Row, Section, paired

from chaindrive.kernels import kernel
from chaindrive.solvers.complementarity import solve_contacts, solve_lcp
from chaindrive.solvers.complementarity.forms import compact_form, copositive_form, paper_form
from chaindrive.solvers.complementarity.gauss_seidel import gauss_seidel
from chaindrive.solvers.complementarity.lemke import lemke, lemke_work
from chaindrive.solvers.complementarity.semismooth import semismooth, semismooth_work

__all__ = ["SIZES", "contacts", "problems"]

SIZES = (15, 30, 60, 120)
"""Numbers of unknowns; a contact has three."""
PROBLEMS = 20
"""Number of different problems of each size."""
TOLERANCE = 1e-9
"""Tolerance of the iterative methods. [-]"""


class Contacts(NamedTuple):
    """Problems of planar contacts with friction."""

    matrix: np.ndarray
    vector: np.ndarray
    friction: np.ndarray


@kernel
def lemke_often(matrix, vector, n, x, work, times):
    """Solve a problem a number of times; returns the pivots of one solution."""
    pivots = 0
    for _ in range(times):
        _, pivots, _ = lemke(matrix, vector, n, x, work, 1000)
    return pivots


@kernel
def gauss_seidel_often(matrix, vector, friction, k, impulse, times):
    """Solve problems by sweeps from zero, in the order of the problems."""
    sweeps = 0
    for _ in range(times):
        for r in range(2 * k):
            impulse[r] = 0.0
        _, sweeps, _ = gauss_seidel(matrix, vector, friction, k, impulse, 1.0, 100_000, TOLERANCE)
    return sweeps


@kernel
def semismooth_often(matrix, vector, friction, k, impulse, work, times):
    """Solve problems by Newton's method from zero."""
    iterations = 0
    for _ in range(times):
        for r in range(2 * k):
            impulse[r] = 0.0
        _, iterations, _ = semismooth(matrix, vector, friction, k, impulse, work, 100, TOLERANCE)
    return iterations


@functools.cache
def quantecon_often() -> Callable[..., int] | None:
    """Lemke's method of quantecon in a compiled loop; None where it is not installed."""
    if importlib.util.find_spec("quantecon") is None:
        return None
    from numba import njit
    from quantecon.optimize.lcp_lemke import lcp_lemke

    @njit
    def often(matrix: Any, vector: Any, times: int) -> int:
        pivots = 0
        for _ in range(times):
            pivots = lcp_lemke(matrix, vector).num_iter
        return pivots

    return often


def _definite(n: int, number: int) -> tuple[np.ndarray, np.ndarray]:
    """A dense problem of n unknowns with a positive definite matrix."""
    rng = np.random.default_rng((n, number))
    half = rng.normal(size=(n, n))
    return half @ half.T + np.eye(n), rng.normal(size=n)


def _of_contacts(k: int, number: int) -> Contacts:
    """A number of contacts of a system with two velocities for each direction."""
    rng = np.random.default_rng((k, number))
    w = rng.normal(size=(4 * k, 2 * k))
    return Contacts(w.T @ w / k, rng.normal(size=2 * k), rng.uniform(0.05, 0.3, k))


def _repeats(n: int, quick: bool) -> int:
    """Number of solutions of a problem that take some milliseconds."""
    return 1 if quick else max(1, 20_000 // n**2)


def problems(quick: bool) -> Section:
    """Lemke's method here and in quantecon."""
    rows, theirs = [], quantecon_often()
    for n in SIZES:
        given = [_definite(n, number) for number in range(PROBLEMS)]
        x, work, times = np.zeros(n), lemke_work(n), _repeats(n, quick)
        things: dict[str, Callable[[], Any]] = {
            "chaindrive": lambda: [lemke_often(a, b, n, x, work, times) for a, b in given]  # noqa: B023
        }
        if theirs is not None:
            things["quantecon"] = lambda: [theirs(a, b, times) for a, b in given]  # noqa: B023
        pivots = {name: float(np.mean(thing())) for name, thing in things.items()}
        if theirs is not None:
            from quantecon.optimize.lcp_lemke import lcp_lemke

            worst = max(float(np.abs(lcp_lemke(a, b).z - solve_lcp(a, b).x).max()) for a, b in given)
        for name, cost in paired(things, 1 if quick else 9).items():
            compared = f"; both within {worst:.0e}" if name == "quantecon" else ""
            remark = f"{pivots[name]:.1f} pivots; spread {cost.spread}{compared}"
            rows.append(Row(f"n = {n}: {name}", 1e6 * cost.cpu / (PROBLEMS * times), "us", remark=remark))
    remarks = [
        f"The times are for {PROBLEMS} dense problems with positive definite matrices, in a compiled loop. chaindrive "
        "uses a tableau of the basic versus the nonbasic variables, scaled by 1/sqrt(A_ii). quantecon uses the whole, "
        "unscaled tableau in its own scratch memory; its code is compiled for the processor at hand."
    ]
    return Section("Linear complementarity problems", rows, remarks)


def contacts(quick: bool) -> Section:
    """Contacts with friction by every method."""
    rows = []
    for n in SIZES:
        k = n // 3
        given = [_of_contacts(k, number) for number in range(PROBLEMS)]
        times, force, zeros = _repeats(n, quick), np.zeros(2 * k), np.zeros(k)
        things: dict[str, Callable[[], Any]] = {}
        for name, write in (("compact", compact_form), ("copositive", copositive_form), ("paper", paper_form)):
            written = []
            for g, c, mu in given:
                a, b = np.zeros((5 * k, 5 * k)), np.zeros(5 * k)
                size = write(g, c, mu, zeros, k, a, b) if name == "paper" else write(g, c, mu, zeros, zeros, k, a, b)
                written.append((np.ascontiguousarray(a[:size, :size]), b[:size].copy(), size))
            things[f"Lemke, {name} form"] = functools.partial(_by_lemke, written, times)
        newton = semismooth_work(k)
        things["Gauss-Seidel"] = lambda: [gauss_seidel_often(*p, k, force, times) for p in given]  # noqa: B023
        things["semismooth Newton"] = lambda: [semismooth_often(*p, k, force, newton, times) for p in given]  # noqa: B023
        steps = {name: float(np.mean(thing())) for name, thing in things.items()}
        failed = sum(
            solve_contacts(*p, method=method).outcome != 0 for p in given for method in ("lemke", "gauss-seidel")
        )
        for name, cost in paired(things, 1 if quick else 9).items():
            kind = "pivots" if "Lemke" in name else "sweeps" if "Seidel" in name else "iterations"
            remark = f"{steps[name]:.1f} {kind}; spread {cost.spread}" + (f"; {failed} not solved" if failed else "")
            rows.append(Row(f"{k} contacts: {name}", 1e6 * cost.cpu / (PROBLEMS * times), "us", remark=remark))
    remarks = [
        f"The times are for {PROBLEMS} problems of random contacts that may all stick, in a compiled loop; those of "
        "Lemke's method do not include setting up the form. Gauss-Seidel and Newton start from zero and end at a "
        f"residual of {TOLERANCE:g}."
    ]
    return Section("Planar contacts with friction", rows, remarks)


def _by_lemke(written: list[tuple[np.ndarray, np.ndarray, int]], times: int) -> list[int]:
    return [lemke_often(a, b, n, np.zeros(n), lemke_work(n), times) for a, b, n in written]
