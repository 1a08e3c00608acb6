"""The properties of a torque on a wheel or rotor: its numbers for the kernels, its mean, its largest value and its
description.

Every kind of torque is a class with these properties. The kernels (``mechanism.torque_kernels``) select the law of a
torque by the kind in its row; nothing else in the package depends on the class.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.numbers import quantity

__all__ = [
    "ActingTorque",
    "Course",
    "TorqueFacts",
    "TorqueRow",
    "at",
    "gear_text",
    "linear_rows",
    "sense_text",
    "span_text",
]

(
    RESISTANCE, CONSTANT, OVER_TIME, OVER_ANGLE, OVER_TURN, ORDERS, PEDALS, INPUT,
    OVER_SPEED, LAW,
    INDUCTION, DIRECT_CURRENT, GOVERNOR,
) = range(13)  # fmt: skip
"""Kinds of laws, which determine the meaning of the numbers in a row (``mechanism.torque_kernels``). Laws from
OVER_SPEED on depend on the speed; those from INDUCTION on are motors."""
COUNTERCLOCKWISE, AGAINST_SENSE, AGAINST_MOTION = 0, 1, 2
"""Reference direction of the values of a law: counter-clockwise; against the direction of rotation; or against the
actual motion, as value x tanh(speed / standstill), which vanishes at standstill."""


class Course(NamedTuple):
    """Times at which a torque acts. [s]"""

    start: float = 0.0
    rise: float = 0.0
    hold: float = math.inf
    fall: float = 0.0
    every: float = math.inf
    pulses: int = 1

    def stops(self) -> list[float]:
        """Return the instants at which the torque has a kink or a jump."""
        if math.isinf(self.hold):
            return [self.start, self.start + self.rise]
        at = np.cumsum([0.0, self.rise, self.hold, self.fall])
        begins = self.start + (self.every if self.pulses > 1 else 0.0) * np.arange(self.pulses)
        return [float(x) for x in (begins[:, None] + at).ravel()]


class TorqueRow(NamedTuple):
    """The numbers that define a torque, referred to the wheel if there is gearing. ``torque_kernels`` defines
    their meaning for each kind.
    """

    kind: int
    sense_of: int = COUNTERCLOCKWISE
    value: float = 0.0
    numbers: tuple[float, ...] = ()
    """The parameters A, B, C, ... of the law of this kind."""
    table: Sequence[Sequence[float]] | NDArray[np.float64] = ()
    """Rows of the table of the torque, (n, up to 6)."""
    times: tuple[float, ...] = ()
    """Times of a table over time. [s]"""
    gear: float = 1.0
    phase: float = 0.0
    period: float = 0.0
    """Period of a table over the angle. ``phase`` is the angle in the table at which the run starts. [rad]"""
    course: Course = Course()
    standstill: float | None = None
    """Standstill speed; None: a fraction of the highest speed of the wheel. [rad/s]"""
    has_state: bool = False
    law: int = 0
    """Address of a user-defined law."""


class TorqueFacts(NamedTuple):
    """The properties of a torque other than its law. Speeds are those of the wheel."""

    text: str
    """Description of the torque, with its size and the quantities on which it depends."""
    largest: float
    """The value of a constant torque, or else the value of largest magnitude in a table, over a turn or of a motor,
    with its sign. [N m]"""
    driving: float
    """The largest torque that drives the wheel, with its sign; 0 for a load. [N m]"""
    cycles: tuple[float, ...]
    """Numbers of cycles per turn of the wheel of the parts that depend on the angle; empty if there are none."""
    kinks: Sequence[float]
    """Speeds at which the mean torque has a kink, and further speeds that resolve the curve, positive
    counter-clockwise. [rad/s]"""
    slope: float
    """Largest slope with which the torque falls as the speed rises, for the limit of an explicit step. [N m s/rad]"""
    rate: float = 0.0
    """Largest slope divided by the inertia of the wheel, for torques that follow the speed with a delay. [1/s]"""
    about_standstill: float = 0.0
    """Largest slope times the speed scale of torques that act against the motion. [N m]"""
    shown_speeds: tuple[float, ...] = ()
    """Range of speeds over which the torque curve is shown, if there is one. [rad/s]"""
    direction_key: str = ""
    """Keys whose sign is the direction in which a motor drives; empty for other torques."""


class ActingTorque(ABC):
    """A torque on a wheel or rotor. Speeds are those of the wheel, counter-clockwise positive. [rad/s]

    Defining a subclass that lacks one of the abstract members raises a TypeError.
    """

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        asked = [name for name, value in vars(ActingTorque).items() if getattr(value, "__isabstractmethod__", False)]
        if missing := [name for name in asked if getattr(cls, name) is getattr(ActingTorque, name)]:
            raise TypeError(f"{cls.__name__}, a torque, has no {', '.join(missing)}")

    @abstractmethod
    def row(self, at_speed: bool = True) -> TorqueRow:
        """Return the numbers that define the torque. at_speed: whether the run starts at speed; governors then require
        their set speed from the start.
        """

    @abstractmethod
    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """Return the properties of the torque up to the magnitude of a speed."""

    @abstractmethod
    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """Return the mean torque at a steady speed, averaged over the angle, counter-clockwise positive. [N m]

        sense: +1 if the wheel turns counter-clockwise, -1 if clockwise. time [s]; None: the long-term mean, with the
        last value of a table over time or the largest supply of a motor.
        """

    def initial_state(self, speed: float, needed: float, at_speed: bool) -> float:
        """Return the initial value of the state of the torque, if it has one (``TorqueRow.has_state``). [-]

        needed: torque that a governor must supply at this speed, counter-clockwise positive [N m].
        """
        return 0.0


def linear_rows(x: Sequence[float], *columns: ArrayLike) -> NDArray[np.float64]:
    """Return the rows of a piecewise linear table, (n, 1 + 2 columns): point, then value and slope of every column."""
    points = np.asarray(x, dtype=np.float64)
    found = [points]
    for column in columns:
        values = np.asarray(column, dtype=np.float64)
        found += [values, np.append(np.diff(values) / np.diff(points), 0.0)]
    return np.column_stack(found)


def at(x: float, points: Sequence[float], values: Sequence[float]) -> float:
    """Return the value of a piecewise linear table, constant beyond its ends."""
    return float(np.interp(x, points, values))


def span_text(values: Sequence[float]) -> str:
    """Return the range of torques as text, such as "0 N m to 20 N m"."""
    return " to ".join(quantity(value, "N m") for value in (min(values), max(values)))


def sense_text(torque: float) -> str:
    """Return the direction in which a torque acts, as text."""
    return "counter-clockwise" if torque > 0.0 else "clockwise"


def gear_text(ratio: float) -> str:
    """Return a description of the gearing between machine and wheel; empty if there is none."""
    return f", through gearing with a ratio of {ratio:g}" if ratio != 1.0 else ""
