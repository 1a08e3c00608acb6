"""A slack length of chain that hangs between two points: the catenary of equal rigid links."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.elementary import exp
from chaindrive.geometry.roots import root_to_rounding

__all__ = ["hang"]

FloatArray = NDArray[np.float64]

STEEPEST = 0.35
"""Smallest sine of the angle between gravity and the line from start to end at which the chain is placed on a catenary.
Along a steeper line, a slack chain would pile up at its lower end, so it is placed on a shallow curve to one side
instead.
"""

SMALLEST = 1e-14
"""Accuracy of the logarithm of H and of V_0. [weight of one joint]"""


def hang(
    start: ArrayLike, end: ArrayLike, links: int, pitch: float, gravity: tuple[float, float], side: ArrayLike
) -> FloatArray | None:
    """Return the joints of a chain of rigid links at rest with the same weight at every joint, shape (links + 1, 2).
    [m]

    start, end: shape (2,) [m]; side: unit vector towards which the chain bends if gravity is zero or acts along the
    line from start to end. The tension in link i has the constant component H normal to gravity and the component V_i =
    V_0 + i along it, in weights of one joint. It has the direction of the link, so that the end is at sum P (H,
    V_i)/sqrt(H^2 + V_i^2), from which H and V_0 follow. Returns None when the links are too short to reach from start
    to end.
    """
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    distance = float(np.hypot(*(b - a)))
    total = links * pitch
    if links < 1 or distance > total * (1.0 + 1e-12):
        return None
    along = (b - a) / distance
    normal = np.array([-along[1], along[0]])
    size = float(np.hypot(*gravity))
    sine = float(np.dot(gravity, normal)) / size if size > 0.0 else 0.0
    up = -np.asarray(gravity, dtype=np.float64) / size if abs(sine) > STEEPEST else -normal * np.sign(normal @ side)
    across = np.array([up[1], -up[0]])
    across *= np.sign(across @ along)
    width, rise = float((b - a) @ across), float((b - a) @ up)
    if total - distance <= 1e-14 * total:
        direction = np.tile(along, (links, 1))
    else:
        horizontal, vertical = _solve(links, width / pitch, rise / pitch)
        tension = np.hypot(horizontal, vertical)
        direction = (horizontal / tension)[:, None] * across + (vertical / tension)[:, None] * up
    joints = np.vstack([a, a + pitch * np.cumsum(direction, axis=0)])
    joints[-1] = b
    return joints


def _solve(links: int, width: float, rise: float) -> tuple[float, FloatArray]:
    """Return H and V_i, shape (links,), in weights of one joint, for links of length 1 that span these horizontal and
    vertical distances.
    """
    number = np.arange(links, dtype=np.float64)
    steep = 2.0 * abs(rise) / width + 2.0

    def first(horizontal: float) -> float:
        def height(v0: float) -> float:
            v = v0 + number
            return float(np.sum(v / np.hypot(horizontal, v))) - rise

        low, high = -links - steep * horizontal, links + steep * horizontal
        while height(low) > 0.0 or height(high) < 0.0:
            low, high = 2.0 * low, 2.0 * high
        return root_to_rounding(height, low, high, SMALLEST)

    def reach(log_horizontal: float) -> float:
        horizontal = float(exp(log_horizontal))
        v = first(horizontal) + number
        return float(np.sum(horizontal / np.hypot(horizontal, v))) - width

    low, high = -8.0, 2.0
    while reach(low) > 0.0:
        low -= 4.0
    while reach(high) < 0.0 and high < 32.0:
        high += 4.0
    horizontal = float(exp(root_to_rounding(reach, low, high, SMALLEST) if high < 32.0 else high))
    v0 = first(horizontal)
    for _ in range(3):  # Newton, to rounding
        v = v0 + number
        t3 = np.hypot(horizontal, v) ** 3
        cross = -float(np.sum(horizontal * v / t3))
        jacobian = np.array([[float(np.sum(v * v / t3)), cross], [cross, float(np.sum(horizontal**2 / t3))]])
        t = np.hypot(horizontal, v)
        error = np.array([float(np.sum(horizontal / t)) - width, float(np.sum(v / t)) - rise])
        if abs(np.linalg.det(jacobian)) < 1e-280:
            break
        dh, dv = np.linalg.solve(jacobian, error)
        if not horizontal - dh > 0.0:
            break
        horizontal, v0 = horizontal - dh, v0 - dv
    return horizontal, v0 + number
