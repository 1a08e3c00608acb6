"""Assertions in ``tests/support`` say as much as those of the tests themselves; runs that are shared by all tests."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support.shared_runs import SharedRuns

BYTECODE = "PYTHONPYCACHEPREFIX"

pytest.register_assert_rewrite("support")
os.environ.setdefault("CHAINDRIVE_COMPILE_AHEAD", "0")  # the workers of pytest are as many as there are cores


def pytest_configure(config: pytest.Config) -> None:
    """Where Python is told to write no bytecode, processes of the tests share it in a folder of this call of pytest.

    Some hundred of them would compile the modules of the package otherwise, each for itself.
    """
    if BYTECODE not in os.environ and os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ[BYTECODE] = folder = tempfile.mkdtemp(prefix="chaindrive-tests-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.fixture(scope="session")
def shared_runs(tmp_path_factory: pytest.TempPathFactory) -> SharedRuns:
    """Runs of examples, each simulated once in all processes of this call of pytest."""
    from support.shared_runs import SharedRuns

    base = tmp_path_factory.getbasetemp()
    return SharedRuns((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared")
