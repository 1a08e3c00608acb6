"""Parameters with their own scratch arrays, for evaluations that leave the original parameters unchanged."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from chaindrive.kernels.tables import arrays_in

__all__ = ["with_copies"]

T = TypeVar("T", bound=tuple[Any, ...])


def with_copies(values: T, names: Iterable[str]) -> T:
    """Return a NamedTuple with copies of the arrays in some of its fields; it shares all other fields with the given
    one.

    names: names of the fields to copy, "tree.force" for a nested field. Arrays that are views of the same memory are
    also views of the same memory in the copy.
    """
    named = (arrays_in(attrgetter(name)(values), name) for name in names)
    chosen = {id(array) for found in named for _, array in found if isinstance(array, np.ndarray)}
    made: dict[int, NDArray[Any]] = {}

    def copy(value: Any) -> Any:
        if isinstance(value, tuple):
            return type(value)(*map(copy, value))
        return _view_of_copy(value, made) if id(value) in chosen else value

    copied: T = copy(values)
    return copied


def _view_of_copy(array: NDArray[Any], made: dict[int, NDArray[Any]]) -> NDArray[Any]:
    """Return the view that corresponds to the array, in a copy of its memory; made: copies made so far, by the id of
    the original.
    """
    if not array.size:
        return array.copy()
    whole: Any = array
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    if id(whole) not in made:
        made[id(whole)] = whole.copy("K")
    offset = array.ctypes.data - whole.ctypes.data
    return np.ndarray(array.shape, array.dtype, made[id(whole)].data, offset, array.strides)
