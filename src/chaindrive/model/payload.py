"""The payload: goods that the chain carries between two points of its route."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.model.base import Model, Name, Quantity, Vector, Whole
from chaindrive.model.wheel import MOST_WHEELS
from chaindrive.numbers import quantity

__all__ = ["Payload", "payload_text"]

Distance = Annotated[float, Quantity("m", least=0, most=1e4)]


class Payload(Model):
    """Goods that are loaded onto the chain at one point of a span and leave it at another, such as those in a loaded
    span of buckets.

    Exactly one of ``mass_per_length`` and ``mass`` is given. This mass adds to the weight and inertia of the links
    between the two points. Arriving goods are accelerated to the speed of the chain by a force equal to mass flow times
    speed difference; half of its work is lost in sliding. Goods that leave the chain keep their speed.
    """

    name: Name = Field("payload", description="Name of the goods.")
    span: Annotated[int, Whole(0, MOST_WHEELS)] = Field(
        description="Index of the span that carries the goods; span k runs from wheel k to the next one."
    )
    mass_per_length: Annotated[float, Quantity("kg/m", above=0, most=1e6)] | None = Field(
        None, description="Mass per length of chain, such as '20 kg/m'; or give mass."
    )
    mass: Annotated[float, Quantity("kg", above=0, most=1e6)] | None = Field(
        None, validate_default=True, description="Mass on each link that carries goods, such as the load of one bucket."
    )
    every: Annotated[int, Whole(1, 100_000)] = Field(
        1, description="With mass: number of links from one carrying link to the next."
    )
    first: Annotated[int, Whole(0, 100_000)] = Field(0, description="With mass: index of the first carrying link.")
    start: Distance = Field(
        0.0, description="Distance from the start of the span at which the loading of goods begins."
    )
    end: Distance | None = Field(
        None,
        description="Distance from the start of the span at which all goods have left; default: the end of the span.",
    )
    transition: Annotated[float, Quantity("m", above=0, most=1e3)] | None = Field(
        None,
        description="Length after start over which goods are loaded, and before end over which they leave; default: 4 "
        "pitches, at most a fifth of the loaded length.",
    )
    feed_speed: Annotated[float, Quantity("m/s", least=-100, most=100)] = Field(
        0.0, description="Speed of arriving goods along the span; 0 for goods from a hopper at rest."
    )
    resistance: Annotated[float, Quantity("", least=0, most=10)] = Field(
        0.0,
        description="Friction coefficient of goods dragged in a trough: force along the span divided by the "
        "component of their weight perpendicular to the span. The weight itself stays on the chain, or on a guide.",
    )
    gravity: Annotated[tuple[float, float], Vector("m/s^2", most=1e4)] | None = Field(
        None, description="Acceleration of gravity [x, y] for the goods; default: that of the drive."
    )

    @field_validator("mass")
    @classmethod
    def _one_mass(cls, mass: float | None, info: ValidationInfo) -> float | None:
        if "mass_per_length" in info.data and (mass is None) == (info.data["mass_per_length"] is None):
            raise ValueError("give either mass_per_length, or mass with every")
        return mass

    @field_validator("every", "first")
    @classmethod
    def _with_mass(cls, value: int, info: ValidationInfo) -> int:
        default = cls.model_fields[str(info.field_name)].default
        if info.data.get("mass_per_length") is not None and value != default:
            raise ValueError("applies only with mass; mass_per_length acts on all links: omit one of them")
        return value

    @field_validator("end")
    @classmethod
    def _after_start(cls, end: float | None, info: ValidationInfo) -> float | None:
        start = info.data.get("start")
        if end is not None and start is not None and end <= start:
            raise ValueError(f"must be greater than start {start:g} m: goods are loaded before they leave")
        return end


def payload_text(payload: Payload, span: str) -> str:
    """Return a description of the goods and their position; span: name of the span."""
    if payload.mass_per_length is not None:
        goods = f"{payload.mass_per_length:.4g} kg/m"
    else:
        goods = f"{quantity(1e3 * (payload.mass or 0.0), 'g')} on every "
        goods += "link" if payload.every == 1 else f"{payload.every} links"
    end = "its end" if payload.end is None else quantity(payload.end, "m")
    return f"{goods} on span {payload.span} ({span}), from {quantity(payload.start, 'm')} to {end}"
