"""Modes of systems joined by shafts: data that the combined system provides for the analysis
(``contract/modes.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from chaindrive.contract.modes import JoiningShaft, Modes, ModeShares
from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.contract.system import System

__all__ = ["joined_modes"]


def joined_modes(parts: Sequence[tuple[str, System]], shafts: Sequence[JoiningShaft]) -> Modes:
    """Return the data for the modes of systems at rest with shafts between them.

    parts: names of the systems, used as prefixes of the names of their parts, and the systems, in the order of the
    combined state.
    """
    systems = tuple(system for _, system in parts)
    ends = np.cumsum([system.velocities for system in systems])
    playing = [end - system.velocities + system.modes.playing for end, system in zip(ends, systems, strict=True)]
    return Modes(
        playing=np.concatenate(playing),
        shares=partial(_shares, tuple(parts)),
        parts=systems,
        shafts=tuple(shafts),
    )


def _shares(parts: Sequence[tuple[str, System]], _: FloatArray, shape: FloatArray, energy: FloatArray) -> ModeShares:
    """Return the shares of all parts in the modes; shape and energy: (M, n_v).

    Each system is in its own state of rest (Modes.shares). A part that does not move in a mode has no share in it.
    """
    names: list[str] = []
    kinds: list[str] = []
    shares: list[FloatArray] = []
    begin = 0
    for name, system in parts:
        own = slice(begin, begin + system.velocities)
        begin = own.stop
        within = energy[:, own].sum(axis=1)
        moves: IntArray = np.flatnonzero(within > 0.0)
        found = system.mode_shares(shape[moves, own], energy[moves, own] / within[moves, None])
        share = np.zeros((len(energy), len(found.part)))
        share[moves] = within[moves, None] * found.share
        names += [f"{name}: {part}" if name else part for part in found.part]
        kinds += found.kind
        shares.append(share)
    return ModeShares(tuple(names), np.concatenate(shares, axis=1), tuple(kinds))
