"""Impulses of all active contacts in one step: the common parts of time-stepping methods.

The problem is that of an impact by Newton's law. Static friction applies to contacts that stuck in the previous step,
and sliding friction to contacts that slid. If a sticking contact begins to slide, or a sliding contact stops, the
problem is solved again with the friction of the new state. If Newton's law has no solution, there is no restitution in
this step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.contract.unilateral import ContactKernels, ContactLaws, ContactState, UnilateralSystem
from chaindrive.kernels import kernel
from chaindrive.solvers.complementarity.forms import (
    compact_form,
    copositive_form,
    forces_of_compact_form,
    forces_of_paper_form,
)
from chaindrive.solvers.complementarity.gauss_seidel import gauss_seidel, row_product
from chaindrive.solvers.complementarity.lemke import LemkeWork, lemke, lemke_work
from chaindrive.solvers.complementarity.outcome import Outcome

__all__ = [
    "AT_LIMIT",
    "INACTIVE",
    "ITERATED",
    "ROUNDS",
    "STICKS",
    "TOUCHING",
    "StepWork",
    "change_states",
    "find_active",
    "find_impulses",
    "leave_states",
    "meeting",
    "number_rows",
    "recall",
    "scatter",
    "solve_impulses",
    "state_problem",
    "step_work",
    "work_of",
]

SOLVED, NOT_SOLVED = int(Outcome.SOLVED), int(Outcome.TOO_MANY_ITERATIONS)
ITERATED = 1e-8
"""Accepted residual of projected Gauss-Seidel, as a fraction of the speeds. [-]"""
INACTIVE, STICKS = 2.0, 0.0
"""Values of ``StepWork.sliding`` for a contact that did not touch in the last step, and for a contact that stuck."""
ROUNDS = 5
"""Largest number of rounds in which it is determined which contacts with static friction stick."""
AT_LIMIT = 1e-9
"""Friction counts as having reached its limit if it is below the limit by no more than this fraction. [-]"""
TOUCHING = 1e-12
"""Largest gap of a contact that counts as closed, so that rounding does not open a contact at rest. [m]"""


class StepWork(NamedTuple):
    """Memory and scratch arrays of a step with n contacts and f velocities."""

    laws: ContactLaws
    state: ContactState
    sliding: FloatArray
    """Memory: direction in which each contact slid at the end of the last step, STICKS, or INACTIVE, (n,)."""
    impulse: FloatArray
    """Impulses of the last step, (2n,). [N s]"""
    penetration: FloatArray
    """Largest penetration so far, (1,). [m]"""
    counts: IntArray
    """Numbers of steps, of steps with contact, of pivots and sweeps, and of problems that could be solved only without
    restitution, (4,)."""
    sweeps: IntArray
    """Largest number of sweeps of projected Gauss-Seidel, starting with the impulses of the previous step, before
    Lemke's method is used, (1,)."""
    middle: FloatArray
    """(f,)"""
    free: FloatArray
    """(f,)"""
    force: FloatArray
    """(f,)"""
    rate: FloatArray
    """(f,)"""
    before: FloatArray
    """g' before the step, (2n,). [m/s]"""
    after: FloatArray
    """(2n,)"""
    active: IntArray
    """Numbers of the active contacts, (n,)."""
    near: IntArray
    """Numbers of the contacts included in a projection of positions, (n,)."""
    rows: IntArray
    """Directions of the active contacts, (2n,)."""
    tried: IntArray
    """1 for active contacts that have begun to slide in this step, (n,)."""
    springs: IntArray
    """1 for contacts that have springs, (n,)."""
    sprung: bool
    """Whether any contact has a spring."""
    allowed: float
    """Depth beyond which positions are projected after a step. [m]"""
    start: FloatArray
    """Memory: gaps of all contacts at the end of the last step, used for springs, (n,). [m]"""
    compliance: FloatArray
    """Speed at which the spring of an active contact deflects under a unit impulse; 0 if the contact is rigid, (n,).
    [1/kg]"""
    shift: FloatArray
    """Speed at which the force of an active contact would be zero; 0 if the contact is rigid, (n,). [m/s]"""
    matrix: FloatArray
    """(2n, 2n)"""
    vector: FloatArray
    """(2n,)"""
    friction: FloatArray
    """(n,)"""
    sticking: FloatArray
    """Zeros, because at the level of velocities every contact may stick, (n,)."""
    given: FloatArray
    """Zeros, (n,)."""
    found: FloatArray
    """(2n,)"""
    motion: FloatArray
    """Speeds at the end of the step, including the speeds at which springs deflect, (2n,). [m/s]"""
    a: FloatArray
    """(4n, 4n)"""
    b: FloatArray
    """(4n,)"""
    x: FloatArray
    """(4n,)"""
    lemke: LemkeWork
    scratch: Any
    """Scratch arrays for sweeps without a matrix."""


def step_work(system: UnilateralSystem) -> StepWork:
    """Return the memory of a system before its first step, and scratch arrays."""
    return work_of(system.laws, system.velocities, system.contacts)


def work_of(
    laws: ContactLaws,
    f: int,
    most: int,
    dense: int | None = None,
    scratch: Any = None,
    springs: IntArray | None = None,
    allowed: float = math.inf,
) -> StepWork:
    """Return the memory of contacts before the first step, and scratch arrays.

    f: number of velocities; most: largest number of active contacts; dense: number of contacts for which there are
    matrices, None for all; scratch: scratch arrays for sweeps without a matrix; springs: contacts that have springs,
    None if none has; allowed: see contract/rigid.py.
    """
    n = laws.friction.size
    springs = np.zeros(n, np.int64) if springs is None else springs
    dense = most if dense is None else min(dense, most)
    return StepWork(
        laws=laws,
        state=ContactState(np.zeros(n), np.zeros(2 * n), np.zeros(2 * n), np.zeros(f)),
        sliding=np.full(n, INACTIVE),
        impulse=np.zeros(2 * n),
        penetration=np.zeros(1),
        counts=np.zeros(4, np.int64),
        sweeps=np.zeros(1, np.int64),
        middle=np.zeros(f),
        free=np.zeros(f),
        force=np.zeros(f),
        rate=np.zeros(f),
        before=np.zeros(2 * n),
        after=np.zeros(2 * n),
        active=np.zeros(n, np.int64),
        near=np.zeros(n, np.int64),
        rows=np.zeros(2 * most, np.int64),
        tried=np.zeros(most, np.int64),
        springs=springs,
        sprung=bool(springs.any()),
        allowed=allowed,
        start=np.full(n, np.inf),
        compliance=np.zeros(most),
        shift=np.zeros(most),
        matrix=np.zeros((2 * dense, 2 * dense)),
        vector=np.zeros(2 * most),
        friction=np.zeros(most),
        sticking=np.zeros(dense),
        given=np.zeros(dense),
        found=np.zeros(2 * most),
        motion=np.zeros(2 * most),
        a=np.zeros((4 * dense, 4 * dense)),
        b=np.zeros(4 * dense),
        x=np.zeros(4 * dense),
        lemke=lemke_work(4 * dense),
        scratch=np.zeros(0) if scratch is None else scratch,
    )


@kernel(inner=True)
def find_active(w):
    """Find the contacts that touch, and their directions; return the number of contacts."""
    k = 0
    for i in range(w.state.gap.size):
        if w.state.gap[i] <= TOUCHING:
            w.active[k] = i
            k += 1
            w.penetration[0] = max(w.penetration[0], -w.state.gap[i])
        else:
            w.sliding[i] = INACTIVE
    number_rows(w, k)
    return k


def meeting(kernels: ContactKernels) -> Callable[..., None]:
    """Return the kernel meet(u, w, k, p), which writes the contact speeds before a step and, from the velocities
    ``free``, after it, and G for k active contacts.
    """
    project, inverse_inertia = kernels.project, kernels.inverse_inertia

    @kernel(inner=True)
    def meet(u, w, k, p):
        project(u, w.before, p)
        project(w.free, w.after, p)
        for r in range(w.before.size):
            w.before[r] += w.state.drift[r]
            w.after[r] += w.state.drift[r]
        inverse_inertia(w.rows, 2 * k, w.matrix, p)

    return meet


@kernel(inner=True)
def number_rows(w, k):
    """Write the directions of k active contacts, with normal directions first."""
    for c in range(k):
        w.rows[c], w.rows[k + c] = w.active[c], w.active[c] + w.state.gap.size


@kernel(inner=True)
def scatter(values, w, k, full):
    """Write the values of k active contacts (2k,) into an array for all contacts, (2n,), which is zero elsewhere."""
    for r in range(full.size):
        full[r] = 0.0
    for r in range(2 * k):
        full[w.rows[r]] = values[r]


@kernel(inner=True)
def solve_in_form(w, k, copositive):
    """Find the impulses of k active contacts with one of two forms of the problem; return an outcome."""
    if copositive:
        n = copositive_form(w.matrix, w.vector, w.friction, w.sticking, w.given, k, w.a, w.b)
    else:
        n = compact_form(w.matrix, w.vector, w.friction, w.sticking, w.given, k, w.a, w.b)
    outcome, pivots, _ = lemke(w.a, w.b, n, w.x, w.lemke, 20 * n + 50)
    w.counts[2] += pivots
    if copositive:
        forces_of_paper_form(w.x, w.friction, w.sticking, k, w.found)
    else:
        forces_of_compact_form(w.x, w.friction, w.sticking, w.given, k, w.found)
    return outcome


@kernel(inner=True)
def recall(w, k):
    """Write the impulses that k active contacts had in the previous step into ``found``."""
    for r in range(2 * k):
        w.found[r] = w.impulse[w.rows[r]]


@kernel(inner=True)
def iterate(w, k):
    """Find the impulses of k active contacts by projected Gauss-Seidel, starting with the impulses of the previous
    step; return an outcome.
    """
    recall(w, k)
    outcome, sweeps, _ = gauss_seidel(w.matrix, w.vector, w.friction, k, w.found, 1.0, w.sweeps[0], ITERATED)
    w.counts[2] += sweeps
    return outcome


@kernel(apart=True)
def solve_impulses(w, k):
    """Find the impulses of k active contacts with their present friction; return an outcome."""
    outcome = iterate(w, k) if w.sweeps[0] > 0 else NOT_SOLVED
    if outcome != SOLVED:
        outcome = solve_in_form(w, k, False)
    if outcome != SOLVED:
        outcome = solve_in_form(w, k, True)
    if outcome != SOLVED:  # bodies between walls cannot rebound from one of them
        w.counts[3] += 1
        for c in range(k):
            w.vector[c] = w.after[w.active[c]] - w.shift[c]
        outcome = solve_in_form(w, k, True)
    for r in range(2 * k):
        w.motion[r] = w.vector[r] + row_product(w.matrix, r, 2 * k, w.found)
    return outcome


@kernel(inner=True)
def slip_of(w, k, c):
    """Return the direction in which the active contact c slides at the end of the step; STICKS if friction is below its
    limit.
    """
    if abs(w.found[k + c]) < (1.0 - AT_LIMIT) * w.friction[c] * w.found[c]:
        return STICKS
    return float(np.sign(w.motion[k + c]))


@kernel(inner=True)
def change_states(w, k):
    """Let contacts that exceed the limit of static friction slide, and contacts that have stopped stick; return whether
    any contact has changed.

    A contact that has begun to slide does not change again in the same step.
    """
    changed = False
    for c in range(k):
        i = w.active[c]
        laws = w.laws
        if laws.static_friction[i] > laws.friction[i] and w.tried[c] == 0:
            slip = slip_of(w, k, c)
            if w.sliding[i] == STICKS and slip != STICKS:
                w.sliding[i], w.friction[c] = slip, laws.friction[i]
                w.tried[c], changed = 1, True
            elif w.sliding[i] != STICKS and slip * w.sliding[i] < 0.0:
                w.sliding[i], w.friction[c] = STICKS, laws.static_friction[i]
                changed = True
    return changed


@kernel(inner=True)
def state_problem(w, k):
    """Write the friction of k active contacts, which depends on how they slid, and their speeds without impulses,
    including restitution.

    The kernel uses the speeds of the contacts ``before`` the step, and ``after`` a step without impulses.
    """
    laws = w.laws
    for c in range(k):
        i = w.active[c]
        if w.sliding[i] == INACTIVE:
            w.sliding[i] = float(np.sign(w.before[w.rows[k + c]]))
        w.friction[c] = laws.static_friction[i] if w.sliding[i] == STICKS else laws.friction[i]
        w.tried[c] = 0
        approach = min(w.before[i], 0.0)
        w.vector[c] = w.after[i] + laws.restitution[i] * approach
        w.vector[k + c] = w.after[w.rows[k + c]]


@kernel(inner=True)
def leave_states(w, k):
    """Record how k active contacts slide at the end of the step."""
    for c in range(k):
        w.sliding[w.active[c]] = slip_of(w, k, c)


@kernel(inner=True)
def find_impulses(w, k):
    """Write the impulses of k active contacts into ``found``, and update the states of these contacts; return an
    outcome.

    The kernel uses G in ``matrix`` and the arrays that ``state_problem`` reads.
    """
    state_problem(w, k)
    outcome = SOLVED
    for _ in range(ROUNDS):
        outcome = solve_impulses(w, k)
        if outcome != SOLVED or not change_states(w, k):
            break
    leave_states(w, k)
    return outcome
