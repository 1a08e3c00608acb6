"""A copy of the memory of a system, from which the memory is restored after a trial."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # kernels of a module that imports this one do not depend on its text
    from chaindrive.contract.system import System

__all__ = ["KeptMemory"]


class KeptMemory:
    """A copy of the arrays that ``begin`` and ``accept`` change (``System.memory``), as they are now.

    There are about fifty small arrays. They are copied as bytes, for speed: the search for static equilibrium copies
    them at every step.
    Raises TypeError for an array that is not contiguous.
    """

    def __init__(self, system: System) -> None:
        arrays = [array for array in system.memory_arrays().values() if array.size]
        self._pairs = tuple((array.data.cast("B"), array.copy().data.cast("B")) for array in arrays)

    def keep(self) -> None:
        """Copy the memory as it is now."""
        for array, copy in self._pairs:
            copy[:] = array

    def put_back(self) -> None:
        """Restore the memory from the copy."""
        for array, copy in self._pairs:
            array[:] = copy
