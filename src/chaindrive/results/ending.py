"""Text on the ending of a run: its status, and before it the start out of equilibrium that may have caused it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from chaindrive.contract.status import Status
from chaindrive.numbers import quantity

__all__ = ["LEFT_BEHIND", "ending_text", "likely_cause", "still_running"]

LEFT_BEHIND = 1.0
"""Number of chain loops after which an ending is no longer attributed to the start. During the first loop some rollers
reach their first wheel from positions in which forces were not balanced; afterwards every roller has passed every
wheel, and its position results from the motion. One revolution of the driver is too short a limit: in a long chain the
rollers of the slack span may not have reached a wheel by then."""


def likely_cause(status: Status, notes: Mapping[str, Any]) -> str:
    """Return a sentence on the start if a run failed soon after a start out of equilibrium, otherwise an empty string.

    notes: the notes of the run, of which these are read: ``static_residual`` and ``static_tolerance`` [N];
    ``static_converged`` (if it is missing, the start counts as balanced if the span tensions at rest were found); and
    ``loops``, the number of loops that the chain has travelled.
    """
    residual = float(notes.get("static_residual", math.nan))
    balanced = notes.get("static_converged", "static_span_tension" in notes)
    loops = float(notes.get("loops", math.inf))
    if not status.failed or balanced or not math.isfinite(residual) or loops >= LEFT_BEHIND:
        return ""
    start = f"The start was not in equilibrium (largest residual force {quantity(residual, 'N')})"
    if residual <= notes.get("static_tolerance", -math.inf):
        start = "The equilibrium that was found was not a valid start (see the warnings)"
    return f"{start}; this ending, {loops:.2g} loops of the chain later, is probably its consequence."


def still_running(owner: str, rows: int, reached: float) -> Status:
    """Return the status of a file that a run is still writing: INTERRUPTED, in other words.

    owner: the process that writes it (``lock.writer_of``); rows: number of stored rows; reached: time of the last of
    them [s].
    """
    stored = f"Results up to t = {quantity(reached, 's', 6)} are stored." if rows else "No results are stored yet."
    return replace(Status.INTERRUPTED, meaning=f"The run is still in progress{owner}.", advice=stored)


def ending_text(status: Status, notes: Mapping[str, Any]) -> str:
    """Return why the run ended and what to try: first the likely cause, then the ending and the advice."""
    return " ".join(part for part in (likely_cause(status, notes), status.description, status.advice) if part)
