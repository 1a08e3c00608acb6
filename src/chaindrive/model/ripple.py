"""Ripple of the elongation of a span with the angle of a wheel, such as polygonal action or runout, for the chain drive
block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from chaindrive.errors import Problem
from chaindrive.model.base import Model, Quantity, Whole
from chaindrive.model.points import Angle
from chaindrive.model.targets import Item, Target

if TYPE_CHECKING:
    from chaindrive.model.wheel import Wheel

__all__ = ["Ripple", "ripple_problems"]


class Ripple(Model):
    """A sinusoidal elongation of a span as a function of the angle of a wheel at its end: amplitude x sin(order x angle
    + phase).
    """

    span: Item = Field(description="Index of the span; span k runs from wheel k to the next one.")
    wheel: Item = Field(description="Index of the wheel, at either end of the span.")
    amplitude: Annotated[float, Quantity("m", least=0, most=1)] = Field(description="Amplitude of the elongation.")
    phase: Angle = Field(0.0, description="Phase when the angle of the wheel, counted counter-clockwise, is zero.")
    order: Annotated[int, Whole(1, 100_000)] | None = Field(
        None,
        description="Number of waves per revolution of the wheel: 1 for runout; default: its number of teeth, for "
        "polygonal action.",
    )


def ripple_problems(
    ripples: Sequence[Ripple], wheels: Sequence[Wheel | None], compliance: str, targets: Sequence[Target]
) -> Iterator[Problem]:
    """Yield the problems of ripples that name spans or wheels that do not exist, and of options that are not possible
    with ripple.
    """
    count = len(wheels)
    for k, ripple in enumerate(ripples):
        place = f"run.formulation.ripple[{k}]"
        if count and ripple.span >= count:
            message = f"must be from 0 to {count - 1}: the drive has {count} spans"
            yield Problem(f"{place}.span", message, str(ripple.span))
        elif count and ripple.wheel not in (ends := (ripple.span, (ripple.span + 1) % count)):
            message = f"must be {ends[0]} or {ends[1]}, the wheels at the ends of span {ripple.span}"
            yield Problem(f"{place}.wheel", message, str(ripple.wheel))
    if ripples and compliance == "block":
        yield Problem("run.formulation.ripple", "needs compliance = 'spans': every span has its own ripple")
    for k, target in enumerate(targets):
        if ripples and target.variable in ("elongation", "tension"):
            message = "must be 'speed' or 'angle' in a block with ripple: its elongations are not linear in the angles"
            yield Problem(f"run.formulation.targets[{k}].variable", message, repr(target.variable))
