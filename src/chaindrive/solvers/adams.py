"""Adams' method of variable order and step (predict, evaluate, correct, evaluate), for smooth right-hand sides.

Shampine & Gordon (1975), Computer Solution of Ordinary Differential Equations: The Initial Value Problem: the code
STEP, with the interpolation of INTRP. Orders 1 to 12, local extrapolation, two evaluations per step. Pedersen (2004)
integrated chain drives with such a method, Hippmann, Arnold & Schittenhelm (2005) with that of LSODE.

Let psi_i be the time from the i-th previous point to the end of the step, phi_i the modified divided differences of
dy/dt (phi_1 is dy/dt at the last point), and g and beta coefficients that depend only on the step lengths. A step h of
order k is then

    phi*_i = beta_i phi_i              p = y + h sum_(i<=k) g_i phi*_i          phi^e_i = phi*_i + phi^e_(i+1)
    y1 = p + h g_(k+1) (f(p) - phi^e_1)        phi_i = phi^e_i + f(y1) - phi^e_1

The propagated solution is of order k + 1. The treatment of tolerances near the rounding error in STEP is omitted,
because such tolerances are not used.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.states import FloatArray
from chaindrive.contract.status import Accepted, Status
from chaindrive.kernels import copy_into, fill, kernel
from chaindrive.kernels.tables import Reals, Wholes, blank
from chaindrive.solvers.control import Advance, Method, Stepping, integration, take
from chaindrive.solvers.runge_kutta import (
    NOT_FINITE_FACTOR,
    NOT_FINITE_TRIALS,
    preparing,
    step_towards_target,
    too_short,
)
from chaindrive.solvers.works import book_works, norm_of_works

if TYPE_CHECKING:
    from chaindrive.contract.system import System

__all__ = ["HIGHEST_ORDER", "METHOD", "adams"]

HIGHEST_ORDER = 12
PREDICTED, END = 0, HIGHEST_ORDER + 3
"""Rows of ``Control.stages`` that hold dy/dt at the predicted state and at the end of the step; phi_i is in row i."""
ERROR_CONSTANTS = (
    1.0, 0.5, 0.0833, 0.0417, 0.0264, 0.0188, 0.0143, 0.0114, 0.00936, 0.00789, 0.00679, 0.00592, 0.00524, 0.00468
)  # fmt: skip
"""Error constants of the Adams-Moulton formulae for constant steps, by order, as in STEP."""
HALF = 0.5
"""Target for the error of the next step, as a fraction of the tolerance."""
FAILURES_AT_ORDER = 2
"""Number of times that a step is halved and repeated with its order; after that it is repeated with order 1."""

NOT_A_NUMBER = Status.NOT_A_NUMBER.code
RHS_CHANGED = int(Accepted.RHS_CHANGED)
STEP_TOO_SMALL = Status.STEP_TOO_SMALL.code


class Numbers(NamedTuple):
    """Order and errors, each of shape (1,)."""

    order: Wholes
    """k of the next step"""
    last_order: Wholes
    """order of the last step; 0 before the first"""
    equal: Wholes
    """number of steps of equal length, including the next one; at most ``last_order`` + 1"""
    rising: Wholes
    """1 at the start, while order and step are raised until the error prevents it"""
    failures: Wholes
    """failures of the current step"""
    lowered: Wholes
    """1 if the current step shows that a lower order is sufficient"""
    last_step: Reals
    """[s]"""
    error: Reals
    """error of the current step, estimated for its order [-]"""
    lower_error: Reals
    """error of the same step, estimated for an order lower by one [-]"""


class Coefficients(NamedTuple):
    """Coefficients of a step, with the indices used in the book (index 0 is unused); [-] unless stated otherwise."""

    psi: Reals
    """[s]"""
    alpha: Reals
    beta: Reals
    sigma: Reals
    v: Reals
    w: Reals
    g: Reals
    dense_g: Reals
    """g of the interpolating polynomial"""


class Own(NamedTuple):
    """Content of ``Control.own`` for this method."""

    number: Numbers
    of: Coefficients


def own(system: System, tolerance: FloatArray) -> Own:
    """Return ``Control.own`` before the first step."""
    number, of = blank(Numbers, 1), blank(Coefficients, END)
    number.order[0] = number.rising[0] = 1
    of.g[1], of.g[2], of.sigma[1], of.dense_g[1] = 1.0, 0.5, 1.0, 1.0
    return Own(number, of)


@kernel
def set_coefficients(n, of, h):
    """Set psi, alpha, beta, sigma and g for a step h; values that do not change between equal steps are kept (STEP,
    block 1).
    """
    k = n.order[0]
    if h != n.last_step[0]:
        n.equal[0] = 0
    if n.equal[0] <= n.last_order[0]:
        n.equal[0] += 1
    equal = n.equal[0]
    if k < equal:
        return
    of.beta[equal] = 1.0
    of.alpha[equal] = 1.0 / equal
    of.sigma[equal + 1] = 1.0
    reach = h * equal
    for i in range(equal + 1, k + 1):
        before = of.psi[i - 1]
        of.psi[i - 1] = reach
        of.beta[i] = of.beta[i - 1] * reach / before
        reach = before + h
        of.alpha[i] = h / reach
        of.sigma[i + 1] = i * of.alpha[i] * of.sigma[i]
    of.psi[k] = reach
    set_weights(of, k, equal, k > n.last_order[0])


@kernel
def set_weights(of, k, equal, raised):
    """Set g for a step of order k. equal: number of successive equal steps, this one included; raised: whether the
    previous step had a lower order.
    """
    alpha, v, w, g = of.alpha, of.v, of.w, of.g
    if equal == 1:
        for i in range(1, k + 1):
            v[i] = 1.0 / (i * (i + 1.0))
            w[i] = v[i]
    else:
        if raised:
            v[k] = 1.0 / (k * (k + 1.0))
            for j in range(1, equal - 1):
                v[k - j] -= alpha[j + 1] * v[k - j + 1]
        for i in range(1, k + 2 - equal):
            v[i] -= alpha[equal] * v[i + 1]
            w[i] = v[i]
        g[equal + 1] = w[1]
    for i in range(equal + 2, k + 2):
        for j in range(1, k + 3 - i):
            w[j] -= alpha[i - 1] * w[j + 1]
        g[i] = w[1]


@kernel
def predict(c, h):
    """Write p into ``trial``, and replace phi by phi^e (STEP, block 2)."""
    of, phi, state = c.own.of, c.stages, c.trial
    k = c.own.number.order[0]
    copy_into(phi[k + 2], phi[k + 1])
    fill(phi[k + 1], 0.0)
    copy_into(state, c.state)
    for lower in range(k):
        i = k - lower
        difference, higher, beta = phi[i], phi[i + 1], of.beta[i]
        weight = h * of.g[i] * beta
        for j in range(state.size):
            state[j] += weight * difference[j]
        for j in range(state.size):  # a separate loop, because three rows might overlap
            difference[j] = beta * difference[j] + higher[j]


@kernel(inline=True)
def in_tolerances(x, c, j):
    """Return an error x of state j in units of its tolerance [-]."""
    rtol = c.times.relative_tolerance[0]
    return x * c.weights[j] if rtol == 0.0 else x / (c.tolerance[j] + rtol * abs(c.state[j]))


@kernel
def estimate_error(c, h):
    """Return the error of the step for its order [-] (STEP, block 2).

    The resulting order is stored in ``own``, and the errors of works in their accounts.
    """
    n, of, phi = c.own.number, c.own.of, c.stages
    k = n.order[0]
    slope, first, last, before_last = phi[PREDICTED], phi[1], phi[k], phi[k - 1]
    error, lower_error, lowest_error = 0.0, 0.0, 0.0
    for j in range(c.state.size):
        change = slope[j] - first[j]
        error += in_tolerances(change, c, j) ** 2
        lower_error += in_tolerances(last[j] + change, c, j) ** 2
        lowest_error += in_tolerances(before_last[j] + change, c, j) ** 2
    scale = h / math.sqrt(c.counts.weighed[0])
    change = scale * math.sqrt(error)
    n.error[0] = change * of.sigma[k + 1] * ERROR_CONSTANTS[k]
    n.lower_error[0] = scale * math.sqrt(lower_error) * of.sigma[k] * ERROR_CONSTANTS[k - 1]
    lowest_error = scale * math.sqrt(lowest_error) * of.sigma[k - 1] * ERROR_CONSTANTS[max(k - 2, 0)]
    if k > 2:
        lower = max(n.lower_error[0], lowest_error) <= n.error[0]
    else:
        lower = k == 2 and n.lower_error[0] <= 0.5 * n.error[0]
    n.lowered[0] = 1 if lower else 0
    for w in range(c.works.size):
        j = c.works[w]
        c.account.step_error[w] = h * (of.g[k] - of.g[k + 1]) * (slope[j] - first[j])
    return change * abs(of.g[k] - of.g[k + 1])


@kernel
def take_back(c, h, finite):
    """Restore phi and psi after a rejected step, and make the next step shorter (STEP, block 3)."""
    n, of, phi = c.own.number, c.own.of, c.stages
    k = n.order[0]
    for i in range(1, k + 1):
        difference, higher, factor = phi[i], phi[i + 1], 1.0 / of.beta[i]
        for j in range(difference.size):
            difference[j] = factor * (difference[j] - higher[j])
    for i in range(2, k + 1):
        of.psi[i - 1] = of.psi[i] - h
    c.counts.rejected[0] += 1
    n.rising[0] = 0
    if not finite:
        c.counts.not_finite[0] += 1
        c.times.next_step[0] = NOT_FINITE_FACTOR * h
        return
    n.failures[0] += 1
    factor = 0.5
    if n.failures[0] > FAILURES_AT_ORDER:
        n.order[0] = 1
        if n.failures[0] > FAILURES_AT_ORDER + 1 and 0.25 * n.error[0] > HALF:
            factor = math.sqrt(HALF / n.error[0])
    elif n.lowered[0] != 0:
        n.order[0] = k - 1
    c.times.next_step[0] = factor * h


@kernel
def correct(c, h):
    """Write the corrected state y1 into ``trial``."""
    phi, k = c.stages, c.own.number.order[0]
    weight = h * c.own.of.g[k + 1]
    slope, first, state = phi[PREDICTED], phi[1], c.trial
    for j in range(state.size):
        state[j] += weight * (slope[j] - first[j])


@kernel
def update_differences(c):
    """Write phi at the end of the step, where dy/dt has been evaluated (STEP, block 4)."""
    phi, k = c.stages, c.own.number.order[0]
    change, second = phi[k + 1], phi[k + 2]
    slope, first = phi[END], phi[1]
    for j in range(change.size):
        change[j] = slope[j] - first[j]
        second[j] = change[j] - second[j]
    for i in range(1, k + 1):
        difference = phi[i]
        for j in range(change.size):
            difference[j] += change[j]


@kernel
def error_of_higher_order(c, h):
    """Return the estimated error of the step for an order higher by one, after steps of equal length. [-]"""
    total = 0.0
    k = c.own.number.last_order[0]
    difference = c.stages[k + 2]
    for j in range(difference.size):
        total += in_tolerances(difference[j], c, j) ** 2
    return h * math.sqrt(total / c.counts.weighed[0]) * ERROR_CONSTANTS[k + 1]


@kernel
def choose_order(c, h):
    """Return the order of the next step, and the estimated error of the last step for this order [-] (STEP, block
    4).
    """
    n = c.own.number
    k = n.order[0]
    n.last_order[0] = k
    n.last_step[0] = h
    n.failures[0] = 0
    if n.lowered[0] != 0 or k == HIGHEST_ORDER:
        n.rising[0] = 0
    if n.rising[0] != 0:
        n.order[0] = k + 1
        return 0.0
    if n.lowered[0] == 0 and n.equal[0] > k:
        higher_error = error_of_higher_order(c, h)
        if k == 1:
            raised = higher_error < 0.5 * n.error[0]
        else:
            n.lowered[0] = 1 if n.lower_error[0] <= min(n.error[0], higher_error) else 0
            raised = n.lowered[0] == 0 and higher_error < n.error[0] and k < HIGHEST_ORDER
        if raised:
            n.order[0] = k + 1
            return higher_error
    if n.lowered[0] != 0:
        n.order[0] = k - 1
        return n.lower_error[0]
    return n.error[0]


@kernel
def choose_step(c, h, error):
    """Set the length of the next step. h: length of the last step; error: its error for the next order [-] (STEP, block
    4).
    """
    n = c.own.number
    power = n.order[0] + 1.0
    if n.rising[0] != 0 or error * 2.0**power <= HALF:
        step = 2.0 * h
    elif error <= HALF:
        step = h
    else:
        step = h * max(0.5, min(0.9, (HALF / error) ** (1.0 / power)))
    c.times.next_step[0] = min(step, c.times.largest_step[0])
    c.counts.not_finite[0] = 0


@kernel
def interpolate(c, x, p):
    """Write the state at the fraction x of the last step into ``trial`` (INTRP).

    The polynomial goes through the state at the end of the step; its slopes equal dy/dt there and at the previous
    points.
    """
    of, phi = c.own.of, c.stages
    terms = c.own.number.last_order[0] + 1
    back = (x - 1.0) * c.times.last_step[0]
    w, g = of.w, of.dense_g
    for i in range(1, terms + 1):
        w[i] = 1.0 / i
    reach = 0.0
    for i in range(2, terms + 1):
        psi = of.psi[i - 1]
        gamma, eta = (back + reach) / psi, back / psi
        for j in range(1, terms + 2 - i):
            w[j] = gamma * w[j] - eta * w[j + 1]
        g[i] = w[1]
        reach = psi
    copy_into(c.trial, c.state)
    for i in range(terms, 0, -1):
        weight, difference = back * g[i], phi[i]
        for j in range(c.trial.size):
            c.trial[j] += weight * difference[j]


@kernel(inner=True)
def go_on(c, answer, p):
    """Continue after a change in the memory has changed the right-hand side, as if dy/dt had always differed by the
    amount of this change.
    """
    if answer == RHS_CHANGED:
        copy_into(c.stages[1], c.derivative)


def adams(kernels: Kernels) -> Advance:
    """Make ``advance`` from the kernels of a formulation.

    A step needs two evaluations, a rejected step one. If ``accept`` changes the right-hand side, order and step are
    kept (``go_on``). A restart with order 1 would take more evaluations, because impacts change the right-hand side
    often, but only slightly.
    """
    rhs = kernels.rhs
    first_step = kernel(preparing(rhs, 1), inner=True)

    @kernel(inner=True)
    def prepare(c, p):
        first_step(c, p)
        copy_into(c.stages[1], c.derivative)
        fill(c.stages[2], 0.0)

    @kernel(inner=True)
    def step(c, p):
        counts = c.counts
        if too_short(c, c.times.next_step[0]):
            return NOT_A_NUMBER if counts.not_finite[0] > 0 else STEP_TOO_SMALL
        h, end = step_towards_target(c, c.times.next_step[0])
        set_coefficients(c.own.number, c.own.of, h)
        predict(c, h)
        rhs(end, c.trial, c.stages[PREDICTED], p)
        counts.evaluations[0] += 1
        error = estimate_error(c, h)
        finite = np.isfinite(error)
        if finite:
            correct(c, h)
            works = norm_of_works(h, c)
            error = max(error, works)
        if finite and error <= 1.0:
            rhs(end, c.trial, c.stages[END], p)
            counts.evaluations[0] += 1
            finite = np.isfinite(c.stages[END].sum())
        if not finite or error > 1.0:
            take_back(c, h, finite)
            return NOT_A_NUMBER if counts.not_finite[0] > NOT_FINITE_TRIALS else 0
        update_differences(c)
        book_works(c)
        take(c, end, h)
        choose_step(c, h, max(choose_order(c, h), works))
        return 0

    @kernel(inner=True)
    def revisit(c, p):
        rhs(c.times.time[0], c.state, c.stages[END], p)

    return integration(kernels, Stepping(prepare, step, interpolate, revisit, go_on))


STEP_TIMES_FREQUENCY = 0.4
"""Largest permitted product of step and frequency. With orders 4 to 6, which are chosen for such steps, the amplitude
of an oscillation grows or decays by less than 1e-3 per radian. With longer steps this error grows at least with the
fourth power of the step, and higher orders are unstable. [-]"""
METHOD = Method(
    bind=adams, stages=END + 1, fixed_step=False, step_times_frequency=STEP_TIMES_FREQUENCY, evaluations=2, own=own
)
