"""Compiled kernels on disk: one file for each kernel and signature, in one folder for all versions of the source.

The key of a file (``source.py``) identifies its contents, so that checkouts and versions of the package share files and
never evict each other's. Files that have not been used for a long time are removed, as are the oldest files if the
folder exceeds a size limit. A Python wheel can include such files (``SHIPPED``); they are read like any other, after
the same checks.

If several processes need the same kernel, only one compiles it: it holds the lock of the kernel, and the others wait
for the file.
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
except ImportError:  # Windows: a kernel may be compiled twice by concurrent processes
    fcntl = None  # type: ignore[assignment]

__all__ = ["SHIPPED", "KernelFiles", "cache_folder", "can_share", "files_read", "say_missing", "when_missing"]

SHIPPED = Path(__file__).parent / "compiled"
"""Folder of the files that are included in a wheel (the package file)."""
DIGEST_BYTES = hashlib.sha256().digest_size
PART_LIFE = 600.0
"""Time for which an unfinished file is not removed; writing takes far less. [s]"""
DAY = 86400.0
UNUSED_LIFE = 60.0 * DAY
"""Time for which unused files are kept. [s]"""
MOST_BYTES = 2_000_000_000
"""Largest size of the folder in bytes; the kernels for one kind of drive take about 8 MB."""


_READ: set[Path] = set()


def files_read() -> frozenset[Path]:
    """Return the files of compiled kernels that this process has loaded."""
    return frozenset(_READ)


_WHEN_MISSING: ContextVar[Callable[[], None] | None] = ContextVar("_WHEN_MISSING", default=None)


@contextlib.contextmanager
def when_missing(call: Callable[[], None]) -> Iterator[None]:
    """Register a function that is called whenever a kernel must be compiled because there is no file for it."""
    before = _WHEN_MISSING.set(call)
    try:
        yield
    finally:
        _WHEN_MISSING.reset(before)


def say_missing() -> None:
    """Call the function registered by ``when_missing``, because a kernel must be compiled."""
    if (call := _WHEN_MISSING.get()) is not None:
        call()


def can_share() -> bool:
    """Return whether concurrent processes can share the compilation. They need locks and a writable folder."""
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
    """Return the folder of compiled kernels. It is created if it does not exist, and cleared of old files once a day.

    If it cannot be created or written, existing files are read, and everything else is compiled in each process.
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
    """Remove leftovers of killed processes, files not used for long, and the oldest files beyond the size limit."""
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
    """Log a message once; if logging is not configured, Python prints it to standard error.

    Workers of a study print nothing, as the process that started them compiles first.
    """
    if multiprocessing.parent_process() is None:
        logging.getLogger("chaindrive").warning(text)


def say_not_kept(folder: Path, error: OSError) -> None:
    """Report that compiled kernels cannot be kept, and why."""
    _say(
        f"Note: compiled kernels cannot be kept in {folder} ({error.strerror or error}); they are compiled again in "
        "every run. Set NUMBA_CACHE_DIR to a different folder."
    )


class KernelFiles:
    """The files of one kernel. Each holds a digest of the contents, followed by the data needed to load the kernel.

    Numba's own files have no digest, so that a damaged file ends the process or gives wrong results, and two processes
    can make their index inconsistent with the files.
    """

    def __init__(self, name: str) -> None:
        self._name = re.sub(r"[^\w.-]", "_", name)

    def load(self, key: tuple[Any, ...]) -> Any:
        """Return the content saved for this key; None if there is nothing, or nothing readable."""
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
            with contextlib.suppress(Exception):  # any error from a missing class or a foreign file
                name, found, data = pickle.loads(body)  # noqa: S301 (written by this user's own process, and undamaged)
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
        """Save the data needed to load the kernel: (name, key, data), pickled.

        An existing file is replaced atomically. If the disk is full or the folder is read-only, this is reported once,
        and the existing file remains unchanged.
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
    """Return the descriptor of the lock file, whose bytes represent kernels that are being compiled; None if no such
    file is possible.
    """
    try:
        return os.open(cache_folder() / ".compiling", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:
        return None


def _locked(key: tuple[Any, ...], wait: bool) -> None:
    """Take the lock of a kernel, a byte of the lock file, or release it if ``wait`` is False. The operating system
    releases the locks of a killed process.
    """
    if fcntl is None or (file := _lock_file()) is None:
        return
    byte = int(_hash(key)[:15], 16)
    with contextlib.suppress(OSError):  # a file system without locks: two processes may compile the same then
        fcntl.lockf(file, fcntl.LOCK_EX if wait else fcntl.LOCK_UN, 1, byte)
