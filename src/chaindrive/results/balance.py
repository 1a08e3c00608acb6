"""The energy balance of a run in progress, computed from all channels, whether they are stored or not."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.channels import Channel
from chaindrive.results.audit import (
    LOSS_ACCURACY,
    NEGLIGIBLE_LOSS,
    NEGLIGIBLE_RESIDUAL,
    OUT_OF_BALANCE,
    WORK,
    is_audit_channel,
)

__all__ = ["EXACTNESS", "USUAL", "Balance", "Exactness", "allowed", "exactness_of"]

FloatArray = NDArray[np.float64]
FIRST, LAST, VARIATION = range(3)
ROUNDING = 1e-10
"""A residual below this fraction of the largest account counts as rounding. [-]"""
LOSSLESS = 1e-6
"""Largest ratio of the residual to the energy exchanged at which a step is short enough if all losses are negligible.
[-]"""


class Exactness(NamedTuple):
    """Accuracy that the energy balance must reach for a fixed step to count as short enough."""

    small: float = 1e-3
    """A loss below this fraction of the total loss is disregarded; the smallest remaining loss must be accurate to
    LOSS_ACCURACY. [-]
    """
    of_all: float = 0.0
    """Allowed residual as a fraction of the total loss; if it is above 0, it replaces the criterion of ``small``.
    [-]"""
    finest: float = 1e-8
    """A residual below this fraction of the energy exchanged is always small enough. [-]"""
    gentlest: float = 0.5
    """Largest ratio of the step of a repeated section to the previous step; it is smaller if a residual that falls with
    the square of the step requires it, but never below one half. [-]"""


USUAL = Exactness()
OF_ALL = Exactness(of_all=2e-3)
"""Accuracy relative to the total loss: a loss of a fifth of the total is then accurate to LOSS_ACCURACY."""
RIGID = OF_ALL._replace(finest=1e-5)
"""Accuracy in rigid contacts."""
EXACTNESS = {
    "leapfrog": Exactness(small=0.1),
    "modular": OF_ALL,
    "moreau-jean": RIGID,
    "nonsmooth-alpha": RIGID,
    "splitting": Exactness(small=2e-2, gentlest=0.75),
    "verlet-beeman": OF_ALL._replace(gentlest=0.75),
}
"""Accuracy required of a method, where it differs from the usual one. With 'splitting' the energy of links in space
fluctuates during every period of their vibration and is then recovered, so this is not a loss. With 'leapfrog' friction
is exact, and the error of the loss of pins entering their groove is proportional to the step. With 'verlet-beeman', the
method of the chain in 'modular', all losses are accurate as well, except the impact losses, whose error falls with the
square of the step. The error of losses in rigid contacts is proportional to the step: 1 % accuracy of a small loss
needs steps a hundred times shorter than accurate tensions and an accurate total loss do."""


def exactness_of(method: str, balance: str = "auto") -> Exactness:
    """Return the accuracy of the balance required of a method; balance: the value of ``SolverOptions.balance``."""
    usual = EXACTNESS.get(method, USUAL)
    if balance == "auto" or (balance == "all-losses" and usual.of_all > 0.0):
        return usual
    return (OF_ALL if balance == "all-losses" else USUAL)._replace(gentlest=usual.gentlest)


class Balance:
    """Accumulates the energy balance row by row, with the definitions of ``audit``.

    Rows must be added in chronological order; the balance begins at the first row. Accounts of stages are added to
    those of the first chain: energy that passes from one chain to another counts as both output and input.
    """

    def __init__(self, channels: Sequence[Channel]) -> None:
        named = [(channel.name.rpartition(".")[2], channel) for channel in channels if not channel.shape]
        found = [channel for name, channel in named if is_audit_channel(name)]
        self._names = tuple(name for name, _ in named if is_audit_channel(name))
        self._places = np.array([channel.offset for channel in found], dtype=np.int64)
        signs = {f"{WORK}input": 1.0}
        self._signs = np.array([signs.get(name, -1.0) for name in self._names])
        self._lost = np.array([_is_loss(name) for name in self._names], dtype=np.bool_)
        self.values = np.zeros((3, len(found)))
        """First and last value of every account, and its total variation. [J]"""
        self.last_time = np.full(1, np.nan)
        """Time of the last row, (1,) [s]; not-a-number before the first."""

    def add(self, times: FloatArray, rows: FloatArray) -> None:
        """Add times and rows of ``record``, (n,) and (n, row_size)."""
        if not times.size or not self._names:
            return
        found = rows[:, self._places]
        if not self.begun:
            self.values[FIRST] = self.values[LAST] = found[0]
        steps = np.diff(np.concatenate([self.values[LAST : LAST + 1], found]), axis=0)
        self.values[VARIATION] += np.abs(steps).sum(axis=0)
        self.values[LAST], self.last_time[0] = found[-1], times[-1]

    @property
    def begun(self) -> bool:
        """Whether any row has been added."""
        return bool(np.isfinite(self.last_time[0]))

    @property
    def moved(self) -> FloatArray:
        """Change of every account since the first row. [J]"""
        change: FloatArray = self.values[LAST] - self.values[FIRST]
        return change

    @property
    def residual(self) -> float:
        """Energy unaccounted for at the last row. [J]"""
        return float(self.moved @ self._signs)

    @property
    def energy_exchanged(self) -> float:
        """Energy exchanged so far. [J]"""
        return 0.5 * float(self.values[VARIATION].sum())

    @property
    def losses(self) -> FloatArray:
        """Every loss so far, (losses,). [J]"""
        return np.abs(self.moved[self._lost])

    def rounding(self, turned: float) -> float:
        """Return a residual that counts as rounding; turned: energy exchanged while it arose. [J]

        In a drive that stands still under its load only rounding is exchanged, and no shorter step makes it smaller.
        """
        largest = float(np.abs(self.values[:VARIATION]).max(initial=0.0))
        still = turned <= NEGLIGIBLE_RESIDUAL * largest
        return (NEGLIGIBLE_RESIDUAL if still else ROUNDING) * largest

    def copy(self) -> Balance:
        """Return an independent copy, which does not change with this balance."""
        same = copy.copy(self)
        same.values, same.last_time = self.values.copy(), self.last_time.copy()
        return same

    def state(self) -> dict[str, FloatArray]:
        """Return the state for a checkpoint."""
        return {"values": self.values.copy(), "time": self.last_time.copy()}

    def restore(self, state: dict[str, FloatArray]) -> None:
        """Restore the result of ``state``, to continue from it."""
        self.values[...] = state["values"]
        self.last_time[...] = state["time"]


def _is_loss(name: str) -> bool:
    return name.startswith(WORK) and name not in (f"{WORK}input", f"{WORK}output")


def allowed(energy_exchanged: float, losses: FloatArray, exactness: Exactness = USUAL) -> float:
    """Return the largest residual at which a fixed step counts as short enough. [J]

    energy_exchanged [J]; losses: the individual losses, (losses,) [J]. The result never exceeds the residual at which a
    warning is given.
    """
    total = float(losses.sum())
    counting = losses[losses > max(exactness.small * total, NEGLIGIBLE_LOSS * energy_exchanged)]
    if exactness.of_all > 0.0:
        wrong = exactness.of_all * total
    else:
        wrong = LOSS_ACCURACY * float(counting.min()) if counting.size else LOSSLESS * energy_exchanged
    return min(OUT_OF_BALANCE * energy_exchanged, max(wrong, exactness.finest * energy_exchanged))
