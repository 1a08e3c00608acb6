"""The pull along an open chain due to the loads and forces on its free ends and the weight of the chain itself."""

from __future__ import annotations

import math

import numpy as np

from chaindrive.elementary import cos, sin
from chaindrive.geometry.route import Route
from chaindrive.model import BodyEnd, Drive, FreeEnd, GroundEnd
from chaindrive.model.load_over_time import largest_load, lasting_load

__all__ = ["end_loads", "weight_pull"]


def end_loads(drive: Drive) -> float:
    """Return the weight of the loads on the free ends of an open chain plus the largest magnitudes of the forces on
    these ends. [N]
    """
    free = [end for end in drive.chain.ends or () if isinstance(end, FreeEnd)]
    forces = sum(largest_load(end.force.size) for end in free if end.force is not None)
    return forces + math.hypot(*drive.gravity) * sum(end.mass for end in free)


def weight_pull(drive: Drive, way: Route) -> float:
    """Return the force with which weight and forces on ends pull an open chain along its route, towards its second end.
    [N]

    It is the virtual work per advance ds of the chain: a load or force on a free end moves along its span, and the
    chain itself changes as if a piece ds were moved from its first end to the second. The long-term mean of
    time-dependent forces is used. The force is 0 if an end is held by the ground or a body, and for a closed chain,
    whose weight pulls in neither direction.
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
            pull += float((end.mass * gravity + _lasting(end)) @ way.span_direction[-number])
    return pull + drive.chain.link_mass / drive.chain.pitch * float(gravity @ (places[1] - places[0]))


def _lasting(end: FreeEnd) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the long-term force on an end, (2,). [N]"""
    if end.force is None:
        return np.zeros(2)
    direction = end.force.direction
    return lasting_load(end.force.size) * np.array([math.cos(direction), math.sin(direction)])


def _at(way: Route, wheel: int, angle: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the point on the circle of a wheel in a given direction from its centre. [m]"""
    found: np.ndarray[tuple[int], np.dtype[np.float64]] = way.centres[wheel] + way.radii[wheel] * np.array(
        [cos(angle), sin(angle)]
    )
    return found
