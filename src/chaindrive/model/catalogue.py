"""Standard roller and bush chains: ISO 606 B and A series, ANSI names; one or two strands.

Dimensions, breaking loads and masses come from a maker's catalogue, plates from two more sources, all named in
``standard_chains.csv`` beside this file. No catalogue gives the stiffness or the damping of a chain; the two
functions at the end estimate them.
"""

from __future__ import annotations

import csv
import math
from functools import cache
from importlib import resources
from typing import Literal, NamedTuple, cast

from chaindrive.errors import InputError, Problem
from chaindrive.model.problems import nearest, shown
from chaindrive.units import to_si

__all__ = [
    "DAMPING_RATIO",
    "SOURCE",
    "STIFFNESS_PER_BREAKING_LOAD",
    "StandardChain",
    "estimated_link_damping",
    "estimated_link_stiffness",
    "standard_chain",
    "standard_names",
]

SOURCE = "Donghua chain catalogue 2020 (ISO 606 / DIN 8187, ANSI B29.1)"
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
    """Distance between the strands of a duplex chain. [m]"""
    breaking_load: float
    mass_per_length: float
    kind: Literal["roller", "bush"] = "roller"
    """A bush chain has no rollers: its roller_diameter is the outer diameter of the bushes."""
    outer_plate_depth: float | None = None
    """Depth h3 of the outer plates [m]; None where no source was found, as for the next two."""
    inner_plate_thickness: float | None = None
    outer_plate_thickness: float | None = None

    @property
    def link_mass(self) -> float:
        """Mass of one link, mass per length times pitch, in kg."""
        return self.mass_per_length * self.pitch

    @property
    def plate_source(self) -> str:
        """Where the thickness of the plates and the depth of the outer ones come from, where they are known."""
        return "ASME B29.1M" if self.ansi else "data sheet of a dealer of ISO 606 chains (Farnell 17402)"


def standard_chain(name: str) -> StandardChain:
    """The chain called ``name``: "08B-1", "08B-2" (duplex), "08A-1", "40" (ANSI), "40-2"; without "-1" one strand.

    Raises InputError with the three nearest names when there is none.
    """
    found = _table().get(_key(name)) if isinstance(name, str) else None
    if found is None:
        known = sorted({*_table(), *standard_names()}) if isinstance(name, str) else []
        hint = nearest(name, known, 3) if isinstance(name, str) else ""
        hint = hint or "; such as '08B-1', '08B-2' (duplex), '16A-1' or '40' (ANSI)"
        raise InputError(Problem("chain.standard", f"is not a chain of the catalogue{hint}", shown(name)))
    return found


@cache
def standard_names() -> tuple[str, ...]:
    """All names, ISO names first, then ANSI names, in the order of the catalogue."""
    iso = dict.fromkeys(chain.name for chain in _table().values())
    ansi = dict.fromkeys(chain.ansi for chain in _table().values() if chain.ansi)
    return (*iso, *ansi)


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


def _key(name: str) -> str:
    key = name.strip().upper()
    return key.removesuffix("-1")


def _where_known(millimetres: str) -> float | None:
    return to_si(f"{millimetres} mm", "m") if millimetres else None


@cache
def _table() -> dict[str, StandardChain]:
    """All chains by every name they may be called by, in upper case and without "-1"."""
    text = resources.files("chaindrive.model").joinpath("standard_chains.csv").read_text("utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    chains: dict[str, StandardChain] = {}
    for row in rows:
        for strands in (1, 2):
            if not row[f"breaking_load_{strands}"]:
                continue
            chain = StandardChain(
                name=f"{row['iso']}-{strands}",
                ansi=(row["ansi"] if strands == 1 else f"{row['ansi']}-{strands}") if row["ansi"] else "",
                strands=strands,
                pitch=to_si(f"{row['pitch']} mm", "m"),
                roller_diameter=to_si(f"{row['roller_diameter']} mm", "m"),
                inner_width=to_si(f"{row['inner_width']} mm", "m"),
                pin_diameter=to_si(f"{row['pin_diameter']} mm", "m"),
                inner_plate_depth=to_si(f"{row['inner_plate_depth']} mm", "m"),
                transverse_pitch=to_si(f"{row['transverse_pitch']} mm", "m"),
                breaking_load=float(row[f"breaking_load_{strands}"]) * 1e3,
                mass_per_length=float(row[f"mass_{strands}"]),
                kind=cast(Literal["roller", "bush"], row["kind"]),
                outer_plate_depth=_where_known(row["outer_plate_depth"]),
                inner_plate_thickness=_where_known(row["inner_plate_thickness"]),
                outer_plate_thickness=_where_known(row["outer_plate_thickness"]),
            )
            chains[_key(chain.name)] = chain
            if chain.ansi:
                chains[_key(chain.ansi)] = chain
    return chains
