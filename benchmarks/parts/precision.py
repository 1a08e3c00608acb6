"""Work and precision of every method: errors of trajectories and of statistics, and their cost."""

from __future__ import annotations

import dataclasses
import math
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
from chaindrive.solvers.choice import integrator_for
from chaindrive.solvers.integrator import Integrator, SolverSettings, Statistics, largest_step
from parts.drives import RARE, running, same_memory

DRIVES = {"6l60mc": 0.01, "6s90mc-c": 0.01, "v6-timing": 0.002, "motorcycle": 0.002}
"""Time over which trajectories are compared, by drive: as long as both references stay together. [s]"""
LONGER = {"6l60mc": 1.0, "6s90mc-c": 1.0, "v6-timing": 0.05, "motorcycle": 0.05}
"""Time over which statistics are compared. [s]"""
ADAPTIVE = ("dormand-prince", "dormand-prince-853", "adams")
IMPLICIT = ("generalized-alpha", "bdf", "ida")
"""Implicit methods, which solve linear equations on the structure of the chain."""
FIXED = ("verlet", "verlet-beeman")
"""Methods with a fixed step. In the plane 'splitting' gives the same as 'verlet'."""
EVERY = (*ADAPTIVE, *IMPLICIT, *FIXED)
AFTER = 0.05
"""Time that a drive runs from its start at speed before comparisons. [s]"""
LEVELS = ((1.0, 2.0), (1.0, 1.0), (0.1, 0.5), (0.01, 0.25))
"""Tolerances and longest steps of the adaptive methods, times the default ones."""
TOLERANCES = (1.0, 0.1, 0.01)
"""Tolerances of the implicit methods, whose steps are limited by these alone."""
STEPS = (1.0, 0.5, 0.25, 0.125)
"""Steps of the other methods, times the default ones."""
REFERENCE, OTHER = "dormand-prince", "adams"
"""The method whose tight run is the reference of all others, and the method of its own reference."""
TIGHT = {REFERENCE: (1e-4, 1 / 64), OTHER: (1e-4, 1 / 16)}
"""Tolerances and longest step of the tight runs, times the default ones: steps are ten times shorter than those of any
compared run, because impacts are detected at the end of a step.
"""
SAMPLES = 1e4
"""Number of instants per second from which means and peaks are taken. [1/s]"""
PICTURE = Path(__file__).resolve().parents[1] / "precision.png"


class Start(NamedTuple):
    """A running state, from which every run of a drive begins."""

    system: System
    state: np.ndarray
    time: float
    """[s]"""


class Figures:
    """Mean and peak tension, losses and energy balance of a run, gathered from its rows."""

    def __init__(self, system: System) -> None:
        self._tension = system.channel("link_tension")
        self._balance = Balance(system.channels)
        self._rows, self._sum = 0, 0.0
        self._peaks = np.full(self._tension.shape, -np.inf)

    def add(self, times: np.ndarray, rows: np.ndarray) -> None:
        """Enter rows."""
        tension = self._tension.read(rows)
        self._balance.add(times, rows)
        self._rows += len(rows)
        self._sum += float(tension.mean(axis=1).sum())
        self._peaks = np.maximum(self._peaks, tension.max(axis=0, initial=-np.inf))

    @property
    def values(self) -> dict[str, float]:
        """Values by name [N, N, J]."""
        return {
            "mean tension": self._sum / self._rows,
            "peak tension": float(self._peaks.mean()),
            "losses": float(self._balance.losses.sum()),
        }

    @property
    def residual(self) -> float:
        """Unaccounted energy over the energy exchanged. [-]"""
        return self._balance.residual / self._balance.energy_exchanged


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
    longest = largest_step(start.system, SolverSettings(method=method))
    held = {f"atol_{name}": tolerances * given[kind] for name, kind in kinds.items()}
    work = min(1.0, tolerances) * SolverSettings().rtol_work
    limited = step * longest if math.isfinite(longest) else None
    return SolverSettings(method=method, step=limited, rtol_work=work, **held)


def ran(
    start: Start, settings: SolverSettings, seconds: float, figures: Figures | None = None
) -> tuple[Integrator, float]:
    """A run of given length from the start, and its process time [s]; its rows go into ``figures``, if given."""
    own = dataclasses.replace(start.system, state=start.state.copy())
    interval = RARE if figures is None else 1.0 / SAMPLES
    with same_memory(own):
        run, status = integrator_for(own, settings, interval, 500, start.time), Status.RUNNING
        begun = process_time()
        while status == Status.RUNNING:
            status = run.advance(start.time + seconds, 10**12)
            if figures is not None:
                figures.add(*run.take_rows())
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
    for method in IMPLICIT:
        found |= {(method, f"tolerances x {part:g}"): scaled(start, method, part, 1.0) for part in TOLERANCES}
    for method in FIXED:
        found |= {(method, f"step x {step:g}"): scaled(start, method, 1.0, step) for step in STEPS}
    return found


def points(start: Start, seconds: float, repeats: int) -> tuple[list[Point], float]:
    """Every method with every setting, and the distance between both references [m]."""
    lengths = start.system.kinds == Kind.LENGTH
    ends = {m: ran(start, scaled(start, m, *TIGHT[m]), seconds)[0].state[lengths] for m in TIGHT}
    found = []
    for (method, words), settings in settings_of(start).items():
        runs = [ran(start, settings, seconds) for _ in range(1 if method in IMPLICIT else repeats)]
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
        rows.append(Row(f"{name}: {REFERENCE} and {OTHER}, tight", 1e9 * apart, "nm", remark="how far apart they are"))
    if picture is not None:
        draw(courses, picture)
    times = ", ".join(f"{name} {1e3 * seconds:g} ms" for name, seconds in drives.items())
    remarks = [
        "'s/s' is process time divided by simulated time. Errors are root mean squares over all positions of the "
        f"chain. Runs begin {AFTER:g} s after a start at speed and last as long as trajectories are comparable "
        f"({times}). The reference is {REFERENCE}, or {OTHER} for {REFERENCE} itself, with tolerances x "
        f"{TIGHT[REFERENCE][0]:g} and a longest step of 1/{1 / TIGHT[REFERENCE][1]:g} and 1/{1 / TIGHT[OTHER][1]:g} of "
        "the default one. In the plane splitting gives the same result as verlet. Implicit methods run once, the "
        "others five times.",
    ]
    if picture is not None:
        remarks.append(f"![errors of positions versus process time]({picture.name})")
    return Section("Precision of trajectories", rows, remarks)


def _cost(counts: Statistics) -> str:
    return (
        f"{counts.evaluations} evaluations, {counts.steps} steps of {1e6 * counts.mean_step:.3g} us, "
        f"{counts.rejected} rejected"
    )


def statistics(quick: bool, drives: dict[str, float] = LONGER) -> Section:
    """Means, peaks and losses with default settings, and the unaccounted energy."""
    rows = []
    for name, seconds in drives.items():
        start = Start(*running(name, after=AFTER))
        seconds = 0.01 * seconds if quick else seconds
        exact = Figures(start.system)
        ran(start, scaled(start, REFERENCE, 0.01, 0.25), seconds, exact)
        for method in EVERY:
            settings = scaled(start, method, 1.0, 1.0)
            run, used = ran(start, settings, seconds)
            found = Figures(start.system)
            ran(start, settings, seconds, found)
            off = ", ".join(f"{k} {100.0 * (found.values[k] / v - 1.0):+.2g} %" for k, v in exact.values.items())
            remark = f"{off}; residual {found.residual:.1g} of the energy exchanged; {_cost(run.statistics)}"
            rows.append(Row(f"{name}: {method}", used / seconds, "s/s", remark=remark))
    times = ", ".join(f"{name} {seconds:g} s" for name, seconds in drives.items())
    remarks = [
        "'s/s' is process time divided by simulated time, with default settings and without rows. The remarks give the "
        "deviations of the mean tension, the peak tension (the mean over all links of the largest value of each) and "
        f"the sum of losses, from {SAMPLES:g} instants a second, compared with {REFERENCE} with tolerances x 0.01 and "
        f"a longest step x 0.25, over {times}. verlet keeps its default step throughout; in a run by `simulate` the "
        "step is halved where the energy balance is not met.",
    ]
    return Section("Precision of statistics", rows, remarks)


def draw(courses: dict[str, list[Point]], path: Path) -> None:
    """The picture of the section: error over process time, a panel for every drive, a line for every method."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.ticker import LogLocator, NullFormatter

    figure, panels = plt.subplots(2, 2, figsize=(9.0, 6.4), layout="constrained")
    for axes, (name, found) in zip(panels.flat, courses.items(), strict=False):
        for method in EVERY:
            own = [point for point in found if point.method == method]
            axes.loglog([point.cpu for point in own], [1e9 * point.error for point in own], "o-", label=method)
        axes.set_title(name)
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_xlabel("process time over simulated time")
        axes.set_ylabel("error of positions [nm]")
        axes.grid(which="both", alpha=0.3)
    panels.flat[0].legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)
