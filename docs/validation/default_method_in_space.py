"""The default method for links in space and Dormand-Prince, both compared with a run with a quarter of the step of
Dormand-Prince.

    python docs/validation/default_method_in_space.py [--write] [--drives N]

``--write`` makes ``default-method-in-space.md`` next to this file. Takes a quarter of an hour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from _made import kept, kept_folder, made
from _writing import options, publish
from default_method import RATE, UNTIL, Trio, gain, is_default, of_example, summary, table, trio, trio_of
from elastic_friction_in_space import generated

from chaindrive.model import example_names, override

PAGE = Path(__file__).with_name("default-method-in-space.md")
METHOD = "splitting"
DRIVES, PASSAGES, LONGEST = 24, 6.0, 0.08
"""Number of generated drives, and their simulated time: passages of a link, at most [s]."""


def of_generated(number: int) -> Trio:
    """Run a generated drive whose sprockets are out of line."""
    given, description = generated(number)
    speed = abs(given.wheels[0].motion.speed)
    until = min(PASSAGES * 2.0 * math.pi / (speed * given.wheels[0].teeth), LONGEST)
    return trio(override(given, {"run.until": until, "run.save.rate": RATE}), description, METHOD)


def page(examples: Sequence[Trio], drives: Sequence[Trio]) -> str:
    """The page, in Markdown."""
    whole = [each for each in drives if each.finer]
    gains = np.array([gain(each) for each in whole])
    slow, typical, fast = np.quantile(gains[np.isfinite(gains)], (0.1, 0.5, 0.9))
    failed = [f"- {each.name}: {each.outcome}" for each in (*examples, *drives) if each.outcome]
    warned = [f"- {each.name}: {text}" for each in (*examples, *whole) if each.own for text in each.own.warnings]
    return f"""# The default method in space

This page is written by `python docs/validation/default_method_in_space.py --write`; it was {made()}.

`auto` takes [`splitting`](../theory/integration.md#methods) for links in space with elastic friction or none. It needs
one evaluation per step, where `dormand-prince` needs six, and its steps are [longer](steps-in-space.md). Both are
compared here with `dormand-prince` with steps a quarter as long as its longest one. The columns are those of
[the default method in the plane](default-method.md).

## Examples

The runs cover the first {UNTIL:g} s.

{table([each for each in examples if each.finer])}

## Generated drives

{len(whole)} drives with two sprockets out of line, of 10 to 1000 rpm, were run for {PASSAGES:g} passages of a link, at
most {LONGEST:g} s. Absolute values of the deviations:

{summary(whole)}

The median gain is {typical:.1f}; it is {slow:.1f} to {fast:.1f} for eight of ten drives.

{table(whole)}

Warnings of runs with the default method:

{chr(10).join(warned) or "- none"}

Runs that one of the methods did not complete:

{chr(10).join(failed) or "- none"}
"""


def main() -> None:
    """Run all, and write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--drives", type=int, default=DRIVES)
    asked = parser.parse_args()
    folder = kept_folder("default-method-in-space")
    names = [name for name in example_names() if is_default(name, METHOD)]
    examples = [trio_of(kept(folder / f"{name}.json", partial(of_example, name, METHOD))) for name in names]
    drives = [trio_of(kept(folder / f"drive-{i}.json", partial(of_generated, i))) for i in range(asked.drives)]
    publish(page(examples, drives), PAGE, asked.write)


if __name__ == "__main__":
    main()
