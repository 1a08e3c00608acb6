"""Loads on a wheel, which add up: speed-dependent resistance, and resisting torques that vary over time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.model.base import Model, Quantity, Whole
from chaindrive.model.torques import acting as A
from chaindrive.model.torques.acting import ActingTorque, TorqueFacts, TorqueRow
from chaindrive.model.torques.torque import ConstantTorque, LoadTorque, TorqueOverSpeed
from chaindrive.numbers import quantity
from chaindrive.units import kind_of

__all__ = ["MOST_PULSES", "LoadTorqueNumber", "Resistance", "WheelLoad"]

MOST_PULSES = 10_000
Duration = Annotated[float, Quantity("s", least=0, most=1e6)]


@dataclass(frozen=True)
class Resistance(ActingTorque):
    """A constant torque T against the direction of rotation, plus torques against the actual speed w: T + c w + q w
    |w|.
    """

    constant: float
    """Constant part T. [N m]"""
    viscous: float
    """Coefficient c of the speed. [N m s/rad]"""
    quadratic: float
    """Coefficient q of the square of the speed. [N m s^2/rad^2]"""

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``."""
        numbers = (self.viscous, self.quadratic)
        return TorqueRow(A.RESISTANCE, A.AGAINST_SENSE, value=self.constant, numbers=numbers)

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``."""
        parts = ((self.constant, "N m"), (self.viscous, "N m s/rad"), (self.quadratic, "N m s²/rad²"))
        largest = abs(self.constant) + (self.viscous + self.quadratic * abs(speed)) * abs(speed)
        text = " and ".join(quantity(value, unit) for value, unit in parts if value)
        return TorqueFacts(text, largest, 0.0, (), kinks=(), slope=self.viscous + 2.0 * self.quadratic * abs(speed))

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """See ``ActingTorque``."""
        return -sense * self.constant - (self.viscous + self.quadratic * abs(speed)) * speed


class _OneLoad(Quantity):
    """Annotation of a torque that must be a number. For a table or a list the error names the key that takes one."""

    def parse(self, value: object) -> float | str:
        """Return the torque. [N m] Raises ValueError, with a message for the user, when it is not allowed."""
        if isinstance(value, (Mapping, list, tuple)):
            raise ValueError(
                f"must be {kind_of(self.unit)}: a single number; a load that depends on time, angle or speed, or "
                "several loads, belong to the key loads, such as loads = [{ torque = { over = 'time', ... } }]"
            )
        return super().parse(value)


LoadTorqueNumber = Annotated[float, _OneLoad("N*m", least=-1e9, most=1e9)]
"""A torque that opposes the direction of rotation. [N m]"""


class WheelLoad(ActingTorque, Model):
    """One of the loads of a wheel, which add up.

    It rises smoothly, holds and falls, once or repeatedly. The impulse of each pulse is the torque times (hold + rise/2
    + fall/2).
    """

    torque: LoadTorque = Field(
        description="Torque of the load, positive where it opposes the motion: a number, a table over 'time', "
        "'angle' or 'speed', or the orders of a machine, as for the torque of a wheel. Times are those of the run."
    )
    against: Literal["motion", "running_sense"] = Field(
        "motion",
        validate_default=True,
        description="'motion': the load opposes the actual speed in either direction and is zero at standstill, as "
        "with friction or a process; 'running_sense': the load keeps its direction when the drive stops or "
        "reverses, as with a weight or a camshaft.",
    )
    standstill_speed: Annotated[float, Quantity("rad/s", above=0, most=1e5)] | None = Field(
        None,
        description="A load against the motion is torque x tanh(speed / standstill_speed); default: 0.01 times the "
        "wheel's highest speed. If only such a load holds the drive, the drive creeps at up to this speed.",
    )
    start: Duration = Field(0.0, description="Time at which the load begins to rise.")
    rise: Duration = Field(
        0.0, description="Time over which the load rises smoothly to its full value; 0: immediately."
    )
    hold: Duration | None = Field(None, description="Time for which the load holds; default: until the run ends.")
    fall: Duration | None = Field(
        None, description="Time over which the load then falls smoothly to 0; default: the same as rise."
    )
    every: Annotated[float, Quantity("s", above=0, most=1e6)] | None = Field(
        None, description="Time from the start of one pulse to the start of the next; needs hold and pulses."
    )
    pulses: Annotated[int, Whole(1, MOST_PULSES)] = Field(1, description="Number of pulses.")

    @field_validator("standstill_speed")
    @classmethod
    def _of_what_opposes_the_motion(cls, speed: float | None, info: ValidationInfo) -> float | None:
        if speed is not None and info.data.get("against") == "running_sense":
            raise ValueError("does not apply with against = 'running_sense': omit it")
        return speed

    @field_validator("against")
    @classmethod
    def _speeds_without_sign(cls, against: str, info: ValidationInfo) -> str:
        torque = info.data.get("torque")
        if against == "motion" and isinstance(torque, TorqueOverSpeed) and torque.speeds[0] < 0.0:
            raise ValueError(
                f"needs a table with speeds of 0 or above, but speeds[0] = {torque.speeds[0]:g} rad/s: start the "
                "table at 0, or set against = 'running_sense'"
            )
        return against

    @field_validator("fall")
    @classmethod
    def _after_a_hold(cls, fall: float | None, info: ValidationInfo) -> float | None:
        if fall is not None and info.data.get("hold", 0.0) is None:
            raise ValueError("needs hold: without hold the load lasts until the run ends")
        return fall

    @field_validator("every")
    @classmethod
    def _one_after_the_other(cls, every: float | None, info: ValidationInfo) -> float | None:
        if every is None or not {"rise", "hold", "fall"} <= info.data.keys():
            return every
        rise, hold, fall = (info.data[name] for name in ("rise", "hold", "fall"))
        if hold is None:
            raise ValueError("needs hold: without hold the load lasts until the run ends and does not repeat")
        lasting = rise + hold + (rise if fall is None else fall)
        if every < lasting:
            raise ValueError(f"must be at least as long as one pulse, rise + hold + fall = {lasting:g} s")
        return every

    @field_validator("pulses")
    @classmethod
    def _with_every(cls, pulses: int, info: ValidationInfo) -> int:
        if pulses > 1 and info.data.get("every", 0.0) is None:
            raise ValueError("needs every, the time from the start of one pulse to the start of the next")
        return pulses

    @property
    def lasting(self) -> float | None:
        """Time from the start of the load to the end of its last pulse; None if it lasts until the run ends. [s]"""
        if self.hold is None:
            return None
        one = self.rise + self.hold + (self.rise if self.fall is None else self.fall)
        return one + (self.pulses - 1) * (self.every or 0.0)

    @property
    def _law(self) -> ActingTorque:
        """The law of the torque, positive if it opposes the motion."""
        return self.torque if isinstance(self.torque, ActingTorque) else ConstantTorque(self.torque)

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``."""
        hold = math.inf if self.hold is None else self.hold
        fall = self.rise if self.fall is None else self.fall
        course = A.Course(self.start, self.rise, hold, fall, self.every or math.inf, self.pulses)
        sense_of = A.AGAINST_MOTION if self.against == "motion" else A.AGAINST_SENSE
        return self._law.row()._replace(sense_of=sense_of, course=course, standstill=self.standstill_speed)

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``."""
        own = self._law.facts(speed)
        about = abs(own.largest) if self.against == "motion" else 0.0
        slope, text = own.slope, self._text(own.text)
        if self.standstill_speed is not None:
            slope, about = slope + about / self.standstill_speed, 0.0
        own = own._replace(text=text, slope=slope, about_standstill=about)
        return own._replace(driving=0.0, shown_speeds=(), direction_key="")  # it drives nothing

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """Return the long-term mean of the load; zero for a load that ends. [N m]"""
        if self.hold is not None:
            return 0.0
        if self.against == "motion":
            opposed = math.copysign(1.0, speed) if speed else sense
            return -opposed * self._law.mean_torque(abs(speed), sense, time)
        return -sense * self._law.mean_torque(sense * speed, sense, time)

    def _text(self, size: str) -> str:
        """Return a description of the load, such as "12 N m, against the motion, from 1 s to 1.5 s"."""
        size = size.removesuffix(", positive counter-clockwise")
        size = size.removesuffix(", counter-clockwise").removesuffix(", clockwise")
        size = f"-{size}" if isinstance(self.torque, float) and self.torque < 0.0 else size
        how = (
            "against the motion, zero at standstill"
            if self.against == "motion"
            else "against the direction of rotation"
        )
        when = ""
        if self.start or self.lasting is not None:
            when = f", from {self.start:g} s"
        if self.lasting is not None:
            when += f" to {self.start + self.lasting:g} s" + (f" in {self.pulses} pulses" if self.pulses > 1 else "")
        return f"{size}, {how}{when}"
