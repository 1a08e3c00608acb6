"""The plates of a rocker-pin chain, which lie in rows across the chain."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator

from chaindrive.model.base import Model, Name, Quantity

__all__ = ["RockerPlates"]

LETTERS = "ABCDEFGH"
"""Letters that name the links of a period; their number limits its length."""


class RockerPlates(Model):
    """The rows of plates of a rocker-pin chain, and the compliance of plates and pins, from which the plate forces
    follow.
    """

    rows: Name = Field(
        description="One letter for each row, from one side of the chain to the other, which names the link of the "
        "period whose plate is in this row, such as 'ABCCBAABCCBAAABCCBAABCCBA': links with 9, 8 and 8 plates in "
        "turn. Every link needs a plate on both sides of the middle, and the number of links of the chain must be a "
        "multiple of the number of letters.",
    )
    row_pitch: Annotated[float, Quantity("m", above=0, most=1)] = Field(
        description="Distance between neighbouring rows: the thickness of a plate plus its clearance, such as '0.96 "
        "mm'."
    )
    stiffness: Annotated[float, Quantity("N/m", above=0, most=1e14)] = Field(
        description="Stiffness of one plate in tension."
    )
    bending_stiffness: Annotated[float, Quantity("N*m^2", above=0, most=1e9)] = Field(
        description="Bending stiffness EI of a pair of pins, for bending in the running direction of the chain."
    )
    eccentricity: Annotated[float, Quantity("m", least=-0.1, most=0.1)] = Field(
        0.0,
        description="Distance from the neutral axis of the pins to the point where the sheaves press on their ends, "
        "positive towards the next pin counter-clockwise.",
    )

    @property
    def pattern(self) -> tuple[int, ...]:
        """Number of the link in the period for each row, counted from 0."""
        return tuple(LETTERS.index(letter) for letter in self.rows)

    @property
    def period(self) -> int:
        """Number of links after which the pattern repeats."""
        return max(self.pattern) + 1

    @field_validator("rows")
    @classmethod
    def _pattern(cls, rows: str) -> str:
        used = sorted(set(rows))
        if len(used) < 2 or "".join(used) != LETTERS[: len(used)]:
            raise ValueError(
                "must have one letter for each row: at least two different letters, from A onwards without gaps, at "
                f"most up to {LETTERS[-1]}"
            )
        for letter in used:
            first, last = rows.index(letter), rows.rindex(letter)
            if not first + first < len(rows) - 1 < last + last:
                raise ValueError(
                    f"must have {letter} on both sides of the middle: otherwise its plates would turn the pins"
                )
        return rows
