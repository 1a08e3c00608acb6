"""A rotating mass outside the chains of a drive, connected by a shaft or gearing, such as a motor, generator or road
wheel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import Field

from chaindrive.errors import Problem
from chaindrive.model.base import Model, Name, Quantity
from chaindrive.model.stage import RotorShaft, shaft_problems, turning_problems
from chaindrive.model.torques.load import LoadTorqueNumber, WheelLoad
from chaindrive.model.torques.tables import LoadTable
from chaindrive.model.torques.torque import Torque
from chaindrive.model.torques.vehicle import Vehicle
from chaindrive.model.wheel import MOST_LOADS, Wheel

__all__ = ["Rotor", "rotor_problems"]


class Rotor(Model):
    """A rotating mass outside the chains, connected to a wheel by a shaft or gearing. It can be driven and loaded
    like a wheel.
    """

    name: Name = Field(description="Name of the rotor, different from the names of stages.")
    inertia: Annotated[float, Quantity("kg*m^2", above=0, most=1e9)] = Field(
        description="Moment of inertia of the rotor about its axis."
    )
    shaft: RotorShaft = Field(description="Shaft or gearing that connects the rotor to a wheel.")
    bearing_damping: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e9)] = Field(
        0.0, description="Viscous damping of the bearings."
    )
    bearing_friction: Annotated[float, Quantity("N*m", least=0, most=1e9)] = Field(
        0.0, description="Coulomb friction torque of the bearings."
    )
    load_torque: LoadTorqueNumber = Field(
        0.0, description="Torque that opposes the direction in which the drive turns the rotor."
    )
    torque: Torque = Field(
        0.0,
        description="Torque on the rotor, such as that of a motor or a weight, positive counter-clockwise whatever "
        "the direction of rotation, as for a wheel.",
    )
    load_viscous: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e9)] = Field(
        0.0, description="Coefficient of a torque opposing the actual speed, proportional to it."
    )
    load_quadratic: Annotated[float, Quantity("N*m*s^2/rad^2", least=0, most=1e9)] = Field(
        0.0,
        description="Coefficient of a torque opposing the actual speed, proportional to its square, such as "
        "that of a fan.",
    )
    load_table: LoadTable | None = Field(
        None,
        description="Load torque against the rotation as a function of the angle turned, such as that of a compressor.",
    )
    loads: Annotated[tuple[WheelLoad, ...], Field(max_length=MOST_LOADS)] = Field(
        (), description="Additional loads, which add up, as for a wheel."
    )
    vehicle: Vehicle | None = Field(
        None, description="A vehicle that moves with the rotor: its mass, the slope, rolling resistance and air drag."
    )

    @property
    def turned_inertia(self) -> float:
        """Inertia of the rotor, including that of a vehicle. [kg m^2]"""
        return self.inertia + (0.0 if self.vehicle is None else self.vehicle.inertia)

    @property
    def hub_inertia(self) -> float:
        """Inertia of a hub: zero, as a rotor has no freewheel. [kg m^2]"""
        return 0.0


def rotor_problems(
    known: Mapping[str | None, Sequence[Wheel | None]], rotors: Sequence[Rotor | None], whole: bool, formulation: str
) -> Iterator[Problem]:
    """Yield the problems of the connections of the rotors of a drive; their places start with "rotors[k]".

    None takes the place of an invalid rotor. known: wheels of the drive under None, and of each stage under its name;
    whole: whether every stage is valid by itself.
    """
    names: set[str] = set()
    for k, rotor in enumerate(rotors):
        if rotor is None:
            continue
        place = f"rotors[{k}]"
        yield from shaft_problems(rotor.shaft, f"{place}.shaft")
        if rotor.shaft.from_stage in known or whole:
            yield from turning_problems(rotor.shaft, known, place)
        if rotor.name in known or rotor.name in names:
            yield Problem(f"{place}.name", "must be unique among rotors and stages", repr(rotor.name))
        if "." in rotor.name or "/" in rotor.name:
            message = "must not contain '.' or '/': channels of results are called rotor.channel"
            yield Problem(f"{place}.name", message, repr(rotor.name))
        names.add(rotor.name)
    if rotors and formulation == "spatial":
        message = "cannot be simulated with links in space; use 'roller', 'link' or 'block', or put inertia and torques"
        yield Problem("rotors", f"{message} on the wheel", f"{len(rotors)} and run.formulation.kind = 'spatial'")
