"""Drives without friction whose short steps make Dormand-Prince cheaper: runs that leave Verlet for it, and runs that
do not.

    python docs/validation/leaving_verlet.py [--write] [--drives N]

``--write`` makes ``leaving-verlet.md`` next to this file.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _generated import class_of, generate
from _made import kept, kept_folder, made
from _writing import options, publish

import chaindrive as cd
from chaindrive.errors import ChaindriveError
from chaindrive.model import Drive, override
from chaindrive.numbers import count
from chaindrive.simulation import simulate as simulation
from chaindrive.simulation.settings import COST_OF_EXPLICIT, rubs

PAGE = Path(__file__).parent / "leaving-verlet.md"
ENGINE, SPEEDS, UNTIL = "6s90mc-c-oscillating", (40, 50, 60, 70, 76, 80, 90), 4.0
"""The engine that is run without friction, its speeds [rpm], and how long it is run [s]."""
SEED, DRIVES = 2930, 300
MOMENT = 2e-3
"""Length of the run that gives the step of a generated drive. [s]"""
LINK_STEPS, MOST_STEPS, LEAST, LONGEST = 4e7, 1e6, 0.05, 5.0
"""A generated drive is run for this number of steps times links, at most this number of steps, and for at least and at
most these times [s]."""
STATISTICS = ("mean tension", "losses", "peak tension")


class Ran(NamedTuple):
    """A run."""

    left: bool
    """Whether it left the method."""
    evaluations: int
    seconds: float
    """CPU time. [s]"""
    residual: float
    """Residual of the energy balance at the end, relative to the losses. [-]"""
    statistics: tuple[float, ...]
    """Values of STATISTICS. [N, J]"""


class Trio(NamedTuple):
    """Runs of a drive: all by Verlet, one that may leave it, and all by Dormand-Prince."""

    name: str
    stayed: Ran
    free: Ran
    explicit: Ran


def ran(drive: Drive, until: float, method: str = "auto", may_leave: bool = True) -> Ran:
    """Run a drive; its kernels are loaded before."""
    simulation.COST_OF_EXPLICIT = COST_OF_EXPLICIT if may_leave else math.inf
    try:
        begun = time.process_time()
        run = cd.simulate(drive, until, solver=method, progress=False)
        spent = time.process_time() - begun
    finally:
        simulation.COST_OF_EXPLICIT = COST_OF_EXPLICIT
    losses = math.fsum(abs(loss) for loss in run.audit.losses.values())
    late = slice(run.time.size // 3, run.time.size)
    found = (
        float(np.abs(run.values("link_tension", late)).mean()),
        losses,
        float(run.values("link_tension_max", late).max(axis=0).mean()),
    )
    residual = abs(run.audit.residual) / losses if losses else 0.0
    left = "by dormand-prince" in str(run.statistics.get("shortened", ""))
    return Ran(left, int(run.statistics["evaluations"]), spent, residual, found)


def three(drive: Drive, until: float) -> dict[str, Any]:
    """All runs of a drive."""
    cd.simulate(drive, MOMENT, solver="dormand-prince", progress=False)
    runs = ran(drive, until, may_leave=False), ran(drive, until), ran(drive, until, "dormand-prince")
    return {name: run._asdict() for name, run in zip(Trio._fields[1:], runs, strict=True)}


def of_generated(index: int) -> dict[str, Any]:
    """All runs of a generated drive; empty if it has friction or does not run."""
    drive = generate(SEED, index)
    if rubs(drive):
        return {}
    try:
        first = cd.simulate(drive, MOMENT, progress=False)
        steps = min(LINK_STEPS / drive.chain.links, MOST_STEPS)
        return three(drive, min(max(steps * float(first.statistics["mean_step"]), LEAST), LONGEST))
    except ChaindriveError:
        return {}


def at_speed(speed: float) -> Drive:
    """The engine without friction at this speed. [rpm]"""
    return override(cd.example(ENGINE), {"wheels.crankshaft.motion.speed": f"{speed:g} rpm", "contact.friction": 0.0})


def trio_of(name: str, found: Mapping[str, Any]) -> Trio:
    """The runs from the kept values."""
    runs = (found[which] | {"statistics": tuple(found[which]["statistics"])} for which in Trio._fields[1:])
    return Trio(name, *(Ran(**run) for run in runs))


def row(trio: Trio) -> str:
    """Row of a table."""
    runs = trio[1:]
    pairs = [zip(run.statistics, trio.explicit.statistics, strict=True) for run in (trio.stayed, trio.free)]
    cells = (
        trio.name,
        *(count(run.evaluations) for run in runs),
        *(f"{run.seconds:.1f}" for run in runs),
        *(f"{run.residual:.1e}" for run in runs),
        *(
            f"{100.0 * (stayed[0] / stayed[1] - 1.0):+.1f} ({100.0 * (free[0] / free[1] - 1.0):+.1f}) %"
            for stayed, free in zip(*pairs, strict=True)
        ),
    )
    return f"| {' | '.join(cells)} |"


def table(trios: Sequence[Trio]) -> list[str]:
    """Table of the runs of some drives."""
    methods = ("Verlet", "default", "DP")
    head = ["drive", *(f"{what}, {by}" for what in ("evaluations", "CPU [s]", "residual") for by in methods)]
    head += STATISTICS
    return [f"| {' | '.join(head)} |", f"|:--|{'--:|' * (len(head) - 1)}", *map(row, trios)]


def page(engine: Sequence[Trio], drives: Sequence[Trio]) -> str:
    """Return the page, in Markdown."""
    left = [trio for trio in drives if trio.free.left]
    spent = [math.fsum(getattr(trio, which).seconds for trio in left) for which in ("stayed", "free")]
    lines = [
        "# Leaving Verlet",
        "",
        f"This page is written by `python docs/validation/leaving_verlet.py --write`; it was {made()}.",
        "",
        "In a drive without friction, whose losses are small, violent impacts make the",
        "[energy balance](../theory/integration.md#auto) require steps that are much shorter than those of Verlet",
        "elsewhere. If three sections in succession need steps so short that `dormand-prince`, at its longest step,",
        f"takes less time (by a factor of {COST_OF_EXPLICIT:g} between the steps), the run continues with that method.",
        "*Verlet*: all of a run by `verlet-beeman`. *Default*: by `auto`, which may leave it. *DP*: all of a run by",
        "`dormand-prince`. *Residual*: that of the energy balance at the end of the run, relative to the losses. The",
        "last columns give the deviations of Verlet and, in brackets, of the default from DP, after the first third",
        "of the run (losses: over the whole run). The motion of these drives is irregular, and peaks and losses of",
        "impacts scatter between any two runs. CPU times are those of a machine shared with other work.",
        "",
        "## An engine in resonance",
        "",
        f"`{ENGINE}` without friction, {UNTIL:g} s from the start:",
        "",
        *table(engine),
        "",
        "## Generated drives",
        "",
        f"Of {len(drives)} drives without friction from the [generator](generated-drives.md), {len(left)} leave",
        f"Verlet. These take {spent[1]:.0f} s of CPU time instead of {spent[0]:.0f} s:",
        "",
        *table(left),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run all, and write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--drives", type=int, default=DRIVES)
    asked = parser.parse_args()
    folder = kept_folder("leaving-verlet")
    engine = [
        trio_of(f"{speed} rpm", kept(folder / f"engine-{speed}.json", partial(three, at_speed(speed), UNTIL)))
        for speed in SPEEDS
    ]
    found = {i: kept(folder / f"drive-{i}.json", partial(of_generated, i)) for i in range(asked.drives)}
    drives = [trio_of(f"{i}, {class_of(SEED, i)}", each) for i, each in found.items() if each]
    publish(page(engine, drives), PAGE, asked.write)


if __name__ == "__main__":
    main()
