"""What happens between steps: contact memory, the search for candidates, and the endings that physics gives a run.

Nothing here runs inside a trial stage. Called directly after an evaluation at the accepted state, so that penetrations
and approach speeds stand in ``p.contact`` (see system.py).
"""

from __future__ import annotations

import math

from chaindrive.formulations.roller.parameters import (
    CANDIDATE_COS,
    CANDIDATE_SIN,
    CANDIDATE_SPEED,
    CONTACT_PENETRATION,
    CONTACT_RATE,
    INDEX_GAP,
    INDEX_TEETH,
    LINK_TENSION,
    SEARCH_DUE,
    SEGMENT_END,
    SEGMENT_FIRST,
    SEGMENT_SLOT,
    SEGMENT_WHEEL,
    USED_SEGMENTS,
    USED_SLOTS,
    WHEEL_REACH,
    WHEEL_TIP,
    WHEEL_X,
    WHEEL_Y,
)
from chaindrive.kernels import kernel
from chaindrive.system import Accepted, Status

UNCHANGED, RHS_CHANGED = int(Accepted.UNCHANGED), int(Accepted.RHS_CHANGED)
JUMPED, LEFT = int(Status.CHAIN_JUMPED_TOOTH), int(Status.CHAIN_LEFT_WHEEL)
BROKEN, TOO_DEEP = int(Status.TENSION_ABOVE_BREAKING_LOAD), int(Status.PENETRATION_TOO_DEEP)

SPEED_ALLOWANCE = 1.0
"""The next search comes before a roller of twice today's largest speed plus this could cross the margin. [m/s]"""


@kernel
def accept(t, y, p):
    """Update contact memory at an accepted state; returns Accepted or a Status that ends the run."""
    changed, deepest = _impact_memory(p)
    if deepest > 0.5 * p.roller_radius:
        return TOO_DEEP
    if p.breaking_load < math.inf:
        tension = -math.inf
        for i in range(p.links):
            tension = max(tension, p.link[LINK_TENSION, i])
        if tension > p.breaking_load:
            return BROKEN
    if t >= p.search[SEARCH_DUE]:
        ending = search_candidates(t, y, p)
        if ending != UNCHANGED:
            return ending
        changed = True
    return RHS_CHANGED if changed else UNCHANGED


@kernel
def _impact_memory(p):
    """Store the approach speed of every contact that has begun, forget it where contact has ended.

    Returns whether anything changed, and the deepest penetration. [m]
    """
    turned, deepest = 0, 0.0
    for k in range(p.segments_used[USED_SLOTS]):  # most steps end here
        penetration = p.contact[CONTACT_PENETRATION, k]
        turned += (penetration > 0.0) != (p.candidate[CANDIDATE_SPEED, k] > 0.0)
        deepest = max(deepest, penetration)
    changed = False
    if turned == 0:
        return changed, deepest
    for s in range(p.segments_used[USED_SEGMENTS]):
        w, first, slot = p.segment[s, SEGMENT_WHEEL], p.segment[s, SEGMENT_FIRST], p.segment[s, SEGMENT_SLOT]
        for i in range(p.segment[s, SEGMENT_END] - first):
            k = slot + i
            penetration = p.contact[CONTACT_PENETRATION, k]
            if (penetration > 0.0) == (p.candidate[CANDIDATE_SPEED, k] > 0.0):
                continue
            # The floor keeps a roller that settles gently from getting an enormous damping rate.
            speed = max(p.contact[CONTACT_RATE, k], p.speed_floor) if penetration > 0.0 else 0.0
            p.candidate[CANDIDATE_SPEED, k] = speed if p.stored_memory or speed == 0.0 else p.speed_floor
            p.impact_speed[w, first + i] = p.candidate[CANDIDATE_SPEED, k]
            changed = changed or p.stored_memory
    return changed, deepest


@kernel
def search_candidates(t, y, p):
    """Find every roller that may touch a wheel before the next search, keep or renew its tooth gap.

    A roller keeps its gap while it is inside the tip circle of the wheel: gaps are remembered for each wheel and
    roller, because the reach of two wheels may overlap. Outside the tip circle the nearest gap is taken. Returns
    UNCHANGED or a Status: a wheel without rollers, or two neighbours pressed into gaps that are not neighbours.
    """
    n = p.links
    positions = 2 * n + p.wheels
    fastest = 0.0
    for i in range(n):
        fastest = max(fastest, y[positions + i] ** 2 + y[positions + n + i] ** 2)
    p.search[SEARCH_DUE] = t + p.search_margin / (2.0 * math.sqrt(fastest) + SPEED_ALLOWANCE)
    segments, slots = 0, 0
    for w in range(p.wheels):
        angle = y[2 * n + w]
        reach = p.wheel[w, WHEEL_REACH] + p.search_margin
        run = False
        for i in range(n):
            dx = y[i] - p.wheel[w, WHEEL_X]
            dy = y[n + i] - p.wheel[w, WHEEL_Y]
            distance_squared = dx * dx + dy * dy
            if distance_squared > reach * reach:
                p.gap[w, i] = -1
                p.impact_speed[w, i] = 0.0
                run = False
                continue
            if not run:
                p.segment[segments, SEGMENT_WHEEL], p.segment[segments, SEGMENT_FIRST] = w, i
                p.segment[segments, SEGMENT_SLOT] = slots
                segments += 1
                run = True
            teeth = p.wheel_index[w, INDEX_TEETH]
            if p.gap[w, i] < 0 or distance_squared > p.wheel[w, WHEEL_TIP] ** 2:
                turn = (math.atan2(dy, dx) - angle) * teeth / (2.0 * math.pi)
                p.gap[w, i] = int(math.floor(turn + 0.5)) % teeth  # noqa: RUF046 (a float in compiled code)
            gap = p.wheel_index[w, INDEX_GAP] + p.gap[w, i]
            p.candidate[CANDIDATE_COS, slots] = p.direction[gap, 0]
            p.candidate[CANDIDATE_SIN, slots] = p.direction[gap, 1]
            p.candidate[CANDIDATE_SPEED, slots] = p.impact_speed[w, i]
            slots += 1
            p.segment[segments - 1, SEGMENT_END] = i + 1
        if not run and (segments == 0 or p.segment[segments - 1, SEGMENT_WHEEL] != w):
            return LEFT
    p.segments_used[USED_SEGMENTS], p.segments_used[USED_SLOTS] = segments, slots
    return _gaps_in_order(p)


@kernel
def _gaps_in_order(p):
    """Neighbours that both press on a wheel sit in neighbouring gaps, or the chain has jumped a tooth."""
    n = p.links
    for w in range(p.wheels):
        teeth = p.wheel_index[w, INDEX_TEETH]
        for i in range(n):
            j = i + 1 if i + 1 < n else 0
            if p.impact_speed[w, i] > 0.0 and p.impact_speed[w, j] > 0.0:
                step = (p.gap[w, j] - p.gap[w, i]) % teeth
                if step != 1 and step != teeth - 1:
                    return JUMPED
    return UNCHANGED
