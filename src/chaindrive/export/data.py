"""Comma-separated values (RFC 4180), and the data of a figure in this format."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chaindrive.errors import InputError, Problem
from chaindrive.export.target import check_export, maker, writing

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["LINE_END", "check_table", "comment", "line", "save_table"]

LINE_END = "\r\n"
_QUOTED = frozenset(',"#\r\n')
"""Characters that require quotes. They include the comment sign, as in "wheel #2", at which many readers end a line."""


def comment(text: Any) -> str:
    """Return a string as one comment line, without its line breaks."""
    return f"# {' '.join(str(text).split())}{LINE_END}"


def line(cells: Iterable[Any]) -> str:
    """Return a line of cells: strings quoted if necessary, numbers with all their digits, empty cells for missing
    values.
    """
    return ",".join(map(_cell, cells)) + LINE_END


def _cell(value: Any) -> str:
    if not isinstance(value, str):
        number = value if isinstance(value, int) else float(value)
        return "" if math.isnan(number) else repr(number)
    if _QUOTED.isdisjoint(value) and value == value.strip():
        return value
    return '"' + value.replace('"', '""') + '"'


def check_table(path: Path, option: str) -> None:
    """Check the path of a table before anything is computed. Raises InputError if it cannot be used."""
    if path.suffix.lower() != ".csv":
        raise InputError(Problem(option, "the name of a table must end in .csv", repr(str(path))))
    check_export(path, option)


def save_table(table: DataFrame, path: str | os.PathLike[str], title: str = "", overwrite: bool = False) -> None:
    """Save a table returned by a ``data_`` function.

    The file contains comment lines (#) that describe the table, a line of names with units, and a line for each row.
    Raises InputError if the path cannot be written to or a file from another program exists (unless ``overwrite``),
    ComputationError if the disk is full.
    """
    target = check_export(path, overwrite=overwrite)
    columns = [table[name].astype(object).where(table[name].notna(), math.nan) for name in table.columns]
    with writing(target) as part, part.open("w", encoding="utf-8", newline="") as file:
        file.write(comment(f"{title or 'table'}, {maker()}"))
        for name, value in table.attrs.items():
            if name != "tables":  # which columns belong to which table, see plots.tables
                file.write(comment(f"{name}: {value}"))
        file.write(line(table.columns))
        file.writelines(line(row) for row in zip(*columns, strict=True))
