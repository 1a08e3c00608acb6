"""Linear complementarity, and planar contacts with friction: solvers that need no mechanics but inertia of contacts.

``solve_lcp`` takes any linear complementarity problem, ``solve_contacts`` contacts with dry friction by one of three
methods. Both say how well the result solves the problem, what it took, and, where there is no result, why. Integrators
call the kernels beneath them.
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
