"""Positions and the displacements between them. A displacement has as many components as there are velocities, of which
there may be fewer than positions.
"""

from __future__ import annotations

import numpy as np

from chaindrive.contract.states import FloatArray
from chaindrive.contract.system import System

__all__ = ["displacement", "moved"]

TURNS = 4
"""Number of substeps into which a displacement is divided to preserve the norm of quaternions: a rotation by 1 rad
changes the norm by 1e-7."""


def moved(system: System, q: FloatArray, step: FloatArray) -> FloatArray:
    """Return the positions (n_q,) after a displacement (n_v,) from q: a motion over a unit of time, with the
    displacement as its constant velocity.
    """
    rates = system.kernels.rates
    if rates is None:
        return q + step
    part, stages = step / TURNS, np.empty((4, q.size))
    for _ in range(TURNS):  # the classical Runge-Kutta method
        for stage, (before, share) in zip(stages, ((0, 0.0), (0, 0.5), (1, 0.5), (2, 1.0)), strict=True):
            rates(q + share * stages[before] if share else q, part, stage, system.parameters)
        q = q + np.array([1.0, 2.0, 2.0, 1.0]) @ stages / 6.0
    return q


def displacement(system: System, q: FloatArray, there: FloatArray) -> FloatArray:
    """Return the displacement (n_v,) from q to positions nearby, by least squares if there are more positions than
    velocities.
    """
    rates = system.kernels.rates
    if rates is None:
        return there - q
    n, speeds = system.velocities, system.kernels.speeds
    if speeds is not None:
        found = np.empty(n)
        speeds(q, there - q, found, system.parameters)
        return found
    columns = np.empty((n, q.size))
    for unit, column in zip(np.eye(n), columns, strict=True):
        rates(q, unit, column, system.parameters)
    return np.asarray(np.linalg.lstsq(columns.T, there - q)[0], dtype=np.float64)
