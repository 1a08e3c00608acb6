"""``chaindrive sweep``: runs a study in parallel, resumes it after an interruption, and writes a table and a
picture.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from chaindrive.cli import console
from chaindrive.cli.drives import parse_changes, problems_in
from chaindrive.cli.endings import Stopped
from chaindrive.cli.run import Signals
from chaindrive.cli.study_display import Request, kept_in, shown_as, warn_of_runs
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.model import Drive
from chaindrive.model.problems import nearest
from chaindrive.model.study.description import Study
from chaindrive.model.study.files import load_study, study_names, study_path
from chaindrive.model.study.optimisation import Optimisation
from chaindrive.numbers import clock

if TYPE_CHECKING:
    from chaindrive.studies import StudyProgress, StudyTable

__all__ = ["sweep"]

MOST_ROWS = 200
"""Largest number of rows that are printed; a longer table is only in its file."""
GAP, HEADING = 3, 9
"""Number of characters between columns, and in a line of a broken heading."""
DIGITS = 6
"""Number of digits of printed values; the file has all digits."""


def sweep(request: Request) -> None:
    """Run a study; print its table and the paths of table and picture.

    Raises InputError for wrong input, ComputationError if runs failed, Stopped if it was interrupted.
    """
    study, stem = _named(request.file)
    if request.changes:
        study = study.model_copy(update={"set": study.set | parse_changes(request.changes)})
    if request.workers is not None and request.workers < 1:
        raise InputError(Problem("--workers", "must be at least 1", str(request.workers)))
    if request.workers is not None and request.cluster is not None:
        raise InputError(Problem("--workers", "a cluster has its own workers: omit --workers or --cluster"))
    output = request.output or Path(f"{stem}-study")
    from chaindrive.cli.pictures import check_picture

    if request.picture is not None:
        check_picture(request.picture, "--picture")
    with problems_in(request.file, {*Study.model_fields, *Optimisation.model_fields, *Drive.model_fields}):
        if isinstance(study, Optimisation):
            from chaindrive.cli.optimise import optimise

            optimise(study, request, output)
        else:
            _sweep(study, request, output)


def _sweep(study: Study, request: Request, output: Path) -> None:
    """Carry out all runs of a study."""
    from chaindrive.studies import run_study
    from chaindrive.studies.store import PICTURE, TABLE

    signals = Signals()
    with kept_in(output), signals, _display(study) as show:
        table = run_study(
            study,
            output=output,
            workers=request.workers,
            cluster=request.cluster,
            restart=request.restart,
            progress=show,
        )
    _show(table, output / TABLE)
    if not table.complete:
        console.note(
            f"{len(table)} of {table.total} runs are kept in {output}. Run the same command again to continue with "
            "them.",
            "",
        )
        raise Stopped(signals.interruption)
    _leave_picture(table, request.picture or output / PICTURE)
    if study.spectra:
        _leave_map(table, output)
    _end(table)


def _named(typed: str) -> tuple[Study | Optimisation, str]:
    """Return the study of a file, or the included study with this name if there is no such file, and the stem of its
    file names.
    """
    stem = Path(typed).name.removesuffix(".toml") or "study"
    if Path(typed).is_file() or typed.endswith(".toml"):
        return load_study(typed), stem
    if typed in study_names():
        return load_study(study_path(typed)), stem
    if hint := nearest(typed, study_names()):
        raise InputError(Problem("", f"is neither a file nor a study that comes with chaindrive{hint}"), typed)
    return load_study(typed), stem


@contextmanager
def _display(study: Study) -> Iterator[Callable[[StudyProgress], None]]:
    """Show the progress, and a line for every run that fails."""
    with shown_as("checking all runs, compiling") as show:

        def tell(progress: StudyProgress) -> None:
            _tell_failure(study, progress)
            done = f"run {progress.done} of {progress.total}"
            show(done, _forecast(progress), progress.done, progress.total)

        yield tell


def _forecast(progress: StudyProgress) -> str:
    failed = f"{progress.failed} failed, " if progress.failed else ""
    return f"{failed}{clock(progress.remaining)} left"


def _tell_failure(study: Study, progress: StudyProgress) -> None:
    row = progress.latest
    if row is not None and row.failed:
        from chaindrive.studies.table import values_text

        console.warn(f"run {row.run} ({row.curve}, {values_text(study, row)}): {row.status}. {row.remark}")


def _show(table: StudyTable, path: Path) -> None:
    console.say(table.study.name, "bold")
    if not table.rows:
        return
    if len(table.rows) <= MOST_ROWS:
        first, last = 1, len(table.columns) - 6  # curve, parameters, figures: the rest is only in the file
        headings = [column.heading for column in table.columns[first + 1 : last]]
        if sum(len(heading) + GAP for heading in headings) > console.out().width:
            headings = [textwrap.fill(heading, HEADING) for heading in headings]
        curves = ["curve"] if len({row.curve for row in table.rows}) > 1 else []
        endings = [""] if any(row.ending for row in table.rows) else []
        printed = console.table(*curves, *(f">{heading}" for heading in headings), *endings)
        for row in table.rows:
            curve = (console.printable(row.curve) for _ in curves)
            numbers = (_cell(value) for value in (*row.parameters, *row.figures))
            printed.add_row(*curve, *numbers, *(row.ending for _ in endings))
        begin = len(curves) + len(table.study.parameters)
        end = begin + len(table.study.figures_of_merit)
        for column in (*printed.columns[:begin], *printed.columns[end:]):
            column.min_width = max(len(str(cell)) for cell in column.cells)  # a narrow terminal cuts only figures
        console.out().print(printed)
    cpu = sum(row.cpu for row in table.rows)
    console.say(f"Table in {path}: {len(table)} runs, {clock(cpu)} of CPU time")
    warn_of_runs(table)


def _cell(value: float | str) -> str:
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.{DIGITS}g}"
    return console.printable(value)


def _leave_picture(table: StudyTable, path: Path) -> None:
    from chaindrive.cli.pictures import save_picture
    from chaindrive.plots.study import plot_study

    save_picture(plot_study(table), path)
    console.say(f"Picture in {path}")


def _leave_map(table: StudyTable, output: Path) -> None:
    """Write the speed map of the spectra as a page and as a picture, if runs at different speeds have spectra."""
    from chaindrive.cli.pictures import save_picture
    from chaindrive.plots import plot_campbell
    from chaindrive.report import write_campbell
    from chaindrive.studies.store import MAP, MAP_PICTURE, REPORTS

    try:
        page = write_campbell(table, output / MAP, reports=output / REPORTS, overwrite=True)
    except InputError as error:
        console.warn(f"there is no speed map: {error}")
        return
    save_picture(plot_campbell(table), output / MAP_PICTURE)
    console.say(f"Speed map of the spectra in {output / page.path.name} and {output / MAP_PICTURE}")


def _end(table: StudyTable) -> None:
    """Raise ComputationError if runs of the study failed."""
    if table.failed:
        count, kinds = len(table.failed), sorted({row.status for row in table.failed})
        raise ComputationError(
            f"{count} of {table.total} runs {'has' if count == 1 else 'have'} no result: {', '.join(kinds)}",
            f"the remarks in the table state why and when; the results of the other runs are valid.{_reported(kinds)}",
        )


def _reported(kinds: Sequence[str]) -> str:
    """Return advice on internal errors in the runs; empty if there were none."""
    if "INTERNAL_ERROR" not in kinds:
        return ""
    return (
        " INTERNAL_ERROR is a bug in chaindrive: please report it, with the details in the file that the remark names."
    )
