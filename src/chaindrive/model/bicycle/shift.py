"""A shift to a different cog, as ordered by the rider."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chaindrive.model.base import Model, Quantity, Whole

__all__ = ["Shift"]

Time = Annotated[float, Quantity("s", least=0, most=1e6)]


class Shift(Model):
    """A shift to a different cog of the cassette during the run: the derailleur moves both pulleys along their axes."""

    to: Annotated[int, Whole(5, 200)] = Field(
        description="Number of teeth of the cog onto which the chain is shifted, such as 21."
    )
    start: Time = Field(0.0, description="Time at which the pulleys begin to move.")
    duration: Annotated[float, Quantity("s", above=0, most=1e3)] = Field(
        0.05, description="Time that the pulleys take to move to the plane of the cog and beyond it by overshift."
    )
    overshift: Annotated[float, Quantity("m", least=-0.05, most=0.05)] = Field(
        0.0,
        description="How far the pulleys move beyond the plane of the cog; negative: they stop short of it.",
    )
    hold: Time | None = Field(
        None,
        description="Time for which the pulleys stay where the first move ends before they return to the plane of the "
        "cog; the return takes as long as the first move. Default: they do not return.",
    )
