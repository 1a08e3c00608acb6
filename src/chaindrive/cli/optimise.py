"""``chaindrive sweep`` for a study that searches for optimal values: shows the progress, the optimum, and the files
written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from chaindrive.cli import console
from chaindrive.cli.endings import Stopped
from chaindrive.cli.run import Signals
from chaindrive.cli.study_display import kept_in, shown_as, warn_of_runs
from chaindrive.errors import ComputationError
from chaindrive.model.study.optimisation import Optimisation
from chaindrive.numbers import clock

if TYPE_CHECKING:
    from chaindrive.cli.study_display import Request
    from chaindrive.studies import OptimisationProgress, OptimisationTable
    from chaindrive.studies.evaluations import Evaluation

__all__ = ["optimise"]

MOST_ROWS = 60
"""Largest number of rows that are printed; of a longer table, only the rows that improved on all earlier rows are
printed."""
DIGITS = 6
SAME = 1e-12
"""Largest relative difference of objectives that count as equal. [-]"""


def optimise(study: Optimisation, request: Request, output: Path) -> None:
    """Search for the optimal values, and print them with the paths of table, picture and drive.

    Raises InputError for wrong input, ComputationError if no run meets all constraints, Stopped if interrupted.
    """
    from chaindrive.studies import optimise as run
    from chaindrive.studies.store import BEST, PICTURE, TABLE

    signals = Signals()
    with kept_in(output), signals, _display(study) as show:
        table = run(
            study,
            output=output,
            workers=request.workers,
            cluster=request.cluster,
            restart=request.restart,
            progress=show,
        )
    _show(table, output / TABLE)
    if table.rows:
        _leave_picture(table, request.picture or output / PICTURE)
    if table.best is not None:
        console.say(f"Drive with the best values in {output / BEST}")
    if not table.complete:
        note = f"{len(table)} evaluations are kept in {output}. Run the same command again to continue with them."
        console.note(note, "")
        raise Stopped(signals.interruption)
    _end(table)


@contextmanager
def _display(study: Optimisation) -> Iterator[Callable[[OptimisationProgress], None]]:
    """Show the progress, and a line for every run that fails."""
    with shown_as("compiling") as show:

        def tell(progress: OptimisationProgress) -> None:
            _tell_failure(study, progress.latest)
            done = f"evaluation {progress.done} of at most {progress.most}"
            show(done, _forecast(study, progress), progress.done, progress.most)

        yield tell


def _forecast(study: Optimisation, progress: OptimisationProgress) -> str:
    failed = f", {progress.failed} failed" if progress.failed else ""
    best = "none meets all constraints yet" if progress.best is None else f"best {progress.best.objective:.{DIGITS}g}"
    return f"{best}{failed}, at most {clock(progress.remaining)} left"


def _values(study: Optimisation, row: Evaluation) -> str:
    pairs = zip(study.variables, row.values, strict=True)
    return ", ".join(f"{v.name} {x:.{DIGITS}g} {v.unit}".strip() for v, x in pairs)


def _tell_failure(study: Optimisation, row: Evaluation) -> None:
    if row.failed:
        console.warn(f"evaluation {row.run} ({_values(study, row)}): {row.status}. {row.remark}")


def _show(table: OptimisationTable, path: Path) -> None:
    study = table.study
    console.say(study.name, "bold")
    if not table.rows:
        return
    best, shown = table.best, table.rows
    if len(shown) > MOST_ROWS:
        shown = table.improvements or shown[:MOST_ROWS]
        console.say(f"{len(table)} evaluations; these improved on all earlier evaluations:", "dim")
    last = len(table.columns) - 8  # up to the violation
    headings = [f">{column.heading}" for column in table.columns[:last]]
    printed = console.table(*headings, *([">violation"] if study.constraints else []), "")
    for row in shown:
        numbers = [str(row.run), *(f"{x:.{DIGITS}g}" for x in (*row.values, *row.figures, row.objective))]
        mark = ", ".join(word for word in ("best" if row is best else "", row.ending) if word)
        printed.add_row(*numbers, *([f"{row.violation:.3g}"] if study.constraints else []), mark)
    console.out().print(printed)
    _show_best(table)
    cpu = sum(row.cpu for row in table.rows)
    ending = f"; the search ended: {table.ending}" if table.ending else ""
    failed = f", {len(table.failed)} failed" if table.failed else ""
    console.say(f"Table in {path}: {len(table)} evaluations{failed}, {clock(cpu)} of CPU time{ending}")
    warn_of_runs(table)


def _show_best(table: OptimisationTable) -> None:
    best = table.best
    if best is None:
        return
    which = "Least" if table.study.sense > 0.0 else "Largest"
    unit = next(column.unit for column in table.columns if column.name == "objective")
    shown = "" if unit == "1" else unit
    best_value = f"{best.objective:.{DIGITS}g} {shown}".strip()
    console.say(f"{which} {table.study.objective.text}: {best_value} with {_values(table.study, best)}")
    found = [row.objective for row in table.rows if not row.failed]
    if len(found) > 1 and max(found) - min(found) <= SAME * max(map(abs, found)):
        console.warn(f"all {len(found)} evaluations gave the same objective: the variables do not influence it")
    for text, value in table.active.items():
        console.say(f"  {text}: {value:.{DIGITS}g}")
    for variable, value in zip(table.study.variables, best.values, strict=True):
        low, high = variable.bounds
        if min(value - low, high - value) <= 0.01 * (high - low):
            bound = "lower" if value - low < high - value else "upper"
            console.say(f"  {variable.name} is at its {bound} bound: values beyond it may be better")


def _leave_picture(table: OptimisationTable, path: Path) -> None:
    from chaindrive.cli.pictures import save_picture
    from chaindrive.plots.optimisation import plot_optimisation

    save_picture(plot_optimisation(table), path)
    console.say(f"Picture in {path}")


def _end(table: OptimisationTable) -> None:
    """Raise ComputationError if no run of the search meets all constraints."""
    if table.best is not None:
        return
    near = table.nearest
    if near is None:
        reasons = list(dict.fromkeys(f"{row.status}: {row.remark}" for row in table.failed))
        more = f" ({len(reasons) - 1} other reasons in the table)" if len(reasons) > 1 else ""
        message = f"none of the {len(table)} runs gave a result. {reasons[0]}{more}"
        raise ComputationError(message, "remove this reason, or change the bounds or the start.")
    message = (
        f"none of the {len(table)} runs meets all constraints; the nearest is evaluation {near.run} "
        f"({_values(table.study, near)}), which violates them by {100.0 * near.violation:.3g} % of their bounds"
    )
    raise ComputationError(message, "loosen the constraints or the bounds, or allow more evaluations.")
