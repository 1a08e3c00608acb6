"""The rocker-pin chain of a CVT: microseconds of a step, CPU milliseconds of a loop of the chain."""

from __future__ import annotations

from functools import partial

from measure import Row, Section, paired

import chaindrive as cd
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, override
from chaindrive.simulation.start import prepare
from chaindrive.solvers.integrator import Integrator, SolverSettings
from parts.drives import RARE, running
from parts.evaluation import evaluator

__all__ = ["revolution"]

NAME = "cvt-63"
SETTLED = 0.05
"""Time from which steps are counted. [s]"""
WANTED = {"points": 60.0, "rigid": 130.0}
"""Wanted CPU time of a loop of the chain, equal to real time, by the kind of links. [ms]"""
SHOWN = {"points": NAME, "rigid": f"{NAME}, rigid links"}


def revolution(quick: bool) -> Section:
    """Cost of a step of the example with its own step, and of a revolution of its chain."""
    count, repeats = (2000, 3) if quick else (20_000, 7)
    engine, state, t = running("6l60mc")
    drive = cd.example(NAME)
    runs = {SHOWN[links]: _settled(override(drive, {"run.formulation.links": links})) for links in WANTED}

    def steps(run: Integrator) -> None:
        run.advance(1e3, count)
        run.take_rows()

    compared = {name: partial(steps, run) for name, run in runs.items()}
    costs = paired({"evaluation": evaluator(engine, state, t, count)} | compared, repeats)
    turn = drive.chain.links * drive.chain.pitch / abs(drive_facts(drive).chain_speeds[1])
    rows = [
        Row("6l60mc: one evaluation", 1e6 * costs["evaluation"].cpu / count, "µs"),
        Row(f"{NAME}: a loop of the chain lasts", 1e3 * turn, "ms"),
    ]
    for links, name in SHOWN.items():
        step, own = 1e6 * costs[name].cpu / count, runs[name].step
        rows += [
            Row(f"{name}: one step", step, "µs", remark=costs[name].spread),
            Row(f"{name}: step size", 1e6 * own, "µs"),
            Row(f"{name}: CPU time of a loop of the chain", 1e-3 * step * turn / own, "ms", WANTED[links]),
        ]
    return Section("One loop of the chain of a CVT", rows)


def _settled(drive: Drive) -> Integrator:
    """A run of a drive, a while after its start."""
    run = Integrator(prepare(drive).system, SolverSettings(method="leapfrog"), RARE)
    run.advance(SETTLED)
    return run
