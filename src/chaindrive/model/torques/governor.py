"""A governor, which holds the mean speed of a wheel."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.model.base import Model, Quantity
from chaindrive.model.points import NewtonMetre
from chaindrive.model.torques import acting as A
from chaindrive.model.torques.acting import ActingTorque, TorqueFacts, TorqueRow, sense_text, span_text
from chaindrive.model.torques.motors import RPM, DrivingSpeed

__all__ = ["Governor"]

BAND = 1e-9
"""In a torque balance: fraction of the set speed over which a governor changes from its largest to its smallest
torque."""


class Governor(ActingTorque, Model):
    """A torque that holds a mean speed. It is that of a PI speed controller with limits.

    M = P e + X, between least_torque and largest_torque; X' = I e + (I/P) (M - (P e + X)), so that X does not wind up
    while M is at a limit (back-calculation, Astrom and Hagglund 2006, section 3.5).
    """

    kind: Literal["governor"] = Field("governor", description="Determines the other keys.")
    speed: DrivingSpeed = Field(
        description="Set speed of the wheel, positive counter-clockwise. Its sign is the direction of positive torques."
    )
    largest_torque: Annotated[float, Quantity("N*m", above=0, most=1e9)] = Field(
        description="Largest torque, in the direction of speed."
    )
    least_torque: NewtonMetre = Field(
        0.0,
        description="Smallest torque, in the direction of speed; the governor can brake if it is negative.",
    )
    proportional: Annotated[float, Quantity("N*m*s/rad", above=0, most=1e9)] = Field(
        description="Proportional gain: torque per speed error."
    )
    integral: Annotated[float, Quantity("N*m/rad", least=0, most=1e9)] = Field(
        0.0,
        description="Integral gain: rate of change of the torque per speed error; with 0 the speed stays too low "
        "under load.",
    )
    ramp: Annotated[float, Quantity("s", least=0, most=1e6)] = Field(
        0.0, description="Time over which the set speed rises from 0 if the run starts at rest."
    )

    @field_validator("least_torque")
    @classmethod
    def _below_the_largest(cls, least: float, info: ValidationInfo) -> float:
        largest = info.data.get("largest_torque")
        if largest is not None and least >= largest:
            raise ValueError(f"must be below largest_torque = {largest:g} N*m")
        return least

    @property
    def _sense(self) -> float:
        return math.copysign(1.0, self.speed)

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``."""
        numbers = (self.speed, self.proportional, self.integral, self.least_torque, self.largest_torque)
        course = A.Course(rise=0.0 if at_speed else self.ramp)
        return TorqueRow(A.GOVERNOR, value=self._size, numbers=numbers, course=course, has_state=True)

    @property
    def _size(self) -> float:
        """Reference torque of the integral part. [N m]"""
        return max(abs(self.least_torque), abs(self.largest_torque))

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``."""
        limits, gain = (self.least_torque, self.largest_torque), self.proportional
        if self.integral > 0.0:
            kinks = [self.speed * (1.0 + part) for part in (-BAND, 0.0, BAND)]
        else:
            kinks = [math.copysign(abs(self.speed) - limit / gain, self.speed) for limit in limits]
        largest, rpm = self._sense * self.largest_torque, abs(self.speed) / RPM
        text = f"governor for {rpm:.5g} rpm with {span_text(limits)}, {sense_text(self.speed)}"
        return TorqueFacts(text, largest, largest, (), kinks, slope=gain, rate=self.integral / gain)

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """Return the mean torque within the limits. With an integral part, any torque within them can act at the set
        speed. [N m]
        """
        missing = abs(self.speed) - self._sense * speed
        torque = self.proportional * missing
        if self.integral > 0.0:
            share = missing / abs(self.speed) / BAND  # not by a slope, which is infinite for a tiny set speed
            torque = share * (self.largest_torque - self.least_torque)
            torque += 0.5 * (self.largest_torque + self.least_torque)
        return self._sense * min(max(torque, self.least_torque), self.largest_torque)

    def initial_state(self, speed: float, needed: float, at_speed: bool) -> float:
        """Return the integral part divided by the reference torque: the required value if the run starts at speed; zero
        if it starts at rest, or if there is no integral part.
        """
        torque = self._sense * needed if at_speed and self.integral > 0.0 else 0.0
        return min(max(torque, self.least_torque), self.largest_torque) / self._size
