"""Tables over time, given as lists or by a file of columns, whose content takes the place of its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field, model_validator

from chaindrive.model.base import Model, Quantity
from chaindrive.model.files.curves import read_curve
from chaindrive.model.points import MOST_POINTS

__all__ = ["COLUMN", "FILE", "TIMES", "Tabulated", "Times"]

FILE = (
    "Instead of the lists: text file with columns, relative to the file of the drive, with a heading such as 'time "
    "[s], lift [mm]'; its content becomes part of the drive."
)
COLUMN = "With file: name of the column of values, if there are several."
TIMES = "Increasing times since the start of the run."
Times = Annotated[
    tuple[Annotated[float, Quantity("s", least=0, most=1e6)], ...], Field(min_length=2, max_length=MOST_POINTS)
]


def _lists_or_file(schema: dict[str, Any], model: type[Tabulated]) -> None:
    lists = ["times", model.ordinates]
    others = [name for name in schema.pop("required", ()) if name not in lists]
    schema["anyOf"] = [{"required": [*others, *lists]}, {"required": [*others, "file"]}]


class Tabulated(Model):
    """Values over time, which may come from a file."""

    model_config = ConfigDict(json_schema_extra=_lists_or_file)
    ordinates: ClassVar[str]
    """Name of the field with the values."""
    from_the_first: ClassVar[bool] = False
    """Whether the values of a file are counted from the first of them."""

    @model_validator(mode="before")
    @classmethod
    def _read(cls, given: Any) -> Any:
        """The content of the file in place of its name, with its unit."""
        if not isinstance(given, Mapping) or not isinstance(given.get("file"), str):
            return given
        if both := [name for name in ("times", cls.ordinates) if name in given]:
            raise ValueError(f"give either file, or times and {cls.ordinates}, not both: {', '.join(both)}")
        column = given.get("column")
        curve = read_curve(given["file"], column if isinstance(column, str) else None)
        first = curve.values[0] if cls.from_the_first else 0.0
        values = [f"{value - first!r} {curve.unit}" for value in curve.values]
        rest = {name: value for name, value in given.items() if name not in ("file", "column")}
        return {**rest, "times": curve.times, cls.ordinates: values}
