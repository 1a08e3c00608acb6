"""Channels: the named outputs of a formulation, which the kernel ``record`` writes into a row."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, NamedTuple

from chaindrive.contract.states import FloatArray

__all__ = ["Channel", "Holds", "Kept", "Precision", "channel_named"]

Kept = Literal["always", "standard", "on request"]
Holds = Literal["quantity", "count", "index", "largest", "smallest"]
Precision = Literal["single", "double"]


class Channel(NamedTuple):
    """One named output of a formulation."""

    name: str
    dims: tuple[str, ...]
    """Dimensions after time, such as ("roller", "axis"); empty for a single value per instant."""
    unit: str
    description: str
    offset: int
    """Offset of the channel in a row of ``record``."""
    shape: tuple[int, ...]
    kept: Kept = "standard"
    """When results keep the channel: always, unless other channels are selected, or only on request."""
    holds: Holds = "quantity"
    """What the values are: a quantity; a count; an index, -1 for none; the largest or smallest value of a quantity
    since the last row."""
    precision: Precision = "double"
    """Number of digits that results keep: 7 (single precision) or 16, unless the run requests double precision
    throughout."""

    @property
    def size(self) -> int:
        """Number of values of the channel in a row."""
        return math.prod(self.shape)

    @property
    def whole(self) -> bool:
        """Return whether the values of the channel are integers, which have no mean."""
        return self.holds in ("count", "index")

    def read(self, rows: FloatArray) -> FloatArray:
        """Return the values of the channel in rows of ``record``, (..., row_size) -> (..., *shape); a view if
        possible.
        """
        return rows[..., self.offset : self.offset + self.size].reshape((*rows.shape[:-1], *self.shape))


def channel_named(channels: Iterable[Channel], name: str) -> Channel:
    """Return the channel with this name. Raises KeyError if the formulation does not have it."""
    for channel in channels:
        if channel.name == name:
            return channel
    raise KeyError(name)
