"""Work on contacts between steps: their memory, the search for candidates, and the endings of a run that they cause.

Nothing here runs inside a trial stage. The kernels are called directly after an evaluation at the accepted state, so
that penetrations and approach speeds are in ``p.contact``. ``place`` and ``velocity`` contain the positions and
velocities of the rollers, as in contact.py.
"""

from __future__ import annotations

import math

from chaindrive.contract.status import Accepted
from chaindrive.formulations.planar.axles import in_its_plane, teeth_since_start, wheel_angle
from chaindrive.formulations.planar.cogs import beside_teeth, nearest_gap_of_cog
from chaindrive.formulations.planar.endings import CHAIN_JUMPED_TOOTH, CHAIN_LEFT_WHEEL, PENETRATION_TOO_DEEP
from chaindrive.formulations.planar.jumps import follow_mesh, forget_mesh, from_gap_squared, gaps_in_order
from chaindrive.geometry.kernels import FAR, lone_element
from chaindrive.kernels import index, kernel

UNCHANGED, LIMIT_CHANGED, REARRANGED, RHS_CHANGED = (int(each) for each in Accepted)
JUMPED, LEFT, TOO_DEEP = CHAIN_JUMPED_TOOTH.code, CHAIN_LEFT_WHEEL.code, PENETRATION_TOO_DEEP.code

SPEED_ALLOWANCE = 1.0
"""The next search is due before a roller could cross the margin at twice the present largest speed plus this allowance.
[m/s]"""

ON_THE_TOOTH = 0.4
"""Distance from the centre line of the nearest gap beyond which the search is repeated after every step, because the
roller is moving over a tooth and its gap is about to change. [teeth]
"""


@kernel(inner=True)
def update_impact_memory(p):
    """Store the approach speed of every contact that has begun, and delete it where contact has ended; return whether
    a contact has begun whose approach speed affects the force.

    The forces of the last evaluation do not change. The force of a contact that has ended is zero. The force of a
    contact that has begun was computed with the minimum impact speed, which gives the same ratio as the actual speed,
    clipped at 1 (``normal_force``).
    """
    turned = 0
    for k in range(p.used.slots[0]):  # most steps end here
        penetration = p.contact.penetration[k]
        turned += (penetration > 0.0) != (p.candidate.speed[k] > 0.0)
    begun = False
    if turned == 0:
        return begun
    for s in range(p.used.segments[0]):
        face, first = p.segment.face[s], p.segment.first[s]
        slot = p.segment.slot[s]
        for i in range(p.segment.end[s] - first):
            k = slot + i
            penetration = p.contact.penetration[k]
            if (penetration > 0.0) == (p.candidate.speed[k] > 0.0):
                continue
            # The floor keeps a roller that settles gently from getting an enormous damping rate.
            speed = max(p.contact.rate[k], p.speed_floor) if penetration > 0.0 else 0.0
            p.candidate.speed[k] = speed if p.stored_memory or speed == 0.0 else p.speed_floor
            p.impact_speed[face, first + i] = p.candidate.speed[k]
            begun = begun or (p.stored_memory and penetration > 0.0)
    return begun


@kernel(inner=True)
def too_deep(p):
    """Return whether any roller is pressed into a surface by more than that surface allows."""
    beyond = 0
    for s in range(p.used.segments[0]):
        slot = index(p.segment.slot[s])
        limit = p.surface.max_penetration[p.segment.surface[s]]
        for k in range(slot, slot + index(p.segment.end[s] - p.segment.first[s])):
            beyond += p.contact.penetration[k] > limit
    return beyond > 0


@kernel(inner=True)
def search_candidates(t, y, place, velocity, p):
    """Find all rollers that may touch a wheel or a guide before the next search, and keep or update their tooth gaps.

    The frames of all surfaces must be those of the state y. A roller keeps its gap while it is inside the tip circle of
    the wheel. Gaps are stored for each wheel and roller, because the ranges of two wheels may overlap. Outside the tip
    circle the nearest gap is taken. Where this gap changes, in the middle of a tooth, both gaps give the same distance,
    so that the contact force is continuous. Returns UNCHANGED or an ending. The endings are a wheel without rollers
    and, if jumps end the run, a chain that has jumped a tooth: neighbouring rollers are pressed into gaps that are not
    neighbours, or all rollers are in different gaps than before.
    """
    n = p.rollers
    fastest = 0.0
    for i in range(n):
        fastest = max(fastest, velocity[i] ** 2 + velocity[n + i] ** 2)
    moved = 0.0
    for s in range(p.surfaces):
        moved = max(moved, _surface_speed(p, s))
    speed = math.sqrt(fastest) + moved
    p.search.horizon[0] = p.search_margin / (2.0 * speed + SPEED_ALLOWANCE)
    p.search.due[0] = t + p.search.horizon[0]
    p.used.segments[0], p.used.slots[0] = 0, 0
    left = False
    for w in range(p.wheels):
        before = p.used.slots[0]
        _search_wheel(t, y, place, velocity, p, w)
        back = p.used.slots[0] - before
        for face in range(p.surfaces, p.faces):
            if p.face.surface[face] == w and p.face.cog[face] < 0:
                _search_face(p, face, back)
        for c in range(p.cog.wheel.size):
            if p.cog.wheel[c] == w:
                _search_cog(t, y, place, velocity, p, c)
        left = left or p.used.slots[0] == before
    for g in range(p.wheels, p.surfaces):
        _search_guide(place, p, g)
    if left:
        return LEFT
    jumped = follow_mesh(t, place, p)
    if p.stop_at_jump and (jumped > 0.0 or not gaps_in_order(p)):
        return JUMPED
    return UNCHANGED


@kernel(inner=True)
def _surface_speed(p, s):
    """Return the largest speed of a point of surface s, not counting the rotation of teeth about their wheel. [m/s]"""
    speed = math.sqrt(p.frame.vx[s] ** 2 + p.frame.vy[s] ** 2)
    if s >= p.wheels:
        middle = math.sqrt(p.surface.middle_x[s] ** 2 + p.surface.middle_y[s] ** 2)
        corner = math.sqrt(p.surface.length[s] ** 2 + p.surface.width[s] ** 2)
        speed += abs(p.frame.angular_velocity[s]) * (middle + corner)
    return speed


@kernel(inner=True)
def _search_wheel(t, y, place, velocity, p, w):
    """List the runs of rollers within reach of wheel w, and their gaps."""
    n, angle = index(p.rollers), wheel_angle(y, p, w)
    gaps, impact_speed, cx, cy = p.gap[w], p.impact_speed[w], p.frame.x[w], p.frame.y[w]
    reach = p.surface.reach[w] + p.search_margin
    reach_squared, tip_squared, teeth = reach * reach, p.wheel.tip[w] ** 2, p.wheel.teeth[w]
    beside = p.wheel.along[w] < math.inf
    turned = teeth_since_start(y, p, w) if beside else 0.0
    run = False
    for i in range(p.touching_first, p.touching_end):
        j = index(i)
        dx, dy = place[j] - cx, place[n + j] - cy
        distance_squared = dx * dx + dy * dy
        if distance_squared > reach_squared or (beside and not in_its_plane(p, w, i, turned)):
            gaps[j] = -1
            impact_speed[j] = 0.0
            run = False
            continue
        if gaps[j] < 0 or from_gap_squared(p, w, gaps[j], dx, dy) > tip_squared or beside_teeth(p, w, j):
            turn = (math.atan2(dy, dx) - angle) * teeth / (2.0 * math.pi)
            nearest = math.floor(turn + 0.5)
            gaps[j], aside = int(nearest) % teeth, turn - nearest
            if p.gap_shift.shape[0] > 0:
                gaps[j], aside = _nearest_shifted(p, w, gaps[j], dx, dy)
            if distance_squared < p.surface.reach[w] ** 2 and p.wheel.smooth[w] == 0:
                due = t + _time_to_next_gap(place, velocity, p, w, i, aside)
                p.search.due[0] = min(p.search.due[0], due)
        gap = p.wheel.gap[w] + gaps[j]
        slot = _take_slot(p, w, i, run, 0)
        p.candidate.cos[slot] = p.direction[gap, 0]
        p.candidate.sin[slot] = p.direction[gap, 1]
        if p.gap_shift.shape[0] > 0:
            p.candidate.x[slot], p.candidate.y[slot] = p.gap_shift[gap, 0], p.gap_shift[gap, 1]
        run = True


@kernel(inner=True)
def _nearest_shifted(p, w, gap, dx, dy):
    """Return the gap whose centre line is nearest to a roller [-], and the counter-clockwise offset of the roller from
    it [teeth].

    gap: a gap nearby, from which the search proceeds gap by gap towards the roller; dx, dy: position of the roller
    relative to the axis [m].
    """
    teeth, first = p.wheel.teeth[w], p.wheel.gap[w]
    c, s = p.frame.cos[w], p.frame.sin[w]
    x, y = c * dx + s * dy, c * dy - s * dx
    aside = _aside(p, first + gap, x, y)
    for _ in range(teeth):
        after = (gap + (1 if aside > 0.0 else -1)) % teeth
        there = _aside(p, first + after, x, y)
        if abs(there) >= abs(aside):
            break
        gap, aside = after, there
    return gap, aside / p.pitch


@kernel(inline=True)
def _aside(p, row, x, y):
    """Return the distance of a point in the frame of a wheel from the centre line of a gap, positive to
    the left. [m]
    """
    return p.direction[row, 0] * y - p.direction[row, 1] * x - p.gap_shift[row, 1]


@kernel(inner=True)
def _search_face(p, face, back):
    """List runs of the rollers of the wheel that was searched last, for another face of this wheel.

    back: number of rollers, which is the distance back to their slots on the previous face.
    """
    w, run = p.face.surface[face], False
    for i in range(p.rollers):
        if p.gap[w, i] < 0:
            p.impact_speed[face, i] = 0.0
            run = False
            continue
        slot = _take_slot(p, face, i, run, back)
        p.candidate.cos[slot] = p.candidate.cos[slot - back]
        p.candidate.sin[slot] = p.candidate.sin[slot - back]
        p.candidate.x[slot] = p.candidate.x[slot - back]
        p.candidate.y[slot] = p.candidate.y[slot - back]
        run = True


@kernel(inner=True)
def _search_cog(t, y, place, velocity, p, c):
    """List the runs of rollers within reach of an additional cog, and their gaps."""
    w = p.cog.wheel[c]
    face, angle, run = p.cog.face[c], wheel_angle(y, p, w), False
    for i in range(p.rollers):
        gap, aside = nearest_gap_of_cog(place, p, c, i, angle)
        if gap < 0:
            p.impact_speed[face, i] = 0.0
            run = False
            continue
        if abs(aside) < 1.0:
            p.search.due[0] = min(p.search.due[0], t + _time_to_next_gap(place, velocity, p, w, i, aside))
        slot, row = _take_slot(p, face, i, run, 0), p.cog.gap[c] + gap
        p.candidate.cos[slot], p.candidate.sin[slot] = p.direction[row, 0], p.direction[row, 1]
        p.candidate.x[slot] = p.candidate.y[slot] = 0.0
        run = True


@kernel(inner=True)
def _time_to_next_gap(place, velocity, p, w, i, aside):
    """Return the time for which a roller cannot reach the tooth beside the nearest gap of wheel w. [s]

    aside: offset of the roller from that gap [teeth]. As in the search, twice the speed of the roller away from the gap
    is assumed; a roller that moves towards the gap needs no search.
    """
    n = p.rollers
    dx, dy = place[i] - p.frame.x[w], place[n + i] - p.frame.y[w]
    radius = math.sqrt(dx * dx + dy * dy)
    vx, vy = velocity[i] - p.frame.vx[w], velocity[n + i] - p.frame.vy[w]
    away = (dx * vy - dy * vx) / radius - p.frame.angular_velocity[w] * radius
    speed = 2.0 * max(away if aside > 0.0 else -away, 0.0) + SPEED_ALLOWANCE
    return max(ON_THE_TOOTH - abs(aside), 0.0) * p.pitch / speed


@kernel(inner=True)
def _search_guide(place, p, g):
    """List the runs of rollers within reach of guide surface g, and the elements that face them."""
    n, surface, margin, impact_speed = index(p.rollers), p.surface, p.search_margin, p.impact_speed[g]
    first, end = p.surface.profile[g], p.surface.profile_end[g]
    touched = max(surface.reach[g], surface.depth[g])
    reach = touched + margin
    ca, sa, cx, cy = p.frame.cos[g], p.frame.sin[g], p.frame.x[g], p.frame.y[g]
    middle_x, middle_y, along_x, along_y = (
        surface.middle_x[g],
        surface.middle_y[g],
        surface.along_x[g],
        surface.along_y[g],
    )
    length, width = surface.length[g] + reach, surface.width[g] + reach
    run = False
    for i in range(p.touching_first, p.touching_end):
        j = index(i)
        dx, dy = place[j] - cx, place[n + j] - cy
        own_x, own_y = ca * dx + sa * dy, ca * dy - sa * dx
        off_x, off_y = own_x - middle_x, own_y - middle_y
        along = abs(off_x * along_x + off_y * along_y)
        across = abs(off_x * along_y - off_y * along_x)
        row = FAR
        if along <= length and across <= width:  # of the box around it
            row = lone_element(p.guide_profile, first, end, own_x, own_y, touched, margin)
        if row == FAR:
            impact_speed[j] = 0.0
            run = False
            continue
        _keep_element(p, _take_slot(p, g, i, run, 0), row)
        run = True


@kernel(inner=True)
def _keep_element(p, slot, row):
    """Store the row of the only element of a guide that faces the roller of a slot, or -1 if several may face it."""
    candidate, known = p.candidate, row >= 0
    candidate.element[slot] = row
    candidate.x[slot] = p.guide_profile[row, 0] if known else 0.0
    candidate.y[slot] = p.guide_profile[row, 1] if known else 0.0
    candidate.nx[slot] = p.guide_profile[row, 2] if known else 0.0
    candidate.ny[slot] = p.guide_profile[row, 3] if known else 0.0
    candidate.curvature[slot] = p.guide_profile[row, 4] if known else 0.0


@kernel(inner=True)
def _take_slot(p, face, i, run, back):
    """Return the next slot, for roller i at a face.

    A new segment begins unless ``run``, that is, unless the previous roller also has a slot.
    """
    used = p.used
    slot, surface = used.slots[0], p.face.surface[face]
    if not run:
        p.segment.surface[used.segments[0]] = surface
        p.segment.first[used.segments[0]], p.segment.slot[used.segments[0]] = i, slot
        p.segment.face[used.segments[0]], p.segment.back[used.segments[0]] = face, back
        used.segments[0] += 1
    p.segment.end[used.segments[0] - 1] = i + 1
    p.candidate.speed[slot] = p.impact_speed[face, i]
    p.candidate.friction[slot] = p.surface.friction[surface]
    p.candidate.hysteresis[slot] = p.surface.hysteresis[surface]
    p.candidate.viscous[slot] = p.surface.viscous[surface]
    p.candidate.speed_of_depth[slot] = p.surface.speed_of_depth[surface]
    used.slots[0] += 1
    return slot


@kernel(inner=True)
def forget_contacts(p):
    """Reset all contacts. No roller touches or sticks yet, and jumps are counted from the present position of the
    chain.
    """
    p.gap[:] = -1
    p.cog_gap[:] = -1
    p.impact_speed[:] = 0.0
    if not p.anchors_kept:
        p.anchored.held[:] = 0.0
    forget_mesh(p)


@kernel(inner=True)
def remember_pressed(p):
    """Mark rollers that press on a surface in the last evaluation although no impact was recorded."""
    for s in range(p.used.segments[0]):
        face, first = p.segment.face[s], p.segment.first[s]
        slot = p.segment.slot[s]
        for i in range(p.segment.end[s] - first):
            if p.contact.penetration[slot + i] > 0.0:
                speed = max(p.reference_speed, p.speed_floor)
                p.candidate.speed[slot + i] = speed
                p.impact_speed[face, first + i] = speed


@kernel(inner=True)
def remember_carried(p):
    """Mark the rollers that rigid contacts carried during the last step; remove all other marks."""
    for s in range(p.used.segments[0]):
        face, first = p.segment.face[s], p.segment.first[s]
        number = face * p.rollers + first
        for i in range(p.segment.end[s] - first):
            carried = p.rigid.normal[number + i] > 0.0
            p.impact_speed[face, first + i] = max(p.reference_speed, p.speed_floor) if carried else 0.0
