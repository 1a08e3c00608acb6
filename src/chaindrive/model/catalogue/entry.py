"""One chain of the catalogue, and functions that read the tables of the catalogue."""

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
    """The mass of a chain according to another manufacturer."""

    mass_per_length: float
    """Mass per length. [kg/m]"""
    source: str


class StandardChain(NamedTuple):
    """One chain of the catalogue, in SI units. Masses and loads are those of all strands together."""

    name: str
    ansi: str
    """ANSI name of the same chain; empty if there is none."""
    strands: int
    pitch: float
    roller_diameter: float
    """Roller diameter; for a leaf chain, the depth of its plates, whose edges rest on the sheave. [m]"""
    inner_width: float
    """Width between the inner plates; 0 for a leaf chain, whose plates lie against each other. [m]"""
    pin_diameter: float
    inner_plate_depth: float
    """Depth h2 of the inner plates, transverse to the chain in its plane. [m]"""
    transverse_pitch: float
    """Transverse pitch, that is, the distance from strand to strand; for a single-strand chain, the length of its pins.
    [m]
    """
    breaking_load: float
    mass_per_length: float
    kind: Literal["roller", "bush", "leaf"] = "roller"
    """Kind of chain. A bush chain has no rollers: its roller_diameter is the outer diameter of the bushes. A leaf chain
    has neither rollers nor bushes.
    """
    outer_plate_depth: float | None = None
    """Depth h3 of the outer plates [m]; None if no source was found, as for the next two fields."""
    inner_plate_thickness: float | None = None
    """Thickness of each of the two plates; for a leaf chain, half the thickness of all plates of a link [m]. The
    thickness of outer plates is given in the same way.
    """
    outer_plate_thickness: float | None = None
    sources: Mapping[str, str] = MappingProxyType({})
    """Sources ("catalogue: ..." or "estimated: ...") of breaking_load and link_mass or, for chains outside the A and B
    series, of all values, by the names of ``Chain.sources``.
    """
    series: str = "iso-606-b"
    """Key of the series (``SERIES``) to which the chain belongs."""
    doubts: str = ""
    """Uncertainties, and what other manufacturers publish."""
    bush_diameter: float | None = None
    """Outer diameter of the bushes of a roller chain [m]; None if no source was found."""
    other_masses: tuple[OtherMass, ...] = ()
    """Masses given by other manufacturers, if known."""
    other_names: tuple[str, ...] = ()
    """Other names of the same chain."""

    @property
    def link_mass(self) -> float:
        """Mass of one link, mass per length times pitch, in kg."""
        return self.mass_per_length * self.pitch

    @property
    def estimated(self) -> tuple[str, ...]:
        """Names of the values that are estimates."""
        return tuple(name for name, source in self.sources.items() if source.startswith("estimated"))


class Marked(NamedTuple):
    """A number in a table: read from a source, quoted from memory and unverified ("?"), or estimated ("~")."""

    value: float
    mark: Literal["", "?", "~"]

    def source(self, read: str, standard: str, estimate: str) -> str:
        """Return the source of the number.

        read: source if the number was read; standard: standard if it is from memory and unverified; estimate: how it
        was estimated.
        """
        if self.mark == "":
            return f"catalogue: {read}"
        if self.mark == "?":
            return f"catalogue: typical of manufacturers' tables to {standard}, unverified"
        return f"estimated: {estimate}"


def marked(text: str) -> Marked:
    """Parse a cell such as "12.70", "?1.00" or "~0.85"."""
    mark: Literal["", "?", "~"] = "?" if text.startswith("?") else "~" if text.startswith("~") else ""
    return Marked(float(text.lstrip("?~")), mark)


def metres(text: str) -> float:
    """Return a cell in mm, converted to m."""
    return to_si(f"{text.lstrip('?~')} mm", "m")


def rows_of(name: str) -> list[dict[str, str]]:
    """Return the rows of a table in the folder of this file, without comments."""
    text = resources.files("chaindrive.model.catalogue").joinpath(name).read_text("utf-8")
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


@cache
def other_masses() -> Mapping[str, tuple[OtherMass, ...]]:
    """Return the masses given by other manufacturers, by the name of the chain."""
    found: dict[str, tuple[OtherMass, ...]] = {}
    for row in rows_of("other_masses.csv"):
        found[row["name"]] = (*found.get(row["name"], ()), OtherMass(float(row["mass"]), row["source"]))
    return MappingProxyType(found)
