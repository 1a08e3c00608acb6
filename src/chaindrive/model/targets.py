"""Initial targets of the chain drive block: what variables shall be where the run starts, and how much it matters."""

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
_PRIORITY = "'high': met exactly; 'low': as nearly as the high ones leave it; 'none': not asked for."


class SpeedTarget(Model):
    """The angular speed of a wheel where the run starts."""

    variable: Literal["speed"] = "speed"
    wheel: Item = Field(description=_WHEEL)
    value: Annotated[float, Quantity("rad/s", least=-1e5, most=1e5)] = Field(
        description="Angular speed, positive counter-clockwise."
    )
    priority: Priority = Field("high", description=_PRIORITY)


class AngleTarget(Model):
    """The angle of a wheel where the run starts, against the drawing."""

    variable: Literal["angle"] = "angle"
    wheel: Item = Field(description=_WHEEL)
    value: Annotated[float, Quantity("rad", least=-1e3, most=1e3)] = Field(
        description="Angle, positive counter-clockwise, from where slack or pretension is shared by all spans."
    )
    priority: Priority = Field("high", description=_PRIORITY)


class ElongationTarget(Model):
    """The elongation of a span where the run starts."""

    variable: Literal["elongation"] = "elongation"
    span: Item = Field(description=_SPAN)
    value: Annotated[float, Quantity("m", least=-1e3, most=1e3)] = Field(
        description="Elongation against the length without force; negative: so much slack."
    )
    priority: Priority = Field("high", description=_PRIORITY)


class TensionTarget(Model):
    """The tension of a span where the run starts, of spring and damper together."""

    variable: Literal["tension"] = "tension"
    span: Item = Field(description=_SPAN)
    value: Annotated[float, Quantity("N", above=0, most=1e12)] = Field(
        description="Tension; for a slack span give its elongation."
    )
    priority: Priority = Field("high", description=_PRIORITY)


Target = Annotated[SpeedTarget | AngleTarget | ElongationTarget | TensionTarget, Field(discriminator="variable")]
