"""What happens between steps: contact memory, the search for candidates, and the endings that physics gives a run.

Nothing here runs inside a trial stage. Called directly after an evaluation at the accepted state (see system.py).
"""

from __future__ import annotations

import math

from chaindrive.formulations.planar.candidates import (
    RHS_CHANGED,
    TOO_DEEP,
    UNCHANGED,
    search_candidates,
    too_deep,
    update_impact_memory,
)
from chaindrive.formulations.planar.parameters import (
    SEARCH_DUE,
)
from chaindrive.formulations.roller.chain import positions_of, velocities_of
from chaindrive.formulations.roller.parameters import (
    LINK_TENSION,
)
from chaindrive.kernels import Kernel, kernel
from chaindrive.system import Status

BROKEN = int(Status.TENSION_ABOVE_BREAKING_LOAD)


def acceptance(latch: Kernel) -> Kernel:
    """What happens at an accepted state, compiled around the latching of ratchets (variants.py)."""

    @kernel
    def accept(t, y, p):
        """Update contact memory at an accepted state; returns Accepted or a Status that ends the run."""
        changed = update_impact_memory(p.planar)
        changed = latch(p.planar) or changed
        if too_deep(p.planar):
            return TOO_DEEP
        if p.breaking_load < math.inf:
            tension = -math.inf
            for i in range(p.links):
                tension = max(tension, p.link[LINK_TENSION, i])
            if tension > p.breaking_load:
                return BROKEN
        if t >= p.planar.search[SEARCH_DUE]:
            ending = search_candidates(t, y, positions_of(y, p), velocities_of(y, p), p.planar)
            if ending != UNCHANGED:
                return ending
            changed = True
        return RHS_CHANGED if changed else UNCHANGED

    return accept
