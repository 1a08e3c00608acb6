"""Simulates the examples of the package and keeps their main results, to show changes.

    python docs/validation/examples.py LABEL [--until 4] [--write]

adds the results of the chaindrive that is imported, under LABEL, to ``examples.json`` next to this file (and replaces
earlier results with this label); ``--write`` makes ``examples.md`` from all results. A call that was interrupted is
resumed by the next one: results are kept in ``build/validation/examples``. The reasons for changes are written by hand
in ``examples-why.txt``, which becomes part of the page. To measure an older source, set PYTHONPATH to it.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from _made import kept, kept_folder, made, today
from _writing import options

import chaindrive as cd
from chaindrive.kernels.source import kernels_digest
from chaindrive.model import example_names

HERE = Path(__file__).parent
KEPT, PAGE, WHY = HERE / "examples.json", HERE / "examples.md", HERE / "examples-why.txt"
MOVED = 0.01
"""Relative difference from the previous label above which a number is marked. [-]"""
TINY = 1e-6
"""Relative change of a number that counts as rounding. [-]"""
RATE = 11_113.0
"""Rows per second, a prime number, so that no tooth frequency is synchronous with them and every phase of a tooth
occurs. [Hz]
"""
SMALL = 1e-3
"""Losses below this fraction of the total loss are not compared. [-]"""


def main() -> None:
    """Measure, keep, and write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("label", help="label for the results, such as a version")
    parser.add_argument("--until", type=float, default=4.0, help="longest time simulated [s]")
    asked = parser.parse_args()
    columns = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    folder, found = kept_folder("examples"), {}
    for name in example_names():
        file = folder / f"{name}-{asked.until:g}.json"
        found[name] = kept(file, functools.partial(measured, name, asked.until))
        print(name, found[name], flush=True)
    columns[asked.label] = {
        "date": today(),
        "version": cd.__version__,
        "source": kernels_digest(),
        "until": asked.until,
        "examples": found,
    }
    KEPT.write_text(json.dumps(columns, indent=1) + "\n", encoding="utf-8")
    if asked.write:
        PAGE.write_text(page(columns), encoding="utf-8")


def measured(name: str, longest: float) -> dict[str, float]:
    """The results of an example, with means and largest values over the second half of its run."""
    drive = cd.example(name)
    pressed = "sheave_force" if drive.sheaves else "contact_force"
    channels = ("span_tension", "link_tension", pressed, *(("wheel_angle",) if drive.wheels else ()))
    save = cd.SaveOptions(rate=RATE, channels=channels)
    run = cd.simulate(drive, min(longest, float(drive.run.until)), save=save)
    half = slice(run.time.size // 2, run.time.size)
    spans = np.asarray(run.values("span_tension", half), dtype=np.float64)
    numbers, time = {}, run.time[half]
    if drive.wheels:
        angle = np.asarray(run.values("wheel_angle", half))[:, 0]
        numbers["mean speed of wheel 0 [rad/s]"] = float((angle[-1] - angle[0]) / (time[-1] - time[0]))
    numbers |= {f"mean tension of span {k} [N]": float(t) for k, t in enumerate(spans.mean(axis=0))}
    numbers["largest link tension [N]"] = float(np.max(run.values("link_tension", half)))
    numbers["largest contact force [N]"] = float(np.max(run.values(pressed, half)))
    losses: dict[str, Any] = dict(run.audit.losses)
    numbers |= {f"lost in {key.replace('_', ' ')} [J]": float(value) for key, value in losses.items() if value}
    return numbers


def page(columns: dict[str, Any]) -> str:
    """The page, in Markdown: the latest changes and their reasons, and a table for each example with a column for each
    label.
    """
    labels = list(columns)
    lines = [
        "# The examples of the package: do their numbers stay the same?",
        "",
        "Each example of the package is run with the default solver. The tables give means and largest values over the",
        f"second half of each run, and losses over the whole run. A number that changed by more than {100 * MOVED:g} % "
        f"from the previous column is bold; losses below {100 * SMALL:g} % of the total are omitted. The page is "
        f"written by `python docs/validation/examples.py LABEL --write`, which keeps the columns in `examples.json`. "
        f"The last column was:",
        "",
        f"- {made(*(columns[labels[-1]][name] for name in ('date', 'version', 'source')))}",
        "",
        "The columns:",
        "",
    ]
    for label, entry in columns.items():
        lines.append(
            f"- *{label}*: measured on {entry['date']}, at most {entry['until']:g} s of each example, source of "
            f"chaindrive with the hash {entry['source'][:8]}"
        )
    lines += ["", *_moved(columns)]
    if WHY.exists():
        lines += ["", "## Why numbers changed", "", WHY.read_text(encoding="utf-8").strip()]
    for name in columns[labels[-1]]["examples"]:
        lines += ["", f"## {name}", "", *_table(name, columns)]
    return "\n".join([*lines, ""])


def _shown(numbers: dict[str, float]) -> list[str]:
    """Names of the results of an example that are compared."""
    total = sum(value for key, value in numbers.items() if key.startswith("lost"))
    return [key for key, value in numbers.items() if not key.startswith("lost") or value > SMALL * total]


def _table(name: str, columns: dict[str, Any]) -> list[str]:
    """Table of the results of an example, with all columns."""
    values = [column["examples"].get(name, {}) for column in columns.values()]
    lines = [f"| number | {' | '.join(columns)} |", f"|:--|{'--:|' * len(columns)}"]
    return lines + [f"| {key} | {' | '.join(_cells(key, values))} |" for key in _shown(values[-1])]


def _change(value: float, before: float) -> float:
    """Change relative to the larger number. [-]"""
    return abs(value - before) / max(abs(value), abs(before)) if value != before else 0.0


def _moved(columns: dict[str, Any]) -> list[str]:
    """Section about the changes from the last column but one to the last, example by example."""
    if len(columns) < 2:
        return []
    (before, old), (after, new) = list(columns.items())[-2:]
    lines = [
        f"## What changed from *{before}* to *{after}*",
        "",
        f"The table gives how many numbers are the same bit for bit, how many changed by up to {TINY:g} of their "
        f"value (rounding that grows during a run), by up to {100 * MOVED:g} %, and by more.",
        "",
        "| example | the same | rounding | a little | more | largest change | quantity |",
        "|:--|--:|--:|--:|--:|--:|:--|",
    ]
    for name, numbers in new["examples"].items():
        known = old["examples"].get(name)
        if known is None:
            lines.append(f"| {name} | new | | | | | |")
            continue
        changes = {key: _change(numbers[key], known[key]) for key in _shown(numbers) if key in known}
        bounds = (0.0, TINY, MOVED, math.inf)
        counts = [sum(low < x <= high for x in changes.values()) for low, high in itertools.pairwise((-1.0, *bounds))]
        most = max(changes, key=lambda key: changes[key])
        of = f"{100 * changes[most]:.2g} % | {most}" if changes[most] else "– | "
        lines.append(f"| {name} | {' | '.join(map(str, counts))} | {of} |")
    return lines


def _cells(key: str, columns: list[dict[str, float]]) -> list[str]:
    cells, before = [], None
    for column in columns:
        value = column.get(key)
        if value is None:
            cells.append("–")
            continue
        moved = before is not None and _change(value, before) > MOVED
        cells.append(f"**{value:.6g}**" if moved else f"{value:.6g}")
        before = value
    return cells


if __name__ == "__main__":
    main()
