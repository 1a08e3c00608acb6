"""Shares of the time of a step: evaluation, contacts in it, memory between steps, extremes, the method, rows.

A part is a compiled loop around one kernel at a running state. The cost of contacts is the difference from an
evaluation without candidates, that of a search the difference between accepted states with one and without. The rest of
a step is the method: prediction, correction, and passing on the state.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from measure import Section, paired

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.kernels import kernel
from chaindrive.solvers.verlet import LOOK_EVERY
from parts.drives import RARE, running, same_memory
from parts.evaluation import Stepper, evaluator

CASES = ("v6-timing", "pfeiffer-roller", "timing-06b", "motorcycle", "conveyor-16b", "misaligned-08b")
COLUMNS = (
    "example",
    "links",
    "step",
    "all in",
    "evaluations per step",
    "one evaluation",
    "contacts in it",
    "memory",
    "search",
    "extremes",
    "frequency",
    "method",
    "rows",
    "state [kB]",
)
SECONDS = {"conveyor-16b": 0.02}
"""Simulated time of the run if it is not 0.1 s."""
AFTER = 0.02
"""Time that an example runs before measurements. [s]"""
MOMENT = 3e-6
"""Step over which extremes are sought. [s]"""
STEPS = 10
"""Number of steps per call of the kernels in them, since the stepping function is made anew each time."""


class Parts(NamedTuple):
    """Times of one example in us."""

    step: float
    """simulated time of a step"""
    all_in: float
    """CPU time of a step of a run, without start and results"""
    evaluations: float
    """evaluations of the right-hand side per step"""
    rhs: float
    contacts: float
    memory: float
    search: float
    extremes: float
    frequency: float
    method: float
    rows: float
    kilobytes: float
    """kilobytes of states and rates read and written by the method"""
    solver: str
    """name of the method"""


@functools.cache
def _loop(call: Callable[..., Any]) -> Callable[..., None]:
    def loop(count, t, y, dy, p):
        for _ in range(count):
            call(t, y, dy, p)

    return kernel(loop)


def _calls(system: System) -> dict[str, Callable[..., Any]]:
    """Kernels as functions of (t, y, dy, p)."""
    accept, gather, frequency = system.kernels.accept, system.kernels.gather, system.kernels.frequency

    @kernel(inner=True)
    def accepted(t, y, dy, p):
        p.planar.search.due[0] = np.inf
        accept(t, y, p)

    @kernel(inner=True)
    def searched(t, y, dy, p):
        p.planar.search.due[0] = -np.inf
        accept(t, y, p)

    @kernel(inner=True)
    def gathered(t, y, dy, p):
        p.planar.course.time[1] = t - MOMENT  # at the same time again, impacts within the step would be omitted
        gather(t, y, dy, p, False)

    @kernel(inner=True)
    def looked(t, y, dy, p):
        frequency(y, p)

    return {"accept": accepted, "search": searched, "gather": gathered, "frequency": looked}


@functools.cache
def parts_of(name: str, count: int, repeats: int) -> Parts:
    """Parts of a step of an example with default settings."""
    drive = cd.example(name)
    cd.simulate(drive, 1e-4, progress=False)
    start = min(_taken(drive, 1e-4)[0] for _ in range(3))
    whole_run, run = min((_taken(drive, SECONDS.get(name, 0.1)) for _ in range(3)), key=lambda taken: taken[0])
    steps = int(run.statistics["steps"])
    system, state, t = running(name, after=AFTER)
    p, planar = system.parameters, system.parameters.planar
    loops = {what: _loop(call) for what, call in _calls(system).items()}
    y, dy = state.copy(), np.zeros_like(state)

    def bare() -> None:
        segments, slots = int(planar.used.segments[0]), int(planar.used.slots[0])
        planar.used.segments[0] = planar.used.slots[0] = 0
        without()
        planar.used.segments[0], planar.used.slots[0] = segments, slots

    def timed(what: str) -> Callable[[], None]:
        return lambda: loops[what](count, t, y, dy, p)

    with same_memory(system):
        whole, without = evaluator(system, state, t, count), evaluator(system, state, t, count)
        whole()
        things = {
            "step": Stepper(system, state, t, run.attrs["solver"], STEPS * count, RARE),
            "rhs": whole,
            "bare": bare,
        } | {what: timed(what) for what in loops}
        cost = {what: 1e6 * found.cpu / count for what, found in paired(things, repeats).items()}
    stepper: Any = things["step"]
    cost["step"] /= STEPS
    searches = stepper.mean_step / float(planar.search.horizon[0])
    search = (cost["search"] - cost["accept"]) * searches
    evaluations = stepper.evaluations / (STEPS * count)
    found = evaluations * cost["rhs"] + cost["accept"] + search + cost["gather"] + cost["frequency"] / LOOK_EVERY
    all_in = 1e6 * (whole_run - start) / steps
    return Parts(
        1e6 * float(run.statistics["mean_step"]),
        all_in,
        evaluations,
        cost["rhs"],
        cost["rhs"] - cost["bare"],
        cost["accept"],
        search,
        cost["gather"],
        cost["frequency"] / LOOK_EVERY,
        cost["step"] - found,
        all_in - cost["step"],
        _traffic(system) / 1e3,
        run.attrs["solver"],
    )


def _taken(drive: cd.Drive, until: float) -> tuple[float, cd.Solution]:
    """CPU time of a run [s], and the run."""
    begun = time.process_time()
    run = cd.simulate(drive, until, progress=False)
    return time.process_time() - begun, run


def _traffic(system: System) -> float:
    """Bytes of states and rates that prediction and correction of Verlet read and write in a step.

    Of a position and its velocity: both, the new rate and the one before, to the state before, the new position in the
    state and in the predicted one, its velocity, and the rate kept; then state and both rates of the velocity to two
    states and a rate. Of what is left state and rate to the predicted one and the rate kept; then the same.
    """
    n, m = system.positions, system.velocities
    left = system.state.size - n - m
    return 8.0 * (5 * n + 10 * m + 10 * left)


def run(quick: bool) -> Section:
    """All examples."""
    count, repeats = (500, 3) if quick else (4000, 9)
    table: list[tuple[str, ...]] = [COLUMNS]
    for name in CASES[:1] if quick else CASES:
        found = parts_of(name, count, repeats)
        links = str(cd.example(name).chain.links)
        table.append((name, links, *(f"{value:.2f}" for value in found[:-2]), f"{found.kilobytes:.0f}"))
    remarks = [
        "Times are in us per step, with default settings; 'step' is simulated time. 'All in' is a run with its rows, "
        "but without its start; 'rows' is the time of a run in addition to that of steps without rows: recording, "
        "evaluations for rows and for extremes inside steps, and storing.",
        "'Memory' is the work at an accepted state without a search for candidates: impacts and anchors of friction.",
        "'State' is the amount of data that prediction and correction of Verlet read and write.",
    ]
    return Section("Where the time of a step goes", [], remarks, table)
