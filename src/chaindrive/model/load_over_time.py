"""Loads that vary over time: forces and torques on the joints of bodies and on the free ends of open chains.

A load is a number, a table over time, an oscillation, an input, or a list of these, which add up. The supply pressure
of oil is given in the same way, but not as a list. The package ``torques`` contains the torques on wheels, which can
also depend on angle and speed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Discriminator, Field, Tag, ValidationInfo, field_validator

from chaindrive.model.base import Model, Quantity
from chaindrive.model.points import MOST_POINTS, as_many, increasing, number_or_table, one_or_several
from chaindrive.model.tabulated import TIMES, Tabulated, Times
from chaindrive.model.torques.acting import linear_rows
from chaindrive.numbers import quantity

__all__ = [
    "ForceLoad",
    "ForceOverTime",
    "HarmonicForce",
    "HarmonicTorque",
    "InputForce",
    "InputPressure",
    "JointForceLoad",
    "JointInputTorque",
    "JointTorqueOverTime",
    "LoadRow",
    "PressureLoad",
    "PressureOverTime",
    "TorqueLoad",
    "constant_load",
    "constant_row",
    "largest_load",
    "lasting_load",
    "load_frequencies",
    "load_rows",
    "load_text",
    "start_load",
]

MOST_LOADS = 20
"""Largest number of loads in a list."""
Time = Annotated[float, Quantity("s", least=0, most=1e6)]
Newton = Annotated[float, Quantity("N", least=-1e12, most=1e12)]
NewtonMetre = Annotated[float, Quantity("N*m", least=-1e12, most=1e12)]
Pascal = Annotated[float, Quantity("Pa", least=0, most=1e9)]


class LoadRow(NamedTuple):
    """Numbers that define a load over time, in SI units."""

    table: NDArray[np.float64] = np.zeros((0, 3))
    """Time, value and slope, (n, 3): linear between the times, constant outside them; the load oscillates if there are
    no rows."""
    amplitude: float = 0.0
    """[N or N m]"""
    frequency: float = 0.0
    """[rad/s]"""
    phase: float = 0.0
    """[rad]"""
    start: float = 0.0
    fade_in: float = 0.0
    """[s]"""
    given: bool = False
    """Whether the load is an input, whose table has one row."""
    stops: tuple[float, ...] = ()
    """Instants at which the load has a kink or a jump. [s]"""

    def scaled(self, factor: float) -> LoadRow:
        """Return the load times a factor."""
        return self._replace(table=self.table * [1.0, factor, factor], amplitude=self.amplitude * factor)


class _OverTime(Tabulated):
    """A load over time: linear between the points, constant before the first and after the last."""

    over: Literal["time"] = Field("time", description="Independent variable of the table.")
    times: Times = Field(description=TIMES)

    _times_increase = field_validator("times")(increasing)

    @field_validator("forces", "torques", "pressures", check_fields=False)
    @classmethod
    def _one_for_each_time(cls, values: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        return as_many(values, info, "times")

    @property
    def values(self) -> tuple[float, ...]:
        """The load at each time. [N or N m]"""
        return tuple(getattr(self, self.ordinates[0]))

    @property
    def largest(self) -> float:
        """Largest magnitude of the values. [N or N m]"""
        return max(map(abs, self.values))

    @property
    def lasting(self) -> float:
        """The value at the end of the table. [N or N m]"""
        return self.values[-1]

    def row(self) -> LoadRow:
        """Return the numbers that define the load."""
        return LoadRow(linear_rows(self.times, self.values), stops=self.times)

    def text(self, unit: str) -> str:
        """Return a description of the load as text; unit: "N" or "N m"."""
        return f"{quantity(min(self.values), unit)} to {quantity(max(self.values), unit)} over time"


class ForceOverTime(_OverTime):
    """A force over time: linear between the points, constant before the first and after the last."""

    ordinates: ClassVar[tuple[str, ...]] = ("forces",)
    forces: Annotated[tuple[Newton, ...], Field(min_length=2, max_length=MOST_POINTS)] = Field(
        description="Force at each time, such as ['0 N', '2 kN']; positive along the direction."
    )


class JointTorqueOverTime(_OverTime):
    """A torque over time: linear between the points, constant before the first and after the last."""

    ordinates: ClassVar[tuple[str, ...]] = ("torques",)
    torques: Annotated[tuple[NewtonMetre, ...], Field(min_length=2, max_length=MOST_POINTS)] = Field(
        description="Torque at each time, positive counter-clockwise."
    )


class PressureOverTime(_OverTime):
    """A pressure over time: linear between the points, constant before the first and after the last."""

    ordinates: ClassVar[tuple[str, ...]] = ("pressures",)
    pressures: Annotated[tuple[Pascal, ...], Field(min_length=2, max_length=MOST_POINTS)] = Field(
        description="Pressure at each time, such as ['0 bar', '3 bar']."
    )


class _Harmonic(Model):
    """A load that oscillates: amplitude x sin(2 pi x frequency x (t - start) + phase), zero before the start."""

    kind: Literal["harmonic"] = "harmonic"
    amplitude: float
    frequency: Annotated[float, Quantity("Hz", above=0, most=1e5)] = Field(description="Frequency, such as '7.5 Hz'.")
    phase: Annotated[float, Quantity("rad", least=-1e3, most=1e3)] = Field(0.0, description="Phase.")
    start: Time = Field(0.0, description="Time at which the oscillation begins.")
    fade_in: Time | None = Field(
        None,
        description="Time over which the oscillation grows smoothly from zero; with 0 it starts at full amplitude. "
        "Default: one period.",
    )

    @property
    def largest(self) -> float:
        """The amplitude. [N or N m]"""
        return self.amplitude

    @property
    def lasting(self) -> float:
        """The mean, which is 0. [N or N m]"""
        return 0.0

    def row(self) -> LoadRow:
        """Return the numbers that define the load."""
        fade_in = 1.0 / self.frequency if self.fade_in is None else self.fade_in
        return LoadRow(
            amplitude=self.amplitude,
            frequency=2.0 * math.pi * self.frequency,
            phase=self.phase,
            start=self.start,
            fade_in=fade_in,
            stops=(self.start, self.start + fade_in),
        )

    def text(self, unit: str) -> str:
        """Return a description of the load as text; unit: "N" or "N m"."""
        return f"±{quantity(self.amplitude, unit)} at {quantity(self.frequency, 'Hz')}"


class HarmonicForce(_Harmonic):
    """A force that oscillates: amplitude x sin(2 pi x frequency x (t - start) + phase), zero before the start."""

    amplitude: Annotated[float, Quantity("N", least=0, most=1e12)] = Field(description="Amplitude of the force.")


class HarmonicTorque(_Harmonic):
    """A torque that oscillates: amplitude x sin(2 pi x frequency x (t - start) + phase), zero before the start."""

    amplitude: Annotated[float, Quantity("N*m", least=0, most=1e12)] = Field(description="Amplitude of the torque.")


class _Input(Model):
    """A load that a coupled machine or a program with an FMU sets between steps, as a polynomial in time."""

    kind: Literal["input"] = "input"
    mean: float

    @property
    def largest(self) -> float:
        """Magnitude of the mean. [N, N m or Pa]"""
        return abs(self.mean)

    @property
    def lasting(self) -> float:
        """The mean. [N, N m or Pa]"""
        return self.mean

    def row(self) -> LoadRow:
        """Return the numbers that define the load."""
        return LoadRow(np.array([[0.0, self.mean, 0.0]]), given=True)

    def text(self, unit: str) -> str:
        """Return a description of the load as text."""
        return f"from outside, mean {quantity(self.mean, unit)}"


_MEAN = "the run starts with this value, which acts until another value is set."


class InputForce(_Input):
    """A force that a coupled machine, or a program that runs the drive as an FMU, sets between steps."""

    mean: Newton = Field(0.0, description="Expected mean: " + _MEAN)


class JointInputTorque(_Input):
    """A torque that a coupled machine, or a program that runs the drive as an FMU, sets between steps."""

    mean: NewtonMetre = Field(0.0, description="Expected mean, positive counter-clockwise: " + _MEAN)


class InputPressure(_Input):
    """A pressure that a coupled machine, or a program that runs the drive as an FMU, sets between steps."""

    mean: Pascal = Field(description="Expected mean: " + _MEAN)


def _one_input(loads: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the loads of a list. Raises ValueError if more than one is an input."""
    if (count := sum(isinstance(each, _Input) for each in loads)) > 1:
        raise ValueError(f"must have at most one {{ kind = 'input' }}, not {count}")
    return loads


Number = TypeVar("Number")
Table = TypeVar("Table")
Kind = TypeVar("Kind")
One = Annotated[
    Annotated[Number, Tag("number")] | Annotated[Table, Tag("table")] | Annotated[Kind, Tag("kind")],
    Discriminator(number_or_table),
]
"""A number, a table over time, or a load with a ``kind``."""
OneOrSeveral = Annotated[
    Annotated[Number, Tag("number")]
    | Annotated[Table, Tag("table")]
    | Annotated[Kind, Tag("kind")]
    | Annotated[
        tuple[One[Number, Table, Kind], ...],
        Field(min_length=1, max_length=MOST_LOADS),
        AfterValidator(_one_input),
        Tag("list"),
    ],
    Discriminator(one_or_several),
]
"""A number, a table over time, a load with a ``kind``, or a list of these, which add up."""
ForceLoad = OneOrSeveral[Newton, ForceOverTime, HarmonicForce]
"""A force: a number, a table over time, an oscillation, or a list of these, which add up. [N]"""
JointForceLoad = OneOrSeveral[Newton, ForceOverTime, Annotated[HarmonicForce | InputForce, Field(discriminator="kind")]]
"""A force on the joint of a body: a ``ForceLoad``, or an input. [N]"""
TorqueLoad = OneOrSeveral[
    NewtonMetre, JointTorqueOverTime, Annotated[HarmonicTorque | JointInputTorque, Field(discriminator="kind")]
]
"""A torque on the joint of a body, in any of the forms of ``JointForceLoad``. [N m]"""
PressureLoad = One[Pascal, PressureOverTime, InputPressure]
"""A pressure: a number, a table over time, or an input. [Pa]"""
OverTime = _OverTime | _Harmonic | _Input
AnyLoad = float | OverTime | Sequence[float | OverTime]


def _terms(load: AnyLoad) -> Sequence[float | OverTime]:
    return load if isinstance(load, Sequence) else (load,)


def _over_time(load: AnyLoad) -> list[OverTime]:
    return [term for term in _terms(load) if not isinstance(term, float)]


def constant_load(load: AnyLoad) -> float:
    """Return the constant part of a load. [N or N m]"""
    return sum((term for term in _terms(load) if isinstance(term, float)), 0.0)


def constant_row(load: float) -> LoadRow:
    """Return a constant load as a ``LoadRow``. [N or N m]"""
    return LoadRow(np.array([[0.0, load, 0.0]]))


def load_rows(load: AnyLoad) -> tuple[LoadRow, ...]:
    """Return a ``LoadRow`` for each part of a load that changes over time."""
    return tuple(term.row() for term in _over_time(load))


def start_load(load: AnyLoad) -> float:
    """Return the value of the load at the start of the run. [N, N m or Pa]"""
    varying = (term for term in _over_time(load) if not isinstance(term, _Harmonic))
    return constant_load(load) + sum(float(term.row().table[0, 1]) for term in varying)


def largest_load(load: AnyLoad) -> float:
    """Return an upper bound of the magnitude of the load: the sum of the largest magnitudes of all parts. [N or N m]"""
    return abs(constant_load(load)) + sum(term.largest for term in _over_time(load))


def lasting_load(load: AnyLoad) -> float:
    """Return the long-term mean of the load: constant part, last values of tables and means of inputs. [N or N m]"""
    return constant_load(load) + sum(term.lasting for term in _over_time(load))


def load_frequencies(load: AnyLoad) -> list[float]:
    """Return the frequencies at which the load oscillates. [Hz]"""
    return [term.frequency for term in _over_time(load) if isinstance(term, _Harmonic)]


def load_text(load: AnyLoad, unit: str) -> str:
    """Return a description of the load, such as "500 N and ±20 N at 7 Hz"; empty for no load. unit: "N" or "N m"."""
    constant = constant_load(load)
    texts = [quantity(constant, unit)] if constant else []
    return " and ".join(texts + [term.text(unit) for term in _over_time(load)])
