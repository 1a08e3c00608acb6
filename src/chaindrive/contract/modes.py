"""Data that a system provides for its modes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray, IntArray

__all__ = ["JoiningShaft", "ModeShares", "Modes"]


class ModeShares(NamedTuple):
    """Shares of the parts of a drive in the kinetic energy of M modes."""

    part: tuple[str, ...]
    """Names of the parts: "a - b longitudinal" and "a - b transverse" for spans, and the names of wheels (with the
    chain on them), rotors, and bodies that move."""
    share: FloatArray
    """Shape (M, parts), every row sums to 1."""
    kind: tuple[str, ...]
    """Kind of each part: "span", "wheel", "rotor", "joint", or "part" if the formulation does not define it."""

    def largest(self, mode: int) -> tuple[str, float]:
        """Return name and share of the part that moves most in a mode."""
        best = int(np.argmax(self.share[mode]))
        return self.part[best], float(self.share[mode, best])


class JoiningShaft(NamedTuple):
    """A shaft between two angles of a system of several parts. It exerts the torque T on the driven wheel and -ratio T
    on the wheel that turns the shaft.
    """

    before: int
    """Index, among the velocities of all parts, of the wheel that turns the shaft."""
    behind: int
    """Index of the velocity of the wheel turned by the shaft; no other shaft turns this wheel."""
    ratio: float
    """Speed of the wheel that is turned divided by that of the wheel that turns the shaft."""
    stiffness: float
    """Torsional stiffness, infinite if the shaft is rigid. [N m/rad]"""
    torque: float
    """T in the state of rest. [N m]"""


@dataclass(frozen=True)
class Modes:
    """Data for the modes about a state of rest, in addition to the forces. All fields are optional."""

    playing: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    """Indices of the velocities of parts that can move within clearances at rest, where only friction holds them: they
    have no frequency of their own and stay in place in the modes.
    """
    none_because: str = ""
    """Reason why this system has no modes, and what to use instead; empty if it has modes."""
    shares: Callable[[FloatArray, FloatArray, FloatArray], ModeShares] | None = None
    """Function that returns the shares of the parts, from the state of rest, the shapes of M modes and their kinetic
    energies by velocity, each (M, n_v); None: every velocity is a part."""
    parts: tuple[Any, ...] = ()
    """The systems of which this system consists, each a ``System`` in its own state of rest, with their velocities in
    the same order as here; empty for a single system, whose own forces are differentiated."""
    shafts: tuple[JoiningShaft, ...] = ()
    """The shafts between these systems, each listed after the shafts that turn it."""
