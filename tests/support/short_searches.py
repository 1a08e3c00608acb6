"""Searches for a rest that give up early, where none exists: 40,000 linear systems take seconds."""

from __future__ import annotations

from functools import partial

import pytest

from chaindrive.solvers.equilibrium import equilibrium


def give_up_early(patch: pytest.MonkeyPatch) -> None:
    """Limit each search for the start of a run to 100 systems."""
    patch.setattr("chaindrive.simulation.start.equilibrium", partial(equilibrium, max_iterations=100))
