"""A controller for the ratio of a variator, which adjusts the force that presses a pair of sheaves together."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Discriminator, Field, Tag, ValidationInfo, field_validator

from chaindrive.model.base import Model, Quantity
from chaindrive.model.points import MOST_POINTS, as_many, increasing, number_or_table
from chaindrive.model.tabulated import TIMES, Tabulated, Times
from chaindrive.model.torques.acting import linear_rows

__all__ = ["RatioControl", "RatioOverTime"]

Ratio = Annotated[float, Quantity("", above=0, most=100)]
Force = Annotated[float, Quantity("N", above=0, most=1e9)]


class RatioOverTime(Tabulated):
    """A ratio over time: linear between the points, constant before the first and after the last."""

    ordinates: ClassVar[tuple[str, ...]] = ("ratios",)
    over: Literal["time"] = Field("time", description="Independent variable of the table.")
    times: Times = Field(description=TIMES)
    ratios: Annotated[tuple[Ratio, ...], Field(min_length=2, max_length=MOST_POINTS)] = Field(
        description="Ratio at each time: driving speed divided by driven speed."
    )

    _times_increase = field_validator("times")(increasing)

    @field_validator("ratios")
    @classmethod
    def _one_for_each_time(cls, values: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        return as_many(values, info, "times")


class RatioControl(Model):
    """A PI controller for the ratio (driving speed divided by driven speed), which adjusts the force on one pair of
    sheaves.

    S = clamping_force + P e + X, between least_force and largest_force; X' = I e + (I/P) (S - (clamping_force + P e +
    X)), so that X does not wind up while S is at a limit (back-calculation, Astrom and Hagglund 2006, section 3.5). e
    is the actual minus the set ratio for the driving pair, and the set minus the actual ratio for the driven pair,
    because a larger force makes the chain run on a larger radius.
    """

    ratio: Annotated[
        Annotated[Ratio, Tag("number")] | Annotated[RatioOverTime, Tag("table")], Discriminator(number_or_table)
    ] = Field(
        description="Ratio to be held, driving speed divided by driven speed: a number, or a table over time, such as "
        "{ times = ['0.2 s', '1 s'], ratios = [2, 0.6] }."
    )
    proportional: Annotated[float, Quantity("N", above=0, most=1e12)] = Field(
        description="Proportional gain: force per unit deviation of the ratio."
    )
    integral: Annotated[float, Quantity("N/s", least=0, most=1e12)] = Field(
        0.0,
        description="Integral gain: rate of change of the force per deviation of the ratio by 1; with 0 a deviation "
        "remains.",
    )
    least_force: Force = Field(description="Smallest clamping force.")
    largest_force: Force = Field(description="Largest clamping force.")

    @field_validator("largest_force")
    @classmethod
    def _above_the_least(cls, largest: float, info: ValidationInfo) -> float:
        least = info.data.get("least_force")
        if least is not None and largest <= least:
            raise ValueError(f"must be above least_force = {least:g} N")
        return largest

    @property
    def targets(self) -> tuple[float, ...]:
        """Set ratios at the times of the table, or the constant set ratio. [-]"""
        return self.ratio.ratios if isinstance(self.ratio, RatioOverTime) else (self.ratio,)

    @property
    def times(self) -> tuple[float, ...]:
        """Times of the table; empty for a constant ratio. [s]"""
        return self.ratio.times if isinstance(self.ratio, RatioOverTime) else ()

    def rows(self) -> NDArray[np.float64]:
        """Return the times, set ratios and their slopes until the next time, (n, 3)."""
        return linear_rows(self.times or (0.0,), self.targets)
