"""Conversion of a study to its runs: the drive of each run, and which runs begin where another run ends."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.save_rate import ROWS, recommended_rate
from chaindrive.model import Drive, override
from chaindrive.model.files.drawing import looking_beside
from chaindrive.model.study.description import FROM, Curve, FigureOfMerit, Study, Value
from chaindrive.model.study.spectra import StudySpectrum
from chaindrive.studies.difference import coverage_problem

__all__ = ["Plan", "Run", "make_plan", "window_problems"]

MOST_PROBLEMS = 20
"""Largest number of problems that are listed; the others are only counted."""


class Run(NamedTuple):
    """One run of a study."""

    number: int
    """Number of the row in the table."""
    curve: str
    values: tuple[Value, ...]
    """Values of the parameters, in their units."""
    drive: str
    """The drive as TOML text."""
    start: str | None
    """Start of the run: "at_speed", "at_rest", or None if the run begins at the end of another run."""
    parent: int | None
    """Index of the other run at whose end this run begins."""
    misfit: str = ""
    """Why the drive is impossible with these values, if a row is to state this; ``drive`` is then empty."""

    def label(self, study: Study) -> str:
        """Return the name of the run in messages: its curve and values."""
        names = zip(study.parameters, self.values, strict=True)
        parts = (f"{p.name} {v:g} {p.unit}" if isinstance(v, float) else f"{p.name} {v}" for p, v in names)
        return ", ".join([self.curve, *(part.strip() for part in parts)])


class Plan(NamedTuple):
    """All runs of a study, in the order of its table."""

    study: Study
    runs: tuple[Run, ...]

    def children(self) -> dict[int, list[int]]:
        """Return the indices of the runs that begin at the end of another run, by the index of this other run."""
        found: dict[int, list[int]] = {}
        for run in self.runs:
            if run.parent is not None:
                found.setdefault(run.parent, []).append(run.number)
        return found

    def heights(self) -> list[int]:
        """Return for each run the length of the longest sequence of dependent runs that begins with it."""
        children = self.children()
        height = [0] * len(self.runs)
        for first in (run.number for run in self.runs if run.parent is None):
            order = [first]
            for index in order:  # grows while it is read: every run after the one that it waits for
                order += children.get(index, [])
            for index in reversed(order):
                height[index] = 1 + max((height[child] for child in children.get(index, [])), default=0)
        return height


def make_plan(study: Study, drive: Drive) -> Plan:
    """Make the drives of all runs and order the runs.

    Raises InputError with the problems of all runs; with ``on_misfit = "row"`` only if no run is possible.
    """
    points = [parameter.points() for parameter in study.parameters]
    others = list(itertools.product(*(range(len(p)) for p in points[1:])))
    along = range(len(points[0]))
    position = {
        (curve.name, *choice): index
        for index, (curve, rest, first) in enumerate(itertools.product(study.curves, others, along))
        for choice in [(first, *rest)]
    }
    found: list[Run] = []
    drives: dict[int, Drive] = {}
    problems: dict[Problem, tuple[Run, int]] = {}
    misfits: list[Problem] = []
    for curve, rest, first in itertools.product(study.curves, others, along):
        choice = (first, *rest)
        start, parent = _start(curve, choice, len(points[0]), position, drive)
        values = tuple(p[i] for p, i in zip(points, choice, strict=True))
        run = Run(len(found), curve.name, values, "", start, parent)
        try:
            with looking_beside(study.drive):
                made = override(drive, _changes(study, curve, choice))
            problems_here = window_problems(study.figures_of_merit, made)
            problems_here += window_problems(study.spectra, made, "spectra")
            drives[run.number] = made
        except InputError as error:
            problems_here = list(error.problems)
            if study.on_misfit == "row":
                run = run._replace(misfit="; ".join(str(problem) for problem in error.problems[:MOST_PROBLEMS]))
                misfits += problems_here
        for problem in problems_here:
            run_of, count = problems.get(problem, (run, 0))
            problems[problem] = run_of, count + 1
        found.append(run)
    if not all(run.misfit for run in found):
        problems = {problem: where for problem, where in problems.items() if problem not in misfits}
    if problems:
        raise InputError(_with_runs(problems, study, len(found)))
    rate = _save_rate(list(drives.values()), study.spectra)
    texts = {number: (override(made, rate) if rate else made).to_toml() for number, made in drives.items()}
    return Plan(study, tuple(run._replace(drive=texts.get(run.number, "")) for run in found))


def _save_rate(drives: Sequence[Drive], spectra: Sequence[StudySpectrum]) -> dict[str, Any]:
    """Return a save rate that is high enough for all runs of a study with spectra; empty if a drive gives one."""
    if not spectra or any(drive.run.save.rate != "auto" for drive in drives):
        return {}
    shown = max(each.highest_frequency or 0.0 for each in spectra)
    return {"run.save.rate": max([ROWS * shown / 2, *(recommended_rate(drive) for drive in drives)])}


def _changes(study: Study, curve: Curve, choice: Sequence[int]) -> dict[str, Any]:
    """Return the changed values of the drive by path: the values of the study, overridden by those of the curve and
    then by those of the parameters.
    """
    changes = study.set | curve.set
    for parameter, index in zip(study.parameters, choice, strict=True):
        given = parameter.changes(index)
        changes = {path: value for path, value in changes.items() if path not in given} | given
    return changes


def _start(
    curve: Curve, choice: tuple[int, ...], count: int, position: dict[tuple[Any, ...], int], drive: Drive
) -> tuple[str | None, int | None]:
    """Return the start of the run, or the index of the run at whose end it begins."""
    start = curve.start
    if start == "previous":
        before = choice[0] - 1 if curve.order == "forwards" else choice[0] + 1
        if 0 <= before < count:
            return None, position[(curve.name, before, *choice[1:])]
        start = curve.first_start
    if start is not None and start.startswith(FROM):
        return None, position[(start.removeprefix(FROM).strip(), *choice)]
    return start, None


def window_problems(
    parts: Sequence[FigureOfMerit | StudySpectrum], drive: Drive, where: str = "figures_of_merit"
) -> list[Problem]:
    """Return the problems of figures or spectra whose time windows do not fit the run of a drive, or the measured curve
    of the figure.
    """
    problems = []
    for i, figure in enumerate(parts):
        place, until = f"{where}[{i}]", drive.run.until
        if isinstance(figure, FigureOfMerit) and (short := coverage_problem(figure, place, drive.run)):
            problems.append(short)
        if isinstance(until, str):
            continue
        if isinstance(figure.start, str):
            message = f"the run ends at {until:g} s, steady or not; set run.until = 'steady', or give a time"
            problems.append(Problem(f"{place}.start", message, repr(figure.start)))
        elif figure.start is not None and figure.start >= until:
            problems.append(Problem(f"{place}.start", f"the run ends at {until:g} s", f"{figure.start:g} s"))
        elif figure.stop is not None and figure.stop > until * (1.0 + 1e-9):
            problems.append(Problem(f"{place}.stop", f"the run ends at {until:g} s", f"{figure.stop:g} s"))
    return problems


def _with_runs(problems: dict[Problem, tuple[Run, int]], study: Study, runs: int) -> list[Problem]:
    """Return each problem once, with its run or the number of its runs."""
    located = []
    for problem, (run, count) in problems.items():
        where = "all runs" if count == runs else f"{count} runs, the first: {run.label(study)}" if count > 1 else ""
        located.append(problem._replace(message=f"{problem.message} [{where or run.label(study)}]"))
    if len(located) > MOST_PROBLEMS:
        rest = len(located) - MOST_PROBLEMS
        located = [*located[:MOST_PROBLEMS], Problem("", f"and {rest} more of this kind")]
    return located
