"""Curves over time from text files: a column of times, and columns of values."""

from __future__ import annotations

import csv
import math
import re
from typing import NamedTuple

from chaindrive.errors import InputError
from chaindrive.model.files.drawing import beside
from chaindrive.model.problems import nearest, shown
from chaindrive.units import kind_of, parse_unit

__all__ = ["MOST_ROWS", "Curve", "read_curve"]

MOST_ROWS = 200_000
"""Largest number of rows of a curve."""
_HEADING = re.compile(r"\s*(?P<name>.*?)\s*\[(?P<unit>[^\[\]]*)\]\s*")


class Curve(NamedTuple):
    """Values over time, as in a file."""

    times: tuple[float, ...]
    """Increasing times. [s]"""
    values: tuple[float, ...]
    """Values at these times, in ``unit``."""
    unit: str


def read_curve(name: str, column: str | None = None) -> Curve:
    """The curve of a file, named relative to the folder of the file being read.

    The first line that is not a comment (#) is the heading, such as ``time [ms], force [kN]``: the times come first,
    then one or several columns of values, of which ``column`` names one. Cells are separated by commas, semicolons or
    tabs, so that the tables that ``chaindrive export`` writes can be read. Rows without a value are omitted.

    Raises ValueError, with a sentence for the user.
    """
    from chaindrive.model.files.text import read_text

    path = str(beside(name))
    try:
        text = read_text(path, "a curve (text with columns)")
    except InputError as error:
        raise ValueError(f"{path}: {error.problems[0].message}") from None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    lines = [(number, line) for number, line in lines if not line.lstrip("\ufeff \t").startswith("#")]
    if len(lines) < 3:
        raise ValueError(f"{path}: needs a heading and at least two rows of numbers")
    if len(lines) - 1 > MOST_ROWS:
        raise ValueError(f"{path}: has {len(lines) - 1} rows; a curve may have {MOST_ROWS}")
    separator = next((mark for mark in ";\t" if mark in lines[0][1]), ",")
    try:
        rows = list(csv.reader((line for _, line in lines), delimiter=separator, skipinitialspace=True))
        chosen, time_unit, unit = _columns(rows[0], column)
        points = _points(rows[1:], [number for number, _ in lines[1:]], chosen)
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{path}: {error}") from None
    factor = parse_unit(time_unit).factor
    return Curve(tuple(factor * time for time, _ in points), tuple(value for _, value in points), unit)


def _columns(heading: list[str], wanted: str | None) -> tuple[int, str, str]:
    """Index of the column of values, unit of the times, unit of the values. Raises ValueError."""
    parts = [_HEADING.fullmatch(cell.lstrip("\ufeff")) for cell in heading]
    if len(heading) < 2 or any(part is None for part in parts[:1]):
        raise ValueError("the heading must be of the kind 'time [s], force [N]', with the times first")
    names = [part["name"] if part else cell.strip() for part, cell in zip(parts, heading, strict=True)]
    if wanted is None and len(heading) > 2:
        raise ValueError(f"has several columns of values: name one of them in column: {', '.join(names[1:])}")
    if wanted is not None and wanted not in names[1:]:
        raise ValueError(f"has no column {shown(wanted)}{nearest(wanted, names[1:])}; there are {', '.join(names[1:])}")
    chosen = 1 if wanted is None else names.index(wanted, 1)
    time, value = parts[0], parts[chosen]
    if value is None:
        raise ValueError(f"the heading {shown(heading[chosen])} needs a unit in brackets, such as 'force [N]'")
    assert time is not None
    if kind_of(_plain(time["unit"])) != kind_of("s"):
        raise ValueError(f"the unit of the times, {shown(time['unit'])}, is not one of time")
    parse_unit(_plain(value["unit"]))
    return chosen, _plain(time["unit"]), _plain(value["unit"])


def _plain(unit: str) -> str:
    return "" if unit.strip() in ("1", "-", "") else unit.strip()


def _points(rows: list[list[str]], numbers: list[int], chosen: int) -> list[tuple[float, float]]:
    """Times and values of the rows that contain a value. Raises ValueError."""
    points: list[tuple[float, float]] = []
    for number, row in zip(numbers, rows, strict=False):
        if len(row) <= chosen:
            raise ValueError(f"line {number} has {len(row)} columns, not {chosen + 1}")
        try:
            time = float(row[0])
            value = float(row[chosen]) if row[chosen].strip() else math.nan
        except ValueError:
            raise ValueError(
                f"line {number}: {shown(row[0])}, {shown(row[chosen])} are not two numbers; use a decimal point, and "
                "separate columns by commas, semicolons or tabs"
            ) from None
        if math.isnan(value):
            continue
        if not (math.isfinite(time) and math.isfinite(value)):
            raise ValueError(f"line {number}: the numbers must be finite")
        if points and not time > points[-1][0]:
            raise ValueError(f"line {number}: times must increase, but {time:g} follows {points[-1][0]:g}")
        points.append((time, value))
    if len(points) < 2:
        raise ValueError("needs at least two rows with values")
    return points
