"""``chaindrive report``: writes results files as one page that any browser can open."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chaindrive.cli import console
from chaindrive.errors import ChaindriveError, InputError, Problem
from chaindrive.numbers import quantity
from chaindrive.shell import command

if TYPE_CHECKING:
    from chaindrive.results import Solution

__all__ = [
    "Request",
    "check_beside",
    "default_report",
    "labels_of",
    "opened",
    "parse_window",
    "report",
    "written_beside",
]


class Request(NamedTuple):
    """What the command line requests; strings as typed."""

    files: Sequence[str]
    output: Path | None = None
    start: str | None = None
    stop: str | None = None
    frames: int | None = None
    title: str | None = None
    labels: Sequence[str] = ()
    force: bool = False


def default_report(files: Sequence[str]) -> Path:
    """Return RUN.html in the working folder for one file, report.html for several files."""
    return Path(f"{Path(files[0]).stem}.html") if len(files) == 1 else Path("report.html")


def report(request: Request) -> None:
    """Write the report. Raises InputError with all problems of options and files at once."""
    from chaindrive import results
    from chaindrive.report import check_report, write_report

    problems: list[Problem] = []
    output = request.output or default_report(request.files)
    window = parse_window(request.start, request.stop, problems)
    if request.labels and len(request.labels) != len(request.files):
        message = f"give one for each of the {len(request.files)} files, or none"
        problems.append(Problem("--label", message, f"{len(request.labels)} labels"))
    if request.frames is not None and request.frames < 2:
        problems.append(Problem("--frames", "an animation needs at least 2", str(request.frames)))
    with _collected(problems):
        check_report(output, "--output", overwrite=request.force)
    with contextlib.ExitStack() as opened:
        solutions: list[Solution] = []
        for file in request.files:
            with _collected(problems):
                solutions.append(opened.enter_context(results.open(file)))
        if problems:
            raise InputError(problems)
        labels = list(request.labels) or labels_of([each.name for each in solutions], request.files)
        try:
            made = write_report(
                solutions, output, labels=labels, title=request.title, frames=request.frames, overwrite=request.force,
                progress=lambda what: console.note(f"{what} ..."), **window,
            )  # fmt: skip
        except ChaindriveError:
            raise
        except Exception:  # an internal error, which main.py reports
            console.note(f"No report was written; the results in {', '.join(request.files)} are unchanged.", "")
            raise
    for line in made.left_out:
        console.note(line)
    console.say(f"Report in {output} ({quantity(made.bytes, 'B', 3)}); it opens in any browser")


def check_beside(output: Path, option: str) -> None:
    """Raise InputError if the report beside a results file cannot be written, or would overwrite a file that is not a
    report.
    """
    from chaindrive.report import check_report

    check_report(output.with_suffix(".html"), option)


def written_beside(solution: Solution, output: Path) -> Path | None:
    """Write the report of a run beside its results.

    If the report cannot be written, a warning is printed and None is returned; ``chaindrive report`` can write it
    later.
    """
    from chaindrive.report import write_report

    path, begun = output.with_suffix(".html"), time.monotonic()
    again = f"{command('report', output)} writes it later"
    try:
        made = write_report(solution, path)
    except ChaindriveError as error:
        console.warn(f"The report was not written: {error}; {again}")
        return None
    except KeyboardInterrupt:
        console.warn(f"Interrupted: the report was not written; {again}")
        return None
    took = time.monotonic() - begun
    console.say(f"Report in {path} ({quantity(made.bytes, 'B', 3)}, written in {took:.1f} s)")
    return path


def opened(path: Path) -> None:
    """Show a report in a browser."""
    import webbrowser

    if not webbrowser.open(path.absolute().as_uri()):
        console.warn(f"No browser was found to open {path}")


@contextlib.contextmanager
def _collected(problems: list[Problem]):  # type: ignore[no-untyped-def]
    """Add the problems of an InputError to a list, and continue."""
    try:
        yield
    except InputError as error:
        problems += [
            each._replace(place=f"{error.source}: {each.place}".rstrip(": ")) if error.source else each
            for each in error.problems
        ]


def parse_window(start: str | None, stop: str | None, problems: list[Problem]) -> dict[str, float | None]:
    """Return start and stop [s] of a window from --start and --stop; errors are added to the problems."""
    window = {name: _seconds(name, text, problems) for name, text in (("start", start), ("stop", stop))}
    if None not in window.values() and not window["start"] < window["stop"]:  # type: ignore[operator]
        problems.append(Problem("--stop", f"must be later than --start ({start})", repr(stop)))
    return window


def _seconds(option: str, text: str | None, problems: list[Problem]) -> float | None:
    from chaindrive.units import to_si

    if text is None:
        return None
    try:
        return float(to_si(text, "s"))
    except ValueError as error:
        problems.append(Problem(f"--{option}", str(error), repr(text)))
        return None


def labels_of(names: Sequence[str], files: Sequence[str]) -> list[str]:
    """Return labels for the results: the names of their drives or, if these are the same, of their files."""
    if len(set(names)) == len(names) and all(name.strip() for name in names):
        return list(names)
    stems = [Path(file).stem for file in files]
    return stems if len(set(stems)) == len(stems) else list(files)
