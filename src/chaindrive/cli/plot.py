"""``chaindrive plot``: draws a picture from a results file."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chaindrive.cli import console
from chaindrive.cli.pictures import check_picture, default_picture, save_picture
from chaindrive.errors import InputError, Problem
from chaindrive.export.data import check_table, save_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from chaindrive.results import Solution

__all__ = ["plot", "run_picture"]

_TIMES = frozenset({"time", "start", "stop"})


def plot(
    file: str,
    name: str,
    output: Path | None,
    chosen: Mapping[str, int | str | None],
    data: Path | None = None,
    stage: str | None = None,
) -> None:
    """Draw one plot of a results file, and write its values into a table on request.

    chosen: items shown in the plot (link, roller, pin as numbers; span, channel, index, wheel, scaling as strings;
    time, start, stop as strings with units); None for items that are not given. stage: stage whose chain is shown;
    None: the chain of the drive itself. Raises InputError for an unknown plot, for arguments that do not apply to the
    plot, and for a file that is not a results file.
    """
    if output is not None:
        check_picture(output, "--output")
    if data is not None:
        check_table(data, "--data")
    from chaindrive import results

    with results.open(file) as whole:
        solution = whole.chains[0] if stage is None else whole.stage(stage)
        if not solution.time.size:
            message = "contains no results: the run ended before the first instant was stored"
            raise InputError(Problem("", message), file)
        if not solution.drive_text.strip():
            raise InputError(
                Problem("", "does not state which drive was simulated; it was not written by chaindrive"), file
            )
        draw, given = _chosen(name, chosen)
        figure = draw(solution, **given)
        of = Path(file).stem if stage is None else f"{Path(file).stem}-{stage}"
        target = output or default_picture(f"{of}-{name}.png")
        if target is None:
            message = f"{of}-{name}.png was not made by chaindrive and is not overwritten: choose a name with -o"
            raise InputError(Problem("--output", message))
        save_picture(figure, target)
        written = [] if data is None else _save_tables(name, solution, given, data)
    console.say(f"{name} drawn in {target}")
    if written:
        console.say(f"its values in {', '.join(map(str, written))}")


def _save_tables(name: str, solution: Solution, given: Mapping[str, Any], data: Path) -> list[Path]:
    """Write one file for each table of a plot, and return their paths: ``data`` for the first, with names appended for
    the others.
    """
    from chaindrive.export.target import check_export
    from chaindrive.plots import DATA, tables_of

    tables = tables_of(DATA[name](solution, **given))
    first, *others = tables
    places = {first: data} | {title: data.with_name(f"{data.stem}-{title}{data.suffix}") for title in others}
    for place in places.values():
        check_export(place, "--data")
    for title, place in places.items():
        save_table(tables[title], place, f"{name}{f' ({title})' if title else ''} of {solution.name}")
    return list(places.values())


def _chosen(name: str, chosen: Mapping[str, int | str | None]) -> tuple[Callable[..., Figure], dict[str, Any]]:
    """Return the plot function and its arguments."""
    from chaindrive.model.problems import nearest
    from chaindrive.plots import PLOTS

    if name not in PLOTS:
        hint = nearest(name, PLOTS) or "."
        raise InputError(Problem("plot", f"is not known{hint} Available: {', '.join(PLOTS)}", repr(name)))
    takes = list(inspect.signature(PLOTS[name]).parameters)[1:]
    given: dict[str, Any] = {}
    problems = []
    for key, value in chosen.items():
        if value is None:
            continue
        if key not in takes:
            options = ", ".join(f"--{option}" for option in takes if option in chosen) or "no options"
            problems.append(
                Problem(f"--{key}", f"does not apply to the plot {name}, which takes {options}", str(value))
            )
            continue
        try:
            given[key] = _seconds(value) if key in _TIMES and isinstance(value, str) else value
        except ValueError as error:
            problems.append(Problem(f"--{key}", str(error), repr(value)))
    if problems:
        raise InputError(problems)
    return PLOTS[name], given


def _seconds(text: str) -> float:
    from chaindrive.units import to_si

    return to_si(text, "s")


def run_picture(solution: Solution) -> Figure:
    """Return the picture of a run: its overview, or only the drive if the overview needs channels that were not
    kept.
    """
    from chaindrive.plots import PLOTS, plot_drive

    try:
        return PLOTS["overview"](solution)
    except InputError as error:
        console.warn(f"the picture shows only the drive: {error}")
        return plot_drive(solution.drive)
