"""Solvers for linear complementarity problems and for planar contacts with friction; of a system they need only the
inertia at its contacts.

``solve_lcp`` solves any linear complementarity problem; ``solve_contacts`` solves contacts with dry friction by one of
three methods. Both return the result with its residual, the effort and, if there is no result, the reason. Integrators
call the underlying kernels.
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
