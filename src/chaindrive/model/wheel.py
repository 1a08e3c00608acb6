"""A wheel, with its teeth, its motion and the contact between its teeth and the rollers."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Annotated, ClassVar, Literal

from pydantic import (
    AfterValidator,
    Field,
    ValidationInfo,
    field_validator,
)

from chaindrive.model.base import Model, Name, Quantity, Vector, Whole
from chaindrive.model.body import PrismaticMotion
from chaindrive.model.calls import WheelCall
from chaindrive.model.cog import MOST_COGS, Cog, Gate
from chaindrive.model.contact import Contact
from chaindrive.model.course import Duration, Order, SpeedTable, WithOrders
from chaindrive.model.freewheel import Freewheel
from chaindrive.model.pitch_line import PitchLine
from chaindrive.model.points import increasing_over_one_turn, periodic
from chaindrive.model.tabulated import Tabulated
from chaindrive.model.tooth import Tooth
from chaindrive.model.torques.load import LoadTorqueNumber, WheelLoad
from chaindrive.model.torques.tables import LoadTable
from chaindrive.model.torques.torque import Torque
from chaindrive.model.torques.vehicle import Vehicle

__all__ = [
    "VARYING",
    "AngleTable",
    "ConstantSpeed",
    "InputSpeed",
    "LoadTable",
    "Motion",
    "Order",
    "Orders",
    "RunUp",
    "Shaft",
    "SpeedTable",
    "Unbalance",
    "Wheel",
]

MOST_WHEELS = 200
MOST_LOADS = 50


def _not_zero(speed: float) -> float:
    if speed == 0.0:
        raise ValueError("must not be 0, as a fluctuating speed needs a mean: use constant_speed for standstill")
    return speed


def _of_a_drive_that_runs(speed: float) -> float:
    if speed == 0.0:
        raise ValueError("must not be 0: omit it to let a drive without a prescribed motion start from rest")
    return speed


Speed = Annotated[float, Quantity("rad/s", least=-1e5, most=1e5)]
InitialSpeed = Annotated[float, Quantity("rad/s", least=-1e5, most=1e5), AfterValidator(_of_a_drive_that_runs)]
FluctuatingSpeed = Annotated[float, Quantity("rad/s", least=-1e5, most=1e5), AfterValidator(_not_zero)]
FadeStart = Annotated[
    Duration,
    Field(
        description="Time at which the fluctuation begins to fade in; it begins at the end of the ramp if that is "
        "later."
    ),
]
FadeIn = Annotated[
    Duration,
    Field(
        description="Time over which the fluctuation fades in; 0 means one revolution, or no fade-in if the run begins "
        "with the fluctuation (at speed, start = 0)."
    ),
]
Acceleration = Annotated[float, Quantity("rad/s^2", least=-1e9, most=1e9)]
Angle = Annotated[float, Quantity("rad", least=-1e3, most=1e3)]


# Motions --------------------------------------------------------------------------------------------------------------


class ConstantSpeed(Model):
    """A constant speed. If the run starts at rest, it is reached by the ramp of Pedersen (2004), Eq. 4.3."""

    kind: Literal["constant_speed"] = "constant_speed"
    speed: Speed = Field(description="Angular speed, positive counter-clockwise, such as '120 rpm'.")
    ramp: Duration = Field(2.0, description="Time from rest to full speed.")


class InputSpeed(Model):
    """A speed that a coupled machine, a program that runs the drive as an FMU, or a Python program sets between steps.

    It is constant until it is set for the first time. Each value is a polynomial in time, to which a smooth transition
    leads from the current speed (``contract.inputs``).
    """

    kind: Literal["input"] = "input"
    speed: Speed = Field(
        description="Angular velocity at which the drive starts, positive counter-clockwise; it applies until "
        "another value is set."
    )
    ramp: Duration = Field(2.0, description="Time from rest to this speed.")


class AngleTable(Tabulated):
    """A mean speed and an angular acceleration tabulated over the angle of the wheel, with a period of one revolution.

    The last angle is one turn after the first, and the last acceleration equals the first. The speed is the mean over
    time: a revolution takes 2 pi / speed.
    """

    abscissae: ClassVar[str] = "angles"
    ordinates: ClassVar[tuple[str, ...]] = ("accelerations",)
    kind: Literal["angle_table"] = "angle_table"
    speed: FluctuatingSpeed = Field(description="Mean angular speed over time, not 0, positive counter-clockwise.")
    ramp: Duration = Field(2.0, description="Time from rest to full speed.")
    angles: Annotated[tuple[Angle, ...], Field(min_length=4, max_length=20_000)] = Field(
        description="Increasing angles over one revolution, counted counter-clockwise from the position of the wheel "
        "at the start of the run; the last is 360 deg after the first."
    )
    accelerations: Annotated[tuple[Acceleration, ...], Field(min_length=4, max_length=20_000)] = Field(
        description="Angular acceleration at each angle, positive counter-clockwise; the last equals the first, and "
        "the mean over the revolution is zero."
    )
    start: FadeStart = 0.0
    fade_in: FadeIn = 0.0

    _angles_over_one_turn = field_validator("angles")(increasing_over_one_turn)

    @field_validator("accelerations")
    @classmethod
    def _periodic_without_mean(cls, values: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        angles = info.data.get("angles")
        if angles is None:  # wrong angles are reported on their own
            return values
        largest = max(abs(value) for value in periodic(values, angles))
        mean = sum((b - a) * (f + g) / 2 for (a, b), (f, g) in zip(pairwise(angles), pairwise(values), strict=True))
        mean /= 2 * math.pi
        if abs(mean) > 1e-3 * largest:
            raise ValueError(
                f"its mean over one turn is {mean:.6g} rad/s^2, which makes the speed drift: subtract this mean from "
                "the table"
            )
        return values


class Orders(Model):
    """A mean speed and an angular acceleration that is a sum of orders of the rotation.

    The speed is the mean over time: a revolution takes 2 pi / speed.
    """

    kind: Literal["orders"] = "orders"
    speed: FluctuatingSpeed = Field(description="Mean angular speed over time, not 0, positive counter-clockwise.")
    ramp: Duration = Field(2.0, description="Time from rest to full speed.")
    orders: Annotated[tuple[Order, ...], Field(min_length=1, max_length=1000)] = Field(description="The harmonics.")
    over: Literal["time", "angle"] = Field(
        "angle",
        description="'angle': the harmonics depend on the angle of the wheel from its position at the start of the "
        "run; 'time': they depend on the time since start, at the mean speed.",
    )
    start: FadeStart = 0.0
    fade_in: FadeIn = 0.0


class RunUp(WithOrders):
    """A change from the initial speed to another speed in a given time.

    A run-down ends at a lower speed or at rest. Orders of the rotation can be added.
    """

    kind: Literal["run_up", "run_down"] = Field(
        "run_up", description="'run_up' to any speed, or 'run_down' to a lower speed or to standstill."
    )
    initial_speed: Speed = Field(description="Angular speed before the change, positive counter-clockwise.")
    final_speed: Speed = Field(description="Angular speed after the change; 0 for standstill.")
    start: Duration = Field(0.0, description="Time at which the change begins.")
    duration: Annotated[float, Quantity("s", above=0, most=1e6)] = Field(description="Duration of the change.")
    ramp: Duration = Field(2.0, description="Time from rest to the initial speed.")

    @field_validator("final_speed")
    @classmethod
    def _slower_after_a_run_down(cls, final: float, info: ValidationInfo) -> float:
        initial = info.data.get("initial_speed")
        if info.data.get("kind") == "run_down" and initial is not None:
            if initial == 0.0:
                raise ValueError("a run-down needs an initial_speed other than 0")
            if not 0.0 <= final / initial < 1.0:
                raise ValueError(f"must lie between 0 and initial_speed {initial:g} rad/s in a run-down")
        return final

    @property
    def running_speed(self) -> float:
        """The faster of the initial and the final speed, with its sign; the final speed if they are equally fast.
        [rad/s]
        """
        return self.initial_speed if abs(self.initial_speed) > abs(self.final_speed) else self.final_speed


Motion = Annotated[ConstantSpeed | InputSpeed | AngleTable | Orders | RunUp | SpeedTable, Field(discriminator="kind")]
VARYING = (RunUp, SpeedTable)
"""Motions whose mean speed changes, which have initial_speed, final_speed, running_speed, start, duration, ramp and
orders."""


# Unbalance ------------------------------------------------------------------------------------------------------------


class Unbalance(Model):
    """An eccentric mass that turns with the wheel, such as a counterweight."""

    mass_moment: Annotated[float, Quantity("kg*m", least=0, most=1e9)] = Field(
        description="Eccentric mass times the distance of its centre of mass from the axis, such as '850 kg*m'."
    )
    angle: Angle = Field(
        0.0,
        description="Direction of the eccentric mass at the start of the run, measured counter-clockwise from the x "
        "axis.",
    )


# Shaft ----------------------------------------------------------------------------------------------------------------


class Shaft(Model):
    """An elastic shaft that is clamped at one end and carries the wheel at the other end, in the plane of the chain."""

    length: Annotated[float, Quantity("m", above=0, most=100)] = Field(
        description="Length from the clamped end, which lies behind the plane of the drawing, to the plane of the "
        "chain."
    )
    diameter: Annotated[float, Quantity("m", above=0, most=10)] | None = Field(
        None, description="Diameter of a solid steel shaft; an alternative to bending_stiffness."
    )
    bending_stiffness: Annotated[float, Quantity("N*m^2", above=0, most=1e15)] | None = Field(
        None,
        validate_default=True,
        description="Modulus of elasticity times second moment of area, such as '210 N*m^2'; or give diameter.",
    )
    damping: Annotated[float, Quantity("N*s/m", least=0, most=1e12)] = Field(
        0.0, description="Viscous damping of the transverse motion of the wheel."
    )

    @field_validator("bending_stiffness")
    @classmethod
    def _one_stiffness(cls, stiffness: float | None, info: ValidationInfo) -> float | None:
        if "diameter" in info.data and (stiffness is None) == (info.data["diameter"] is None):
            raise ValueError("give either diameter or bending_stiffness")
        return stiffness


# Wheel ----------------------------------------------------------------------------------------------------------------


class Wheel(WheelCall):
    """A sprocket, sheave or pulley. Wheels are listed in the order in which the chain meets them."""

    name: Name = Field(description="Name of the wheel, unique in the drive.")
    teeth: Annotated[int, Whole(5, 1000)] = Field(description="Number of teeth, from 5 to 1000.")
    position: Annotated[tuple[float, float], Vector("m", most=1e3)] = Field(description="Centre [x, y].")
    body: Name = Field("ground", description="Name of the body that supports the wheel, or 'ground'.")
    shaft: Shaft | None = Field(
        None,
        description="Elastic shaft that carries the wheel. It bends under the pull of the chain, so that the wheel "
        "shifts and tilts.",
    )
    shaft_with: Name | None = Field(
        None,
        description="Name of a wheel earlier in the list to whose shaft this wheel is fixed, as in a differential "
        "hoist. Both turn together, and a motion is given for the earlier wheel.",
    )
    tilt: Annotated[tuple[float, float], Vector("rad", most=1.0)] = Field(
        (0.0, 0.0),
        description="Constant tilt angles [about x, about y] of the wheel relative to the plane of the chain, such "
        "as ['0.2 deg', '0 deg'].",
    )
    offset: Annotated[float, Quantity("m", least=-10, most=10)] = Field(
        0.0,
        description="Offset of the middle plane of the teeth in front of the drawing plane, such as "
        "'2 mm'; for the formulation 'spatial'.",
    )
    tooth_width: Annotated[float, Quantity("m", above=0, most=10)] | None = Field(
        None,
        description="Width of the teeth along the axis, for the formulation 'spatial'; default: 0.93 x inner width "
        "up to 12.7 mm pitch, 0.95 above (ISO 606).",
    )
    lateral_stiffness: Annotated[float, Quantity("N/m", above=0, most=1e15)] | None = Field(
        None,
        description="Stiffness that resists motion of the wheel out of the plane of the drawing, for the formulation "
        "'spatial'; requires mass. Default: the wheel does not move out of the plane.",
    )
    lateral_damping: Annotated[float, Quantity("N*s/m", least=0, most=1e12)] = Field(
        0.0, description="Viscous damping of motion out of the plane of the drawing."
    )
    lateral_motion: PrismaticMotion | None = Field(
        None,
        description="Prescribed motion of the wheel out of the plane of the drawing, starting from its offset, such "
        "as that of the pulleys of a derailleur: { kind = 'move', by = '-3.75 mm', duration = '0.1 s' }; for the "
        "formulation 'spatial'.",
    )
    cogs: Annotated[tuple[Cog, ...], Field(max_length=MOST_COGS)] = Field(
        (),
        description="Additional cogs on the hub of the wheel, onto which the chain can be shifted; at the start the "
        "chain is on the wheel itself. For the formulation 'spatial'.",
    )
    gates: tuple[Gate, ...] | None = Field(
        None,
        description="For a wheel with cogs: those of its own teeth that are shaped for shifting, like the gates of a "
        "cog.",
    )
    tooth_width_wide: Annotated[float, Quantity("m", above=0, most=10)] | None = Field(
        None,
        description="Width of every second tooth of a narrow-wide sprocket, which fits only between outer plates; "
        "for the formulation 'spatial'. The chain is placed with its outer links on these teeth, and the number of "
        "teeth must be even.",
    )
    side: Literal["front", "back"] = Field(
        "front",
        description="Side of the chain on which the wheel runs; a wheel on the back turns in the opposite direction.",
    )
    mass: Annotated[float, Quantity("kg", above=0, most=1e7)] | None = Field(
        None,
        description="Mass of the wheel and everything that turns with it; needed on a moving body, on a shaft, and "
        "with lateral_stiffness.",
    )
    inertia: Annotated[float, Quantity("kg*m^2", above=0, most=1e9)] | None = Field(
        None,
        description="Moment of inertia about the axis, including any unbalance; needed if the wheel has no motion.",
    )
    tooth: Tooth = Field(description="Tooth form, such as { form = 'asa-ii' } or { form = 'iso-606' }.")
    roller_diameter: Annotated[float, Quantity("m", above=0, most=10)] | None = Field(
        None,
        description="Roller diameter for which the teeth are cut, if it differs from that of the chain. Rollers too "
        "large for the gaps wedge between the flanks.",
    )
    tooth_wear: Annotated[float, Quantity("m", least=0, most=1)] = Field(
        0.0, description="Depth of wear of the teeth, normal to their surface, at the seats and both flanks."
    )
    motion: Motion | None = Field(None, description="Prescribed motion; omit it if the wheel turns freely.")
    initial_speed: InitialSpeed | None = Field(
        None,
        description="Initial angular velocity, positive counter-clockwise, for a run that starts at speed if no "
        "wheel has a motion; this wheel is then the driver.",
    )
    bearing_damping: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e9)] = Field(
        0.0, description="Viscous damping of the bearing."
    )
    bearing_friction: Annotated[float, Quantity("N*m", least=0, most=1e9)] = Field(
        0.0, description="Coulomb friction torque of the bearing; it also holds the wheel at rest (friction_law)."
    )
    load_torque: LoadTorqueNumber = Field(
        0.0,
        description="Torque that opposes the direction in which the driver turns this wheel by its motion (in a "
        "run-up by the faster speed), initial_speed or torque. It keeps its direction when the drive reverses. A "
        "negative torque drives.",
    )
    torque: Torque = Field(
        0.0,
        description="Torque on the wheel, such as that of a motor or of the weight on a winch, positive "
        "counter-clockwise like all results, whatever the direction of rotation. A number, a table over 'time', "
        "'speed' or 'angle', a table with a kind, such as { kind = 'dc_motor', ... }, or a list of these, which "
        "add up.",
    )
    load_viscous: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e9)] = Field(
        0.0,
        description="Coefficient of a torque opposing the actual speed, proportional to it, such as that of an "
        "oil pump.",
    )
    load_quadratic: Annotated[float, Quantity("N*m*s^2/rad^2", least=0, most=1e9)] = Field(
        0.0,
        description="Coefficient of a torque opposing the actual speed, proportional to its square, such as "
        "that of a fan.",
    )
    load_table: LoadTable | None = Field(
        None,
        description="Load torque against the rotation as a function of the angle turned, such as that of a camshaft.",
    )
    loads: Annotated[tuple[WheelLoad, ...], Field(max_length=MOST_LOADS)] = Field(
        (),
        description="Additional loads, which add up; each depends on time, angle or speed and acts against the "
        "motion or against the direction of rotation.",
    )
    vehicle: Vehicle | None = Field(
        None, description="A vehicle that moves with the wheel: its mass, the slope, rolling resistance and air drag."
    )
    freewheel: Freewheel | None = Field(
        None,
        description="A one-way clutch that drives a hub in the wheel's direction of rotation; loads and torques of "
        "the wheel then act on the hub, which overruns when the wheel is slower.",
    )
    unbalance: Unbalance | None = Field(None, description="An eccentric mass, such as that of a counterweight.")
    pitch_radius: Annotated[float, Quantity("m", above=0, most=1e3)] | None = Field(
        None, description="Pitch radius in the drawing, which is only compared with pitch / (2 sin(pi / teeth))."
    )
    pitch_line: PitchLine | None = Field(
        None,
        description="Pitch line of an oval sprocket, such as { form = 'ellipse', ovality = 1.1 }; default: a "
        "circle. Only one wheel of a closed chain can have one.",
    )
    contact: Contact | None = Field(None, description="Contact of this wheel, if it differs from that of the drive.")

    @property
    def turned_inertia(self) -> float | None:
        """Inertia of the wheel, including that of a vehicle unless a freewheel transfers it to the hub; None if not
        given. [kg m^2]
        """
        if self.vehicle is None or self.freewheel is not None:
            return self.inertia
        return (self.inertia or 0.0) + self.vehicle.inertia

    @property
    def hub_inertia(self) -> float:
        """Inertia of the hub of the freewheel, including that of a vehicle; 0 without a freewheel. [kg m^2]"""
        if self.freewheel is None:
            return 0.0
        return self.freewheel.inertia + (0.0 if self.vehicle is None else self.vehicle.inertia)
