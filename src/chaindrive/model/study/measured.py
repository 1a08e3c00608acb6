"""A measured curve, given as a file with a column of times and columns of values, or as lists."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from chaindrive.model.base import Model, Name, Quantity, Text
from chaindrive.model.files.columns import MOST_ROWS
from chaindrive.model.files.curves import read_curve
from chaindrive.units import check_unit

__all__ = ["Measurement", "Unit"]


def _known_unit(unit: str) -> str:
    check_unit(unit)
    return unit


Unit = Annotated[str, Field(max_length=80), AfterValidator(_known_unit)]
Time = Annotated[float, Quantity("s", least=-1e7, most=1e7)]


class Measurement(Model):
    """A measured curve with which runs are compared, given as a file or as times and values.

    A file name alone is short for a table with only the key ``file``.
    """

    file: Name | None = Field(
        None,
        description="Text file with columns, relative to the file of the study, with a heading such as 'time [ms], "
        "force [kN]'.",
    )
    column: Name | None = Field(None, description="Name of the column of values, if the file has several.")
    times: Annotated[tuple[Time, ...], Field(min_length=2, max_length=MOST_ROWS)] = Field(
        description="Instead of a file: increasing times."
    )
    values: Annotated[tuple[float, ...], Field(min_length=2, max_length=MOST_ROWS)] = Field(
        description="Instead of a file: the measured values, in unit."
    )
    unit: Unit = Field("", description="Instead of a file: the unit of the values.")
    skipped: Text | None = Field(
        None, description="For a file that was read: which of its rows have no values, and the gap that they leave."
    )
    shift: Time = Field(
        0.0, description="Shift added to the times: the time in the run at which the clock of the measurement started."
    )
    shift_within: Annotated[float, Quantity("s", least=0, most=1e7)] = Field(
        0.0, description="Largest difference from shift within which the best-fitting shift is sought."
    )

    @model_validator(mode="before")
    @classmethod
    def _read(cls, given: Any) -> Any:
        """Replace the name of the file by its content, which becomes part of the study, so that a changed file makes a
        changed study.
        """
        fields = {"file": given} if isinstance(given, str) else given
        if not isinstance(fields, Mapping) or not isinstance(fields.get("file"), str):
            return fields
        if beside_file := [name for name in ("times", "values", "unit") if name in fields]:
            raise ValueError(f"give either file, or times, values and unit, not both: {', '.join(beside_file)}")
        column = fields.get("column")
        return {**fields, **read_curve(fields["file"], column if isinstance(column, str) else None)._asdict()}

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(self.times) != len(self.values):
            raise ValueError(f"values must have {len(self.times)} entries, one for each time, not {len(self.values)}")
        if late := next((pair for pair in pairwise(self.times) if pair[0] >= pair[1]), None):
            raise ValueError(f"times must increase, but {late[1]:g} follows {late[0]:g}")
        if self.column is not None and self.file is None:
            raise ValueError("column applies only with file: omit it")
        return self
