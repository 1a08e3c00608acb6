"""Rigid contacts by the methods of first and of second order: cases that show the order, and four drives with both.

    python docs/validation/rigid_chains_of_second_order.py [--write]

``--write`` makes ``rigid-chains-of-second-order.md`` next to this file. Runs are kept in
``build/validation/rigid-chains-of-second-order``: a call that was interrupted is resumed by the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _chains_on_rails import LINKS, RADIUS, UNTIL, end_of, landing, on_a_curve, orders, pendulum, swinging
from _made import kept, kept_folder, made
from _writing import main_of
from rigid_chains import HEADING, Numbers, _row, numbers

from chaindrive.contract.system import System
from chaindrive.model import Drive, example, override
from chaindrive.studies.formulations import in_formulation

PAGE = Path(__file__).with_name("rigid-chains-of-second-order.md")
METHODS = ("moreau-jean", "nonsmooth-alpha")
STEPS, FINEST = (8e-4, 4e-4, 2e-4, 1e-4, 5e-5), 1e-6
"""Steps of chains on rails. [s]"""
ANGLE, SPEED = 0.3, 0.5
"""Initial angle from the lowest or highest point [rad], and their speed [m/s]."""
DRIVES = {
    "timing-06b": (0.04, (2e-5, 1e-5, 2.5e-6)),
    "pfeiffer-roller": (0.04, (2e-5, 1e-5, 2.5e-6)),
    "v6-timing": (0.01, (2e-5, 1e-5, 2.5e-6)),
    "6s90mc-c": (0.3, (1e-4, 5e-5, 1.25e-5)),
}
"""Lengths of the runs of drives, and their steps. [s]"""


def on_rail(way: str, friction: float) -> System:
    """A chain that slides on a curved rail."""
    return on_a_curve(way, friction, ANGLE, SPEED)[0]


CASES: dict[str, Callable[[], System]] = {
    "swings, no contacts": swinging,
    "slides through a hollow": lambda: on_rail("hollow", 0.0),
    "slides over a crest": lambda: on_rail("crest", 0.0),
    "slides through a hollow, friction 0.3": lambda: on_rail("hollow", 0.3),
    "falls on a rail": landing,
}


def errors(case: str, method: str) -> list[float]:
    """Largest error of a position at the end with each step, against a pendulum or the finest step.

    Then, with the last of STEPS, the largest force of a contact in stored rows over the median of all.
    """
    system = CASES[case]
    known = {"slides through a hollow": "hollow", "slides over a crest": "crest"}.get(case)
    places = [end_of(system(), method, step) for step in STEPS]
    if known is None:
        finest = end_of(system(), METHODS[1], FINEST)[0]
        found = [float(np.abs(place - finest).max()) for place, _ in places]
    else:
        exact = pendulum(known, on_a_curve(known, 0.0, ANGLE, SPEED)[1], ANGLE, SPEED)
        found = [abs(complex(*place[:, LINKS // 2]) - exact) for place, _ in places]
    force = places[-1][1]
    return [*found, float(force.max() / max(np.median(force), 1e-12))]


def by_method(drive: Drive, method: str, step: float) -> Drive:
    """The drive with rigid contacts and this method."""
    changes = {"run.solver.method": method, "run.solver.step": step}
    return override(in_formulation(drive, "roller-rigid"), changes)


def page() -> str:
    """The whole page, markdown."""
    folder = kept_folder("rigid-chains-of-second-order")

    def of(name: str, computed: Callable[[], list[Any]]) -> list[Any]:
        print(name, flush=True)
        return list(kept(folder / f"{name}.json", computed))

    lines = []
    for case in CASES:
        for method in METHODS:
            *found, largest = of(f"{case} {method}", lambda case=case, method=method: errors(case, method))
            rates = orders(found)
            told = "–" if case in ("swings, no contacts", "falls on a rail") else f"{largest:.2g}"
            by_step = " | ".join(f"{1e6 * error:.3g}" for error in found)
            lines.append(f"| {case} | `{method}` | {by_step} | {rates.mean():.2f} | {told} |")
    rows = []
    for name, (until, steps) in DRIVES.items():
        drive = override(example(name), {"run.until": until})
        for step in steps:
            for method in METHODS:
                told = f"`{method}`, {1e6 * step:g} µs"
                found = of(
                    f"{name} {method} {1e6 * step:g}",
                    lambda drive=drive, method=method, step=step: numbers(by_method(drive, method, step)),
                )
                rows.append(_row(f"`{name}`", told, Numbers(*found)))
    steps_told = " | ".join(f"{1e6 * step:g} µs" for step in STEPS)
    return f"""# Rigid contacts by a method of second order

This page compares chains of rollers with rigid contacts by `moreau-jean` and by `nonsmooth-alpha`
([decision 13](../decisions/0013-rigid-contacts.md#of-second-order)). The page and all its numbers are made by
[`rigid_chains_of_second_order.py`](rigid_chains_of_second_order.py).

- {made()}

## Order

The table covers {LINKS + 1} rollers of a 16A chain over {1e3 * UNTIL:g} ms: one swings from an anchor, with damping
in its joints; others
slide on a rail that is an arc of {RADIUS:g} m, where they begin {ANGLE:g} rad from its lowest or highest point with
{SPEED:g} m/s; one falls obliquely onto a straight rail. It
gives the largest error of a position at the end [µm], versus the step: without
friction on arcs against a pendulum, otherwise against a step of {1e6 * FINEST:g} µs; mean order, from each step to
half of it; and the largest force of a contact, over the median of all, in the rows of the runs with the shortest step.

| chain | method | {steps_told} | order | largest force |
|:--|:--|{"--:|" * (len(STEPS) + 2)}
{chr(10).join(lines)}

- While contacts stay closed the error of `nonsmooth-alpha` falls with the square of the step. That of `moreau-jean`
  falls only in proportion to the step where something slides through a hollow. With friction the error at the
  shortest step is due to vibrations of the links, which have no damping there.
- Over a crest a roller leaves the rail along its velocity. With `moreau-jean` it separates and lands alternately, and
  its force reaches up to twice the mean; its path, an average, is not affected. By `nonsmooth-alpha` it is steady;
  the error is mostly that of the start, where contacts are not yet known to stay closed.
- Where in a step a roller lands is random, and both methods are of first order there.

## Drives

The drives of [Chains with rigid contacts](rigid-chains.md), with rollers and the columns of that page:

{HEADING}
{chr(10).join(rows)}

- Both methods converge to the same numbers. Rollers land all the time as the chain advances, so there is little to
  gain: use `moreau-jean` for drives.
"""


if __name__ == "__main__":
    main_of(__doc__, PAGE, lambda _: page())
