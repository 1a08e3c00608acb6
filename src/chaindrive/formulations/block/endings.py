"""The one ending that the chain drive block gives a run, and where it happened."""

from __future__ import annotations

import numpy as np

from chaindrive.formulations.block.parameters import PULL_TENSION, FloatArray, Parameters
from chaindrive.model import Drive
from chaindrive.numbers import quantity
from chaindrive.system import Status

__all__ = ["ENDINGS", "TENSION_AT_MAXIMUM", "ended_at"]

TENSION_AT_MAXIMUM = Status(
    "TENSION_AT_MAXIMUM",
    20,
    "The tension of a span reached the maximum that it may have.",
    "The real chain would have failed here. Raise run.formulation.maximum_tension, or without it chain.breaking_load, "
    "to simulate beyond it.",
)
ENDINGS = (TENSION_AT_MAXIMUM,)


def ended_at(drive: Drive, p: Parameters, _: Status, __: float, ___: FloatArray) -> str:
    """The tightest span of the last evaluation (System.ended_at)."""
    span = int(np.argmax(p.pull[:, PULL_TENSION]))
    return f"the span {drive.span_names[span]!r}: {quantity(float(p.pull[span, PULL_TENSION]), 'N')}"
