"""An HDF5 file that is written with fewer look-ups. This module imports h5py, so it is imported only in functions that
write a file.
"""

from __future__ import annotations

from typing import Any

import h5py

__all__ = ["RememberingFile"]


class RememberingFile(h5py.File):
    """A new file whose objects are looked up once, for h5netcdf.

    That library looks up each dimension and the variable some twenty times for every variable that it creates, which
    took two fifths of the time of a short run. Names refer to the root group. Nothing else may change the file while it
    is open.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: Any) -> Any:
        """Return the object with this name or reference."""
        if not isinstance(name, str):
            return super().__getitem__(name)
        key = name.lstrip("/")
        if not key:
            return self  # the root group, which is the file; a separate group object would not remember
        if key not in self._known:
            self._known[key] = super().__getitem__(key)
        return self._known[key]

    def __delitem__(self, name: str) -> None:
        """Delete the object with this name, for example when a dimension is replaced by its coordinates."""
        self._known.pop(name.lstrip("/"), None)
        super().__delitem__(name)

    def close(self) -> None:
        """Close the file and its objects."""
        self._known.clear()
        super().close()
