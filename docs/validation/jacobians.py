"""What implicit steps gain from analytical derivatives, compared with coloured finite differences.

    python docs/validation/jacobians.py [--write]

``--write`` makes ``jacobians.md`` next to this file. Takes some minutes.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from _made import kept, kept_folder, made
from _writing import main_of
from elastic_friction import drive

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.model import Drive, override
from chaindrive.simulation.start import prepare
from chaindrive.solvers import SolverSettings
from chaindrive.solvers.choice import integrator_for

PAGE = Path(__file__).parent / "jacobians.md"
DERIVATIVES = "differences", "formulas"
PASSAGES = 2
"""Number of passages of a link in a run of the 08B drive."""
REPEATS = 3
"""Repetitions of a run; the shortest CPU time counts."""


class Case(NamedTuple):
    """A run by one method."""

    name: str
    drive: Drive
    method: str
    until: float
    """[s]"""


class Ran(NamedTuple):
    """Cost of a run."""

    steps: int
    jacobians: int
    for_jacobians: int
    evaluations: int
    failed: int
    """Steps whose iteration did not converge."""
    seconds: float
    """CPU time."""
    tension: float
    """Largest tension of a link at the end. [N]"""


def cases() -> list[Case]:
    """The cases: the 08B drive of elastic_friction.py from fast to slow, and timing drives with guides and
    tensioners.
    """
    found = []
    for rpm in (100.0, 10.0, 1.0):
        given = drive(rpm, PASSAGES)
        found.append(Case(f"08B, {rpm:g} rpm", given, "generalized-alpha", float(given.run.until)))
    slow = drive(10.0, PASSAGES)
    found.append(Case("08B, 10 rpm, a twentieth of the run", slow, "bdf", 0.05 * float(slow.run.until)))
    links = override(slow, {"run.formulation": {"kind": "link", "joint": "journal"}})
    found.append(Case("08B of rigid links, 10 rpm", links, "generalized-alpha", float(slow.run.until)))
    for name in ("timing-06b", "v6-timing"):
        found.append(Case(name, cd.example(name), "generalized-alpha", 5e-4))
    return found


def ran(system: System, case: Case) -> Ran:
    """Run a case, repeatedly from the same start."""
    memory = {name: array.copy() for name, array in system.memory_arrays().items()}
    seconds = float("inf")
    for repeat in range(REPEATS):
        for name, array in system.memory_arrays().items():
            array[...] = memory[name]
        run = integrator_for(system, SolverSettings(method=case.method), 10.0 * case.until)
        if repeat == 0:
            run.compile()
        begun, status = time.process_time(), Status.RUNNING
        while status == Status.RUNNING:
            status = run.advance(case.until)
        seconds = min(seconds, time.process_time() - begun)
        if status != Status.REACHED_END:
            raise RuntimeError(f"{case.name} ended at {run.time:.4g} s: {status.meaning}")
    tension = float(system.channel("link_tension").read(system.row(run.time, run.state)[None])[0].max())
    for name, array in system.memory_arrays().items():
        array[...] = memory[name]
    cost = run.statistics
    return Ran(
        cost.steps,
        cost.jacobians,  # type: ignore[attr-defined]
        cost.evaluations_for_jacobians,  # type: ignore[attr-defined]
        cost.evaluations,
        cost.failed_correctors,  # type: ignore[attr-defined]
        seconds,
        tension,
    )


def both(case: Case) -> list[Ran]:
    """A case run with finite differences and with analytical derivatives."""
    system = prepare(case.drive).system
    coloured = replace(system, kernels=system.kernels._replace(tangent=None))
    return [ran(coloured, case), ran(system, case)]


def rows(folder: Path, number: int, case: Case) -> str:
    """The table rows of both runs of a case."""
    found = kept(folder / f"{number}.json", lambda: both(case))
    return "\n".join(
        f"| {case.name} | {case.method} | {name} | {one.steps} | {one.jacobians} | "
        f"{one.for_jacobians / one.jacobians:.1f} | {one.evaluations} | {one.failed} | {one.tension:.2f} | "
        f"{one.seconds * 1e3:.0f} |"
        for name, one in zip(DERIVATIVES, (Ran(*values) for values in found), strict=True)
    )


def page(write: bool) -> str:
    """The page, in Markdown."""
    folder = kept_folder("jacobians")
    table = "\n".join(rows(folder, number, case) for number, case in enumerate(cases()))
    return f"""# Derivatives by formulas

This page is written by `python docs/validation/jacobians.py --write`; it was {made()}.

Implicit steps need the derivatives of all accelerations ([theory](../theory/integration.md#implicit-steps)). For chains
of rollers and of rigid links these are given by formulas; elsewhere they are computed by coloured finite differences.
The table compares the same runs with both: *each* is the number of evaluations for each Jacobian, *failed* the number
of steps whose iteration did not converge, *tension* the largest link tension at the end in N, and *CPU* the CPU time in
ms.

| drive | method | derivatives by | steps | Jacobians | each | evaluations | failed | tension | CPU |
|:--|:--|:--|--:|--:|--:|--:|--:|--:|--:|
{table}

With formulas, only one evaluation remains for each wheel, each joint of a body and each pressure. Formulas are also
exact near a kink, which a finite difference may cross however small its displacement; therefore fewer steps fail. Fast
timing drives and BDF need few Jacobians, so that they gain little. BDF spends most of its time in Python, and times
vary by a quarter from run to run on a busy machine. Every formula is compared with central differences
in `tests/unit/test_tangent.py` and `tests/unit/test_physics_slopes.py`.
"""


if __name__ == "__main__":
    main_of(__doc__, PAGE, page)
