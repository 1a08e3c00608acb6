"""Runs of variators, with means over their last part."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from support import variators
from support.variators import variator

SETTLED, UNTIL, STEP = 0.35, 0.5, 4e-6
DRIVEN = 1
"""The pair of sheaves that a force presses."""


class Case(NamedTuple):
    """A run, and means over its last part."""

    system: System
    status: Status
    times: Any
    rows: Any
    mean: dict[str, Any]

    def value(self, name: str) -> Any:
        return self.system.channel(name).read(self.rows)

    def change(self, name: str, since: float = SETTLED) -> float:
        """Change of a work [J], or of the angle of the driving pair [rad], from an instant on."""
        values = self.value(name)
        values = values if values.ndim == 1 else values[:, 0]
        return float(values[-1] - values[np.searchsorted(self.times, since - 1e-9)])

    @property
    def thrust_ratio(self) -> float:
        first, second = self.mean["sheave_thrust"]
        return float(first / second)

    @property
    def efficiency(self) -> float:
        return self.change("work_output") / self.change("work_input")


def run(step: float = STEP, until: float = UNTIL, closed: float = 0.0, rate: float = 5000.0, **given: Any) -> Case:
    """A run of the example, with other values: the first steps of sheaves that are closed by more than drawn [m]."""
    system = variators.rolling(variator(**given))
    system.state[system.parameters.coordinates + 2 + DRIVEN] += closed
    status, times, rows = variators.run(system, until, rate=rate, step=step)
    return Case(system, status, times, rows, variators.means(system, times, rows, min(SETTLED, 0.7 * times[-1])))


EXAMPLE = {"first": 0.0495, "load": 100.0, "rigid": False, "step": STEP}
"""Values that ``run`` uses unless given."""


def loaded(**given: Any) -> Case:
    """The example, with other values, settled; computed once, also where a given value is that of the example."""
    return _loaded(**dict(sorted(given.items() - EXAMPLE.items())))


@cache
def _loaded(**given: Any) -> Case:
    return run(**given)
