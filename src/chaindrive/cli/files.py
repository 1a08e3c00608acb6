"""Text files for a user are written completely or not at all, and replace an existing file only with --force."""

from __future__ import annotations

import os
from pathlib import Path

from chaindrive.errors import InputError, Problem
from chaindrive.results.files import check_target
from chaindrive.results.lowlevel import DISK_FULL, full_disk, replacing

__all__ = ["refuse_existing", "write_file"]


def refuse_existing(target: Path, force: bool, option: str = "--output") -> None:
    """Raise InputError if a file with that name exists, unless ``force``, or cannot be written there."""
    if not force and os.path.lexists(target):
        raise _exists(target)
    try:
        check_target(target, overwrite=True, wanted="a file")
    except InputError as error:
        raise InputError(Problem(option, error.problems[0].message, repr(str(target)))) from None


def write_file(target: Path, content: bytes, force: bool, option: str, typed: str) -> None:
    """Write a complete file or none; option: the command-line option that names the file; typed: its value.

    Raises InputError if it exists, unless ``force``, or cannot be written.
    """
    try:
        _write(target, content, force)
    except FileExistsError:
        raise _exists(target) from None
    except OSError as error:
        if error.errno in DISK_FULL:
            raise full_disk(error, target, "nothing was written.") from None
        message = f"the file cannot be written: {error.strerror or error}"
        raise InputError(Problem(option, message, typed)) from None
    except ValueError as error:  # a null byte in the name
        raise InputError(Problem(option, f"the file cannot be written: {error}", typed)) from None


def _exists(target: Path) -> InputError:
    return InputError(Problem("", "exists already; --force replaces it", ""), str(target))


def _write(target: Path, content: bytes, force: bool) -> None:
    """Write a complete file or none. Raises FileExistsError if it exists, unless ``force``."""
    if force:
        with replacing(target.resolve()) as part:
            part.write_bytes(content)
        return
    with target.open("xb") as file:
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            target.unlink(missing_ok=True)
            raise
