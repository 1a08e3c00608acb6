"""The additional cogs of a cassette as the kernels read them, and the angles of their teeth relative to those of the
wheel.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from chaindrive.formulations.planar.parameters import IntArray
from chaindrive.formulations.planar.tables import Cogs
from chaindrive.geometry.profile import Profile
from chaindrive.geometry.route import pitch_radius
from chaindrive.kernels.tables import blank
from chaindrive.mechanism.teeth import cog_gap
from chaindrive.model import Drive

__all__ = ["Cassette", "cogs_of", "leading_angle"]


class Cassette(NamedTuple):
    """All additional cogs of a drive."""

    table: Cogs
    """table without their rows of directions, and ``band``"""
    profiles: tuple[Profile, ...]
    phases: tuple[float, ...]
    """directions of their gaps 0 in the frames of their wheels [rad]"""


def cogs_of(drive: Drive, order: IntArray, face: int) -> Cassette:
    """The additional cogs of all wheels.

    order (W,): +1 where gap numbers of a wheel increase along the chain, else -1; face: that of the first cog. Raises
    InputError for teeth that cannot be made.
    """
    listed = [(w, cog) for w, wheel in enumerate(drive.wheels) for cog in wheel.cogs]
    cogs, profiles, phases = blank(Cogs, len(listed)), [], []
    for c, (w, cog) in enumerate(listed):
        wheel, gap = drive.wheels[w], cog_gap(drive, w, cog)
        cogs.wheel[c], cogs.face[c], cogs.teeth[c] = w, face + c, cog.teeth
        cogs.tip[c], cogs.reach[c] = gap.tip_radius, gap.tip_radius + 0.5 * drive.chain.roller_diameter
        cogs.offset[c], cogs.height[c] = cog.offset, wheel.offset + cog.offset
        behind = (
            leading_angle(drive.chain.pitch, wheel.teeth, cog.teeth, cog.offset) if cog.phase is None else cog.phase
        )
        profiles.append(gap)
        phases.append(-float(order[w]) * behind)
    return Cassette(cogs, tuple(profiles), tuple(phases))


def leading_angle(pitch: float, teeth: int, other: int, apart: float) -> float:
    """Angle between gaps of two cogs with which a chain crosses from one to the other in a whole number of links. [rad]

    The chain leaves the larger cog at a gap, along the tangent to the pitch circle of the smaller one, and reaches a
    gap there after the smallest number of links that is longer than the tangent (Nagano, US 4889521 (1989)). pitch [m];
    apart: distance between their planes [m].
    """
    small, large = (float(pitch_radius(pitch, each)) for each in sorted((teeth, other)))
    tangent = math.sqrt(large**2 - small**2)
    spare = -math.hypot(tangent, apart) % pitch
    return math.acos(small / large) + spare / small
