"""Time stepping of Moreau and Jean for chains with rigid contacts: a fixed step for all contacts, whether open or
closed.

Moreau, Unilateral contact and dry friction in finite freedom dynamics (1988); Jean, Comput. Methods Appl. Mech. Eng.
177 (1999) 235; the midpoint rule:

    q_m = q + h/2 v
    v+  = v + h a(t_m, q_m, v) + M^-1 W P      P: impulses of contacts that are closed at q_m, or will be
    q+  = q_m + h/2 v+

Here a follows from the linearised implicit midpoint rule where springs are stiff (contract/rigid.py), and M^-1 is the
corresponding inverse inertia of the step. P solves the problem of an impact by Newton's law with Coulomb friction. A
contact that is open at q_m but would close before the end of the step is allowed to close there: g_N' h/2 + g_N >= 0
replaces g_N' >= 0. The contact speeds before and after the impact are those at the start and at the end of the step;
for parts that turn with their wheel see ``speeds``. All other states are integrated with their rates at the mean
velocity, so the work lost in a contact is its impulse times the mean of its speeds before and after.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.memory import KeptMemory
from chaindrive.contract.rigid import MOST_DENSE
from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.contract.status import Status
from chaindrive.errors import ComputationError
from chaindrive.kernels import copy_into, fill, kernel
from chaindrive.solvers.complementarity.gauss_seidel import gauss_seidel
from chaindrive.solvers.complementarity.outcome import Outcome
from chaindrive.solvers.control import ROUNDING, Advance, Method, Stepping, integration, take
from chaindrive.solvers.nonsmooth.impulses import (
    INACTIVE,
    ITERATED,
    ROUNDS,
    StepWork,
    change_states,
    find_impulses,
    leave_states,
    number_rows,
    recall,
    scatter,
    solve_impulses,
    state_problem,
    work_of,
)
from chaindrive.solvers.nonsmooth.positions import projecting
from chaindrive.solvers.runge_kutta import watch_nothing
from chaindrive.solvers.verlet import next_step, preparing

if TYPE_CHECKING:
    from chaindrive.contract.rigid import RigidKernels
    from chaindrive.contract.system import System

__all__ = [
    "METHOD",
    "Kept",
    "blaming",
    "consistent_positions",
    "consistent_velocities",
    "find_closing",
    "kept",
    "moreau_jean",
    "own_of",
    "reach_gaps",
    "solving",
]

FREE, MEAN, END = range(3)
"""Rows of ``Control.stages``: rates without contact forces, and later the rates at the end of the step; a state with
mean velocities; mean rates over the step."""
SOLVED, NOT_SOLVED = int(Outcome.SOLVED), int(Outcome.TOO_MANY_ITERATIONS)
SWEEPS = 100
"""Number of projected Gauss-Seidel sweeps before Lemke's method is used; few are needed because the contacts of a chain
are only weakly coupled."""
TURNS = 40
"""Largest number of iterations of Newton's method for springs in contacts."""
YIELDED, LATE = 10.0 * ITERATED, 1e-4
"""Permitted difference between the impulses of springs and their law, relative to the largest impulse or, if greater,
to the impulse that results from the highest speed: the first value, which exceeds the error of the sweeps, applies
initially, the second after a quarter of the iterations. [-]
"""
LIGHTEST = 1e-15
"""Effective mass assigned to a spring without force. [kg]"""
MANY = 50
"""Factor by which the number of sweeps is multiplied if there are too many contacts for Lemke's method."""
STEP_TOO_SMALL, NOT_A_NUMBER = Status.STEP_TOO_SMALL.code, Status.NOT_A_NUMBER.code
CONTACTS_NOT_SOLVED, TOO_MANY_CONTACTS = Status.CONTACTS_NOT_SOLVED.code, Status.TOO_MANY_CONTACTS.code


def moreau_jean(kernels: Kernels) -> Advance:
    """Make ``advance`` from the kernels of a formulation."""
    rhs = kernels.rhs
    rigid: Any = kernels.asked("rigid", "time stepping of rigid contacts")
    release, gaps, speeds = rigid.release, rigid.gaps, rigid.speeds
    respond, give = rigid.respond, rigid.give
    solve, blame, project = solving(rigid), blaming(rigid), projecting(kernels)

    @kernel(inner=True)
    def strike(c, time, h, p):
        """Find the impulses of a step from the state at its midpoint, in ``trial``, and write the velocities after the
        step into w.free.
        """
        w, n, m = c.own, c.counts.positions[0], c.counts.velocities[0]
        rates, moved = c.stages[FREE], c.stages[MEAN]
        release(time, c.trial, rates, h, p)
        fastest = gaps(w.state.gap, w.before, p)
        k = find_closing(w, h, fastest)
        if k > w.tried.size:
            return TOO_MANY_CONTACTS
        for j in range(m):
            w.free[j] = c.trial[n + j] + h * rates[n + j]
        if k == 0:
            give(w.active, 0, w.found, p)
            return 0
        speeds(c.trial, -0.5 * h, w.active, k, w.before, p)
        copy_into(moved, c.trial)
        copy_into(moved[n : n + m], w.free)
        speeds(moved, 0.5 * h, w.active, k, w.after, p)
        reach_gaps(w, k, h)
        state_problem(w, k)
        for _ in range(ROUNDS):
            if solve(c.trial, w, k, h, p) != SOLVED:
                blame(c.trial, w, k, p)
                give(w.active, k, w.found, p)
                return CONTACTS_NOT_SOLVED
            if not change_states(w, k):
                break
        leave_states(w, k)
        w.counts[1] += 1
        respond(k, w.found, w.rate, p)
        for j in range(m):
            w.free[j] += w.rate[j]
        scatter(w.found, w, k, w.impulse)
        for r in range(2 * k):
            w.found[r] /= h
        give(w.active, k, w.found, p)
        return 0

    @kernel(inner=True)
    def step(c, p):
        h, end = next_step(c)
        now = c.times.time[0]
        if not h > ROUNDING * abs(now):
            return STEP_TOO_SMALL
        w, n, m = c.own, c.counts.positions[0], c.counts.velocities[0]
        copy_into(c.trial, c.state)
        for j in range(n):
            c.trial[j] += 0.5 * h * c.state[n + j]
        for j in range(n + m, c.state.size):
            c.trial[j] += 0.5 * h * c.derivative[j]
        hindrance = strike(c, now + 0.5 * h, h, p)
        if hindrance != 0:
            return hindrance
        mean, rates = c.stages[MEAN], c.stages[END]
        copy_into(mean, c.trial)
        for j in range(m):
            mean[n + j] = 0.5 * (c.state[n + j] + w.free[j])
        rhs(now + 0.5 * h, mean, rates, p)
        c.counts.evaluations[0] += 2
        for j in range(n):
            c.trial[j] += 0.5 * h * w.free[j]
        for j in range(m):
            rates[n + j] = (w.free[j] - c.state[n + j]) / h
            c.trial[n + j] = w.free[j]
        for j in range(n + m, c.state.size):
            c.trial[j] = c.state[j] + h * rates[j]
        if not np.isfinite(c.trial.sum()):
            return NOT_A_NUMBER
        rhs(end, c.trial, c.stages[FREE], p)
        project(c, w, end, h, c.stages[FREE], p)
        if w.sprung:
            gaps(w.start, w.before, p)
        c.counts.evaluations[0] += 1
        c.counts.segment_step[0] += 1
        take(c, end, h)
        return 0

    begun = preparing(rhs, watch_nothing)

    @kernel(inner=True)
    def prepare(c, p):
        begun(c, p)
        if c.own.sprung:
            gaps(c.own.start, c.own.before, p)
        copy_into(c.trial, c.state)
        hindrance = strike(c, c.times.time[0], c.times.largest_step[0], p)
        if hindrance != 0:
            c.counts.outcome[0] = hindrance
        rhs(c.times.time[0], c.state, c.derivative, p)

    @kernel(inner=True)
    def interpolate(c, x, p):
        for j in range(c.state.size):
            c.trial[j] = c.before[j] + x * (c.state[j] - c.before[j])

    @kernel(inner=True)
    def revisit(c, p):
        rhs(c.times.time[0], c.state, c.stages[FREE], p)
        if c.own.sprung:
            gaps(c.own.start, c.own.before, p)

    stepping = Stepping(prepare, step, interpolate, revisit, watch_nothing)
    return integration(kernels, stepping)


def solving(rigid: RigidKernels) -> Callable[..., int]:
    """Return the kernel solve(y, w, k, p), which finds the impulses of k active contacts with their present friction
    and returns an outcome.
    """
    inverse_inertia: Any = rigid.inverse_inertia
    relax: Any = rigid.relax

    @kernel(inner=True)
    def by_matrix(y, w, k, p):
        inverse_inertia(y, w.active, k, w.matrix, p)
        for i in range(k):
            w.matrix[i, i] += w.compliance[i]
        return solve_impulses(w, k)

    @kernel(inner=True)
    def by_sweeps(y, w, k, p):
        recall(w, k)
        dense = 2 * k <= w.matrix.shape[0]
        most = SWEEPS if dense else MANY * SWEEPS
        v, e = w.vector, w.compliance
        sweeps, change = relax(y, w.active, k, v, w.friction, e, w.found, w.motion, most, ITERATED, w.scratch, p)
        w.counts[2] += sweeps
        if change <= ITERATED:
            return SOLVED
        return by_matrix(y, w, k, p) if dense else NOT_SOLVED

    return with_springs(rigid.press, by_matrix if relax is None else by_sweeps)


def with_springs(press: Callable[..., tuple[float, float]], solve: Callable[..., int]) -> Callable[..., int]:
    """Return the kernel solve(y, w, k, h, p): Newton's method around a kernel that solves the problem for given
    compliances.

    The impulse P(xi) of a spring decreases with the speed xi of its contact after the step. Near a speed xi_0 the
    spring acts like a rigid contact with the compliance C = -1/P', whose impulse vanishes at the speed C P + xi_0. If
    the iterations do not converge quickly, slopes are no longer allowed to decrease, which ensures convergence.
    """

    @kernel(inner=True)
    def linearise(w, k, h, first, steep, p):
        """Linearise the springs of all active contacts at the speeds that were found or, in the first call, at the
        speeds before the step.

        Returns whether any impulse differs from the impulse of its spring at this speed.
        """
        differs, largest, fastest, part = first, 0.0, 0.0, LATE if steep else YIELDED
        for c in range(k):
            largest, fastest = max(largest, w.found[c]), max(fastest, abs(w.after[w.active[c]]))
        for c in range(k):
            i = w.active[c]
            if w.springs[i] == 0:
                w.compliance[c] = w.shift[c] = 0.0
                continue
            before = w.before[i]
            after = before if w.start[i] > 0.0 else -before
            if not first:
                after = w.motion[c] + w.shift[c] - w.compliance[c] * w.found[c]
            impulse, slope = press(i, w.start[i], before, 0.5 * (before + after), h, p)
            differs = differs or abs(impulse - w.found[c]) > part * max(largest, slope * fastest)
            least = 1.0 / w.compliance[c] if steep else LIGHTEST
            slope = max(slope, least)
            w.compliance[c], w.shift[c] = 1.0 / slope, impulse / slope + after
            w.vector[c] = w.after[i] - w.shift[c]
        return differs

    @kernel(inner=True)
    def solve_with_springs(y, w, k, h, p):
        if not w.sprung:
            return solve(y, w, k, p)
        linearise(w, k, h, True, False, p)
        for turn in range(TURNS):
            outcome = solve(y, w, k, p)
            if outcome != SOLVED:
                return outcome
            if not linearise(w, k, h, False, turn >= TURNS // 4, p):
                return SOLVED
            scatter(w.found, w, k, w.impulse)
        return NOT_SOLVED

    return solve_with_springs


def blaming(rigid: RigidKernels) -> Callable[..., None]:
    """Return the kernel blame(y, w, k, p), which performs sweeps from zero impulses; the impulses grow without bound
    where contacts jam, which shows where the fault is.
    """
    relax: Any = rigid.relax

    @kernel(inner=True)
    def by_matrix(y, w, k, p):
        fill(w.found[: 2 * k], 0.0)
        gauss_seidel(w.matrix, w.vector, w.friction, k, w.found, 1.0, SWEEPS, ITERATED)

    @kernel(inner=True)
    def by_sweeps(y, w, k, p):
        fill(w.found[: 2 * k], 0.0)
        e = w.compliance
        relax(y, w.active, k, w.vector, w.friction, e, w.found, w.motion, SWEEPS, ITERATED, w.scratch, p)

    return by_matrix if relax is None else by_sweeps


@kernel(inner=True)
def find_closing(w, h, fastest):
    """Find the contacts that are closed at the midpoint of a step or will be closed at its end, with their directions;
    return their number.

    A spring is included if it would be compressed before the end of the step at the highest closing speed of all
    contacts. The forces and impulses on other contacts could cause this, and the energy that the spring then stores
    must be taken from the motion. If there are too many contacts to solve for, open springs are treated like rigid
    contacts, and the energy that this creates appears in the energy balance.
    """
    k = _find_within(w, h, h * fastest)
    if k > w.tried.size:
        k = _find_within(w, h, 0.0)
    if k <= w.tried.size:
        number_rows(w, k)
    return k


@kernel(inner=True)
def _find_within(w, h, reach):
    """``find_closing`` with springs whose initial gap does not exceed ``reach`` [m], but without finding directions."""
    k = 0
    for i in range(w.state.gap.size):
        gap = w.state.gap[i]
        presses = w.springs[i] > 0 and w.start[i] <= reach
        if gap < math.inf and (presses or gap + 0.5 * h * min(w.before[i], 0.0) <= 0.0):
            w.active[k] = i
            k += 1
        else:
            w.sliding[i] = INACTIVE
    return k


@kernel(inner=True)
def reach_gaps(w, k, h):
    """Allow those of the k active contacts that are open at the midpoint to close at the end of the step; springs are
    excepted, as their penetration follows from their law.
    """
    for contact in w.active[:k]:
        if w.springs[contact] == 0:
            w.after[contact] += 2.0 * max(w.state.gap[contact], 0.0) / h


@kernel
def _meet(w):
    """Find the active contacts of a state from their gaps; return their number, or -1 if there are too many."""
    k = find_closing(w, 0.0, 0.0)
    return k if k <= w.tried.size else -1


@kernel
def _find_impulses(w, k):
    """``find_impulses`` for callers in Python."""
    return find_impulses(w, k)


PROBE = 1e-6
"""Step so short that forces have hardly any effect, while constraints still respond to velocities. [s]"""


CLOSER, ROUNDS_OF_CLOSING = 1e-9, 20
"""Step in which gaps close without any influence of forces [s], and the largest number of such steps; several are
needed because gaps are nonlinear functions of the positions.
"""
CLOSED = 1e-12
"""The search ends when the positions change by less than this. [m]"""


def consistent_positions(system: System) -> FloatArray:
    """Return positions (n_q,) that satisfy the constraints of a chain; each is moved in inverse proportion to its mass.

    At zero velocities, ``release`` closes the same fraction of all gaps in a step, so the displacement that closes them
    completely is obtained by dividing by this fraction.
    """
    kernels: Any = system.kernels.asked("rigid", "positions at the start")
    assert system.rigid is not None
    p, n, m = system.parameters, system.positions, system.velocities
    memory = KeptMemory(system)
    y, rates = system.state.copy(), np.zeros_like(system.state)
    y[n : n + m] = 0.0
    for _ in range(ROUNDS_OF_CLOSING):
        kernels.release(0.0, y, rates, CLOSER, p)
        change = CLOSER * CLOSER * rates[n : n + m] / system.rigid.closing
        y[:n] += change
        if np.abs(change).max() < CLOSED:
            break
    memory.put_back()
    return y[:n]


def consistent_velocities(system: System) -> FloatArray:
    """Return velocities (n_v,) that satisfy the constraints of a chain and its closed contacts, as after a plastic
    impact.

    The effect of the constraints is the result of ``release`` for the given velocities minus its result for zero
    velocities. Raises ComputationError if the impact has no solution.
    """
    kernels: Any = system.kernels.asked("rigid", "velocities at the start")
    assert system.rigid is not None
    p, n, m = system.parameters, system.positions, system.velocities
    memory = KeptMemory(system)
    laws = system.rigid.laws
    w = work_of(laws._replace(restitution=np.zeros_like(laws.restitution)), m, min(system.rigid.most, MOST_DENSE))
    y, at_rest, rates = system.state.copy(), system.state.copy(), np.zeros((2, system.state.size))
    at_rest[n : n + m] = 0.0
    kernels.release(0.0, at_rest, rates[0], PROBE, p)
    kernels.release(0.0, y, rates[1], PROBE, p)
    y[n : n + m] += PROBE * (rates[1] - rates[0])[n : n + m]
    kernels.gaps(w.state.gap, w.before, p)
    w.state.gap[system.rigid.springs > 0] = np.inf  # which give way
    k = _meet(w)
    if k > 0:
        kernels.speeds(y, 0.0, w.active, k, w.before, p)
        w.after[:] = w.before
        kernels.inverse_inertia(y, w.active, k, w.matrix, p)
        if _find_impulses(w, k) != SOLVED:
            raise ComputationError(Status.CONTACTS_NOT_SOLVED.advice)
        kernels.respond(k, w.found, w.rate, p)
        y[n : n + m] += w.rate
    memory.put_back()
    return y[n : n + m]


def own_of(system: System, tolerance: FloatArray) -> StepWork:
    """Return ``Control.own``: the data of the impulses of a step. Raises ComputationError for a system without rigid
    contacts.
    """
    if system.rigid is None:
        raise ComputationError(hindrance(system))
    rigid = system.rigid
    sweeps = rigid.scratch is not None
    most = rigid.most if sweeps else min(rigid.most, MOST_DENSE)
    work = work_of(rigid.laws, system.velocities, most, MOST_DENSE, rigid.scratch, rigid.springs, rigid.allowed)
    work.sweeps[0] = 0 if sweeps else SWEEPS
    return work


def hindrance(system: System) -> str:
    """Return the reason why the method cannot be used for a system; empty if it can be used."""
    return "" if system.rigid is not None else "'moreau-jean' needs rigid contacts: run.formulation.contacts = 'rigid'"


class Kept(NamedTuple):
    """The part of ``Control.own`` that a checkpoint contains: the sliding states of contacts, their impulses, with
    which the search in the next step begins, and, if there are springs, the gaps at the start of the next step.
    """

    sliding: FloatArray
    impulse: FloatArray
    start: FloatArray
    counts: IntArray


def kept(own: StepWork) -> Kept:
    """Return the part of ``Control.own`` that a checkpoint contains."""
    return Kept(own.sliding, own.impulse, own.start, own.counts)


METHOD = Method(
    bind=moreau_jean,
    stages=3,
    fixed_step=True,
    step_times_frequency=1.0,
    evaluations=3,
    own=own_of,
    kept=kept,
    hindrance=hindrance,
)
