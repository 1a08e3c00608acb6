"""The code of a Python file without its comments: outcomes for it still hold after a comment is edited."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import TypeGuard

from chaindrive.kernels import source

LONG = "pytest.mark.long"


@cache
def files_of_kernels(package: Path = source.PACKAGE) -> frozenset[Path]:
    """The files that kernels of the package depend on, relative to it; kernels may be those of another copy of it."""
    paths = [
        path.relative_to(package) for path in package.rglob("*.py") if source.KERNEL.search(path.read_text("utf-8"))
    ]
    needed = frozenset().union(*(source.closure(source.PACKAGE / path) for path in paths))
    return frozenset(path.relative_to(source.PACKAGE) for path in needed)


@cache
def code_of(path: Path, *, marked: bool = True, sentences: bool = True, tests: frozenset[str] | None = None) -> bytes:
    """A module without comments and docstrings.

    marked: with the marks of long tests; sentences: with strings that contain a space, as messages do;
    tests: the names of the only tests in it, None for all of them.
    """
    return without_words(path.read_bytes(), marked=marked, sentences=sentences, tests=tests)


def without_words(
    text: bytes, *, marked: bool = True, sentences: bool = True, tests: frozenset[str] | None = None
) -> bytes:
    """The code of the text of a module, as `code_of` has it."""
    tree = ast.parse(text)
    if tests is not None:
        tree.body = [node for node in tree.body if not _is_test(node) or node.name in tests]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [each for each in node.body if not _is_text(each)]
        elif not sentences and isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            node.value = ""
        if marked:
            continue
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            node.decorator_list = [each for each in node.decorator_list if ast.unparse(each) != LONG]
        elif isinstance(node, ast.Call):
            node.keywords = [each for each in node.keywords if (each.arg, ast.unparse(each.value)) != ("marks", LONG)]
    return ast.unparse(tree).encode()


def _is_test(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test_")


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
