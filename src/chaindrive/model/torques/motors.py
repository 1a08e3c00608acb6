"""Motors, described by the data on their rating plates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from chaindrive.model.base import Model, Quantity, Whole
from chaindrive.model.points import MOST_POINTS, GearRatio, as_many, increasing
from chaindrive.model.tabulated import Tabulated, Times
from chaindrive.model.torques import acting as A
from chaindrive.model.torques.acting import ActingTorque, TorqueFacts, TorqueRow, at, gear_text, linear_rows, sense_text
from chaindrive.numbers import quantity

__all__ = ["RPM", "DcMotor", "DcSupply", "DrivingSpeed", "InductionMotor", "Supply"]

MOST_SLIP = 0.3
"""Largest rated slip of an induction motor; above it the rated speed and the number of poles are inconsistent. [-]"""
AT_NO_SLIP = 2e-3
"""A rated speed that is a synchronous speed, or exceeds it by less than this fraction, was mistaken for it. [-]"""


SLIPS = (0.0, *(1e-3 * 4e4 ** (k / 59) for k in range(60)))
"""Slip speeds, relative to the pull-out slip speed, at which the curve of an induction motor is sampled for a
balance."""
RPM = math.pi / 30.0


def _not_zero(speed: float) -> float:
    if speed == 0.0:
        raise ValueError("must not be 0: its sign is the direction of rotation, positive counter-clockwise")
    return speed


DrivingSpeed = Annotated[float, Quantity("rad/s", least=-1e6, most=1e6), AfterValidator(_not_zero)]
Voltages = Annotated[
    tuple[Annotated[float, Quantity("", least=-2, most=2)], ...], Field(min_length=2, max_length=MOST_POINTS)
]
GEAR = (
    "Speed of the motor divided by the speed of the wheel, if gearing connects them without reversing the direction; "
    "the torque on the wheel is multiplied by this ratio. The inertia of the wheel must include that of the motor's "
    "rotor times the square of the ratio."
)


class Supply(Tabulated):
    """Frequency and voltage of the supply of an induction motor over time: linear between the points, constant beyond
    them.
    """

    ordinates: ClassVar[tuple[str, ...]] = ("frequencies", "voltages")
    times: Times = Field(description="Increasing times since the start of the run.")
    frequencies: (
        Annotated[
            tuple[Annotated[float, Quantity("Hz", least=-1e4, most=1e4)], ...],
            Field(min_length=2, max_length=MOST_POINTS),
        ]
        | None
    ) = Field(
        None,
        description="Frequency at each time; if negative, the field turns against rated_speed. Default: the rated "
        "frequency.",
    )
    voltages: (
        Annotated[
            tuple[Annotated[float, Quantity("", least=0, most=2)], ...], Field(min_length=2, max_length=MOST_POINTS)
        ]
        | None
    ) = Field(
        None,
        validate_default=True,
        description="Voltage at each time relative to the rated voltage; 0: switched off. Default: proportional to "
        "the frequency up to the rated frequency, then constant (V/f).",
    )

    _times_increase = field_validator("times")(increasing)

    @field_validator("frequencies")
    @classmethod
    def _a_frequency_each(cls, values: tuple[float, ...] | None, info: ValidationInfo) -> tuple[float, ...] | None:
        return None if values is None else as_many(values, info, "times")

    @field_validator("voltages")
    @classmethod
    def _a_voltage_each(cls, values: tuple[float, ...] | None, info: ValidationInfo) -> tuple[float, ...] | None:
        if values is None and info.data.get("frequencies", ()) is None:
            raise ValueError("give frequencies, voltages, or both; a supply at rated values needs no table")
        return None if values is None else as_many(values, info, "times")

    def over_rated(self, frequency: float) -> tuple[Sequence[float], Sequence[float]]:
        """Return the frequency and voltage at each time, relative to their rated values. [-]"""
        ones = (1.0,) * len(self.times)
        frequencies = ones if self.frequencies is None else [each / frequency for each in self.frequencies]
        return frequencies, ones if self.voltages is None else self.voltages


class InductionMotor(ActingTorque, Model):
    """An induction motor given by its rating plate. Its torque follows Kloss' formula through the rated point and the
    pull-out torque.

    Kloss (1916), Archiv fuer Elektrotechnik: M = 2 M_K / (s / s_K + s_K / s). The model is quasi-static, without
    transients of the currents. If a starting torque is given, the pull-out slip grows from pull-out to standstill, as
    with deep rotor bars.
    """

    kind: Literal["induction_motor"] = Field("induction_motor", description="Determines the other keys.")
    rated_power: Annotated[float, Quantity("W", above=0, most=1e9)] = Field(
        description="Mechanical power at the shaft of the motor at its rated speed."
    )
    frequency: Annotated[float, Quantity("Hz", above=0, most=1e4)] = Field(
        50.0, description="Frequency of the supply for which the rated values apply."
    )
    poles: Annotated[int, Whole(2, 200)] | None = Field(
        None,
        description="Number of poles, which is even; default: the number whose synchronous speed, 120 x frequency / "
        "poles in rpm, is next above rated_speed.",
    )
    rated_speed: DrivingSpeed = Field(
        description="Speed of the motor's shaft at rated power, such as '1440 rpm'; negative if it drives clockwise."
    )
    pull_out_ratio: Annotated[float, Quantity("", above=1, most=10)] = Field(
        description="Pull-out (breakdown) torque divided by rated torque, M_K/M_N of the catalogue."
    )
    starting_ratio: Annotated[float, Quantity("", above=0, most=10)] | None = Field(
        None,
        description="Starting (locked-rotor) torque divided by rated torque, M_A/M_N of the catalogue, at most "
        "pull_out_ratio; default: that of Kloss' formula, which is lower than that of most motors.",
    )
    gear_ratio: GearRatio = Field(1.0, description=GEAR)
    supply: Supply | None = Field(
        None, description="Frequency and voltage over time; default: the rated values from the start of the run."
    )

    @field_validator("poles")
    @classmethod
    def _in_pairs(cls, poles: int | None) -> int | None:
        if poles is not None and poles % 2:
            raise ValueError("must be even: poles come in pairs")
        return poles

    @field_validator("rated_speed")
    @classmethod
    def _below_synchronous(cls, speed: float, info: ValidationInfo) -> float:
        if "frequency" not in info.data or "poles" not in info.data:
            return speed
        frequency, poles = info.data["frequency"], info.data["poles"]
        synchronous = _synchronous(frequency, poles, speed)
        slip, shown = 1.0 - abs(speed) / synchronous, f"{abs(speed) / RPM:.5g} rpm"
        if poles is None and (standing := _poles_without_torque(frequency, speed)):
            raise ValueError(
                f"is the synchronous speed of {standing} poles at {frequency:g} Hz, {shown}, at which a motor has no "
                "torque: specify the speed at rated power, as on the rating plate, which is lower"
            )
        if not 0.0 < slip < MOST_SLIP:
            count = poles or 2 * round(2.0 * math.pi * frequency / synchronous)
            if slip > 0.0:
                how = f"{shown}, {100.0 * slip:.3g} % below it"
            else:
                how = f"{shown}" + (", above that of two poles, the highest" if poles is None else "")
            raise ValueError(
                f"must be below the synchronous speed of {count} poles at {frequency:g} Hz, "
                f"{synchronous / RPM:.5g} rpm, by less than {100 * MOST_SLIP:.0f} %, but is {how}: check it, its unit "
                "(a number without one is in rad/s), poles and frequency"
            )
        return speed

    @field_validator("pull_out_ratio")
    @classmethod
    def _pulls_out_above_standstill(cls, ratio: float, info: ValidationInfo) -> float:
        if not {"frequency", "poles", "rated_speed"} <= info.data.keys():
            return ratio
        synchronous = _synchronous(info.data["frequency"], info.data["poles"], info.data["rated_speed"])
        slip = 1.0 - abs(info.data["rated_speed"]) / synchronous
        if slip * (ratio + math.sqrt(ratio**2 - 1.0)) >= 1.0:
            raise ValueError(
                f"puts pull-out beyond standstill at rated slip {slip:.3g}: give a lower value, or check rated_speed"
            )
        return ratio

    @field_validator("starting_ratio")
    @classmethod
    def _no_more_than_pull_out(cls, ratio: float | None, info: ValidationInfo) -> float | None:
        most = info.data.get("pull_out_ratio")
        if ratio is not None and most is not None and ratio > most:
            raise ValueError(
                f"must be at most pull_out_ratio = {most:g}, the largest torque: raise pull_out_ratio, or give the "
                "curve itself as torque = { over = 'speed', ... }"
            )
        return ratio

    @property
    def synchronous_speed(self) -> float:
        """Synchronous speed at the rated frequency, with the sign of ``rated_speed``. [rad/s]"""
        return math.copysign(_synchronous(self.frequency, self.poles, self.rated_speed), self.rated_speed)

    @property
    def rated_torque(self) -> float:
        """Magnitude of the rated torque at the shaft of the motor. [N m]"""
        return self.rated_power / abs(self.rated_speed)

    @property
    def critical_slip(self) -> float:
        """Slip at pull-out: s_N (k + sqrt(k^2 - 1)), from Kloss' formula through the rated point. [-]"""
        slip, k = 1.0 - self.rated_speed / self.synchronous_speed, self.pull_out_ratio
        return slip * (k + math.sqrt(k * k - 1.0))

    @property
    def critical_slip_at_rest(self) -> float:
        """Critical slip for which Kloss' formula gives the starting torque at slip 1. [-]"""
        if self.starting_ratio is None:
            return self.critical_slip
        part = self.starting_ratio / self.pull_out_ratio
        return part / (1.0 + math.sqrt(1.0 - part * part))  # the smaller root of 2 x / (1 + x^2) = part

    @property
    def _pull_out(self) -> float:
        """Magnitude of the pull-out torque on the wheel. [N m]"""
        return self.gear_ratio * self.pull_out_ratio * self.rated_torque

    @property
    def _speeds(self) -> tuple[float, float, float]:
        """Speeds of the wheel: the synchronous speed with its sign, and the slip speeds of the largest torque with
        the resistance of the rotor at pull-out and at rest. [rad/s]
        """
        synchronous = self.synchronous_speed / self.gear_ratio
        return synchronous, abs(synchronous) * self.critical_slip, abs(synchronous) * self.critical_slip_at_rest

    @property
    def _tabulated(self) -> bool:
        """Whether the voltage is specified, rather than following V/f."""
        return self.supply is not None and self.supply.voltages is not None

    def _supplied(self, time: float | None) -> tuple[float, float]:
        """Return the frequency and voltage at a time, relative to their rated values. [-]

        time = None: at the time of the highest frequency, which for a drive that is finally stopped or reversed lies
        before the end of the table.
        """
        if self.supply is None:
            return 1.0, 1.0
        both = self.supply.over_rated(self.frequency)
        if time is None:
            return max(zip(*both, strict=True))
        frequency, voltage = (at(time, self.supply.times, values) for values in both)
        return frequency, voltage

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``."""
        numbers = (*self._speeds, float(self._tabulated))
        if self.supply is None:
            return TorqueRow(A.INDUCTION, value=self._pull_out, numbers=numbers)
        times = self.supply.times
        table = linear_rows(times, *self.supply.over_rated(self.frequency))
        return TorqueRow(A.INDUCTION, value=self._pull_out, numbers=numbers, table=table, times=times)

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``."""
        from chaindrive.physics.motors import MOST_FLUX

        synchronous, critical, _ = self._speeds
        no_load, largest = self._supplied(None)[0] * synchronous, math.copysign(self._pull_out, self.rated_speed)
        rated = f"{quantity(self.rated_torque, 'N m')} at {abs(self.rated_speed) / RPM:.5g} rpm"
        what = f"induction motor of {quantity(self.rated_power, 'W')}, {rated}, {sense_text(self.rated_speed)}"
        return TorqueFacts(
            text=what + gear_text(self.gear_ratio),
            largest=largest,
            driving=largest,
            cycles=(),
            kinks=[no_load + sign * slip * critical for slip in SLIPS for sign in (-1.0, 1.0)],
            slope=2.0 * MOST_FLUX**2 * self._pull_out / critical,  # at the synchronous speed, with the most flux
            shown_speeds=(0.0, 1.1 * synchronous),
            direction_key="rated_speed",
        )

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """See ``ActingTorque``."""
        from chaindrive.physics.motors import flux_of, kloss_torque

        (frequency, voltage), (synchronous, critical, at_rest) = self._supplied(time), self._speeds
        flux, slip_speed = flux_of(frequency, voltage if self._tabulated else -1.0), frequency * synchronous - speed
        return float(kloss_torque(slip_speed, flux, self._pull_out, critical, at_rest, abs(synchronous)))


def _synchronous(frequency: float, poles: int | None, speed: float) -> float:
    """Return the magnitude of the synchronous speed [rad/s]. If the number of poles is not given: the next synchronous
    speed above a speed [rad/s], or that of two poles if the speed is higher.
    """
    full = 2.0 * math.pi * frequency
    if poles is None:
        poles = 2 * max(math.ceil(full / abs(speed)) - 1, 1)
    return 2.0 * full / poles


def _poles_without_torque(frequency: float, speed: float) -> int:
    """Return the number of poles whose synchronous speed a speed [rad/s] is, or exceeds by less than ``AT_NO_SLIP``; 0
    if there is none.
    """
    poles = 2 * math.ceil((1.0 - 1e-9) * 2.0 * math.pi * frequency / abs(speed))
    synchronous = 4.0 * math.pi * frequency / poles
    return poles if -1e-9 < abs(speed) / synchronous - 1.0 < AT_NO_SLIP else 0


class DcSupply(Tabulated):
    """Voltage of a direct-current motor over time: linear between the points, constant beyond them."""

    ordinates: ClassVar[tuple[str, ...]] = ("voltages",)
    times: Times = Field(description="Increasing times since the start of the run.")
    voltages: Voltages = Field(
        description="Voltage at each time relative to the rated voltage; if negative, the motor drives against "
        "no_load_speed."
    )

    _times_increase = field_validator("times")(increasing)

    @field_validator("voltages")
    @classmethod
    def _a_voltage_each(cls, values: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        return as_many(values, info, "times")


class DcMotor(ActingTorque, Model):
    """A direct-current motor with constant excitation: the torque falls linearly from stall to the no-load speed."""

    kind: Literal["dc_motor"] = Field("dc_motor", description="Determines the other keys.")
    no_load_speed: DrivingSpeed = Field(
        description="Speed of the motor's shaft without load at the rated voltage; negative if it drives clockwise."
    )
    stall_torque: Annotated[float, Quantity("N*m", above=0, most=1e9)] = Field(
        description="Torque of the motor at standstill, at the rated voltage."
    )
    time_constant: Annotated[float, Quantity("s", least=0, most=1e3)] = Field(
        0.0, description="Electrical time constant of the armature: inductance divided by resistance."
    )
    gear_ratio: GearRatio = Field(1.0, description=GEAR)
    supply: DcSupply | None = Field(
        None, description="Voltage over time; default: the rated voltage from the start of the run."
    )

    def _voltage(self, time: float | None) -> float:
        """Return the voltage at a time relative to the rated voltage; None: the largest voltage. [-]"""
        if self.supply is None:
            return 1.0
        return max(self.supply.voltages) if time is None else at(time, self.supply.times, self.supply.voltages)

    @property
    def _no_load(self) -> float:
        """No-load speed of the wheel. [rad/s]"""
        return self.no_load_speed / self.gear_ratio

    @property
    def _stall(self) -> float:
        """Stall torque on the wheel, with its sign. [N m]"""
        return math.copysign(self.gear_ratio * self.stall_torque, self.no_load_speed)

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``."""
        numbers, has_state = (self._no_load, self.time_constant), self.time_constant > 0.0
        found = TorqueRow(A.DIRECT_CURRENT, value=self._stall, numbers=numbers, has_state=has_state)
        if self.supply is None:
            return found
        return found._replace(table=linear_rows(self.supply.times, self.supply.voltages), times=self.supply.times)

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``."""
        stall, slow = quantity(self.stall_torque, "N m"), self.time_constant > 0.0
        ends = f"{stall} at stall, {abs(self.no_load_speed) / RPM:.5g} rpm without load"
        return TorqueFacts(
            text=f"direct-current motor, {ends}, {sense_text(self.no_load_speed)}{gear_text(self.gear_ratio)}",
            largest=self._stall,
            driving=self._stall,
            cycles=(),
            kinks=(),
            slope=0.0 if slow else abs(self._stall / self._no_load),
            rate=1.0 / self.time_constant if slow else 0.0,  # a damping that would be as fast as the current
            shown_speeds=(0.0, self._no_load),
            direction_key="no_load_speed",
        )

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """See ``ActingTorque``."""
        return self._stall * (self._voltage(time) - speed / self._no_load)

    def initial_state(self, speed: float, needed: float, at_speed: bool) -> float:
        """Return the current divided by the stall current: the steady-state value if the run starts at speed, zero if
        it starts at rest.
        """
        return self._voltage(-math.inf) - speed / self._no_load if at_speed else 0.0
