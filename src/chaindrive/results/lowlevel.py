"""Plain writes at a given offset in a file, and the error raised when the disk is full."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from chaindrive.errors import ComputationError

__all__ = ["DISK_FULL", "full_disk", "open_flags", "remove_left", "replacing", "sync", "write_at"]

DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
QUIET = 60.0
"""Time without writes after which a temporary file is considered abandoned. [s]"""


def open_flags() -> int:
    """Return the flags that Windows requires for opening binary files."""
    return getattr(os, "O_BINARY", 0)


def full_disk(error: OSError, path: Path, kept: str) -> ComputationError:
    """Return the error to raise when a write fails during a run. ``kept`` is a text that states what remains."""
    if error.errno in DISK_FULL:
        return ComputationError(
            f"the disk is full: {path} cannot grow; {kept}",
            "free some space, lower run.save.rate, keep fewer channels, or write to another disk.",
        )
    reason = error.strerror or str(error)
    return ComputationError(f"writing {path} failed ({reason}); {kept}", "check the disk, or write to another one.")


def write_at(file: int, data: bytes | memoryview, offset: int) -> None:
    """Write all of ``data`` at ``offset`` of an open file, in as many calls as needed."""
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
    """Flush a file or folder to disk."""
    with contextlib.suppress(OSError):  # folders cannot be synchronised everywhere
        file = os.open(path, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Provide the path of a temporary file beside ``target``; on success the file is renamed to ``target`` atomically,
    on failure it is removed.

    Files left by killed processes in earlier attempts are removed.
    """
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    remove_left(target)
    try:
        yield part
        sync(part)
        part.replace(target)
        sync(target.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def remove_left(target: Path) -> None:
    """Remove temporary files and folders beside ``target`` whose process has ended.

    Files written recently are kept, as their process may run on another machine.
    """
    name = re.compile(rf"\.{re.escape(target.name)}\.(\d+)\.part")
    with contextlib.suppress(OSError):
        for path in target.parent.iterdir():
            found = name.fullmatch(path.name)
            if found and time.time() - path.stat().st_mtime > QUIET and not _alive(int(found[1])):
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def _alive(process: int) -> bool:
    """Return whether a process with this number runs on this machine; True if that is unknown."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
