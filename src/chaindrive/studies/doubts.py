"""Warnings of the runs of a study, each once, with the runs that it concerns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from chaindrive.model.study.description import Parameter, Value
from chaindrive.studies.table import Row, StudyTable, shown_value

__all__ = ["Warned", "warnings_of"]

NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d.]*(?:e[-+]?\d+)?")
"""A number in a warning: runs of one study differ in it and mean the same."""
TOGETHER = 3
"""Number of neighbouring values from which on they are written as a range."""
LISTED = 8
"""Largest number of values and ranges listed."""


class Warned(NamedTuple):
    """A warning of some runs of a study."""

    message: str
    """The warning, with the numbers of the first of its runs."""
    runs: tuple[int, ...]
    """Numbers of the runs, their places in the table."""
    text: str
    """The warning with the number of its runs and the values of the parameters that it concerns."""


def warnings_of(table: StudyTable) -> tuple[Warned, ...]:
    """The warnings of all runs, those of most runs first; equal up to their numbers are one."""
    found: dict[str, list[tuple[str, Row]]] = {}
    for row in table.rows:
        for message in row.warnings:
            found.setdefault(NUMBER.sub("#", message), []).append((message, row))
    made = [_warned(table, members) for members in found.values()]
    return tuple(sorted(made, key=lambda each: -len(each.runs)))


def _warned(table: StudyTable, members: Sequence[tuple[str, Row]]) -> Warned:
    message, rows = members[0][0], list({row.run: row for _, row in members}.values())
    concerned = f"all {len(rows)} runs" if len(rows) == len(table) else _concerned(table, rows)
    if len({text for text, _ in members}) > 1:
        concerned = f"numbers of run {rows[0].run}; {concerned}"
    return Warned(message, tuple(row.run for row in rows), f"{message} ({concerned})")


def _concerned(table: StudyTable, rows: Sequence[Row]) -> str:
    """Number of some runs, and their curves and values of parameters, as far as the table has others."""
    count = f"{len(rows)} of {len(table)} runs" if len(rows) > 1 else f"run {rows[0].run}"
    parts = []
    curves = list(dict.fromkeys(row.curve for row in rows))
    if set(curves) != {row.curve for row in table.rows}:
        parts.append(f"curve {', '.join(curves)}")
    for k, parameter in enumerate(table.study.parameters):
        values = {row.parameters[k] for row in rows}
        if values != {row.parameters[k] for row in table.rows}:
            parts.append(f"{parameter.name} {_values(parameter, values)} {parameter.unit}".strip())
    return f"{count}: {'; '.join(parts)}" if parts else count


def _values(parameter: Parameter, values: set[Value]) -> str:
    """Values of a parameter in their order; neighbours as a range."""
    groups: list[list[str]] = [[]]
    for point in parameter.points():
        if point in values:
            groups[-1].append(shown_value(point))
        elif groups[-1]:
            groups.append([])
    parts: list[str] = []
    for group in groups:
        parts += [f"{group[0]} to {group[-1]}"] if len(group) >= TOGETHER else group
    more = len(parts) - LISTED
    return ", ".join(parts[:LISTED]) + (f" and {more} more" if more > 0 else "")
