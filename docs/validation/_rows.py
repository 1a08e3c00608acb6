"""Rows of the validation pages: what the source states, expected and computed number, and verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

KILO = 1e3


class Row(NamedTuple):
    """One number of a page."""

    quantity: str
    thesis: str
    expected: str
    """Description of the reference: a formula, or the same number as computed before."""
    ours: float
    reference: float
    """Number with which ``ours`` is compared, or, with ``bound``, the number below which it must stay."""
    tolerance: float
    """Tolerance in the unit of the quantity; not used for a bound."""
    unit: str
    reason: str
    """Reason for the tolerance."""
    gate: bool = False
    bound: bool = False
    why: str = ""
    """Reason why the number is outside its tolerance; printed only in that case."""

    @property
    def difference(self) -> float:
        """Computed number minus the reference."""
        return self.ours - self.reference

    @property
    def within(self) -> bool:
        """Whether the number is within its tolerance; not-a-number never is."""
        if self.bound:
            return bool(self.ours < self.reference)
        return bool(abs(self.difference) <= self.tolerance)

    @property
    def verdict(self) -> str:
        """The verdict for a table."""
        return ("yes" if self.within else "**no**") + (", gate" if self.gate else "")


def below(quantity: str, thesis: str, ours: float, limit: float, unit: str = "", **options: object) -> Row:
    """A row for a number that must stay below a limit."""
    return Row(quantity, thesis, f"below {limit:g}", ours, limit, np.nan, unit, "bound", bound=True, **options)


def near(
    quantity: str, thesis: str, expected: str, ours: float, reference: float, share: float, unit: str, reason: str,
    **options: object,
) -> Row:  # fmt: skip
    """A row for a number whose difference must be less than this share of the reference."""
    return Row(quantity, thesis, expected, ours, reference, share * abs(reference), unit, reason, **options)


def number(value: float, digits: int = 3) -> str:
    """A number with a few significant digits, without powers of ten; a dash for not-a-number."""
    if not np.isfinite(value):
        return "–"
    decimals = max(0, digits - 1 - int(np.floor(np.log10(abs(value))))) if value else 0
    return f"{value:.{decimals}f}"


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A Markdown table in which all columns except the first are right-aligned."""
    rule = "|" + "|".join([":--"] + ["--:"] * (len(header) - 1)) + "|"
    return "\n".join(["| " + " | ".join(header) + " |", rule, *("| " + " | ".join(line) + " |" for line in lines)])


def rows_table(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    lines = []
    for row in rows:
        difference = "–" if row.bound else f"{row.difference:+.3g} {row.unit}".rstrip()
        tolerance = row.reason if row.bound else f"± {number(row.tolerance, 2)} ({row.reason})"
        ours = f"**{number(row.ours, 4)}** {row.unit}".rstrip()
        lines.append([row.quantity, row.thesis, row.expected, ours, difference, tolerance, row.verdict])
    header = ["quantity", "thesis", "expected", "chaindrive", "difference", "tolerance", "within?"]
    return table(header, lines)


def misses(rows: Iterable[Row]) -> list[str]:
    """A line for every number outside its tolerance, with the reason."""
    return [
        f"- {row.quantity} ({f'{number(row.ours)} {row.unit}'.rstrip()} instead of {row.expected}): "
        f"{row.why or 'no reason known.'}"
        for row in rows
        if not row.within
    ]
