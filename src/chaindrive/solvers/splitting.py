"""Kick-drift-kick with a fixed step: velocity Verlet for bodies that turn in space.

Strang's splitting (SIAM J. Numer. Anal. 5, 1968) into free motion, which the formulation follows exactly where it has
the kernels ``drift`` and ``inertial``, and the forces, with which velocities change alone. For y = [q | v | w], a =
acceleration by forces and a step h from t_n:

    v' = v + h/2 a        (q1, v'') = free motion of (q, v') for h        v* = v'' + h/2 a        w* = w + h dw/dt
    (a1, dw1) from rhs(t_n + h, [q1 | v* | w*])
    v1 = v'' + h/2 a1     w1 = w + h/2 (dw + dw1)

Without the two kernels free motion is q + h v', and the method is velocity Verlet (verlet.py), whose steps it has.
Quaternions keep their length and a free body its angular momentum to rounding, where Verlet keeps both to h^2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import chaindrive.solvers.control as ctl
from chaindrive.contract.kernels import Kernels
from chaindrive.kernels import copy_into, kernel
from chaindrive.solvers.control import Advance, Method, Stepping, bound_kernel, count_step, integration
from chaindrive.solvers.verlet import (
    BEFORE,
    END,
    NOT_A_NUMBER,
    PREDICTED,
    STEP_TOO_SMALL,
    correct,
    follow_slope,
    interpolating,
    next_step,
    preparing,
    watching,
)

if TYPE_CHECKING:
    from chaindrive.contract.motion import Motion

__all__ = ["METHOD", "splitting"]


@kernel(inline=True)
def _straight(y, positions, velocities, h, p):
    for j in range(positions):
        y[j] += h * y[positions + j]


@kernel(inline=True)
def _nothing(y, dy, factor, p):
    return None


def free_motion(kernels: Kernels) -> tuple[Callable[..., None], Callable[..., None]]:
    """Kernels drift(y, positions, velocities, h, parameters) and inertial(y, dy, factor, parameters).

    Raises ComputationError where positions change at other rates than the velocities and there are no such kernels.
    """
    if kernels.rates is None and kernels.drift is None:
        return _straight, _nothing
    free = kernels.asked("drift", "the method 'splitting'")
    inertial = kernels.asked("inertial", "the method 'splitting'")

    @kernel(inline=True)
    def drift(y, positions, velocities, h, p):
        free(y, h, p)

    return drift, inertial


@kernel(inner=True, distinct=True)
def _kick(h, velocity, slope, before, slope_before):
    """The velocity v' into ``velocity``, which goes to ``before``; slopes are kept."""
    for j in range(velocity.size):
        start = velocity[j]
        before[j], velocity[j], slope_before[j] = start, start + 0.5 * h * slope[j], slope[j]


@kernel(inner=True, distinct=True)
def _predict(h, velocity, slope, predicted):
    """The velocity v* for the evaluation."""
    for j in range(velocity.size):
        predicted[j] = velocity[j] + 0.5 * h * slope[j]


@kernel(inner=True, distinct=True)
def _kick_again(h, velocity, slope):
    """The velocity v1 into ``velocity``; their sum, which is not finite when any of them is not."""
    total = 0.0
    for j in range(velocity.size):
        velocity[j] += 0.5 * h * slope[j]
        total += velocity[j]
    return total


def splitting(kernels: Kernels) -> Advance:
    """Make ``advance`` from the kernels of a formulation.

    One evaluation per step and one at the start, one more when accept changes the right-hand side. ``derivative`` holds
    accelerations by forces alone, ``stages`` all of dv/dt.
    """
    rhs = kernels.rhs
    drift, inertial = free_motion(kernels)
    watch = watching(kernels.frequency, rhs, LARGEST_STEP_TIMES_FREQUENCY, LEFT)

    def forced(t, y, dy, p):
        rhs(t, y, dy, p)
        inertial(y, dy, -1.0, p)

    forces = bound_kernel(forced, rhs)

    @kernel(inline=True)
    def step(c, p):
        n, m = c.counts.positions[0], c.counts.velocities[0]
        h, time = next_step(c)
        if not h > ctl.ROUNDING * abs(c.times.time[0]):
            return STEP_TOO_SMALL
        state, before, derivative = c.state, c.before, c.derivative
        predicted, slope = c.stages[PREDICTED], c.stages[END]
        slope_before, velocities, others = c.stages[BEFORE], slice(n, n + m), slice(n + m, state.size)
        copy_into(before[:n], state[:n])
        _kick(h, state[velocities], derivative[velocities], before[velocities], slope_before[velocities])
        inertial(before, slope_before, 1.0, p)
        drift(state, n, m, h, p)
        copy_into(predicted[:n], state[:n])
        _predict(h, state[velocities], derivative[velocities], predicted[velocities])
        follow_slope(h, state[others], derivative[others], predicted[others], slope_before[others])
        rhs(time, predicted, slope, p)
        c.counts.evaluations[0] += 1
        copy_into(derivative[velocities], slope[velocities])
        inertial(predicted, derivative, -1.0, p)
        total = _kick_again(h, state[velocities], derivative[velocities])
        total += correct(h, slope_before[others], slope[others], state[others], before[others], derivative[others])
        if not abs(total) < math.inf:  # isfinite takes a sum from itself, which is 0 where sums may be reordered
            copy_into(state, before)
            return NOT_A_NUMBER
        c.counts.segment_step[0] += 1
        count_step(c, time, h)
        return 0

    @kernel(inline=True)
    def revisit(c, p):
        rhs(c.times.time[0], c.stages[PREDICTED], c.stages[END], p)

    stepping = Stepping(preparing(forces, watch), step, interpolating(kernels.rates), revisit, watch)
    return integration(kernels._replace(rhs=forces), stepping)


STEP_TIMES_FREQUENCY = 1.1
"""Step chosen when none is given, times the highest frequency: 0.55 of the stability limit without damping. It bounds
the error of impacts, which are as short (docs/validation/steps_in_space.py). [-]"""
OF_STABLE = 0.6
"""The same over the longest that is stable: impacts damp more than what a drive is built with. [-]"""
OF_UNKNOWN = 0.475
"""The same where frequency and damping are not separated: with smoothed friction, whose slopes both lack. [-]"""
LARGEST_STEP_TIMES_FREQUENCY, LEFT = 1.9, 0.97
"""Limit at which the step is shortened during a run (verlet.py), and the part that remains each time. [-]"""


def longest_step(motion: Motion) -> float:
    """OF_STABLE of the longest step that is stable for the frequency w and the damping rate c of a motion, and not
    above STEP_TIMES_FREQUENCY/w. [s]

    Stable is 2/W with W = c + sqrt(c^2 + w^2); where W alone is known, it is OF_UNKNOWN of that.
    """
    w, c = motion.frequency_and_damping
    if not w > 0.0:
        return OF_UNKNOWN * 2.0 / motion.highest_frequency
    return min(STEP_TIMES_FREQUENCY / w, OF_STABLE * 2.0 / (c + math.sqrt(c * c + w * w)))


METHOD = Method(
    bind=splitting,
    stages=3,
    fixed_step=True,
    step_times_frequency=STEP_TIMES_FREQUENCY,
    longest_step=longest_step,
)
