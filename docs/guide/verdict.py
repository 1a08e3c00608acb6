"""Measure the scatter of the extremes of the example motorcycle, and put the table into The verdict.

    python docs/guide/verdict.py [--write]

It simulates the drive and repeats the run from disturbed starts, as ``chaindrive run motorcycle --repeat 4`` does.
Without --write it only prints.
"""

from __future__ import annotations

import argparse
import re
from datetime import UTC, datetime
from pathlib import Path

import chaindrive as cd
from chaindrive.analyses.results.scatter import EXTREMES, Spread
from chaindrive.kernels.source import kernels_digest
from chaindrive.numbers import quantity

PAGE = Path(__file__).parent / "verdict.md"
BLOCK = re.compile(r"(<!-- scatter -->\n).*?(<!-- end -->)", re.DOTALL)
RUNS = 4


def main() -> None:
    """Measure, and write the page if requested."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    asked = parser.parse_args()
    run = cd.simulate("motorcycle")
    cd.repeat(run, RUNS, workers=1)
    text = table(run)
    print(text)
    if asked.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(BLOCK.sub(lambda found: found[1] + text + found[2], page), encoding="utf-8")


def table(run: cd.Solution) -> str:
    """Return the extremes with their scatter between windows and runs as Markdown, with date and version."""
    found = [each for each in run.verdict.findings if each.key in EXTREMES]
    today = datetime.now(UTC).date().isoformat()
    lines = [
        "| largest | this run | windows of this run | runs: lowest | median | largest |",
        "|:--|--:|--:|--:|--:|--:|",
    ]
    for each in found:

        def shown(value: float, unit: str = each.unit) -> str:
            return quantity(value, unit, 3) if unit else f"{100.0 * value:.3g} %"

        windows = "–" if each.windows is None else each.windows.text(shown)
        runs = each.runs or Spread(each.value, each.value, each.value, 1)
        numbers = " | ".join(shown(value) for value in (runs.low, runs.median, runs.high))
        name = each.name.removeprefix("largest ").partition(", relative")[0]
        lines.append(f"| {name} | {shown(each.value)} | {windows} | {numbers} |")
    count = next(each.windows.count for each in found if each.windows is not None)
    lines += ["", f"*{count} windows, {len(run.repeats) + 1} runs of `motorcycle`, measured on {today} with chaindrive"]
    lines += [f"{cd.__version__} (kernels {kernels_digest()}) by [`verdict.py`](verdict.py).*", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
