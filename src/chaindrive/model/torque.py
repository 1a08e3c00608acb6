"""A torque on a wheel: constant, over time, or over the speed of the wheel as the curve of a motor."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Discriminator, Field, Tag, ValidationInfo, field_validator

from chaindrive.model.base import Model, Quantity
from chaindrive.numbers import quantity

__all__ = ["Torque", "TorqueOverSpeed", "TorqueOverTime", "driving_torque", "largest_torque", "torque_text"]

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


def _number_or_table(given: Any) -> str:
    return "table" if isinstance(given, (Mapping, BaseModel)) else "number"


TorqueTable = Annotated[TorqueOverTime | TorqueOverSpeed, Field(discriminator="over")]
Torque = Annotated[
    Annotated[NewtonMetre, Tag("number")] | Annotated[TorqueTable, Tag("table")], Discriminator(_number_or_table)
]


def largest_torque(torque: float | TorqueOverTime | TorqueOverSpeed) -> float:
    """The torque itself, or that of the largest size in a table, with its sign. [N m]"""
    return max(torque.torques, key=abs) if isinstance(torque, Model) else float(torque)


def driving_torque(torque: float | TorqueOverTime | TorqueOverSpeed) -> float:
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


def torque_text(torque: float | TorqueOverTime | TorqueOverSpeed) -> str:
    """In words: "12 N m, counter-clockwise", "0 N m to 20 N m over the speed, counter-clockwise positive"."""
    if isinstance(torque, Model):
        least, most = (quantity(value, "N m") for value in (min(torque.torques), max(torque.torques)))
        return f"{least} to {most} over the {torque.over}, counter-clockwise positive"
    return f"{quantity(abs(torque), 'N m')}, {'counter-clockwise' if torque > 0.0 else 'clockwise'}"
