"""The series of chains in the catalogue, with their standards and the sources of their values."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["SERIES", "SOURCE", "Series"]

SOURCE = "Donghua chain catalogue 2020 (ISO 606 / DIN 8187, ANSI B29.1)"
"""Source for short-pitch chains with one or two strands."""


class Series(NamedTuple):
    """A series of chains."""

    title: str
    standard: str
    """Standard and edition."""
    source: str
    """Source of the values; values from a different source are marked individually."""
    doubts: str = ""
    """Remark that applies to all chains of the series."""


SERIES: Mapping[str, Series] = MappingProxyType(
    {
        "iso-606-b": Series(
            "Short-pitch roller chains, B series",
            "ISO 606:2004 (DIN 8187)",
            SOURCE,
            "Breaking loads are the minima of the standard, except for 04B, where it is the maker's minimum; plates "
            "of 20B and larger chains are estimated.",
        ),
        "iso-606-a": Series(
            "Short-pitch roller and bush chains, A series and ANSI",
            "ISO 606:2004, ASME B29.1M (DIN 8188)",
            SOURCE,
            "Breaking loads are the minima of the standard, except for 085, where it is the maker's minimum; makers "
            "guarantee up to 2 % more.",
        ),
        "light": Series(
            "Light roller chains of ISO 606, one strand",
            "ISO 606:2004",
            "Donghua chain catalogue 2020 (083: 415B); Ametric catalogue, DIN 8187 (081, 082)",
        ),
        "heavy": Series(
            "Heavy short-pitch roller chains, ANSI",
            "ISO 606:2015, ASME B29.1M",
            "Donghua chain catalogue 2020 (sizes, masses); starmachinechina.com, double-pitch chains (plates)",
            "Their plates are as thick as those of the next size. Their minimum breaking loads are those of the base "
            "chain; makers print averages that are a third higher.",
        ),
        "double-pitch": Series(
            "Double-pitch chains (C conveyor, H heavy, L large rollers)",
            "ISO 1275:2006, ASME B29.3M and B29.4M",
            "starmachinechina.com, double-pitch conveyor chains; Donghua chain catalogue 2020 (the base chains)",
            "Their minimum breaking loads are those of the base chain. Sprockets have a gap for every roller: the "
            "key teeth is the number of gaps of this pitch. A sprocket for the base chain, with twice the teeth, has "
            "a smaller pitch circle.",
        ),
        "bicycle": Series(
            "Bicycle chains",
            "ISO 9633:2001 (breaking load)",
            "KMC, Ametric and others (see bicycle_chains.csv)",
            "Makers publish little data: dimensions of pins and plates are from caliper measurements and estimates.",
        ),
        "motorcycle": Series(
            "Motorcycle chains",
            "ISO 10190:2008",
            "Tsubaki, The Complete Guide to Chain, Table 1.9; wemoto.co, Chain Dimensions; motomaxsfr.com; "
            "motorcyclechain.top; Donghua chain catalogue 2020 (415H)",
            "Standard chains without sealing rings; breaking loads and masses differ between manufacturers by up to "
            "half.",
        ),
        "engine": Series(
            "Engine timing chains",
            "ISO 606:2004, if it includes the chain",
            "Donghua chain catalogue 2020 (04C, 05B); agrocepi.by (04C); machinerysprocket.com (219H)",
            "Engine manufacturers have their own chains; inverted-tooth chains are not included.",
        ),
        "agricultural": Series(
            "Agricultural roller chains, S types",
            "ISO 487:1998 (DIN 8189)",
            "manufacturers' tables to ISO 487",
            "No copy of the standard's table was available; therefore A550 to A620 are not included.",
        ),
        "conveyor": Series(
            "Conveyor chains, M and MT (deep plates)",
            "ISO 1977:2006 (DIN 8167)",
            "manufacturers' tables to ISO 1977",
            "No copy of the standard's table was available; masses are computed from the parts. The deep plates of "
            "MT extend further on one side of the pins; the centre of mass does not take this into account. Their "
            "sprockets have tooth = { form = 'conveyor' }.",
        ),
        "leaf": Series(
            "Leaf chains, LL and LH (BL)",
            "ISO 4347:2015, ASME B29.8",
            "Galaxy leaf chain charts (IS 1072, ISO 4347, ASME B29.8)",
            "They have no rollers, and run over smooth sheaves instead of sprockets.",
        ),
    }
)
"""Series by key, in the order in which they are listed."""
