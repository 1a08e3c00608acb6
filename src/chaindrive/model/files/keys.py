"""Every table and key of a drive or study file, with unit, default, allowed values and meaning, taken from the
models.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic.fields import FieldInfo

from chaindrive.model.base import Model, NumberOrName, Quantities, Quantity, Vector, Whole
from chaindrive.model.formulation import RollerOptions

__all__ = ["DISCRIMINATORS", "TAKEN_BY", "Key", "Table", "formulations_of", "models_at", "parts_of", "tables"]

ALL = ("roller", "link", "spatial", "block")
"""Kinds of the formulations of chains with rollers."""
TAKEN_BY: dict[str, tuple[str, ...]] = {
    "sheaves": ("cvt",),
    "chain.pins": ("cvt",),
    "chain.plates": ("cvt",),
    "chain.pitches": ("cvt",),
    "chain.link_inertia": ("cvt",),
    "guides": ("roller", "link", "spatial"),
    "tensioners": ("roller", "link", "spatial"),
    "wheels.offset": ("spatial",),
    "wheels.lateral_stiffness": ("spatial",),
    "wheels.lateral_damping": ("spatial",),
    "wheels.lateral_motion": ("spatial",),
    "wheels.cogs": ("spatial",),
    "wheels.gates": ("spatial",),
    "wheels.tooth_width": ("spatial",),
    "wheels.tooth_width_wide": ("spatial",),
    "wheels.shaft": ("roller", "link", "spatial"),
    "wheels.freewheel": ("roller", "link", "spatial"),
    "chain.ends": ("roller", "link"),
    "stages": ("roller", "link", "block"),
    "rotors": ("roller", "link", "block"),
    "chain.elongation": ("roller", "link", "spatial", "cvt"),
    "chain.wear": ("roller", "link", "spatial", "cvt"),
    "chain.scatter": ("roller", "link", "spatial", "cvt"),
    "chain.attachments": ("roller", "link", "spatial"),
    "payloads": ("roller", "link"),
    "chain.joint_clearance": ("link", "spatial"),
    "chain.sideways": ("spatial",),
    "preload.sag": ("roller", "link", "spatial"),
}
"""For keys that not all formulations support: the formulations that support the key and those below it. The others
refuse or ignore it."""

DISCRIMINATORS = {
    "kind": "The kind; determines the other keys.",
    "form": "The tooth form.",
    "variable": "The variable.",
}
"""Keys that distinguish between the tables allowed in the same place, with their meanings."""


class Key(NamedTuple):
    """A key of a table."""

    name: str
    unit: str
    default: str
    """Default value; empty if the key is required."""
    allowed: str
    text: str


class Table(NamedTuple):
    """A table of the file; it has several paths if it is allowed in several places."""

    paths: tuple[str, ...]
    model: type[Model]
    text: str
    keys: tuple[Key, ...]


@functools.cache
def tables(root: type[Model]) -> tuple[Table, ...]:
    """Return all tables below ``root`` in the order of the file, each model once."""
    places: dict[type[Model], list[str]] = {root: [""]}
    _walk(root, "", places)
    return tuple(_table(model, tuple(paths)) for model, paths in places.items())


def _walk(model: type[Model], path: str, places: dict[type[Model], list[str]]) -> None:
    for name, field in model.model_fields.items():
        below = f"{path}.{name}" if path else name
        below = f"{below}[]" if _listed(field) else below
        for part in _models(field):
            if below not in places.setdefault(part, []):
                places[part].append(below)
                _walk(part, below, places)


def parts_of(annotation: Any) -> Iterator[Any]:
    """Yield the annotation and everything nested in it."""
    yield annotation
    for part in get_args(annotation):
        yield from parts_of(part)


def _models(field: FieldInfo) -> list[type[Model]]:
    return [part for part in parts_of(field.annotation) if inspect.isclass(part) and issubclass(part, Model)]


def _listed(field: FieldInfo) -> bool:
    """Return whether a field may be a list."""
    return any(get_origin(part) is tuple for part in parts_of(field.annotation))


def _rules(field: FieldInfo) -> list[Any]:
    """Return the rules (Quantity, Vector and Whole) of a field, at any depth of its annotation."""
    kinds = (Quantity, Vector, Whole)
    found = [part for part in field.metadata if isinstance(part, kinds)]
    return found + [part for part in parts_of(field.annotation) if isinstance(part, kinds)]


def unit_of(field: FieldInfo) -> str:
    """Return the SI unit of a field; empty where it has none."""
    return next((rule.unit for rule in _rules(field) if getattr(rule, "unit", "")), "")


def _table(model: type[Model], paths: tuple[str, ...]) -> Table:
    text = inspect.cleandoc(model.__doc__ or "")
    return Table(paths, model, text, tuple(_key(model, name, field) for name, field in model.model_fields.items()))


def _key(model: type[Model], name: str, field: FieldInfo) -> Key:
    unit = unit_of(field)
    if model.__name__ == "Contact" and name == "stiffness":
        unit = "N/m^exponent"
    tells_apart = (name in DISCRIMINATORS and model is not RollerOptions) or len(get_args(field.annotation)) == 1
    default = "" if tells_apart else _default(model, name, field)
    return Key(name, unit, default, _allowed(field), field.description or DISCRIMINATORS.get(name, ""))


def _default(model: type[Model], name: str, field: FieldInfo) -> str:
    if model.__name__ == "Chain" and field.is_required() and name != "links":
        return "catalogue or estimate"
    if field.is_required():
        return ""
    default = field.get_default(call_default_factory=True)
    if isinstance(default, Model) or (isinstance(default, tuple) and default and isinstance(default[0], Model)):
        return "see its keys"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, float):
        return f"`{default:g}`"
    if isinstance(default, str):
        return f'`"{default}"`'
    if isinstance(default, tuple):
        return f"`[{', '.join(f'{part:g}' for part in default)}]`" if default else _none(field)
    return _none(field) if default is None else f"`{default}`"


def _none(field: FieldInfo) -> str:
    """Return the text for a key without a default value. The description of the key may state what applies if it is
    omitted.
    """
    return "see meaning" if "default" in (field.description or "").lower() else "none"


def _allowed(field: FieldInfo) -> str:
    words = [word for part in parts_of(field.annotation) if get_origin(part) is Literal for word in get_args(part)]
    extra = field.json_schema_extra
    if isinstance(extra, dict) and isinstance(extra.get("enum"), list):
        return " or ".join(f"`{word:g}`" for word in extra["enum"])  # type: ignore[union-attr]
    for rule in _rules(field):
        if isinstance(rule, Quantity):
            models = _models(field)
            listed = isinstance(rule, Quantities) or (models and _listed(field))
            if _listed(field) and not listed:
                return f"a list, each {_bounds(rule)}"
            return _bounds(rule) + (", or a table" if models else "") + (", or a list of these" if listed else "")
        if isinstance(rule, Whole):
            others = ["a name"] if isinstance(rule, NumberOrName) else [f'`"{word}"`' for word in rule.words]
            return " or ".join([f"whole, {rule.least} to {rule.most}", *others])
        return f"[x, y], each {_bounds(rule.component)}"
    models = _models(field)
    if models and _listed(field):
        return "a list of tables"
    if models:
        return "a table"
    if words:
        return ", ".join(f'`"{word}"`' for word in words)
    return _by_type(field)


def _bounds(rule: Quantity) -> str:
    """Return the range of a quantity, in its unit."""
    low = f"> {rule.above:g}" if rule.above is not None else f"≥ {rule.least:g}" if rule.least is not None else ""
    if rule.above is None and rule.least is not None and rule.most is not None:
        low, high = f"{rule.least:g} to {rule.most:g}", ""
    else:
        high = f"≤ {rule.most:g}" if rule.most is not None else ""
    bounds = ", ".join(part for part in (low, high) if part).replace("e+0", "e").replace("e+", "e") or "any number"
    return " or ".join([bounds, *(f'`"{word}"`' for word in rule.words)])


def _by_type(field: FieldInfo) -> str:
    bounds = {type(part).__name__: part for part in field.metadata}
    if field.annotation is float:
        return f"> {bounds['Gt'].gt:g}, ≤ {bounds['Le'].le:g}".replace("e+", "e") if "Gt" in bounds else "a number"
    parts = list(parts_of(field.annotation))
    if any(get_origin(part) is dict for part in parts):
        return "a table"
    if any(get_origin(part) is tuple for part in parts):
        return "a list of strings" if str in parts else "a list"
    return "text" if str in parts else "a number, string or list"


def formulations_of(path: str) -> tuple[str, ...]:
    """Return the formulations that support the key at a dotted path."""
    found = [kinds for key, kinds in TAKEN_BY.items() if path == key or path.startswith(f"{key}.")]
    return found[0] if found else ALL


def models_at(field: FieldInfo) -> list[type[Model]]:
    """Return the models of the tables allowed in a field, without repetition."""
    return list(dict.fromkeys(_models(field)))
