"""Compiled kernels on the disk: one file for each kernel and signature, in one folder for all versions of the source.

The key of a file (``source.py``) says what it holds, so that checkouts and versions of the package share what they have
in common and never evict each other. Files that have not been used for long, and the oldest beyond a size, are cleared
away. A wheel can bring such files along (``SHIPPED``); they are read like any other, after the same checks.

Processes that compile at the same time do so once: each holds the lock of the kernel that it compiles, and one that
finds it held waits for the file.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import logging
import multiprocessing
import os
import pickle
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows: kernels that are compiled at the same time are compiled twice
    fcntl = None  # type: ignore[assignment]

__all__ = ["SHIPPED", "KernelFiles", "cache_folder", "can_share", "files_read", "say_missing", "when_missing"]

SHIPPED = Path(__file__).parent / "compiled"
"""Folder of the files that a wheel brings along."""
DIGEST_BYTES = hashlib.sha256().digest_size
PART_LIFE = 600.0
"""Time for which a file that is being written is left alone; writing takes a moment. [s]"""
DAY = 86400.0
UNUSED_LIFE = 60.0 * DAY
"""Time for which files are kept that no process uses. [s]"""
MOST_BYTES = 2_000_000_000
"""Largest size of the folder in bytes; a set of kernels for one kind of drive takes some 8 MB."""


_READ: set[Path] = set()


def files_read() -> frozenset[Path]:
    """The files of compiled kernels that this process has loaded."""
    return frozenset(_READ)


_WHEN_MISSING: ContextVar[Callable[[], None] | None] = ContextVar("_WHEN_MISSING", default=None)


@contextlib.contextmanager
def when_missing(call: Callable[[], None]) -> Iterator[None]:
    """Call ``call`` whenever a kernel has to be compiled because there is no file for it."""
    before = _WHEN_MISSING.set(call)
    try:
        yield
    finally:
        _WHEN_MISSING.reset(before)


def say_missing() -> None:
    """Report that a kernel has to be compiled, to the functions given to ``when_missing``."""
    if (call := _WHEN_MISSING.get()) is not None:
        call()


def can_share() -> bool:
    """Whether processes that compile at the same time can share the work: by locks, in a folder that can be written."""
    return fcntl is not None and _lock_file() is not None


def _root() -> Path:
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen) / "chaindrive"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "chaindrive"


@functools.cache
def cache_folder() -> Path:
    """The folder that holds compiled kernels; made when missing, and cleared of old files once a day.

    It may be impossible to make or to write: its files are then read, and everything else is compiled in each process.
    """
    folder = _root() / "kernels"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        cleared = folder / ".cleared"
        if not cleared.is_file() or time.time() - cleared.stat().st_mtime > DAY:
            cleared.touch()
            _clear(folder)
    except OSError as error:
        say_not_kept(folder, error)
    return folder


def _clear(folder: Path) -> None:
    """Remove leftovers of killed processes, files unused for long, and the oldest files beyond the size limit."""
    now, room = time.time(), MOST_BYTES
    files = [(path, path.stat()) for path in folder.iterdir() if path.is_file() and path.suffix in (".nbc", ".part")]
    for path, status in sorted(files, key=lambda item: -item[1].st_mtime):
        room -= status.st_size
        life = PART_LIFE if path.suffix == ".part" else UNUSED_LIFE
        if room < 0 or now - status.st_mtime > life:
            with contextlib.suppress(OSError):
                path.unlink()


@functools.cache
def _say(text: str) -> None:
    """Say something once, by the log; where nobody has set one up, Python prints it to standard error.

    Workers of a study print nothing: the process that started them compiles first.
    """
    if multiprocessing.parent_process() is None:
        logging.getLogger("chaindrive").warning(text)


def say_not_kept(folder: Path, error: OSError) -> None:
    """Say that compiled kernels cannot be kept, and why."""
    _say(
        f"Note: compiled kernels cannot be kept in {folder} ({error.strerror or error}); they are compiled again in "
        "every run. Set NUMBA_CACHE_DIR to another folder."
    )


class KernelFiles:
    """The files of one kernel: a digest of the rest, then the data needed to load it.

    Numba's own files have no digest (a damaged one ends the process, or computes something else) and an index that two
    processes can bring out of step with its files.
    """

    def __init__(self, name: str) -> None:
        self._name = re.sub(r"[^\w.-]", "_", name)

    def load(self, key: tuple[Any, ...]) -> Any:
        """The content saved for this key; None when there is nothing, or nothing readable."""
        for folder in (SHIPPED, cache_folder()):
            data = self._read(folder, key)
            if data is not None:
                return data
        return None

    def _read(self, folder: Path, key: tuple[Any, ...]) -> Any:
        path = folder / self._file(key)
        try:
            content = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return None
        except OSError:
            content = b""
        digest, body = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
        if hashlib.sha256(body).digest() == digest:
            with contextlib.suppress(Exception):  # whatever a class that is gone, or another file, raises
                name, found, data = pickle.loads(body)  # noqa: S301 (of this user's own process, and whole)
                if (name, found) == (self._name, key):
                    _READ.add(path)
                    _mark_used(path)
                    return data
                return None
        _say(f"Note: files of compiled kernels in {folder} were damaged; these kernels are compiled again.")
        return None

    def has(self, key: tuple[Any, ...]) -> bool:
        """Whether there is a file for this key."""
        return any((folder / self._file(key)).is_file() for folder in (SHIPPED, cache_folder()))

    def save(self, key: tuple[Any, ...], data: bytes) -> None:
        """Save what is needed to load the kernel: (name, key, data), pickled. An earlier file is replaced at once.

        Where the disk is full, or the folder is read-only, this is reported once, and the file left as it was.
        """
        try:
            self._write(cache_folder() / self._file(key), data)
        except OSError as error:
            say_not_kept(cache_folder(), error)

    def _write(self, path: Path, body: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with part.open("wb") as file:
                file.write(hashlib.sha256(body).digest())
                file.write(body)
            if path.is_dir():
                raise FileExistsError(errno.EEXIST, "a folder has this name", str(path))
            part.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink()
            raise

    @property
    def name(self) -> str:
        """Name of the kernel in its files."""
        return self._name

    def _file(self, key: tuple[Any, ...]) -> str:
        return f"{self._name}.{_hash(key)[:20]}.nbc"

    def lock(self, key: tuple[Any, ...]) -> None:
        """Wait until no other process compiles this kernel, and keep others from doing so until ``unlock``."""
        _locked(key, wait=True)

    def unlock(self, key: tuple[Any, ...]) -> None:
        """Let other processes take the lock of the kernel."""
        _locked(key, wait=False)


def _hash(key: tuple[Any, ...]) -> str:
    return hashlib.sha256(repr(key).encode()).hexdigest()


def _mark_used(path: Path) -> None:
    """Note that a file is in use, at most once a day."""
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)


@functools.cache
def _lock_file() -> int | None:
    """Descriptor of the file whose bytes represent kernels that are being compiled; None where there can be none."""
    try:
        return os.open(cache_folder() / ".compiling", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:
        return None


def _locked(key: tuple[Any, ...], wait: bool) -> None:
    """Take, or give back, the lock of a kernel: a byte of the lock file. The system frees those of a killed process."""
    if fcntl is None or (file := _lock_file()) is None:
        return
    byte = int(_hash(key)[:15], 16)
    with contextlib.suppress(OSError):  # a file system without locks: two processes may compile the same then
        fcntl.lockf(file, fcntl.LOCK_EX if wait else fcntl.LOCK_UN, 1, byte)
