"""A netCDF-4 file of the classic model, written by h5py alone.

The structure is that which the netCDF library gives its files (netCDF-4 file format specification): a dimension is a
dataset that HDF5 knows as a scale, with its number; a variable is a dataset whose axes have these scales. h5netcdf
writes the same, but looks datasets up by name some thirty times for each variable: most of the time of a short run.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from chaindrive.version import __version__

__all__ = ["NetcdfFile", "new_file", "set_text"]

LIBRARY_BOUNDS = ("v108", "v108")
"""Formats of HDF5 1.8, as the netCDF library itself uses; they hold attributes above 64 KB (a long drive file)."""
NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable."


def set_text(item: Any, name: str, text: str) -> None:
    """Set an attribute of an item of h5py to a text of fixed length, UTF-8 where it is not ASCII."""
    from h5py import h5a, h5s, h5t

    value = (text or " ").encode()  # HDF5 has no empty string of fixed length
    kind = h5t.C_S1.copy()
    kind.set_size(len(value))
    kind.set_strpad(h5t.STR_NULLTERM)
    kind.set_cset(h5t.CSET_ASCII if value.isascii() else h5t.CSET_UTF8)
    attribute = h5a.create(item.id, name.encode(), kind, h5s.create(h5s.SCALAR))
    attribute.write(np.array(value), mtype=kind)


class NetcdfFile:
    """Dimensions and variables of a new file. Make one by :func:`new_file`."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._lengths: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._scales: dict[str, Any] = {}
        self.variables: dict[str, Any] = {}
        """Datasets of h5py by name."""

    def dimension(self, name: str, length: int) -> None:
        """Add a dimension; one of length 0 is unlimited, as netCDF has no other of this length."""
        self._lengths[name], self._numbers[name] = length, len(self._numbers)

    def dimension_alone(self, name: str, length: int) -> None:
        """Add a dimension that has no variable of its name."""
        self.dimension(name, length)
        dataset = self._file.create_dataset(name, (length,), ">f4", track_order=True, **self._growth((name,)))
        self._make_scale(name, dataset, f"{NO_VARIABLE}{length:10}")

    def variable(
        self,
        name: str,
        dimensions: tuple[str, ...],
        dtype: DTypeLike,
        data: ArrayLike | None = None,
        **options: Any,
    ) -> Any:
        """Add a variable; one with the name of its only dimension becomes its coordinate. Returns the dataset of h5py.

        options: of h5py's ``create_dataset``.
        """
        shape = tuple(self._lengths[dim] for dim in dimensions)
        growth = self._growth(dimensions)
        if growth and "chunks" not in options:
            options["chunks"] = tuple(max(1, length) for length in shape)
        dataset = self._file.create_dataset(name, shape, dtype, data=data, track_order=True, **growth, **options)
        self.variables[name] = dataset
        self._attach(name, dimensions, dataset)
        return dataset

    def characters(self, name: str, dimensions: tuple[str, str], data: NDArray[np.bytes_]) -> Any:
        """Add a variable of single characters (NC_CHAR) with these dimensions."""
        from h5py import Dataset, h5d, h5s, h5t

        shape = tuple(self._lengths[dim] for dim in dimensions)
        kind = h5t.C_S1.copy()
        kind.set_strpad(h5t.STR_NULLTERM)
        dataset = Dataset(h5d.create(self._file.id, name.encode(), kind, h5s.create_simple(shape)))
        dataset.id.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(data), mtype=kind)
        self.variables[name] = dataset
        self._attach(name, dimensions, dataset)
        return dataset

    def _growth(self, dimensions: tuple[str, ...]) -> dict[str, Any]:
        if all(self._lengths[dim] for dim in dimensions):
            return {}
        return {"maxshape": tuple(self._lengths[dim] or None for dim in dimensions)}

    def _make_scale(self, name: str, dataset: Any, text: str) -> None:
        self._scales[name] = dataset.id
        dataset.attrs["_Netcdf4Dimid"] = np.int32(self._numbers[name])
        dataset.make_scale(text.encode())

    def _attach(self, name: str, dimensions: tuple[str, ...], dataset: Any) -> None:
        from h5py import h5ds

        if dimensions == (name,):
            self._make_scale(name, dataset, name)
        else:
            for axis, dim in enumerate(dimensions):
                h5ds.attach_scale(dataset.id, self._scales[dim], axis)
        if dimensions:
            dataset.attrs["_Netcdf4Coordinates"] = np.array([self._numbers[dim] for dim in dimensions], np.int32)
            if dimensions != (name,) and self._lengths[dimensions[0]]:
                dataset.attrs["_Netcdf4Dimid"] = np.int32(self._numbers[dimensions[0]])


@contextlib.contextmanager
def new_file(stream: Any, attributes: Mapping[str, str]) -> Iterator[NetcdfFile]:
    """Write a file into a stream, with these texts as its attributes."""
    import h5py

    with h5py.File(stream, "w", libver=LIBRARY_BOUNDS, track_order=True) as file:
        written_by = f"version=2,chaindrive={__version__},hdf5={h5py.version.hdf5_version},h5py={h5py.__version__}"
        for name, text in {**attributes, "_NCProperties": written_by}.items():
            set_text(file, name, text)
        file.attrs["_nc3_strict"] = np.int32(1)
        yield NetcdfFile(file)
