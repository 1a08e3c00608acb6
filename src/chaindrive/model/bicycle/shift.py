"""A shift to another cog, as the rider orders it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chaindrive.model.base import Model, Quantity, Whole

__all__ = ["Shift"]

Time = Annotated[float, Quantity("s", least=0, most=1e6)]


class Shift(Model):
    """A shift to another cog of the cassette during the run: the derailleur moves both pulleys along their axes."""

    to: Annotated[int, Whole(5, 200)] = Field(
        description="Teeth of the cog onto which the chain is shifted, such as 21."
    )
    start: Time = Field(0.0, description="Time at which the pulleys begin to move.")
    duration: Annotated[float, Quantity("s", above=0, most=1e3)] = Field(
        0.05, description="Time in which the pulleys move to the plane of the cog and beyond it by overshift."
    )
    overshift: Annotated[float, Quantity("m", least=-0.05, most=0.05)] = Field(
        0.0,
        description="How far the pulleys move beyond the plane of the cog; negative: they stop short of it.",
    )
    hold: Time | None = Field(
        None,
        description="Time for which the pulleys stay at the end of the first move before they return to the plane of "
        "the cog, which takes as long as that move; default: they do not return.",
    )
