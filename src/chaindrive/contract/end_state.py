"""The complete end state of a run, from which another run can begin (``simulate(drive, initial=...)``)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["FACTS", "EndState"]

FACTS = "facts."
"""Prefix of the names of facts among the arrays of an end state."""


@dataclass(frozen=True, eq=False)
class EndState:
    """State of a drive at the end of a run, with the references of its motions and its chain. W wheels.

    Numbers and text only: it can be sent to another process and stored (``results.end_states``).
    """

    drive: str
    """The simulated drive, as the text of a file, with wheels or pitch as changed by a preload."""
    formulation: str
    """Kind of the formulation whose state this is."""
    time: float
    """Time of the end. [s]"""
    positions: int
    """Number of positions n_q in the state."""
    kinds: NDArray[np.int64]
    """``states.Kind`` of every state, (n,)."""
    state: NDArray[np.float64]
    """State in the layout of ``system.System``, (n,)."""
    facts: Mapping[str, NDArray[Any]]
    """Further numbers and arrays that the formulation needs to continue, by name."""

    def arrays(self) -> dict[str, Any]:
        """Every field and every fact by name, facts as "facts.name"."""
        found = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "facts"}
        return found | {f"{FACTS}{name}": value for name, value in self.facts.items()}

    def digest(self) -> str:
        """SHA-256 of the whole: two states with the same digest are identical, bit for bit."""
        found = hashlib.sha256()
        for name, value in self.arrays().items():
            content = value.encode() if isinstance(value, str) else np.ascontiguousarray(value).tobytes()
            found.update(f"{name} {len(content)} ".encode() + content)
        return found.hexdigest()
