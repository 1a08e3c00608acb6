"""One run at a time per output: a lock of the operating system, which is released when the process ends, however it
ends.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

from chaindrive.errors import InputError, Problem
from chaindrive.results.checkpoint import name_for
from chaindrive.results.lowlevel import DISK_FULL, full_disk, open_flags

__all__ = ["locked", "refuse_locked", "writer_of"]

if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 30
    """Offset of the locked byte: it lies beyond the content, which could not be read on Windows otherwise."""

    def _take(file: int) -> None:
        os.lseek(file, FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


TAKEN = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})
"""Error numbers of the operating system if another process holds the lock; any other number means a file system without
locks."""


WRITTEN = "is being written by another run{owner}; wait for it, or write to another file"
"""Message about a file that another process has locked."""


@contextlib.contextmanager
def locked(output: Path, taken: str = WRITTEN) -> Iterator[None]:
    """Prevent other runs from writing to ``output``, and remove files left beside it by killed runs.

    output: an absolute path without symbolic links (``files.check_target``). The lock is held on a separate file,
    ``.run.nc.lock``, which is removed at the end; one left by a killed process has no effect. On a file system without
    locks (some network file systems) there is no protection. Raises InputError with the message ``taken``, in which
    {owner} is replaced by the process that holds the lock; ComputationError if the disk is full.
    """
    path = _lock_of(output)
    file = _locked_file(path, output, taken)
    try:
        _remove_parts(output)
        yield
    finally:
        with contextlib.suppress(OSError):  # still locked: whoever opened it meanwhile sees that it is gone
            path.unlink()
        os.close(file)


def refuse_locked(output: Path) -> None:
    """Raise InputError if another run is currently writing to ``output``."""
    if _lock_of(output).exists():
        with locked(output):
            pass


def writer_of(output: Path) -> str | None:
    """Return the process that is writing to ``output`` as text such as `` (process 1234)``, empty if the lock file does
    not name it; None if no process is.
    """
    try:
        file = os.open(_lock_of(output), os.O_RDONLY | open_flags())
    except OSError:
        return None
    try:
        _take(file)
    except OSError as error:
        return _owner(file) if error.errno in TAKEN else None
    finally:
        os.close(file)
    return None


def _lock_of(output: Path) -> Path:
    """Return the path of the lock file of ``output``."""
    return output.with_name(f".{output.name}.lock")


def _locked_file(path: Path, output: Path, taken: str) -> int:
    """Open and lock the lock file, and return its descriptor."""
    while True:
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | open_flags(), 0o666)
        except OSError as error:
            if error.errno in DISK_FULL:
                raise full_disk(error, output, "nothing was written; an earlier file is unchanged.") from None
            message = f"no file can be written there ({error.strerror or error})"
            raise InputError(Problem(str(output), message)) from None
        try:
            _take(file)
        except OSError as error:
            if error.errno in TAKEN:
                message = taken.format(owner=_owner(file))
                os.close(file)
                raise InputError(Problem(str(output), message)) from None
        if _same(file, path):
            break
        os.close(file)  # its owner has just removed it
    with contextlib.suppress(OSError):  # a full disk: locked all the same
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)
        os.write(file, json.dumps({"process": os.getpid(), "host": socket.gethostname()}).encode())
    return file


def _same(file: int, path: Path) -> bool:
    """Return whether the open file is still the one with this name."""
    try:
        there, here = os.stat(path), os.fstat(file)
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)


def _owner(file: int) -> str:
    """Return a text such as `` (process 1234)``, with the host name if it is a different machine; empty if the file
    names no process.
    """
    try:
        os.lseek(file, 0, os.SEEK_SET)
        content = json.loads(os.read(file, 4096))
        host = "" if content["host"] == socket.gethostname() else f" on {content['host']}"
        return f" (process {int(content['process'])}{host})"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


def _remove_parts(output: Path) -> None:
    """Remove files left by killed runs; this is safe because only the owner of the lock writes such files."""
    names = "|".join(re.escape(path.name) for path in (output, name_for(output)))
    left = re.compile(rf"\.({names})\.\d+\.part")
    with contextlib.suppress(OSError):
        for path in output.parent.iterdir():
            if left.fullmatch(path.name):
                path.unlink(missing_ok=True)
