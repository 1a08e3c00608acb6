"""The section on strength and life of the chain: findings with their limits, and power ratings of the wheels."""

from __future__ import annotations

import math
from collections.abc import Sequence

from chaindrive.analyses.analytical.rating import WheelRating
from chaindrive.analyses.results.plate_forces import PlatePeak
from chaindrive.analyses.results.strength import Finding, Strength
from chaindrive.numbers import column, hours, percent, scaled
from chaindrive.report.contents import Cell, Jump, Section, Table, amount, row, table
from chaindrive.report.findings import Findings
from chaindrive.report.subject import Subject
from chaindrive.report.tables import missing_lines, part_line

__all__ = ["strength_section"]

PICKED = ("link", "span", "wheel")


def strength_section(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Section:
    """The section with a table for each result. If a value has no limit, the table names the key that would set one."""
    paragraphs = [line for name in ("strength", "plates") for line in missing_lines(subjects, findings, name)]
    tables: list[Table] = []
    for k, (subject, found) in enumerate(zip(subjects, findings, strict=True)):
        if found.strength is None:
            continue
        label = subject.label if len(subjects) > 1 else ""
        part = found.strength.part
        paragraphs.append(part_line(part.name, part.text, label))
        paragraphs += [f"{label}: {text}" if label else text for text in found.strength.remarks]
        tables.append(_findings(found.strength, k, label))
        if found.strength.ratings:
            tables.append(_ratings(found.strength.ratings, label))
        if found.plates:
            tables.append(_plates(found.plates, k, label))
    return Section("strength", "Strength and life", tuple(paragraphs), tuple(tables))


def _value(value: float, unit: str) -> str:
    text = hours(value) if unit == "s" else amount(value, unit) if math.isfinite(value) else "not known"
    return text.replace(" ", "\u00a0")


def _findings(found: Strength, result: int, label: str) -> Table:
    rows = []
    for each in found.findings:
        limit = Cell("–", None, f"give {each.missing}")
        if not each.missing:
            limit = Cell(_value(each.limit, each.unit), None, each.limit_source)
        used = percent(each.utilisation).replace("-", "–")
        value = _value(each.value, each.unit)
        rows.append(row(each.name, value, limit, used, _where(each, result), each.note))
    caption = f"{label}: strength and life" if label else "Strength and life of the chain"
    headings = ["", ">found", ">limit", ">utilisation [%]", "worst", "how"]
    return table(
        caption,
        headings,
        rows,
        "Tensions and pressure are maxima. For lives, utilisation is the required life divided by the calculated life.",
    )


def _where(each: Finding, result: int) -> Cell:
    if not math.isfinite(each.time):
        return Cell(each.where)
    jump = Jump(result, each.time, each.kind if each.kind in PICKED else "", each.index)
    return Cell(amount(each.time, "s", 6), jump, each.where)


def _plates(peaks: Sequence[PlatePeak], result: int, label: str) -> Table:
    """A table of the extreme forces on individual plates."""
    rows = [
        row(
            each.quantity,
            amount(each.value, "N"),
            amount(each.mean, "N"),
            str(each.link),
            str(each.row),
            Cell(amount(each.time, "s", 6), Jump(result, each.time, "link", each.link), each.where),
        )
        for each in peaks
    ]
    headings = ["", ">force", ">mean of the link's plates", ">link", ">row", "when and where"]
    note = "Rows are counted from 0 at one side of the chain. Clasp plates are those of the outermost rows."
    return table(f"{label}: forces of plates" if label else "Forces of plates", headings, rows, note)


def _ratings(ratings: Sequence[WheelRating], label: str) -> Table:
    """A table of the mean power at every wheel, compared with the rating according to ANSI B29.1."""
    known = [x for each in ratings for x in (each.power, each.plates, each.rollers, each.galling) if math.isfinite(x)]
    factor, unit = scaled([min(max(known, default=0.0), max((each.rated for each in ratings), default=0.0))], "W")
    rows = [
        row(
            each.name,
            str(each.teeth),
            *(column(x * factor, 2) for x in (each.power, each.plates, each.rollers, each.galling)),
            percent(each.used),
        )
        for each in ratings
    ]
    headings = [
        "wheel", ">teeth", f">mean power [{unit}]", f">plates [{unit}]", f">rollers, bushes [{unit}]",
        f">galling [{unit}]", ">utilisation [%]",
    ]  # fmt: skip
    whose = f"{label}: mean" if label else "Mean"
    note = (
        "ANSI B29.1 (Shigley 2011, Eqs. 17-32, 17-33, 17-40), for 15 000 h. Plates outside the A series are rated "
        "by their dynamic strength."
    )
    f1 = ratings[0].application_factor
    if f1 != 1.0:
        note += f" Utilisation includes the application factor f1 = {f1:g}."
    return table(f"{whose} power transmitted by the wheels, and power ratings", headings, rows, note)
