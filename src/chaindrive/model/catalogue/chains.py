"""The catalogue of standard chains: short-pitch chains of ISO 606 with one or more strands, and chains of all other
series.

Dimensions, breaking loads and masses come from manufacturers' catalogues and the standards. Each table gives its
sources, and each chain lists what is uncertain (``StandardChain.doubts``). Breaking loads of multi-strand chains of the
B series are not multiples of that of one strand. No catalogue gives the stiffness or the damping of a chain; the two
functions at the end estimate them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Literal, cast

from chaindrive.errors import InputError, Problem
from chaindrive.model.catalogue.entry import OtherMass, StandardChain, metres, other_masses, rows_of
from chaindrive.model.catalogue.others import BICYCLE_CHAINS, other_chains
from chaindrive.model.catalogue.series import SERIES, SOURCE, Series
from chaindrive.model.problems import nearest, shown

__all__ = [
    "BICYCLE_CHAINS",
    "DAMPING_RATIO",
    "MOST_ESTIMATED",
    "SERIES",
    "SOURCE",
    "STIFFNESS_PER_BREAKING_LOAD",
    "OtherMass",
    "Series",
    "StandardChain",
    "chain_names",
    "estimated_link_damping",
    "estimated_link_stiffness",
    "standard_chain",
    "standard_names",
]

MOST_STRANDS = 3
"""Largest number of strands for which catalogues give breaking loads and ISO 606 has names: 08B-1, 08B-2, 08B-3."""
MOST_ESTIMATED = 20
"""Largest number of strands for which values are estimated in proportion to this number."""
SOURCES_OF_THREE = {
    "donghua": SOURCE,
    "galaxy": "ISO 606:1994 and Galaxy chain catalogue (ISO 606 / DIN 8187, ANSI B29.1)",
    "agrocepi": "agrocepi.by, bush chains (ISO 1395, ANSI B29.1M)",
}
"""Sources of the masses of chains with three strands."""
SOURCES_OF_LOADS = {
    "gost": "ISO 606:1994, minimum, as printed in GOST 13568-97",
    "printed": f"{SOURCE}, minimum of ISO 606",
    "iso": "ISO 606:2015, minimum, from memory, unverified",
    "maker": f"{SOURCE}, manufacturer's minimum",
}
"""Sources of breaking loads."""
STIFFNESS_PER_BREAKING_LOAD = 86.0
"""EA / breaking load. [-] Both chains whose stiffness is computed in Pedersen (2004), Tables 5.2 and 5.6, agree on it:
56B 815 MN/m x 88.9 mm / 850 kN = 85.2; 72B 1068.5 MN/m x 114.3 mm / 1400 kN = 87.2."""
DAMPING_RATIO = 0.02
"""Estimated damping of one link, relative to the critical damping of one link's mass on one link's stiffness. [-]"""
IN_INCHES = {
    "1/2X1/8": "bicycle-single",
    "1/2X3/32": "bicycle-8",
    "1/2X3/16": "083",
    "3/8X7/32": "06B",
    "1/2X5/16": "08B",
    "5/8X3/8": "10B",
    "3/4X7/16": "12B",
}
"""Pitch and inner width in inches, by which bicycle chains and chains of the B series are sold."""


def standard_chain(name: str, strands: int | None = None) -> StandardChain:
    """Return the chain called ``name``: "08B-1", "08B-2" (duplex), "08B-3" (triplex), "08A-1", "40" (ANSI),
    "bicycle-11", "520", "M80-B-100", "S45", "LH0822" or "BL422"; ``chain_names`` lists all names.

    For a name without a number of strands, ``strands`` applies, by default one. For numbers of strands that no
    catalogue lists, mass and breaking load are estimated, and ``sources`` states this. Raises InputError with the
    nearest names of the same series with the same number of strands if there is no such chain.
    """
    key = _looked_up(name) if isinstance(name, str) else ""
    if (other := _others().get(key) or _others().get(key.removesuffix("-1"))) is not None:
        return other
    base, named = _split_key(key)
    row = _rows().get(base)
    if row is None or not _made_of(row, named):
        raise InputError(Problem("chain.standard", _among_words(name) or _unknown(key), shown(name)))
    return _made(row["iso"], named or strands or 1)


@cache
def standard_names() -> tuple[str, ...]:
    """Return all names of the A and B series of ISO 606, first ISO names, then ANSI names, in the order of the
    catalogue.
    """
    rows = dict.fromkeys(row["iso"] for row in _rows().values())
    chains = [
        _made(iso, strands)
        for iso in rows
        for strands in range(1, MOST_STRANDS + 1)
        if _rows()[iso][f"breaking_load_{strands}"]
    ]
    return (*(chain.name for chain in chains), *(chain.ansi for chain in chains if chain.ansi))


@cache
def chain_names(series: str | None = None) -> tuple[str, ...]:
    """Return one name of each chain of a series (``SERIES``), or of all series, in the order in which they are
    listed.
    """
    iso = dict.fromkeys(standard_chain(name).name for name in standard_names())
    chains = [*(standard_chain(name) for name in iso), *other_chains().values()]
    order = list(SERIES)
    kept = [chain for chain in chains if series in (None, chain.series)]
    return tuple(chain.name for chain in sorted(kept, key=lambda chain: order.index(chain.series)))


def estimated_link_stiffness(breaking_load: float, pitch: float) -> float:
    """Return the estimated stiffness of one link, EA / pitch with EA = 86 x breaking load, in N/m.

    breaking_load [N] and stiffness are of all strands together; pitch [m]. The ratio comes from two large marine chains
    (see STIFFNESS_PER_BREAKING_LOAD); for other chains it is accurate to within a factor of about two.
    """
    return STIFFNESS_PER_BREAKING_LOAD * breaking_load / pitch


def estimated_link_damping(link_mass: float, link_stiffness: float) -> float:
    """Return the estimated damping of one link: 2 % of the critical damping 2 sqrt(m K) of one link, in N s/m.

    link_mass [kg], link_stiffness [N/m]. Pedersen (2004) uses 0.25 % (6L60MC) and 6 % (6S90MC-C); 2 % lies between
    these values.
    """
    return DAMPING_RATIO * 2.0 * math.sqrt(link_mass * link_stiffness)


def _key(name: str) -> str:
    """Return a name in the form used for look-up, in upper case and without blanks or inch marks, as for " 08b-1 ",
    "BL 422" and '1/2" x 1/8"'.
    """
    return re.sub(r"[\s\"]+", "", name).upper().replace("\N{MULTIPLICATION SIGN}", "X")


_WRITTEN = re.compile(
    r"(?:ISO(?:606)?|DIN(?:818[78])?|ANSI(?:B29\.1)?|ASA|BS|RS|N[OR]\.?)?[-:#]?(?P<name>0?\d{1,3}.*?)"
    r"(?:-?(?P<strands>SIMPLEX|DUPLEX|TRIPLEX|SINGLE|DOUBLE|TRIPLE))?"
)
"""Pattern of names as found on drawings and boxes."""
_STRANDS = {"SIMPLEX": 1, "SINGLE": 1, "DUPLEX": 2, "DOUBLE": 2, "TRIPLEX": 3, "TRIPLE": 3}


def _looked_up(name: str) -> str:
    """Return a name as the catalogue would spell it."""
    key = _key(name)
    return _plain(_key(IN_INCHES.get(key, key)))


def _made_of(row: Mapping[str, str], strands: int | None) -> bool:
    return strands is None or bool(row[f"breaking_load_{strands}"])


def _is_name(key: str) -> bool:
    base, named = _split_key(key)
    return key in _others() or (base in _rows() and _made_of(_rows()[base], named))


def _among_words(name: object) -> str:
    """Return a hint for a name that contains the name of a catalogue chain, such as a maker's designation; empty if it
    contains none.
    """
    words = name.split() if isinstance(name, str) else []
    known = [word for word in words[:10] if len(words) > 1 and _is_name(_looked_up(word))]
    return f"is not a chain of the catalogue; did you mean {known[0]!r}?" if known else ""


def _plain(key: str) -> str:
    """Return a name in the form of the catalogue.

    "#40", "ANSI40", "RS40" and "ISO60608B-1" lose their prefix; "08-B1", "08B1" and "8B-1" become "08B-1", and
    "08BDUPLEX" becomes "08B-2". A name already in that form is unchanged.
    """
    if key in _others() or _split_key(key)[0] in _rows():
        return key
    if (dashed := re.sub(r"^(BICYCLE|ENGINE)(?=\w)", r"\1-", key)) in _others():
        return dashed
    if (found := _WRITTEN.fullmatch(key)) is None:
        return key
    bare = found["name"] + (f"-{_STRANDS[found['strands']]}" if found["strands"] else "")
    parted = re.fullmatch(rf"0?(\d|\d\d)-?([AB])(?:-?([1-{MOST_STRANDS}]))?", bare)
    return f"{parted[1]:0>2}{parted[2]}{f'-{parted[3]}' if parted[3] else ''}" if parted else bare


@cache
def _others() -> Mapping[str, StandardChain]:
    """Return the chains outside the A and B series, by all their names."""
    chains = other_chains().values()
    return {_key(name): chain for chain in chains for name in (chain.name, *chain.other_names)}


def _split_key(key: str) -> tuple[str, int | None]:
    """Return a name without its number of strands, and that number, which is None if the name does not state one that
    the catalogue knows.
    """
    found = re.fullmatch(rf"(.+)-([1-{MOST_STRANDS}])", key)
    return (found[1], int(found[2])) if found else (key, None)


_SHAPES: Sequence[tuple[str, str]] = (
    (r"BI(CY|KE)", "bicycle"),
    (r"C?2\d\d[AB]", "double-pitch"),
    (r"(?![456][1-35]\d)\d{2,3}A?H$", "heavy"),
    (r"(LL|LH|BL)", "leaf"),
    (r"(MT?\d|\d+-[BSP]-?\d)", "conveyor"),
    (r"(S|C?A)\d", "agricultural"),
    (r"(ENGINE|219)", "engine"),
    (r"\d{1,2}A", "iso-606-a"),
    (r"\d{1,2}[BCX]", "iso-606-b"),
    (r"08\d", "light"),
    (r"[456][1-35][\dA-Z]", "motorcycle"),
    (r"\d{2,3}(-\d)?$", "ansi"),
)
"""Patterns for the beginnings of the names of each series, by which an unknown name is assigned to a series."""


def _unknown(key: str) -> str:
    """Return a message that there is no such chain. Only names of the same series, or of ISO 606 with the same number
    of strands, are suggested.
    """
    base, named = _split_key(key)
    plain, dash, number = (base, "-", str(named)) if named else key.rpartition("-")
    row = _rows().get(plain)
    if row is not None and dash and number.isdigit():
        known = ", ".join(str(k) for k in range(1, MOST_STRANDS + 1) if row[f"breaking_load_{k}"])
        more = (
            f"with standard = {plain!r} and strands = {number}, mass and breaking load are estimated"
            if 1 <= int(number) <= MOST_ESTIMATED
            else f"with standard = {plain!r} and strands = 1 to {MOST_ESTIMATED}, mass and breaking load are estimated"
        )
        return f"is not a chain of the catalogue, which has {plain} with {known} strands; {more}"
    if dash and number.isdigit() and (single := _others().get(plain)) is not None and single.series != "conveyor":
        return f"is not a chain of the catalogue, which has {single.name} with one strand"
    if kind := _of_another_kind(base):
        return kind
    series = next((series for shape, series in _SHAPES if re.match(shape, key)), "")
    if re.match(r"C?A\d", key):
        return (
            f"is not in the catalogue, which has these chains of ISO 487: {', '.join(chain_names('agricultural'))}; "
            "give the values of your chain"
        )
    if series == "bicycle":
        return f"is not a bicycle chain of the catalogue, which has {', '.join(BICYCLE_CHAINS)}"
    return f"is not a chain of the catalogue{_alike(key, series) or _EXAMPLES.get(series, _OF_ALL)}"


def _of_another_kind(base: str) -> str:
    """Return a hint for a name of a kind of chain of which the catalogue has few chains or none; empty for any other
    name.
    """
    if _base_of_double_pitch(base):
        return (
            "is not among the double-pitch chains (ISO 1275) of the catalogue (chaindrive chains double-pitch lists "
            "them): give pitch, roller_diameter, pin_diameter, link_mass, link_stiffness and breaking_load of your "
            "chain"
        )
    heavy = re.fullmatch(r"(\d{2,3}A?)H", base)
    if heavy and heavy[1] in _rows():
        return (
            "is not among the heavy chains of the catalogue (chaindrive chains heavy lists them): it has the pitch "
            f"and rollers of {heavy[1]!r}, and the plates of the next size; use {heavy[1]!r} and give link_mass, "
            "link_stiffness and breaking_load of your chain"
        )
    if re.match(r"(SC|HV|CL|RP|HPC)-?\d|HY-?VO|SILENT", base):
        return "is a silent chain (inverted teeth), which has no rollers and cannot be simulated"
    return ""


def _base_of_double_pitch(base: str) -> str:
    """Return the ISO or ANSI name of the chain with half the pitch; empty for names of other kinds."""
    found = re.fullmatch(r"C?2(\d\d[AB])H?L?", base) or re.fullmatch(r"C?2([01]\d)[02]H?L?", base)
    if found is None:
        return ""
    name = found[1] if found[1][-1] in "AB" else f"{found[1].lstrip('0')}0"
    return name if name in _rows() else ""


_OF_ALL = (
    "; examples are '08B-1', '08B-2' (duplex), '16A-1', '40' (ANSI), 'bicycle-11', '520', 'M80-B-100', 'S45', "
    "'LH0822': chaindrive chains lists all"
)
_EXAMPLES = {
    "conveyor": "; conveyor chains of ISO 1977 are named by size, type (B bush, S small roller, P large roller) and "
    "pitch in mm, such as 'M80-B-100' or 'MT80-P-100': chaindrive chains conveyor lists all",
    "leaf": "; leaf chains of ISO 4347 have names such as 'LL0844', 'LH0822' or 'BL422': chaindrive chains leaf "
    "lists all",
    "agricultural": "; agricultural chains of ISO 487 have names such as 'S45': chaindrive chains agricultural lists "
    "all",
}


def _alike(key: str, series: str) -> str:
    base, named = _split_key(key)
    if series in ("iso-606-a", "iso-606-b", "ansi"):
        column, ending = "ansi" if series == "ansi" else "iso", f"-{named}" if named else ""
        known = [row[column] + ending for row in _rows().values() if row[column] and row[f"breaking_load_{named or 1}"]]
        return nearest(base + ending, dict.fromkeys(known), 3)
    if not series:  # by its shape of no series: what follows a maker's letters, or that of the nearest names
        if _is_name(bare := _plain(key.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ.-"))):
            return f"; did you mean {bare!r}?"
        others = (name for chain in other_chains().values() for name in (chain.name, *chain.other_names))
        close = [name for name in (*standard_names(), *others) if abs(len(name) - len(key)) <= 1]
        found = re.findall("'(.+?)'", nearest(key, close, 3))
        near = {standard_chain(name).series for name in found}
        return _alike(key, near.pop()) if len(near) == 1 else ""
    chains = [chain for chain in other_chains().values() if chain.series == series]
    names = [name for chain in chains for name in (chain.name, *chain.other_names)]
    if series in ("leaf", "conveyor"):  # of the same letters, and of the same size where there is such
        cut = len(key) - 2 if series == "leaf" else (key + "-").index("-")
        letters = re.match(r"[A-Z]*", key)[0]  # type: ignore[index]
        names = [name for name in names if re.fullmatch(rf"{letters}\d.*", name)] or names
        names = [name for name in names if name.startswith(key[:cut]) and not name[cut:][2:3].isdigit()] or names
    return nearest(key, names, 3)


@cache
def _rows() -> Mapping[str, Mapping[str, str]]:
    """Return the rows of the A and B series by ISO and ANSI name, without the number of strands."""
    rows = rows_of("standard_chains.csv")
    return {row[series]: row for series in ("iso", "ansi") for row in rows if row[series]}


@cache
def _made(iso: str, strands: int) -> StandardChain:
    """Return the chain of a row with this number of strands."""
    row = _rows()[iso]
    counts = range(1, MOST_STRANDS + 1)
    load, source_of_load = _multiplied(
        [row[f"breaking_load_{k}"] for k in counts], strands, SOURCES_OF_LOADS[row["load"]]
    )
    of_mass = SOURCE if strands < MOST_STRANDS else SOURCES_OF_THREE.get(row["three"], "")
    mass, source_of_mass = _multiplied([row[f"mass_{k}"] for k in counts], strands, of_mass)
    others = other_masses().get(f"{iso}-{strands}", ())
    return StandardChain(
        name=f"{iso}-{strands}",
        ansi=(row["ansi"] if strands == 1 else f"{row['ansi']}-{strands}") if row["ansi"] else "",
        strands=strands,
        pitch=metres(row["pitch"]),
        roller_diameter=metres(row["roller_diameter"]),
        inner_width=metres(row["inner_width"]),
        pin_diameter=metres(row["pin_diameter"]),
        inner_plate_depth=metres(row["inner_plate_depth"]),
        transverse_pitch=metres(row["transverse_pitch"]),
        breaking_load=load * 1e3,
        mass_per_length=mass,
        kind=cast(Literal["roller", "bush"], row["kind"]),
        outer_plate_depth=_where_known(row["outer_plate_depth"]),
        inner_plate_thickness=_where_known(row["inner_plate_thickness"]),
        outer_plate_thickness=_where_known(row["outer_plate_thickness"]),
        sources=MappingProxyType({"breaking_load": source_of_load, "link_mass": source_of_mass + _apart(mass, others)}),
        series="iso-606-a" if row["ansi"] else "iso-606-b",
        other_masses=others,
    )


def _apart(mass: float, others: Sequence[OtherMass]) -> str:
    """Return text with the differences from masses given by other manufacturers; empty if there are none."""
    masses = ", ".join(f"{other.source} {100.0 * (other.mass_per_length / mass - 1.0):+.0f} %" for other in others)
    return f"; others: {masses}" if masses else ""


def _where_known(millimetres: str) -> float | None:
    return metres(millimetres) if millimetres else None


def _multiplied(printed: Sequence[str], strands: int, source: str) -> tuple[float, str]:
    """Return a value for this number of strands, and its source.

    printed: values from ``source`` for one strand, two strands and so on, "" if unknown. Beyond the printed values, the
    value grows in proportion to the number of strands: in ISO 606 and catalogues, the values for three strands are
    within 8 % of one and a half times those for two.
    """
    values = [float(text) for text in printed if text]
    count = len(values)
    if strands <= count:
        return values[strands - 1], f"catalogue: {source}"
    of = "one strand" if count == 1 else f"{count} strands"
    return strands / count * values[-1], f"estimated: {strands / count:.4g} x that of {of}"
