"""One chain of the catalogue, and how its tables are read."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Literal, NamedTuple

from chaindrive.units import to_si

__all__ = ["Marked", "OtherMass", "StandardChain", "marked", "metres", "other_masses", "rows_of"]


class OtherMass(NamedTuple):
    """The mass of a chain as another maker has it."""

    mass_per_length: float
    """In kg/m."""
    source: str


class StandardChain(NamedTuple):
    """One chain of the catalogue. SI units; masses and loads are those of all strands together."""

    name: str
    ansi: str
    """ANSI name of the same chain, empty when there is none."""
    strands: int
    pitch: float
    roller_diameter: float
    """Of a leaf chain the depth of its plates, with which it lies on a sheave."""
    inner_width: float
    """Between the inner plates; 0 in a leaf chain, whose plates lie against each other."""
    pin_diameter: float
    inner_plate_depth: float
    """Depth h2 of the inner plates, across the chain in its plane. [m]"""
    transverse_pitch: float
    """Distance between neighbouring strands [m]; of a chain that has but one strand, the length of its pins."""
    breaking_load: float
    mass_per_length: float
    kind: Literal["roller", "bush", "leaf"] = "roller"
    """A bush chain has no rollers: its roller_diameter is the outer diameter of the bushes. A leaf chain has none."""
    outer_plate_depth: float | None = None
    """Depth h3 of the outer plates [m]; None where no source was found, as for the next two."""
    inner_plate_thickness: float | None = None
    """Of one of two plates; of a leaf chain half of what all plates of a link have together, as for the next."""
    outer_plate_thickness: float | None = None
    sources: Mapping[str, str] = MappingProxyType({})
    """"catalogue: ..." or "estimated: ..." of breaking_load and link_mass; of chains beside the A and B series of all
    values, by the names of ``Chain.sources``."""
    series: str = "iso-606-b"
    """Key of the series that it belongs to (``SERIES``)."""
    doubts: str = ""
    """What is uncertain about it, and what other manufacturers have."""
    bush_diameter: float | None = None
    """Outer diameter of the bushes of a roller chain [m]; None where no source was found."""
    other_masses: tuple[OtherMass, ...] = ()
    """The mass by other manufacturers, where it is known."""
    other_names: tuple[str, ...] = ()
    """Further names of the same chain."""

    @property
    def link_mass(self) -> float:
        """Mass of one link, mass per length times pitch, in kg."""
        return self.mass_per_length * self.pitch

    @property
    def estimated(self) -> tuple[str, ...]:
        """Names of the values that are estimates."""
        return tuple(name for name, source in self.sources.items() if source.startswith("estimated"))


class Marked(NamedTuple):
    """A number of a table, read in a source, recalled and unverified ("?"), or estimated ("~")."""

    value: float
    mark: Literal["", "?", "~"]

    def source(self, read: str, standard: str, estimate: str) -> str:
        """Where it comes from: ``read`` where it was read; ``standard``: recalled, unverified; how estimated."""
        if self.mark == "":
            return f"catalogue: {read}"
        if self.mark == "?":
            return f"catalogue: recalled from manufacturers' tables to {standard}, unverified"
        return f"estimated: {estimate}"


def marked(text: str) -> Marked:
    """A cell such as "12.70", "?1.00" or "~0.85"."""
    mark: Literal["", "?", "~"] = "?" if text.startswith("?") else "~" if text.startswith("~") else ""
    return Marked(float(text.lstrip("?~")), mark)


def metres(text: str) -> float:
    """A cell in mm as m."""
    return to_si(f"{text.lstrip('?~')} mm", "m")


def rows_of(name: str) -> list[dict[str, str]]:
    """The rows of a table beside this file, without its comments."""
    text = resources.files("chaindrive.model.catalogue").joinpath(name).read_text("utf-8")
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


@cache
def other_masses() -> Mapping[str, tuple[OtherMass, ...]]:
    """Masses by further manufacturers, by the name of the chain."""
    found: dict[str, tuple[OtherMass, ...]] = {}
    for row in rows_of("other_masses.csv"):
        found[row["name"]] = (*found.get(row["name"], ()), OtherMass(float(row["mass"]), row["source"]))
    return MappingProxyType(found)
