"""Questions of a template: quantities with units and ranges, whole numbers, choices, and a name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from chaindrive.model.base import as_text
from chaindrive.model.problems import nearest
from chaindrive.units import parse_unit, to_si

__all__ = ["Choice", "Count", "Given", "Number", "Question", "Title", "amount"]

_BARE = re.compile(r"\s*[+-]?[\d.]+(e[+-]?\d+)?\s*", re.IGNORECASE)
"""Pattern of a number without a unit, which may be intended in a unit other than the SI unit."""
Given: TypeAlias = Any
"""An answer: text with a unit ("2 kW"), or a number in SI units. Within a template all answers are numbers in SI
units."""


@dataclass(frozen=True)
class Number:
    """A quantity between two bounds."""

    text: str
    """Subject of the question, as a noun phrase."""
    unit: str
    """SI unit of the quantity."""
    least: str
    most: str
    """Smallest and largest answer allowed, as strings with units."""

    def parse(self, given: object) -> float:
        """Return the answer in SI units. Raises ValueError with a message for the user."""
        if self.unit and isinstance(given, str) and _BARE.fullmatch(given):
            raise ValueError(f"needs its unit, such as '{given.strip()} {self.least.partition(' ')[2]}'")
        number = to_si(given, self.unit)
        low, high = to_si(self.least, self.unit), to_si(self.most, self.unit)
        if not low * (1.0 - 1e-12) <= number <= high * (1.0 + 1e-12):
            raise ValueError(f"must be {self.allowed}")
        return number

    @property
    def allowed(self) -> str:
        """The permitted range, as text."""
        return f"from {self.least} to {self.most}"


@dataclass(frozen=True)
class Count:
    """A whole number between two bounds."""

    text: str
    least: int
    most: int

    def parse(self, given: object) -> int:
        """Return the answer. Raises ValueError with a message for the user."""
        typed = str(given).strip() if isinstance(given, str) else given
        if isinstance(typed, str) and typed.isascii() and typed.isdigit() and len(typed) < 10:
            typed = int(typed)
        if isinstance(typed, bool) or not isinstance(typed, int) or not self.least <= typed <= self.most:
            raise ValueError(f"must be a whole number {self.allowed}")
        return typed

    @property
    def allowed(self) -> str:
        """The permitted range, as text."""
        return f"from {self.least} to {self.most}"


@dataclass(frozen=True)
class Choice:
    """A choice between a few words."""

    text: str
    options: Mapping[str, str] = field(hash=False)
    """Words with their meanings."""

    def parse(self, given: object) -> str:
        """Return the answer. Raises ValueError with a message for the user."""
        word = given.strip().lower() if isinstance(given, str) else ""
        if word not in self.options:
            raise ValueError(f"must be {self.allowed}{nearest(word, self.options) if word else ''}")
        return word

    @property
    def allowed(self) -> str:
        """The words with their meanings, as text."""
        return " or ".join(f"{word!r} ({meaning})" if meaning else repr(word) for word, meaning in self.options.items())


@dataclass(frozen=True)
class Title:
    """The name of the drive."""

    text: str = "name of the drive"

    def parse(self, given: object) -> str:
        """Return the answer. Raises ValueError with a message for the user."""
        name = as_text(given)
        if not isinstance(name, str) or not name.strip():
            raise ValueError("must be a non-empty string")
        if len(name) > 100 or not name.isprintable():
            raise ValueError(f"must be {self.allowed}")
        return name.strip()

    @property
    def allowed(self) -> str:
        """Description of the names that are allowed."""
        return "one line of at most 100 printable characters"


Question: TypeAlias = Number | Count | Choice | Title


def amount(value: float, unit: str, digits: int = 4) -> str:
    """Return a number in SI units as text in a different unit: 0.5092 in "mm" is "509.2 mm"."""
    number = float(f"{value / parse_unit(unit).factor:.{digits}g}")
    text = f"{number:.{max(digits, 6)}g}"
    return f"{text} {unit}"
