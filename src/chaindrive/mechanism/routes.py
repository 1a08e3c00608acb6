"""The route of a drive around circles on its wheels, for a closed chain or between the ends of an open chain."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.open_route import RouteEnd, open_route
from chaindrive.geometry.route import Route, route
from chaindrive.model import BodyEnd, Drive, GroundEnd, WheelEnd

__all__ = ["route_around"]


def route_around(
    drive: Drive, centres: NDArray[np.float64], radii: NDArray[np.float64], signs: NDArray[np.int64]
) -> Route:
    """Return the route around circles with centres (W, 2) and radii (W,) [m]; signs (W,): ``facts.turning_signs``.

    The ends of an open chain are where they are drawn. Raises InputError if there is no route.
    """
    chain = drive.chain
    if chain.ends is None:
        return route(centres, radii, signs, drive.gravity)
    ends = _route_end(drive, 0), _route_end(drive, 1)
    teeth = [wheel.teeth for wheel in drive.wheels]
    return open_route(centres, radii, signs, teeth, ends, chain.links, chain.mean_pitch)


def _route_end(drive: Drive, index: int) -> RouteEnd:
    """Return the beginning (0) or the end (1) of the route of an open chain."""
    assert drive.chain.ends is not None
    end = drive.chain.ends[index]
    if isinstance(end, WheelEnd):
        return RouteEnd(on_wheel=end.angle)
    if isinstance(end, (GroundEnd, BodyEnd)):
        return RouteEnd(point=end.position)
    if end.position is not None:
        return RouteEnd(point=end.position)
    if end.direction is not None:
        return RouteEnd(towards=(math.cos(end.direction), math.sin(end.direction)))
    size = math.hypot(*drive.gravity)
    if not size > 0.0:
        message = "is missing: without gravity the direction of the chain to this end is undefined"
        raise InputError(Problem(f"chain.ends[{index}].direction", message))
    return RouteEnd(towards=(drive.gravity[0] / size, drive.gravity[1] / size))
