"""The kick-drift-kick method with a fixed step: velocity Verlet for bodies that rotate in space.

Strang's splitting (SIAM J. Numer. Anal. 5, 1968) separates free motion, which the formulation integrates exactly if it
has the kernels ``drift`` and ``inertial``, from the action of forces, which changes velocities only. For y = [q | v |
w], the acceleration a due to forces and a step h from t_n:

    v' = v + h/2 a        (q1, v'') = free motion of (q, v') for h        v* = v'' + h/2 a        w* = w + h dw/dt
    (a1, dw1) from rhs(t_n + h, [q1 | v* | w*])
    v1 = v'' + h/2 a1     w1 = w + h/2 (dw + dw1)

Without the two kernels free motion is q + h v', and the method is velocity Verlet (verlet.py), with the same steps.

The length of quaternions and the angular momentum of a free body are preserved except for rounding errors; with Verlet
both have errors of the order h^2.

With the kernels, and if no friction is smoothed over the speed, v* is extrapolated further by k h/2 (a - a0), with a0
the acceleration of the previous step. With k = 0 the work of damping is too large by the fraction (w h)^2/2; with
Beeman's k = 1 (verlet_beeman.py) it is exact to fourth order. With k = 1, however, impacts, whose forces set in within
a step, remove more energy from the motion than is lost in their contacts. Both errors grow with h^2, and CARRIED is a
compromise. The prediction of w is extrapolated by the full h/2 (dw - dw0): joints whose compliance has a separate state
vibrate, and with w + h dw such a vibration would grow by a quarter of (w h)^4 in a step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import chaindrive.solvers.control as ctl
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.states import FloatArray
from chaindrive.kernels import copy_into, kernel
from chaindrive.solvers.control import Advance, Method, Stepping, bound_kernel, count_step, integration
from chaindrive.solvers.fastest import Fastest, fastest_of, iterating
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
    shorten,
    watching,
)
from chaindrive.solvers.verlet_beeman import extrapolated

if TYPE_CHECKING:
    from chaindrive.contract.motion import Motion
    from chaindrive.contract.system import System

__all__ = ["METHOD", "Own", "carried_on", "splitting"]

CARRIED = 0.5
"""Factor k in the method of this module for a chain in space without smoothed friction. [-]"""


class Own(NamedTuple):
    """Data that the method keeps from step to step."""

    carried: FloatArray
    """factor k, (1,) [-]"""
    least: FloatArray
    """length down to which slopes of smoothed friction may shorten the step; 0 if there is no such friction, (1,)
    [s]"""
    before: FloatArray
    """accelerations due to forces at the start of the last step, (n_v,)"""
    fastest: Fastest


class Kept(NamedTuple):
    """The part of ``Own`` that a checkpoint contains."""

    before: FloatArray
    vector: FloatArray


def carried_on(system: System) -> float:
    """Return the fraction k of the change of accelerations that is extrapolated for a system. [-]"""
    return CARRIED if system.kernels.drift is not None and system.motion.chatter_rate == 0.0 else 0.0


def own(system: System, tolerance: FloatArray) -> Own:
    """Return ``Control.own`` before a run begins."""
    motion = system.motion
    least = _by_bounds(motion) if motion.chatter_rate > 0.0 and motion.highest_frequency > 0.0 else 0.0
    return Own(np.full(1, carried_on(system)), np.full(1, least), np.zeros(system.velocities), fastest_of(system))


def kept(of: Own) -> Kept:
    """Return the part of ``Control.own`` that a checkpoint contains."""
    return Kept(of.before, of.fastest.vector)


@kernel(inline=True)
def _straight(y, positions, velocities, h, p):
    for j in range(positions):
        y[j] += h * y[positions + j]


@kernel(inline=True)
def _nothing(y, dy, factor, p):
    return None


def free_motion(kernels: Kernels) -> tuple[Callable[..., None], Callable[..., None]]:
    """Return the kernels drift(y, positions, velocities, h, parameters) and inertial(y, dy, factor, parameters).

    Raises ComputationError if the rates of positions differ from the velocities and the formulation has no such
    kernels.
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
    """Write the velocity v' into ``velocity`` and its old values into ``before``; the slopes are stored in
    ``slope_before``.
    """
    for j in range(velocity.size):
        start = velocity[j]
        before[j], velocity[j], slope_before[j] = start, start + 0.5 * h * slope[j], slope[j]


@kernel(inner=True, distinct=True)
def _predict(h, further, velocity, slope, before, predicted):
    """Write the velocity v* for the evaluation into ``predicted``, with the change of acceleration since the last step
    extrapolated over the time ``further`` [s]; the slopes are stored in ``before``.
    """
    for j in range(velocity.size):
        predicted[j] = velocity[j] + 0.5 * h * slope[j] + further * (slope[j] - before[j])
        before[j] = slope[j]


@kernel(inner=True, distinct=True)
def _follow_curve(h, further, given, slope, found, slope_before):
    """Extrapolate each value along its slope over a time h, and add ``further`` times the change in the slope since the
    last step; the slopes are stored in ``slope_before``.
    """
    for j in range(given.size):
        found[j] = given[j] + h * slope[j] + further * (slope[j] - slope_before[j])
        slope_before[j] = slope[j]


@kernel(inner=True, distinct=True)
def _kick_again(h, velocity, slope):
    """Write the velocities v1 into ``velocity``; return their sum, which is not finite if any of them is not finite."""
    total = 0.0
    for j in range(velocity.size):
        velocity[j] += 0.5 * h * slope[j]
        total += velocity[j]
    return total


def _watching_fastest(kernels: Kernels) -> Callable[..., None]:
    """Return the kernel watch(control, answer, parameters), which shortens the step if the fastest motion in the
    current state requires this.

    It checks at the start of the run and every LOOK_EVERY steps, each time with one iteration (fastest.py). Friction
    that is smoothed over the speed may have slopes in the seats of teeth that no practical step resolves: below
    ``Own.least`` only the limit of the formulation, which omits these slopes, shortens the step.
    """
    iterate, frequency, rhs = iterating(kernels), kernels.frequency or _infinite, kernels.rhs

    @kernel(inner=True)
    def watch(c, answer, p):
        steps, times, carried = c.counts.steps[0], c.times, c.own.carried[0]
        given = LEFT * times.largest_step[0] < times.shortest_step[0]  # it is checked only for a warning
        if steps % (RARELY if given else LOOK_EVERY) != 0:
            return
        asked = 0.0
        for _ in range(FIRST_LOOK if steps == 0 else 1):
            asked = iterate(times.time[0], c.state, times.largest_step[0], 1.0 + carried, c.own.fastest, p)
        if times.largest_step[0] * asked > LARGEST_IN_SPACE and c.own.least[0] > 0.0:
            rhs(times.time[0], c.state, c.inside, p)
            most = frequency(c.state, p)
            if not given:
                most = max(most, LARGEST_IN_SPACE / c.own.least[0])
            asked = min(asked, most)
        shorten(c, asked, LARGEST_IN_SPACE, LEFT)

    return watch


@kernel(inline=True)
def _infinite(y, p):
    return math.inf


def splitting(kernels: Kernels) -> Advance:
    """Make ``advance`` from the kernels of a formulation.

    There is one evaluation per step, one at the start, and one more whenever accept changes the right-hand side.
    ``derivative`` contains the accelerations due to forces alone, ``stages`` the complete dv/dt.
    """
    rhs, in_space = kernels.rhs, kernels.drift is not None
    drift, inertial = free_motion(kernels)
    if in_space:
        watch = _watching_fastest(kernels)
    else:
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
        further = extrapolated(h, c.times.last_step[0]) if in_space else 0.0
        carried = c.own.carried[0] * further
        _predict(h, carried, state[velocities], derivative[velocities], c.own.before, predicted[velocities])
        if in_space:
            _follow_curve(h, further, state[others], derivative[others], predicted[others], slope_before[others])
        else:
            follow_slope(h, state[others], derivative[others], predicted[others], slope_before[others])
        rhs(time, predicted, slope, p)
        c.counts.evaluations[0] += 1
        copy_into(derivative[velocities], slope[velocities])
        inertial(predicted, derivative, -1.0, p)
        total = _kick_again(h, state[velocities], derivative[velocities])
        total += correct(h, slope_before[others], slope[others], state[others], before[others], derivative[others])
        if not abs(total) < math.inf:  # isfinite subtracts a sum from itself, which is 0 where sums may be reordered
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
"""Product of step and highest frequency from which the step is chosen if none is given: 0.55 of the stability limit
without damping. It bounds the error of impacts, which are as short as a period of the highest frequency
(docs/validation/steps_in_space.py). [-]"""
OF_STABLE = 0.6
"""Ratio of the step that is chosen if none is given to the longest stable step; it leaves a margin because impacts damp
more than the drive at its start. [-]"""
OF_UNKNOWN = 0.475
"""The same ratio if frequency and damping are not known separately, as with smoothed friction, whose slopes neither of
them includes. [-]
"""
OF_LINEARISED = 0.82
"""The same ratio if the frequency of the equations linearised at the start is known. Contacts that close during the run
raise the frequency, and peaks stay within 1 % (docs/validation/steps_in_space.py). [-]"""
LARGEST_STEP_TIMES_FREQUENCY, LEFT = 1.9, 0.97
"""Product of step and frequency above which the step is shortened during a run (verlet.py), and the factor by which it
is shortened each time. [-]"""
LARGEST_IN_SPACE = 1.85
"""The same limit for a chain in space; it is lower because the product may grow between two iterations. [-]"""
LOOK_EVERY, RARELY, FIRST_LOOK = 32, 256, 50
"""Number of steps between two iterations for the fastest motion of a chain in space; the same number if the step was
given; and number of iterations at the start."""


def longest_step(motion: Motion) -> float:
    """Return the step for a motion. [s]

    If the stable step of the linearised equations is known, the step is OF_LINEARISED times this stable step. Otherwise
    it follows from bounds of the frequency w and the damping rate c: the stable step is 2/W with W = c + sqrt(c^2 +
    w^2), and the step is OF_STABLE times 2/W, but not above STEP_TIMES_FREQUENCY/w. If only W is known, the step is
    OF_UNKNOWN times 2/W. If friction is smoothed over the speed, the step is not shorter than the step from these
    bounds: the linearised equations include the slopes of friction on teeth, which W does not.
    """
    if not motion.linearised_frequency > 0.0:
        return _by_bounds(motion)
    longest = OF_LINEARISED * 2.0 / max(motion.linearised_frequency, 4.0 * motion.settling_rate)
    return max(longest, _by_bounds(motion)) if motion.chatter_rate > 0.0 else longest


def _by_bounds(motion: Motion) -> float:
    """Return the step that follows from the bounds of frequency and damping rate. [s]"""
    w, c = motion.frequency_and_damping
    if not w > 0.0:
        return OF_UNKNOWN * 2.0 / motion.highest_frequency
    return min(STEP_TIMES_FREQUENCY / w, OF_STABLE * 2.0 / (c + math.sqrt(c * c + w * w)))


METHOD = Method(
    bind=splitting,
    stages=3,
    fixed_step=True,
    step_times_frequency=STEP_TIMES_FREQUENCY,
    largest_step_times_frequency=LARGEST_IN_SPACE,
    longest_step=longest_step,
    own=own,
    kept=kept,
)
