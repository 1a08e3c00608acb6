"""Texts that a system provides: endings of its runs and their places, notes, warnings, names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from chaindrive.contract.states import FloatArray
from chaindrive.contract.status import Status

__all__ = ["Story"]


@dataclass(frozen=True)
class Story:
    """Texts about a system and its runs. All fields are optional."""

    endings: tuple[Status, ...] = ()
    """Endings that ``accept`` and ``begin`` can return, with advice; also general endings with advice of this
    system."""
    ended_at: Callable[[Status, float, FloatArray], str] | None = None
    """Function that returns the place of an ending as a text, such as "roller 12 on wheel 'driver'", from the time and
    state at which a run ended or begins and from the memory at this time; an empty string if unknown.
    """
    findings: Callable[[FloatArray], tuple[dict[str, Any], tuple[str, ...]]] | None = None
    """Function that returns notes and warnings about a run, from the state at its end and the memory at this time."""
    warnings: tuple[str, ...] = ()
    """Warnings about the drive and its start."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """Facts that are kept with the results: configuration, static equilibrium, adjusted preload. ``left_out``: effects
    that the formulation neglects, named as in ``analyses.results.differences.EFFECTS``.
    """
    name_of: Callable[[int], str] = "position {}".format
    """Function that returns the name of a position, such as "roller 12" or "wheel 'driver'"."""
