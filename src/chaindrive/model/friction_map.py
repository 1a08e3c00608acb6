"""A map of the friction of the chain as a function of speed and tensions, for the chain drive block."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.model.base import Model, Quantity
from chaindrive.model.points import increasing

__all__ = ["FrictionMap"]

MOST = 200
"""Largest number of points along each axis."""
Force = Annotated[float, Quantity("N", least=0, most=1e12)]


class FrictionMap(Model):
    """Friction of the chain on every wheel as a function of chain speed and the tensions beside the wheel,
    bilinear between the points and constant beyond them.
    """

    speeds: Annotated[
        tuple[Annotated[float, Quantity("m/s", least=0, most=1e3)], ...], Field(min_length=2, max_length=MOST)
    ] = Field(description="Increasing speeds of the chain.")
    tensions: Annotated[
        tuple[Annotated[float, Quantity("N", least=0, most=1e12)], ...], Field(min_length=2, max_length=MOST)
    ] = Field(description="Increasing sums of the tensions of both spans adjacent to a wheel.")
    forces: tuple[tuple[Force, ...], ...] = Field(
        description="Torque against the rotation of a wheel divided by the radius of the wheel: for every speed, a "
        "list with one value for each of the tensions."
    )

    _increase = field_validator("speeds", "tensions")(increasing)

    @field_validator("forces")
    @classmethod
    def _one_for_each_point(
        cls, rows: tuple[tuple[float, ...], ...], info: ValidationInfo
    ) -> tuple[tuple[float, ...], ...]:
        if not {"speeds", "tensions"} <= info.data.keys():  # wrong ones are reported on their own
            return rows
        wanted = len(info.data["speeds"]), len(info.data["tensions"])
        lengths = [len(row) for row in rows]
        if lengths != [wanted[1]] * wanted[0]:
            raise ValueError(
                f"must be {wanted[0]} lists, one for each of the speeds, of {wanted[1]} values, one for each of the "
                f"tensions, not {len(rows)} lists of {', '.join(map(str, sorted(set(lengths))))}"
            )
        return rows
