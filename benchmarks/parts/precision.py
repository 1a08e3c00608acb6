"""Work and precision of the explicit methods: errors of trajectories and of statistics, beside what they cost."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

import numpy as np
from measure import Row, Section

from chaindrive.contract.states import Kind
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.results.balance import Balance
from chaindrive.solvers.integrator import METHODS, Integrator, SolverSettings, Statistics
from parts.drives import RARE, running, same_memory

DRIVES = {"6l60mc": 0.01, "6s90mc-c": 0.01, "v6-timing": 0.002, "motorcycle": 0.002}
"""Time over which trajectories are compared, by drive: as long as both references stay together. [s]"""
LONGER = {"6l60mc": 1.0, "6s90mc-c": 1.0, "v6-timing": 0.1, "motorcycle": 0.1}
"""Time over which statistics are compared. [s]"""
ADAPTIVE = ("dormand-prince", "dormand-prince-853", "adams")
FIXED = ("verlet",)
"""In the plane 'splitting' gives what 'verlet' gives."""
AFTER = 0.05
"""How long a drive has run from its start at speed before anything is compared. [s]"""
LEVELS = ((1.0, 2.0), (1.0, 1.0), (0.1, 0.5), (0.01, 0.25))
"""Tolerances and longest steps of the adaptive methods, times the default ones."""
STEPS = (1.0, 0.5, 0.25, 0.125)
"""Steps of the others, times the default ones."""
REFERENCE, OTHER = "dormand-prince", "adams"
"""The method whose tight run is the reference of all but itself, and that of its own reference."""
TIGHT = {REFERENCE: (1e-4, 1 / 64), OTHER: (1e-4, 1 / 16)}
"""Tolerances and longest step of the tight runs, times the default ones: steps ten times shorter than those of any run
that is compared, for impacts are seen at the end of a step."""
SAMPLES = 2e4
"""Instants a second from which means and peaks are taken. [1/s]"""
PICTURE = Path(__file__).resolve().parents[1] / "precision.png"


class Start(NamedTuple):
    """A running state, from which every run of a drive begins."""

    system: System
    state: np.ndarray
    time: float
    """[s]"""


class Point(NamedTuple):
    """A run by one method with one setting."""

    method: str
    level: str
    """Tolerances and steps in words."""
    cpu: float
    """Process time over simulated time [-]"""
    error: float
    """Root mean square of the errors of positions [m]"""
    counts: Statistics


def scaled(start: Start, method: str, tolerances: float, step: float) -> SolverSettings:
    """Default tolerances and default longest (or fixed) step of a method, times these factors."""
    given = start.system.motion.tolerances
    kinds = {"length": Kind.LENGTH, "angle": Kind.ANGLE, "speed": Kind.SPEED, "angular_speed": Kind.ANGULAR_SPEED}
    kinds["pressure"] = Kind.PRESSURE
    longest = step * METHODS[method].step_times_frequency / start.system.motion.highest_frequency
    held = {f"atol_{name}": tolerances * given[kind] for name, kind in kinds.items()}
    work = min(1.0, tolerances) * SolverSettings().rtol_work
    return SolverSettings(method=method, step=longest, rtol_work=work, **held)


def ran(start: Start, settings: SolverSettings, seconds: float, interval: float = RARE) -> tuple[Integrator, float]:
    """A run of so many seconds from the start, and its process time [s]; rows wait in its buffer."""
    own = dataclasses.replace(start.system, state=start.state.copy())
    with same_memory(own):
        run = Integrator(own, settings, interval, round(seconds / interval) + 2, start.time)
        begun = process_time()
        status = run.advance(start.time + seconds, 10**12)
        used = process_time() - begun
    if status != Status.REACHED_END:
        raise RuntimeError(f"{settings.method}: the run ended at {run.time:.4g} s: {status.meaning}")
    return run, used


def settings_of(start: Start) -> dict[tuple[str, str], SolverSettings]:
    """Every method with every setting, by its name and that in words."""
    found = {}
    for method in ADAPTIVE:
        for tolerances, step in LEVELS:
            words = f"tolerances x {tolerances:g}, longest step x {step:g}"
            found[method, words] = scaled(start, method, tolerances, step)
    for method in FIXED:
        found |= {(method, f"step x {step:g}"): scaled(start, method, 1.0, step) for step in STEPS}
    return found


def points(start: Start, seconds: float, repeats: int) -> tuple[list[Point], float]:
    """Every method with every setting, and how far apart both references are [m]."""
    lengths = start.system.kinds == Kind.LENGTH
    ends = {m: ran(start, scaled(start, m, *TIGHT[m]), seconds)[0].state[lengths] for m in TIGHT}
    found = []
    for (method, words), settings in settings_of(start).items():
        runs = [ran(start, settings, seconds) for _ in range(repeats)]
        run, exact = runs[0][0], ends[OTHER if method == REFERENCE else REFERENCE]
        cpu = median(used for _, used in runs) / seconds
        found.append(Point(method, words, cpu, _rms(run.state[lengths] - exact), run.statistics))
    return found, _rms(ends[REFERENCE] - ends[OTHER])


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2)))


def trajectories(quick: bool, drives: dict[str, float] = DRIVES, picture: Path | None = None) -> Section:
    """Errors of positions after a short time, and process time per simulated second."""
    rows, courses = [], {}
    for name, seconds in drives.items():
        start = Start(*running(name, after=AFTER))
        found, apart = points(start, 0.1 * seconds if quick else seconds, 1 if quick else 5)
        courses[name] = found
        rows += [
            Row(
                f"{name}: {point.method}, {point.level}",
                point.cpu,
                "s/s",
                remark=f"error {1e9 * point.error:.2g} nm; {_cost(point.counts)}",
            )
            for point in found
        ]
        rows.append(Row(f"{name}: {REFERENCE} and {OTHER}, tight", 1e9 * apart, "nm", remark="how far they are apart"))
    if picture is not None:
        draw(courses, picture)
    times = ", ".join(f"{name} {1e3 * seconds:g} ms" for name, seconds in drives.items())
    remarks = [
        "Process time over simulated time. Errors: root mean square over all positions of the chain, from "
        f"{AFTER:g} s after a start at speed, after a further time in which trajectories are comparable ({times}). "
        f"Reference: {REFERENCE}, for itself {OTHER}, with tolerances x {TIGHT[REFERENCE][0]:g} and a longest step of "
        f"1/{1 / TIGHT[REFERENCE][1]:g} and 1/{1 / TIGHT[OTHER][1]:g} of the default one. In the plane splitting gives "
        "what verlet gives.",
    ]
    if picture is not None:
        remarks.append(f"![errors of positions over process time]({picture.name})")
    return Section("Precision of trajectories", rows, remarks)


def _cost(counts: Statistics) -> str:
    return (
        f"{counts.evaluations} evaluations, {counts.steps} steps of {1e6 * counts.mean_step:.3g} us, "
        f"{counts.rejected} rejected"
    )


def statistics(quick: bool, drives: dict[str, float] = LONGER) -> Section:
    """Means, peaks and losses by default settings, and the energy that is not accounted for."""
    rows = []
    for name, seconds in drives.items():
        start = Start(*running(name, after=AFTER))
        seconds = 0.01 * seconds if quick else seconds
        exact = figures(start, ran(start, scaled(start, REFERENCE, 0.01, 0.25), seconds, 1.0 / SAMPLES)[0])
        for method in (*ADAPTIVE, *FIXED):
            settings = scaled(start, method, 1.0, 1.0)
            run, used = ran(start, settings, seconds)
            found = figures(start, ran(start, settings, seconds, 1.0 / SAMPLES)[0])
            off = ", ".join(
                f"{what} {100.0 * (found[what] / value - 1.0):+.2g} %" for what, value in exact.items() if what
            )
            remark = f"{off}; residual {found['']:.1g} of the energy exchanged; {_cost(run.statistics)}"
            rows.append(Row(f"{name}: {method}", used / seconds, "s/s", remark=remark))
    times = ", ".join(f"{name} {seconds:g} s" for name, seconds in drives.items())
    remarks = [
        f"Process time over simulated time by default settings, without rows. Beside it, from {SAMPLES:g} instants a "
        f"second, mean tension, peak tension (the largest of each link, mean of all) and the sum of losses, against "
        f"{REFERENCE} with tolerances x 0.01 and a longest step x 0.25, over {times}.",
    ]
    return Section("Precision of statistics", rows, remarks)


def figures(start: Start, run: Integrator) -> dict[str, float]:
    """Mean and peak tension [N], losses [J], and by the name '' the residual over the energy exchanged [-]."""
    times, rows = run.take_rows()
    balance = Balance(start.system.channels)
    balance.add(times, rows)
    tension = start.system.channel("link_tension").read(rows)
    return {
        "mean tension": float(tension.mean()),
        "peak tension": float(tension.max(axis=0).mean()),
        "losses": float(balance.losses.sum()),
        "": balance.residual / balance.energy_exchanged,
    }


def draw(courses: dict[str, list[Point]], path: Path) -> None:
    """The picture of the section: error over process time, a panel for every drive, a line for every method."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, panels = plt.subplots(2, 2, figsize=(9.0, 6.4), layout="constrained")
    for axes, (name, found) in zip(panels.flat, courses.items(), strict=False):
        for method in (*ADAPTIVE, *FIXED):
            own = [point for point in found if point.method == method]
            axes.loglog([point.cpu for point in own], [1e9 * point.error for point in own], "o-", label=method)
        axes.set_title(name)
        axes.set_xlabel("process time over simulated time")
        axes.set_ylabel("error of positions [nm]")
        axes.grid(which="both", alpha=0.3)
    panels.flat[0].legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)
