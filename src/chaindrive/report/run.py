"""How the results were computed: options, integration, how well they repeat; and in what they differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from chaindrive.analyses.periodicity import repetitions
from chaindrive.numbers import clock, count
from chaindrive.report.contents import Section, amount, merged, row, side_by_side, table
from chaindrive.report.subject import Subject

__all__ = ["differences", "run_section"]


def run_section(subjects: Sequence[Subject]) -> Section:
    """Options, statistics and how well the result repeats."""
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
            tables.append(
                table(
                    f"How well it repeats at the end{whose}",
                    ["channel", ">one loop before [%]", ">one driver revolution before [%]", ">one tooth before [%]"],
                    [row(each.name, *(_share(x) for x in each[1:])) for each in rows],
                    "Rms of the difference; 0 % repeats exactly, 100 % is not related.",
                )
            )
    return Section("run", "How it was computed", (), tuple(tables))


def _share(value: float) -> str:
    return f"{100.0 * value:.2g}" if math.isfinite(value) else "–"


def _statistics(subject: Subject) -> dict[str, str]:
    statistics = subject.solution.statistics
    known = {
        "steps": ("steps", count),
        "rejected": ("of them rejected", count),
        "evaluations": ("evaluations of the right-hand side", count),
        "changed": ("of them after an impact", count),
        "smallest_step": ("smallest step", lambda value: amount(value, "s", 3)),
        "mean_step": ("mean step", lambda value: amount(value, "s", 3)),
        "largest_step": ("largest step", lambda value: amount(value, "s", 3)),
        "simulated_time": ("simulated time", lambda value: amount(value, "s", 6)),
        "wall_time": ("wall-clock time", clock),
    }
    found = {words: str(form(statistics[key])) for key, (words, form) in known.items() if key in statistics}
    return found | {key.replace("_", " "): f"{value:g}" for key, value in statistics.items() if key not in known}


def _flat(values: Any, before: tuple[str, ...] = ()) -> dict[tuple[str, ...], str]:
    """Nested options as paths and texts; parts of lists go by their names where they have any."""
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
    """Values of the descriptions and options in which several results differ; None for one result."""
    if len(subjects) < 2:
        return None
    words = {"name", "source", "notes"}
    values = [_shortened(_flat(each.drive.model_dump(exclude_none=True, exclude=words)), subjects) for each in subjects]
    rows = [
        row(".".join(path), *(each.get(path, "–") for each in values))
        for path in merged(values)
        if len({each.get(path) for each in values}) > 1
    ]
    if not rows:
        return Section("differences", "What differs", ("The results have the same description and the same options.",))
    headings = ["", *(subject.label for subject in subjects)]
    caption = "Values that differ, in SI units; everything else in description and options is the same"
    return Section("differences", "What differs", (), (table(caption, headings, rows),))


def _shortened(values: dict[tuple[str, ...], str], subjects: Sequence[Subject]) -> dict[tuple[str, ...], str]:
    """One line for a part (wheel, guide, body, tensioner) that not all of the results have, instead of all it says."""
    found: dict[tuple[str, ...], str] = {}
    for path, text in values.items():
        name = path[1] if len(path) > 2 and path[0] in _PARTS else ""
        if name and not all(any(part.name == name for part in getattr(each.drive, path[0])) for each in subjects):
            found[path[:2]] = "there"
        elif not (name and path[2:] == ("name",)):
            found[path] = text
    return found


_PARTS = ("wheels", "guides", "bodies", "tensioners")
