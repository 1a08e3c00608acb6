"""Guides: fixed or moving rails that the chain slides along.

All positions are those of the reference configuration: global coordinates, with every joint at coordinate zero. "Left"
and "right" are those of somebody who travels along the route, in the order of the wheels.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.model.base import Model, Name, Quantity, Whole
from chaindrive.model.body import GROUND, Angle, Position
from chaindrive.model.wheel import MOST_WHEELS, Contact

__all__ = ["Guide", "GuidePiece", "GuideShape", "OnSpanGuide", "PathGuide", "StraightGuide"]

Side = Literal["left", "right"]
Length = Annotated[float, Quantity("m", above=0, most=1e3)]
Radius = Annotated[float, Quantity("m", least=0, most=1e3)]
Indentation = Annotated[float, Quantity("m", least=-10, most=10)]

_SIDE = "Side of the chain on which the guide lies, seen in the direction of the route."
_RADIUS = "Radius of the rounded ends."
_END = "Length of each rounded end, measured along the guide; 0 when it ends sharply."
_INDENTATION = "How far the guide is shifted into the chain, along the normal in its middle."
_ROTATION = "Angle by which the guide is turned about its middle, positive counter-clockwise."


def _within_radius(length: float, info: ValidationInfo) -> float:
    """A rounded end is a part of a quarter of a circle (Pedersen 2004, Eq. 3.89: L_ge <= R_ge)."""
    radius = info.data.get("end_radius")
    if radius is not None and length > radius:
        raise ValueError(f"must be at most end_radius {radius:g} m: the end of the guide is an arc of that radius")
    return length


class _WithEnds(Model):
    """What the ends of all shapes have in common."""

    end_radius: Radius = Field(0.0, description=_RADIUS)
    end_length: Radius = Field(0.0, description=_END)
    indentation: Indentation = Field(0.0, description=_INDENTATION)
    rotation: Angle = Field(0.0, description=_ROTATION)

    _end_within_radius = field_validator("end_length")(_within_radius)


class StraightGuide(_WithEnds):
    """A flat rail between two points, with rounded ends (Pedersen 2004, section 3.8.2 and appendix D)."""

    kind: Literal["straight"] = "straight"
    start: Position = Field(description="Where the flat part begins [x, y], in the direction of the route.")
    end: Position = Field(description="Where the flat part ends [x, y].")
    side: Side = Field(description=_SIDE)

    @field_validator("end")
    @classmethod
    def _longer_than_zero(cls, end: tuple[float, float], info: ValidationInfo) -> tuple[float, float]:
        if "start" in info.data and math.dist(info.data["start"], end) < 1e-9:
            raise ValueError("must differ from start: the flat part of the guide has no length")
        return end


class OnSpanGuide(_WithEnds):
    """A flat rail along a span of the drawing: its middle, side and length are given, not its coordinates."""

    kind: Literal["on_span"] = "on_span"
    span: Annotated[int, Whole(0, MOST_WHEELS - 1)] = Field(
        description="Index of the span; span k runs from wheel k to the next one."
    )
    at: Annotated[float, Quantity("", least=0, most=1)] = Field(
        0.5, description="Where the middle of the flat part lies, 0 at the begin of the span and 1 at its end."
    )
    side: Side = Field("left", description=_SIDE)
    length: Length = Field(description="Length of the flat part.")


class GuidePiece(Model):
    """A piece of a curved rail: straight, or an arc."""

    length: Length = Field(description="Length of the piece, along the arc.")
    radius: Length | None = Field(None, description="Radius of the arc; left out for a straight piece.")
    bend: Side | None = Field(
        None, validate_default=True, description="To which side the arc bends, for a piece with a radius."
    )

    @field_validator("bend")
    @classmethod
    def _goes_with_the_radius(cls, bend: str | None, info: ValidationInfo) -> str | None:
        if "radius" not in info.data or "length" not in info.data:  # a wrong one is reported on its own
            return bend
        radius, length = info.data["radius"], info.data["length"]
        if radius is None and bend is not None:
            raise ValueError("has no meaning without a radius: give the radius of the arc, or leave bend out")
        if radius is not None and bend is None:
            raise ValueError("is needed for a piece with a radius: 'left' or 'right'")
        if radius is not None and length >= 2.0 * math.pi * radius:
            raise ValueError(f"the arc of {length:g} m would go once round its circle of radius {radius:g} m")
        return bend


class PathGuide(_WithEnds):
    """A rail of straight pieces and arcs, one after the other, such as the plastic rails of a timing drive."""

    kind: Literal["path"] = "path"
    start: Position = Field(description="Where the rail begins [x, y], in the direction of the route.")
    direction: Angle = Field(description="Direction in which it begins, counter-clockwise from the x axis.")
    pieces: Annotated[tuple[GuidePiece, ...], Field(min_length=1, max_length=1000)] = Field(
        description="The pieces, such as [{ length = '50 mm' }, { length = '80 mm', radius = '0.3 m', bend = 'left' }]."
    )
    side: Side = Field(description=_SIDE)


GuideShape = Annotated[StraightGuide | OnSpanGuide | PathGuide, Field(discriminator="kind")]


class Guide(Model):
    """A guide bar or rail."""

    name: Name = Field(description="Name of the guide, unique in the drive.")
    body: Name = Field(GROUND, description="Name of the body that supports it, or 'ground'.")
    shape: GuideShape = Field(description="Shape, such as { kind = 'on_span', span = 0, length = '0.5 m' }.")
    contact_radius: Annotated[float, Quantity("m", least=0, most=10)] | None = Field(
        None,
        description="Distance from the line of the roller centres at which the chain touches the guide: the radius of "
        "the rollers when left out, half the plate height where plates slide, 0 where centres touch.",
    )
    contact: Contact = Field(description="Contact between the chain and the guide.")
    max_penetration: Length | None = Field(
        None,
        description="Penetration that ends the run; a quarter of the roller diameter when left out. "
        "At twice this depth a roller is behind the guide and touches it no longer.",
    )
