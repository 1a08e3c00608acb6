"""Rigid links: an evaluation against that of rollers, a revolution of a car engine's chain, cost over links, start."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

import numpy as np
from measure import Row, Section, paired

from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.solvers.integrator import Integrator, SolverSettings, Statistics
from parts.drives import RARE, rolling, running, same_memory, two_wheels
from parts.evaluation import Stepper, evaluator
from parts.scaling import exponent
from parts.startup import command

ENGINE = "v6-timing"
AFTER = 0.05
"""Time that the engine runs before measurements. [s]"""
REVOLUTION = 216 / 21 / 100.0
"""One turn of its chain: 216 links over 21 teeth at 100 turns a second. [s]"""
EVALUATION_LIMIT, RATIO_LIMIT = 4.0, 3.0
"""Wanted time of one evaluation [us], and its ratio to that of the drive with rollers [-]."""
REVOLUTIONS = {
    "dormand-prince": (SolverSettings(method="dormand-prince"), 2.5),
    "verlet": (SolverSettings(method="verlet"), None),
    "verlet, a step of 2 us": (SolverSettings(method="verlet", step=2e-6), None),
    "verlet, a step of 3 us": (SolverSettings(method="verlet", step=3e-6), 0.3),
    "verlet, a step of 4 us": (SolverSettings(method="verlet", step=4e-6), 0.3),
}
"""Methods of computing one revolution, and the wanted process times. [s]"""
ROLLER, ROLLER_TIME = "6l60mc", 1.3
"""The drive of which one evaluation, with rollers, shows how fast a machine is, and its time on the machine for which
the limits were set (results of speed.py). [us]
"""
THERE = f"where an evaluation of {ROLLER} takes {ROLLER_TIME:g} us"
DEVIATION_LIMIT = 1.0
"""Wanted deviation of means and peaks from a tight reference. [%]"""
TIGHT = SolverSettings(
    method="dormand-prince",
    atol_length=1e-10,
    atol_angle=1e-10,
    atol_speed=1e-6,
    atol_angular_speed=1e-6,
    atol_pressure=0.1,
)
"""A hundredth of the default tolerances."""
SAMPLES = 2e4
"""Number of instants per second from which means and peaks are taken. [1/s]"""
LINKS = (216, 1000, 3000, 10000)
COLD_LIMIT = 40.0
"""Wanted cold start of the car engine. [s]"""


def evaluation(quick: bool) -> Section:
    """Microseconds per evaluation, all in one run, and relative to rollers: in the same drive, and in the marine
    engine.
    """
    count, repeats = (200, 2) if quick else (2_000, 41)
    cases = ((ENGINE, "link"), (ENGINE, "roller"), ("industrial-08b", "link"), ("industrial-08b", "roller"))
    loops = {f"{ROLLER}, roller": evaluator(*running(ROLLER), count)}
    slots = {}
    for name, kind in cases:
        system, state, t = running(name, after=AFTER, formulation=kind)
        loops[f"{name}, {kind}"] = evaluator(system, state, t, count)
        slots[f"{name}, {kind}"] = f"{system.parameters.links} links, {_slots(system)} candidates; "
    costs = paired(loops, repeats)
    rows = []
    for what, cost in costs.items():
        limit = EVALUATION_LIMIT if what == f"{ENGINE}, link" else None
        remark = f"{slots.get(what, '')}spread {cost.spread}"
        rows.append(Row(f"{what}: one evaluation", 1e6 * cost.cpu / count, "us", limit, remark=remark))
        if what.endswith("link"):
            for rollers, wanted in ((what.replace("link", "roller"), RATIO_LIMIT), (f"{ROLLER}, roller", None)):
                ratio = float(np.median(np.array(cost.repeats) / np.array(costs[rollers].repeats)))
                rows.append(Row(f"{what}: against {rollers}", ratio, "times", wanted))
                if limit is not None and rollers.startswith(ROLLER):
                    rows.append(Row(f"{what}: {THERE}", ratio * ROLLER_TIME, "us", limit))
    remarks = [
        f"The states are those of runs {AFTER:g} s after the start at speed ({ROLLER}: 0.2 s). Ratios are medians over "
        "the rounds."
    ]
    return Section("One evaluation, links compared with rollers", rows, remarks)


def revolution(quick: bool) -> Section:
    """CPU time, steps and evaluations of one loop of the chain, and its tensions and contact forces."""
    system, state, t = running(ENGINE, after=AFTER, formulation="link")
    wheels = system.parameters.planar.wheels
    until = t + (2e-4 if quick else REVOLUTION)
    reference = statistics(_run(system, state, t, until, TIGHT, 1.0 / SAMPLES)[1], wheels)
    rows = []
    count = 200 if quick else 20_000
    roller = evaluator(*running(ROLLER), count)
    for method, (settings, limit) in REVOLUTIONS.items():
        _run(system, state, t, t + 1e-5, settings, RARE)
        turn = Turn(system, state, t, until, settings)
        costs = paired({method: turn, ROLLER: roller}, 1 if quick else 5)
        cost = costs[method]
        counts = turn.statistics
        remark = (
            f"{counts.steps} steps of {1e6 * counts.mean_step:.3g} us, {counts.rejected} rejected, "
            f"{counts.evaluations} evaluations; {1e6 * cost.cpu / counts.evaluations:.3g} us per evaluation, all in; "
            f"spread {cost.spread}"
        )
        rows.append(Row(f"{method}: one revolution, CPU", cost.cpu, "s", None if quick else limit, remark=remark))
        there = cost.cpu / costs[ROLLER].cpu * count * 1e-6 * ROLLER_TIME
        remark = f"one evaluation of {ROLLER} took {1e6 * costs[ROLLER].cpu / count:.3g} us meanwhile"
        rows.append(Row(f"{method}: {THERE}", there, "s", None if quick else limit, remark=remark))
        found = statistics(_run(system, state, t, until, settings, 1.0 / SAMPLES)[1], wheels)
        for what, value in found.items():
            deviation = 100.0 * abs(value / reference[what] - 1.0)
            remark = f"{value:.4g} N, reference {reference[what]:.4g} N"
            rows.append(Row(f"{method}: {what}", deviation, "%", None if quick else DEVIATION_LIMIT, remark=remark))
    remarks = [
        f"The revolution begins {AFTER:g} s after the start at speed. Deviations are relative to Dormand-Prince with a "
        f"hundredth of the default tolerances, at {SAMPLES:g} instants a second. A peak is the mean, over all links or "
        "rollers, of the largest value of each in the revolution."
    ]
    return Section(f"One loop of the chain of {ENGINE} at 6000 rpm", rows, remarks)


def scaling(quick: bool, links: tuple[int, ...] = LINKS) -> Section:
    """Microseconds per evaluation over the links of a drive with two wheels, and the exponent."""
    work, repeats = (20_000, 2) if quick else (1_000_000, 5)
    names = ("one evaluation", "verlet, all in", "dormand-prince, all in")
    times = np.zeros((len(names), len(links)))
    for column, n in enumerate(links):
        system = rolling(two_wheels(n), "link")
        count = max(work // n, 10)
        verlet = Stepper(system, system.state, 0.0, "verlet", count, RARE)
        runge_kutta = Stepper(system, system.state, 0.0, "dormand-prince", max(count // 6, 5), RARE)
        loop = evaluator(system, system.state, 0.0, count)
        costs = paired(dict(zip(names, (loop, verlet, runge_kutta), strict=True)), repeats)
        evaluations = (count, verlet.evaluations, runge_kutta.evaluations)
        times[:, column] = [1e6 * costs[k].cpu / e for k, e in zip(names, evaluations, strict=True)]
    rows = []
    for name, course in zip(names, times, strict=True):
        remark = "us: " + ", ".join(f"{t:.3g} ({n})" for n, t in zip(links, course, strict=True))
        slope = exponent(np.array(links), course)
        rows.append(Row(f"{name}: exponent from {links[0]} to {links[-1]} links", slope, "", 1.1, remark=remark))
        rows.append(Row(f"{name}: per link at {links[-1]} links", 1e3 * course[-1] / links[-1], "ns"))
    remarks = ["The drive has two wheels of 19 teeth, whatever its length."]
    return Section("Rigid links: cost over their number", rows, remarks)


def start(quick: bool) -> Section:
    """First start with nothing compiled, of the car engine with links and of a drive with rollers."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for drive, kind, limit in ((ENGINE, "link", COLD_LIMIT), (ROLLER, "roller", None)):
            run = ("run", drive, "--formulation", kind, "--until", "0.001", "--force", "-o", "run.nc")
            held = command(folder, folder / f"{drive}-{kind}", *run)
            what = f"cold: chaindrive run {drive} --formulation {kind} --until 0.001"
            rows.append(Row(f"{what}, CPU", held["cpu"], "s", limit, remark=f"wall {held['total']:.3g} s"))
    return Section("Cold start with rigid links", rows)


class Turn:
    """One revolution by one method without rows."""

    def __init__(self, system: System, state: np.ndarray, t: float, until: float, settings: SolverSettings) -> None:
        self._arguments = (system, state, t, until, settings, RARE)
        self.statistics: Statistics

    def __call__(self) -> None:
        """Run it; keeps the statistics."""
        self.statistics = _run(*self._arguments)[0].statistics


def _slots(system: System) -> int:
    return int(system.parameters.planar.used.slots[0])


def _run(
    system: System, state: np.ndarray, t: float, until: float, settings: SolverSettings, interval: float
) -> tuple[Integrator, np.ndarray]:
    """A run from a state on, and its rows; contact memory is restored."""
    own = dataclasses.replace(system, state=state.copy())
    chunks = []
    with same_memory(own):
        run = Integrator(own, settings, interval, 500, t)
        status = Status.RUNNING
        while status == Status.RUNNING:
            status = run.advance(until, 10**9)
            chunks.append(_kept(own, run.take_rows()[1]))
    if status != Status.REACHED_END:
        raise RuntimeError(f"the run ended at {run.time:.4g} s: {status.meaning}")
    return run, np.concatenate(chunks)


def _kept(system: System, rows: np.ndarray) -> np.ndarray:
    """Tension, contact force, and touched surface of every link or roller, (rows, 3, N)."""
    channels = ("link_tension", "contact_force", "contact_surface")
    return np.stack([system.channel(name).read(rows) for name in channels], axis=1)


def statistics(kept: np.ndarray, wheels: int) -> dict[str, float]:
    """Means and peaks of a revolution by their names, from the results of ``_kept``. [N]"""
    tension, force, surface = kept[:, 0], kept[:, 1], kept[:, 2]
    on_wheels = np.where((surface >= 0) & (surface < wheels), force, 0.0)
    on_guides = np.where(surface >= wheels, force, 0.0)
    return {
        "mean tension": float(tension.mean()),
        "peak tension": float(tension.max(axis=0).mean()),
        "peak contact with teeth": float(on_wheels.max(axis=0).mean()),
        "peak contact with guides": float(on_guides.max(axis=0).mean()),
    }
