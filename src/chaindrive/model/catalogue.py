"""Standard roller and bush chains: ISO 606 B and A series, ANSI names; one, two or three strands.

Dimensions, breaking loads and masses come from makers' catalogues and the standard, plates from two more sources, all
named in ``standard_chains.csv`` beside this file. Breaking loads of the B series are no multiples of that of one
strand. Chains of bicycles stand in ``bicycle_chains.csv``, with what of them is printed, measured or estimated. No
catalogue gives the stiffness or the damping of a chain; the two functions at the end estimate them.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Literal, NamedTuple, cast

from chaindrive.errors import InputError, Problem
from chaindrive.model.problems import nearest, shown
from chaindrive.units import to_si

__all__ = [
    "BICYCLE_CHAINS",
    "DAMPING_RATIO",
    "SOURCE",
    "STIFFNESS_PER_BREAKING_LOAD",
    "StandardChain",
    "estimated_link_damping",
    "estimated_link_stiffness",
    "standard_chain",
    "standard_names",
]

MOST_STRANDS = 3
"""For which catalogues have breaking loads, and ISO 606 names: 08B-1, 08B-2, 08B-3."""
SOURCE = "Donghua chain catalogue 2020 (ISO 606 / DIN 8187, ANSI B29.1)"
SOURCE_OF_THREE = "ISO 606:1994 and Galaxy chain catalogue (ISO 606 / DIN 8187, ANSI B29.1)"
"""Of masses and breaking loads of three strands."""
BICYCLE_CHAINS = (
    "bicycle-single",
    "bicycle-8",
    "bicycle-9",
    "bicycle-10",
    "bicycle-11",
    "bicycle-12",
)
"""Names of the chains of bicycles, by the speeds they are made for; not among ``standard_names``."""
STIFFNESS_PER_BREAKING_LOAD = 86.0
"""EA / breaking load. [-] Both chains whose stiffness is computed in Pedersen (2004), Tables 5.2 and 5.6, agree on it:
56B 815 MN/m x 88.9 mm / 850 kN = 85.2; 72B 1068.5 MN/m x 114.3 mm / 1400 kN = 87.2."""
DAMPING_RATIO = 0.02
"""Estimated damping of one link, relative to the critical damping of one link's mass on one link's stiffness. [-]"""


class StandardChain(NamedTuple):
    """One chain of the catalogue. SI units; masses and loads are those of all strands together."""

    name: str
    ansi: str
    """ANSI name of the same chain, empty when there is none."""
    strands: int
    pitch: float
    roller_diameter: float
    inner_width: float
    pin_diameter: float
    inner_plate_depth: float
    """Depth h2 of the inner plates, across the chain in its plane. [m]"""
    transverse_pitch: float
    """Distance between neighbouring strands; of a bicycle chain, which has one, the length of its pins. [m]"""
    breaking_load: float
    mass_per_length: float
    kind: Literal["roller", "bush"] = "roller"
    """A bush chain has no rollers: its roller_diameter is the outer diameter of the bushes."""
    outer_plate_depth: float | None = None
    """Depth h3 of the outer plates [m]; None where no source was found, as for the next two."""
    inner_plate_thickness: float | None = None
    outer_plate_thickness: float | None = None
    sources: Mapping[str, str] = MappingProxyType({})
    """"catalogue: ..." or "estimated: ..." of breaking_load and link_mass; of a bicycle chain of all its values."""

    @property
    def link_mass(self) -> float:
        """Mass of one link, mass per length times pitch, in kg."""
        return self.mass_per_length * self.pitch

    @property
    def plate_source(self) -> str:
        """Where the thickness of the plates and the depth of the outer ones come from, where they are known."""
        if self.name in BICYCLE_CHAINS:
            return f"estimated: {_PLATES}"
        return "ASME B29.1M" if self.ansi else "data sheet of a dealer of ISO 606 chains (Farnell 17402)"


def standard_chain(name: str, strands: int | None = None) -> StandardChain:
    """The chain called ``name``: "08B-1", "08B-2" (duplex), "08B-3" (triplex), "08A-1", "40" (ANSI), "bicycle-11".

    A name without number of strands has ``strands``, one unless told. For numbers of strands that no catalogue has,
    mass and breaking load are estimated, and ``sources`` says so. Raises InputError with the nearest names of as many
    strands when there is none.
    """
    if isinstance(name, str) and (key := name.strip().lower()) in BICYCLE_CHAINS:
        return _bicycle_chain(key)
    base, named = _parted(name) if isinstance(name, str) else ("", None)
    row = _rows().get(base)
    if row is None or (named is not None and not row[f"breaking_load_{named}"]):
        raise InputError(Problem("chain.standard", _unknown(base, named), shown(name)))
    return _made(row["iso"], named or strands or 1)


@cache
def standard_names() -> tuple[str, ...]:
    """All names of ISO 606, ISO names first, then ANSI names, in the order of the catalogue; see BICYCLE_CHAINS."""
    rows = dict.fromkeys(row["iso"] for row in _rows().values())
    chains = [
        _made(iso, strands)
        for iso in rows
        for strands in range(1, MOST_STRANDS + 1)
        if _rows()[iso][f"breaking_load_{strands}"]
    ]
    return (*(chain.name for chain in chains), *(chain.ansi for chain in chains if chain.ansi))


def estimated_link_stiffness(breaking_load: float, pitch: float) -> float:
    """Estimated stiffness of one link, EA / pitch with EA = 86 x breaking load, in N/m.

    breaking_load [N] and stiffness are of all strands together; pitch [m]. See STIFFNESS_PER_BREAKING_LOAD: the ratio
    comes from two large marine chains; for other chains take it as right within a factor of about two.
    """
    return STIFFNESS_PER_BREAKING_LOAD * breaking_load / pitch


def estimated_link_damping(link_mass: float, link_stiffness: float) -> float:
    """Estimated damping of one link: 2 % of the critical 2 sqrt(m K) of one link, in N s/m.

    link_mass [kg], link_stiffness [N/m]. Pedersen (2004) uses 0.25 % (6L60MC) and 6 % (6S90MC-C); 2 % lies between.
    """
    return DAMPING_RATIO * 2.0 * math.sqrt(link_mass * link_stiffness)


def _parted(name: str) -> tuple[str, int | None]:
    """A name in upper case without its number of strands, and that; None where it has none the catalogue could have."""
    key = name.strip().upper()
    found = re.fullmatch(rf"(.+)-([1-{MOST_STRANDS}])", key)
    return (found[1], int(found[2])) if found else (key, None)


def _unknown(base: str, named: int | None) -> str:
    """Why there is no such chain. Suggested are names of as many strands in the same series, ISO or ANSI."""
    plain, dash, number = (base, "-", str(named)) if named else base.rpartition("-")
    row = _rows().get(plain)
    if base.startswith("BICYCLE"):
        return f"is not a bicycle chain of the catalogue, which has {', '.join(BICYCLE_CHAINS)}"
    if row is not None and dash and number.isdigit():
        known = ", ".join(str(k) for k in range(1, MOST_STRANDS + 1) if row[f"breaking_load_{k}"])
        return (
            f"is not a chain of the catalogue, which has {plain} with {known} strands; standard = {plain!r} with "
            f"strands = {number} has its mass and breaking load estimated"
        )
    hint = ""
    if base:
        series = "ansi" if base.isdigit() else "iso"
        ending = f"-{named}" if named else ""
        alike = [row[series] + ending for row in _rows().values() if row[series] and row[f"breaking_load_{named or 1}"]]
        hint = nearest(base + ending, dict.fromkeys(alike), 3)
    hint = hint or "; such as '08B-1', '08B-2' (duplex), '16A-1' or '40' (ANSI)"
    return f"is not a chain of the catalogue{hint}"


@cache
def _bicycle_chain(name: str) -> StandardChain:
    """A chain of a bicycle. Where its values come from is told for each, for little of it is printed by makers."""
    row = _bicycle_rows()[name]
    size = {key: to_si(f"{row[key]} mm", "m") for key in _BICYCLE_SIZES}
    plate = size["plate_thickness"]
    pitch = to_si("12.7 mm", "m")
    return StandardChain(
        name=name,
        ansi="",
        strands=1,
        pitch=pitch,
        roller_diameter=size["roller_diameter"],
        inner_width=size["inner_width"],
        pin_diameter=size["pin_diameter"],
        inner_plate_depth=size["inner_plate_depth"],
        transverse_pitch=size["outer_width"],
        breaking_load=to_si(f"{row['breaking_load']} kN", "N"),
        mass_per_length=to_si(f"{row['link_mass']} g", "kg") / pitch,
        outer_plate_depth=size["outer_plate_depth"],
        inner_plate_thickness=plate,
        outer_plate_thickness=plate,
        sources=MappingProxyType(dict(_BICYCLE_SOURCES)),
    )


_BICYCLE_SIZES = (
    "roller_diameter",
    "inner_width",
    "pin_diameter",
    "inner_plate_depth",
    "outer_plate_depth",
    "plate_thickness",
    "outer_width",
)
_PLATES = "depth by calipers, thickness from the length of the pins and the inner width (bicycle_chains.csv)"
_BICYCLE_SOURCES = {
    "kind": "catalogue: bicycle chains are roller chains",
    "pitch": "catalogue: 1/2 in, nominal",
    "link_mass": "catalogue: weights of makers and dealers over their links (bicycle_chains.csv)",
    "roller_diameter": "catalogue: table of Verdone, Bicycle Chains, and ISO 606 (081, 082); others list 7.48 mm",
    "pin_diameter": "estimated: 3.6 to 3.7 mm by calipers; ISO 606 has 3.66 mm for 081 and 082",
    "inner_width": "catalogue: nominal width of makers",
    "breaking_load": "catalogue: the least that ISO 9633 asks for; new chains break at 9 to 11 kN",
    "strands": "catalogue: bicycle chains have one",
}


@cache
def _bicycle_rows() -> Mapping[str, Mapping[str, str]]:
    return {row["name"]: row for row in _table("bicycle_chains.csv")}


def _table(name: str) -> list[dict[str, str]]:
    text = resources.files("chaindrive.model").joinpath(name).read_text("utf-8")
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def _where_known(millimetres: str) -> float | None:
    return to_si(f"{millimetres} mm", "m") if millimetres else None


@cache
def _rows() -> Mapping[str, Mapping[str, str]]:
    """The rows of the catalogue by ISO name and by ANSI name, without number of strands."""
    rows = _table("standard_chains.csv")
    return {row[series]: row for series in ("iso", "ansi") for row in rows if row[series]}


@cache
def _made(iso: str, strands: int) -> StandardChain:
    """A row as the chain with so many strands."""
    row = _rows()[iso]
    load, source_of_load = _multiplied([row[f"breaking_load_{k}"] for k in range(1, MOST_STRANDS + 1)], strands)
    mass, source_of_mass = _multiplied([row[f"mass_{k}"] for k in range(1, MOST_STRANDS + 1)], strands)
    return StandardChain(
        name=f"{iso}-{strands}",
        ansi=(row["ansi"] if strands == 1 else f"{row['ansi']}-{strands}") if row["ansi"] else "",
        strands=strands,
        pitch=to_si(f"{row['pitch']} mm", "m"),
        roller_diameter=to_si(f"{row['roller_diameter']} mm", "m"),
        inner_width=to_si(f"{row['inner_width']} mm", "m"),
        pin_diameter=to_si(f"{row['pin_diameter']} mm", "m"),
        inner_plate_depth=to_si(f"{row['inner_plate_depth']} mm", "m"),
        transverse_pitch=to_si(f"{row['transverse_pitch']} mm", "m"),
        breaking_load=load * 1e3,
        mass_per_length=mass,
        kind=cast(Literal["roller", "bush"], row["kind"]),
        outer_plate_depth=_where_known(row["outer_plate_depth"]),
        inner_plate_thickness=_where_known(row["inner_plate_thickness"]),
        outer_plate_thickness=_where_known(row["outer_plate_thickness"]),
        sources=MappingProxyType({"breaking_load": source_of_load, "link_mass": source_of_mass}),
    )


def _multiplied(printed: Sequence[str], strands: int) -> tuple[float, str]:
    """A value of so many strands, and where it comes from; printed: of one strand, two and so on, "" where unknown.

    Beyond those that are printed it grows in proportion: ISO 606 and makers have three strands within 8 % of one and a
    half times two.
    """
    values = [float(text) for text in printed if text]
    count = len(values)
    if strands <= count:
        return values[strands - 1], f"catalogue: {SOURCE if strands < MOST_STRANDS else SOURCE_OF_THREE}"
    of = "one strand" if count == 1 else f"{count} strands"
    return strands / count * values[-1], f"estimated: {strands / count:.4g} x that of {of}"
