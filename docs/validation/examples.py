"""Simulates the examples of the package and keeps their headline numbers, so that it shows when one moves.

    python docs/validation/examples.py LABEL [--until 4] [--write]

adds the numbers of the chaindrive that is imported, under LABEL, to ``examples.json`` beside this file (in the place of
those that had this label); ``--write`` makes ``examples.md`` of all that is there. Why a number moved is said by hand
in ``examples-why.txt``, which becomes a part of the page. A label of an older source is measured with PYTHONPATH at it.
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

import chaindrive as cd
from chaindrive.kernels.source import kernels_digest
from chaindrive.model import example_names

HERE = Path(__file__).parent
KEPT, PAGE, WHY = HERE / "examples.json", HERE / "examples.md", HERE / "examples-why.txt"
MOVED = 0.01
"""A number that differs by more from that of the label before is marked. [-]"""
RATE = 11_113.0
"""Rows in a second; prime, so that no tooth frequency is in step with them and every phase of a tooth is seen. [Hz]"""
SMALL = 1e-3
"""Losses below this part of all are not compared. [-]"""


def main() -> None:
    """Measure, keep, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("label", help="of what is measured, such as a version")
    parser.add_argument("--until", type=float, default=4.0, help="longest time simulated [s]")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    asked = parser.parse_args()
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    found = {}
    for name in example_names():
        found[name] = measured(name, asked.until)
        print(name, found[name], flush=True)
    date = datetime.now(UTC).date().isoformat()
    kept[asked.label] = {"date": date, "source": kernels_digest()[:8], "until": asked.until, "examples": found}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    if asked.write:
        PAGE.write_text(page(kept), encoding="utf-8")


def measured(name: str, longest: float) -> dict[str, float]:
    """Numbers of an example; means and largest values over the second half of its run."""
    drive = cd.example(name)
    channels = ("span_tension", "link_tension", "contact_force", *(("wheel_angle",) if drive.wheels else ()))
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
    numbers["largest contact force [N]"] = float(np.max(run.values("contact_force", half)))
    losses: dict[str, Any] = dict(run.audit.losses)
    numbers |= {f"lost in {key.replace('_', ' ')} [J]": float(value) for key, value in losses.items() if value}
    return numbers


def page(kept: dict[str, Any]) -> str:
    """The page, markdown: a table for each example, a column for each label."""
    labels = list(kept)
    lines = [
        "# The examples of the package: do their numbers stay?",
        "",
        "Each example of the package with the default solver; means and largest values over the second half of the",
        f"time, losses over all of it. A number that moved by more than {100 * MOVED:g} % from the column before is",
        f"bold; losses below {100 * SMALL:g} % of all are left out. Made by [`examples.py`](examples.py), which keeps",
        "the columns in `examples.json`:",
        "",
    ]
    for label, entry in kept.items():
        lines.append(
            f"- *{label}*: measured on {entry['date']}, at most {entry['until']:g} s of each, source text of "
            f"chaindrive (hash) {entry['source']}"
        )
    if WHY.exists():
        lines += ["", "## Why numbers moved", "", WHY.read_text(encoding="utf-8").strip()]
    for name in kept[labels[-1]]["examples"]:
        columns = [kept[label]["examples"].get(name, {}) for label in labels]
        lines += ["", f"## {name}", "", f"| number | {' | '.join(labels)} |", f"|:--|{'--:|' * len(labels)}"]
        total = sum(value for key, value in columns[-1].items() if key.startswith("lost"))
        for key, value in columns[-1].items():
            if not key.startswith("lost") or value > SMALL * total:
                lines.append(f"| {key} | {' | '.join(_cells(key, columns))} |")
    return "\n".join([*lines, ""])


def _cells(key: str, columns: list[dict[str, float]]) -> list[str]:
    cells, before = [], None
    for column in columns:
        value = column.get(key)
        if value is None:
            cells.append("–")
            continue
        moved = before is not None and abs(value - before) > MOVED * max(abs(value), abs(before))
        cells.append(f"**{value:.6g}**" if moved else f"{value:.6g}")
        before = value
    return cells


if __name__ == "__main__":
    main()
