"""Searches for a rest that give up early, where there is none to be found: 40,000 linear systems take seconds."""

from __future__ import annotations

from functools import partial

import pytest

from chaindrive.solvers.equilibrium import equilibrium

SEARCH = "chaindrive.simulation.start.equilibrium"
short_search = partial(equilibrium, max_iterations=300)
"""``equilibrium`` with at most 300 systems for each way of searching."""


def give_up_early(patch: pytest.MonkeyPatch) -> None:
    """Search for the start of a run by ``short_search``."""
    patch.setattr(SEARCH, short_search)
