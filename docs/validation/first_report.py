"""Measures the time from `pip install` to the report of your own timing drive, with every click and key.

    python docs/validation/first_report.py [--wheel chaindrive-....whl] [--only wheel] [--write]

A wheel with compiled kernels (``--wheel``; without it ``packaging/wheel.py`` builds one, which takes minutes) and the
source are each installed into a separate environment, with no pip cache and no compiled kernels from before. In each, a
timing drive with two camshafts is created from the numbers in a drawing: with ``chaindrive edit`` in Chromium, and by
commands. ``--write`` makes ``first-report.md`` next to this file, with its pictures. Needs the extra "test",
Chromium, git, and what pip downloads.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from _first_report_ways import Step, commands, editor, installed
from _made import made
from _writing import options, publish
from gallery.screens import browser

ROOT = Path(__file__).resolve().parents[2]
PAGE = Path(__file__).with_name("first-report.md")
PICTURES = Path(__file__).with_name("pictures")
KEY, POINT, CLICK, THINK = 0.28, 1.1, 0.2, 1.35
"""Times [s] by Card, Moran and Newell (1980): to press a key (average non-secretary typist), to point with the mouse,
to press and release its button, and to decide on the next action.
"""

PACKAGES, FACES = ("wheel", "source"), ("editor", "commands")
NAMES = {"wheel": "A wheel with compiled kernels", "source": "The source", "editor": "in the editor",
         "commands": "by commands"}  # fmt: skip
SHOWN = {
    "begin": "The page for an empty file, with the questions about the timing drive, three of them answered",
    "short-run": "The drive at rest, with its links coloured by tension, and the form of the left camshaft",
    "report": "The report of the run",
}
"""Pictures of the first route."""
TEXT = """\
# From `pip install` to the report of your own timing drive

A newcomer has the drawing of a timing drive: the crankshaft turns at 4000 rpm, and two camshafts are 150 mm apart and
372 mm above it, the left one 2 mm lower than the right one. This page gives the clicks, keys and waiting times that are
needed to open the report of a run of this drive. Nothing had been downloaded or compiled before; pip downloads from a
nearby mirror. *Machine* is the measured time for which the user waits. *Hands* is the time for clicks and keys by the
keystroke-level model of Card, Moran and Newell (1980): 0.28 s for a key, 1.3 s for a click including moving the
pointer, and 1.35 s of thought for a step. Commands are typed in full, without completion.

- {made}, by `python docs/validation/first_report.py --write`
- {cores} cores, load average at the start {load:.1f}{busy}

| installed | drive created | clicks | keys | kernels compiled | machine [s] | machine and hands [min] |
|:--|:--|--:|--:|--:|--:|--:|
{overview}
{compiled}
{first}

{shown}

{rest}
"""
BUSY = ": other work was running at the same time, and the measured times are several times those on an idle machine"
COMPILED = """
When chaindrive is installed from source, kernels are compiled when they are first needed: for the equilibrium, the
short run, and the run.
"""


class Way(NamedTuple):
    """One route to the report."""

    package: str
    face: str
    steps: Sequence[Step]
    compiled: int
    """Number of kernels compiled."""

    @property
    def machine(self) -> float:
        """Waiting time. [s]"""
        return sum(step.seconds for step in self.steps)

    @property
    def total(self) -> float:
        """Total time, including the user's actions and decisions. [s]"""
        return self.machine + sum(map(hands, self.steps))


def hands(step: Step) -> float:
    """Time that the user takes for a step: every key, every click including pointing, one decision. [s]"""
    done = step.keys or step.clicks
    return KEY * step.keys + (POINT + CLICK) * step.clicks + (THINK if done else 0.0)


def wheel_of(folder: Path) -> Path:
    """The wheel from the project's own build."""
    line = [sys.executable, str(ROOT / "packaging" / "wheel.py"), "-o", str(folder)]
    subprocess.run(line, check=True)
    return next(folder.glob("*.whl"))


def all_ways(packages: Sequence[str], wheel: Path, folder: Path, pictures: Path | None) -> list[Way]:
    """Measure both packages, each with the editor and by commands, with a separate home folder for each."""
    source = folder / "chaindrive"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(source)], check=True)
    found = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox", "--disable-gpu"])

        def opens(report: Path) -> None:
            page = chromium.new_page()
            page.goto(report.as_uri())
            page.wait_for_function("() => window.chaindrive && window.chaindrive.frames > 1")
            page.close()

        for package, what, words in (
            ("wheel", [str(wheel)], f"pip install {wheel.name}"),
            ("source", ["-e", str(source)], "pip install -e ."),
        ):
            if package not in packages:
                continue
            environment = folder / f"environment-{package}"
            before = installed(environment, what, words)
            shown = pictures if package == "wheel" else None
            for face in FACES:
                place = folder / f"{package}-{face}"
                if face == "editor":
                    steps = editor(environment, place, chromium, shown)
                else:
                    steps = commands(environment, place, opens)
                found.append(Way(package, face, [*before, *steps], len(list(place.rglob("*.nbc")))))
                print(f"{package}, {face}: {found[-1].machine:.0f} s, with hands {found[-1].total:.0f} s", flush=True)
        chromium.close()
    return found


def table(way: Way) -> str:
    """Table of the steps of a route."""
    rows = [f"| {s.what} | {s.clicks or ''} | {s.keys or ''} | {s.seconds:.1f} | {hands(s):.0f} |" for s in way.steps]
    clicks, keys = sum(s.clicks for s in way.steps), sum(s.keys for s in way.steps)
    last = f"| **together** | **{clicks}** | **{keys}** | **{way.machine:.0f}** | **{way.total - way.machine:.0f}** |"
    return "\n".join(["| step | clicks | keys | machine [s] | hands [s] |", "|:--|--:|--:|--:|--:|", *rows, last])


def page(ways: Sequence[Way], load: float) -> str:
    """The page, in Markdown."""
    overview = [
        f"| {NAMES[way.package]} | {NAMES[way.face]} | {sum(s.clicks for s in way.steps)} | "
        f"{sum(s.keys for s in way.steps)} | {way.compiled} | {way.machine:.0f} | {way.total / 60.0:.1f} |"
        for way in ways
    ]
    parts = [f"## {NAMES[way.package]}, {NAMES[way.face]}\n\n{table(way)}" for way in ways]
    shown = "\n\n".join(f"![{what}](pictures/first-report-{name}.png)" for name, what in SHOWN.items())
    cores = os.cpu_count() or 1
    return TEXT.format(
        busy=BUSY if load > cores else "", compiled=COMPILED if any(way.package == "source" for way in ways) else "",
        made=made(), cores=cores, load=load, overview="\n".join(overview), first=parts[0], shown=shown,
        rest="\n\n".join(parts[1:]),
    )  # fmt: skip


def main() -> None:
    """Measure, print, write."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--wheel", type=Path, help="the wheel to install; built if it is not given")
    parser.add_argument("--only", choices=PACKAGES, help="install only this package; the page then contains no other")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        wheel = asked.wheel or wheel_of(folder)
        load, begun = os.getloadavg()[0], time.perf_counter()
        packages = [asked.only] if asked.only else PACKAGES
        ways = all_ways(packages, wheel.resolve(), folder, PICTURES if asked.write else None)
        text = page(ways, load)
    publish(text, PAGE, asked.write)
    print(f"{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
