"""The required tension or sag of a span at rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from chaindrive.model.base import Model, NumberOrName, Quantity
from chaindrive.model.wheel import MOST_WHEELS

__all__ = ["Preload"]


class Preload(Model):
    """Required tension or sag of one span. A wheel is moved, or the pitch is changed, until this value is reached.

    Exactly one of ``tension`` and ``sag`` is given. An open chain must be anchored at both ends.
    """

    span: Annotated[int | str, NumberOrName(0, MOST_WHEELS)] = Field(
        0,
        description="Index of the span, or its name, such as 'crankshaft - camshaft'; span k runs from wheel k to the "
        "next one. Spans of an open chain are counted from its first end.",
    )
    tension: Annotated[float, Quantity("N", above=0, most=1e12)] | None = Field(
        None, description="Required tension of the span at rest."
    )
    sag: Annotated[float, Quantity("m", above=0, most=1e3)] | None = Field(
        None, description="Required sag at the middle of the span at rest."
    )
    by: Literal["wheel", "pitch"] = Field(
        "pitch", description="What is adjusted: the position of a wheel, or the pitch (such as that of a worn chain)."
    )
    wheel: Annotated[int | str, NumberOrName(0, MOST_WHEELS - 1)] | None = Field(
        None, description="Index or name of the wheel that is moved, for by = 'wheel'."
    )
    direction: Annotated[float, Quantity("rad", least=-10, most=10)] | None = Field(
        None, description="Direction in which the wheel is moved; default: the direction that tightens the chain most."
    )

    def span_in(self, names: Sequence[str]) -> int:
        """Return the index of the span. names: names of all spans of the drive."""
        return names.index(self.span) if isinstance(self.span, str) else self.span

    def wheel_in(self, names: Sequence[str]) -> int:
        """Return the index of the wheel that is moved. names: names of all wheels of the drive."""
        assert self.wheel is not None
        return names.index(self.wheel) if isinstance(self.wheel, str) else self.wheel
