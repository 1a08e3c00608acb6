"""Check that teeth leave room for the rollers that enter and leave."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

import numpy as np

from chaindrive.geometry.profile import Profile, outline

__all__ = ["obstruction"]

POINTS = 4001
"""Number of points of a gap that are checked."""


@lru_cache
def obstruction(gap: Profile, teeth: int, pitch: float, roller_radius: float) -> float:
    """Return how far a tooth reaches into the path of a roller that enters or leaves its gap; negative if the roller
    passes freely. [m]

    Such a roller turns about the roller that is seated in the next gap, at a distance of one pitch. The part of the
    tooth above the line through both rollers must therefore not be further from the seated roller than pitch -
    roller_radius. The centre of the seated roller is on the pitch circle. Lengths in m.
    """
    half = pi / teeth
    radius = pitch / (2.0 * sin(half))
    points = outline(gap, POINTS)[POINTS // 2 :]
    height = (points[:, 0] * sin(half)) + (points[:, 1] - radius) * cos(half)
    from_next = points - [radius * sin(2.0 * half), radius * cos(2.0 * half)]
    above = np.hypot(*from_next.T)[height > 0.0]
    return float(above.max()) - pitch + roller_radius if above.size else -roller_radius
