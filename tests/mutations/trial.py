"""Tests run on a mutated copy of the sources, and what came of it."""

from __future__ import annotations

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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from mutations.mutation import Mutation, mutated_text, place_of

ROOT = Path(__file__).parents[2]
PACKAGE = Path("src") / "chaindrive"
COPIED = (
    "src", "tests", "docs", "benchmarks",
    "pyproject.toml", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md",
)  # fmt: skip
ALL_TESTS = ("tests/unit", "tests/contracts", "tests/verification")
LIMIT = 600.0
"""How long the named tests of one mutation may take. [s]"""
LIMIT_OF_ALL = 7200.0
"""How long the whole fast suite may take. [s]"""
CRASHES = (-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGFPE, -signal.SIGBUS)
"""Endings of a process that a wrong kernel can bring about."""


class Outcome(NamedTuple):
    """What the tests said of one mutation."""

    killed: bool
    by: str
    """The first test that failed; "time" where they did not end; what else ended them."""
    seconds: float


class Tree:
    """A copy of the sources in a temporary folder, in which one file at a time is changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        skipped = shutil.ignore_patterns("__pycache__", "*.nc", "node_modules", "build")
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=skipped)
            else:
                shutil.copy2(source, folder / name)

    def tests(self, names: tuple[str, ...], compiled: bool, limit: float) -> Outcome:
        """Run tests in the copy, up to the first that fails."""
        begun = time.monotonic()
        cache = self.folder / "cache"
        environment = os.environ | {
            "PYTHONPATH": str(self.folder / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "XDG_CACHE_HOME": str(cache),
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
        finally:
            shutil.rmtree(cache, ignore_errors=True)
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
        try:
            yield
        finally:
            path.write_text(text, encoding="utf-8")


@contextmanager
def tree() -> Iterator[Tree]:
    """A copy of the sources, taken away afterwards."""
    with tempfile.TemporaryDirectory(prefix="chaindrive-mutations-") as folder:
        yield Tree(Path(folder))


class Kept:
    """Outcomes of earlier runs, a line each; one is used again while mutation, its file and its tests are the same."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.outcomes: dict[str, Outcome] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    key, *outcome = json.loads(line)
                    self.outcomes[key] = Outcome(*outcome)
                except (ValueError, TypeError):
                    continue  # cut off by an interruption

    def add(self, key: str, outcome: Outcome) -> None:
        self.outcomes[key] = outcome
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, *outcome]) + "\n")


def key_of(mutation: Mutation, whole: bool) -> str:
    """Digest of what the outcome of a mutation depends on first: itself, its file, its tests and what they share."""
    place = place_of(mutation, ROOT / PACKAGE)
    files = [place.path, *(ROOT / name.partition("::")[0] for name in mutation.tests)]
    files += sorted((ROOT / "tests" / "support").glob("*.py"))
    found = hashlib.sha256(repr((mutation[:6], mutation.compiled, whole)).encode())
    for path in files:
        found.update(path.read_bytes())
    return found.hexdigest()


def baseline_key(names: tuple[str, ...], compiled: bool) -> str:
    """The same for the named tests on the sources as they are."""
    found = hashlib.sha256(repr(("baseline", names, compiled)).encode())
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        found.update(path.read_bytes())
    for name in names:
        found.update((ROOT / name.partition("::")[0]).read_bytes())
    return found.hexdigest()
