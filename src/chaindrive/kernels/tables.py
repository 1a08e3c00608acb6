"""Tables whose columns have names: a NamedTuple of arrays, one for each column; kernels read ``p.wheel.mass[w]``.

The columns with the same kind of number are stored one after another in one block of memory.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Annotated, Any, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

__all__ = ["Reals", "Wholes", "arrays_in", "blank", "copied", "joined", "row_of"]

T = TypeVar("T", bound=tuple[Any, ...])

Reals = Annotated[Any, np.float64]
"""A column of floats, (n,)."""
Wholes = Annotated[Any, np.int64]
"""A column of whole numbers, (n,)."""


def blank(table: type[T], rows: int) -> T:
    """Return a table of zeros; the columns of its class are annotated with ``Reals`` or ``Wholes``."""
    kinds = _kinds(table)
    blocks = {kind: iter(np.zeros((kinds.count(kind), rows), kind)) for kind in set(kinds)}
    return table(*(next(blocks[kind]) for kind in kinds))


@functools.cache
def _kinds(table: type[Any]) -> tuple[Any, ...]:
    """Return the kind of each column of a table, floats or whole numbers; cached, because a run creates about fifty
    tables.
    """
    hints = get_type_hints(table, include_extras=True)
    return tuple(hints[name].__metadata__[0] for name in _names(table))


def copied(table: T) -> T:
    """Return a copy of the table with its own arrays."""
    return joined(table)


def joined(*tables: T) -> T:
    """Return the rows of several tables of one class as one table, in the given order."""
    found = blank(type(tables[0]), sum(len(table[0]) for table in tables))
    for column, *parts in zip(found, *tables, strict=True):
        column[:] = np.concatenate(parts)
    return found


def row_of(table: T, k: int) -> T:
    """Return one row as a table, through which the row can be changed."""
    return type(table)(*(column[k : k + 1] for column in table))


def arrays_in(values: Any, name: str) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the array with its name or, for a table, its columns with the names "name.column"."""
    if isinstance(values, tuple):
        for column, array in zip(_names(type(values)), values, strict=True):
            yield from arrays_in(array, f"{name}.{column}")
    else:
        yield name, values


def _names(table: type[Any]) -> tuple[str, ...]:
    names: tuple[str, ...] = table._fields
    return names
