"""Runs of examples that tests only read: each is simulated once, by the process of the tests that needs it first.

Processes of one call of pytest share a folder; its content is complete and read-only.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.results import checkpoint
from chaindrive.results.lock import locked


def once(path: Path, make: Callable[[Path], object]) -> Path:
    """The file, made by one process while others wait: ``make`` writes another one, which is renamed when complete."""
    while not path.exists():
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(locked(path))
            except InputError:  # another process makes it
                time.sleep(0.05)
                continue
            if not path.exists():
                part = path.with_stem(f"{path.stem}-part")
                make(part)
                part.chmod(0o444)
                part.replace(path)
    return path


class SharedRuns:
    """Results in a folder, by name of the example, end time and options of ``simulate``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(exist_ok=True)

    def file(self, name: str, until: float, **options: Any) -> Path:
        """Results of an example; to be read, or copied (``shutil.copyfile``: a copy that can be written to)."""

        def make(part: Path) -> None:
            cd.simulate(cd.example(name), until, output=part, **options).close()
            checkpoint.name_for(part).unlink(missing_ok=True)

        key = hashlib.sha256(repr((until, sorted(options.items()))).encode()).hexdigest()[:12]
        return once(self.folder / f"{name}-{key}.nc", make)

    def run(self, name: str, until: float, **options: Any) -> cd.Solution:
        """The same, opened."""
        return cd.open(self.file(name, until, **options))
