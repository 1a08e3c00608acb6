"""Chains outside the A and B series: heavy and double-pitch chains, chains of vehicles and conveyors, and leaf chains.

Their tables are ``bicycle_chains.csv``, ``other_chains.csv``, ``conveyor_sizes.csv`` and ``leaf_chains.csv``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal, NamedTuple, cast

from chaindrive.model.catalogue.entry import OtherMass, StandardChain, marked, metres, other_masses, rows_of
from chaindrive.model.catalogue.series import SERIES
from chaindrive.units import to_si

__all__ = ["BICYCLE_CHAINS", "other_chains"]

BICYCLE_CHAINS = (
    "bicycle-single",
    "bicycle-8",
    "bicycle-9",
    "bicycle-10",
    "bicycle-11",
    "bicycle-12",
)
"""Names of bicycle chains, by the number of speeds for which they are made; they are not among ``standard_names``."""
STEEL = 7850.0
"""Density of steel. [kg/m^3]"""
WAIST = 0.92
"""Mass of leaf chains divided by the mass of their pins and of plates with parallel sides and round ends. [-]

For nine chains of the BL series, whose masses a dealer publishes, the ratio is 0.89 to 0.95.
"""
PITCHES = (40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000)
"""Pitches of conveyor chains, ISO 1977. [mm]"""
_PLATES = {
    f"{link}_link.plate_{what}": f"{link}_plate_{what}"
    for link in ("inner", "outer")
    for what in ("depth", "thickness")
}


@cache
def other_chains() -> Mapping[str, StandardChain]:
    """Return all chains outside the A and B series by name, in the order in which they are listed."""
    chains = [
        *_single("light"),
        *_single("heavy"),
        *_single("double-pitch"),
        *(_bicycle_chain(row) for row in rows_of("bicycle_chains.csv")),
        *_single("motorcycle"),
        *_single("engine"),
        *_single("agricultural"),
        *_conveyor_chains(),
        *(_leaf_chain(row) for row in rows_of("leaf_chains.csv")),
    ]
    return MappingProxyType({chain.name: chain for chain in chains})


# One strand, from a table with marks ----------------------------------------------------------------------------------

_VALUES = ("pitch", "roller_diameter", "inner_width", "pin_diameter", "breaking_load")


def _single(series: str) -> Iterator[StandardChain]:
    yield from (_single_chain(row) for row in rows_of("other_chains.csv") if row["series"] == series)


def _single_chain(row: Mapping[str, str]) -> StandardChain:
    series = SERIES[row["series"]]
    estimate = row["doubts"] or "see other_chains.csv"

    def source(column: str) -> str:
        return marked(row[column]).source(series.source, series.standard, estimate)

    sources = {"kind": f"catalogue: {series.standard}", "strands": "catalogue: made with one strand"}
    sources |= {name: source(name) for name in _VALUES} | {"link_mass": source("mass")}
    sources |= {name: source(column) for name, column in _PLATES.items() if row[column]}
    mass, _, maker = row["other_mass"].partition(" ")
    return StandardChain(
        name=row["name"],
        ansi="",
        strands=1,
        pitch=metres(row["pitch"]),
        roller_diameter=metres(row["roller_diameter"]),
        inner_width=metres(row["inner_width"]),
        pin_diameter=metres(row["pin_diameter"]),
        inner_plate_depth=metres(row["inner_plate_depth"]),
        transverse_pitch=metres(row["pin_length"]),
        breaking_load=1e3 * marked(row["breaking_load"]).value,
        mass_per_length=marked(row["mass"]).value,
        kind=cast(Literal["roller", "bush"], row["kind"]),
        outer_plate_depth=metres(row["outer_plate_depth"]) if row["outer_plate_depth"] else None,
        inner_plate_thickness=metres(row["inner_plate_thickness"]) if row["inner_plate_thickness"] else None,
        outer_plate_thickness=metres(row["outer_plate_thickness"]) if row["outer_plate_thickness"] else None,
        sources=MappingProxyType(sources),
        series=row["series"],
        doubts=row["doubts"],
        other_masses=(OtherMass(float(mass), maker),) if mass else (),
        other_names=tuple(row["other_names"].split(";")) if row["other_names"] else (),
    )


# Bicycles -------------------------------------------------------------------------------------------------------------

_BICYCLE_PLATES = (
    "estimated: depth measured with calipers, thickness from the length of the pins and the inner width "
    "(bicycle_chains.csv)"
)
_BICYCLE_SOURCES = {
    "kind": "catalogue: bicycle chains are roller chains",
    "pitch": "catalogue: 1/2 in, nominal",
    "link_mass": "catalogue: weights from makers and dealers, divided by the number of links (bicycle_chains.csv)",
    "roller_diameter": "catalogue: table of Verdone, Bicycle Chains, and ISO 606 (081, 082); others list 7.48 mm",
    "pin_diameter": "estimated: 3.6 to 3.7 mm measured with calipers; ISO 606 gives 3.66 mm for 081 and 082",
    "inner_width": "catalogue: nominal width given by manufacturers",
    "breaking_load": "catalogue: minimum of ISO 9633; new chains break at 9 to 11 kN",
    "strands": "catalogue: bicycle chains have one strand",
    **dict.fromkeys(_PLATES, _BICYCLE_PLATES),
}


def _bicycle_chain(row: Mapping[str, str]) -> StandardChain:
    """Return a bicycle chain. Each value has its own source, as manufacturers publish few values."""
    pitch, plate = to_si("12.7 mm", "m"), metres(row["plate_thickness"])
    return StandardChain(
        name=row["name"],
        ansi="",
        strands=1,
        pitch=pitch,
        roller_diameter=metres(row["roller_diameter"]),
        inner_width=metres(row["inner_width"]),
        pin_diameter=metres(row["pin_diameter"]),
        inner_plate_depth=metres(row["inner_plate_depth"]),
        transverse_pitch=metres(row["outer_width"]),
        breaking_load=to_si(f"{row['breaking_load']} kN", "N"),
        mass_per_length=to_si(f"{row['link_mass']} g", "kg") / pitch,
        outer_plate_depth=metres(row["outer_plate_depth"]),
        inner_plate_thickness=plate,
        outer_plate_thickness=plate,
        sources=MappingProxyType(dict(_BICYCLE_SOURCES)),
        series="bicycle",
        other_names={"bicycle-single": ("1/2 x 1/8",), "bicycle-8": ("1/2 x 3/32",)}.get(row["name"], ()),
    )


# Conveyors ------------------------------------------------------------------------------------------------------------


class _ConveyorSize(NamedTuple):
    """A chain size of ISO 1977, with lengths in mm and the breaking load in kN."""

    size: int
    breaking_load: float
    large_roller: float
    small_roller: float
    bush: float
    bush_bore: float
    pin: float
    inner_width: float
    inner_link_width: float
    pin_length: float
    plate_depth: float
    deep_plate_depth: float
    plate_thickness: float
    least_pitch: float
    most_pitch: float


_CONVEYOR_TYPES: Mapping[str, tuple[Literal["roller", "bush"], Callable[[_ConveyorSize], float]]] = {
    "B": ("bush", lambda size: size.bush),
    "S": ("roller", lambda size: size.small_roller),
    "P": ("roller", lambda size: size.large_roller),
}
"""Bush, small roller, or plain roller larger than the plates: the kind of chain, and the part that contacts the
sprocket.
"""


def _conveyor_chains() -> Iterator[StandardChain]:
    sizes = [
        _ConveyorSize(int(row["size"]), *map(float, list(row.values())[1:])) for row in rows_of("conveyor_sizes.csv")
    ]
    for letter in ("M", "MT"):
        for size in sizes:
            for kind in _CONVEYOR_TYPES:
                for pitch in PITCHES:
                    if size.least_pitch <= pitch <= size.most_pitch:
                        yield _conveyor_chain(letter, size, kind, pitch)


def _conveyor_chain(letter: str, size: _ConveyorSize, letter_of_type: str, pitch: int) -> StandardChain:
    kind, of_size = _CONVEYOR_TYPES[letter_of_type]
    roller = of_size(size)
    depth = size.deep_plate_depth if letter == "MT" else size.plate_depth
    # One link has two plates, half of the pins and bushes of two joints, and a roller: all of one joint and its plates.
    parts = 2.0 * size.plate_thickness * (pitch * depth + math.pi / 4.0 * (depth**2 - size.bush**2 - size.pin**2))
    parts += math.pi / 4.0 * size.pin**2 * size.pin_length
    parts += math.pi / 4.0 * (size.bush**2 - size.bush_bore**2) * size.inner_link_width
    if kind == "roller":
        parts += math.pi / 4.0 * (roller**2 - size.bush**2) * 0.95 * size.inner_width
    recalled = f"catalogue: typical of manufacturers' tables to {SERIES['conveyor'].standard}, unverified"
    named = ("kind", *_VALUES, "strands", *_PLATES, "bush_diameter")
    mass = "estimated: volumes of plates, pins, bushes and rollers in steel; manufacturers' masses were not found"
    return StandardChain(
        name=f"{letter}{size.size}-{letter_of_type}-{pitch}",
        ansi="",
        strands=1,
        pitch=1e-3 * pitch,
        roller_diameter=1e-3 * roller,
        inner_width=1e-3 * size.inner_width,
        pin_diameter=1e-3 * size.pin,
        inner_plate_depth=1e-3 * depth,
        transverse_pitch=1e-3 * size.pin_length,
        breaking_load=1e3 * size.breaking_load,
        mass_per_length=1e-9 * STEEL * parts / (1e-3 * pitch),
        kind=kind,
        outer_plate_depth=1e-3 * depth,
        inner_plate_thickness=1e-3 * size.plate_thickness,
        outer_plate_thickness=1e-3 * size.plate_thickness,
        sources=MappingProxyType(dict.fromkeys(named, recalled) | {"link_mass": mass}),
        series="conveyor",
        bush_diameter=1e-3 * size.bush,
    )


# Leaf chains ----------------------------------------------------------------------------------------------------------


def _leaf_chain(row: Mapping[str, str]) -> StandardChain:
    series = SERIES["leaf"]
    pitch, depth, pin = metres(row["pitch"]), metres(row["plate_depth"]), metres(row["pin_diameter"])
    thickness, length = metres(row["plate_thickness"]), metres(row["pin_length"])
    of_one, of_next = (int(count) for count in row["plates"].split("x"))
    plate = pitch * depth + math.pi / 4.0 * (depth**2 - 2.0 * pin**2)
    parts = 0.5 * (of_one + of_next) * thickness * plate + math.pi / 4.0 * pin**2 * length
    read, mass = f"catalogue: {series.source}", row["mass"]
    of_depth = marked(row["plate_depth"]).source(
        "ISO 4347 in tables of dealers and manufacturers (drivechain.ru, leafchain.xyz, PEER)", series.standard, ""
    )
    plates = f"{read}; {row['plates']} plates of {row['plate_thickness']} mm, here as two in each link"
    sources = dict.fromkeys(("kind", "pitch", "pin_diameter", "breaking_load", "strands"), read) | {
        "roller_diameter": f"{of_depth}: depth of the plates, whose edges rest on the sheave",
        "link_mass": "catalogue: leafchain.xyz, BL series"
        if mass
        else f"estimated: {WAIST:g} x steel pins and plates with parallel sides, as for nine chains of known mass",
        **{name: of_depth if name.endswith("depth") else plates for name in _PLATES},
    }
    other, _, maker = row["other_mass"].partition(" ")
    return StandardChain(
        name=row["name"],
        ansi="",
        strands=1,
        pitch=pitch,
        roller_diameter=depth,
        inner_width=0.0,
        pin_diameter=pin,
        inner_plate_depth=depth,
        transverse_pitch=length,
        breaking_load=to_si(f"{row['breaking_load']} kN", "N"),
        mass_per_length=float(mass) if mass else WAIST * STEEL * parts / pitch,
        kind="leaf",
        outer_plate_depth=depth,
        inner_plate_thickness=0.5 * of_one * thickness,
        outer_plate_thickness=0.5 * of_next * thickness,
        sources=MappingProxyType(sources),
        series="leaf",
        bush_diameter=pin,
        other_masses=((OtherMass(float(other), maker),) if other else ()) + other_masses().get(row["name"], ()),
        other_names=(row["other_name"],) if row["other_name"] else (),
    )
