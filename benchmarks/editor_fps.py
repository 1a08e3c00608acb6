"""Smoothness of dragging a wheel in `chaindrive edit`, in a browser without a graphics card.

python benchmarks/editor_fps.py [--seconds 5] [--quick] [--no-readme]

The conveyor 16B (1,596 links) and the timing drive 06B are opened in Chromium (on the PATH, or named by
CHAINDRIVE_BROWSER), and a wheel is dragged: the pointer moves in every frame. The script counts the frames for which
the page has a new route, length, slack and sag, which its server computes. Without --quick the results in
benchmarks/README.md are rewritten. Run nothing else at the same time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import Row, Section, machine, markdown, put_between
from report_fps import README, SMOOTH, SWITCHES, browser, rates

BEGIN, END = "<!-- results: written by editor_fps.py -->", "<!-- end of the results of editor_fps.py -->"
DRIVES = ("conveyor-16b", "timing-06b")
PATIENCE = 400.0
"""Time limit for check and short run of a drive, before a wheel is dragged. [s]"""
IDLE = """() => {
    const { revision, tasks: { check, short } } = chaindrive.state;
    const ended = task => task.revision === revision && ["done", "failed"].includes(task.state);
    return ended(check) && (ended(short) || check.state === "failed" || check.result.problems.length > 0);
}"""
DRAGGED = """([seconds, x, y]) => new Promise(done => {
    const canvas = document.querySelector("canvas.board"), times = [], begun = performance.now();
    let sketch = null;
    const tick = now => {
        if (chaindrive.sketch !== sketch) times.push(now);
        sketch = chaindrive.sketch;
        const turned = 2 * Math.PI * (now - begun) / 1000;
        const clientX = x + 20 * Math.cos(turned), clientY = y + 20 * Math.sin(turned);
        const pointer = {pointerId: 1, pointerType: "mouse", buttons: 1, clientX, clientY};
        canvas.dispatchEvent(new PointerEvent("pointermove", pointer));
        if (now - begun < 1000 * seconds) requestAnimationFrame(tick); else done(times);
    };
    requestAnimationFrame(tick);
})"""
"""Script of a page: drag along a circle, one turn per second; return the instants of new drawings. [ms]"""


def dragged(page: Any, seconds: float) -> tuple[float, float]:
    """Median and 5th percentile of the frames per second while the first wheel is dragged, after all tasks."""
    page.wait_for_selector("html[data-chaindrive=ready]")
    page.wait_for_function(IDLE, timeout=1000.0 * PATIENCE)
    box = page.locator("canvas.board").bounding_box()
    x, y = page.evaluate("() => chaindrive.pixel(...chaindrive.sketch.wheels[0].centre)")
    x, y = box["x"] + x, box["y"] + y
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y, steps=4)
    page.wait_for_function("() => chaindrive.dragged")
    return rates(page.evaluate(DRAGGED, [seconds, x, y]))


def measured(seconds: float) -> tuple[list[Row], str]:
    """All drives in one browser."""
    from playwright.sync_api import sync_playwright

    from chaindrive.editor.server import EditorServer
    from chaindrive.editor.session import Session
    from chaindrive.model.files.text import example_path

    program = browser()
    if program is None:
        raise RuntimeError("no browser found: Chromium must be on the PATH, or named by CHAINDRIVE_BROWSER")
    rows = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=list(SWITCHES))
        for name in DRIVES:
            path = Path(folder) / f"{name}.toml"
            path.write_bytes(example_path(name).read_bytes())
            session = Session(path)
            with EditorServer(session) as server:
                page = chromium.new_page(viewport={"width": 1280, "height": 900})
                page.goto(server.address)
                median, low = dragged(page, seconds)
                page.close()
            session.close()
            rows.append(Row(f"{name}: median", median, "frames/s", SMOOTH, at_least=True, remark=f"for {seconds:g} s"))
            rows.append(Row(f"{name}: 5th percentile", low, "frames/s"))
        remark = f"Chromium {chromium.version} without a graphics card; it draws at most 60 times a second."
        chromium.close()
    return rows, remark


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write the README."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each wheel is dragged")
    parser.add_argument("--quick", action="store_true", help="short, only prints")
    parser.add_argument("--no-readme", action="store_true", help="leave README.md alone")
    chosen = parser.parse_args(arguments)
    facts = machine()
    rows, remark = measured(1.0 if chosen.quick else chosen.seconds)
    results = markdown(
        [Section("A wheel dragged in the editor, 1280 x 900 pixels, drawn in software", rows, [remark])], facts
    )
    print(results)
    if not (chosen.quick or chosen.no_readme):
        put_between(README, BEGIN, END, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
