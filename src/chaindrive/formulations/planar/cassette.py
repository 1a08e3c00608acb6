"""The additional cogs of a cassette in the form that the kernels read, and the angles between their teeth and the
wheel's.
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
    """table without the rows of directions of the cogs, and without ``band``"""
    profiles: tuple[Profile, ...]
    phases: tuple[float, ...]
    """directions of gap 0 of the cogs in the frames of their wheels [rad]"""


def cogs_of(drive: Drive, order: IntArray, face: int) -> Cassette:
    """Return the additional cogs of all wheels.

    order (W,): +1 if the gap numbers of a wheel increase along the chain, otherwise -1; face: index of the face of the
    first cog. Raises InputError for teeth that cannot be made.
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
    """Return the angle between gaps of two cogs at which a chain can cross between them in a whole number of links.
    [rad]

    The chain leaves the larger cog at a gap, along the tangent to the pitch circle of the smaller cog. It reaches a gap
    there after the smallest whole number of links that is longer than the tangent (Nagano, US 4889521 (1989)). pitch
    [m]; apart: distance between the planes of the cogs [m].
    """
    small, large = (float(pitch_radius(pitch, each)) for each in sorted((teeth, other)))
    tangent = math.sqrt(large**2 - small**2)
    spare = -math.hypot(tangent, apart) % pitch
    return math.acos(small / large) + spare / small
