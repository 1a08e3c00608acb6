"""The kept channels, their number formats, and how a row of ``record`` is split into them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.channels import Channel, Holds, Precision
from chaindrive.errors import InputError, Problem
from chaindrive.renamed import new_name

__all__ = ["Layout", "Table", "UnknownChannelError", "nearest", "select", "storage_dtype"]

Table = Mapping[str, NDArray[Any]]
"""Values by channel name, each of shape (rows, *channel.shape)."""


class UnknownChannelError(InputError, KeyError):
    """Raised when an unknown channel is requested. The message names the most similar channels, or the present name."""

    def __str__(self) -> str:
        return self._text()


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the three known names most similar to ``name``, as text for a message."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.0)
    return ", ".join(close) if close else "none"


def select(
    channels: Sequence[Channel],
    wanted: Literal["standard", "all"] | Sequence[str] = "standard",
    precision: Precision = "single",
) -> tuple[Channel, ...]:
    """Choose the channels to keep, in the order of the row.

    ``"standard"`` keeps everything except channels kept only on request (``Channel.kept``), ``"all"`` keeps everything,
    and a sequence of names keeps only those channels; channels that are always kept (the energy audit needs them) are
    added to any selection. A channel called ``time`` is never selected, as time is stored anyway, and neither is a
    channel without elements, such as a wheel channel of a chain without wheels. precision: "single" keeps the precision
    of each channel, "double" stores all of them in double precision.

    Raises an InputError that lists every unknown name with the names most similar to it.
    """
    usable = [channel for channel in channels if channel.name != "time"]
    if precision == "double":
        usable = [channel._replace(precision="double") for channel in usable]
    names = [channel.name for channel in usable]
    if isinstance(wanted, str) and wanted in ("standard", "all"):
        return tuple(c for c in usable if (wanted == "all" or c.kept != "on request") and c.size > 0)
    asked = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    problems = [
        Problem("run.save.channels", f"there is no such channel; {_instead(name, names)}", repr(name))
        for name in asked
        if name not in names and name != "time"
    ]
    if problems:
        raise InputError(problems)
    return tuple(c for c in usable if (c.name in asked or c.kept == "always") and c.size > 0)


def _instead(name: str, names: Sequence[str]) -> str:
    new = new_name(name, names)
    return f"{name} is now called {new}" if new else f"the nearest are {nearest(name, names)}"


def storage_dtype(channel: Channel) -> np.dtype[Any]:
    """Return the number format in which a channel is stored: float32 or float64, depending on its precision."""
    return np.dtype("<f4" if channel.precision == "single" else "<f8")


def period_of(channel: Channel) -> float | None:
    """Return the period of a channel whose values jump by it, from its end to 0, in the unit of the channel; None for
    any other channel.
    """
    along_the_loop = channel.name.rpartition(".")[2] == "link_path_position"  # that of a stage begins with its name
    return float(channel.shape[0]) if along_the_loop else None


@dataclass(frozen=True)
class Layout:
    """The kept channels, with the names along their dimensions."""

    channels: tuple[Channel, ...]
    """Offsets refer to the full row of ``record``."""
    labels: Mapping[str, tuple[str, ...]]

    @property
    def dimensions(self) -> dict[str, int]:
        """Length of every dimension except time."""
        lengths: dict[str, int] = {}
        for channel in self.channels:
            for name, length in zip(channel.dims, channel.shape, strict=True):
                if lengths.setdefault(name, length) != length:
                    raise ValueError(f"dimension {name!r} has length {lengths[name]} and, in {channel.name}, {length}")
        return lengths

    @property
    def row_bytes(self) -> int:
        """Size of one stored row, including time. [bytes]"""
        return 8 + sum(channel.size * storage_dtype(channel).itemsize for channel in self.channels)

    @property
    def width(self) -> int:
        """Number of values in a packed row."""
        return sum(channel.size for channel in self.channels)

    def unpack(self, packed: NDArray[np.float64]) -> dict[str, NDArray[Any]]:
        """Split packed rows into one array per channel; the arrays are views of the rows."""
        ends = np.cumsum([channel.size for channel in self.channels])
        return {
            channel.name: packed[:, end - channel.size : end].reshape(packed.shape[0], *channel.shape)
            for channel, end in zip(self.channels, ends, strict=True)
        }

    def columns(self, *holds: Holds) -> list[slice]:
        """Return the columns of a packed row that contain values of the given kinds (``Channel.holds``)."""
        return [columns for channel, columns in self._placed() if channel.holds in holds]

    def periodic(self) -> list[tuple[slice, float]]:
        """Return the columns of a packed row that contain periodic values, with their periods (``period_of``)."""
        found = [(columns, period_of(channel)) for channel, columns in self._placed()]
        return [(columns, period) for columns, period in found if period is not None]

    def _placed(self) -> Iterator[tuple[Channel, slice]]:
        """Yield every channel with its columns in a packed row."""
        at = 0
        for channel in self.channels:
            yield channel, slice(at, at + channel.size)
            at += channel.size


class BlockMean:
    """Means over blocks of ``length`` rows; an incomplete block waits for further rows.

    The time stored is the middle of the block (half of first plus last), at which the mean of a linear function is
    exact. Rows are summed one by one, so the result is bit for bit the same however the rows are divided among calls.
    Whole numbers have no mean: their value in the middle row of the block is stored. Of extremes the largest, or
    smallest, value is stored. Periodic values are averaged without their jumps; they may change by less than half a
    period from row to row.
    """

    def __init__(self, layout: Layout, length: int) -> None:
        self.length = length
        self._whole = layout.columns("count", "index")
        self._largest, self._smallest = layout.columns("largest"), layout.columns("smallest")
        self._periodic = layout.periodic()
        self._times: NDArray[np.float64] = np.empty(0)
        self._rows: NDArray[np.float64] = np.empty((0, layout.width))

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the waiting rows, for a checkpoint."""
        return {"results_block_times": self._times.copy(), "results_block_rows": self._rows.copy()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the rows that were waiting when the checkpoint was written."""
        self._times = np.array(state["results_block_times"], dtype=np.float64)
        self._rows = np.array(state["results_block_rows"], dtype=np.float64)

    def add(
        self, times: NDArray[np.float64], rows: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Add rows and return the blocks completed by them: times (n,) and rows (n, width)."""
        times = np.concatenate([self._times, times])
        rows = np.concatenate([self._rows, rows])
        complete = times.size // self.length
        used = complete * self.length
        self._times, self._rows = times[used:].copy(), rows[used:].copy()
        return self._mean(times[:used], rows[:used], self.length)

    def rest(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the mean over the waiting rows as one row, or no row if none is waiting."""
        times, rows = self._times, self._rows
        self._times, self._rows = times[:0], rows[:0]
        return self._mean(times, rows, max(times.size, 1))

    def _mean(
        self, times: NDArray[np.float64], rows: NDArray[np.float64], length: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        blocks = times.size // length
        grouped = rows.reshape(blocks, length, rows.shape[1])
        for columns, period in self._periodic:
            _remove_jumps(grouped[:, :, columns], period)
        total = grouped[:, 0].copy()
        for place in range(1, length):
            total += grouped[:, place]
        total /= length
        for columns, period in self._periodic:
            total[:, columns] -= period * np.floor(total[:, columns] / period)
        for columns in self._whole:
            total[:, columns] = grouped[:, length // 2, columns]
        for columns in self._largest:
            total[:, columns] = grouped[:, :, columns].max(axis=1, initial=-np.inf)
        for columns in self._smallest:
            total[:, columns] = grouped[:, :, columns].min(axis=1, initial=np.inf)
        instants = times.reshape(blocks, length)
        return 0.5 * (instants[:, 0] + instants[:, -1]), total


def _remove_jumps(values: NDArray[np.float64], period: float) -> None:
    """Make periodic values, shape (blocks, rows, n), continuous within each block, in place."""
    with np.errstate(invalid="ignore"):  # of a run that diverged
        turns = np.round(np.diff(values, axis=1) / period)
    values[:, 1:] -= period * np.cumsum(turns, axis=1)
