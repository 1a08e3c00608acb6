"""A load on a wheel, of several that add up: a torque that resists, with its course in time."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.model.base import Model, Quantity, Whole
from chaindrive.model.torque import LoadTorque, TorqueOverSpeed, largest_torque, torque_text

__all__ = ["MOST_PULSES", "WheelLoad", "load_text"]

MOST_PULSES = 10_000
Duration = Annotated[float, Quantity("s", least=0, most=1e6)]


class WheelLoad(Model):
    """One of the loads of a wheel, which add up. It rises smoothly, holds and falls, once or repeatedly.

    Its impulse is the torque times (hold + rise/2 + fall/2), each time.
    """

    torque: LoadTorque = Field(
        description="Its torque, positive where it opposes: a number, a table over 'time', 'angle' or 'speed', or "
        "the orders of a machine, as for the torque of a wheel. Times are those of the run."
    )
    against: Literal["motion", "running_sense"] = Field(
        "motion",
        validate_default=True,
        description="'motion': it opposes the actual speed in either direction and is zero at standstill, like "
        "friction or a process; 'running_sense': it keeps its direction when the drive stops or turns back, like "
        "a weight or a camshaft.",
    )
    standstill_speed: Annotated[float, Quantity("rad/s", above=0, most=1e5)] | None = Field(
        None,
        description="A load against the motion is torque x tanh(speed / this); default: 0.01 of the wheel's highest "
        "speed. If such a load alone holds the drive, the drive creeps at up to this speed.",
    )
    start: Duration = Field(0.0, description="Time at which it begins to rise.")
    rise: Duration = Field(0.0, description="Time over which it rises smoothly to its full value; 0: at once.")
    hold: Duration | None = Field(None, description="Time for which it holds; default: until the run ends.")
    fall: Duration | None = Field(None, description="Time over which it then falls smoothly to 0; default: as rise.")
    every: Annotated[float, Quantity("s", above=0, most=1e6)] | None = Field(
        None, description="Time from the start of one pulse to the start of the next; needs hold and pulses."
    )
    pulses: Annotated[int, Whole(1, MOST_PULSES)] = Field(1, description="Number of pulses.")

    @field_validator("standstill_speed")
    @classmethod
    def _of_what_opposes_the_motion(cls, speed: float | None, info: ValidationInfo) -> float | None:
        if speed is not None and info.data.get("against") == "running_sense":
            raise ValueError("does not apply with against = 'running_sense': leave it out")
        return speed

    @field_validator("against")
    @classmethod
    def _speeds_without_sign(cls, against: str, info: ValidationInfo) -> str:
        torque = info.data.get("torque")
        if against == "motion" and isinstance(torque, TorqueOverSpeed) and torque.speeds[0] < 0.0:
            raise ValueError(
                f"takes a table over speeds without sign, but speeds[0] = {torque.speeds[0]:g} rad/s: start the table "
                "at 0, or set against = 'running_sense'"
            )
        return against

    @field_validator("fall")
    @classmethod
    def _after_a_hold(cls, fall: float | None, info: ValidationInfo) -> float | None:
        if fall is not None and info.data.get("hold", 0.0) is None:
            raise ValueError("needs hold: without it the load stays until the run ends")
        return fall

    @field_validator("every")
    @classmethod
    def _one_after_the_other(cls, every: float | None, info: ValidationInfo) -> float | None:
        if every is None or not {"rise", "hold", "fall"} <= info.data.keys():
            return every
        rise, hold, fall = (info.data[name] for name in ("rise", "hold", "fall"))
        if hold is None:
            raise ValueError("needs hold: without it the load stays until the run ends and does not repeat")
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
        """From its start to the end of its last pulse; None: until the run ends. [s]"""
        if self.hold is None:
            return None
        one = self.rise + self.hold + (self.rise if self.fall is None else self.fall)
        return one + (self.pulses - 1) * (self.every or 0.0)


def load_text(load: WheelLoad) -> str:
    """In words: "12 N m, against the motion, from 1 s to 1.5 s"."""
    size = torque_text(load.torque).removesuffix(", positive counter-clockwise")
    size = size.removesuffix(", counter-clockwise").removesuffix(", clockwise")
    size = f"-{size}" if isinstance(load.torque, float) and largest_torque(load.torque) < 0.0 else size
    how = "against the motion, zero at standstill" if load.against == "motion" else "against the running sense"
    when = ""
    if load.start or load.lasting is not None:
        when = f", from {load.start:g} s"
    if load.lasting is not None:
        when += f" to {load.start + load.lasting:g} s" + (f" in {load.pulses} pulses" if load.pulses > 1 else "")
    return f"{size}, {how}{when}"
