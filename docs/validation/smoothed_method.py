"""Verlet and Dormand-Prince with smoothed friction or no friction, compared with runs with a quarter of the step.

    python docs/validation/smoothed_method.py [--write] [--drives N] [--marine NAME ...]

The runs are for the marine drives, each from several starts, and for generated drives with smoothed friction.
``--write`` makes ``smoothed-method.md`` next to this file. Takes half an hour; results are kept in
``build/validation/smoothed-method``,
and a call that was interrupted is resumed by the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _generated import class_of, generate
from _made import kept, kept_folder, made
from _writing import options, publish
from default_method import FINER, MEANS, OTHER, PEAKS, SEED, Ran, is_accuracy_warning, off, percent, ran

import chaindrive as cd
from chaindrive.errors import ChaindriveError
from chaindrive.model import Drive, example_names, override
from chaindrive.simulation.settings import MOST_CHATTER, SMOOTHED, chosen_method, rubs
from chaindrive.simulation.start import as_laid
from chaindrive.solvers import SolverSettings
from chaindrive.solvers.integrator import largest_step

HERE = Path(__file__).parent
PAGE = HERE / "smoothed-method.md"
MARINE = tuple(name for name in example_names() if name.startswith(("6l60mc", "6s90mc")))
STARTS = 3
"""Number of starts of each marine drive: one as placed, the others with speeds disturbed by 1e-9 of their value."""
UNTIL, RATE = 1.0, 2000.0
"""End of the runs of marine drives [s], and rows per second."""
DRIVES, PART, RATE_OF_SHORT = 30, 0.2, 5000.0
"""Number of generated drives, of which about two thirds have smoothed friction; fraction of their duration that is run
[-]; rows per second.
"""
STAGES = 6.0
"""Number of evaluations per step of the other method."""


class Compared(NamedTuple):
    """Runs of a drive with a Verlet method, with the other method and with the reference, each from several starts."""

    name: str
    chosen: str
    """Method chosen by auto."""
    chatter: float
    """Motion.chatter_rate multiplied by the step of Verlet. [-]"""
    verlet: list[Ran]
    other: list[Ran]
    finer: list[Ran]
    outcome: str


def compared(drive: Drive, name: str, starts: int) -> Compared:
    """Run a drive with all three methods. The Verlet method is that chosen by auto, or SMOOTHED if auto chooses the
    other method.
    """
    system = as_laid(drive)
    chosen = chosen_method(drive.run, drive, system)
    own = SMOOTHED if chosen.method == OTHER else chosen.method
    chatter = system.motion.chatter_rate * largest_step(system, SolverSettings(method=SMOOTHED))
    taken = chosen._replace(method=own).of(drive.run.solver).model_dump(include={"method", "balance"})
    step = FINER * largest_step(system, SolverSettings(method=OTHER))
    runs: list[list[Ran]] = []
    outcome = ""
    try:
        for solver in (taken, {"method": OTHER}, {"method": OTHER, "step": step}):
            runs.append([ran(drive, solver, start) for start in range(starts)])
    except (ChaindriveError, RuntimeError) as error:
        outcome = str(error).splitlines()[0]
    verlet, other, finer = [*runs, [], [], []][:3]
    return Compared(name, chosen.method, chatter, verlet, other, finer, outcome)


def of_marine(name: str) -> Compared:
    """Run a marine drive for its first second."""
    return compared(override(cd.example(name), {"run.until": UNTIL, "run.save.rate": RATE}), name, STARTS)


def of_generated(index: int) -> Compared | None:
    """Run a generated drive; None if its friction is elastic or if it has no friction."""
    found = generate(SEED, index)
    if found.run.formulation.elastic_friction or not rubs(found):
        return None
    given = override(found, {"run.until": PART * float(found.run.until), "run.save.rate": RATE_OF_SHORT})
    return compared(given, f"{index}: {class_of(SEED, index)}", 1)


def _compared(found: Any) -> Compared | None:
    """A comparison from the stored JSON."""
    if found is None:
        return None
    name, chosen, chatter, *runs, outcome = found
    verlet, other, finer = ([Ran(*each) for each in one] for one in runs)
    return Compared(name, chosen, float(chatter), verlet, other, finer, outcome)


def mean_of(runs: Sequence[Ran]) -> Ran:
    """Means over the starts."""
    first = runs[0]
    return first._replace(
        statistics={name: float(np.mean([each.statistics[name] for each in runs])) for name in first.statistics},
        losses={name: float(np.mean([each.losses[name] for each in runs])) for name in first.losses},
        residual=max(each.residual for each in runs),
        step=float(np.mean([each.step for each in runs])),
        seconds=float(np.mean([each.seconds for each in runs])),
    )


def deviations(each: Compared) -> tuple[dict[str, float], dict[str, float]]:
    """Deviations of Verlet and of the other method from the reference, in the means over the starts. [-]"""
    finer = mean_of(each.finer)
    return off(mean_of(each.verlet), finer), off(mean_of(each.other), finer)


def scatter(each: Compared) -> dict[str, float]:
    """Range of the reference over its starts, divided by their mean. [-]"""
    runs = each.finer
    return {
        name: float(np.ptp([run.statistics[name] for run in runs]) / np.mean([run.statistics[name] for run in runs]))
        for name in runs[0].statistics
    }


def gain(each: Compared) -> float:
    """Evaluations of the other method divided by those of Verlet, from the mean steps. [-]"""
    return STAGES * mean_of(each.verlet).step / mean_of(each.other).step


def line(each: Compared) -> str:
    """The table row of a drive."""
    mine, others = deviations(each)
    cells = [f"{percent(mine[name])} | {percent(others[name])}" for name in (*MEANS, "a loss", *PEAKS)]
    own = mean_of(each.verlet)
    return (
        f"| {each.name} | {each.chosen} | {100.0 * each.chatter:.2g} | {1e6 * own.step:.2f} | {gain(each):.1f} | "
        f"{own.residual / own.statistics['losses']:.1e} | {' | '.join(cells)} |"
    )


def table(found: Sequence[Compared]) -> str:
    """Table of all drives."""
    names = [f"{name} | (DP)" for name in (*MEANS, "a loss", *PEAKS)]
    return "\n".join(
        [
            f"| drive | `auto` | chatter [%] | step | gain | residual | {' | '.join(names)} |",
            "|:--|:--|" + "--:|" * (4 + 2 * len(names)),
            *(line(each) for each in found),
        ]
    )


def costs(found: Sequence[Compared]) -> str:
    """Table of the CPU times of the marine drives and of the scatter of the reference from start to start."""
    lines = ["| drive | Verlet [s/s] | Dormand-Prince [s/s] | scatter: mean tension | peak tension | losses |"]
    lines.append("|:--|--:|--:|--:|--:|--:|")
    for each in found:
        times = f"{mean_of(each.verlet).seconds:.2f} | {mean_of(each.other).seconds:.2f}"
        scattered = scatter(each)
        cells = (f"{scattered[name]:.2%}" for name in ("mean tension", "peak tension", "losses"))
        lines.append(f"| {each.name} | {times} | {' | '.join(cells)} |")
    return "\n".join(lines)


def worst(found: Sequence[Compared]) -> str:
    """Text with the largest deviations of Verlet among means, losses and peaks."""
    cells = []
    for names in (MEANS, ("a loss",), PEAKS):
        sizes = {(name, each.name): abs(deviations(each)[0][name]) for each in found for name in names}
        name, drive = max(sizes, key=lambda key: sizes[key])
        cells.append(f"{name} {sizes[name, drive]:.2%} ({drive})")
    return ", ".join(cells)


def page(marine: Sequence[Compared], drives: Sequence[Compared], looked_at: int) -> str:
    """The page, in Markdown. looked_at: number of generated drives, with or without smoothed friction."""
    some = "" if len(marine) == len(MARINE) else f" --marine {' '.join(each.name for each in marine)}"
    whole = sorted((each for each in drives if each.finer), key=lambda each: each.chatter)
    little = [each for each in whole if each.chatter <= MOST_CHATTER]
    much = [each for each in whole if each.chatter > MOST_CHATTER]
    warned = [
        f"- {each.name}: {text}"
        for each in (*marine, *little)
        for text in (each.verlet[0].warnings if each.verlet else [])
        if is_accuracy_warning(text)
    ]
    failed = [f"- {each.name}: {each.outcome}" for each in (*marine, *drives) if each.outcome]
    gains = [gain(each) for each in little]
    return f"""# The default method where friction is smoothed or missing

This page is written by `python docs/validation/smoothed_method.py --drives {looked_at}{some} --write`; it was {made()}.

Without friction, `auto` takes `verlet-beeman`, as with [elastic friction](default-method.md). Friction that is smoothed
over the sliding speed is steeper than any practical step can resolve: with a step $h$, the speed of a roller in its
seat alternates by $h \\mu T/m$, and the work of this oscillation is counted as friction and is missing in the energy
balance. *Chatter*: this speed for the step of `verlet` and the expected tension $T$, divided by the speed of the chain.
If it is at most {100.0 * MOST_CHATTER:g} %, `auto` takes `verlet`, whose energy balance then closes to within 0.2 % of
the total loss (`balance = "all-losses"`); above that it takes `dormand-prince`. `verlet-beeman` is unsuitable for
smoothed friction: it extrapolates the acceleration from two steps, and its chatter is twice as fast.

Both are compared with `dormand-prince` with steps a quarter as long as its longest one, as on [the page about the
default method](default-method.md), which explains the columns. *Gain*: evaluations of `dormand-prince` divided by those
of
Verlet, from the mean steps.

## Marine drives

The results are for the first {UNTIL:g} s, averaged over {STARTS} starts whose speeds differ by 1e-9 of their value.

{table([each for each in marine if each.finer])}

The next table gives CPU times on a machine shared with other work, and the scatter of the reference between the
{STARTS} starts:

{costs([each for each in marine if each.finer])}

The largest deviations of Verlet: {worst([each for each in marine if each.finer])}.

## Generated drives

The {len(whole)} of the first {looked_at} drives that have smoothed friction are run for {PART:g} of their duration. The
following drives have little chatter and are run by `verlet` (median gain {np.median(gains):.1f}):

{table(little)}

The following drives have more chatter and are also run by `verlet`, although `auto` does not select it for them:

{table(much)}

Accuracy warnings of Verlet where `auto` takes it:

{chr(10).join(warned) or "- none"}

Runs that one of the methods did not complete:

{chr(10).join(failed) or "- none"}
"""


def main() -> None:
    """Run all, and write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--drives", type=int, default=DRIVES)
    parser.add_argument("--marine", nargs="+", default=list(MARINE), help="only these marine drives")
    parser.add_argument("--runs", type=Path, help="folder in which runs are kept between calls")
    parser.add_argument("--only", choices=("marine", "generated"), help="run only these, and make no page")
    asked = parser.parse_args()
    folder = kept_folder("smoothed-method", asked.runs)

    def taken(name: str, made_by: Any, key: Any) -> Compared | None:
        return _compared(kept(folder / f"{name}.json", partial(made_by, key)))

    numbers = range(asked.drives if asked.only != "marine" else 0)
    names = asked.marine if asked.only != "generated" else ()
    marine = [taken(name, of_marine, name) for name in names]
    drives = [taken(f"drive-{index}", of_generated, index) for index in numbers]
    if not asked.only:
        text = page([each for each in marine if each], [each for each in drives if each], asked.drives)
        publish(text, PAGE, asked.write)


if __name__ == "__main__":
    main()
