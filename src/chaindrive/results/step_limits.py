"""Description of what limits the step of a run: a part of the drive, or the requested accuracy."""

from __future__ import annotations

import math
from collections.abc import Mapping

from chaindrive.numbers import quantity

__all__ = ["step_set_by"]

NEARLY = 0.7
"""If the ratio of the mean step to the longest allowed step is below this value, something else determines the step.
[-]"""
MOST_PARTS = 3
CLOSE = 3.0
"""A part is not mentioned if the step that it allows is longer than the shortest allowed step by more than this factor.
[-]"""


def step_set_by(limits: Mapping[str, float], step_times_frequency: float, part_of_longest: float = 1.0) -> str:
    """Return a string with the parts that limit an explicit step most, the step allowed by each, and the step that the
    other parts would allow; empty if no part is known to limit it.

    limits: limits of an explicit step by part, the strictest first (from the note ``step_limits``) [rad/s];
    step_times_frequency: largest stable product of step and frequency for the method [-]; part_of_longest: ratio of the
    mean step of a run to the longest allowed step; if it is small, the string begins with another
    cause [-].
    """
    if not math.isfinite(step_times_frequency):
        return ""
    steps = {name: step_times_frequency / limit for name, limit in limits.items()}
    least = min(steps.values(), default=0.0)
    causes = [
        f"{name} {quantity(step, 's', 2)}" for name, step in list(steps.items())[:MOST_PARTS] if step < CLOSE * least
    ]
    if causes and (others := list(steps.values())[len(causes) :]):
        causes.append(f"without {'it' if len(causes) == 1 else 'them'} {quantity(min(others), 's', 2)}")
    if causes and part_of_longest < NEARLY:
        causes.insert(0, "accuracy, or loads larger than expected")
    return "; ".join(causes)
