"""Roots as accurate as rounding allows."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["root_to_rounding"]

MOST_ITERATIONS = 10_000
"""Limit of iterations: at the limit of rounding, Brent's method can bisect more often than its usual limit of 100."""


def root_to_rounding(function: Callable[[float], float], low: float, high: float, smallest: float) -> float:
    """Root of a function between two points where its signs differ, to rounding, or to ``smallest`` near zero.

    Raises ValueError if the signs do not differ.
    """
    from scipy.optimize import brentq

    return float(brentq(function, low, high, xtol=smallest, rtol=1e-15, maxiter=MOST_ITERATIONS))
