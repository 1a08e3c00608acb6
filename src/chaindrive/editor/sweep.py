"""A sweep started in the editor: a study that varies one number of the drive.

The file of the study is kept beside that of the drive. This file and the folder of the study have the format of
``chaindrive sweep``, which can resume the study. Further entries can be added to the file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import tomlkit

from chaindrive.errors import InputError, Problem
from chaindrive.model import loads
from chaindrive.model.files.drawing import looking_in
from chaindrive.model.files.text import tables
from chaindrive.model.problems import shown
from chaindrive.model.study.description import Study

__all__ = ["FIGURES", "study_text", "sweep"]

FIGURES = {
    "tension_steady": ("largest link tension, steady part", "N"),
    "contact_force": ("largest tooth force", "N"),
    "bearing_force": ("largest bearing load", "N"),
    "vibration": ("span vibration relative to span length", "%"),
    "efficiency": ("efficiency", "%"),
}
"""Figures of merit that a page offers, each with its name and unit, by the key of the finding in the verdict."""
MOST_VALUES = 200
NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*)")
PLACE = re.compile(r"[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[\d+\])*")


def study_text(drive: str, given: Mapping[str, Any]) -> str:
    """Return the text of the file of a study.

    drive: name of the file of the drive, in the same folder; given: place of the number ("wheels[0].motion.speed"),
    values (a string: "400 rpm, 500 rpm"), block (whether to use the chain drive block) and figures (findings). Raises
    InputError with all problems.
    """
    place, block, figures = given.get("place"), given.get("block"), given.get("figures")
    problems = []
    if not isinstance(place, str) or not PLACE.fullmatch(place):
        problems.append(
            Problem("place", 'must be the place of a number, such as "wheels[0].motion.speed"', shown(place))
        )
    if not isinstance(block, bool):
        problems.append(Problem("block", "must be true or false", shown(block)))
    if not isinstance(figures, list) or not figures or any(each not in [*FIGURES] for each in figures):
        problems.append(Problem("figures", f"must be chosen from {', '.join(FIGURES)}", shown(figures)))
    values, unit = _values(given.get("values"), problems)
    if problems:
        raise InputError(problems)
    document = tomlkit.document()
    document.add(
        tomlkit.comment("Started in the editor. To resume it, run chaindrive sweep with the name of this file.")
    )
    described = {
        "name": f"{Path(drive).stem}: {place}",
        "drive": drive,
        "on_misfit": "row",
        **({"set": {"run.formulation": {"kind": "block"}}} if block else {}),
        "parameters": [
            {"name": place, "unit": unit, "values": values, "set": re.sub(r"\[(\d+)\]", r".\1", str(place))}
        ],
        "figures_of_merit": [
            {"name": FIGURES[each][0], "finding": each, "unit": FIGURES[each][1]}
            for each in dict.fromkeys(figures or ())
        ],
    }
    document.update(described)
    text = tomlkit.dumps(document)
    Study.from_dict(tables(text))
    return text


def _values(given: Any, problems: list[Problem]) -> tuple[list[Any], str]:
    """Return the values in a string, separated by commas or semicolons, and the unit of the first value."""
    parts = [part.strip() for part in re.split(r"[,;]", given)] if isinstance(given, str) else []
    parts = [part for part in parts if part]
    if not 1 <= len(parts) <= MOST_VALUES:
        message = f'must be 1 to {MOST_VALUES} values separated by commas, such as "400 rpm, 500 rpm"'
        problems.append(Problem("values", message, shown(given)))
        return [], ""
    found = [NUMBER.fullmatch(part) for part in parts]
    numbers = [(each[1], each[2]) for each in found if each and math.isfinite(float(each[1]))]
    if len(numbers) < len(parts):
        problems.append(Problem("values", "must be numbers, each with its unit if it has one", shown(given)))
        return [], ""
    unit = numbers[0][1]
    return [float(number) if own in ("", unit) else f"{number} {own}" for number, own in numbers], unit


def sweep(
    text: str, folder: Path, send: Callable[[dict[str, Any]], bool], study: str = "", output: str = ""
) -> dict[str, Any]:
    """Perform the runs of a study one after the other and return its table; if stopped, keep the rows so far.

    text: the text of the drive; study: the text of the file of the study. Raises InputError for values with which the
    drive is impossible.
    """
    from chaindrive.plots.study import plot_study
    from chaindrive.studies import run_study
    from chaindrive.studies.store import PICTURE, TABLE

    with looking_in(folder):
        drive = loads(text)
        described = Study.from_dict(tables(study))

    def tell(progress: Any) -> None:
        left = progress.remaining if progress.latest is not None else None
        if send({"time": progress.done, "until": progress.total, "remaining": left}):
            raise KeyboardInterrupt

    described = described.model_copy(update={"drive": str(folder / described.drive)})
    table = run_study(described, drive=drive, output=folder / output, workers=1, progress=tell)
    if table.rows:
        plot_study(table).savefig(folder / output / PICTURE)
    return {
        "table": f"{output}/{TABLE}",
        "picture": f"{output}/{PICTURE}",
        "total": table.total,
        "columns": _headings(table.columns),
        "rows": [[*map(_cell, (*row.parameters, *row.figures)), row.ending] for row in table.rows],
        "remarks": list(dict.fromkeys(row.remark for row in table.rows if row.failed)),
    }


def _headings(columns: Sequence[Any]) -> list[str]:
    """Return the headings of parameters and figures: those of all columns but the first two and the last six."""
    return [column.heading for column in columns[2:-6]]


def _cell(value: float | str | bool) -> str:
    """Return a number or word of the table as it is shown, with a dash for an unknown value."""
    if isinstance(value, float):
        return f"{value:.5g}" if value == value else "–"
    return str(value)
