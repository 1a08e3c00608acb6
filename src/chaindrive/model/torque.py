"""Torques on a wheel: constant, tabulated, over the angle in orders, of pedals, motors and governors; or several."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Discriminator, Field, Tag, ValidationInfo, field_validator

from chaindrive.model.base import Model, Quantity
from chaindrive.model.motors import DcMotor, Governor, InductionMotor
from chaindrive.model.points import MOST_POINTS, GearRatio, NewtonMetre, as_many, increasing
from chaindrive.numbers import quantity

__all__ = [
    "LoadTorque",
    "PedalTorque",
    "Torque",
    "TorqueOrder",
    "TorqueOrders",
    "TorqueOverAngle",
    "TorqueOverSpeed",
    "TorqueOverTime",
    "driving_torque",
    "largest_torque",
    "torque_text",
    "torques_of",
]

MOST_TORQUES = 20
"""On one wheel."""
Phase = Annotated[float, Quantity("rad", least=-1e3, most=1e3)]
Torques = Annotated[tuple[NewtonMetre, ...], Field(min_length=2, max_length=MOST_POINTS)]
GEAR = (
    "Speed of the machine over that of the wheel, if a gear is between them; the torque on the wheel is multiplied "
    "by it. Below 1 the machine is slower than the wheel."
)


class TorqueOverTime(Model):
    """A torque over time: linear between the points, constant before the first and after the last."""

    over: Literal["time"] = Field("time", description="What the torque is tabulated over; determines the other keys.")
    times: Annotated[
        tuple[Annotated[float, Quantity("s", least=0, most=1e6)], ...], Field(min_length=2, max_length=MOST_POINTS)
    ] = Field(description="Increasing times since the start of the run.")
    torques: Torques = Field(
        description="Torque at each time, positive counter-clockwise; of a load, positive where it opposes."
    )

    _times_increase = field_validator("times")(increasing)

    @field_validator("torques")
    @classmethod
    def _one_for_each_time(cls, torques: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        return as_many(torques, info, "times")


class TorqueOverSpeed(Model):
    """A torque over the speed, such as the curve of a motor: linear between the points, constant beyond them."""

    over: Literal["speed"] = Field("speed", description="What the torque is tabulated over; determines the other keys.")
    speeds: Annotated[
        tuple[Annotated[float, Quantity("rad/s", least=-1e5, most=1e5)], ...],
        Field(min_length=2, max_length=MOST_POINTS),
    ] = Field(
        description="Increasing angular speeds of the wheel, positive counter-clockwise, such as '700 rpm'; for a "
        "load, positive in the running sense, or without sign if it opposes the motion."
    )
    torques: Torques = Field(
        description="Torque at each speed, positive counter-clockwise; of a load, positive where it opposes."
    )

    _speeds_increase = field_validator("speeds")(increasing)

    @field_validator("torques")
    @classmethod
    def _one_for_each_speed(cls, torques: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        return as_many(torques, info, "speeds")


class TorqueOverAngle(Model):
    """A torque over the angle turned in the running sense, periodic: monotone cubics, which do not overshoot.

    Fritsch and Carlson (1980). The last angle is one period after the first: a turn, two of a four-stroke engine, half
    of one for two strokes of a press in a turn.
    """

    over: Literal["angle"] = Field("angle", description="What the torque is tabulated over; determines the other keys.")
    angles: Annotated[tuple[Phase, ...], Field(min_length=3, max_length=MOST_POINTS)] = Field(
        description="Increasing angles of the machine over one period, in the running sense, such as 0 to '720 deg'."
    )
    torques: Annotated[tuple[NewtonMetre, ...], Field(min_length=3, max_length=MOST_POINTS)] = Field(
        description="Torque at each angle, the last as the first; positive counter-clockwise, of a load where it "
        "opposes."
    )
    phase: Phase = Field(0.0, description="Angle in the table at which the run starts.")
    gear_ratio: GearRatio = Field(1.0, description=GEAR)

    _angles_increase = field_validator("angles")(increasing)

    @field_validator("torques")
    @classmethod
    def _closed(cls, torques: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        as_many(torques, info, "angles")
        if abs(torques[-1] - torques[0]) > 1e-6 * max(abs(value) for value in torques):
            raise ValueError(
                f"the last, {torques[-1]:g}, must equal the first, {torques[0]:g}: the table repeats from there"
            )
        return torques


class TorqueOrder(Model):
    """One harmonic of a torque over the angle: amplitude x sin(order x turned + phase)."""

    order: Annotated[float, Quantity("", above=0, most=1000)] = Field(
        description="Cycles per revolution of the machine, such as 2, 0.5 or 1.73."
    )
    amplitude: Annotated[float, Quantity("N*m", least=0, most=1e9)] = Field(description="Amplitude of the torque.")
    phase: Phase = Field(0.0, description="Phase.")


class TorqueOrders(Model):
    """A mean torque and orders of the rotation over the angle turned in the running sense, such as that of an engine.

    M = mean + sum of amplitude x sin(order x turned + phase), all in the sense of the mean; without one, of the run.
    """

    kind: Literal["orders"] = Field("orders", description="Determines the other keys.")
    mean: NewtonMetre = Field(
        0.0, description="Mean over the angle, positive counter-clockwise; of a load, positive where it opposes."
    )
    orders: Annotated[tuple[TorqueOrder, ...], Field(min_length=1, max_length=1000)] = Field(
        description="The harmonics, such as [{ order = 2, amplitude = '80 N*m' }]; half orders for a four-stroke "
        "engine."
    )
    gear_ratio: GearRatio = Field(1.0, description=GEAR)


class PedalTorque(Model):
    """The torque of two pedals: mean x (1 - ripple x cos 2 (turned - phase)), over the angle that the wheel has turned.

    Rohloff, efficiency measurement (rohloff.de): ripple 0.70 at 100 W, 0.79 at 300 W, 0.82 at 575 W.
    """

    kind: Literal["pedals"] = Field("pedals", description="Determines the other keys.")
    mean: Annotated[float, Quantity("N*m", least=-1e9, most=1e9)] = Field(
        description="Mean over a revolution, positive counter-clockwise; not 0."
    )
    ripple: Annotated[float, Quantity("", least=0, most=2)] = Field(
        0.79, description="Amplitude of the torque relative to its mean; above 1 it brakes at the dead centres."
    )
    phase: Phase = Field(
        0.0,
        description="Angle from the start, in the sense of the torque, at which the torque is at its minimum: "
        "dead centre.",
    )

    @field_validator("mean")
    @classmethod
    def _drives(cls, mean: float) -> float:
        if mean == 0.0:
            raise ValueError("must not be 0: its sign is the sense in which the pedals turn")
        return mean


def _number_or_table(given: Any) -> str:
    if isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
        return "list" if any(isinstance(each, (Mapping, BaseModel)) for each in given) else "number"
    if "kind" in given if isinstance(given, Mapping) else hasattr(given, "kind"):
        return "machine"
    return "table" if isinstance(given, (Mapping, BaseModel)) else "number"


TorqueTable = Annotated[TorqueOverTime | TorqueOverSpeed | TorqueOverAngle, Field(discriminator="over")]
Machine = Annotated[
    PedalTorque | TorqueOrders | InductionMotor | DcMotor | Governor,
    Field(discriminator="kind"),
]
OneTorque = Annotated[
    Annotated[NewtonMetre, Tag("number")] | Annotated[TorqueTable, Tag("table")] | Annotated[Machine, Tag("machine")],
    Discriminator(_number_or_table),
]
Torque = Annotated[
    Annotated[NewtonMetre, Tag("number")]
    | Annotated[TorqueTable, Tag("table")]
    | Annotated[Machine, Tag("machine")]
    | Annotated[tuple[OneTorque, ...], Field(min_length=1, max_length=MOST_TORQUES), Tag("list")],
    Discriminator(_number_or_table),
]
LoadTorque = Annotated[
    Annotated[NewtonMetre, Tag("number")]
    | Annotated[TorqueTable, Tag("table")]
    | Annotated[TorqueOrders, Tag("machine")],
    Discriminator(_number_or_table),
]
SingleTorque = (
    float
    | TorqueOverTime
    | TorqueOverSpeed
    | TorqueOverAngle
    | PedalTorque
    | TorqueOrders
    | InductionMotor
    | DcMotor
    | Governor
)
AnyTorque = SingleTorque | tuple[SingleTorque, ...]


def torques_of(torque: AnyTorque) -> tuple[SingleTorque, ...]:
    """The torques that act together."""
    return torque if isinstance(torque, tuple) else (torque,)


def largest_torque(torque: AnyTorque) -> float:
    """The torque itself, or that of the largest size in a table, over a turn or of a motor, with its sign. [N m]"""
    return sum((_largest(each) for each in torques_of(torque)), 0.0)


def _largest(torque: SingleTorque) -> float:
    if isinstance(torque, PedalTorque):
        return torque.mean * (1.0 + torque.ripple)
    if isinstance(torque, TorqueOrders):
        size = abs(torque.mean) + sum(term.amplitude for term in torque.orders)
        return torque.gear_ratio * math.copysign(size, torque.mean or 1.0)
    if isinstance(torque, InductionMotor):
        size = torque.gear_ratio * torque.pull_out_ratio * torque.rated_torque
        return math.copysign(size, torque.rated_speed)
    if isinstance(torque, DcMotor):
        return math.copysign(torque.gear_ratio * torque.stall_torque, torque.no_load_speed)
    if isinstance(torque, Governor):
        return math.copysign(torque.largest_torque, torque.speed)
    if isinstance(torque, TorqueOverAngle):
        return torque.gear_ratio * max(torque.torques, key=abs)
    return max(torque.torques, key=abs) if isinstance(torque, Model) else float(torque)


def driving_torque(torque: AnyTorque) -> float:
    """The largest torque with which it can drive, with its sign: of a curve over the speed without what brakes. [N m]

    That is the part where torque and speed have one sense, and the torque at standstill. Over the angle it is the
    largest in the sense of the mean, and none where there is no mean.
    """
    return sum((_driving(each) for each in torques_of(torque)), 0.0)


def _driving(torque: SingleTorque) -> float:
    if isinstance(torque, TorqueOrders):
        return _largest(torque) if torque.mean else 0.0
    if isinstance(torque, TorqueOverAngle):
        mean = _mean_over_angle(torque)
        if abs(mean) <= 1e-9 * max(abs(value) for value in torque.torques):
            return 0.0
        return torque.gear_ratio * (max(torque.torques) if mean > 0.0 else min(torque.torques))
    if not isinstance(torque, TorqueOverSpeed):
        return _largest(torque)
    points = zip(torque.speeds, torque.torques, strict=True)
    return max([_at_standstill(torque), *(m for w, m in points if w * m > 0.0)], key=abs)


def _mean_over_angle(torque: TorqueOverAngle) -> float:
    """By trapezia: its sign decides which way it drives. [N m]"""
    total = 0.0
    for k in range(len(torque.angles) - 1):
        width = torque.angles[k + 1] - torque.angles[k]
        total += 0.5 * width * (torque.torques[k] + torque.torques[k + 1])
    return total / (torque.angles[-1] - torque.angles[0])


def _at_standstill(curve: TorqueOverSpeed) -> float:
    """Torque of a curve at speed 0. [N m]"""
    if curve.speeds[0] >= 0.0 or curve.speeds[-1] <= 0.0:
        return curve.torques[0] if curve.speeds[0] >= 0.0 else curve.torques[-1]
    below = max(k for k, speed in enumerate(curve.speeds) if speed <= 0.0)
    (w, x), (m, n) = curve.speeds[below : below + 2], curve.torques[below : below + 2]
    return m - w * (n - m) / (x - w)


def torque_text(torque: AnyTorque) -> str:
    """In words: "12 N m, counter-clockwise", "0 N m to 20 N m over the speed, counter-clockwise positive"."""
    return " and ".join(_text(each) for each in torques_of(torque))


def _text(torque: SingleTorque) -> str:
    sense = "counter-clockwise" if _largest(torque) > 0.0 else "clockwise"
    geared = getattr(torque, "gear_ratio", 1.0)
    behind = f", behind a gear of {geared:g}" if geared != 1.0 else ""
    rpm = 30.0 / math.pi
    if isinstance(torque, PedalTorque):
        return f"pedals with mean {quantity(abs(torque.mean), 'N m')}, {sense}, ripple {torque.ripple:g}"
    if isinstance(torque, TorqueOrders):
        named = ", ".join(f"{term.order:g}" for term in torque.orders[:6]) + (", ..." if len(torque.orders) > 6 else "")
        return f"mean {quantity(abs(torque.mean), 'N m')} with the orders {named}, {sense}{behind}"
    if isinstance(torque, InductionMotor):
        rated = f"{quantity(torque.rated_torque, 'N m')} at {abs(torque.rated_speed) * rpm:.5g} rpm"
        return f"induction motor of {quantity(torque.rated_power, 'W')}, {rated}, {sense}{behind}"
    if isinstance(torque, DcMotor):
        ends = (
            f"{quantity(torque.stall_torque, 'N m')} at stall, {abs(torque.no_load_speed) * rpm:.5g} rpm without load"
        )
        return f"direct-current motor, {ends}, {sense}{behind}"
    if isinstance(torque, Governor):
        least, most = (quantity(value, "N m") for value in (torque.least_torque, torque.largest_torque))
        return f"governor for {abs(torque.speed) * rpm:.5g} rpm with {least} to {most}, {sense}"
    if isinstance(torque, Model):
        least, most = (quantity(value, "N m") for value in (min(torque.torques), max(torque.torques)))
        return f"{least} to {most} over {torque.over}{behind}, positive counter-clockwise"
    return f"{quantity(abs(torque), 'N m')}, {sense}"
