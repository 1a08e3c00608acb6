"""Target of an export. A file that chaindrive did not write itself is never replaced by accident."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.results.attributes import versions
from chaindrive.results.files import check_target
from chaindrive.results.lowlevel import replacing

__all__ = ["MARK", "check_export", "is_ours", "maker", "writing"]

MARK = "made by chaindrive"
"""Mark near the beginning or end of every exported file, by which chaindrive recognises that it wrote the file."""
_HEAD, _TAIL = 1 << 16, 1 << 22
"""Number of bytes searched for the mark. Parquet has it in its footer, before the metadata of up to a
thousand columns."""


def maker() -> str:
    """Return the mark with the version, such as "made by chaindrive 0.1.0"."""
    return f"{MARK} {versions()['chaindrive']}"


def is_ours(path: Path, mark: str = MARK) -> bool:
    """Return whether a file has the mark of chaindrive; False if it cannot be read."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
            file.seek(max(0, path.stat().st_size - _TAIL))
            return mark.encode() in head or mark.encode() in file.read(_TAIL)
    except OSError:
        return False


def check_export(
    path: str | os.PathLike[str], option: str = "", overwrite: bool = False, wanted: str = "a table such as run.csv"
) -> Path:
    """Return the path of an export if it can be used; otherwise raise InputError.

    wanted: description of the file, for messages. An existing file is replaced if it was exported by chaindrive, or
    with ``overwrite``.
    """
    try:
        target = check_target(path, overwrite=True, wanted=wanted)
    except InputError as error:
        (problem,) = error.problems
        if not option:
            raise
        raise InputError(Problem(option, problem.message, repr(str(path)))) from None
    if target.exists() and target.stat().st_size and not overwrite and not is_ours(target):
        allowed = "" if option else ", or allow it to be overwritten (--force, overwrite=True)"
        message = f"exists already and was not made by an export: choose another name{allowed}"
        raise InputError(Problem(option or str(path), message, repr(str(path)) if option else ""))
    return target


@contextmanager
def writing(target: Path) -> Iterator[Path]:
    """Yield a temporary file beside the target.

    When everything has been written, it replaces the target; after a failure it is removed. Raises ComputationError if
    the disk is full.
    """
    try:
        with replacing(target) as part:
            yield part
    except OSError as error:
        raise ComputationError(
            f"{target} could not be written: {error.strerror or error}", "free some space, or write elsewhere."
        ) from None
