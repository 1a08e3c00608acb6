"""One mutation, and its place in a package."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from support.syntax import syntax_trees

DATA = ("*.toml", "*.json", "*.csv")
"""Files other than modules that are searched for the text of a mutation without a function."""


class Mutation(NamedTuple):
    """A text of the package and its replacement."""

    name: str
    within: str
    """Function (method, class) whose body contains the text, by its bare name; empty: anywhere in the package."""
    original: str
    """The original text, which occurs once there."""
    mutated: str
    wrong: str
    """The error that results, in a sentence."""
    tests: tuple[str, ...]
    """Test files, or single tests, that must notice it."""
    compiled: bool = False
    """Whether the tests need compiled kernels even though the file is one of kernels, which are otherwise run as
    Python.
    """
    survives: str = ""
    """Reason why no test can notice it, or why none does yet; empty for a mutation that must be killed."""


class Place(NamedTuple):
    """Place of the text of a mutation."""

    path: Path
    begin: int
    """Place of its first character in the file."""


class PlaceError(Exception):
    """The text of a mutation does not occur exactly once."""


@cache
def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _definitions(body: Iterable[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Functions and classes among statements and within them; expressions, most of a tree, are skipped."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node
        for part in ("body", "orelse", "finalbody"):
            yield from _definitions(getattr(node, part, ()))
        for handler in getattr(node, "handlers", ()):
            yield from _definitions(handler.body)


@cache
def _bodies(root: Path) -> dict[str, list[tuple[Path, int, int]]]:
    """File and extent of every function and class of a package, by name."""
    found: dict[str, list[tuple[Path, int, int]]] = {}
    for path, tree in syntax_trees(sorted(root.rglob("*.py"))).items():
        starts = [0]
        for line in _read(path).splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        for node in _definitions(tree.body):
            extent = (path, starts[node.lineno - 1], starts[node.end_lineno or node.lineno])
            found.setdefault(node.name, []).append(extent)
    return found


def place_of(mutation: Mutation, root: Path) -> Place:
    """Place of its text in the package at ``root``. Raises PlaceError unless it occurs exactly once."""
    if mutation.within:
        extents = _bodies(root).get(mutation.within, [])
        if not extents:
            raise PlaceError(f"{mutation.name}: no function or class {mutation.within!r} in the package")
    else:
        files = [path for pattern in ("*.py", *DATA) for path in sorted(root.rglob(pattern))]
        extents = [(path, 0, len(_read(path))) for path in files]
    places = {
        Place(path, at)
        for path, begin, end in extents
        for at in _occurrences(_read(path), mutation.original, begin, end)
    }
    if len(places) != 1:
        where = ", ".join(sorted(str(place.path.relative_to(root)) for place in places))
        scope = mutation.within or where or "the package"
        raise PlaceError(f"{mutation.name}: its text occurs {len(places)} times in {scope}")
    return places.pop()


def _occurrences(text: str, part: str, begin: int, end: int) -> list[int]:
    found = []
    at = text.find(part, begin, end)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + 1, end)
    return found


def mutated_text(mutation: Mutation, place: Place) -> str:
    """The file of the mutation, changed."""
    text = _read(place.path)
    return text[: place.begin] + mutation.mutated + text[place.begin + len(mutation.original) :]
