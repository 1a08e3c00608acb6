"""The contents of the page apart from its animation and curves: texts and tables, ready for the template."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from chaindrive.analyses.results.verdict import Verdict
from chaindrive.numbers import quantity

__all__ = ["Cell", "Column", "Contents", "Jump", "Section", "Table", "amount", "merged", "row", "side_by_side", "table"]


class Jump(NamedTuple):
    """A time to which the animation jumps, and the part selected there."""

    result: int
    time: float
    """Time. [s]"""
    kind: str = ""
    """Kind of the part: link, roller, wheel, span, guide, body or tensioner; empty if nothing is selected."""
    number: int = -1


class Cell(NamedTuple):
    """A cell of a table."""

    text: str
    jump: Jump | None = None
    note: str = ""
    """Note under the text, in smaller type."""
    follows: str = ""
    """Key by which the script finds the text of the cell for another time window; empty if the text is the same for all
    windows."""
    href: str = ""
    """Address of a page beside this page to which the text links."""


class Column(NamedTuple):
    """A column of a table; numbers are aligned to the right."""

    heading: str
    number: bool = False
    follows: str = ""
    """Key of the text for other time windows, as for a cell."""


class Table(NamedTuple):
    """A table; the first cell of a row is its heading."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


class Section(NamedTuple):
    """A section of the page, with its id, heading, paragraphs and tables."""

    key: str
    title: str
    paragraphs: tuple[str | Cell, ...] = ()
    tables: tuple[Table, ...] = ()


class Contents(NamedTuple):
    """Everything that the template needs in addition to the data."""

    title: str
    subtitle: str
    labels: tuple[str, ...]
    warnings: tuple[str, ...]
    verdicts: tuple[tuple[int, str, Verdict], ...]
    """The verdict of every result that has one, with its number and label."""
    verdicts_table: Table | None
    """The verdicts side by side; None for fewer than two."""
    summary: Section
    islands: dict[str, str]
    """Messages on missing data, by the key of an interactive part ("island") of the page; empty if its data exist."""
    sections: tuple[Section, ...]
    """Sections after the islands, in the order of the page."""
    below: Mapping[str, tuple[Table, ...]] = MappingProxyType({})
    """Tables below islands, by key."""


def row(heading: str, *cells: str | Cell) -> tuple[Cell, ...]:
    """A row of a table."""
    return tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in (heading, *cells))


def table(caption: str, columns: Sequence[str | Column], rows: Sequence[tuple[Cell, ...]], note: str = "") -> Table:
    """A table. Headings that start with ``>`` mark columns of numbers."""
    headings = tuple(
        each if isinstance(each, Column) else Column(each.removeprefix(">"), each.startswith(">")) for each in columns
    )
    return Table(caption, headings, tuple(rows), note)


T = TypeVar("T", bound=Hashable)


def merged(lists: Iterable[Iterable[T]]) -> list[T]:
    """All entries of several lists, each once, in an order that keeps neighbours together as far as possible."""
    made: list[T] = []
    for each in lists:
        at = 0
        for entry in each:
            if entry in made:
                at = made.index(entry) + 1
            else:
                made.insert(at, entry)
                at += 1
    return made


def amount(value: float, unit: str, digits: int = 4) -> str:
    """A value with its unit, as written by ``numbers.quantity``, with non-breaking spaces."""
    return quantity(value, unit, digits).replace(" ", "\u00a0")


def side_by_side(caption: str, labels: Sequence[str], facts: Sequence[Mapping[str, str]], note: str = "") -> Table:
    """A table of named facts, with a column for each result; labels: labels of the results."""
    columns = ["", *(labels if len(labels) > 1 else [""])]
    rows = [row(name, *(each.get(name, "–") for each in facts)) for name in merged(facts)]
    return table(caption, columns, rows, note)
