"""What every integrator shares: the arrays a run consists of, and the loop around one step.

A method is a few kernels (:class:`Stepping`); :func:`integration` puts the loop around them that fills rows at saved
instants, accepts steps, and counts. All that a run knows stands in the arrays of :class:`Control` (and in the memory of
the formulation), nothing in local variables of the loop. So the loop may return after any step and after any row, and
goes on bit for bit when it is called again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.contract.status import FIRST_FAILURE, Accepted, Status
from chaindrive.kernels import copy_into, kernel

__all__ = ["Advance", "Control", "Method", "Stepping", "bound_kernel", "integration", "next_target", "take"]

Advance = Callable[["Control", Any], int]
"""advance(control, parameters) -> code of a Status"""

# Places in Control.times (float64). [s] unless said otherwise
TIME = 0  # of `state`
TIME_BEFORE = 1  # of `before`
LAST_STEP = 2  # step from `before` to `state`; 0 before the first
NEXT_STEP = 3  # what the controller proposes; 0 before it has to find the first one
LARGEST_STEP = 4  # never exceeded; infinite without limit
START = 5  # time of row 0
END = 6  # where the caller wants to stop; a step ends there
INTERVAL = 7  # between rows
ERROR_BEFORE = 8  # error norm of the last accepted step (1 = tolerance) [-]
RELATIVE_TOLERANCE = 9  # [-]
SMALLEST_TAKEN = 10
LARGEST_TAKEN = 11
SEGMENT_START = 12  # methods with a fixed step: equal steps fill a segment between two stops
SEGMENT_END = 13
SHORTEST_STEP = 14  # below which a fixed step is not cut when the system asks for a shorter one
FIRST_CUT, LAST_CUT = 15, 16  # when the system asked for a shorter step; infinite and 0 while it has not
LARGEST_ASKED = 17  # largest product of the step and the frequency of the system that was met [-]
WORK_TOLERANCE = 18  # error of every work relative to the work done so far; infinite: works do not steer the step [-]
LEAST_WORK = 19  # a work that is smaller is held relative to this one [J]
TIMES_SIZE = 20

# Places in Control.counts (int64)
STEPS = 0  # accepted
REJECTED = 1
EVALUATIONS = 2  # of the right-hand side by the method; record may call it as well, and one more follows its rows
CHANGED = 3  # how often accept changed the right-hand side
NEXT_ROW = 4  # index k of the row to come, at START + k INTERVAL
FILLED = 5  # rows waiting in the buffer
NEXT_STOP = 6  # index into stops
STARTED = 7
OUTCOME = 8  # code of the Status that ended the run; 0 while it may go on
NOT_FINITE = 9  # consecutive trials with a NaN or infinity
WAS_REJECTED = 10  # 1 directly after a rejected step
POSITIONS = 11  # n_q
MAX_STEPS = 12  # accepted and rejected
BUDGET = 13  # steps left, accepted and rejected, until advance returns
WEIGHED = 14  # how many states steer the step
SEGMENT_STEPS = 15
SEGMENT_STEP = 16  # how many of them are done
CUTS = 17  # how often a fixed step was halved because the system asked for it
VELOCITIES = 18  # n_v
TAKEN = 19  # 1 from when a step is taken until it is accepted; rows that fall into it are recorded in between
RECORDED = 20  # 1 when a row of the step taken was recorded, which has left its own contacts in the scratch arrays
CUT_SHORT = 21  # 1 when the step taken is to end at TIME, before its state: there an ending is met to the instant
COUNTS_SIZE = 22

# Rows of Control.account, one column a work. [J]
TURNED = 0  # sum of all its rises and falls, step by step
ERROR = 1  # sum of the estimated errors of all steps, without sign
DRIFT = 2  # the same with sign
STEP_ERROR = 3  # estimated error of the last step tried
ACCOUNT_ROWS = 4

RUNNING = Status.RUNNING.code
REACHED_END = Status.REACHED_END.code
TOO_MANY_STEPS = Status.TOO_MANY_STEPS.code
RHS_CHANGED = int(Accepted.RHS_CHANGED)
ROUNDING = 4.0 * float(np.finfo(np.float64).eps)
"""Two instants closer than this fraction of their size are one."""


class Control(NamedTuple):
    """Everything that a run knows, as arrays that a compiled loop changes in place. n states, s stages."""

    state: FloatArray
    """y at ``times[TIME]``, shape (n,)."""
    derivative: FloatArray
    """dy/dt at (time, state) with the memory as it is now, shape (n,)."""
    before: FloatArray
    """y at the start of the last step, shape (n,): rows inside the step are interpolated from it."""
    trial: FloatArray
    """Argument of a stage, then the end of the step, then an interpolated state, shape (n,)."""
    stages: FloatArray
    """Derivatives at the stages of the last step, and what else a method keeps of it, shape (s, n); the last one at
    its end, before accept."""
    times: FloatArray
    counts: IntArray
    tolerance: FloatArray
    """Absolute tolerance of every state, shape (n,); infinite where a state does not steer the step."""
    weights: FloatArray
    """1 / tolerance, shape (n,); 0 where it is infinite."""
    stops: FloatArray
    """Instants at which a step ends, ascending. [s]"""
    rows: FloatArray
    """Buffer of rows, shape (chunk_rows, row_size)."""
    row_times: FloatArray
    """Instants of the rows, shape (chunk_rows,). [s]"""
    works: IntArray
    """Places of the works among the states, shape (n_works,)."""
    account: FloatArray
    """What is known of every work and of its error, shape (ACCOUNT_ROWS, n_works). [J]"""


class Method(NamedTuple):
    """An integrator, as the registry ``METHODS`` knows it."""

    bind: Callable[..., Advance]
    """bind(kernels) -> advance(control, parameters) -> code of a Status, for the ``Kernels`` of a formulation."""
    stages: int
    """Rows of ``Control.stages``."""
    fixed_step: bool
    """True when it needs a step (``settings.step``, or one chosen from the highest frequency)."""
    step_times_frequency: float
    """Step times the highest frequency of the system when no step is given: the step, or the longest one. [-]"""


class Stepping(NamedTuple):
    """The kernels of a method, bound to those of a formulation."""

    prepare: Callable[..., None]
    """(control, parameters): derivative at the start, and the first step; may set ``counts[OUTCOME]``."""
    step: Callable[..., int]
    """(control, parameters): tries one step, which it hands to ``take``; returns 0, or the code of the Status
    that hinders it."""
    interpolate: Callable[..., None]
    """(control, fraction, parameters): the state at ``before`` + fraction * step into ``trial``."""
    revisit: Callable[..., None]
    """(control, parameters): the last evaluation of the step taken once more, to the last bit: ``accept`` reads what it
    leaves in the scratch arrays, and rows have been recorded meanwhile."""
    watch: Callable[..., None]
    """(control, changed, parameters): directly after a step was accepted; changed: whether the memory changed the
    right-hand side."""


@kernel(inline=True)
def next_target(c):
    """The next instant at which a step must end: the nearest stop after now, or the end [s]."""
    now = c.times[TIME]
    k = c.counts[NEXT_STOP]
    while k < c.stops.size and c.stops[k] <= now + ROUNDING * abs(now):
        k += 1
    c.counts[NEXT_STOP] = k
    if k < c.stops.size and c.stops[k] < c.times[END]:
        return c.stops[k]
    return c.times[END]


@kernel(parallel_sums=False)
def instant_of_row(k, start, interval):
    """When row k is due [s]: start + k interval, rounded as Python does (never fused), for callers compute it, too."""
    return start + k * interval if k > 0 else start


def bound_kernel(function: Callable[..., Any], rhs: Callable[..., Any]) -> Any:
    """Kernel of a function that takes the parameters of a formulation, with an index of its own in the cache on disk.

    Numba keeps the argument types of all compiled versions of one function in one file, and must import every class
    named in it. Named after the right-hand side, the file of one formulation holds the classes of that one only.
    """
    inner = getattr(rhs, "py_func", rhs)
    function.__qualname__ += f".{inner.__module__}.{inner.__qualname__}"
    return kernel(function)


@kernel(inline=True)
def take(c, time, step):
    """Make ``trial`` at ``time`` the state; the last evaluation, into the last of ``stages``, was just there."""
    move_on(c, time, step)
    copy_into(c.derivative, c.stages[c.stages.shape[0] - 1])


@kernel(inline=True)
def move_on(c, time, step):
    """The same without the derivative."""
    copy_into(c.before, c.state)
    copy_into(c.state, c.trial)
    c.times[TIME_BEFORE] = c.times[TIME]
    c.times[TIME] = time
    c.times[LAST_STEP] = step
    c.times[SMALLEST_TAKEN] = min(c.times[SMALLEST_TAKEN], step)
    c.times[LARGEST_TAKEN] = max(c.times[LARGEST_TAKEN], step)
    c.counts[STEPS] += 1
    c.counts[TAKEN] = 1


def accepting(kernels: Kernels, stepping: Stepping) -> Callable[..., None]:
    """Kernel accept_step(control, parameters): lets the memory follow the step that was taken.

    Rows inside the step are recorded before, with the memory that held while it was computed.
    """
    rhs, accept = kernels.rhs, kernels.accept
    revisit, watch, interpolate = stepping.revisit, stepping.watch, stepping.interpolate

    @kernel(inner=True)
    def accept_step(c, p):
        counts = c.counts
        time = c.times[TIME]
        if counts[CUT_SHORT] != 0:
            interpolate(c, (time - c.times[TIME_BEFORE]) / c.times[LAST_STEP], p)
            c.times[LAST_STEP] = time - c.times[TIME_BEFORE]
            copy_into(c.state, c.trial)
            rhs(time, c.state, c.derivative, p)
            counts[CUT_SHORT] = 0
        elif counts[RECORDED] != 0:
            revisit(c, p)
        outcome = accept(time, c.state, p)
        counts[TAKEN] = 0
        counts[RECORDED] = 0
        if outcome == RHS_CHANGED:
            rhs(time, c.state, c.derivative, p)
            counts[EVALUATIONS] += 1
            counts[CHANGED] += 1
        elif outcome >= FIRST_FAILURE:
            counts[OUTCOME] = outcome
        watch(c, outcome == RHS_CHANGED, p)

    return accept_step


def cutting_short(kernels: Kernels, stepping: Stepping) -> Callable[..., None]:
    """Kernel cut_short(control, parameters): ends the step taken where an ending is met to the instant.

    Bisects the dense output; the time that it leaves has the ending behind it by the rounding of time.
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
        before, low, high = times[TIME_BEFORE], 0.0, 1.0
        while (high - low) * times[LAST_STEP] > ROUNDING * abs(times[TIME]):
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            interpolate(c, middle, p)
            rhs(before + middle * times[LAST_STEP], c.trial, c.derivative, p)
            if margin(p) > 0.0:
                low = middle
            else:
                high = middle
        times[TIME] = before + high * times[LAST_STEP]
        c.counts[CUT_SHORT] = 1

    return cut_short


def integration(kernels: Kernels, stepping: Stepping) -> Advance:
    """The loop of every integrator, compiled around the kernels of one method and one formulation.

    It has the name of the right-hand side of the formulation (``bound_kernel``).
    """
    record, begin = kernels.record, kernels.begin
    prepare, step, interpolate = stepping.prepare, stepping.step, stepping.interpolate
    accept_step = accepting(kernels, stepping)
    cut_short = cutting_short(kernels, stepping)

    @kernel(inner=True)
    def fill_rows(c, p):
        """Record what falls into the step just taken. False when the buffer is full and a row is still due."""
        times = c.times
        counts = c.counts
        now = times[TIME]
        while True:
            k = counts[NEXT_ROW]
            due = instant_of_row(k, times[START], times[INTERVAL])
            if not due <= now + ROUNDING * abs(now):
                return True
            filled = counts[FILLED]
            if filled == c.rows.shape[0]:
                return False
            if (due < now or counts[CUT_SHORT] != 0) and times[LAST_STEP] > 0.0:
                interpolate(c, (due - times[TIME_BEFORE]) / times[LAST_STEP], p)
                record(due, c.trial, p, c.rows[filled])
            else:
                record(due, c.state, p, c.rows[filled])
            c.row_times[filled] = due
            counts[FILLED] = filled + 1
            counts[NEXT_ROW] = k + 1
            counts[RECORDED] = counts[TAKEN]

    def advance(c, p):
        counts = c.counts
        if counts[STARTED] == 0:
            outcome = begin(c.times[TIME], c.state, p)
            if outcome >= FIRST_FAILURE:
                counts[OUTCOME] = outcome
            prepare(c, p)
            counts[STARTED] = 1
        while True:
            if not fill_rows(c, p):
                return RUNNING
            if counts[TAKEN] != 0:
                accept_step(c, p)
            if counts[OUTCOME] >= FIRST_FAILURE:
                return counts[OUTCOME]
            if c.times[TIME] >= c.times[END]:
                return REACHED_END
            if counts[STEPS] + counts[REJECTED] >= counts[MAX_STEPS]:
                return TOO_MANY_STEPS
            if counts[BUDGET] <= 0:
                return RUNNING
            counts[BUDGET] -= 1
            hindrance = step(c, p)
            if hindrance != 0:
                return hindrance
            cut_short(c, p)

    return bound_kernel(advance, kernels.rhs)
