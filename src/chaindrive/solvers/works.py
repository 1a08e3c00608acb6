"""Accuracy of the integration of works: every work has a relative tolerance, with which its accumulated error is
compared.

The sum of all errors of a work may reach the fraction ``work_tolerance`` of the sum of its rises and falls so far. A
step may use the share that corresponds to it, and a part of the shares that earlier steps have not used. Otherwise an
impact, for which no step is short enough to make the error smooth, could stop a run.

For a work that is small compared with the largest work, the tolerance is relative to SMALL_WORK times the largest work,
and for a work below ``least_work`` it is relative to ``least_work``. This is necessary because friction that starts
from rest with a vertical slope has an error proportional to the step, however short the step is. The same is true of a
power that jumps when almost no work has been done (a mass that flies freely into a stop, a motion that begins late).

A step shorter than INSTANT times the time so far, or INSTANT_OF_STEP times the longest step, is always accepted: the
permitted error is proportional to time, so such a step has hardly any share of its own.
"""

from __future__ import annotations

import math

from chaindrive.kernels import kernel

__all__ = ["book_works", "norm_of_works"]

SMALL_WORK = 1e-4
"""The tolerance of a work smaller than this fraction of the largest work is relative to this fraction of the largest
work. [-]"""
LEFT_OVER = 0.1
"""Fraction of the remaining permitted error of a work that a single step may use. [-]"""
INSTANT = 1e-6
"""A step shorter than this fraction of the time so far is never rejected because of works. [-]"""
INSTANT_OF_STEP = 1e-3
"""The same limit as a fraction of the longest step. [-]"""


@kernel(inner=True)
def norm_of_works(h, c):
    """Return the largest error of any work integral in a step h to ``trial``, relative to the permitted error [-].

    The errors are read from ``account.step_error``, which the method has filled. The result is 0 if works do not
    control the step.
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
    """Enter an accepted step into the accounts of the works, before its end becomes the state."""
    for w in range(c.works.size):
        j = c.works[w]
        c.account.turned[w] += abs(c.trial[j] - c.state[j])
        c.account.error[w] += abs(c.account.step_error[w])
        c.account.drift[w] += c.account.step_error[w]
