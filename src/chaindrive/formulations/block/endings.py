"""The only way in which a run of the chain drive block can end early, and the span in which this occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaindrive.contract.status import Status
from chaindrive.formulations.block.parameters import FloatArray, Parameters
from chaindrive.numbers import quantity

if TYPE_CHECKING:
    from chaindrive.model import Drive

__all__ = ["ENDINGS", "TENSION_AT_MAXIMUM", "ended_at"]

TENSION_AT_MAXIMUM = Status(
    "TENSION_AT_MAXIMUM",
    20,
    "The tension of a span reached its limit.",
    "The real chain would have failed here. To simulate higher tensions, raise run.formulation.maximum_tension or, if "
    "that is not given, chain.breaking_load.",
)
ENDINGS = (TENSION_AT_MAXIMUM,)


def ended_at(drive: Drive, p: Parameters, status: Status, _: float, __: FloatArray) -> str:
    """Return the tightest span of the last evaluation, or the first whose tension was not a number (Story.ended_at)."""
    pull = p.pull.tension
    if status == Status.NOT_A_NUMBER:
        wrong = np.flatnonzero(~np.isfinite(pull))
        return f"the span {drive.span_names[int(wrong[0])]!r}" if wrong.size else ""
    if status != TENSION_AT_MAXIMUM:
        return ""
    span = int(np.argmax(pull))
    return f"the span {drive.span_names[span]!r}: {quantity(float(p.pull.tension[span]), 'N')}"
