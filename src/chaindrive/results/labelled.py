"""A channel with its labels: an xarray.DataArray that, when asked for an unknown label, names the most similar known
ones.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import xarray

from chaindrive.errors import InputError, Problem
from chaindrive.model.problems import nearest_of, shown

__all__ = ["ChannelArray", "UnknownLabelError"]


class UnknownLabelError(InputError, KeyError):
    """Raised when an item is requested by an unknown label."""

    def __str__(self) -> str:
        return self._text()


class ChannelArray(xarray.DataArray):
    """A channel of a result, with all methods of ``xarray.DataArray``."""

    __slots__ = ()

    def sel(self, *arguments: Any, **named: Any) -> Self:
        """Select like ``xarray.DataArray.sel``. Raises UnknownLabelError (an InputError and a KeyError) for unknown
        labels.
        """
        try:
            return super().sel(*arguments, **named)
        except KeyError:
            chosen = (arguments[0] if arguments else named.get("indexers")) or named
            if problems := [each for dim, label in chosen.items() for each in self._unknown(str(dim), label)]:
                raise UnknownLabelError(problems) from None
            raise

    def _unknown(self, dim: str, labels: Any) -> list[Problem]:
        if dim not in self.indexes or isinstance(labels, slice):
            return []
        known = [str(each) for each in self.indexes[dim]]
        return [
            Problem(dim, f"there is no such {dim}{nearest_of(str(label), known)}", shown(label))
            for label in np.ravel(labels).tolist()
            if str(label) not in known
        ]
