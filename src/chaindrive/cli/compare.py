"""``chaindrive compare``: one drive in several formulations, with a table of the common results and a report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from chaindrive.cli import console
from chaindrive.cli.drives import named_drive, problems_in
from chaindrive.cli.endings import Stopped
from chaindrive.cli.run import Signals, display
from chaindrive.errors import ChaindriveError, ComputationError, InputError, Problem
from chaindrive.numbers import quantity

if TYPE_CHECKING:
    from chaindrive.analyses.results.side_by_side import FormulationRow, SideBySide
    from chaindrive.model import Drive
    from chaindrive.simulation.progress import Progress
    from chaindrive.studies import FormulationComparison

__all__ = ["Request", "compare", "show_table"]


class Request(NamedTuple):
    """What the command line requests."""

    file: str
    formulations: str
    until: str | None
    at_most: str | None
    output: Path | None
    force: bool
    changes: Sequence[str]
    data: Path | None = None
    """File for the values of the table."""


def compare(request: Request) -> None:
    """Run a drive in several formulations; print the table, write results and a common report.

    Raises InputError for wrong input or if fewer than two formulations support the drive, ComputationError if a run
    failed, Stopped if it was interrupted.
    """
    from chaindrive.studies.formulations import checked_kinds

    try:
        kinds = checked_kinds([kind.strip() for kind in request.formulations.split(",") if kind.strip()])
    except InputError as error:
        raise InputError([problem._replace(place="--formulations") for problem in error.problems]) from None
    given = {"--until": ("run.until", request.until), "--at-most": ("run.at_most", request.at_most)}
    options: dict[str, tuple[str, Any]] = {
        path: (name, text) for name, (path, text) in given.items() if text is not None
    }
    if request.until is not None and request.at_most is None:
        options["run.at_most"] = ("--until", None)  # the limit in the file belongs to the end given in the file
    drive, stem = named_drive(request.file, request.changes, options)
    report = request.output or Path(f"{stem}-formulations.html")
    outputs = {kind: report.with_name(f"{stem}-{kind}.nc") for kind in kinds}
    _check(outputs, report, request)
    from chaindrive.studies import compare as computed

    signals = Signals()
    try:
        with problems_in(request.file), signals, display() as show:

            def tell(kind: str, progress: Progress) -> None:
                show(progress, f"{kind} ({kinds.index(kind) + 1} of {len(kinds)}): ")
                signals.between_batches()

            found = computed(drive, kinds, outputs=outputs, overwrite=request.force, progress=tell)
    except KeyboardInterrupt as interruption:
        console.note("Interrupted: results of finished runs are kept.", "")
        raise Stopped(interruption) from None
    except ChaindriveError:
        raise
    except Exception:  # an internal error, which main.py reports
        if there := [str(path) for path in outputs.values() if path.exists()]:
            console.note(f"Results of unfinished runs are kept: {', '.join(there)}.", "")
        raise
    _show(drive, found)
    if found.table is not None and request.data is not None:
        from chaindrive.export.data import save_table

        save_table(found.table.dataframe(), request.data, f"formulations of {drive.name}", request.force)
        console.say(f"Table in {request.data}")
    for kind in found.solutions:
        console.say(f"Results of {kind} in {outputs[kind]}")
    if len(found.solutions) > 1 and not found.interrupted:
        _leave_report(found, report, request)
    _end(found, signals)


def _check(outputs: dict[str, Path], report: Path, request: Request) -> None:
    """Raise InputError with all outputs that cannot be written, before anything is compiled."""
    from chaindrive.report import check_report
    from chaindrive.results.files import check_results
    from chaindrive.results.lock import refuse_locked

    problems: list[Problem] = []
    try:
        check_report(report, "--output", overwrite=request.force)
    except InputError as error:
        problems += error.problems
    if request.data is not None:
        from chaindrive.export.data import check_table

        try:
            check_table(request.data, "--data")
        except InputError as error:
            problems += error.problems
    for output in outputs.values():
        try:
            refuse_locked(check_results(output, overwrite=True))
        except InputError as error:
            problems += error.problems
        if output.exists() and not request.force:
            message = "exists already: --force replaces it, -o DIR/REPORT.html writes results and report elsewhere"
            problems.append(Problem(str(output), message))
    if problems:
        raise InputError(problems)


def _show(drive: Drive, found: FormulationComparison) -> None:
    console.say(drive.name, "bold")
    for kind, problems in found.refused.items():
        console.warn(f"{kind} cannot simulate this drive: {'; '.join(map(str, problems))}")
    for kind, ending in found.failed.items():
        console.warn(f"{kind}: {ending}")
    for kind, solution in found.solutions.items():
        for warning in solution.warnings:
            console.warn(f"{kind}: {warning}")
    if found.table is not None:
        show_table(found.table)


def show_table(found: SideBySide) -> None:
    """Print the table, its definitions, and the effects that each formulation neglects."""
    headings = [">" + label for label in found.labels]
    against = f" from {found.labels[0]}" if len(found.labels) > 2 else ""
    for label in found.labels[1:]:
        which = f"{label}:\n" if against else ""
        headings += [f">{which}difference{against}", f"{which}explained by"]
    for group in dict.fromkeys(row.group for row in found.rows):
        made = console.table("", "", *headings, title=group.capitalize())
        for row in found.rows:
            if row.group == group:
                made.add_row(*map(console.printable, _cells(row, found)))
        console.out().print(made)
    for number, text in enumerate(found.legend, 1):
        console.say(f"[{number}] {text}")
    for label, left_out in zip(found.labels, found.left_out, strict=True):
        console.say(f"{label} neglects: {', '.join(left_out) or 'nothing known'}")
    for label, (start, stop) in zip(found.labels, found.windows, strict=True):
        console.say(f"{label}: means and ranges from {quantity(start, 's')} to {quantity(stop, 's')}")
    for remark in found.remarks:
        console.warn(remark)
    console.say(f"Values count as equal within {100.0 * found.tolerance:g} % of the larger one.")


def _cells(row: FormulationRow, found: SideBySide) -> list[str]:
    cells = [row.heading, row.where, *row.texts]
    for index in range(1, len(row.values)):
        difference = row.differences[index - 1].relative if row.differences else math.nan
        cells += [f"{100.0 * difference:+.2f} %" if math.isfinite(difference) else "", found.explanation(row, index)]
    return cells


def _leave_report(found: FormulationComparison, report: Path, request: Request) -> None:
    from chaindrive.report import write_report

    with console.err().status("writing the report ..."):
        made = write_report(found.solutions, report, overwrite=request.force)
    console.say(f"Report in {report} ({quantity(made.bytes, 'B', 3)}); it opens in any browser")


def _end(found: FormulationComparison, signals: Signals) -> None:
    """Raise Stopped if the comparison was interrupted, or ComputationError if one of its runs failed."""
    if found.interrupted:
        console.note("Interrupted: results computed so far are kept.", "")
        raise Stopped(signals.interruption)
    if found.failed:
        raise ComputationError(f"no comparison with {', '.join(found.failed)}", "; ".join(found.failed.values()))
