"""Parameters of kernels by reference: a NamedTuple of numbers and arrays becomes one address for compiled code.

Numba passes a tuple by value, and an array in it takes at least seven words. The parameters of a drive are about five
hundred words, which were copied onto the stack of every kernel that is not inlined into its caller, and unpacked again
at each call from Python. Here they are written once into a block of words. Kernels receive the address of the block and
read what they need. The words are marked as invariant, so that reads of them are moved out of loops as if they were
constants; the contents of the arrays may still change. An evaluation of the V6 with rigid links takes 4.6 us in this
way, and took 7.9 us before (measured on one machine within an hour). The kernels of a drive with rollers compile in 51
s of CPU time instead of 71 s.

Fields named in ``told_by_type`` are part of the type: for an array or table, whether it has no rows; for a truth value,
the value itself. The compiler treats them as constants, so that the code for open ends, for example, is not compiled
for a drive without them.

Layout, in words of 8 bytes: a number takes one word; a C-contiguous array is stored as its address and its shape,
followed by the strides for any other array; a nested NamedTuple is stored in place.
"""

from __future__ import annotations

import functools
import hashlib
import numbers
import pickle
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba import typeof, types

__all__ = ["WORD", "Block", "ByReference", "handed_over", "is_absent", "told_by_type"]

T = TypeVar("T", bound=tuple[Any, ...])

WORD = 8
"""Number of bytes in a word."""
KEPT = 16
"""Number of NamedTuples that are kept with their blocks of words."""


class Field(NamedTuple):
    """A field of a NamedTuple in the block of words."""

    type: Any
    """Numba type: a number, an array, or ``ByReference``."""
    word: int
    """First word of the field, counted from the start of its NamedTuple."""
    known: int | None = None
    """The value, or the number of rows of an array, if it is part of the type (``told_by_type``)."""


class ByReference(types.Type):
    """The type of a NamedTuple that is passed by reference."""

    def __init__(self, name: str, fields: dict[str, Field], words: int) -> None:
        self.fields, self.words, self._of = fields, words, name
        layout = ";".join(f"{key}:{field.type}@{field.word}={field.known}" for key, field in fields.items())
        super().__init__(f"{name}_{hashlib.sha256(layout.encode()).hexdigest()[:12]}")  # short: it is in every symbol

    @functools.cached_property
    def _pickled(self) -> bytes:
        return pickle.dumps((self._of, self.fields, self.words))

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the pickled type. It is pickled once and read once in a process, as each type occurs in hundreds of
        kernel files.
        """
        return _unpickled, (self._pickled,)


@functools.cache
def _unpickled(pickled: bytes) -> ByReference:
    return ByReference(*pickle.loads(pickled))  # noqa: S301 (from a kernel file, which is unpickled anyway)


_TOLD: dict[type, tuple[str, ...]] = {}
"""For each class of NamedTuple, the fields whose values are part of the type."""


def told_by_type(*names: str) -> Callable[[type[T]], type[T]]:
    """Decorate a NamedTuple whose fields of these names (arrays, tables or truth values) become part of its type."""

    def register(cls: type[T]) -> type[T]:
        _TOLD[cls] = names
        return cls

    return register


class Block:
    """The words of a NamedTuple, as the argument of a kernel that is called from Python.

    Numba reads the type from ``_numba_type_``. Without this attribute, the type would be determined in Python at every
    call, which doubles the time.
    """

    __slots__ = ("_numba_type_", "address", "of", "type", "words")

    def __init__(self, values: Any) -> None:
        found: list[int] = []
        self.of = values  # keeps the arrays alive, whose addresses are in the words
        self.type = self._numba_type_ = _append(values, found)
        self.words = np.array(found, dtype=np.int64)
        self.address = self.words.ctypes.data


def _append(values: Any, words: list[int]) -> ByReference:
    """Append the words of a NamedTuple; return its type. Raises TypeError for a field that no kernel can read."""
    told = _TOLD.get(type(values), ())
    kinds: list[Any] = []
    known: list[int | None] = []
    for name, value in zip(values._fields, values, strict=True):
        kind: Any
        if isinstance(value, np.ndarray):
            kind = _type_of_array(value)
            words += [value.ctypes.data, *value.shape, *(() if kind.layout == "C" else value.strides)]
        elif isinstance(value, tuple) and hasattr(value, "_fields"):
            kind = _append(value, words)
        elif isinstance(value, (bool, np.bool_)):
            kind = types.boolean
            words.append(int(value))
        elif isinstance(value, numbers.Integral):
            kind = types.int64
            words.append(int(value))
        elif isinstance(value, numbers.Real):
            kind = types.float64
            words.append(int(np.float64(value).view(np.int64)))
        else:
            raise TypeError(f"{type(values).__name__}.{name} is {value!r}: a kernel reads numbers and arrays")
        kinds.append(kind)
        known.append(_known(value) if name in told else None)
    return _type_of(type(values), kinds, known)


_ARRAYS: dict[tuple[Any, ...], Any] = {}
"""Array types, by kind of number, dimensions and flags. Numba takes 10 us to find such a type, and a drive has 500
arrays.
"""
_TYPES: dict[tuple[Any, ...], ByReference] = {}
"""Types of NamedTuples, by class and by the types and known values of their fields. These types are kept until the
process ends.
"""


def _type_of_array(array: Any) -> Any:
    key = array.dtype, array.ndim, array.flags.num
    if key not in _ARRAYS:
        _ARRAYS[key] = typeof(array)
    return _ARRAYS[key]


def _type_of(cls: Any, kinds: list[Any], known: list[int | None]) -> ByReference:
    """Return the type of a NamedTuple with fields of these types, some with known values."""
    key = cls, *map(id, kinds), *known
    if key not in _TYPES:
        fields: dict[str, Field] = {}
        words = 0
        for name, kind, number in zip(cls._fields, kinds, known, strict=True):
            fields[name] = Field(kind, words, number)
            words += _words(kind)
        _TYPES[key] = ByReference(cls.__name__, fields, words)
    return _TYPES[key]


def _words(kind: Any) -> int:
    """Return the number of words of a field of this type."""
    if isinstance(kind, types.Array):
        return 1 + (1 if kind.layout == "C" else 2) * kind.ndim
    return kind.words if isinstance(kind, ByReference) else 1


def _known(value: Any) -> int | None:
    """Return the value of a field that becomes part of the type."""
    if isinstance(value, tuple):
        return _known(value[0])
    if isinstance(value, np.ndarray):
        return None if len(value) else 0
    return int(value)


def is_absent(kind: Any, name: str) -> bool:
    """Return whether the type of an argument shows that its array ``name`` has no rows, or that its value ``name`` is
    false.
    """
    if not isinstance(kind, ByReference):
        return False
    field = kind.fields.get(name)
    if field is not None:
        return field.known == 0
    return any(is_absent(inner.type, name) for inner in kind.fields.values())


_BLOCKS: OrderedDict[int, Block] = OrderedDict()
"""The most recent blocks, by the identities of their NamedTuples, which the blocks keep alive."""


def handed_over(argument: Any) -> Any:
    """Return an argument in the form that compiled code takes: a NamedTuple as its block, anything else unchanged."""
    if not (isinstance(argument, tuple) and hasattr(argument, "_fields")):
        return argument
    block = _BLOCKS.get(id(argument))
    if block is None:
        block = _BLOCKS[id(argument)] = Block(argument)
        if len(_BLOCKS) > KEPT:
            _BLOCKS.popitem(last=False)
    return block
