"""Torques and forces that are written into a system between its steps."""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.contract.states import FloatArray

__all__ = ["INPUT_COLUMNS", "Input"]

INPUT_COLUMNS = 5
"""Time since when [s], and the coefficients of the cubic in the time since then, the highest power first."""


class Input(NamedTuple):
    """A torque or force on one coordinate of a system, a cubic in time until it is written anew.

    Between two steps anybody may write it; a step must not lead across an instant at which it is written, and the rates
    have to be evaluated again there (``Integrator.change_loads``). Its work is part of the balance, as that of any
    load.
    """

    part: str
    """On which it acts: the name of a wheel or rotor, "final.camshaft" in a stage."""
    unit: str
    """N m or N."""
    position: int
    """Index of the coordinate on which it acts in the state."""
    speed: int
    """Index of its speed there."""
    cell: FloatArray
    """(INPUT_COLUMNS,), a view into the parameters; a checkpoint holds it."""

    def write(self, since: float, coefficients: FloatArray) -> None:
        """Act as sum of coefficients[k] (t - since)^k from now on; (1,) to (4,) [unit/s^k], since [s]."""
        self.cell[0], self.cell[1:] = since, 0.0
        self.cell[INPUT_COLUMNS - len(coefficients) : INPUT_COLUMNS] = coefficients[::-1]
