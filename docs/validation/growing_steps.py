"""Steps that were shortened and grow again, compared with steps that stay short: examples and generated drives.

    python docs/validation/growing_steps.py [--write] [--drives N]

``--write`` makes ``growing-steps.md`` next to this file.
"""

from __future__ import annotations

import math
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
from chaindrive.model import Drive
from chaindrive.numbers import count
from chaindrive.simulation import simulate as simulation
from chaindrive.simulation import stretches
from chaindrive.simulation.settings import COST_OF_EXPLICIT
from chaindrive.solvers.integrator import METHODS

PAGE = Path(__file__).parent / "growing-steps.md"
EXAMPLES = {
    "6l60mc": 4.0,
    "6s90mc-c-guides-oscillating": 3.0,
    "6s90mc-c-tightener-oscillating": 3.0,
    "bicycle-shift": 1.0,
}
"""Examples whose step is shortened, and how long they are run [s]."""
SEED, DRIVES = 2930, 120
MOMENT = 2e-3
"""Length of the run that gives the step of a generated drive. [s]"""
LINK_STEPS, MOST_STEPS, LEAST, LONGEST = 8e6, 2e5, 0.05, 3.0
"""A generated drive is run for this number of steps times links, at most this number of steps, and for at least and at
most these times [s]."""
STATISTICS = ("mean tension", "losses", "peak tension", "peak tooth force")


class Ran(NamedTuple):
    """A run."""

    status: str
    steps: int
    """number of steps, including repeated ones"""
    statistics: tuple[float, ...]
    """Values of STATISTICS. [N, J]"""
    residual: float
    """Residual of the energy balance at the end, relative to the losses. [-]"""
    shortened: str
    """When and why the step was shortened; empty if it was not."""


class Pair(NamedTuple):
    """Runs of a drive whose step stays short, and whose step grows; and again with a short step, from a start that
    differs by rounding.
    """

    name: str
    short: Ran
    grown: Ran
    again: Ran

    @property
    def saved(self) -> float:
        """Share of the steps that growth saves; negative if it costs steps. [-]"""
        return 1.0 - self.grown.steps / self.short.steps

    def differences(self, other: Ran) -> list[float]:
        """Differences of STATISTICS of a run from those of the run with a short step. [-]"""
        both = zip(other.statistics, self.short.statistics, strict=True)
        return [new / old - 1.0 if old else 0.0 for new, old in both]


def ran(drive: Drive, until: float, growth: float, disturbance: int = 0) -> Ran:
    """Run a drive, without leaving its method (leaving_verlet.py); growth: largest factor by which the step grows at a
    time, 1 for a step that stays short.
    """
    usual = stretches.MOST_GROWTH
    stretches.MOST_GROWTH, simulation.COST_OF_EXPLICIT = growth, math.inf
    try:
        run = cd.simulate(drive, until, disturbance=disturbance, progress=False)
    finally:
        stretches.MOST_GROWTH, simulation.COST_OF_EXPLICIT = usual, COST_OF_EXPLICIT
    late = slice(run.time.size // 3, run.time.size)
    losses = math.fsum(abs(loss) for loss in run.audit.losses.values())
    found = (
        float(np.abs(run.values("link_tension", late)).mean()),
        losses,
        float(np.max(run.values("link_tension_max", late))),
        float(np.max(run.values("tooth_force_max", late))),
    )
    steps = int(run.statistics["steps"] + run.statistics.get("steps_taken_back", 0))
    residual = abs(float(run.values("energy_residual")[-1])) / losses if losses else 0.0
    return Ran(run.status.name, steps, found, residual, str(run.statistics.get("shortened", "")))


def both(drive: Drive, until: float) -> dict[str, Any]:
    """Run a drive with a step that stays short, with one that grows, and with a short one again; only once if its step
    is never shortened, so that none can grow.
    """
    grown = again = short = ran(drive, until, 1.0)
    if short.shortened:
        grown, again = ran(drive, until, stretches.MOST_GROWTH), ran(drive, until, 1.0, disturbance=1)
    return {name: run._asdict() for name, run in zip(Pair._fields[1:], (short, grown, again), strict=True)}


def of_generated(index: int) -> dict[str, Any]:
    """Both runs of a generated drive; or the method, if it controls its step, or why the drive does not run."""
    drive = generate(SEED, index)
    try:
        first = cd.simulate(drive, MOMENT, progress=False)
        method = str(first.attrs["solver"])
        if not METHODS[method].fixed_step:
            return {"method": method}
        steps = min(LINK_STEPS / drive.chain.links, MOST_STEPS)
        return both(drive, min(max(steps * float(first.statistics["mean_step"]), LEAST), LONGEST))
    except ChaindriveError as error:
        return {"problem": str(error).splitlines()[0]}


def pair_of(name: str, found: Mapping[str, Any]) -> Pair:
    """Both runs from the kept values."""
    return Pair(
        name, *(Ran(**(found[which] | {"statistics": tuple(found[which]["statistics"])})) for which in Pair._fields[1:])
    )


def row(pair: Pair) -> str:
    """Row of a table."""
    cells = (
        pair.name,
        count(pair.short.steps),
        count(pair.grown.steps),
        f"{100.0 * pair.saved:.0f} %",
        f"{pair.short.residual:.1e}",
        f"{pair.grown.residual:.1e}",
        *(
            f"{100.0 * grown:+.2f} ({100.0 * again:+.2f}) %"
            for grown, again in zip(pair.differences(pair.grown), pair.differences(pair.again), strict=True)
        ),
    )
    return f"| {' | '.join(cells)} |"


def table(pairs: Sequence[Pair]) -> list[str]:
    """Table of both runs of some drives."""
    head = ("drive", "steps, short", "steps, growing", "saved", "residual, short", "residual, growing", *STATISTICS)
    return [f"| {' | '.join(head)} |", f"|:--|{'--:|' * (len(head) - 1)}", *map(row, pairs)]


def page(examples: Sequence[Pair], drives: Sequence[Pair], others: Sequence[Mapping[str, Any]]) -> str:
    """Return the page, in Markdown."""
    shortened = [pair for pair in drives if pair.short.shortened or pair.grown.shortened]
    changed = sorted((pair for pair in shortened if pair.short != pair.grown), key=lambda pair: pair.saved)
    dearer = [pair for pair in changed if pair.saved < 0.0]
    ended = [pair.name for pair in drives if pair.short.status != pair.grown.status]
    controlled = sum("method" in each for each in others)
    refused = sum("problem" in each for each in others)
    total = 1.0 - sum(pair.grown.steps for pair in shortened) / max(sum(pair.short.steps for pair in shortened), 1)
    costs = (
        f"those that take more ({len(dearer)}) take at most {-100.0 * dearer[0].saved:.0f} % more."
        if dearer
        else "none takes more."
    )
    endings = f"{len(ended)} end in another way: {', '.join(ended)}." if ended else "All end in the same way."
    lines = [
        "# Steps that grow again",
        "",
        f"This page is written by `python docs/validation/growing_steps.py --write`; it was {made()}.",
        "",
        "A fixed step that was shortened, for contacts or for the energy balance,",
        "[grows again](../theory/integration.md#auto) at the end of a section of the run that permits it. Each",
        "drive is run with such a step and with one that stays short, by the default method. *Steps* include those",
        "of repeated sections. *Residual*: residual of the energy balance at the end of the run, relative to the",
        "losses. The balance requires 0.002 in most cases, or 1e-5 of the energy exchanged. The last columns give",
        "the differences of results with the growing step from those with the short one, after the first third of",
        "the run (losses: over the whole run); in brackets those of another run with the short step from a start",
        "that differs by rounding, which show how far a drive scatters by itself.",
        "",
        "## Examples",
        "",
        *table(examples),
        "",
        "## Generated drives",
        "",
        f"Of {len(drives) + len(others)} drives from the [generator](generated-drives.md), {controlled} are simulated",
        f"by a method that controls its step, and {refused} cannot be simulated. Of the other {len(drives)}, the step",
        f"of {len(shortened)} is shortened, and that of {len(changed)} grows again. These {len(shortened)} take",
        f"{100.0 * total:.0f} % fewer steps in all; {costs} {endings}",
        "",
        "All drives whose step grows, beginning with those that save least:",
        "",
        *table(changed),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run all, and write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--drives", type=int, default=DRIVES)
    asked = parser.parse_args()
    folder = kept_folder("growing-steps")
    examples = [
        pair_of(name, kept(folder / f"{name}.json", partial(both, cd.example(name), until)))
        for name, until in EXAMPLES.items()
    ]
    found = {i: kept(folder / f"drive-{i}.json", partial(of_generated, i)) for i in range(asked.drives)}
    drives = [pair_of(f"{i}, {class_of(SEED, i)}", each) for i, each in found.items() if "short" in each]
    publish(page(examples, drives, [each for each in found.values() if "short" not in each]), PAGE, asked.write)


if __name__ == "__main__":
    main()
