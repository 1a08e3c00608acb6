"""Sections on how the results were computed (options, integration, repeatability) and on differences between
results.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from chaindrive.analyses.results.periodicity import MEANING, period_text, repetitions, share_text
from chaindrive.mechanism.facts import drive_facts
from chaindrive.numbers import integration
from chaindrive.report.contents import Section, amount, merged, row, side_by_side, table
from chaindrive.report.subject import Subject

__all__ = ["differences", "run_section"]


def run_section(subjects: Sequence[Subject]) -> Section:
    """The section with options, statistics and repeatability of the results."""
    settings = [
        {".".join(path): text for path, text in _flat(subject.solution.options).items()} for subject in subjects
    ]
    tables = [
        side_by_side("Options of the run", [each.label for each in subjects], settings, "SI units."),
        side_by_side("Integration", [each.label for each in subjects], [_statistics(subject) for subject in subjects]),
    ]
    for subject in subjects:
        if rows := repetitions(subject.solution):
            whose = f" ({subject.label})" if len(subjects) > 1 else ""
            times = ("loop", period_text(subject.drive), drive_facts(subject.drive).passing)
            shown = [k for k, time in enumerate(times) if time not in times[:k]]
            tables.append(
                table(
                    f"Repeatability at the end of the run{whose}",
                    ["channel", *(f">difference from one {times[k]} earlier [%]" for k in shown)],
                    [row(each.name, *(_share(each.shares[k]) for k in shown)) for each in rows],
                    f"{MEANING}.",
                )
            )
    return Section("run", "Computation", (), tuple(tables))


def _share(value: float) -> str:
    return share_text(value) if math.isfinite(value) else "–"


def _statistics(subject: Subject) -> dict[str, str]:
    return integration(subject.solution.statistics, subject.solution.notes, amount)


def _flat(values: Any, before: tuple[str, ...] = ()) -> dict[tuple[str, ...], str]:
    """Return nested options as strings by path; items of lists appear under their names if they have names."""
    if isinstance(values, Mapping):
        items = [(str(key), item) for key, item in values.items()]
    elif isinstance(values, list | tuple) and any(isinstance(item, Mapping | list | tuple) for item in values):
        items = [
            (str(item["name"]) if isinstance(item, Mapping) and item.get("name") else str(number), item)
            for number, item in enumerate(values)
        ]
    elif isinstance(values, list | tuple):
        return {before: ", ".join(_number(item) for item in values)} if values else {}
    else:
        return {before: "–" if values is None else _number(values)}
    found: dict[tuple[str, ...], str] = {}
    for key, item in items:
        found |= _flat(item, (*before, key))
    return found


def _number(value: Any) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def differences(subjects: Sequence[Subject]) -> Section | None:
    """The section with the values of descriptions and options in which several results differ; None for a single
    result.

    A part (wheel, guide, body, tensioner) that not all results have takes one line; its values follow only if they
    differ between the results that have it.
    """
    if len(subjects) < 2:
        return None
    words = {"name", "source", "notes"}
    values = [_flat(each.drive.model_dump(exclude_none=True, exclude=words)) for each in subjects]
    parts = [{path[:2] for path in each if path[0] in _PARTS and len(path) > 2} for each in values]
    rows, seen = [], set()
    for path in merged(values):
        part = path[:2] if path[0] in _PARTS else ()
        having = [not part or part in each for each in parts]
        if not all(having) and part not in seen:
            seen.add(part)
            rows.append(row(".".join(part), *("present" if has else "–" for has in having)))
        found = {each.get(path) for each, has in zip(values, having, strict=True) if has}
        if len(found) > 1 and path[2:] != ("name",):
            rows.append(row(".".join(path), *(each.get(path, "–") for each in values)))
    if not rows:
        return Section("differences", "Differences", ("The results have the same description and options.",))
    headings = ["", *(subject.label for subject in subjects)]
    caption = "Values that differ, in SI units; all other parts of the description and options are the same"
    return Section("differences", "Differences", (), (table(caption, headings, rows),))


_PARTS = ("wheels", "guides", "bodies", "tensioners")
