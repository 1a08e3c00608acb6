"""Direction of the contact force on a roller: the normal at the contact, computed from the positions at an instant."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.drawing.mechanism import poses_of
from chaindrive.geometry import guide as guides
from chaindrive.geometry.profile import table
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.rails import guide_profile
from chaindrive.mechanism.teeth import tooth_gap, tooth_wedge

__all__ = ["Places", "contact_normals"]

FloatArray = NDArray[np.float64]


class Places(NamedTuple):
    """Positions of wheels and bodies at F instants. None stands for the position as drawn, at all times."""

    wheel_angle: FloatArray
    """Angles of the wheels, (F, W). [rad]"""
    wheel_position: FloatArray | None = None
    """Centres of the wheels, (F, W, 2). [m]"""
    body_position: FloatArray | None = None
    """Centres of mass, (F, B, 2) [m]"""
    body_angle: FloatArray | None = None
    """Angles of the bodies, (F, B). [rad]"""


def contact_normals(drive: Any, rollers: ArrayLike, contact_surface: ArrayLike, places: Places) -> FloatArray:
    """Return the unit vector of the normal force on every roller, shape (F, N, 2); it is not-a-number without contact.

    rollers: centres, (F, N, 2) [m]; contact_surface: (F, N), the index of the wheel that touches the roller, with
    guides counted after the wheels, and -1 for none. The vector is the gradient of the distance from the surface,
    rotated with the surface. It is the normal used in the equations of motion, to the (single) precision of the
    channels. A roller on a wheel belongs to the gap whose centre line is nearest to it; for a wedged roller the result
    is the normal of the flank with the larger force.
    """
    centres = np.asarray(rollers, dtype=np.float64)
    touched = np.asarray(contact_surface)
    normals = np.full(centres.shape, np.nan)
    wheels = len(drive.wheels)
    for surface in range(wheels + len(drive.guides)):
        instant, roller = np.nonzero(touched == surface)
        if not instant.size:
            continue
        points = centres[instant, roller]
        if surface < wheels:
            normals[instant, roller] = _tooth_normals(drive, surface, points, places, instant)
        else:
            normals[instant, roller] = _guide_normals(drive, surface - wheels, points, places, instant)
    return normals


def _tooth_normals(drive: Any, w: int, points: FloatArray, places: Places, instant: NDArray[np.int64]) -> FloatArray:
    wheel, wedge = drive.wheels[w], tooth_wedge(drive, w)
    rows = table(tooth_gap(drive, w) if wedge is None else wedge.flank)
    moved = places.wheel_position
    seen = points - (np.asarray(wheel.position, dtype=np.float64) if moved is None else moved[instant, w])
    turned = places.wheel_angle[instant, w]
    polygon = drive_facts(drive).polygon_of(w)
    if polygon is None:
        pitch_angle = 2.0 * math.pi / wheel.teeth
        gap = turned + pitch_angle * np.rint((np.arctan2(seen[:, 1], seen[:, 0]) - turned) / pitch_angle)
    else:
        own = (seen @ (1.0, 1.0j)) * np.exp(-1j * turned)
        nearest = np.abs(own[:, None] - polygon.corners @ (1.0, 1.0j)).argmin(axis=1)
        gap = turned + polygon.direction[nearest]
        origin = (polygon.origins[nearest] @ (1.0, 1.0j)) * np.exp(1j * turned)
        seen = seen - np.column_stack([origin.real, origin.imag])
    ux, uy = np.cos(gap), np.sin(gap)
    side = ux * seen[:, 1] - uy * seen[:, 0]
    xi, eta = np.abs(side), ux * seen[:, 0] + uy * seen[:, 1]
    element = np.zeros(len(points), dtype=np.int64)
    for e in range(1, len(rows)):
        after = (xi - rows[e, 5]) * rows[e, 7] + (eta - rows[e, 6]) * rows[e, 8] > 0.0
        element[after] = e
    _, gx, gy = _distance(rows[element], xi, eta)
    gx = np.where(side >= 0.0, gx, -gx)
    # as in formulations/planar/contact.py: xi points along (-uy, ux), eta along (ux, uy)
    return np.stack([gy * ux - gx * uy, gy * uy + gx * ux], axis=1)


def _guide_normals(drive: Any, g: int, points: FloatArray, places: Places, instant: NDArray[np.int64]) -> FloatArray:
    guide = drive.guides[g]
    profile = guide_profile(guide, drive_facts(drive).route, 0.5 * drive.chain.roller_diameter, g)
    body = next((i for i, each in enumerate(drive.bodies) if each.name == guide.body), -1)
    origin, now, angle = np.zeros(2), np.zeros(2), np.zeros(len(points))
    if body >= 0:
        origin = now = poses_of(drive).drawing[body]
        if places.body_position is not None and places.body_angle is not None:
            now, angle = places.body_position[instant, body], places.body_angle[instant, body]
    rows = guides.table(profile, (float(origin[0]), float(origin[1])))
    c, s = np.cos(angle), np.sin(angle)
    dx, dy = (points - now).T
    x, y = c * dx + s * dy, c * dy - s * dx
    near, gx, gy = np.full(len(points), np.inf), np.zeros(len(points)), np.ones(len(points))

    def nearer(height: FloatArray, nx: FloatArray, ny: FloatArray, faces: NDArray[np.bool_]) -> None:
        better = faces & (np.abs(height) < near)
        near[better], gx[better], gy[better] = np.abs(height[better]), nx[better], ny[better]

    for row in rows:
        faces = ((x - row[5]) * row[7] + (y - row[6]) * row[8] >= -1e-12) & (
            (x - row[9]) * row[11] + (y - row[10]) * row[12] <= 1e-12
        )
        nearer(*_distance(row[None], x, y), faces)
    for place, out, turn in ((rows[0, 5:7], -rows[0, 7:9], 1.0), (rows[-1, 9:11], rows[-1, 11:13], -1.0)):
        ex, ey = x - place[0], y - place[1]
        length = np.hypot(ex, ey)
        front = (ex * out[0] + ey * out[1] > 1e-12) & (turn * (ex * out[1] - ey * out[0]) > 0.0)
        safe = np.where(length > 0.0, length, 1.0)
        nearer(length, ex / safe, ey / safe, front)
    return np.stack([c * gx - s * gy, s * gx + c * gy], axis=1)


def _distance(rows: FloatArray, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the signed distance from arcs and lines and its gradient, as ``geometry.kernels.distance`` does, for
    arrays.
    """
    ux, uy = x - rows[:, 0], y - rows[:, 1]
    nx, ny, curvature = rows[:, 2], rows[:, 3], rows[:, 4]
    vx, vy = nx + curvature * ux, ny + curvature * uy
    s = np.hypot(vx, vy)
    height = (curvature * (ux * ux + uy * uy) + 2.0 * (ux * nx + uy * ny)) / (1.0 + s)
    safe = np.where(s > 1e-300, s, 1.0)
    return height, np.where(s > 1e-300, vx / safe, nx), np.where(s > 1e-300, vy / safe, ny)
