"""Reads curves over time from text files with a column of times and columns of values."""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.model.files.columns import Column, Columns, read_columns
from chaindrive.model.problems import shown
from chaindrive.units import check_unit, kind_of, parse_unit

__all__ = ["Curve", "read_curve"]


class Curve(NamedTuple):
    """A curve over time as read from a file."""

    times: tuple[float, ...]
    """Increasing times. [s]"""
    values: tuple[float, ...]
    """Values at these times, in ``unit``."""
    unit: str
    skipped: str | None
    """Remark about rows that have no value (``Columns.skipped``); None if there are none."""


def read_curve(name: str, column: str | None = None) -> Curve:
    """Return the curve in a file (``read_columns``). The first column holds the times; ``column`` names that of the
    values if there are several.

    Raises ValueError, with a message for the user.
    """
    table = read_columns(name)
    try:
        chosen, time, unit = _chosen(table, column)
        factor = parse_unit(time.unit or "").factor
        read_by = [(0, time, float), (chosen, table.columns[chosen], float)]
        (times, values), skipped = table.numbers(read_by), table.skipped(read_by)
    except ValueError as error:
        raise ValueError(f"{table.path}: {error}") from None
    return Curve(tuple(factor * time for time in times), values, unit, skipped or None)


def _chosen(table: Columns, wanted: str | None) -> tuple[int, Column, str]:
    """Return the index of the column of values, the column of times, and the unit of the values. Raises ValueError."""
    time, *others = table.columns
    if time.unit is None:
        raise ValueError("the heading must be like 'time [s], force [N]', with the times first")
    names = ", ".join(column.name for column in others)
    if wanted is None and len(others) > 1:
        raise ValueError(f"has several columns of values: choose one with the key column: {names}")
    chosen = 1 if wanted is None else table.find(wanted)
    unit = table.columns[chosen].unit
    if unit is None:
        heading = shown(table.columns[chosen].name)
        raise ValueError(f"the heading {heading} needs a unit in brackets, such as 'force [N]'")
    if kind_of(time.unit) != kind_of("s"):
        raise ValueError(f"the unit of the times, {shown(time.unit)}, is not a unit of time")
    check_unit(unit)
    return chosen, time, unit
