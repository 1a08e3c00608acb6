"""The loop of ``control.py`` for methods whose steps are taken by a library: it returns to Python for every step.

The compiled loop records rows, accepts steps and checks for endings as for every method. When a step is due, it returns
HAND_OVER, with the next instant at which a step must end in ``times.segment_end``. Python then calls the library for
one step, writes the state and the time at the end of this step into ``trial`` and ``times.segment_end``, sets
``counts.segment_steps`` to 1, and calls the loop again. The loop evaluates the right-hand side there and makes
``trial`` the state. Within a step the motion is the cubic polynomial with the states and derivatives of both ends: rows
are interpolated from it, and work integrals are evaluated along it by Simpson's rule. Works are not among the states
that the library integrates, because its corrector does not need them.
"""

from __future__ import annotations

import math

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.status import Status
from chaindrive.kernels import copy_into, kernel
from chaindrive.solvers.control import Advance, Method, Stepping, integration, next_target, take
from chaindrive.solvers.generalized_alpha import no_horizon
from chaindrive.solvers.runge_kutta import watch_nothing
from chaindrive.solvers.verlet import hermite, preparing

__all__ = ["HAND_OVER", "METHOD"]

HAND_OVER = -1
"""Value that the loop returns when the library must take a step; it is not the code of any Status."""
START, MIDDLE, END = range(3)
"""Rows of ``Control.stages``: dy/dt at the start of the step, in its middle and at its end."""
NOT_A_NUMBER = Status.NOT_A_NUMBER.code


@kernel(inner=True)
def interpolate(c, x, p):
    """Write the state at the fraction x of the last step into ``trial``, with third-order accuracy."""
    hermite(x, c.times.last_step[0], c.before, c.stages[START], c.state, c.stages[END], c.trial)


def handing_over(kernels: Kernels) -> Advance:
    """Make the loop from the kernels of a formulation.

    In addition to the evaluations of the library, a step takes one evaluation at its end. Works need another one at the
    midpoint; the evaluation at the end is then repeated, because ``accept`` reads its results.
    """
    rhs, horizon = kernels.rhs, kernels.horizon or no_horizon

    @kernel(inner=True)
    def integrate_works(c, start, end, p):
        """Write the works at the end of a step into ``trial``, which already contains positions and velocities; the row
        END of the stages holds the derivative.
        """
        h = end - start
        first, middle, last = c.stages[START], c.stages[MIDDLE], c.stages[END]
        hermite(0.5, h, c.state, first, c.trial, last, c.before)
        rhs(start + 0.5 * h, c.before, middle, p)
        c.counts.evaluations[0] += 1
        for w in range(c.works.size):
            j = c.works[w]
            c.trial[j] = c.state[j] + h / 6.0 * (first[j] + 4.0 * middle[j] + last[j])

    @kernel(inner=True)
    def step(c, p):
        times, counts = c.times, c.counts
        if counts.segment_steps[0] == 0:
            times.segment_end[0] = min(next_target(c), times.time[0] + horizon(p))
            return HAND_OVER
        counts.segment_steps[0] = 0
        start, end = times.time[0], times.segment_end[0]
        copy_into(c.stages[START], c.derivative)
        rhs(end, c.trial, c.stages[END], p)
        counts.evaluations[0] += 1
        if c.works.size > 0:
            integrate_works(c, start, end, p)
            rhs(end, c.trial, c.stages[END], p)
            counts.evaluations[0] += 1
        if not abs(c.stages[END].sum() + c.trial.sum()) < math.inf:  # not isfinite, see splitting.py
            return NOT_A_NUMBER
        take(c, end, end - start)
        return 0

    @kernel(inner=True)
    def revisit(c, p):
        rhs(c.times.time[0], c.state, c.stages[END], p)

    return integration(kernels, Stepping(preparing(rhs, watch_nothing), step, interpolate, revisit, watch_nothing))


METHOD = Method(bind=handing_over, stages=3, fixed_step=False, step_times_frequency=math.inf, evaluations=5)
