"""The source text on which the machine code of a kernel depends: its module and everything that the module imports.

A kernel can call only functions that its module imports, so the texts of these modules (their *import closure*) are the
key to its compiled code. An edit anywhere else, such as in a report or in the command line, does not cause any
recompilation.

Imports are read from the text, not from the modules that a process happens to have loaded. Only those at the start of a
line count: imports within a function never reach a kernel (``tests/unit/test_kernel_source.py`` checks this).
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
import sysconfig
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

__all__ = ["closure", "kernels_digest", "source_key"]

PACKAGE = Path(__file__).parent.parent
IMPORT = re.compile(r"^(?:from +([\w.]+) +import +(\([^)]*\)|[^\n]*)|import +([^\n]*))", re.MULTILINE)
KERNEL = re.compile(r"^ *@kernel\b", re.MULTILINE)
STANDARD_LIBRARY = sysconfig.get_path("stdlib")
DIGITS = 20
"""Hexadecimal digits of a key."""


@functools.cache
def kernels_digest() -> str:
    """Return a digest of everything on which any kernel of the package depends, that is, of the physics. [hex digits]

    Two sources with the same digest give the same results. The digest is stored in results and checkpoints.
    """
    return _digest(path for path in sorted(PACKAGE.rglob("*.py")) if KERNEL.search(path.read_text(encoding="utf-8")))


def source_key(function: Callable[..., Any]) -> str:
    """Return a key for the source on which a function depends; for a function without a file it is
    random. [hex digits]
    """
    path = Path(function.__code__.co_filename)
    return _key_of_file(path) if path.is_file() else os.urandom(DIGITS // 2).hex()


@functools.cache
def _key_of_file(path: Path) -> str:
    return _digest([path])


def _digest(paths: Iterable[Path]) -> str:
    """Return the digest of these files and of everything that they import."""
    files = frozenset().union(*map(closure, paths))
    texts = sorted(map(_named_text, files))
    return hashlib.sha256(repr(texts).encode()).hexdigest()[:DIGITS]


@functools.cache
def _named_text(path: Path) -> tuple[str, str]:
    """Return the name of a file and the digest of its text, cached because most kernels depend on the same files."""
    return _name(path), hashlib.sha256(path.read_bytes()).hexdigest()


def _name(path: Path) -> str:
    """Return a name for a file that does not depend on where the package is installed."""
    return path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else path.name


@functools.cache
def closure(path: Path) -> frozenset[Path]:
    """Return the file and all files that it imports, directly or indirectly, except for those of other installed
    packages.

    The files of this subpackage, which compiles kernels, are always included.
    """
    found = {path, *Path(__file__).parent.glob("*.py")}
    ahead = list(found)
    while ahead:
        for other in _imported_by(ahead.pop()):
            if other not in found:
                found.add(other)
                ahead.append(other)
    return frozenset(found)


@functools.cache
def _imported_by(path: Path) -> tuple[Path, ...]:
    """Return the files that a file imports by lines that start with ``import`` or ``from``."""
    names: set[str] = set()
    for module, imported, plain in IMPORT.findall(path.read_text(encoding="utf-8", errors="replace")):
        if module:
            names.add(module)
            names.update(f"{module}.{name.split()[0]}" for name in imported.strip("()").split(",") if name.strip())
        else:
            names.update(name.split()[0] for name in plain.split(",") if name.strip())
    return tuple(sorted({file for name in names if (file := _file_of(name))}))


def _file_of(module: str) -> Path | None:
    """Return the file of a module of the package, or of another module that is loaded but not installed; otherwise
    None.
    """
    first, _, rest = module.partition(".")
    if first == PACKAGE.name:
        place = PACKAGE.joinpath(*rest.split(".")) if rest else PACKAGE
        return next((file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()), None)
    file = Path(getattr(sys.modules.get(module), "__file__", None) or "")
    installed = {"site-packages", "dist-packages"}.intersection(file.parts) or file.is_relative_to(STANDARD_LIBRARY)
    return None if file.suffix != ".py" or installed else file
