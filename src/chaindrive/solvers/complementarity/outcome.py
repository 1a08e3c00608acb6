"""How the solution of a complementarity problem ended."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Outcome"]


class Outcome(IntEnum):
    """Outcome returned by kernels: the problem is solved, or the reason why it is not."""

    SOLVED = 0
    RAY = 1
    TOO_MANY_ITERATIONS = 2
    SINGULAR = 3
    INACCURATE = 4
    NOT_A_NUMBER = 5

    @property
    def meaning(self) -> str:
        """The meaning of the outcome, in one sentence."""
        return _TEXTS[self][0]

    @property
    def advice(self) -> str:
        """What to try; empty where the problem is solved."""
        return _TEXTS[self][1]


_TEXTS = {
    Outcome.SOLVED: ("The problem is solved.", ""),
    Outcome.RAY: (
        "Lemke's method ended on a ray: the problem has no solution, or its matrix is not copositive.",
        "At the level of accelerations, check for a contact that jams (Painleve); an impact always has a solution.",
    ),
    Outcome.TOO_MANY_ITERATIONS: (
        "The largest number of pivots, sweeps or iterations was reached.",
        "Allow a larger number, use a shorter step, or use Lemke's method, which needs no start value.",
    ),
    Outcome.SINGULAR: (
        "A contact has no inertia in a direction in which it acts, or the equations of active contacts are dependent.",
        "Check for contacts of bodies that cannot move, and for contacts that are given twice.",
    ),
    Outcome.INACCURATE: (
        "The solution does not satisfy the problem: rounding errors have grown from pivot to pivot.",
        "Check for masses or lever arms that differ by many orders of magnitude.",
    ),
    Outcome.NOT_A_NUMBER: (
        "The problem contains a value that is not a finite number.",
        "Check the forces and gaps from which it was formed.",
    ),
}
