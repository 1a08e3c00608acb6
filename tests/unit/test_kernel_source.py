"""Keys of compiled kernels: an edit of what a kernel can call makes another key, an edit elsewhere does not."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from chaindrive.kernels import source
from chaindrive.physics.link import link_force
from support.syntax import syntax_trees

MODEL = source.PACKAGE / "model"
KERNEL_MODULES = [path for path in sorted(source.PACKAGE.rglob("*.py")) if source.KERNEL.search(path.read_text())]


def imports_of(path: Path, anywhere: bool) -> set[Path]:
    """Imports of a file according to Python's own parser: at the start of a line, or anywhere but for types alone."""
    body = [node for node in syntax_trees([path])[path].body if not _for_types(node)]
    names: set[str] = set()
    for node in (each for statement in body for each in ast.walk(statement)) if anywhere else body:
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names |= {str(node.module)} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {file for name in names if name.split(".")[0] == "chaindrive" and (file := source._file_of(name))}


def _for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def test_imports_are_read_as_python_reads_them() -> None:
    for path in syntax_trees(sorted(source.PACKAGE.rglob("*.py"))):
        assert {p for p in source._imported_by(path) if source.PACKAGE in p.parents} >= imports_of(path, False), path


def test_what_a_function_imports_is_in_the_key_of_its_kernels() -> None:
    """An import inside a function could bring in a kernel that the key does not know, unless it reaches none."""
    of_the_key = source.closure(Path(source.__file__))
    unknown = {path: imports_of(path, True) - source.closure(path) for path in KERNEL_MODULES}
    reached = {path: frozenset().union(*map(source.closure, unknown[path])) - of_the_key for path in KERNEL_MODULES}
    assert {path: files for path in KERNEL_MODULES if (files := reached[path].intersection(KERNEL_MODULES))} == {}


def test_what_no_kernel_imports_is_in_no_key() -> None:
    known = frozenset().union(*map(source.closure, KERNEL_MODULES))
    rooms = {path.relative_to(source.PACKAGE).parts[0] for path in known}
    assert not rooms & {"cli", "report", "plots", "export", "viewer", "studies", "analyses", "drawing", "results"}
    of_drives = {path.relative_to(source.PACKAGE).as_posix() for path in known if path.is_relative_to(MODEL)}
    # The laws of torques, and the empty module of their package: no edit of a key of drive files compiles.
    assert of_drives == {"model/torques/__init__.py", "model/torques/acting.py"}
    assert not {source.PACKAGE / name for name in ("units.py", "version.py", "connections.py")} & known


CODE = """
from chaindrive.kernels.source import kernels_digest, source_key
from chaindrive.physics.link import link_force
function = getattr(link_force, "py_func", link_force)
print(kernels_digest(), source_key(function), function.__code__.co_filename)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package that may be edited."""
    shutil.copytree(source.PACKAGE, tmp_path / "chaindrive", ignore=shutil.ignore_patterns("__pycache__", "*.nbc"))
    return tmp_path / "chaindrive"


def keys(package: Path) -> list[str]:
    environment = os.environ | {"PYTHONPATH": str(package.parent), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True)
    *found, file = done.stdout.split()
    assert Path(file).is_relative_to(package)
    return found


def test_an_edit_outside_recompiles_nothing_and_one_of_a_callee_does(package: Path) -> None:
    before = [source.kernels_digest(), source.source_key(getattr(link_force, "py_func", link_force))]
    for outside in ("cli/main.py", "report/tables.py", "plots/loads.py"):
        with (package / outside).open("a", encoding="utf-8") as file:
            file.write("\n# edited\n")
    assert keys(package) == before
    with (package / "kernels" / "compiler.py").open("a", encoding="utf-8") as file:
        file.write("\n# edited\n")  # what every kernel depends on
    after = keys(package)
    assert after[0] != before[0]
    assert after[1] != before[1]
    with (package / "solvers" / "verlet.py").open("a", encoding="utf-8") as file:
        file.write("\n# edited\n")  # a kernel, which the law of a link does not call
    last = keys(package)
    assert last[0] != after[0]
    assert last[1] == after[1]
