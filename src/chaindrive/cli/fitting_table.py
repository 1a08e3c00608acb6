"""Tables that fit any terminal: columns shrink as far as their words allow; if that is not enough, rows become blocks
of lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from chaindrive.numbers import kept_together

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

__all__ = ["FittingTable", "KeptTable", "narrowed"]

GAP = 2
"""Padding between two columns, in addition to the separator."""
EDGES = 2
"""Padding of a table on the left and on the right."""
NUMBER = 20
"""Width up to which a right-aligned cell counts as a number with its unit, and is not broken."""
INDENT = 4
"""Indentation of the lines of a row that is too long for the terminal."""
STAND_IN = "\u2800"
"""Substitute for a space at which lines must not break: it is not white space, and one column wide."""


class KeptTable(Table):
    """A table of plain text in which numbers are not broken and not separated from their units."""

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        """Add a row of plain-text cells."""
        super().add_row(
            *(kept_together(cell, STAND_IN) if isinstance(cell, str) else cell for cell in cells), **options
        )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table as printed in the available width."""
        for piece in self._laid_out(console, options):
            for text, style, control in [piece] if isinstance(piece, Segment) else console.render(piece, options):
                yield Segment(text.replace(STAND_IN, " "), style, control)

    def _laid_out(self, console: Console, options: ConsoleOptions) -> Iterable[Any]:
        yield from super().__rich_console__(console, options)


class FittingTable(KeptTable):
    """A table of plain text in which words and numbers are not broken."""

    def _laid_out(self, console: Console, options: ConsoleOptions) -> Iterable[Any]:
        gaps = len(self.columns) - 1
        room = options.max_width - EDGES - (GAP + 1) * gaps
        cells = [[_text(cell) for cell in column._cells] for column in self.columns]
        heads = [_text(column.header) if self.show_header else "" for column in self.columns]
        full = [_longest(part.split("\n") for part in (head, *below)) for head, below in zip(heads, cells, strict=True)]
        fixed = [c.justify == "right" and wide <= NUMBER for c, wide in zip(self.columns, full, strict=True)]
        least = [
            wide if whole else _longest(part.split() for part in (head, *below))
            for wide, whole, head, below in zip(full, fixed, heads, cells, strict=True)
        ]
        if sum(least) > room:  # columns closer to each other, then no columns
            room += GAP * gaps
            if sum(least) > room:
                yield from self._blocks(heads, cells)
                return
            self.padding = 0
        for column, width in zip(self.columns, narrowed(full, least, room), strict=True):
            column.width = max(width, 1)
            column.min_width = None
        yield from super()._laid_out(console, options)

    def _blocks(self, heads: Sequence[str], cells: Sequence[Sequence[str]]) -> Iterator[Text]:
        """Yield every row as lines: its name, then each heading with its value."""
        yield Text()
        if self.title:
            yield Text(_text(self.title), "bold")
        for number in range(len(self.rows)):
            row = [column[number] for column in cells]
            first = 1 + next((k for k, head in enumerate(heads) if head.strip()), 0)
            yield Text("  ".join(value for value in row[:first] if value), "bold")
            for head, value in zip(heads[first:], row[first:], strict=True):
                if value:
                    name = f"{' '.join(head.split())}: " if head.strip() else ""
                    yield Text.assemble((" " * INDENT + name, "dim"), value)
        if self.caption:
            yield Text(_text(self.caption), "dim")


def _text(cell: object) -> str:
    """Return the text of a cell."""
    return cell.plain if isinstance(cell, Text) else str(cell)


def _longest(parts: Iterable[Iterable[str]]) -> int:
    """Return the width of the widest of all parts, in columns of the terminal."""
    return max((cell_len(piece) for part in parts for piece in part), default=0)


def narrowed(full: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return widths between ``least`` and ``full`` whose sum fits into the room; the widest columns shrink first."""
    widths = list(full)
    while sum(widths) > room:
        giving = [k for k in range(len(widths)) if widths[k] > least[k]]
        if not giving:
            break
        widths[max(giving, key=lambda k: widths[k])] -= 1
    return widths
