"""Elementary functions of arrays, computed element by element with the mathematical library of the system.

On processors with AVX-512, numpy uses its own vector code, whose results differ in the last bits. The start of a run is
computed with these functions so that its results are the same on every processor.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["arcsin", "arctan2", "cos", "exp", "power", "rotated", "sin"]


def _by_element(function: Callable[..., float], *values: ArrayLike) -> Any:
    """Return a function applied element by element.

    The result has the common shape of the values, and is a number if all values are numbers.
    """
    arrays = np.broadcast_arrays(*(np.asarray(each, dtype=np.float64) for each in values))
    shape, size = arrays[0].shape, arrays[0].size
    elements = map(function, *(each.ravel().tolist() for each in arrays))
    return np.fromiter(elements, np.float64, size).reshape(shape)[()]


def sin(angle: ArrayLike) -> Any:
    """Sine of angles [rad]."""
    return _by_element(math.sin, angle)


def cos(angle: ArrayLike) -> Any:
    """Cosine of angles [rad]."""
    return _by_element(math.cos, angle)


def arcsin(ratio: ArrayLike) -> Any:
    """Angles from -pi/2 to pi/2 with these sines [rad]; ValueError for a ratio outside -1 to 1."""
    return _by_element(math.asin, ratio)


def arctan2(y: ArrayLike, x: ArrayLike) -> Any:
    """Angles of the vectors (x, y), from -pi to pi [rad]."""
    return _by_element(math.atan2, y, x)


def exp(exponent: ArrayLike) -> Any:
    """The number e raised to these powers; OverflowError for an exponent above 709."""
    return _by_element(math.exp, exponent)


def power(base: ArrayLike, exponent: ArrayLike) -> Any:
    """Bases raised to these powers; ValueError for a fractional power of a negative base."""
    return _by_element(math.pow, base, exponent)


def rotated(vectors: NDArray[np.float64], angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Vectors (n, 2), each rotated counter-clockwise by its angle (n,) [rad]."""
    c, s = cos(angles), sin(angles)
    return np.column_stack([c * vectors[:, 0] - s * vectors[:, 1], s * vectors[:, 0] + c * vectors[:, 1]])
