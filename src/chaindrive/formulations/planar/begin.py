"""Initialisation of the contact memory for the initial state of a run or of a search for equilibrium."""

from __future__ import annotations

from chaindrive.formulations.planar.bearings import stick_bearings
from chaindrive.formulations.planar.candidates import (
    JUMPED,
    UNCHANGED,
    forget_contacts,
    remember_pressed,
    search_candidates,
)
from chaindrive.formulations.planar.chain import ChainKernels
from chaindrive.formulations.planar.jumps import gaps_in_order
from chaindrive.formulations.planar.payload import forget_goods, stick_goods
from chaindrive.formulations.planar.peaks import forget_course, forget_peaks
from chaindrive.formulations.planar.support import Support
from chaindrive.kernels import Kernel, kernel

__all__ = ["beginning"]


def beginning(chain: ChainKernels, rhs: Kernel, energies: Kernel, support: Support) -> Kernel:
    """Return the kernel that sets the memory, compiled around the chain of a formulation and its supports."""
    locate, positions, velocities, stick = chain.locate, chain.positions, chain.velocities, chain.stick
    frames, start, stick_support = support.frames, support.start, support.stick

    @kernel(apart=True)
    def begin(t, y, p):
        """Search for candidates, mark rollers that press on a surface, latch ratchets, and store the energy for the
        balance.

        Returns Accepted.UNCHANGED or an ending, as ``accept`` does, because a run must not begin with a chain that has
        jumped.
        """
        planar = p.planar
        planar.search.accepted[0] = t
        planar.search.deepest[0] = 0.0
        forget_contacts(planar)
        if not planar.anchors_kept:
            forget_goods(planar)
        forget_peaks(planar.peaks)
        forget_course(t, planar.course)
        frames(y, planar)
        locate(y, p)
        ending = search_candidates(t, y, positions(y, p), velocities(y, p), planar)
        rhs(t, y, planar.derivative, p)
        if start(planar):
            rhs(t, y, planar.derivative, p)
        remember_pressed(planar)
        if (planar.elastic_friction or planar.elastic_joints) and not planar.anchors_kept:
            stick(t, y, p, True)
        if planar.elastic_friction and not planar.anchors_kept:
            stick_bearings(y, planar, True)
        if not planar.anchors_kept:
            stick_support(y, planar, True)
            stick_goods(planar)
        if ending == UNCHANGED and planar.stop_at_jump and not gaps_in_order(planar):
            ending = JUMPED
        kinetic, elastic, gravity = energies(y, p)
        planar.search.energy[0] = kinetic + elastic + gravity
        return ending

    return begin
