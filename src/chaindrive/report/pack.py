"""Packs arrays into bytes that a browser converts back, and describes them for the page.

A blob is a sequence of little-endian numbers. Its arrays begin at multiples of 8 bytes. Numbers that a picture needs to
no more than five digits are quantised to two bytes. Differences from row to row, and bytes sorted by significance,
improve the compression.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["NOT_A_NUMBER", "Blob", "Reference"]

Kind = Literal["f8", "f4", "i4", "i2", "u1"]
Reference = dict[str, Any]
"""Position and format of an array in its blob: at, shape and kind, and if used scale, offset and delta."""

NOT_A_NUMBER = 65535
"""The quantised value that represents nan."""
LEVELS = 65534
"""Number of steps between the smallest and the largest value of a quantised array."""
ALIGNMENT = 8
COMPRESSION = 6


class Blob:
    """The numbers of a result, in the order in which they are added."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, values: ArrayLike, kind: Kind, *, delta: bool = False) -> Reference:
        """Append an array unchanged.

        With integer kinds, values must be whole numbers within the range of the kind. delta: whether to store
        differences along the first axis, modulo the range (only for i2 and u1). The bytes of i2 are sorted by
        significance, with or without differences. Returns the data with which the page reads the array back.
        """
        given = np.asarray(values)
        if kind in ("i2", "u1"):
            unsigned = given.astype(np.int64).astype("<u2" if kind == "i2" else "<u1")
            return self._append(_sorted_bytes(_differences(unsigned) if delta else unsigned), given.shape, kind, delta)
        if delta:
            raise ValueError(f"differences can be stored for i2, u1 and quantised arrays, not for {kind}")
        return self._append(np.ascontiguousarray(given, dtype=f"<{kind}").tobytes(), given.shape, kind, False)

    def quantised(self, values: ArrayLike, *, delta: bool = True) -> Reference:
        """Append an array with two bytes per number: value = offset + scale u, u = 0..65534, and 65535 for nan.

        The error is at most half a step, (largest - least)/65534/2. Infinite values become nan.
        """
        given = np.asarray(values, dtype=np.float64)
        finite = np.isfinite(given)
        held = given[finite]
        low, high = (float(held.min()), float(held.max())) if held.size else (0.0, 0.0)
        scale = (high - low) / LEVELS
        levels = np.full(given.shape, NOT_A_NUMBER, dtype="<u2")
        levels[finite] = np.rint((held - low) / scale) if scale > 0.0 else 0
        data = _sorted_bytes(_differences(levels) if delta else levels)
        return self._append(data, given.shape, "q2", delta) | {"scale": scale, "offset": low}

    def _append(self, data: bytes, shape: tuple[int, ...], kind: str, delta: bool) -> Reference:
        reference: Reference = {"at": self._size, "shape": list(shape), "kind": kind}
        if delta:
            reference["delta"] = True
        data += b"\0" * (-len(data) % ALIGNMENT)
        self._parts.append(data)
        self._size += len(data)
        return reference

    @property
    def size(self) -> int:
        """Number of bytes before compression."""
        return self._size

    def packed(self, compression: int = COMPRESSION) -> str:
        """The whole blob, compressed with zlib (from 1 for fast to 9 for small) and encoded as base64 text."""
        return base64.b64encode(zlib.compress(b"".join(self._parts), compression)).decode("ascii")


def _differences(values: NDArray[Any]) -> NDArray[Any]:
    """Differences along the first axis, modulo the range of the type; the first row is unchanged."""
    changed = values.copy()
    changed[1:] -= values[:-1]
    return changed


def _sorted_bytes(values: NDArray[Any]) -> bytes:
    """All low bytes of two-byte values, followed by all high bytes."""
    flat = np.ascontiguousarray(values).ravel()
    return flat.view(np.uint8).reshape(flat.size, values.dtype.itemsize).T.tobytes()
