"""What a system tells in words: how its runs can end and where that was, notes, warnings, names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from chaindrive.contract.states import FloatArray
from chaindrive.contract.status import Status

__all__ = ["Story"]


@dataclass(frozen=True)
class Story:
    """What is told of a system and its runs. All of it may be left out."""

    endings: tuple[Status, ...] = ()
    """Endings that ``accept`` and ``begin`` can answer, with their advice; also general ones with advice of its own."""
    ended_at: Callable[[Status, float, FloatArray], str] | None = None
    """Where an ending happened, in words, from the time and the state at which a run ended, or begins, and the memory
    as it is then: "roller 12 on wheel 'driver'"; an empty text where that is not known."""
    findings: Callable[[FloatArray], tuple[dict[str, Any], tuple[str, ...]]] | None = None
    """From the state at the end of a run, and the memory as it is then: notes and warnings about what happened."""
    warnings: tuple[str, ...] = ()
    """What the user should know of the drive and its start."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """Facts worth keeping with the results: configuration, static equilibrium, tuned preload. ``left_out``: what the
    formulation leaves out of the drive, in words that ``analyses.results.differences.EFFECTS`` knows."""
    name_of: Callable[[int], str] = "position {}".format
    """What a position is the position of, in words: "roller 12", "wheel 'driver'"."""
