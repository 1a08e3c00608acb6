"""Conversion of the description of loads over time into the arrays that the kernels read (``load_kernels``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.kernels.tables import blank
from chaindrive.mechanism.load_kernels import TABLE_COLUMNS, LoadRows

if TYPE_CHECKING:
    from chaindrive.model.load_over_time import LoadRow

__all__ = ["Loads", "pack_loads"]


class Loads(NamedTuple):
    """Loads over time, packed for the kernels."""

    rows: LoadRows
    table: NDArray[np.float64]
    """(rows, TABLE_COLUMNS)"""


def pack_loads(given: Sequence[tuple[int, LoadRow]]) -> Loads:
    """Pack loads over time, each with the coordinate on which it acts."""
    rows = blank(LoadRows, len(given))
    table = np.zeros((sum(len(load.table) for _, load in given), TABLE_COLUMNS))
    used = 0
    for k, (coordinate, load) in enumerate(given):
        rows.coordinate[k] = coordinate
        rows.rows[k], rows.rows_end[k] = used, used + len(load.table)
        rows.given[k] = load.given
        own = table[used : rows.rows_end[k]]
        own[:, 0], own[:, 4], own[:, 3] = load.table.T
        used += len(load.table)
        for name in ("amplitude", "frequency", "phase", "start", "fade_in"):
            getattr(rows, name)[k] = getattr(load, name)
    return Loads(rows, table)
