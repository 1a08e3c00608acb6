"""The archive of an FMU; its content is checked before any of it is unpacked or run."""

from __future__ import annotations

import re
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from chaindrive.errors import InputError, Problem
from chaindrive.numbers import quantity

__all__ = ["DESCRIPTION", "checked_archive", "unpack"]

DESCRIPTION = "modelDescription.xml"
MOST_ENTRIES = 10_000
LARGEST = 1_000_000_000
"""Largest total size after unpacking. [bytes]"""
LARGEST_DESCRIPTION = 50_000_000
MOST_EXPANSION = 1_000
"""Largest ratio of unpacked to packed size for an entry of at least LARGE bytes; deflate reaches 1032 only with zeros.
[-]"""
LARGE = 1_000_000
BLOCK = 1 << 20


@contextmanager
def checked_archive(path: str, place: str) -> Iterator[zipfile.ZipFile]:
    """Yield the archive of an FMU after all checks. Raises InputError with the place of the key that names the
    archive.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if problems := list(_problems(archive)):
                raise InputError([Problem(place, text, repr(path)) for text in problems])
            yield archive
    except FileNotFoundError:
        raise InputError(Problem(place, "there is no such file", repr(path))) from None
    except (OSError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zipfile.LargeZipFile) as error:
        raise InputError(Problem(place, f"is not a readable FMU (a zip archive): {error}", repr(path))) from None


def _problems(archive: zipfile.ZipFile) -> Iterator[str]:
    """Yield the reasons why an archive must not be unpacked."""
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        yield f"contains {len(entries)} files; at most {MOST_ENTRIES} are accepted"
        return
    names: set[str] = set()
    for entry in entries:
        name = entry.filename
        way = PurePosixPath(name)
        if way.is_absolute() or ".." in way.parts or re.search(r"[\\:\x00-\x1f]", name):
            yield f"contains a path that leads out of it: {name[:100]!r}"
        elif stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
            yield f"contains a link or a device instead of a file: {name[:100]!r}"
        elif entry.flag_bits & 1:
            yield f"contains a password-protected file: {name[:100]!r}"
        elif entry.file_size > LARGE and entry.file_size > MOST_EXPANSION * max(entry.compress_size, 1):
            size = quantity(entry.file_size, "B", 3)
            yield f"contains a file that unpacks to {size} from very little data: {name[:100]!r}"
        if name in names:
            yield f"contains two files with the same name: {name[:100]!r}"
        names.add(name)
    total = sum(entry.file_size for entry in entries)
    if total > LARGEST:
        yield f"unpacks to {quantity(total, 'B', 3)}; at most {quantity(LARGEST, 'B', 3)} are accepted"
    if DESCRIPTION not in names:
        yield f"contains no {DESCRIPTION}, so it is not an FMU"
        return
    if archive.getinfo(DESCRIPTION).file_size > LARGEST_DESCRIPTION:
        yield f"its {DESCRIPTION} is larger than {quantity(LARGEST_DESCRIPTION, 'B', 3)}"
        return
    with archive.open(DESCRIPTION) as stream:
        text = stream.read(LARGEST_DESCRIPTION + 1)
    if len(text) > LARGEST_DESCRIPTION or b"<!DOCTYPE" in text or b"<!ENTITY" in text or b"\x00" in text:
        yield f"its {DESCRIPTION} must be UTF-8 without document types and entities"


def unpack(archive: zipfile.ZipFile, folder: Path) -> None:
    """Unpack a checked archive into a folder. Raises BadZipFile if there is more data than its directory states."""
    for entry in archive.infolist():
        target = folder / entry.filename
        if entry.is_dir():
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as source, open(target, "xb") as stream:
            _copy(source, stream, entry.file_size)


def _copy(source: IO[bytes], target: IO[bytes], size: int) -> None:
    left = size
    while block := source.read(min(BLOCK, left + 1)):
        left -= len(block)
        if left < 0:
            raise zipfile.BadZipFile("a file is longer than the archive states")
        target.write(block)
