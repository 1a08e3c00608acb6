"""Execution of an optimisation: the search requests runs, a pool computes them, the store keeps them, and the best run
is marked.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from chaindrive.errors import InputError, Problem
from chaindrive.formulations import compile_system
from chaindrive.model import Drive
from chaindrive.model.arguments import path_of
from chaindrive.model.files.schema import schema_line
from chaindrive.model.study.description import Study
from chaindrive.model.study.files import drive_of, load_study
from chaindrive.model.study.optimisation import Optimisation
from chaindrive.results.checkpoint import fingerprint
from chaindrive.results.lowlevel import replacing
from chaindrive.studies.evaluations import (
    Evaluation,
    OptimisationTable,
    Scale,
    cells_of,
    drive_with,
    evaluation_columns,
    judged_evaluation,
    read_evaluation,
)
from chaindrive.studies.merit import Measured, prepare_figures
from chaindrive.studies.plan import window_problems
from chaindrive.studies.pools import Pool, check_cluster, open_pool, worker_count
from chaindrive.studies.search import FloatArray, search
from chaindrive.studies.store import BEST, TABLE, Kept, Memory, Store, open_store
from chaindrive.studies.table import line
from chaindrive.studies.worker import Task, problems_remark, received, warm

__all__ = ["OptimisationProgress", "optimise"]

SPENT = "all permitted evaluations have been made"
CONVERGED = "converged"


class OptimisationProgress(NamedTuple):
    """Progress of an optimisation."""

    done: int
    """Number of evaluations that have a row, including failed ones and those of earlier sessions."""
    failed: int
    most: int
    """Number of evaluations after which the search ends if it has not converged before."""
    remaining: float
    """Forecast of the time until all these evaluations have been made; infinite until a run has ended. [s of wall
    clock]"""
    latest: Evaluation
    best: Evaluation | None
    """The best evaluation that meets all constraints."""


class _EvaluationsUsed(Exception):
    """Raised when all permitted evaluations have been made."""


def optimise(
    study: Optimisation | str | os.PathLike[str],
    *,
    drive: Drive | str | os.PathLike[str] | None = None,
    output: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    restart: bool = False,
    progress: Callable[[OptimisationProgress], None] | None = None,
) -> OptimisationTable:
    """Search for the optimal values of a study and return the table of all evaluations.

    The arguments are those of ``run_study``. A second call with the same output continues the search: existing
    evaluations are not computed again, and the result is the same as that of an uninterrupted search. A drive that
    cannot be built, or a run that fails, has a row that states the reason and is worse than any other. Ctrl-C ends the
    search: the table has the existing rows (``table.complete`` is False). The results do not depend on the number of
    workers. Workers do not run the calling script. Raises InputError for wrong input, ComputationError if the disk is
    full or workers die.
    """
    processes = worker_count(workers)
    if cluster is not None:
        check_cluster(cluster)
    study = _optimisation_of(study)
    base = drive_of(study, drive)
    figures, units, first = _prepared(study, base)
    place = None if output is None else path_of(output, "output", "the folder of a study")
    ending = ""
    with open_store(place, _kept(study, base, units), restart) as store:
        session = _Session(study, base, figures, store, progress)
        with contextlib.suppress(KeyboardInterrupt):
            ending = session.go(first, processes, cluster)
        table = OptimisationTable(study, base, units, store.rows.values(), ending)
        _leave(table, store)
    return table


def _optimisation_of(given: Optimisation | Study | str | os.PathLike[str]) -> Optimisation:
    """Return the optimisation, from its file if it is a path. Raises InputError if it is another study."""
    study = given if isinstance(given, Study | Optimisation) else load_study(given)
    if isinstance(study, Optimisation):
        return study
    message = "is missing: give minimise or maximise, or run the study with cd.run_study"
    raise InputError(Problem("minimise", message), os.fspath(given) if isinstance(given, str | os.PathLike) else "")


def _kept(study: Optimisation, base: Drive, units: Sequence[str]) -> Kept[Evaluation]:
    """Return the description of the folder of an optimisation. Objective and method may change between sessions,
    because evaluations remain valid.
    """
    parts = {"set": True, "figures_of_merit": True}
    variables = [variable.model_dump(include={"name", "unit", "set", "on_circle"}) for variable in study.variables]
    identity = fingerprint(base.to_toml(), study.model_dump(include=set(parts)) | {"variables": variables})
    columns = evaluation_columns(study, units)
    objective = tuple(i for i, column in enumerate(columns) if column.name == "objective")
    heading = line(column.heading for column in columns)
    read = partial(read_evaluation, study=study)
    return Kept(study.name, study.search.evaluations, identity, heading, objective, cells_of, read)


def _prepared(study: Optimisation, base: Drive) -> tuple[tuple[Measured, ...], list[str], Drive]:
    """Return the figures matched to the channels of a drive of the study, their units, and this drive.

    The drive at the start of the search is tried first, then drives between and at the bounds. Raises InputError with
    the problems at the start if none of these can be built.
    """
    begin = tuple(variable.first for variable in study.variables)
    others = [tuple(v.value(part * v.places[1]) for v in study.variables) for part in (0.5, 0.0, 1.0, 0.25, 0.75)]
    problems: tuple[Problem, ...] = ()
    for values in (begin, *others):
        try:
            drive = drive_with(study, base, values)
            if wrong := window_problems(study.figures_of_merit, drive):
                raise InputError(wrong)
            system = compile_system(drive, drive.run.formulation, True)
        except InputError as error:
            problems = problems or error.problems
            continue
        made, units = prepare_figures(study.figures_of_merit, system.channels, system.labels)
        return tuple(made), units, drive
    start = ", ".join(f"{v.name} {x:g} {v.unit}".strip() for v, x in zip(study.variables, begin, strict=True))
    where = "where the search begins, and at the other values that were tried"
    raise InputError([p._replace(message=f"{p.message} [{start}: {where}]") for p in problems])


def _leave(table: OptimisationTable, store: Memory[Evaluation]) -> None:
    """Sort the table, mark its best row, and write the drive with the best values to a file beside the table.

    The table of an interrupted search is sorted as well, unless its file has an additional row.
    """
    if not isinstance(store, Store):
        return
    path = store.folder / TABLE
    in_file = path.read_bytes().count(b"\n") - 1
    if table.complete or in_file == len(table.rows):
        table.to_csv(path)
    if table.complete:
        store.finish(table)
    best = table.best_drive
    with contextlib.suppress(OSError):
        if best is None:  # one of an earlier session, with which other constraints were met
            (store.folder / BEST).unlink(missing_ok=True)
            return
        with replacing(store.folder / BEST) as part:
            part.write_text(f"{schema_line()}\n{best.to_toml()}", encoding="utf-8")


class _Session:
    """Answers the requests of the search from existing rows, or by having the pool of workers evaluate them."""

    def __init__(
        self,
        study: Optimisation,
        base: Drive,
        figures: tuple[Measured, ...],
        store: Memory[Evaluation],
        progress: Callable[[OptimisationProgress], None] | None,
    ) -> None:
        self.study, self.base, self.figures, self.store, self.progress = study, base, figures, store, progress
        self.scale = Scale(study)
        self.known = {row.values: row for row in store.rows.values()}
        self.free = (number for number in itertools.count() if number not in store.rows)
        self.seconds: list[float] = []
        self.failed = sum(row.failed for row in store.rows.values())
        self.best = OptimisationTable(study, base, ["1"] * len(figures), store.rows.values(), "").best
        self.pool: Pool

    def go(self, first: Drive, processes: int, cluster: str | None) -> str:
        """Search to the end and return why the search ended. The pool is started for the first run that is missing."""
        parallel = self.study.search.method == "differential-evolution"
        count = min(processes, self.study.population if parallel else 1)
        with contextlib.ExitStack() as stack:

            def ask(places: Sequence[FloatArray]) -> list[float]:
                if not hasattr(self, "pool") and self._unknown(places):
                    if cluster is None and count > 1:  # compiled once here, read from the disk by every worker
                        warm(first)
                    self.pool = stack.enter_context(open_pool(count, cluster))
                return self._answered(places)

            try:
                search(self.study, ask)
            except _EvaluationsUsed:
                return SPENT
        return CONVERGED

    def _values(self, places: Sequence[FloatArray]) -> list[tuple[float, ...]]:
        return [tuple(v.value(float(x)) for v, x in zip(self.study.variables, p, strict=True)) for p in places]

    def _unknown(self, places: Sequence[FloatArray]) -> list[tuple[float, ...]]:
        """Return the values that have no row, each once, in their order."""
        return list(dict.fromkeys(values for values in self._values(places) if values not in self.known))

    def _answered(self, places: Sequence[FloatArray]) -> list[float]:
        """Return the merits of places in the search space. If not all of them may still be computed, as many as
        possible are computed, and _EvaluationsUsed is raised.
        """
        unknown = self._unknown(places)
        room = self.study.search.evaluations - len(self.known)
        self._compute(unknown[: max(room, 0)])
        if len(unknown) > room:
            raise _EvaluationsUsed
        return [self.scale.merit(self.known[values]) for values in self._values(places)]

    def _compute(self, wanted: Sequence[tuple[float, ...]]) -> None:
        waiting: list[tuple[int, tuple[float, ...], str]] = []
        for values in wanted:
            number = next(self.free)
            try:
                drive = drive_with(self.study, self.base, values)
                if wrong := window_problems(self.study.figures_of_merit, drive):
                    raise InputError(wrong)
                waiting.append((number, values, drive.to_toml()))
            except InputError as error:
                self._keep(number, values, None, "INPUT_ERROR", problems_remark(error), (0.0, 0.0, 0))
        running: dict[int, tuple[float, ...]] = {}
        waiting.reverse()
        while waiting or running:
            while waiting and len(running) < self.pool.slots:
                number, values, text = waiting.pop()
                running[number] = values
                self.pool.submit(Task(number, text, None, None, self.figures, False))
            for came in map(received, self.pool.wait()):
                self.seconds.append(came.wall)
                cost = came.cpu, came.wall, came.steps
                self._keep(came.number, running.pop(came.number), came.values, came.status, came.remark, cost)

    def _keep(
        self,
        number: int,
        values: tuple[float, ...],
        figures: tuple[float, ...] | None,
        status: str,
        remark: str,
        cost: tuple[float, float, int],
    ) -> None:
        nothing = (math.nan,) * len(self.figures)
        row = judged_evaluation(self.scale, number, values, figures or nothing, status, remark, *cost)
        self.store.add(row, None)
        self.known[values] = row
        self.failed += row.failed
        if row.feasible and (self.best is None or self._better(row, self.best)):
            self.best = row
        if self.progress is not None:
            most = self.study.search.evaluations
            done = len(self.known)
            reached = OptimisationProgress(done, self.failed, most, self._remaining(most - done), row, self.best)
            self.progress(reached)

    def _better(self, one: Evaluation, other: Evaluation) -> bool:
        """Whether the first row is better than the second. Of equal rows, the earlier one in the table is better, so
        that the order in which runs end does not matter.
        """
        return (self.scale.merit(one), one.run) < (self.scale.merit(other), other.run)

    def _remaining(self, runs: int) -> float:
        """Return the forecast of the remaining time: mean time of a run, times the number of runs left for each worker
        if the search uses all its evaluations.
        """
        if runs <= 0:
            return 0.0
        if not self.seconds:
            return math.inf
        parallel = self.pool.slots if self.study.search.method == "differential-evolution" else 1
        return math.ceil(runs / parallel) * sum(self.seconds) / len(self.seconds)
