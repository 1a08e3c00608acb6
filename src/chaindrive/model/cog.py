"""An additional cog on the hub of a sprocket, onto which the chain can be shifted."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chaindrive.model.base import Model, Quantity, Whole

__all__ = ["MOST_COGS", "Cog", "Gate"]

MOST_COGS = 12


class Gate(Model):
    """Neighbouring teeth of a cog that are shaped alike, for shifts between this cog and the next smaller cog."""

    tooth: Annotated[int, Whole(0, 999)] = Field(
        description="The first of the shaped teeth, counted against the direction of rotation from the gap to which "
        "phase refers: tooth 0 is directly behind that gap."
    )
    teeth: Annotated[int, Whole(1, 1000)] = Field(1, description="Number of shaped teeth.")
    lean: Annotated[float, Quantity("m", least=-1, most=1)] = Field(
        0.0,
        description="How far the tips are offset towards the next smaller cog, increasing linearly from the pitch "
        "circle outwards; negative: away from that cog.",
    )
    depth: Annotated[float, Quantity("m", least=0, most=1)] = Field(
        0.0, description="How much lower the teeth are for plates that pass beside them; roller seats are unchanged."
    )


class Cog(Model):
    """A cog beside the teeth of a wheel, on the same hub, with the tooth form, tooth width and contact of the wheel."""

    teeth: Annotated[int, Whole(5, 1000)] = Field(description="Number of teeth.")
    offset: Annotated[float, Quantity("m", least=-1, most=1)] = Field(
        description="Distance of the middle plane of the cog in front of that of the wheel, such as '-3.75 mm'."
    )
    phase: Annotated[float, Quantity("rad", least=-7, most=7)] | None = Field(
        None,
        description="Angle from a tooth gap of the wheel to a tooth gap of the cog, against the direction of rotation. "
        "Default: such that the chain crosses over with a whole number of pitches, along the tangent to the "
        "smaller cog.",
    )
    gates: tuple[Gate, ...] | None = Field(
        None,
        description="Teeth shaped for shifts; later entries replace earlier ones. Default: teeth that take up the "
        "chain, or let it go, on shifts away from the wheel; [] for plain teeth.",
    )
