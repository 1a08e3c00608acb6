"""What the modes of a system need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray, IntArray

__all__ = ["ModeShares", "Modes"]


class ModeShares(NamedTuple):
    """Which part of a drive takes how much of the kinetic energy of M modes."""

    part: tuple[str, ...]
    """Names: "crankshaft - tightener along", "... across", wheels (with what lies on them), bodies that move."""
    share: FloatArray
    """Shape (M, parts), every row sums to 1."""
    kind: tuple[str, ...]
    """What each part is: "span", "wheel", "joint", or "part" where the formulation does not say."""

    def largest(self, mode: int) -> tuple[str, float]:
        """Name and share of the part that moves most."""
        best = int(np.argmax(self.share[mode]))
        return self.part[best], float(self.share[mode, best])


@dataclass(frozen=True)
class Modes:
    """What the modes about a rest need besides its forces. All of it may be left out."""

    playing: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    """Velocities of what moves within plays at rest, where no force but friction holds it: it has no frequency of its
    own, and modes leave it where it is."""
    none_because: str = ""
    """Why modes cannot be had of this system, and what to take instead; empty where they can."""
    shares: Callable[[FloatArray, FloatArray, FloatArray], ModeShares] | None = None
    """From the state of rest, the shapes of M modes, and their kinetic energies by velocity, (M, n_v) each: the shares
    of the parts; None: every velocity is a part."""
