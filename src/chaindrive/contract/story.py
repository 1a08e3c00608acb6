"""Texts of a system: endings of its runs and their places, notes, warnings, names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from chaindrive.contract.states import FloatArray
from chaindrive.contract.status import Status

__all__ = ["Story"]


@dataclass(frozen=True)
class Story:
    """Texts on a system and its runs. All fields are optional."""

    endings: tuple[Status, ...] = ()
    """Endings that ``accept`` and ``begin`` can return, with their advice; also general ones with its own advice."""
    ended_at: Callable[[Status, float, FloatArray], str] | None = None
    """Function that gives the place of an ending in words, from the time and the state at which a run ended, or begins,
    and the memory at that time: "roller 12 on wheel 'driver'"; an empty text if unknown.
    """
    findings: Callable[[FloatArray], tuple[dict[str, Any], tuple[str, ...]]] | None = None
    """Function from the state at the end of a run and the memory at that time to notes and warnings about the run."""
    warnings: tuple[str, ...] = ()
    """Warnings about the drive and its start."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """Facts to keep with the results: configuration, static equilibrium, adjusted preload. ``left_out``: effects that
    the formulation omits, named as in ``analyses.results.differences.EFFECTS``.
    """
    name_of: Callable[[int], str] = "position {}".format
    """Function that names a position, in words: "roller 12", "wheel 'driver'"."""
