"""A section that compares results of a drive in several formulations: their common values, and explanations of the
differences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from chaindrive.analyses.results.side_by_side import FormulationRow, SideBySide, side_by_side
from chaindrive.errors import InputError
from chaindrive.report.contents import Cell, Section, row, table
from chaindrive.report.subject import Subject
from chaindrive.report.tables import window_text

__all__ = ["formulations_sections"]


def formulations_sections(subjects: Sequence[Subject]) -> tuple[Section, ...]:
    """A section if the results are those of the same drive, each in a different formulation; otherwise empty."""
    kinds = [
        (subject.solution.attrs.get("formulation", ""), subject.solution.drive.run.formulation.rigid_contacts)
        for subject in subjects
    ]
    if len(subjects) < 2 or len(set(kinds)) < len(kinds):
        return ()
    try:
        found = side_by_side({subject.label: subject.solution for subject in subjects})
    except InputError:  # of other drives
        return ()
    headings = ["", "where", *(f">{label}" for label in found.labels)]
    for label in found.labels[1:]:
        headings += [f">{label}: difference [%]", f"{label}: explained by"]
    lines = [f"Means and ranges over the steady part of each run: {_windows(found)}."]
    lines += [f"{label} neglects: {', '.join(out)}." for label, out in zip(found.labels, found.left_out, strict=True)
              if out]  # fmt: skip
    lines += [f"{remark}." for remark in found.remarks]
    lines += [f"[{number}] {text}" for number, text in enumerate(found.legend, 1)]
    caption = f"Results that all formulations have; differences from {found.labels[0]}"
    note = f"The same: within {100.0 * found.tolerance:g} % of the larger value."
    made = table(caption, headings, [_row(each, found) for each in found.rows], note)
    return (Section("formulations", "Formulations side by side", tuple(lines), (made,)),)


def _windows(found: SideBySide) -> str:
    each = zip(found.labels, found.windows, strict=True)
    return ", ".join(f"{label} {window_text(*window)}" for label, window in each)


def _row(each: FormulationRow, found: SideBySide) -> tuple[Cell, ...]:
    cells = [each.where, *each.texts]
    for index in range(1, len(each.values)):
        difference = each.differences[index - 1].relative if each.differences else math.nan
        cells += [f"{100.0 * difference:+.2f}" if math.isfinite(difference) else "", found.explanation(each, index)]
    return row(each.heading, *cells)
