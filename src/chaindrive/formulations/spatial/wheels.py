"""All contacts of the chain with its wheels: of rollers with teeth, and of plates with their sides."""

from __future__ import annotations

import numpy as np

from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.chain import whole
from chaindrive.formulations.spatial.contact import FAR, gather, see, touch_teeth
from chaindrive.formulations.spatial.sides import plates
from chaindrive.kernels import kernel

__all__ = ["wheel_contacts"]


@kernel(inner=True)
def wheel_contacts(dy, p):
    """Forces of wheels on the links into ``p.link``, their resultants on the wheels, their powers into dy."""
    planar = p.planar
    for w in range(planar.wheels):
        for column in range(S.THRUST_COLUMNS):
            p.thrust[w, column] = 0.0
    for s in range(planar.segments_used[P.USED_SEGMENTS]):
        first, end = planar.segment[s, P.SEGMENT_FIRST], planar.segment[s, P.SEGMENT_END]
        slot = planar.segment[s, P.SEGMENT_SLOT]
        while first < end:
            count = min(end - first, S.LANES)
            _some_rollers(dy, p, s, first, slot, count)
            first, slot = first + count, slot + count
    for w in range(planar.wheels):
        e = p.axes[w]
        moment = p.thrust[w, S.TILTING_X] * e[S.E3] + p.thrust[w, S.TILTING_Y] * e[S.E3 + 1]
        planar.resultant[w, P.RESULTANT_MOMENT] += moment + p.thrust[w, S.TILTING_Z] * e[S.E3 + 2]


@kernel(inner=True)
def _some_rollers(dy, p, segment, first, slot, count):
    """All contacts of a wheel with a few rollers, the first of which has that slot."""
    planar = p.planar
    w = planar.segment[segment, P.SEGMENT_SURFACE]
    touch_teeth(dy, p, segment, first, slot, count)
    if planar.segment[segment, P.SEGMENT_BACK] != 0:
        return
    if plates(dy, p, p.owner, w, first, slot, count, p.half_width, S.SLOT_SIDE) < p.tooth[w, S.TOOTH_OUTER]:
        for k in range(slot, slot + count):
            p.slot[S.SLOT_OUTER, k], p.slot[S.SLOT_OUTER_FORCE, k] = -FAR, 0.0
    else:
        gather(p, p.other, w, first, slot, count)
        see(p.near, whole(np.uintp(count)), p.axes[w])
        plates(dy, p, p.other, w, first, slot, count, p.outer_half_width, S.SLOT_OUTER)
