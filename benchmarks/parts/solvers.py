"""Every method on the timing drive of a V6 (Hippmann, Arnold & Schittenhelm 2005, Table 2); the equations of a step."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from measure import Row, Section, paired
from scipy.linalg import lu_factor, lu_solve

from chaindrive.contract.states import Kind
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.solvers import METHODS, Integrator, SolverSettings, integrator_for
from chaindrive.solvers.elimination import factorise, solve
from chaindrive.solvers.linearising import linearise_of
from chaindrive.solvers.newton import Jacobian
from chaindrive.solvers.structure import full_matrix, structure_of
from parts.drives import RARE, rolling, running, same_memory, two_wheels
from parts.links import AFTER, ENGINE, LINKS, REVOLUTION, TIGHT
from parts.scaling import exponent

PART = 500
"""Length of the run as a part of a loop of the chain."""
LINEAR_SOLVERS = ("dense", "block-gauss", "structured")
OF_SUNDIALS = ("bdf", "ida")
WARM = 2e-6
"""Simulated time before anything is measured: it compiles, or loads. [s]"""
PAPER = {
    "CPU time [s]": ("18344.4", "9585.5", "9772.9", "3539.7", "2487.9", "748.1"),
    "steps": ("41287", "43716", "44405", "281494", "60209", "103384"),
    "evaluations": ("1705326", "1325287", "1393471", "508891", "361255", "108013"),
    "without Jacobians": ("60606", "62377", "63811", "508891", "361255", "107272"),
    "Jacobians": ("1232", "946", "996", "0", "0", "19"),
    "failed error tests": ("144", "140", "145", "", "1", "57"),
    "failed correctors": ("230", "147", "164", "0", "0", "8"),
}
"""Table 2 of the paper: one full cycle of its model, Xeon 2.4 GHz, SIMPACK 8.7."""
OF_PAPER = ("DASSL", "DASSL, block Gauss", "DASSL, band matrix", "LSODE", "DOPRI5", "modular integration")
LARGEST_DENSE = 1000
"""Largest number of links with dense matrices: with 10,000 links one takes 29 GB."""
G = 2e-7
"""Factor of the Jacobian in the matrix of a step, of the size used by BDF for the engine. [s]"""
TIMES_LIMIT, EXPONENT_LIMIT = 20.0, 1.1
"""Wanted: time of structured over dense solution for the links of the engine, and the exponent over the links."""


class Found(NamedTuple):
    """Cost of a method, and its final state."""

    cpu: float
    """[s]"""
    steps: int
    mean_step: float
    """[s]"""
    evaluations: int
    for_jacobians: int
    jacobians: int
    failed_error_tests: int
    failed_correctors: int
    of_mechanism: int | None
    """Evaluations of the mechanism alone; None for a run of the whole."""
    tension: np.ndarray
    """Tension of every link at the end, (N,). [N]"""


def every_method(system: System) -> dict[str, SolverSettings]:
    """All methods for a system by their names, those of SUNDIALS with all linear solvers."""
    found = {}
    for method, each in METHODS.items():
        if each.hindrance is not None and each.hindrance(system):
            continue
        if method in OF_SUNDIALS:
            of_sundials = {f"{method}, {name}": SolverSettings(method, linear_solver=name) for name in LINEAR_SOLVERS}
            found |= of_sundials
        elif method != "splitting":  # in the plane it is velocity Verlet
            found[method] = SolverSettings(method)
    return found


def methods(quick: bool) -> Section:
    """All methods from one running state over the same time, with default tolerances, and the paper's table."""
    system, state, t = running(ENGINE, after=AFTER, formulation="link")
    until = t + (WARM if quick else REVOLUTION / PART)
    exact = measured(system, state, t, until, TIGHT).tension
    found = {name: measured(system, state, t, until, settings) for name, settings in every_method(system).items()}
    cycle, states = REVOLUTION / (until - t), int((system.kinds != Kind.WORK).sum())
    values: dict[str, list[str]] = {
        "CPU time [s]": [f"{each.cpu:.4g}" for each in found.values()],
        "CPU time of a cycle [s]": [f"{each.cpu * cycle:.4g}" for each in found.values()],
        "mean step [us]": [f"{1e6 * each.mean_step:.3g}" for each in found.values()],
        "steps": [str(each.steps) for each in found.values()],
        "evaluations": [str(each.evaluations) for each in found.values()],
        "evaluations of the mechanism": [
            "" if each.of_mechanism is None else str(each.of_mechanism) for each in found.values()
        ],
        "without Jacobians": [str(each.evaluations - each.for_jacobians) for each in found.values()],
        "Jacobians": [str(each.jacobians) for each in found.values()],
        "failed error tests": [str(each.failed_error_tests) for each in found.values()],
        "failed correctors": [str(each.failed_correctors) for each in found.values()],
        "difference": [_difference(each.tension, exact) for each in found.values()],
    }
    lines = [("", *found, *(f"*{name}*" for name in OF_PAPER))]
    lines += [(what, *own, *_of_paper(what)) for what, own in values.items()]
    remarks = [
        f"The drive is {ENGINE} with rigid links, clearance and default tolerances. Runs begin {AFTER:g} s after the "
        f"start at speed and last {1e3 * (until - t):.4g} ms, 1/{cycle:.3g} of a cycle (a loop of the chain, "
        f"{REVOLUTION:.4g} s). 'CPU time of a cycle' is the CPU time multiplied by {cycle:.3g}. 'Difference' is the "
        "largest deviation of a link's tension at the end from that of Dormand-Prince with a hundredth of the "
        "tolerances, relative to the mean tension.",
        "*Italics*: values of Table 2 of the paper, for one cycle of a model with 216 links (its data are not "
        "published), on a Xeon at 2.4 GHz, with SIMPACK 8.7. The evaluations of its modular integration are those of "
        "the mechanism, by DASSL.",
        f"dense: SUNDIALS LU-factorises the matrix of all {states} states other than the work integrals. Jacobians are "
        "coloured differences; with block-gauss and structured they are computed again whenever SUNDIALS requests a "
        "factorisation, with dense they are kept longer.",
        "modular: steps and evaluations are those of the chain; each evaluation also computes the mechanism; "
        "evaluations of the mechanism alone are in a separate row. The gain is described in "
        "docs/validation/modular-integration.md.",
    ]
    return Section(f"Every method on {ENGINE}", [], remarks, lines)


def measured(system: System, state: np.ndarray, t: float, until: float, settings: SolverSettings) -> Found:
    """A run from a state on, after one that compiles; contact memory is restored."""
    own = dataclasses.replace(system, state=state.copy())
    for end in (t + WARM, until):
        with same_memory(own):
            run = integrator_for(own, settings, RARE, 500, t)
            begun, status = time.process_time(), Status.RUNNING
            while status == Status.RUNNING:
                status = run.advance(end, 10**9)
            used = time.process_time() - begun
            tension = own.channel("link_tension").read(own.row(run.time, run.state)[None])[0].copy()
        if status != Status.REACHED_END:
            raise RuntimeError(f"{settings.method} ended at {run.time:.4g} s: {status.meaning}")
    return Found(used, *counts_of(run), run.notes().get("modules", {}).get("mechanism_evaluations"), tension)


def counts_of(run: Integrator) -> tuple[int, float, int, int, int, int, int]:
    """Steps, their mean [s], evaluations, those for Jacobians, Jacobians, failed error tests, failed correctors."""
    found: dict[str, Any] = dataclasses.asdict(run.statistics)
    own = {name.rpartition(".")[2]: int(array[0]) for name, array in run.snapshot().items() if ".newton." in name}
    correctors = found.get("failed_correctors", own.get("failed", 0))
    return (
        found["steps"],
        found["mean_step"],
        found["evaluations"],
        found.get("evaluations_for_jacobians", own.get("evaluations", 0)),
        found.get("jacobians", own.get("jacobians", 0)),
        found.get("failed_error_tests", found["rejected"] - correctors),
        correctors,
    )


def _difference(found: np.ndarray, exact: np.ndarray) -> str:
    return f"{np.abs(found - exact).max() / np.abs(exact).mean():.1e}"


def _of_paper(what: str) -> list[str]:
    return [f"*{value}*" if value else "" for value in PAPER.get(what, ("",) * len(OF_PAPER))]


def equations(quick: bool, links: tuple[int, ...] = LINKS) -> Section:
    """Factorisation and one solution of the equations of a step, by all linear solvers."""
    links, repeats = (links[:1], 1) if quick else (links, 5)
    names = ("dense", "block-gauss", "structured")
    times = np.full((len(names), len(links)), np.nan)
    for column, n in enumerate(links):
        solvers = solvers_of(rolling(two_wheels(n), "link"), n <= LARGEST_DENSE)
        for name, cost in paired(solvers, repeats if n < LARGEST_DENSE else min(repeats, 3)).items():
            times[names.index(name), column] = 1e3 * cost.cpu
    rows = []
    for name, course in zip(names, times, strict=True):
        known = np.isfinite(course)
        remark = "ms: " + ", ".join(f"{t:.3g} ({n})" for n, t in zip(links, course, strict=True) if math.isfinite(t))
        rows.append(Row(f"{name}: factorisation and a solution at {links[0]} links", course[0], "ms", remark=remark))
        if known.sum() > 1:
            limit = EXPONENT_LIMIT if name == "structured" else None
            slope = exponent(np.array(links)[known], course[known])
            rows.append(Row(f"{name}: exponent over the links", slope, "", limit))
    ratio = times[0, 0] / times[2, 0]
    rows.append(Row(f"dense / structured at {links[0]} links", ratio, "times", TIMES_LIMIT, at_least=True))
    rows.append(Row(f"block-gauss / structured at {links[0]} links", times[1, 0] / times[2, 0], "times"))
    remarks = [
        "The drive has two wheels of 19 teeth and rigid links. The matrix is that of a BDF step; the evaluation of its "
        "Jacobian is not counted. Dense factorisations are by LAPACK on one core; that of "
        "SUNDIALS, which is not blocked, takes "
        "longer."
    ]
    return Section("Linear equations of an implicit step over the links", rows, remarks)


def solvers_of(system: System, small: bool) -> dict[str, Callable[[], Any]]:
    """Factorisation and solution functions, by name; dense ones where the system is small."""
    y, p, structure = system.state, system.parameters, structure_of(system)
    dy = np.zeros_like(y)
    system.kernels.rhs(0.0, y, dy, p)
    linearise_of(system.kernels)(0.0, y, dy, G * G, G, 1.0, structure, p)
    right = np.random.default_rng(1).normal(size=y.size - system.positions)
    solution = right.copy()

    def structured() -> None:
        if not factorise(structure):
            raise RuntimeError("the matrix is singular")
        solve(structure, right, solution)

    structured()
    found: dict[str, Callable[[], Any]] = {"structured": structured}
    if not small:
        return found
    tolerance = np.array([system.motion.tolerances.get(kind, np.inf) for kind in system.kinds])
    jacobian, _ = Jacobian(system, tolerance).at(0.0, y, dy)
    matrix, eliminated = np.eye(y.size) - G * jacobian, full_matrix(structure)
    linearise_of(system.kernels)(0.0, y, dy, G * G, G, 1.0, structure, p)
    whole = np.concatenate([np.zeros(system.positions), right])
    found["dense"] = lambda: lu_solve(lu_factor(matrix), whole)
    found["block-gauss"] = lambda: lu_solve(lu_factor(eliminated), right)
    return found
