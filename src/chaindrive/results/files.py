"""Results files: netCDF-4 files (classic model), written so that no crash can damage them.

During writing, all datasets of a file are contiguous and have their final size, and time is not-a-number where nothing
has been written. HDF5 closes the file before the first row; rows are then written at their positions by plain writes,
so that the structures of HDF5 never change during a run and a killed run leaves a readable file. Readers need only one
more number, ``rows_written``, which is written after the rows that it counts. When the run is over, the file is
rewritten, compressed and with the final attributes, and replaces the first by an atomic rename.

The classic data model is chosen for its strings: attributes of fixed length and character arrays (NC_CHAR), which every
version of MATLAB's ncread and ncreadatt and the Java library inside Panoply understand; MATLAB reads variable-length
strings (NC_STRING) in variables only since R2021b. xarray joins the characters by ``_Encoding``.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.channels import Channel
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.model.arguments import path_of
from chaindrive.results.layout import Layout, Table, storage_dtype
from chaindrive.results.spool import Spool

__all__ = [
    "HDF5_SIGNATURE",
    "RESULTS",
    "ZIP_SIGNATURE",
    "Place",
    "check_results",
    "check_target",
    "create_compact",
    "create_running",
    "variable_attrs",
]

HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"
RESULTS = "a results file such as run.nc"
ZIP_SIGNATURE = b"PK\x03\x04"
BESIDE = len("..checkpoint.1234567890.part")
"""Largest number of characters by which the names of files beside a file are longer than its own."""
LIBRARY_BOUNDS = ("v108", "v108")
"""Formats of HDF5 1.8, as used by the netCDF library itself; they hold attributes above 64 KB (a long drive file)."""
CHUNK_BYTES = 1 << 18
"""Target size of a compressed chunk: 256 KB of one channel."""
BLOCK_BYTES = 1 << 23
"""Size of the blocks of rows packed at a time: every block takes some milliseconds of name look-ups."""
TRIAL_BYTES, SMALL = 1 << 16, 0.4
"""Bytes of a channel that are compressed for a trial, and the largest size of the result, relative to theirs, at which
the channel is compressed."""


class Place(NamedTuple):
    """Position of a dataset in a running file."""

    offset: int
    row_bytes: int
    """0 for a single number."""


def check_results(path: str | os.PathLike[str], *, overwrite: bool) -> Path:
    """Check that results can be written to ``path``; with ``overwrite``, to that of a results file, but of no other.

    Raises InputError as :func:`check_target` does.
    """
    return check_target(path, overwrite=overwrite, signature=HDF5_SIGNATURE)


def check_target(
    path: str | os.PathLike[str],
    *,
    overwrite: bool,
    signature: bytes = b"",
    wanted: str = RESULTS,
) -> Path:
    """Check that a file can be written to ``path``.

    signature: beginning of the files that may be overwritten; any other file is probably the drive itself; wanted:
    description of the file, for messages. Raises InputError for what is not a path, a missing or unwritable folder, a
    directory, a name that leaves no room for the names of the files beside it, a file that exists (unless
    ``overwrite``).
    """
    given = path_of(path, "path", wanted)
    place = str(path)
    try:
        target = given.resolve()  # what a symbolic link points to is replaced, not the link
        problem = _target_problem(target, overwrite, wanted) or _kind_problem(target, signature)
    except (OSError, ValueError, RuntimeError) as error:  # name too long, loop of links, zero byte in the name
        problem = f"no file can be written there ({getattr(error, 'strerror', None) or error})"
    if problem:
        raise InputError(Problem(place, problem))
    return target


def _kind_problem(target: Path, signature: bytes) -> str:
    if not signature or not target.exists():
        return ""
    with target.open("rb") as file:
        found = file.read(len(signature))
    return "" if found in (b"", signature) else f"exists and is not {KINDS[signature]}: choose another name"


KINDS = {HDF5_SIGNATURE: "a results file", ZIP_SIGNATURE: "an FMU"}
"""What may be overwritten, by the beginning of its file."""


def _target_problem(target: Path, overwrite: bool, wanted: str) -> str:
    folder = target.parent
    if target.is_dir():
        return f"this is a directory; give the name of {wanted}"
    if len(os.fsencode(target.name)) > (most := _longest_name(folder) - BESIDE):
        return f"the name is too long: at most {most} bytes leave room for the names of temporary files beside it"
    if not folder.exists():
        return f"the folder {folder} does not exist; create it or choose another"
    if not folder.is_dir():
        return f"{folder} is not a folder"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"no permission to write into the folder {folder}"
    if not target.exists():
        return ""
    if not target.is_file():
        return "this is a device or pipe, not a file"
    if not overwrite:
        return "exists already; choose another name, or allow it to be overwritten (--force, overwrite=True)"
    return "" if os.access(target, os.W_OK) else "exists already and is write-protected"


def _longest_name(folder: Path) -> int:
    """Return the largest number of bytes in a name of a file in a folder."""
    try:
        return os.pathconf(folder, "PC_NAME_MAX")
    except (AttributeError, OSError, ValueError):  # Windows; a folder that does not exist
        return 255


@contextlib.contextmanager
def _new_file(path: Path, attributes: Mapping[str, str]) -> Iterator[tuple[Any, Spool]]:
    """Create a netCDF-4 file. Raises OSError if it could not be written completely, and KeyboardInterrupt after an
    interruption, when the file is closed.
    """
    import h5netcdf

    from chaindrive.results.remembering import RememberingFile

    with Spool(path) as spool:
        with (
            spool.holding_interruptions(),
            RememberingFile(
                spool, "w", libver=LIBRARY_BOUNDS, track_order=True, rdcc_nbytes=2 * CHUNK_BYTES
            ) as remembering,
            h5netcdf.File(remembering, "w", format="NETCDF4_CLASSIC") as file,
        ):
            for name, text in attributes.items():
                file.attrs[name] = text or " "  # HDF5 has no empty string of fixed length
            yield file, spool
        if spool.error is not None:
            raise spool.error


def _add_coordinates(file: Any, layout: Layout) -> None:
    """Add the dimensions with their coordinates: names as character arrays, or numbers from 0 where there are no
    names.
    """
    for dim, length in layout.dimensions.items():
        file.dimensions[dim] = length
        if dim in layout.labels:
            encoded = [name.encode() for name in layout.labels[dim]]
            characters = f"{dim}_name_length"
            file.dimensions[characters] = width = max([1, *map(len, encoded)])
            data = np.array([list(name.ljust(width, b"\0")) for name in encoded], dtype=np.uint8).view("S1")
            names = file.create_variable(f"{dim}_name", (dim, characters), "S1")
            names[...] = data
            names.attrs["long_name"] = f"name of the {dim}"
            names.attrs["_Encoding"] = "utf-8"
        else:
            numbers = file.create_variable(dim, (dim,), "<i4", data=np.arange(length, dtype="<i4"))
            numbers.attrs["long_name"] = f"number of the {dim}, from 0"


def variable_attrs(channel: Channel) -> dict[str, str]:
    """Return the attributes of a channel: units (by the CF convention "1" if it has no unit), long_name, description,
    and the meaning of whole numbers.

    ``holds`` is taken from the channel (``Channel.holds``) and omitted for a quantity.
    """
    attrs = {"units": channel.unit if channel.unit not in ("", "-") else "1"}
    attrs["long_name"] = channel.name.replace("_", " ")
    if channel.description:
        attrs["description"] = channel.description
    if channel.holds != "quantity":
        attrs["holds"] = channel.holds
    return attrs


def _describe_variables(file: Any, layout: Layout) -> None:
    time = file.variables["time"]
    time.attrs["units"] = "s"
    time.attrs["long_name"] = "time"
    time.attrs["axis"] = "T"
    for channel in layout.channels:
        variable = file.variables[channel.name]
        for name, text in variable_attrs(channel).items():
            variable.attrs[name] = text
        named = [f"{dim}_name" for dim in channel.dims if dim in layout.labels]
        if named:
            variable.attrs["coordinates"] = " ".join(named)


def create_running(path: Path, layout: Layout, attributes: Mapping[str, str], rows: int) -> dict[str, Place]:
    """Create a file for ``rows`` rows, none of them written; return the position of each dataset.

    Space is laid out but not written (a sparse file), and time is not-a-number throughout. ``rows_written`` is an
    int32.
    """
    from h5py import h5d, h5p

    with _new_file(path, attributes) as (file, _):
        file.dimensions["time"] = rows
        file.create_variable("time", ("time",), "<f8", data=np.full(rows, np.nan))
        _add_coordinates(file, layout)
        for channel in layout.channels:
            laid_out = h5p.create(h5p.DATASET_CREATE)
            laid_out.set_layout(h5d.CONTIGUOUS)
            laid_out.set_alloc_time(h5d.ALLOC_TIME_EARLY)
            laid_out.set_fill_time(h5d.FILL_TIME_NEVER)
            file.create_variable(channel.name, ("time", *channel.dims), storage_dtype(channel), dcpl=laid_out)
        written = file.create_variable("rows_written", (), "<i4", data=np.int32(0))
        written.attrs["long_name"] = "rows that hold results; time is not-a-number in the others"
        _describe_variables(file, layout)
    return _places(path, ["time", "rows_written", *(channel.name for channel in layout.channels)])


def _places(path: Path, names: Iterable[str]) -> dict[str, Place]:
    import h5py

    places = {}
    with h5py.File(path, "r") as file:
        for name in names:
            dataset = file[name]
            offset = dataset.id.get_offset()
            if offset is None:
                raise ComputationError(f"{path}: HDF5 has not allocated space for {name}")
            row_bytes = int(np.prod(dataset.shape[1:], dtype=np.int64)) * dataset.dtype.itemsize if dataset.shape else 0
            places[name] = Place(int(offset), row_bytes)
    return places


def _compresses(values: NDArray[Any]) -> bool:
    """Return whether the rows of a channel (n, ...), in the precision of the file, become small by compression, from a
    part of the second quarter of them: the first rows of a run are often alike.
    """
    begin = values.shape[0] // 4
    row = max(1, values[:1].nbytes)
    part = np.ascontiguousarray(values[begin : begin + max(1, TRIAL_BYTES // row)])
    by_significance = part.view(np.uint8).reshape(-1, part.itemsize).T.tobytes()  # as HDF5's shuffle
    return len(zlib.compress(by_significance, 1)) <= SMALL * part.nbytes


def create_compact(
    path: Path,
    layout: Layout,
    attributes: Mapping[str, str],
    rows: int,
    blocks: Iterable[tuple[NDArray[np.float64], Table]],
) -> None:
    """Write a complete file at once.

    Channels that become small (contacts that are mostly open, bodies, fixed positions) are compressed with zlib and
    shuffle; the others are not, as this would save a quarter of their size but take most of the packing time. Every
    chunk has a checksum (Fletcher), so that a damaged one is not read as numbers.
    """
    rest = iter(blocks)
    first = next(rest, None)
    with _new_file(path, attributes) as (file, spool):
        file.dimensions["time"] = rows
        packed: dict[str, Any] = {"compression": "gzip", "compression_opts": 1, "shuffle": True}
        chunk = (min(max(rows, 1), CHUNK_BYTES // 8),)
        file.create_variable("time", ("time",), "<f8", chunks=chunk, fletcher32=True, **packed)
        _add_coordinates(file, layout)
        for channel in layout.channels:
            dtype = storage_dtype(channel)
            chunk_rows = max(1, min(rows, CHUNK_BYTES // max(1, channel.size * dtype.itemsize)))
            chunks = (chunk_rows, *channel.shape)
            values = None if first is None else np.asarray(first[1][channel.name], dtype)
            packing = packed if values is not None and values.size and _compresses(values) else {}
            file.create_variable(
                channel.name, ("time", *channel.dims), dtype, chunks=chunks, fletcher32=True, **packing
            )
        _describe_variables(file, layout)
        at = 0
        for times, table in [] if first is None else chain([first], rest):
            until = at + times.size
            file.variables["time"][at:until] = times
            for channel in layout.channels:
                file.variables[channel.name][at:until] = table[channel.name]
            at = until
            if spool.error is not None:
                break
