"""Leapfrog with friction that is solved implicitly at each contact separately, so that friction does not limit the
fixed step.

This is the midpoint (drift-kick-drift) form of the method of Verlet (1967). It is of second order and needs one
evaluation per step. Spring forces act together with friction, which depends implicitly on the velocities after the step
(contract/pointwise.py):

    q_m = q + h/2 v
    v+  = v + h (a(t_m, q_m, v) + f)        f: friction of the contacts at q_m, each with its part of v+
    q+  = q_m + h/2 v+

An explicit friction law is stable only up to a step of 2 m v_eps / (mu N), where v_eps is the speed over which it is
smoothed. If contacts are to stick, this is a thousandth of the step that springs allow. The implicit law has no such
limit and needs no v_eps. All other states are integrated with their rates at the midpoint. ``accept`` and ``gather``
receive the state at the end of the step, but use the results of the evaluation at its midpoint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.status import Status
from chaindrive.kernels import kernel
from chaindrive.solvers.control import (
    ROUNDING,
    Advance,
    Method,
    Stepping,
    integration,
    take,
)
from chaindrive.solvers.runge_kutta import watch_nothing
from chaindrive.solvers.verlet import next_step

if TYPE_CHECKING:
    from chaindrive.contract.system import System

__all__ = ["METHOD", "leapfrog"]

MIDDLE, RATES = range(2)
"""Rows of ``Control.stages``: the state whose forces act throughout the step, and its rates."""
STEP_TOO_SMALL, NOT_A_NUMBER = Status.STEP_TOO_SMALL.code, Status.NOT_A_NUMBER.code


def leapfrog(kernels: Kernels) -> Advance:
    """Make ``advance`` from the kernels of a formulation."""
    pointwise: Any = kernels.asked("pointwise", "the method 'leapfrog'")
    release, resolve = pointwise.release, pointwise.resolve

    @kernel(inner=True)
    def step(c, p):
        h, end = next_step(c)
        now = c.times.time[0]
        if not h > ROUNDING * abs(now):
            return STEP_TOO_SMALL
        n, m = c.counts.positions[0], c.counts.velocities[0]
        half = 0.5 * h
        middle, rates = c.stages[MIDDLE], c.stages[RATES]
        for j in range(n):
            middle[j] = c.state[j] + half * c.state[n + j]
        for j in range(n, n + m):
            middle[j] = c.state[j]
        for j in range(n + m, c.state.size):
            middle[j] = c.state[j] + half * c.derivative[j]
        release(now + half, middle, rates, p)
        resolve(now + half, middle, rates, h, p)
        c.counts.evaluations[0] += 1
        total = 0.0
        for j in range(n, c.state.size):
            c.trial[j] = c.state[j] + h * rates[j]
            total += c.trial[j]
        if not np.isfinite(total):
            return NOT_A_NUMBER
        for j in range(n):
            c.trial[j] = middle[j] + half * c.trial[n + j]
        c.counts.segment_step[0] += 1
        take(c, end, h)
        return 0

    @kernel(inner=True)
    def prepare(c, p):
        # The first row has the friction of the first step.
        release(c.times.time[0], c.state, c.derivative, p)
        resolve(c.times.time[0], c.state, c.derivative, c.times.largest_step[0], p)
        c.counts.evaluations[0] += 1
        if not np.isfinite(c.derivative.sum()):
            c.counts.outcome[0] = NOT_A_NUMBER

    @kernel(inner=True)
    def interpolate(c, x, p):
        for j in range(c.state.size):
            c.trial[j] = c.before[j] + x * (c.state[j] - c.before[j])

    @kernel(inner=True)
    def revisit(c, p):
        h = c.times.last_step[0]
        middle = c.times.time_before[0] + 0.5 * h
        release(middle, c.stages[MIDDLE], c.stages[RATES], p)
        resolve(middle, c.stages[MIDDLE], c.stages[RATES], h, p)

    stepping = Stepping(prepare, step, interpolate, revisit, watch_nothing)
    return integration(kernels, stepping)


def hindrance(system: System) -> str:
    """Return the reason why the method cannot be used for a system; empty if it can be used."""
    if system.kernels.pointwise is None:
        return "'leapfrog' is for friction that is solved at every contact separately, as in a rocker-pin chain."
    if system.kernels.rates is not None:
        return "'leapfrog' needs positions whose rates are the velocities."
    return ""


STEP_TIMES_FREQUENCY = 1.1
"""Product of step and highest frequency from which the step is chosen if none is given: 0.55 of the stability limit 2.
[-]"""

METHOD = Method(
    bind=leapfrog, stages=2, fixed_step=True, step_times_frequency=STEP_TIMES_FREQUENCY, hindrance=hindrance
)
