"""Writes the list of passed long tests with kernels and dates; ``python tests/long.py --write`` calls this script.

    python docs/validation/long_tests.py FILE ...

makes ``long-tests.md`` next to this file, with a row for each test file, from the records of ``tests/long.py``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from _made import made

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
import long

PAGE = Path(__file__).with_name("long-tests.md")


def page(files: Sequence[str], passed: Mapping[str, Any]) -> str:
    """The page, in Markdown. passed: records of ``tests/long.py`` for each file that has passed."""
    lines, now = [], 0
    for file in files:
        known = passed.get(file)
        if known is None:
            lines.append(f"| `{file}` | **has not passed** | | |")
            continue
        same = known["key"] == long.key(file)
        now += same
        code = "the present" if same else f"another (kernels {known['kernels']})"
        lines.append(f"| `{file}` | {known['date']} | {code} | {known['seconds']:.0f} |")
    return "\n".join(
        [
            "# Long tests",
            "",
            f"This page is written by `python tests/long.py --write`; it was {made()}.",
            "",
            "This page lists the test files with tests that are marked `long` or `validation`. A file counts as "
            "passed when all of its marked tests have passed, until the code of the kernels or of the test file is "
            "edited. *s* is the wall-clock time in s, on a machine shared with other work.",
            "",
            f"**{now} of {len(files)} files have passed with the present code.**",
            "",
            "| file | passed on | with this code | s |",
            "|:--|:--|:--|--:|",
            *lines,
            "",
        ]
    )


if __name__ == "__main__":
    kept = json.loads(long.KEPT.read_text(encoding="utf-8")) if long.KEPT.exists() else {}
    PAGE.write_text(page(sys.argv[1:], kept), encoding="utf-8")
