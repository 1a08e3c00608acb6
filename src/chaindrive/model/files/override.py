"""Changes individual values of a drive."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from pydantic import BaseModel

from chaindrive.errors import InputError, Problem
from chaindrive.model.base import typed
from chaindrive.model.problems import models_in, nearest

if TYPE_CHECKING:
    from chaindrive.model.drive import Drive

__all__ = ["override"]


def override(drive: Drive, changes: Mapping[str, Any]) -> Drive:
    """Return the drive with individual values changed, validated again.

    changes: values by path, such as {"wheels.0.motion.speed": "90 rpm"}; a wheel is given by its index, as
    ``wheels.0`` or ``wheels[0]``, or by its name, ``wheels.crankshaft``. A string that contains a number, true, false,
    or a TOML list, table or quoted string is read as such, and "none" removes a value; in a text field, a number
    remains text.

    Raises InputError for values that are not allowed and for a path that does not exist, for which it suggests the
    nearest name.
    """
    fields = drive.to_dict()
    for path, value in changes.items():
        _of_another_kind(drive, fields, path, value)
    problems: list[Problem] = []
    for path, value in changes.items():
        try:
            _set(fields, path, _literal(value))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    if drive.bicycle is not None:  # tables with only a name, added so that they are found
        fields |= {part: [table for table in fields[part] if set(table) != {"name"}] for part in ("wheels", "bodies")}
    return type(drive).from_dict(fields)


def _of_another_kind(drive: Drive, fields: dict[str, Any], path: str, value: Any) -> None:
    """If a path sets the kind of a table (``kind``, ``form``, ...), reduce the table to the keys of that kind.

    Specified values are kept if the new kind has them too; defaults of the previous kind are not.
    """
    *parts, tag = _parts(path) or [""]
    here: Any = fields
    model: Any = drive
    members: list[type[BaseModel]] = []
    for part in parts:
        if isinstance(here, list):
            try:
                number = _index(here, part, path)
            except InputError:  # reported when the value is set
                return
            here = here[number]
            name = here.get("name") if isinstance(here, dict) else None
            model = next((each for each in model if name and name == getattr(each, "name", "")), model[number])
        else:
            if not isinstance(here, dict) or not isinstance(model, BaseModel) or part not in type(model).model_fields:
                return
            members = list(models_in(type(model).model_fields[part].annotation))
            here, model = here.get(part), getattr(model, part)
    kinds = [member for member in members if value in _words_of(member, tag)]
    if not kinds or type(model) in kinds or not isinstance(here, dict):
        return
    other = kinds[0]
    kept = {name: here[name] for name in _changed_fields(model) if name in other.model_fields and name in here}
    here.clear()
    here.update(kept)


def _changed_fields(model: BaseModel) -> list[str]:
    """Return the fields of a table that differ from their defaults."""
    fields = type(model).model_fields
    return [name for name in model.model_fields_set if getattr(model, name) != fields[name].default]


def _words_of(model: type[BaseModel], name: str) -> tuple[Any, ...]:
    """Return the words allowed in a field of a table; empty if the field is not limited to certain words."""
    field = model.model_fields.get(name)
    kinds = (field.annotation, *get_args(field.annotation)) if field else ()
    return tuple(word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind))


def _literal(value: Any) -> Any:
    """Convert text from a command line to the value that it represents."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.lower() == "none":
        return None
    if (number := typed(text)) is not None:
        return number
    if text in {"true", "false"}:
        return text == "true"
    if text[:1] in {"[", "{", '"'}:
        try:
            return tomllib.loads(f"value = {text}")["value"]
        except (ValueError, RecursionError):
            return value
    return value


def _set(fields: dict[str, Any], path: str, value: Any) -> None:
    """Set a value in nested tables at a dotted path. An unknown last name is left for validation to report."""
    parts = _parts(path)
    if not parts:
        raise InputError(Problem(str(path), "is not the path of a value, such as wheels.0.motion.speed"))
    here: Any = fields
    for count, part in enumerate(parts):
        place = ".".join(parts[: count + 1])[:200]
        last = count == len(parts) - 1
        key: Any = _index(here, part, place) if isinstance(here, list) else part
        if last:
            here[key] = value
            return
        if isinstance(here, dict) and here.get(key) is None:
            here[key] = {}
        here = here[key]
        if not isinstance(here, (dict, list)):
            raise InputError(Problem(place, f"is a single value: there is no {'.'.join(parts[count + 1 :])!r} in it"))


def _parts(path: str) -> list[str]:
    return [part for part in re.split(r"[.\[\]]+", str(path)) if part]


def _index(here: list[Any], part: str, place: str) -> int:
    names = [str(item.get("name")) for item in here if isinstance(item, dict)]
    if part in names:
        return names.index(part)
    if re.fullmatch(r"\d{1,9}", part) and int(part) < len(here):
        return int(part)
    hint = nearest(part, names) if names else ""
    raise InputError(Problem(place, f"does not exist: an index from 0 to {len(here) - 1} or a name is needed{hint}"))
