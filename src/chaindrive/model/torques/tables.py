"""Tables of torques over time, speed or angle, and of the load over a turn of a wheel."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationInfo, field_validator

from chaindrive.model.base import Quantity
from chaindrive.model.points import (
    GEAR,
    MOST_POINTS,
    Angle,
    GearRatio,
    NewtonMetre,
    as_many,
    increasing,
    increasing_over_one_turn,
    periodic,
)
from chaindrive.model.tabulated import Tabulated
from chaindrive.model.torques import acting as A
from chaindrive.model.torques.acting import ActingTorque, TorqueFacts, TorqueRow, at, gear_text, linear_rows, span_text
from chaindrive.physics.tables import mean_of_cubics, monotone_cubics, periodic_spline

__all__ = ["LoadTable", "TorqueOverAngle", "TorqueOverSpeed", "TorqueOverTime"]

TURN = 2.0 * math.pi
Duration = Annotated[float, Quantity("s", least=0, most=1e6)]
Torques = Annotated[tuple[NewtonMetre, ...], Field(min_length=2, max_length=MOST_POINTS)]


_spline = lru_cache(maxsize=64)(periodic_spline)


@lru_cache(maxsize=64)
def _monotone(angles: tuple[float, ...], torques: tuple[float, ...], gear: float) -> tuple[NDArray[np.float64], float]:
    """Return the rows of a periodic table, and its mean. [N m]"""
    rows = monotone_cubics(angles, [gear * torque for torque in torques])
    return rows, mean_of_cubics(rows, angles[-1] - angles[0])


class TorqueOverTime(ActingTorque, Tabulated):
    """A torque over time: linear between the points, constant before the first and after the last."""

    ordinates: ClassVar[tuple[str, ...]] = ("torques",)
    over: Literal["time"] = Field("time", description="Independent variable of the table; determines the other keys.")
    times: Annotated[
        tuple[Annotated[float, Quantity("s", least=0, most=1e6)], ...], Field(min_length=2, max_length=MOST_POINTS)
    ] = Field(description="Increasing times since the start of the run.")
    torques: Torques = Field(
        description="Torque at each time, positive counter-clockwise; for a load, positive where it opposes the motion."
    )

    _times_increase = field_validator("times")(increasing)

    @field_validator("torques")
    @classmethod
    def _one_for_each_time(cls, torques: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        return as_many(torques, info, "times")

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``."""
        return TorqueRow(A.OVER_TIME, table=linear_rows(self.times, self.torques), times=self.times)

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``."""
        text = f"{span_text(self.torques)} over time, positive counter-clockwise"
        largest = max(self.torques, key=abs)
        return TorqueFacts(text, largest, largest, cycles=(), kinks=(), slope=0.0)

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """See ``ActingTorque``."""
        return self.torques[-1] if time is None else at(time, self.times, self.torques)


class TorqueOverSpeed(ActingTorque, Tabulated):
    """A torque as a function of speed, such as a motor curve: linear between the points, constant beyond them."""

    abscissae: ClassVar[str] = "speeds"
    ordinates: ClassVar[tuple[str, ...]] = ("torques",)
    over: Literal["speed"] = Field("speed", description="Independent variable of the table; determines the other keys.")
    speeds: Annotated[
        tuple[Annotated[float, Quantity("rad/s", least=-1e5, most=1e5)], ...],
        Field(min_length=2, max_length=MOST_POINTS),
    ] = Field(
        description="Increasing angular speeds of the wheel, positive counter-clockwise, such as '700 rpm'; for a "
        "load, positive in the direction of rotation, or magnitudes with against = 'motion'."
    )
    torques: Torques = Field(
        description="Torque at each speed, positive counter-clockwise; for a load, positive where it opposes the "
        "motion."
    )

    _speeds_increase = field_validator("speeds")(increasing)

    @field_validator("torques")
    @classmethod
    def _one_for_each_speed(cls, torques: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        return as_many(torques, info, "speeds")

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``."""
        return TorqueRow(A.OVER_SPEED, table=linear_rows(self.speeds, self.torques))

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``."""
        points = zip(self.speeds, self.torques, strict=True)
        driving = [at(0.0, self.speeds, self.torques), *(m for w, m in points if w * m > 0.0)]  # without braking
        return TorqueFacts(
            text=f"{span_text(self.torques)} over speed, positive counter-clockwise",
            largest=max(self.torques, key=abs),
            driving=max(driving, key=abs),
            cycles=(),
            kinks=[sign * each for each in self.speeds for sign in (-1.0, 1.0)],  # for a load: sign of the wheel
            slope=float(abs(linear_rows(self.speeds, self.torques)[:, 2]).max()),
            shown_speeds=(self.speeds[0], self.speeds[-1]),
            direction_key="speeds and torques",
        )

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """See ``ActingTorque``."""
        return at(speed, self.speeds, self.torques)


class TorqueOverAngle(ActingTorque, Tabulated):
    """A torque as a function of the angle turned in the direction of rotation, periodic.

    It is interpolated by monotone cubics (Fritsch and Carlson 1980), which do not overshoot. The last angle is one
    period after the first: one turn, two turns for a four-stroke engine, half a turn for a press with two strokes per
    turn.
    """

    abscissae: ClassVar[str] = "angles"
    ordinates: ClassVar[tuple[str, ...]] = ("torques",)
    over: Literal["angle"] = Field("angle", description="Independent variable of the table; determines the other keys.")
    angles: Annotated[tuple[Angle, ...], Field(min_length=3, max_length=MOST_POINTS)] = Field(
        description="Increasing angles of the machine over one period, in its direction of rotation, such as 0 to "
        "'720 deg'."
    )
    torques: Annotated[tuple[NewtonMetre, ...], Field(min_length=3, max_length=MOST_POINTS)] = Field(
        description="Torque at each angle, the last equal to the first; positive counter-clockwise, or for a load "
        "where it opposes the motion."
    )
    phase: Angle = Field(0.0, description="Angle in the table at which the run starts.")
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

    @property
    def _period(self) -> float:
        """Period of the machine. [rad]"""
        return self.angles[-1] - self.angles[0]

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``."""
        rows, gear = _monotone(self.angles, self.torques, self.gear_ratio)[0], self.gear_ratio
        phase = self.phase - self.angles[0]
        return TorqueRow(A.OVER_ANGLE, table=rows, gear=gear, phase=phase, period=self._period)

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``."""
        ends = zip(pairwise(self.angles), pairwise(self.torques), strict=True)
        mean = sum(0.5 * (after - before) * (one + other) for (before, after), (one, other) in ends) / self._period
        driving = max(self.torques) if mean > 0.0 else min(self.torques)  # in the sense of the mean, if there is one
        varies = max(self.torques) > min(self.torques)
        return TorqueFacts(
            text=f"{span_text(self.torques)} over angle{gear_text(self.gear_ratio)}, positive counter-clockwise",
            largest=self.gear_ratio * max(self.torques, key=abs),
            driving=self.gear_ratio * driving if abs(mean) > 1e-9 * max(map(abs, self.torques)) else 0.0,
            cycles=(TURN * self.gear_ratio / self._period,) if varies else (),
            kinks=(),
            slope=0.0,
        )

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """See ``ActingTorque``."""
        return _monotone(self.angles, self.torques, self.gear_ratio)[1]


class LoadTable(ActingTorque, Tabulated):
    """A torque tabulated over the angle that the wheel has turned, with a period of one revolution, such as that of a
    camshaft.

    The last angle is one turn after the first, and the last torque equals the first.
    """

    abscissae: ClassVar[str] = "angles"
    ordinates: ClassVar[tuple[str, ...]] = ("torques",)
    angles: Annotated[tuple[Angle, ...], Field(min_length=4, max_length=20_000)] = Field(
        description="Increasing angles over one revolution in the direction of rotation; the last is 360 deg after "
        "the first."
    )
    torques: Annotated[
        tuple[Annotated[float, Quantity("N*m", least=-1e9, most=1e9)], ...], Field(min_length=4, max_length=20_000)
    ] = Field(description="Torque against the direction of rotation at each angle; the last equals the first.")
    phase: Angle = Field(0.0, description="Angle in the table at which the run starts.")
    start: Duration = Field(0.0, description="Time at which the torque begins to rise from zero.")
    fade_in: Duration = Field(0.0, description="Time over which the torque rises to its full value.")

    _angles_over_one_turn = field_validator("angles")(increasing_over_one_turn)

    @field_validator("torques")
    @classmethod
    def _closed(cls, values: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        return periodic(values, info.data["angles"]) if "angles" in info.data else values

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``."""
        course = A.Course(self.start, self.fade_in)
        table, _ = _spline(self.angles, self.torques)
        return TorqueRow(A.OVER_TURN, A.AGAINST_SENSE, table=table, phase=self.phase, period=TURN, course=course)

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``."""
        cycles = (1.0,) if max(self.torques) > min(self.torques) else ()
        return TorqueFacts(span_text(self.torques), max(self.torques, key=abs), 0.0, cycles, kinks=(), slope=0.0)

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """Return the mean torque once it has reached its full value. [N m]"""
        return -sense * _spline(self.angles, self.torques)[1]
