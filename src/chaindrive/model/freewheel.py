"""A freewheel, through which a wheel drives its hub in one direction only."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chaindrive.model.base import Model, Quantity

__all__ = ["Freewheel"]


class Freewheel(Model):
    """A one-way clutch between the wheel and a hub; it transmits torque in the wheel's direction of rotation only.

    Loads and torques of the wheel act on the hub. The wheel keeps its own inertia and its bearing.
    """

    inertia: Annotated[float, Quantity("kg*m^2", above=0, most=1e9)] = Field(
        description="Moment of inertia about the axis of the hub and everything that it drives: for a bicycle its "
        "mass times the square of the radius of the rear wheel, about 9 kg*m^2."
    )
    stiffness: Annotated[float, Quantity("N*m/rad", above=0, most=1e12)] = Field(
        description="Torsional stiffness of clutch and hub while the clutch is engaged."
    )
    damping: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e9)] = Field(
        0.0,
        description="Viscous damping of the twist while the clutch is engaged; a constant twist dissipates nothing.",
    )
