"""The generalized-alpha method for the structure of a chain: implicit, of order 2, with damping of motions that are too
fast for the step.

Chung & Hulbert (J. Appl. Mech. 60, 1993) with the parameters for a spectral radius at infinity; the auxiliary rates a,
and order 2 for first-order states, follow Arnold & Brüls (Multibody Syst. Dyn. 18, 2007) and Jansen, Whiting & Hulbert
(Comput. Methods Appl. Mech. Engrg. 190, 2000):

    q1 = q + h v + h^2 ((1/2 - beta) a + beta a1)        v1 = v + h ((1 - gamma) a + gamma a1)
    (1 - alpha_m) a1 + alpha_m a = (1 - alpha_f) f(t1, q1, v1) + alpha_f f(t, q, v)

These equations are solved for a1 by a simplified Newton iteration whose matrix (``structure.py``) is kept as long as
the iteration converges. Works are computed with the same formula and are not unknowns. The error of a step is the error
of the positions, (beta - 1/6 + (alpha_m - alpha_f)/2) h^2 (a1 - a), which is exact for a constant jerk.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.states import FloatArray
from chaindrive.contract.status import Status
from chaindrive.kernels import copy_into, kernel
from chaindrive.kernels.tables import Reals, Wholes, blank
from chaindrive.solvers.control import Advance, Method, Stepping, integration, take
from chaindrive.solvers.elimination import factorise, solve
from chaindrive.solvers.linearising import linearising
from chaindrive.solvers.runge_kutta import (
    NOT_FINITE_TRIALS,
    controlling,
    preparing,
    step_towards_target,
    too_short,
    watch_nothing,
)
from chaindrive.solvers.structure import WAYS, Structure, border_size, structure_of
from chaindrive.solvers.verlet import hermite

if TYPE_CHECKING:
    from chaindrive.contract.system import System

__all__ = ["METHOD", "generalized_alpha"]

SPECTRAL_RADIUS = 0.0
"""Factor by which the amplitude of an oscillation that is much faster than the step changes in a step. [-]"""
ALPHA_M = (2.0 * SPECTRAL_RADIUS - 1.0) / (SPECTRAL_RADIUS + 1.0)
ALPHA_F = SPECTRAL_RADIUS / (SPECTRAL_RADIUS + 1.0)
GAMMA = 0.5 - ALPHA_M + ALPHA_F
BETA = 0.25 * (GAMMA + 0.5) ** 2
ERROR = BETA - 1.0 / 6.0 + 0.5 * (ALPHA_M - ALPHA_F)
SCALE = (1.0 - ALPHA_F) / (1.0 - ALPHA_M)

ITERATIONS = 12
"""Largest number of Newton iterations in a step."""
CLOSE = 0.1
"""Accepted error of the iteration, in units of the tolerance. [-]"""
SLOW = 0.3
"""A new Jacobian is computed if more than this fraction of the correction remains after an iteration. [-]"""
CUT = 0.25
"""Factor by which a step is multiplied if its iteration does not converge with a new Jacobian. [-]"""
KEPT = 1.3
"""If a step could grow by less than this factor, it keeps its length, and therefore its matrix. [-]"""
LARGEST_BORDER = 200
"""Largest number of equations that are solved as a dense matrix."""
SAME_STEP = 0.05
"""Largest relative difference between steps that use the same matrix. [-]"""

SEARCHES = 6
"""Largest number of fractions of a correction that the line search tries."""
ENOUGH = 0.1
"""The line search ends when the power along a correction has fallen to this fraction of its initial value. [-]"""
SMALLEST_PART = 0.02
"""Smallest step of the line search, as a fraction of the remaining interval. [-]"""

BEFORE, ALGORITHMIC, TRIED, END = range(4)
"""Rows of ``Control.stages``: dy/dt at the start of the step, the auxiliary rates at its start, the auxiliary rates at
its end, and dy/dt at its end."""

NOT_A_NUMBER = Status.NOT_A_NUMBER.code
STEP_TOO_SMALL = Status.STEP_TOO_SMALL.code


class Newton(NamedTuple):
    """Numbers that the iteration carries over from step to step, and counts, each of shape (1,)."""

    step: Reals
    """Step for which the matrix was factorised; 0 if there is no matrix. [s]"""
    jacobians: Wholes
    evaluations: Wholes
    """evaluations of the right-hand side for Jacobians, contained in ``Counts.evaluations``"""
    failed: Wholes
    """iterations that did not converge"""


class Own(NamedTuple):
    """Data that the method keeps in addition to the control."""

    structure: Structure
    newton: Newton
    correction: FloatArray
    """(unknowns,)"""
    rest: FloatArray
    """The correction that remains after ``correction`` has been applied, (unknowns,)."""
    residual: FloatArray
    """(unknowns,)"""
    weights: FloatArray
    """1 / tolerance of the displacement that corresponds to a velocity, and 0 for other unknowns, (unknowns,)."""
    rate: FloatArray
    """dq/dt, (n_q,)."""


def own_of(system: System, tolerance: FloatArray) -> Own:
    """Return ``Control.own`` for a run of a system; tolerance: tolerance of every state, (states,)."""
    n = system.positions
    unknowns = system.state.size - n
    weights = np.zeros(unknowns)
    for j, kind in enumerate(system.kinds[n : n + system.velocities]):
        of_its_way = tolerance[:n][system.kinds[:n] == WAYS[kind]]
        weights[j] = 1.0 / of_its_way[0]
    structure, newton = structure_of(system), blank(Newton, 1)
    return Own(structure, newton, np.zeros(unknowns), np.zeros(unknowns), np.zeros(unknowns), weights, np.zeros(n))


@kernel(inner=True)
def _rates_to(c, h, a1):
    """Write velocities and other states at the end of a step with the auxiliary rates a1 (states,) into ``trial``."""
    y, a, end = c.state, c.stages[ALGORITHMIC], c.trial
    for j in range(c.counts.positions[0], y.size):
        end[j] = y[j] + h * ((1.0 - GAMMA) * a[j] + GAMMA * a1[j])


def leading(rates: Callable[..., Any] | None) -> Callable[..., None]:
    """Return the kernel lead(control, h, a1, parameters), which writes the state at the end of a step with the rates a1
    (states,) into ``trial``.

    If the rates of positions differ from the velocities (quaternions), the midpoint rule with the mean velocity of the
    step replaces the formula for q1; it is of second order as well.
    """
    if rates is None:

        @kernel(inner=True)
        def straight(c, h, a1, p):
            n = c.counts.positions[0]
            y, a = c.state, c.stages[ALGORITHMIC]
            for j in range(n):
                c.trial[j] = y[j] + h * (y[n + j] + h * ((0.5 - BETA) * a[n + j] + BETA * a1[n + j]))
            _rates_to(c, h, a1)

        return straight

    @kernel(inner=True)
    def turning(c, h, a1, p):
        n, m = c.counts.positions[0], c.counts.velocities[0]
        y, a, end = c.state, c.stages[ALGORITHMIC], c.trial
        mean, rate = end[n : n + m], c.own.rate
        for j in range(m):
            mean[j] = y[n + j] + h * ((0.5 - BETA) * a[n + j] + BETA * a1[n + j])
        rates(y[:n], mean, rate, p)
        for j in range(n):
            end[j] = y[j] + 0.5 * h * rate[j]
        rates(end[:n], mean, rate, p)
        for j in range(n):
            end[j] = y[j] + h * rate[j]
        _rates_to(c, h, a1)

    return turning


@kernel(inner=True)
def _residual(c, a1, slope, out):
    """Write the residual of the equations, divided by (1 - alpha_m), for the derivative ``slope`` into out."""
    n = c.counts.positions[0]
    a, before = c.stages[ALGORITHMIC], c.derivative
    for j in range(out.size):
        k = n + j
        weighed = (1.0 - ALPHA_F) * slope[k] + ALPHA_F * before[k] - ALPHA_M * a[k]
        out[j] = weighed / (1.0 - ALPHA_M) - a1[k]


@kernel(inner=True)
def _size(c, s, h, correction):
    """Return the size of a correction of the rates: its effect on positions and speeds, in units of the tolerance.
    [-]
    """
    n = c.counts.positions[0]
    squares = 0.0
    for k in range(s.solved.size):
        j = s.solved[k]
        rate = GAMMA * h * correction[j] * c.weights[n + j]
        way = BETA * h * h * correction[j] * c.own.weights[j]
        squares += rate * rate + way * way
    return math.sqrt(squares / c.counts.weighed[0])


@kernel(inner=True)
def _add(s, a1, factor, correction):
    """Add a correction times a factor to the rates a1 (unknowns,)."""
    for k in range(s.solved.size):
        j = s.solved[k]
        a1[j] += factor * correction[j]


@kernel(inner=True)
def _along(s, rates, correction):
    """Return the power of the forces that correspond to ``rates``, along a correction."""
    total = 0.0
    for k in range(s.solved.size):
        j = s.solved[k]
        if s.masses[j] < np.inf:
            total += s.masses[j] * rates[j] * correction[j]
    return total


@kernel(inner=True)
def _error(c, h):
    """Return the estimated error of the positions in a step, in units of the tolerance. [-]"""
    n = c.counts.positions[0]
    a, a1 = c.stages[ALGORITHMIC], c.stages[TRIED]
    squares = 0.0
    for j in range(c.counts.velocities[0]):
        error = ERROR * h * h * (a1[n + j] - a[n + j]) * c.own.weights[j]
        squares += error * error
    return math.sqrt(squares / max(c.counts.velocities[0], 1))


def searching(evaluate: Callable[..., None]) -> Callable[..., float]:
    """Return the kernel searched(control, end, h, parameters): one Newton iteration with a line search, see below."""

    @kernel(inner=True)
    def searched(c, end, h, p):
        """Add as much of the correction as the forces along it allow; return the size of the remaining correction.

        A contact that begins to stick again in the course of the correction is far stiffer than in the Jacobian, so the
        full correction would overshoot. The fraction of the correction at which the power of the forces along it
        vanishes is found by the method of false position (Crisfield, Non-linear Finite Element Analysis of Solids and
        Structures 1, 1991, 9.2).
        """
        own = c.own
        a1 = c.stages[TRIED][c.counts.positions[0] :]
        begun = _along(own.structure, own.residual, own.correction)
        part, low, high, before, after = 1.0, 0.0, 1.0, begun, 0.0
        done = 0.0
        for _ in range(SEARCHES):
            _add(own.structure, a1, part - done, own.correction)
            done = part
            evaluate(c, end, h, p)
            _residual(c, c.stages[TRIED], c.stages[END], own.residual)
            now = _along(own.structure, own.residual, own.correction)
            if not now < -ENOUGH * abs(begun):
                if part == 1.0 or now <= ENOUGH * abs(begun):
                    break
                low, before = part, now
            else:
                high, after = part, now
            part = low + (high - low) * max(before / (before - after), SMALLEST_PART)
        solve(own.structure, own.residual, own.rest)
        return _size(c, own.structure, h, own.rest)

    return searched


def iterating(kernels: Kernels) -> Any:
    """Return the kernel iterate(control, end, h, parameters), which finds a1 by Newton's iteration, and returns False
    if the iteration does not converge.

    Afterwards the state at the end of the step is in ``trial``, and its derivative in ``stages``.
    """
    rhs, lead = kernels.rhs, leading(kernels.rates)
    linearise = linearising(kernels)

    @kernel(inner=True)
    def evaluate(c, end, h, p):
        """Compute the derivative at the state that results from the rates a1."""
        lead(c, h, c.stages[TRIED], p)
        rhs(end, c.trial, c.stages[END], p)
        c.counts.evaluations[0] += 1

    @kernel(inner=True)
    def renewed(c, end, h, p):
        """Compute a Jacobian at the last evaluated state and factorise the matrix; return False if the matrix is
        singular.
        """
        newton = c.own.newton
        spent = linearise(end, c.trial, c.stages[END], BETA * h * h, GAMMA * h, SCALE, c.own.structure, p)
        c.counts.evaluations[0] += spent
        newton.evaluations[0] += spent
        newton.jacobians[0] += 1
        newton.step[0] = h if factorise(c.own.structure) else 0.0
        return newton.step[0] > 0.0

    @kernel(inner=True)
    def left(c, h, correction):
        """Find the correction that follows from the last evaluation, and return its size."""
        s = c.own.structure
        _residual(c, c.stages[TRIED], c.stages[END], c.own.residual)
        solve(s, c.own.residual, correction)
        return _size(c, s, h, correction)

    searched = searching(evaluate)

    @kernel(inner=True)
    def iterate(c, end, h, p):
        own = c.own
        copy_into(c.stages[TRIED], c.stages[ALGORITHMIC])
        evaluate(c, end, h, p)
        fresh = not abs(own.newton.step[0] - h) <= SAME_STEP * h
        if fresh and not renewed(c, end, h, p):
            return False
        size = left(c, h, own.correction)
        for _ in range(ITERATIONS):
            if fresh:
                after = searched(c, end, h, p)
            else:
                _add(own.structure, c.stages[TRIED][c.counts.positions[0] :], 1.0, own.correction)
                evaluate(c, end, h, p)
                after = left(c, h, own.rest)
                if not after < size:
                    _add(own.structure, c.stages[TRIED][c.counts.positions[0] :], -1.0, own.correction)
                    evaluate(c, end, h, p)
                    after = size
            if not np.isfinite(after):
                break
            if after <= CLOSE:
                return True
            if after <= SLOW * size:
                copy_into(own.correction, own.rest)
                size, fresh = after, False
            else:
                if not renewed(c, end, h, p):
                    return False
                size, fresh = left(c, h, own.correction), True
        own.newton.failed[0] += 1
        own.newton.step[0] = 0.0
        return False

    return iterate


@kernel(inner=True)
def no_horizon(p):
    """Return the horizon for a formulation whose memory is valid for any step."""
    return math.inf


def generalized_alpha(kernels: Kernels) -> Advance:
    """Make ``advance`` from the kernels of a formulation.

    A step takes one evaluation at its predicted end and one per iteration; for the cost of a Jacobian see
    ``linearising.py``.
    """
    rhs, horizon = kernels.rhs, kernels.horizon or no_horizon
    iterate = iterating(kernels)
    control = controlling(2)
    begin = kernel(preparing(rhs, 2), inner=True)

    @kernel(inner=True)
    def prepare(c, p):
        begin(c, p)
        copy_into(c.stages[ALGORITHMIC], c.derivative)

    @kernel(inner=True)
    def do_works(c, h):
        """Write the works, which are computed from the derivative at the end of the step."""
        n = c.counts.positions[0]
        a, a1, before, slope = c.stages[ALGORITHMIC], c.stages[TRIED], c.derivative, c.stages[END]
        for k in range(n, c.state.size):
            weighed = (1.0 - ALPHA_F) * slope[k] + ALPHA_F * before[k] - ALPHA_M * a[k]
            if c.weights[k] == 0.0:
                a1[k] = weighed / (1.0 - ALPHA_M)
                c.trial[k] = c.state[k] + h * ((1.0 - GAMMA) * a[k] + GAMMA * a1[k])

    @kernel(inner=True)
    def step(c, p):
        times, counts = c.times, c.counts
        proposed = min(times.next_step[0], horizon(p))
        if too_short(c, proposed):
            return NOT_A_NUMBER if counts.not_finite[0] > 0 else STEP_TOO_SMALL
        h, end = step_towards_target(c, proposed)
        copy_into(c.stages[BEFORE], c.derivative)
        if not iterate(c, end, h, p):
            counts.rejected[0] += 1
            counts.was_rejected[0] = 1
            times.next_step[0] = CUT * h
            if not np.isfinite(c.stages[END].sum()):
                counts.not_finite[0] += 1
            return NOT_A_NUMBER if counts.not_finite[0] > NOT_FINITE_TRIALS else 0
        do_works(c, h)
        if control(_error(c, h), h, c):
            if times.next_step[0] < KEPT * h:
                times.next_step[0] = min(times.next_step[0], h)
            copy_into(c.stages[ALGORITHMIC], c.stages[TRIED])
            take(c, end, h)
        return 0

    @kernel(inner=True)
    def interpolate(c, x, p):
        hermite(x, c.times.last_step[0], c.before, c.stages[BEFORE], c.state, c.stages[END], c.trial)

    @kernel(inner=True)
    def revisit(c, p):
        rhs(c.times.time[0], c.state, c.stages[END], p)

    return integration(kernels, Stepping(prepare, step, interpolate, revisit, watch_nothing))


def hindrance(system: System) -> str:
    """Return the reason why the method cannot be used for a system; empty if it can be used."""
    dense = border_size(system)
    if dense <= LARGEST_BORDER:
        return ""
    return (
        f"'generalized-alpha' solves the equations of chains block by block; here {dense} equations have no such "
        "structure. Use an explicit method such as 'dormand-prince'."
    )


def counted(own: Own) -> tuple[int, int, int]:
    """Return the numbers of Jacobians, of evaluations for them, and of steps whose iteration did not converge."""
    newton = own.newton
    return int(newton.jacobians[0]), int(newton.evaluations[0]), int(newton.failed[0])


def fault(own: Own) -> int:
    """Return the unknown at which the last matrix was singular; -1 if it was not singular."""
    return int(own.structure.fault[0])


METHOD = Method(
    bind=generalized_alpha,
    stages=4,
    fixed_step=False,
    step_times_frequency=math.inf,
    evaluations=2,
    own=own_of,
    hindrance=hindrance,
    counted=counted,
    fault=fault,
)
