"""Writing of results during a run, into a file that survives a crash or into memory."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.channels import Channel
from chaindrive.contract.status import Status
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.results import files, lowlevel
from chaindrive.results.attributes import encode, status_attributes
from chaindrive.results.layout import BlockMean, Layout, Table, storage_dtype
from chaindrive.results.packing import Packed, Packing
from chaindrive.results.readers import Reader, open_file, open_rows
from chaindrive.results.solution import Solution

__all__ = ["DISK_LIMIT", "MEMORY_LIMIT", "ResultsWriter"]

MEMORY_LIMIT = 2 * 1024**3
"""Largest size of results kept in memory, in bytes."""
DISK_LIMIT = 64 * 1024**3
"""Largest size of a results file before compression, in bytes."""
MOST_ROWS = 2**31 - 2
LOWER = "lower run.until or run.save.rate, keep fewer channels (run.save.channels), or store means (run.save.reduce)"


class Placed(NamedTuple):
    """Packed rows that have been written to their place but not yet counted."""

    rows: int


class ResultsWriter:
    """Accepts rows of ``record`` and stores the kept channels.

    path: path of the netCDF-4 file, or None to keep everything in memory. channels: the kept channels (see ``select``),
    with offsets in the full row. attributes: result of ``describe``. rows_total: largest number of rows stored (after
    taking means). chunk_rows: rows per block when the finished file is packed. reduce="mean" stores the mean of every
    ``oversample`` rows appended, with the time of the middle of the block; ``append`` then accepts ``oversample`` times
    as many rows. before_publishing: called once, just before the file gets its name, to write accompanying files to
    disk (the first checkpoint).

    Raises InputError if the file cannot be written there, exists already (unless ``overwrite``) or would be too large.
    An earlier file at ``path`` stays until the first rows are in the new one.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        channels: Sequence[Channel],
        labels: Mapping[str, tuple[str, ...]],
        attributes: Mapping[str, str],
        rows_total: int,
        chunk_rows: int = 500,
        *,
        reduce: Literal["sample", "mean"] = "sample",
        oversample: int = 8,
        overwrite: bool = False,
        before_publishing: Callable[[], None] | None = None,
    ) -> None:
        self.layout = Layout(tuple(channels), dict(labels))
        self.rows_total = max(1, int(rows_total))
        self.rows = 0
        """Number of rows stored so far."""
        self._attributes = dict(attributes)
        self._chunk_rows = max(1, chunk_rows)
        self._mean = BlockMean(self.layout, oversample) if reduce == "mean" else None
        self._packing = Packing(self.layout.channels, doubles=reduce == "mean")
        self._file = -1
        self._part: Path | None = None
        self._before_publishing = before_publishing
        if path is None:
            self.path: Path | None = None
            self._check_size("memory", MEMORY_LIMIT, "give an output file (-o run.nc), " + LOWER)
            self._times = np.empty(self.rows_total)
            self._table = _empty_table(self.layout.channels, self.rows_total)
        else:
            self.path = files.check_results(path, overwrite=overwrite)
            free = shutil.disk_usage(self.path.parent).free
            self._check_size("on the disk", min(free, DISK_LIMIT), LOWER)
            self._create(self.path)

    @classmethod
    def reopen(
        cls,
        path: str | os.PathLike[str],
        rows: int,
        channels: Sequence[Channel],
        labels: Mapping[str, tuple[str, ...]],
        attributes: Mapping[str, str],
        rows_total: int,
        chunk_rows: int = 500,
        *,
        state: Mapping[str, NDArray[Any]] | None = None,
        reduce: Literal["sample", "mean"] = "sample",
        oversample: int = 8,
    ) -> ResultsWriter:
        """Continue an interrupted file from the ``rows`` counted by its checkpoint; later rows are dropped.

        state: result of :meth:`state` for the checkpoint. The rows are copied into a new file, which replaces the old
        one when it holds all of them; so killed, interrupted and finished files can be continued, even with a different
        ``rows_total``. A checkpoint without rows needs no file: a new file is begun. Raises InputError if the file does
        not hold these rows and channels.
        """
        means: dict[str, Any] = {"reduce": reduce, "oversample": oversample, "overwrite": True}
        if rows == 0:
            begun = cls(path, channels, labels, attributes, rows_total, chunk_rows, **means)
            begun.restore(state or {})
            return begun
        writer: ResultsWriter | None = None
        try:
            with open_file(path) as old:
                problems = _differences(old, Layout(tuple(channels), dict(labels)), rows, str(path))
                if problems:
                    raise InputError(problems)
                kept = {**attributes, "history": old.attrs.get("history", "")}
                writer = cls(path, channels, labels, kept, max(rows_total, rows), chunk_rows, **means)
                for times, table in old.blocks(rows, writer._chunk_rows):
                    writer._store(times, table)
            writer._named()  # not before all is copied; and Windows replaces no open file
        except BaseException:
            if writer is not None:
                writer.abandon()
            raise
        writer.restore(state or {})
        return writer

    def pack(self, rows: NDArray[np.float64], waiting: int = 0) -> Packed | Placed:
        """Pack the kept part of rows, (n, row_size) as ``record`` wrote them, to be appended later.

        waiting: number of packed rows that are to be appended before them. If results are kept in memory, the rows are
        put in place immediately; other rows packed for the same place overwrite them.
        """
        if self.path is not None or self._mean is not None:
            return self._packing.pack(rows)
        begin = self.rows + waiting
        end = self._checked(begin + rows.shape[0])
        with np.errstate(over="ignore", invalid="ignore"):
            for channel in self.layout.channels:
                self._table[channel.name][begin:end] = channel.read(rows)
        return Placed(rows.shape[0])

    def append(self, times: NDArray[np.float64], rows: NDArray[np.float64] | Packed | Placed) -> None:
        """Store rows: times (n,) [s], rows (n, row_size) as written by ``record``, or packed rows, which must not be
        used again.

        Raises ComputationError if the disk is full or fails; rows stored before remain readable.
        """
        instants = np.asarray(times, dtype=np.float64)
        packed = rows if isinstance(rows, Packed | Placed) else self.pack(np.asarray(rows, dtype=np.float64))
        if isinstance(packed, Placed):
            self._times[self.rows : self.rows + packed.rows] = instants
            self.rows += packed.rows
            return
        table = self._packing.table(packed)
        if self._mean is not None:
            (block,) = packed.blocks.values()
            instants, means = self._mean.add(instants, block[: packed.rows])
            table = self.layout.unpack(means)
        if instants.size:
            self._store(instants, table)
            self._named()
        self._packing.give_back(packed)

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the result of :meth:`state`; rows stored since remain."""
        if self._mean is not None and state:
            self._mean.restore(state)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the data for a checkpoint in addition to ``rows``: the rows of an incomplete block of a mean."""
        return {} if self._mean is None else self._mean.state()

    def sync(self) -> None:
        """Flush the rows to disk; to be called before a checkpoint is saved."""
        if self._file >= 0:
            os.fsync(self._file)

    def publish(self) -> None:
        """Give the file its name, replacing an earlier file. This happens automatically with the first rows."""
        if self._part is not None and self.path is not None:
            if self._before_publishing is not None:
                self._before_publishing()
            lowlevel.sync(self._part)
            self._close()  # Windows renames no open file
            if self._part.exists():  # an interruption may have come just after the renaming
                self._part.replace(self.path)
            self._part = None
            lowlevel.sync(self.path.parent)
            self._file = _open(self.path)

    def finish(
        self,
        status: Status,
        statistics: Mapping[str, Any] | None = None,
        *,
        warnings: Sequence[str] = (),
        notes: Mapping[str, Any] | None = None,
    ) -> Solution:
        """Finish the results: pack the file, add the final attributes, and return the solution read from it.

        An incomplete block of a mean is stored if the run failed (the last instants are then the most important), or if
        nothing else was stored by a run that has ended; otherwise it is dropped. Raises ComputationError if the disk
        has no room for the packed file; the unpacked file then remains and is readable.
        """
        if self._mean is not None and (status.failed or (self.rows == 0 and status != Status.INTERRUPTED)):
            instants, packed = self._mean.rest()
            if instants.size and self.rows < self.rows_total:
                self._store(instants, self.layout.unpack(packed))
        self._attributes.update(
            status_attributes(status),
            statistics=encode(statistics or {}),
            warnings=encode(list(warnings)),
            notes=encode(notes or {}),
        )
        if self.path is None:
            table = {name: values[: self.rows] for name, values in self._table.items()}
            return Solution.from_memory(self.layout, self._times[: self.rows], table, self._attributes)
        self.publish()
        self._close()
        try:
            with lowlevel.replacing(self.path) as part, open_rows(self.path) as read:
                names = [channel.name for channel in self.layout.channels]
                blocks = read(names, self.rows, max(1, files.BLOCK_BYTES // self.layout.row_bytes))
                files.create_compact(part, self.layout, self._attributes, self.rows, blocks)
        except OSError as error:
            kept = f"it stays uncompressed, with {self.rows} rows, as an interrupted run."
            raise lowlevel.full_disk(error, self.path, kept) from None
        return Solution(open_file(self.path))

    def abandon(self) -> None:
        """Close the file. Stored rows remain readable; a file without any is removed."""
        self._close()
        if self._part is not None:
            with contextlib.suppress(OSError):
                self._part.unlink()
            self._part = None
        elif self.path is not None and self.rows == 0:
            with contextlib.suppress(OSError):
                self.path.unlink()

    def _check_size(self, where: str, limit: int, advice: str) -> None:
        need = self.rows_total * self.layout.row_bytes
        if need > limit or self.rows_total > MOST_ROWS:
            message = (
                f"{self.rows_total} rows of {self.layout.row_bytes} bytes need {_size(need)} {where}, "
                f"but only {_size(limit)} are possible; {advice}"
            )
            raise InputError(Problem("run.save", message))

    def _create(self, path: Path) -> None:
        """Lay out the file under a temporary name, and rename it immediately if there is no earlier file that could be
        lost.
        """
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            self._places = files.create_running(part, self.layout, self._attributes, self.rows_total)
            self._file = _open(part)
            self._part = part
            if not path.exists():
                self.publish()
        except BaseException as error:
            self._close()
            with contextlib.suppress(OSError):
                part.unlink()
            if isinstance(error, PermissionError):
                raise InputError(Problem(str(path), "no permission to write results there")) from None
            if isinstance(error, OSError):
                kept = "no results file was created; an earlier one is unchanged."
                raise lowlevel.full_disk(error, path, kept) from None
            raise

    def _store(self, times: NDArray[np.float64], table: Table) -> None:
        """Write rows at their positions, in the format of their channels, then count them."""
        until = self._checked(self.rows + times.size)
        if self.path is None:
            self._times[self.rows : until] = times
            with np.errstate(over="ignore", invalid="ignore"):
                for name, values in table.items():
                    self._table[name][self.rows : until] = values
            self.rows = until
            return
        if self._file < 0:
            raise ValueError("the writer is closed")
        try:
            for name, values in {**_stored(table, self.layout.channels), "time": times}.items():
                place = self._places[name]
                lowlevel.write_at(self._file, _bytes(values), place.offset + self.rows * place.row_bytes)
            lowlevel.write_at(self._file, np.int32(until).astype("<i4").tobytes(), self._places["rows_written"].offset)
        except OSError as error:
            raise self._stopped(error) from None
        self.rows = until

    def _checked(self, rows: int) -> int:
        """Return this total number of rows. Raises ValueError if there is no room for so many."""
        if rows > self.rows_total:
            raise ValueError(f"{rows} rows for a writer made for {self.rows_total}")
        return rows

    def _named(self) -> None:
        """Publish the file once it contains rows."""
        try:
            self.publish()
        except OSError as error:
            raise self._stopped(error) from None

    def _stopped(self, error: OSError) -> ComputationError:
        """Return the error for rows that could not be written; an earlier file, or the rows written before, remain."""
        assert self.path is not None
        kept = (
            f"the {self.rows} rows written before remain readable."
            if self._part is None
            else ("the file is unchanged.")
        )
        return lowlevel.full_disk(error, self.path, kept)

    def _close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _empty_table(channels: Sequence[Channel], rows: int) -> dict[str, NDArray[Any]]:
    """Return arrays for all channels in one block of memory, for which the system uses large pages."""
    kinds = {channel.name: storage_dtype(channel) for channel in channels}
    sizes = [rows * channel.size * kinds[channel.name].itemsize for channel in channels]
    ends = np.cumsum([-(-size // 8) * 8 for size in sizes], dtype=np.int64)
    block = np.empty(int(ends[-1]) if channels else 0, np.uint8)
    return {
        channel.name: block[end - -(-size // 8) * 8 :][:size].view(kinds[channel.name]).reshape(rows, *channel.shape)
        for channel, size, end in zip(channels, sizes, ends, strict=True)
    }


def _size(size: float) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | lowlevel.open_flags())


def _stored(table: Table, channels: Sequence[Channel]) -> dict[str, NDArray[Any]]:
    """Return a table with the values in the number format of their channels."""
    formats = {channel.name: storage_dtype(channel) for channel in channels}
    with np.errstate(over="ignore", invalid="ignore"):
        return {name: values.astype(formats[name], copy=False) for name, values in table.items()}


def _bytes(values: NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(values).reshape(-1).view(np.uint8).data


def _differences(old: Reader, layout: Layout, rows: int, place: str) -> list[Problem]:
    """Return the reasons why an old file cannot be continued."""
    problems = []
    if old.rows < rows:
        message = f"holds {old.rows} rows, but the checkpoint counted {rows}; it is not the file that was interrupted"
        problems.append(Problem(place, message))
    there = {channel.name: (channel.dims, channel.shape, channel.precision) for channel in old.channels.values()}
    wanted = {channel.name: (channel.dims, channel.shape, channel.precision) for channel in layout.channels}
    if there != wanted:
        names = sorted(name for name in there.keys() | wanted.keys() if there.get(name) != wanted.get(name))
        problems.append(Problem(place, f"holds different channels from this run: {', '.join(names)} differ"))
    return problems
