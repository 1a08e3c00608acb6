"""``chaindrive export``: writes results and drives as files for other tools."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from chaindrive.cli import console
from chaindrive.cli.drives import named_drive, problems_in
from chaindrive.cli.endings import Stopped
from chaindrive.cli.run import Signals
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.stages import chains_alone
from chaindrive.numbers import clock, count, quantity
from chaindrive.shell import command
from chaindrive.simulation.progress import REPORT_INTERVAL

if TYPE_CHECKING:
    from chaindrive.model import Drive
    from chaindrive.results import Solution

__all__ = ["Request", "export"]

TABLES, FILMS, DRAWINGS = ("csv", "parquet", "xlsx", "mat"), ("gif", "mp4"), ("dxf", "svg")
ENDINGS = (
    "csv, parquet, xlsx, mat (channels of a results file), gif, mp4, or a folder such as frames/ (its animation), "
    "dxf, svg (the drive to scale)"
)
_WINDOW, _STAGE = ("--start", "--stop"), "--stage"
TAKEN = {
    "table": ("--channels", "--every", *_WINDOW, _STAGE),
    "film": ("--fps", "--duration", "--width", *_WINDOW, _STAGE),
    "drawing": (_STAGE,),
}
"""The options that apply to each kind of export."""


class Request(NamedTuple):
    """What the command line requests."""

    file: str
    output: Path
    folder: bool
    """Whether the typed path ends with a slash."""
    force: bool
    changes: list[str]
    options: dict[str, Any]
    """The options that were given, by name."""


def export(request: Request) -> None:
    """Write the requested file.

    Raises InputError for wrong input, ComputationError if the disk is full, Stopped if interrupted; partial files are
    then removed.
    """
    kind = _kind(request)
    _check(request, kind)
    began = time.monotonic()
    try:
        with Signals() as signals:
            summary = {"table": _table, "film": _film, "drawing": _drawing}[kind](request, signals)
    except KeyboardInterrupt as interruption:
        console.note(f"Interrupted: {request.output} was not written.", "")
        raise Stopped(interruption) from None
    console.say(f"{summary} ({clock(time.monotonic() - began)})")


def _kind(request: Request) -> str:
    ending = request.output.suffix.lower().lstrip(".")
    if request.folder or request.output.is_dir() or not ending:
        return "film"
    for kind, endings in (("table", TABLES), ("film", FILMS), ("drawing", DRAWINGS)):
        if ending in endings:
            return kind
    raise InputError(Problem("--output", f"the name must end in {ENDINGS}", repr(str(request.output))))


def _check(request: Request, kind: str) -> None:
    """Raise InputError with all inconsistent options, before anything is read."""
    problems = []
    takes = TAKEN.get(kind, ())
    whole = {"table": "a table", "film": "an animation", "drawing": "a drawing of the drive"}[kind]
    for name, value in request.options.items():
        if name not in takes:
            others = f", which takes {', '.join(takes)}" if takes else ""
            problems.append(Problem(name, f"does not apply to {whole}{others}", str(value)))
    if request.changes and (kind != "drawing" or _is_results(request.file)):
        problems.append(Problem("--set", "applies to drawings of a drive file, not to results"))
    if kind != "drawing" and _is_description(request.file):
        made = f"{Path(request.file).stem}.nc"
        run, then = command("run", request.file, "-o", made), command("export", made, "-o", request.output)
        message = f"{whole} is made from results: {run}, then {then}"
        problems.append(Problem("", message, request.file))
    if problems:
        raise InputError(problems)


def _is_description(file: str) -> bool:
    """Return whether the input is a drive rather than a result: a TOML file, or the name of an example."""
    from chaindrive.model import example_names

    return file.endswith(".toml") or (file in example_names() and not Path(file).exists())


def _is_results(file: str) -> bool:
    return file.lower().endswith(".nc")


def _seconds(request: Request, names: tuple[str, ...]) -> dict[str, float]:
    """Return the given times in seconds. Raises InputError with all that are not times."""
    from chaindrive.units import to_si

    found, problems = {}, []
    for name in names:
        text = request.options.get(name)
        if text is not None:
            try:
                found[name.lstrip("-")] = to_si(text, "s")
            except ValueError as error:
                problems.append(Problem(name, str(error), repr(text)))
    if problems:
        raise InputError(problems)
    return found


def _opened(request: Request) -> Solution:
    from chaindrive import results

    solution = results.open(request.file)
    if not solution.time.size:
        message = "contains no results: the run ended before the first instant was stored"
        raise InputError(Problem("", message), request.file)
    if not solution.drive_text.strip():
        raise InputError(
            Problem("", "does not state which drive was simulated; it was not written by chaindrive"), request.file
        )
    stage = request.options.get(_STAGE)
    return solution if stage is None else solution.stage(stage)


def _table(request: Request, signals: Signals) -> str:
    from chaindrive.export.matlab import write_matlab
    from chaindrive.export.selection import split_names
    from chaindrive.export.tables import write_table

    window = _seconds(request, _WINDOW)
    channels = request.options.get("--channels")
    write = write_matlab if request.output.suffix.lower() == ".mat" else write_table
    with _opened(request) as solution, _progress("writing", signals) as progress:
        rows = write(
            solution,
            request.output,
            None if channels is None else split_names(channels),
            request.options.get("--every", 1),
            overwrite=request.force,
            progress=progress,
            **window,
        )
    return f"{count(rows)} instants in {request.output}, {_size(request.output)}"


def _film(request: Request, signals: Signals) -> str:
    from chaindrive.export.film import write_film

    given: dict[str, Any] = dict(_seconds(request, (*_WINDOW, "--duration")))
    given |= {name.lstrip("-"): request.options[name] for name in ("--fps", "--width") if name in request.options}
    path = f"{request.output}/" if request.folder else request.output
    with _opened(request) as solution, _progress("drawing", signals) as progress:
        film = write_film(solution.chains[0], path, overwrite=request.force, progress=progress, **given)
    shown = f"{quantity(float(film.times[0]), 's')} to {quantity(float(film.times[-1]), 's')}"
    if (stored := len(set(film.rows.tolist()))) < len(film):
        console.note(f"The run has only {count(stored)} instants in this time, so some frames are repeated.", "")
    size = "" if request.output.is_dir() else f", {_size(request.output)}"
    return f"{count(len(film))} frames of {shown} in {request.output}{size}"


def _drawing(request: Request, _: Signals) -> str:
    from chaindrive.export.dxf import write_dxf
    from chaindrive.export.svg import write_svg

    write = write_dxf if request.output.suffix.lower() == ".dxf" else write_svg
    if _is_results(request.file):
        with _opened(request) as solution:
            drive = solution.drive
    else:
        drive = _chain_of(named_drive(request.file, request.changes).drive, request.options.get(_STAGE))
    with problems_in(request.file):
        write(drive, request.output, overwrite=request.force)
    return f"{drive.name} drawn to scale (unit 1 mm) in {request.output}, {_size(request.output)}"


def _chain_of(drive: Drive, stage: str | None) -> Drive:
    """Return the drive of a stage, or the given drive. Raises InputError for a stage that does not exist."""
    if stage is None:
        return drive
    names = [each.name for each in drive.stages]
    if stage not in names:
        raise InputError(Problem(_STAGE, f"there is no such stage; available: {names or 'none'}", repr(stage)))
    return chains_alone(drive)[1 + names.index(stage)]


def _size(path: Path) -> str:
    return quantity(path.stat().st_size, "B", 3)


@contextmanager
def _progress(what: str, signals: Signals) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar with a forecast on a terminal, and an occasional line elsewhere; signals are handled between
    two steps.
    """
    if not console.err().is_terminal:
        last = time.monotonic()

        def tell(done: int, total: int) -> None:
            nonlocal last
            signals.between_batches()
            if time.monotonic() - last >= REPORT_INTERVAL:
                last = time.monotonic()
                console.note(f"{what}: {count(done)} of {count(total)}", "")

        yield tell
        return
    from rich import progress as rich

    columns = (rich.TextColumn("{task.description}", markup=False), rich.BarColumn(), rich.TaskProgressColumn())
    with rich.Progress(*columns, rich.TimeRemainingColumn(), console=console.err(), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def show(done: int, total: int) -> None:
            signals.between_batches()
            bar.update(task, completed=done, total=total)

        yield show
