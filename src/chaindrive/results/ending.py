"""How a run ended, in words: its status, and before all else a start that was not in equilibrium and may explain it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from chaindrive.contract.status import Status
from chaindrive.numbers import quantity

__all__ = ["LEFT_BEHIND", "ending_text", "likely_cause"]

LEFT_BEHIND = 1.0
"""Loops of the chain after which an ending is no longer laid to the start. Until then some rollers come onto a wheel
for the first time since the start put them where forces were not balanced; after it every roller has been on every
wheel, and lies where the motion itself has put it. A revolution of the driver is too short: the slack span of a long
chain may not have reached a wheel by then."""


def likely_cause(status: Status, notes: Mapping[str, Any]) -> str:
    """The sentence about the start where a run failed soon after one that was not in equilibrium, else an empty text.

    notes: of the run: ``static_residual`` [N], ``static_converged`` (where it is missing, whether span tensions at rest
    were found), and ``loops``, how far the chain went.
    """
    residual = float(notes.get("static_residual", math.nan))
    balanced = notes.get("static_converged", "static_span_tension" in notes)
    loops = float(notes.get("loops", math.inf))
    if not status.failed or balanced or not math.isfinite(residual) or loops >= LEFT_BEHIND:
        return ""
    return (
        f"The start was not in equilibrium (largest force left {quantity(residual, 'N')}); this ending, {loops:.2g} "
        "loops of the chain later, is probably its consequence."
    )


def ending_text(status: Status, notes: Mapping[str, Any]) -> str:
    """Why the run ended and what to try: the likely cause first, then what happened and the advice."""
    return " ".join(part for part in (likely_cause(status, notes), status.told, status.advice) if part)
