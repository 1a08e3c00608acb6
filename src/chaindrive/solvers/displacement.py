"""Positions and the displacements between them: as many numbers as velocities, which may be fewer than positions."""

from __future__ import annotations

import numpy as np

from chaindrive.system import FloatArray, System

__all__ = ["displacement", "moved"]


def moved(system: System, q: FloatArray, step: FloatArray) -> FloatArray:
    """Positions (n_q,) that a displacement (n_v,) leads to from q: a unit of time with it as the velocity."""
    rates = system.kernels.rates
    if rates is None:
        return q + step
    rate = np.empty_like(q)
    rates(q, step, rate, system.parameters)
    middle = q + 0.5 * rate
    rates(middle, step, rate, system.parameters)
    return q + rate


def displacement(system: System, q: FloatArray, there: FloatArray) -> FloatArray:
    """The displacement (n_v,) from q to positions nearby, by least squares where there are more positions."""
    rates = system.kernels.rates
    if rates is None:
        return there - q
    n = system.velocities
    columns = np.empty((n, q.size))
    for unit, column in zip(np.eye(n), columns, strict=True):
        rates(q, unit, column, system.parameters)
    return np.asarray(np.linalg.lstsq(columns.T, there - q)[0], dtype=np.float64)
