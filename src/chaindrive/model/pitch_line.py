"""The pitch line of a non-circular sprocket."""

from __future__ import annotations

import math
from bisect import bisect_right
from functools import lru_cache
from typing import Annotated, ClassVar, Literal

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.geometry.pitch_line import PitchPolygon, ellipse, pitch_polygon
from chaindrive.model.base import Model, Quantity
from chaindrive.model.points import Angle, increasing_over_one_turn, periodic
from chaindrive.model.tabulated import Tabulated
from chaindrive.physics.tables import periodic_spline

__all__ = ["EllipticPitchLine", "PitchLine", "PitchLineTable"]

MOST_OVALITY = 1.5
"""Largest allowed ratio of the two radii; chainrings on the market have at most 1.25."""
MOST_POINTS = 20_000

Radius = Annotated[float, Quantity("m", above=0, most=1e3)]


class EllipticPitchLine(Model):
    """An elliptic pitch line that turns about its centre."""

    form: Literal["ellipse"] = Field("ellipse", description="Form of the pitch line.")
    ovality: Annotated[float, Quantity("", least=1, most=MOST_OVALITY)] = Field(
        description="Largest radius divided by the smallest, such as 1.1; the size follows from teeth and pitch."
    )
    angle: Angle = Field(
        0.0,
        description="Direction of the largest radius at the start of the run, measured counter-clockwise from the x "
        "axis.",
    )

    def polygon(self, teeth: int, pitch: float) -> PitchPolygon:
        """Return the positions of the rollers in the frame of the wheel."""
        return _elliptic(self.ovality, teeth, pitch)


class PitchLineTable(Tabulated):
    """A pitch line given by its radius as a function of the angle, interpolated by a periodic cubic spline."""

    abscissae: ClassVar[str] = "angles"
    ordinates: ClassVar[tuple[str, ...]] = ("radii",)
    form: Literal["table"] = Field("table", description="Form of the pitch line.")
    angles: Annotated[tuple[Angle, ...], Field(min_length=4, max_length=MOST_POINTS)] = Field(
        description="Increasing angles over one turn of the sprocket, counter-clockwise as drawn; the last is 360 "
        "deg after the first."
    )
    radii: Annotated[tuple[Radius, ...], Field(min_length=4, max_length=MOST_POINTS)] = Field(
        description="Radius of the pitch line at each angle; the last equals the first. The table is scaled by up to "
        "2 % so that the teeth are one pitch apart."
    )
    angle: Angle = Field(
        0.0,
        description="Direction of the table's angle 0 at the start of the run, measured counter-clockwise from the x "
        "axis.",
    )

    _angles_over_one_turn = field_validator("angles")(increasing_over_one_turn)

    @field_validator("radii")
    @classmethod
    def _closed(cls, values: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        return periodic(values, info.data["angles"]) if "angles" in info.data else values

    def polygon(self, teeth: int, pitch: float) -> PitchPolygon:
        """Return the positions of the rollers in the frame of the wheel."""
        return _tabulated(self.angles, self.radii, teeth, pitch)


PitchLine = Annotated[EllipticPitchLine | PitchLineTable, Field(discriminator="form")]


@lru_cache(maxsize=64)
def _elliptic(ovality: float, teeth: int, pitch: float) -> PitchPolygon:
    return _kept(pitch_polygon(ellipse(ovality), teeth, pitch))


@lru_cache(maxsize=64)
def _tabulated(angles: tuple[float, ...], radii: tuple[float, ...], teeth: int, pitch: float) -> PitchPolygon:
    rows, _ = periodic_spline(angles, radii)
    knots, cubics = rows[:, 0].tolist(), rows[:, 1:5].tolist()

    def radius(angle: float) -> float:
        along = angle % (2.0 * math.pi)
        k = bisect_right(knots, along) - 1
        a, b, c, d = cubics[k]
        x = along - knots[k]
        return float(((a * x + b) * x + c) * x + d)

    return _kept(pitch_polygon(radius, teeth, pitch))


def _kept(polygon: PitchPolygon) -> PitchPolygon:
    """Return the polygon with read-only arrays."""
    for part in (polygon.corners, polygon.direction, polygon.shift):
        part.setflags(write=False)
    return polygon
