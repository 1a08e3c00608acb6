"""The report of every example in a browser without a graphics card: size, time to open, frames per second, first
answer.

python benchmarks/report_examples.py [NAME ...] [--runs FOLDER] [--seconds 3] [--no-readme]

Every example is run as by `chaindrive run NAME`, unless FOLDER already contains NAME.nc (new runs are stored there),
and `chaindrive report` makes its page. Chromium (on the PATH, or named by CHAINDRIVE_BROWSER) opens the page at
1280 x 800 in software, light and dark. The script measures how long it takes until the page can be used, how often the
drawing shows another time during playback (times between frames from requestAnimationFrame), and how far down the first
answer of the verdict ends. Without names the results in benchmarks/README.md are rewritten. Run nothing else at the
same time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import machine, put_between
from report_fps import FRAMES, README, SIZE, SMOOTH, SWITCHES, browser, rates, written

BEGIN, END = "<!-- results: written by report_examples.py -->", "<!-- end of the results of report_examples.py -->"
WIDTH, HEIGHT = 1280, 800
OPENED = 2.0
"""Longest time for opening. [s]"""
OPENINGS = 3
"""Number of times that a page is opened; the median counts."""
FIRST = "() => document.querySelector('.tile-headline').getBoundingClientRect().bottom + window.scrollY"


class Seen(NamedTuple):
    """The report of one example."""

    name: str
    written: float
    """Time of the whole command. [s]"""
    size: float
    """[MB]"""
    opened: float
    """Time until the page is ready. [s]"""
    light: float
    """[frames/s]"""
    dark: float
    """[frames/s]"""
    first: float
    """Lower edge of the first answer. [px]"""

    @property
    def missed(self) -> list[str]:
        """Limits that are missed."""
        wanted = {
            "size": self.size <= SIZE,
            "opened": self.opened <= OPENED,
            "light": self.light >= SMOOTH,
            "dark": self.dark >= SMOOTH,
            "first answer": self.first <= HEIGHT,
        }
        return [name for name, kept in wanted.items() if not kept]

    @property
    def line(self) -> str:
        """Row of the example in the table."""
        return (
            f"| {self.name} | {self.written:.1f} | {self.size:.1f} | {self.opened:.2f} | {self.light:.0f} | "
            f"{self.dark:.0f} | {self.first:.0f} | {', '.join(self.missed) or '-'} |"
        )


def result_of(name: str, folder: Path) -> Path:
    """The results file of an example; it is made if missing."""
    import chaindrive

    path = folder / f"{name}.nc"
    if not path.exists():
        print(f"{name}: running", file=sys.stderr, flush=True)
        chaindrive.simulate(name, output=path, progress=False).close()
    return path


def opened(program: Any, report: Path, scheme: str) -> tuple[Any, float]:
    """A page that is ready, and the time since the request [s]."""
    page = program.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme)
    begun = time.perf_counter()
    page.goto(report.resolve().as_uri())
    page.locator("html[data-chaindrive=ready]").wait_for()
    return page, time.perf_counter() - begun


def shown(program: Any, report: Path, seconds: float, scheme: str) -> tuple[float, float, float]:
    """Time to open [s], median of the frames per second, lower edge of the first answer [px]."""
    times = []
    for _ in range(OPENINGS - 1):
        page, duration = opened(program, report, scheme)
        times.append(duration)
        page.close()
    page, duration = opened(program, report, scheme)
    times.append(duration)
    first = float(page.evaluate(FIRST))
    page.locator("#stage canvas").first.scroll_into_view_if_needed()
    page.locator('#stage button[aria-label^="Play"]').first.click()
    page.wait_for_function("() => window.chaindrive.playing")
    page.wait_for_timeout(300)
    found, _ = rates(page.evaluate(FRAMES, seconds))
    page.close()
    return median(times), found, first


def seen(program: Any, name: str, folder: Path, report: Path, seconds: float) -> Seen:
    """Make the report of an example and measure it."""
    duration, size = written(result_of(name, folder), report)
    open_light, light, first = shown(program, report, seconds, "light")
    open_dark, dark, _ = shown(program, report, seconds, "dark")
    return Seen(name, duration, size, max(open_light, open_dark), light, dark, first)


def table(rows: list[Seen], facts: dict[str, str]) -> str:
    """The results as Markdown."""
    missed = sum(bool(row.missed) for row in rows)
    lines = [f"- {name}: {value}" for name, value in facts.items()]
    lines += [
        "",
        f"Targets: at most {SIZE:g} MB, opened within {OPENED:g} s, at least {SMOOTH:g} frames/s, the first answer "
        f"above {HEIGHT} px. {len(rows) - missed} of {len(rows)} meet all of them.",
        "",
        "| example | command [s] | size [MB] | opened [s] | light [frames/s] | dark [frames/s] | first answer [px] "
        "| missed |",
        "|---|---:|---:|---:|---:|---:|---:|---|",
        *(row.line for row in rows),
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write the README."""
    from playwright.sync_api import sync_playwright

    from chaindrive.model import example_names

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="these examples only, only prints")
    parser.add_argument("--runs", type=Path, help="folder of results, NAME.nc")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each is played")
    parser.add_argument("--no-readme", action="store_true", help="leave README.md alone")
    chosen = parser.parse_args(arguments)
    path = browser()
    if path is None:
        parser.error("no browser found: Chromium must be on the PATH, or named by CHAINDRIVE_BROWSER")
    facts, rows = machine(), []
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
        for name in chosen.names or example_names():
            row = seen(program, name, chosen.runs or Path(scratch), Path(scratch) / "report.html", chosen.seconds)
            print(row.line, file=sys.stderr, flush=True)
            rows.append(row)
        program.close()
    results = table(rows, facts)
    print(results)
    if not (chosen.names or chosen.no_readme):
        put_between(README, BEGIN, END, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
