"""Where a run ended, in full: what another run needs to begin there (``simulate(drive, initial=...)``)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["EndState"]


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
    """``system.Kind`` of every state, (n,)."""
    state: NDArray[np.float64]
    """As ``system.System`` has it, (n,)."""
    wheel_position: NDArray[np.float64]
    """Centres of the wheels at that instant, (W, 2) [m]"""
    reference_angle: NDArray[np.float64]
    """Angle of every wheel from which tables, orders and the place of an eccentric mass are counted, (W,) [rad]"""
    motion_phase: NDArray[np.float64]
    """Nominal angle that orders over time have run through, (W,) [rad]"""
    settled: NDArray[np.bool_]
    """Whether ramps and fade-ins of the wheel's motion and load were over, (W,)."""
    path_angle: float
    """Angle of wheel 0 from which the path of the chain is counted. [rad]"""

    def arrays(self) -> dict[str, Any]:
        """Every field by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def digest(self) -> str:
        """SHA-256 of all of it: two states with one digest are the same, bit for bit."""
        found = hashlib.sha256()
        for name, value in self.arrays().items():
            content = value.encode() if isinstance(value, str) else np.ascontiguousarray(value).tobytes()
            found.update(f"{name} {len(content)} ".encode() + content)
        return found.hexdigest()
