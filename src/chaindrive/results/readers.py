"""Sources of the data of a result: arrays in memory, or a results file that is read on demand."""

from __future__ import annotations

import contextlib
import functools
import math
import mmap
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, Self, get_args

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.channels import Channel, Holds, Precision
from chaindrive.errors import InputError, Problem
from chaindrive.renamed import attributes_of_results, current
from chaindrive.results.attributes import FORMAT, fault_in_attributes
from chaindrive.results.files import HDF5_SIGNATURE, variable_attrs
from chaindrive.results.layout import Layout, Table
from chaindrive.results.lock import writer_of
from chaindrive.shell import command

if TYPE_CHECKING:
    import xarray

__all__ = ["EVERY_ROW", "FileReader", "MemoryReader", "Reader", "open_file", "open_rows"]

HEAP = b"GCOL\x01\0\0\0"
"""How a global heap of an HDF5 file begins."""
DAMAGE = (OSError, ValueError, LookupError, RuntimeError, TypeError, AttributeError, MemoryError)
"""Exceptions that h5py raises for damaged files; which one depends on where the damage is."""

EVERY_ROW = slice(None)

_NAMED = ("span", "wheel", "guide", "body", "tensioner", "payload")
"""Dimensions of channels whose parts have names in the drive."""
_HELD_BEFORE: dict[str, Holds] = {"contact_surface": "index", "tooth_jumps": "count"}
"""Kinds of values in these channels, for files written by the first versions, which do not state them."""


class Reader(Protocol):
    """Source from which a :class:`~chaindrive.results.solution.Solution` reads."""

    channels: dict[str, Channel]
    labels: dict[str, tuple[str, ...]]
    attrs: dict[str, str]
    rows: int
    written_by: str | None
    """The process that was still writing the file when it was opened (``lock.writer_of``); None if there was none."""

    def time(self) -> NDArray[np.float64]:
        """Instants in seconds, shape (rows,)."""
        ...

    def values(self, name: str, rows: slice = EVERY_ROW, item: int | None = None) -> NDArray[Any]:
        """Rows of one channel (all by default), shape (rows, *shape), or only one item of its first dimension."""
        ...

    def blocks(self, rows: int, size: int) -> Iterator[tuple[NDArray[np.float64], Table]]:
        """The first ``rows`` rows in blocks of at most ``size``."""
        ...

    def dataset(self) -> xarray.Dataset:
        """Everything as an xarray.Dataset."""
        ...

    def close(self) -> None:
        """Close the file."""
        ...


class MemoryReader:
    """Results in memory."""

    written_by: str | None = None

    def __init__(
        self, layout: Layout, time: NDArray[np.float64], table: Mapping[str, NDArray[Any]], attrs: Mapping[str, str]
    ) -> None:
        self.channels = {channel.name: channel for channel in layout.channels}
        self.labels = {dim: tuple(names) for dim, names in layout.labels.items() if dim in layout.dimensions}
        self.attrs = dict(attrs)
        self.rows = time.size
        self._dimensions = layout.dimensions
        self._time = time
        self._table = table

    def time(self) -> NDArray[np.float64]:
        """See :class:`Reader`."""
        return self._time

    def values(self, name: str, rows: slice = EVERY_ROW, item: int | None = None) -> NDArray[Any]:
        """See :class:`Reader`."""
        return self._table[name][rows] if item is None else self._table[name][rows, item]

    def blocks(self, rows: int, size: int) -> Iterator[tuple[NDArray[np.float64], Table]]:
        """See :class:`Reader`."""
        for at in range(0, rows, size):
            part = slice(at, min(at + size, rows))
            yield self._time[part], {name: values[part] for name, values in self._table.items()}

    def dataset(self) -> xarray.Dataset:
        """See :class:`Reader`."""
        import xarray

        coords: dict[str, Any] = {"time": ("time", self._time, {"units": "s", "long_name": "time", "axis": "T"})}
        for dim, length in self._dimensions.items():
            if dim in self.labels:
                coords[dim] = (dim, list(self.labels[dim]), {"long_name": f"name of the {dim}"})
            else:
                numbers = np.arange(length, dtype=np.int32)
                coords[dim] = (dim, numbers, {"long_name": f"number of the {dim}, from 0"})
        variables = {
            channel.name: (("time", *channel.dims), self._table[channel.name], variable_attrs(channel))
            for channel in self.channels.values()
        }
        return xarray.Dataset(variables, coords=coords, attrs=self.attrs)

    def close(self) -> None:
        """See :class:`Reader`."""


PARTS = {
    "wheel_speed": ("wheel",),
    "wheel_angle": ("wheel",),
    "wheel_torque": ("wheel",),
    "span_tension": ("span",),
    "link_tension": ("link",),
}
"""Dimensions of the channels that all analyses read by part; without them a file is damaged."""


class FileReader:
    """Results in a file, which may be finished, interrupted or still being written. Use :func:`open_file`.

    Its pickle is the path of the file, which is opened again.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return open_file, (self.path.resolve(),)

    def __init__(self, path: Path) -> None:
        import h5py

        self.path = path
        self._file = h5py.File(path, "r")
        try:
            self.attrs = {name: _text(value) for name, value in self._file.attrs.items() if not name.startswith("_")}
            if int(self.attrs.get("chaindrive_format", "0")) > FORMAT:
                _refuse(path, "written by a newer version of chaindrive; update to read it")
            if "chaindrive_format" not in self.attrs or "time" not in self._file:
                _refuse(path, "this netCDF or HDF5 file is not a results file of chaindrive")
            self._dataset: xarray.Dataset | None = None
            self._opened: dict[str, Any] = {}
            self.attrs = attributes_of_results(self.attrs)
            self.rows = int(self._file["time"].shape[0])
            self.written_by: str | None = None
            if "rows_written" in self._file:
                self.written_by = writer_of(path.resolve())
                self.rows = min(self.rows, max(0, int(self._file["rows_written"][()])))
            # datasets of earlier versions by the present names of their channels
            names = set(self._file)
            self._stored = {current(name): name for name in self._file if current(name) not in names}
            self.labels = self._read_labels()
            self.channels = self._read_channels()
            self.labels |= self._missing_labels()
        except BaseException:
            self._file.close()
            raise

    def check(self) -> None:
        """Refuse unusable files, whose attributes, time or sizes no run could have written. Raises InputError."""
        if found := fault_in_attributes(self.attrs):
            _refuse(self.path, f"the file is damaged: {found}")
        time = self.time()
        if time.dtype.kind != "f" or time.ndim != 1:
            _refuse(self.path, "the file is damaged: time is not a series of numbers")
        if "rows_written" in self._file:  # after a power cut the count may be on the disk and the last rows not
            unwritten = np.flatnonzero(np.isnan(time))
            self.rows = int(unwritten[0]) if unwritten.size else self.rows
            time = time[: self.rows]
        if not (np.isfinite(time).all() and (np.diff(time) > 0.0).all()):
            _refuse(self.path, "the file is damaged: time does not increase from instant to instant")
        layout = Layout(tuple(self.channels.values()), self.labels)
        for name, channel in self.channels.items():
            dims = tuple(dim.rpartition(".")[2] for dim in channel.dims)  # those of a stage begin with its name
            extreme = name.endswith(("_max", "_min"))  # of parts, even where the channel has vectors
            if dims != PARTS.get(name.rpartition(".")[2], dims) or (extreme and len(dims) != 1):
                _refuse(self.path, f"the file is damaged: {name} has the wrong dimensions")
            dataset = self._held(name)
            if dataset.dtype.kind != "f" or dataset.shape[0] < self.rows:
                _refuse(self.path, f"the file is damaged: {name} does not hold a number for every instant")
            if not _whole(dataset):
                _refuse(self.path, f"the file is damaged: blocks of the data of {name} are missing")
        for dim, length in layout.dimensions.items():
            if len(self.labels.get(dim, range(length))) != length:
                _refuse(self.path, f"the file is damaged: the names of the {dim} dimension do not fit its channels")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def time(self) -> NDArray[np.float64]:
        """See :class:`Reader`."""
        self._must_be_open()
        return self._time[: self.rows].copy()

    @cached_property
    def _time(self) -> NDArray[np.float64]:
        return self._read("time", slice(0, self.rows))

    def values(self, name: str, rows: slice = EVERY_ROW, item: int | None = None) -> NDArray[Any]:
        """See :class:`Reader`."""
        part = slice(*rows.indices(self.rows))
        return self._read(name, part if item is None else (part, item))

    def blocks(self, rows: int, size: int) -> Iterator[tuple[NDArray[np.float64], Table]]:
        """See :class:`Reader`."""
        return _blocks(self._read, self.channels, rows, size)

    def dataset(self) -> xarray.Dataset:
        """See :class:`Reader`. Values are read from the file when used."""
        import xarray

        if self._dataset is None:
            self._check_heaps()
            opened = xarray.open_dataset(self.path, engine="h5netcdf", decode_times=False)
            self._dataset = opened
        found = self._dataset.isel(time=slice(0, self.rows)).drop_vars("rows_written", errors="ignore")
        found = found.rename({stored: name for name, stored in self._stored.items()})
        coords: dict[str, Any] = {"time": ("time", self.time(), found["time"].attrs)}
        for dim in found.sizes:
            name = str(dim)
            if name in self.labels:
                coords[name] = (name, list(self.labels[name]), {"long_name": f"name of the {name}"})
            elif name in found.variables and name != "time":
                coords[name] = (name, found[name].values, found[name].attrs)
        names = [f"{dim}_name" for dim in self.labels]
        result = found.drop_vars([*names, *coords], errors="ignore").assign_coords(coords)
        return result.assign_attrs(self.attrs)

    def close(self) -> None:
        """See :class:`Reader`."""
        if self._dataset is not None:
            self._dataset.close()
        self._file.close()

    def _read(self, name: str, part: slice | tuple[slice, int]) -> NDArray[Any]:
        self._must_be_open()
        try:
            return self._held(name)[part]
        except DAMAGE:
            _refuse(self.path, f"the file is damaged: {name} cannot be read")

    def _must_be_open(self) -> None:
        if not self._file:
            _refuse(self.path, "this file has been closed")

    def _held(self, name: str) -> Any:
        """Return the dataset of a channel or of time; it is kept for later calls, because looking it up takes longer
        than reading a small dataset.
        """
        if name not in self._opened:
            self._opened[name] = self._file[self._stored.get(name, name)]
        return self._opened[name]

    def _read_labels(self) -> dict[str, tuple[str, ...]]:
        labels = {}
        for name in (each for each in self._file if each.endswith("_name")):
            held = self._file[name]
            if not hasattr(held, "dtype"):
                continue
            if held.dtype == np.dtype("S1") and held.ndim == 2 and _whole(held):
                rows = held[...]
                labels[name.removesuffix("_name")] = tuple(b"".join(row).decode(errors="replace") for row in rows)
        return labels

    def _missing_labels(self) -> dict[str, tuple[str, ...]]:
        """Return the names of the spans for a file of the first versions, and of all parts for a file without names.

        They are taken from the drive in the file, or are numbers if the drive has a different number of these parts.
        """
        counts = {
            dim: n for channel in self.channels.values() for dim, n in zip(channel.dims, channel.shape, strict=True)
        }
        missing = [dim for dim in _NAMED if dim in counts and dim not in self.labels]
        if not missing:
            return {}
        from chaindrive.model import loads

        named: dict[str, tuple[str, ...]] = {}
        with contextlib.suppress(InputError):
            named = loads(self.attrs.get("drive", "")).part_names
        return {
            dim: named[dim]
            if len(named.get(dim, ())) == counts[dim]
            else tuple(f"{dim} {k}" for k in range(counts[dim]))
            for dim in missing
        }

    def _dimensions(self, objects: Mapping[str, Any]) -> dict[str, dict[int, str]]:
        """Return the names of the dimensions of every dataset, by their positions, as far as the dimensions list them.

        The lists of the datasets themselves are in a heap, in which HDF5 searches without end if it is damaged.
        """
        found: dict[str, dict[int, str]] = {}
        for name, each in objects.items():
            for reference, position in each.attrs.get("REFERENCE_LIST", ()):
                with contextlib.suppress(*DAMAGE):  # a reference to something that is no longer in the file
                    found.setdefault(self._name_of(reference), {})[int(position)] = name
        return found

    def _listed_dimensions(self, dataset: Any) -> dict[int, str]:
        """Return the names of the dimensions of one dataset, by their positions, from its own list."""
        self._check_heaps()
        # the references themselves: h5py's dataset.dims can loop without end in a damaged file
        scales = dataset.attrs["DIMENSION_LIST"]
        return {position: self._name_of(scales[position][0]) for position in range(1, len(scales))}

    def _check_heaps(self) -> None:
        """Refuse a file in whose heaps HDF5 would search without end. Raises InputError."""
        if self._endless:
            _refuse(self.path, "the file is damaged")

    @cached_property
    def _endless(self) -> bool:
        return _search_is_endless(self.path)

    def _name_of(self, reference: Any) -> str:
        from h5py import h5r

        return str(h5r.get_name(reference, self._file.id).decode().split("/")[-1])

    def _read_channels(self) -> dict[str, Channel]:
        channels = {}
        offset = 0
        objects = {stored: self._object(stored) for stored in self._file}
        dimensions = self._dimensions(objects)
        for stored, dataset in objects.items():
            if "units" not in dataset.attrs or stored == "time":
                continue
            name = current(stored)
            self._opened[name] = dataset
            own = dimensions.get(stored, {})
            if max(own, default=0) >= max(dataset.ndim, 1):
                _refuse(self.path, f"the file is damaged: {stored} has fewer dimensions than are listed for it")
            if not own.keys() >= set(range(1, dataset.ndim)):
                own = self._listed_dimensions(dataset)
            dims = tuple(own[position] for position in range(1, dataset.ndim))
            unit, description = _attribute(dataset, "units", ""), _attribute(dataset, "description", "")
            attribute = _attribute(dataset, "holds", _HELD_BEFORE.get(name, ""))
            holds: Holds = next((each for each in get_args(Holds) if each == attribute), "quantity")
            precision: Precision = "single" if dataset.dtype.itemsize == 4 else "double"
            shape = dataset.shape[1:]
            channels[name] = Channel(name, dims, unit, description, offset, shape, holds=holds, precision=precision)
            offset += channels[name].size
        return channels

    def _object(self, name: str) -> Any:
        """Return the object with this name in the file. This is faster than h5py itself, which queries the mode of the
        file for every object.
        """
        import h5py

        found = h5py.h5o.open(self._file.id, name.encode())
        return h5py.Dataset(found, readonly=True) if isinstance(found, h5py.h5d.DatasetID) else self._file[name]


def _search_is_endless(path: Path) -> bool:
    """Return whether HDF5 would search a heap of the file without end, because it contains an object of size 0 (see
    H5HG in the HDF5 format).
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        heap = content.find(HEAP)
        while heap >= 0:
            at, end = heap + 16, min(heap + int.from_bytes(content[heap + 8 : heap + 16], "little"), len(content))
            while at + 16 <= end:
                used, size = any(content[at : at + 2]), int.from_bytes(content[at + 8 : at + 16], "little")
                if not used and size == 0:
                    return True
                at += 16 + (size + 7) // 8 * 8 if used else size
            heap = content.find(HEAP, heap + 1)
    return False


def _blocks(
    read: Callable[[str, slice], NDArray[Any]], names: Iterable[str], rows: int, size: int
) -> Iterator[tuple[NDArray[np.float64], Table]]:
    for at in range(0, rows, size):
        part = slice(at, min(at + size, rows))
        yield read("time", part), {name: read(name, part) for name in names}


@contextlib.contextmanager
def open_rows(path: Path) -> Iterator[Callable[[Iterable[str], int, int], Iterator[tuple[NDArray[np.float64], Table]]]]:
    """Provide the rows of a file whose channels are known, as ``Reader.blocks`` does, for channels given by name.

    The content of the file is not listed, which would take longer than reading a short file.
    """
    import h5py

    with h5py.File(path, "r") as file:
        held: dict[str, Any] = {}

        def read(name: str, part: slice) -> NDArray[Any]:
            if name not in held:
                held[name] = file[name]
            try:
                return np.asarray(held[name][part])
            except DAMAGE:
                _refuse(path, f"the file is damaged: {name} cannot be read")

        yield functools.partial(_blocks, read)


def _attribute(dataset: Any, name: str, absent: str) -> str:
    """Return an attribute as text. Strings of fixed length, which chaindrive writes, are read without the checks that
    h5py makes for all other kinds.
    """
    from h5py import h5a, h5t

    key = name.encode()
    if not h5a.exists(dataset.id, key):
        return absent
    found = h5a.open(dataset.id, key)
    kind = found.get_type()
    if found.shape != () or not isinstance(kind, h5t.TypeStringID) or kind.is_variable_str():
        return _text(dataset.attrs[name])
    held = np.empty((), f"S{kind.get_size()}")
    found.read(held, mtype=kind)
    return _text(held[()])


def _whole(dataset: Any) -> bool:
    """Return whether every block of a dataset is in the file; HDF5 returns zeros for a missing block."""
    if dataset.size == 0:
        return True
    try:
        if dataset.chunks is None:
            return bool(dataset.id.get_storage_size() > 0)
        counts = (-(-length // chunk) for length, chunk in zip(dataset.shape, dataset.chunks, strict=True))
        return bool(dataset.id.get_num_chunks() == math.prod(counts))
    except DAMAGE:
        return False


def _of_an_example(path: Path) -> str:
    from chaindrive.model import example_names

    name = path.name.removesuffix(".nc")
    if name not in example_names():
        return ""
    return f"; {command('run', name, '-o', f'{name}.nc')} writes the results of the example"


def open_file(path: str | os.PathLike[str]) -> FileReader:
    """Open a results file.

    Raises InputError if it is missing, a directory, empty, unreadable, not HDF5, damaged, or from other software.
    """
    where = Path(path)
    if where.is_dir():
        _refuse(where, "this is a directory, not a results file")
    try:
        with where.open("rb") as file:
            head = file.read(len(HDF5_SIGNATURE))
    except FileNotFoundError:
        _refuse(where, f"there is no such file{_of_an_example(where)}")
    except PermissionError:
        _refuse(where, "no permission to read this file")
    except OSError as error:
        _refuse(where, f"cannot be read ({error.strerror or error})")
    if not head:
        _refuse(where, "the file is empty")
    if head.startswith(b"CDF"):
        _refuse(where, "this is a netCDF-3 file; results of chaindrive are netCDF-4")
    if head != HDF5_SIGNATURE:
        hint = f": {command('run', where)} writes one" if where.suffix == ".toml" else " (not netCDF-4)"
        _refuse(where, f"this is not a results file{hint}")
    try:
        return FileReader(where)
    except InputError:
        raise
    except DAMAGE:
        _refuse(where, "the file is damaged")


def _refuse(path: Path, message: str) -> NoReturn:
    raise InputError(Problem(str(path), message)) from None


def _text(value: Any) -> str:
    text = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    return "" if text == " " else text
