"""netCDF-4 files of the classic data model, laid out by h5py.

h5netcdf looks every object up by its path whenever it touches one, which took longer than many a run. What makes an
HDF5 file one of netCDF-4 is little: dimensions are scales, numbered by ``_Netcdf4Dimid`` and attached to the variables
that have them (Unidata, "NetCDF-4 format", in "File format specifications").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

__all__ = ["Classic", "describe"]

NOT_A_VARIABLE = "This is a netCDF dimension but not a netCDF variable.{:10}"


class Classic:
    """Lays out a new file: dimensions, then the variables that have them."""

    def __init__(self, file: Any) -> None:
        """file: of h5py, empty and open for writing, with ``track_order``, as netCDF requires."""
        import h5py

        self._file = file
        self._sizes: dict[str, int] = {}
        self._scales: dict[str, Any] = {}
        self.variables: dict[str, Any] = {}
        """Datasets of h5py by their names."""
        versions = f"version=2,hdf5={h5py.version.hdf5_version},h5py={h5py.__version__}"
        describe(file, {"_NCProperties": versions})
        _number(file, "_nc3_strict", np.int32(1))

    def dimension(self, name: str, size: int) -> None:
        """Add a dimension; without elements it is one that can grow, as netCDF has no others of that size."""
        self._sizes[name] = size

    def variable(
        self, name: str, dimensions: Sequence[str], dtype: DTypeLike, data: NDArray[Any] | None = None, **options: Any
    ) -> Any:
        """Add a variable and return its dataset.

        dimensions: names, in the order of the axes. options: of ``h5py.Group.create_dataset``. A variable with the name
        of its only dimension holds the coordinates of it, and comes before others with this dimension.
        """
        shape = self._shape(dimensions)
        if 0 in shape:
            options["maxshape"] = tuple(size or None for size in shape)
        made = self._file.create_dataset(name, shape, dtype=dtype, data=data, track_order=True, **options)
        return self._placed(made, name, dimensions)

    def characters(self, name: str, dimensions: Sequence[str], data: NDArray[Any]) -> Any:
        """Add a variable of single characters (``S1``) and return its dataset."""
        from h5py import h5d, h5p, h5s, h5t

        kind = h5t.C_S1.copy()
        kind.set_size(1)
        kind.set_strpad(h5t.STR_NULLTERM)
        tracked = h5p.create(h5p.DATASET_CREATE)
        tracked.set_attr_creation_order(h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED)
        made = h5d.create(self._file.id, name.encode(), kind, h5s.create_simple(self._shape(dimensions)), dcpl=tracked)
        made.write(h5s.ALL, h5s.ALL, data, mtype=made.get_type())
        return self._placed(self._file[name], name, dimensions)

    def _shape(self, dimensions: Sequence[str]) -> tuple[int, ...]:
        return tuple(self._sizes[dim] for dim in dimensions)

    def _placed(self, made: Any, name: str, dimensions: Sequence[str]) -> Any:
        """Attach a new dataset to the scales of its dimensions, or make it one."""
        if tuple(dimensions) == (name,):
            made.make_scale(name)
            self._scales[name] = made
        else:
            for axis, dim in enumerate(dimensions):
                made.dims[axis].attach_scale(self._scale(dim))
        if numbers := [self._number_of(dim) for dim in dimensions]:
            _number(made, "_Netcdf4Dimid", np.int32(numbers[0]))
            _number(made, "_Netcdf4Coordinates", np.array(numbers, np.int32))
        self.variables[name] = made
        return made

    def _number_of(self, dimension: str) -> int:
        return list(self._sizes).index(dimension)

    def _scale(self, dimension: str) -> Any:
        """The scale of a dimension: its variable, or a dataset that only stands for it."""
        if dimension not in self._scales:
            size = self._sizes[dimension]
            free = {} if size else {"maxshape": (None,)}
            made = self._file.create_dataset(dimension, (size,), dtype=">f4", track_order=True, **free)
            made.make_scale(NOT_A_VARIABLE.format(size))
            _number(made, "_Netcdf4Dimid", np.int32(self._number_of(dimension)))
            self._scales[dimension] = made
        return self._scales[dimension]


def describe(what: Any, attributes: Mapping[str, str]) -> None:
    """Give a file or a variable attributes that are texts of fixed length."""
    from h5py import h5a, h5s, h5t

    for name, text in attributes.items():
        encoded = (text or " ").encode()  # HDF5 has no empty string of fixed length
        kind = h5t.C_S1.copy()
        kind.set_size(len(encoded))
        kind.set_strpad(h5t.STR_NULLTERM)
        kind.set_cset(h5t.CSET_ASCII if text.isascii() else h5t.CSET_UTF8)
        made = h5a.create(what.id, name.encode(), kind, h5s.create(h5s.SCALAR))
        made.write(np.array(encoded), mtype=made.get_type())


def _number(what: Any, name: str, value: NDArray[Any] | np.int32) -> None:
    what.attrs.create(name, value)
