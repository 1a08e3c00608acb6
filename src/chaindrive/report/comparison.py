"""The sections on analytical checks and on the load cycles that cause fatigue of the links."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from chaindrive.analyses.results.comparison import Compared, Comparison
from chaindrive.analyses.results.rainflow import Rainflow, equivalent_range, range_mean_histogram
from chaindrive.errors import InputError
from chaindrive.numbers import column, count, scaled
from chaindrive.report.contents import Cell, Section, Table, amount, row, table
from chaindrive.report.findings import Findings
from chaindrive.report.subject import Subject
from chaindrive.report.tables import missing_lines, window_text

__all__ = ["comparison_section", "rainflow_section"]

RANGES = 12
"""Number of classes of ranges in the table of cycles."""
EXPONENT = 5.0
"""Exponent of the S-N curve for the damage-equivalent range."""


def comparison_section(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Section:
    """The section that compares the run with the analytical checks of the same drive, and lists those that do not
    apply.
    """
    tables: list[Table] = []
    for subject, found in zip(subjects, findings, strict=True):
        if found.comparison is None:
            continue
        whose = f"{subject.label}: simulation" if len(subjects) > 1 else "Simulation"
        when = window_text(found.comparison.start, found.comparison.stop)
        if found.comparison.rows:
            headings = ["", "where", ">simulated", ">analytical", ">difference [%]", "formula"]
            every = found.comparison.rows
            rows = [_compared(each, before) for each, before in zip(every, (None, *every), strict=False)]
            caption = f"{whose} and analytical checks, means over {when}"
            tables.append(table(caption, headings, rows, "No parameter is fitted."))
        if found.comparison.left_out:
            tables.append(_not_compared(found.comparison, subject.label if len(subjects) > 1 else ""))
    return Section("comparison", "Analytical checks", missing_lines(subjects, findings, "comparison"), tuple(tables))


def _compared(each: Compared, before: Compared | None) -> tuple[Cell, ...]:
    """A row of the comparison. The formula is given only if it differs from that of the row before."""
    formula = Cell(each.formula, None, f"{each.source}{'; ' if each.remark else ''}{each.remark}")
    if before is not None and (before.formula, before.source, before.remark) == (
        each.formula, each.source, each.remark,
    ):  # fmt: skip
        formula = Cell("see above")
    return row(
        each.quantity,
        each.where,
        amount(each.simulated, each.unit),
        amount(each.analytical, each.unit),
        f"{100.0 * each.relative:+.2g}" if math.isfinite(each.relative) else "–",
        formula,
    )


_END = "-form expressions that do not apply"


def _not_compared(found: Comparison, label: str) -> Table:
    """A table of the analytical checks that do not apply, with each reason once."""
    places: dict[tuple[str, str], list[str]] = {}
    for each in found.left_out:
        places.setdefault((each.quantity, each.reason), []).append(each.where)
    rows = [row(what, ", ".join(filter(None, where)), why) for (what, why), where in places.items()]
    return table(f"{label}: closed{_END}" if label else f"Closed{_END}", ["", "where", "why"], rows)


def rainflow_section(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Section:
    """The section with rainflow counts of the tension of the links: ranges, their counts, and the equivalent range."""
    paragraphs = list(missing_lines(subjects, findings, "cycles"))
    tables = []
    for subject, found in zip(subjects, findings, strict=True):
        if found.cycles is None or not found.cycles.range.size:
            continue
        before = f"{subject.label}: counted" if len(subjects) > 1 else "Counted"
        loops = found.cycles.loops
        how_many = f", {loops:.3g} loop{'s' * (f'{loops:.3g}' != '1')} of the chain" if math.isfinite(loops) else ""
        when = window_text(found.cycles.start, found.cycles.stop)
        paragraphs.append(f"{before} over {when}{how_many}, from all stored instants. {_damage(found.cycles)}".rstrip())
        tables.append(_cycles(found.cycles, subject.label if len(subjects) > 1 else ""))
    if tables:
        counted = [found.cycles for found in findings if found.cycles is not None]
        paragraphs.append(_how_counted(all(each.repeating for each in counted)))
    return Section("rainflow", "Load cycles of the links", tuple(paragraphs), tuple(tables))


def _how_counted(repeating: bool) -> str:
    """Text on the section of the standard that is used and the treatment of ranges that do not close."""
    if repeating:
        return (
            "Cycles are counted by rainflow counting for repeating histories (ASTM E1049-85, section 5.4.5): the "
            "loops counted are treated as one period of a repeating history, so that every cycle closes."
        )
    return (
        "Cycles are counted by rainflow counting (ASTM E1049-85, section 5.4.4): ranges that do not close count as "
        "half cycles."
    )


def _damage(cycles: Rainflow) -> str:
    """Text on the damage-equivalent range: that of the link for which it is largest, and the mean of all links."""
    try:
        ranges = equivalent_range(cycles, EXPONENT)
    except InputError:
        return ""
    worst = int(np.argmax(ranges))
    return (
        f"Damage-equivalent range, one cycle per loop: {amount(float(ranges[worst]), 'N')} in link "
        f"{cycles.links[worst]}, the largest; mean of all links {amount(float(ranges.mean()), 'N')} (Miner's rule, "
        f"exponent {EXPONENT:g}, no endurance limit)."
    )


def _cycles(cycles: Rainflow, label: str) -> Table:
    """A table of cycles by class of ranges, largest ranges first, as means of the links."""
    found = range_mean_histogram(cycles, RANGES, 1)
    per_link = found.count[:, 0] / max(cycles.links.size, 1)
    factor, unit = scaled(found.range_edges, "N")
    hours = cycles.duration / 3600.0
    rows = []
    for k in reversed(range(per_link.size)):
        low, high = found.range_edges[k] * factor, found.range_edges[k + 1] * factor
        rows.append(
            row(
                f"{low:.4g} to {high:.4g}",
                column(float(per_link[k] / cycles.loops)) if cycles.loops > 0.0 else "–",
                count(float(f"{per_link[k] / hours:.3g}")) if hours > 0.0 else "–",
            )
        )
    caption = f"{label}: cycles" if label else "Cycles"
    headings = [f"tension range [{unit}]", ">cycles per loop", ">cycles per hour"]
    return table(f"{caption} of one link, mean of all links", headings, rows)
