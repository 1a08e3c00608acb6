"""Time of one evaluation of the right-hand side, alone and as part of a step of both methods."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from measure import Row, Section, paired

from chaindrive.contract.system import System
from chaindrive.kernels import kernel
from chaindrive.solvers.integrator import Integrator, SolverSettings
from parts.drives import RARE, running, same_memory

LIMIT = 1.5
"""Wanted time of one evaluation. [us]"""
CASES = (("6l60mc", 0.0), ("6l60mc", 0.1), ("6s90mc-c", None))
METHODS = ("verlet-beeman", "dormand-prince")


@functools.cache
def evaluation_loop(rhs: Callable[..., None]) -> Callable[..., None]:
    """Compiled loop of evaluations, each of which depends on the previous one, so that none can be optimised away."""

    def loop(count, t, y, dy, p):
        for _ in range(count):
            rhs(t, y, dy, p)
            y[0] += 1e-30 * dy[0]

    return kernel(loop)


def evaluator(system: System, state: np.ndarray, t: float, count: int) -> Callable[[], None]:
    """``count`` evaluations at a state; already compiled and run once."""
    loop = evaluation_loop(system.kernels.rhs)
    y, dy = state.copy(), np.zeros_like(state)
    loop(2, t, y, dy, system.parameters)
    return lambda: loop(count, t, y, dy, system.parameters)


class Stepper:
    """Steps of one method from a state on, through the Integrator; contact memory is restored after each call."""

    def __init__(self, system: System, state: np.ndarray, t: float, method: str, steps: int, interval: float) -> None:
        import dataclasses

        self.system = dataclasses.replace(system, state=state.copy())
        self.start, self.steps, self.interval = t, steps, interval
        self.settings = SolverSettings(method=method)
        self.evaluations = 0
        self.mean_step = 0.0
        self()

    def __call__(self) -> None:
        """Take the steps."""
        with same_memory(self.system):
            run: Any = Integrator(self.system, self.settings, self.interval, 500, self.start)
            left = self.steps
            while left > 0:
                before = run.statistics.steps + run.statistics.rejected
                run.advance(self.start + 1e3, left)
                run.take_rows()
                taken = run.statistics.steps + run.statistics.rejected - before
                if taken == 0 and run.rows_waiting == 0:
                    raise RuntimeError("the run has ended before the steps were taken")
                left -= taken
            self.evaluations, self.mean_step = run.statistics.evaluations, run.statistics.mean_step


def run(quick: bool) -> Section:
    """Microseconds per evaluation of both engines."""
    count, repeats = (5_000, 3) if quick else (40_000, 9)
    rows = []
    for name, friction in CASES:
        system, state, t = running(name, friction)
        label = name if friction is None else f"{name}, friction {friction:g}"
        things: dict[str, Callable[[], None]] = {"alone": evaluator(system, state, t, count)}
        steppers = {}
        for method in METHODS:
            steps = count if method == "verlet-beeman" else count // 6
            for text, interval in (("", RARE), (", 1 kHz rows", 1e-3)):
                steppers[method + text] = Stepper(system, state, t, method, steps, interval)
        costs = paired(things | steppers, repeats)
        alone = costs["alone"]
        candidates = int(system.parameters.planar.used.slots[0])
        rows.append(
            Row(
                f"{label}: one evaluation",
                1e6 * alone.cpu / count,
                "us",
                LIMIT,
                remark=f"{system.parameters.links} links, {candidates} candidates; wall "
                f"{1e6 * alone.wall / count:.3g} us; spread {alone.spread}",
            )
        )
        for text, stepper in steppers.items():
            cost = costs[text]
            rows.append(
                Row(
                    f"{label}: {text}, all in, per evaluation",
                    1e6 * cost.cpu / stepper.evaluations,
                    "us",
                    remark=f"mean step {1e6 * stepper.mean_step:.3g} us; spread {cost.spread}",
                )
            )
    remarks = [
        "The state is that of a run 0.2 s after the start at speed. 'One evaluation' is a compiled loop around the "
        "right-hand side. 'All in' is Integrator.advance, with step-size control, contact memory and search for "
        "candidates."
    ]
    return Section("One evaluation of the right-hand side", rows, remarks)
