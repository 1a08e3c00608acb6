"""The energy balance of a run while it goes on, from all channels, whichever of them are stored."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.channels import Channel
from chaindrive.results.audit import LOSS_ACCURACY, OUT_OF_BALANCE, WORK, is_audit_channel

__all__ = ["Balance"]

FloatArray = NDArray[np.float64]
FIRST, LAST, VARIATION = range(3)
ROUNDING = 1e-10
"""A residual below this part of the largest account is rounding. [-]"""
SMALL_LOSS = {"splitting": 2e-2}
OTHER_SMALL_LOSS = 1e-3
"""A loss smaller than this part of all of them does not shorten a fixed step, by method. The energy of links that move
in space swings with each of their vibrations in the steps of 'splitting', and comes back: that is no loss. [-]"""
FINEST = 1e-8
"""Part of the energy exchanged below which a residual does not shorten a fixed step. [-]"""


class Balance:
    """Adds up rows to what ``audit`` computes from all of them at once, with the same definitions.

    Rows must come in the order of time; the first one is where the balance begins. Accounts of stages are added to
    those of the first chain: what one gives and another takes is both taken out and put in.
    """

    def __init__(self, channels: Sequence[Channel]) -> None:
        named = [(channel.name.rpartition(".")[2], channel) for channel in channels if not channel.shape]
        found = [channel for name, channel in named if is_audit_channel(name)]
        self._names = tuple(name for name, _ in named if is_audit_channel(name))
        self._places = np.array([channel.offset for channel in found], dtype=np.int64)
        signs = {f"{WORK}input": 1.0}
        self._signs = np.array([signs.get(name, -1.0) for name in self._names])
        self.values = np.zeros((3, len(found)))
        """First and last value of every account, and its variation. [J]"""
        self.last_time = np.full(1, np.nan)
        """Of the last row, (1,) [s]; not-a-number before the first."""

    def add(self, times: FloatArray, rows: FloatArray) -> None:
        """Enter rows of ``record``, (n,) and (n, row_size)."""
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
        """Whether there was a row."""
        return bool(np.isfinite(self.last_time[0]))

    @property
    def moved(self) -> FloatArray:
        """Change of every account since the first row. [J]"""
        change: FloatArray = self.values[LAST] - self.values[FIRST]
        return change

    @property
    def residual(self) -> float:
        """What the balance cannot account for, at the last row. [J]"""
        return float(self.moved @ self._signs)

    @property
    def energy_exchanged(self) -> float:
        """Energy that changed its account so far. [J]"""
        return 0.5 * float(self.values[VARIATION].sum())

    @property
    def losses(self) -> FloatArray:
        """Every loss so far, (losses,). [J]"""
        return np.abs(self.moved[[_is_loss(name) for name in self._names]])

    @property
    def rounding(self) -> float:
        """A residual that says nothing. [J]"""
        return ROUNDING * float(np.abs(self.values[:VARIATION]).max(initial=0.0))

    def state(self) -> dict[str, FloatArray]:
        """What a checkpoint holds."""
        return {"values": self.values.copy(), "time": self.last_time.copy()}

    def restore(self, state: dict[str, FloatArray]) -> None:
        """Go on from ``state``."""
        self.values[...] = state["values"]
        self.last_time[...] = state["time"]


def _is_loss(name: str) -> bool:
    return name.startswith(WORK) and name not in (f"{WORK}input", f"{WORK}output")


def allowed(energy_exchanged: float, losses: FloatArray, small: float = OTHER_SMALL_LOSS) -> float:
    """Residual up to which a fixed step is short enough: a hundredth of the smallest loss that counts. [J]

    energy_exchanged: energy that changed its account [J]. losses: each of them, (losses,) [J]; one counts that is at
    least ``small`` of all. Never more than what a result is warned of, nor less than FINEST of the energy exchanged.
    """
    total = float(losses.sum())
    counting = losses[losses > small * total] if total > 0.0 else losses
    smallest = float(counting.min(initial=total))
    return min(OUT_OF_BALANCE * energy_exchanged, max(LOSS_ACCURACY * smallest, FINEST * energy_exchanged))
