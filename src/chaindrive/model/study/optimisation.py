"""A study that searches for optimal values, with its objective, variables and bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from chaindrive.errors import InputError, Problem
from chaindrive.model.base import Model, Name, Quantity, Text, Whole
from chaindrive.model.calls import OptimisationCall
from chaindrive.model.study.description import (
    COLUMNS,
    FigureOfMerit,
    Number,
    OnCircle,
    RunsOfOneDrive,
    Unit,
    circle_problems,
    figure_problems,
    number_in,
    parts_alone,
)
from chaindrive.model.study.expression import Comparison, Expression, comparison, expression
from chaindrive.units import to_si

__all__ = ["OWN_COLUMNS", "Optimisation", "Search", "Variable"]

OWN_COLUMNS = ("evaluation", "objective", "violation", "best", *COLUMNS[2:])
"""Names of columns of every table, which neither a variable nor a figure of merit may have."""
MOST_STEPS = 1_000_000
SAME = 1e-9
"""Fraction of the range below which two values count as equal: the table stores 12 digits. [-]"""


class Variable(Model):
    """A variable of the optimisation, with its bounds and the keys of the drive that it sets."""

    name: Name = Field(description="Name in the table, in plots and in expressions.")
    unit: Unit = Field("", description="Unit of plain numbers, of the axis and of the column.")
    least: Number = Field(description="Lower bound, inclusive.")
    most: Number = Field(description="Upper bound, inclusive.")
    start: Number = Field(None, description="Start value of the search; default: the middle of the range.")
    step: Number = Field(
        None,
        description="Only least, least + step, least + 2 step ... are allowed: step = 1 for whole numbers of teeth, "
        "2 for even numbers of links.",
    )
    set: tuple[Name, ...] = Field(
        (), description="Path, or list of paths, of the keys that are set to the value itself."
    )
    on_circle: OnCircle | None = Field(None, description="A point on a circle, whose angle is the value.")

    @field_validator("set", mode="before")
    @classmethod
    def _one_or_many(cls, given: Any) -> Any:
        return (given,) if isinstance(given, str) else given

    @property
    def bounds(self) -> tuple[float, float]:
        """Both bounds in ``unit``; the upper bound is rounded down to a whole number of steps. Raises ValueError."""
        least, most = number_in(self.least, self.unit), number_in(self.most, self.unit)
        return least, self._at(least, self.steps) if self.step is not None else most

    @property
    def steps(self) -> int:
        """Number of steps from the lower to the upper bound; 0 if any value is allowed. Raises ValueError."""
        if self.step is None:
            return 0
        least, most, step = (number_in(x, self.unit) for x in (self.least, self.most, self.step))
        return math.floor((most - least) / step * (1.0 + 1e-12) + 1e-9)

    @property
    def first(self) -> float:
        """Start value of the search, in ``unit``. Raises ValueError."""
        least, most = self.bounds
        wanted = 0.5 * (least + most) if self.start is None else number_in(self.start, self.unit)
        return self.value(self.place(wanted))

    @property
    def places(self) -> tuple[float, float]:
        """Smallest and largest position of a value in the range: numbers of steps, or the fractions 0 and 1."""
        return 0.0, float(self.steps) if self.step is not None else 1.0

    def value(self, place: float) -> float:
        """Return the value at a position in the range, in ``unit``, rounded to the 12 digits that the table stores and
        the drive uses.
        """
        least, most = self.bounds
        if self.step is not None:
            return self._at(least, round(min(max(place, 0.0), self.steps)))
        return float(f"{least + min(max(place, 0.0), 1.0) * (most - least):.12g}")

    def place(self, value: float) -> float:
        """Return the position of a value in the range, as in ``places``."""
        least, most = self.bounds
        if self.step is not None:
            return float(round((value - least) / number_in(self.step, self.unit)))
        return (value - least) / (most - least)

    def distance_from_allowed(self, value: float) -> float:
        """Return the distance of a value from the nearest allowed one, as a fraction of the range."""
        least, most = self.bounds
        distance = abs(value - self.value(self.place(value))) / (most - least)
        return distance if distance > SAME else 0.0

    def changes(self, value: float) -> dict[str, Any]:
        """Return the values of the drive that the variable sets, by path."""
        given: Any = value
        given = f"{value!r} {self.unit}" if self.unit else int(value) if value.is_integer() else value
        found: dict[str, Any] = dict.fromkeys(self.set, given)
        if self.on_circle is not None:
            found[self.on_circle.set] = self.on_circle.at(to_si(f"{value!r} {self.unit}", "rad"))
        return found

    def _at(self, least: float, number: int) -> float:
        return float(f"{least + number * number_in(self.step, self.unit):.12g}")


class Search(Model):
    """The search method and its limits."""

    method: Literal["differential-evolution", "nelder-mead"] = Field(
        "differential-evolution",
        description="'differential-evolution': global search between the bounds, many runs at a time (Storn and "
        "Price 1997), where the last 30 % of the runs are a local search from the best values; 'nelder-mead': local "
        "search from the start values, one run after the other, for variables without steps.",
    )
    evaluations: Annotated[int, Whole(1, 100_000)] = Field(
        200, description="Number of runs after which the search ends; another call with a larger number continues it."
    )
    population: Annotated[int, Whole(5, 1000)] | None = Field(
        None, description="Runs per generation (differential-evolution); default: 6 for each variable, at least 10."
    )
    tolerance: Annotated[float, Quantity("", above=0, most=0.5)] = Field(
        1e-3,
        description="The search has converged when all values of a generation lie within this fraction of their "
        "ranges, or all its objectives within this fraction of their mean; for nelder-mead, when the simplex is "
        "this small.",
    )
    seed: Annotated[int, Whole(0, 2**32 - 1)] = Field(
        1, description="Seed of the random numbers; the same seed gives the same search."
    )


class Optimisation(RunsOfOneDrive, OptimisationCall):
    """A study whose runs search for optimal values. Raises InputError with all problems of all parts."""

    minimise: Text | None = Field(
        None,
        description="Objective to minimise: a figure of merit, or an expression with figures and variables, whose "
        "names are in quotes: \"'largest force' + 0.1 * 'lost power'\".",
    )
    maximise: Text | None = Field(None, description="Objective to maximise, instead of minimise.")
    constraints: Annotated[tuple[Text, ...], Field(max_length=100)] = Field(
        (),
        description="Conditions that must hold, such as [\"'least span tension' >= 20\"]; numbers are in the unit "
        "of the column.",
    )
    variables: Annotated[tuple[Variable, ...], Field(min_length=1, max_length=20)] = Field(
        description="The variables of the search."
    )
    figures_of_merit: Annotated[tuple[FigureOfMerit, ...], Field(min_length=1, max_length=100)] = Field(
        description="Numbers evaluated for every run."
    )
    search: Search = Field(default_factory=Search, description="Method and limits of the search.")

    @model_validator(mode="after")
    def _cross_checked(self) -> Optimisation:
        problems = [*_problems(dict(self), self.variables, self.figures_of_merit, self.search)]
        if problems:
            raise InputError(problems)
        return self

    @classmethod
    def further_problems(cls, fields: Mapping[str, Any]) -> list[Problem]:
        """Return the problems found by cross-checks of the valid parts, so that all problems are reported at once."""
        variables, figures = (
            parts_alone(model, fields.get(name))
            for model, name in ((Variable, "variables"), (FigureOfMerit, "figures_of_merit"))
        )
        search = (parts_alone(Search, [fields["search"]]) if "search" in fields else [Search()])[0]
        return [*_problems(fields, variables, figures, search)]

    @property
    def names(self) -> tuple[str, ...]:
        """Columns that expressions may name: variables, then figures of merit."""
        return (*(each.name for each in self.variables), *(each.name for each in self.figures_of_merit))

    @property
    def objective(self) -> Expression:
        """The expression to be minimised or maximised."""
        return expression(str(self.minimise if self.minimise is not None else self.maximise), self.names)

    @property
    def sense(self) -> float:
        """+1 to minimise the objective, -1 to maximise it."""
        return 1.0 if self.minimise is not None else -1.0

    @property
    def limits(self) -> tuple[Comparison, ...]:
        """The constraints."""
        return tuple(comparison(text, self.names) for text in self.constraints)

    @property
    def population(self) -> int:
        """Number of runs in a generation."""
        return self.search.population or max(6 * len(self.variables), 10)


def _problems(
    fields: Mapping[str, Any],
    variables: Sequence[Variable | None],
    figures: Sequence[FigureOfMerit | None],
    search: Search | None,
) -> Iterator[Problem]:
    parts: list[Any] = [*variables, *figures]
    names = [part.name if part else None for part in parts]
    yield from _name_problems(names, len(variables))
    for i, variable in enumerate(variables):
        if variable is not None:
            yield from _variable_problems(variable, f"variables[{i}]", search)
    for i, figure in enumerate(figures):
        if figure is not None:
            yield from figure_problems(figure, f"figures_of_merit[{i}]")
    if (fields.get("minimise") is None) == (fields.get("maximise") is None):
        both = "both are given" if fields.get("minimise") is not None else "neither is given"
        yield Problem("minimise", f"give either minimise or maximise; {both}")
    if None in names or not parts:
        return  # an expression may name an invalid part
    known = [name for name in names if name is not None]
    for field in ("minimise", "maximise"):
        if isinstance(text := fields.get(field), str):
            yield from _expression_problems(expression, text, known, field)
    constraints = fields.get("constraints")
    for i, text in enumerate(constraints if isinstance(constraints, (list, tuple)) else ()):
        if isinstance(text, str):
            yield from _expression_problems(comparison, text, known, f"constraints[{i}]")


def _expression_problems(read: Any, text: str, names: Sequence[str], place: str) -> Iterator[Problem]:
    try:
        read(text, names)
    except ValueError as error:
        yield Problem(place, str(error), repr(text[:200]))


def _name_problems(names: Sequence[str | None], own: int) -> Iterator[Problem]:
    """Yield the problems of names, which become columns of the table: no name may occur twice, contain both kinds of
    quotes, or be that of a column of every table.
    """
    for i, name in enumerate(names):
        where = f"variables[{i}].name" if i < own else f"figures_of_merit[{i - own}].name"
        if name is None:
            continue
        if name in OWN_COLUMNS:
            message = f"every table has a column of this name; choose a name other than {', '.join(OWN_COLUMNS)}"
            yield Problem(where, message, repr(name))
        elif name in names[:i]:
            yield Problem(where, "is used twice", repr(name))
        if "'" in name and '"' in name:
            yield Problem(where, "must not contain both kinds of quotes, as expressions quote it", repr(name))


def _variable_problems(variable: Variable, place: str, search: Search | None) -> Iterator[Problem]:
    numbers: dict[str, float] = {}
    for field in ("least", "most", "start", "step"):
        given = getattr(variable, field)
        if given is None and field in ("start", "step"):
            continue
        try:
            if given is None:
                raise ValueError("must be a number, or a string with a number and its unit")
            numbers[field] = number_in(given, variable.unit)
        except ValueError as error:
            yield Problem(f"{place}.{field}", str(error), repr(given))
    if not (variable.set or variable.on_circle):
        yield Problem(place, "sets nothing: give set or on_circle, such as set = 'wheels.0.position'")
    yield from circle_problems(variable.on_circle, variable.unit, place)
    if "least" not in numbers or "most" not in numbers:
        return
    least, most = numbers["least"], numbers["most"]
    if not least < most:
        yield Problem(f"{place}.most", f"must be above least, {least:g}", f"{most:g}")
        return
    if "start" in numbers and not least <= numbers["start"] <= most:
        yield Problem(f"{place}.start", f"must be between least and most, {least:g} to {most:g}", f"{variable.start}")
    if "step" in numbers:
        yield from _step_problems(variable, numbers, place)
        if search is not None and search.method == "nelder-mead":
            message = "needs method = 'differential-evolution': nelder-mead does not support steps"
            yield Problem(f"{place}.step", message, f"{variable.step}")


def _step_problems(variable: Variable, numbers: Mapping[str, float], place: str) -> Iterator[Problem]:
    step, wide = numbers["step"], numbers["most"] - numbers["least"]
    if not 0.0 < step <= wide:
        yield Problem(f"{place}.step", f"must be above 0 and at most the range, {wide:g}", f"{variable.step}")
    elif wide / step > MOST_STEPS:
        yield Problem(f"{place}.step", f"gives too many steps, {wide / step:.0f}; omit it", f"{variable.step}")
    elif "start" in numbers:
        steps = (numbers["start"] - numbers["least"]) / step
        if abs(steps - round(steps)) > 1e-9 * max(abs(steps), 1.0):
            yield Problem(f"{place}.start", "must be least plus a whole number of steps", f"{variable.start}")
