"""The pins of a rocker-pin chain."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chaindrive.model.base import Model, Quantity

__all__ = ["RockerPins"]


class RockerPins(Model):
    """The pins of a rocker-pin chain, whose inclined ends run between conical sheaves."""

    length: Annotated[float, Quantity("m", above=0, most=10)] = Field(
        description="Length of a pin between its ends, such as '24 mm'."
    )
    half_angle: Annotated[float, Quantity("rad", above=0, most=0.8)] = Field(
        description="Half angle of the groove, by which the ends of the pins and the sheaves are inclined, such as "
        "'11 deg'."
    )
    friction: Annotated[float, Quantity("", least=0, most=1)] = Field(
        description="Coefficient of friction between the ends and the sheaves, about 0.09 in oil."
    )
    stiffness: Annotated[float, Quantity("N/m", above=0, most=1e14)] = Field(
        description="Axial stiffness of a pin together with the contacts at both ends."
    )
    damping: Annotated[float, Quantity("N*s/m", least=0, most=1e9)] = Field(
        0.0, description="Axial damping of a pin together with the contacts at both ends."
    )
