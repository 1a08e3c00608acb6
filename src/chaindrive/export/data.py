"""The numbers of a figure into a file of comma-separated values."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chaindrive.errors import InputError, Problem
from chaindrive.export.target import check_export, maker, writing

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["check_table", "comment", "save_table"]


def comment(text: Any) -> str:
    """A text as one line of comment, whatever line breaks it has."""
    return f"# {' '.join(str(text).split())}\r\n"


def check_table(path: Path, option: str) -> None:
    """Refuse a place where no table can be put, before anything is computed. Raises InputError."""
    if path.suffix.lower() != ".csv":
        raise InputError(Problem(option, "the name of a table ends in .csv", repr(str(path))))
    check_export(path, option)


def save_table(table: DataFrame, path: str | os.PathLike[str], title: str = "", overwrite: bool = False) -> None:
    """Save a table that a ``data_`` function returned.

    Lines of comment (#) say what it is, then come a line of names with units and a line for each row (RFC 4180).
    Raises InputError where no file can be put or another program's stands (unless ``overwrite``), ComputationError
    when the disk takes no more.
    """
    target = check_export(path, overwrite=overwrite)
    with writing(target) as part, part.open("w", encoding="utf-8", newline="") as file:
        file.write(comment(f"{title or 'table'}, {maker()}"))
        for name, value in table.attrs.items():
            file.write(comment(f"{name}: {value}"))
        table.to_csv(file, index=False, lineterminator="\r\n")
