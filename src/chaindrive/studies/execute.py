"""Execution of a study: from its plan and existing rows, with a pool of workers, to one table."""

from __future__ import annotations

import heapq
import math
import os
import time
from collections.abc import Callable
from typing import NamedTuple

from chaindrive.analyses.results.speed_map import Column, Wish
from chaindrive.contract.end_state import EndState
from chaindrive.errors import InputError, Problem
from chaindrive.formulations import compile_system
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, loads, override
from chaindrive.model.arguments import path_of
from chaindrive.model.files.drawing import looking_beside
from chaindrive.model.study.description import Study
from chaindrive.model.study.files import drive_of, load_study
from chaindrive.model.study.optimisation import Optimisation
from chaindrive.studies.merit import Measured, prepare_figures
from chaindrive.studies.plan import Plan, make_plan
from chaindrive.studies.pools import Pool, check_cluster, open_pool, worker_count
from chaindrive.studies.spectra import channels_of, prepare_spectra
from chaindrive.studies.store import Memory, kept_runs, open_store
from chaindrive.studies.table import Row, StudyTable
from chaindrive.studies.worker import Outcome, Task, received, warm

__all__ = ["StudyProgress", "run_study"]


class StudyProgress(NamedTuple):
    """Progress of a study."""

    done: int
    """Number of runs that have a row, including failed runs and runs of earlier sessions."""
    failed: int
    total: int
    elapsed: float
    """Time since the first run of this session began. [s of wall clock]"""
    remaining: float
    """Forecast of the remaining time; infinite until a run has ended. [s of wall clock]"""
    latest: Row | None
    """The run that ended last, in this session."""


def run_study(
    study: Study | str | os.PathLike[str],
    *,
    drive: Drive | str | os.PathLike[str] | None = None,
    output: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    restart: bool = False,
    progress: Callable[[StudyProgress], None] | None = None,
) -> StudyTable:
    """Run a study and return its table.

    study: a Study, or its file. drive: used instead of the drive named in the study; a drive, its file, or the name of
    an example. output: folder for the table and the data needed to continue; a second call computes only the missing
    runs; None keeps everything in memory. workers: number of processes; None: one for each core; 1: no process other
    than this one. cluster: address of the scheduler of a dask.distributed cluster to compute on instead. restart:
    compute everything again. progress: called when a run has ended.

    A run that fails has a row with its status, and the others continue; runs that start from its end are NOT_STARTED.
    Ctrl-C ends the study: the table has the existing rows (``table.complete`` is False). The results do not depend on
    the number of workers. Workers do not run the calling script. Raises InputError for wrong input, ComputationError if
    the disk is full or workers die.
    """
    processes = worker_count(workers)
    if cluster is not None:
        check_cluster(cluster)
    study = sweep_of(study)
    base = drive_of(study, drive)
    plan = make_plan(study, base)
    wanted, units = _wanted(plan)
    place = None if output is None else path_of(output, "output", "the folder of a study")
    with open_store(place, kept_runs(plan, base.to_toml(), units), restart) as store:
        session = _Session(plan, wanted, store, progress)
        session.misfits()
        try:
            if session.waiting:
                count = min(processes, len(session.waiting))
                if cluster is None and count > 1:  # compiled once here, read from the disk by every worker
                    session.warm()
                with open_pool(count, cluster) as pool:
                    session.go(pool)
        except KeyboardInterrupt:
            pass
        spectra = {run: store.spectra(run) for run, row in store.rows.items() if study.spectra and not row.failed}
        with looking_beside(study.drive):
            operating = study.operating or drive_facts(override(base, study.set) if study.set else base).nominal_speed
        table = StudyTable(study, units, store.rows.values(), len(plan.runs), spectra, operating)
        store.finish(table)
    return table


def sweep_of(given: Study | Optimisation | str | os.PathLike[str]) -> Study:
    """Return the study, from its file if it is a path. Raises InputError if it is an optimisation."""
    study = given if isinstance(given, Study | Optimisation) else load_study(given)
    if isinstance(study, Study):
        return study
    message = "is an optimisation: run it with cd.optimise in Python or chaindrive sweep in a terminal"
    source = os.fspath(given) if isinstance(given, str | os.PathLike) else ""
    raise InputError(Problem("minimise" if study.minimise is not None else "maximise", message), source)


class _Wanted(NamedTuple):
    """The values to be evaluated for every run."""

    figures: tuple[Measured, ...]
    spectra: tuple[Wish, ...]
    channels: tuple[str, ...]
    """Channels needed by spectra."""
    reports: bool


def _wanted(plan: Plan) -> tuple[_Wanted, list[str]]:
    """Return the values to be evaluated for every run, matched to the first drive whose chain can be placed, and the
    units of the figures.
    """
    first: InputError | None = None
    study = plan.study
    for run in (run for run in plan.runs if not run.misfit):
        drive = loads(run.drive)
        try:
            system = compile_system(drive, drive.run.formulation, True)
        except InputError as error:
            first = first or error
            continue
        problems: list[Problem] = []
        figures: list[Measured] = []
        units: list[str] = []
        spectra: tuple[Wish, ...] = ()
        try:
            figures, units = prepare_figures(study.figures_of_merit, system.channels, system.labels)
        except InputError as error:
            problems += error.problems
        try:
            spectra = prepare_spectra(study.spectra, system.channels, system.labels, drive)
        except InputError as error:
            problems += error.problems
        if problems:
            raise InputError(problems)
        return _Wanted(tuple(figures), spectra, channels_of(spectra, system.channels), study.reports), units
    assert first is not None
    of_all = [problem._replace(message=f"{problem.message} [all runs]") for problem in first.problems]
    raise InputError(of_all, study.drive)


class _Session:
    """The runs to be computed. The most urgent run, on which the longest sequence of other runs depends, comes
    first.
    """

    def __init__(
        self,
        plan: Plan,
        wanted: _Wanted,
        store: Memory[Row],
        progress: Callable[[StudyProgress], None] | None,
    ) -> None:
        self.plan, self.wanted, self.store, self.progress = plan, wanted, store, progress
        self.children, self.heights = plan.children(), plan.heights()
        self.waiting = {run.number for run in plan.runs if run.number not in store.rows}
        self.failed = sum(row.failed for row in store.rows.values())
        self.ready: list[tuple[int, int]] = []
        self.running: set[int] = set()
        self.slots = 1
        self.times: list[float] = []
        self.begun = time.monotonic()

    def misfits(self) -> None:
        """Add rows for runs whose drive is impossible, and for all runs that depend on them."""
        for run in self.plan.runs:
            if run.misfit and run.number in self.waiting:
                nothing = (math.nan,) * len(self.wanted.figures)
                remark = " ".join(run.misfit.split())
                row = Row(run.number, run.curve, run.values, nothing, "INPUT_ERROR", remark, 0.0, 0.0, 0)
                self._keep(row, None)
                for child in self.children.get(run.number, []):
                    if child in self.waiting and not self.plan.runs[child].misfit:
                        self._give_up(child, row)

    def warm(self) -> None:
        """Compile the kernels, so that every worker finds them on disk."""
        seen = set()
        for index in sorted(self.waiting):
            drive = loads(self.plan.runs[index].drive)
            key = (drive.run.formulation.kind, drive.run.solver.method)
            if key not in seen:
                seen.add(key)
                warm(drive)

    def go(self, pool: Pool) -> None:
        """Compute runs until none is left."""
        self.begun, self.slots = time.monotonic(), pool.slots
        for index in sorted(self.waiting):
            self._make_ready(index)
        while self.ready or self.running:
            while self.ready and len(self.running) < pool.slots:
                pool.submit(self._task(heapq.heappop(self.ready)[1]))
            for outcome in pool.wait():
                self._take(outcome)

    def _make_ready(self, index: int) -> None:
        """Queue a run if it can begin; give it up if the run on which it depends has failed."""
        parent = self.plan.runs[index].parent
        before = None if parent is None else self.store.rows.get(parent)
        if parent is None or (before is not None and not before.failed):
            heapq.heappush(self.ready, (-self.heights[index], index))
        elif before is not None and index in self.waiting:
            self._give_up(index, before)

    def _give_up(self, index: int, before: Row) -> None:
        """Add rows for a run whose start does not exist, and for all runs that depend on it."""
        given_up = [(index, before)]
        for i, cause in given_up:  # grows while it is read
            run = self.plan.runs[i]
            remark = f"run {cause.run}, from whose end this one starts, has no result: {cause.status}"
            nothing = (math.nan,) * len(self.wanted.figures)
            row = Row(i, run.curve, run.values, nothing, "NOT_STARTED", remark, 0.0, 0.0, 0)
            self._keep(row, None)
            given_up += [(child, row) for child in self.children.get(i, []) if child in self.waiting]

    def _task(self, index: int) -> Task:
        run = self.plan.runs[index]
        initial = None if run.parent is None else self.store.state(run.parent)
        self.running.add(index)
        wanted, waited_for = self.wanted, index in self.children
        read = (wanted.spectra, wanted.channels, wanted.reports)
        return Task(index, run.drive, run.start, initial, wanted.figures, waited_for, *read)

    def _take(self, outcome: Outcome) -> None:
        """Store the outcome of a run, and let runs begin that have waited for it."""
        run, came = self.plan.runs[outcome.number], received(outcome)
        self.running.discard(run.number)
        self.times.append(came.wall)
        cost = (came.cpu, came.wall, came.steps)
        row = Row(run.number, run.curve, run.values, came.values, came.status, came.remark, *cost)
        self._keep(row, came.end, came.spectra, came.report)
        for child in self.children.get(run.number, []):
            self._make_ready(child)
        if run.parent is not None and all(child in self.store.rows for child in self.children[run.parent]):
            self.store.forget(run.parent)

    def _keep(self, row: Row, end: EndState | None, spectra: tuple[Column, ...] = (), report: bytes = b"") -> None:
        self.store.add(row, end, spectra, report)
        self.waiting.discard(row.run)
        self.failed += row.failed
        if self.progress is not None:
            done, elapsed = len(self.store.rows), time.monotonic() - self.begun
            self.progress(StudyProgress(done, self.failed, len(self.plan.runs), elapsed, self._remaining(), row))

    def _remaining(self) -> float:
        """Return the estimated remaining time: the mean time of a run times the number of runs left for each worker, or
        times the length of the longest sequence of dependent runs if that is larger.
        """
        if not self.waiting:
            return 0.0
        if not self.times:
            return math.inf
        turns = max(math.ceil(len(self.waiting) / self.slots), max(self.heights[i] for i in self.waiting))
        return turns * sum(self.times) / len(self.times)
