"""The pull of weight along an open chain: of the loads on its free ends, and of the chain itself."""

from __future__ import annotations

import numpy as np

from chaindrive.geometry.route import Route
from chaindrive.model import BodyEnd, Drive, FreeEnd, GroundEnd

__all__ = ["weight_pull"]


def weight_pull(drive: Drive, way: Route) -> float:
    """Force with which weight pulls an open chain along its route, from its first end to the second. [N]

    Virtual work of gravity as the chain advances by ds: a load on a free end moves along its span, and of the chain it
    is as if a piece ds had gone from its first end to the second. 0 where an end is held by ground or a body, and of a
    closed chain, whose weight pulls neither way.
    """
    ends = drive.chain.ends
    if ends is None or not drive.wheels or any(isinstance(end, (GroundEnd, BodyEnd)) for end in ends):
        return 0.0
    gravity = np.asarray(drive.gravity, dtype=np.float64)
    places = [_at(way, 0, way.arrival_angle[0]), _at(way, -1, way.departure_angle[-1])]
    pull = 0.0
    for number, (end, place) in enumerate(zip(ends, (way.span_start, way.span_end), strict=True)):
        if isinstance(end, FreeEnd):
            places[number] = place[-number]
            pull += end.mass * float(gravity @ way.span_direction[-number])
    return pull + drive.chain.link_mass / drive.chain.pitch * float(gravity @ (places[1] - places[0]))


def _at(way: Route, wheel: int, angle: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The point of the circle of a wheel in a direction from its centre. [m]"""
    found: np.ndarray[tuple[int], np.dtype[np.float64]] = way.centres[wheel] + way.radii[wheel] * np.array(
        [np.cos(angle), np.sin(angle)]
    )
    return found
