"""Nonsmooth generalized alpha for chains with rigid contacts, which is of second order as long as contacts do not
change.

Chen, Acary, Virlez & Brüls, Int. J. Numer. Methods Eng. 96 (2013) 487; Brüls, Acary & Cardona, Comput. Methods Appl.
Mech. Eng. 281 (2014) 131: velocities are integrated by generalized alpha from smooth accelerations, and jump by w =
M^-1 W P due to impulses P in the same step. With the spectral radius 1 at infinity, alpha_m = alpha_f = gamma = 1/2 and
beta = 1/4. Forces are evaluated at the generalised midpoint, as in Chung & Hulbert (J. Appl. Mech. 60 (1993) 371):

    (a + a1) / 2 = M^-1 f(t + h/2, (q + q1) / 2, (v + v1) / 2)
    v1 = v + h/2 (a + a1) + w
    q1 = q + h v + h^2/4 (a + a1) + h/2 w

The history of accelerations then cancels, which gives the implicit midpoint rule. A smaller radius would add numerical
damping, which would be missing from the energy balance of a run.

Unlike in both papers, W is evaluated at the midpoint of the step, while contacts that stay closed are constraints at
its end. Contacts that carried an impulse in the two previous steps count as staying closed. To second order, the
direction of a contact turns as much in the second half of the step as in the first half, for which the direction is
known at both ends:

    W1' v1 = W' v1 + turn,     turn = W' v - W0' v,     0 <= W1' v1  _|_  P >= 0

If the velocities were constrained in the directions of the midpoint alone, contacts that slide along a curve would be
integrated to first order only. For all other contacts, which may be about to close, Moreau's law applies as in
``moreau_jean.py``. A contact that stays closed has no restitution, and its impulse does no work: along W it opens after
the step no faster than it closed before the step.

The equations are solved by iteration, starting with the linearised implicit midpoint rule (contract/rigid.py); all
impulses are computed again in every iteration. At least one iteration is carried out, and the iterations end when the
remaining correction is below a fraction of the tolerance of velocities. The position of the midpoint is updated with
the velocities only twice: its remaining error is of higher order, and impulses that are found for its directions then
do their work in the same directions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.contract.status import Status
from chaindrive.kernels import copy_into, kernel
from chaindrive.solvers.control import ROUNDING, Advance, Method, Stepping, integration, take
from chaindrive.solvers.moreau_jean import SOLVED, Kept, blaming, find_closing, reach_gaps, solving
from chaindrive.solvers.moreau_jean import kept as kept_work
from chaindrive.solvers.moreau_jean import own_of as step_work
from chaindrive.solvers.nonsmooth.impulses import ROUNDS, StepWork, change_states, leave_states, scatter, state_problem
from chaindrive.solvers.nonsmooth.positions import projecting
from chaindrive.solvers.runge_kutta import watch_nothing
from chaindrive.solvers.verlet import next_step, preparing

if TYPE_CHECKING:
    from chaindrive.contract.system import System

__all__ = ["METHOD", "nonsmooth_alpha"]

FREE, MEAN, END = range(3)
"""Rows of ``Control.stages``: rates without contact forces, and later rates at the end of the step; state at the
midpoint of the step; mean rates over the step."""
CLOSED = 2
"""A contact counts as staying closed after it has carried an impulse in this number of consecutive steps. [-]"""
CORRECTIONS, MOVES, NEAR = 5, 2, 0.01
"""Largest number of corrections in a step; number of evaluations that also update positions; largest remaining
correction, as a fraction of the velocity tolerance. [-]"""
STEP_TOO_SMALL, NOT_A_NUMBER = Status.STEP_TOO_SMALL.code, Status.NOT_A_NUMBER.code
CONTACTS_NOT_SOLVED, TOO_MANY_CONTACTS = Status.CONTACTS_NOT_SOLVED.code, Status.TOO_MANY_CONTACTS.code


class Own(NamedTuple):
    """Memory and scratch arrays of a step."""

    work: StepWork
    closed: IntArray
    """Memory: number of consecutive steps in which each contact has carried an impulse, at most CLOSED, (n,)."""
    start: FloatArray
    """Memory: speeds of the active contacts at the end of the last step, (2n,). [m/s]"""
    was: FloatArray
    """``StepWork.sliding`` before the step, (n,)."""
    force: FloatArray
    """Mean forces of the active contacts over the step, (2 most,). [N]"""
    correction: FloatArray
    """Correction of the velocities, (f,)."""


class KeptOwn(NamedTuple):
    """The part of ``Own`` that a checkpoint contains."""

    work: Kept
    closed: IntArray
    start: FloatArray


def own_of(system: System, tolerance: FloatArray) -> Own:
    """Return ``Control.own`` before a run begins. Raises ComputationError for a system without rigid contacts."""
    work = step_work(system, tolerance)
    n, m = work.sliding.size, system.velocities
    return Own(work, np.zeros(n, np.int64), np.zeros(2 * n), np.zeros(n), np.zeros(work.found.size), np.zeros(m))


def kept(own: Own) -> KeptOwn:
    """Return the part of ``Control.own`` that a checkpoint contains."""
    return KeptOwn(kept_work(own.work), own.closed, own.start)


@kernel(inner=True)
def _close(own, h, fastest):
    """Find the active contacts at the predicted midpoint, where the gaps of contacts that stay closed count as zero;
    return their number.
    """
    w = own.work
    for i in range(own.closed.size):
        if own.closed[i] == CLOSED and w.state.gap[i] < np.inf:
            w.state.gap[i] = min(w.state.gap[i], 0.0)
    return find_closing(w, h, fastest)


@kernel(inner=True)
def _turn(own, k):
    """Correct the speeds of the active contacts that stay closed, so that they refer to the directions at the ends of
    the step.
    """
    w, n = own.work, own.closed.size
    for contact in w.active[:k]:
        if own.closed[contact] == CLOSED:
            slip = n + contact
            w.after[contact] += w.before[contact] - min(own.start[contact], 0.0)
            w.after[slip] += w.before[slip] - own.start[slip]
            w.before[contact] = 0.0  # no restitution


@kernel(inner=True)
def _remember(own, k):
    """Count the consecutive steps in which each contact has carried an impulse."""
    w, closed, c = own.work, own.closed, 0
    for i in range(closed.size):
        struck = False
        if c < k and w.active[c] == i:
            struck, c = w.found[c] > 0.0, c + 1
        closed[i] = min(closed[i] + 1, CLOSED) if struck and w.springs[i] == 0 else 0


def nonsmooth_alpha(kernels: Kernels) -> Advance:
    """Make ``advance`` from the kernels of a formulation."""
    rhs = kernels.rhs
    rigid: Any = kernels.asked("rigid", "nonsmooth generalized alpha")
    release, gaps, speeds, soften = rigid.release, rigid.gaps, rigid.speeds, rigid.soften
    respond, give = rigid.respond, rigid.give
    solve, blame, project = solving(rigid), blaming(rigid), projecting(kernels)

    @kernel(inner=True)
    def strike(c, k, h, p):
        """Find the impulses of k active contacts from the velocities without impulses in w.free, at the positions last
        evaluated.

        The velocities after the step are written into ``trial``.
        """
        w, n, m = c.own.work, c.counts.positions[0], c.counts.velocities[0]
        middle, end = c.stages[MEAN], c.trial
        copy_into(end[n : n + m], w.free)
        if k == 0:
            give(w.active, 0, w.found, p)
            return 0
        copy_into(middle[n : n + m], c.state[n : n + m])
        speeds(middle, -0.5 * h, w.active, k, w.before, p)
        copy_into(middle[n : n + m], w.free)
        speeds(middle, 0.5 * h, w.active, k, w.after, p)
        reach_gaps(w, k, h)
        _turn(c.own, k)
        copy_into(w.sliding, c.own.was)
        state_problem(w, k)
        for _ in range(ROUNDS):
            if solve(middle, w, k, h, p) != SOLVED:
                blame(middle, w, k, p)
                give(w.active, k, w.found, p)
                return CONTACTS_NOT_SOLVED
            if not change_states(w, k):
                break
        leave_states(w, k)
        respond(k, w.found, w.rate, p)
        for j in range(m):
            end[n + j] += w.rate[j]
        scatter(w.found, w, k, w.impulse)
        for r in range(2 * k):
            c.own.force[r] = w.found[r] / h
        give(w.active, k, c.own.force, p)
        return 0

    @kernel(inner=True)
    def release_middle(c, time, h, p):
        """Compute the first approximation of the velocities without impulses from the midpoint; return the number of
        active contacts.
        """
        w, n, middle, rates = c.own.work, c.counts.positions[0], c.stages[MEAN], c.stages[FREE]
        release(time, middle, rates, h, p)
        fastest = gaps(w.state.gap, w.before, p)
        for j in range(w.free.size):
            w.free[j] = middle[n + j] + h * rates[n + j]
        k = _close(c.own, h, fastest)
        copy_into(c.own.was, w.sliding)
        return k

    @kernel(inner=True)
    def evaluate_middle(c, time, h, moves, p):
        """Evaluate the rates at the midpoint of the step that ends at ``trial``, and write the residual of the
        velocities into ``correction``.

        moves: whether the position of the midpoint is also updated with these velocities.
        """
        n, m = c.counts.positions[0], c.counts.velocities[0]
        middle, rates, correction = c.stages[MEAN], c.stages[END], c.own.correction
        for j in range(m):
            middle[n + j] = 0.5 * (c.state[n + j] + c.trial[n + j])
        if moves:
            for j in range(n):
                middle[j] = c.state[j] + 0.5 * h * middle[n + j]
        rhs(time, middle, rates, p)
        c.counts.evaluations[0] += 1
        for j in range(m):
            correction[j] = c.state[n + j] + h * rates[n + j] - c.trial[n + j]
        for j in range(n + m, c.state.size):
            middle[j] = c.state[j] + 0.5 * h * rates[j]

    @kernel(inner=True)
    def size(c):
        """Return the size of the correction in units of the velocity tolerances."""
        n, largest = c.counts.positions[0], 0.0
        for j in range(c.own.correction.size):
            largest = max(largest, abs(c.own.correction[j]) * c.weights[n + j])
        return largest

    @kernel(inner=True)
    def step(c, p):
        h, end = next_step(c)
        now = c.times.time[0]
        if not h > ROUNDING * abs(now):
            return STEP_TOO_SMALL
        w, n, m = c.own.work, c.counts.positions[0], c.counts.velocities[0]
        middle, rates = c.stages[MEAN], c.stages[END]
        copy_into(middle, c.state)
        for j in range(n):
            middle[j] += 0.5 * h * c.state[n + j]
        for j in range(n + m, c.state.size):
            middle[j] += 0.5 * h * c.derivative[j]
        k = release_middle(c, now + 0.5 * h, h, p)
        c.counts.evaluations[0] += 1
        if k > w.tried.size:
            return TOO_MANY_CONTACTS
        hindrance = strike(c, k, h, p)
        for correction in range(CORRECTIONS + 1):
            if hindrance != 0:
                return hindrance
            evaluate_middle(c, now + 0.5 * h, h, correction < MOVES, p)
            soften(c.own.correction, p)
            if correction == CORRECTIONS or (correction > 0 and size(c) <= NEAR):
                break
            for j in range(m):
                w.free[j] += c.own.correction[j]
            hindrance = strike(c, k, h, p)
        _remember(c.own, k)
        w.counts[0] += 1
        w.counts[1] += 1 if k > 0 else 0
        for j in range(n):
            c.trial[j] = c.state[j] + h * middle[n + j]
        for j in range(m):
            rates[n + j] = (c.trial[n + j] - c.state[n + j]) / h
        for j in range(n + m, c.state.size):
            c.trial[j] = c.state[j] + h * rates[j]
        if not np.isfinite(c.trial.sum()):
            return NOT_A_NUMBER
        rhs(end, c.trial, c.stages[FREE], p)
        c.counts.evaluations[0] += 1
        project(c, w, end, h, c.stages[FREE], p)
        speeds(c.trial, 0.0, w.active, k, c.own.start, p)
        if w.sprung:
            gaps(w.start, w.before, p)
        c.counts.segment_step[0] += 1
        take(c, end, h)
        return 0

    begun = preparing(rhs, watch_nothing)

    @kernel(inner=True)
    def prepare(c, p):
        begun(c, p)
        if c.own.work.sprung:
            gaps(c.own.work.start, c.own.work.before, p)
        time, h = c.times.time[0], c.times.largest_step[0]
        copy_into(c.stages[MEAN], c.state)
        k = release_middle(c, time, h, p)
        hindrance = strike(c, k, h, p) if k <= c.own.work.tried.size else TOO_MANY_CONTACTS
        if hindrance != 0:
            c.counts.outcome[0] = hindrance
        rhs(time, c.state, c.derivative, p)

    @kernel(inner=True)
    def interpolate(c, x, p):
        n, bend = c.counts.positions[0], 0.5 * x * (1.0 - x) * c.times.last_step[0]
        for j in range(c.state.size):
            c.trial[j] = c.before[j] + x * (c.state[j] - c.before[j])
        for j in range(n):
            c.trial[j] -= bend * (c.state[n + j] - c.before[n + j])

    @kernel(inner=True)
    def revisit(c, p):
        rhs(c.times.time[0], c.state, c.stages[FREE], p)
        if c.own.work.sprung:
            gaps(c.own.work.start, c.own.work.before, p)

    return integration(kernels, Stepping(prepare, step, interpolate, revisit, watch_nothing))


def hindrance(system: System) -> str:
    """Return the reason why the method cannot be used for a system; empty if it can be used."""
    return (
        "" if system.rigid is not None else "'nonsmooth-alpha' needs rigid contacts: run.formulation.contacts = 'rigid'"
    )


METHOD = Method(
    bind=nonsmooth_alpha,
    stages=3,
    fixed_step=True,
    step_times_frequency=1.0,
    evaluations=4,
    own=own_of,
    kept=kept,
    hindrance=hindrance,
)
