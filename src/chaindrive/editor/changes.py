"""Changes to the file of a drive.

Only the changed parts are rewritten; comments, order and units of everything else are kept.
"""

from __future__ import annotations

import copy
import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeAlias

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Array, InlineTable, Table

from chaindrive.errors import InputError, Problem
from chaindrive.model.files.toml import toml_value
from chaindrive.model.problems import shown
from chaindrive.units import factor_of, parse_unit

__all__ = ["Change", "Place", "applied", "change_of", "changed", "in_unit_of", "with_units"]

Place: TypeAlias = tuple[str | int, ...]
"""The path to a value, such as ("wheels", 2, "teeth")."""
DEEPEST = 12
"""Largest number of steps in a path; the paths of a drive are shorter."""
LARGEST_TEXT = 1_000_000
"""Largest number of characters of the values in a change, written as TOML."""
_KEY = re.compile(r"[A-Za-z0-9_-]{1,100}")
_HEADING = re.compile(r"\s*\[{1,2}[\w.-]+\]{1,2}\s*(#.*)?$")
_NUMBER_WITH_UNIT = re.compile(r"\s*[+-]?[\d.]+(?:[eE][+-]?\d+)?\s*(?P<unit>\D.*?)\s*")


class Change(NamedTuple):
    """One change to a file."""

    kind: Literal["set", "add", "remove", "move"]
    """set: set the value of an existing or new key; add: insert an element into a list, before a position or at the
    end; remove: remove a key or an element of a list; move: move an element of a list to another position."""
    path: Place
    """Path of the value that is set, removed or moved; for ``add``, the path of the list, which is created if it does
    not exist."""
    value: Any = None
    """Value of ``set`` and ``add``: text, number, bool, list or table."""
    to: int | None = None
    """New position in the list for ``move`` and ``add``, not counting the moved element itself; None: the end."""


def change_of(given: object) -> Change:
    """Return a change from the JSON data of a request. Raises InputError for anything else."""
    if not isinstance(given, Mapping):
        raise InputError(Problem("change", "must be a table with kind, path and value", shown(given)))
    kind, path, to = given.get("kind"), given.get("path"), given.get("to")
    if kind not in ("set", "add", "remove", "move"):
        raise InputError(Problem("kind", "must be set, add, remove or move", shown(kind)))
    if not isinstance(path, list) or not 1 <= len(path) <= DEEPEST or not all(_is_step(step) for step in path):
        raise InputError(Problem("path", "must be a list of keys and list positions", shown(path)))
    if to is not None and (isinstance(to, bool) or not isinstance(to, int) or to < 0):
        raise InputError(Problem("to", "must be a position in the list, counted from 0", shown(to)))
    value = given.get("value")
    if kind in ("set", "add"):
        _check_value(value, DEEPEST)
        if len(toml_value(value)) > LARGEST_TEXT:
            raise InputError(Problem("value", f"must not have more than {LARGEST_TEXT} characters"))
    return Change(kind, tuple(path), value, to)


def _is_step(step: object) -> bool:
    if isinstance(step, str):
        return _KEY.fullmatch(step) is not None
    return isinstance(step, int) and not isinstance(step, bool) and 0 <= step < 1_000_000


def _check_value(value: object, levels: int) -> None:
    """Refuse values that TOML cannot represent."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InputError(Problem("value", "must be valid Unicode text")) from None
    elif isinstance(value, float) and not math.isfinite(value):
        raise InputError(Problem("value", "must be a finite number", repr(value)))
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise InputError(Problem("value", "must be a number of at most 64 bits"))
    elif isinstance(value, list | dict) and levels == 0:
        raise InputError(Problem("value", f"may have at most {DEEPEST} levels of lists and tables"))
    elif isinstance(value, dict):
        for key, part in value.items():
            if not _is_step(key):
                raise InputError(Problem("value", "has an invalid key", shown(key)))
            _check_value(part, levels - 1)
    elif isinstance(value, list):
        for part in value:
            _check_value(part, levels - 1)
    elif value is None or not isinstance(value, str | int | float):
        raise InputError(Problem("value", "must be text, a number, true, false, a list or a table", shown(value)))


def changed(text: str, changes: Sequence[Change]) -> str:
    """Return the text of a file after changes have been made one after the other.

    Raises InputError if the text is not TOML, and for a change that is not possible, with its place.
    """
    try:
        expected = tomllib.loads(text)
        file = tomlkit.parse(text)
        for change in changes:
            _check_place(expected, change)
            _change(file, change)
            _change(expected, change)
        after = file.as_string()
        exact = tomllib.loads(after) == expected
        if exact and tomllib.loads(spaced := _spaced(text, after)) == expected:
            after = spaced
    except (tomllib.TOMLDecodeError, TOMLKitError, RecursionError) as error:
        raise InputError(Problem("", f"is not valid TOML: {error}")) from None
    if not exact:
        message = "the editor cannot make this change because of the way the file is written; make it in a text editor"
        raise InputError(Problem(".".join(str(step) for step in changes[-1].path), message))
    return after


def applied(fields: Mapping[str, Any], changes: Sequence[Change]) -> dict[str, Any]:
    """Return the content of a file after changes, without writing it.

    The changes are made in a copy that shares its unchanged parts with ``fields``. Raises InputError as ``changed``
    does.
    """
    found: dict[str, Any] = dict(fields)
    for change in changes:
        _check_place(found, change)
        here: Any = found
        for step in change.path[:-1] if change.kind != "add" else change.path:
            if isinstance(here, dict) and step not in here:
                break
            here[step] = copy.copy(here[step])
            here = here[step]
        _change(found, change)
    return found


def with_units(fields: Any, change: Change) -> Change:
    """Return a change that sets a point [m], converted to the units of that point in the file."""
    for step in change.path:
        try:
            fields = fields[step]
        except (KeyError, IndexError, TypeError):
            fields = None
    present = fields if isinstance(fields, list) and len(fields) == 2 else [None, None]
    return change._replace(
        value=[in_unit_of(old, new, "mm", 3) for old, new in zip(present, change.value, strict=True)]
    )


def in_unit_of(present: Any, value: float, unit: str, decimals: int = 6) -> str | float:
    """Return a value given in SI units, written in the unit of the present value.

    present: the value in the file, which is a number (in SI units) or a string with a unit; if it is anything else, the
    result is written in ``unit``. decimals: number of decimals in ``unit``; in other units the resolution is the same
    to within a power of ten.
    """
    if isinstance(present, int | float) and not isinstance(present, bool):
        digits = decimals + round(-math.log10(parse_unit(unit).factor))
        return float(round(value, digits)) + 0.0
    found = _NUMBER_WITH_UNIT.fullmatch(present) if isinstance(present, str) else None
    own = found["unit"].strip() if found else unit
    try:
        factor = factor_of(own, unit)
    except ValueError:
        own, factor = unit, parse_unit(unit).factor
    finer = math.floor(math.log10(factor / parse_unit(unit).factor))
    number = round(value / factor, max(0, decimals + finer)) + 0.0
    return f"{number:.12g} {own}"


def _spaced(before: str, after: str) -> str:
    """Return the text with an empty line above every heading that directly follows a value, except those that did so
    before the change.
    """
    tight = {line for _, line in _tight_places(before.split("\n"))}
    lines = after.split("\n")
    wanted = {k for k, line in _tight_places(lines) if line not in tight}
    return "\n".join("\n" + line if k in wanted else line for k, line in enumerate(lines))


def _tight_places(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the headings directly below a value, with their line numbers."""
    for k, (above, line) in enumerate(pairwise(lines), start=1):
        if _HEADING.match(line) and above.strip() and not above.lstrip().startswith("#"):
            yield k, line


def _check_place(fields: Any, change: Change) -> None:
    """Refuse a change to something that does not exist, or one that is not possible in a list or a table."""
    here, path = fields, change.path
    made = change.kind in ("set", "add")
    for count, step in enumerate(path[:-1]):
        place = _text(path[: count + 1])
        if isinstance(here, dict) and isinstance(step, str):
            if step not in here:
                if made and not any(isinstance(rest, int) for rest in path[count + 1 :]):
                    return
                raise InputError(Problem(place, "does not exist"))
            here = here[step]
        else:
            here = _part(here, step, place)
    last, place = path[-1], _text(path)
    if change.kind in ("set", "remove") and isinstance(last, str):
        if not isinstance(here, dict):
            raise InputError(Problem(place, "must be a key of a table"))
        if change.kind == "remove" and last not in here:
            raise InputError(Problem(place, "does not exist"))
    elif change.kind == "add":
        if not isinstance(here, dict | list):
            raise InputError(Problem(place, "must be a key of a table"))
        there = here.get(last, []) if isinstance(here, dict) else _part(here, last, place)
        if not isinstance(there, list) or not isinstance(last, str):
            raise InputError(Problem(place, "is not a list"))
        if change.to is not None and change.to > len(there):
            raise InputError(Problem(place, f"has only {len(there)} elements", str(change.to)))
    else:
        _part(here, last, place)
        if change.kind == "move" and (change.to is None or change.to >= len(here)):
            raise InputError(Problem(place, f"can be moved to a position from 0 to {len(here) - 1}", str(change.to)))


def _part(here: Any, step: str | int, place: str) -> Any:
    if not isinstance(here, list) or not isinstance(step, int) or step >= len(here):
        raise InputError(Problem(place, "does not exist"))
    return here[step]


def _text(path: Place) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def _change(root: Any, change: Change) -> None:
    """Make a change in plain tables and lists, or in those of tomlkit."""
    here, last = root, change.path[-1]
    for count, step in enumerate(change.path[:-1]):
        if isinstance(step, str) and step not in here:
            plain = isinstance(here, InlineTable) or not _is_tomlkit(here)
            here[step] = {} if plain else tomlkit.table(is_super_table=count + 2 < len(change.path))
        here = here[step]
    if change.kind == "set":
        _set(here, last, change.value)
    elif change.kind == "remove":
        if isinstance(here, Array):
            _rebuilt(here, [part for k, part in enumerate(here) if k != last])
        else:
            del here[last]
    elif change.kind == "add":
        _add(here, last, change.value, change.to)
    else:
        _move(here, int(last), int(change.to or 0))


def _is_tomlkit(here: Any) -> bool:
    return type(here).__module__.startswith("tomlkit")


def _set(here: Any, key: str | int, value: Any) -> None:
    if not _is_tomlkit(here):
        here[key] = value
    elif isinstance(here, AoT):
        if not isinstance(value, dict):
            raise InputError(Problem(f"[{key}]", "must be a table", shown(value)))
        here[int(key)] = _as_table(value)
    elif key in here and isinstance(here[key], Table | AoT):
        here[key] = _as_table(value) if isinstance(value, dict) and isinstance(here[key], Table) else _item(value)
    else:
        here[key] = _item(value)


def _as_table(value: dict[str, Any]) -> Any:
    table = tomlkit.table()
    for key, part in value.items():
        table[key] = _item(part)
    return table


def _item(value: Any) -> Any:
    """Return a value as an item on one line."""
    return tomlkit.value(toml_value(value))


def _add(here: Any, key: str | int, value: Any, to: int | None) -> None:
    if not _is_tomlkit(here):
        there = here.setdefault(key, []) if isinstance(here, dict) else here[key]
        there.insert(len(there) if to is None else to, value)
        return
    there = here.get(key)
    if there is None:
        if isinstance(value, dict) and not isinstance(here, InlineTable):
            here[key] = tomlkit.aot()
            here[key].append(_as_table(value))
        else:
            here[key] = _item([value])
        return
    at = len(there) if to is None else to
    if isinstance(there, AoT):
        table = _as_table(value)
        if len(there):  # an empty line behind the last one
            table.trivia.indent = there[-1].trivia.indent
        there.insert(at, table)
    else:
        parts = list(there)
        parts.insert(at, _item(value))
        _rebuilt(there, parts)


def _move(here: Any, start: int, to: int) -> None:
    if isinstance(here, Array):
        parts = list(here)
        parts.insert(to, parts.pop(start))
        _rebuilt(here, parts)
    else:
        part = here[start]
        del here[start]
        here.insert(to, part)


def _rebuilt(array: Any, parts: list[Any]) -> None:
    """Replace the elements of an array, but keep its format."""
    several = "\n" in array.as_string()
    array.clear()
    array.extend(parts)
    array.multiline(several)
