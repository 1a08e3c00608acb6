"""Converts errors of pydantic to messages for users, with the place, the value, what is allowed, and the nearest known
name.
"""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Literal, ParamSpec, TypeVar

from pydantic import BaseModel, Tag, ValidationError

from chaindrive.errors import InputError, Problem
from chaindrive.renamed import new_name

__all__ = ["models_in", "nearest", "nearest_of", "place_of", "problems_of", "shown", "spelled"]

_LONGEST_VALUE = 60
_MEANT = {
    "arms": "bodies", "body": "bodies", "center": "position", "centre": "position", "dt": "step",
    "duration": "until", "end": "until", "end_time": "until", "gears": "wheels", "load": "load_torque",
    "mu": "friction", "number_of_teeth": "teeth", "pulleys": "wheels", "rails": "guides",
    "rpm": "speed motion", "simulation": "run", "speed": "motion", "springs": "tensioners", "sprocket": "wheels",
    "sprockets": "wheels", "t_end": "until", "tightener": "tensioners", "time": "until", "tooth_form": "tooth",
    "type": "kind form", "x": "position", "y": "position", "z": "teeth",
}  # fmt: skip
"""Fields of a drive that correspond to names used in other programs and on drawings; if several are given, the table in
question has one of them."""

P = ParamSpec("P")
T = TypeVar("T")


def spelled(function: Callable[P, T]) -> Callable[P, T]:
    """Make a function raise InputError for unknown arguments, with the nearest known names."""
    known = [name for name, each in inspect.signature(function).parameters.items() if each.kind != each.VAR_KEYWORD]

    @functools.wraps(function)
    def checked(*arguments: P.args, **named: P.kwargs) -> T:
        wrong = [name for name in named if name not in known]
        if wrong:
            none = f"is not an argument of {function.__name__}"
            raise InputError([Problem(name, none + nearest_of(name, known, len(known))) for name in wrong])
        return function(*arguments, **named)

    return checked


def problems_of(error: ValidationError, model: type[BaseModel]) -> list[Problem]:
    """Return all errors from the validation of ``model`` as problems, in the order of the fields."""
    entries = [dict(entry) for entry in error.errors(include_url=False)]
    return [_problem(entry, model) for entry in entries if not _only_seems_short(entry)]


def nearest(name: str, known: Iterable[str], count: int = 1) -> str:
    """Return a hint such as ``; did you mean 'teeth'?``, or the new name of a renamed field; empty if no known name is
    similar.
    """
    if new := new_name(str(name), tuple(known := tuple(known))):
        return f"; it is now called {new!r}."
    if meant := next((field for field in _MEANT.get(str(name).lower(), "").split() if field in known), ""):
        return f"; did you mean {meant!r}?"
    by_lower = {candidate.lower(): candidate for candidate in known}
    found = [by_lower[near] for near in get_close_matches(str(name)[:100].lower(), by_lower, count, 0.5)]
    return f"; did you mean {' or '.join(repr(near) for near in found)}?" if found else ""


def nearest_of(name: str, known: Sequence[str], most: int = 12) -> str:
    """Return a hint such as ``; did you mean 'motor'?``, or the existing names: ``; available: motor, conveyor``."""
    there = f"{', '.join(known[:most])}{' ...' if len(known) > most else ''}"
    return nearest(name, known) or f"; available: {there}"


def shown(value: object) -> str:
    """Return a value as a user would write it, shortened."""
    if isinstance(value, BaseModel):
        return f"a {type(value).__name__}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) >= 10**_LONGEST_VALUE:
        return "a number with more than 60 digits"
    if isinstance(value, (str, bytes)) and len(value) > _LONGEST_VALUE:
        value = value[: _LONGEST_VALUE + 1]
    try:
        text = repr(value)
    except RecursionError:
        return "a value nested too deeply to be shown"
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + "..."


def place_of(location: Iterable[str | int]) -> str:
    """Return the place as text: ``wheels[2].teeth`` for ("wheels", 2, "teeth")."""
    place = ""
    for part in location:
        if isinstance(part, int):
            place += f"[{part}]"
        else:
            place += f".{part}" if place else part
    return place


def _problem(entry: dict[str, Any], root: type[BaseModel]) -> Problem:
    location, owner, candidates = _resolved(entry["loc"], root)
    kind, given, context = entry["type"], entry["input"], entry.get("ctx", {})
    value = shown(given) if given is not None else ""
    if kind == "missing":
        return Problem(place_of(location), f"is missing{_description(owner, location)}")
    if kind == "extra_forbidden":
        known = list(owner.model_fields) if owner else []
        if others := _owners(entry["loc"], root):
            message = f"applies to {others}, not to {str(entry['loc'][-2])!r}: omit it, or change the kind"
            return Problem(place_of(location), message, value)
        name = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(location[-1])[:100])
        hint = nearest(name, known) or "."
        return Problem(place_of([*location[:-1], name]), f"is not a known field{hint} Known: {', '.join(known)}", value)
    if kind in {"union_tag_not_found", "union_tag_invalid"}:
        return _of_union(location, given, str(context["discriminator"]).strip("'"), candidates)
    if kind in _NO_TABLE:
        return Problem(place_of(location), f"must be a table{_such_as(given, candidates)}", value)
    return Problem(place_of(location), _message(kind, given, context, entry["msg"]), value)


_NO_TABLE = ("model_type", "model_attributes_type", "dict_type", "dataclass_type")
"""Types of pydantic errors for a value of a different type where a table is expected."""


def _such_as(given: Any, models: list[type[BaseModel]]) -> str:
    """Return the end of a message that shows how to write a table instead of a value, with its required keys. The table
    is of the kind that the value names, or else of the first kind.
    """
    if isinstance(given, (list, tuple)):
        return " of fields: write one heading with single brackets"
    kinds = {
        word: f"{name} = {word!r}"
        for model in reversed(models)
        for name, field in model.model_fields.items()
        for word in typing.get_args(field.annotation)
        if typing.get_origin(field.annotation) is Literal and len(typing.get_args(field.annotation)) == 1
    }
    chosen = given if isinstance(given, str) and given in kinds else next(reversed(kinds), "")
    model = next((model for model in models if not kinds or chosen in _literals(model)), None)
    needed = [f"{name} = ..." for name, field in model.model_fields.items() if field.is_required()] if model else []
    written = ", ".join([*([kinds[chosen]] if chosen else []), *needed])
    return f", such as {{ {written} }}" if written else " of fields"


def _owners(location: Sequence[str | int], root: type[BaseModel]) -> str:
    """Return the other members of a union that have a field unknown to the member at ``location``, such as "kind =
    'link'".
    """
    *before, tag, name = location if len(location) > 1 else ("", "", *location)
    members = _resolved(before, root)[2] if before and tag else []
    if len(members) < 2:
        return ""
    chosen = [field for model in members if tag in _literals(model) for field in _tag_fields(model, tag)]
    owners = [
        f"{field} = {word!r}"
        for model in members
        if name in model.model_fields and tag not in _literals(model)
        for field in dict.fromkeys(chosen)
        if field in model.model_fields
        for word in typing.get_args(model.model_fields[field].annotation)
    ]
    return " and ".join([", ".join(owners[:-1]), owners[-1]] if len(owners) > 1 else owners)


def _tag_fields(model: type[BaseModel], tag: object) -> list[str]:
    """Return the names of the fields that select the member of a union."""
    return [name for name, field in model.model_fields.items() if typing.get_args(field.annotation) == (tag,)]


def _of_union(location: list[str | int], given: Any, tag: str, models: list[type[BaseModel]]) -> Problem:
    """Return the problem of a table whose ``tag`` (``form``, ``kind``) does not select one of ``models``."""
    fields = [model.model_fields[tag] for model in models if tag in model.model_fields]
    tags = [word for field in fields for word in typing.get_args(field.annotation)]
    place = place_of([*location, tag])
    found = given.get(tag) if isinstance(given, Mapping) else getattr(given, tag, None)
    if found is None:
        return Problem(place, f"is missing: one of {_listed(tags)}")
    return Problem(place, f"must be one of {_listed(tags)}{nearest(str(found), tags)}", shown(found))


def _message(kind: str, given: Any, context: dict[str, Any], fallback: str) -> str:
    if kind == "value_error":
        return str(context["error"])
    if kind == "literal_error":
        allowed = context["expected"]
        near = (
            nearest(given, [part.strip("' ") for part in allowed.replace(" or ", ",").split(",")])
            if isinstance(given, str)
            else ""
        )
        return f"must be {allowed}{near}"
    if kind in {"tuple_type", "list_type"}:
        several = isinstance(given, Mapping)
        return "must be a list: write a heading with double brackets for each entry" if several else "must be a list"
    if kind == "string_type":
        number = isinstance(given, (int, float)) and not isinstance(given, bool)
        return f'must be text: write it in quotes, "{given}"' if number else "must be text"
    if kind in {"greater_than_equal", "greater_than", "less_than_equal", "less_than"}:
        words = {
            "greater_than_equal": "at least",
            "greater_than": "above",
            "less_than_equal": "at most",
            "less_than": "below",
        }
        bound = next(context[key] for key in ("ge", "gt", "le", "lt") if key in context)
        return f"must be {words[kind]} {bound:g}"
    if kind == "too_short":
        return f"needs at least {context['min_length']}, but there {_are(context['actual_length'])}"
    if kind == "too_long":
        return f"may have at most {context['max_length']}"
    if kind == "string_too_long":
        return f"may have at most {context['max_length']} characters"
    return fallback[:1].lower() + fallback[1:]


def _only_seems_short(entry: dict[str, Any]) -> bool:
    """Return whether a list seems too short only because pydantic does not count its invalid items."""
    return entry["type"] == "too_short" and len(entry["input"]) >= entry["ctx"]["min_length"]


def _are(count: int) -> str:
    return {0: "are none", 1: "is one"}.get(count, f"are {count}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)


def _description(owner: type[BaseModel] | None, location: list[str | int]) -> str:
    field = owner.model_fields.get(str(location[-1])) if owner and location else None
    text = field.description if field else None
    return f": {text[0].lower()}{text[1:].rstrip('.')}" if text else ""


def _resolved(
    location: Iterable[str | int], root: type[BaseModel]
) -> tuple[list[str | int], type[BaseModel] | None, list[type[BaseModel]]]:
    """Return the location without the tags that pydantic inserts for unions, the model that owns its last field, and
    the models that this field may hold.
    """
    plain: list[str | int] = []
    owner: type[BaseModel] | None = root
    candidates: list[type[BaseModel]] = [root]
    tags: dict[str | int, list[type[BaseModel]]] = {}
    for part in location:
        if part in tags:
            candidates = tags.pop(part) or candidates
            continue
        tagged = [model for model in candidates if part in _literals(model)] if len(candidates) > 1 else []
        if tagged:
            candidates = tagged
            continue
        plain.append(part)
        if isinstance(part, str):
            owner = candidates[0] if candidates else None
            field = owner.model_fields.get(part) if owner else None
            candidates = list(dict.fromkeys(models_in(field.annotation))) if field else []
            tags = dict(_tags_in(field.annotation)) if field else {}
    return plain, owner, candidates


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield the models that a field with this annotation may hold."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        return
    for argument in typing.get_args(annotation):
        yield from models_in(argument)


def _tags_in(annotation: Any) -> Iterator[tuple[str, list[type[BaseModel]]]]:
    """Yield the tags of a union whose members are selected by a function, each with its models."""
    for part in getattr(annotation, "__metadata__", ()):
        if isinstance(part, Tag):
            yield part.tag, list(dict.fromkeys(models_in(annotation)))
    for argument in typing.get_args(annotation):
        yield from _tags_in(argument)


def _literals(model: type[BaseModel]) -> set[Any]:
    return {
        value
        for field in model.model_fields.values()
        for value in typing.get_args(field.annotation)
        if isinstance(value, str)
    }
