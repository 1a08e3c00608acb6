"""Imports are written so that lint-imports, which reads the source, sees every one of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import chaindrive

ROOT = Path(chaindrive.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
LAZY = [path for path in FILES if "_HOME = {" in path.read_text(encoding="utf-8")]


def imports_by_name(tree: ast.AST) -> Iterator[ast.expr]:
    """What is imported by calls of ``import_module`` and ``__import__``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__"):
                yield node.args[0]


def test_no_module_of_the_package_is_imported_by_its_name_as_text():
    """The names of public things (``_HOME``) are the only texts from which a module of the package is imported."""
    hidden = [
        f"{path.relative_to(ROOT)}:{named.lineno}: {ast.unparse(named)}"
        for path in FILES
        for named in imports_by_name(ast.parse(path.read_text(encoding="utf-8")))
        if not isinstance(named, ast.Name) and not (path in LAZY and "_HOME[" in ast.unparse(named))
    ]
    assert hidden == []


@pytest.mark.parametrize("path", LAZY, ids=lambda path: path.parent.name)
def test_what_is_loaded_when_it_is_used_is_also_imported_for_type_checkers(path):
    """There lint-imports sees it."""
    package = ".".join(("chaindrive", *path.relative_to(ROOT).parent.parts))
    body = ast.parse(path.read_text(encoding="utf-8")).body
    (home,) = (
        ast.literal_eval(node.value)
        for node in body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_HOME"
    )
    assert home
    seen = {
        alias.name: node.module
        for guard in body
        if isinstance(guard, ast.If) and getattr(guard.test, "id", "") == "TYPE_CHECKING"
        for node in guard.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == {name: f"{package}.{module}" for name, module in home.items()}
