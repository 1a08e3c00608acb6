"""Interpolation in curves and maps, for user-defined laws."""

from __future__ import annotations

from typing import Any

from chaindrive.kernels import kernel

__all__ = ["interpolate", "interpolate_map"]


@kernel
def interpolate(x: Any, points: Any, values: Any) -> Any:
    """Interpolate linearly between points, with constant values beyond them; points (n,) increasing, values (n,), n >=
    1.
    """
    last = len(points) - 1
    if x <= points[0]:
        return values[0]
    if x >= points[last]:
        return values[last]
    low = _point_before(x, points)
    high = low + 1
    return values[low] + (values[high] - values[low]) * (x - points[low]) / (points[high] - points[low])


@kernel(inner=True)
def _point_before(x: Any, points: Any) -> Any:
    """Return the index of the last of increasing points that is not above x, leaving out the last point; 0 if all are
    above.
    """
    low, high = 0, len(points) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if points[middle] <= x:
            low = middle
        else:
            high = middle
    return low


@kernel
def interpolate_map(x: Any, y: Any, rows: Any, columns: Any, values: Any) -> Any:
    """Interpolate bilinearly between the points of a map, with constant values beyond its edges; rows (n,) of x and
    columns (m,) of y increasing, values (n, m), n >= 2.
    """
    low = _point_before(x, rows)
    high = low + 1
    part = (x - rows[low]) / (rows[high] - rows[low])
    part = 0.0 if part < 0.0 else part
    part = 1.0 if part > 1.0 else part
    below, above = interpolate(y, columns, values[low]), interpolate(y, columns, values[high])
    return below + part * (above - below)
