"""Common parts of all integrators: the arrays of a run, and the loop around one step.

A method consists of a few kernels (:class:`Stepping`); :func:`integration` builds the loop around them, which fills
rows at saved instants, accepts steps, and counts. The entire state of a run is in the arrays of :class:`Control` (and
in the memory of the formulation), and none of it in local variables of the loop. The loop can therefore return after
any step and any row, and continues bit for bit when it is called again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.contract.status import FIRST_FAILURE, Accepted, Status
from chaindrive.kernels import copy_into, kernel
from chaindrive.kernels.tables import Reals, Wholes

if TYPE_CHECKING:
    from chaindrive.contract.motion import Motion
    from chaindrive.contract.system import System

__all__ = [
    "Advance",
    "Control",
    "Method",
    "Stepping",
    "bound_kernel",
    "integration",
    "next_target",
    "nothing_to_gather",
    "take",
]

Advance = Callable[["Control", Any, Any], int]
"""advance(control, parameters, aside) -> code of a Status

aside: the same parameters with their own scratch arrays (``System.aside``). Rows, and instants within a step, are
evaluated there, so that ``accept`` finds the results of the last evaluation of its step in the parameters.
"""

RUNNING = Status.RUNNING.code
REACHED_END = Status.REACHED_END.code
TOO_MANY_STEPS = Status.TOO_MANY_STEPS.code
RHS_CHANGED = int(Accepted.RHS_CHANGED)
ROUNDING = 4.0 * float(np.finfo(np.float64).eps)
"""Two instants closer than this fraction of their size count as one."""


class Times(NamedTuple):
    """Instants and other real numbers of a run, each of shape (1,). [s] unless stated otherwise."""

    time: Reals
    """time of `state`"""
    time_before: Reals
    """time of `before`"""
    last_step: Reals
    """step from `before` to `state`; 0 before the first"""
    next_step: Reals
    """step proposed by the controller; 0 before the first step is found"""
    largest_step: Reals
    """longest step allowed; infinite if there is no limit"""
    start: Reals
    """time of row 0"""
    end: Reals
    """time at which the caller requests a stop; a step ends there"""
    interval: Reals
    """time between rows"""
    error_before: Reals
    """error norm of the last accepted step (1 = tolerance) [-]"""
    relative_tolerance: Reals
    """[-]"""
    smallest_taken: Reals
    largest_taken: Reals
    segment_start: Reals
    """start of a segment: a method with fixed steps fills the segment between two stops with equal steps"""
    segment_end: Reals
    shortest_step: Reals
    """a fixed step is not made shorter than this, even if the system requires it"""
    first_cut: Reals
    last_cut: Reals
    """times at which the system first and last required a shorter step; infinite and 0 if it has not"""
    largest_asked: Reals
    """largest product so far of the step and the frequency of the system [-]"""
    highest_asked: Reals
    """highest frequency of the system that has been found since the caller last reset it [rad/s]"""
    work_tolerance: Reals
    """tolerance of every work relative to the work done so far; infinite if works do not control the step [-]"""
    least_work: Reals
    """for works smaller than this value, the tolerance is relative to this value [J]"""


class Counts(NamedTuple):
    """Whole numbers of a run, each of shape (1,)."""

    steps: Wholes
    """accepted steps"""
    rejected: Wholes
    evaluations: Wholes
    """evaluations of the right-hand side by the method, without those made by record"""
    changed: Wholes
    """number of times that accept changed the right-hand side"""
    next_row: Wholes
    """index k of the next row, at ``start`` + k ``interval``"""
    filled: Wholes
    """rows waiting in the buffer"""
    next_stop: Wholes
    """index into stops"""
    started: Wholes
    outcome: Wholes
    """code of the Status that ended the run; 0 while the run may continue"""
    not_finite: Wholes
    """consecutive trials with a NaN or infinity"""
    was_rejected: Wholes
    """1 directly after a rejected step"""
    positions: Wholes
    """n_q"""
    max_steps: Wholes
    """largest number of steps, accepted and rejected"""
    budget: Wholes
    """number of steps, accepted and rejected, that are left until advance returns"""
    weighed: Wholes
    """number of states whose errors control the step"""
    segment_steps: Wholes
    segment_step: Wholes
    """for a method with fixed steps: number of equal steps in a segment, and how many of them have been completed"""
    cuts: Wholes
    """number of times that a fixed step was shortened because the system required it"""
    velocities: Wholes
    """n_v"""
    taken: Wholes
    """1 between taking a step and accepting it; rows within the step are recorded in between"""
    recorded: Wholes
    """1 if a row within the step taken has been recorded, so that extremes are reset"""
    cut_short: Wholes
    """1 if the step taken must be cut short at ``time``, because an ending of the run was located there"""
    dense: Wholes
    """1 if the evaluations that only the dense output needs have been made for the step taken"""
    loads_changed: Wholes
    """1 if the caller has changed loads or other parameters at ``time``, so that the derivative must be evaluated again
    before the next step"""


class Accounts(NamedTuple):
    """Accounts of every work and its error, each of shape (n_works,). [J]"""

    turned: Reals
    """sum of the magnitudes of the changes in the work, step by step"""
    error: Reals
    """sum of the magnitudes of the estimated errors of all steps"""
    drift: Reals
    """sum of these errors with their signs retained"""
    step_error: Reals
    """estimated error in the last step that was tried"""


class Control(NamedTuple):
    """All data of a run, as arrays that a compiled loop changes in place. n states, s stages."""

    state: FloatArray
    """y at ``times.time``, shape (n,)."""
    derivative: FloatArray
    """dy/dt at (time, state) with the current memory, shape (n,)."""
    before: FloatArray
    """y at the start of the last step, shape (n,): rows inside the step are interpolated from it."""
    trial: FloatArray
    """State at which a stage is evaluated, later the state at the end of the step, and later an interpolated state,
    shape (n,)."""
    stages: FloatArray
    """Derivatives at the stages of the last step, and other values of this step that a method keeps, shape (s, n); the
    last row is the derivative at the end of the step, before accept."""
    inside: FloatArray
    """Derivative at an instant within the last step at which a force has its largest value, shape (n,)."""
    times: Times
    counts: Counts
    tolerance: FloatArray
    """Absolute tolerance of every state, shape (n,); infinite if a state does not control the step."""
    weights: FloatArray
    """1 / tolerance, shape (n,); 0 where it is infinite."""
    stops: FloatArray
    """Instants at which a step must end, in ascending order. [s]"""
    rows: FloatArray
    """Buffer of rows, shape (chunk_rows, row_size)."""
    row_times: FloatArray
    """Instants of the rows, shape (chunk_rows,). [s]"""
    works: IntArray
    """Indices of the works among the states, shape (n_works,)."""
    account: Accounts
    own: Any
    """Data that only this method carries from step to step: an array, or a table (``Method.own``)."""


def nothing_of_its_own(system: System, tolerance: FloatArray) -> FloatArray:
    """Return ``Control.own`` of a method whose state is entirely in the other arrays."""
    return np.zeros(0)


def limited_by_all(system: System) -> System:
    """Return the system unchanged, for a method whose step is limited by all parts of the system."""
    return system


def all_of_its_own(own: Any) -> Any:
    """Return all of ``Control.own`` for a checkpoint, for a method that has no scratch arrays in it."""
    return own


class Method(NamedTuple):
    """An integrator, as an entry of the registry ``METHODS``."""

    bind: Callable[..., Advance]
    """bind(kernels) -> advance(control, parameters) -> code of a Status, for the ``Kernels`` of a formulation."""
    stages: int
    """Number of rows in ``Control.stages``."""
    fixed_step: bool
    """Whether the method needs a given step (``settings.step``, or a step chosen from the highest frequency)."""
    step_times_frequency: float
    """If no step is given, this value divided by the highest frequency of the system is the fixed step, or the longest
    step. [-]"""
    largest_step_times_frequency: float = 2.0
    """Product of step and frequency of the system above which a fixed step is shortened during a run. [-]"""
    longest_step: Callable[[Motion], float] | None = None
    """longest_step(motion): returns the step to be used if none is given [s], for a method that treats damping
    separately from frequencies."""
    limiting: Callable[[System], System] = limited_by_all
    """limiting(system): returns the system with the step limits of this method in its motion and its parameters;
    idempotent.
    """
    evaluations: int = 1
    """Evaluations of the right-hand side in a step that is accepted at the first attempt."""
    own: Callable[[System, FloatArray], Any] = nothing_of_its_own
    """own(system, tolerance): returns ``Control.own`` before a run begins; tolerance: tolerance of every state,
    (states,)."""
    kept: Callable[[Any], Any] = all_of_its_own
    """kept(own): returns the part of ``own`` that a checkpoint contains."""
    hindrance: Callable[[System], str] | None = None
    """hindrance(system): returns why the method cannot be used for this system; an empty string if it can."""
    counted: Callable[[Any], tuple[int, int, int]] | None = None
    """counted(own): returns the numbers of Jacobians, of evaluations for them, and of steps whose corrector did not
    converge."""
    fault: Callable[[Any], int] | None = None
    """fault(own): returns the position whose equation could not be solved, or -1."""


class Stepping(NamedTuple):
    """The kernels of a method, bound to the kernels of a formulation."""

    prepare: Callable[..., None]
    """(control, parameters): computes the derivative at the start and the first step; may set ``counts.outcome``."""
    step: Callable[..., int]
    """(control, parameters): tries one step, which it passes to ``take``; returns 0, or the code of the Status
    that prevents it."""
    interpolate: Callable[..., None]
    """(control, fraction, parameters): writes the state at ``before`` + fraction * step into ``trial``."""
    revisit: Callable[..., None]
    """(control, parameters): repeats the last evaluation of the step taken, bit for bit. It is called if the loop has
    returned to its caller before ``accept``, which reads the results in the scratch arrays."""
    watch: Callable[..., None]
    """(control, answer, parameters): called immediately after a step has been accepted; answer: result of
    ``accept``."""


@kernel(inner=True)
def next_target(c):
    """Return the next instant at which a step must end: the next stop, or the end [s]."""
    now = c.times.time[0]
    k = c.counts.next_stop[0]
    while k < c.stops.size and c.stops[k] <= now + ROUNDING * abs(now):
        k += 1
    c.counts.next_stop[0] = k
    if k < c.stops.size and c.stops[k] < c.times.end[0]:
        return c.stops[k]
    return c.times.end[0]


@kernel(parallel_sums=False)
def instant_of_row(k, start, interval):
    """Return the instant of row k [s]: start + k interval, rounded as in Python (never with a fused multiply-add),
    because callers compute it as well.
    """
    return start + k * interval if k > 0 else start


def bound_kernel(function: Callable[..., Any], rhs: Callable[..., Any], *, apart: bool = False) -> Any:
    """Return the kernel of a function that takes the parameters of a formulation, with a separate index file in the
    cache on disk.

    Numba keeps the argument types of all compiled versions of a function in one index file, and has to import every
    class named in this file. Here the file is named after the right-hand side, so it contains only the classes of one
    formulation.
    """
    inner = getattr(rhs, "py_func", rhs)
    function.__qualname__ += f".{inner.__module__}.{inner.__qualname__}"
    return kernel(function, apart=apart)


@kernel
def take(c, time, step):
    """Make ``trial`` the state at ``time``; the last row of ``stages`` holds the derivative at this state."""
    move_on(c, time, step)
    copy_into(c.derivative, c.stages[c.stages.shape[0] - 1])


@kernel(inner=True)
def move_on(c, time, step):
    """Do the same as ``take``, but leave the derivative unchanged."""
    copy_into(c.before, c.state)
    copy_into(c.state, c.trial)
    count_step(c, time, step)


@kernel(inner=True)
def count_step(c, time, step):
    """Record a completed step that ended at ``time``, in the number, the shortest and the longest of the steps."""
    c.times.time_before[0] = c.times.time[0]
    c.times.time[0] = time
    c.times.last_step[0] = step
    c.times.smallest_taken[0] = min(c.times.smallest_taken[0], step)
    c.times.largest_taken[0] = max(c.times.largest_taken[0], step)
    c.counts.steps[0] += 1
    c.counts.taken[0] = 1
    c.counts.dense[0] = 0


@kernel(inner=True)
def nothing_to_gather(t, y, dy, p, anew):
    """Do nothing, for a formulation without extremes."""
    return 0.0


def accepting(kernels: Kernels, stepping: Stepping) -> Callable[..., None]:
    """Return the kernel accept_step(control, parameters, aside), which updates the memory after the step that was
    taken.

    Rows inside the step are recorded first, with the memory with which the step was computed.
    """
    rhs, accept, gather = kernels.rhs, kernels.accept, kernels.gather or nothing_to_gather
    watch, interpolate = stepping.watch, stepping.interpolate

    @kernel(inner=True)
    def accept_step(c, p, aside):
        counts = c.counts
        time = c.times.time[0]
        if counts.cut_short[0] != 0:
            interpolate(c, (time - c.times.time_before[0]) / c.times.last_step[0], p)
            c.times.last_step[0] = time - c.times.time_before[0]
            copy_into(c.state, c.trial)
            rhs(time, c.state, c.derivative, p)
            copy_into(c.stages[c.stages.shape[0] - 1], c.derivative)
            counts.cut_short[0] = 0
        last = c.stages.shape[0] - 1
        inside = gather(time, c.state, c.stages[last], p, counts.recorded[0] != 0)
        if inside > 0.0:
            instant = c.times.time_before[0] + inside * c.times.last_step[0]
            interpolate(c, inside, aside)
            rhs(instant, c.trial, c.inside, aside)
            gather(instant, c.trial, c.inside, aside, False)
        outcome = accept(time, c.state, p)
        counts.taken[0] = 0
        counts.recorded[0] = 0
        if outcome == RHS_CHANGED:
            rhs(time, c.state, c.derivative, p)
            counts.evaluations[0] += 1
            counts.changed[0] += 1
        elif outcome >= FIRST_FAILURE:
            counts.outcome[0] = outcome
        watch(c, outcome, p)

    return accept_step


def cutting_short(kernels: Kernels, stepping: Stepping) -> Callable[..., None]:
    """Return the kernel cut_short(control, parameters), which ends the step taken at the exact instant of an ending of
    the run.

    The instant is found by bisection of the dense output; the resulting time is later than the ending by no more than
    the rounding error of time.
    """
    rhs, margin, interpolate = kernels.rhs, kernels.margin, stepping.interpolate
    if margin is None:

        @kernel(inner=True)
        def go_on(c, p):
            return

        return go_on

    @kernel(inner=True)
    def cut_short(c, p):
        if margin(p) > 0.0:
            return
        times = c.times
        before, low, high = times.time_before[0], 0.0, 1.0
        while (high - low) * times.last_step[0] > ROUNDING * abs(times.time[0]):
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            interpolate(c, middle, p)
            rhs(before + middle * times.last_step[0], c.trial, c.derivative, p)
            if margin(p) > 0.0:
                low = middle
            else:
                high = middle
        times.time[0] = before + high * times.last_step[0]
        c.counts.cut_short[0] = 1

    return cut_short


def integration(kernels: Kernels, stepping: Stepping) -> Advance:
    """Return the loop of an integrator, compiled around the kernels of one method and one formulation.

    The loop is named after the right-hand side of the formulation (``bound_kernel``).
    """
    rhs, record, begin = kernels.rhs, kernels.record, kernels.begin
    prepare, step, revisit, interpolate, watch = (
        stepping.prepare,
        stepping.step,
        stepping.revisit,
        stepping.interpolate,
        stepping.watch,
    )
    accept_step = accepting(kernels, stepping)
    cut_short = cutting_short(kernels, stepping)

    @kernel(inner=True)
    def fill_rows(c, aside):
        """Record the rows within the step just taken; return False if the buffer is full and a row is still due."""
        times = c.times
        counts = c.counts
        now = times.time[0]
        while True:
            k = counts.next_row[0]
            due = instant_of_row(k, times.start[0], times.interval[0])
            if not due <= now + ROUNDING * abs(now):
                return True
            filled = counts.filled[0]
            if filled == c.rows.shape[0]:
                return False
            if (due < now or counts.cut_short[0] != 0) and times.last_step[0] > 0.0:
                interpolate(c, (due - times.time_before[0]) / times.last_step[0], aside)
                record(due, c.trial, aside, c.rows[filled])
            else:
                record(due, c.state, aside, c.rows[filled])
            c.row_times[filled] = due
            counts.filled[0] = filled + 1
            counts.next_row[0] = k + 1
            counts.recorded[0] = counts.taken[0]

    def advance(c, p, aside):
        counts = c.counts
        if counts.started[0] == 0:
            outcome = begin(c.times.time[0], c.state, p)
            if outcome >= FIRST_FAILURE:
                counts.outcome[0] = outcome
            prepare(c, p)
            counts.started[0] = 1
        elif counts.loads_changed[0] != 0:
            rhs(c.times.time[0], c.state, c.derivative, p)
            counts.evaluations[0] += 1
            watch(c, RHS_CHANGED, p)
        counts.loads_changed[0] = 0
        if counts.taken[0] != 0:
            revisit(c, p)
        while True:
            if not fill_rows(c, aside):
                return RUNNING
            if counts.taken[0] != 0:
                accept_step(c, p, aside)
            if counts.outcome[0] >= FIRST_FAILURE:
                return counts.outcome[0]
            if c.times.time[0] >= c.times.end[0]:
                return REACHED_END
            if counts.steps[0] + counts.rejected[0] >= counts.max_steps[0]:
                return TOO_MANY_STEPS
            if counts.budget[0] <= 0:
                return RUNNING
            counts.budget[0] -= 1
            hindrance = step(c, p)
            if hindrance != 0:
                return hindrance
            cut_short(c, p)

    return bound_kernel(advance, kernels.rhs, apart=True)  # no kernel includes it
