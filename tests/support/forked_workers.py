"""Workers of a study that are forks of this process: they compute the same, and import nothing."""

from __future__ import annotations

import multiprocessing

import pytest


def fork_workers(patch: pytest.MonkeyPatch) -> None:
    """Processes of a study begin as forks, with everything loaded; tests/support/forked.py states the condition for
    this.
    """
    context = multiprocessing.get_context("fork")
    patch.setattr("chaindrive.studies.pools.multiprocessing.get_context", lambda _: context)
