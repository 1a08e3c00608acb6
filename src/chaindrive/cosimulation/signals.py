"""Signals between communication points: polynomials in time through the values at these points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray

__all__ = ["Signals", "through"]


class Signals(NamedTuple):
    """Several signals over a step; each is the sum of coefficients[k] (t - since)^k."""

    since: float
    """[s]"""
    coefficients: FloatArray
    """(degree + 1, signals) [unit/s^k]"""

    def at(self, time: float) -> FloatArray:
        """Return the values at a time [s], (signals,)."""
        found = np.zeros(self.coefficients.shape[1])
        for each in self.coefficients[::-1]:
            found = found * (time - self.since) + each
        return found

    def rates(self, time: float) -> FloatArray:
        """Return the derivatives at a time [s], (signals,) [unit/s]."""
        powers = np.arange(1, len(self.coefficients))
        return Signals(self.since, powers[:, None] * self.coefficients[1:]).at(time)


def through(times: Sequence[float], values: FloatArray, since: float) -> Signals:
    """Return the polynomials through values (points, signals) at different times (points,) [s], in powers of t - since.

    They are found by Newton's divided differences, then converted to powers by Horner's scheme.
    """
    x = np.asarray(times, dtype=np.float64) - since
    slopes = np.array(values, dtype=np.float64)
    for k in range(1, x.size):
        slopes[k:] = (slopes[k:] - slopes[k - 1 : -1]) / (x[k:] - x[: x.size - k])[:, None]
    found = np.zeros_like(slopes)
    for k in range(x.size - 1, -1, -1):
        found[1:] = found[:-1] - x[k] * found[1:]
        found[0] = slopes[k] - x[k] * found[0]
    return Signals(since, found)
