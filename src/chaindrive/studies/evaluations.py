"""Result of an optimisation: a table with one row for each evaluation, and the best row."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from chaindrive.contract.status import Status
from chaindrive.model import Drive, override
from chaindrive.model.files.drawing import looking_beside
from chaindrive.model.study.optimisation import Optimisation
from chaindrive.studies.remarks import counted_warnings, ending_of, remark_of, split_remark, warnings_in
from chaindrive.studies.search import FAILED, INFEASIBLE
from chaindrive.studies.table import Column, Table, shown_value

__all__ = ["NO_VALUE", "Evaluation", "OptimisationTable", "Scale", "cells_of", "evaluation_columns", "read_evaluation"]

NO_VALUE = "NO_VALUE"
"""Status of a run that reached its end but has no objective, because a figure or the expression is not a number."""
BEST = "best"


class Evaluation(NamedTuple):
    """The result of one run."""

    run: int
    """Number of the row in the table, from 0, in the order of the search."""
    values: tuple[float, ...]
    """Values of the variables, in the units of their columns."""
    figures: tuple[float, ...]
    """Figures, in the units of their columns; not-a-number if the run failed."""
    objective: float
    violation: float
    """Sum of the constraint violations relative to their bounds; 0 if all constraints are met; nan if the run failed.

    In a row of an earlier session, values outside the present bounds or steps add their distance from these.
    """
    status: str
    """Status as in a ``Row``, or NO_VALUE."""
    remark: str
    """Why there is no result, or the warnings of the run."""
    cpu: float
    """CPU time. [s]"""
    wall: float
    """Wall-clock time. [s]"""
    steps: int

    @property
    def failed(self) -> bool:
        """Whether there is no result."""
        return self.status != Status.REACHED_END.name

    @property
    def feasible(self) -> bool:
        """Whether there is a result that meets all constraints."""
        return not self.failed and self.violation == 0.0

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings of the run, see :func:`chaindrive.studies.table.warnings_in`."""
        return warnings_in(self.status, self.remark)

    @property
    def ending(self) -> str:
        """See :func:`chaindrive.studies.table.ending_of`."""
        return ending_of(self.status, self.remark)


class Scale:
    """Evaluates figures by the rules of a study: objective, violation, and the merit by which runs are compared."""

    def __init__(self, study: Optimisation) -> None:
        self.study, self.names = study, study.names
        self.objective, self.limits, self.sense = study.objective, study.limits, study.sense

    def judged(self, values: Sequence[float], figures: Sequence[float]) -> tuple[float, float]:
        """Return the objective and the violation for these figures."""
        row = dict(zip(self.names, (*values, *figures), strict=True))
        excess = (limit.excess(row) / (abs(limit.bound) or 1.0) for limit in self.limits)
        off = (
            variable.distance_from_allowed(value) for variable, value in zip(self.study.variables, values, strict=True)
        )
        return self.objective.value(row), sum(excess, 0.0) + sum(off, 0.0)

    def merit(self, found: Evaluation) -> float:
        """Return the merit; smaller is better. Runs that meet all constraints come before all others, and failed runs
        come last (Deb 2000).
        """
        if found.failed:
            return FAILED
        if found.violation > 0.0:
            return INFEASIBLE * (1.0 + found.violation / (1.0 + found.violation))
        return self.sense * found.objective


def evaluation_columns(study: Optimisation, units: Sequence[str]) -> tuple[Column, ...]:
    """Return the columns of the table of an optimisation; units: units of the figures of merit."""
    known = dict(zip((figure.name for figure in study.figures_of_merit), units, strict=True))
    known |= {variable.name: variable.unit for variable in study.variables}
    return (
        Column("evaluation", ""),
        *(Column(variable.name, variable.unit) for variable in study.variables),
        *(Column(figure.name, unit) for figure, unit in zip(study.figures_of_merit, units, strict=True)),
        Column("objective", known.get(study.objective.text, "")),
        Column("violation", ""),
        Column("status", ""),
        Column("warnings", ""),
        Column("remark", ""),
        Column("CPU time", "s"),
        Column("wall time", "s"),
        Column("steps", ""),
        Column("best", ""),
    )


def cells_of(row: Evaluation, best: bool = False) -> tuple[Any, ...]:
    """Return the cells of a row in the order of the columns."""
    found = (row.run, *row.values, *row.figures, row.objective, row.violation)
    outcome = (row.status, len(row.warnings), row.remark)
    return (*found, *outcome, row.cpu, row.wall, row.steps, BEST if best else "")


def read_evaluation(cells: list[str], study: Optimisation) -> Evaluation:
    """Return a line of the file as a row, with objective and violation evaluated as the present study defines them.
    Raises ValueError or IndexError if the line is invalid.
    """
    count = len(study.variables)
    last = 1 + count + len(study.figures_of_merit)
    if len(cells) != last + 9:
        raise ValueError("not a row of this study")
    numbers = tuple(float(cell) if cell else math.nan for cell in cells[1:last])
    values, figures = numbers[:count], numbers[count:]
    status, remark = cells[last + 2], cells[last + 4]
    cost = float(cells[last + 5]), float(cells[last + 6]), int(cells[last + 7])
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
    """Return a row made from the outcome of a run; a row whose objective is not a number counts as failed."""
    objective = violation = math.nan
    if status in (Status.REACHED_END.name, NO_VALUE):
        objective, violation = scale.judged(values, figures)
        warnings = split_remark(remark)[1:] if status == NO_VALUE else split_remark(remark)
        status, remark = Status.REACHED_END.name, remark_of(warnings)
        if math.isnan(objective) or math.isnan(violation) or abs(objective) >= INFEASIBLE:
            missing = [f.name for f, x in zip(scale.study.figures_of_merit, figures, strict=True) if math.isnan(x)]
            why = f"{', '.join(missing)} could not be evaluated" if missing else "the expression has no value there"
            status, remark = NO_VALUE, remark_of([f"no objective: {why}", *warnings])
            objective = violation = math.nan
    return Evaluation(run, values, figures, objective, violation, status, remark, cpu, wall, steps)


class OptimisationTable(Table[Evaluation]):
    """The rows of an optimisation, in the order of the search.

    ``table.best`` is the best row that meets all constraints, and ``table.best_drive`` is its drive;
    ``table["largest link force"]`` is an array with one value for each row; ``table.to_csv("table.csv")`` writes a
    file.
    """

    word = "evaluation"

    def __init__(
        self, study: Optimisation, base: Drive, units: Sequence[str], rows: Iterable[Evaluation], ending: str
    ) -> None:
        super().__init__(evaluation_columns(study, units), rows)
        self.study: Optimisation = study
        self.units = tuple(units)
        self.ending = ending
        """Why the search ended; empty if it was interrupted."""
        self._base = base

    def __repr__(self) -> str:
        made = f"{len(self)} evaluations, {len(self.failed)} failed"
        return f"<OptimisationTable {self.study.name}: {made}, {counted_warnings(len(self.warnings))}>"

    def cells(self, row: Evaluation) -> tuple[Any, ...]:
        """See :class:`Table`."""
        return cells_of(row, row is self.best)

    def differing(self, runs: Collection[int]) -> list[str]:
        """Return texts with the ranges of the variables in these runs, if other runs lie outside these ranges, and
        whether the best run is among them.
        """
        rows, parts = [row for row in self.rows if row.run in runs], []
        for k, variable in enumerate(self.study.variables):
            low, high = (limit(row.values[k] for row in rows) for limit in (min, max))
            if any(not low <= row.values[k] <= high for row in self.rows):
                shown = shown_value(low) + (f" to {shown_value(high)}" if high > low else "")
                parts.append(f"{variable.name} {shown} {variable.unit}".strip())
        if self.best is not None and self.best.run in runs and len(runs) < len(self):
            parts.append("the best one" + (" among them" if len(runs) > 1 else ""))
        return parts

    @property
    def complete(self) -> bool:
        """Whether the search was completed."""
        return bool(self.ending)

    @cached_property
    def best(self) -> Evaluation | None:
        """The best row that meets all constraints, or the first of several equal rows; None if there is no such row."""
        return next(reversed(self.improvements), None)

    @property
    def nearest(self) -> Evaluation | None:
        """The row with the smallest violation; None if all runs failed."""
        there = [row for row in self.rows if not row.failed]
        return min(there, key=lambda row: row.violation, default=None)

    @cached_property
    def improvements(self) -> tuple[Evaluation, ...]:
        """The rows that meet all constraints and are better than all earlier ones: the progress of the search."""
        found: list[Evaluation] = []
        for row in self.rows:
            if row.feasible and (not found or self.study.sense * (row.objective - found[-1].objective) < 0.0):
                found.append(row)
        return tuple(found)

    @property
    def best_drive(self) -> Drive | None:
        """The drive with the best values; None if no run meets all constraints."""
        return None if self.best is None else drive_with(self.study, self._base, self.best.values)

    @property
    def active(self) -> Mapping[str, float]:
        """Value of the left-hand side of each constraint for the best row, by the text of the constraint; empty if
        there is no best row.
        """
        if self.best is None:
            return {}
        row = dict(zip(self.study.names, (*self.best.values, *self.best.figures), strict=True))
        return {limit.text: limit.left.value(row) for limit in self.study.limits}


def drive_with(study: Optimisation, base: Drive, values: Sequence[float]) -> Drive:
    """Return the drive with these values of the variables. Raises InputError if it cannot be built."""
    changes = dict(study.set)
    for variable, value in zip(study.variables, values, strict=True):
        changes |= variable.changes(value)
    with looking_beside(study.drive):
        return override(base, changes)
