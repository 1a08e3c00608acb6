"""Inputs: torques, forces, motions and pressures that are written into a system between its steps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray

__all__ = ["FREE_LOAD", "INPUT_COLUMNS", "POSITION", "SPEED", "Input"]

INPUT_COLUMNS = 5
"""Number of columns of an input: starting time [s], and the coefficients of a cubic in the time since then, highest
power first."""
FREE_LOAD, SPEED, POSITION = 0, 1, 2
"""Kinds of input: a load that acts directly, or a speed or position that the part follows by an acceleration. The value
is the number of derivatives between the quantity that is written and the quantity that acts."""


class Input(NamedTuple):
    """A quantity of a part of a system, given as a cubic in time until it is written again.

    It may be written between any two steps. A step must not cross an instant at which it is written, and the rates must
    be evaluated again there (``Integrator.change_loads``). Its work is part of the energy balance, like the work of any
    load or prescribed motion.
    """

    group: str
    """Kind of the part: "wheels", "rotors", "bodies" or "tensioners"."""
    part: str
    """Name of the part within its group."""
    quantity: str
    """Name of the quantity: "torque", "force", "speed", "position" or "supply_pressure"."""
    unit: str
    kind: int
    """FREE_LOAD, SPEED or POSITION."""
    cell: FloatArray
    """(INPUT_COLUMNS,), a view into the parameters; it is part of a checkpoint. For speeds and positions it contains
    the acceleration from the starting time on. Before the starting time, and while this time is infinite, the part
    moves as if it had no input."""
    position: int = -1
    """Index in the state of the coordinate on which the input acts; -1 for none."""
    speed: int = -1
    """Index in the state of the speed of this coordinate."""
    stage: str = ""
    """Stage of the part; empty in the first chain."""

    def write(self, since: float, coefficients: FloatArray) -> None:
        """Set the value from now on to the sum of coefficients[k] (t - since)^k; coefficients (1,) to (4,) [unit/s^k],
        since [s].

        For a speed or position, the value is the acceleration (see ``course``).
        """
        self.cell[0], self.cell[1:] = since, 0.0
        self.cell[INPUT_COLUMNS - len(coefficients) : INPUT_COLUMNS] = coefficients[::-1]

    def course(self, coefficients: FloatArray, step: float, state: FloatArray) -> FloatArray:
        """Return the coefficients for ``write`` with which the input equals the sum of coefficients[k] s^k after a step
        [s]; state (n,): state before the step.

        The coefficients of an input that acts directly are returned unchanged. A part cannot jump to a speed or
        position. It follows the sum, and a smooth polynomial removes the initial difference during the step: a speed by
        e (1 - 3 x^2 + 2 x^3), a position by the polynomial of degree five that also has the initial speed, and both
        derivatives zero at the end; x = s/step.
        """
        if self.kind == FREE_LOAD:
            return coefficients
        given, found = np.zeros(4), np.zeros(4)
        given[: len(coefficients)] = coefficients
        if self.kind == SPEED:
            found[:3] = given[1:] * (1.0, 2.0, 3.0)
            off = (state[self.speed] - given[0]) / step
            found[1] -= 6.0 * off / step
            found[2] += 6.0 * off / step**2
            return found
        found[:2] = given[2:] * (2.0, 6.0)
        away, apace = (state[self.position] - given[0]) / step**2, (state[self.speed] - given[1]) / step
        for k, (by_place, by_speed) in enumerate(((-60.0, -36.0), (180.0, 96.0), (-120.0, -60.0)), start=1):
            found[k] += (by_place * away + by_speed * apace) / step**k
        return found

    def moved(self, positions: int, speeds: int) -> Input:
        """Return the input for a state in which additional positions and speeds precede those of its part."""
        if self.position < 0:
            return self
        return self._replace(position=self.position + positions, speed=self.speed + speeds)

    @property
    def seat(self) -> str:
        """Name of the part that has the input: "wheels.crankshaft", "stages.final.wheels.camshaft"."""
        own = f"{self.group}.{self.part}"
        return f"stages.{self.stage}.{own}" if self.stage else own

    @property
    def name(self) -> str:
        """Name of the input, such as "wheels.crankshaft.torque"."""
        return f"{self.seat}.{self.quantity}"
