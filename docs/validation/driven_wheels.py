"""Compares runs with their analytical checks for every kind of torque: the examples, and generated drives.

    python docs/validation/driven_wheels.py [--count 105] [--examples] [--write] [--toml INDEX]

measures ``--count`` generated drives with one torque each, of all kinds in turn (``_driven_kinds.py``), and, with
``--examples``, the examples of the package; ``--write`` makes ``driven-wheels.md`` next to this file from all results.
Results are kept in ``build/validation/driven-wheels``, from which an interrupted call is resumed. ``--toml`` prints a
generated drive as a TOML file.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from _driven_kinds import KINDS, SEED, with_torque
from _made import kept, kept_folder, made
from _writing import options

import chaindrive as cd
from chaindrive.analyses.results.comparison import comparison
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, example_names
from chaindrive.simulation.progress import Progress

PAGE = Path(__file__).parent / "driven-wheels.md"
WHY = Path(__file__).parent / "driven-wheels-why.txt"
ROWS = 12
"""Stored instants per tooth period."""
LONGEST = 0.3
"""Longest simulated time of an example. [s]"""
CPU = 40.0
"""CPU time after which a run is stopped and judged by its results so far. [s]"""
FAR = 0.2
"""Deviation from the analytical value above which an explanation is needed. [-]"""
Row = dict[str, Any]


def main() -> None:
    """Measure, keep, and write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--count", type=int, default=5 * len(KINDS), help="number of generated drives")
    parser.add_argument("--examples", action="store_true", help="the examples as well")
    parser.add_argument("--toml", type=int, metavar="INDEX", help="print a generated drive")
    asked = parser.parse_args()
    if asked.toml is not None:
        print(with_torque(asked.toml)[1].to_toml())
        return
    folder = kept_folder("driven-wheels")
    drives, examples = [], []
    for index in range(asked.count):
        drives.append(kept(folder / f"{index:03d}.json", functools.partial(generated, index)))
        print(index, line_of(drives[-1]), flush=True)
    for name in example_names() if asked.examples else ():
        examples.append(kept(folder / f"{name}.json", functools.partial(of_example, name)))
        print(line_of(examples[-1]), flush=True)
    if asked.write:
        there = [folder / f"{name}.json" for name in example_names()]
        examples = [json.loads(path.read_text(encoding="utf-8")) for path in there if path.exists()]
        PAGE.write_text(page(drives, examples), encoding="utf-8")


def generated(index: int) -> Row:
    """Measure a generated drive."""
    kind, drive = with_torque(index)
    return measured(drive, kind, float(drive.run.until))


def of_example(name: str) -> Row:
    """Measure an example."""
    drive = cd.example(name)
    return measured(drive, name, min(LONGEST, float(drive.run.until)))


def measured(drive: Drive, kind: str, until: float) -> Row:
    """The values of a run with their analytical values, chain by chain, and the checks that did not apply."""
    begun, passing = time.process_time(), _passing(drive)

    def watch(_: Progress) -> None:
        if time.process_time() - begun > CPU:
            raise KeyboardInterrupt

    run = cd.simulate(drive, until, save=cd.SaveOptions(rate=max(ROWS * passing, 2000.0)), progress=watch)
    found: Row = {"kind": kind, "name": drive.name, "source": drive.source, "ending": run.status.name}
    found |= {"reached": float(run.time[-1]), "rows": [], "left_out": []}
    for chain in run.chains:
        compared = comparison(chain)
        found["rows"] += [
            {"quantity": row.quantity, "where": row.where, "run": row.simulated, "check": row.analytical,
             "unit": row.unit, "relative": row.relative}
            for row in compared.rows
        ]  # fmt: skip
        found["left_out"] += [row._asdict() for row in compared.left_out]
    return found


def _passing(drive: Drive) -> float:
    """Tooth frequency at the nominal speed. [Hz]"""
    facts = drive_facts(drive)
    return abs(facts.nominal_speed or 0.0) * drive.wheels[facts.driver].teeth / 6.283 if drive.wheels else 0.0


def far(row: Row) -> list[Row]:
    """The values of a run that deviate by more than ``FAR``."""
    return [each for each in row["rows"] if not abs(float(each["relative"])) <= FAR]


def line_of(row: Row) -> str:
    """A measured drive as a line of text."""
    listed = ", ".join(f"{x['quantity']} {x['where']} {100 * float(x['relative']):+.0f} %" for x in far(row))
    return f"{row['name']}: {row['ending']}, {len(row['rows'])} compared; beyond {FAR:.0%}: {listed or 'none'}"


def page(drives: Sequence[Row], examples: Sequence[Row]) -> str:
    """The page, in Markdown."""
    lines = [
        "# Driven wheels: every kind of torque compared with its analytical value",
        "",
        f"This page covers {len(drives)} generated drives and {len(examples)} of the {len(example_names())} "
        f"examples, each for at most {LONGEST:g} s. The generated drives have one torque each, of {len(KINDS)} kinds "
        f"in turn: on a driven wheel, on a driver without a prescribed motion, or on a wheel connected by a shaft. "
        f"Each run is compared with its analytical checks as in the report ([Analytical "
        f"checks](../analytical-checks.md)). It is "
        "written by",
        "`python docs/validation/driven_wheels.py --examples --write`; nothing in a table is typed by hand.",
        "",
        f"- {made()}",
        f"- seed {SEED}; chains of up to 100 links on two to four wheels, 1.5 to 5 m/s, pull of 0.5 to 2 % of the",
        f"  breaking load; a run is stopped after {CPU:g} s of CPU time and judged up to the time that it has reached",
        "",
        "## Kinds of torque",
        "",
        f"The table gives how many values were compared, their median deviation and 90th percentile, and how many "
        f"deviate by more than {100 * FAR:g} %.",
        "",
        *_by("kind", drives),
        "",
        "## Quantities",
        "",
        *_by_quantity([*drives, *examples]),
        "",
        f"## Beyond {100 * FAR:g} %",
        "",
        *_listed([*drives, *examples]),
        "",
        WHY.read_text(encoding="utf-8").strip() if WHY.exists() else "",
        "",
        "## Examples",
        "",
        *_by("kind", examples),
    ]
    return "\n".join(lines).strip() + "\n"


def _by(key: str, rows: Sequence[Row]) -> list[str]:
    """A table with a row for each kind."""
    lines = [
        f"| {key} | drives | reached the end | compared | median | 90th | beyond |",
        "|:--|--:|--:|--:|--:|--:|--:|",
    ]
    for name in dict.fromkeys(row[key] for row in rows):
        here = [row for row in rows if row[key] == name]
        numbers = [each for row in here for each in row["rows"]]
        ended = sum(row["ending"] == "REACHED_END" for row in here)
        lines.append(f"| {name} | {len(here)} | {ended} | {_numbers(numbers)} |")
    return lines


def _by_quantity(rows: Sequence[Row]) -> list[str]:
    lines = ["| quantity | compared | median | 90th | beyond |", "|:--|--:|--:|--:|--:|"]
    numbers = [each for row in rows for each in row["rows"]]
    for name in dict.fromkeys(each["quantity"] for each in numbers):
        lines.append(f"| {name} | {_numbers([each for each in numbers if each['quantity'] == name])} |")
    return lines


def _numbers(numbers: Sequence[Row]) -> str:
    """Table cells with the number of comparisons, the median and the 90th percentile of their deviations, and the
    number of large deviations.
    """
    if not numbers:
        return "0 | – | – | 0"
    sizes = np.abs([float(each["relative"]) for each in numbers])
    known = sizes[np.isfinite(sizes)]
    median, most = (f"{100 * float(np.percentile(known, q)):.2g} %" for q in (50, 90)) if known.size else ("–", "–")
    return f"{len(numbers)} | {median} | {most} | {int((~(sizes <= FAR)).sum())}"


def _listed(rows: Sequence[Row]) -> list[str]:
    lines = ["| drive | quantity | part | run | check | deviation |", "|:--|:--|:--|--:|--:|--:|"]
    for row in rows:
        for each in far(row):
            values = f"{each['run']:.4g} {each['unit']} | {each['check']:.4g} {each['unit']}"
            share = f"{100 * float(each['relative']):+.0f} %"
            lines.append(f"| {row['name']} | {each['quantity']} | {each['where']} | {values} | {share} |")
    return lines


if __name__ == "__main__":
    main()
