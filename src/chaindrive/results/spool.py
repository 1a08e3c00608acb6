"""The file through which HDF5 writes.

HDF5 cannot handle a full disk: it raises errors in unpredictable places, prints messages, and crashes the process when
it closes the file (observed with HDF5 2.0). It therefore writes through a Python file here, which hides failures from
it. An interruption is such a failure, too: raised while HDF5 frees a dataset, it would be lost together with the data
that are written then, or crash the process.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from chaindrive.results.lowlevel import open_flags, write_at

__all__ = ["Spool"]


class Spool(io.RawIOBase):
    """A new file that stores the first failure in ``error`` instead of raising it.

    From then on all written data are kept in memory, so that HDF5 reads back what it wrote and can close normally. The
    writer checks ``error`` between blocks and stops, which keeps the amount small.
    """

    def __init__(self, path: Path) -> None:
        self.error: BaseException | None = None
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | open_flags(), 0o666)
        self._at = 0
        self._size = 0
        self._kept: list[tuple[int, bytes]] = []

    def readable(self) -> bool:
        """Always true: the file can be read."""
        return True

    def writable(self) -> bool:
        """Always true: the file can be written."""
        return True

    def seekable(self) -> bool:
        """Always true: the position can be moved."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move the position for reading and writing, and return it."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = start + offset
        return self._at

    def tell(self) -> int:
        """The position for reading and writing."""
        return self._at

    def write(self, data: Any) -> int:
        """Write all of ``data``; on failure keep it in memory."""
        length = memoryview(data).nbytes
        if self.error is None:
            try:
                write_at(self._file, data, self._at)
            except BaseException as error:  # Ctrl-C, too: HDF5 does not survive it
                self.error = error
        if self.error is not None:
            self._kept.append((self._at, bytes(data)))
        self._at += length
        self._size = max(self._size, self._at)
        return length

    def readinto(self, buffer: Any) -> int:
        """Read the written data, with zeros beyond its end."""
        view = memoryview(buffer).cast("B")
        length = len(view)
        os.lseek(self._file, self._at, os.SEEK_SET)
        stored = os.read(self._file, length)
        view[:] = stored + bytes(length - len(stored))
        for offset, data in self._kept:
            first, last = max(offset, self._at), min(offset + len(data), self._at + length)
            if first < last:
                view[first - self._at : last - self._at] = data[first - offset : last - offset]
        self._at += length
        return length

    def truncate(self, size: int | None = None) -> int:
        """Set the length of the file."""
        self._size = self._at if size is None else size
        if self.error is None:
            try:
                os.ftruncate(self._file, self._size)
            except BaseException as error:  # Ctrl-C, too: HDF5 does not survive it
                self.error = error
        return self._size

    def flush(self) -> None:
        """Do nothing: no data are buffered here."""

    @contextlib.contextmanager
    def holding_interruptions(self) -> Iterator[None]:
        """Store what the handlers of SIGINT and SIGTERM raise in ``error``, while HDF5 has the file open."""
        if threading.current_thread() is not threading.main_thread():  # in which handlers are called
            yield
            return
        held: dict[int, Callable[[int, FrameType | None], Any]] = {}

        def on_signal(number: int, frame: FrameType | None) -> None:
            try:
                held[number](number, frame)
            except BaseException as error:  # whatever a handler raises
                self.error = self.error or error

        try:
            for number in (signal.SIGINT, signal.SIGTERM):
                handler = signal.getsignal(number)
                if callable(handler):
                    held[number] = handler
                    signal.signal(number, on_signal)
            yield
        finally:
            for heard, handler in held.items():
                signal.signal(heard, handler)

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            os.close(self._file)
        super().close()
