"""The compiled functions of a formulation, and when a solver calls them.

The state y, with its parts q, v and w, is defined in ``states.py``; p is the NamedTuple with the parameters of the
formulation.

    rhs(t, y, dy, p)         writes dy/dt, and leaves its contact quantities in the scratch arrays of p
    accept(t, y, p) -> int   called once for every accepted step, directly after an rhs at exactly this (t, y), and
                             after the rows within the step have been recorded with the memory valid during it. It is
                             the only place where memory in p (impact speeds, tooth gaps, candidates) changes, except
                             for the memory of extremes.
                             Returns Accepted.UNCHANGED, Accepted.LIMIT_CHANGED (dy is the same, ``frequency`` may not
                             be), Accepted.REARRANGED (dy is the same except for rounding; the results of the last
                             evaluation in scratch no longer match the arrangement in memory),
                             Accepted.RHS_CHANGED (dy must be evaluated again before it is used) or the code of an
                             ending of the formulation (``Story.endings``).
    record(t, y, p, row)     writes all channels at (t, y) into one row; may call rhs, changes no memory
    gather(t, y, dy, p, anew) -> float   called directly before ``accept``, with the rates of the rhs there: updates
                             the memory of extremes from the forces (rows show them in channels with the "largest" or
                             "smallest" value since the previous row); anew: a row was recorded in this step, so the
                             earlier extremes are discarded. Returns the fraction of the step, between 0 and 1, at
                             which a force seems to be largest, and is called once more for this instant; returns 0 if
                             no force has a maximum within the step. Optional.
    begin(t, y, p) -> int    sets all memory for a state from which a run or a search for equilibrium starts; returns
                             the same codes as ``accept``
    frequency(y, p) -> float the frequency that limits an explicit step now (as Motion.highest_frequency does), from
                             the results that the last evaluation, at exactly this y, left in the scratch arrays;
                             changes nothing. Optional.
    rates(q, v, dq, p)       writes dq/dt, linear in v; changes nothing. Omitted if dq/dt = v; otherwise ``rhs``
                             writes the same values into its first n_q places.
    speeds(q, dq, v, p)      the inverse of ``rates``: writes the v for which ``rates`` comes nearest to dq, by least
                             squares. Optional; with it, the search for equilibrium needs no dense system of equations.
    margin(p) -> float       called directly after an rhs: the distance from an ending whose exact instant is found (a
                             limit of a tension), as a fraction of the limit; 0 or negative if it is reached. A step
                             that reaches it is shortened to this instant, and ``accept`` then returns the ending.
                             Optional.
    forces(t, y, p, force)   writes the generalised forces, (n_v,), zero where a motion is prescribed. Optional if the
                             mass matrix is diagonal: only then is mass times acceleration a force.
    drift(y, h, p)           advances positions and velocities in y, in place, by the free motion over a time h [s]
    inertial(y, dy, factor, p)   adds to dv/dt in dy the accelerations of the free motion, times a factor; ``rhs``
                             includes them once. ``drift`` and ``inertial`` are for the method "splitting", and are
                             omitted if the free motion is q + h v.
    horizon(p) -> float      the longest step for which the memory is valid, as ``accept`` left it [s]. In a longer
                             step, contacts would be missed whose candidates are found between steps. Explicit steps
                             are far shorter. Optional if there is no such limit.
    mass(t, y, p, matrix)    writes the mass matrix of the border, (b, b), which the modes need. The border consists of
                             the velocities of colour -1, to which the chain is not coupled by mass. Optional if the
                             matrix is diagonal.
    tangent(t, y, follow, lead, p, band)   called directly after an rhs at this (t, y): writes the derivatives
                             of the accelerations of the links of the only chain with respect to their displacements
                             into band (links, 2 reach + 1, c, c), with reach and coordinates c of ``Motion.chains``.
                             A displacement moves a position by ``follow`` and its velocity by ``lead`` times as much;
                             band[i, reach + d] contains the derivatives of link i with respect to link i + d, counted
                             around a closed chain. Optional: without it, implicit steps use differences.
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
    """Kernels of friction that is solved for every contact separately, see pointwise.py."""
    modular: ModularKernels | None = None
    """Kernels of the mechanism as a module, see modular.py."""

    def asked(self, name: str, purpose: str) -> Callable[..., Any]:
        """Return an optional kernel that the caller needs. Raises ComputationError with its name if it is missing."""
        found: Callable[..., Any] | None = getattr(self, name)
        if found is None:
            raise ComputationError(f"{purpose} needs the kernel '{name}', which this formulation does not have")
        return found
