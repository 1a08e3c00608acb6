"""Writes ``model/calls.pyi``: the parameters of the parts that are made from Python, for editors and type checkers.

They cannot read them off the classes, whose fields have the stored type (a float), not the permitted ones ("4
kg*cm^2").

    python packaging/calls.py
"""

from __future__ import annotations

import textwrap
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import chaindrive.model.calls
from chaindrive.model import (
    BlockOptions,
    Chain,
    Contact,
    Drive,
    LinkOptions,
    RollerOptions,
    SaveOptions,
    SolverOptions,
    SpatialOptions,
    Wheel,
)
from chaindrive.model.base import Model
from chaindrive.model.files.keys import unit_of
from chaindrive.model.files.schema import drive_schema
from chaindrive.model.study.description import Study
from chaindrive.model.study.optimisation import Optimisation

__all__ = ["PARTS", "calls_path", "calls_text"]

PARTS: tuple[type[Model], ...] = (
    BlockOptions,
    Chain,
    Contact,
    Drive,
    LinkOptions,
    Optimisation,
    RollerOptions,
    SaveOptions,
    SolverOptions,
    SpatialOptions,
    Study,
    Wheel,
)
"""Parts that ``chaindrive`` offers by name."""
WIDTH = 116
HEAD = '''\
"""Parameters of the parts that are made from Python. Written by packaging/calls.py."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from chaindrive.model.base import Model

Part = Model | Mapping[str, Any]
'''


def calls_path() -> Path:
    """Location of the file in the package."""
    return Path(chaindrive.model.calls.__file__).with_suffix(".pyi")


def calls_text() -> str:
    """The file."""
    schema = drive_schema()
    return HEAD + "".join(_call(part, schema) for part in PARTS)


def _call(part: type[Model], schema: Mapping[str, Any]) -> str:
    """A class with the parameters of a part, required ones first, and the meaning of each.

    schema: of drive files, which shows better than the fields what is optional ("standard" gives the rest of a chain),
    and which words are allowed in place of a number ("auto").
    """
    known = schema if part is Drive else schema["$defs"].get(part.__name__, {})
    required = known.get("required", [name for name, field in part.model_fields.items() if field.is_required()])
    lines, told = [], []
    for name, field in sorted(part.model_fields.items(), key=lambda each: each[0] not in required):
        annotation = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
        others = known.get("properties", {}).get(name, {}).get("anyOf", ())
        words = [f"Literal[{other['const']!r}]" for other in others if isinstance(other.get("const"), str)]
        texts = ["str" for other in others if other.get("type") == "string"]
        given = " | ".join(dict.fromkeys([*_members(annotation, False), *texts, *words]))
        lines.append(f"        {name}: {given}{'' if name in required else ' = ...'},")
        unit = unit_of(field)
        text = f"{name}{f' [{unit}]' if unit else ''}: {field.description or ''}".strip()
        told += textwrap.wrap(text, WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 12)
    head = f"class {part.__name__}Call(Model):\n    def __init__(\n        self,\n        *,\n"
    doc = [
        '        """Quantities are numbers in SI units or texts with a unit. Raises InputError.',
        "",
        *told,
        '        """',
    ]
    return "\n\n" + head + "\n".join([*lines, "    ) -> None:", *doc]).replace("\\", "\\\\") + "\n"


def _members(annotation: Any, quantity: bool) -> Iterator[str]:
    """The members of a union, or the single type if it is not a union; quantity: numbers may have a unit."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        yield from _members(arguments[0], quantity or any(hasattr(part, "unit") for part in arguments[1:]))
    elif origin in (Union, types.UnionType):
        for each in arguments:
            yield from _members(each, quantity)
    elif origin is Literal:
        yield f"Literal[{', '.join(map(repr, arguments))}]"
    elif origin is tuple:
        inner = dict.fromkeys(name for each in arguments if each is not ... for name in _members(each, quantity))
        yield f"Sequence[{' | '.join(inner)}]"
    elif origin is dict:
        yield "Mapping[str, Any]"
    elif annotation in (None, type(None)):
        yield "None"
    elif annotation is float and quantity:
        yield from ("float", "str")
    elif annotation in (float, int, str, bool):
        yield annotation.__name__
    elif isinstance(annotation, type) and issubclass(annotation, Model):
        yield "Part"
    else:
        yield "Any"


if __name__ == "__main__":
    calls_path().write_text(calls_text(), encoding="utf-8")
