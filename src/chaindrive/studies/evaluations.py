"""What comes out of an optimisation: a table with one row for each evaluation, and which of them is the best."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.model import Drive, override
from chaindrive.model.optimisation import Optimisation
from chaindrive.model.problems import nearest
from chaindrive.results.lowlevel import replacing
from chaindrive.studies.search import FAILED, INFEASIBLE
from chaindrive.studies.table import Column, line
from chaindrive.system import Status

__all__ = ["NO_VALUE", "Evaluation", "OptimisationTable", "Scale", "cells_of", "evaluation_columns", "read_evaluation"]

NO_VALUE = "NO_VALUE"
"""Status of a run that reached its end and has no objective: a figure or the expression is not a number."""
BEST = "best"


class Evaluation(NamedTuple):
    """What came of one run."""

    run: int
    """Place in the table, from 0: the order in which the search asked."""
    values: tuple[float, ...]
    """Of the variables, in the units of their columns."""
    figures: tuple[float, ...]
    """In the units of their columns; not-a-number when the run failed."""
    objective: float
    violation: float
    """How far constraints are passed, as a part of their bounds, added up; 0 where all hold; nan when it failed.

    A row of an earlier session whose values the bounds or steps of now do not allow adds how far it is off.
    """
    status: str
    """As of a ``Row``, or NO_VALUE."""
    remark: str
    cpu: float
    """[s]"""
    wall: float
    """[s]"""
    steps: int

    @property
    def failed(self) -> bool:
        """Whether there is no result."""
        return self.status != Status.REACHED_END.name

    @property
    def feasible(self) -> bool:
        """Whether there is a result with which all constraints hold."""
        return not self.failed and self.violation == 0.0


class Scale:
    """What a study thinks of figures: objective, violation, and the merit by which runs are compared."""

    def __init__(self, study: Optimisation) -> None:
        self.study, self.names = study, study.names
        self.objective, self.limits, self.sense = study.objective, study.limits, study.sense

    def judged(self, values: Sequence[float], figures: Sequence[float]) -> tuple[float, float]:
        """Objective and violation."""
        row = dict(zip(self.names, (*values, *figures), strict=True))
        excess = (limit.excess(row) / (abs(limit.bound) or 1.0) for limit in self.limits)
        off = (variable.off(value) for variable, value in zip(self.study.variables, values, strict=True))
        return self.objective.value(row), sum(excess, 0.0) + sum(off, 0.0)

    def merit(self, found: Evaluation) -> float:
        """The smaller the better: any run that meets all constraints before any other, failed ones last (Deb 2000)."""
        if found.failed:
            return FAILED
        if found.violation > 0.0:
            return INFEASIBLE * (1.0 + found.violation / (1.0 + found.violation))
        return self.sense * found.objective


def evaluation_columns(study: Optimisation, units: Sequence[str]) -> tuple[Column, ...]:
    """The columns of an optimisation's table; units: of the figures of merit."""
    known = dict(zip((figure.name for figure in study.figures_of_merit), units, strict=True))
    known |= {variable.name: variable.unit for variable in study.variables}
    return (
        Column("evaluation", ""),
        *(Column(variable.name, variable.unit) for variable in study.variables),
        *(Column(figure.name, unit) for figure, unit in zip(study.figures_of_merit, units, strict=True)),
        Column("objective", known.get(study.objective.text, "")),
        Column("violation", ""),
        Column("status", ""),
        Column("remark", ""),
        Column("CPU time", "s"),
        Column("wall time", "s"),
        Column("steps", ""),
        Column("best", ""),
    )


def cells_of(row: Evaluation, best: bool = False) -> tuple[Any, ...]:
    """The cells of a row in the order of the columns."""
    found = (row.run, *row.values, *row.figures, row.objective, row.violation)
    return (*found, row.status, row.remark, row.cpu, row.wall, row.steps, BEST if best else "")


def read_evaluation(cells: list[str], study: Optimisation) -> Evaluation:
    """A line of the file as a row; objective and violation as the study is now. Raises ValueError or IndexError."""
    count = len(study.variables)
    last = 1 + count + len(study.figures_of_merit)
    if len(cells) != last + 8:
        raise ValueError("not a row of this study")
    numbers = tuple(float(cell) if cell else math.nan for cell in cells[1:last])
    values, figures = numbers[:count], numbers[count:]
    status, remark = cells[last + 2], cells[last + 3]
    cost = float(cells[last + 4]), float(cells[last + 5]), int(cells[last + 6])
    return judged_evaluation(Scale(study), int(cells[0]), values, figures, status, remark, *cost)


def judged_evaluation(
    scale: Scale,
    run: int,
    values: tuple[float, ...],
    figures: tuple[float, ...],
    status: str,
    remark: str,
    cpu: float,
    wall: float,
    steps: int,
) -> Evaluation:
    """A row from what a run gave; one whose objective is no number has failed."""
    objective = violation = math.nan
    if status in (Status.REACHED_END.name, NO_VALUE):
        objective, violation = scale.judged(values, figures)
        status, remark = Status.REACHED_END.name, "" if status == NO_VALUE else remark
        if math.isnan(objective) or math.isnan(violation) or abs(objective) >= INFEASIBLE:
            missing = [f.name for f, x in zip(scale.study.figures_of_merit, figures, strict=True) if math.isnan(x)]
            why = f"{', '.join(missing)} could not be read" if missing else "the expression has no value there"
            status, remark, objective, violation = NO_VALUE, f"no objective: {why}", math.nan, math.nan
    return Evaluation(run, values, figures, objective, violation, status, remark, cpu, wall, steps)


class OptimisationTable:
    """The rows of an optimisation, in the order in which they were asked for.

    ``table.best`` is the best row that meets all constraints, ``table.best_drive`` its drive;
    ``table["largest link force"]`` an array with a number for each row; ``table.to_csv("table.csv")`` writes a file.
    """

    def __init__(
        self, study: Optimisation, base: Drive, units: Sequence[str], rows: Iterable[Evaluation], ending: str
    ) -> None:
        self.study, self.units = study, tuple(units)
        self.columns = evaluation_columns(study, units)
        self.rows = tuple(sorted(rows, key=lambda row: row.run))
        self.ending = ending
        """Why the search ended; empty when it was interrupted."""
        self._base = base

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<OptimisationTable {self.study.name}: {len(self)} evaluations, {len(self.failed)} failed>"

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column by its name, (rows,). Raises InputError, with the nearest name, when there is none."""
        names = [column.name for column in self.columns]
        if name not in names:
            raise InputError(Problem("column", f"there is none of this name{nearest(name, names)}", repr(name)))
        at, best = names.index(name), self.best
        return np.array([cells_of(row, row is best)[at] for row in self.rows])

    @property
    def complete(self) -> bool:
        """Whether the search came to its end."""
        return bool(self.ending)

    @property
    def failed(self) -> tuple[Evaluation, ...]:
        """Rows without result."""
        return tuple(row for row in self.rows if row.failed)

    @property
    def best(self) -> Evaluation | None:
        """The best row that meets all constraints, the first of equal ones; None where there is none."""
        return next(reversed(self.improvements), None)

    @property
    def nearest(self) -> Evaluation | None:
        """The row that misses the constraints least; None where all runs failed."""
        there = [row for row in self.rows if not row.failed]
        return min(there, key=lambda row: row.violation, default=None)

    @property
    def improvements(self) -> tuple[Evaluation, ...]:
        """The rows that were better than all before them and meet all constraints: the path of the search."""
        found: list[Evaluation] = []
        for row in self.rows:
            if row.feasible and (not found or self.study.sense * (row.objective - found[-1].objective) < 0.0):
                found.append(row)
        return tuple(found)

    @property
    def best_drive(self) -> Drive | None:
        """The drive with the best values; None where no run meets all constraints."""
        return None if self.best is None else drive_with(self.study, self._base, self.best.values)

    @property
    def active(self) -> Mapping[str, float]:
        """What the left side of each constraint is for the best row, by its text; empty without one."""
        if self.best is None:
            return {}
        row = dict(zip(self.study.names, (*self.best.values, *self.best.figures), strict=True))
        return {limit.text: limit.left.value(row) for limit in self.study.limits}

    def csv(self) -> str:
        """The table as comma-separated values; units stand in the first line, numbers are not rounded."""
        best = self.best
        rows = (line(cells_of(row, row is best)) for row in self.rows)
        return "".join([line(column.heading for column in self.columns), *rows])

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the table; a file at ``path`` is replaced. Raises ComputationError when it cannot be written."""
        target = Path(path)
        try:
            with replacing(target) as part:
                part.write_text(self.csv(), encoding="utf-8", newline="")
        except OSError as error:
            raise ComputationError(f"the table {target} could not be written: {error.strerror or error}") from None


def drive_with(study: Optimisation, base: Drive, values: Sequence[float]) -> Drive:
    """The drive with values of the variables. Raises InputError where it cannot be built."""
    changes = dict(study.set)
    for variable, value in zip(study.variables, values, strict=True):
        changes |= variable.changes(value)
    return override(base, changes)
