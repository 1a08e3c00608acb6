"""Cost against the number of links: two equal wheels ever farther apart, 60 to 10,000 links."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from measure import Row, Section, paired

from parts.drives import RARE, rolling, two_wheels
from parts.evaluation import Stepper, evaluator

LINKS = (60, 122, 250, 500, 1000, 2000, 5000, 10000)
WORK = 2_000_000
"""Product of links and evaluations in one repeat."""
PICTURE = Path(__file__).resolve().parents[1] / "scaling.png"
EXPONENT_LIMIT = 1.1
"""A cost linear in the links has the exponent 1; caches and registers blur it."""


def exponent(links: np.ndarray, times: np.ndarray) -> float:
    """Slope of the logarithm of the cost over that of the links, least squares."""
    return float(np.polyfit(np.log(links), np.log(times), 1)[0])


def run(quick: bool, links: tuple[int, ...] = LINKS, picture: Path | None = None) -> Section:
    """Time per evaluation over the links, its exponent, and a picture."""
    work, repeats = (WORK // 10, 3) if quick else (WORK, 5)
    names = ("one evaluation", "verlet-beeman, all in", "dormand-prince, all in")
    times = np.zeros((len(names), len(links)))
    for column, n in enumerate(links):
        system = rolling(two_wheels(n))
        count = max(work // n, 30)
        verlet = Stepper(system, system.state, 0.0, "verlet-beeman", count, RARE)
        runge_kutta = Stepper(system, system.state, 0.0, "dormand-prince", max(count // 6, 5), RARE)
        things = {
            names[0]: evaluator(system, system.state, 0.0, count),
            names[1]: verlet,
            names[2]: runge_kutta,
        }
        costs = paired(things, repeats)
        evaluations = (count, verlet.evaluations, runge_kutta.evaluations)
        times[:, column] = [1e6 * costs[k].cpu / e for k, e in zip(names, evaluations, strict=True)]
    long = np.array(links) >= min(1000, max(links) / 2)
    rows = []
    for k, name in enumerate(names):
        slope = exponent(np.array(links)[long], times[k, long])
        rows.append(
            Row(
                f"{name}: exponent from {np.array(links)[long][0]} to {links[-1]} links",
                slope,
                "",
                EXPONENT_LIMIT if k == 0 else None,
                remark="us: " + ", ".join(f"{t:.3g} ({n})" for n, t in zip(links, times[k], strict=True)),
            )
        )
        rows.append(Row(f"{name}: per link at {links[-1]} links", 1e3 * times[k, -1] / links[-1], "ns"))
    if picture is not None:
        draw(np.array(links), times, names, picture)
    remarks = [
        "The drive has two wheels of 19 teeth and friction 0.1, whatever its length: the contacts take a constant time "
        "of about half a microsecond, and the time for the links grows. Beyond about 2,000 links the state of a "
        "Runge-Kutta step no longer fits into the fastest caches.",
    ]
    if picture is not None:
        remarks.append(f"![time per evaluation versus number of links]({picture.name})")
    return Section("Cost over the number of links", rows, remarks)


def draw(links: np.ndarray, times: np.ndarray, names: tuple[str, ...], path: Path) -> None:
    """The picture of the section."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    for row, name in zip(times, names, strict=True):
        axes.loglog(links, row, "o-", label=name)
    axes.loglog(links, times[0, -1] * links / links[-1], ":", color="grey", label="proportional to the links")
    axes.set_xlabel("links")
    axes.set_ylabel("time per evaluation [µs]")
    axes.grid(which="both", alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)
