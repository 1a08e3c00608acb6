"""Writes a drive as the text of a TOML file. Values are in SI units and not rounded; comments give the units."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pydantic.fields import FieldInfo

from chaindrive.model.base import Model, Quantity, Vector
from chaindrive.model.chain import Chain
from chaindrive.model.closing import AUTO
from chaindrive.model.contact import Contact
from chaindrive.model.links import LINKS
from chaindrive.model.own_law import Law
from chaindrive.model.stage import Stage

if TYPE_CHECKING:
    from chaindrive.model.drive import Drive

__all__ = ["toml_value", "written"]

_LINE = 120


def written(drive: Drive) -> str:
    """Return the drive as TOML. Loading it gives an equal drive.

    Values from the catalogue or estimates are written as comments, with their source.
    """
    beside = drive.beside_bicycle()
    lines = [*_simple_fields(drive.model_copy(update={"notes": tuple(beside["notes"])}) if beside else drive)]
    lines += _chain(drive.chain, "chain")
    for name in ("contact", "preload", "closing", "limits"):
        if not (drive.sheaves and name == "contact"):
            lines += _tables(f"[{name}]", getattr(drive, name))
    lines += _tables("[bicycle]", drive.bicycle, ("derailleur", "tensioner", "rider"))
    for name in ("sheaves", *_LISTS[1:]) if drive.sheaves else _LISTS:
        for part in getattr(drive, name) if name not in beside else ():
            lines += _tables(f"[[{name}]]", part, _WRITTEN_OUT.get(name, ()))
        for table in beside.get(name, ()):
            if len(table) > 1:  # more than its name
                lines += ["", f"[[{name}]]", *(f"{key} = {toml_value(value)}" for key, value in table.items())]
    for stage in drive.stages:
        lines += _stage(stage)
    for rotor in drive.rotors:
        lines += _tables("[[rotors]]", rotor, ("shaft",))
    for machine in drive.machines:
        lines += _tables("[[machines]]", machine)
    lines += _tables("[run]", drive.run, ("formulation", "solver", "save", "steady", "coupling"))
    return "\n".join(lines) + "\n"


def _chain(chain: Chain, header: str) -> Iterator[str]:
    """Yield the lines of a chain, with derived values as comments, and of its tables."""
    yield from ("", f"[{header}]", *_simple_fields(chain), *_filled_in(chain))
    if chain.ends is not None:
        yield from ("ends = [", *(f"  {toml_value(end)}," for end in chain.ends), "]")
    if chain.attachments:
        yield from ("attachments = [", *(f"  {toml_value(each)}," for each in chain.attachments), "]")
    for name in (*LINKS, "scatter", "sideways", "pins", "plates"):
        if name in chain.model_fields_set:
            yield from _tables(f"[{header}.{name}]", getattr(chain, name))


def _stage(stage: Stage) -> Iterator[str]:
    """Yield the lines of an additional chain and its parts."""
    yield from ("", "[[stages]]", *_simple_fields(stage))
    yield from _tables("[stages.shaft]", stage.shaft)
    yield from _chain(stage.chain, "stages.chain")
    for name in ("contact", "closing", "limits"):
        yield from _tables(f"[stages.{name}]", getattr(stage, name))
    for name in _LISTS:
        for part in getattr(stage, name):
            yield from _tables(f"[[stages.{name}]]", part, _WRITTEN_OUT.get(name, ()))


_LISTS = ("wheels", "bodies", "guides", "tensioners", "payloads")


_WRITTEN_OUT = {"bodies": ("joint",), "guides": ("shape", "contact")}
"""The nested tables of list entries that are written under their own header, with units; others are written in one
line."""


def _tables(header: str, part: Model | None, written_out: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the lines of a table under its header, and of its nested tables."""
    if part is None:
        return
    yield from ("", header, *_simple_fields(part))
    inside = {name: value for name in type(part).model_fields if _has_tables(value := getattr(part, name))}
    for name, value in inside.items():
        if name not in written_out:
            yield f"{name} = {toml_value(value)}"
    for name in (each for each in written_out if each in inside):
        yield from _tables(f"[{header.strip('[]')}.{name}]", inside[name])


def _simple_fields(model: Model) -> Iterator[str]:
    """Yield the lines of the fields that are not tables; the tag of a union comes first."""
    fields = type(model).model_fields
    for name in sorted(fields, key=lambda name: name not in ("kind", "form")):
        value = getattr(model, name)
        if value is None or (isinstance(value, tuple) and not value) or _has_tables(value):
            continue
        if isinstance(model, Chain) and name not in model.model_fields_set:
            continue
        if isinstance(model, Chain) and name == "links" and model.links_follow:
            yield f'links = "{AUTO}"  # {value}'
            continue
        unit = _unit(fields[name]) if not isinstance(value, str) else ""
        if isinstance(model, Contact) and name == "stiffness":
            unit = f"N/m^{model.exponent:g}"
        yield f"{name} = {toml_value(value)}" + (f"  # {unit}" if unit else "")


def _filled_in(chain: Chain) -> Iterator[str]:
    for name, source in chain.sources.items():
        if source.startswith(("catalogue", "estimated")) and name in type(chain).model_fields:
            unit = _unit(type(chain).model_fields[name])
            yield f"# {name} = {toml_value(getattr(chain, name))}  # {f'{unit}, ' if unit else ''}{source}"


def _unit(field: FieldInfo) -> str:
    """Return the unit of a quantity. In an optional quantity the annotation is inside the union."""
    return next((part.unit for part in _metadata(field) if isinstance(part, (Quantity, Vector))), "")


def _metadata(field: FieldInfo) -> Iterator[Any]:
    yield from field.metadata
    for argument in getattr(field.annotation, "__args__", ()):
        yield from getattr(argument, "__metadata__", ())


def _has_tables(value: Any) -> bool:
    return isinstance(value, Model) or (isinstance(value, tuple) and bool(value) and isinstance(value[0], Model))


def _key(name: str) -> str:
    """Return a key, in quotes where TOML needs them."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def toml_value(value: Any) -> str:
    """Return a value as TOML writes it: text, number, list, or table in one line."""
    if isinstance(value, Model):
        fields = {name: getattr(value, name) for name in type(value).model_fields}
        return (
            "{ " + ", ".join(f"{name} = {toml_value(part)}" for name, part in fields.items() if part is not None) + " }"
        )
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {toml_value(part)}" for name, part in value.items()) + " }"
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for DEL.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (tuple, list)):
        parts = [toml_value(part) for part in value]
        line = f"[{', '.join(parts)}]"
        if len(line) > _LINE and isinstance(value[0], str):
            return "[\n" + "".join(f"  {part},\n" for part in parts) + "]"
        return line
    if isinstance(value, Law):
        return json.dumps(value.text)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(float(value))  # of numpy's numbers, too
    return repr(value)
