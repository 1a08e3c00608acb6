"""Reads the text of files, with errors that state the line, and finds the included examples."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from chaindrive.errors import InputError, Problem
from chaindrive.model.problems import nearest, shown
from chaindrive.shell import command

__all__ = ["example_names", "example_path", "read_text", "tables"]

LARGEST_FILE = 10_000_000
"""Largest size of a drive file in bytes; a larger file is refused without being read."""
DEEPEST = 50
"""Largest number of nested levels of lists and tables; a drive has fewer than ten."""


def read_text(path: str, of: str = "a drive") -> str:
    """Return the text of a small UTF-8 file. ``of``: the kind of file expected, for messages. Raises InputError."""

    def refused(message: str, value: str = "") -> InputError:
        return InputError(Problem("", message, value), path[:200])

    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise refused(f"is a folder: give the file of {of}")
        if not stat.S_ISREG(status.st_mode):
            raise refused("is not a regular file")
        if status.st_size > LARGEST_FILE:
            raise refused(f"has {status.st_size} bytes, but the file of {of} may have at most {LARGEST_FILE}")
        with open(path, "rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise refused(f"does not exist{_neighbours(path)}") from None
    except PermissionError:
        raise refused("cannot be read: permission denied") from None
    except (OSError, ValueError) as error:  # a name too long, a null byte in the name, a failing disk
        raise refused(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if b"\0" in content:
        raise refused(f"is a binary file, but the file of {of} must be text (TOML)")
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise refused(
            f"is not UTF-8 text: byte 0x{content[error.start]:02x} in line {line}; save it as UTF-8"
        ) from None


def tables(text: str, source: str = "") -> dict[str, Any]:
    """Return the content of a TOML file, not validated. ``source`` names it in errors. Raises InputError."""
    try:
        found = tomllib.loads(text.removeprefix("\ufeff"))
        if _deeper_than(DEEPEST, found):
            raise RecursionError
    except tomllib.TOMLDecodeError as error:
        raise InputError(_syntax_problem(str(error), text), source) from None
    except RecursionError:
        raise InputError(
            Problem("", f"lists or tables are nested too deeply; at most {DEEPEST} levels"), source
        ) from None
    except ValueError as error:  # a date that does not exist, an integer of thousands of digits
        raise InputError(Problem("", f"is not valid TOML: {error}"), source) from None
    return found


def _deeper_than(levels: int, table: dict[str, Any]) -> bool:
    """Return whether lists or tables are nested in more than this many levels."""
    level: list[Any] = [table]
    for _ in range(levels):
        parts = (part for each in level for part in (each.values() if isinstance(each, dict) else each))
        level = [part for part in parts if isinstance(part, (dict, list))]
    return bool(level)


def example_names() -> tuple[str, ...]:
    """Return the names of the included drives, in alphabetical order."""
    folder = resources.files("chaindrive").joinpath("examples")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def example_path(name: str) -> Path:
    """Return the path of the file of an example. Raises InputError if there is none of this name, and suggests the
    nearest one.
    """
    wanted = str(name).removesuffix(".toml")
    if wanted not in example_names():
        hint = nearest(wanted, example_names()) or "."
        message = f"is not an example{hint} Available: {', '.join(example_names())}"
        raise InputError(Problem("example", message, shown(name)))
    return Path(str(resources.files("chaindrive").joinpath("examples", f"{wanted}.toml")))


def _neighbours(path: str) -> str:
    """Return a hint that names a file or an example with a similar name."""
    wanted = Path(path)
    if wanted.stem in example_names():
        return f"; there is an example of this name: {command('examples', 'copy', wanted.stem)}"
    try:
        with os.scandir(wanted.parent) as entries:
            names = [entry.name for _, entry in zip(range(10_000), entries, strict=False)]
    except OSError:
        return f"; neither does its folder {str(wanted.parent)[:100]!r}"
    return nearest(wanted.name, [name for name in names if name.endswith(".toml")])


def _syntax_problem(message: str, text: str) -> Problem:
    """Convert a message such as ``Expected '=' after a key (at line 3, column 5)`` to a problem that shows the line."""
    found = re.fullmatch(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", message)
    if found is None:
        return Problem("", f"is not valid TOML: {message}")
    lines = text.split("\n")
    if found["line"] is None:
        return Problem(f"line {len(lines)}", f"is not valid TOML: {found['what']} at the end of the file")
    line = lines[int(found["line"]) - 1].strip()
    place = f"line {found['line']}, column {found['column']}"
    heading = re.fullmatch(r"\[\[?([\w.]+)\]\]?", line.partition("#")[0].strip())
    if heading and found["what"].startswith(("Cannot declare", "Cannot overwrite")):
        return Problem(place, _second_heading(heading[1]), shown(line))
    return Problem(place, f"is not valid TOML: {found['what']}", shown(line))


_SEVERAL = ("wheels", "bodies", "guides", "tensioners", "payloads", "stages", "rotors", "machines")
_SEVERAL_OF_A_STUDY = ("parameters", "curves", "figures_of_merit", "variables")


def _second_heading(name: str) -> str:
    """Return the message for a heading that appears twice, or once with single and once with double brackets."""
    if name.rpartition(".")[2] in (*_SEVERAL, *_SEVERAL_OF_A_STUDY):
        return f"there is a second [{name}]: if there are several, each begins with double brackets, [[{name}]]"
    return f"there is a second [{name}]: a table has one heading, in single brackets, and all its keys below it"
