"""Common rules for tables of points in a drive file, which have increasing abscissae and one value for each, and for
values that can be a table, a part with a kind, or a list instead of a number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any

from pydantic import BaseModel, ValidationInfo

from chaindrive.model.base import Quantity

__all__ = [
    "GEAR",
    "MOST_POINTS",
    "Angle",
    "GearRatio",
    "NewtonMetre",
    "as_many",
    "increasing",
    "increasing_over_one_turn",
    "number_or_table",
    "one_or_several",
    "periodic",
]

MOST_POINTS = 20_000
CLOSEST_ANGLES = 1e-9
"""Two angles of a table count as equal if they differ by less than this. [rad]"""
GEAR = (
    "Speed of the machine divided by the speed of the wheel, if gearing connects them; the torque on the wheel is "
    "multiplied by this ratio. If it is below 1, the machine is slower than the wheel."
)
NewtonMetre = Annotated[float, Quantity("N*m", least=-1e9, most=1e9)]
Angle = Annotated[float, Quantity("rad", least=-1e3, most=1e3)]
GearRatio = Annotated[float, Quantity("", above=0, most=1e4)]


def increasing(values: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
    """Return the values. Raises ValueError if a value does not exceed the previous one."""
    for index, (before, after) in enumerate(pairwise(values)):
        if not after > before:
            message = f"must increase, but {info.field_name}[{index + 1}] = {after:g} follows {before:g}"
            raise ValueError(message)
    return values


def as_many(values: tuple[float, ...], info: ValidationInfo, abscissae: str) -> tuple[float, ...]:
    """Return the values. Raises ValueError unless the field named ``abscissae`` has the same number of values."""
    given = info.data.get(abscissae)
    if given is not None and len(given) != len(values):  # wrong abscissae are reported on their own
        raise ValueError(f"must have {len(given)} entries, one for each of the {abscissae}, not {len(values)}")
    return values


def increasing_over_one_turn(angles: tuple[float, ...]) -> tuple[float, ...]:
    """Return the angles. Raises ValueError if they do not increase over exactly one turn."""
    for index, (before, after) in enumerate(pairwise(angles)):
        if after - before < CLOSEST_ANGLES:
            raise ValueError(f"must increase, but angles[{index + 1}] = {after:g} follows {before:g}")
    turn = angles[-1] - angles[0]
    if abs(turn - 2 * math.pi) > 1e-6:
        raise ValueError(
            f"must cover exactly one turn: the last angle must be 2 pi ('360 deg') after the first, not {turn:.6g} rad"
        )
    return angles


def periodic(values: tuple[float, ...], angles: tuple[float, ...]) -> tuple[float, ...]:
    """Return the values of a table. Raises ValueError unless there is one for each angle and the last equals the
    first.
    """
    if len(angles) != len(values):
        raise ValueError(f"must have {len(angles)} entries, one for each angle, not {len(values)}")
    if abs(values[-1] - values[0]) > 1e-6 * max(abs(value) for value in values):
        raise ValueError(
            f"the last, {values[-1]:g}, must equal the first, {values[0]:g}: both belong to one position of the wheel"
        )
    return values


def number_or_table(given: Any) -> str:
    """Return the tag of a value: "number", "table", or "kind" if it is a table that states its kind."""
    if "kind" in given if isinstance(given, Mapping) else hasattr(given, "kind"):
        return "kind"
    return "table" if isinstance(given, (Mapping, BaseModel)) else "number"


def one_or_several(given: Any) -> str:
    """Return the tag of a value as in ``number_or_table``, or "list"."""
    several = isinstance(given, Sequence) and not isinstance(given, (str, bytes))
    return "list" if several else number_or_table(given)
