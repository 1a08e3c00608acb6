"""Channels of a result over time as a CSV, Parquet or Excel table with one column for each element, written in
blocks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chaindrive.errors import InputError, Problem
from chaindrive.export.data import LINE_END, comment, line
from chaindrive.export.optional import optional
from chaindrive.export.selection import Column, Selection, rows_of, select
from chaindrive.export.target import check_export, maker, writing
from chaindrive.model.arguments import path_of

if TYPE_CHECKING:
    from chaindrive.results import Solution

__all__ = ["TABLES", "Progress", "write_table"]

Progress = Callable[[int, int], None]
"""A function called after every block with the number of completed rows (or frames) and their total number."""
_DIGITS = {"f4": "%.9g", "f8": "%r", "i4": "%d"}
"""Formats with as many digits as are needed to read back the same number."""


def write_table(
    solution: Solution,
    path: str | os.PathLike[str],
    channels: Sequence[str] | str | None = None,
    every: int = 1,
    start: float | str | None = None,
    stop: float | str | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write channels over time as CSV, Parquet or XLSX, chosen by the extension of the path; return the number of rows.

    Columns: time, then one for each element, with headings such as ``link_tension[12] [N]``.

    channels: names, or single elements such as ``wheel_speed[crankshaft]``, as a list or separated by commas, by
    default all; every: n, to write every n-th row; start, stop: time window [s, or text with a unit].

    CSV: comment lines (#) describe drive and run. They are followed by a line of names with units and then the numbers
    with all digits; an empty cell stands for not-a-number; quoting as in RFC 4180. Parquet: units and descriptions are
    also in the metadata of the columns (``units``, ``description``), and the drive is in the metadata of the table
    (``drive``). XLSX: a sheet with these columns, in which numbers that are not finite are empty cells, and a sheet
    that describes drive and run.

    Raises InputError for names that do not exist, for an existing file that was not exported by chaindrive (unless
    ``overwrite``), and if pyarrow is missing; ComputationError if the disk is full.
    """
    ending = path_of(path, "path", "a table such as run.csv").suffix.lower().lstrip(".")
    if ending not in TABLES:
        endings = " or ".join(f".{name}" for name in TABLES)
        raise InputError(Problem("output", f"the name of a table must end in {endings}", repr(str(path))))
    target = check_export(path, overwrite=overwrite)
    chosen = select(solution, channels, rows_of(solution.time, start, stop, every))
    with writing(target) as part:
        TABLES[ending](solution, chosen, part, progress or _silent)
    return chosen.rows.size


def _silent(done: int, total: int) -> None:
    """Show no progress."""


def _facts(solution: Solution) -> dict[str, str]:
    """Return facts about the source of a table."""
    facts = {"drive": solution.name, "source": solution.attrs.get("source", ""), "status": solution.status.name}
    facts |= {name: solution.attrs.get(name, "") for name in ("formulation", "solver", "history")}
    return {name: text for name, text in facts.items() if text.strip()}


def _write_csv(solution: Solution, chosen: Selection, part: Path, progress: Progress) -> None:
    headings = ["time [s]", *(column.heading for column in chosen.columns)]
    with part.open("w", encoding="utf-8", newline="") as file:
        file.write(comment(maker()))
        for name, text in _facts(solution).items():
            file.write(comment(f"{name}: {text}"))
        file.write(line(headings))
        done = 0
        for times, columns in chosen.blocks(solution):
            file.write(_lines(times, columns))
            done += times.size
            progress(done, chosen.rows.size)


def _lines(times: NDArray[np.float64], columns: list[NDArray[Any]]) -> str:
    """Return rows of numbers as text.

    Python formats a row of a thousand numbers at once faster than any writer that works cell by cell.
    """
    formats = [_DIGITS[f"{column.dtype.kind}{column.dtype.itemsize}"] for column in columns]
    pattern = ",".join(["%r", *formats]) + LINE_END
    rows = np.column_stack([times, *columns]).tolist()  # all exact in double precision
    return "".join([pattern % tuple(row) for row in rows]).replace("nan", "")


def _write_parquet(solution: Solution, chosen: Selection, part: Path, progress: Progress) -> None:
    pyarrow = optional("pyarrow", "pyarrow", "Parquet tables")
    parquet = optional("pyarrow.parquet", "pyarrow", "Parquet tables")
    empty = chosen._replace(rows=chosen.rows._replace(stop=chosen.rows.first + 1))
    _, columns = next(empty.blocks(solution))
    fields = [_field(pyarrow, "time [s]", "float64", "s", "time")]
    for column, values in zip(chosen.columns, columns, strict=True):
        kind = {"f4": "float32", "f8": "float64", "i4": "int32"}[f"{values.dtype.kind}{values.dtype.itemsize}"]
        fields.append(_field(pyarrow, column.heading, kind, column.unit, _described(column)))
    about = {"created by": maker(), "name": solution.name, **_facts(solution), "drive": solution.drive_text}
    schema = pyarrow.schema(fields, {name: text.encode() for name, text in about.items()})
    done = 0
    with parquet.ParquetWriter(part, schema, compression="zstd") as writer:
        for times, columns in chosen.blocks(solution):
            arrays = [pyarrow.array(np.ascontiguousarray(values)) for values in (times, *columns)]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            done += times.size
            progress(done, chosen.rows.size)


def _write_xlsx(solution: Solution, chosen: Selection, part: Path, progress: Progress) -> None:
    from chaindrive.export.xlsx import write_workbook

    write_workbook(solution, chosen, part, progress, _facts(solution))


def _field(pyarrow: Any, name: str, kind: str, unit: str, description: str) -> Any:
    about = {"units": unit.encode(), "description": description.encode()}
    return pyarrow.field(name, getattr(pyarrow, kind)(), metadata=about)


def _described(column: Column) -> str:
    return column.description or column.channel.replace("_", " ")


TABLES: dict[str, Callable[[Solution, Selection, Path, Progress], None]] = {
    "csv": _write_csv,
    "parquet": _write_parquet,
    "xlsx": _write_xlsx,
}
"""Writers of tables by file extension."""
