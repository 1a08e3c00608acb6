"""All imports are visible to lint-imports, which reads the source."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import chaindrive
from support.syntax import syntax_trees

ROOT = Path(chaindrive.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
LAZY = [path for path in FILES if "_HOME = {" in path.read_text(encoding="utf-8")]


def imports_by_name(tree: ast.AST) -> Iterator[ast.expr]:
    """Modules imported by calls of ``import_module`` and ``__import__``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__"):
                yield node.args[0]


def test_no_module_of_the_package_is_imported_by_its_name_as_text():
    """The names of public things (``_HOME``) are the only texts from which a module of the package is imported."""
    hidden = [
        f"{path.relative_to(ROOT)}:{named.lineno}: {ast.unparse(named)}"
        for path, tree in syntax_trees(FILES).items()
        for named in imports_by_name(tree)
        if not isinstance(named, ast.Name) and not (path in LAZY and "_HOME[" in ast.unparse(named))
    ]
    assert hidden == []


@pytest.mark.parametrize("path", LAZY, ids=lambda path: path.parent.name)
def test_what_is_loaded_when_it_is_used_is_also_imported_for_type_checkers(path):
    """There lint-imports finds it."""
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


def modules() -> dict[str, Path]:
    """Every module of the package by its name."""
    names = (".".join(path.relative_to(ROOT.parent).with_suffix("").parts) for path in FILES)
    return dict(zip((name.removesuffix(".__init__") for name in names), FILES, strict=True))


def imported(tree: ast.Module, known: Collection[str]) -> set[str]:
    """Modules that a file imports, at its top or within functions, except those for type checkers only."""
    guards = [
        node for node in ast.walk(tree) if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
    ]
    skipped = {id(node) for guard in guards for statement in guard.body for node in ast.walk(statement)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and id(node) not in skipped:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in known else node.module for name in names}
    return found & set(known)


def in_order(known: dict[str, Path]) -> list[str]:
    """The modules, each after those it imports. Raises CycleError if that is impossible."""
    trees = syntax_trees(known.values())
    return list(TopologicalSorter({name: imported(trees[path], known) for name, path in known.items()}).static_order())


def test_no_import_circle():
    known = modules()
    assert set(in_order(known)) == set(known)


def test_a_circle_would_be_seen(tmp_path):
    for one, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{one}.py").write_text(f"def later():\n    from p.{other} import x\n")
    known = {f"p.{name}": tmp_path / f"{name}.py" for name in "ab"}
    with pytest.raises(CycleError):
        in_order(known)
