"""Tests chaindrive with generated drives: whether an equilibrium is found, how quickly, and whether the energy balance
holds.

    python docs/validation/generated_drives.py [--rest] [--run] [--methods] [--all] [--only INDEX ...] [--write]

``--rest`` searches for the initial state of every drive, ``--run`` simulates some tooth periods of every second drive,
and ``--methods`` compares both methods of integration for every sixth drive (with ``--all``: every drive and every
third drive). Without any of these options all three are done. ``--write`` makes ``generated-drives.md`` next to this
file from all stored results. ``--torque`` takes the same drives without a prescribed motion: they coast, or are driven
by a torque that balances the loads and is constant or depends on time or on speed (not on the page). ``--links`` takes
a hundred drives with rigid links, with clearance, wear, joints, speeds and loads of their own, does the first two
parts, and writes ``generated-links.md``. ``--toml INDEX ...`` only prints drives, as files for ``chaindrive run``.

Results are kept, line by line, in ``build/generated-drives.jsonl`` (``--results``); when the command is called again,
it continues with the missing drives. A result is valid for one source text of chaindrive, one limit and one drive;
after a change of any of them the drive is measured again. ``--kept`` measures nothing: it shows and writes the last
result of every drive, regardless of source and limit; the page then names all kernels and the date of the oldest
result.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import _generated_page
import _generated_table
from _generated import class_of, generate
from _generated_links import with_links
from _generated_pool import Limits, computed
from _generated_torque import driven_by_torque
from _made import today

import chaindrive
from chaindrive.kernels.source import kernels_digest
from chaindrive.model import Drive

LIMITS = {"rest": 20.0, "run": 60.0, "methods": 240.0}
"""CPU time that a drive may take, by part, unless stated otherwise. [s]"""
LINKS_PARTS = ("rest", "run")
OF_LINKS = {"seed": 21, "count": 100, "limit": 60.0, "results": [Path("build/generated-links.jsonl")]}
"""Defaults with ``--links``."""
WALL = 100.0
"""Wall-clock time that a drive may take, as a multiple of its CPU time, because other work may be running."""
EVERY, EVERY_OF_ALL = {"rest": 1, "run": 2, "methods": 6}, {"rest": 1, "run": 1, "methods": 3}
"""In each part one of this many drives is measured, unless drives are named; the second number applies with
``--all``.
"""
PAGE, LINKS_PAGE = (Path(__file__).with_name(f"generated-{what}.md") for what in ("drives", "links"))

Row = dict[str, Any]


def main(words: Sequence[str] | None = None) -> None:
    """Measure the requested drives that have no result yet, print the tables, and write the page."""
    asked = _asked(words)
    if asked.toml is not None:
        for index in asked.toml:
            print(_drive(asked, index).to_toml())
        return
    chosen = [part for part in LIMITS if getattr(asked, part)] or list(LINKS_PARTS if asked.links else LIMITS)
    key = _drive_key if asked.kept else _key
    measured: dict[str, list[Row]] = {}
    for part in LIMITS if asked.write else chosen:
        tasks = _tasks(part, asked)
        kept = _kept(asked.results, key)
        if part in chosen and not asked.kept:
            _measure([task for task in tasks if key(task) not in kept], part, asked)
            kept = _kept(asked.results, key)
        measured[part] = [kept[key(task)] for task in tasks if key(task) in kept]
        if measured[part]:
            print(f"{part}\n\n{_generated_table.of_part(part, measured[part])}\n")
    if asked.write:
        wanted = {part: len(range(0, asked.count, _every(asked)[part])) for part in measured}
        text = _generated_page.page(measured, wanted, asked.seed, asked.links)
        (LINKS_PAGE if asked.links else PAGE).write_text(text, encoding="utf-8")


def _measure(tasks: list[Row], part: str, asked: argparse.Namespace) -> None:
    """Measure drives, and store each result immediately."""
    print(f"{part}: {len(tasks)} drives to measure", file=sys.stderr)
    limits = Limits(_limit(part, asked), WALL * _limit(part, asked))
    for number, (task, answer) in enumerate(computed(tasks, "_generated_measure", part, asked.processes, limits), 1):
        row = {name: value for name, value in task.items() if name != "text"} | answer
        row |= {"date": today(), "version": chaindrive.__version__}
        _keep(asked.results[0], row)
        print(f"{number:4d}/{len(tasks)}  {_generated_table.line(row)}", file=sys.stderr, flush=True)


def _asked(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rest", action="store_true", help="the search for the initial state")
    parser.add_argument("--run", action="store_true", help="some tooth periods of every drive")
    parser.add_argument("--methods", action="store_true", help="Verlet and Dormand-Prince, on every sixth drive")
    parser.add_argument("--all", action="store_true", help="runs of every drive, both methods on every third")
    parser.add_argument("--count", type=int, default=300, help="number of drives")
    parser.add_argument("--seed", type=int, default=9, help="seed of the generator")
    parser.add_argument("--only", type=int, nargs="+", metavar="INDEX", help="these drives")
    parser.add_argument("--torque", action="store_true", help="driven by a torque instead of a motion")
    parser.add_argument("--links", action="store_true", help="with rigid links")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--limit", type=float, help="CPU seconds for each drive")
    parser.add_argument(
        "--results", type=Path, nargs="+", default=[Path("build/generated-drives.jsonl")],
        help="files of stored rows: new rows are added to the first file, rows in the others are used, too",
    )  # fmt: skip
    parser.add_argument("--kept", action="store_true", help="measure nothing: the last result of every drive")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name} or, with --links, {LINKS_PAGE.name}")
    parser.add_argument("--toml", type=int, nargs="+", metavar="INDEX", help="print these drives, and measure nothing")
    asked = parser.parse_args(words)
    if asked.links:
        parser.set_defaults(**OF_LINKS)
        asked = parser.parse_args(words)
    if asked.write and (asked.only or asked.torque):
        parser.error("--write is for all drives, not for some with --only or others with --torque")
    return asked


def _every(asked: argparse.Namespace) -> dict[str, int]:
    return EVERY_OF_ALL if asked.all else EVERY


def _limit(part: str, asked: argparse.Namespace) -> float:
    return float(asked.limit or LIMITS[part])


def _tasks(part: str, asked: argparse.Namespace) -> list[Row]:
    indices = asked.only or range(0, asked.count, _every(asked)[part])
    return [_task(part, asked, index) for index in indices]


def _drive(asked: argparse.Namespace, index: int) -> Drive:
    drive = generate(asked.seed, index)
    drive = driven_by_torque(drive, asked.seed, index) if asked.torque else drive
    return with_links(drive, asked.seed, index) if asked.links else drive


def _task(part: str, asked: argparse.Namespace, index: int) -> Row:
    """Key of a measurement, and the drive."""
    drive, seed, limit = _drive(asked, index), asked.seed, _limit(part, asked)
    text = drive.to_toml()
    return {
        "part": part, "seed": seed, "index": index, "limit": limit, "source": kernels_digest(),
        "drive": hashlib.sha256(text.encode()).hexdigest()[:16], "text": text,
        "kind": class_of(seed, index), "name": drive.name, "features": drive.source.removeprefix("generated: "),
    }  # fmt: skip


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("part", "seed", "index", "limit", "source", "drive"))


def _drive_key(row: Row) -> tuple[Any, ...]:
    """The key of a row, without the conditions of the measurement."""
    return tuple(row[name] for name in ("part", "seed", "index", "drive"))


def _kept(paths: Sequence[Path], key: Callable[[Row], tuple[Any, ...]]) -> dict[tuple[Any, ...], Row]:
    """The stored rows, of each key the last one; an incomplete last line is omitted."""
    rows = []
    for path in reversed(paths):
        for text in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
            try:
                rows.append(json.loads(text))
            except json.JSONDecodeError:
                continue
    return {key(row): row for row in rows}


def _keep(path: Path, row: Row) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, allow_nan=False) + "\n")


if __name__ == "__main__":
    main()
