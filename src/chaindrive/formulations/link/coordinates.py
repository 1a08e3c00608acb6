"""Coordinates of the links, either Cartesian or along the trajectory of the chain. Nothing else differs between the
two.

Forces and accelerations of links are always computed in Cartesian coordinates. With path coordinates s, y and gamma
(Hippmann, Arnold & Schittenhelm 2005, section 2.2), the state is converted before the evaluation and the accelerations
are converted back after it.
"""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.geometry.trajectory_kernels import (
    acceleration_to_path,
    trajectory_point,
    velocity_to_plane,
)
from chaindrive.kernels import Kernel, kernel

__all__ = ["ALONG_THE_PATH", "CARTESIAN", "Coordinates"]


class Coordinates(NamedTuple):
    """Kernels that convert coordinates, to be inlined."""

    in_plane: Kernel
    """(y, p): returns the state y with Cartesian coordinates of the links"""
    last_in_plane: Kernel
    """(y, p): returns the same, but must be called directly after an evaluation at y"""
    to_coordinates: Kernel
    """(y, dy, p): converts accelerations of the links in dy to second derivatives of coordinates; called after
    ``in_plane``"""


@kernel(inline=True)
def _as_it_is(y, p):
    return y


@kernel(inline=True)
def _no_other(y, dy, p):
    """Do nothing, because accelerations are already second derivatives of the coordinates."""


@kernel(inline=True)
def _from_path(y, p):
    n, v = p.links, p.planar.layout.positions
    table, row, plane, point = p.path.table, p.path.row, p.path.plane, p.path.point
    for i in range(n):
        here = trajectory_point(table, row[i], y[i])
        row[i], x, z, angle, c, s, curvature, slope = here
        beside = y[n + i]
        plane[i], plane[n + i] = x - beside * s, z + beside * c
        plane[2 * n + i] = angle + y[2 * n + i] + p.path.turned[i]
        vx, vy, rate = velocity_to_plane(here, beside, y[v + i], y[v + n + i], y[v + 2 * n + i])
        plane[v + i], plane[v + n + i], plane[v + 2 * n + i] = vx, vy, rate
        point.cos[i], point.sin[i] = c, s
        point.curvature[i], point.slope[i] = curvature, slope
    return plane


@kernel(inline=True)
def _from_path_last(y, p):
    return p.path.plane


@kernel(inline=True)
def _to_path(y, dy, p):
    n, v = p.links, p.planar.layout.positions
    point = p.path.point
    for i in range(n):
        here = (
            0, 0.0, 0.0, 0.0, point.cos[i], point.sin[i],
            point.curvature[i], point.slope[i],
        )  # fmt: skip
        ax, ay, alpha = dy[v + i], dy[v + n + i], dy[v + 2 * n + i]
        along, across, turn = acceleration_to_path(here, y[n + i], y[v + i], y[v + n + i], ax, ay, alpha)
        dy[v + i], dy[v + n + i], dy[v + 2 * n + i] = along, across, turn


CARTESIAN = Coordinates(_as_it_is, _as_it_is, _no_other)
ALONG_THE_PATH = Coordinates(_from_path, _from_path_last, _to_path)
