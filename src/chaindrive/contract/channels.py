"""Channels: the named outputs of a formulation, which the kernel ``record`` writes into a row."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, NamedTuple

from chaindrive.contract.states import FloatArray

__all__ = ["Channel", "Holds", "Kept", "Precision", "channel_named"]

Kept = Literal["always", "standard", "on request"]
Holds = Literal["quantity", "count", "index"]
Precision = Literal["single", "double"]


class Channel(NamedTuple):
    """One named output of a formulation."""

    name: str
    dims: tuple[str, ...]
    """Dimensions after time, such as ("roller", "axis"); empty for one number per instant."""
    unit: str
    description: str
    offset: int
    """Where it starts in a row of ``record``."""
    shape: tuple[int, ...]
    kept: Kept = "standard"
    """When results hold it: whatever was selected, unless something else was selected, or only when it is asked for."""
    holds: Holds = "quantity"
    """A quantity; how many of something there are; or the number of a thing, -1 for none."""
    precision: Precision = "double"
    """With how many digits results hold it: 7 (single) or 16, unless the run asks for double throughout."""

    @property
    def size(self) -> int:
        """How many numbers of a row it takes."""
        return math.prod(self.shape)

    @property
    def whole(self) -> bool:
        """Whether its numbers are whole ones, of which no mean can be taken."""
        return self.holds != "quantity"

    def read(self, rows: FloatArray) -> FloatArray:
        """Its numbers in rows of ``record``, (..., row_size) -> (..., *shape). A view where numpy can give one."""
        return rows[..., self.offset : self.offset + self.size].reshape((*rows.shape[:-1], *self.shape))


def channel_named(channels: Iterable[Channel], name: str) -> Channel:
    """The channel of this name. Raises KeyError where the formulation has none."""
    for channel in channels:
        if channel.name == name:
            return channel
    raise KeyError(name)
