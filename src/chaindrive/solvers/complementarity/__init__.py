"""Solvers for linear complementarity problems and for planar contacts with friction.

All that they need to know of a system is the inverse inertia at its contacts and the motion without contact forces.
``solve_lcp`` solves any linear complementarity problem; ``solve_contacts`` solves contacts with dry friction by one of
three methods. Both return the solution with its residual, the number of pivots or iterations and, if there is no
solution, the reason. Integrators call the underlying kernels.
"""

from __future__ import annotations

from chaindrive.solvers.complementarity.contacts import (
    FORMS,
    METHODS,
    ContactSolution,
    LcpSolution,
    solve_contacts,
    solve_lcp,
)
from chaindrive.solvers.complementarity.outcome import Outcome

__all__ = ["FORMS", "METHODS", "ContactSolution", "LcpSolution", "Outcome", "solve_contacts", "solve_lcp"]
