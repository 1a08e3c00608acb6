"""The motion of a roller relative to its tooth gap: path of its centre, and tangential speed relative to the tooth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from _pedersen.runs import Run
from chaindrive.geometry.kernels import gap_distance
from chaindrive.geometry.profile import table
from chaindrive.mechanism.teeth import tooth_gap


class InGap(NamedTuple):
    """Data of one roller while it touches wheels, otherwise not-a-number. Shapes (rows,)."""

    along: NDArray[np.float64]
    """Distance of the roller's centre from the centre line of the gap, positive counter-clockwise about the wheel.
    [m]
    """
    height: NDArray[np.float64]
    """Height of the roller's centre above the pitch circle. [m]"""
    slip: NDArray[np.float64]
    """Tangential speed relative to the tooth, positive counter-clockwise from the normal (Eq. 3.67). [m/s]"""
    penetration: NDArray[np.float64]
    """Penetration into the tooth. [m]"""


def in_gap(run: Run, roller: int, rows: slice) -> InGap:
    """Follow a roller. The run must contain the positions and velocities of the rollers and the angles of the
    wheels.
    """
    place, velocity = run.values("roller_position")[rows, roller], run.values("roller_velocity")[rows, roller]
    body = run.contact_surface[rows, roller]
    angle, angular_velocity = run.values("wheel_angle")[rows], run.values("wheel_speed")[rows]
    found = InGap(*(np.full(body.size, np.nan) for _ in InGap._fields))
    chain = run.drive.chain
    for w, wheel in enumerate(run.drive.wheels):
        surface = table(tooth_gap(run.drive, w))
        for k in np.flatnonzero(body == w):
            dx, dy = place[k] - np.array(wheel.position)
            gap = 2.0 * np.pi / wheel.teeth
            turned = np.arctan2(dy, dx) - angle[k, w]
            direction = angle[k, w] + gap * np.round(turned / gap)
            ux, uy = np.cos(direction), np.sin(direction)
            xi, eta = ux * dy - uy * dx, ux * dx + uy * dy
            phi, gx, gy = gap_distance(surface, xi, eta)
            nx, ny = gy * ux - gx * uy, gy * uy + gx * ux
            vx, vy = velocity[k, 0] + angular_velocity[k, w] * dy, velocity[k, 1] - angular_velocity[k, w] * dx
            found.along[k], found.height[k] = xi, eta - 0.5 * chain.pitch / np.sin(np.pi / wheel.teeth)
            found.slip[k], found.penetration[k] = vy * nx - vx * ny, 0.5 * chain.roller_diameter - phi
    return found
