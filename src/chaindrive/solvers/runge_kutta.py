"""Explicit embedded Runge-Kutta methods with step-size control and dense output, made from any tableau.

Sources: Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I (1993), II.4 (error norm, starting step),
II.5 and II.6 (embedded pairs, dense output); Gustafsson (1991) as cited there in IV.2, eq. 2.43c (PI controller).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import chaindrive.solvers.control as ctl
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.status import Status
from chaindrive.kernels import copy_into, kernel
from chaindrive.solvers.control import Advance, Method, Stepping, integration, next_target, take
from chaindrive.solvers.tableau import Tableau, in_rows, stage_arguments, weighted_sum
from chaindrive.solvers.works import book_works, norm_of_works

__all__ = ["explicit_runge_kutta", "runge_kutta_method"]

SAFETY = 0.9
SMALLEST_FACTOR = 0.2
LARGEST_FACTOR = 10.0
SMALLEST_REMEMBERED_ERROR = 1e-4
NOT_FINITE_FACTOR = 0.1
NOT_FINITE_TRIALS = 8
"""Number of times that a step with a NaN is repeated, each time with a tenth of its length, before the run ends."""

NOT_A_NUMBER = Status.NOT_A_NUMBER.code
STEP_TOO_SMALL = Status.STEP_TOO_SMALL.code


@kernel
def scaled_norm(x, y, c):
    """Return the root mean square of x / (atol + rtol |y|) over the states that control the step [-]."""
    rtol = c.times.relative_tolerance[0]
    total = 0.0
    for j in range(x.size):
        r = x[j] / (c.tolerance[j] + rtol * abs(y[j]))
        total += r * r
    return math.sqrt(total / c.counts.weighed[0])


def error_norm(weights: tuple[float, ...], second: tuple[float, ...] = ()) -> Callable[..., Any]:
    """Return the kernel norm(h, control): root mean square of h sum_i weights[i] k[i] in units of the tolerance [-].

    Hairer, Norsett & Wanner (1993), eqs. II.4.10 and 4.11; with a second estimate eq. II.10.17, e^2 / sqrt(e^2 + 0.01
    e2^2), which is of the order of the solution. The norm is not a number if any stage is not a number.
    """
    squares = sum_of_squares(weights)
    if not second:

        @kernel(inner=True)
        def norm(h, c):
            return abs(h) * math.sqrt(squares(c) / c.counts.weighed[0])

        return norm
    second_squares = sum_of_squares(second)

    @kernel
    def combined_norm(h, c):
        first = squares(c)
        both = first + 0.01 * second_squares(c)
        return abs(h) * first / math.sqrt(both * c.counts.weighed[0]) if both > 0.0 else both

    return combined_norm


def sum_of_squares(weights: tuple[float, ...]) -> Callable[..., Any]:
    """Return the kernel squares(control): sum over the states of (sum_i weights[i] k[i])^2 in units of the tolerance
    [1/s^2].
    """
    total = weighted_sum(weights)

    @kernel(inner=True)
    def squares(c):
        k = c.stages
        rtol = c.times.relative_tolerance[0]
        found = 0.0
        if rtol == 0.0:
            for j in range(c.weights.size):
                r = total(k, j) * c.weights[j]
                found += r * r
        else:
            for j in range(c.weights.size):
                size = max(abs(c.state[j]), abs(c.trial[j]))
                r = total(k, j) / (c.tolerance[j] + rtol * size)
                found += r * r
        return found

    return squares


def work_error(weights: tuple[float, ...]) -> Callable[..., Any]:
    """Return the kernel norm(h, control): the largest error of any work integral, relative to the permitted error
    (``norm_of_works``) [-].
    """
    total = weighted_sum(weights)

    @kernel(inner=True)
    def norm(h, c):
        for w in range(c.works.size):
            c.account.step_error[w] = h * total(c.stages, c.works[w])
        return norm_of_works(h, c)

    return norm


def preparing(rhs: Callable[..., Any], error_order: int) -> Callable[..., None]:
    """Return the function prepare(control, parameters), to be compiled, which finds the first derivative and the first
    step.

    Hairer, Norsett & Wanner (1993), II.4.
    """
    exponent = 1.0 / (error_order + 1.0)

    def prepare(c, p):
        y = c.state
        f = c.derivative
        times = c.times
        rhs(times.time[0], y, f, p)
        c.counts.evaluations[0] += 1
        size = scaled_norm(y, y, c)
        slope = scaled_norm(f, y, c)
        if not (np.isfinite(size) and np.isfinite(slope)):
            c.counts.outcome[0] = NOT_A_NUMBER
            return
        if times.next_step[0] > 0.0:  # the caller chose it
            return
        limit = min(max(next_target(c) - times.time[0], 0.0), times.largest_step[0])
        h0 = 1e-6 if size < 1e-5 or slope < 1e-5 else 0.01 * size / slope
        h0 = min(h0, limit)
        if h0 <= 0.0:
            times.next_step[0] = 1e-6
            return
        change = c.stages[1]
        for j in range(y.size):
            c.trial[j] = y[j] + h0 * f[j]
        rhs(times.time[0] + h0, c.trial, change, p)
        c.counts.evaluations[0] += 1
        for j in range(y.size):
            change[j] -= f[j]
        bend = scaled_norm(change, y, c) / h0
        if not np.isfinite(bend):
            times.next_step[0] = NOT_FINITE_FACTOR * h0
            return
        steepest = max(slope, bend)
        h1 = max(1e-6, 1e-3 * h0) if steepest <= 1e-15 else (0.01 / steepest) ** exponent
        times.next_step[0] = min(100.0 * h0, h1, limit)

    return prepare


def controlling(error_order: int) -> Callable[..., Any]:
    """Return the kernel control(error, h, control) -> bool, which sets the next step and returns True if the step is
    accepted.

    It is the PI controller of Gustafsson (1991) with beta = 0.2/k, k = error_order + 1, as in DOPRI5 of Hairer &
    Wanner.
    """
    beta = 0.2 / (error_order + 1.0)
    exponent = 1.0 / (error_order + 1.0) - 0.75 * beta

    @kernel
    def control(error, h, c):
        times = c.times
        counts = c.counts
        if not np.isfinite(error):
            counts.not_finite[0] += 1
            counts.rejected[0] += 1
            counts.was_rejected[0] = 1
            times.next_step[0] = NOT_FINITE_FACTOR * h
            return False
        proportional = error**exponent
        if error > 1.0:
            counts.rejected[0] += 1
            counts.was_rejected[0] = 1
            times.next_step[0] = h * max(SMALLEST_FACTOR, SAFETY / proportional)
            return False
        factor = LARGEST_FACTOR
        if proportional > 0.0:
            factor = SAFETY * times.error_before[0] ** beta / proportional
            factor = min(LARGEST_FACTOR, max(SMALLEST_FACTOR, factor))
        if counts.was_rejected[0] != 0:
            factor = min(factor, 1.0)
        proposed = h * factor
        if factor >= 1.0 and counts.was_rejected[0] == 0:  # a step cut short by a stop does not rule out a longer one
            proposed = max(proposed, times.next_step[0])
        times.next_step[0] = min(proposed, times.largest_step[0])
        times.error_before[0] = max(error, SMALLEST_REMEMBERED_ERROR)
        counts.was_rejected[0] = 0
        counts.not_finite[0] = 0
        return True

    return control


@kernel(inline=True)
def _nothing_further(c, p):
    return


def evaluating_further(tableau: Tableau, rhs: Callable[..., Any]) -> Callable[..., None]:
    """Return the kernel evaluate(control, parameters), which evaluates the additional stages of the last step unless
    this has already been done.
    """
    if not tableau.further:
        return _nothing_further
    argument = stage_arguments(tuple(in_rows(tableau, weights) for weights in tableau.further))
    nodes, first = tableau.further_nodes, len(tableau.nodes) - 1

    @kernel(inner=True)
    def evaluate(c, p):
        if c.counts.dense[0] != 0:
            return
        c.counts.dense[0] = 1
        h = c.times.last_step[0]
        for i in range(len(nodes)):
            argument(i + 1, c.before, h, c.stages, c.trial)
            rhs(c.times.time_before[0] + nodes[i] * h, c.trial, c.stages[first + i], p)
        c.counts.evaluations[0] += len(nodes)

    return evaluate


@kernel(inline=True)
def too_short(c, h):
    """Return whether a step h is so short that it would be lost in the rounding of time."""
    return not h > ctl.ROUNDING * max(abs(c.times.time[0]), abs(c.times.end[0]))


@kernel(inner=True)
def step_towards_target(c, h):
    """Return the step to be taken for a proposed step h, which ends no later than the next target, and the time at its
    end [s].
    """
    time = c.times.time[0]
    target = next_target(c)
    remaining = target - time
    if 1.01 * h >= remaining:
        return remaining, target
    if 2.0 * h > remaining:
        h = 0.5 * remaining
    return h, time + h


def interpolating(tableau: Tableau, rhs: Callable[..., Any]) -> Callable[..., None]:
    """Return the kernel interpolate(control, x, parameters), which writes the dense output at the fraction x of the
    last step into ``trial``.
    """
    dense = in_rows(tableau, tableau.dense)
    evaluate_further = evaluating_further(tableau, rhs)

    @kernel(inner=True)
    def interpolate(c, x, p):
        evaluate_further(c, p)
        k = c.stages
        copy_into(c.trial, c.before)
        for i in range(k.shape[0]):
            weight = 0.0
            power = c.times.last_step[0]
            for coefficient in dense[i]:
                power *= x
                weight += coefficient * power
            if weight != 0.0:
                for j in range(c.trial.size):
                    c.trial[j] += weight * k[i, j]

    return interpolate


@kernel(inner=True)
def watch_nothing(c, answer, p):
    """Do nothing: the method controls its step by an error estimate."""
    return


def explicit_runge_kutta(tableau: Tableau) -> Callable[..., Advance]:
    """Return bind(kernels), which makes ``advance`` of a method from the kernels of a formulation.

    Every step takes s - 1 evaluations. A rejected step changes no memory, because accept is called for accepted steps
    only.
    """
    argument = stage_arguments(tableau.a)
    norm = error_norm(in_rows(tableau, tableau.error), in_rows(tableau, tableau.second_error))
    works_norm = work_error(in_rows(tableau, tableau.error))
    control = controlling(tableau.error_order)
    nodes = tableau.nodes
    stages = len(nodes)
    end_row = stages + len(tableau.further) - 1

    def bind(kernels: Kernels) -> Advance:
        rhs = kernels.rhs

        @kernel(inner=True)
        def step(c, p):
            t = c.times.time[0]
            k = c.stages
            if too_short(c, c.times.next_step[0]):
                return NOT_A_NUMBER if c.counts.not_finite[0] > 0 else STEP_TOO_SMALL
            h, end = step_towards_target(c, c.times.next_step[0])
            for j in range(c.state.size):
                k[0, j] = c.derivative[j]
            for i in range(1, stages):
                argument(i, c.state, h, k, c.trial)
                last = i == stages - 1
                rhs(end if last else t + nodes[i] * h, c.trial, k[end_row if last else i], p)
            c.counts.evaluations[0] += stages - 1
            error = norm(h, c)
            works = works_norm(h, c)
            if control(works if works > error else error, h, c):
                book_works(c)
                take(c, end, h)
            elif c.counts.not_finite[0] > NOT_FINITE_TRIALS:
                return NOT_A_NUMBER
            return 0

        @kernel(inner=True)
        def revisit(c, p):
            rhs(c.times.time[0], c.state, c.stages[end_row], p)

        prepare = kernel(preparing(rhs, tableau.error_order), inner=True)
        interpolate = interpolating(tableau, rhs)
        return integration(kernels, Stepping(prepare, step, interpolate, revisit, watch_nothing))

    return bind


def runge_kutta_method(tableau: Tableau) -> Method:
    """Return the entry for a tableau in the registry of methods."""
    stages = len(tableau.nodes)
    rows, bind = stages + len(tableau.further), explicit_runge_kutta(tableau)
    return Method(bind, rows, False, tableau.step_times_frequency, evaluations=stages - 1)
