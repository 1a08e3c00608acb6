"""Conversion of the table of a bicycle into wheels and bodies among the fields of a drive, and its recovery from
these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel

from chaindrive import plugs
from chaindrive.errors import InputError, Problem
from chaindrive.model.bicycle.description import Bicycle, Generated
from chaindrive.model.body import Body
from chaindrive.model.chain import Chain
from chaindrive.model.problems import nearest, shown
from chaindrive.model.wheel import Wheel

__all__ = ["REMOVED", "Expanded", "changes", "expanded", "in_its_terms", "plain"]

REMOVED = "none"
"""Marks a generated value as removed, in a table that is merged over the generated values."""

_TAGS = ("kind", "form", "over")
_LINKS = 100
"""Number of links assumed while the actual number is unknown. [-]"""
_PLACES = {
    ("chainring", "teeth"): "bicycle.gear",
    ("cog", "teeth"): "bicycle.gear",
    ("tension pulley", "teeth"): "bicycle.derailleur.tension_pulley",
    ("guide pulley", "teeth"): "bicycle.derailleur.guide_pulley",
    ("tensioner pulley", "teeth"): "bicycle.tensioner.pulley",
    ("chainring", "torque"): "bicycle.rider.power",
    ("chainring", "tooth_width"): "bicycle.ring_width",
    ("chainring", "pitch_line"): "bicycle.pitch_line",
    ("cog", "tooth_width"): "bicycle.cog_width",
    ("tension pulley", "tooth_width"): "bicycle.derailleur.pulley_width",
    ("guide pulley", "tooth_width"): "bicycle.derailleur.pulley_width",
    ("tensioner pulley", "tooth_width"): "bicycle.tensioner.pulley_width",
    ("tension pulley", "lateral_motion"): "bicycle.shift",
    ("guide pulley", "lateral_motion"): "bicycle.shift",
    ("cog", "cogs"): "bicycle.shift",
    ("cage", "joint.friction"): "bicycle.derailleur.friction",
    ("tensioner arm", "joint.friction"): "bicycle.tensioner.friction",
    ("cage", ""): "bicycle.derailleur",
    ("tensioner arm", ""): "bicycle.tensioner",
}
"""The field of the bicycle from which each value of a wheel or body follows."""
_BETWEEN = {
    frozenset({"tension pulley", "guide pulley"}): "bicycle.derailleur.cage_length",
    frozenset({"tension pulley", "cog"}): "bicycle.derailleur.cage_length",
    frozenset({"guide pulley", "cog"}): "bicycle.derailleur.gap",
    frozenset({"tensioner pulley", "cog"}): "bicycle.tensioner.pivot",
}
"""The field of the bicycle that sets the distance between two wheels; for all other pairs it is chainstay."""


_ASIDE = "bicycle.straight_chainline"
_STRAIGHT = "must be true in a planar model: cog and chainring of this gear are not in one plane"


class Expanded(NamedTuple):
    """The fields of a drive, including those that follow from its bicycle."""

    fields: dict[str, Any]
    """Wheels and bodies; present only if bicycle and chain are valid."""
    made: Generated | None
    given: Mapping[str, frozenset[str]]
    """Fields given for a wheel or body by its name."""
    links_follow: bool
    """Whether the number of links is omitted."""
    problems: tuple[Problem, ...]


def expanded(fields: Mapping[str, Any]) -> Expanded | None:
    """Return the fields of a drive with the wheels and bodies of its bicycle; None without a bicycle.

    Values specified for a wheel or body by name override the derived values; bodies with other names are added.
    """
    if fields.get("bicycle") is None:
        return None
    bicycle, table = _alone(Bicycle, fields["bicycle"]), _fields_of(fields.get("chain"))
    links = table.get("links") if table is not None else None
    chain = None if table is None else _alone(Chain, table | {"links": links if links is not None else _LINKS})
    if table is not None and links is None:
        fields = {**fields, "chain": table | {"links": _LINKS}}
    problems = []
    if isinstance(links, int) and links % 2:
        message = "must be even: inner and outer links of a bicycle chain alternate"
        problems.append(Problem("chain.links", message, str(links)))
    if table is not None and table.get("ends") is not None:
        message = "the chain of a bicycle is closed: omit them"
        problems.append(Problem("chain.ends", message))
    if bicycle is None or chain is None:
        return Expanded({**fields, "wheels": _STAND_INS, "bodies": ()}, None, {}, False, tuple(problems))
    made = plugs.bicycle_parts(bicycle, chain, None if links is None else chain.links)
    given: dict[str, frozenset[str]] = {}
    problems += made.problems
    parts = {
        "wheels": _merged(made.wheels, fields.get("wheels"), "wheels", given, problems),
        "bodies": _merged(made.bodies, fields.get("bodies"), "bodies", given, problems),
    }
    if fields.get("loop", "clockwise") != "clockwise":
        message = "must be 'clockwise' with a bicycle, which is drawn riding to the right: omit it"
        problems.append(Problem("loop", message, shown(fields["loop"])))
    notes = fields.get("notes", ())
    if isinstance(notes, Sequence) and not isinstance(notes, str):
        parts["notes"] = (*notes, *made.notes)
    if links is None:
        parts["chain"] = (table or {}) | {"links": made.links}
    return Expanded(
        {**fields, "bicycle": bicycle, "loop": "clockwise"} | parts, made, given, links is None, tuple(problems)
    )


_STAND_INS = tuple(
    {
        "name": name,
        "teeth": 20,
        "position": [x, 0.0],
        "tooth": {"form": "iso-606"},
        "inertia": 1.0,
        "initial_speed": 1.0,
    }
    for name, x in (("chainring", 0.0), ("cog", -1.0))
)
"""Placeholder wheels for an invalid bicycle, so that missing wheels are not reported as an additional problem."""


def _alone(model: type[Any], fields: Any) -> Any:
    """Return a part validated on its own, or None if it is missing or invalid."""
    if isinstance(fields, model):
        return fields
    try:
        return model.from_dict(fields)
    except InputError:
        return None


def _fields_of(part: Any) -> dict[str, Any] | None:
    """Return a part as a table of its given fields; None if it is not a table."""
    if isinstance(part, BaseModel):
        return {name: getattr(part, name) for name in part.model_fields_set}
    return {str(name): value for name, value in part.items()} if isinstance(part, Mapping) else None


def _merged(
    made: Sequence[Mapping[str, Any]], given: Any, where: str, named: dict[str, frozenset[str]], problems: list[Problem]
) -> Any:
    """Return generated tables merged by name with the given tables; anything that is not a list of tables is left to
    validation.
    """
    if given is None:
        return tuple(made)
    tables = [_fields_of(part) for part in given] if isinstance(given, (list, tuple)) else [None]
    if None in tables:
        return given
    result = {table["name"]: dict(table) for table in made}
    known = tuple(result)
    for index, table in enumerate(tables):
        name = (table or {}).get("name")
        if not isinstance(name, str) or (where == "wheels" and name not in known):
            problems.append(_no_wheel(where, index, name, known))
            continue
        named[name] = named.get(name, frozenset()) | frozenset(table or {})
        result[name] = _over(result.get(name, {}), table or {})
    return tuple(result.values())


def _no_wheel(where: str, index: int, name: Any, known: Sequence[str]) -> Problem:
    there = ", ".join(repr(other) for other in known)
    if name is None:
        message = (
            f"is missing: {'one of the wheels of the bicycle: ' + there if where == 'wheels' else 'name of the body'}"
        )
        return Problem(f"{where}[{index}].name", message)
    hint = nearest(str(name), known) or "."
    return Problem(f"{where}[{index}].name", f"is not a wheel of this bicycle{hint} Available: {there}", shown(name))


def _over(base: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """Return one table merged over another, recursively for nested tables of the same kind; "none" removes a value."""
    result = dict(base)
    for name, value in table.items():
        here, inner = result.get(name), _fields_of(value)
        if value is None or value == REMOVED:
            result.pop(name, None)
        elif isinstance(here, Mapping) and inner is not None and not _of_another_kind(here, inner):
            result[name] = _over(here, inner)
        else:
            result[name] = value
    return result


def _of_another_kind(here: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return any(tag in other and here.get(tag) != other[tag] for tag in _TAGS)


# Back from the parts to what was given -------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """Return a part as tables and lists, without fields that are None."""
    if isinstance(value, BaseModel):
        return {name: plain(part) for name, part in value if part is not None}
    return [plain(part) for part in value] if isinstance(value, (tuple, list)) else value


def changes(made: Sequence[Mapping[str, Any]], parts: Iterable[Wheel | Body]) -> list[dict[str, Any]]:
    """Return the fields of wheels or bodies that differ from those generated by the bicycle, as tables with at least a
    name, to be merged over the generated tables.
    """
    by_name = {table["name"]: table for table in made}
    found = []
    for part in parts:
        table = by_name.get(part.name)
        whole = plain(part)
        if table is None:
            found.append(whole)
            continue
        as_made = _alone(type(part), table)
        found.append({"name": part.name} | _difference(plain(as_made) if as_made is not None else plain(table), whole))
    return found


def _difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table that yields the other table when merged over the first."""
    found: dict[str, Any] = {name: REMOVED for name in one if name not in other}
    for name, value in other.items():
        here = one.get(name)
        if isinstance(here, Mapping) and isinstance(value, Mapping) and not _of_another_kind(here, value):
            if inner := _difference(here, value):
                found[name] = inner
        elif here != value:
            found[name] = value
    return found


def in_its_terms(problems: Iterable[Problem], expansion: Expanded) -> list[Problem]:
    """Return problems of wheels and bodies, each reported once, at the fields of the bicycle from which they follow.

    A value specified for a wheel itself is reported under the name of the wheel: ``wheels.cog.mass``.
    """
    if expansion.made is None:
        return [problem for problem in problems if not re.match(r"(wheels|bodies)\b", problem.place)]
    distinct: dict[tuple[str, str], Problem] = {}
    for problem in problems:
        moved = problem._replace(place=_place(problem.place, expansion))
        if both := re.match(r"wheel '([a-z ]+)' overlaps wheels\[\d+\] '([a-z ]+)'", problem.message):
            moved = moved._replace(place=_BETWEEN.get(frozenset(both.groups()), "bicycle.chainstay"))
        if moved.place == _ASIDE:
            message = f"{_STRAIGHT}; {problem.message.partition('; ')[2]}".rstrip("; ")
            moved = moved._replace(message=message, value="false")
        distinct.setdefault((moved.place, moved.message), moved)
    return list(distinct.values())


def _place(place: str, expansion: Expanded) -> str:
    found = re.fullmatch(r"(wheels|bodies)\[(\d+)\](?:\.(.*))?", place)
    parts = expansion.fields.get(found[1], ()) if found else ()
    if found is None or not isinstance(parts, tuple) or int(found[2]) >= len(parts) or expansion.made is None:
        return place
    name, field = str(parts[int(found[2])].get("name")), found[3] or ""
    first = re.split(r"[.\[]", field)[0]
    own = {table["name"] for table in (*expansion.made.wheels, *expansion.made.bodies)}
    if first in expansion.given.get(name, ()) or name not in own:
        return f"{found[1]}.{name}.{field}" if field else f"{found[1]}.{name}"
    if field == "offset":
        return _ASIDE
    return _PLACES.get((name, field)) or _PLACES.get((name, first)) or _PLACES.get((name, "")) or "bicycle"
