"""Reads text files with columns of numbers; headings with units, decimal commas and comments are supported."""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from chaindrive.errors import InputError
from chaindrive.model.files.drawing import beside
from chaindrive.model.problems import nearest, shown
from chaindrive.units import kind_of, to_si

if TYPE_CHECKING:
    from chaindrive.model.base import Quantity

__all__ = ["MOST_ROWS", "Column", "Columns", "read_columns", "read_values", "reader"]

MOST_ROWS = 200_000
"""Largest number of rows of a file."""
MOST_TOLD = 5
"""Largest number of wrong cells that a message lists; it only counts the others."""
DIGITS = 16
"""Number of hexadecimal digits to which the SHA-256 digest of a file is shortened."""
_HEADING = re.compile(r"\s*(?P<name>.*?)\s*\[(?P<unit>[^\[\]]*)\]\s*")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")


class Column(NamedTuple):
    """Name and unit of a column. Without a heading the name is the number of the column, counted from 1."""

    name: str
    unit: str | None
    """Unit of the column; None if none is given."""

    def __str__(self) -> str:
        return self.name if self.unit is None else f"{self.name} [{self.unit or '1'}]"


class Columns(NamedTuple):
    """The columns of a file, whose cells are still text."""

    file: str
    """Name of the file, as given by the user."""
    path: str
    digest: str
    """Digest of its text."""
    columns: tuple[Column, ...]
    has_heading: bool
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    """For each row: the line number and the text of its cells, one per column."""

    def find(self, wanted: str) -> int:
        """Return the index of the column of this name. Raises ValueError if there is none, and suggests the nearest
        name.
        """
        names = [column.name for column in self.columns]
        if wanted not in names:
            hint = nearest(wanted, names)
            no_heading = "" if self.has_heading else "; without a heading, columns are named by their numbers"
            raise ValueError(f"has no column {shown(wanted)}{hint}; available: {', '.join(names)}{no_heading}")
        if names.count(wanted) > 1:
            raise ValueError(f"has {names.count(wanted)} columns {shown(wanted)}: give them different names")
        return names.index(wanted)

    def find_as(self, wanted: str) -> tuple[int, Column]:
        """Return the index and heading of a column, given by its name, or by its name and unit if its heading has no
        unit.

        Raises ValueError.
        """
        heading = heading_of(wanted)
        index = self.find(heading.name)
        column = self.columns[index]
        if heading.unit is not None and column.unit not in (None, heading.unit):
            raise ValueError(f"the column {column.name!r} is in {column.unit!r}, not in {heading.unit!r}")
        return index, column._replace(unit=heading.unit) if column.unit is None else column

    def numbers(
        self, chosen: Sequence[tuple[int, Column, Callable[[str], float]]], increasing: bool = True
    ) -> list[tuple[float, ...]]:
        """Return the values of the chosen columns, (n,) each. Each is given by its index, its heading and a function
        that converts text.

        increasing: whether the first column is the independent variable, whose values must increase. Rows whose cells
        are all empty are skipped (``skipped``); they occur if the columns of a file have different times. If there is
        no independent variable, only the last rows may be empty. Raises ValueError listing the wrong cells by line,
        column and value.
        """
        lines: list[int] = []
        rows: list[list[float]] = []
        wrong: list[str] = []
        style: dict[str, int] = {}
        """Line in which each decimal mark first occurs."""
        for place in self._filled(chosen[1:] if increasing else chosen, gaps=increasing):
            line, cells = self.rows[place]
            values: list[float] = []
            for index, column, number in chosen:
                cell = cells[index]
                if mark := next((mark for mark in ",." if mark in cell), None):
                    style.setdefault(mark, line)
                try:
                    values.append(number(_plain(cell)))
                except ValueError as error:
                    wrong.append(f"line {line}, column {column.name!r}: {shown(cell)} {error}")
            if len(values) == len(chosen):
                lines.append(line)
                rows.append(values)
        if len(style) == 2 and not wrong:
            wrong.append(
                f"line {style['.']} has a decimal point and line {style[',']} a decimal comma: use one of them"
            )
        wrong += [
            f"line {line}, column {chosen[0][1].name!r}: must increase, but {after[0]:g} follows {before[0]:g}"
            for (before, after), line in zip(pairwise(rows), lines[1:], strict=False)
            if increasing and not after[0] > before[0]
        ]
        if wrong:
            more = f"; and {len(wrong) - MOST_TOLD} more" if len(wrong) > MOST_TOLD else ""
            raise ValueError("; ".join(wrong[:MOST_TOLD]) + more)
        if len(rows) < (2 if increasing else 1):
            raise ValueError(f"needs at least {'two rows' if increasing else 'one row'} with values")
        return list(zip(*rows, strict=True))

    def skipped(self, chosen: Sequence[tuple[int, Column, Callable[[str], float]]]) -> str:
        """Return a remark about the rows that ``numbers`` skips if the first column is the independent variable: their
        number, the columns, and the largest gap between other rows; empty if there are none.

        chosen: as for ``numbers``, which must have accepted the cells.
        """
        filled = self._filled(chosen[1:], gaps=True)
        if len(filled) == len(self.rows):
            return ""
        names = " or ".join(repr(column.name) for _, column, _ in chosen[1:])
        gone = len(self.rows) - len(filled)
        skipped = f"{self.file}: {gone} of {len(self.rows)} rows are skipped, which have no value in column {names}"
        index, column, number = chosen[0]
        gaps = [(self.rows[before], self.rows[after]) for before, after in pairwise(filled) if after > before + 1]
        if not gaps:
            return skipped
        (first, low), (last, high) = max(
            gaps, key=lambda gap: number(_plain(gap[1][1][index])) - number(_plain(gap[0][1][index]))
        )
        where = f"{column.name!r} {low[index]} to {high[index]} {column.unit or ''}".rstrip()
        return f"{skipped}; the largest gap, which is interpolated, is {where} (lines {first} to {last})"

    def _filled(self, of_values: Sequence[tuple[int, Column, Callable[[str], float]]], gaps: bool) -> list[int]:
        """Return the places of the rows that are not empty in all these columns; without ``gaps`` of all rows up to the
        last of them.
        """
        filled = [place for place, (_, cells) in enumerate(self.rows) if any(cells[k] for k, _, _ in of_values)]
        return filled if gaps or not filled else list(range(filled[-1] + 1))

    def text(self, chosen: Sequence[Column], rows: int) -> str:
        """Return a description of the columns that were read, for results and messages."""
        headings = ", ".join(map(str, chosen))
        return f"{self.file}: {headings}, {rows} rows, SHA-256 {self.digest}"


def heading_of(text: str) -> Column:
    """Return a column from its heading, such as 'angle [deg]'; [1] and [-] mean a dimensionless value."""
    parts = _HEADING.fullmatch(text)
    if parts is None:
        return Column(text.strip(), None)
    return Column(parts["name"], "" if parts["unit"].strip() in ("1", "-") else parts["unit"].strip())


def reader(column: Column, quantity: Quantity) -> Callable[[str], float]:
    """Return the function that converts the number in a cell to SI units. Raises ValueError for a wrong unit."""
    if column.unit is None and quantity.unit:
        raise ValueError(
            f"the column {column.name!r} needs a unit in brackets, in its heading or where it is named: "
            f"'{column.name} [{quantity.unit}]'"
        )
    unit = column.unit or ""
    if quantity.unit and not unit:
        raise ValueError(f"the column {column.name!r} has no unit; give {kind_of(quantity.unit)}")
    try:
        to_si(f"1 {unit}", quantity.unit)
    except ValueError as error:
        raise ValueError(f"the heading {str(column)!r}: {error}") from None
    return lambda cell: quantity.number(f"{cell} {unit}")


def read_values(given: Mapping[str, Any], quantity: Quantity) -> tuple[float, ...]:
    """Return the values of a column, {file, column}, in SI units. Raises ValueError, with a message for the user."""
    if set(given) - {"file", "column"} or not all(isinstance(each, str) for each in given.values()):
        raise ValueError("must be values, or a column of a file, such as { file = 'wear.csv', column = 'pitch' }")
    table = read_columns(given["file"])
    try:
        if "column" not in given and len(table.columns) > 1:
            names = ", ".join(column.name for column in table.columns)
            raise ValueError(f"has several columns: choose one with the key column: {names}")
        index, column = table.find_as(given.get("column", table.columns[0].name))
        return table.numbers([(index, column, reader(column, quantity))], increasing=False)[0]
    except ValueError as error:
        raise ValueError(f"{table.path}: {error}") from None


def read_columns(name: str) -> Columns:
    """Return the columns of a text file, whose path is relative to the folder of the file being read.

    The first line that is not a comment (#) is the heading, such as ``angle [deg]; torque [N m]``; if it consists of
    numbers there is no heading. Cells are separated by semicolons, tabs or commas, with a decimal point, or a
    decimal comma where commas do not separate.

    Raises ValueError, with a message for the user.
    """
    from chaindrive.model.files.text import read_text

    path = str(beside(name))
    try:
        text = read_text(path, "a table (text with columns)")
    except InputError as error:
        raise ValueError(f"{path}: {error.problems[0].message}") from None
    try:
        return _columns(name, path, text)
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{path}: {error}") from None


def _columns(name: str, path: str, text: str) -> Columns:
    numbered = enumerate(text.removeprefix("\ufeff").splitlines(), 1)
    lines = [(number, line) for number, line in numbered if line.strip() and not line.lstrip().startswith("#")]
    separator = None
    if lines and (declared := re.fullmatch(r"sep=(.)", lines[0][1].strip())):  # as spreadsheets write it
        separator = declared[1]
        lines = lines[1:]
    if len(lines) < 2:
        raise ValueError("needs a heading and at least two rows of numbers")
    if len(lines) - 1 > MOST_ROWS:
        raise ValueError(f"has {len(lines) - 1} rows, but a table may have at most {MOST_ROWS}")
    separator = separator or next((mark for mark in ";\t," if mark in lines[0][1]), ",")
    rows = list(_cells(lines, separator))
    has_heading = not all(_NUMBER.fullmatch(cell) for cell in rows[0][1])
    headings = map(heading_of, rows[0][1])
    columns = tuple(headings if has_heading else (Column(str(k), None) for k, _ in enumerate(rows[0][1], 1)))
    return Columns(
        name,
        path,
        hashlib.sha256(text.encode()).hexdigest()[:DIGITS],
        columns,
        has_heading,
        tuple(rows[1:] if has_heading else rows),
    )


def _cells(lines: Sequence[tuple[int, str]], separator: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the number and the cells of each line. Raises ValueError if a line does not have as many cells as the first
    one.
    """
    wrong: list[str] = []
    count = None
    for line, text in lines:
        (row,) = csv.reader([text], delimiter=separator, skipinitialspace=True)
        cells = [cell.strip("\ufeff \t") for cell in row]
        count = len(cells) if count is None else count
        while len(cells) > count and not cells[-1]:
            cells.pop()
        if len(cells) != count:
            commas = len(cells) > count and separator == ","
            hint = "; with decimal commas, separate columns by semicolons" if commas else ""
            wrong.append(f"line {line} has {len(cells)} columns, not {count}{hint}")
            if len(wrong) == MOST_TOLD:
                break
        else:
            yield line, tuple(cells)
    if wrong:
        raise ValueError("; ".join(wrong))


def _plain(cell: str) -> str:
    """Return the text of a number, with a decimal comma replaced by a point. Raises ValueError."""
    if not _NUMBER.fullmatch(cell):
        if re.fullmatch(r"[+-]?\d{1,3}([.,' ]\d{3})+([.,]\d*)?", cell):
            raise ValueError("has thousands separators: omit them")
        raise ValueError("must be a finite number" if cell.lower().strip("+-") in ("nan", "inf") else "is not a number")
    return cell.replace(",", ".")
