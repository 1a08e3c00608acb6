"""A torque on a wheel: constant, over time, over the speed of the wheel as the curve of a motor, or that of pedals."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Discriminator, Field, Tag, ValidationInfo, field_validator

from chaindrive.model.base import Model, Quantity
from chaindrive.numbers import quantity

__all__ = [
    "PedalTorque",
    "Torque",
    "TorqueOverSpeed",
    "TorqueOverTime",
    "driving_torque",
    "largest_torque",
    "torque_text",
]

MOST_POINTS = 20_000
NewtonMetre = Annotated[float, Quantity("N*m", least=-1e9, most=1e9)]


def _increasing(values: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
    for index, (before, after) in enumerate(pairwise(values)):
        if not after > before:
            message = f"must increase, but {info.field_name}[{index + 1}] = {after:g} follows {before:g}"
            raise ValueError(message)
    return values


def _as_many(torques: tuple[float, ...], info: ValidationInfo, abscissae: str) -> tuple[float, ...]:
    given = info.data.get(abscissae)
    if given is not None and len(given) != len(torques):  # wrong abscissae are reported on their own
        raise ValueError(f"must be as many as the {len(given)} {abscissae}, not {len(torques)}")
    return torques


class TorqueOverTime(Model):
    """A torque over time: linear between the points, before the first and after the last as there."""

    over: Literal["time"] = Field(
        "time", description="What the torque is tabulated over; decides about the other keys."
    )
    times: Annotated[
        tuple[Annotated[float, Quantity("s", least=0, most=1e6)], ...], Field(min_length=2, max_length=MOST_POINTS)
    ] = Field(description="Increasing times since the start of the run.")
    torques: Annotated[tuple[NewtonMetre, ...], Field(min_length=2, max_length=MOST_POINTS)] = Field(
        description="Torque at each time, positive counter-clockwise."
    )

    _times_increase = field_validator("times")(_increasing)

    @field_validator("torques")
    @classmethod
    def _one_for_each_time(cls, torques: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        return _as_many(torques, info, "times")


class TorqueOverSpeed(Model):
    """The torque-speed curve of a motor: linear between the points, beyond the first and the last as there."""

    over: Literal["speed"] = Field(
        "speed", description="What the torque is tabulated over; decides about the other keys."
    )
    speeds: Annotated[
        tuple[Annotated[float, Quantity("rad/s", least=-1e5, most=1e5)], ...],
        Field(min_length=2, max_length=MOST_POINTS),
    ] = Field(description="Increasing angular speeds of the wheel, positive counter-clockwise, such as '700 rpm'.")
    torques: Annotated[tuple[NewtonMetre, ...], Field(min_length=2, max_length=MOST_POINTS)] = Field(
        description="Torque at each speed, positive counter-clockwise."
    )

    _speeds_increase = field_validator("speeds")(_increasing)

    @field_validator("torques")
    @classmethod
    def _one_for_each_speed(cls, torques: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        return _as_many(torques, info, "speeds")


class PedalTorque(Model):
    """The torque of two pedals: mean x (1 - ripple x cos 2 (turned - phase)), over the angle that the wheel has turned.

    Rohloff, efficiency measurement (rohloff.de): ripple 0.70 at 100 W, 0.79 at 300 W, 0.82 at 575 W.
    """

    kind: Literal["pedals"] = Field("pedals", description="Decides about the other keys.")
    mean: Annotated[float, Quantity("N*m", least=-1e9, most=1e9)] = Field(
        description="Mean over a turn, positive counter-clockwise; not 0."
    )
    ripple: Annotated[float, Quantity("", least=0, most=2)] = Field(
        0.79, description="Amplitude of the torque over its mean; above 1 it brakes at the dead centres."
    )
    phase: Annotated[float, Quantity("rad", least=-1e3, most=1e3)] = Field(
        0.0, description="Angle turned since the start, in the sense of the torque, at which it is least: dead centre."
    )

    @field_validator("mean")
    @classmethod
    def _drives(cls, mean: float) -> float:
        if mean == 0.0:
            raise ValueError("must not be 0: its sign is the sense in which the pedals are turned")
        return mean


def _number_or_table(given: Any) -> str:
    if isinstance(given, PedalTorque) or (isinstance(given, Mapping) and "kind" in given):
        return "pedals"
    return "table" if isinstance(given, (Mapping, BaseModel)) else "number"


TorqueTable = Annotated[TorqueOverTime | TorqueOverSpeed, Field(discriminator="over")]
Torque = Annotated[
    Annotated[NewtonMetre, Tag("number")]
    | Annotated[TorqueTable, Tag("table")]
    | Annotated[PedalTorque, Tag("pedals")],
    Discriminator(_number_or_table),
]
AnyTorque = float | TorqueOverTime | TorqueOverSpeed | PedalTorque


def largest_torque(torque: AnyTorque) -> float:
    """The torque itself, or that of the largest size in a table or over a turn, with its sign. [N m]"""
    if isinstance(torque, PedalTorque):
        return torque.mean * (1.0 + torque.ripple)
    return max(torque.torques, key=abs) if isinstance(torque, Model) else float(torque)


def driving_torque(torque: AnyTorque) -> float:
    """The largest torque with which it can drive, with its sign: of a curve over the speed without what brakes. [N m]

    That is the part where torque and speed have one sense, and the torque at standstill.
    """
    if not isinstance(torque, TorqueOverSpeed):
        return largest_torque(torque)
    points = zip(torque.speeds, torque.torques, strict=True)
    return max([_at_standstill(torque), *(m for w, m in points if w * m > 0.0)], key=abs)


def _at_standstill(curve: TorqueOverSpeed) -> float:
    """Torque of a curve at speed 0. [N m]"""
    if curve.speeds[0] >= 0.0 or curve.speeds[-1] <= 0.0:
        return curve.torques[0] if curve.speeds[0] >= 0.0 else curve.torques[-1]
    below = max(k for k, speed in enumerate(curve.speeds) if speed <= 0.0)
    (w, x), (m, n) = curve.speeds[below : below + 2], curve.torques[below : below + 2]
    return m - w * (n - m) / (x - w)


def torque_text(torque: AnyTorque) -> str:
    """In words: "12 N m, counter-clockwise", "0 N m to 20 N m over the speed, counter-clockwise positive"."""
    if isinstance(torque, PedalTorque):
        sense = "counter-clockwise" if torque.mean > 0.0 else "clockwise"
        return f"pedals with a mean of {quantity(abs(torque.mean), 'N m')}, {sense}, ripple {torque.ripple:g}"
    if isinstance(torque, Model):
        least, most = (quantity(value, "N m") for value in (min(torque.torques), max(torque.torques)))
        return f"{least} to {most} over the {torque.over}, counter-clockwise positive"
    return f"{quantity(abs(torque), 'N m')}, {'counter-clockwise' if torque > 0.0 else 'clockwise'}"
