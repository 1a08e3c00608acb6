"""What tables of points in a drive file have in common: increasing abscissae, one value for each of them."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

from pydantic import ValidationInfo

from chaindrive.model.base import Quantity

__all__ = ["MOST_POINTS", "GearRatio", "NewtonMetre", "as_many", "increasing"]

MOST_POINTS = 20_000
NewtonMetre = Annotated[float, Quantity("N*m", least=-1e9, most=1e9)]
GearRatio = Annotated[float, Quantity("", above=0, most=1e4)]


def increasing(values: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
    """The values; raises ValueError where one does not exceed the one before."""
    for index, (before, after) in enumerate(pairwise(values)):
        if not after > before:
            message = f"must increase, but {info.field_name}[{index + 1}] = {after:g} follows {before:g}"
            raise ValueError(message)
    return values


def as_many(values: tuple[float, ...], info: ValidationInfo, abscissae: str) -> tuple[float, ...]:
    """The values; raises ValueError where they are not as many as the abscissae of this name."""
    given = info.data.get(abscissae)
    if given is not None and len(given) != len(values):  # wrong abscissae are reported on their own
        raise ValueError(f"must have {len(given)} entries, one for each of the {abscissae}, not {len(values)}")
    return values
