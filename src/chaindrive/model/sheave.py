"""A pair of conical sheaves of a variator, with its clamping, motion and loads."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chaindrive.model.base import Model, Name, Quantity, Vector
from chaindrive.model.course import Duration
from chaindrive.model.ratio_control import RatioControl
from chaindrive.model.torques.load import LoadTorqueNumber, WheelLoad
from chaindrive.model.torques.tables import LoadTable
from chaindrive.model.torques.torque import Torque
from chaindrive.model.torques.vehicle import Vehicle
from chaindrive.model.wheel import MOST_LOADS, InitialSpeed, Motion, Wheel

__all__ = ["Deformation", "RunningWheel", "Sheave", "Shift", "wheel_of"]


class Shift(Model):
    """A change of the ratio over time: the sheaves of a pair are moved until the chain runs at a different radius."""

    running_radius: Annotated[float, Quantity("m", above=0, most=100)] = Field(
        description="Running radius after the shift."
    )
    start: Duration = Field(0.0, description="Time at which the shift begins.")
    duration: Annotated[float, Quantity("s", above=0, most=1e6)] = Field(description="Duration of the shift.")


class Deformation(Model):
    """A deformation of the sheaves whose size is prescribed: the half angle of the groove varies as a cosine around the
    axis (Sattler 1999).
    """

    variation: Annotated[float, Quantity("rad", above=0, most=0.05)] = Field(
        description="Difference between the largest and the smallest half angle of the groove around the "
        "axis, such as '0.6 mrad'."
    )
    widest: Annotated[float, Quantity("rad", least=-10, most=10)] | None = Field(
        None,
        description="Direction from the axis in which the groove is widest, measured counter-clockwise from the x "
        "axis. Default: it follows the direction of the resultant of the pin thrusts, within tilt_time.",
    )


class Sheave(Model):
    """A pair of conical sheaves of a variator, of which one moves along the axis."""

    name: Name = Field(description="Name of the pair of sheaves, unique in the drive.")
    position: Annotated[tuple[float, float], Vector("m", most=1e3)] = Field(description="Centre [x, y].")
    running_radius: Annotated[float, Quantity("m", above=0, most=100)] | None = Field(
        None,
        description="Radius at which the pins run at the start, which sets the ratio. It is given for one pair; "
        "that of the other pair follows from the length of the chain.",
    )
    inner_radius: Annotated[float, Quantity("m", above=0, most=100)] = Field(
        description="Smallest radius at which the groove holds a pin."
    )
    outer_radius: Annotated[float, Quantity("m", above=0, most=100)] = Field(
        description="Largest radius at which the groove holds a pin."
    )
    opening: Annotated[float, Quantity("m", above=0, most=10)] | None = Field(
        None,
        description="Width of the groove at its inner radius with the sheaves fully open; used only for checks.",
    )
    clamping_force: Annotated[float, Quantity("N", above=0, most=1e9)] | None = Field(
        None,
        description="Force that presses the sheaves together. Default: the sheaves are held in place, and the force "
        "required for this is a result.",
    )
    ratio_control: RatioControl | None = Field(
        None,
        description="Controller that starts from clamping_force and changes the force so that a ratio is held or "
        "follows a table.",
    )
    shift: Shift | None = Field(None, description="Prescribed shift, for a pair without a clamping_force.")
    sheave_mass: Annotated[float, Quantity("kg", above=0, most=1e6)] = Field(
        2.0, description="Mass of the sheave that moves along the axis."
    )
    sheave_damping: Annotated[float, Quantity("N*s/m", least=0, most=1e12)] = Field(
        0.0, description="Viscous damping of the moving sheave along the axis, such as that of the hydraulics."
    )
    tilt_stiffness: Annotated[float, Quantity("N*m/rad", above=0, most=1e15)] | None = Field(
        None,
        description="Stiffness of each sheave against tilting by the pins, which press on only part of its "
        "circumference. Default: rigid.",
    )
    deformation: Deformation | None = Field(
        None, description="Deformation of prescribed size, instead of a tilt_stiffness."
    )
    tilt_time: Annotated[float, Quantity("s", above=0, most=1)] = Field(
        2e-4, description="Time within which the tilt, or the direction of the deformation, follows the forces."
    )
    inertia: Annotated[float, Quantity("kg*m^2", above=0, most=1e9)] | None = Field(
        None, description="Moment of inertia of the pair about its axis; needed if it has no motion."
    )
    motion: Motion | None = Field(None, description="Prescribed motion; omit it if the pair turns freely.")
    initial_speed: InitialSpeed | None = Field(
        None,
        description="Initial angular velocity, positive counter-clockwise, for a run that starts at speed if no "
        "pair has a motion; this pair is then the driver.",
    )
    bearing_damping: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e9)] = Field(
        0.0, description="Viscous damping of the bearings."
    )
    bearing_friction: Annotated[float, Quantity("N*m", least=0, most=1e9)] = Field(
        0.0, description="Coulomb friction torque of the bearings."
    )
    load_torque: LoadTorqueNumber = Field(
        0.0,
        description="Torque that opposes the direction of rotation; a negative torque drives. See wheels.load_torque.",
    )
    torque: Torque = Field(
        0.0,
        description="Torque on the pair, positive counter-clockwise: that of a motor. See wheels.torque.",
    )
    load_viscous: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e9)] = Field(
        0.0, description="Coefficient of a torque opposing the actual speed, proportional to it."
    )
    load_quadratic: Annotated[float, Quantity("N*m*s^2/rad^2", least=0, most=1e9)] = Field(
        0.0, description="Coefficient of a torque opposing the actual speed, proportional to its square."
    )
    load_table: LoadTable | None = Field(
        None, description="Load torque against the rotation as a function of the angle turned."
    )
    loads: Annotated[tuple[WheelLoad, ...], Field(max_length=MOST_LOADS)] = Field(
        (), description="Additional loads, which add up. See wheels.loads."
    )
    vehicle: Vehicle | None = Field(
        None, description="A vehicle that moves with the pair: its mass, the slope, rolling resistance and air drag."
    )


class RunningWheel(Wheel):
    """A pair of sheaves represented as a wheel with ``teeth`` pitches around its running radius."""

    teeth: Annotated[float, Quantity("", least=2, most=1000)] = Field(  # type: ignore[assignment]
        description="Number of pitches around the running radius, usually not a whole number."
    )


ALIKE = (
    "name", "position", "inertia", "motion", "initial_speed", "bearing_damping", "bearing_friction", "load_torque",
    "torque", "load_viscous", "load_quadratic", "load_table", "loads", "vehicle",
)  # fmt: skip
"""Keys that a pair of sheaves shares with a wheel."""


def wheel_of(sheave: Sheave, pitches: float) -> RunningWheel:
    """Return a wheel that represents a pair of sheaves, with this many pitches around it."""
    given = {name: getattr(sheave, name) for name in ALIKE}
    return RunningWheel.from_dict(given | {"teeth": pitches, "tooth": {"form": "smooth"}})
