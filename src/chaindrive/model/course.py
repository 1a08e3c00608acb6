"""Motions whose mean speed changes over time, with superimposed orders: common parts of run-ups and tables."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, ClassVar, Literal

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.model.base import Model, Quantity
from chaindrive.model.points import MOST_POINTS, as_many, increasing
from chaindrive.model.tabulated import TIMES, Tabulated, Times

__all__ = ["Order", "SpeedTable", "WithOrders"]

Speed = Annotated[float, Quantity("rad/s", least=-1e5, most=1e5)]
Duration = Annotated[float, Quantity("s", least=0, most=1e6)]


class Order(Model):
    """One harmonic of the rotation: amplitude x sin(order x angle + phase) (Pedersen 2004, Eq. 4.5).

    The angle is counted counter-clockwise, so it decreases if the wheel turns clockwise.
    """

    order: Annotated[float, Quantity("", above=0, most=1000)] = Field(
        description="Cycles per revolution, such as 6 or 0.5."
    )
    amplitude: Annotated[float, Quantity("rad/s^2", least=0, most=1e9)] = Field(
        description="Amplitude of the angular acceleration, which is positive counter-clockwise."
    )
    phase: Annotated[float, Quantity("rad", least=-1e3, most=1e3)] = Field(
        0.0,
        description="Phase for an angle counted counter-clockwise; a phase known in the direction of rotation of a "
        "wheel that turns clockwise is given with the opposite sign.",
    )


class WithOrders(Model):
    """Orders superimposed on a changing mean speed: the angle is the mean angle plus an oscillation.

    The orders do not change the mean angle and the mean speed.
    """

    orders: Annotated[tuple[Order, ...], Field(max_length=1000)] = Field(
        (), description="Harmonics of the angle turned at the mean speed, superimposed on the mean speed."
    )
    order_amplitudes: Literal["constant", "speed_squared"] = Field(
        "constant",
        description="How the amplitudes of the angular acceleration depend on the mean speed: 'constant', as from the "
        "gas torque of an engine, or 'speed_squared', as from a joint or an eccentric, whose angular amplitude is the "
        "same at all speeds; the given amplitudes are then those at the highest speed.",
    )
    orders_from: Annotated[float, Quantity("rad/s", above=0, most=1e5)] | None = Field(
        None,
        description="Magnitude of the mean speed above which constant amplitudes have their full size; below half "
        "this speed they are zero. Default: the lowest speed other than 0, but at least a tenth of the highest.",
    )

    @field_validator("orders_from")
    @classmethod
    def _of_constant_amplitudes(cls, speed: float | None, info: ValidationInfo) -> float | None:
        if speed is not None and info.data.get("order_amplitudes") == "speed_squared":
            raise ValueError(
                "does not apply with order_amplitudes = 'speed_squared', as amplitudes then vanish at low speed anyway"
            )
        return speed


class SpeedTable(WithOrders, Tabulated):
    """A speed tabulated over time, for starting, holding, stopping and reversing: smooth between the points, constant
    beyond them.

    Monotone cubics (Fritsch and Carlson 1980) do not overshoot: between two equal speeds the speed is constant, and
    during the change from one held speed to another the mean speed is the mean of the two. The angle is the
    integral of the speed.
    """

    ordinates: ClassVar[tuple[str, ...]] = ("speeds",)
    kind: Literal["speed_table"] = Field("speed_table", description="Determines the other keys.")
    times: Times = Field(description=TIMES)
    speeds: Annotated[tuple[Speed, ...], Field(min_length=2, max_length=MOST_POINTS)] = Field(
        description="Angular speed at each time, positive counter-clockwise, such as ['0 rpm', '500 rpm', '0 rpm']."
    )
    ramp: Duration = Field(
        2.0, description="Time from rest to the first speed, if this speed is not 0 and the run starts at rest."
    )

    _times_increase = field_validator("times")(increasing)

    @field_validator("speeds")
    @classmethod
    def _that_turn(cls, speeds: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        as_many(speeds, info, "times")
        if not any(speeds):
            still = "{ kind = 'constant_speed', speed = 0 }"
            raise ValueError(f"must not all be 0; for a wheel at standstill give motion = {still}")
        return speeds

    @property
    def initial_speed(self) -> float:
        """The first speed. [rad/s]"""
        return self.speeds[0]

    @property
    def final_speed(self) -> float:
        """The last speed. [rad/s]"""
        return self.speeds[-1]

    @property
    def running_speed(self) -> float:
        """The highest speed, with its sign; if several are equal in magnitude, the first of them. [rad/s]"""
        return max(self.speeds, key=abs)

    @property
    def start(self) -> float:
        """Time at which the speed first changes. [s]"""
        pairs = pairwise(zip(self.times, self.speeds, strict=True))
        return next((t for (t, before), (_, after) in pairs if after != before), self.times[-1])

    @property
    def duration(self) -> float:
        """Duration from the first change to the last. [s]"""
        pairs = pairwise(zip(self.times, self.speeds, strict=True))
        return max((t for (_, before), (t, after) in pairs if after != before), default=self.start) - self.start
