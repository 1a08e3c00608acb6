"""Conversion of command-line arguments to a drive: a file or the name of an example, with individual values changed."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from chaindrive.errors import InputError, Problem
from chaindrive.model import Chain, Contact, Drive, drive_of, override
from chaindrive.model.base import Model
from chaindrive.model.files.drawing import looking_beside
from chaindrive.model.run import Run

__all__ = ["Named", "in_formulation", "named_drive", "parse_changes", "problems_in"]


class Named(NamedTuple):
    """A drive and the stem of its file names."""

    drive: Drive
    stem: str
    """Name of the input without folder and extension."""


def named_drive(typed: str, changes: Sequence[str] = (), options: dict[str, tuple[str, Any]] | None = None) -> Named:
    """Load the drive of a file, or the example with this name if there is no such file, apply changes, and return it.

    changes: strings "PATH=VALUE"; options: for each path, the name of the option that set it (for messages), and the
    value.
    Raises InputError with all problems.
    """
    options = options or {}
    parsed = parse_changes(changes)
    drive = drive_of(typed)
    wanted = parsed | {path_: value for path_, (_, value) in options.items()}
    if wanted:
        try:
            with looking_beside(typed):
                drive = override(drive, wanted)
        except InputError as error:
            names = {path_: name for path_, (name, _) in options.items()}
            raise InputError([_renamed(problem, names) for problem in error.problems], error.source) from None
    return Named(drive, Path(typed).name.removesuffix(".toml") or "drive")


def in_formulation(kind: str | None) -> dict[str, tuple[str, Any]]:
    """Return ``--formulation`` as options for ``named_drive``; empty without it."""
    return {} if kind is None else {"run.formulation.kind": ("--formulation", kind)}


_PARTS = ("wheels", "bodies", "guides", "tensioners", "preload")
_TABLES: dict[str, type[Model]] = {"chain": Chain, "contact": Contact, "run": Run}


@contextmanager
def problems_in(typed: str, keys: Container[str] = ()) -> Iterator[None]:
    """Add the file name to problems that appear only when the drive is built: in a tooth, the route or the start.

    keys: keys of a file with more than a drive, such as those of a study.
    """
    try:
        yield
    except InputError as error:
        if error.source or not all(_in_file(problem, keys) for problem in error.problems):
            raise
        raise InputError(error.problems, typed) from None


def _in_file(problem: Problem, keys: Container[str]) -> bool:
    """Return whether the place of a problem is a part or a field of a drive, or one of the keys, rather than a command
    option or a different file.
    """
    name, *inside = re.split(r"[.\[]", problem.place)  # run.solver is a field, run.nc is a file
    return (
        name in keys or name in _PARTS or (name in _TABLES and bool(inside) and inside[0] in _TABLES[name].model_fields)
    )


def parse_changes(changes: Sequence[str]) -> dict[str, str]:
    """Return the values in strings "PATH=VALUE" by path. Raises InputError with all strings that do not have this form
    or repeat a path.
    """
    parsed: dict[str, str] = {}
    problems = []
    for change in changes:
        path, equals, value = change.partition("=")
        if not (equals and path.strip() and value.strip()):
            problems.append(Problem("--set", 'takes PATH=VALUE, such as wheels.0.motion.speed="90 rpm"', repr(change)))
        elif path.strip() in parsed:
            problems.append(Problem("--set", f"gives {path.strip()} twice", repr(change)))
        else:
            parsed[path.strip()] = value.strip()
    if problems:
        raise InputError(problems)
    return parsed


def _renamed(problem: Problem, names: dict[str, str]) -> Problem:
    """Return the problem with the name of the option that set the value: ``--until`` rather than ``run.until``."""
    for path, name in names.items():
        if problem.place == path or problem.place.startswith((f"{path}.", f"{path}[")):
            return problem._replace(place=name)
    return problem
