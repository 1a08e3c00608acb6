"""The forms of the teeth of a wheel."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ModelWrapValidatorHandler, model_validator

from chaindrive.geometry.joined import half_gap
from chaindrive.geometry.profile import MOST_ELEMENTS
from chaindrive.model.base import Model, Name, Quantity
from chaindrive.model.files.drawing import FileUnit, curves_of
from chaindrive.model.pieces import GuidePiece, pieces_fields

__all__ = [
    "AsaTooth",
    "CircularTooth",
    "ConveyorTooth",
    "DrawnTooth",
    "IsoTooth",
    "KinematicSeat",
    "ProfileTooth",
    "RectangularTooth",
    "SemiRealTooth",
    "SinglePointTooth",
    "SixPointTooth",
    "SmoothRim",
    "Tooth",
]

Clearance = Annotated[float, Quantity("m", least=0, most=1)]
Angle = Annotated[float, Quantity("rad", least=-1e3, most=1e3)]


def _known_flank_factor(factor: float) -> float:
    if factor not in (1.24, 1.4):
        raise ValueError("must be 1.4 (ANSI B29.1 today) or 1.24 (ASA B29.1-1950, used by Pedersen 2004)")
    return factor


class AsaTooth(Model):
    """Teeth to ASA/ANSI B29.1 type II, with seat arc, flank arc, straight part and topping arc."""

    form: Literal["asa-ii"] = "asa-ii"
    flank_factor: Annotated[float, Quantity(""), AfterValidator(_known_flank_factor)] = Field(
        1.4,
        description="Distance from the centre of the seat to that of the topping arc, in roller diameters: 1.4 "
        "(today) or 1.24 (1950).",
        json_schema_extra={"enum": [1.4, 1.24]},
    )


class IsoTooth(Model):
    """Teeth to ISO 606, with seat arc and flank arcs, and with the smallest, mean or largest gap that the
    standard allows.
    """

    form: Literal["iso-606"] = "iso-606"
    gap: Literal["minimum", "mean", "maximum"] = Field("mean", description="Gap within the tolerance.")


class ConveyorTooth(Model):
    """Teeth of conveyor sprockets, with a flat bottom, straight flanks, and a head that leaves room for rollers that
    enter and leave (GOST 592-81).
    """

    form: Literal["conveyor"] = "conveyor"
    flank_angle: Annotated[float, Quantity("rad", least=0, most=1)] | None = Field(
        None,
        description="Angle between a flank and the centre line of its tooth; default: 16.5 deg, the middle of 13 to "
        "20.",
    )
    clearance: Clearance | None = Field(
        None, description="Pitch line clearance: width of the flat bottom of a gap; default: 0.01 of the pitch."
    )


class CircularTooth(Model):
    """A semicircular seat without flanks."""

    form: Literal["circular"] = "circular"
    clearance: Clearance | None = Field(
        None, description="Seat radius minus roller radius; default: the ASA value 0.0025 Dr + 0.0015 in."
    )


class SinglePointTooth(Model):
    """A contact with a single radial spring at the pitch circle (Pedersen 2004, section 3.5.1)."""

    form: Literal["single-point"] = "single-point"


class KinematicSeat(Model):
    """A seat that holds a roller at its position on the pitch circle as if by a constraint (Pedersen 2004, section
    3.4).

    Meant for rigid contacts without friction.
    """

    form: Literal["kinematic-seat"] = "kinematic-seat"


class RectangularTooth(Model):
    """A rectangular gap outside the pitch circle (Pedersen 2004, section 3.5.3)."""

    form: Literal["rectangular"] = "rectangular"
    clearance: Clearance = Field(description="Play of the roller to either side of the gap's centre line.")
    height: Annotated[float, Quantity("m", above=0, most=1)] = Field(
        description="Height of the rectangle above the pitch circle."
    )


class SemiRealTooth(Model):
    """A rectangular gap with straight inclined flanks above it (Pedersen 2004, section 3.5.4)."""

    form: Literal["semi-real"] = "semi-real"
    clearance: Clearance = Field(description="Play of the roller to either side of the gap's centre line.")
    height: Annotated[float, Quantity("m", above=0, most=1)] = Field(
        description="Height of the rectangle above the pitch circle."
    )
    flank_angle: Annotated[float, Quantity("rad", least=0, most=1.5)] = Field(
        description="Angle between the straight flanks and the sides of the rectangle."
    )
    corner_radius: Annotated[float, Quantity("m", least=0, most=1)] = Field(
        description="Radius that rounds the corner between seat and flank."
    )


class SixPointTooth(Model):
    """Teeth of straight lines through root, flank and tip on either side of a gap (Omar 2014), with dimensions from ISO
    606.
    """

    form: Literal["six-point"] = "six-point"


class SmoothRim(Model):
    """A round rim without teeth, as of a sheave or drum, on which rollers slide unless friction holds them.

    ``teeth`` is then the number of pitches around the rim: roller centres lie on the pitch circle of a sprocket with
    this many teeth.
    """

    form: Literal["smooth"] = "smooth"


class ProfileTooth(Model):
    """Half a gap, given as consecutive pieces. The profile starts at the middle of the bottom, perpendicular to the
    centre line of the gap, and ends at the centre line of the tooth.
    """

    form: Literal["profile"] = "profile"
    bottom: Annotated[float, Quantity("m", above=0, most=100)] = Field(
        description="Distance from the centre of the wheel to the bottom of the gap."
    )
    pieces: Annotated[tuple[GuidePiece, ...], Field(min_length=1, max_length=MOST_ELEMENTS)] = Field(
        description="The pieces, such as [{ length = '5 mm', radius = '4.3 mm', bend = 'left' }, ...]; anything "
        "beyond the centre line of the tooth is cut off."
    )


class DrawnTooth(Model):
    """Half a gap read from a DXF of lines and arcs, which is converted to a profile.

    The centre of the wheel must be at the origin of the drawing and the gap above it. The curve runs from the middle of
    the bottom, on the y axis, along seat and flank to the centre line of the tooth. It consists of at most six lines
    and arcs that are tangent to each other.
    """

    form: Literal["drawn"] = "drawn"
    file: Name = Field(description="File name, relative to the file of the drive.")
    layer: Name | None = Field(None, description="Layer of the DXF; default: all layers.")
    unit: FileUnit | None = Field(
        None, description="Unit of the numbers in the file; default: the unit stated in the DXF, or else mm."
    )

    @model_validator(mode="wrap")
    @classmethod
    def _read(cls, given: Any, handler: ModelWrapValidatorHandler[DrawnTooth]) -> Any:
        tooth = handler(given)
        bottom, pieces = half_gap(curves_of(tooth.file, tooth.layer, tooth.unit))
        return ProfileTooth(bottom=bottom, pieces=pieces_fields(pieces))


Tooth = Annotated[
    AsaTooth
    | IsoTooth
    | ConveyorTooth
    | CircularTooth
    | SinglePointTooth
    | KinematicSeat
    | RectangularTooth
    | SemiRealTooth
    | SixPointTooth
    | SmoothRim
    | ProfileTooth
    | DrawnTooth,
    Field(discriminator="form"),
]
