"""Cases in which implicit steps are faster: generalized alpha compared with Dormand-Prince, from fast to slow drives.

    python docs/validation/implicit_steps.py [--write] [--drives N]

``--write`` makes ``implicit-steps.md`` and its picture next to this file. Takes a quarter of an hour.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _elastic_slow import at_constant_speed
from _generated import class_of, generate
from _made import kept, kept_folder, made
from _writing import options, publish
from elastic_friction import drive

import chaindrive as cd
from chaindrive.errors import ChaindriveError
from chaindrive.model import Drive, override

HERE = Path(__file__).parent
PAGE, PICTURE = HERE / "implicit-steps.md", HERE / "pictures" / "implicit-steps.png"
EXPLICIT, IMPLICIT = "dormand-prince", "generalized-alpha"
SPEEDS = {1000.0: 8, 100.0: 4, 10.0: 3, 1.0: 2, 0.1: 2, 0.01: 2}
"""Speeds of the driver of the first drive [rpm], and the number of passages of a link in each run."""
SLOWEST_EXPLICIT = 1.0
"""Speed below which runs are made with implicit steps only. [rpm]"""
SEED, SLOWEST, FASTEST, STEPS, DRIVES = 2911, 0.1, 3000.0, 60_000, 60
"""Generated drives: lowest and highest speed of the fastest wheel [rpm], and approximate number of explicit steps in a
run.
"""


class Ran(NamedTuple):
    """A run with one of the methods."""

    loss: float
    """Loss in the joints. [J]"""
    lost: float
    """Sum of all losses. [J]"""
    tension: tuple[float, ...]
    """Mean tension of every span. [N]"""
    mean_step: float
    """[s]"""
    seconds: float
    """CPU time of the integration. [s]"""
    residual: float
    """Residual of the energy balance divided by the energy exchanged. [-]"""


class Pair(NamedTuple):
    """A generated drive run by both methods."""

    number: int
    kind: str
    rpm: float
    """Speed of its fastest wheel."""
    per_tooth: float
    """Explicit steps in the time in which the chain advances by one link. [-]"""
    explicit: Ran | None
    implicit: Ran | None
    outcome: str


def ran(given: Drive, method: str) -> Ran:
    """Run a drive by a method with its default settings. Raises ChaindriveError, or RuntimeError if the run ends
    early.
    """
    given = override(given, {"run.solver.method": method})
    cd.simulate(given, 1e-6 * float(given.run.until))  # compiled, and its rest is known
    begun = time.process_time()
    cd.simulate(given, 1e-6 * float(given.run.until))
    start = time.process_time() - begun
    begun = time.process_time()
    solution = cd.simulate(given)
    seconds = time.process_time() - begun - start
    if solution.status.failed:
        raise RuntimeError(solution.status.description)
    losses = solution.audit.losses
    return Ran(
        losses.get("articulation", 0.0),
        sum(losses.values()),
        tuple(float(value) for value in solution.values("span_tension").mean(axis=0)),
        float(solution.statistics["mean_step"]),
        max(seconds, 1e-4),
        float(solution.audit.relative_residual),
    )


def of_the_drive(rpm: float, method: str) -> Ran:
    """Run the 08B drive for the number of passages that belongs to its speed."""
    given = drive(rpm, SPEEDS[rpm])
    return ran(override(given, {"run.save": {"rate": 20.0 * SPEEDS[rpm] / float(given.run.until)}}), method)


def generated(index: int) -> tuple[Drive, float, float]:
    """A generated drive at constant speed under constant loads, the speed of its fastest wheel [rpm] and its tooth
    period [s].
    """
    rng, found = np.random.default_rng([SEED, index]), generate(SEED, index)
    rpm = float(np.exp(rng.uniform(math.log(SLOWEST), math.log(FASTEST))))
    data, chain_speed = at_constant_speed(found, rpm)
    data["chain"] |= {"joint_friction": float(rng.uniform(0.05, 0.2))}
    data["contact"] |= {"friction": float(rng.uniform(0.05, 0.2))}
    until = STEPS * 0.5 / math.sqrt(4.0 * found.chain.link_stiffness / found.chain.link_mass)
    data["run"] |= {"until": until, "start": "at_speed", "formulation": {"kind": "roller"}}
    data["run"]["save"] = {"rate": 400.0 / until}
    return Drive(**data), rpm, found.chain.pitch / chain_speed


def pair(index: int) -> Pair:
    """Run a generated drive with both methods."""
    given, rpm, period = generated(index)
    runs: list[Ran] = []
    outcome = ""
    for method in (EXPLICIT, IMPLICIT):
        try:
            runs.append(ran(given, method))
        except (ChaindriveError, RuntimeError) as error:
            outcome = f"{method}: {str(error).splitlines()[0]}"
            break
    explicit, implicit = [*runs, None, None][:2]
    per_tooth = period / explicit.mean_step if explicit else 0.0
    return Pair(index, class_of(SEED, index), rpm, per_tooth, explicit, implicit, outcome)


def _pair_of(found: Any) -> Pair:
    """Runs of a drive from the stored JSON."""
    number, kind, rpm, per_tooth, explicit, implicit, outcome = found
    return Pair(number, kind, rpm, per_tooth, explicit and Ran(*explicit), implicit and Ran(*implicit), outcome)


def gain(each: Pair) -> float:
    """CPU time of the explicit run divided by that of the implicit run. [-]"""
    assert each.explicit is not None
    assert each.implicit is not None
    return each.explicit.seconds / each.implicit.seconds


def off(each: Pair) -> tuple[float, float]:
    """Deviations of the implicit run relative to the explicit run: in the total loss, and in the mean tension of the
    tightest span. [-]
    """
    assert each.explicit is not None
    assert each.implicit is not None
    tight = int(np.argmax(each.explicit.tension))
    return (
        each.implicit.lost / each.explicit.lost - 1.0,
        each.implicit.tension[tight] / each.explicit.tension[tight] - 1.0,
    )


def picture(pairs: Sequence[Pair], path: Path) -> None:
    """Draw the gain as a function of the number of explicit steps in a tooth period."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.loglog([each.per_tooth for each in pairs], [gain(each) for each in pairs], "o")
    axes.axhline(1.0, color="0.5", linewidth=1)
    axes.set_xlabel("explicit steps in a tooth period")
    axes.set_ylabel("CPU time, explicit divided by implicit")
    axes.grid(True, which="both", alpha=0.3)
    figure.savefig(path, dpi=150)
    plt.close(figure)


def page(one: dict[tuple[float, str], Ran], pairs: Sequence[Pair]) -> str:
    """The page, in Markdown."""
    rows = "\n".join(
        f"| {rpm:g} | {method} | {run.loss / SPEEDS[rpm] * 1e3:.2f} | {max(run.tension):.1f} | "
        f"{run.mean_step * 1e6:.2f} | {abs(run.residual):.1e} | {run.seconds / SPEEDS[rpm]:.3f} |"
        for (rpm, method), run in one.items()
    )
    whole = [each for each in pairs if each.explicit and each.implicit]
    bounds = [0.0, 300.0, 1000.0, 3000.0, 1e4, 1e5, math.inf]
    groups = [
        (low, high, [each for each in whole if low <= each.per_tooth < high])
        for low, high in itertools.pairwise(bounds)
    ]
    table = "\n".join(
        f"| {_between(low, high)} | {len(group)} | {np.median([gain(e) for e in group]):.2f} | "
        f"{min(gain(e) for e in group):.2f} to {max(gain(e) for e in group):.2f} | "
        f"{np.median([abs(off(e)[0]) for e in group]):.2%} | {np.median([abs(off(e)[1]) for e in group]):.2%} |"
        for low, high, group in groups
        if group
    )
    worst = sorted(whole, key=lambda e: -abs(off(e)[0]))[:10]
    listed = "\n".join(
        f"| {e.number} | {e.kind} | {e.rpm:.3g} | {e.per_tooth:.3g} | {gain(e):.2f} | {e.explicit.lost * 1e3:.3g} | "
        f"{off(e)[0]:+.2%} | {off(e)[1]:+.2%} | {abs(e.implicit.residual):.1e} |"
        for e in worst
        if e.explicit and e.implicit
    )
    failed = [each for each in pairs if each.outcome]
    refused = "\n".join(f"- {e.number} ({e.kind}, {e.rpm:.3g} rpm): {e.outcome}" for e in failed) or "- none"
    return f"""# Where implicit steps are faster

This page is written by `python docs/validation/implicit_steps.py --write`; it was {made()}.

This page compares generalized alpha ([theory](../theory/integration.md#implicit-steps)) with Dormand-Prince, both with
default settings, for rollers with elastic friction. An explicit step is limited by the fastest oscillation of the
links, however slowly
the drive runs; an implicit step is limited only by the actual motion.

## One drive at falling speeds

The 08B drive of [elastic friction](elastic-friction.md) has friction in joints and on teeth. A passage is the time in
which the chain advances by one link. The table gives the loss in the joints in a passage in mJ, the tension of the
tight span in N, the mean step in us, the energy residual relative to the energy exchanged, and the CPU time for a
passage in s.

| rpm | method | loss | tension | mean step | residual | CPU |
|--:|:--|--:|--:|--:|--:|--:|
{rows}

## Generated drives

{len(pairs)} drives of all kinds, whose fastest wheel turns at {SLOWEST:g} to {FASTEST:g} rpm, were each run by both
methods for a time of about {STEPS} explicit steps. *Gain*: CPU time of the explicit run divided by that of the implicit
run. *Losses*, *tight span*: deviation of the implicit run from the explicit run, in the total loss and in the mean
tension of the tightest span (median of the absolute values).

| explicit steps in a tooth period | drives | gain, median | range | losses | tight span |
|:--|--:|--:|--:|--:|--:|
{table}

![Gain as a function of the number of explicit steps in a tooth period](pictures/implicit-steps.png)

The following table lists the ten drives with the largest deviation of the total loss. *Lost* is the loss of the
explicit run, in mJ. During their runs the slowest drives advance by only a hundredth of a link, and their loss is of
the order of the energy stored in the friction springs.

| drive | kind | rpm | steps | gain | lost | losses | tight span | residual |
|--:|:--|--:|--:|--:|--:|--:|--:|--:|
{listed}

Runs that one of the methods did not complete:

{refused}
"""


def _between(low: float, high: float) -> str:
    return f"{low:g} and more" if math.isinf(high) else f"{low:g} to {high:g}"


def main() -> None:
    """Run all, and write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--drives", type=int, default=DRIVES)
    parser.add_argument("--runs", type=Path, help="folder in which runs are kept between calls")
    told = parser.parse_args()
    folder = kept_folder("implicit-steps", told.runs)
    one = {
        (rpm, method): Ran(*kept(folder / f"{rpm:g}-{method}.json", partial(of_the_drive, rpm, method)))
        for rpm in SPEEDS
        for method in (EXPLICIT, IMPLICIT)
        if method == IMPLICIT or rpm >= SLOWEST_EXPLICIT
    }
    pairs = [_pair_of(kept(folder / f"pair-{i}.json", partial(pair, i))) for i in range(told.drives)]
    text = page(one, pairs)
    if told.write:
        picture([each for each in pairs if each.explicit and each.implicit], PICTURE)
    publish(text, PAGE, told.write)


if __name__ == "__main__":
    main()
