"""Texts of the tables of a page for other time windows, which its script can show.

They come from the same analyses as those for the window of the page: nothing is computed in the browser.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from chaindrive.analyses.results.bearings import bearing_loads
from chaindrive.analyses.results.extremes import extremes
from chaindrive.analyses.results.loop import Zone, loop_zones
from chaindrive.analyses.results.losses import losses, wheel_losses
from chaindrive.analyses.results.steadiness import Part
from chaindrive.analyses.results.tiles import Tile
from chaindrive.analyses.results.verdict import OF_A_WINDOW, Verdict, window_tiles
from chaindrive.analyses.signals.windows import window_of
from chaindrive.errors import InputError
from chaindrive.numbers import kept_together
from chaindrive.report.contents import Cell, amount
from chaindrive.report.findings import Findings
from chaindrive.report.pack import COMPRESSION, Reference
from chaindrive.report.subject import Subject
from chaindrive.report.tables import (
    bearing_cells,
    bearing_scale,
    efficiency_line,
    elsewhere_cell,
    part_line,
    peak_cell,
    power_cells,
    power_scale,
    powers_of,
    wheel_cells,
    wheel_scale,
)
from chaindrive.report.verdicts import tile_jump, verdict_cell

__all__ = ["windows_of"]

PARTS = 8
"""Number of equal parts of the run at whose boundaries windows begin and end, in addition to the ends of the window of
the key values."""
PARTS_OF_A_LONG_RUN = 3
LONG = 1_000_000
"""Number of rows times rollers above which a run has fewer parts, because every window is analysed."""
NEAR = 0.4
"""Fraction of a part: a boundary within this distance of an end of the window of the key values is replaced by that
end."""


class _Scales(NamedTuple):
    """Factors of the columns of the page, which are the same for all windows."""

    force: float
    power: float


def windows_of(subjects: Sequence[Subject], findings: Sequence[Findings]) -> list[Reference | None]:
    """For each result the boundaries in time, the named windows, and the texts of all windows; None for a result with
    fewer than three instants.
    """
    scales = _Scales(bearing_scale(findings)[0], power_scale(findings)[0])
    label = [subject.label if len(subjects) > 1 else "" for subject in subjects]
    both = zip(subjects, findings, label, strict=True)
    return [_windows(k, subject, found, whose, scales) for k, (subject, found, whose) in enumerate(both)]


def _windows(k: int, subject: Subject, found: Findings, label: str, scales: _Scales) -> Reference | None:
    if subject.time.size < 3:
        return None
    headline = window_of(subject.time, found.part.start, found.part.stop)
    rows = _edges(subject, headline.first, headline.end - 1)
    at = {row: number for number, row in enumerate(rows)}
    named = [(found.part.name, at[headline.first], at[headline.end - 1])]
    if named[0][1:] != (0, len(rows) - 1):
        named.append(("whole run" if subject.whole else "reported time range", 0, len(rows) - 1))
    if named[0][1] > 0:
        named.append(("start-up", 0, named[0][1]))
    names = {(first, last): name for name, first, last in named}
    ends = [(first, last) for first in range(len(rows)) for last in range(first + 1, len(rows))]
    times = [(float(subject.time[rows[first]]), float(subject.time[rows[last]])) for first, last in ends]
    parts = [Part(names.get(end, "selected part"), *window) for end, window in zip(ends, times, strict=True)]
    tiles = [()] * len(parts) if found.verdict is None else window_tiles(subject.solution, parts)
    zones = loop_zones(subject.solution) if "link_path_position" in subject.solution else ()
    texts = {}
    for end, part, judged in zip(ends, parts, tiles, strict=True):
        here = found if end == named[0][1:] else _findings_in_window(subject, found, part, zones)
        cells = _cells(k, found, here, label, scales)
        packed = {cell.follows: _packed(cell) for cell in cells if cell.follows}
        if found.verdict is not None:
            packed |= _verdict(k, found.verdict, part, judged, side=bool(label))
        texts[f"{end[0]}-{end[1]}"] = packed
    return {
        "edges": [float(subject.time[row]) for row in rows],
        "labels": [amount(float(subject.time[row]), "s", 6) for row in rows],
        "named": [{"name": name, "first": first, "last": last} for name, first, last in named],
        "texts": base64.b64encode(zlib.compress(json.dumps(texts).encode(), COMPRESSION)).decode("ascii"),
    }


def _edges(subject: Subject, first: int, last: int) -> list[int]:
    """Rows of the reported part at which windows can begin and end."""
    count = subject.time.size
    long = count * subject.drive.chain.joints > LONG
    parts = min(PARTS_OF_A_LONG_RUN if long else PARTS, count - 1)
    even = np.rint(np.linspace(0, count - 1, parts + 1)).astype(int)
    apart = NEAR * (count - 1) / parts
    inner = [int(row) for row in even[1:-1] if min(abs(row - first), abs(row - last)) > apart]
    return sorted({0, *inner, first, last, count - 1})


def _findings_in_window(subject: Subject, found: Findings, part: Part, zones: tuple[Zone, ...]) -> Findings:
    """The findings for the tables in another window."""
    missing: dict[str, str] = {}

    def look(name: str, analysis: Callable[..., Any], *more: Any) -> Any:
        if getattr(found, name) is None:
            return None
        try:
            return analysis(subject.solution, part.start, part.stop, *more)
        except InputError as error:
            missing[name] = "; ".join(problem.message for problem in error.problems)
            return None

    return found._replace(
        part=part,
        peaks=look("peaks", extremes, 1, zones),
        bearings=look("bearings", bearing_loads),
        losses=look("losses", losses),
        wheel_losses=look("wheel_losses", wheel_losses),
        missing=missing,
    )


def _cells(k: int, page: Findings, here: Findings, label: str, scales: _Scales) -> list[Cell]:
    """All texts that depend on the window. page: findings in the window for which the page is written, which determine
    the units.
    """
    whose = f"{label}: " if label else ""
    cells = [Cell(part_line(here.part.name, here.part.text, label), follows=f"{k}/line")]
    cells.append(Cell(whose + here.part.name, follows=f"{k}/name"))
    cells += [peak_cell(k, peak, "peak") for peak in (here.peaks.peaks if here.peaks else ())]
    if here.bearings is not None:
        for wheel in range(len(here.bearings.names)):
            cells += bearing_cells(k, wheel, here.bearings, scales.force)
    if here.losses is not None:
        cells.append(Cell(efficiency_line(here.losses, whose), follows=f"{k}/efficiency"))
        powers = powers_of(here.losses)
        for name in powers:
            cells += power_cells(k, name, powers, scales.power)
    elif page.losses is not None:
        cells.append(Cell(f"{whose}{here.missing['losses']}.", follows=f"{k}/efficiency"))
    if here.wheel_losses is not None and page.wheel_losses is not None:
        factor, _ = wheel_scale(page.wheel_losses)
        for wheel in range(len(here.wheel_losses.wheels)):
            cells += wheel_cells(k, wheel, here.wheel_losses, factor)
        cells.append(elsewhere_cell(k, here.wheel_losses, factor))
    return cells


def _verdict(k: int, page: Verdict, part: Part, tiles: Sequence[Tile], side: bool) -> dict[str, Any]:
    """The tiles that depend on the window, and their summary; side: whether to include their cells in the table of all
    verdicts.
    """
    here = page._replace(part=part, tiles=(*tiles, *(tile for tile in page.tiles if tile.key not in OF_A_WINDOW)))
    packed: dict[str, Any] = {f"{k}/part": f"{part.name}, {part.text}", f"{k}/summary": here.summary}
    for tile in tiles:
        jump = tile_jump(k, tile, part.start)
        packed[f"{k}/tile/{tile.key}"] = {
            "headline": kept_together(tile.headline),
            "sign": tile.sign.name.lower(),
            "mark": tile.mark,
            "word": tile.word,
            "lines": [kept_together(line) for line in tile.lines],
            "time": jump.time if jump else None,
            "kind": tile.kind,
            "number": tile.index,
        }
        if side:
            cell = verdict_cell(k, tile, here)
            packed[cell.follows] = _packed(cell)
    return packed


def _packed(cell: Cell) -> str | list[Any]:
    if cell.jump is None:
        return [cell.text, cell.note] if cell.note else cell.text
    return [cell.text, cell.note, cell.jump.time, cell.jump.kind, cell.jump.number]
