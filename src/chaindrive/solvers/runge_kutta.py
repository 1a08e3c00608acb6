"""Explicit embedded Runge-Kutta methods with step-size control and dense output: one loop, any tableau.

Sources: Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I (1993), II.4 (error norm, starting step),
II.5 and II.6 (embedded pairs, dense output); Gustafsson (1991) as given there in IV.2, eq. 2.43c (PI controller).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import chaindrive.solvers.control as ctl
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.status import Status
from chaindrive.kernels import copy_into, kernel
from chaindrive.solvers.control import Advance, Method, Stepping, bound_kernel, integration, next_target, take

__all__ = ["Tableau", "explicit_runge_kutta", "runge_kutta_method"]

SAFETY = 0.9
SMALLEST_FACTOR = 0.2
LARGEST_FACTOR = 10.0
SMALLEST_REMEMBERED_ERROR = 1e-4
NOT_FINITE_FACTOR = 0.1
NOT_FINITE_TRIALS = 8
"""How often a step with a NaN is tried again, each time with a tenth of the step, before the run ends."""
SMALL_WORK = 1e-4
"""A work smaller than this part of the largest one is held relative to that part of it."""
LEFT_OVER = 0.1
"""Part of the error that a work may still have which one step may take."""
INSTANT = 1e-6
"""A step that is shorter than this part of the time so far is not refused for the sake of works. [-]"""
INSTANT_OF_STEP = 1e-3
"""Nor one that is shorter than this part of the longest step. [-]"""
TERMS_AT_ONCE = 6
"""Stages added in one pass; with more, the compiler gives up proving that the arrays do not overlap."""

NOT_A_NUMBER = Status.NOT_A_NUMBER.code
STEP_TOO_SMALL = Status.STEP_TOO_SMALL.code


class Tableau(NamedTuple):
    """An explicit embedded pair with s stages, the last of which is the derivative at the end of the step.

    "First same as last": the next step begins with it, and ``accept`` needs an evaluation just there. A pair without
    this property is brought into this form by its weights b as one more row of ``a``; that costs nothing, because the
    added stage is the first one of the next step.
    """

    order: int
    """Order of the solution that is carried on."""
    error_order: int
    """Order of the embedded solution; the error estimate behaves as h^(error_order + 1)."""
    nodes: tuple[float, ...]
    """c, s numbers, the first 0 and the last 1."""
    a: tuple[tuple[float, ...], ...]
    """Rows for the stages 2 to s, of 1 to s - 1 numbers; the last row holds the weights b."""
    error: tuple[float, ...]
    """b - b_hat, s numbers."""
    dense: tuple[tuple[float, ...], ...]
    """s rows: y(t + x h) = y + h sum_i (dense[i][0] x + dense[i][1] x^2 + ...) k_i."""
    step_times_frequency: float = 1.2
    """Longest step times the highest frequency of the system. An explicit method stays stable beyond it, but then damps
    the fastest oscillations itself: work that no law accounts for. [-]"""


def weighted_sum(weights: tuple[float, ...], first: int = 0) -> Callable[..., Any]:
    """Kernel total(k, j) = sum_i weights[i] k[first + i, j], unrolled, without the terms of weight zero."""
    while weights and weights[-1] == 0.0:
        weights = weights[:-1]
    if not weights:
        raise ValueError("a sum needs a weight that is not zero")
    weight, row = weights[-1], first + len(weights) - 1
    if not any(weights[:-1]):

        @kernel(inline=True)
        def single(k, j):
            return weight * k[row, j]

        return single
    rest = weighted_sum(weights[:-1], first)

    @kernel(inline=True)
    def total(k, j):
        return rest(k, j) + weight * k[row, j]

    return total


def combination(weights: tuple[float, ...], first: int = 0) -> Callable[..., Any]:
    """Kernel combine(y, h, k, out): out = y + h sum_i weights[i] k[i], at most TERMS_AT_ONCE terms in a pass."""
    total = weighted_sum(weights[:TERMS_AT_ONCE], first)

    @kernel(inline=True)
    def combine(y, h, k, out):
        for j in range(out.size):
            out[j] = y[j] + h * total(k, j)

    if not any(weights[TERMS_AT_ONCE:]):
        return combine
    others = combination(weights[TERMS_AT_ONCE:], first + TERMS_AT_ONCE)

    @kernel(inline=True)
    def combine_more(y, h, k, out):
        combine(y, h, k, out)
        others(out, h, k, out)

    return combine_more


def stage_arguments(a: tuple[tuple[float, ...], ...], stage: int = 1) -> Callable[..., Any]:
    """Kernel argument(stage, y, h, k, out): the state at which a stage is evaluated; all constants compiled in."""
    combine = combination(a[0])
    if len(a) == 1:

        @kernel(inline=True)
        def last(i, y, h, k, out):
            combine(y, h, k, out)

        return last
    others = stage_arguments(a[1:], stage + 1)

    @kernel(inline=True)
    def argument(i, y, h, k, out):
        if i == stage:
            combine(y, h, k, out)
        else:
            others(i, y, h, k, out)

    return argument


@kernel
def scaled_norm(x, y, c):
    """Root mean square of x / (atol + rtol |y|) over the states that steer the step [-]."""
    rtol = c.times.relative_tolerance[0]
    total = 0.0
    for j in range(x.size):
        r = x[j] / (c.tolerance[j] + rtol * abs(y[j]))
        total += r * r
    return math.sqrt(total / c.counts.weighed[0])


def error_norm(weights: tuple[float, ...]) -> Callable[..., Any]:
    """Kernel norm(h, control): root mean square of h sum_i weights[i] k[i] in units of the tolerance [-].

    Hairer, Norsett & Wanner (1993), eqs. II.4.10 and 4.11. Not a number when any stage is.
    """
    total = weighted_sum(weights)

    @kernel(inline=True)
    def norm(h, c):
        k = c.stages
        rtol = c.times.relative_tolerance[0]
        squares = 0.0
        if rtol == 0.0:
            for j in range(c.weights.size):
                r = total(k, j) * c.weights[j]
                squares += r * r
        else:
            for j in range(c.weights.size):
                size = max(abs(c.state[j]), abs(c.trial[j]))
                r = total(k, j) / (c.tolerance[j] + rtol * size)
                squares += r * r
        return abs(h) * math.sqrt(squares / c.counts.weighed[0])

    return norm


def work_error(weights: tuple[float, ...]) -> Callable[..., Any]:
    """Kernel norm(h, control): the largest error of a work in units of what it may have [-].

    Works are held relative to themselves: all errors of a work so far may add up to the part WORK_TOLERANCE of its
    rises and falls so far. A step may spend its own share of that, and a part of what earlier steps left over, so that
    an impact, where no step is short enough for a smooth error, does not stop a run. A work that is small beside the
    largest is held relative to SMALL_WORK of that one, and one smaller than LEAST_WORK relative to that: friction that
    begins from rest with a vertical slope has an error in proportion to its step, however short.

    So has a power that jumps where next to no work has been done so far (a mass that flies freely into a stop, a motion
    that begins late). A step shorter than INSTANT of the time so far, or INSTANT_OF_STEP of the longest step, is taken
    as it is. What it may lose is what the power is worth in this time, and it is booked.
    """
    total = weighted_sum(weights)

    @kernel(inline=True)
    def norm(h, c):
        if not c.times.work_tolerance[0] < math.inf:
            return 0.0
        largest = 0.0
        for w in range(c.works.size):
            j = c.works[w]
            c.account.step_error[w] = h * total(c.stages, j)
            largest = max(largest, c.account.turned[w] + abs(c.trial[j] - c.state[j]))
        time = c.times.time[0] - c.times.start[0] + h
        longest = c.times.largest_step[0] if c.times.largest_step[0] < math.inf else 0.0
        if h < max(INSTANT * time, INSTANT_OF_STEP * longest):
            return 0.0
        least = max(SMALL_WORK * largest, c.times.least_work[0])
        worst = 0.0
        for w in range(c.works.size):
            j = c.works[w]
            change = abs(c.trial[j] - c.state[j])
            turned = max(c.account.turned[w] + change, least)
            share = max(change, turned * h / time)
            left = max(c.times.work_tolerance[0] * turned - c.account.error[w], 0.0)
            allowed = c.times.work_tolerance[0] * share + LEFT_OVER * left
            error = abs(c.account.step_error[w])
            if error > 0.0:
                worst = max(worst, error / (allowed + 1e-300))
        return worst

    return norm


@kernel(inline=True)
def book_works(c):
    """Enter a step that was accepted into the account of the works; before it becomes the state."""
    for w in range(c.works.size):
        j = c.works[w]
        c.account.turned[w] += abs(c.trial[j] - c.state[j])
        c.account.error[w] += abs(c.account.step_error[w])
        c.account.drift[w] += c.account.step_error[w]


def preparing(rhs: Callable[..., Any], error_order: int) -> Callable[..., None]:
    """Kernel prepare(control, parameters): first derivative and first step (Hairer, Norsett & Wanner 1993, II.4)."""
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

    return bound_kernel(prepare, rhs)


def controlling(error_order: int) -> Callable[..., Any]:
    """Kernel control(error, h, control) -> bool: sets the next step; True when the step is accepted.

    PI controller of Gustafsson (1991) with beta = 0.2/k, k = error_order + 1, as in DOPRI5 of Hairer & Wanner.
    """
    beta = 0.2 / (error_order + 1.0)
    exponent = 1.0 / (error_order + 1.0) - 0.75 * beta

    @kernel(inline=True)
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
        if (
            factor >= 1.0 and counts.was_rejected[0] == 0
        ):  # a step cut short by a stop says nothing against a longer one
            proposed = max(proposed, times.next_step[0])
        times.next_step[0] = min(proposed, times.largest_step[0])
        times.error_before[0] = max(error, SMALLEST_REMEMBERED_ERROR)
        counts.was_rejected[0] = 0
        counts.not_finite[0] = 0
        return True

    return control


def interpolating(dense: tuple[tuple[float, ...], ...]) -> Callable[..., None]:
    """Kernel interpolate(control, x, parameters): dense output at the fraction x of the last step, into ``trial``."""

    @kernel
    def interpolate(c, x, p):
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
def watch_nothing(c, changed, p):
    """A method that controls its step by an error estimate asks nobody else."""
    return


def explicit_runge_kutta(tableau: Tableau) -> Callable[..., Advance]:
    """The factory of a method: takes the kernels of a formulation, gives ``advance``.

    Every step costs s - 1 evaluations. A rejected step changes no memory: accept is called on accepted steps only.
    """
    argument = stage_arguments(tableau.a)
    norm = error_norm(tableau.error)
    norm_of_works = work_error(tableau.error)
    control = controlling(tableau.error_order)
    interpolate = interpolating(tableau.dense)
    nodes = tableau.nodes
    stages = len(nodes)

    def bind(kernels: Kernels) -> Advance:
        rhs = kernels.rhs

        @kernel(inner=True)
        def step(c, p):
            t = c.times.time[0]
            h = c.times.next_step[0]
            k = c.stages
            if not h > ctl.ROUNDING * max(abs(t), abs(c.times.end[0])):
                return NOT_A_NUMBER if c.counts.not_finite[0] > 0 else STEP_TOO_SMALL
            target = next_target(c)
            remaining = target - t
            end = t + h
            if 1.01 * h >= remaining:
                h = remaining
                end = target
            elif 2.0 * h > remaining:
                h = 0.5 * remaining
                end = t + h
            for j in range(c.state.size):
                k[0, j] = c.derivative[j]
            for i in range(1, stages):
                argument(i, c.state, h, k, c.trial)
                rhs(end if i == stages - 1 else t + nodes[i] * h, c.trial, k[i], p)
            c.counts.evaluations[0] += stages - 1
            error = norm(h, c)
            works = norm_of_works(h, c)
            if control(works if works > error else error, h, c):
                book_works(c)
                take(c, end, h)
            elif c.counts.not_finite[0] > NOT_FINITE_TRIALS:
                return NOT_A_NUMBER
            return 0

        @kernel(inner=True)
        def revisit(c, p):
            rhs(c.times.time[0], c.state, c.stages[stages - 1], p)

        prepare = preparing(rhs, tableau.error_order)
        return integration(kernels, Stepping(prepare, step, interpolate, revisit, watch_nothing))

    return bind


def runge_kutta_method(tableau: Tableau) -> Method:
    """A tableau as an entry of the registry of methods."""
    return Method(explicit_runge_kutta(tableau), len(tableau.nodes), False, tableau.step_times_frequency)
