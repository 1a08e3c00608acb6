"""Parameters of kernels by reference: a NamedTuple of numbers and arrays becomes one address for compiled code.

Numba passes a tuple by value, and an array in it takes seven words or more: the parameters of a drive are about five
hundred words, which were copied onto the stack of every kernel that is not inlined into its caller, and unpacked again
at each call from Python. Here they are written once into a block of words; kernels receive its address and read what
they need. The words are marked as invariant, so reads of them are moved out of loops as if they were constants; the
contents of the arrays may still change. An evaluation of the V6 with rigid links takes 4.6 us in this way, and took 7.9
us before (on one machine, within an hour); the kernels of a drive with rollers compile in 51 s of CPU time instead of
71 s.

Fields named in ``told_by_type`` are a part of the type: for an array or table, whether it has no rows; for a truth
value, the value. The compiler uses them as constants, so a drive without open ends compiles none of their code.

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
    """A field of a NamedTuple in its block."""

    type: Any
    """Type of Numba: a number, an array, or ``ByReference``."""
    word: int
    """Its first word, from the start of the NamedTuple that it is a field of."""
    known: int | None = None
    """The number, or the number of rows of an array, where the type determines it (``told_by_type``)."""


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
        """Pickled once, and read once in a process: each of these types occurs in hundreds of kernel files."""
        return _unpickled, (self._pickled,)


@functools.cache
def _unpickled(pickled: bytes) -> ByReference:
    return ByReference(*pickle.loads(pickled))  # noqa: S301 (from a kernel file, which is unpickled anyway)


_TOLD: dict[type, tuple[str, ...]] = {}
"""For each class of NamedTuple, the fields whose values its type determines."""


def told_by_type(*names: str) -> Callable[[type[T]], type[T]]:
    """Decorate a NamedTuple whose fields of these names become a part of its type: arrays, tables, truth values."""

    def register(cls: type[T]) -> type[T]:
        _TOLD[cls] = names
        return cls

    return register


class Block:
    """The words of a NamedTuple, as the argument of a kernel that is called from Python.

    Numba reads the type from ``_numba_type_``; without it, the type is determined in Python at every call, which
    doubles the time.
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
"""Types of arrays by kind of number, dimensions and flags: Numba takes 10 us to find one; a drive has 500 arrays."""
_TYPES: dict[tuple[Any, ...], ByReference] = {}
"""Types of NamedTuples, by class and by the identities and values of the types of their fields. These types are kept
until the process ends."""


def _type_of_array(array: Any) -> Any:
    key = array.dtype, array.ndim, array.flags.num
    if key not in _ARRAYS:
        _ARRAYS[key] = typeof(array)
    return _ARRAYS[key]


def _type_of(cls: Any, kinds: list[Any], known: list[int | None]) -> ByReference:
    """The type of a NamedTuple with fields of these types, some with known values."""
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
    """Number of words of a field of this type."""
    if isinstance(kind, types.Array):
        return 1 + (1 if kind.layout == "C" else 2) * kind.ndim
    return kind.words if isinstance(kind, ByReference) else 1


def _known(value: Any) -> int | None:
    """The value of a field determined by its type."""
    if isinstance(value, tuple):
        return _known(value[0])
    if isinstance(value, np.ndarray):
        return None if len(value) else 0
    return int(value)


def is_absent(kind: Any, name: str) -> bool:
    """Whether this type of an argument shows that the array ``name`` has no rows, or that the value is false."""
    if not isinstance(kind, ByReference):
        return False
    field = kind.fields.get(name)
    if field is not None:
        return field.known == 0
    return any(is_absent(inner.type, name) for inner in kind.fields.values())


_BLOCKS: OrderedDict[int, Block] = OrderedDict()
"""The most recent blocks, by the identity of the NamedTuple, which each block keeps alive."""


def handed_over(argument: Any) -> Any:
    """An argument of a kernel in the form for compiled code: a NamedTuple as its block, anything else unchanged."""
    if not (isinstance(argument, tuple) and hasattr(argument, "_fields")):
        return argument
    block = _BLOCKS.get(id(argument))
    if block is None:
        block = _BLOCKS[id(argument)] = Block(argument)
        if len(_BLOCKS) > KEPT:
            _BLOCKS.popitem(last=False)
    return block
