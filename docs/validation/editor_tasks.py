"""Runs the tasks of new users in the editor, on a wide and on a narrow page, and reports the number of actions for
each.

    python docs/validation/editor_tasks.py [--write]

``--write`` makes ``editor-tasks.md`` next to this file. Needs Chromium. Exit code 1 if a task was not done or needed
more actions than its test allows.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from _made import made
from _writing import options, publish

PAGE = Path(__file__).with_name("editor-tasks.md")
ROOT = Path(__file__).parents[2]
TASKS = {
    "test_a_timing_drive_from_its_drawing_in_under_40_actions": "a timing drive with two camshafts, from its drawing "
    "to natural frequencies, a short run and a saved file",
    "test_a_conveyor_to_its_verdict": "a conveyor, up to the verdict on motor and take-up",
    "test_a_motorcycle_with_its_swingarm": "a motorcycle whose swingarm is pivoted, saved",
    "test_a_bicycle_that_shifts": "a bicycle that shifts: the target cog is entered, at first by mistake one that "
    "does not exist, and is drawn beside the other cog",
    "test_a_hoist": "a hoist: its load span carries load, hook and its own weight",
    "test_a_drive_is_repaired_from_its_messages": "a drive with three mistakes, repaired with the help of the "
    "messages alone",
    "test_a_sweep_begun_in_the_editor": "a speed sweep, resumed later by a command",
    "test_a_motor_and_a_load_are_put_on_wheels": "motors and loads of several kinds put on wheels, then all undone",
    "test_parts_are_placed_moved_copied_and_removed": "parts placed, moved, copied and removed by mouse and keys, "
    "then all undone, with the same file byte for byte",
    "test_the_route_is_drawn_by_clicking_wheels": "the chain route drawn by clicking on wheels",
    "test_a_picture_beneath_is_brought_to_scale": "a photo placed behind the drive and brought to scale",
    "test_a_rail_is_read_from_a_layer": "a rail taken from a layer of a DXF file",
    "test_two_tabs_a_text_editor_and_a_killed_program_lose_nothing": "two tabs, a text editor and a killed program: "
    "nothing is lost",
    "test_a_file_edited_by_hand_and_in_the_page_in_turns": "a file edited alternately by hand and in the page",
}
FILES = [ROOT / "tests" / "browser" / name for name in ("test_editor.py", "test_tasks.py")]
SIZES = ("1280", "390")


class Done(NamedTuple):
    """A task at one width of the page. [pixels]"""

    name: str
    size: str
    passed: bool
    actions: int
    seconds: float


def outcomes() -> list[Done]:
    """Run the tasks one after the other, in one process."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        line = [sys.executable, "-m", "pytest", "-q", "-m", "browser", f"--junitxml={report}"]
        chosen = ["-k", " or ".join(TASKS), *map(str, FILES)]
        # A browser that is missing is a failure here: what was not looked at has not passed.
        subprocess.run([*line, *chosen], cwd=ROOT, env=os.environ | {"CHAINDRIVE_REQUIRE_BROWSER": "1"}, check=False)
        cases = list(ElementTree.parse(report).iter("testcase"))
    found = []
    for case in cases:
        name, _, size = case.get("name", "").partition("[")
        noted = {each.get("name"): each.get("value") for each in case.iter("property")}
        passed = not any(case.find(kind) is not None for kind in ("failure", "error", "skipped"))
        found.append(
            Done(name, size.rstrip("]"), passed, int(noted.get("actions") or 0), float(case.get("time", "nan")))
        )
    return found


def allowed() -> dict[str, int]:
    """The number of actions below which a task must be done, according to its test, if one is asserted."""
    found = {}
    for file in FILES:
        for body in re.split(r"^def ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            if limit := re.search(r"assert editor\.actions < (\d+)", body):
                found[body.partition("(")[0]] = int(limit[1])
    return found


def page(found: list[Done]) -> str:
    """The page, in Markdown."""
    limits, done = allowed(), {(each.name, each.size): each for each in found}

    def cell(name: str, size: str) -> str:
        each = done.get((name, size))
        return "not tried" if each is None else f"{each.actions}" if each.passed else "**not done**"

    rows = [
        f"| {words} | {limits.get(name, '')} | {' | '.join(cell(name, size) for size in SIZES)} | `{name}` |"
        for name, words in TASKS.items()
    ]
    lines = [
        "# The editor: tasks of new users",
        "",
        "Each task is done in Chromium from the documentation alone, by clicks, keys and typed text, on a screen "
        "1280 pixels wide and on a phone 390 pixels wide. Each click, drag, key press or text entry in a field "
        "counts as one action. Where the table gives a limit, the test asserts it. The tests are in "
        "`tests/browser/test_editor.py` and",
        "`tests/browser/test_tasks.py`; further tests of the editor are on [another page](editor.md); a [third "
        "page](first-report.md) gives the time from the installation to the first report.",
        "",
        f"- {made()}, by `python docs/validation/editor_tasks.py --write`",
        "",
        "| task | fewer than | actions at 1280 | at 390 | test |",
        "|:--|--:|--:|--:|:--|",
        *rows,
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    """Run, print, write."""
    write = options(__doc__, PAGE).parse_args().write
    found = outcomes()
    publish(page(found), PAGE, write)
    whole = {(each.name, each.size) for each in found if each.passed} >= {(n, s) for n in TASKS for s in SIZES}
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
