"""The chain, given by individual values or by the name of a standard chain, of which any value may be overridden."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self

from pydantic import (
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic import GetJsonSchemaHandler as JsonHandler
from pydantic_core import CoreSchema

from chaindrive.errors import InputError
from chaindrive.model.base import Name, Quantities, Quantity, Whole, as_text
from chaindrive.model.calls import ChainCall
from chaindrive.model.catalogue.chains import (
    MOST_ESTIMATED,
    SOURCE,
    estimated_link_damping,
    estimated_link_stiffness,
    standard_chain,
)
from chaindrive.model.closing import AUTO
from chaindrive.model.ends import End, EndMasses, FreeEnd
from chaindrive.model.links import LINKS, Link, link_sources, series_stiffness
from chaindrive.model.pins import RockerPins
from chaindrive.model.plates import RockerPlates
from chaindrive.model.sideways import Sideways
from chaindrive.model.wear import Attachment, Scatter, attached_masses, link_elongations
from chaindrive.units import to_si

__all__ = ["Chain"]

_FROM_CATALOGUE = (
    "kind",
    "pitch",
    "link_mass",
    "roller_diameter",
    "pin_diameter",
    "inner_width",
    "breaking_load",
    "strands",
)


MOST_LINKS = 100_000
ROCKER_PIN = 0.5
"""Width of a pair of rocker pins in drawings, divided by the pitch. [-]"""
PLATE_LENGTH, PLATE_DEPTH = 1.4, 1.1
"""Length and depth of the links of a rocker-pin chain in drawings, divided by the pitch. [-]"""


class Links(Whole):
    """A whole number; in a drive file also 'auto', which the drive replaces by a number before the chain is made."""

    words = (AUTO,)

    def parse(self, value: object) -> int:
        """Return the number. Raises ValueError, with a message for the user, if it is not allowed."""
        try:
            return super().parse(value)
        except ValueError as error:
            raise ValueError(f"{error}, or in a drive {AUTO!r}") from None

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> dict[str, Any]:
        return {"anyOf": [super().__get_pydantic_json_schema__(schema, handler), {"const": AUTO}]}


def _schema_of_required(schema: dict[str, Any]) -> None:
    """State in the schema that a chain needs its dimensions or the name of a standard chain.

    JSON Schema cannot express what the catalogue provides.
    """
    schema["required"] = ["links"]
    mass, stiffness = (
        {"required": [*LINKS], "properties": {name: {"required": [field]} for name in LINKS}}
        for field in ("mass", "stiffness")
    )
    by_hand = [
        {"anyOf": [{"required": ["link_mass"]}, mass]},
        {"anyOf": [{"required": ["link_stiffness"]}, {"required": ["breaking_load"]}, stiffness]},
    ]
    either = {"anyOf": [{"required": ["pitch"]}, {"required": ["pitches"]}]}
    rocker_pins = {"required": ["pins"], "properties": {"kind": {"const": "rocker-pin"}}, "allOf": [either, *by_hand]}
    schema["anyOf"] = [
        {"required": ["standard"]},
        {"required": ["pitch", "roller_diameter"], "allOf": by_hand},
        rocker_pins,
    ]


class Chain(ChainCall):
    """A roller, bush or leaf chain. Masses, stiffness, damping and loads are those of all strands together.

    With ``standard``, the catalogue supplies omitted values. Two values are in no catalogue and are *estimated* if they
    are not given: ``link_stiffness`` (EA = 86 x breaking load, from the two chains of Pedersen 2004) and
    ``link_damping`` (2 % of the critical damping of one link). :attr:`sources` gives the source of every value.

    Inner and outer links alternate, and link 0 is an inner link; with an odd number of links, the last link is cranked,
    half inner and half outer. If a mass is given for both inner and outer links, ``link_mass`` is the mean of the two.
    If a stiffness is given for both, ``link_stiffness`` is that of half an inner and half an outer link in series.
    """

    model_config = ConfigDict(json_schema_extra=_schema_of_required)

    standard: Name | None = Field(
        None,
        description='Name of a standard chain, such as "08B-1", "08B-2" (duplex), "08B-3" (triplex), "40", "520" or '
        '"bicycle-11"; chaindrive chains lists them.',
    )
    kind: Literal["roller", "bush", "leaf", "rocker-pin"] = Field(
        "roller",
        description="'roller'; 'bush': without rollers, such as 04C (25) and 06C (35); 'leaf': only plates and pins, "
        "running over sheaves instead of teeth; 'rocker-pin': the chain of a CVT, which runs between conical "
        "[[sheaves]] and requires pins.",
    )
    links: Annotated[int, Links(1, MOST_LINKS)] = Field(
        description="Number of links of the chain; at least 3 for a closed chain. 'auto': the smallest even number "
        "that reaches around the route or, with [closing], of the even numbers with which the chain closes the "
        "nearest to that of the layout as drawn."
    )
    ends: tuple[End, End] | None = Field(
        None,
        description="Both ends of an open chain, in the order in which it meets the wheels; default: a closed chain.",
    )
    pitch: Annotated[float, Quantity("m", above=0, most=10)] = Field(
        description="Distance between neighbouring pins, such as '12.7 mm' (or name a standard chain)."
    )
    pitches: Annotated[tuple[float, ...], Quantities("m", above=0, most=10)] | None = Field(
        None,
        description="Mixed pitch of a rocker-pin chain, so that its pins do not all strike at one frequency, such as "
        "['10.85 mm', '8.85 mm', '8.85 mm']: lengths of successive links, repeated along the chain. Given instead of "
        "pitch, which is then the mean length.",
    )
    link_mass: Annotated[float, Quantity("kg", above=0, most=1e5)] = Field(
        description="Mass of one link, which is the mass per roller (or name a standard chain)."
    )
    link_inertia: Annotated[float, Quantity("kg*m^2", above=0, most=1e6)] | None = Field(
        None,
        description="Moment of inertia of a link of a rocker-pin chain about its centre, for links = 'rigid'; "
        "default: that of a plate, 1.4 pitches long and 1.1 pitches deep, with the mass of the link.",
    )
    link_stiffness: Annotated[float, Quantity("N/m", above=0, most=1e14)] = Field(
        description="Stiffness of one link in tension (estimated when breaking_load or a standard chain is given)."
    )
    link_damping: Annotated[float, Quantity("N*s/m", least=0, most=1e10)] = Field(
        description="Damping of one link in tension; default: 2 % of the critical damping of one link."
    )
    roller_diameter: Annotated[float, Quantity("m", above=0, most=10)] = Field(
        description="Diameter of the rollers, such as '8.51 mm' (or name a standard chain); for a bush chain the outer "
        "diameter of the bushes, for a leaf chain the depth of its plates."
    )
    pin_diameter: Annotated[float, Quantity("m", above=0, most=10)] | None = Field(
        None, description="Diameter of the pins."
    )
    inner_width: Annotated[float, Quantity("m", above=0, most=10)] | None = Field(
        None, description="Width between the inner plates."
    )
    joint_damping: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e9)] = Field(
        0.0, description="Viscous rotational damping between neighbouring links."
    )
    joint_friction: Annotated[float, Quantity("", least=0, most=10)] = Field(
        0.0, description="Coulomb friction coefficient between pin and bush; requires pin_diameter."
    )
    breaking_load: Annotated[float, Quantity("N", above=0, most=1e12)] | None = Field(
        None, description="Load at which the chain breaks."
    )
    strands: Annotated[int, Whole(1, MOST_ESTIMATED)] = Field(
        1,
        description="Number of strands side by side. For a standard chain whose name does not state the number, such "
        "as '08B', mass and breaking load are those of this number of strands.",
    )
    inner_link: Link = Field(default_factory=Link, description="Inner links, with the bushes and rollers.")
    outer_link: Link = Field(default_factory=Link, description="Outer links, with the pins.")
    joint_clearance: Annotated[float | tuple[float, ...], Quantities("m", least=0, most=0.1)] = Field(
        0.0,
        description="Bore of the bush minus pin diameter: one value for all joints or one for each. Joint i is in the "
        "bush of link i, at the rear end of the link. A new 08B has at least 0.05 mm.",
    )
    elongation: Annotated[float | tuple[float, ...], Quantities("", least=-0.05, most=0.2)] = Field(
        0.0,
        description="Elongation of a link due to wear or tolerance, relative to the pitch, such as '0.5 %'; one value "
        "for all links or one for each.",
    )
    wear: Annotated[float, Quantity("", least=0, most=0.1)] = Field(
        0.0,
        description="Mean elongation due to wear of pins and bushes, such as '2 %': outer links become longer by twice "
        "this, inner links keep their length; the teeth keep the nominal pitch.",
    )
    scatter: Scatter | None = Field(None, description="Random variation of the pitch from link to link.")
    attachments: Annotated[tuple[Attachment, ...], Field(max_length=100)] = Field(
        (), description="Attachments on every n-th link, such as buckets or flights."
    )
    sideways: Sideways = Field(
        default_factory=Sideways, description="Out-of-plane behaviour of the joints, for the formulation 'spatial'."
    )

    pins: RockerPins | None = Field(None, description="Pins of a rocker-pin chain (kind = 'rocker-pin').")
    plates: RockerPlates | None = Field(
        None, description="Rows of plates of a rocker-pin chain, from which the force on each plate is computed."
    )

    _links_follow: bool = PrivateAttr(False)

    @property
    def links_follow(self) -> bool:
        """Whether the number of links follows from the route ('auto')."""
        return self._links_follow

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with values changed, without validation; a number of links that is given no longer follows from
        the route.
        """
        copied = super().model_copy(update=update, deep=deep)
        copied._links_follow = self._links_follow and "links" not in (update or {})
        return copied

    @property
    def joints(self) -> int:
        """Number of joints: equal to the number of links for a closed chain, one more for an open chain."""
        return self.links if self.ends is None else self.links + 1

    @property
    def end_masses(self) -> EndMasses:
        """Masses of the first and the last joint of an open chain: half a link, and the load on the joint. [kg]"""
        loads = [end.mass if isinstance(end, FreeEnd) else 0.0 for end in self.ends or ()]
        return EndMasses(*(0.5 * self.link_mass + load for load in loads or (0.0, 0.0)))

    @property
    def mean_pitch(self) -> float:
        """Mean distance between neighbouring pins of the taut chain, longer than the pitch by the elongation, in m."""
        each = self.elongations
        alike = self.wear == 0.0 and self.scatter is None and self.pitches is None
        if alike and not isinstance(self.elongation, tuple):
            each = (self.elongation,)
        return self.pitch * (1.0 + sum(each) / len(each))

    @property
    def elongations(self) -> tuple[float, ...]:
        """Elongation of each link of the taut chain by mixed pitch, stretch, wear and scatter, relative to the pitch,
        (links,).
        """
        each = link_elongations(self.elongation, self.wear, self.scatter, self.links)
        if self.pitches is None:
            return each
        mixed = (self.pitches[i % len(self.pitches)] / self.pitch for i in range(self.links))
        return tuple(longer + share - 1.0 for longer, share in zip(each, mixed, strict=True))

    @property
    def lengths(self) -> tuple[float, ...]:
        """Length of each link of the taut chain, (links,), in m."""
        return tuple(self.pitch * (1.0 + longer) for longer in self.elongations)

    @property
    def attached_masses(self) -> tuple[float, ...]:
        """Mass of the attachments on each link, (links,), in kg."""
        return attached_masses(self.attachments, self.links)

    @property
    def sources(self) -> Mapping[str, str]:
        """Source of each value, by the name of the field, or names such as ``inner_link.mass``: "given", "catalogue:
        ...", "estimated: ...", the values from which it follows, or "default".
        """
        named = {}
        if self.standard:
            named = dict.fromkeys(_FROM_CATALOGUE, f"catalogue: {SOURCE}")
            sources = standard_chain(self.standard, self.strands).sources
            named |= {name: source for name, source in sources.items() if "." not in name}
        estimated = {
            "link_stiffness": "estimated: 86 x breaking load / pitch (Pedersen 2004, 56B and 72B)",
            "pitch": "mean of pitches",
            "link_inertia": "estimated: a plate 1.4 pitches long and 1.1 pitches deep, with the mass of the link",
            "link_damping": "estimated: 2 % of the critical damping of one link",
            "links": "estimated: the smallest number that fits the largest chainring with the largest cog",
        }
        if self.links_follow:
            named["links"] = "the route ('auto')"
        for name, field in _OF_BOTH_LINKS.items():
            if all(getattr(getattr(self, link), field) is not None for link in LINKS):
                named[name] = f"{field} of inner_link and outer_link"
        given = self.model_fields_set - ({"links"} if self.links_follow else set())
        own = {
            name: "given" if name in given else named.get(name) or estimated.get(name) or "default"
            for name in type(self).model_fields
            if getattr(self, name) is not None and name not in (*LINKS, "sideways", "scatter", "attachments")
        }
        return MappingProxyType(own | link_sources(self))

    @model_validator(mode="wrap")
    @classmethod
    def _fill_in(cls, given: Any, handler: ModelWrapValidatorHandler[Chain]) -> Chain:
        if not isinstance(given, Mapping):
            return handler(given)
        chain = handler(_completed(given))
        # What the catalogue or an estimate filled in is not "set": sources and to_toml tell the two apart by it.
        object.__setattr__(chain, "__pydantic_fields_set__", {name for name in given if given[name] is not None})
        return chain

    @field_validator("standard")
    @classmethod
    def _in_the_catalogue(cls, name: str | None) -> str | None:
        if name is not None:
            try:
                standard_chain(name)
            except InputError as error:
                raise ValueError(error.problems[0].message) from None
        return name

    @field_validator("roller_diameter")
    @classmethod
    def _less_than_pitch(cls, diameter: float, info: ValidationInfo) -> float:
        pitch = info.data.get("pitch")
        if "standard" in info.data and pitch is not None and diameter >= pitch:
            raise ValueError(f"must be less than the pitch {pitch:g} m: neighbouring rollers would overlap")
        return diameter

    @field_validator("pin_diameter")
    @classmethod
    def _less_than_roller(cls, diameter: float | None, info: ValidationInfo) -> float | None:
        roller = info.data.get("roller_diameter")
        if "standard" in info.data and roller is not None and diameter is not None and diameter >= roller:
            raise ValueError(f"must be less than roller_diameter {roller:g} m: the pin is inside the roller")
        return diameter

    @field_validator("strands")
    @classmethod
    def _as_named(cls, strands: int, info: ValidationInfo) -> int:
        name = info.data.get("standard")
        if name and (named := standard_chain(name, strands)).strands != strands:
            raise ValueError(
                f"must be {named.strands} for {named.name}; or give the name of the chain with {strands} strands"
            )
        return strands


_OF_BOTH_LINKS = {"link_mass": "mass", "link_stiffness": "stiffness"}
"""Fields of the chain, each with the field of a link from which it follows if both kinds of link have that field."""


def _completed(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields completed by the catalogue and by estimates. Wrong values are left for validation to report."""
    fields = {str(name): value for name, value in given.items() if value is not None}
    if "standard" in fields:
        fields["standard"] = as_text(fields["standard"])
    # Before the catalogue, whose mass does not distinguish inner and outer links.
    if (masses := _of_both_links(fields, "mass", "kg")) and "link_mass" not in fields:
        fields["link_mass"] = sum(masses) / 2.0
    if "standard" in fields:
        try:
            standard = standard_chain(fields["standard"], _strands(fields.get("strands")))
        except InputError:
            # The problem to report is the name, not the values missing because of it.
            standard = standard_chain("08B-1")
        for name in _FROM_CATALOGUE:
            if standard.kind != "leaf" or name != "inner_width":
                fields.setdefault(name, getattr(standard, name))
    if (halves := _of_both_links(fields, "stiffness", "N/m")) and "link_stiffness" not in fields:
        fields["link_stiffness"] = series_stiffness(*halves)
    if fields.get("kind") == "rocker-pin":
        if "pitch" not in fields and "pitches" in fields:
            fields["pitch"] = _mean_of(fields["pitches"], fields.get("links")) or 1.0
        pitch = _positive(fields.get("pitch"), "m")
        fields.setdefault("roller_diameter", ROCKER_PIN * pitch if pitch else 1.0)
        mass = _positive(fields.get("link_mass"), "kg")
        if mass and pitch:
            fields.setdefault("link_inertia", mass * pitch**2 * (PLATE_LENGTH**2 + PLATE_DEPTH**2) / 12.0)
    if "link_stiffness" not in fields and "breaking_load" in fields:
        load, pitch = _positive(fields["breaking_load"], "N"), _positive(fields.get("pitch"), "m")
        # If the load or the pitch is wrong, this is the problem to report, not a missing stiffness.
        fields["link_stiffness"] = estimated_link_stiffness(load, pitch) if load and pitch else 1.0
    if "link_damping" not in fields:
        mass, stiffness = _positive(fields.get("link_mass"), "kg"), _positive(fields.get("link_stiffness"), "N/m")
        fields["link_damping"] = estimated_link_damping(mass, stiffness) if mass and stiffness else 0.0
    return fields


def _mean_of(pitches: Any, links: Any) -> float | None:
    """Return the mean pitch of links with a repeated sequence of pitches; None unless both arguments are valid."""
    if not isinstance(pitches, (list, tuple)) or not isinstance(links, int) or not 1 <= links <= MOST_LINKS:
        return None
    each = [_positive(value, "m") for value in pitches]
    known = [value for value in each if value is not None]
    if not known or len(known) < len(each):
        return None
    return sum(known[i % len(known)] for i in range(links)) / links


def _strands(given: Any) -> int | None:
    """Return the number of strands, or None if no chain can have this number; an invalid number is reported
    separately.
    """
    return given if isinstance(given, int) and 1 <= given <= MOST_ESTIMATED else None


def _of_both_links(fields: Mapping[str, Any], field: str, unit: str) -> tuple[float, float] | None:
    """Return a field of the inner and of the outer link, if both have the field and its values are valid."""
    links = [fields.get(name) for name in LINKS]
    given = [link.get(field) if isinstance(link, Mapping) else getattr(link, field, None) for link in links]
    inner, outer = (None if value is None else _positive(value, unit) for value in given)
    return (inner, outer) if inner and outer else None


def _positive(value: Any, unit: str) -> float | None:
    try:
        number = to_si(value, unit)
    except ValueError:
        return None
    return number if number > 0 else None
