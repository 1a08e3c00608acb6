"""Assertions in ``tests/support`` say as much as those of the tests themselves; runs that are shared by all tests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support.shared_runs import SharedRuns

pytest.register_assert_rewrite("support")
os.environ.setdefault("CHAINDRIVE_COMPILE_AHEAD", "0")  # the workers of pytest are as many as there are cores


@pytest.fixture(scope="session")
def shared_runs(tmp_path_factory: pytest.TempPathFactory) -> SharedRuns:
    """Runs of examples, each simulated once in all processes of this call of pytest."""
    from support.shared_runs import SharedRuns

    base = tmp_path_factory.getbasetemp()
    return SharedRuns((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared")
