"""The common base of all parts of the description: frozen models that report errors as InputError, and fields with
units and bounds.

A part is made in Python (``Chain(links=120, ...)``) or from a table in a file; both undergo the same validation. All
errors are raised as one :class:`~chaindrive.errors.InputError` with all problems, never as a pydantic exception.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler, ValidationError
from pydantic import GetJsonSchemaHandler as JsonHandler
from pydantic_core import CoreSchema, core_schema

from chaindrive.errors import InputError, Problem
from chaindrive.model.problems import problems_of, shown
from chaindrive.model.signature import short_signature
from chaindrive.units import kind_of, to_si

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)

__all__ = ["Model", "Name", "NumberOrName", "Quantities", "Quantity", "Text", "Vector", "Whole", "as_text", "typed"]


class _AnswersWithInputError(ModelMetaclass):
    """Metaclass that turns the ValidationError of a call such as ``Drive(...)`` into an InputError.

    Only the outermost call passes through here; nested tables are validated inside pydantic, so that the problems of
    all parts are collected together.
    """

    if not TYPE_CHECKING:  # for which a call has the parameters of the class (model/calls.pyi)

        def __call__(cls, *args: Any, **fields: Any) -> Any:
            try:
                return super().__call__(*args, **fields)
            except ValidationError as error:
                raise InputError([*problems_of(error, cls), *cls.further_problems(fields)]) from None


class Model(BaseModel, metaclass=_AnswersWithInputError):
    """Base of all parts of a drive: frozen, without unknown fields; defaults are not validated unless a field asks for
    it.

    Raises InputError with all problems if any value is not allowed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=False)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        cls.__signature__ = short_signature(cls)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Return ``cls(**fields)``, with all keys converted to strings."""
        if not isinstance(fields, Mapping):
            raise InputError(Problem("", "must be a table of fields", shown(fields)))
        return cls(**{str(key): value for key, value in fields.items()})

    @classmethod
    def further_problems(cls, fields: Mapping[str, Any]) -> list[Problem]:
        """Return problems that concern several valid parts of ``fields`` if other parts are invalid. The base class has
        none.
        """
        return []


class Quantity:
    """Annotation of a float field: its SI unit and its physically sensible range.

    Accepts a number (already in ``unit``) or a string with a unit; stores the SI float. ``above`` is an open lower
    bound, ``least`` and ``most`` are closed bounds. ``words`` are strings that may be given instead of a number.
    """

    def __init__(
        self,
        unit: str,
        *,
        above: float | None = None,
        least: float | None = None,
        most: float | None = None,
        words: tuple[str, ...] = (),
    ) -> None:
        self.unit = unit
        self.above = above
        self.least = least
        self.most = most
        self.words = words

    def parse(self, value: object) -> float | str:
        """Return the value in SI units, or one of the words. Raises ValueError, with a message for the user, for
        anything else.
        """
        if isinstance(value, str) and value.strip() in self.words:
            return value.strip()
        return self.number(value)

    def number(self, value: object) -> float:
        """Return the value in SI units. Raises ValueError, with a message for the user, if it is not allowed."""
        try:
            number = to_si(value, self.unit)
        except ValueError as error:
            words = "".join(f", or {word!r}" for word in self.words)
            raise ValueError(f"{error}{words}") from None
        below = (self.above is not None and number <= self.above) or (self.least is not None and number < self.least)
        if below or (self.most is not None and number > self.most):
            raise ValueError(f"must be {self.allowed}")
        return number

    @property
    def allowed(self) -> str:
        """Description of the allowed range for messages."""
        unit = f" {self.unit}" if self.unit else ""
        bounds = []
        if self.above is not None:
            bounds.append(f"above {self.above:g}{unit}")
        if self.least is not None:
            bounds.append(f"at least {self.least:g}{unit}")
        if self.most is not None:
            bounds.append(f"at most {self.most:g}{unit}")
        kind = kind_of(self.unit) if self.unit else "a number"
        return " or ".join([" ".join([kind, " and ".join(bounds)]).strip(), *(repr(word) for word in self.words)])

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.parse, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> dict[str, Any]:
        number: dict[str, Any] = {"type": "number"}
        for key, bound in (("exclusiveMinimum", self.above), ("minimum", self.least), ("maximum", self.most)):
            if bound is not None:
                number[key] = bound
        text = {"type": "string", "pattern": r"^\s*[+-]?[0-9.]", "maxLength": 80}
        words = [{"enum": list(self.words)}] if self.words else []
        return {"anyOf": [number, text, *words]} | ({"unit": self.unit} if self.unit else {})


class Quantities(Quantity):
    """Annotation of a field that is one quantity for all items, or a list with one quantity per item: a float or a
    tuple of floats.

    The list may be a column of a file.
    """

    def parse(self, value: object) -> Any:
        """Return the value or values in SI units. Raises ValueError naming those that are not allowed.

        A table with ``file`` and ``column`` stands for the values in a column of a file.
        """
        if isinstance(value, Mapping) and "file" in value:
            from chaindrive.model.files.columns import read_values

            return read_values(value, self)
        if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__len__") or not hasattr(value, "__iter__"):
            return self.number(value)
        numbers, wrong = [], []
        for index, part in enumerate(value):
            try:
                numbers.append(self.number(part))
            except ValueError as error:
                wrong.append(f"[{index}] {error}")
        if wrong:
            raise ValueError("; ".join(wrong[:3]) + (f"; and {len(wrong) - 3} more" if len(wrong) > 3 else ""))
        if not numbers:
            raise ValueError("must be one value or a list of at least one value")
        return tuple(numbers)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> dict[str, Any]:
        one = super().__get_pydantic_json_schema__(schema, handler)
        names = {name: {"type": "string", "maxLength": 100} for name in ("file", "column")}
        file = {"type": "object", "properties": names, "required": ["file"], "additionalProperties": False}
        listed = {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}, file]}
        return listed | ({"unit": self.unit} if self.unit else {})


class Whole:
    """Annotation of an int field with its allowed range. Refuses true, 60.0 and "60"."""

    words: tuple[str, ...] = ()
    """Words allowed instead of a number in a drive file."""

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most

    def parse(self, value: object) -> int:
        """Return the number. Raises ValueError, with a message for the user, if it is not allowed."""
        if not isinstance(value, bool) and isinstance(value, Integral):
            number = int(operator.index(value))
            if self.least <= number <= self.most:
                return number
        raise ValueError(f"must be a whole number from {self.least} to {self.most}")

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.parse, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


class NumberOrName(Whole):
    """Annotation of an int or str field: the number of a part in its list, or its name."""

    def parse(self, value: object) -> Any:
        """Return the number or the name. Raises ValueError, with a message for the user, for anything else."""
        if isinstance(value, str):
            return value
        try:
            return super().parse(value)
        except ValueError as error:
            raise ValueError(f"{error}, or a name") from None

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> dict[str, Any]:
        number = super().__get_pydantic_json_schema__(schema, handler)
        return {"anyOf": [number, {"type": "string", "maxLength": 300}]}


class Vector:
    """Annotation of a tuple of two floats (x, y), each a Quantity."""

    def __init__(self, unit: str, *, most: float) -> None:
        self.unit = unit
        self.component = Quantity(unit, least=-most, most=most)

    def parse(self, value: object) -> tuple[float, float]:
        """Return both components in SI units. Raises ValueError if there are not exactly two, or if one is not
        allowed.
        """
        if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__len__") or not hasattr(value, "__iter__"):
            raise ValueError(f"must be a list [x, y] of two values, each {kind_of(self.unit)}")
        if len(value) != 2:
            raise ValueError(f"must be a list [x, y] of two values, not of {len(value)}")
        wrong, parts = [], []
        for axis, part in zip("xy", value, strict=True):
            try:
                parts.append(self.component.number(part))
            except ValueError as error:
                wrong.append(f"{axis}: {error}")
        if wrong:
            raise ValueError("; ".join(wrong))
        return parts[0], parts[1]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.parse, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> dict[str, Any]:
        part = self.component.__get_pydantic_json_schema__(schema, handler)
        return {"type": "array", "items": part, "minItems": 2, "maxItems": 2}


class TypedInt(int):
    """A whole number that keeps the string as typed in ``typed``, for fields that expect a string."""

    typed: str = ""


class TypedFloat(float):
    """A number that keeps the string as typed in ``typed``."""

    typed: str = ""


def typed(text: str) -> TypedInt | TypedFloat | None:
    """Return a command-line string that looks like a number as a number that keeps the string; None for anything
    else.
    """
    for kind in (TypedInt, TypedFloat):
        try:
            number = kind(text)
        except ValueError:
            continue
        number.typed = text
        return number
    return None


def as_text(value: object) -> object:
    """Convert a number from the command line (``--set chain.standard=40``) back to a string, for a string field."""
    return value.typed if isinstance(value, (TypedInt, TypedFloat)) else value


def _printable(value: object) -> object:
    """Return text if it can be written to any file and terminal, without control characters or unpaired surrogates."""
    if isinstance(value, str):
        bad = next((c for c in value if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160), None)
        if bad is not None:
            raise ValueError(f"must not contain the control character {bad!r}")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError("must be valid Unicode text") from None
    return value


def _one_line(value: object) -> object:
    if isinstance(value, str):
        if not value.strip():
            raise ValueError("must not be empty")
        if "\n" in value or "\t" in value:
            raise ValueError("must be one line")
    return value


Text = Annotated[str, Field(max_length=10_000), BeforeValidator(_printable), BeforeValidator(as_text)]
"""Any printable text."""
Name = Annotated[
    str, Field(max_length=100), BeforeValidator(_one_line), BeforeValidator(_printable), BeforeValidator(as_text)
]
"""One non-empty line of printable text."""
