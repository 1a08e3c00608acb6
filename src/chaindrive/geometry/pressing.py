"""Surfaces that come too close to each other for the rollers between them during a known motion.

The depth by which they are too close changes no faster than the surfaces move, so that its largest value can be found
without fine steps. Between two instants the depth exceeds the mean of its values at these instants by at most half the
distance that the surfaces move. An interval is halved only if this bound permits a new maximum (Shubert, SIAM J. Numer.
Anal. 9 (1972) 379).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["between_rails", "between_wheels", "facing", "rail_and_wheel", "sampled_depth"]

FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]
Over = Callable[[FloatArray], FloatArray]

FIRST = 17
"""Number of instants that are checked first."""
RESOLVED = 0.05
"""Distance by which the surfaces move in an interval that is not divided further, as a fraction of the smallest depth
that counts. [-]
"""
RELATIVE = 0.01
"""Relative accuracy of the largest depth. [-]"""
MOST_INSTANTS = 20_000
"""Largest number of instants that are checked."""
MOST_DISTANCES = 1_000_000
"""Number of distances computed at a time."""


def sampled_depth(depth: Over, way: Over, instants: FloatArray, least: float) -> tuple[FloatArray, FloatArray]:
    """Return instants, and the depths at these instants, that resolve the intervals in which the depth exceeds
    ``least``, and its maximum.

    depth: function that returns depths (T,) [m] at instants (T,) [s]; way: function that returns the distance by which
    the surfaces have moved so far [m]; instants: the initial instants, over the whole time of interest. Intervals in
    which the surfaces move by less than RESOLVED times ``least`` are not divided.
    """
    times, found = instants, depth(instants)
    while times.size < MOST_INSTANTS:
        gone = np.diff(way(times))
        bound = 0.5 * (found[:-1] + found[1:] + gone)
        unknown = (np.minimum(found[:-1], found[1:]) <= least) & (bound > least)
        deeper = bound > max(least, (1.0 + RELATIVE) * float(found.max()))
        halved = np.flatnonzero((gone > RESOLVED * least) & (unknown | deeper))
        if not halved.size:
            break
        middle = 0.5 * (times[halved] + times[halved + 1])
        times = np.insert(times, halved + 1, middle)
        found = np.insert(found, halved + 1, depth(middle))
    return times, found


def rail_and_wheel(surface: ComplexArray, centre: ComplexArray, reach: float) -> FloatArray:
    """Distance by which a wheel is too close to a rail for the rollers on it, (T,). [m]

    surface (T, n): surface of the rail, as a polyline; centre (T,): centre of the wheel; reach: distance between both
    at which a roller in a seat touches the rail. [m]
    """
    return np.asarray(reach - _distances(centre[:, None], surface)[0][:, 0])


def between_rails(one: ComplexArray, other: ComplexArray, reach: float) -> FloatArray:
    """Distance by which two rails are too close for the rollers between them, (T,). [m]

    one, other: surfaces of the rails as polylines, (T, n) and (T, m) [m]; reach: distance between them at which a
    roller touches both [m].
    """
    return np.asarray(reach - np.minimum(_nearest(one, other)[0], _nearest(other, one)[0]))


def facing(one: ComplexArray, other: ComplexArray) -> NDArray[np.bool_]:
    """Whether two surfaces, traversed with the material on the right, face each other at their nearest points, (T,)."""
    (first, ahead), (second, behind) = _nearest(one, other), _nearest(other, one)
    return np.where(first < second, ahead, behind)


def between_wheels(one: ComplexArray, other: ComplexArray, reach: float) -> FloatArray:
    """Distance by which two wheels are too close for a roller that sits in a gap of both, (T,). [m]

    one, other: centres of the wheels (T,) [m]; reach: sum of their pitch radii [m].
    """
    return np.asarray(reach - np.abs(one - other))


def _nearest(points: ComplexArray, surface: ComplexArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Smallest distance of points, (T, m), from a surface, and whether the nearest point is in front of it, (T,)
    each.
    """
    distance, front = _distances(points, surface)
    which = np.argmin(distance, axis=1)[:, None]
    return np.take_along_axis(distance, which, 1)[:, 0], np.take_along_axis(front, which, 1)[:, 0]


def _distances(points: ComplexArray, surface: ComplexArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Distances of points, (T, m), from polylines, (T, n), and whether they are in front of them, (T, m) each."""
    many = max(1, MOST_DISTANCES // (points.shape[1] * surface.shape[1]))
    parts = [_some_distances(points[k : k + many], surface[k : k + many]) for k in range(0, len(points), many)]
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def _some_distances(points: ComplexArray, surface: ComplexArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    start, step = surface[:, None, :-1], np.diff(surface, axis=1)[:, None, :]
    offset = points[:, :, None] - start
    turned = offset * step.conj()
    share = np.clip(turned.real / np.maximum(np.abs(step) ** 2, 1e-300), 0.0, 1.0)
    away = np.abs(offset - share * step)
    which = np.argmin(away, axis=2)[..., None]
    return np.take_along_axis(away, which, 2)[..., 0], np.take_along_axis(turned.imag, which, 2)[..., 0] > 0.0
