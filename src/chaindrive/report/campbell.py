"""Writes the page of a study with spectra: maps over speed and frequency, crossings, and runs."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chaindrive.report.contents import Cell, Contents, Section, row, table
from chaindrive.report.maps import TO_RPM, crossings_table, map_entry
from chaindrive.report.pack import Blob, Reference
from chaindrive.report.page import header_of, render
from chaindrive.report.write import Report, check_report, written
from chaindrive.studies.run_warnings import warnings_of
from chaindrive.studies.table import values_text

if TYPE_CHECKING:
    from chaindrive.studies import StudyTable
    from chaindrive.studies.maps import SpeedMap

__all__ = ["write_campbell"]

MARKED = 6
"""Largest number of crossings marked in a map."""
LISTED = 20


def write_campbell(
    study: StudyTable,
    path: str | os.PathLike[str],
    *,
    reports: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
) -> Report:
    """Write the Campbell diagram of a study into one self-contained HTML file.

    reports: folder in which the study wrote the reports of the runs, 0.html and so on; a click on a run opens its
    report by a path relative to this file. overwrite: whether a file that is not a page of chaindrive may be replaced.
    Raises InputError for a study without spectra or whose runs all have the same speed, and for paths that cannot be
    used; ComputationError if the disk is full.
    """
    target = check_report(path, overwrite=overwrite)
    maps = study.maps
    links = _links(study, target, None if reports is None else Path(reports))
    blob = Blob()
    header = header_of(study.study.name, [])
    header["maps"] = [_entry(study, each, links, blob) for each in maps]
    text = render(header, [blob.packed()], _contents(study, maps, links), "campbell.html.j2")
    return Report(target, written(target, text), ())


def _links(study: StudyTable, target: Path, folder: Path | None) -> dict[int, str]:
    """Addresses of the reports relative to the page, by the numbers of the runs that have a report."""
    if folder is None:
        return {}
    from urllib.parse import quote

    found = {row.run: folder / f"{row.run}.html" for row in study.rows}
    here = target.resolve().parent
    return {
        run: quote(Path(os.path.relpath(place.resolve(), here)).as_posix())
        for run, place in found.items()
        if place.is_file()
    }


def _entry(study: StudyTable, each: SpeedMap, links: dict[int, str], blob: Blob) -> Reference:
    found = each.waterfall
    title = found.label[:1].upper() + found.label[1:]
    marked = each.crossings[:MARKED]
    rows = {row.run: row for row in study.rows}
    return map_entry(found, each.lines, blob, title, each.operating, marked) | {
        "group": each.curve,
        "runs": [
            {"name": f"run {run}, {values_text(study.study, rows[run])}", "href": links.get(run)}
            for run in found.run.tolist()
        ],
    }


def _contents(study: StudyTable, maps: Sequence[SpeedMap], links: dict[int, str]) -> Contents:
    given = study.study
    runs = f"{len(study)} of {study.total} runs" if not study.complete else f"{study.total} runs"
    failed = f", {len(study.failed)} without a result" if study.failed else ""
    operating = "" if not study.operating else f", operating speed {TO_RPM * study.operating:.5g} rpm"
    sections = [_crossings(maps), _runs(study, links)]
    words = tuple(text for text in (given.source, *given.notes) if text)
    sections += [Section("study", "The study", words)] if words else []
    return Contents(
        title=given.name,
        subtitle=f"Campbell diagram of {runs}{failed}{operating}",
        labels=(),
        warnings=tuple(each.text for each in warnings_of(study)),
        verdicts=(),
        verdicts_table=None,
        summary=Section("", ""),
        islands={},
        sections=tuple(sections),
    )


def _crossings(maps: Sequence[SpeedMap]) -> Section:
    """The section with a table of crossings for every curve of the study."""
    curves: dict[str, SpeedMap] = {}
    for each in maps:
        curves.setdefault(each.curve, each)
    tables = []
    for name, each in curves.items():
        speed = TO_RPM * each.waterfall.speed
        note = (
            f"From {speed[0]:.4g} to {speed[-1]:.4g} rpm, speeds and tensions are interpolated linearly between the "
            "runs. The modes are modes 1 and 2 of spans without a guide, as moving strings, and the two lowest "
            "longitudinal modes of the drive; of a drive with stages or rotors only those of spans."
        )
        more = len(each.crossings) - LISTED
        note += f" {more} more crossings are further away." if more > 0 else ""
        if not each.crossings:
            note = f"No excitation meets a natural frequency. {note}"
        tables.append(crossings_table(name, each.crossings, note, LISTED, "the operating speed"))
    first = "The crossing nearest to the operating speed is listed first."
    near = first if maps[0].operating else "They are listed in order of speed."
    return Section(
        "crossings",
        "Crossings",
        (f"Speeds at which an excitation order crosses a natural frequency. {near}",),
        tuple(tables),
    )


def _runs(study: StudyTable, links: dict[int, str]) -> Section:
    """The section with a table of all runs and their figures of merit, with links to the reports that exist."""
    given = study.study
    columns = study.columns[2 : 2 + len(given.parameters) + len(given.figures_of_merit)]
    several = len(given.curves) > 1
    marked = any(each.ending for each in study.rows)
    rows = []
    for each in study.rows:
        numbers: list[Any] = [_number(value) for value in (*each.parameters, *each.figures)]
        curve = [each.curve] if several else []
        ending = [Cell(each.ending, note=each.remark)] if marked else []
        rows.append((Cell(str(each.run), href=links.get(each.run, "")), *row("", *curve, *numbers, *ending)[1:]))
    headings = [
        "run",
        *(["curve"] if several else []),
        *(f">{column.heading.removesuffix(' [1]')}" for column in columns),
        *([""] if marked else []),
    ]
    if links:
        words = "Click a run here or in the map to open its report."
    else:
        words = "No reports of the runs were written; set reports = true in the file of the study to write them."
    return Section("runs", "Runs", (words,), (table("", headings, rows),))


def _number(value: float | str | bool) -> str:
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.6g}".replace("-", "\u2212")
    return str(value)
