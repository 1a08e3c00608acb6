"""The compiled functions of a formulation: what a solver calls, and when.

The state y, with its parts q, v and w, is that of ``states.py``; p is the NamedTuple of parameters of the formulation.

    rhs(t, y, dy, p)         writes dy/dt; leaves its contact quantities in the scratch arrays of p
    accept(t, y, p) -> int   called once for every accepted step, directly after an rhs at exactly this (t, y), when the
                             rows that fall into the step have been recorded with the memory that held during it;
                             the only place where memory in p (impact speeds, tooth gaps, candidates)
                             changes, except for that of extremes.
                             Returns Accepted.UNCHANGED, Accepted.LIMIT_CHANGED (dy is the same, ``frequency`` may not
                             be), Accepted.REARRANGED (dy is the same but for rounding; the
                             results of the last evaluation in scratch are in other places than memory says),
                             Accepted.RHS_CHANGED (dy must be evaluated again before it is used) or the code of an
                             ending of the formulation (``Story.endings``).
    record(t, y, p, row)     writes all channels at (t, y) into one row; may call rhs, changes no memory
    gather(t, y, dy, p, anew) -> float   called directly before ``accept``, with the rates of the rhs there: takes
                             forces into the memory of extremes that rows show (channels that hold the "largest" or
                             "smallest" since the row before); anew: a row was recorded in this step, so forget what was
                             before. Returns the fraction of the step, between 0 and 1, at which a force seems to have
                             its largest value, and is called once more for that instant; 0 where none does. May be left
                             out.
    begin(t, y, p) -> int    sets all memory for a state from which a run or a search for rest starts; returns the same
                             codes
    frequency(y, p) -> float what limits an explicit step now (as Motion.highest_frequency does), from what the last
                             evaluation, at exactly this y, left in the scratch arrays; changes nothing. May be left
                             out.
    rates(q, v, dq, p)       writes dq/dt, linear in v; changes nothing. Left out where dq/dt = v; otherwise ``rhs``
                             writes the same into its first n_q places.
    speeds(q, dq, v, p)      the other way: writes the v with which ``rates`` comes nearest to dq, by least squares. May
                             be left out; it spares the search for rest a dense system of linear equations.
    margin(p) -> float       directly after an rhs: the distance from an ending that is met to the instant (a limit of a
                             tension), as a fraction of the limit; not above 0 where it is reached. A step that leads
                             there
                             is cut short at the instant, and ``accept`` then returns the ending. May be left out.
    forces(t, y, p, force)   generalised forces, (n_v,), zero where a motion is prescribed. May be left out where the
                             mass matrix is diagonal: only then is mass times acceleration a force.
    drift(y, h, p)           the free motion of a time h [s], by no forces, of positions and velocities in y, in place
    inertial(y, dy, factor, p)   adds to dv/dt in dy the accelerations, times a factor, that velocities have in free
                             motion; ``rhs`` has them once. Both are for the method "splitting", and are left out where
                             free motion is q + h v.
    horizon(p) -> float      the longest step for which the memory holds, as ``accept`` left it [s]: what is found
                             between steps (candidates of contacts) would be missed by a longer one. Explicit steps are
                             far shorter. May be left out where there is no such limit.
    mass(t, y, p, matrix)    mass matrix of the border (the velocities of colour -1; those of the chain are not coupled
                             to it by mass), (b, b), which the modes need. May be left out where it is diagonal.
    tangent(t, y, follow, lead, p, band)   directly after an rhs at this (t, y): derivatives of the accelerations
                             of its one chain by displacements of its links, into band (links, 2 reach + 1, c, c), with
                             reach and coordinates c of ``Motion.chains``. A displacement moves a position by ``follow``
                             and its velocity by ``lead`` times as much; band[i, reach + d] holds the derivatives of
                             link i by link i + d, counted on around a closed chain. May be left out: implicit
                             steps then take differences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from chaindrive.contract.modular import ModularKernels
from chaindrive.contract.pointwise import PointwiseKernels
from chaindrive.contract.rigid import RigidKernels
from chaindrive.errors import ComputationError

__all__ = ["Kernels"]


class Kernels(NamedTuple):
    """The compiled functions of a formulation (see the module docstring). Optional ones may be None."""

    rhs: Callable[..., None]
    accept: Callable[..., int]
    record: Callable[..., None]
    begin: Callable[..., int]
    frequency: Callable[..., float] | None = None
    rates: Callable[..., None] | None = None
    margin: Callable[..., float] | None = None
    forces: Callable[..., None] | None = None
    mass: Callable[..., None] | None = None
    drift: Callable[..., None] | None = None
    inertial: Callable[..., None] | None = None
    speeds: Callable[..., None] | None = None
    gather: Callable[..., float] | None = None
    horizon: Callable[..., float] | None = None
    tangent: Callable[..., None] | None = None
    rigid: RigidKernels | None = None
    """Kernels of rigid contacts, see rigid.py."""
    pointwise: PointwiseKernels | None = None
    """Kernels of friction that is solved at every contact separately, see pointwise.py."""
    modular: ModularKernels | None = None
    """Kernels of the mechanism as a module, see modular.py."""

    def asked(self, name: str, purpose: str) -> Callable[..., Any]:
        """An optional kernel, for a caller that needs it. Raises ComputationError, naming it."""
        found: Callable[..., Any] | None = getattr(self, name)
        if found is None:
            raise ComputationError(f"{purpose} needs the kernel '{name}', which this formulation does not have")
        return found
