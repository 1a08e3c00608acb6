"""The inner and outer links of a chain: their keys in a file, and estimates of the dimensions that the file omits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import Field

from chaindrive.model.base import Model, Quantity, Vector
from chaindrive.model.catalogue.chains import SOURCE, standard_chain

if TYPE_CHECKING:
    from chaindrive.model.chain import Chain

__all__ = ["LINKS", "Dimension", "Link", "link_dimensions", "link_sources", "series_stiffness"]

LINKS = ("inner_link", "outer_link")
"""Fields of a chain that describe its links. Their names are also the prefixes of the names of properties of links."""

PLATES_AND_CLEARANCE = 0.94
"""Thickness of four plates divided by the space for them in a duplex chain, transverse pitch minus inner width. [-] It
is 0.93 to 0.95 for the A series in the catalogue, but 0.89 for the light 41, and 0.98 for 16B."""
_ASME = "ASME B29.1M"


class Link(Model):
    """An inner link (plates, bushes, rollers) or an outer link (plates, pins, and the intermediate plates between
    strands). Mass, inertia and stiffness are totals of all strands.

    Its frame has its origin at the centre of the bush at its rear end and its x-axis towards the pin at its front
    end. Omitted values come from the catalogue or are estimated. Masses and moments of inertia follow from the volumes
    of the parts, scaled so that the mean of both masses is ``link_mass``. The stiffness follows from the condition that
    half an inner and half an outer link in series are as stiff as a link of the chain. Only formulations with rigid
    links use values other than the two masses and stiffnesses.
    """

    mass: Annotated[float, Quantity("kg", above=0, most=1e5)] | None = Field(None, description="Mass of the link.")
    inertia: Annotated[float, Quantity("kg*m^2", above=0, most=1e6)] | None = Field(
        None, description="Moment of inertia about the centre of mass."
    )
    centre_of_mass: Annotated[tuple[float, float], Vector("m", most=10)] | None = Field(
        None,
        description="Centre of mass [along, transverse to] the link, measured from the centre of its bush towards "
        "its pin; default: midway between its joints.",
    )
    plate_depth: Annotated[float, Quantity("m", above=0, most=10)] | None = Field(
        None,
        description="Depth of the plates, measured transverse to the chain in its plane: h2 of inner, h3 of outer "
        "plates.",
    )
    plate_thickness: Annotated[float, Quantity("m", above=0, most=10)] | None = Field(
        None, description="Thickness of one plate."
    )
    stiffness: Annotated[float, Quantity("N/m", above=0, most=1e14)] | None = Field(
        None, description="Stiffness of the link in tension, between the centres of its joints."
    )


class Dimension(NamedTuple):
    """A dimension of the parts of a chain."""

    value: float
    """Value in m."""
    source: str
    """Source of the value: "given", "catalogue: ..." or "estimated: ..."."""


def link_dimensions(chain: Chain) -> Mapping[str, Dimension]:
    """Return the dimensions of plates, pins and bushes and the width between the inner plates, with the source of each.

    They are named as in ``Chain.sources``: ``inner_link.plate_depth``, ``inner_link.plate_thickness``, the same for
    ``outer_link``, ``pin_diameter``, ``bush_diameter`` (outer), ``inner_width`` (of one strand); with several strands
    also ``transverse_pitch``, from strand to strand, and ``intermediate_plate_thickness``, of all plates on the pins
    between two strands.
    """
    pitch, roller, bush_chain = chain.pitch, chain.roller_diameter, chain.kind == "bush"
    standard = None if chain.standard is None else standard_chain(chain.standard)
    sources = dict.fromkeys(("pin_diameter", "inner_width"), f"catalogue: {SOURCE}" if chain.standard else "given")
    if standard is not None:
        sources = {name: standard.sources.get(name, source) for name, source in sources.items()}
    found = {
        name: Dimension(value, "given" if name in chain.model_fields_set else sources[name])
        for name in sources
        if (value := getattr(chain, name)) is not None
    }
    if "pin_diameter" not in found:
        share, of_what = (
            (0.7, "0.7 x bush diameter (25 and 35)") if bush_chain else (0.5, f"0.5 x roller diameter ({_ASME})")
        )
        found["pin_diameter"] = Dimension(share * roller, f"estimated: {of_what}")
    if chain.kind == "leaf":
        found.setdefault("inner_width", Dimension(0.0, "default: plates of a leaf chain lie against each other"))
    found.setdefault("inner_width", Dimension(0.625 * pitch, f"estimated: 5/8 x pitch ({_ASME})"))
    found["bush_diameter"] = _bush(chain, found["pin_diameter"].value)
    plates = {} if chain.standard is None else _standard_plates(chain.standard)
    plates = {**_plates_from_pitch(pitch), **plates}
    for name in LINKS:
        for field in ("plate_depth", "plate_thickness"):
            value = getattr(getattr(chain, name), field)
            key = f"{name}.{field}"
            found[key] = plates[key] if value is None else Dimension(value, "given")
    if chain.strands > 1:
        found |= _between_strands(chain, {name: dimension.value for name, dimension in found.items()})
    return found


def _bush(chain: Chain, pin: float) -> Dimension:
    """Return the outer diameter of the bushes; of a leaf chain, which has none, the diameter of the pins."""
    if chain.kind == "bush":
        return Dimension(chain.roller_diameter, "given: roller_diameter (in a bush chain the diameter of the bushes)")
    if chain.kind == "leaf":
        return Dimension(pin, "default: a leaf chain has no bushes")
    own = None if chain.standard is None else standard_chain(chain.standard).bush_diameter
    if own is not None and pin < own < chain.roller_diameter:
        return Dimension(own, standard_chain(chain.standard or "").sources["bush_diameter"])
    return Dimension(0.5 * (chain.roller_diameter + pin), "estimated: mean of roller and pin diameter")


def _between_strands(chain: Chain, size: Mapping[str, float]) -> dict[str, Dimension]:
    """Return the transverse pitch, and the total thickness of the plates on the pins between two strands: two outer
    plates, or one if there is not enough room.
    """
    inner, outer = size["inner_link.plate_thickness"], size["outer_link.plate_thickness"]
    if chain.standard is None:
        pitch = size["inner_width"] + 2.0 * (inner + outer) / PLATES_AND_CLEARANCE
        words = "estimated: room for two inner and two outer plates between the strands, of which 6 % is clearance"
    else:
        pitch, words = standard_chain(chain.standard).transverse_pitch, f"catalogue: {SOURCE}"
    room = PLATES_AND_CLEARANCE * (pitch - size["inner_width"]) - 2.0 * inner
    between = max(min(room, 2.0 * outer), 0.0)
    source = "estimated: two outer plates, or the room left by transverse pitch and inner plates, less 6 % clearance"
    return {
        "transverse_pitch": Dimension(pitch, words),
        "intermediate_plate_thickness": Dimension(between, source),
    }


def _plates_from_pitch(pitch: float) -> dict[str, Dimension]:
    """Return the plates of a chain that is not in the catalogue, from the proportions in ASME B29.1M."""
    shares = {
        "inner_link.plate_depth": (0.95, "0.95 x pitch"),
        "outer_link.plate_depth": (0.82, "0.82 x pitch"),
        "inner_link.plate_thickness": (0.125, "pitch / 8"),
        "outer_link.plate_thickness": (0.125, "pitch / 8"),
    }
    return {key: Dimension(share * pitch, f"estimated: {words} ({_ASME})") for key, (share, words) in shares.items()}


def _standard_plates(name: str) -> dict[str, Dimension]:
    """Return the plates of a standard chain, from the catalogue or from its other dimensions."""
    standard = standard_chain(name)
    inner, outer = standard.inner_plate_depth, standard.outer_plate_depth
    sources = standard.sources
    of_plates = "ASME B29.1M" if standard.ansi else "data sheet of a dealer of ISO 606 chains (Farnell 17402)"
    found = {"inner_link.plate_depth": Dimension(inner, sources.get("inner_link.plate_depth", f"catalogue: {SOURCE}"))}
    if outer is not None:
        source = sources.get("outer_link.plate_depth", f"catalogue: {of_plates}")
        found["outer_link.plate_depth"] = Dimension(outer, source)
    elif standard.ansi:
        words = f"0.82 / 0.95 of that of the inner plates ({_ASME})"
        found["outer_link.plate_depth"] = Dimension(0.82 / 0.95 * inner, f"estimated: {words}")
    else:
        words = "the same as that of the inner plates, which holds for 06B to 16B"
        found["outer_link.plate_depth"] = Dimension(inner, f"estimated: {words}")
    thickness = standard.inner_plate_thickness, standard.outer_plate_thickness
    if thickness[0] is not None and thickness[1] is not None:
        for key, value in zip((f"{link}.plate_thickness" for link in LINKS), thickness, strict=True):
            found[key] = Dimension(value or 0.0, sources.get(key, f"catalogue: {of_plates}"))
        return found
    # A plate carries with what its hole leaves of its depth: the larger hole, for the bush, makes the thicker plate.
    both = 0.5 * PLATES_AND_CLEARANCE * (standard.transverse_pitch - standard.inner_width)
    bush = (
        standard.roller_diameter
        if standard.kind == "bush"
        else 0.5 * (standard.roller_diameter + standard.pin_diameter)
    )
    inner_net, outer_net = inner - bush, found["outer_link.plate_depth"].value - standard.pin_diameter
    source = (
        "estimated: 0.47 x (transverse pitch - inner width) for both plates together, with equal cross-sections beside "
        "their holes"
    )
    found["inner_link.plate_thickness"] = Dimension(both * outer_net / (inner_net + outer_net), source)
    found["outer_link.plate_thickness"] = Dimension(both * inner_net / (inner_net + outer_net), source)
    return found


def series_stiffness(inner: float, outer: float) -> float:
    """Return the stiffness of half a link of stiffness ``inner`` and half a link of stiffness ``outer`` in series, in
    N/m.

    Half a link is twice as stiff as the link: 1/K = 1/(2 K_i) + 1/(2 K_o).
    """
    return 2.0 * inner * outer / (inner + outer)


def link_sources(chain: Chain) -> dict[str, str]:
    """Return the source of each value of the links, by names such as ``inner_link.mass`` (``Chain.sources``)."""
    estimated = {
        "mass": "estimated: volumes of plates, bushes, rollers and pins, scaled to link_mass",
        "inertia": "estimated: plates, bushes, rollers and pins with the mass of the link",
        "stiffness": "estimated: half an inner and half an outer link in series together have link_stiffness",
    }
    found: dict[str, str] = {}
    dimensions = link_dimensions(chain)
    for name, other in (LINKS, LINKS[::-1]):
        for field in Link.model_fields:
            key = f"{name}.{field}"
            if getattr(getattr(chain, name), field) is not None:
                found[key] = "given"
            elif field == "mass" and getattr(chain, other).mass is not None:
                found[key] = f"2 x link_mass - {other}.mass"
            else:
                source = dimensions[key].source if key in dimensions else estimated.get(field)
                found[key] = source or "default: midway between the joints"
    return found
