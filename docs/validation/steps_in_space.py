"""The default step for links in space, compared with the longest stable step, and its effect on statistics and losses.

    python docs/validation/steps_in_space.py [--write] [--only NAME ...]

``--write`` makes ``steps-in-space.md`` next to this file. Takes five minutes; finished runs are kept. ``--only`` runs
only these drives and only prints the results.
"""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from _made import kept, kept_folder, made
from _writing import options, publish
from elastic_friction_in_space import generated
from scipy.sparse.linalg import eigs

import chaindrive as cd
from chaindrive.contract.memory import KeptMemory
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.results.audit import audit, is_audit_channel
from chaindrive.simulation.start import prepare
from chaindrive.solvers.integrator import Integrator, SolverSettings, largest_step
from chaindrive.solvers.splitting import carried_on

PAGE = Path(__file__).with_suffix(".md").with_name("steps-in-space.md")
EXAMPLES = ("misaligned-08b", "single-speed-46x16", "two-legs-46x16", "omar-112", "bicycle-50x19")
GENERATED = (0, 1, 2, 4)
FACTORS = (0.25, 0.5, 1.0, 1.1)
"""Steps divided by the default step; the first is the reference. [-]"""
UNTIL, INTERVAL = 0.05, 1e-4
"""Length of the runs, and interval between rows. [s]"""
SHORT, HALVINGS, UNSTABLE = 0.02, 6, 0.1
"""Length of the runs in the search for the longest stable step [s], number of bisections between the default step and
twice this step, and energy residual divided by the losses that counts as unstable [-].
"""
SIZE = 1e-9
"""Displacement of a link for finite differences. [m]"""
MEANS = ("mean tension", "mean bearing force")
PEAKS = ("peak tension", "peak bearing force", "peak tooth force")
COLUMNS = (*MEANS, "losses", "a loss", *PEAKS)


class Ran(NamedTuple):
    """Statistics of a run without its first third; losses are those of the whole run."""

    statistics: dict[str, float]
    """Values of MEANS and PEAKS. [N]"""
    losses: dict[str, float]
    """Losses. [J]"""
    residual: float
    """Largest residual of the energy balance. [J]"""
    step: float
    """Mean step. [s]"""
    asked: float
    """Largest product of the step and the highest frequency in the current state. [-]"""
    failed: str
    """Reason why the run ended early; empty if it did not."""


class Limits(NamedTuple):
    """Limits of the step for a drive."""

    bound: float
    """Frequency by bounds for its parts, ``Motion.highest_frequency`` [rad/s]"""
    found: float
    """Frequency by iteration, ``Motion.linearised_frequency`` [rad/s]"""
    exact: float
    """Frequency by the eigenvalues of the linearised equations [rad/s]"""
    longest: float
    """Longest step that is stable in a run [s]"""


def ran(system: System, step: float | None, until: float) -> Ran:
    """Run a system with this step [s]; None for the default step."""
    settings = SolverSettings(method="splitting", step=step)
    run = Integrator(system, settings, INTERVAL, chunk_rows=round(until / INTERVAL) + 2)
    status = Status.RUNNING
    while status == Status.RUNNING:
        status = run.advance(until)
    times, rows = run.take_rows()
    channels = {channel.name: channel for channel in system.channels}

    def values(name: str) -> np.ndarray:
        return np.array([channels[name].read(row) for row in rows])

    balance = audit(times, {name: values(name) for name in channels if is_audit_channel(name)})
    late = slice(len(times) // 3, None)
    found = {
        "mean tension": values("link_tension")[late].mean(),
        "mean bearing force": np.linalg.norm(values("bearing_force")[late], axis=-1).mean(),
        "peak tension": values("link_tension_max")[late].max(),
        "peak bearing force": values("bearing_force_max")[late].max(),
        "peak tooth force": values("tooth_force_max")[late].max(),
    }
    return Ran(
        {name: float(value) for name, value in found.items()},
        {name: float(value) for name, value in balance.losses.items()},
        float(balance.largest_residual),
        run.statistics.mean_step,
        run.cuts.largest_asked,
        "" if status == Status.REACHED_END else status.meaning,
    )


def runs(drive: cd.Drive) -> tuple[Limits, list[Ran]]:
    """Limits of the step for a drive, and runs with all steps, from the same start."""
    system = prepare(drive, drive.run.formulation).system
    memory = KeptMemory(system)
    default = largest_step(system, SolverSettings(method="splitting"))

    def again(step: float | None, end: float) -> Ran:
        memory.put_back()
        return ran(system, step, end)

    def stable(step: float) -> bool:
        one = again(step, SHORT)
        return not one.failed and one.residual < UNSTABLE * math.fsum(one.losses.values())

    found = [again(None if factor == 1.0 else factor * default, UNTIL) for factor in FACTORS]
    low, high = default, 2.0 * default
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if stable(middle) else (low, middle)
    motion = system.motion
    memory.put_back()
    return Limits(motion.highest_frequency, motion.linearised_frequency, exact_frequency(system), low), found


def exact_frequency(system: System) -> float:
    """Frequency W at the start, for which W^2 is the largest eigenvalue of K + 2 (1 + k) W C. [rad/s] Both matrices are
    divided by the masses and computed by differences in every column; k is that of ``splitting.carried_on``.
    """
    carried, found = 1.0 + carried_on(system), system.motion.linearised_frequency
    stiffness, damping = derivatives(system)
    for _ in range(20):
        both = stiffness + 2.0 * carried * found * damping
        top = eigs(both, 4, which="LR", tol=1e-6, ncv=60, return_eigenvectors=False, v0=np.ones(len(both)))
        found = math.sqrt(top.real.max())
    return found


def derivatives(system: System) -> tuple[np.ndarray, np.ndarray]:
    """Negative derivatives of the accelerations with respect to displacements and to velocities, (n_v, n_v) each.
    [1/s^2, 1/s]
    """
    n, m, y, p = system.positions, system.velocities, system.state, system.parameters
    free = np.isfinite(system.masses)
    size = np.sqrt(np.median(system.masses[free]) / np.where(free, system.masses, np.inf))
    found, turned, rates = np.zeros((2, m, m)), np.zeros(n), np.zeros_like(y)
    for j in np.flatnonzero(free):
        unit = np.zeros(m)
        unit[j] = size[j]
        system.kernels.rates(y[:n], unit, turned, p)
        ways = np.zeros((2, y.size))
        ways[0, :n], ways[1, n : n + m] = turned, unit
        for which, by in enumerate((SIZE, SIZE * system.motion.linearised_frequency)):
            for sign in (1.0, -1.0):
                system.kernels.rhs(0.0, y + sign * by * ways[which], rates, p)
                found[which, :, j] -= sign * rates[n : n + m] / (2.0 * by * size[j])
    return found[0], found[1]


def off(one: Ran, finer: Ran) -> dict[str, float]:
    """Deviations from the reference; "a loss" is the largest deviation of an individual loss, relative to the total
    loss. [-]
    """
    total = math.fsum(finer.losses.values())
    each = [one.losses[name] - loss for name, loss in finer.losses.items()]
    found = {name: value / finer.statistics[name] - 1.0 for name, value in one.statistics.items()}
    return found | {"losses": math.fsum(each) / total, "a loss": max(each, key=abs) / total}


def lines_of(name: str, found: list[Ran]) -> list[str]:
    """The table rows of a drive."""
    finer, lines = found[0], []
    for factor, one in zip(FACTORS[1:], found[1:], strict=True):
        if one.failed:
            lines.append(f"| {name} | {factor:g} | {1e6 * one.step:.2f} | | {one.failed} |" + " |" * len(COLUMNS))
            continue
        moved, total = off(one, finer), math.fsum(finer.losses.values())
        cells = " | ".join(f"{100.0 * moved[column]:+.2f}%" for column in COLUMNS)
        step = f"{1e6 * one.step:.2f} | {one.asked:.2f}"
        lines.append(f"| {name} | {factor:g} | {step} | {one.residual / total:.1e} | {cells} |")
    return lines


def line_of(name: str, limits: Limits, default: float) -> str:
    """The table row with the limits for a drive."""
    steps = (2.0 / limits.bound, 2.0 / limits.found, 2.0 / limits.exact, limits.longest, default)
    cells = " | ".join(f"{1e6 * step:.2f}" for step in steps)
    return f"| {name} | {cells} | {limits.found / limits.exact:.4f} | {default / limits.longest:.2f} |"


def main() -> None:
    """Run the drives, and print and write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these examples, or numbers of generated drives")
    asked = parser.parse_args()
    folder = kept_folder("steps-in-space")
    drives = {name: partial(cd.example, name) for name in EXAMPLES}
    drives |= {str(number): partial(lambda k: generated(k)[0], number) for number in GENERATED}
    rows: list[str] = []
    limits_rows: list[str] = []
    farthest: dict[tuple[str, str], float] = {}
    for name in asked.only or drives:
        limits, found = kept(folder / f"{name}.json", lambda make=drives[name]: runs(make()))
        label = name if name in EXAMPLES else f"generated {generated(int(name))[1]}"
        default = Ran(*found[FACTORS.index(1.0)])
        limits_rows.append(line_of(label, Limits(*limits), default.step))
        rows += lines_of(label, [Ran(*each) for each in found])
        farthest |= {(column, label): abs(value) for column, value in off(default, Ran(*found[0])).items()}
    column, label = max(farthest, key=lambda each: farthest[each])
    name = column if column.startswith("a ") else f"the {column}"
    text = [
        "# The step of links in space",
        "",
        f"This page is written by `python docs/validation/steps_in_space.py --write`; it was {made()}.",
        "",
        "The method [splitting](../theory/integration.md#methods) chooses its step from the fastest motion of the "
        "equations",
        "linearised at the start, found by iteration, and shortens it where a later state requires it.",
        "The drives are examples in space and generated drives.",
        "",
        "## The longest stable step",
        "",
        "Steps are in us. *Bounds*: 2/W with W from bounds for all parts, as used by other methods. *Found*: 2/W "
        f"with W from the iteration. *Exact*: 2/W with W from the eigenvalues of the complete linearised equations. "
        f"*In a run*: the longest stable step in runs of {SHORT:g} s, found by bisection; a run is unstable if it "
        f"fails or if its energy residual reaches {UNSTABLE:g} of its losses. *Taken*: mean step of a run with "
        f"default settings. The ratios are the frequency found divided by the exact one, and the step taken divided "
        f"by the longest stable step in a run.",
        "",
        "| drive | bounds | found | exact | in a run | taken | found/exact | taken/longest |",
        "|:--" + "|--:" * 7 + "|",
        *limits_rows,
        "",
        "## Shorter and longer steps",
        "",
        "In the table, runs with the default step (1) and with shorter and longer steps are compared with a run "
        f"whose step is a quarter of the default step, over {UNTIL:g} s from the start. Only the default step is "
        f"shortened during a run. Means and peaks are taken after the first third; losses are those of the whole "
        f"run. *A loss*: the "
        f"individual loss that deviates most, relative to the total loss. *Residual*: the largest residual of the "
        f"energy balance, relative to the losses. *Step*: mean step, in us. *Product*: the largest product of step "
        f"and frequency, checked every 32 steps. Beyond 2 a step is unstable; from 1.9 on some steps are unstable, "
        f"because contacts close between two checks. Steps are not controlled by the energy balance here.",
        "",
        f"With the default step, the largest deviation is {100.0 * farthest[column, label]:.2f} %, in {name} of "
        f"{label}.",
        "",
        f"| drive | | step | product | residual | {' | '.join(COLUMNS)} |",
        "|:--" + "|--:" * (len(COLUMNS) + 4) + "|",
        *rows,
        "",
    ]
    publish("\n".join(text), PAGE, asked.write and not asked.only)


if __name__ == "__main__":
    main()
