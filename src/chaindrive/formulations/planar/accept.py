"""Tasks between steps: contact memory, the search for candidates, and endings of a run for physical reasons.

Nothing here runs inside a trial stage. The kernels are called directly after an evaluation at the accepted state
(contract/kernels.py).
"""

from __future__ import annotations

import math

from chaindrive.formulations.planar.bearings import stick_bearings
from chaindrive.formulations.planar.candidates import (
    LIMIT_CHANGED,
    REARRANGED,
    RHS_CHANGED,
    TOO_DEEP,
    UNCHANGED,
    remember_carried,
    search_candidates,
    too_deep,
    update_impact_memory,
)
from chaindrive.formulations.planar.chain import ChainKernels
from chaindrive.formulations.planar.endings import TENSION_ABOVE_BREAKING_LOAD
from chaindrive.formulations.planar.payload import stick_goods
from chaindrive.formulations.planar.sprung import remember_landings
from chaindrive.formulations.planar.support import Support
from chaindrive.kernels import Kernel, kernel, largest_of

__all__ = ["acceptance", "horizon", "margin_of"]

BROKEN = TENSION_ABOVE_BREAKING_LOAD.code


def acceptance(chain: ChainKernels, margin: Kernel, support: Support) -> Kernel:
    """Return the kernel for an accepted state, compiled around the chain of a formulation and its supports.

    margin: see ``margin_of``.
    """
    positions, velocities, stick = chain.positions, chain.velocities, chain.stick
    latch, stick_support = support.latch, support.stick

    @kernel(apart=True)
    def accept(t, y, p):
        """Update contact memory at an accepted state; return a value of Accepted, or the code of an ending."""
        begun = False if p.planar.rigid_contacts else update_impact_memory(p.planar)
        if p.planar.sprung_contacts:
            remember_landings(p.planar)
        changed = latch(p.planar)
        if p.planar.elastic_friction or p.planar.elastic_joints:
            stick(t, y, p, False)
            p.planar.search.accepted[0] = t
        if p.planar.elastic_friction:
            stick_bearings(y, p.planar, False)
        stick_support(y, p.planar, False)
        stick_goods(p.planar)
        if too_deep(p.planar):
            return TOO_DEEP
        if margin(p) <= 0.0:
            return BROKEN
        if t >= p.planar.search.due[0]:
            if p.planar.rigid_contacts:
                remember_carried(p.planar)
            ending = search_candidates(t, y, positions(y, p), velocities(y, p), p.planar)
            if ending != UNCHANGED:
                return ending
            # Rollers that come or go touch nothing, and a tooth gap changes where both give the same distance. Methods
            # of rigid contacts read the results of an evaluation between steps.
            return RHS_CHANGED if changed or begun or p.planar.rigid_contacts else REARRANGED
        if changed:
            return RHS_CHANGED
        return LIMIT_CHANGED if begun else UNCHANGED

    return accept


@kernel(inner=True)
def horizon(p):
    """Return the longest step between two searches for candidates, see contract/kernels.py. [s]"""
    return p.planar.search.horizon[0]


def margin_of(chain: ChainKernels) -> Kernel:
    """Return the kernel of the distance from the breaking load, compiled around the chain of a formulation."""
    tensions_of = chain.tensions

    @kernel(inner=True)
    def margin(p):
        """Return how far the largest tension of the last evaluation is below the breaking load, relative
        to that load.
        """
        if p.breaking_load == math.inf:
            return 1.0
        tensions = tensions_of(p)
        return 1.0 - largest_of(tensions, 0, tensions.size, -math.inf) / p.breaking_load

    return margin
