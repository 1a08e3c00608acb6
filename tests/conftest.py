"""Assertions in ``tests/support`` are reported in as much detail as those of tests; runs are shared by all tests."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from support.shared_runs import SharedRuns

BYTECODE = "PYTHONPYCACHEPREFIX"

pytest.register_assert_rewrite("support")
# The workers of pytest are as many as there are cores. Threads of OpenBLAS would wait for each other at full load.
os.environ.setdefault("CHAINDRIVE_COMPILE_AHEAD", "0")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.fixture(autouse=True, scope="session")
def no_synchronisation() -> Iterator[None]:
    """No test cuts the power: data need not reach the disk, which would take milliseconds each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield


def pytest_configure(config: pytest.Config) -> None:
    """Where Python is set to write no bytecode, workers and processes of tests keep it in the cache of pytest.

    Some hundred processes would otherwise each compile the modules of the package.
    """
    cache = getattr(config, "cache", None)
    if cache is None or BYTECODE in os.environ or "PYTHONDONTWRITEBYTECODE" not in os.environ:
        return
    with contextlib.suppress(OSError):
        os.environ[BYTECODE] = str(cache.mkdir("bytecode"))
        del os.environ["PYTHONDONTWRITEBYTECODE"]


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Imported and collected objects live until the end: the garbage collector need not examine them.

    It would take a third of the time of a collection.
    """
    gc.disable()
    try:
        _import_own_part(session.config)
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _import_own_part(config: pytest.Config) -> None:
    """All workers import the files in folders, each beginning with different ones.

    Where there is no bytecode yet, it rewrites the assertions of its part, and finds those of the others done.
    """
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    if worker is None:
        return
    files = [file for folder in config.args for file in sorted(Path(folder).rglob("test_*.py"))]
    sys.path[:0] = {str(file.parent) for file in files}.difference(sys.path)
    for file in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        with contextlib.suppress(Exception, pytest.skip.Exception):  # told when all of them are imported
            importlib.import_module(file.stem)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole tests first, then their parts: tests that compile for a long time begin at once, and the last tests are
    short.

    Two workers that share the last tests of a file would wait for the kernels of each other.
    """
    items.sort(key=lambda item: "verification" not in item.path.parts)


@pytest.fixture(scope="module")
def few_windows() -> Iterator[None]:
    """Reports with six to ten windows instead of some forty, each of which is analysed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("chaindrive.report.windows.PARTS", 2)
        yield


@pytest.fixture(autouse=True, scope="module")
def no_arranging(request: pytest.FixtureRequest) -> Iterator[None]:
    """Draw figures without arranging them, which may take as long again; ``test_plots.py`` arranges every one."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.name != "test_plots.py":
            patch.setattr("matplotlib.layout_engine.ConstrainedLayoutEngine.execute", lambda *_: None)
        yield


@pytest.fixture(scope="session")
def shared_runs(tmp_path_factory: pytest.TempPathFactory) -> SharedRuns:
    """Runs of examples, each simulated once in all processes of this call of pytest."""
    from support.shared_runs import SharedRuns

    base = tmp_path_factory.getbasetemp()
    return SharedRuns((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared")
