"""Report of a long run in a browser without a graphics card: smoothness, size, and the cost of --live.

python benchmarks/report_fps.py [--run RUN.nc] [--seconds 5] [--quick] [--no-readme]

Ten seconds of the 6S90MC-C (144 links) are simulated, unless --run names a results file of it, and two seconds of two
wheels with a chain of 216 links; `chaindrive report` makes the pages; Chromium (on the PATH, or named by
CHAINDRIVE_BROWSER) plays them in software. The times between frames come from requestAnimationFrame; only frames in
which the page has drawn another time count. Then the script measures what a page that watches a run costs the run.
Without --quick the results in benchmarks/README.md are rewritten. Run nothing else at the same time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import Row, Section, machine, markdown, paired, put_between

README = Path(__file__).resolve().parent / "README.md"
BEGIN, END = "<!-- results: written by report_fps.py -->", "<!-- end of the results of report_fps.py -->"
DRIVE = "6s90mc-c"
LINKS = 216
SMOOTH, SIZE, DURATION = 30.0, 15.0, 20.0
"""Limits: lowest frames per second, largest size [MB], longest time of writing [s]."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
SWITCHES = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage")
FRAMES = """seconds => new Promise(done => {
    const times = [], begun = performance.now();
    let moment = NaN;
    const tick = now => {
        if (window.chaindrive.time !== moment) times.push(now);
        moment = window.chaindrive.time;
        if (now - begun < 1000 * seconds) requestAnimationFrame(tick); else done(times);
    };
    requestAnimationFrame(tick);
})"""


def browser() -> str | None:
    """The browser of this machine; None if there is none."""
    named = os.environ.get("CHAINDRIVE_BROWSER")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


def rates(times: Sequence[float]) -> tuple[float, float]:
    """Median and 5th percentile of the frames per second, from instants of frames [ms]."""
    intervals = np.diff(np.asarray(times, dtype=float))
    if not intervals.size:
        return 0.0, 0.0
    return 1000.0 / float(np.median(intervals)), 1000.0 / float(np.percentile(intervals, 95.0))


def written(run: Path, report: Path) -> tuple[float, float]:
    """Make the report with the command line; return wall-clock time of the command [s] and size of the file [MB]."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "chaindrive.cli.main", "report", str(run), "-o", str(report)]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begun, report.stat().st_size / 1e6


class View(NamedTuple):
    """A way of viewing a report."""

    name: str
    width: int
    height: int
    closer: int = 0
    """Number of zoom steps towards a wheel that is followed."""
    wanted: float | None = SMOOTH


VIEWS = (
    View("1280 x 900 pixels, all of the drive", 1280, 900),
    View("1280 x 900 pixels, a few teeth", 1280, 900, closer=8),
    View("390 x 844 pixels", 390, 844, wanted=None),
)


def played(report: Path, seconds: float, views: Sequence[View] = VIEWS) -> tuple[list[Row], str]:
    """Play the report on a screen and on a telephone, with the whole drive and a close-up."""
    from playwright.sync_api import sync_playwright

    path = browser()
    if path is None:
        raise RuntimeError("no browser found: Chromium must be on the PATH, or named by CHAINDRIVE_BROWSER")
    rows = []
    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
        for name, width, height, closer, wanted in views:
            page = program.new_page(viewport={"width": width, "height": height})
            page.goto(report.resolve().as_uri())
            page.wait_for_function("() => window.chaindrive && window.chaindrive.frames > 10")
            canvas = page.locator("#stage canvas").first
            canvas.scroll_into_view_if_needed()
            canvas.focus()
            if closer:
                page.get_by_label("Kind of part to select").select_option("wheel")
                canvas.press("f")
                for _ in range(closer):
                    canvas.press("+")
            canvas.press("Space")
            page.wait_for_function("() => window.chaindrive.playing")
            page.wait_for_timeout(500)
            median, low = rates(page.evaluate(FRAMES, seconds))
            rows.append(Row(f"{name}: median", median, "frames/s", wanted, at_least=True, remark=f"for {seconds:g} s"))
            rows.append(Row(f"{name}: 5th percentile", low, "frames/s"))
            page.close()
        version = program.version
        program.close()
    remark = (
        f"Chromium {version} without a graphics card, with the forces on the rollers shown; it draws at most 60 times "
        "a second."
    )
    return rows, remark


class Watched:
    """A run with the live view and a page that requests its frames as often as a real page."""

    def __init__(self, drive: Any, until: float) -> None:
        self.drive, self.until = drive, until

    def plain(self) -> None:
        """Times of runs without a view."""
        from chaindrive import simulate

        simulate(self.drive, self.until)

    def live(self) -> None:
        """Times of runs with a view."""
        from chaindrive import simulate
        from chaindrive.viewer import LiveView

        with LiveView(self.drive) as view:
            over = threading.Event()
            page = threading.Thread(target=self._ask, args=(view.address, over))
            page.start()
            simulate(self.drive, self.until, observe=view.observe, progress=view.progress)
            over.set()
            page.join()

    @staticmethod
    def _ask(address: str, over: threading.Event) -> None:
        import json

        have = 0
        while not over.wait(0.25):
            with urlopen(f"{address}feed?after={have}") as answer:
                frames = json.loads(answer.read())["frames"]
            have += frames["kept"] if frames else 0


def live_cost(until: float, repeats: int) -> list[Row]:
    """Additional time of a run with the live view."""
    import chaindrive

    both = Watched(chaindrive.example(DRIVE), until)
    both.plain()
    costs = paired({"plain": both.plain, "live": both.live}, repeats)
    plain, live = costs["plain"], costs["live"]
    wall, cpu = (100.0 * (after / before - 1.0) for after, before in ((live.wall, plain.wall), (live.cpu, plain.cpu)))
    remark = f"{until:g} s simulated, {repeats} pairs; without: {plain.wall:.2f} s, spread {plain.spread}"
    return [
        Row("run with a page watching, wall clock, against without", wall, "%", remark=remark),
        Row("the same, CPU time of all threads", cpu, "%", remark="replies to the page included"),
    ]


def write_readme(results: str, readme: Path = README) -> None:
    """Put the results between the two marks."""
    put_between(readme, BEGIN, END, results)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write the README."""
    from parts.drives import two_wheels

    import chaindrive

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, help="results of 10 s of the 6S90MC-C, where there are some already")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each view is played")
    parser.add_argument("--quick", action="store_true", help="short, only prints")
    parser.add_argument("--no-readme", action="store_true", help="leave README.md alone")
    chosen = parser.parse_args(arguments)
    facts = machine()
    with tempfile.TemporaryDirectory() as folder:
        run = chosen.run or Path(folder) / f"{DRIVE}.nc"
        if chosen.run is None:
            until = 0.5 if chosen.quick else 10.0
            chaindrive.simulate(chaindrive.example(DRIVE), until, output=run).close()
        report = Path(folder) / "report.html"
        written(run, report)  # once beforehand: files are read from the disk the first time
        duration, size = written(run, report)
        frames, remark = played(report, 1.0 if chosen.quick else chosen.seconds)
        rows = [
            Row("chaindrive report, the whole command", duration, "s", DURATION, remark="wall clock"),
            Row("size of the file", size, "MB", SIZE),
            *frames,
        ]
        long_run, long_report = Path(folder) / "long.nc", Path(folder) / "long.html"
        chaindrive.simulate(two_wheels(LINKS), 0.2 if chosen.quick else 2.0, output=long_run).close()
        written(long_run, long_report)
        more, _ = played(long_report, 1.0 if chosen.quick else chosen.seconds, VIEWS[:2])
    sections = [
        Section("Report of 10 s of the 6S90MC-C in a browser, drawn in software", rows, [remark]),
        Section(f"Two wheels with a chain of {LINKS} links, likewise", more),
        Section("Live view of the 6S90MC-C", live_cost(0.3, 1) if chosen.quick else live_cost(3.0, 5)),
    ]
    results = markdown(sections, facts)
    print(results)
    if not (chosen.quick or chosen.no_readme):
        write_readme(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
