"""All contacts of the chain: rollers with teeth, plates with the sides of teeth, and joints with guides."""

from __future__ import annotations

from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.contact import FAR, gather, touch_teeth
from chaindrive.formulations.spatial.guides import touch_guide
from chaindrive.formulations.spatial.sides import plates
from chaindrive.formulations.spatial.sticking import release, side_rows, teeth_of
from chaindrive.kernels import kernel

__all__ = ["contacts"]


@kernel(inner=True)
def contacts(dy, p):
    """Compute the forces of wheels and guides on the links in ``p.link``, their resultants, and their powers in dy."""
    planar = p.planar
    for w in range(planar.wheels):
        p.thrust.x[w] = p.thrust.y[w] = p.thrust.z[w] = 0.0
        p.thrust.tilting_x[w] = p.thrust.tilting_y[w] = p.thrust.tilting_z[w] = 0.0
    for s in range(planar.used.segments[0]):
        first, end = planar.segment.first[s], planar.segment.end[s]
        slot = planar.segment.slot[s]
        if planar.segment.surface[s] >= planar.wheels:
            touch_guide(dy, p, s)
            continue
        while first < end:
            count = min(end - first, S.LANES)
            _some_rollers(dy, p, s, first, slot, count)
            first, slot = first + count, slot + count
    for w in range(planar.wheels):
        e = p.axes[w]
        planar.resultant.x[w], planar.resultant.y[w] = p.thrust.x[w], p.thrust.y[w]
        moment = p.thrust.tilting_x[w] * e[S.E3] + p.thrust.tilting_y[w] * e[S.E3 + 1]
        planar.resultant.moment[w] += moment + p.thrust.tilting_z[w] * e[S.E3 + 2]


@kernel(inner=True)
def _some_rollers(dy, p, segment, first, slot, count):
    """Compute all contacts of a wheel with a few rollers; slot: slot of the first of these rollers."""
    planar = p.planar
    w = planar.segment.surface[segment]
    touch_teeth(dy, p, segment, first, slot, count)
    if planar.segment.back[segment] != 0:
        return
    side, side_force, outer, outer_force = p.slot.side, p.slot.side_force, p.slot.outer, p.slot.outer_force
    teeth = teeth_of(planar, w, planar.segment.face[segment])
    inner, outside = side_rows(p, teeth)
    deepest = plates(dy, p, p.owner, w, teeth, first, slot, count, p.half_width, side, side_force, inner)
    if deepest < p.tooth.outer[teeth]:
        for k in range(slot, slot + count):
            outer[k], outer_force[k] = -FAR, 0.0
        if planar.elastic_friction:
            release(p, outside + first, count)
    else:
        gather(p, p.other, w, teeth, first, slot, count)
        plates(dy, p, p.other, w, teeth, first, slot, count, p.outer_half_width, outer, outer_force, outside)
