"""Guides: fixed or moving rails along which the chain slides.

All positions are in global coordinates in the reference configuration, in which the coordinate of every joint is zero.
"Left" and "right" are as seen when travelling along the route, in the order of the wheels.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, ModelWrapValidatorHandler, ValidationInfo, field_validator, model_validator

from chaindrive.geometry.joined import arc_through, arcs_through, joined, pieces_of, reversed_curve, shifted
from chaindrive.geometry.profile import Arc, Element
from chaindrive.model.base import Model, Name, Quantity, Whole
from chaindrive.model.body import GROUND, Angle, Position
from chaindrive.model.contact import Contact
from chaindrive.model.files.drawing import FileUnit, curves_of
from chaindrive.model.pieces import GuidePiece, Length, Side, pieces_fields
from chaindrive.model.wheel import MOST_WHEELS

__all__ = [
    "ArcGuide",
    "DrawnGuide",
    "Guide",
    "GuidePiece",
    "GuideShape",
    "OnSpanGuide",
    "PathGuide",
    "SplineGuide",
    "StraightGuide",
    "ThreePointGuide",
]

Radius = Annotated[float, Quantity("m", least=0, most=1e3)]
Indentation = Annotated[float, Quantity("m", least=-10, most=10)]

_SIDE = "Side of the chain on which the guide lies, as seen in the direction of the route."
_RADIUS = "Radius of the rounded ends."
_END = "Length of each rounded end, measured along the guide; 0 for sharp ends."
_INDENTATION = "Distance by which the guide is shifted into the chain, along the normal at its middle."
_ROTATION = "Angle by which the guide is turned about its middle, positive counter-clockwise."


def _within_radius(length: float, info: ValidationInfo) -> float:
    """Check that a rounded end is at most a quarter of a circle (Pedersen 2004, Eq. 3.89: L_ge <= R_ge)."""
    radius = info.data.get("end_radius")
    if radius is not None and length > radius:
        raise ValueError(f"must be at most end_radius {radius:g} m: the end of the guide is an arc with this radius")
    return length


class _WithEnds(Model):
    """Keys that all shapes have in common."""

    end_radius: Radius = Field(0.0, description=_RADIUS)
    end_length: Radius = Field(0.0, description=_END)
    indentation: Indentation = Field(0.0, description=_INDENTATION)
    rotation: Angle = Field(0.0, description=_ROTATION)

    _end_within_radius = field_validator("end_length")(_within_radius)


class StraightGuide(_WithEnds):
    """A flat rail between two points, with rounded ends (Pedersen 2004, section 3.8.2 and appendix D)."""

    kind: Literal["straight"] = "straight"
    start: Position = Field(description="Start of the flat part [x, y], in the direction of the route.")
    end: Position = Field(description="End of the flat part [x, y].")
    side: Side = Field(description=_SIDE)

    @field_validator("end")
    @classmethod
    def _longer_than_zero(cls, end: tuple[float, float], info: ValidationInfo) -> tuple[float, float]:
        if "start" in info.data and math.dist(info.data["start"], end) < 1e-9:
            raise ValueError("must differ from start: the flat part of the guide has no length")
        return end


class OnSpanGuide(_WithEnds):
    """A flat rail along a span, given by its middle, side and length instead of coordinates."""

    kind: Literal["on_span"] = "on_span"
    span: Annotated[int, Whole(0, MOST_WHEELS - 1)] = Field(
        description="Index of the span; span k runs from wheel k to the next one."
    )
    at: Annotated[float, Quantity("", least=0, most=1)] = Field(
        0.5, description="Position of the middle of the flat part: 0 at the start of the span, 1 at its end."
    )
    side: Side = Field("left", description=_SIDE)
    length: Length = Field(description="Length of the flat part.")


class PathGuide(_WithEnds):
    """A rail that consists of consecutive straight pieces and arcs, such as a plastic rail of a timing drive."""

    kind: Literal["path"] = "path"
    start: Position = Field(description="Start of the rail [x, y], in the direction of the route.")
    direction: Angle = Field(
        description="Direction of the rail at its start, measured counter-clockwise from the x axis."
    )
    pieces: Annotated[tuple[GuidePiece, ...], Field(min_length=1, max_length=1000)] = Field(
        description="The pieces, such as [{ length = '50 mm' }, { length = '80 mm', radius = '0.3 m', bend = 'left' }]."
    )
    side: Side = Field(description=_SIDE)


class _Curve(_WithEnds):
    """A curve in any representation, which is converted to a path of lines and arcs."""

    side: Side = Field(description=_SIDE)

    def elements(self) -> list[Element]:
        """Return the elements of the curve in the direction of the route, each tangent to the one before. Raises
        ValueError.
        """
        raise NotImplementedError

    @model_validator(mode="wrap")
    @classmethod
    def _as_path(cls, given: Any, handler: ModelWrapValidatorHandler[_Curve]) -> Any:
        shape = handler(given)
        start, direction, pieces = pieces_of(shape.elements())
        return PathGuide(
            start=start,
            direction=direction,
            pieces=pieces_fields(pieces),
            **{name: getattr(shape, name) for name in ("side", *_WithEnds.model_fields)},
        )


class ArcGuide(_Curve):
    """A rail that is an arc, given by its centre, its radius and the angles of its ends. It is converted to a path."""

    kind: Literal["arc"] = "arc"
    centre: Position = Field(description="Centre of the arc [x, y].")
    radius: Length = Field(description="Radius of the arc.")
    start_angle: Angle = Field(
        description="Direction from the centre to the start of the rail, measured counter-clockwise from the x axis."
    )
    end_angle: Angle = Field(
        description="Direction from the centre to the end of the rail. The rail runs counter-clockwise if this "
        "angle is larger than start_angle, otherwise clockwise: a counter-clockwise rail across 0 runs from 350 to "
        "370 deg, not to 10 deg."
    )

    @field_validator("end_angle")
    @classmethod
    def _an_arc(cls, end: float, info: ValidationInfo) -> float:
        if "start_angle" in info.data and not 1e-9 < abs(end - info.data["start_angle"]) < 2.0 * math.pi:
            raise ValueError("must differ from start_angle by less than a full circle")
        return end

    def elements(self) -> list[Element]:
        """See ``_Curve``."""
        return [Arc(self.centre, self.radius, self.start_angle, self.end_angle)]


class ThreePointGuide(_Curve):
    """A rail that is an arc through three points, such as points measured on a drawing. It is converted to a path."""

    kind: Literal["three_points"] = "three_points"
    points: tuple[Position, Position, Position] = Field(
        description="Start, a point in between, and end [[x, y], [x, y], [x, y]], in the direction of the route; "
        "points on a straight line give a flat rail."
    )

    def elements(self) -> list[Element]:
        """See ``_Curve``."""
        return [arc_through(*self.points)]


class SplineGuide(_Curve):
    """A rail that is a spline of arcs through the points of a table.

    It is converted to a path. Neighbouring points are joined by two arcs, tangent to each other and to the adjacent
    arcs; points on a circle give that circle. For points in a file use kind = 'drawn'.
    """

    kind: Literal["spline"] = "spline"
    points: Annotated[tuple[Position, ...], Field(min_length=2, max_length=500)] = Field(
        description="The points [[x, y], ...] in the direction of the route, so closely spaced that the curve turns by "
        "less than 31 degrees at each."
    )

    @field_validator("points")
    @classmethod
    def _apart(cls, points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        for k, (one, other) in enumerate(pairwise(points)):
            if math.dist(one, other) < 1e-6:
                raise ValueError(f"points {k} and {k + 1} coincide: neighbouring points must be at least 1 um apart")
        return points

    def elements(self) -> list[Element]:
        """See ``_Curve``."""
        return arcs_through(self.points)


class DrawnGuide(_Curve):
    """A rail read from a file: a DXF or SVG of lines and arcs, or a text file of points.

    It is converted to a path. Lines and arcs are used as they are and must be tangent to each other. Points in a text
    file, one x and y per line, or a polyline without arcs become a smooth curve of arcs through the points. The curve
    begins at its left end, or at the lower one if one end is vertically above the other, and must run in the direction
    of the route (see ``reverse``).
    """

    kind: Literal["drawn"] = "drawn"
    file: Name = Field(description="File name, relative to the file of the drive.")
    layer: Name | None = Field(
        None, description="Layer of the DXF or SVG that contains the curve; default: all layers."
    )
    unit: FileUnit | None = Field(
        None, description="Unit of the numbers in the file; default: the unit stated in the DXF or SVG, or else mm."
    )
    reverse: bool = Field(
        False,
        description="Whether the rail, followed in the direction of the route, starts at the other end of the curve.",
    )
    origin: Position = Field((0.0, 0.0), description="Position [x, y] of the drawing's origin in the drive.")

    def elements(self) -> list[Element]:
        """See ``_Curve``."""
        curve = joined(curves_of(self.file, self.layer, self.unit))
        return [shifted(element, self.origin) for element in (reversed_curve(curve) if self.reverse else curve)]


if TYPE_CHECKING:  # every curve has become a path
    GuideShape = Annotated[StraightGuide | OnSpanGuide | PathGuide, Field(discriminator="kind")]
else:
    GuideShape = Annotated[
        StraightGuide | OnSpanGuide | PathGuide | ArcGuide | ThreePointGuide | SplineGuide | DrawnGuide,
        Field(discriminator="kind"),
    ]


class Guide(Model):
    """A guide bar or rail."""

    name: Name = Field(description="Name of the guide, unique in the drive.")
    body: Name = Field(GROUND, description="Name of the body that supports the guide, or 'ground'.")
    shape: GuideShape = Field(description="Shape, such as { kind = 'on_span', span = 0, length = '0.5 m' }.")
    contact_radius: Annotated[float, Quantity("m", least=0, most=10)] | None = Field(
        None,
        description="Distance from the line of roller centres at which the chain touches the guide. Default: the "
        "radius of the rollers; give half the plate height if the plates slide on the guide, or 0 to let the roller "
        "centres touch it.",
    )
    contact: Contact = Field(description="Contact between the chain and the guide.")
    max_penetration: Length | None = Field(
        None,
        description="Penetration that ends the run; default: a quarter of the roller diameter. At twice this depth a "
        "roller counts as behind the guide and no longer touches it.",
    )
