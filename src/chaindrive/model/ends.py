"""The ends of an open chain: anchored to the ground, to a body or to a wheel, or free, with or without a load.

Link 0 begins at the first end; from there the chain runs around the wheels, in the order of their list, to the second
end.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from chaindrive.model.base import Model, Name, Quantity, Vector
from chaindrive.model.load_over_time import ForceLoad, load_text
from chaindrive.numbers import quantity

__all__ = ["BodyEnd", "End", "EndForce", "EndMasses", "FreeEnd", "GroundEnd", "WheelEnd", "end_text"]

Position = Annotated[tuple[float, float], Vector("m", most=1e4)]
Angle = Annotated[float, Quantity("rad", least=-1e3, most=1e3)]


class _Anchor(Model):
    """A fitting that holds the last joint of a chain: a spring and damper that are equal in all directions."""

    stiffness: Annotated[float, Quantity("N/m", above=0, most=1e15)] | None = Field(
        None, description="Stiffness of the fitting that holds the end; default: that of a link."
    )
    damping: Annotated[float, Quantity("N*s/m", least=0, most=1e12)] | None = Field(
        None, description="Damping of the fitting that holds the end; default: that of a link."
    )


class GroundEnd(_Anchor):
    """The end is anchored to the ground."""

    kind: Literal["ground"] = "ground"
    position: Position = Field(description="Anchor point [x, y].")


class BodyEnd(_Anchor):
    """The end is anchored to a body and moves with it."""

    kind: Literal["body"] = "body"
    body: Name = Field(description="Name of the body.")
    position: Position = Field(description="Anchor point on the body, as drawn, [x, y].")


class WheelEnd(_Anchor):
    """The end is anchored in a tooth gap of the wheel next to it, on the pitch circle, and turns with the wheel."""

    kind: Literal["wheel"] = "wheel"
    wheel: Name = Field(
        description="Name of the wheel: the first wheel for the first end, the last wheel for the second end."
    )
    angle: Angle = Field(description="Direction from the centre of the wheel to the anchor at the start of the run.")


class EndForce(Model):
    """A force of constant direction on a free end; its size can change over time."""

    direction: Angle = Field(description="Direction in which the force pulls, counter-clockwise from the x axis.")
    size: ForceLoad = Field(
        description="Size of the force, positive in this direction: a number, a table over time, { kind = 'harmonic' "
        "}, or a list of these, which add up."
    )


class FreeEnd(Model):
    """The end is free; a load may hang from its joint."""

    kind: Literal["free"] = "free"
    mass: Annotated[float, Quantity("kg", least=0, most=1e9)] = Field(
        0.0, description="Mass of the load on the last joint, in addition to the half link that ends there."
    )
    direction: Angle | None = Field(
        None,
        description="Direction of the chain towards this end at the start of the run; default: that of gravity.",
    )
    force: EndForce | None = Field(None, description="Force on the last joint and its load, in addition to the weight.")
    position: Position | None = Field(
        None,
        description="Position [x, y] of the first end at the start of the run. It is needed if the second end is also "
        "free; otherwise it follows from the number of links.",
    )


End = Annotated[GroundEnd | BodyEnd | WheelEnd | FreeEnd, Field(discriminator="kind")]
"""An end of an open chain; ``kind`` selects the type."""


class EndMasses(NamedTuple):
    """Masses of the joints at both ends of an open chain: half a link, and the load on the joint. [kg]"""

    first: float
    second: float


def end_text(end: GroundEnd | BodyEnd | WheelEnd | FreeEnd) -> str:
    """Return a description of an end of an open chain."""
    if isinstance(end, GroundEnd):
        return f"anchored to the ground at {_place(end.position)}"
    if isinstance(end, BodyEnd):
        return f"anchored to body {end.body!r} at {_place(end.position)}"
    if isinstance(end, WheelEnd):
        return f"anchored to wheel {end.wheel!r} at {math.degrees(end.angle):.4g} deg"
    mass = quantity(1e3 * end.mass, "g") if end.mass < 1.0 else f"{end.mass:.6g} kg"
    text = f"free, with a load of {mass}" if end.mass else "free"
    if end.force is not None:
        size = load_text(end.force.size, "N") or "0 N"
        text += f", pulled at {math.degrees(end.force.direction):.4g}° with {size}"
    return text


def _place(position: tuple[float, float]) -> str:
    return f"({1e3 * position[0]:.6g}, {1e3 * position[1]:.6g}) mm"
