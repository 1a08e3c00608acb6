"""Set the contact memory for a state from which a run, or a search for equilibrium, starts."""

from __future__ import annotations

from chaindrive.formulations.roller.accept import search_candidates
from chaindrive.formulations.roller.parameters import (
    CANDIDATE_SPEED,
    CONTACT_PENETRATION,
    SEARCH_ENERGY,
    SEGMENT_END,
    SEGMENT_FIRST,
    SEGMENT_SLOT,
    SEGMENT_WHEEL,
    USED_SEGMENTS,
)
from chaindrive.formulations.roller.record import energies
from chaindrive.formulations.roller.rhs import rhs
from chaindrive.kernels import kernel

SEATED_SPEED = 1.0
"""Impact speed given to rollers that are in contact at the start, for which none has been observed. [m/s]"""


@kernel
def begin(t, y, p):
    """Search candidates anew, mark the rollers that press on a tooth, and store the energy that the audit starts from.

    Returns Accepted.UNCHANGED or a Status as ``accept`` does.
    """
    p.gap[:] = -1
    p.impact_speed[:] = 0.0
    ending = search_candidates(t, y, p)
    rhs(t, y, p.derivative, p)
    for s in range(p.segments_used[USED_SEGMENTS]):
        w, first, slot = p.segment[s, SEGMENT_WHEEL], p.segment[s, SEGMENT_FIRST], p.segment[s, SEGMENT_SLOT]
        for i in range(p.segment[s, SEGMENT_END] - first):
            if p.contact[CONTACT_PENETRATION, slot + i] > 0.0:
                speed = SEATED_SPEED if p.stored_memory else p.speed_floor
                p.candidate[CANDIDATE_SPEED, slot + i] = speed
                p.impact_speed[w, first + i] = speed
    kinetic, elastic, gravity = energies(y, p)
    p.search[SEARCH_ENERGY] = kinetic + elastic + gravity
    return ending
