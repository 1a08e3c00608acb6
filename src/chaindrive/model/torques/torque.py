"""Torques on a wheel: constant torques, torques with orders of the rotation of the wheel, and pedal torques; the types
that combine all kinds of torques.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag, field_validator

from chaindrive.model.base import Model, Quantity
from chaindrive.model.points import GEAR, Angle, GearRatio, NewtonMetre, number_or_table, one_or_several
from chaindrive.model.torques import acting as A
from chaindrive.model.torques.acting import ActingTorque, TorqueFacts, TorqueRow, gear_text, sense_text
from chaindrive.model.torques.governor import Governor
from chaindrive.model.torques.input import InputTorque
from chaindrive.model.torques.motors import DcMotor, InductionMotor
from chaindrive.model.torques.own import OwnLoad, OwnTorque
from chaindrive.model.torques.tables import TorqueOverAngle, TorqueOverSpeed, TorqueOverTime
from chaindrive.numbers import quantity

__all__ = [
    "ConstantTorque",
    "LoadTorque",
    "PedalTorque",
    "Torque",
    "TorqueOrder",
    "TorqueOrders",
    "driving_torque",
    "largest_torque",
    "torque_text",
    "torques_of",
]

MOST_TORQUES = 20
"""Largest number of torques on one wheel."""


@dataclass(frozen=True)
class ConstantTorque(ActingTorque):
    """A constant torque on a wheel, counter-clockwise positive; for a load, positive if it opposes the motion. [N m]"""

    torque: float

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``."""
        return TorqueRow(A.CONSTANT, value=self.torque)

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``."""
        size = quantity(abs(self.torque), "N m")
        return TorqueFacts(f"{size}, {sense_text(self.torque)}", self.torque, self.torque, (), (), 0.0)

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """See ``ActingTorque``."""
        return self.torque


class TorqueOrder(Model):
    """A harmonic of a torque as a function of the angle turned: amplitude x sin(order x turned + phase)."""

    order: Annotated[float, Quantity("", above=0, most=1000)] = Field(
        description="Cycles per revolution of the machine, such as 2, 0.5 or 1.73."
    )
    amplitude: Annotated[float, Quantity("N*m", least=0, most=1e9)] = Field(description="Amplitude of the torque.")
    phase: Angle = Field(0.0, description="Phase.")


class TorqueOrders(ActingTorque, Model):
    """A mean torque with orders over the angle turned in the direction of rotation, such as that of an engine.

    M = mean + sum of amplitude x sin(order x turned + phase). Positive harmonics act in the direction of the mean, or
    in the direction of rotation if there is no mean.
    """

    kind: Literal["orders"] = Field("orders", description="Determines the other keys.")
    mean: NewtonMetre = Field(
        0.0,
        description="Mean over the angle, positive counter-clockwise; for a load, positive where it opposes the "
        "motion.",
    )
    orders: Annotated[tuple[TorqueOrder, ...], Field(min_length=1, max_length=1000)] = Field(
        description="The harmonics, such as [{ order = 2, amplitude = '80 N*m' }]; half orders for a four-stroke "
        "engine."
    )
    gear_ratio: GearRatio = Field(1.0, description=GEAR)

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``."""
        gear = self.gear_ratio
        table = [(term.order, gear * term.amplitude, term.phase) for term in self.orders]
        return TorqueRow(A.ORDERS, value=gear * self.mean, table=table, gear=gear)

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``."""
        named = ", ".join(f"{term.order:g}" for term in self.orders[:6]) + (", ..." if len(self.orders) > 6 else "")
        largest = self.gear_ratio * (abs(self.mean) + sum(term.amplitude for term in self.orders))
        largest = math.copysign(largest, self.mean or 1.0)
        size = quantity(abs(self.mean), "N m")
        return TorqueFacts(
            text=f"mean {size} with the orders {named}, {sense_text(largest)}{gear_text(self.gear_ratio)}",
            largest=largest,
            driving=largest if self.mean else 0.0,
            cycles=tuple(self.gear_ratio * term.order for term in self.orders if term.amplitude > 0.0),
            kinks=(),
            slope=0.0,
        )

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """See ``ActingTorque``."""
        return self.gear_ratio * self.mean


class PedalTorque(ActingTorque, Model):
    """The torque of two pedals as a function of the angle turned: mean x (1 - ripple x cos 2 (turned - phase)).

    Efficiency measurements by Rohloff (rohloff.de) give a ripple of 0.70 at 100 W, 0.79 at 300 W and 0.82 at 575 W.
    """

    kind: Literal["pedals"] = Field("pedals", description="Determines the other keys.")
    mean: Annotated[float, Quantity("N*m", least=-1e9, most=1e9)] = Field(
        description="Mean over a revolution, positive counter-clockwise; must not be 0."
    )
    ripple: Annotated[float, Quantity("", least=0, most=2)] = Field(
        0.79, description="Amplitude of the torque relative to its mean; above 1 the torque brakes at the dead centres."
    )
    phase: Angle = Field(
        0.0,
        description="Angle from the start, in the direction of the torque, at which the torque is smallest: the "
        "dead centre.",
    )

    @field_validator("mean")
    @classmethod
    def _drives(cls, mean: float) -> float:
        if mean == 0.0:
            raise ValueError("must not be 0: its sign is the direction in which the pedals turn")
        return mean

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``."""
        return TorqueRow(A.PEDALS, value=self.mean, numbers=(self.ripple, self.phase))

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``."""
        size = quantity(abs(self.mean), "N m")
        text = f"pedals with mean {size}, {sense_text(self.mean)}, ripple {self.ripple:g}"
        largest, cycles = self.mean * (1.0 + self.ripple), (1.0,) if self.ripple > 0.0 else ()
        return TorqueFacts(text, largest, largest, cycles, kinks=(), slope=0.0)

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """See ``ActingTorque``."""
        return self.mean


Resisting = Annotated[TorqueOrders | OwnLoad, Field(discriminator="kind")]
Machine = Annotated[
    PedalTorque | TorqueOrders | InductionMotor | DcMotor | Governor | InputTorque | OwnTorque,
    Field(discriminator="kind"),
]
TorqueTable = Annotated[TorqueOverTime | TorqueOverSpeed | TorqueOverAngle, Field(discriminator="over")]
OneTorque = Annotated[
    Annotated[NewtonMetre, Tag("number")] | Annotated[TorqueTable, Tag("table")] | Annotated[Machine, Tag("kind")],
    Discriminator(number_or_table),
]
Torque = Annotated[
    Annotated[NewtonMetre, Tag("number")]
    | Annotated[TorqueTable, Tag("table")]
    | Annotated[Machine, Tag("kind")]
    | Annotated[tuple[OneTorque, ...], Field(min_length=1, max_length=MOST_TORQUES), Tag("list")],
    Discriminator(one_or_several),
]
LoadTorque = Annotated[
    Annotated[NewtonMetre, Tag("number")] | Annotated[TorqueTable, Tag("table")] | Annotated[Resisting, Tag("kind")],
    Discriminator(number_or_table),
]
AnyTorque = float | ActingTorque | Sequence[float | ActingTorque]


def torques_of(torque: AnyTorque) -> tuple[ActingTorque, ...]:
    """Return the individual torques of a value of the key ``torque``; empty for a single zero torque."""
    if isinstance(torque, Sequence):
        return tuple(each if isinstance(each, ActingTorque) else ConstantTorque(each) for each in torque)
    return torques_of((torque,)) if torque != 0.0 else ()


def largest_torque(torque: AnyTorque) -> float:
    """Return the value of a constant torque, or else the value of largest magnitude in a table, over a turn or of a
    motor, with its sign. [N m]
    """
    return sum((each.facts().largest for each in torques_of(torque)), 0.0)


def driving_torque(torque: AnyTorque) -> float:
    """Return the largest torque that drives the wheel, with its sign; the braking part of a torque-speed
    curve does not count. [N m]

    For an angle-dependent torque it is the largest value in the direction of the mean, or zero if the mean is zero.
    """
    return sum((each.facts().driving for each in torques_of(torque)), 0.0)


def torque_text(torque: AnyTorque) -> str:
    """Return a description of the torque, such as "12 N m, counter-clockwise" or "0 N m to 20 N m over speed, positive
    counter-clockwise".
    """
    return " and ".join(each.facts().text for each in torques_of(torque))
