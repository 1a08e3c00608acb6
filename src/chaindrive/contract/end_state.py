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
"""Prefix that marks facts in the names of the arrays of an end state."""


@dataclass(frozen=True, eq=False)
class EndState:
    """State of a drive at the end of a run, with the reference values of its motions and its chain.

    It contains only numbers and text, so it can be sent to another process and stored (``results.end_states``).
    """

    drive: str
    """The simulated drive as the text of a file, with the wheels or the pitch as changed by a preload."""
    formulation: str
    """Kind of the formulation to which the state belongs."""
    time: float
    """Time at the end of the run. [s]"""
    positions: int
    """Number of positions n_q in the state."""
    kinds: NDArray[np.int64]
    """``states.Kind`` of every state, (n,)."""
    state: NDArray[np.float64]
    """State in the layout of ``system.System``, (n,)."""
    facts: Mapping[str, NDArray[Any]]
    """Additional numbers and arrays that the formulation needs to continue, by name."""

    def __repr__(self) -> str:
        return f"<EndState at {self.time:g} s: {self.formulation}, {len(self.state)} states>"

    def arrays(self) -> dict[str, Any]:
        """Return every field and every fact by name; facts have the names "facts.name"."""
        found = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "facts"}
        return found | {f"{FACTS}{name}": value for name, value in self.facts.items()}

    def digest(self) -> str:
        """Return the SHA-256 of the complete state: two states with the same digest are identical, bit for bit."""
        found = hashlib.sha256()
        for name, value in self.arrays().items():
            content = value.encode() if isinstance(value, str) else np.ascontiguousarray(value).tobytes()
            found.update(f"{name} {len(content)} ".encode() + content)
        return found.hexdigest()
