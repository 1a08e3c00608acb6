"""The default step of links in space beside shorter and longer ones: how statistics and losses move.

    python docs/validation/steps_in_space.py [--write] [--only NAME ...]

``--write`` makes ``steps-in-space.md`` beside this file. Takes ten minutes; finished runs are kept. ``--only``: these
drives alone, only prints.
"""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _made import kept, kept_folder, made
from _writing import options, publish
from elastic_friction_in_space import generated

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.results.audit import audit, is_audit_channel
from chaindrive.simulation.start import prepare
from chaindrive.solvers.integrator import Integrator, SolverSettings, largest_step

PAGE = Path(__file__).with_suffix(".md").with_name("steps-in-space.md")
EXAMPLES = ("misaligned-08b", "single-speed-46x16", "bicycle-50x19", "omar-112")
SMOOTHING = ("friction_law", "friction_speed", "friction_sharpness", "impact_memory")
GENERATED = (0, 1, 4)
FACTORS = (0.25, 0.5, 1.0, 1.1, 1.2, 1.3, 1.5)
"""Steps over the default one; the first is the reference. [-]"""
UNTIL, INTERVAL = 0.05, 1e-4
"""End of the runs, and from row to row. [s]"""
MEANS = ("mean tension", "mean bearing force")
PEAKS = ("peak tension", "peak bearing force", "peak tooth force")
COLUMNS = (*MEANS, "losses", "a loss", *PEAKS)


class Ran(NamedTuple):
    """A run behind its first third; losses of all of it."""

    statistics: dict[str, float]
    """MEANS and PEAKS. [N]"""
    losses: dict[str, float]
    """[J]"""
    residual: float
    """The largest of the energy balance. [J]"""
    step: float
    """Mean. [s]"""
    failed: str
    """How it ended early, or nothing."""


def example(name: str) -> cd.Drive:
    """An example with elastic friction and the impacts of the default."""
    data: dict[str, Any] = cd.example(name).model_dump()
    for key in SMOOTHING:
        data["run"]["formulation"].pop(key, None)
    return cd.Drive(**data)


def ran(system: System, step: float) -> Ran:
    """A run of a system in this step [s]."""
    settings = SolverSettings(method="splitting", step=step)
    run = Integrator(system, settings, INTERVAL, chunk_rows=round(UNTIL / INTERVAL) + 2)
    status = Status.RUNNING
    while status == Status.RUNNING:
        status = run.advance(UNTIL)
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
        "" if status == Status.REACHED_END else status.meaning,
    )


def runs(drive: cd.Drive) -> list[Ran]:
    """A drive with all steps, from one start."""
    system = prepare(drive, drive.run.formulation).system
    memory = {name: array.copy() for name, array in system.memory_arrays().items()}
    default, found = largest_step(system, SolverSettings(method="splitting")), []
    for factor in FACTORS:
        for name, array in system.memory_arrays().items():
            array[...] = memory[name]
        found.append(ran(system, factor * default))
    return found


def off(one: Ran, finer: Ran) -> dict[str, float]:
    """Deviations from the reference; under "a loss" of the one farthest off, over all of them. [-]"""
    total = math.fsum(finer.losses.values())
    each = [one.losses[name] - loss for name, loss in finer.losses.items()]
    found = {name: value / finer.statistics[name] - 1.0 for name, value in one.statistics.items()}
    return found | {"losses": math.fsum(each) / total, "a loss": max(each, key=abs) / total}


def lines_of(name: str, found: list[Ran]) -> list[str]:
    """Rows of a drive."""
    finer, lines = found[0], []
    for factor, one in zip(FACTORS[1:], found[1:], strict=True):
        if one.failed:
            lines.append(f"| {name} | {factor:g} | {1e6 * one.step:.2f} | {one.failed} |" + " |" * len(COLUMNS))
            continue
        moved, total = off(one, finer), math.fsum(finer.losses.values())
        cells = " | ".join(f"{100.0 * moved[column]:+.2f}%" for column in COLUMNS)
        lines.append(f"| {name} | {factor:g} | {1e6 * one.step:.2f} | {one.residual / total:.1e} | {cells} |")
    return lines


def main() -> None:
    """Run, print, write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these examples, or numbers of generated drives")
    asked = parser.parse_args()
    folder = kept_folder("steps-in-space")
    drives = {name: partial(example, name) for name in EXAMPLES}
    drives |= {str(number): partial(lambda k: generated(k)[0], number) for number in GENERATED}
    rows: list[str] = []
    farthest: dict[tuple[str, str], float] = {}
    for name in asked.only or drives:
        found = kept(folder / f"{name}.json", lambda make=drives[name]: runs(make()))
        label = name if name in EXAMPLES else f"generated {generated(int(name))[1]}"
        rows += lines_of(label, [Ran(*each) for each in found])
        moved = off(Ran(*found[FACTORS.index(1.0)]), Ran(*found[0]))
        farthest |= {(column, label): abs(value) for column, value in moved.items()}
    column, label = max(farthest, key=lambda each: farthest[each])
    text = [
        "# The step of links in space",
        "",
        f"By `python docs/validation/steps_in_space.py --write`, {made()}.",
        "",
        "The method [splitting](../theory/integration.md#methods) chooses its step from the bounds of the highest "
        "frequency and",
        "damping of a drive. This page compares steps of this length (1), shorter, and longer ones, with runs with "
        "a quarter of it,",
        f"over {UNTIL:g} s from the start, with elastic friction. Means and peaks are those after the first third, "
        "losses those",
        "of the whole time. *A loss*: the one that is farthest off, over all losses. *Residual*: the largest "
        "of the energy "
        "balance over",
        "the losses. *Step*: mean, in us.",
        "",
        f"With the default step the {column} of {label} is farthest off, by {100.0 * farthest[column, label]:.2f} %.",
        "",
        f"| drive | | step | residual | {' | '.join(COLUMNS)} |",
        "|:--" + "|--:" * (len(COLUMNS) + 3) + "|",
        *rows,
        "",
    ]
    publish("\n".join(text), PAGE, asked.write and not asked.only)


if __name__ == "__main__":
    main()
