"""Interpolation for laws of one's own: a curve, a map."""

from __future__ import annotations

from typing import Any

from chaindrive.kernels import kernel

__all__ = ["interpolate", "interpolate_map"]


@kernel
def interpolate(x: Any, points: Any, values: Any) -> Any:
    """Linear between points, constant beyond them; points (n,) increasing, values (n,), n >= 1."""
    last = len(points) - 1
    if x <= points[0]:
        return values[0]
    if x >= points[last]:
        return values[last]
    low, high = 0, last
    while high - low > 1:
        middle = (low + high) // 2
        if points[middle] <= x:
            low = middle
        else:
            high = middle
    return values[low] + (values[high] - values[low]) * (x - points[low]) / (points[high] - points[low])


@kernel
def interpolate_map(x: Any, y: Any, rows: Any, columns: Any, values: Any) -> Any:
    """Bilinear between the points of a map, constant beyond; rows (n,) of x and columns (m,) of y increasing, values
    (n, m), n >= 2.
    """
    low, high = 0, len(rows) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if rows[middle] <= x:
            low = middle
        else:
            high = middle
    part = (x - rows[low]) / (rows[high] - rows[low])
    part = 0.0 if part < 0.0 else part
    part = 1.0 if part > 1.0 else part
    below, above = interpolate(y, columns, values[low]), interpolate(y, columns, values[high])
    return below + part * (above - below)
