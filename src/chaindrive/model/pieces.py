"""The pieces of a curve, straight lines and arcs, each of which is tangent to the one before."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.geometry.guide import Piece
from chaindrive.model.base import Model, Quantity

__all__ = ["GuidePiece", "Length", "Side", "pieces_fields"]

Side = Literal["left", "right"]
Length = Annotated[float, Quantity("m", above=0, most=1e3)]


class GuidePiece(Model):
    """A piece of a curved rail: straight, or an arc."""

    length: Length = Field(description="Length of the piece; for an arc its arc length.")
    radius: Length | None = Field(None, description="Radius of the arc; omit it for a straight piece.")
    bend: Side | None = Field(None, validate_default=True, description="Side to which a piece with a radius bends.")

    @field_validator("bend")
    @classmethod
    def _goes_with_the_radius(cls, bend: str | None, info: ValidationInfo) -> str | None:
        if "radius" not in info.data or "length" not in info.data:  # a wrong one is reported on its own
            return bend
        radius, length = info.data["radius"], info.data["length"]
        if radius is None and bend is not None:
            raise ValueError("needs a radius: give the radius of the arc, or omit bend")
        if radius is not None and bend is None:
            raise ValueError("is needed for a piece with a radius: 'left' or 'right'")
        if radius is not None and length >= 2.0 * math.pi * radius:
            raise ValueError(f"the arc of {length:g} m would be a full circle of radius {radius:g} m")
        return bend


def pieces_fields(pieces: Sequence[Piece]) -> tuple[dict[str, Any], ...]:
    """Return the fields of the pieces of a guide, from the pieces of a curve."""
    return tuple(
        {"length": piece.length} | ({} if piece.radius is None else {"radius": piece.radius, "bend": piece.bend})
        for piece in pieces
    )
