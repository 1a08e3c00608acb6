"""Warnings of the runs of a study; each is listed once, with the runs that it concerns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from chaindrive.model.study.description import Parameter, Value
from chaindrive.model.tabulated import skipped_rows
from chaindrive.results.solution import Solution
from chaindrive.studies.evaluations import OptimisationTable
from chaindrive.studies.table import StudyTable, remark_of, shown_value, warnings_in

__all__ = ["Warned", "told_by", "warnings_of", "warnings_of_repeats"]

NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d.]*(?:e[-+]?\d+)?")
"""Pattern of a number in a warning; warnings that differ only in numbers are treated as the same warning."""
TOGETHER = 3
"""Smallest number of neighbouring values that are written as a range."""
LISTED = 8
"""Largest number of values and ranges that are listed."""


class Warned(NamedTuple):
    """A warning of some runs of a study."""

    message: str
    """The warning, with the numerical values from the first of its runs."""
    runs: tuple[int, ...]
    """Numbers of the runs, which are their positions in the table."""
    text: str
    """The warning, followed by the number of its runs and the values of the parameters or variables in these runs."""


def warnings_of(table: StudyTable | OptimisationTable) -> tuple[Warned, ...]:
    """Return the warnings of all runs of a sweep or a search, with the most frequent first; warnings that differ only
    in numerical values are combined.
    """
    groups = _groups((row.run, row.warnings) for row in table.rows)
    return tuple(_warned(members, _concerned(table, _runs(members)), _word(table)) for members in groups)


def told_by(table: StudyTable | OptimisationTable) -> tuple[str, ...]:
    """Return the warnings of a study itself, such as skipped rows of a measured curve, followed by those of its runs
    (:func:`warnings_of`), as text.
    """
    return *skipped_rows(table.study), *(warning.text for warning in warnings_of(table))


def warnings_of_repeats(solution: Solution) -> tuple[str, ...]:
    """Return the warnings from the repetitions of a run: failed repetitions, and warnings that the run itself does not
    have.
    """
    failed = tuple(
        f"repetition {each.disturbance}: {each.status}. {each.remark}" for each in solution.repeats if each.failed
    )
    own = {_kind(remark_of([text])) for text in solution.warnings}
    groups = _groups((each.disturbance, warnings_in(each.status, each.remark)) for each in solution.repeats)
    news = [members for members in groups if _kind(members[0][1]) not in own]
    return failed + tuple(
        _warned(each, _counted(_runs(each), len(solution.repeats), "repetition"), "repetition").text for each in news
    )


def _kind(message: str) -> str:
    """Return a warning without its numerical values."""
    return NUMBER.sub("#", message)


def _groups(warnings: Iterable[tuple[int, Iterable[str]]]) -> list[list[tuple[int, str]]]:
    """Return runs with their warnings, grouped by warnings with the same words; the group with the most runs comes
    first.
    """
    found: dict[str, list[tuple[int, str]]] = {}
    for run, messages in warnings:
        for message in messages:
            found.setdefault(_kind(message), []).append((run, message))
    return sorted(found.values(), key=lambda members: -len(_runs(members)))


def _runs(members: Sequence[tuple[int, str]]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(run for run, _ in members))


def _warned(members: Sequence[tuple[int, str]], concerned: str, word: str) -> Warned:
    """Return one warning for several runs; word: what a run is called."""
    first, message = members[0]
    if len({text for _, text in members}) > 1:
        concerned = f"numbers from {word} {first}; {concerned}"
    return Warned(message, _runs(members), f"{message} ({concerned})")


def _word(table: StudyTable | OptimisationTable) -> str:
    return "run" if isinstance(table, StudyTable) else "evaluation"


def _concerned(table: StudyTable | OptimisationTable, runs: Sequence[int]) -> str:
    """Return a text that states how many runs are concerned, and which."""
    count = _counted(runs, len(table), _word(table))
    parts = _of_parameters(table, runs) if isinstance(table, StudyTable) else _of_variables(table, runs)
    return f"{count}: {'; '.join(parts)}" if parts else count


def _counted(runs: Sequence[int], total: int, word: str) -> str:
    """Return a text that states how many of all runs these are."""
    if len(runs) == total:
        return f"all {total} {word}s"
    return f"{len(runs)} of {total} {word}s" if len(runs) > 1 else f"{word} {runs[0]}"


def _of_parameters(table: StudyTable, runs: Sequence[int]) -> list[str]:
    """Return texts with the curves and parameter values of these runs of a sweep, where they do not include all those
    in the table.
    """
    rows, parts = [row for row in table.rows if row.run in runs], []
    curves = list(dict.fromkeys(row.curve for row in rows))
    if set(curves) != {row.curve for row in table.rows}:
        parts.append(f"curve {', '.join(curves)}")
    for k, parameter in enumerate(table.study.parameters):
        values = {row.parameters[k] for row in rows}
        if values != {row.parameters[k] for row in table.rows}:
            parts.append(f"{parameter.name} {_values(parameter, values)} {parameter.unit}".strip())
    return parts


def _of_variables(table: OptimisationTable, runs: Sequence[int]) -> list[str]:
    """Return texts with the ranges of the variables in these runs of a search, if other runs lie outside these ranges,
    and whether the best run is among them.
    """
    rows, parts = [row for row in table.rows if row.run in runs], []
    for k, variable in enumerate(table.study.variables):
        low, high = (limit(row.values[k] for row in rows) for limit in (min, max))
        if any(not low <= row.values[k] <= high for row in table.rows):
            shown = shown_value(low) + (f" to {shown_value(high)}" if high > low else "")
            parts.append(f"{variable.name} {shown} {variable.unit}".strip())
    if table.best is not None and table.best.run in runs and len(runs) < len(table):
        parts.append("the best one" + (" among them" if len(runs) > 1 else ""))
    return parts


def _values(parameter: Parameter, values: set[Value]) -> str:
    """Return a text with values of a parameter in their order; neighbouring values are written as a range."""
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
