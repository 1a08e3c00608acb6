"""Reads drives from files, from text and from the included examples."""

from __future__ import annotations

import os
import re
from pathlib import Path

from chaindrive.errors import InputError, Problem
from chaindrive.model.arguments import path_of
from chaindrive.model.drive import Drive
from chaindrive.model.files.drawing import looking_in
from chaindrive.model.files.text import example_names, example_path, read_text, tables
from chaindrive.model.problems import nearest, shown
from chaindrive.shell import command

__all__ = ["drive_of", "example", "load", "loads"]


def load(path: str | os.PathLike[str]) -> Drive:
    """Read a drive from a TOML file.

    Raises InputError if the file is missing, not a regular file, too large, not UTF-8 text or not TOML, or if its
    content is invalid (the error then lists all problems).
    """
    file, source = path_of(path, "path", "a drive file"), os.fspath(path)
    with looking_in(file.parent):
        return loads(read_text(source), source)


def drive_of(given: Drive | str | os.PathLike[str]) -> Drive:
    """Return the drive that the user gave: the drive itself, its file, or the name of an example if there is no such
    file.

    Raises InputError as :func:`load` does, also for a drive with values that are not allowed, and lists the examples if
    the name is neither a file nor an example.
    """
    if isinstance(given, Drive):
        return _validated(given)
    if not isinstance(given, str | os.PathLike):
        raise InputError(
            Problem("drive", "must be a Drive, the path of a drive file, or the name of an example", shown(given))
        )
    typed, names = os.fspath(given), example_names()
    if typed in names and not Path(typed).is_file():
        return example(typed)
    if not re.fullmatch(r"[\w-]{1,50}", typed) or os.path.lexists(typed):
        return load(typed)
    hint = nearest(typed, names) or f". Available examples: {', '.join(names)}"
    raise InputError(Problem("", f"is neither a file nor an example{hint}"), typed)


def _validated(drive: Drive) -> Drive:
    """Return the drive itself, or as it reads if values were put into it without validation (``model_copy``).

    Raises InputError.
    """
    valid = type(drive).from_dict(drive.to_dict())
    return drive if repr(dict(valid)) == repr(dict(drive)) else valid


def loads(text: str, source: str = "") -> Drive:
    """Read a drive from the text of a TOML file. ``source`` names it in errors. Raises InputError."""
    fields = tables(text, source)
    if "figures_of_merit" in fields and "wheels" not in fields:
        message = f"is a study, not a drive: {command('sweep', source or 'FILE')} runs it"
        raise InputError(Problem("", message), source)
    try:
        return Drive.from_dict(fields)
    except InputError as error:
        raise InputError(error.problems, source) from None


def example(name: str) -> Drive:
    """Return an example drive, such as "6l60mc". Raises InputError if there is none of this name, and suggests the
    nearest one.
    """
    return load(example_path(name))
