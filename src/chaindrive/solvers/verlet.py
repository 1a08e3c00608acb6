"""Velocity Verlet with a fixed step: the fast integrator for stiff links, one evaluation per step.

Verlet (1967), in the velocity form of Swope, Andersen, Berens & Wilson (1982). Forces that depend on velocity are
evaluated at a predicted velocity, which keeps the second order.

For y = [q | v | w], a = dv/dt and a step h from t_n:

    q1 = q + h v + h^2/2 a          v* = v + h a          w* = w + h dw/dt
    (a1, dw1) from rhs(t_n + h, [q1 | v* | w*])
    v1 = v + h/2 (a + a1)           w1 = w + h/2 (dw + dw1)

Stable for (h omega/2)^2 + h c < 1 with damping rate c, that is h < 2/(c + sqrt(c^2 + omega^2)). ``accept`` sees the
corrected velocity, the scratch arrays hold what the predicted one gave: the difference is of the order h^2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chaindrive.kernels import kernel
from chaindrive.solvers import control as ctl
from chaindrive.solvers.control import Advance, Method, bound_kernel, finishing, integration, next_target
from chaindrive.system import Status

__all__ = ["METHOD", "STEP_TIMES_FREQUENCY", "velocity_verlet"]

STEP_TIMES_FREQUENCY = 0.8
"""Step chosen when none is given, times the highest frequency: 0.4 of the stability limit 2. [-]"""

LARGEST_STEP_TIMES_FREQUENCY = 1.6
"""Where a step that was chosen from the drive is halved while running: 0.8 of the stability limit 2. [-]"""
LOOK_EVERY = 8
"""Steps between two looks at the frequency of the system, besides those where an impact changes the forces."""

NOT_A_NUMBER = int(Status.NOT_A_NUMBER)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)


@kernel
def divide_segment(c):
    """Fill the way to the next stop with equal steps, none longer than the wanted one."""
    times = c.times
    start = times[ctl.TIME]
    end = next_target(c)
    # Rounding must not turn a length of n steps into n + 1 of them.
    steps = math.ceil((end - start) / times[ctl.LARGEST_STEP] * (1.0 - 1e-12))
    times[ctl.SEGMENT_START] = start
    times[ctl.SEGMENT_END] = end
    c.counts[ctl.SEGMENT_STEPS] = max(steps, 1)
    c.counts[ctl.SEGMENT_STEP] = 0


@kernel(inline=True)
def predict(c, h):
    """q1, v* and w* into ``trial``; a and dw/dt at the start of the step stay in ``stages[0]``."""
    n = c.counts[ctl.POSITIONS]
    q, v, others = c.state[:n], c.state[n : 2 * n], c.state[n:]
    slope, slope_before, end = c.derivative[n:], c.stages[0][n:], c.trial[n:]
    for j in range(q.size):
        c.trial[j] = q[j] + h * (v[j] + 0.5 * h * slope[j])
    for j in range(others.size):
        end[j] = others[j] + h * slope[j]
        slope_before[j] = slope[j]


@kernel(inline=True)
def correct(c, h):
    """v1 and w1 into ``trial``; their sum, which is not finite when any of them is not."""
    n = c.counts[ctl.POSITIONS]
    others, end, slope_before, slope = c.state[n:], c.trial[n:], c.stages[0][n:], c.stages[1][n:]
    total = 0.0
    for j in range(others.size):
        end[j] = others[j] + 0.5 * h * (slope_before[j] + slope[j])
        total += end[j]
    return total


@kernel
def hermite(x, h, start, start_slope, end, end_slope, out):
    """Cubic polynomial through both ends of a step h, at its fraction x (Hairer, Norsett & Wanner 1993, eq. II.6.7)."""
    for j in range(out.size):
        rise = end[j] - start[j]
        bend = (1.0 - 2.0 * x) * rise + h * ((x - 1.0) * start_slope[j] + x * end_slope[j])
        out[j] = start[j] + x * (rise + (x - 1.0) * bend)


@kernel
def interpolate(c, x):
    """The state at the fraction x of the last step into ``trial``, of third order: more than the method itself has."""
    n = c.counts[ctl.POSITIONS]
    h = c.times[ctl.LAST_STEP]
    start, end = c.before, c.state
    hermite(x, h, start[:n], start[n : 2 * n], end[:n], end[n : 2 * n], c.trial[:n])
    hermite(x, h, start[n:], c.stages[0][n:], end[n:], c.stages[1][n:], c.trial[n:])


def watching(frequency: Callable[..., Any] | None) -> Callable[..., None]:
    """Kernel watch(control, parameters): halves the step while the system asks for a shorter one.

    Must be called directly after an evaluation at the state. Steps stay equal from then on; the step never grows again.
    """
    if frequency is None:

        @kernel(inline=True)
        def nothing(c, p):
            return None

        return nothing

    @kernel
    def watch(c, p):
        times = c.times
        asked = frequency(c.state, p)
        if not math.isfinite(asked):
            return
        if times[ctl.LARGEST_STEP] * asked > LARGEST_STEP_TIMES_FREQUENCY:
            cut = False
            while (
                times[ctl.LARGEST_STEP] * asked > LARGEST_STEP_TIMES_FREQUENCY
                and 0.5 * times[ctl.LARGEST_STEP] >= times[ctl.SHORTEST_STEP]
            ):
                times[ctl.LARGEST_STEP] *= 0.5
                c.counts[ctl.CUTS] += 1
                cut = True
            if cut:
                times[ctl.FIRST_CUT] = min(times[ctl.FIRST_CUT], times[ctl.TIME])
                times[ctl.LAST_CUT] = times[ctl.TIME]
                c.counts[ctl.SEGMENT_STEP] = c.counts[ctl.SEGMENT_STEPS]  # what is left is divided anew
        times[ctl.LARGEST_ASKED] = max(times[ctl.LARGEST_ASKED], times[ctl.LARGEST_STEP] * asked)

    return watch


def velocity_verlet(
    rhs: Callable[..., Any],
    accept: Callable[..., Any],
    record: Callable[..., Any],
    begin: Callable[..., Any],
    frequency: Callable[..., Any] | None = None,
) -> Advance:
    """The factory: takes the kernels of a formulation, gives ``advance``.

    One evaluation per step and one at the start, one more when accept changes the right-hand side. Between two stops
    all steps are equal, unless the system asks for shorter ones (``watching``).
    """
    finish = finishing(rhs, accept)
    watch = watching(frequency)

    def prepare(c, p):
        rhs(c.times[ctl.TIME], c.state, c.derivative, p)
        c.counts[ctl.EVALUATIONS] += 1
        if not np.isfinite(c.derivative.sum()):
            c.counts[ctl.OUTCOME] = NOT_A_NUMBER
        else:
            watch(c, p)

    @kernel(inline=True)
    def step(c, p):
        times = c.times
        counts = c.counts
        if counts[ctl.SEGMENT_STEP] == counts[ctl.SEGMENT_STEPS] or times[ctl.SEGMENT_END] > times[ctl.END]:
            divide_segment(c)
        start = times[ctl.SEGMENT_START]
        h = (times[ctl.SEGMENT_END] - start) / counts[ctl.SEGMENT_STEPS]
        if not h > ctl.ROUNDING * abs(times[ctl.TIME]):
            return STEP_TOO_SMALL
        done = counts[ctl.SEGMENT_STEP] + 1
        time = times[ctl.SEGMENT_END] if done == counts[ctl.SEGMENT_STEPS] else start + done * h
        predict(c, h)
        rhs(time, c.trial, c.stages[1], p)
        counts[ctl.EVALUATIONS] += 1
        if not np.isfinite(correct(c, h)):
            return NOT_A_NUMBER
        counts[ctl.SEGMENT_STEP] = done
        changed = counts[ctl.CHANGED]
        finish(c, time, h, p)
        if counts[ctl.CHANGED] != changed or counts[ctl.STEPS] % LOOK_EVERY == 0:
            watch(c, p)
        return 0

    return integration(rhs, bound_kernel(prepare, rhs), step, interpolate, record, begin)


METHOD = Method(bind=velocity_verlet, stages=2, fixed_step=True, step_times_frequency=STEP_TIMES_FREQUENCY)
