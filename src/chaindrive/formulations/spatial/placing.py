"""Placement of links in space from the positions of their bushes.

It gives attitudes and velocities of the links, and the chain as placed on its wheels.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

from chaindrive.contract.states import FloatArray
from chaindrive.geometry.initial_configuration import InitialConfiguration

__all__ = ["bush_offsets", "link_attitudes", "link_velocities", "quaternions", "wheel_axes"]


def wheel_axes(tilt: tuple[float, float]) -> FloatArray:
    """Return the unit vectors of the frame of a wheel that is tilted about x, then about its own y [rad], as rows (3,
    3).
    """
    a, b = tilt
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, cos(a), -sin(a)], [0.0, sin(a), cos(a)]])
    about_y = np.array([[cos(b), 0.0, sin(b)], [0.0, 1.0, 0.0], [-sin(b), 0.0, cos(b)]])
    return np.ascontiguousarray((about_x @ about_y).T)


def bush_offsets(
    configuration: InitialConfiguration, axes: FloatArray, centres: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the distance of every bush from the plane of the drawing [m], (N,), and the direction of its axis, (N, 3).

    On a wheel, bushes are in its middle plane and parallel to its axis; between two wheels, distance and direction
    change evenly from bush to bush. axes (W, 3, 3): frames of the wheels; centres (W, 3) [m].
    """
    place, seat = configuration.roller_position, configuration.seat_wheel
    offset, direction = np.zeros(len(place)), np.zeros((len(place), 3))
    seated = np.flatnonzero(seat >= 0)
    for i in seated:
        normal, centre = axes[seat[i], 2], centres[seat[i]]
        offset[i] = centre[2] - normal[:2] @ (place[i] - centre[:2]) / normal[2]
        direction[i] = normal
    for one, other in zip(seated, np.roll(seated, -1), strict=True):
        count = (other - one) % len(place) or len(place)
        for k in range(1, count):
            share, i = k / count, (one + k) % len(place)
            offset[i] = (1.0 - share) * offset[one] + share * offset[other]
            direction[i] = (1.0 - share) * direction[one] + share * direction[other]
    return offset, direction / np.linalg.norm(direction, axis=1, keepdims=True)


def quaternions(along: FloatArray, axis: FloatArray) -> FloatArray:
    """Return quaternions (N, 4) of links that point along (N, 3), with pins as nearly along axis (N, 3) as possible."""
    from scipy.spatial.transform import Rotation

    x = along / np.linalg.norm(along, axis=1, keepdims=True)
    z = axis - (axis * x).sum(axis=1, keepdims=True) * x
    z /= np.linalg.norm(z, axis=1, keepdims=True)
    turn = Rotation.from_matrix(np.stack([x, np.cross(z, x), z], axis=2))
    return np.roll(turn.as_quat(), 1, axis=1)


def link_attitudes(bushes: FloatArray, axis: FloatArray, centre: FloatArray) -> FloatArray:
    """Return the coordinates of links whose bushes are at (N, 3) [m], each pointing to the next bush, (7 N,) as in
    chain.py.

    axis (N, 3): direction of the pin at every bush; centre (N, 2): centre of mass in the link, from its bush [m].
    """
    along = np.roll(bushes, -1, axis=0) - bushes
    between = axis + np.roll(axis, -1, axis=0)
    q = quaternions(along, between)
    return np.concatenate([(bushes + _turned(q, centre)).T.ravel(), q.T.ravel()])


def _turned(q: FloatArray, centre: FloatArray) -> FloatArray:
    """Return vectors (N, 2) in the plane of every link as vectors in space, (N, 3)."""
    from scipy.spatial.transform import Rotation

    own = np.column_stack([centre, np.zeros(len(centre))])
    return np.asarray(Rotation.from_quat(np.roll(q, -1, axis=1)).apply(own))


def link_velocities(state: FloatArray, bushes: FloatArray, velocity: FloatArray, centre: FloatArray) -> FloatArray:
    """Return the velocities (6 N,) of links with coordinates ``state`` (7 N,).

    They follow from positions and velocities of their bushes, (N, 3) [m, m/s]. Links do not turn about their length.
    """
    from scipy.spatial.transform import Rotation

    n = len(bushes)
    q = state[3 * n : 7 * n].reshape(4, n).T
    along = np.roll(bushes, -1, axis=0) - bushes
    faster = np.roll(velocity, -1, axis=0) - velocity
    rate = np.cross(along, faster) / (along**2).sum(axis=1, keepdims=True)
    moved = velocity + np.cross(rate, _turned(q, centre))
    own = Rotation.from_quat(np.roll(q, -1, axis=1)).inv().apply(rate)
    return np.concatenate([moved.T.ravel(), np.asarray(own).T.ravel()])
