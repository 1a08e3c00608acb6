"""The rocker-pin chain of a CVT: microseconds of a step, CPU milliseconds of a revolution of the chain."""

from __future__ import annotations

from measure import Row, Section, paired

import chaindrive as cd
from chaindrive.mechanism.facts import drive_facts
from chaindrive.simulation.start import prepare
from chaindrive.solvers.integrator import Integrator, SolverSettings
from parts.drives import RARE, running
from parts.evaluation import evaluator

__all__ = ["revolution"]

NAME = "cvt-63"
SETTLED = 0.05
"""From when on steps are counted. [s]"""
WANTED = 60.0
"""CPU time of a revolution of the chain, in which it runs for as long. [ms]"""


def revolution(quick: bool) -> Section:
    """A step of the example at its own step, and what a revolution of its chain takes."""
    count, repeats = (2000, 3) if quick else (20_000, 7)
    engine, state, t = running("6l60mc")
    drive = cd.example(NAME)
    run = Integrator(prepare(drive).system, SolverSettings(method="leapfrog"), RARE)
    run.advance(SETTLED)

    def take() -> None:
        run.advance(1e3, count)
        run.take_rows()

    costs = paired({"evaluation": evaluator(engine, state, t, count), NAME: take}, repeats)
    step, evaluation = (1e6 * costs[name].cpu / count for name in (NAME, "evaluation"))
    facts = drive_facts(drive)
    turn = drive.chain.links * drive.chain.pitch / abs(facts.chain_speeds[1])
    rows = [
        Row("6l60mc: one evaluation", evaluation, "µs"),
        Row(f"{NAME}: one step", step, "µs", remark=costs[NAME].spread),
        Row(f"{NAME}: its step", 1e6 * run.step, "µs"),
        Row(f"{NAME}: a revolution of the chain lasts", 1e3 * turn, "ms"),
        Row(f"{NAME}: CPU time of a revolution of the chain", 1e-3 * step * turn / run.step, "ms", WANTED),
    ]
    return Section("A revolution of the chain of a CVT", rows)
