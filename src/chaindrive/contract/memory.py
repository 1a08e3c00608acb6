"""The memory of a system, with a copy of it: what tries something leaves the system as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:  # kernels of a module that imports this one do not depend on its text
    from chaindrive.contract.system import System

__all__ = ["KeptMemory"]


class KeptMemory:
    """A copy of the arrays that ``begin`` and ``accept`` change (``System.memory``), as they are now."""

    def __init__(self, system: System) -> None:
        self._arrays = tuple(array for array in system.memory_arrays().values() if array.size)
        self._copies = tuple(array.copy() for array in self._arrays)

    def keep(self) -> None:
        """Copy the memory as it is now."""
        for copy, array in zip(self._copies, self._arrays, strict=True):
            np.copyto(copy, array)

    def put_back(self) -> None:
        """Give the memory the values of the copy."""
        for copy, array in zip(self._copies, self._arrays, strict=True):
            np.copyto(array, copy)
