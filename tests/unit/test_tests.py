"""Test modules stand alone: what several need is in ``tests/support``, found without changes of the path."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

from support.syntax import syntax_trees

TESTS = Path(__file__).parents[1]


@functools.cache
def modules() -> dict[Path, ast.Module]:
    return syntax_trees(sorted(TESTS.rglob("*.py")))


def imported(tree: ast.AST) -> set[str]:
    nodes = list(ast.walk(tree))
    whole = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return whole | {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}


def test_no_test_module_is_imported():
    tests = {path.stem for path in modules() if path.stem.startswith("test_")}
    assert len(tests) > 100
    assert {path.name: found for path, tree in modules().items() if (found := imported(tree) & tests)} == {}


def test_none_changes_the_path_on_which_modules_are_found():
    attributes = {
        path.name: {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        for path, tree in modules().items()
    }
    assert [name for name, found in attributes.items() if any(text.startswith("sys.path.") for text in found)] == []


def test_all_that_is_shared_is_used():
    shared = {path.stem for path in modules() if path.parent.name == "support"} - {"__init__"}
    used = {
        name
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "support"
        for name in ([node.module.partition(".")[2]] if "." in node.module else [alias.name for alias in node.names])
    }
    assert shared - used == {"hard_tasks", "random_calls"}  # started by name, in a process of its own
