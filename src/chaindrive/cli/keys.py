"""``chaindrive keys``: explains the keys of a drive file in the terminal."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pydantic.fields import FieldInfo

from chaindrive.cli import console
from chaindrive.errors import InputError, Problem
from chaindrive.model import Drive
from chaindrive.model.base import Model
from chaindrive.model.files.keys import DISCRIMINATORS, Key, Table, formulations_of, models_at, tables
from chaindrive.model.problems import nearest
from chaindrive.model.study.description import Study

if TYPE_CHECKING:
    from rich.table import Table as RichTable

__all__ = ["keys", "search_keys"]


_SEVERAL = {"wheel": "wheels", "body": "bodies", "guide": "guides", "tensioner": "tensioners", "payload": "payloads",
            "stage": "stages", "rotor": "rotors", "machine": "machines"}  # fmt: skip
"""Names of the lists in a drive file, by the word for one of their elements."""


class _Place(NamedTuple):
    """What a path leads to: a field, with every table that has this field at this position."""

    path: str
    owners: Sequence[type[Model]]
    name: str

    @property
    def fields(self) -> list[FieldInfo]:
        return [owner.model_fields[self.name] for owner in self.owners]


def keys(path: str) -> None:
    """Explain the key at a path, and list the keys below it; the top level for an empty path.

    Raises InputError for a key that does not exist, with the most similar keys.
    """
    parts = [part for part in re.split(r"[.\[\]]+", path) if part and not part.isdigit()]
    if not parts:
        console.say("A drive's file", "bold")
        _list_of(_table_of(Drive, ""), "")
        console.say("Details of one key: chaindrive keys wheels.motion", "dim")
        return
    if parts[0] not in Drive.model_fields and (several := _SEVERAL.get(parts[0])):
        parts[0] = several
    root = Drive if parts[0] in Drive.model_fields or parts[0] not in Study.model_fields else Study
    place = _place(root, parts, path)
    below = list(dict.fromkeys(model for field in place.fields for model in models_at(field)))
    console.say(place.path if root is Drive else f"{place.path}, in the file of a study", "bold")
    found: dict[Key, list[type[Model]]] = {}
    for owner in place.owners:
        found.setdefault(_key(owner, place.name), []).append(owner)
    for key, owners in found.items():
        if len(found) > 1:
            console.say(f"  where {' or '.join(filter(None, map(_distinguishing_key, owners)))}", "bold")
        _show(key, _Place(place.path, owners, place.name), below, root)
    for model in below:
        console.say()
        _list_of(_table_of(model, place.path), place.path)


def search_keys(word: str) -> None:
    """List all keys of a drive file that have a word in their name or meaning. Raises InputError if there are none."""
    wanted = word.strip().lower()
    everything = dict(_all_keys(Drive))
    found = {
        path: key
        for path, key in everything.items()
        if wanted and (wanted in key.name.lower() or wanted in key.text.lower())
    }
    if not found:
        names = dict.fromkeys(key.name for key in everything.values())
        raise InputError(
            Problem("--search", f"no key contains this in its name or meaning{nearest(word, names)}", repr(word))
        )
    listed = console.table("key", "unit", "default", "meaning")
    once = {
        path: key for path, key in found.items() if path.removeprefix("stages.") not in found or path[:7] != "stages."
    }
    for path, key in sorted(once.items(), key=lambda each: (wanted not in each[1].name.lower(), each[0])):
        _add_key(listed, path, key)
    console.out().print(listed)


def _place(root: type[Model], parts: Sequence[str], typed: str) -> _Place:
    owners: list[type[Model]] = [root]
    for count, part in enumerate(parts):
        having = [owner for owner in owners if part in owner.model_fields]
        if not having:
            raise InputError(_unknown(root, owners, parts[:count], part, typed))
        if count == len(parts) - 1:
            return _Place(".".join(parts), having, part)
        owners = [model for owner in having for model in models_at(owner.model_fields[part])]
    raise AssertionError("a path has parts")


def _unknown(root: type[Model], owners: Sequence[type[Model]], before: Sequence[str], part: str, typed: str) -> Problem:
    """Return the error in a path, with the existing keys and other places that have a key with this name."""
    place = ".".join(before)
    known = list(dict.fromkeys(name for owner in owners for name in owner.model_fields))
    if not known:
        return Problem("key", f"{place} has no keys below it", repr(typed))
    elsewhere = list(dict.fromkeys(path for path, key in _all_keys(root) if key.name == part))
    hint = nearest(part, known)
    if elsewhere:
        hint = f"; elsewhere there {'is' if len(elsewhere) == 1 else 'are'} {', '.join(elsewhere[:6])}"
        hint += f" and {len(elsewhere) - 6} more." if len(elsewhere) > 6 else "."
    listed = f" {place or 'A drive'} has: {', '.join(known)}"
    return Problem("key", f"there is no {part!r}{f' in {place}' if place else ''}{hint or '.'}{listed}", repr(typed))


def _all_keys(root: type[Model]) -> Iterator[tuple[str, Key]]:
    """Yield every key of a file, with its path."""
    for table in tables(root):
        for path in table.paths:
            plain = path.replace("[]", "")
            yield from ((f"{plain}.{key.name}" if plain else key.name, key) for key in table.keys)


def _table_of(model: type[Model], path: str) -> Table:
    root = Study if model is Study else Drive
    found = next((table for table in tables(root) if table.model is model), None)
    return found or next(table for table in tables(Study) if table.model is model)


def _key(owner: type[Model], name: str) -> Key:
    return next(key for key in _table_of(owner, "").keys if key.name == name)


def _show(key: Key, place: _Place, below: Sequence[type[Model]], root: type[Model]) -> None:
    rows = [("what", _plain(key.text))]
    rows += [("type", _type(key, below))]
    rows += [("unit", f"{key.unit}, or a text with its unit")] if key.unit else []
    if key.name not in DISCRIMINATORS or key.default:
        rows += [("default", _plain(key.default) or "required")]
    kinds = [each for each in map(_distinguishing_key, below) if each]
    rows += [("allowed", f"{_plain(key.allowed)}: {'; '.join(kinds)}" if kinds else _plain(key.allowed))]
    if root is Drive:
        rows += [("formulations", ", ".join(_formulations(place)))]
    console.out().print(console.grid(*rows, indent=2))


def _distinguishing_key(model: type[Model]) -> str:
    """Return the key that distinguishes the table from others in the same place, such as "kind = 'constant_speed'";
    empty if there is none.
    """
    key = next((key for key in _table_of(model, "").keys if _distinguishes(key)), None)
    return f"{key.name} = {_plain(key.allowed)}" if key else ""


def _distinguishes(key: Key) -> bool:
    one = key.allowed[:1] == "`" and "," not in key.allowed
    return (key.name in DISCRIMINATORS and key.allowed[:1] == "`") or (key.name == "over" and one)


def _formulations(place: _Place) -> tuple[str, ...]:
    """Return the formulations that support the key. An option of a formulation is supported by the formulations whose
    tables contain it.
    """
    if place.path.startswith("run.formulation."):
        kinds = [owner.model_fields["kind"].default for owner in place.owners if "kind" in owner.model_fields]
        if all(isinstance(kind, str) for kind in kinds) and kinds:
            return tuple(kinds)
    return formulations_of(place.path)


def _type(key: Key, below: Sequence[type[Model]]) -> str:
    if below and key.unit:
        return "quantity, a table, or a list of these" if "a list" in key.allowed else "quantity, or a table"
    if below:
        listed = "list of tables" if key.allowed.startswith("a list") else "table"
        if len(below) == 1:
            return listed
        distinguishing = [field for field in DISCRIMINATORS if all(field in model.model_fields for model in below)]
        return f"{listed}, one of {len(below)}, distinguished by {distinguishing[0]!r}" if distinguishing else listed
    if key.allowed.startswith("whole"):
        return "whole number"
    if key.allowed.startswith("[x, y]"):
        return "list of two quantities"
    if key.allowed.startswith("a list, each"):
        return "list of quantities"
    if key.unit or re.match(r"[>≥≤\d-]", key.allowed) or key.allowed.startswith("any number"):
        return "quantity, or a list with one for each" if "a list of these" in key.allowed else "quantity"
    if key.allowed.startswith("`"):
        return "one of the words below"
    return "true or false" if key.default in ("`true`", "`false`") else "text" if "text" in key.allowed else "value"


def _list_of(table: Table, path: str) -> None:
    """Print the keys of a table: key, unit, default and meaning."""
    distinguishing = _distinguishing_key(table.model)
    if path:
        console.say(distinguishing or "its keys", "bold")
        console.out().print(console.printable(_first_sentence(table.model)), style="dim")
    listed = console.table("key", "unit", "default", "meaning")
    for key in table.keys:
        if not distinguishing or key.name != distinguishing.partition(" ")[0]:
            _add_key(listed, key.name, key)
    console.out().print(listed)


def _add_key(listed: RichTable, name: str, key: Key) -> None:
    listed.add_row(name, key.unit, _plain(key.default) or "required", console.printable(_plain(key.text)))


def _first_sentence(model: type[Model]) -> str:
    text = " ".join(inspect.cleandoc(model.__doc__ or "").split("\n\n")[0].split())
    return _plain(text)


def _plain(text: str) -> str:
    return text.replace(":attr:", "").replace(":class:", "").replace("`", "")
