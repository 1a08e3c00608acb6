"""A measured curve: from a file with a column of times and columns of values, or as lists."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, NamedTuple, Self

from pydantic import AfterValidator, Field, model_validator

from chaindrive.errors import InputError
from chaindrive.model.base import Model, Name, Quantity
from chaindrive.model.files.drawing import beside
from chaindrive.model.problems import nearest, shown
from chaindrive.units import kind_of, parse_unit

__all__ = ["Curve", "Measurement", "Unit", "read_curve"]

MOST_ROWS = 200_000
_HEADING = re.compile(r"\s*(?P<name>.*?)\s*\[(?P<unit>[^\[\]]*)\]\s*")


def _known_unit(unit: str) -> str:
    parse_unit(unit)
    return unit


Unit = Annotated[str, Field(max_length=80), AfterValidator(_known_unit)]
Time = Annotated[float, Quantity("s", least=-1e7, most=1e7)]


class Measurement(Model):
    """A measured curve that runs are compared with: a file, or times and values.

    A file name alone is short for a table with only ``file``.
    """

    file: Name | None = Field(
        None,
        description="Text file with columns, relative to the file of the study; with a heading such as 'time "
        "[ms], force [kN]'.",
    )
    column: Name | None = Field(None, description="Name of the column of values, if the file has several.")
    times: Annotated[tuple[Time, ...], Field(min_length=2, max_length=MOST_ROWS)] = Field(
        description="Instead of a file: increasing times."
    )
    values: Annotated[tuple[float, ...], Field(min_length=2, max_length=MOST_ROWS)] = Field(
        description="Instead of a file: the measured values, in unit."
    )
    unit: Unit = Field("", description="Instead of a file: the unit of the values.")
    shift: Time = Field(
        0.0, description="Added to the times: the time in the run at which the clock of the measurement started."
    )
    shift_within: Annotated[float, Quantity("s", least=0, most=1e7)] = Field(
        0.0, description="The best-fitting shift is used among those that differ from shift by at most this."
    )

    @model_validator(mode="before")
    @classmethod
    def _read(cls, given: Any) -> Any:
        """The content of the file in place of its name: it becomes part of the study, so a changed file is a changed
        study.
        """
        fields = {"file": given} if isinstance(given, str) else given
        if not isinstance(fields, Mapping) or not isinstance(fields.get("file"), str):
            return fields
        if beside_file := [name for name in ("times", "values", "unit") if name in fields]:
            raise ValueError(f"give either file, or times, values and unit, not both: {', '.join(beside_file)}")
        column = fields.get("column")
        return {**fields, **read_curve(fields["file"], column if isinstance(column, str) else None)._asdict()}

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(self.times) != len(self.values):
            raise ValueError(f"values must have {len(self.times)} entries, one for each time, not {len(self.values)}")
        if late := next((pair for pair in pairwise(self.times) if pair[0] >= pair[1]), None):
            raise ValueError(f"times must increase, but {late[1]:g} follows {late[0]:g}")
        if self.column is not None and self.file is None:
            raise ValueError("column belongs to file: leave it out")
        return self


class Curve(NamedTuple):
    """Values over time, as in a file."""

    times: tuple[float, ...]
    """Increasing times. [s]"""
    values: tuple[float, ...]
    """Values at these times, in ``unit``."""
    unit: str


def read_curve(name: str, column: str | None = None) -> Curve:
    """The curve of a file, named relative to the folder of the study.

    The first line that is not a comment (#) is the heading, such as ``time [ms], force [kN]``: the times come first,
    then one or several columns of values, of which ``column`` names one. Cells are separated by commas, semicolons or
    tabs, so that the tables that ``chaindrive export`` writes can be read. Rows without a value are omitted.

    Raises ValueError, with a sentence for the user.
    """
    from chaindrive.model.files.text import read_text

    path = str(beside(name))
    try:
        text = read_text(path, "a measured curve (text with columns)")
    except InputError as error:
        raise ValueError(f"{path}: {error.problems[0].message}") from None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    lines = [(number, line) for number, line in lines if not line.lstrip("\ufeff \t").startswith("#")]
    if len(lines) < 3:
        raise ValueError(f"{path}: needs a heading and at least two rows of numbers")
    if len(lines) - 1 > MOST_ROWS:
        raise ValueError(f"{path}: has {len(lines) - 1} rows; a measured curve may have {MOST_ROWS}")
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
