"""Short, readable signatures of the parts of a drive description, with names, short types and defaults."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

__all__ = ["short_signature"]

ALTERNATIVES = 3
"""Number of union members that are named; the others become an ellipsis."""
LONGEST_DEFAULT = 30
"""Largest number of characters of a default that is shown."""
UNITS = "float | str"
"""Type shown for a quantity: a number in SI units, or a string with its unit."""


class _Shown(str):
    """Text that appears in a signature unchanged, without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def short_signature(model: type[BaseModel]) -> inspect.Signature:
    """Return the signature of a model, with keyword arguments, the required ones first.

    A quantity is shown as ``float | str``, a union with many members by its first ones, and a long default as ``...``.
    """
    parameters = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=_default(field), annotation=_Shown(_type_of(field))
        )
        for name, field in model.model_fields.items()
    ]
    return inspect.Signature(sorted(parameters, key=lambda each: each.default is not inspect.Parameter.empty))


def _default(field: FieldInfo) -> Any:
    if field.is_required():
        return inspect.Parameter.empty
    short = field.default is not PydanticUndefined and len(repr(field.default)) <= LONGEST_DEFAULT
    return field.default if short else _Shown("...")


def _type_of(field: FieldInfo) -> str:
    annotation = field.annotation
    return _text(Annotated[annotation, *field.metadata] if field.metadata else annotation)


def _text(annotation: Any) -> str:
    members = list(dict.fromkeys(_members(annotation)))
    named = [member for member in members if member != "None"]
    absent = ["None"] * (len(named) < len(members))
    return " | ".join([*named[:ALTERNATIVES], *["..."] * (len(named) > ALTERNATIVES), *absent])


def _members(annotation: Any) -> Iterator[str]:
    """Yield the members of a union, or the type itself if it is not a union."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        of_units = any(hasattr(part, "unit") for part in arguments[1:])
        yield from (each.replace("float", UNITS) if of_units else each for each in _members(arguments[0]))
    elif origin in (Union, types.UnionType):
        for each in arguments:
            yield from _members(each)
    elif origin is Literal:
        yield f"Literal[{', '.join(map(repr, arguments))}]"
    elif annotation is None or annotation is type(None):
        yield "None"
    elif origin is not None:
        yield f"{origin.__name__}[{', '.join('...' if part is ... else _text(part) for part in arguments)}]"
    else:
        yield getattr(annotation, "__name__", str(annotation))
