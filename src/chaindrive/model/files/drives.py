"""Drives from files, from text, from the examples that come with the package, and with single values overridden."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from chaindrive.errors import InputError, Problem
from chaindrive.model.base import typed
from chaindrive.model.drive import Drive
from chaindrive.model.files.drawing import looking_in
from chaindrive.model.formulation import carried_over
from chaindrive.model.problems import nearest, shown

__all__ = ["drive_of", "example", "example_names", "example_path", "load", "loads", "override", "read_text", "tables"]

LARGEST_FILE = 10_000_000
"""Bytes of a drive file; a larger one is refused unread."""


def load(path: str | os.PathLike[str]) -> Drive:
    """Read a drive from a TOML file.

    Raises InputError when the file is missing, not a regular file, too large, not UTF-8 text or not TOML, or with all
    problems of what it says.
    """
    source = os.fspath(path)
    with looking_in(Path(source).parent):
        return loads(read_text(source), source)


def drive_of(given: Drive | str | os.PathLike[str]) -> Drive:
    """A drive as it is, read from a file, or the example of that name where there is no such file.

    Raises InputError as :func:`load`, and naming the examples where a name is neither.
    """
    if isinstance(given, Drive):
        return given
    if not isinstance(given, str | os.PathLike):
        raise InputError(Problem("drive", "is a Drive, the path of its file, or the name of an example", shown(given)))
    typed, names = os.fspath(given), example_names()
    if typed in names and not Path(typed).is_file():
        return example(typed)
    if not re.fullmatch(r"[\w-]{1,50}", typed) or os.path.lexists(typed):
        return load(typed)
    hint = nearest(typed, names) or f". The examples: {', '.join(names)}"
    raise InputError(Problem("", f"is neither a file nor an example{hint}"), typed)


def loads(text: str, source: str = "") -> Drive:
    """Read a drive from the text of a TOML file. ``source`` names it in errors. Raises InputError."""
    fields = tables(text, source)
    try:
        return Drive.from_dict(fields)
    except InputError as error:
        raise InputError(error.problems, source) from None


def tables(text: str, source: str = "") -> dict[str, Any]:
    """What the text of a TOML file says, not validated. ``source`` names it in errors. Raises InputError."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise InputError(_syntax_problem(str(error), text), source) from None
    except RecursionError:
        raise InputError(Problem("", "lists or tables are nested too deeply"), source) from None
    except ValueError as error:  # a date that does not exist, an integer of thousands of digits
        raise InputError(Problem("", f"is not valid TOML: {error}"), source) from None


def override(drive: Drive, changes: Mapping[str, Any]) -> Drive:
    """The drive with single values changed, validated anew.

    changes: values by path, such as {"wheels.0.motion.speed": "90 rpm"}; a wheel is given by its index, as
    ``wheels.0`` or ``wheels[0]``, or by its name, ``wheels.crankshaft``. Text that is a number, true, false, or a TOML
    list, table or quoted text is read as such, "none" removes a value; where text belongs, a number stays the text.

    Raises InputError for a path that does not exist, with the nearest name, and for values that are not allowed.
    """
    fields = drive.to_dict()
    _leave_formulation(fields, changes.get(_KIND))
    problems: list[Problem] = []
    for path, value in changes.items():
        try:
            _set(fields, path, _literal(value))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    if drive.bicycle is not None:  # names that stand there to be found, without anything that is given for them
        fields |= {part: [table for table in fields[part] if set(table) != {"name"}] for part in ("wheels", "bodies")}
    return Drive.from_dict(fields)


def example_names() -> tuple[str, ...]:
    """Names of the drives that come with the package, in alphabetical order."""
    folder = resources.files("chaindrive").joinpath("examples")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def example_path(name: str) -> Path:
    """Path of the file of an example. Raises InputError, with the nearest name, when there is none."""
    wanted = str(name).removesuffix(".toml")
    if wanted not in example_names():
        hint = nearest(wanted, example_names()) or "."
        message = f"is not an example{hint} There are: {', '.join(example_names())}"
        raise InputError(Problem("example", message, shown(name)))
    return Path(str(resources.files("chaindrive").joinpath("examples", f"{wanted}.toml")))


def example(name: str) -> Drive:
    """An example drive, such as "6l60mc". Raises InputError, with the nearest name, when there is none."""
    return load(example_path(name))


def read_text(path: str, of: str = "a drive") -> str:
    """The text of a small UTF-8 file. ``of``: whose file it should be, for messages. Raises InputError."""

    def refused(message: str, value: str = "") -> InputError:
        return InputError(Problem("", message, value), path[:200])

    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise refused(f"is a folder; give the file of {of}")
        if not stat.S_ISREG(status.st_mode):
            raise refused("is not a regular file")
        if status.st_size > LARGEST_FILE:
            raise refused(f"has {status.st_size} bytes; the file of {of} may have {LARGEST_FILE}")
        with open(path, "rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise refused(f"does not exist{_neighbours(path)}") from None
    except PermissionError:
        raise refused("cannot be read: permission denied") from None
    except (OSError, ValueError) as error:  # a name too long, a null byte in the name, a failing disk
        raise refused(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if b"\0" in content:
        raise refused(f"is a binary file; the file of {of} is text (TOML)")
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise refused(
            f"is not UTF-8 text: byte 0x{content[error.start]:02x} in line {line}; save it as UTF-8"
        ) from None


def _neighbours(path: str) -> str:
    """A hint to a file or an example with a similar name."""
    wanted = Path(path)
    if wanted.stem in example_names():
        return f"; there is an example of this name: chaindrive examples copy {wanted.stem}"
    try:
        with os.scandir(wanted.parent) as entries:
            names = [entry.name for _, entry in zip(range(10_000), entries, strict=False)]
    except OSError:
        return f"; neither does its folder {str(wanted.parent)[:100]!r}"
    return nearest(wanted.name, [name for name in names if name.endswith(".toml")])


def _syntax_problem(message: str, text: str) -> Problem:
    """``Expected '=' after a key (at line 3, column 5)`` as a problem with its place and the line."""
    found = re.fullmatch(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", message)
    if found is None:
        return Problem("", f"is not valid TOML: {message}")
    lines = text.split("\n")
    if found["line"] is None:
        return Problem(f"line {len(lines)}", f"is not valid TOML: {found['what']} at the end of the file")
    line = lines[int(found["line"]) - 1].strip()
    place = f"line {found['line']}, column {found['column']}"
    return Problem(place, f"is not valid TOML: {found['what']}", shown(line))


_KIND = "run.formulation.kind"


def _leave_formulation(fields: dict[str, Any], kind: Any) -> None:
    """Another formulation takes over those options of the one that stands there which are its own as well."""
    formulation = fields["run"]["formulation"]
    if kind is not None and kind != formulation["kind"]:
        fields["run"]["formulation"] = carried_over(formulation, str(kind))


def _literal(value: Any) -> Any:
    """Text from a command line as the value it stands for."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.lower() == "none":
        return None
    if (number := typed(text)) is not None:
        return number
    if text in {"true", "false"}:
        return text == "true"
    if text[:1] in {"[", "{", '"'}:
        try:
            return tomllib.loads(f"value = {text}")["value"]
        except (ValueError, RecursionError):
            return value
    return value


def _set(fields: dict[str, Any], path: str, value: Any) -> None:
    """Put a value into nested tables at a dotted path. Unknown last names are left to validation."""
    parts = [part for part in re.split(r"[.\[\]]+", str(path)) if part]
    if not parts:
        raise InputError(Problem(str(path), "is not the path of a value, such as wheels.0.motion.speed"))
    here: Any = fields
    for count, part in enumerate(parts):
        place = ".".join(parts[: count + 1])[:200]
        last = count == len(parts) - 1
        key: Any = _index(here, part, place) if isinstance(here, list) else part
        if last:
            here[key] = value
            return
        if isinstance(here, dict) and here.get(key) is None:
            here[key] = {}
        here = here[key]
        if not isinstance(here, (dict, list)):
            raise InputError(Problem(place, f"is a single value: there is no {'.'.join(parts[count + 1 :])!r} in it"))


def _index(here: list[Any], part: str, place: str) -> int:
    names = [str(item.get("name")) for item in here if isinstance(item, dict)]
    if part in names:
        return names.index(part)
    if re.fullmatch(r"\d{1,9}", part) and int(part) < len(here):
        return int(part)
    hint = nearest(part, names) if names else ""
    raise InputError(Problem(place, f"is not there: an index from 0 to {len(here) - 1} or a name is needed{hint}"))
