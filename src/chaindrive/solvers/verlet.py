"""Velocity Verlet with a fixed step: a fast integrator for stiff links, with one evaluation per step.

Verlet (1967), in the velocity form of Swope, Andersen, Berens & Wilson (1982). Forces that depend on velocity are
evaluated at a predicted velocity, which keeps the second order.

For y = [q | v | w], a = dv/dt and a step h from t_n:

    q1 = q + h v + h^2/2 a          v* = v + h a          w* = w + h dw/dt
    (a1, dw1) from rhs(t_n + h, [q1 | v* | w*])
    v1 = v + h/2 (a + a1)           w1 = w + h/2 (dw + dw1)

The method is stable for (h omega/2)^2 + h c < 1 with damping rate c, that is for h < 2/(c + sqrt(c^2 + omega^2)).
``accept`` receives the corrected velocity, while the scratch arrays contain results for the predicted velocity; the
difference is of the order h^2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import chaindrive.solvers.control as ctl
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.status import Accepted, Status
from chaindrive.kernels import copy_into, kernel
from chaindrive.solvers.control import Advance, Method, Stepping, count_step, integration, next_target

__all__ = ["METHOD", "STEP_TIMES_FREQUENCY", "velocity_verlet", "verlet_with"]

STEP_TIMES_FREQUENCY = 0.8
"""Product of step and highest frequency from which the step is chosen if none is given: 0.4 of the stability limit 2.
[-]"""

LARGEST_STEP_TIMES_FREQUENCY = 1.6
"""Product of step and frequency of the system above which an automatically chosen step is halved during a run: 0.8 of
the stability limit 2. [-]"""
LOOK_EVERY = 16
"""Number of steps between two checks of the frequency of the system; it is also checked when an impact changes the
forces."""

BEFORE, PREDICTED, END = range(3)
"""Rows of ``Control.stages``: dy/dt at the start of the step, the state [q1 | v* | w*], and dy/dt at this state."""

LIMIT_CHANGED, REARRANGED, RHS_CHANGED = (
    int(each) for each in (Accepted.LIMIT_CHANGED, Accepted.REARRANGED, Accepted.RHS_CHANGED)
)
NOT_A_NUMBER = Status.NOT_A_NUMBER.code
STEP_TOO_SMALL = Status.STEP_TOO_SMALL.code


@kernel(inner=True)
def divide_segment(c):
    """Divide the time to the next stop into equal steps, none of them longer than the required step."""
    times = c.times
    start = times.time[0]
    end = next_target(c)
    # Rounding must not turn a length of n steps into n + 1 of them.
    steps = math.ceil((end - start) / times.largest_step[0] * (1.0 - 1e-12))
    times.segment_start[0] = start
    times.segment_end[0] = end
    c.counts.segment_steps[0] = max(steps, 1)
    c.counts.segment_step[0] = 0


@kernel(inner=True)
def next_step(c):
    """Return the length of the next step and the time at its end [s]; at a stop the time to the next stop is divided
    into steps.

    The caller that takes the step counts it in ``segment_step``.
    """
    times, counts = c.times, c.counts
    if counts.segment_step[0] == counts.segment_steps[0] or times.segment_end[0] > times.end[0]:
        divide_segment(c)
    start = times.segment_start[0]
    h = (times.segment_end[0] - start) / counts.segment_steps[0]
    done = counts.segment_step[0] + 1
    return h, times.segment_end[0] if done == counts.segment_steps[0] else start + done * h


def preparing(evaluate: Callable[..., None], watch: Callable[..., None]) -> Callable[..., None]:
    """Return the kernel for the first evaluation, which is written into ``derivative``, and the first check of the
    frequency.
    """

    @kernel(inner=True)
    def prepare(c, p):
        evaluate(c.times.time[0], c.state, c.derivative, p)
        c.counts.evaluations[0] += 1
        if not np.isfinite(c.derivative.sum()):
            c.counts.outcome[0] = NOT_A_NUMBER
        else:
            watch(c, RHS_CHANGED, p)

    return prepare


def predicting(rates: Callable[..., Any] | None, carried_on: Callable[..., float] | None = None) -> Callable[..., None]:
    """Return the kernel predict(control, h, parameters), which writes q1, v* and w* into the row PREDICTED, and dy/dt
    at the start into the row BEFORE.

    The positions of the state are copied to ``before`` and replaced by q1. carried_on(h, previous step): time over
    which the change of the rates since those in BEFORE is also extrapolated [s]; None means zero.

    If the rates of positions differ from the velocities (quaternions), dq/dt = N(q) v, the midpoint rule with the
    velocity at the midpoint of the step replaces h v + h^2/2 a; it is of second order as well.
    """
    lasting, extrapolates = carried_on or _not_carried_on, carried_on is not None
    move, follow = _moving(extrapolates), _following(extrapolates)

    @kernel(inner=True)
    def predict(c, h, p):
        n, last = c.counts.positions[0], c.counts.positions[0] + c.counts.velocities[0]
        state, slope, predicted, before = c.state, c.derivative, c.stages[PREDICTED], c.stages[BEFORE]
        further = lasting(h, c.times.last_step[0])
        move(h, further, state[:n], state[n:last], slope[n:last], c.before, predicted, predicted[n:], before[n:])
        follow_slope(h, state[last:], slope[last:], predicted[last:], before[last:])

    if rates is None:
        return predict

    @kernel(inner=True)
    def predict_mapped(c, h, p):
        n, last = c.counts.positions[0], c.counts.positions[0] + c.counts.velocities[0]
        state, slope, predicted, before = c.state, c.derivative, c.stages[PREDICTED], c.stages[BEFORE]
        q, middle, rate = predicted[:n], predicted[n:last], c.stages[END][:n]
        copy_into(c.before[:n], state[:n])
        for j in range(n, last):
            predicted[j] = state[j] + 0.5 * h * slope[j]
        rates(state[:n], middle, rate, p)
        for j in range(n):
            q[j] = state[j] + 0.5 * h * rate[j]
        rates(q, middle, rate, p)
        for j in range(n):
            q[j] = state[j] + h * rate[j]
        copy_into(state[:n], q)
        follow(h, lasting(h, c.times.last_step[0]), state[n:last], slope[n:last], middle, before[n:last])
        follow_slope(h, state[last:], slope[last:], predicted[last:], before[last:])

    return predict_mapped


@kernel(inline=True)
def _not_carried_on(h, before):
    return 0.0


def _moving(extrapolates: bool) -> Callable[..., None]:
    """Return the kernel that predicts positions and velocities in one loop, for positions whose rates are the
    velocities; the slopes are stored.
    """

    @kernel(inner=True, distinct=True)
    def move(h, further, position, velocity, slope, before, moved, predicted, slope_before):
        for j in range(position.size):
            q, v, a = position[j], velocity[j], slope[j]
            end = q + h * (v + 0.5 * h * a)
            before[j], position[j], moved[j] = q, end, end
            ahead = v + h * a
            if extrapolates:
                ahead += further * (a - slope_before[j])
            predicted[j], slope_before[j] = ahead, a

    return move


def _following(extrapolates: bool) -> Callable[..., None]:
    """Return the kernel that predicts velocities alone."""

    @kernel(inner=True, distinct=True)
    def follow(h, further, velocity, slope, predicted, slope_before):
        for j in range(velocity.size):
            ahead = velocity[j] + h * slope[j]
            if extrapolates:
                ahead += further * (slope[j] - slope_before[j])
            predicted[j], slope_before[j] = ahead, slope[j]

    return follow


@kernel(inner=True, distinct=True)
def follow_slope(h, given, slope, found, slope_before):
    """Extrapolate each value along its slope over a time h; the slopes are stored in ``slope_before``."""
    for j in range(given.size):
        found[j] = given[j] + h * slope[j]
        slope_before[j] = slope[j]


@kernel(inner=True, distinct=True)
def correct(h, slope_before, slope, state, before, derivative):
    """Write v1 and w1 into ``state`` and the old values into ``before``; return the sum of the new values, which is not
    finite if any of them is not finite.
    """
    total = 0.0
    for j in range(state.size):
        start = state[j]
        end = start + 0.5 * h * (slope_before[j] + slope[j])
        before[j], state[j], derivative[j] = start, end, slope[j]
        total += end
    return total


@kernel
def hermite(x, h, start, start_slope, end, end_slope, out):
    """Write the value of the cubic polynomial through both ends of a step h, at its fraction x (Hairer, Norsett &
    Wanner 1993, eq. II.6.7).
    """
    for j in range(out.size):
        rise = end[j] - start[j]
        bend = (1.0 - 2.0 * x) * rise + h * ((x - 1.0) * start_slope[j] + x * end_slope[j])
        out[j] = start[j] + x * (rise + (x - 1.0) * bend)


def interpolating(rates: Callable[..., Any] | None) -> Callable[..., None]:
    """Return the kernel interpolate(control, x, parameters), which writes the state at the fraction x of the last step
    into ``trial``.

    The interpolation is of third order, higher than the method itself.
    """
    if rates is None:

        @kernel(inner=True)
        def interpolate(c, x, p):
            n = c.counts.positions[0]
            h = c.times.last_step[0]
            start, end = c.before, c.state
            hermite(x, h, start[:n], start[n : 2 * n], end[:n], end[n : 2 * n], c.trial[:n])
            hermite(x, h, start[n:], c.stages[BEFORE][n:], end[n:], c.stages[END][n:], c.trial[n:])

        return interpolate

    @kernel(inner=True)
    def interpolate_mapped(c, x, p):
        n, m = c.counts.positions[0], c.counts.velocities[0]
        h = c.times.last_step[0]
        start, end, first, last = c.before, c.state, c.stages[BEFORE], c.stages[END]
        rates(start[:n], start[n : n + m], first[:n], p)
        rates(end[:n], end[n : n + m], last[:n], p)
        hermite(x, h, start, first, end, last, c.trial)

    return interpolate_mapped


@kernel(inner=True)
def shorten(c, asked, most, left):
    """Shorten the step as long as it is too long for a frequency [rad/s]; most, left: see ``watching``."""
    times = c.times
    if not math.isfinite(asked):
        return
    if times.largest_step[0] * asked > most:
        cut = False
        while times.largest_step[0] * asked > most and left * times.largest_step[0] >= times.shortest_step[0]:
            times.largest_step[0] *= left
            c.counts.cuts[0] += 1
            cut = True
        if cut:
            times.first_cut[0] = min(times.first_cut[0], times.time[0])
            times.last_cut[0] = times.time[0]
            c.counts.segment_step[0] = c.counts.segment_steps[0]  # the remaining time is divided again
    times.largest_asked[0] = max(times.largest_asked[0], times.largest_step[0] * asked)
    times.highest_asked[0] = max(times.highest_asked[0], asked)


def watching(
    frequency: Callable[..., Any] | None,
    rhs: Callable[..., None],
    most: float = LARGEST_STEP_TIMES_FREQUENCY,
    left: float = 0.5,
) -> Callable[..., None]:
    """Return the kernel watch(control, answer, parameters), which shortens the step as long as the system requires a
    shorter step.

    most: largest allowed product of step and frequency [-]; left: factor by which a step is shortened [-].

    It checks every LOOK_EVERY steps, and when a change in the memory has changed the forces or the frequency. The check
    follows directly after an evaluation at the current state; if the memory has been rearranged since the last
    evaluation, the kernel evaluates again. After a step has been shortened, all further steps are equal again.
    """
    if frequency is None:

        @kernel(inner=True)
        def nothing(c, answer, p):
            return None

        return nothing

    @kernel(inner=True)
    def watch(c, answer, p):
        if answer != RHS_CHANGED and answer != LIMIT_CHANGED and c.counts.steps[0] % LOOK_EVERY != 0:
            return
        times = c.times
        if answer == REARRANGED:
            rhs(times.time[0], c.state, c.inside, p)
        asked = frequency(c.state, p)
        shorten(c, asked, most, left)

    return watch


def velocity_verlet(kernels: Kernels) -> Advance:
    """Make ``advance`` from the kernels of a formulation."""
    return verlet_with(kernels, predicting(kernels.rates))


def verlet_with(
    kernels: Kernels, predict: Callable[..., None], most: float = LARGEST_STEP_TIMES_FREQUENCY, left: float = 0.5
) -> Advance:
    """Make ``advance`` for velocity Verlet. predict: kernel that predicts the state of an evaluation (``predicting``);
    most, left: arguments of ``watching``.

    There is one evaluation per step, one at the start, and one more whenever accept changes the right-hand side.
    Between two stops all steps are equal, unless the system requires shorter steps (``watching``).
    """
    rhs = kernels.rhs
    watch = watching(kernels.frequency, rhs, most, left)

    @kernel(inner=True)
    def step(c, p):
        h, time = next_step(c)
        if not h > ctl.ROUNDING * abs(c.times.time[0]):
            return STEP_TOO_SMALL
        predict(c, h, p)
        slope, n = c.stages[END], c.counts.positions[0]
        rhs(time, c.stages[PREDICTED], slope, p)
        c.counts.evaluations[0] += 1
        total = correct(h, c.stages[BEFORE][n:], slope[n:], c.state[n:], c.before[n:], c.derivative[n:])
        if not np.isfinite(total):
            copy_into(c.state, c.before)
            return NOT_A_NUMBER
        c.counts.segment_step[0] += 1
        count_step(c, time, h)
        return 0

    @kernel(inner=True)
    def revisit(c, p):
        rhs(c.times.time[0], c.stages[PREDICTED], c.stages[END], p)

    stepping = Stepping(preparing(rhs, watch), step, interpolating(kernels.rates), revisit, watch)
    return integration(kernels, stepping)


METHOD = Method(
    bind=velocity_verlet,
    stages=3,
    fixed_step=True,
    step_times_frequency=STEP_TIMES_FREQUENCY,
    largest_step_times_frequency=LARGEST_STEP_TIMES_FREQUENCY,
)
