"""Searches for a rest that give up early, where there is none to be found: 40,000 linear systems take seconds."""

from __future__ import annotations

from functools import partial

import pytest

from chaindrive.solvers.equilibrium import equilibrium


def give_up_early(patch: pytest.MonkeyPatch) -> None:
    """Each way of searching for the start of a run solves at most 100 systems."""
    patch.setattr("chaindrive.simulation.start.equilibrium", partial(equilibrium, max_iterations=100))
