"""Plain writes at a place of a file, and the error for a disk that takes no more."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from chaindrive.errors import ComputationError

__all__ = ["full_disk", "open_flags", "replacing", "sync", "write_at"]

DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def open_flags() -> int:
    """Flags that binary files need on Windows."""
    return getattr(os, "O_BINARY", 0)


def full_disk(error: OSError, path: Path, kept: str) -> ComputationError:
    """The error for a write that failed in the middle of a run. ``kept`` says what is still there."""
    if error.errno in DISK_FULL:
        return ComputationError(
            f"the disk is full, {path} cannot grow; {kept}",
            "free some space, or lower save.rate, keep fewer channels, or write to another disk.",
        )
    reason = error.strerror or str(error)
    return ComputationError(f"writing {path} failed ({reason}); {kept}", "check the disk, or write to another one.")


def write_at(file: int, data: bytes | memoryview, offset: int) -> None:
    """Write all of ``data`` at ``offset`` of an open file, however many calls it takes."""
    view = memoryview(data)
    while len(view) > 0:
        if hasattr(os, "pwrite"):
            done = os.pwrite(file, view, offset)
        else:  # Windows
            os.lseek(file, offset, os.SEEK_SET)
            done = os.write(file, view)
        if done == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        view = view[done:]
        offset += done


def sync(path: Path) -> None:
    """Have the system put a file or folder on the disk for good."""
    with contextlib.suppress(OSError):  # folders cannot be synchronised everywhere
        file = os.open(path, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a temporary name beside ``target``; on success rename it over the target at once, on failure remove it."""
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        yield part
        sync(part)
        part.replace(target)
        sync(target.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
