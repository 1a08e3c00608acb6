"""Linear complementarity, and planar contacts with friction: these solvers need only the inertia of contacts.

``solve_lcp`` solves any linear complementarity problem, ``solve_contacts`` contacts with dry friction by one of three
methods. Both return the residual of the result, the effort and, if there is no result, the reason. Integrators call the
underlying kernels.
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
