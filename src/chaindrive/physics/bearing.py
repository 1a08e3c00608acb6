"""What the bearing of a wheel holds against its turning."""

from __future__ import annotations

import math

from chaindrive.kernels import kernel

__all__ = ["BEARING_SPEED", "bearing_moment"]

BEARING_SPEED = 1e-2
"""Speed scale below which Coulomb friction of a bearing is smoothed. [rad/s]"""


@kernel(inline=True)
def bearing_moment(turning, damping, friction):
    """Viscous and Coulomb friction of a bearing: c w + M tanh(w / BEARING_SPEED). [N m]

    turning w [rad/s], damping c [N m s/rad], friction M [N m].
    """
    moment = damping * turning
    if friction > 0.0:
        moment += friction * math.tanh(turning / BEARING_SPEED)
    return moment
