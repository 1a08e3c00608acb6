"""Result of a study: a table with one row for each run."""

from __future__ import annotations

import csv
import io
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.status import Status
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.model.arguments import path_of
from chaindrive.model.problems import nearest
from chaindrive.model.study.description import Parameter, Study, Value
from chaindrive.model.study.optimisation import Optimisation
from chaindrive.results.lowlevel import replacing
from chaindrive.studies.remarks import counted_warnings, ending_of, warnings_in
from chaindrive.studies.run_warnings import told_by

if TYPE_CHECKING:
    import xarray

    from chaindrive.analyses.results.speed_map import Column as SpectrumColumn
    from chaindrive.studies.maps import SpeedMap

__all__ = [
    "Column",
    "Row",
    "StudyTable",
    "Table",
    "columns_of",
    "shown_value",
    "values_text",
]

TOGETHER = 3
"""Smallest number of neighbouring values that are written as a range."""
LISTED = 8
"""Largest number of values and ranges that are listed."""


class Column(NamedTuple):
    """A column of the table."""

    name: str
    unit: str
    """Unit; empty for strings and counts, "1" for a number without a unit."""

    @property
    def heading(self) -> str:
        """Name and unit as in the first line of the file."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name


class Row(NamedTuple):
    """The result of one run."""

    run: int
    """Number of the row in the table, from 0."""
    curve: str
    parameters: tuple[Value, ...]
    """Parameters in the units of their columns."""
    figures: tuple[float, ...]
    """Figures in the units of their columns; not-a-number if the run failed."""
    status: str
    """REACHED_END, or why the run failed: a name of ``Status``, INPUT_ERROR, COMPUTATION_ERROR, INTERNAL_ERROR, or
    NOT_STARTED if the run from whose end this run was to begin has failed."""
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
    def warnings(self) -> tuple[str, ...]:
        """Warnings of the run, see :func:`warnings_in`."""
        return warnings_in(self.status, self.remark)

    @property
    def ending(self) -> str:
        """See :func:`ending_of`."""
        return ending_of(self.status, self.remark)


def values_text(study: Study, row: Row) -> str:
    """Return the parameters of a run as text: "speed 300 rpm, load 5 N*m"."""
    parts = (
        f"{parameter.name} {shown_value(value)} {parameter.unit}".strip()
        for parameter, value in zip(study.parameters, row.parameters, strict=True)
    )
    return ", ".join(parts)


def shown_value(value: Value) -> str:
    """Return a value of a parameter as text, without its unit."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def columns_of(study: Study, units: Sequence[str]) -> tuple[Column, ...]:
    """Return the columns of the table of a study; units: units of the figures of merit."""
    return (
        Column("run", ""),
        Column("curve", ""),
        *(Column(parameter.name, parameter.unit) for parameter in study.parameters),
        *(Column(figure.name, unit) for figure, unit in zip(study.figures_of_merit, units, strict=True)),
        Column("status", ""),
        Column("warnings", ""),
        Column("remark", ""),
        Column("CPU time", "s"),
        Column("wall time", "s"),
        Column("steps", ""),
    )


class AnyRow(Protocol):
    """The common interface of the rows of a table."""

    @property
    def run(self) -> int:
        """Number of the row in the table, from 0."""
        ...

    @property
    def failed(self) -> bool:
        """Whether there is no result."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings of the run."""
        ...


R = TypeVar("R", bound=AnyRow)


class Table(ABC, Generic[R]):
    """Rows in the order of their numbers, in columns with units: the common base of all tables of studies."""

    study: Study | Optimisation
    word: ClassVar[str]
    """What a row is called in warnings."""

    def __init__(self, columns: Sequence[Column], rows: Iterable[R]) -> None:
        self.columns = tuple(columns)
        self.rows = tuple(sorted(rows, key=lambda row: row.run))

    @abstractmethod
    def cells(self, row: R) -> tuple[Any, ...]:
        """Return the cells of a row in the order of the columns."""

    @abstractmethod
    def differing(self, runs: Collection[int]) -> list[str]:
        """Return texts that tell rows with these numbers from the others."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings of the study itself, such as skipped rows of a measured curve, and each warning of its runs once,
        with the runs that it concerns.
        """
        return told_by(self)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column by its name, (rows,). Raises InputError, with the most similar name, if there is no such
        column.
        """
        names = [column.name for column in self.columns]
        if name not in names:
            raise InputError(Problem("column", f"there is no column with this name{nearest(name, names)}", repr(name)))
        at = names.index(name)
        return np.array([self.cells(row)[at] for row in self.rows])

    @property
    def failed(self) -> tuple[R, ...]:
        """Rows of runs without a result."""
        return tuple(row for row in self.rows if row.failed)

    def csv(self) -> str:
        """Return the table as comma-separated values; units are in the first line, and numbers are not rounded."""
        return "".join([line(column.heading for column in self.columns), *(line(self.cells(r)) for r in self.rows)])

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the table; a file at ``path`` is replaced. Raises ComputationError if it cannot be written."""
        target = path_of(path, "path", "a table such as table.csv")
        try:
            with replacing(target) as part:
                part.write_text(self.csv(), encoding="utf-8", newline="")
        except OSError as error:
            raise ComputationError(f"the table {target} could not be written: {error.strerror or error}") from None


class StudyTable(Table[Row]):
    """The rows of a study, in the order of its curves and values.

    ``table["largest link force"]`` is an array with one value for each row; ``table.dataset`` is an xarray.Dataset with
    curves and parameters as dimensions; ``table.to_csv("table.csv")`` writes a file.
    """

    word = "run"

    def __init__(
        self,
        study: Study,
        units: Sequence[str],
        rows: Iterable[Row],
        total: int,
        spectra: Mapping[int, tuple[SpectrumColumn, ...]] = MappingProxyType({}),
        operating: float | None = None,
    ) -> None:
        super().__init__(columns_of(study, units), rows)
        self.study: Study = study
        self.units = tuple(units)
        self.total = total
        """Number of runs in the study; there are fewer rows if it was interrupted."""
        self.spectra = spectra
        """Spectra kept for every run, by the number of the run (``[[spectra]]`` of the study)."""
        self.operating = operating
        """Operating speed of the driver; None if unknown. [rad/s]"""

    def __repr__(self) -> str:
        runs = f"{len(self)} of {self.total} runs, {len(self.failed)} failed"
        return f"<StudyTable {self.study.name}: {runs}, {counted_warnings(len(self.warnings))}>"

    def cells(self, row: Row) -> tuple[Any, ...]:
        """See :class:`Table`."""
        return cells(row)

    def differing(self, runs: Collection[int]) -> list[str]:
        """Return texts with the curves and parameter values of these runs, where they do not include all those in the
        table.
        """
        rows, parts = [row for row in self.rows if row.run in runs], []
        curves = list(dict.fromkeys(row.curve for row in rows))
        if set(curves) != {row.curve for row in self.rows}:
            parts.append(f"curve {', '.join(curves)}")
        for k, parameter in enumerate(self.study.parameters):
            values = {row.parameters[k] for row in rows}
            if values != {row.parameters[k] for row in self.rows}:
                parts.append(f"{parameter.name} {_listed(parameter, values)} {parameter.unit}".strip())
        return parts

    @property
    def complete(self) -> bool:
        """Whether every run has a row."""
        return len(self.rows) == self.total

    @property
    def maps(self) -> tuple[SpeedMap, ...]:
        """Maps over speed and frequency (Campbell diagrams), with their lines and the crossings near the operating
        speed. There is one map for each signal of ``[[spectra]]`` and each curve.

        Raises InputError if the study kept no spectra, or if all runs have the same speed.
        """
        from chaindrive.studies.maps import maps_of

        return maps_of(self)

    @property
    def dataset(self) -> xarray.Dataset:
        """Every figure of merit with the dimensions (curve, parameters ...); not-a-number if there is no result."""
        import xarray

        points = [parameter.points() for parameter in self.study.parameters]
        curves = [curve.name for curve in self.study.curves]
        dims = ("curve", *(parameter.name for parameter in self.study.parameters))
        place = [{value: i for i, value in enumerate(p)} for p in points]
        shape = (len(curves), *(len(p) for p in points))
        found = {}
        for k, (figure, unit) in enumerate(zip(self.study.figures_of_merit, self.units, strict=True)):
            values = np.full(shape, math.nan)
            for row in self.rows:
                values[(curves.index(row.curve), *(at[v] for at, v in zip(place, row.parameters, strict=True)))] = (
                    row.figures[k]
                )
            found[figure.name] = (dims, values, {"units": unit})
        coordinates: dict[str, Any] = {"curve": curves}
        for parameter, p in zip(self.study.parameters, points, strict=True):
            coordinates[parameter.name] = (parameter.name, list(p), {"units": parameter.unit})
        return xarray.Dataset(found, coordinates, attrs={"title": self.study.name, "source": self.study.source})


def _listed(parameter: Parameter, values: Collection[Value]) -> str:
    """Return a text with values of a parameter in their order; neighbouring values are written as a range."""
    groups: list[list[str]] = [[]]
    for point in parameter.points():
        if point in values:
            groups[-1].append(shown_value(point))
        elif groups[-1]:
            groups.append([])
    parts: list[str] = []
    for group in groups:
        parts += [f"{group[0]} to {group[-1]}"] if len(group) >= TOGETHER else group
    more = len(parts) - LISTED
    return ", ".join(parts[:LISTED]) + (f" and {more} more" if more > 0 else "")


def cells(row: Row) -> tuple[Any, ...]:
    """Return the cells of a row in the order of the columns."""
    return (
        row.run,
        row.curve,
        *row.parameters,
        *row.figures,
        row.status,
        len(row.warnings),
        row.remark,
        row.cpu,
        row.wall,
        row.steps,
    )


def line(values: Iterable[Any]) -> str:
    """Return one line of comma-separated values. A missing number is an empty cell."""
    text = io.StringIO()
    shown = ("" if isinstance(v, float) and math.isnan(v) else repr(v) if isinstance(v, float) else v for v in values)
    csv.writer(text, lineterminator="\n").writerow(shown)
    return text.getvalue()
