"""A system with unilateral contacts at one instant, for integrators in Python."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.contract.unilateral import UnilateralSystem

__all__ = ["Instant"]


class Instant:
    """Values of a system at the instant that was last evaluated."""

    def __init__(self, system: UnilateralSystem) -> None:
        self.system = system
        self.state = system.state()
        self._rate = np.zeros(system.velocities)
        self._force = np.zeros(system.velocities)
        self._speed = np.zeros(2 * system.contacts)

    def at(self, t: float, position: FloatArray, velocity: FloatArray, step: float = 0.0) -> None:
        """Evaluate an instant: t [s], position (f,), velocity (f,), step [s] as for ``evaluate``."""
        self.system.kernels.evaluate(t, position, velocity, step, self.state, self.system.parameters)

    @property
    def gap(self) -> FloatArray:
        """Gaps of all contacts, (n,) [m]."""
        return self.state.gap

    def free(self) -> FloatArray:
        """Return the accelerations without contacts, (f,)."""
        return self.solved(self.state.force)

    def solved(self, force: FloatArray) -> FloatArray:
        """Return M^-1 force, (f,)."""
        self.system.kernels.solve_mass(force, self._rate, self.system.parameters)
        return self._rate.copy()

    def speed(self, velocity: FloatArray) -> FloatArray:
        """Return the velocities g' of all contacts, (2n,). [m/s]"""
        return self._projected(velocity) + self.state.drift

    def acceleration(self, rate: FloatArray) -> FloatArray:
        """Return the accelerations g'' of all contacts, (2n,). [m/s^2]"""
        return self._projected(rate) + self.state.rate

    def _projected(self, velocity: FloatArray) -> FloatArray:
        self.system.kernels.project(velocity, self._speed, self.system.parameters)
        return self._speed.copy()

    def response(self, impulse: FloatArray) -> FloatArray:
        """Return the change in velocity due to impulses (2n,), or the acceleration due to forces, (f,)."""
        self.system.kernels.spread(impulse, self._force, self.system.parameters)
        return self.solved(self._force)

    def inverse_inertia(self, rows: IntArray) -> FloatArray:
        """Return G for these directions, (k, k). [1/kg]"""
        matrix = np.zeros((rows.size, rows.size))
        self.system.kernels.inverse_inertia(rows, rows.size, matrix, self.system.parameters)
        return matrix

    def rows(self, contacts: Sequence[int] | IntArray) -> IntArray:
        """Return both directions of the given contacts, with normal directions first, (2k,)."""
        of = np.asarray(contacts, dtype=np.int64)
        return np.concatenate([of, of + self.system.contacts])

    def scattered(self, rows: IntArray, values: FloatArray) -> FloatArray:
        """Return an array for all directions, (2n,), with the given values in the directions ``rows`` and zero
        elsewhere.
        """
        found = np.zeros(2 * self.system.contacts)
        found[rows] = values
        return found
