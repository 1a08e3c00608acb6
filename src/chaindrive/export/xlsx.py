"""Channels of a result over time as an Excel workbook with one sheet of numbers and one that states their source.

A workbook is a ZIP archive of XML files (ECMA-376, Office Open XML). The numbers are written row by row, with no more
than one block of the result in memory.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import numpy as np

from chaindrive.errors import InputError, Problem
from chaindrive.export.selection import Selection
from chaindrive.export.target import maker

if TYPE_CHECKING:
    from chaindrive.results import Solution

__all__ = ["MOST_COLUMNS", "MOST_ROWS", "write_workbook"]

MOST_ROWS, MOST_COLUMNS = 1 << 20, 1 << 14
"""Largest numbers of rows and columns of an Excel sheet."""
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEETS = ("channels", "run")
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def write_workbook(
    solution: Solution, chosen: Selection, part: Path, progress: Callable[[int, int], None], facts: Mapping[str, str]
) -> None:
    """Write a workbook with the sheets "channels" (time and one column for each element) and "run" (``facts``).

    The first row contains the names with units and is frozen; an empty cell stands for not-a-number or infinity. Raises
    InputError if the table is larger than an Excel sheet.
    """
    rows, columns = chosen.rows.size + 1, len(chosen.columns) + 1
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        message = (
            f"{rows} rows and {columns} columns are more than an Excel sheet can have ({MOST_ROWS} and "
            f"{MOST_COLUMNS}): choose fewer with --every, --start, --stop or --channels, or write .csv or .parquet"
        )
        raise InputError(Problem("output", message))
    about = [("made by", maker()), *facts.items()]
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = maker().encode()
        for name, text in _frame().items():
            archive.writestr(name, _HEAD + text)
        headings = ["time [s]", *(column.heading for column in chosen.columns)]
        _sheet(archive, 1, _rows(solution, chosen, headings, progress))
        _sheet(archive, 2, (_row([name, text]) for name, text in about))


def _rows(
    solution: Solution, chosen: Selection, headings: Sequence[str], progress: Callable[[int, int], None]
) -> Iterator[str]:
    yield _row(headings)
    done = 0
    for times, columns in chosen.blocks(solution):
        for row in np.column_stack([times, *columns]).tolist():
            yield _row(row)
        done += times.size
        progress(done, chosen.rows.size)


def _row(cells: Sequence[Any]) -> str:
    return f"<row>{''.join(map(_cell, cells))}</row>"


def _cell(value: Any) -> str:
    if isinstance(value, str):
        plain = "".join(character for character in value if character >= " " or character in "\t\n")
        return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(plain)}</t></is></c>'
    return f"<c><v>{value!r}</v></c>" if math.isfinite(value) else "<c/>"


def _sheet(archive: zipfile.ZipFile, number: int, rows: Iterator[str]) -> None:
    frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' if number == 1 else ""
    views = f'<sheetViews><sheetView workbookViewId="0">{frozen}</sheetView></sheetViews>'
    with (
        archive.open(f"xl/worksheets/sheet{number}.xml", "w", force_zip64=True) as raw,
        TextIOWrapper(raw, encoding="utf-8", newline="") as file,
    ):
        file.write(f'{_HEAD}<worksheet xmlns="{_MAIN}">{views}<sheetData>')
        for row in rows:
            file.write(row)
        file.write("</sheetData></worksheet>")


def _frame() -> dict[str, str]:
    """Return the files of the archive other than the sheets."""
    numbers = range(1, len(_SHEETS) + 1)
    kinds = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_TYPE}.worksheet+xml"/>' for n in numbers
    )
    sheets = "".join(f'<sheet name="{_SHEETS[n - 1]}" sheetId="{n}" r:id="rId{n}"/>' for n in numbers)
    links = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n in numbers
    )
    return {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>{kinds}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>',
    }
