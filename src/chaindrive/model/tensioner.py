"""Tensioners: spring-dampers, ratchets and hydraulic elements between two points.

All positions are in global coordinates in the reference configuration, in which the coordinate of every joint is zero.
A positive force pushes the two points apart.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.model.base import Model, Name, Quantity
from chaindrive.model.body import GROUND, Position
from chaindrive.model.load_over_time import PressureLoad
from chaindrive.model.own_law import Kind, Law, LawOf

__all__ = [
    "TENSIONER_LAW",
    "CheckValve",
    "HydraulicTensioner",
    "Leakage",
    "Oil",
    "Ratchet",
    "SpringDamperTensioner",
    "Tensioner",
]

TENSIONER_LAW = Kind("tensioner", ("length", "rate"), "force", "N")
Stiffness = Annotated[float, Quantity("N/m", least=0, most=1e15)]
PositiveStiffness = Annotated[float, Quantity("N/m", above=0, most=1e15)]
Damping = Annotated[float, Quantity("N*s/m", least=0, most=1e12)]
Force = Annotated[float, Quantity("N", least=-1e12, most=1e12)]
Length = Annotated[float, Quantity("m", above=0, most=1e3)]
SmallLength = Annotated[float, Quantity("m", above=0, most=10)]


DRAWING_ACCURACY = 1e-6
"""Amount by which a stop may be exceeded owing to the rounding of coordinates in a drawing. [m]"""


class Ratchet(Model):
    """A pawl that lets the tensioner extend and holds it against retraction."""

    pitch: Annotated[float, Quantity("m", least=0, most=10)] = Field(
        0.0, description="Tooth pitch of the rack; with 0 the pawl holds at any length."
    )
    stiffness: PositiveStiffness = Field(description="Stiffness of the pawl in contact.")
    damping: Damping = Field(0.0, description="Viscous damping of the pawl in contact.")
    backlash: Annotated[float, Quantity("m", least=0, most=10)] = Field(
        0.0, description="Distance by which the tensioner retracts before the pawl holds it."
    )


class Leakage(Model):
    """The gap between piston and bore, through which oil leaves the pressure chamber."""

    gap: SmallLength = Field(description="Radial gap between piston and bore, such as '30 um'.")
    length: Length = Field(description="Length of the gap along the piston.")
    eccentricity: Annotated[float, Quantity("", least=0, most=1)] = Field(
        0.0,
        description="Eccentricity of the piston in its bore, relative to the gap: 0 if the piston is central, 1 if it "
        "touches the bore.",
    )


class CheckValve(Model):
    """The valve through which oil enters the pressure chamber but cannot leave it."""

    diameter: SmallLength = Field(description="Diameter of the orifice.")
    discharge_coefficient: Annotated[float, Quantity("", above=0, most=1)] = Field(
        0.7, description="Discharge coefficient of the orifice."
    )
    opening_pressure: Annotated[float, Quantity("Pa", least=0, most=1e9)] = Field(
        0.0, description="Pressure difference at which the valve begins to open."
    )
    full_opening_pressure: Annotated[float, Quantity("Pa", above=0, most=1e9)] | None = Field(
        None,
        description="Pressure difference at which the valve is fully open; default: twice opening_pressure, but at "
        "least 5 kPa above it.",
    )

    @field_validator("full_opening_pressure")
    @classmethod
    def _above_opening(cls, pressure: float | None, info: ValidationInfo) -> float | None:
        opening = info.data.get("opening_pressure")
        if pressure is not None and opening is not None and pressure <= opening:
            raise ValueError(f"must be above opening_pressure = {opening:g} Pa")
        return pressure


class Oil(Model):
    """The oil and the free air in it."""

    bulk_modulus: Annotated[float, Quantity("Pa", above=0, most=1e12)] = Field(
        1.7e9, description="Bulk modulus of the oil without air."
    )
    viscosity: Annotated[float, Quantity("Pa*s", above=0, most=1e4)] = Field(
        description="Dynamic viscosity at running temperature, such as '10 mPa*s'."
    )
    density: Annotated[float, Quantity("kg/m^3", above=0, most=1e5)] = Field(850.0, description="Density.")
    air_content: Annotated[float, Quantity("", least=0, most=0.9)] = Field(
        0.0, description="Volume of free air relative to the volume of oil at atmospheric pressure, such as 0.02."
    )
    polytropic_exponent: Annotated[float, Quantity("", least=1, most=2)] = Field(
        1.4, description="Polytropic exponent of the air: 1 for slow, 1.4 for fast compression."
    )


class _TwoEnds(Model):
    """Keys that all tensioners have in common, and checks of their springs and end stops."""

    name: Name = Field(description="Name of the tensioner, unique in the drive.")
    from_body: Name = Field(GROUND, description="Name of the body that supports the tensioner, or 'ground'.")
    from_position: Position = Field(description="Attachment point [x, y] on from_body.")
    to_body: Name = Field(GROUND, description="Name of the body that the tensioner pushes, or 'ground'.")
    to_position: Position = Field(description="Attachment point [x, y] on to_body.")

    @property
    def drawing_length(self) -> float:
        """Distance between the ends in the reference configuration. [m]"""
        return math.dist(self.from_position, self.to_position)

    @field_validator("to_position")
    @classmethod
    def _has_a_direction(cls, end: tuple[float, float], info: ValidationInfo) -> tuple[float, float]:
        if "from_position" in info.data and math.dist(info.data["from_position"], end) < 1e-9:
            raise ValueError("must differ from from_position: a tensioner of zero length has no direction")
        return end

    @field_validator("preload", check_fields=False)
    @classmethod
    def _preload_or_free_length(cls, preload: float | None, info: ValidationInfo) -> float | None:
        """Check that the spring is given by either its force in the reference configuration or its free length."""
        if not {"stiffness", "free_length"} <= info.data.keys():  # a wrong one is reported on its own
            return preload
        stiffness, free = info.data["stiffness"], info.data["free_length"]
        if preload is not None and free is not None:
            raise ValueError("is an alternative to free_length: give one of them")
        if preload is None and free is None and stiffness > 0.0:
            raise ValueError(
                "is missing: the spring needs its preload in the reference configuration, or its free_length"
            )
        if free is not None and stiffness == 0.0:
            raise ValueError("is needed instead of free_length: without stiffness the force is constant")
        return preload

    @field_validator("shortest", "longest", check_fields=False)
    @classmethod
    def _lets_the_drawing_be(cls, stop: float | None, info: ValidationInfo) -> float | None:
        shortest = info.data.get("shortest")
        if stop is None or not {"from_position", "to_position"} <= info.data.keys():
            return stop
        if info.field_name == "longest" and shortest is not None and stop <= shortest:
            raise ValueError(f"must be above shortest = {shortest:g} m")
        length = math.dist(info.data["from_position"], info.data["to_position"])
        beyond = stop - length if info.field_name == "shortest" else length - stop
        if beyond > DRAWING_ACCURACY:
            bound = "at most" if info.field_name == "shortest" else "at least"
            raise ValueError(
                f"must be {bound} the length in the drawing, {length:.6g} m: otherwise the tensioner starts beyond "
                "its stop"
            )
        return stop

    @field_validator("stop_stiffness", check_fields=False)
    @classmethod
    def _stops_are_elastic(cls, stiffness: float | None, info: ValidationInfo) -> float | None:
        if stiffness is None and any(info.data.get(name) is not None for name in ("shortest", "longest")):
            raise ValueError("is needed for the end stops shortest and longest")
        return stiffness


class SpringDamperTensioner(_TwoEnds):
    """A spring and a damper, optionally with end stops and a ratchet.

    Force = preload - stiffness x (length - length in the reference configuration) - damping x rate; or, if a free
    length is given, force = stiffness x (free length - length) - damping x rate; plus the forces of the end stops and
    the ratchet.
    """

    kind: Literal["spring_damper"] = "spring_damper"
    stiffness: Stiffness = Field(description="Stiffness of the spring; 0 for a constant force.")
    damping: Damping = Field(
        0.0, description="Viscous damping in extension and, unless damping_compression is given, in retraction."
    )
    damping_compression: Damping | None = Field(None, description="Viscous damping in retraction, if different.")
    free_length: Length | None = Field(None, description="Length of the unloaded spring; or give preload.")
    preload: Force | None = Field(
        None,
        validate_default=True,
        description="Force in the reference configuration, positive when it pushes; or give free_length.",
    )
    shortest: Length | None = Field(None, description="Length at the lower end stop.")
    longest: Length | None = Field(None, description="Length at the upper end stop.")
    stop_stiffness: PositiveStiffness | None = Field(
        None, validate_default=True, description="Stiffness of the end stops."
    )
    stop_damping: Damping = Field(0.0, description="Viscous damping of the end stops, which never pull.")
    ratchet: Ratchet | None = Field(None, description="A pawl that holds the tensioner against retraction.")
    law: Annotated[Law, LawOf(TENSIONER_LAW)] | None = Field(
        None,
        description="User-defined law of a force that acts in parallel (chaindrive.law.tensioner). It can "
        "only be given in Python: a file contains its name and the digest of its source.",
    )


class HydraulicTensioner(_TwoEnds):
    """A piston on an oil chamber with a check valve and a leakage gap, in parallel with a spring.

    Force = pressure x piston area, plus the forces of the spring, the end stops and the ratchet.
    """

    kind: Literal["hydraulic"] = "hydraulic"
    piston_diameter: SmallLength = Field(description="Diameter of the piston.")
    chamber_length: Length = Field(description="Length of the oil column in the reference configuration.")
    supply_pressure: PressureLoad = Field(
        description="Pressure of the oil supply above atmospheric pressure: a number, such as '3 bar', a table over "
        "time, or { kind = 'input' }."
    )
    leakage: Leakage | None = Field(None, description="Leakage gap; omit it if no oil leaks.")
    check_valve: CheckValve | None = Field(None, description="Check valve; omit it if no oil enters.")
    oil: Oil = Field(description="The oil.")
    stiffness: Stiffness = Field(0.0, description="Stiffness of the spring.")
    damping: Damping = Field(
        0.0,
        description="Viscous damping in addition to that of the oil, in extension and, unless damping_compression "
        "is given, in retraction.",
    )
    damping_compression: Damping | None = Field(None, description="Viscous damping in retraction, if different.")
    free_length: Length | None = Field(None, description="Length of the unloaded spring; or give preload.")
    preload: Force | None = Field(
        None,
        validate_default=True,
        description="Force of the spring in the reference configuration, positive when it pushes; or give free_length.",
    )
    shortest: Length | None = Field(None, description="Length at the lower end stop.")
    longest: Length | None = Field(None, description="Length at the upper end stop.")
    stop_stiffness: PositiveStiffness | None = Field(
        None, validate_default=True, description="Stiffness of the end stops."
    )
    stop_damping: Damping = Field(0.0, description="Viscous damping of the end stops, which never pull.")
    ratchet: Ratchet | None = Field(None, description="A pawl that holds the tensioner against retraction.")
    law: Annotated[Law, LawOf(TENSIONER_LAW)] | None = Field(
        None,
        description="User-defined law of a force that acts in parallel (chaindrive.law.tensioner). It can "
        "only be given in Python: a file contains its name and the digest of its source.",
    )

    @field_validator("shortest")
    @classmethod
    def _leaves_oil(cls, shortest: float | None, info: ValidationInfo) -> float | None:
        if shortest is None or not {"from_position", "to_position", "chamber_length"} <= info.data.keys():
            return shortest
        emptied = math.dist(info.data["from_position"], info.data["to_position"]) - info.data["chamber_length"]
        if shortest <= emptied:
            raise ValueError(f"must be above {emptied:.6g} m, the length at which the oil column is used up")
        return shortest

    @field_validator("leakage")
    @classmethod
    def _is_narrow(cls, leakage: Leakage | None, info: ValidationInfo) -> Leakage | None:
        diameter = info.data.get("piston_diameter")
        if leakage is not None and diameter is not None and leakage.gap > 0.1 * diameter:
            raise ValueError(f"its gap {leakage.gap:g} m must be at most a tenth of piston_diameter {diameter:g} m")
        return leakage


Tensioner = Annotated[SpringDamperTensioner | HydraulicTensioner, Field(discriminator="kind")]
