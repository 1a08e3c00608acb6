"""Operations and bytes of evaluations and steps, counted, and compared with the limits of one core."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from measure import Section

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.kernels import Kernel, kernel
from chaindrive.solvers.integrator import METHODS, SolverSettings, bound, new_control
from parts.drives import RARE, running, same_memory
from parts.operations import Operations, counted
from parts.processor import copying, core
from parts.steps import AFTER, CASES, parts_of

COLUMNS = (
    "of",
    "links",
    "flops",
    "per link",
    "in registers [%]",
    "divisions, roots",
    "calls",
    "read [kB]",
    "written [kB]",
    "flops/byte",
    "us",
    "GFlop/s",
    "of the core [%]",
    "divider [%]",
    "GB/s",
    "of a copy [%]",
)
BEGUN, STEPS = 50, 400
"""Numbers of steps before counting, and of counted steps."""


class At(NamedTuple):
    """State at which a system is evaluated."""

    t: float
    y: np.ndarray
    dy: np.ndarray
    parameters: Any


@functools.cache
def _once(rhs: Callable[..., Any]) -> Kernel:
    def once(at):
        rhs(at.t, at.y, at.dy, at.parameters)

    return kernel(once)


def of_evaluation(system: System, state: np.ndarray, t: float) -> Operations:
    """Operations of one evaluation of the right-hand side."""
    with same_memory(system):
        return counted(_once(system.kernels.rhs), At(t, state.copy(), np.zeros_like(state), system.parameters))()


def of_step(system: System, state: np.ndarray, t: float, method: str) -> tuple[float, ...]:
    """Operations of a step, without rows; the fields of ``Operations``, means of STEPS steps."""
    own = METHODS[method].limiting(dataclasses.replace(system, state=state.copy()))
    with same_memory(own):
        control = new_control(own, SolverSettings(method=method), RARE, 500, t)
        control.times.end[0], control.counts.budget[0] = t + 1e3, BEGUN
        advance = counted(bound(method, own.kernels), control, own.parameters, own.aside)
        advance()
        before, control.counts.budget[0] = int(control.counts.steps[0]), STEPS
        found = advance()
        return tuple(number / (int(control.counts.steps[0]) - before) for number in found)


def _line(what: str, links: int, operations: Any, seconds: float, kilobytes: float) -> tuple[str, ...]:
    """A line of the table."""
    found, limit = Operations(*operations), core()
    moved = found.read + found.written
    divider = found.divisions * limit.division + found.roots * limit.root
    numbers = (
        f"{found.flops:.0f}",
        f"{found.flops / links:.1f}",
        f"{100.0 * found.packed / found.flops:.0f}",
        f"{found.divisions + found.roots:.0f}",
        f"{found.calls:.1f}",
        f"{found.read / 1e3:.1f}",
        f"{found.written / 1e3:.1f}",
        f"{found.flops / moved:.2f}",
        f"{1e6 * seconds:.2f}",
        f"{1e-9 * found.flops / seconds:.1f}",
        f"{100.0 * found.flops / seconds / limit.flops:.0f}",
        f"{100.0 * divider / seconds:.0f}",
        f"{1e-9 * moved / seconds:.0f}",
        f"{100.0 * moved / seconds / copying(round(kilobytes)):.0f}",
    )
    return what, str(links), *numbers


def run(quick: bool) -> Section:
    """All examples."""
    count, repeats = (500, 3) if quick else (4000, 9)
    table: list[tuple[str, ...]] = [COLUMNS]
    sizes = []
    for name in CASES[:1] if quick else CASES:
        parts, links = parts_of(name, count, repeats), cd.example(name).chain.joints
        system, state, t = running(name, after=AFTER)
        step = 1e-6 * (parts.all_in - parts.rows)
        evaluation = of_evaluation(system, state, t)
        table.append(_line(f"{name}, evaluation", links, evaluation, 1e-6 * parts.rhs, parts.kilobytes))
        table.append(_line(f"{name}, step", links, of_step(system, state, t, parts.solver), step, parts.kilobytes))
        sizes.append(f"{1e-9 * copying(round(parts.kilobytes)):.0f} GB/s ({parts.kilobytes:.0f} kB, {name})")
    limit = core()
    remarks = [
        "Operations are counted in the optimised code, by running a copy with a counter in every basic block once: "
        "additions, multiplications, divisions and square roots of doubles, fused operations count twice; comparisons "
        "and selections are not counted. 'In registers' means in vector registers. 'Calls' are calls of the C library, "
        "whose operations are not counted. Bytes are those of all reads and writes of memory in this code, including "
        "parameters and integers, whichever cache they come from.",
        f"'Of the core' refers to the {1e-9 * limit.flops:.1f} GFlop/s that a loop of fused multiply-adds in vector "
        f"registers reaches. 'Divider' is the least time that divisions ({1e9 * limit.division:.2f} ns) and square "
        f"roots ({1e9 * limit.root:.2f} ns each, in vector registers) can take. 'Of a copy' refers to the bytes per "
        f"second that a copy of the size of the state reads and writes: {', '.join(sizes)}.",
        f"A step is the mean of {STEPS} steps, without rows, with searches and evaluations for extremes inside steps.",
    ]
    return Section("Operations and bytes", [], remarks, table)
