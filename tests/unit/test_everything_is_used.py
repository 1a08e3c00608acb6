"""Code in the package serves runs, analyses or the command line: code that only tests need is in tests."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

import chaindrive
from support.syntax import syntax_trees

ROOT = Path(chaindrive.__file__).parent


@functools.cache
def trees() -> dict[Path, ast.Module]:
    return syntax_trees(sorted(ROOT.rglob("*.py")))


SLAVES = {f"chaindrive.fmu.slaves.chaindrive_{name}" for name in ("here", "fmi2", "fmi3")}
ENTRIES = {"chaindrive.__main__"} | SLAVES
"""Entry modules: the command ``chaindrive``, and those in FMUs for a Python."""
ASKED_FOR = {"achieved_restitution"}
"""Laws needed by no run, only for the choice of a contact law: the table of laws in the documentation is made with
it.
"""


def module_of(path: Path) -> str:
    return ".".join(("chaindrive", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


def test_every_module_is_imported_by_another():
    imported = set()
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                imported |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
    alone = {module_of(path) for path in trees() if path.name != "__init__.py"} - imported
    assert alone == ENTRIES


def test_every_law_of_physics_is_used():
    used = {
        node.id if isinstance(node, ast.Name) else node.attr
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
    }
    laws = {
        node.name
        for path, tree in trees().items()
        if path.is_relative_to(ROOT / "physics")
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }
    assert len(laws) > 40
    assert laws - used == ASKED_FOR
