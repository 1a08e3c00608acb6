"""Dynamic strength and bearing area of standard chains, with their sources."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from chaindrive.errors import InputError
from chaindrive.model.catalogue.chains import standard_chain, standard_names
from chaindrive.model.catalogue.entry import StandardChain, marked, rows_of

__all__ = ["ChainStrength", "chain_alike", "chain_strength", "strand_factor"]

_STANDARD = "ISO 606:2015"
_MULTIPLE = (1.0, 1.7, 2.5, 3.3, 3.9, 4.6)


class ChainStrength(NamedTuple):
    """Strength data of a standard chain, for all strands together; None if no source gives them."""

    dynamic_strength: float | None
    """Minimum dynamic strength: the tension, pulsating from zero, that the chain endures for 3 million cycles. [N]"""
    dynamic_strength_source: str
    bearing_area: float | None
    """Bearing area: pin diameter times length of the bush. [m^2]"""
    bearing_area_source: str


def strand_factor(strands: int) -> float:
    """Return the ratio of the load capacity of several strands, which do not share the load evenly, to that of one. [-]

    From ANSI B29.1 (Shigley 2011, table 17-23) for up to six strands; in proportion to the number of strands beyond.
    """
    known = len(_MULTIPLE)
    return _MULTIPLE[strands - 1] if strands <= known else _MULTIPLE[-1] / known * strands


def chain_strength(name: str | None, strands: int | None = None) -> ChainStrength:
    """Return dynamic strength and bearing area of the standard chain of this name; empty for chains outside ISO 606.

    The dynamic strength of several strands is estimated as that of one strand times ``strand_factor``.
    """
    nothing = ChainStrength(None, "", None, "")
    if name is None:
        return nothing
    try:
        chain = standard_chain(name, strands)
    except InputError:
        return nothing
    row = _rows().get(chain.name.partition("-")[0]) if chain.series.startswith("iso-606") else None
    if row is None:
        return nothing
    force, source = _dynamic_strength(row["dynamic_strength"], chain)
    length = marked(row["bush_length"])
    area = chain.strands * chain.pin_diameter * 1e-3 * length.value
    return ChainStrength(force, source, area, length.source(_STANDARD, f"{_STANDARD}, pin diameter x b2", ""))


def chain_alike(pitch: float, roller_diameter: float) -> str | None:
    """Return the name of the single-strand ISO 606 chain with this pitch and roller diameter [m], to within 1 %; None
    if there is none.
    """
    for name in standard_names():
        chain = standard_chain(name)
        same = (abs(chain.pitch / pitch - 1.0), abs(chain.roller_diameter / roller_diameter - 1.0))
        if chain.strands == 1 and max(same) < 0.01:
            return chain.name
    return None


def _dynamic_strength(text: str, chain: StandardChain) -> tuple[float | None, str]:
    if not text:
        return None, ""
    one = marked(text)
    if chain.strands == 1:
        return one.value, one.source(_STANDARD, _STANDARD, "")
    factor = strand_factor(chain.strands)
    source = one.source(_STANDARD, _STANDARD, "").removeprefix("catalogue: ")
    return factor * one.value, f"estimated: {factor:g} x that of one strand (ANSI B29.1), {source}"


@cache
def _rows() -> Mapping[str, Mapping[str, str]]:
    return MappingProxyType({row["iso"]: row for row in rows_of("chain_strengths.csv")})
