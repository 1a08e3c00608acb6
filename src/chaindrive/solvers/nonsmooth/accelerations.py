"""Which of the closed contacts stay closed, and which stick: complementarity at the level of accelerations.

Pfeiffer, Fritz & Srnik (1997), Eq. 1 to 8 as corrected. The index sets: I_N, closed contacts with g_N = g_N' = 0, and
I_H, those among them that may stick, with g_T' = 0; the others slide. In a Painleve configuration sliding friction
turns the inverse inertia for normal forces, G_N - G_T mu sgn g_T', into a matrix with a principal minor that is not
positive: the problem then has no solution, or several.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.contract.unilateral import ContactLaws
from chaindrive.solvers.complementarity.contacts import solve_contacts
from chaindrive.solvers.complementarity.outcome import Outcome
from chaindrive.solvers.nonsmooth.impulses import AT_LIMIT
from chaindrive.solvers.nonsmooth.instant import Instant

__all__ = ["Reactions", "jamming_contacts", "pressed_inertia", "reactions"]

SMALLEST_MINOR = 1e-9
"""Fraction of the product of the diagonal entries of G below which a principal minor counts as not positive. [-]"""
MOST_MINORS = 8
"""Number of contacts up to which all principal minors are checked; above it, only those of one and two contacts."""


class Reactions(NamedTuple):
    """Forces of closed contacts, and the accelerations that follow."""

    force: FloatArray
    """Forces of all contacts, zero for open ones, (2n,). [N]"""
    motion: FloatArray
    """g'' of the closed ones, (2k,). [m/s^2]"""
    sliding: FloatArray
    """Direction in which each closed contact slides or begins to slide, 0 where it sticks, (k,)."""
    outcome: Outcome


def pressed_inertia(inertia: FloatArray, friction: FloatArray, sliding: FloatArray) -> FloatArray:
    """G with sliding friction in the columns of the normal forces, (2k, k).

    inertia G (2k, 2k), friction (k,), sliding (k,): sgn g_T', 0 where it sticks.
    """
    k = friction.size
    return inertia[:, :k] - inertia[:, k:] * (friction * sliding)


def jamming_contacts(inertia: FloatArray, friction: FloatArray, sliding: FloatArray) -> tuple[int, ...]:
    """The smallest set of contacts whose principal minor is not positive; empty without Painleve configuration."""
    k, pressed = friction.size, pressed_inertia(inertia, friction, sliding)
    if (friction * sliding).any():
        for size in range(1, (k if k <= MOST_MINORS else 2) + 1):
            for chosen in itertools.combinations(range(k), size):
                at = np.ix_(chosen, chosen)
                least = SMALLEST_MINOR * np.diag(inertia)[list(chosen)].prod()
                # Redundant contacts have a minor of zero even without friction.
                if np.linalg.det(pressed[at]) < least <= np.linalg.det(inertia[at]):
                    return chosen
    return ()


def reactions(
    instant: Instant, laws: ContactLaws, closed: IntArray, sliding: FloatArray, form: str = "compact"
) -> Reactions:
    """Forces and accelerations of the closed contacts.

    instant: already evaluated; closed: numbers of closed contacts, (k,); sliding (k,): direction in which each slides,
    0 where g_T' = 0; form: of the problem, ``complementarity.FORMS``.

    A contact that reaches the limit of static friction and begins to slide has sliding friction from then on, and the
    problem is solved again, until no other contact begins to slide.
    """
    rows = instant.rows(closed)
    inertia = instant.inverse_inertia(rows)
    free = instant.acceleration(instant.free())[rows]
    k, direction = closed.size, sliding.copy()
    while True:
        friction = np.where(direction == 0.0, laws.static_friction[closed], laws.friction[closed])
        found = solve_contacts(inertia, free, friction, sliding=direction, form=form)
        begins = (
            (direction == 0.0)
            & (np.abs(found.force[k:]) >= (1.0 - AT_LIMIT) * friction * found.force[:k])
            & (np.abs(found.motion[k:]) > AT_LIMIT * np.abs(free).max(initial=0.0))
        )
        if found.outcome is not Outcome.SOLVED or not begins.any():
            return Reactions(instant.scattered(rows, found.force), found.motion, direction, found.outcome)
        direction[begins] = np.sign(found.motion[k:][begins])
