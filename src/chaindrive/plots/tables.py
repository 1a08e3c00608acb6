"""The numbers of a figure as a table: columns with units, in SI, blocks of a figure of several panels side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["side_by_side", "table"]


def table(columns: Mapping[str, Any], **attrs: Any) -> DataFrame:
    """Columns of equal length as a DataFrame, numbers in double precision. attrs: facts about all of them, ``.attrs``.

    A name has its unit in brackets, such as ``tension [N]``; units are those of the SI.
    """
    import pandas

    made = pandas.DataFrame({name: _column(values) for name, values in columns.items()})
    made.attrs.update(attrs)
    return made


def side_by_side(*blocks: DataFrame) -> DataFrame:
    """The tables of the panels of one figure beside each other; short columns end in empty cells.

    A name that comes again has a number added: ``time [s] (2)``.
    """
    import pandas

    taken: Counter[str] = Counter()
    renamed = []
    for block in blocks:
        taken.update(block.columns)
        names = {name: f"{name} ({taken[name]})" for name in block.columns if taken[name] > 1}
        whole = {name: "Int64" for name in block.columns if block[name].dtype.kind in "iu"}  # which can be missing
        renamed.append(block.astype(whole).rename(columns=names))
    made = pandas.concat(renamed, axis=1)
    for block in blocks:
        made.attrs.update(block.attrs)
    return made


def _column(values: Any) -> Any:
    array = np.asarray(values)
    return array.astype(np.float64) if array.dtype.kind == "f" else array
