"""Initial targets of the chain drive block: required values of variables at the start of the run, with priorities."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from chaindrive.model.base import Model, Quantity, Whole
from chaindrive.model.wheel import MOST_WHEELS

__all__ = ["AngleTarget", "ElongationTarget", "SpeedTarget", "Target", "TensionTarget"]

Priority = Literal["high", "low", "none"]
Item = Annotated[int, Whole(0, MOST_WHEELS - 1)]

_WHEEL = "Index of the wheel."
_SPAN = "Index of the span; span k runs from wheel k to the next one."
_PRIORITY = "'high': met exactly; 'low': met as closely as the targets of high priority allow; 'none': ignored."


class SpeedTarget(Model):
    """The angular speed of a wheel at the start of the run."""

    variable: Literal["speed"] = "speed"
    wheel: Item = Field(description=_WHEEL)
    value: Annotated[float, Quantity("rad/s", least=-1e5, most=1e5)] = Field(
        description="Angular speed, positive counter-clockwise."
    )
    priority: Priority = Field("high", description=_PRIORITY)


class AngleTarget(Model):
    """The angle of a wheel at the start of the run."""

    variable: Literal["angle"] = "angle"
    wheel: Item = Field(description=_WHEEL)
    value: Annotated[float, Quantity("rad", least=-1e3, most=1e3)] = Field(
        description="Angle, positive counter-clockwise, from the position in which slack or pretension is shared "
        "among all "
        "spans."
    )
    priority: Priority = Field("high", description=_PRIORITY)


class ElongationTarget(Model):
    """The elongation of a span at the start of the run."""

    variable: Literal["elongation"] = "elongation"
    span: Item = Field(description=_SPAN)
    value: Annotated[float, Quantity("m", least=-1e3, most=1e3)] = Field(
        description="Elongation relative to the unloaded length; negative for slack."
    )
    priority: Priority = Field("high", description=_PRIORITY)


class TensionTarget(Model):
    """The tension of a span, from spring and damper together, at the start of the run."""

    variable: Literal["tension"] = "tension"
    span: Item = Field(description=_SPAN)
    value: Annotated[float, Quantity("N", above=0, most=1e12)] = Field(
        description="Tension; for a slack span give the elongation instead."
    )
    priority: Priority = Field("high", description=_PRIORITY)


Target = Annotated[SpeedTarget | AngleTarget | ElongationTarget | TensionTarget, Field(discriminator="variable")]
