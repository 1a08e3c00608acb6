"""Text and numbers about one figure of the thesis."""

from __future__ import annotations

from typing import NamedTuple

from _rows import Row, misses, rows_table
from matplotlib.figure import Figure

from _pedersen.snippets import snippet


class Entry(NamedTuple):
    """One figure of chapter 5, or a comparison that the chapter describes in words."""

    number: str
    """Number of the figure, such as "5.2"."""
    title: str
    words: str
    """What the thesis states."""
    rows: tuple[Row, ...]
    remark: str
    """Results, with differences from the thesis and their reasons."""
    picture: Figure

    @property
    def name(self) -> str:
        """Name of the picture file."""
        return f"{self.number.lower().replace('.', '-').replace(' ', '-')}.png"

    @property
    def heading(self) -> str:
        """Heading of its section."""
        return f"Figure {self.number}: {self.title}" if self.number.startswith("5") else self.title

    @property
    def gates(self) -> list[Row]:
        """The rows that a test asserts."""
        return [row for row in self.rows if row.gate]

    @property
    def verdict(self) -> str:
        """The verdict as a line of text."""
        if not self.rows:
            return "shown only: the thesis states nothing that could be compared"
        met, gates = sum(row.within for row in self.rows), len(self.gates)
        parts = [f"{met} of {len(self.rows)} numbers within tolerance"]
        parts.append(f"{sum(row.within for row in self.gates)} of {gates} gates met" if gates else "no gates")
        return ", ".join(parts)

    def text(self) -> str:
        """The entry in Markdown."""
        parts = [f"## {self.heading}", f"*Thesis:* {self.words}"]
        if self.rows:
            parts.append(rows_table(self.rows))
        missed = misses(self.rows)
        if missed:
            parts.append("Numbers outside the tolerance, with the reasons:\n\n" + "\n".join(missed))
        parts += [self.remark, f"![{self.title}](../pictures/pedersen/{self.name})", f"*Verdict:* {self.verdict}."]
        if code := snippet(self.number):
            parts.append(folded(code))
        return "\n\n".join(part for part in parts if part)


def folded(code: str) -> str:
    """Python code, collapsed below a summary line."""
    return f"<details><summary>Draw a similar figure</summary>\n\n```python\n{code}```\n\n</details>"
