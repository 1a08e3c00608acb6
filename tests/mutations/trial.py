"""Tests run on a mutated copy of the sources, and the outcome."""

from __future__ import annotations

import ast
import compileall
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import NamedTuple

from mutations.mutation import DATA, Mutation, mutated_text, place_of
from support.code import code_of, files_of_kernels

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
PACKAGE = Path("src") / "chaindrive"
COPIED = (
    "src", "tests", "docs", "benchmarks", "web",
    "pyproject.toml", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md",
)  # fmt: skip
ALL_TESTS = ("tests/unit", "tests/contracts", "tests/verification")
DIGITS = 20
"""Hexadecimal digits of a key."""
LIMIT = 600.0
"""Time limit for the named tests of one mutation. [s]"""
LIMIT_OF_ALL = 7200.0
"""Time limit for the whole fast suite. [s]"""
CRASHES = (-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGFPE, -signal.SIGBUS)
"""Ways in which a wrong kernel can end a process."""


class Outcome(NamedTuple):
    """Outcome of the tests of one mutation."""

    killed: bool
    by: str
    """The first test that failed; "time" if the limit was exceeded; otherwise the cause of the end."""
    seconds: float


class Tree:
    """A copy of the sources in a temporary folder, in which one file at a time is changed.

    Bytecode is made once, and holds while the text has its digest: a file can change twice within the resolution of a
    time stamp. Compiled kernels of the sound sources are kept: a mutation compiles what depends on its file.
    """

    def __init__(self, folder: Path, kernels: Path) -> None:
        self.folder, self.kernels = folder, kernels
        skipped = shutil.ignore_patterns("__pycache__", "*.nc", "node_modules", "build")
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=skipped)
            else:
                shutil.copy2(source, folder / name)
        compileall.compile_dir(folder / "src", quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)

    def tests(self, names: tuple[str, ...], compiled: bool, limit: float) -> Outcome:
        """Run tests in the copy, up to the first that fails."""
        begun = time.monotonic()
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPYCACHEPREFIX"} | {
            "PYTHONPATH": str(self.folder / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(self.kernels),
            "NUMBA_DISABLE_JIT": "0" if compiled else "1",
        }
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider"]
        command += ["-m", "not validation and not browser", *names]  # long ones, too
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=limit, check=False
            )
        except subprocess.TimeoutExpired:
            return Outcome(True, f"time: not over after {limit:.0f} s", time.monotonic() - begun)
        seconds = time.monotonic() - begun
        if done.returncode == 0:
            return Outcome(False, "", seconds)
        if done.returncode in CRASHES:
            return Outcome(True, f"crash: signal {-done.returncode}", seconds)
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        if failed is None or done.returncode > 2:
            raise RuntimeError(f"pytest ended with {done.returncode}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return Outcome(True, failed[1], seconds)

    @contextmanager
    def mutated(self, mutation: Mutation) -> Iterator[None]:
        """The copy with one mutation, and without it afterwards."""
        place = place_of(mutation, ROOT / PACKAGE)
        path = self.folder / place.path.relative_to(ROOT)
        text = path.read_text(encoding="utf-8")
        path.write_text(mutated_text(mutation, place), encoding="utf-8")
        sound = set(self.kernels.rglob("*"))
        try:
            yield
        finally:
            path.write_text(text, encoding="utf-8")
            for file in set(self.kernels.rglob("*")) - sound:  # nobody else has these kernels
                if file.is_file():
                    file.unlink()


@contextmanager
def tree(kernels: Path) -> Iterator[Tree]:
    """A copy of the sources, taken away afterwards; kernels: folder of those that the sound sources need."""
    with tempfile.TemporaryDirectory(prefix="chaindrive-mutations-") as folder:
        yield Tree(Path(folder), kernels)


class Kept:
    """Outcomes of earlier runs, one a line; each holds while the mutation, its file and the tests that decided it are
    the same.
    """

    def __init__(self, path: Path, *shared: Path) -> None:
        """path: where outcomes are added; shared: others that are only read, such as the one under version control."""
        self.path = path
        self._found: dict[str, tuple[str, Outcome]] = {}
        for each in (*shared, path):
            for line in each.read_text(encoding="utf-8").splitlines() if each.exists() else ():
                try:
                    key, tests, *outcome = json.loads(line)
                    self._found[key] = tests, Outcome(*outcome)
                except (ValueError, TypeError):
                    continue  # cut off by an interruption

    def outcome(self, key: str, names: tuple[str, ...]) -> Outcome | None:
        """The outcome for a key of these tests; None where none is known, or its tests have changed."""
        tests, outcome = self._found.get(key, ("", None))
        return outcome if outcome is not None and tests == digest_of_tests(deciding(outcome, names)) else None

    def add(self, key: str, names: tuple[str, ...], outcome: Outcome) -> None:
        self._found[key] = digest_of_tests(deciding(outcome, names)), outcome
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(self._line(key))

    def forget(self) -> None:
        """Forget all of them; what is measured anew counts more than the lines of the file."""
        self._found.clear()

    def share(self, path: Path, keys: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        """Write those that hold of these keys and tests, for other copies of the repository."""
        path.write_text("".join(self._line(key) for key, names in keys if self.outcome(key, names)), "utf-8")

    def _line(self, key: str) -> str:
        tests, outcome = self._found[key]
        return json.dumps([key, tests, outcome.killed, outcome.by, round(outcome.seconds, 1)]) + "\n"


def deciding(outcome: Outcome, names: tuple[str, ...]) -> tuple[str, ...]:
    """The tests on which an outcome depends: the one that noticed, with all its parameters, or all that were run."""
    return (outcome.by.partition("[")[0],) if outcome.killed and "::" in outcome.by else names


def runs_compiled(mutation: Mutation) -> bool:
    """Whether its tests run with compiled kernels: where they must, and where its file compiles none anew."""
    package = ROOT / PACKAGE
    return mutation.compiled or place_of(mutation, package).path.relative_to(package) not in files_of_kernels(package)


def key_of(mutation: Mutation, whole: bool) -> str:
    """Digest of a mutation and the code of its file."""
    change = (mutation.within, mutation.original, mutation.mutated)
    found = hashlib.sha256(repr((change, mutation.tests, mutation.compiled, whole)).encode())
    path = place_of(mutation, ROOT / PACKAGE).path
    found.update(code_of(path, marked=False) if path.suffix == ".py" else path.read_bytes())
    return found.hexdigest()[:DIGITS]


@cache
def digest_of_tests(names: tuple[str, ...]) -> str:
    """Digest of the code of named tests, of what else their files hold, and of what these import from ``tests``. Other
    tests of these files do not matter where tests are named, nor do marks of long ones, as these run with mutations.
    """
    found = hashlib.sha256()
    named: dict[Path, set[str]] = {ROOT / name.partition("::")[0]: set() for name in names}
    for name in names:
        named[ROOT / name.partition("::")[0]].add(name.partition("[")[0].partition("::")[2])
    for path in files_of_tests(names):
        alone = frozenset(named.get(path, {""}))
        found.update(code_of(path, marked=False, tests=None if "" in alone else alone))
    return found.hexdigest()[:DIGITS]


@cache
def files_of_tests(names: tuple[str, ...]) -> tuple[Path, ...]:
    """Files of named tests, and those of the tests that they import, directly or not."""
    ahead = [ROOT / name.partition("::")[0] for name in names]
    found: set[Path] = set()
    while ahead:
        path = ahead.pop()
        if path not in found:
            found.add(path)
            ahead += _imported_from_tests(path)
    return tuple(sorted(found))


@cache
def _imported_from_tests(path: Path) -> tuple[Path, ...]:
    """The files in ``tests`` that a file imports, anywhere in it."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
    files = (TESTS.joinpath(*module.split(".")).with_suffix(".py") for module in sorted(modules))
    return tuple(file for file in files if file.is_file())


def baseline_key(names: tuple[str, ...], compiled: bool) -> str:
    """Key of the named tests on the unchanged sources."""
    return hashlib.sha256(repr(("baseline", names, compiled, _package_digest())).encode()).hexdigest()[:DIGITS]


@cache
def _package_digest() -> str:
    """Digest of the package: modules and data."""
    files = sorted(path for pattern in ("*.py", *DATA) for path in (ROOT / PACKAGE).rglob(pattern))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
