"""Accuracy with which works are integrated: each has a relative tolerance, and its errors are accumulated.

The sum of all errors of a work so far may reach the fraction WORK_TOLERANCE of its rises and falls so far. A step may
use its own share of that, and a part of the unused shares of earlier steps, so that an impact, where no step is short
enough for a smooth error, does not stop a run. The tolerance of a work that is small compared with the largest is
relative to SMALL_WORK times the largest, and that of a work below LEAST_WORK is relative to LEAST_WORK: friction that
starts from rest with a vertical slope has an error in proportion to its step, however short.

The same applies to a power that jumps when almost no work has been done so far (a mass that flies freely into a stop, a
motion that begins late). A step shorter than INSTANT times the time so far, or INSTANT_OF_STEP times the longest step,
is always accepted. The allowed error is a share for this time, and unused shares are accumulated.
"""

from __future__ import annotations

import math

from chaindrive.kernels import kernel

__all__ = ["book_works", "norm_of_works"]

SMALL_WORK = 1e-4
"""Fraction of the largest work to which the tolerance of any smaller work is relative. [-]"""
LEFT_OVER = 0.1
"""Fraction of the remaining allowed error of a work that one step may use. [-]"""
INSTANT = 1e-6
"""Fraction of the time so far below which a step is not rejected because of works. [-]"""
INSTANT_OF_STEP = 1e-3
"""The same as a fraction of the longest step. [-]"""


@kernel(inner=True)
def norm_of_works(h, c):
    """The largest error of a work in a step h to ``trial``, in units of the permitted one [-].

    Read from ``account.step_error``, which the method has filled; 0 if works do not control the step.
    """
    if not c.times.work_tolerance[0] < math.inf:
        return 0.0
    largest = 0.0
    for w in range(c.works.size):
        j = c.works[w]
        largest = max(largest, c.account.turned[w] + abs(c.trial[j] - c.state[j]))
    time = c.times.time[0] - c.times.start[0] + h
    longest = c.times.largest_step[0] if c.times.largest_step[0] < math.inf else 0.0
    if h < max(INSTANT * time, INSTANT_OF_STEP * longest):
        return 0.0
    least = max(SMALL_WORK * largest, c.times.least_work[0])
    worst = 0.0
    for w in range(c.works.size):
        j = c.works[w]
        change = abs(c.trial[j] - c.state[j])
        turned = max(c.account.turned[w] + change, least)
        share = max(change, turned * h / time)
        left = max(c.times.work_tolerance[0] * turned - c.account.error[w], 0.0)
        allowed = c.times.work_tolerance[0] * share + LEFT_OVER * left
        error = abs(c.account.step_error[w])
        if error > 0.0:
            worst = max(worst, error / (allowed + 1e-300))
    return worst


@kernel
def book_works(c):
    """Enter an accepted step into the account of the works, before it becomes the state."""
    for w in range(c.works.size):
        j = c.works[w]
        c.account.turned[w] += abs(c.trial[j] - c.state[j])
        c.account.error[w] += abs(c.account.step_error[w])
        c.account.drift[w] += c.account.step_error[w]
