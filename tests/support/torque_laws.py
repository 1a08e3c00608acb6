"""The law of a torque at many angles: a loop around the kernel, for each call from Python takes some 0.3 ms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from chaindrive.kernels import kernel
from chaindrive.mechanism.torque_kernels import torque_of


@kernel
def _at_angles(t: Any, angles: Any, speed: Any, p: Any, found: Any) -> None:
    for i in range(angles.size):
        found[i] = torque_of(t, angles[i], speed, 0.0, p, 0, 0)


def torques_at(t: float, angles: NDArray[np.float64], speed: float, packed: Any) -> NDArray[np.float64]:
    """Of the first torque on the first wheel, counter-clockwise. [N m]"""
    found = np.empty(angles.size)
    _at_angles(t, angles, speed, packed, found)
    return found
