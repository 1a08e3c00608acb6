"""Tables of the values in a figure, whose columns have SI units.

The tables of several panels stand side by side, each under a name. ``tables_of`` separates them again by these names,
for individual files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["side_by_side", "table", "tables_of"]

_TABLES = "tables"
"""Attribute of a DataFrame that assigns its columns and rows to tables."""


def table(columns: Mapping[str, Any], **attrs: Any) -> DataFrame:
    """Columns of equal length as a DataFrame, with numbers in double precision.

    attrs: facts about the whole table, for its ``.attrs``. A name has its unit in brackets, such as ``tension [N]``;
    units are those of the SI.
    """
    import pandas

    made = pandas.DataFrame({name: _column(values) for name, values in columns.items()})
    made.attrs.update(attrs)
    return made


def side_by_side(**blocks: DataFrame) -> DataFrame:
    """The tables of the panels of a figure side by side, given by name; short columns end in empty cells.

    A number is appended to the name of a repeated column: ``time [s] (2)``.
    """
    import pandas

    taken: Counter[str] = Counter()
    renamed, parts = [], []
    for title, block in blocks.items():
        taken.update(block.columns)
        names = {name: f"{name} ({taken[name]})" for name in block.columns if taken[name] > 1}
        whole = {name: "Int64" for name in block.columns if block[name].dtype.kind in "iu"}  # which can be missing
        renamed.append(block.astype(whole).rename(columns=names))
        columns = {names.get(name, name): name for name in block.columns}
        parts.append((title.replace("_", "-"), len(block), columns, dict(block.attrs)))
    made = pandas.concat(renamed, axis=1)
    for block in blocks.values():
        made.attrs.update(block.attrs)
    made.attrs[_TABLES] = tuple(parts)
    return made


def tables_of(frame: DataFrame) -> dict[str, DataFrame]:
    """The tables in a DataFrame from a ``data_`` function, by name, each with its own columns, rows and facts.

    If the DataFrame is a single table, its name is empty.
    """
    if _TABLES not in frame.attrs:
        return {"": frame}
    found = {}
    for title, rows, columns, facts in frame.attrs[_TABLES]:
        part = frame[list(columns)].iloc[:rows].rename(columns=columns)
        part.attrs = dict(facts)
        found[title] = part
    return found


def _column(values: Any) -> Any:
    array = np.asarray(values)
    return array.astype(np.float64) if array.dtype.kind == "f" else array
