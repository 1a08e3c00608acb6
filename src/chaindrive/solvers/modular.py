"""Modular integration: the chain and the mechanism are each integrated by a separate method, and coupled at the ends of
macro steps.

The method follows Hippmann, Arnold & Schittenhelm (2005), section 3.3, whose equations are illegible in our copy;
schemes and orders are those of Arnold, Carrarini, Heckmann & Hippmann (2004) and Busch (2016). In a macro step from T
to T + H

1. the mechanism is integrated first, under extrapolated forces of the chain;
2. the chain follows in its own steps, while the mechanism moves along the cubic polynomial with the states and rates of
   both ends;
3. with ``corrected``, the mechanism repeats the step with the forces that the chain has exerted in this step.

Forces are exchanged as impulses: if J(t) is the impulse of a force up to the time t, the force is extrapolated as the
derivative of the polynomial through the values of J at the last communication points. With degree 0 this is the mean
over the last macro step, so fluctuations faster than that step are averaged out. With a polynomial of degree k, the
errors of the force and of the motion are of the order H^(k+1).

The chain takes the steps of verlet_beeman.py. Its evaluations use the position of the mechanism at the same instant, so
rows, contact memory, works and endings are handled as with every other method. The mechanism takes adaptive steps of
third order (Bogacki & Shampine, Appl. Math. Lett. 2, 1989, 321-325), as many in a macro step as its tolerance requires.
The difference between the energy received by the mechanism and the energy given by the chain is created by the
coupling, and has a separate account. With ``corrected`` this account includes the work that the forces of the chain do
between the predicted and the corrected positions of the mechanism.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.contract.status import Status
from chaindrive.kernels import Kernel, copy_into, kernel
from chaindrive.kernels.tables import Reals, Wholes, blank
from chaindrive.solvers.control import (
    ROUNDING,
    Advance,
    Method,
    Stepping,
    count_step,
    integration,
    limited_by_all,
    next_target,
)
from chaindrive.solvers.verlet import BEFORE, END, PREDICTED, RHS_CHANGED, correct, interpolating, predicting, watching
from chaindrive.solvers.verlet_beeman import (
    LARGEST_STEP_TIMES_FREQUENCY,
    STEP_TIMES_FREQUENCY,
    extrapolated,
    longest_step,
)

if TYPE_CHECKING:
    from chaindrive.contract.system import System
    from chaindrive.solvers.control import Control

__all__ = ["EXTRAPOLATIONS", "METHOD", "SCHEMES", "Macro", "Own", "modular", "set_up"]

EXTRAPOLATIONS = {"constant": 0, "linear": 1, "quadratic": 2}
"""Degree of the polynomials that describe the forces in a macro step, by name."""
SCHEMES = ("gauss-seidel", "corrected")
MACRO_STEPS = 4
"""Number of steps of the chain in a macro step if the macro step is not given. There are fewer if the coupling would be
unstable: it is stable for macro steps up to about three divided by its frequency
(docs/validation/modular-integration.md)."""
RISE = 6
"""Exponent of the first macro step. At the start there are no data for an extrapolation, so the first macro step is
shorter by the factor 2^-RISE, and each following step is twice as long as the previous one until the full length is
reached."""
SAFETY, SHRINK, GROW = 0.9, 0.2, 5.0
"""Factors for the steps of the mechanism: safety factor on the step that just meets the tolerance, and limits of the
change from step to step. [-]
"""
STEP_TOO_SMALL, NOT_A_NUMBER = Status.STEP_TOO_SMALL.code, Status.NOT_A_NUMBER.code


class Macro(NamedTuple):
    """Data of the macro step, each of shape (1,)."""

    start: Reals
    end: Reals
    wanted: Reals
    """length of macro steps, unless a stop is nearer [s]"""
    own_step: Reals
    """latest step of the mechanism that met its tolerance [s]"""
    power: Reals
    """power that the chain supplies to the mechanism at the end of the last step of the chain [W]"""
    given: Reals
    """energy given by the chain in this macro step [J]"""
    got: Reals
    """energy received by the mechanism in this macro step [J]"""
    transferred: Reals
    """energy given by the chain in all macro steps [J]"""
    exchanged: Reals
    """sum over the macro steps of the magnitude of the energy given by the chain [J]"""
    made: Reals
    """energy created by the coupling [J]"""
    largest_power: Reals
    """[W]"""
    degree: Wholes
    corrected: Wholes
    """1 if the mechanism repeats every macro step"""
    steps: Wholes
    evaluations: Wholes
    """number of evaluations of the mechanism"""
    own_steps: Wholes
    """number of accepted steps of the mechanism"""
    rejected: Wholes


class Course(NamedTuple):
    """The states of the mechanism in the course of a macro step, each of shape (m,)."""

    start: Reals
    start_rate: Reals
    end: Reals
    end_rate: Reals
    now: Reals
    """states in the course of the steps of the mechanism"""


class Exchanged(NamedTuple):
    """The forces between chain and mechanism, each of shape (f,)."""

    now: Reals
    """forces at the end of the last step of the chain"""
    impulse: Reals
    """impulse in this macro step so far"""
    mean: Reals
    """means over the last three macro steps, with the latest first"""
    mean_before: Reals
    mean_earlier: Reals
    constant: Reals
    """F = constant + linear s + quadratic s^2, s: time since the end of the last macro step"""
    linear: Reals
    quadratic: Reals
    seen: Reals
    """forces used by the mechanism"""


class Own(NamedTuple):
    """Data that the method carries from step to step (``Control.own``)."""

    macro: Macro
    course: Course
    force: Exchanged
    lengths: FloatArray
    """lengths of the last three macro steps, (3,), 0 for steps that have not yet taken place [s]"""
    places: IntArray
    """indices of the states of the mechanism, (m,)"""
    weights: FloatArray
    """1 / tolerance of these states, (m,)"""
    trial: FloatArray
    """(n,)"""
    rates: FloatArray
    """(4, n)"""


def own_of(system: System, tolerance: FloatArray) -> Own:
    """Return ``Control.own`` before the first step, without the settings that ``set_up`` writes."""
    modules = system.modules
    places, forces = (np.zeros(0, dtype=np.int64), 0) if modules is None else (modules.places, modules.forces)
    size = system.state.size
    return Own(
        macro=blank(Macro, 1),
        course=blank(Course, places.size),
        force=blank(Exchanged, forces),
        lengths=np.zeros(3),
        places=places,
        weights=1.0 / tolerance[places],
        trial=np.array(system.state, dtype=np.float64),
        rates=np.zeros((4, size)),
    )


def set_up(control: Control, macro_step: float | None, scheme: str, extrapolation: str, frequency: float) -> None:
    """Write the settings of a run (see ``SolverSettings``) into the control; frequency: ``Motion.coupling_frequency``
    [rad/s].
    """
    macro: Macro = control.own.macro
    macro.start[0] = macro.end[0] = control.times.start[0]
    chosen = MACRO_STEPS * control.times.largest_step[0]
    if frequency > 0.0:
        chosen = min(chosen, 1.0 / frequency)
    macro.wanted[0] = chosen if macro_step is None else macro_step
    macro.degree[0], macro.corrected[0] = EXTRAPOLATIONS[extrapolation], scheme == "corrected"


def hindrance(system: System) -> str:
    """Return the reason why the method cannot be used for a system; empty if it can be used."""
    if system.kernels.modular is None or system.modules is None:
        return "'modular' needs rollers or links in the plane, and elastic shafts between chains."
    return ""


def of_chain(system: System) -> System:
    """Return the system with the step limit of its chain, if that allows a longer step than the limit of the entire
    system.
    """
    if system.modules is None:
        return system
    alone = system.modules.chain_alone(system)
    limits = [each.motion.highest_frequency for each in (system, alone) if each.motion.highest_frequency > 0.0]
    modules = system.modules._replace(chain_alone=limited_by_all)
    return replace(alone, modules=modules, motion=alone.motion.limited_by(min(limits, default=0.0)))


@kernel(inner=True)
def place(own, t, y):
    """Write the states of the mechanism at an instant of the macro step into y."""
    course, macro = own.course, own.macro
    length = macro.end[0] - macro.start[0]
    x = (t - macro.start[0]) / length
    for k in range(own.places.size):
        rise = course.end[k] - course.start[k]
        bend = (1.0 - 2.0 * x) * rise + length * ((x - 1.0) * course.start_rate[k] + x * course.end_rate[k])
        y[own.places[k]] = course.start[k] + x * (rise + (x - 1.0) * bend)


@kernel(inner=True)
def place_rates(own, t, dy):
    """Write the rates of the states of the mechanism at an instant of the macro step into dy."""
    course, macro = own.course, own.macro
    length = macro.end[0] - macro.start[0]
    x = (t - macro.start[0]) / length
    for k in range(own.places.size):
        rise = (course.end[k] - course.start[k]) / length
        of_ends = (1.0 - x) * (1.0 - 3.0 * x) * course.start_rate[k] + x * (3.0 * x - 2.0) * course.end_rate[k]
        dy[own.places[k]] = 6.0 * x * (1.0 - x) * rise + of_ends


@kernel(inner=True)
def extrapolate(own):
    """Set the polynomials of the forces from their means over the last macro steps; their argument s is the time since
    the end of the last macro step.
    """
    force, first, second, third = own.force, own.lengths[0], own.lengths[1], own.lengths[2]
    degree = own.macro.degree[0]
    linear, quadratic = degree > 0 and second > 0.0, degree > 1 and third > 0.0
    for k in range(force.mean.size):
        slope = (force.mean[k] - force.mean_before[k]) / (first + second) if linear else 0.0
        bend = 0.0
        if quadratic:
            before = (force.mean_before[k] - force.mean_earlier[k]) / (second + third)
            bend = (slope - before) / (first + second + third)
        force.constant[k] = force.mean[k] + slope * first + bend * first * (first + second)
        force.linear[k] = 2.0 * slope + 2.0 * bend * (2.0 * first + second)
        force.quadratic[k] = 3.0 * bend


@kernel(inner=True)
def end_macro_step(own):
    """Add the forces and energies of a macro step that the chain has completed to the records."""
    force, macro, length = own.force, own.macro, own.macro.end[0] - own.macro.start[0]
    own.lengths[2], own.lengths[1], own.lengths[0] = own.lengths[1], own.lengths[0], length
    for k in range(force.now.size):
        force.mean_earlier[k], force.mean_before[k] = force.mean_before[k], force.mean[k]
        force.mean[k] = force.impulse[k] / length
        force.impulse[k] = 0.0
    macro.transferred[0] += macro.given[0]
    macro.exchanged[0] += abs(macro.given[0])
    macro.steps[0] += 1


@kernel(inner=True)
def put(own, y):
    """Write the states of the mechanism in the course of its steps into y."""
    for k in range(own.places.size):
        y[own.places[k]] = own.course.now[k]


def following(force: Kernel, power: Kernel) -> Any:
    """Make the kernel follow(control, t, parameters), which records the forces of the evaluation at the end of a step.

    The kernel closes over the kernels ``forces`` and ``power`` of the formulation, because a kernel passed as an
    argument is an address in this process, so the result could not be cached on disk.
    """

    @kernel(inner=True)
    def follow(c, t, p):
        own, h = c.own, t - c.times.time[0]
        exchanged, macro = own.force, own.macro
        for k in range(exchanged.now.size):
            exchanged.impulse[k] += 0.5 * h * exchanged.now[k]
        force(p, exchanged.now)
        for k in range(exchanged.now.size):
            exchanged.impulse[k] += 0.5 * h * exchanged.now[k]
        found = power(c.stages[PREDICTED], exchanged.now, p)
        macro.given[0] += 0.5 * h * (macro.power[0] + found)
        macro.power[0] = found
        macro.largest_power[0] = max(macro.largest_power[0], abs(found))

    return follow


def moving(kernels: Kernels) -> Any:
    """Make the kernel move(control, since, parameters) -> bool, which integrates the mechanism over the macro step,
    from ``course.start``.

    since: origin of the polynomials of the forces [s]. The kernel returns False if no step meets the tolerance.
    """
    modular: Any = kernels.modular
    mechanism, power_of = modular.mechanism, modular.power

    @kernel(inner=True)
    def rates(own, t, since, into, p):
        """Compute the rates of the mechanism at ``trial``; return the power of the forces on the mechanism [W]."""
        force, s = own.force, t - since
        for k in range(force.seen.size):
            force.seen[k] = force.constant[k] + s * (force.linear[k] + s * force.quadratic[k])
        mechanism(t, own.trial, own.rates[into], force.seen, p)
        own.macro.evaluations[0] += 1
        return power_of(own.trial, force.seen, p)

    @kernel(inner=True)
    def stage(own, h, a, b, c):
        """Write ``now`` + h (a k0 + b k1 + c k2) into ``trial``."""
        k = own.rates
        for i in range(own.places.size):
            j = own.places[i]
            own.trial[j] = own.course.now[i] + h * (a * k[0, j] + b * k[1, j] + c * k[2, j])

    @kernel(inner=True)
    def move(c, since, p):
        own, macro, course, k = c.own, c.own.macro, c.own.course, c.own.rates
        rtol = c.times.relative_tolerance[0]
        t, end = macro.start[0], macro.end[0]
        for i in range(own.places.size):
            course.now[i] = course.start[i]
        put(own, own.trial)
        before = rates(own, t, since, 0, p)
        for i in range(own.places.size):
            course.start_rate[i] = k[0, own.places[i]]
        macro.got[0] = 0.0
        allowed = macro.own_step[0] if macro.own_step[0] > 0.0 else end - t
        while t < end:
            last = not t + allowed * (1.0 + 1e-6) < end
            h = end - t if last else allowed
            if not h > ROUNDING * abs(t):
                return False
            stage(own, h, 0.5, 0.0, 0.0)
            middle = rates(own, t + 0.5 * h, since, 1, p)
            stage(own, h, 0.0, 0.75, 0.0)
            rates(own, t + 0.75 * h, since, 2, p)
            stage(own, h, 2.0 / 9.0, 3.0 / 9.0, 4.0 / 9.0)
            after = rates(own, end if last else t + h, since, 3, p)
            error = 0.0
            for i in range(own.places.size):
                j = own.places[i]
                found = -5.0 / 72.0 * k[0, j] + k[1, j] / 12.0 + k[2, j] / 9.0 - 0.125 * k[3, j]
                weight = own.weights[i] / (1.0 + rtol * abs(own.trial[j]) * own.weights[i])
                error = max(error, abs(h * found) * weight) if math.isfinite(found) else math.inf
            if not error <= 1.0:
                macro.rejected[0] += 1
                allowed = h * max(SHRINK, SAFETY * error ** (-1.0 / 3.0))
                continue
            macro.own_steps[0] += 1
            t = end if last else t + h
            for i in range(own.places.size):
                course.now[i] = own.trial[own.places[i]]
                k[0, own.places[i]] = k[3, own.places[i]]
            macro.got[0] += h / 6.0 * (before + 4.0 * middle + after)
            before = after
            wanted = h * min(GROW, SAFETY * max(error, 1e-9) ** (-1.0 / 3.0))
            allowed = max(allowed, wanted) if last else wanted
        macro.own_step[0] = allowed
        for i in range(own.places.size):
            course.end[i], course.end_rate[i] = course.now[i], k[0, own.places[i]]
        return True

    return move


def modular(kernels: Kernels) -> Advance:
    """Make ``advance`` from the kernels of a formulation."""
    parts: Any = kernels.asked("modular", "the method 'modular'")
    rhs, mechanism, forces, power = kernels.rhs, parts.mechanism, parts.forces, parts.power
    predict, move, follow = predicting(kernels.rates, extrapolated), moving(kernels), following(forces, power)
    watch = watching(kernels.frequency, rhs, LARGEST_STEP_TIMES_FREQUENCY)

    @kernel(inner=True)
    def work_of_correction(c, p):
        """Return the work done by the chain as the mechanism moves from its predicted to its corrected position. [J]"""
        own, n = c.own, c.counts.positions[0]
        for k in range(own.places.size):
            own.trial[own.places[k]] = own.course.end[k]
        for k in range(own.places.size):
            j = own.places[k]
            if j < n:
                own.trial[n + j] = own.course.end[k] - c.state[j]
        mechanism(c.times.time[0], own.trial, own.rates[1], own.force.now, p)
        own.macro.evaluations[0] += 1
        return power(own.trial, own.force.now, p)

    @kernel(inner=True)
    def begin_macro_step(c, p):
        """Integrate the mechanism over the next macro step; return False if this fails."""
        own, macro, course = c.own, c.own.macro, c.own.course
        now = c.times.time[0]
        if macro.end[0] > macro.start[0]:
            end_macro_step(own)
            extrapolate(own)
            if macro.corrected[0] != 0:
                if not move(c, now, p):
                    return False
                macro.given[0] += work_of_correction(c, p)
            macro.made[0] += macro.got[0] - macro.given[0]
            for k in range(own.places.size):
                course.start[k] = course.end[k]
                c.state[own.places[k]] = course.end[k]
        else:
            for k in range(own.places.size):
                course.start[k] = c.state[own.places[k]]
            for k in range(own.force.now.size):
                own.force.constant[k] = own.force.now[k]
        target = next_target(c)
        wanted = macro.wanted[0] * 2.0 ** min(macro.steps[0] - RISE, 0)
        steps = math.ceil((target - now) / wanted * (1.0 - 1e-12))
        macro.start[0] = now
        macro.end[0] = now + (target - now) / steps if steps > 1 else target
        macro.given[0] = 0.0
        return move(c, now, p)

    @kernel(inner=True)
    def divide(c):
        """Divide the rest of the macro step into equal steps of the chain, none of them longer than the required
        step.
        """
        times = c.times
        times.segment_start[0] = times.time[0]
        times.segment_end[0] = min(c.own.macro.end[0], times.end[0])
        steps = math.ceil((times.segment_end[0] - times.time[0]) / times.largest_step[0] * (1.0 - 1e-12))
        c.counts.segment_steps[0], c.counts.segment_step[0] = max(steps, 1), 0

    @kernel(inner=True)
    def step(c, p):
        own, times, counts = c.own, c.times, c.counts
        if counts.segment_step[0] == counts.segment_steps[0] or times.segment_end[0] > times.end[0]:
            if not times.time[0] < own.macro.end[0] and not begin_macro_step(c, p):
                return STEP_TOO_SMALL
            divide(c)
        done, start = counts.segment_step[0] + 1, times.segment_start[0]
        h = (times.segment_end[0] - start) / counts.segment_steps[0]
        t = times.segment_end[0] if done == counts.segment_steps[0] else start + done * h
        if not h > ROUNDING * abs(times.time[0]):
            return STEP_TOO_SMALL
        place_rates(own, times.time[0], c.derivative)
        predict(c, h, p)
        place(own, t, c.stages[PREDICTED])
        slope, n = c.stages[END], counts.positions[0]
        rhs(t, c.stages[PREDICTED], slope, p)
        counts.evaluations[0] += 1
        follow(c, t, p)
        place_rates(own, t, slope)
        total = correct(h, c.stages[BEFORE][n:], slope[n:], c.state[n:], c.before[n:], c.derivative[n:])
        if not np.isfinite(total):
            copy_into(c.state, c.before)
            return NOT_A_NUMBER
        place(own, t, c.state)
        counts.segment_step[0] = done
        count_step(c, t, h)
        return 0

    @kernel(inner=True)
    def prepare(c, p):
        rhs(c.times.time[0], c.state, c.derivative, p)
        c.counts.evaluations[0] += 1
        forces(p, c.own.force.now)
        c.own.macro.power[0] = power(c.state, c.own.force.now, p)
        if not np.isfinite(c.derivative.sum()):
            c.counts.outcome[0] = NOT_A_NUMBER
        else:
            watch(c, RHS_CHANGED, p)

    @kernel(inner=True)
    def revisit(c, p):
        rhs(c.times.time[0], c.stages[PREDICTED], c.stages[END], p)
        place_rates(c.own, c.times.time[0], c.stages[END])

    stepping = Stepping(prepare, step, interpolating(kernels.rates), revisit, watch)
    return integration(kernels, stepping)


METHOD = Method(
    bind=modular,
    stages=3,
    fixed_step=True,
    step_times_frequency=STEP_TIMES_FREQUENCY,
    largest_step_times_frequency=LARGEST_STEP_TIMES_FREQUENCY,
    longest_step=longest_step,
    limiting=of_chain,
    own=own_of,
    hindrance=hindrance,
)
