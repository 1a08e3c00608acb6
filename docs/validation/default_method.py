"""The default method in the plane and Dormand-Prince, both compared with a run with a quarter of the step of
Dormand-Prince.

    python docs/validation/default_method.py [--write] [--drives N]

``--write`` makes ``default-method.md`` next to this file. Takes half an hour.
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
from _generated_measure import OF_ACCURACY
from _made import kept, kept_folder, made
from _writing import options, publish
from generated_step_limits import SMOOTHING

import chaindrive as cd
from chaindrive.errors import ChaindriveError
from chaindrive.model import Drive, example_names, override
from chaindrive.simulation.settings import chosen_method
from chaindrive.simulation.start import as_laid
from chaindrive.solvers import SolverSettings
from chaindrive.solvers.integrator import largest_step

HERE = Path(__file__).parent
PAGE = HERE / "default-method.md"
METHOD, OTHER = "verlet-beeman", "dormand-prince"
FINER = 0.25
"""Step of the reference divided by the longest step of Dormand-Prince. [-]"""
SEED, DRIVES = 2929, 60
UNTIL, RATE = 0.1, 5000.0
"""Longest simulated time of the examples [s], and number of rows per second."""
PART = 0.5
"""Fraction of the duration of a generated drive that is run and compared."""
NOTHING = 0.1
"""Losses that differ by more than this fraction between two runs of the same method count as zero. [-]"""
RESOLVED = 0.05
"""Shortest CPU time per simulated second that the clock resolves. [s/s]"""
MEANS = ("mean tension", "mean bearing force", "losses")
PEAKS = ("peak tension", "peak bearing force", "peak tooth force")


class Ran(NamedTuple):
    """A run."""

    statistics: dict[str, float]
    """Values of MEANS and PEAKS. [N, J]"""
    losses: dict[str, float]
    """[J]"""
    residual: float
    """Largest residual of the energy balance. [J]"""
    step: float
    """Mean step. [s]"""
    seconds: float
    """CPU time per simulated second. [s/s]"""
    warnings: list[str]


class Trio(NamedTuple):
    """Runs of a drive with the default method, with the other method and with the reference."""

    name: str
    own: Ran | None
    other: Ran | None
    finer: Ran | None
    outcome: str


def ran(given: Drive, solver: Mapping[str, Any], start: int = 0) -> Ran:
    """Run a drive with the disturbance of this number at its start.

    Raises ChaindriveError, or RuntimeError if the run ends early.
    """
    given = override(given, {"run.solver": dict(solver)})
    cd.simulate(given, 1e-6, progress=False)  # compiled
    used = []
    for until in (1e-6, float(given.run.until)):
        begun = time.process_time()
        solution = cd.simulate(given, until, progress=False, disturbance=start)
        used.append(time.process_time() - begun)
    if solution.status.failed:
        raise RuntimeError(solution.status.description)
    late = slice(solution.time.size // 3, None)
    audit = solution.audit
    statistics = {
        "mean tension": float(solution.values("link_tension", late).mean()),
        "peak tension": float(solution.values("link_tension_max", late).max()),
        "losses": sum(audit.losses.values()),
    }
    if given.wheels:
        statistics |= {
            "mean bearing force": float(np.linalg.norm(solution.values("bearing_force", late), axis=-1).mean()),
            "peak bearing force": float(solution.values("bearing_force_max", late).max()),
            "peak tooth force": float(solution.values("tooth_force_max", late).max()),
        }
    seconds = max(used[1] - used[0], 0.0) / float(given.run.until)
    step = float(solution.statistics["mean_step"])
    return Ran(statistics, dict(audit.losses), audit.largest_residual, step, seconds, list(solution.warnings))


def trio(given: Drive, name: str, method: str = METHOD) -> Trio:
    """Run a drive with all three methods; method: the default one."""
    runs: list[Ran] = []
    outcome = ""
    try:
        step = FINER * largest_step(as_laid(given), SolverSettings(method=OTHER))
        for solver in ({"method": method}, {"method": OTHER}, {"method": OTHER, "step": step}):
            runs.append(ran(given, solver))
    except (ChaindriveError, RuntimeError) as error:
        outcome = str(error).splitlines()[0]
    own, other, finer = [*runs, None, None, None][:3]
    return Trio(name, own, other, finer, outcome)


def of_example(name: str, method: str = METHOD) -> Trio:
    """Run an example for a short time."""
    given = cd.example(name)
    short = {"run.until": min(UNTIL, float(given.run.until)), "run.save.rate": RATE}
    return trio(override(given, short), name, method)


def of_generated(index: int) -> Trio:
    """Run a generated drive with elastic friction."""
    found = generate(SEED, index)
    data: dict[str, Any] = found.model_dump()
    for name in SMOOTHING:
        data["run"]["formulation"].pop(name, None)
    given = override(Drive(**data), {"run.until": PART * float(found.run.until), "run.save.rate": RATE})
    return trio(given, f"{index}: {class_of(SEED, index)}")


def trio_of(found: Any) -> Trio:
    """Runs of a drive from the stored JSON."""
    name, own, other, finer, outcome = found
    return Trio(name, own and Ran(*own), other and Ran(*other), finer and Ran(*finer), outcome)


def off(one: Ran, finer: Ran) -> dict[str, float]:
    """Deviation of every statistic from the reference; "a loss" is the largest deviation of an individual loss,
    relative to the sum of all losses. [-]
    """
    found = dict.fromkeys((*MEANS, *PEAKS), 0.0)
    found |= {name: one.statistics[name] / value - 1.0 for name, value in finer.statistics.items() if value}
    total = finer.statistics["losses"] or 1.0
    each = [(one.losses[name] - loss) / total for name, loss in finer.losses.items()]
    return found | {"a loss": max(each, key=abs)}


def both_off(each: Trio) -> tuple[dict[str, float], dict[str, float]]:
    """Deviations of the default method and of the other method; not-a-number for losses that count as zero because two
    runs of one method differ by more than NOTHING.
    """
    assert each.own is not None
    assert each.other is not None
    assert each.finer is not None
    mine, others = off(each.own, each.finer), off(each.other, each.finer)
    if abs(others["losses"]) > NOTHING:
        mine |= dict.fromkeys(("losses", "a loss"), math.nan)
        others |= dict.fromkeys(("losses", "a loss"), math.nan)
    return mine, others


def gain(each: Trio) -> float:
    """CPU time of the other method divided by that of the default method [-]; not-a-number if the clock did not resolve
    it.
    """
    if each.own is None or each.other is None or not each.own.seconds > RESOLVED:
        return math.nan
    return each.other.seconds / each.own.seconds


def _gain_of(each: Trio) -> str:
    """The gain for a drive as a text; a dash if the clock did not resolve its run."""
    return f"{gain(each):.1f}" if math.isfinite(gain(each)) else "–"


def percent(part: float) -> str:
    """A fraction [-] as a text in per cent; a dash if there is none."""
    return "–" if math.isnan(part) else f"{part:+.2%}"


def line(each: Trio) -> str:
    """The table row of a drive."""
    assert each.own is not None
    mine, others = both_off(each)
    cells = [f"{percent(mine[name])} | {percent(others[name])}" for name in (*MEANS, "a loss", *PEAKS)]
    lost = each.own.statistics["losses"]
    missing = "–" if math.isnan(mine["losses"]) else f"{each.own.residual / lost:.1e}"
    return f"| {each.name} | {1e6 * each.own.step:.2f} | {_gain_of(each)} | {missing} | {' | '.join(cells)} |"


def table(trios: Sequence[Trio]) -> str:
    """Table of all drives."""
    names = [f"{name} | (DP)" for name in (*MEANS, "a loss", *PEAKS)]
    return "\n".join(
        [
            f"| drive | step | gain | residual | {' | '.join(names)} |",
            "|:--" + "|--:" * (3 + 2 * len(names)) + "|",
            *(line(each) for each in trios),
        ]
    )


def summary(trios: Sequence[Trio]) -> str:
    """Table of the median, 90 % and largest deviations of both methods."""
    rows = []
    for name in (*MEANS, "a loss", *PEAKS):
        cells = []
        for which in (0, 1):
            found = np.abs([both_off(each)[which][name] for each in trios])
            found = found[np.isfinite(found)]
            cells.append(f"{np.median(found):.3%} | {np.quantile(found, 0.9):.2%} | {found.max():.2%}")
        rows.append(f"| {name} | {' | '.join(cells)} |")
    head = "| | median | 90 % | largest | median (DP) | 90 % | largest |\n|:--|--:|--:|--:|--:|--:|--:|\n"
    return head + "\n".join(rows)


def is_accuracy_warning(warning: str) -> bool:
    """Whether a warning concerns accuracy."""
    return any(each.match(warning) for each in OF_ACCURACY)


def page(examples: Sequence[Trio], drives: Sequence[Trio]) -> str:
    """The page, in Markdown."""
    whole = [each for each in drives if each.finer]
    gains = np.array([gain(each) for each in whole])
    slow, typical, fast = np.quantile(gains[np.isfinite(gains)], (0.1, 0.5, 0.9))
    worst = sorted(whole, key=lambda each: -abs(both_off(each)[0]["a loss"]))
    halved = [each.name for each in whole if each.own and each.other and each.own.step < 0.6 * each.other.step]
    warned = [
        f"- {each.name}: {text}"
        for each in (*examples, *whole)
        if each.own
        for text in each.own.warnings
        if is_accuracy_warning(text)
    ]
    failed = [f"- {each.name}: {each.outcome}" for each in (*examples, *drives) if each.outcome]
    return f"""# The default method in the plane

This page is written by `python docs/validation/default_method.py --write`; it was {made()}.

`auto` takes [`verlet-beeman`](../theory/integration.md#methods) for a chain in the plane with elastic friction or none
(smoothed friction is treated on [another page](smoothed-method.md)): it needs one evaluation for a step of
$1.3/\\omega_\\mathrm{{max}}$, where `dormand-prince` needs six for $1.2/\\omega_\\mathrm{{max}}$.
Both are compared here with `dormand-prince` with steps a quarter as long as its longest one. Means and peaks are taken
over all links, wheels and teeth after the first third of a run; losses are those of the whole run. *A loss*: the
individual loss that deviates most, relative to the sum of all losses. *Residual*: the largest residual of the energy
balance, relative to the losses.
*Gain*: CPU time of `dormand-prince` divided by that of the default method, run in pairs on a machine shared with other
work. *Step*: length of the step [us]. (DP): the same deviation for `dormand-prince` with its own step. –: losses are
negligible. The motion of some drives does not repeat, for example with a whipping slack span; in these both methods
are equally far from the reference.

## Examples

The runs cover the first {UNTIL:g} s.

{table([each for each in examples if each.finer])}

## Generated drives

{len(whole)} drives of all kinds with elastic friction were run for {PART:g} of their duration. Absolute values of the
deviations:

{summary(whole)}

The median gain is {typical:.1f}; it is {slow:.1f} to {fast:.1f} for eight of ten drives. The step was
shortened because of contacts or the energy balance in {len(halved)} drives{": " + ", ".join(halved) if halved else ""}.

The ten drives with the largest deviations of losses:

{table(worst[:10])}

Accuracy warnings of the default method:

{chr(10).join(warned) or "- none"}

Runs that one of the methods did not complete:

{chr(10).join(failed) or "- none"}
"""


def is_default(name: str, method: str = METHOD) -> bool:
    """Whether an example is run by this method by default."""
    drive = cd.example(name)
    return drive.run.solver.method == "auto" and chosen_method(drive.run, drive, as_laid(drive)).method == method


def main() -> None:
    """Run all, and write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--drives", type=int, default=DRIVES)
    parser.add_argument("--runs", type=Path, help="folder in which runs are kept between calls")
    asked = parser.parse_args()
    folder = kept_folder("default-method", asked.runs)
    names = [name for name in example_names() if is_default(name)]
    drives = [trio_of(kept(folder / f"drive-{i}.json", partial(of_generated, i))) for i in range(asked.drives)]
    examples = [trio_of(kept(folder / f"{name}.json", partial(of_example, name))) for name in names]
    text = page(examples, drives)
    publish(text, PAGE, asked.write)


if __name__ == "__main__":
    main()
