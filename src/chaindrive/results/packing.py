"""Rows of ``record`` in the form in which results store them: only the kept channels, each in its number format.

A section of a run is held until its energy balance has been checked. Packed rows take less memory than full rows, and
this memory is reused, because allocating new memory takes longer than filling it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.channels import Channel
from chaindrive.results.layout import Table, storage_dtype

__all__ = ["Packed", "Packing"]


class Packed(NamedTuple):
    """Rows of the kept channels; the memory after the last row is unused."""

    rows: int
    blocks: dict[np.dtype[Any], NDArray[Any]]
    """One block per number format, with the channels of that format side by side, (at least ``rows``, values)."""


class _Run(NamedTuple):
    """Kept channels that are adjacent in a full row and have the same format."""

    given: slice
    """Columns of a full row."""
    place: slice
    """Columns of the block."""
    kind: np.dtype[Any]


class Packing:
    """Packs rows, and unpacks packed rows into channels.

    channels: the kept channels, with offsets in the full row. doubles: whether all are packed in double precision,
    whatever their format.
    """

    def __init__(self, channels: Sequence[Channel], doubles: bool = False) -> None:
        self._places: list[tuple[Channel, _Run]] = []
        self._runs: list[_Run] = []
        self._widths = {np.dtype("<f8"): 0}
        self._spare: list[Packed] = []
        for channel in channels:
            kind = np.dtype("<f8") if doubles else storage_dtype(channel)
            begin = self._widths.get(kind, 0)
            self._widths[kind] = begin + channel.size
            given = slice(channel.offset, channel.offset + channel.size)
            run = _Run(given, slice(begin, begin + channel.size), kind)
            self._places.append((channel, run))
            last = self._runs[-1] if self._runs else None
            if last is not None and last.kind == kind and last.given.stop == given.start:
                self._runs[-1] = _Run(
                    slice(last.given.start, given.stop), slice(last.place.start, run.place.stop), kind
                )
            else:
                self._runs.append(run)

    def pack(self, rows: NDArray[np.float64]) -> Packed:
        """Pack full rows, (n, row_size); a number too large for its format becomes infinite."""
        count = rows.shape[0]
        blocks = self._spare.pop().blocks if self._spare else {}
        if not blocks or min(block.shape[0] for block in blocks.values()) < count:
            blocks = {kind: np.empty((count, width), kind) for kind, width in self._widths.items()}
        with np.errstate(over="ignore", invalid="ignore"):
            for given, place, kind in self._runs:
                blocks[kind][:count, place] = rows[:, given]
        return Packed(count, blocks)

    def table(self, packed: Packed) -> Table:
        """Return the values of packed rows by channel, as views of the rows."""
        return {
            channel.name: packed.blocks[kind][: packed.rows, place].reshape(packed.rows, *channel.shape)
            for channel, (_, place, kind) in self._places
        }

    def give_back(self, packed: Packed) -> None:
        """Give back packed rows that are no longer needed; their memory is used for other rows."""
        self._spare.append(packed)
