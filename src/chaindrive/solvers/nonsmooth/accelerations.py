"""Determination of the closed contacts that stay closed and of those that stick: complementarity at the level of
accelerations.

Pfeiffer, Fritz & Srnik (1997), Eq. 1 to 8 as corrected. There are two index sets: I_N contains the closed contacts,
with g_N = g_N' = 0; I_H contains those of them that may stick, with g_T' = 0. The contacts of I_N that are not in I_H
slide. In a Painleve configuration sliding friction turns the inverse inertia for normal forces, G_N - G_T mu sgn g_T',
into a matrix with a principal minor that is not positive: the problem then has no solution, or several.
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
"""A principal minor counts as not positive if it is below this fraction of the product of the diagonal entries of G.
[-]"""
MOST_MINORS = 8
"""Largest number of contacts for which all principal minors are checked; with more contacts, only minors of one and two
contacts are."""


class Reactions(NamedTuple):
    """Forces of closed contacts, and the accelerations that result from them."""

    force: FloatArray
    """Forces of all contacts, zero for open ones, (2n,). [N]"""
    motion: FloatArray
    """g'' of the closed contacts, (2k,). [m/s^2]"""
    sliding: FloatArray
    """Direction in which each closed contact slides or begins to slide, 0 if it sticks, (k,)."""
    outcome: Outcome


def pressed_inertia(inertia: FloatArray, friction: FloatArray, sliding: FloatArray) -> FloatArray:
    """Return G with sliding friction in the columns of the normal forces, (2k, k).

    inertia G (2k, 2k), friction (k,), sliding (k,): sgn g_T', 0 for a contact that sticks.
    """
    k = friction.size
    return inertia[:, :k] - inertia[:, k:] * (friction * sliding)


def jamming_contacts(inertia: FloatArray, friction: FloatArray, sliding: FloatArray) -> tuple[int, ...]:
    """Return the smallest set of contacts whose principal minor is not positive; it is empty unless there is a Painleve
    configuration.
    """
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
    """Return the forces and accelerations of the closed contacts.

    instant: an instant that has been evaluated; closed: numbers of the closed contacts, (k,); sliding (k,): direction
    in which each of them slides, 0 if g_T' = 0; form: form of the problem, ``complementarity.FORMS``.

    A contact that reaches the limit of static friction and begins to slide has sliding friction from then on, and the
    problem is solved again until no other contact begins to slide.
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
