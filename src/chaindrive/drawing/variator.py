"""A variator seen from above: both pairs of sheaves in section along their axes, with the pins and links
of the chain.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.geometry.variator import groove_width
from chaindrive.mechanism.variator import loop_of

__all__ = ["Above", "above_of", "sheave_section"]

FloatArray = NDArray[np.float64]

RIM = 0.06
"""Thickness of a sheave at its rim as drawn, relative to its outer radius; a drive file does not contain it. [-]"""
PLATES = 0.72
"""Fraction of a pin that is covered by plates in the drawing. [-]"""


class Above(NamedTuple):
    """Coordinates seen from above [m]: along the line of centres from the centre of pair 0, and along the axes from the
    middle of the groove.
    """

    sheaves: tuple[FloatArray, ...]
    """Outlines of both sheaves of pair 0 and of pair 1: four arrays of shape (6, 2)"""
    pins: FloatArray
    """End points of the pins, (N, 2, 2)"""
    plates: FloatArray
    """Corners of the area covered by the plates of each link, (N, 4, 2)"""
    upper: NDArray[np.bool_]
    """Whether each link lies in the upper half of the loop, to the left of the line of centres, (N,)"""

    @property
    def half(self) -> float:
        """Half the extent along the axes. [m]"""
        return max(float(outline[:, 1].max()) for outline in self.sheaves)


def sheave_section(inner: float, outer: float, running: float, half_angle: float, pin_length: float) -> FloatArray:
    """Return the outline of the upper sheave of a pair, relative to its axis, (6, 2). [m]

    inner, outer: radii of the groove [m]; running: radius at which the pins run [m]; half_angle [rad]; pin_length [m].
    """
    face = [0.5 * groove_width(radius, running, half_angle, pin_length) for radius in (inner, outer)]
    back = face[1] + RIM * outer
    right = np.array([[inner, face[0]], [outer, face[1]], [outer, back]])
    return np.concatenate([right[::-1] * [-1.0, 1.0], right])


def above_of(drive: Any, pins: FloatArray) -> Above:
    """Return a variator with its pins at (N, 2) [m] and its sheaves as close together as in the placed chain."""
    loop, length = loop_of(drive), drive.chain.pins.length
    (x, y), (farther_x, farther_y) = (sheave.position for sheave in drive.sheaves)
    direction = np.array([farther_x - x, farther_y - y]) / loop.distance
    local = np.asarray(pins, dtype=np.float64) - [x, y]
    along, across = local @ direction, local @ [-direction[1], direction[0]]
    outlines = []
    for sheave, radius, middle in zip(drive.sheaves, loop.radii, (0.0, loop.distance), strict=True):
        section = sheave_section(sheave.inner_radius, sheave.outer_radius, radius, drive.chain.pins.half_angle, length)
        outlines += [section * [1.0, side] + [middle, 0.0] for side in (1.0, -1.0)]
    ends = np.stack([np.stack([along, np.full(along.size, side * 0.5 * length)], 1) for side in (-1.0, 1.0)], axis=1)
    behind = np.roll(along, -1)
    half = 0.5 * PLATES * length
    corners = [(along, -half), (behind, -half), (behind, half), (along, half)]
    plates = np.stack([np.stack([at, np.full(along.size, z)], axis=1) for at, z in corners], axis=1)
    return Above(tuple(outlines), ends, plates, across + np.roll(across, -1) >= 0.0)
