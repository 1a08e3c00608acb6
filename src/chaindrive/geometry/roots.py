"""Roots as accurate as rounding allows."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["root_to_rounding"]

MOST_ITERATIONS = 10_000
"""Where a sum has no more digits to give, Brent's method halves for longer than its usual limit of 100 times."""


def root_to_rounding(function: Callable[[float], float], low: float, high: float, smallest: float) -> float:
    """Root of a function between two places where its signs differ, to rounding, or to ``smallest`` near zero.

    Raises ValueError where the signs do not differ.
    """
    from scipy.optimize import brentq

    return float(brentq(function, low, high, xtol=smallest, rtol=1e-15, maxiter=MOST_ITERATIONS))
