"""The description of a study: drive, parameters and their values, curves and figures of merit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, field_validator, model_validator

from chaindrive.errors import InputError, Problem
from chaindrive.model.base import Model, Name, Quantity, Text, Vector
from chaindrive.model.calls import StudyCall
from chaindrive.model.own_law import Law
from chaindrive.model.problems import nearest, shown
from chaindrive.model.study.measured import Measurement, Unit
from chaindrive.model.study.spectra import StudySpectrum, spectrum_problems
from chaindrive.units import factor_of, in_unit, to_si

__all__ = [
    "Curve",
    "DividingChannel",
    "FigureOfMerit",
    "OnCircle",
    "Parameter",
    "Study",
    "Value",
    "figure_problems",
    "number_in",
    "parts_alone",
]

MOST_RUNS = 100_000
MOST_VALUES = 10_000
FROM = "from:"
"""Prefix of the name of a curve in the key ``start`` of another curve."""
COLUMNS = ("run", "curve", "status", "warnings", "remark", "CPU time", "wall time", "steps")
"""Names of columns of every table, which neither a parameter nor a figure of merit may have."""

Value = float | str | bool
"""Value of a parameter: a number in its unit, or a word."""
Time = Annotated[float, Quantity("s", least=0, most=1e7)]
Frequency = Annotated[float, Quantity("Hz", least=0, most=1e8)]


def _plain_value(value: Any) -> Any:
    """Return the value, if it is allowed in a file: a number, string, true, false, or a list or table of these."""
    if isinstance(value, Mapping):
        return {str(key): _plain_value(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain_value(part) for part in value]
    if isinstance(value, Law):
        return value.text
    if isinstance(value, (bool, str, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise ValueError("values must be numbers, strings, true or false, or lists or tables of these")


def _quantity(value: Any) -> Any:
    """Return the value, if it is a number or a string; the unit is checked later."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float, str))):
        raise ValueError("must be a number, or a string with a number and its unit")
    return value


def _choice(value: Any) -> Any:
    """Return the value, if it is an index or a name, or a list of these with one for each dimension."""
    chosen = list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]
    if any(isinstance(part, bool) or not isinstance(part, (int, str)) for part in chosen):
        raise ValueError("must be an index or a name, or a list with one of these for each dimension of the channel")
    return tuple(chosen)


PlainReduction = Literal["max", "min", "mean", "rms", "range", "last"]
Reduction = Literal["max", "min", "mean", "rms", "range", "last", "peak_frequency", "rms_difference"]
REDUCTIONS = get_args(Reduction)
Number = Annotated[Any, BeforeValidator(_quantity)]
"""A number in a unit that is defined elsewhere, or a string with a number and its unit."""
Changes = Annotated[dict[Name, Any], AfterValidator(_plain_value)]
"""Values of the drive by path, such as "wheels.crankshaft.motion.speed"; strings are read as on the command line."""


def number_in(given: Any, unit: str) -> float:
    """Return the given value in this unit; a plain number is already in it. Raises ValueError."""
    if not isinstance(given, str):
        return to_si(given, unit)
    try:
        return to_si(float(given), unit)
    except ValueError:
        return float(f"{in_unit(given, unit):.12g}")


class OnCircle(Model):
    """A point on a circle, whose angle is the value of a parameter."""

    set: Name = Field(description="Path of the point [x, y], such as 'wheels.tightener.position'.")
    centre: Annotated[tuple[float, float], Vector("m", most=1e3)] = Field(description="Centre [x, y] of the circle.")
    radius: Annotated[float, Quantity("m", above=0, most=1e3)] = Field(description="Radius of the circle.")

    def at(self, angle: float) -> list[float]:
        """Return the position of the point at an angle [rad] from the x axis. [m]"""
        return [self.centre[0] + self.radius * math.cos(angle), self.centre[1] + self.radius * math.sin(angle)]


class Parameter(Model):
    """A varied quantity, with its values, given as a list or from first to last in steps, and the keys of the drive
    that it sets.
    """

    name: Name = Field(description="Name in the table and on the axis of the plot.")
    unit: Unit = Field("", description="Unit of plain numbers and of the axis; empty: dimensionless numbers, or words.")
    values: Annotated[tuple[Any, ...], Field(min_length=1, max_length=MOST_VALUES)] | None = Field(
        None, description="List of values, instead of first, last and step."
    )
    first: Number = Field(None, description="First value.")
    last: Number = Field(None, description="Last value.")
    step: Number = Field(None, description="Difference between neighbouring values.")
    set: tuple[Name, ...] = Field(
        (), description="Path, or list of paths, of the keys that are set to the value itself."
    )
    on_circle: OnCircle | None = Field(None, description="A point on a circle, whose angle is the value.")
    also: dict[Name, tuple[Any, ...]] = Field(
        default_factory=dict,
        description="Additional keys that are set, by path: a list for each, with one item for each value.",
    )

    @field_validator("set", mode="before")
    @classmethod
    def _one_or_many(cls, given: Any) -> Any:
        return (given,) if isinstance(given, str) else given

    def points(self) -> tuple[Value, ...]:
        """Return the values in ``unit``, in their order. Raises ValueError if the fields contradict each other."""
        if self.values is not None:
            return tuple(self._value(value) for value in self.values)
        if self.first is None or self.last is None or self.step is None:
            raise ValueError("give either values, or first, last and step")
        first, last, step = (float(self._number(x)) for x in (self.first, self.last, self.step))
        if step == 0.0 or (last - first) * step < 0.0:
            raise ValueError(f"step must lead from first to last, but is {step:g}")
        count = math.floor((last - first) / step * (1.0 + 1e-12) + 1e-9) + 1
        if count > MOST_VALUES:
            raise ValueError(f"this gives {count} values, but a parameter may have at most {MOST_VALUES}")
        return tuple(float(f"{first + i * step:.12g}") for i in range(count))

    def changes(self, index: int) -> dict[str, Any]:
        """Return the values of the drive, by path, that value number ``index`` of the parameter sets."""
        value = self.points()[index]
        given: Any = value
        if isinstance(value, float):
            given = f"{value!r} {self.unit}" if self.unit else int(value) if value.is_integer() else value
        found: dict[str, Any] = dict.fromkeys(self.set, given)
        if self.on_circle is not None:
            found[self.on_circle.set] = self.on_circle.at(to_si(f"{value!r} {self.unit}", "rad"))
        return found | {path: values[index] for path, values in self.also.items()}

    def _value(self, given: Any) -> Value:
        if not self.unit and isinstance(given, (str, bool)):
            return given
        return self._number(given)

    def _number(self, given: Any) -> float:
        return number_in(given, self.unit)


class Curve(Model):
    """A curve of the plot: a run for each value of the parameters, with the settings of this curve.

    start is "at_speed" or "at_rest", as for a run of the drive; "from:NAME", the end of the run of another curve at the
    same values; or "previous", the end of this curve's run at the previous value. The default is that of the drive.
    """

    name: Name = Field(description="Name of the curve.")
    set: Changes = Field(default_factory=dict, description="Values of the drive for this curve, by path.")
    start: Name | None = Field(None, description="'at_speed', 'at_rest', 'previous', or 'from:' and a curve's name.")
    order: Literal["forwards", "backwards"] = Field(
        "forwards", description="Order of the values of the first parameter, for start = 'previous'."
    )
    first_start: Name | None = Field(
        None, description="The start of the first run, which has no previous one, with start = 'previous'."
    )


class DividingChannel(Model):
    """The channel by which the channel of a figure of merit is divided, at every instant or after both are reduced."""

    channel: Name = Field(description="Channel of the results, such as 'span_tension'.")
    item: Annotated[Any, BeforeValidator(_choice)] = Field(
        (), description="Index or name in each dimension of the channel, or 'all' (default)."
    )
    reduce: PlainReduction | None = Field(
        None,
        description="How all instants and items of this channel are reduced to a number, by which the number of the "
        "figure is divided. Default: the quotient is formed at every instant and then reduced, which requires a "
        "single item.",
    )


class FigureOfMerit(Model):
    """A number evaluated for every run: a channel reduced over a time window and the chosen items, or a finding of the
    verdict or on strength and life.
    """

    name: Name = Field(description="Name in the table and on the axis of the plot.")
    channel: Name | None = Field(None, description="Channel of the results, such as 'link_tension'.")
    finding: (
        Literal[
            "tension_steady",
            "tension_run",
            "breaking_load",
            "plate_range",
            "plate_life",
            "roller_bush_life",
            "bearing_pressure",
            "wear_life",
            "rated_power",
            "steady",
            "slip",
            "thrust_ratio",
            "contact_force",
            "bearing_force",
            "vibration",
            "efficiency",
            "resonance",
            "balance",
            "motor",
            "start_torque",
            "take_up",
        ]
        | None
    ) = Field(
        None,
        description="Instead of a channel: a finding of the verdict or on strength and life, as printed by "
        "chaindrive info. The unit of a life may be 'h' and that of an efficiency '%'.",
    )
    item: Annotated[Any, BeforeValidator(_choice)] = Field(
        (), description="Index or name in each dimension of the channel, or 'all' (default)."
    )
    reduce: Reduction | None = Field(
        None,
        description="How all times and items are reduced to a number; range: max - min; max, min and range are those "
        "of all steps if the run stores the extremes (link_tension_max, ...), otherwise of the stored instants; "
        "peak_frequency: frequency of the highest peak; rms_difference: RMS difference from a measured curve.",
    )
    measured: Measurement | None = Field(
        None, description="For rms_difference: the curve, or the name of its file, relative to the file of the study."
    )
    start: Annotated[float | Literal["steady"], Quantity("s", least=0, most=1e7, words=("steady",))] = Field(
        0.0, description="Start of the window; 'steady': the time at which the run became steady, for until = 'steady'."
    )
    stop: Time | None = Field(None, description="End of the window; default: the end of the run.")
    divide_by: Number = Field(
        None, description="Reference quantity, of the channel's kind, by which the number is divided."
    )
    divide_by_channel: DividingChannel | None = Field(
        None,
        description="Channel by which the number is divided, instead of a quantity; the figure is then a ratio of two "
        "channels.",
    )
    unit: Unit = Field("", description="Unit of the number; default: that of the channel.")
    lowest_frequency: Frequency = Field(0.0, description="For peak_frequency: peaks below this frequency are ignored.")
    highest_frequency: Frequency | None = Field(
        None, description="For peak_frequency: peaks above this frequency are ignored."
    )


class RunsOfOneDrive(Model):
    """The keys common to all studies."""

    name: Name = Field(description="Name of the study.")
    source: Text = Field("", description="Source of the data.")
    notes: Annotated[tuple[Text, ...], Field(max_length=1000)] = Field((), description="Remarks and uncertainties.")
    drive: Name = Field(
        description="Name of an example, or path of the file of a drive, relative to that of the study."
    )
    set: Changes = Field(default_factory=dict, description="Values of the drive for all runs, by path.")


class Study(RunsOfOneDrive, StudyCall):
    """Many runs of one drive. Raises InputError with all problems of all parts when something is wrong.

    If there are several parameters, every combination of their values is run, and curves extend along the first
    parameter.
    """

    parameters: Annotated[tuple[Parameter, ...], Field(min_length=1, max_length=6)] = Field(
        description="The varied quantities; the first one forms the x axis of the plot."
    )
    curves: Annotated[tuple[Curve, ...], Field(min_length=1, max_length=100)] = Field(
        (Curve(name="runs"),), description="The curves; default: a single curve without changes to the drive."
    )
    figures_of_merit: Annotated[tuple[FigureOfMerit, ...], Field(min_length=1, max_length=100)] = Field(
        description="Numbers evaluated for every run."
    )
    spectra: Annotated[tuple[StudySpectrum, ...], Field(max_length=20)] = Field(
        (), description="Spectra that are stored for every run, for a map over speed and frequency."
    )
    operating: Annotated[float, Quantity("rad/s", above=0, most=1e5)] | None = Field(
        None,
        description="Operating speed of the driver, which is marked in the map; default: the speed in the file of "
        "the drive or in [set].",
    )
    reports: bool = Field(
        False,
        description="Whether a report is written for every run (reports/0.html, ...). Each takes a few seconds and "
        "a few megabytes. The map links to the reports.",
    )
    on_misfit: Literal["stop", "row"] = Field(
        "stop",
        description="What happens if the drive is impossible with some values, such as a gear in which the chain "
        "does not close. 'stop': the study does not start; 'row': a row that states the reason replaces the run.",
    )

    @model_validator(mode="after")
    def _cross_checked(self) -> Study:
        problems = [*_problems(self.parameters, self.curves, self.figures_of_merit, self.spectra)]
        if problems:
            raise InputError(problems)
        return self

    @classmethod
    def further_problems(cls, fields: Mapping[str, Any]) -> list[Problem]:
        """Return the problems found by cross-checks of the valid parts, so that all problems are reported at once."""
        parts = (
            parts_alone(model, fields.get(name))
            for model, name in (
                (Parameter, "parameters"),
                (Curve, "curves"),
                (FigureOfMerit, "figures_of_merit"),
                (StudySpectrum, "spectra"),
            )
        )
        return [*_problems(*parts)]


def parts_alone(model: type[Model], given: Any) -> list[Any]:
    """Return every part of a list, validated on its own; None in place of an invalid part."""
    found: list[Any] = []
    for fields in given if isinstance(given, Sequence) and not isinstance(given, (str, bytes)) else ():
        try:
            found.append(fields if isinstance(fields, model) else model.model_validate(fields))
        except (ValidationError, InputError):
            found.append(None)
    return found


def _problems(
    parameters: Sequence[Parameter | None],
    curves: Sequence[Curve | None],
    figures: Sequence[FigureOfMerit | None],
    spectra: Sequence[StudySpectrum | None],
) -> Iterator[Problem]:
    yield from _unlike_names("parameters", [x.name if x else None for x in (*parameters, *figures)], len(parameters))
    yield from _unlike_names("curves", [curve.name if curve else None for curve in curves], len(curves))
    runs = max(len(curves), 1)
    for i, parameter in enumerate(parameters):
        if parameter is None:
            continue
        place = f"parameters[{i}]"
        try:
            points = parameter.points()
        except ValueError as error:
            yield Problem(f"{place}.{'values' if parameter.values is not None else 'first'}", str(error))
            continue
        runs *= len(points)
        yield from _parameter_problems(parameter, points, place)
    if runs > MOST_RUNS:
        yield Problem(
            "parameters", f"all combinations and curves give {runs} runs, but a study may have at most {MOST_RUNS}"
        )
    for i, figure in enumerate(figures):
        if figure is not None:
            yield from figure_problems(figure, f"figures_of_merit[{i}]")
    for i, spectrum in enumerate(spectra):
        if spectrum is not None:
            yield from spectrum_problems(spectrum, f"spectra[{i}]")
    yield from _start_problems([curve for curve in curves if curve is not None], len(curves) == 0)


def _unlike_names(place: str, names: Sequence[str | None], own: int) -> Iterator[Problem]:
    """Yield the problems of names, which become columns of the table: no name may occur twice or be that of a column of
    every table.
    """
    for i, name in enumerate(names):
        where = f"{place}[{i}].name" if i < own else f"figures_of_merit[{i - own}].name"
        if name is not None and place == "parameters" and name in COLUMNS:
            yield Problem(
                where, f"every table has a column of this name; choose a name other than {', '.join(COLUMNS)}", name
            )
        elif name is not None and name in names[:i]:
            yield Problem(where, "is used twice", repr(name))


def _parameter_problems(parameter: Parameter, points: Sequence[Value], place: str) -> Iterator[Problem]:
    if parameter.values is not None and not (parameter.first is parameter.last is parameter.step is None):
        yield Problem(f"{place}.values", "give either values, or first, last and step")
    if len(set(points)) < len(points):
        yield Problem(f"{place}.values", "a value is given twice", shown(list(points)))
    if not (parameter.set or parameter.also or parameter.on_circle):
        yield Problem(place, "sets nothing: give set, on_circle or also, such as set = 'wheels.0.motion.speed'")
    yield from circle_problems(parameter.on_circle, parameter.unit, place)
    for path, values in parameter.also.items():
        if len(values) != len(points):
            message = f"must have {len(points)} entries, one for each value of the parameter, not {len(values)}"
            yield Problem(f"{place}.also[{path!r}]", message)


def circle_problems(on_circle: object, unit: str, place: str) -> Iterator[Problem]:
    """Yield the problem of a point on a circle if the unit of the parameter is not that of an angle."""
    if on_circle is not None:
        try:
            factor_of(unit, "rad")
        except ValueError:
            yield Problem(f"{place}.unit", "must be that of an angle for a point on a circle, such as 'deg'", unit)


def figure_problems(figure: FigureOfMerit, place: str) -> Iterator[Problem]:
    """Yield the problems of contradictions within a figure of merit."""
    if figure.stop is not None and isinstance(figure.start, str):
        yield Problem(f"{place}.stop", "the steady part lasts to the end of the run: omit this", f"{figure.stop:g}")
    elif figure.stop is not None and not isinstance(figure.start, str) and figure.stop <= figure.start:
        yield Problem(f"{place}.stop", f"must be after the start of the window, {figure.start:g} s", f"{figure.stop:g}")
    if (figure.channel is None) == (figure.finding is None):
        yield Problem(place, "needs either channel, with reduce, or finding", repr(figure.name))
    elif figure.finding is None and figure.reduce is None:
        yield Problem(
            f"{place}.reduce",
            "is missing: max, min, mean, rms, range, last, peak_frequency or rms_difference of a channel",
        )
    elif figure.finding is not None:
        for field in ("item", "reduce", "measured", "divide_by_channel"):
            if getattr(figure, field):
                message = f"applies to a channel, not to finding = {figure.finding!r}: omit it"
                yield Problem(f"{place}.{field}", message, shown(getattr(figure, field)))
    if (figure.reduce == "rms_difference") != (figure.measured is not None) and figure.finding is None:
        field = "measured" if figure.measured is None else "reduce"
        message = "reduce = 'rms_difference' and measured, a measured curve, must be given together"
        yield Problem(f"{place}.{field}", message, repr(figure.name))
    if figure.divide_by_channel is not None and figure.divide_by is not None:
        yield Problem(f"{place}.divide_by_channel", "give a quantity or a channel to divide by, not both")
    if figure.divide_by_channel is not None and figure.reduce in ("peak_frequency", "rms_difference"):
        yield Problem(f"{place}.divide_by_channel", f"does not apply to reduce = {figure.reduce!r}: omit it")
    if figure.divide_by is not None and figure.unit:
        yield Problem(f"{place}.unit", "a ratio has no unit: omit unit, or divide_by", figure.unit)
    if figure.reduce == "peak_frequency":
        if figure.divide_by is not None:
            yield Problem(f"{place}.divide_by", "does not apply to a frequency: omit it")
        try:
            factor_of(figure.unit, "Hz")
        except ValueError:
            yield Problem(f"{place}.unit", "must be that of a frequency with reduce = 'peak_frequency'", figure.unit)
        if figure.highest_frequency is not None and figure.highest_frequency <= figure.lowest_frequency:
            yield Problem(
                f"{place}.highest_frequency", "must be above the lowest frequency", f"{figure.highest_frequency:g}"
            )
    elif figure.lowest_frequency or figure.highest_frequency is not None:
        message = "frequency limits apply only with reduce = 'peak_frequency'"
        yield Problem(f"{place}.reduce", message, repr(figure.reduce))


def _start_problems(curves: Sequence[Curve], left_out: bool) -> Iterator[Problem]:
    """Yield the problems of starts that do not exist, and of curves that wait for each other."""
    if left_out:
        return
    names = [curve.name for curve in curves]
    before: dict[str, list[str]] = {}
    for i, curve in enumerate(curves):
        before[curve.name] = []
        for field, start in (("start", curve.start), ("first_start", curve.first_start)):
            place = f"curves[{i}].{field}"
            if start is None or start in ("at_speed", "at_rest"):
                continue
            other = start.removeprefix(FROM).strip()
            if start == "previous":
                if field == "first_start":
                    yield Problem(
                        place, "the first run has no previous one: 'at_speed', 'at_rest' or 'from:NAME'", start
                    )
            elif not start.startswith(FROM):
                message = f"must be 'at_speed', 'at_rest', 'previous', or 'from:' and one of {', '.join(names)}"
                yield Problem(place, message, repr(start))
            elif other not in names:
                yield Problem(place, f"is not a curve of this study{nearest(other, names)}", repr(start))
            else:
                before[curve.name].append(other)
        if curve.first_start is not None and curve.start != "previous":
            yield Problem(f"curves[{i}].first_start", "applies only with start = 'previous'", repr(curve.first_start))
    while free := [name for name, others in before.items() if not any(other in before for other in others)]:
        for name in free:
            del before[name]
    if before:
        yield Problem(
            "curves", f"wait for each other to end: {', '.join(before)}; change the start of one of these curves"
        )
