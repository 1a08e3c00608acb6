"""Runs the long tests of the editor and reports their results: random edits, hostile requests, a page open for a day.

    python docs/validation/editor.py [--write]

``--write`` makes ``editor.md`` next to this file. Exit code 1 if one of them failed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from _made import made
from _writing import options, publish

PAGE = Path(__file__).with_name("editor.md")
ROOT = Path(__file__).parents[2]
WHAT = {
    "test_random_edits_always_load_and_undo_to_the_byte": "random sequences of 8 edits of the examples: after every "
    "edit the file is valid TOML with the requested change, and `undo` restores it byte for byte",
    "test_hostile_requests_do_nothing": "hostile requests to the server: each is refused with a message, and the "
    "file stays unchanged",
    "test_requests_for_news_leave_nothing_behind": "requests from a page that is open for 24 h: memory and threads "
    "of the server stay bounded, and the token stays valid",
    "test_a_page_left_open_stays_as_it_is": "the same within the page: its nodes and its heap stay bounded; then the "
    "machine sleeps, and the page recovers",
}
FILES = ("unit/test_editor_document.py", "unit/test_editor_server.py", "browser/test_tasks.py")
NOT_PASSED = ("failure", "error", "skipped")
"""Elements of a test in the report of pytest that say that it has not passed."""


def outcomes() -> list[tuple[str, str, bool, float]]:
    """For each test: its name, its amount in words, whether it passed, time [s]."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        files = [str(ROOT / "tests" / name) for name in FILES]
        # A browser that is missing is a failure here: what was not looked at has not passed.
        line = [sys.executable, "-m", "pytest", "-q", "-m", "long", f"--junitxml={report}", *files]
        subprocess.run(line, cwd=ROOT, check=False)
        cases = list(ElementTree.parse(report).iter("testcase"))
    found = []
    for case in cases:
        name, _, numbers = case.get("name", "").partition("[")
        if name in WHAT:
            passed = all(each.tag not in NOT_PASSED for each in case)
            found.append((name, numbers.rstrip("]"), passed, float(case.get("time", "nan"))))
    return sorted(found, key=lambda each: [*WHAT].index(each[0]))


def page(found: list[tuple[str, str, bool, float]]) -> str:
    """The page, in Markdown."""
    rows = [
        f"| {WHAT[name]} | {numbers} | {'passed' if passed else '**failed**'} | {seconds:.0f} |"
        for name, numbers, passed, seconds in found
    ]
    lines = [
        "# The editor: random edits, hostile requests, a day of use",
        "",
        "These are the long tests of the [editor](../guide/editor.md). The default tests do the same with fewer "
        "cases. Clicks and key presses of users, on wide and narrow screens, are tested in "
        "`tests/browser/test_editor.py` and `tests/browser/test_tasks.py`.",
        "",
        f"- {made()}, by `python docs/validation/editor.py --write`",
        "",
        "| test | amount | outcome | time [s] |",
        "|:--|:--|:--|--:|",
        *rows,
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    """Run, print, write."""
    parser = options(__doc__, PAGE)
    asked = parser.parse_args()
    found = outcomes()
    text = page(found)
    publish(text, PAGE, asked.write)
    return 0 if {name for name, *_ in found} == {*WHAT} and all(passed for _, _, passed, _ in found) else 1


if __name__ == "__main__":
    sys.exit(main())
