"""Test modules are independent: shared code is in ``tests/support``, importable without changes of the path."""

from __future__ import annotations

import functools
import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
IMPORT = re.compile(r"^ *(?:import|from) +([\w.]+)(?: +import +(\([^)]*\)|.+))?", re.MULTILINE)
"""A module, and the names that come from it. The parser of Python would need seconds for all test files."""


@functools.cache
def texts() -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("*.py"))}


def imported(text: str) -> set[str]:
    return {module for module, _ in IMPORT.findall(text)}


def test_no_test_module_is_imported():
    tests = {path.stem for path in texts() if path.stem.startswith("test_")}
    assert len(tests) > 100
    assert {path.name: found for path, text in texts().items() if (found := imported(text) & tests)} == {}


def test_none_changes_the_path_on_which_modules_are_found():
    changes = re.compile(r"^ *sys\.path\.", re.MULTILINE)
    assert [path.name for path, text in texts().items() if changes.search(text)] == []


def test_all_that_is_shared_is_used():
    shared = {path.stem for path in texts() if path.parent.name == "support"} - {"__init__"}
    used = {
        name
        for text in texts().values()
        for module, names in IMPORT.findall(text)
        if module.partition(".")[0] == "support"
        for name in ([module.partition(".")[2]] if "." in module else re.findall(r"\w+", names))
    }
    assert shared - used == {"hard_tasks", "random_calls"}  # started by name, in a separate process
