"""What is moved until a chain of so many links closes: a wheel, or a body with all that it carries."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chaindrive.model.base import Model, Name, Quantity

__all__ = ["AUTO", "Closing"]

AUTO = "auto"
"""Number of links that follows from the route."""


class Closing(Model):
    """Moves one wheel, or one body about or along its joint, from where it is drawn to where the chain closes.

    Of several places that which is nearest to the drawing. Exactly one of ``wheel`` and ``body`` is given, and at most
    one of ``slack`` and ``sag``; with neither the chain is just taut.
    """

    wheel: Name | None = Field(None, description="Name of the wheel that is moved, such as one on a sliding motor.")
    direction: Annotated[float, Quantity("rad", least=-10, most=10)] | None = Field(
        None,
        description="Direction in which the wheel is moved, to and fro, counter-clockwise from the x axis; left out, "
        "that which tightens most.",
    )
    body: Name | None = Field(
        None,
        description="Name of a body that is turned about its revolute joint or shifted along its prismatic one, with "
        "its wheels, guides, ends of tensioners and the bodies on it; where it comes to is how the drive is drawn.",
    )
    slack: Annotated[float, Quantity("m", least=0, most=10)] | None = Field(
        None, description="How much longer the chain shall be than its way around wheels and rails, in the plane."
    )
    sag: Annotated[float, Quantity("m", least=0, most=10)] | None = Field(
        None,
        description="Instead of slack: sag of the longest span when all the slack is in it, a parabola: "
        "slack = 8/3 sag^2 / span.",
    )
