"""User-defined laws: Python functions that replace a law of the package. They are checked, and identified by their
source.

A drive stores the name and the digest of a law, never its code. A drive file that names a law refers to the law defined
in this process from Python, if there is one: reading a file runs no code.
"""

from __future__ import annotations

import ast
import dis
import hashlib
import importlib
import inspect
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from types import CodeType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic import GetJsonSchemaHandler as JsonHandler
from pydantic_core import CoreSchema, core_schema

from chaindrive.errors import InputError, Problem
from chaindrive.model.problems import shown

__all__ = [
    "Kind",
    "Law",
    "LawOf",
    "gives_energy",
    "import_laws",
    "laws_in",
    "missing_laws",
    "modules_of",
    "points_between",
]

POINTS = 25
"""Number of points over the range of every argument at which a law is checked."""
DIGITS = 16
_NAMED = re.compile(r"(?P<name>[\w.<>]+:[\w.<>]+) (?P<digest>[0-9a-f]{16})")


class Kind(NamedTuple):
    """A kind of law: its arguments and its result."""

    name: str
    arguments: tuple[str, ...]
    result: str
    unit: str


class Law:
    """A function with the properties that a run needs, created by the decorators of ``chaindrive.law``.

    Its text consists of its name and the digest of its source and of the values that it reads; two laws with the same
    text are the same law.
    """

    known: dict[str, Law] = {}  # noqa: RUF012 (of the process)
    """The laws defined in this process, by their text."""

    def __init__(
        self,
        kind: Kind,
        text: str,
        function: Callable[..., float] | None = None,
        axes: Sequence[NDArray[np.float64]] = (),
    ) -> None:
        self.kind, self.text, self.function, self.axes = kind, text, function, tuple(axes)

    @classmethod
    def of(cls, kind: Kind, function: Callable[..., float], axes: Sequence[NDArray[np.float64]]) -> Law:
        """Return the law given by a function, after checking it.

        axes: the points of every argument, (n,) each. Raises InputError if the function has a different number of
        arguments, raises an exception, returns a value that is not finite, or cannot be compiled, for example because
        it allocates memory.
        """
        name = f"{function.__module__}:{function.__qualname__}"
        problems = list(_problems_of(kind, function))
        if not problems:
            digest = _digest_of(function)
            law = cls(kind, f"{name} {digest}", function, axes)
            problems = list(law._checked())
        if problems:
            raise InputError([Problem(f"law {name}", problem) for problem in problems])
        cls.known[law.text] = law
        return law

    def _checked(self) -> Iterator[str]:
        try:
            _ = self.values
        except Exception as error:  # whatever the function of a user raises
            yield f"raises {type(error).__name__} within the ranges given: {error}"
            return
        if not np.isfinite(self.values).all():
            at = [axis[k] for axis, k in zip(self.axes, np.argwhere(~np.isfinite(self.values))[0], strict=True)]
            where = ", ".join(f"{name} = {x:g}" for name, x in zip(self.kind.arguments, at, strict=True))
            yield f"is not finite at {where}"
        try:
            _ = self.address
        except Exception as error:  # of numba, which has many
            yield f"cannot be compiled (allowed: floats, math, arrays that it reads, and kernels): {_first_line(error)}"

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """Values of the law at the points of its arguments, with one axis per argument."""
        shape = tuple(len(axis) for axis in self.axes)
        return np.array([self(*at) for at in product(*self.axes)], dtype=np.float64).reshape(shape)

    @cached_property
    def address(self) -> int:
        """Memory address at which compiled kernels find the law. Raises InputError if this process does not have it."""
        from chaindrive.kernels.pointers import address_of  # loads Numba

        return address_of(self._own(), len(self.kind.arguments), self.text.rpartition(" ")[2])

    def __call__(self, *arguments: float) -> float:
        """Return the value of the law. Raises InputError if this process does not have it."""
        function = self._own()
        return float(getattr(function, "py_func", function)(*map(float, arguments)))

    def slope(self, axis: int) -> tuple[float, float]:
        """Return the smallest and largest slope of the law with respect to an argument, between neighbouring points."""
        rises = np.diff(self.values, axis=axis)
        widths = np.diff(self.axes[axis]).reshape([-1 if k == axis else 1 for k in range(len(self.axes))])
        return float((rises / widths).min()), float((rises / widths).max())

    @property
    def name(self) -> str:
        """Names of the module and function of the law."""
        return self.text.rpartition(" ")[0]

    @property
    def is_available(self) -> bool:
        """Whether this process has the function of the law."""
        return self.function is not None

    def _own(self) -> Callable[..., float]:
        if self.function is None:
            raise InputError(Problem("law", _missing(self), shown(self.text)))
        return self.function

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.kind.name} law {self.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Law) and (self.kind.name, self.text) == (other.kind.name, other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> Any:
        return _unpickled, (self.kind, self.text)


def _unpickled(kind: Kind, text: str) -> Law:
    """Return the law of a pickle. Its module is imported if this process does not know the law."""
    if text not in Law.known:
        import_laws([text.partition(":")[0]])
    return Law.known.get(text) or Law(kind, text)


class LawOf:
    """Annotation of a field that holds a law of this kind, represented by a string with its name and digest."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def parse(self, value: object) -> Law:
        """Return the law of this kind that the value is or names. Raises ValueError if there is none."""
        law = value
        if isinstance(value, str) and _NAMED.fullmatch(value):
            law = Law.known.get(value) or Law(self.kind, value)
        if not isinstance(law, Law):
            raise ValueError(f"must be a Python function that @chaindrive.law.{self.kind.name} has checked")
        if law.kind.name != self.kind.name:
            raise ValueError(f"is a {law.kind.name} law; a {self.kind.name} law is needed here")
        return law

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self.parse, serialization=core_schema.plain_serializer_function_ser_schema(str)
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: JsonHandler) -> dict[str, Any]:
        return {"type": "string", "pattern": _NAMED.pattern.replace("?P<name>", "").replace("?P<digest>", "")}


def laws_in(part: Any, place: str = "") -> Iterator[tuple[str, Law]]:
    """Yield the laws of a drive, or of a part of it, with their places."""
    if isinstance(part, Law):
        yield place, part
    elif isinstance(part, BaseModel):
        for name in type(part).model_fields:
            yield from laws_in(getattr(part, name), f"{place}.{name}" if place else name)
    elif isinstance(part, tuple):
        for index, each in enumerate(part):
            if isinstance(each, BaseModel):
                yield from laws_in(each, f"{place}[{index}]")


def missing_laws(drive: BaseModel) -> Iterator[Problem]:
    """Yield the user-defined laws of a drive that are not available in this process, as problems."""
    for place, law in laws_in(drive):
        if not law.is_available:
            yield Problem(place, _missing(law), shown(law.text))


def modules_of(text: str) -> tuple[str, ...]:
    """Return the names of the modules that other processes must import for the laws that the text of a drive names.

    Raises InputError for a law defined in a script or a notebook, which no other process can import.
    """
    named = [law for law in Law.known.values() if law.text in text]
    for law in named:
        if law.name.startswith("__main__:"):
            message = "is defined in a script or notebook: move it to a separate module for runs in other processes"
            raise InputError(Problem("law", message, shown(law.name)))
    return tuple(sorted({law.name.partition(":")[0] for law in named}))


def import_laws(modules: Iterable[str]) -> None:
    """Import the modules in which laws are defined, so that this process has them."""
    for module in modules:
        importlib.import_module(module)


def _missing(law: Law) -> str:
    return (
        f"is a user-defined law, which a file cannot contain: import {law.name.partition(':')[0]!r}, with exactly "
        "this source, and run the drive from Python"
    )


def _problems_of(kind: Kind, function: Callable[..., float]) -> Iterator[str]:
    parameters = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    if len(parameters) != len(kind.arguments) or any(p.kind != p.POSITIONAL_OR_KEYWORD for p in parameters):
        yield f"must take {len(kind.arguments)} numbers: {', '.join(kind.arguments)}"
    if "<locals>" in function.__qualname__:
        yield "must be a module-level function, not a nested function: other processes find it by its name"
    code = getattr(function, "__code__", None)
    if isinstance(code, CodeType) and any(each.opname == "RAISE_VARARGS" for each in dis.get_instructions(code)):
        yield "must not contain raise or assert, which a run cannot catch: return nan to end the run"


def _digest_of(function: Callable[..., Any]) -> str:
    """Return the digest of the source of a function, of the functions that it calls and the values that it reads."""
    return hashlib.sha256(repr(list(_parts_of(function, set()))).encode()).hexdigest()[:DIGITS]


def _parts_of(function: Any, seen: set[int]) -> Iterator[Any]:
    function = getattr(function, "py_func", function)
    if id(function) in seen:
        return
    seen.add(id(function))
    yield _source_of(function)
    closed = inspect.getclosurevars(function)
    for name, value in sorted({**closed.globals, **closed.nonlocals}.items()):
        inner = getattr(value, "py_func", value)
        if inspect.isfunction(inner):
            yield name
            yield from _parts_of(inner, seen)
        elif isinstance(value, np.ndarray):
            yield name, value.dtype.str, value.shape, hashlib.sha256(value.tobytes()).hexdigest()
        elif not inspect.ismodule(value):
            yield name, repr(value)
    yield function.__defaults__


def _source_of(function: Any) -> Any:
    """Return the syntax tree of a function, without comments, layout and decorators; its bytecode if there is no
    source.
    """
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
        return ast.dump(ast.Module([*getattr(tree, "body", [tree])], [])), function.__code__.co_varnames
    except (OSError, SyntaxError, ValueError):
        return function.__code__.co_code.hex(), repr(function.__code__.co_consts)


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    kept = [line for line in lines if not line.startswith("Failed in nopython")]
    return (kept or lines or [type(error).__name__])[0][:200]


def gives_energy(law: Law, axis: int, along: float = 1.0) -> str | None:
    """Return a description of the point at which the rate-dependent part of a force adds the most energy; None if it
    adds none anywhere.

    axis: index of the rate among the arguments, one of whose points is 0; along: 1 if a positive force acts in the
    direction of positive rates, else -1.
    """
    rates = law.axes[axis]
    values = np.moveaxis(law.values, axis, -1)
    power = along * (values - values[..., rates == 0.0]) * rates
    scale = float(np.abs(law.values).max()) * float(np.abs(rates).max())
    if not power.max() > 1e-9 * scale:
        return None
    at: tuple[Any, ...] = np.unravel_index(int(power.argmax()), power.shape)
    others = [name for k, name in enumerate(law.kind.arguments) if k != axis]
    axes = [points for k, points in enumerate(law.axes) if k != axis]
    where = [f"{name} = {points[k]:g}" for name, points, k in zip(others, axes, at, strict=False)]
    return ", ".join([*where, f"{law.kind.arguments[axis]} = {rates[at[-1]]:g}"])


def points_between(low: float, high: float, with_zero: bool = False) -> NDArray[np.float64]:
    """Return equally spaced points over a range, with 0 added on request. Raises ValueError for an invalid range."""
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError(f"must be a range (from, to) with from < to, not ({low:g}, {high:g})")
    if with_zero and not low <= 0.0 <= high:
        raise ValueError(f"must include 0, not ({low:g}, {high:g})")
    found = np.linspace(low, high, POINTS)
    return np.unique(np.append(found, 0.0)) if with_zero else found
