"""Chains with rigid contacts: microseconds of a step, and CPU seconds of a revolution."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from measure import Row, Section, paired

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.model import override
from chaindrive.simulation.start import prepare
from chaindrive.solvers.integrator import Integrator, SolverSettings
from chaindrive.studies.formulations import in_formulation
from parts.drives import RARE, advance_to, rolling, running, two_wheels
from parts.evaluation import evaluator
from parts.scaling import exponent

__all__ = ["links", "revolution", "steps"]

STEP = 2e-5
"""Step with rigid contacts. [s]"""
DRIVES = ("industrial-08b", "timing-06b", "v6-timing")
PROTOTYPE = 12.0 / 1.15
"""Wanted cost of a step with 15 contacts: that of a prototype, in evaluations of the engine it was compared with.
[-]
"""
TOO_LONG = ("v6-timing", "links")
"""Drives whose pins cross their clearance within a step."""
LINKS = (60, 250, 1000, 4000, 10000)
TURN, TURN_STEP = "v6-timing", 5e-5
REVOLUTION_LIMIT = 0.3
"""Wanted CPU time of a revolution. [s]"""
SPRUNG_STEP = 1e-5
"""Step with teeth that keep their springs. [s]"""


FIRST_ORDER, SECOND_ORDER = "moreau-jean", "nonsmooth-alpha"
KINDS = {"rollers": "roller-rigid", "links": "link-rigid"}


def with_rigid(drive: cd.Drive, step: float = STEP, chain: str = "rollers") -> cd.Drive:
    """The same drive with rigid contacts."""
    return override(in_formulation(drive, KINDS[chain]), {"run.solver.step": step})


def stepper(system: System, count: int, method: str = FIRST_ORDER) -> tuple[Callable[[], None], Integrator]:
    """``count`` steps of a run that continues from call to call."""
    run = Integrator(system, SolverSettings(method=method, step=STEP), RARE)
    run.advance(1e3, 50)

    def take() -> None:
        run.advance(1e3, count)
        run.take_rows()

    return take, run


def closed(run: Integrator) -> int:
    """Number of contacts in the last step."""
    forces = run._system.parameters.planar.rigid.normal
    return int(np.count_nonzero(forces))


def steps(quick: bool) -> Section:
    """A step compared with an evaluation of 6l60mc."""
    count, repeats = (50, 3) if quick else (500, 7)
    engine, state, t = running("6l60mc")
    things = {"evaluation": evaluator(engine, state, t, 20 * count)}
    runs = {}
    cases = [(name, chain) for chain in KINDS for name in DRIVES if (name, chain) != TOO_LONG]
    for name, chain in cases:
        drive = with_rigid(cd.example(name), chain=chain)
        label = f"{name}, {chain}"
        things[label], runs[label] = stepper(prepare(drive, drive.run.formulation).system, count)
        if chain == "rollers":
            second = prepare(drive, drive.run.formulation).system
            things[f"{label}, {SECOND_ORDER}"], _ = stepper(second, count, SECOND_ORDER)
    costs = paired(things, repeats)
    evaluation = 1e6 * costs["evaluation"].cpu / (20 * count)
    rows = [Row("6l60mc: one evaluation, contacts with springs", evaluation, "µs")]
    for name, chain in cases:
        label = f"{name}, {chain}"
        step, contacts = 1e6 * costs[label].cpu / count, closed(runs[label])
        rows.append(Row(f"{label}: one step, {contacts} contacts closed", step, "µs", remark=costs[label].spread))
        rows.append(
            Row(
                f"{label}: scaled to 15 contacts, in evaluations of 6l60mc",
                step / evaluation * min(15.0 / max(contacts, 1), 1.0),
                "",
                PROTOTYPE if chain == "rollers" else None,
            )
        )
        if chain == "rollers":
            longer = costs[f"{label}, {SECOND_ORDER}"].cpu / costs[label].cpu
            rows.append(Row(f"{label}: one step by {SECOND_ORDER} / one by {FIRST_ORDER}", longer, ""))
    remarks = [
        "A step consists of three evaluations, the elimination of links, and sweeps of projected Gauss-Seidel along "
        "the chain.",
        f"With {SECOND_ORDER} it has at least four evaluations, and one more for every correction after the first.",
        "With links it also includes the elimination of their joints, in 3 x 3 blocks, and the matrix that couples all "
        "contacts.",
    ]
    return Section("A step with rigid contacts", rows, remarks)


def links(quick: bool) -> Section:
    """Cost of a step over the number of links: two equal wheels ever farther apart."""
    repeats, rows = (2 if quick else 5), []
    for chain in KINDS:
        times = []
        for n in LINKS:
            count = max((20_000 if quick else 200_000) // n, 5)
            take, _ = stepper(rolling(with_rigid(two_wheels(n), chain=chain)), count)
            times.append(1e6 * paired({"step": take}, repeats)["step"].cpu / count)
        long = np.array(LINKS) >= 1000
        rows.append(
            Row(
                f"one step, {chain}: exponent from {np.array(LINKS)[long][0]} to {LINKS[-1]} links",
                exponent(np.array(LINKS)[long], np.array(times)[long]),
                "",
                1.1,
                remark="µs: " + ", ".join(f"{t:.4g} ({n})" for n, t in zip(LINKS, times, strict=True)),
            )
        )
    return Section("A step over the number of links", rows)


def revolution(quick: bool) -> Section:
    """One revolution of the crankshaft, with rows, from the equilibrium of the search on; also with springs kept by the
    teeth.
    """
    rigid = with_rigid(cd.example(TURN), TURN_STEP)
    speed = abs(float(cd.simulate(override(rigid, {"run.until": 1e-4}), progress=False).values("wheel_speed")[0, 0]))
    until = 2.0 * np.pi / speed
    told = f"{TURN}: one revolution, {1e3 * until:.3g} ms, step"
    sprung = override(rigid, {"contact.compliant": True, "run.solver.step": SPRUNG_STEP})
    return Section(
        "A revolution of an engine",
        [
            Row(f"{told} {1e6 * TURN_STEP:g} µs", _turn(rigid, TURN_STEP, until, quick), "s", REVOLUTION_LIMIT),
            Row(f"{told} {1e6 * SPRUNG_STEP:g} µs, teeth with springs", _turn(sprung, SPRUNG_STEP, until, quick), "s"),
        ],
    )


def _turn(drive: cd.Drive, step: float, until: float, quick: bool) -> float:
    """CPU time of a run to its end, a median. [s]"""
    started = prepare(override(drive, {"run.until": until}), drive.run.formulation)
    used = []
    for _ in range(1 if quick else 5):
        run = Integrator(started.system, SolverSettings(method=FIRST_ORDER, step=step), 1e-3)
        begun = time.process_time()
        advance_to(run, until)
        used.append(time.process_time() - begun)
    return float(np.median(used))
