"""A table of the verdicts of several results side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

from chaindrive.analyses.results.tiles import Tile
from chaindrive.analyses.results.verdict import OF_A_WINDOW, Verdict
from chaindrive.numbers import kept_together
from chaindrive.report.contents import Cell, Column, Jump, Table, merged, row, table
from chaindrive.report.findings import Findings
from chaindrive.report.subject import Subject

__all__ = ["tile_jump", "verdict_cell", "verdicts_table"]


def verdicts_table(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Table | None:
    """A table with a row for each question and a column for each result with a verdict; None if there are fewer than
    two.
    """
    both = zip(subjects, findings, strict=True)
    judged = [(k, subject.label, found.verdict) for k, (subject, found) in enumerate(both) if found.verdict is not None]
    if len(judged) < 2:
        return None
    columns = ["", *(label for _, label, _ in judged)]
    rows = [row("Summary", *(Cell(each.summary, follows=f"{k}/summary") for k, _, each in judged))]
    titles = merged([(tile.key, tile.title) for tile in each.tiles] for _, _, each in judged)
    for key, title in titles:
        tiles = [(k, each.tile(key), each) for k, _, each in judged]
        rows.append(row(title, *(verdict_cell(k, tile, each) if tile else "–" for k, tile, each in tiles)))
    return table("Verdicts side by side", [Column(each) for each in columns], rows)


def verdict_cell(result: int, tile: Tile, of: Verdict) -> Cell:
    """A tile as a cell: its headline, with symbol and word of the judgement below."""
    follows = f"{result}/side/{tile.key}" if tile.key in OF_A_WINDOW else ""
    jump = tile_jump(result, tile, of.start)
    return Cell(kept_together(tile.headline), jump, f"{tile.mark} {tile.word}", follows)


def tile_jump(result: int, tile: Tile, start: float) -> Jump | None:
    """Target of a tile: its time, or the start [s] of the window; None if it has no time."""
    if math.isfinite(tile.time):
        return Jump(result, tile.time, tile.kind, tile.index)
    return Jump(result, start, tile.kind, tile.index) if tile.kind else None
