"""A vehicle moved by a wheel, with its mass, its weight on a slope, rolling resistance and air drag."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from chaindrive.model.base import Model, Quantity
from chaindrive.numbers import quantity

__all__ = ["Vehicle"]


class Vehicle(Model):
    """A vehicle that a wheel moves along a road, with the resistance F = m g sin a + c m g cos a + rho A v^2 / 2 and
    the inertia force M dv/dt.

    The wheel turns with a road wheel, or drives it through gearing; its direction of rotation moves the vehicle
    forward. The tyre does not slip. The component of the weight along the slope keeps its direction when the vehicle
    stops or rolls back; rolling resistance and air drag oppose the actual motion.
    """

    equivalent_mass: Annotated[float, Quantity("kg", above=0, most=1e9)] = Field(
        description="Mass that is accelerated: that of the vehicle with its load, plus the inertia of the road "
        "wheels divided by the square of their radius."
    )
    rolling_radius: Annotated[float, Quantity("m", above=0, most=1e3)] = Field(
        description="Rolling radius of the road wheel: distance travelled divided by the angle turned."
    )
    gear_ratio: Annotated[float, Quantity("", above=0, most=1e4)] = Field(
        1.0,
        description="Speed of this wheel divided by that of the road wheel; 1 if this wheel is on the axle of the road "
        "wheel.",
    )
    mass: Annotated[float, Quantity("kg", above=0, most=1e9)] | None = Field(
        None, description="Mass carried by the road; default: the equivalent mass."
    )
    grade: Annotated[float, Quantity("", least=-10, most=10)] = Field(
        0.0, description="Grade of the road, rise over horizontal distance, such as '5 %'; negative downhill."
    )
    rolling_resistance: Annotated[float, Quantity("", least=0, most=1)] = Field(
        0.0, description="Rolling resistance coefficient, such as 0.005 for a bicycle."
    )
    drag_area: Annotated[float, Quantity("m^2", least=0, most=1e6)] = Field(
        0.0, description="Drag coefficient times frontal area."
    )
    air_density: Annotated[float, Quantity("kg/m^3", least=0, most=1e3)] = Field(1.2, description="Density of the air.")
    gravity: Annotated[float, Quantity("m/s^2", least=0, most=1e4)] = Field(
        9.81, description="Acceleration of gravity."
    )

    @property
    def way(self) -> float:
        """Distance travelled by the vehicle per radian of the wheel. [m]"""
        return self.rolling_radius / self.gear_ratio

    @property
    def inertia(self) -> float:
        """Moment of inertia on the wheel that is equivalent to the mass of the vehicle. [kg m^2]"""
        return self.equivalent_mass * self.way**2

    @property
    def weight(self) -> float:
        """Weight of the vehicle. [N]"""
        return self.gravity * (self.equivalent_mass if self.mass is None else self.mass)

    @property
    def slope_torque(self) -> float:
        """Torque of the weight component along the slope, against the direction of rotation. [N m]"""
        return self.weight * math.sin(math.atan(self.grade)) * self.way

    @property
    def rolling_torque(self) -> float:
        """Torque of the rolling resistance, against the motion. [N m]"""
        return self.rolling_resistance * self.weight * math.cos(math.atan(self.grade)) * self.way

    @property
    def drag(self) -> float:
        """Torque of the air drag divided by the square of the speed of the wheel. [N m s^2/rad^2]"""
        return 0.5 * self.air_density * self.drag_area * self.way**3

    @property
    def text(self) -> str:
        """Description of the vehicle: its mass, the equivalent inertia on the wheel, and its resistances."""
        mass, inertia = f"{self.equivalent_mass:.6g} kg", f"{self.inertia:.5g} kg m^2"
        parts = [f"{mass}, {inertia} on the wheel"]
        if self.slope_torque:
            way, how = ("up", "against") if self.slope_torque > 0.0 else ("down", "in")
            size = quantity(abs(self.slope_torque), "N m")
            parts.append(f"{way} a slope, {size} {how} the direction of rotation")
        if self.rolling_torque:
            parts.append(f"rolling resistance {quantity(self.rolling_torque, 'N m')} against its motion")
        if self.drag:
            parts.append(f"air drag {quantity(self.drag, 'N m s²/rad²')}")
        return "; ".join(parts)
