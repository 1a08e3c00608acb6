"""An eccentric mass that turns with its wheel."""

from __future__ import annotations

import math

from chaindrive.kernels import kernel

__all__ = ["mass_moment"]


@kernel(inline=True)
def mass_moment(angle, x, y):
    """Mass times the position of the centre of mass relative to the axis, in global directions. [kg m]

    angle of the wheel [rad]; x, y: the same product in the frame of the wheel [kg m].
    """
    c, s = math.cos(angle), math.sin(angle)
    return c * x - s * y, s * x + c * y
