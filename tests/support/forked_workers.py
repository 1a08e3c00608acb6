"""Workers of a study that are forks of this process: what they compute is the same, and they import nothing."""

from __future__ import annotations

import multiprocessing

import pytest


def fork_workers(patch: pytest.MonkeyPatch) -> None:
    """Processes of a study begin as forks, with everything loaded; tests/support/forked.py has their condition."""
    context = multiprocessing.get_context("fork")
    patch.setattr("chaindrive.studies.pools.multiprocessing.get_context", lambda _: context)
