"""Where a run ended, in full: what another run needs to begin there (``simulate(drive, initial=...)``)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["FACTS", "EndState"]

FACTS = "facts."
"""What stands before the name of a fact among the arrays of an end state."""


@dataclass(frozen=True, eq=False)
class EndState:
    """State of a drive at the end of a run, and what its motions and its chain were counted from. W wheels.

    Numbers and text only: it can be sent to another process and stored (``results.end_states``).
    """

    drive: str
    """The drive that ran, as the text of a file, with wheels or pitch where a preload moved them."""
    formulation: str
    """Kind of the formulation whose state this is."""
    time: float
    """[s]"""
    positions: int
    """Number of positions n_q in the state."""
    kinds: NDArray[np.int64]
    """``states.Kind`` of every state, (n,)."""
    state: NDArray[np.float64]
    """As ``system.System`` has it, (n,)."""
    facts: Mapping[str, NDArray[Any]]
    """What else the formulation counts from, by name: numbers and arrays of its own."""

    def arrays(self) -> dict[str, Any]:
        """Every field and every fact by name, facts as "facts.name"."""
        found = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "facts"}
        return found | {f"{FACTS}{name}": value for name, value in self.facts.items()}

    def digest(self) -> str:
        """SHA-256 of all of it: two states with one digest are the same, bit for bit."""
        found = hashlib.sha256()
        for name, value in self.arrays().items():
            content = value.encode() if isinstance(value, str) else np.ascontiguousarray(value).tobytes()
            found.update(f"{name} {len(content)} ".encode() + content)
        return found.hexdigest()
