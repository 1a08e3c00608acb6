"""Roots as accurate as rounding allows."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["root_to_rounding"]

MOST_ITERATIONS = 10_000
"""Largest number of iterations: close to rounding, Brent's method may need more than the usual limit of 100."""


def root_to_rounding(function: Callable[[float], float], low: float, high: float, smallest: float) -> float:
    """Return the root of a function between two points at which its signs differ, to rounding, or to ``smallest`` near
    zero.

    Raises ValueError if the signs do not differ.
    """
    from scipy.optimize import brentq

    return float(brentq(function, low, high, xtol=smallest, rtol=1e-15, maxiter=MOST_ITERATIONS))
