"""Teeth of a cassette that are shaped for shifts: how low they are, and how far their tips are offset sideways.

They represent the ramps, bevels and cut teeth of real cassettes. The shaped teeth of a cog serve the shift between it
and the next smaller cog. By default they are shaped for a shift away from the wheel on which the chain is placed:

- For a shift onto the larger cog, a tooth leans towards the chain and picks it up where the links between both cogs
  fit. The other teeth are placed so that the chain passes beside them.
- For a shift onto the smaller cog, most teeth lean towards that cog and so hold a chain that is pulled there. Some
  teeth lean away instead and release the chain where the links fit.

How far they lean follows from the lateral offset of the chain where it meets their tips (``Approach``).

The chain takes five links to cross over, because it bends sideways by only a few degrees per joint. It runs over the
tips of the larger cog, then along the tangent to the pitch circle of the smaller cog. In Nagano (US 4889521 (1989)) it
takes only two links, along the tangent alone, where the larger cog is hollowed out for the plates.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from chaindrive.formulations.planar.parameters import FloatArray
from chaindrive.formulations.spatial import parameters as S
from chaindrive.geometry.route import pitch_radius
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive
from chaindrive.model.cog import Gate

__all__ = ["Ring", "gates_away", "lead_over_tips", "put_gates"]

SPARE = 0.1
"""Margin by which tips are farther from the plates than necessary, between or beside them, relative to half the inner
width. [-]"""
RELEASED = 3
"""Number of teeth that release the chain. [-]"""
LEAST_SECTOR = 9
"""Smallest number of teeth in a sector. One place where the links fit is used in each sector. [-]"""


class Ring(NamedTuple):
    """The teeth of a wheel itself or of one of its cogs."""

    offset: float
    """distance from the plane of the wheel [m]"""
    teeth: int
    tip: float
    """radius [m]"""
    behind: float
    """angle by which its gap 0 lies behind that of the wheel, against the direction of rotation [rad]"""
    first: int = 0
    """row of ``planar.direction`` for its gap 0"""
    gates: tuple[Gate, ...] | None = None


class Approach(NamedTuple):
    """The approach of the chain to a wheel with cogs, and positions of tips relative to the plates of the chain."""

    distance: float
    """distance from the axis of the previous wheel to the axis of this wheel [m]"""
    radius: float
    """radius of the pitch circle of the previous wheel; negative if the chain bends the same way around
    both wheels [m]"""
    room: float
    """half the inner width of the chain [m]"""
    between: float
    """largest distance of a tip from the middle plane of the chain at which it fits between the plates [m]"""
    beside: float
    """smallest distance of a tip from this plane at which it stays beside the plates [m]"""

    def aside(self, apart: float, lying: float, tip: float) -> float:
        """Return the distance of the chain from the plane of the cog on which it lies, where it passes the tip circle
        of the larger of the two cogs. [m]

        The chain lies on the pitch circle of its cog, and runs straight from the previous wheel, which is in the plane
        of the other cog. apart: distance between the planes; lying, tip: radii of this pitch circle and of this tip
        circle [m].
        """
        free = math.sqrt(max(self.distance**2 - (lying + self.radius) ** 2, tip**2 - lying**2))
        return apart * math.sqrt(tip**2 - lying**2) / free

    def lean(self, aside: float, to: float) -> float:
        """Return how far tips lean towards a chain beside them, so that they have a given position relative to it. [m]

        aside: distance of the chain; to: position of the tips relative to the chain. The result is at most half the
        inner width of the chain.
        """
        return min(max(aside - to, -self.room), self.room)


def put_gates(p: S.Parameters, drive: Drive) -> None:
    """Write the shapes of the teeth of all cogs of cassettes into ``p.cut``."""
    for w, wheel in enumerate(drive.wheels):
        if not wheel.cogs:
            continue
        order = int(p.planar.wheel.order[w])
        rings = sorted(_rings(p, drive, w), key=lambda ring: ring.offset)
        approach = _approach(p, drive, w)
        for number, ring in enumerate(rings):
            p.cut.tip[ring.first : ring.first + ring.teeth] = ring.tip
            smaller = _next_smaller(rings, number)
            side = math.copysign(1.0, smaller.offset - ring.offset) if smaller is not None else 1.0
            gates = ring.gates
            if gates is None:
                gates = () if smaller is None else gates_away(drive.chain.pitch, approach, ring, smaller)
            for gate in gates:
                for k in range(gate.tooth, gate.tooth + gate.teeth):
                    row = ring.first + (k if order < 0 else -1 - k) % ring.teeth
                    p.cut.lean[row], p.cut.tip[row] = side * gate.lean, ring.tip - gate.depth


def _approach(p: S.Parameters, drive: Drive, w: int) -> Approach:
    facts = drive_facts(drive)
    before = (w - facts.direction) % len(drive.wheels)
    radius = float(pitch_radius(drive.chain.pitch, drive.wheels[before].teeth))
    tip = float(p.tooth.half[w] - p.tooth.slope[w] * (p.tooth.tip[w] - p.tooth.full[w]))
    spare = SPARE * p.half_width
    return Approach(
        math.dist(drive.wheels[w].position, drive.wheels[before].position),
        -radius if facts.signs[before] == facts.signs[w] else radius,
        p.half_width,
        p.half_width - tip - spare,
        p.half_width + p.chamfer + tip + spare,
    )


def _rings(p: S.Parameters, drive: Drive, w: int) -> list[Ring]:
    planar, wheel = p.planar, drive.wheels[w]
    order = int(planar.wheel.order[w])
    rings = [Ring(0.0, wheel.teeth, float(p.tooth.tip[w]), 0.0, int(planar.wheel.gap[w]), wheel.gates)]
    for c, cog in zip(np.flatnonzero(planar.cog.wheel == w), wheel.cogs, strict=True):
        first = int(planar.cog.gap[c])
        behind = -order * math.atan2(planar.direction[first, 1], planar.direction[first, 0])
        rings.append(Ring(cog.offset, cog.teeth, float(planar.cog.tip[c]), behind, first, cog.gates))
    return rings


def _next_smaller(rings: list[Ring], number: int) -> Ring | None:
    """Return the next smaller cog beside a cog, or the first if there are two; None if there is none."""
    beside = rings[max(number - 1, 0) : number + 2]
    return next((other for other in beside if other.teeth < rings[number].teeth), None)


def gates_away(pitch: float, approach: Approach, large: Ring, small: Ring) -> tuple[Gate, ...]:
    """Return the shaped teeth of a cog for the shift between it and a smaller cog beside it.

    The shift leads away from the wheel. pitch: pitch of the chain [m].
    """
    lead = lead_over_tips(pitch, small.teeth, large.teeth, large.tip)
    apart, climbs = abs(large.offset - small.offset), abs(large.offset) > abs(small.offset)
    lying = float(pitch_radius(pitch, small.teeth if climbs else large.teeth))
    come = approach.aside(apart, lying, large.tip)
    aside = apart - come if climbs else come
    within, without = approach.lean(aside, approach.between), approach.lean(aside, approach.beside)
    if climbs:
        caught = (Gate(tooth=gap, lean=within) for gap in _fitting(large, small, -lead))
        return (Gate(tooth=0, teeth=large.teeth, lean=without), *caught)
    behind = ((gap + 1) % large.teeth for gap in _fitting(large, small, lead))  # a link still straddles the first tooth
    released = (Gate(tooth=tooth, teeth=RELEASED, lean=without) for tooth in behind)
    return (Gate(tooth=0, teeth=large.teeth, lean=within), *released)


def lead_over_tips(pitch: float, teeth: int, other: int, tip: float) -> float:
    """Return the angle from a gap of the larger of two cogs to the roller on the smaller cog that is five links ahead.
    [rad]

    Two links climb to the tips of the larger cog, one link follows the tips, and then the chain runs along the tangent
    to the pitch circle of the smaller cog. tip: radius of the tips [m]; pitch [m].
    """
    small, large = (float(pitch_radius(pitch, each)) for each in sorted((teeth, other)))
    radii = (large, 0.5 * (large + tip), tip, tip)
    turned = sum(math.acos((one**2 + two**2 - pitch**2) / (2.0 * one * two)) for one, two in pairwise(radii))
    tangent = math.sqrt(tip**2 - small**2)
    return turned + math.acos(small / tip) + (2.0 * pitch - tangent) / small


def _fitting(large: Ring, small: Ring, behind: float) -> list[int]:
    """Return one gap of the larger cog in every sector: the gap for which a gap of the smaller cog lies most nearly at
    the angle ``behind`` [rad] behind it.

    The number of sectors is the difference of the numbers of teeth, or what ``LEAST_SECTOR`` allows if that is less.
    """
    angle = large.behind + 2.0 * np.pi * np.arange(large.teeth) / large.teeth
    apart = 2.0 * np.pi / small.teeth
    off = (angle + behind - small.behind) % apart
    misfit: FloatArray = np.minimum(off, apart - off)
    sectors = max(min(large.teeth - small.teeth, large.teeth // LEAST_SECTOR), 1)
    turn = (np.arange(large.teeth) - int(np.argmin(misfit))) / large.teeth + 0.5 / sectors
    sector = np.floor(turn % 1.0 * sectors).astype(int)
    found = (np.flatnonzero(sector == k) for k in range(sectors))
    return [int(gaps[np.argmin(misfit[gaps])]) for gaps in found]
