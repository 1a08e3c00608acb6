"""Teeth of a cassette that are shaped for shifts: how low they are, and how far their tips are set aside.

They stand for the ramps, bevels and cut teeth of real cassettes. Those of a cog serve the shifts between it and the
next smaller one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from chaindrive.formulations.spatial import parameters as S
from chaindrive.model import Drive
from chaindrive.model.cog import Gate

__all__ = ["put_gates"]


class _Ring(NamedTuple):
    """The teeth of a wheel itself, or of one of its cogs."""

    offset: float
    teeth: int
    first: int
    """row of ``planar.direction`` of its gap 0"""
    tip: float
    gates: tuple[Gate, ...]


def put_gates(p: S.Parameters, drive: Drive) -> None:
    """Write the teeth of all cogs of cassettes into ``p.cut``."""
    for w, wheel in enumerate(drive.wheels):
        if not wheel.cogs:
            continue
        order = int(p.planar.wheel.order[w])
        rings = sorted(_rings(p, drive, w), key=lambda ring: ring.offset)
        for number, ring in enumerate(rings):
            p.cut.tip[ring.first : ring.first + ring.teeth] = ring.tip
            side = _towards_smaller(rings, number)
            for gate in ring.gates:
                for k in range(gate.tooth, gate.tooth + gate.teeth):
                    row = ring.first + (k if order < 0 else -1 - k) % ring.teeth
                    p.cut.lean[row], p.cut.tip[row] = side * gate.lean, ring.tip - gate.depth


def _towards_smaller(rings: list[_Ring], number: int) -> float:
    """On which side of a cog the next smaller one is: +1, -1; +1 where neither neighbour is smaller."""
    smaller = [other for other in rings[max(number - 1, 0) : number + 2] if other.teeth < rings[number].teeth]
    return math.copysign(1.0, smaller[0].offset - rings[number].offset) if smaller else 1.0


def _rings(p: S.Parameters, drive: Drive, w: int) -> list[_Ring]:
    planar, wheel = p.planar, drive.wheels[w]
    rings = [_Ring(0.0, wheel.teeth, int(planar.wheel.gap[w]), float(p.tooth.tip[w]), wheel.gates)]
    for c, cog in zip(np.flatnonzero(planar.cog.wheel == w), wheel.cogs, strict=True):
        rings.append(_Ring(cog.offset, cog.teeth, int(planar.cog.gap[c]), float(planar.cog.tip[c]), cog.gates))
    return rings
