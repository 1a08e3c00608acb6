"""Set the contact memory for a state from which a run, or a search for equilibrium, starts."""

from __future__ import annotations

from chaindrive.formulations.roller.accept import JUMPED, UNCHANGED, search_candidates
from chaindrive.formulations.roller.carriers import Carrying
from chaindrive.formulations.roller.jumps import forget_mesh, gaps_in_order
from chaindrive.formulations.roller.parameters import (
    CANDIDATE_SPEED,
    CONTACT_PENETRATION,
    SEARCH_ENERGY,
    SEGMENT_END,
    SEGMENT_FIRST,
    SEGMENT_SLOT,
    SEGMENT_SURFACE,
    USED_SEGMENTS,
)
from chaindrive.kernels import Kernel, kernel


def beginning(rhs: Kernel, energies: Kernel, carrying: Carrying) -> Kernel:
    """The kernel that sets the memory, compiled around the kernels of what carries the chain (variants.py)."""
    frames, start = carrying.frames, carrying.start

    @kernel
    def begin(t, y, p):
        """Search candidates anew, mark rollers that press on a surface, latch ratchets, store the energy for the audit.

        Returns Accepted.UNCHANGED or an ending as ``accept`` does: a run does not begin with a chain that has jumped.
        """
        p.gap[:] = -1
        p.impact_speed[:] = 0.0
        forget_mesh(p)
        frames(y, p)
        ending = search_candidates(t, y, p)
        rhs(t, y, p.derivative, p)
        if start(p):
            rhs(t, y, p.derivative, p)
        for s in range(p.segments_used[USED_SEGMENTS]):
            surface, first, slot = (
                p.segment[s, SEGMENT_SURFACE],
                p.segment[s, SEGMENT_FIRST],
                p.segment[s, SEGMENT_SLOT],
            )
            for i in range(p.segment[s, SEGMENT_END] - first):
                if p.contact[CONTACT_PENETRATION, slot + i] > 0.0:
                    speed = max(p.reference_speed, p.speed_floor)  # whose impact nobody has seen
                    p.candidate[CANDIDATE_SPEED, slot + i] = speed
                    p.impact_speed[surface, first + i] = speed
        if ending == UNCHANGED and p.stop_at_jump and not gaps_in_order(p):
            ending = JUMPED
        kinetic, elastic, gravity = energies(y, p)
        p.search[SEARCH_ENERGY] = kinetic + elastic + gravity
        return ending

    return begin
