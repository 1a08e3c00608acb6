"""Warnings of the runs of a study; each is listed once, with the runs that it concerns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from chaindrive.model.tabulated import skipped_rows
from chaindrive.results.solution import Solution
from chaindrive.studies.remarks import remark_of, warnings_in

if TYPE_CHECKING:
    from chaindrive.studies.table import Table

__all__ = ["Warned", "told_by", "warnings_of", "warnings_of_repeats"]

NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d.]*(?:e[-+]?\d+)?")
"""Pattern of a number in a warning; warnings that differ only in numbers are treated as the same warning."""


class Warned(NamedTuple):
    """A warning of some runs of a study."""

    message: str
    """The warning, with the numerical values from the first of its runs."""
    runs: tuple[int, ...]
    """Numbers of the runs, which are their positions in the table."""
    text: str
    """The warning, followed by the number of its runs and the values of the parameters or variables in these runs."""


def warnings_of(table: Table[Any]) -> tuple[Warned, ...]:
    """Return the warnings of all runs of a sweep or a search, with the most frequent first; warnings that differ only
    in numerical values are combined.
    """
    groups = _groups((row.run, row.warnings) for row in table.rows)
    return tuple(_warned(members, _concerned(table, _runs(members)), table.word) for members in groups)


def told_by(table: Table[Any]) -> tuple[str, ...]:
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


def _concerned(table: Table[Any], runs: Sequence[int]) -> str:
    """Return a text that states how many runs are concerned, and which."""
    count, parts = _counted(runs, len(table), table.word), table.differing(runs)
    return f"{count}: {'; '.join(parts)}" if parts else count


def _counted(runs: Sequence[int], total: int, word: str) -> str:
    """Return a text that states how many of all runs these are."""
    if len(runs) == total:
        return f"all {total} {word}s"
    return f"{len(runs)} of {total} {word}s" if len(runs) > 1 else f"{word} {runs[0]}"
