"""Parameters of kernels by reference: a NamedTuple of numbers and arrays becomes one address for compiled code.

Numba hands a tuple over by value, and an array in it is seven words or more: the parameters of a drive are some five
hundred words, which every kernel that is not inlined into its caller got copied onto its stack, and which each way in
from Python unpacked anew. Here they are written once into a block of words; kernels get its address and read what they
need. The words are marked as never changing, so that reads of them leave loops as if they were constants; what the
arrays hold may change as ever. An evaluation of the V6 with rigid links takes 4.6 us so, and took 7.9 us (one machine,
one hour); the kernels of a drive with rollers compile in 51 s of CPU beside 71 s.

What ``told_by_type`` names is a part of the type: of an array whether it has no rows, of a truth value which it is. The
compiler sees a constant there, so that a drive without open ends, payload or motors compiles none of their code.

Layout, in words of 8 bytes: a number is one word; a C-contiguous array is its address and its shape; another one has
its strides behind them; a NamedTuple within stands in place.
"""

from __future__ import annotations

import hashlib
import numbers
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils, imputils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np import arrayobj

__all__ = ["handed_over", "is_absent", "told_by_type"]

T = TypeVar("T", bound=tuple[Any, ...])

WORD = 8
"""Bytes of a word."""
KEPT = 16
"""How many NamedTuples are remembered with their blocks of words."""


class Field(NamedTuple):
    """A field of a NamedTuple in its block."""

    type: Any
    """Of Numba: a number, an array, or ``ByReference``."""
    word: int
    """Its first word, from the start of the NamedTuple that it is a field of."""
    known: int | None = None
    """The number, or of an array how many rows, where the type tells it (``told_by_type``)."""


class ByReference(types.Type):
    """The type of a NamedTuple that is handed over by reference."""

    def __init__(self, name: str, fields: dict[str, Field], words: int) -> None:
        self.fields, self.words = fields, words
        layout = ";".join(f"{key}:{field.type}@{field.word}={field.known}" for key, field in fields.items())
        super().__init__(f"{name}_{hashlib.sha256(layout.encode()).hexdigest()[:12]}")  # short: it is in every symbol


_TOLD: dict[type, tuple[str, ...]] = {}
"""Of each NamedTuple the fields that its type tells."""


def told_by_type(*names: str) -> Callable[[type[T]], type[T]]:
    """Decorate a NamedTuple whose fields of these names are to be a part of its type: arrays and truth values."""

    def register(cls: type[T]) -> type[T]:
        _TOLD[cls] = names
        return cls

    return register


class Block:
    """The words of a NamedTuple. Numba takes it where a kernel is called from Python."""

    __slots__ = ("address", "of", "type", "words")

    def __init__(self, values: Any) -> None:
        found: list[int] = []
        self.of = values  # the arrays, whose addresses the words hold, live as long
        self.type = _append(values, found)
        self.words = np.array(found, dtype=np.int64)
        self.address = self.words.ctypes.data


def _append(values: Any, words: list[int]) -> ByReference:
    """Append the words of a NamedTuple; its type. Raises TypeError for a field that no kernel could read."""
    fields: dict[str, Field] = {}
    start = len(words)
    for name, value in zip(values._fields, values, strict=True):
        word = len(words) - start
        kind: Any
        known: int | None = None
        if isinstance(value, np.ndarray):
            kind = typeof(value)
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
        if name in _TOLD.get(type(values), ()):
            known = _known(value)
        fields[name] = Field(kind, word, known)
    return ByReference(type(values).__name__, fields, len(words) - start)


def _known(value: Any) -> int | None:
    """What the type tells of a field."""
    if isinstance(value, np.ndarray):
        return None if len(value) else 0
    return int(value)


def is_absent(kind: Any, name: str) -> bool:
    """Whether this type of an argument tells that the array ``name`` has no rows, or that the value is false."""
    if not isinstance(kind, ByReference):
        return False
    field = kind.fields.get(name)
    if field is not None:
        return field.known == 0
    return any(is_absent(inner.type, name) for inner in kind.fields.values())


_BLOCKS: OrderedDict[int, Block] = OrderedDict()
"""By the identity of the NamedTuple, which its block keeps alive: the last ones that were handed over."""


def handed_over(argument: Any) -> Any:
    """An argument of a kernel as compiled code takes it: a NamedTuple as its block, anything else as it is."""
    if not (isinstance(argument, tuple) and hasattr(argument, "_fields")):
        return argument
    block = _BLOCKS.get(id(argument))
    if block is None:
        block = _BLOCKS[id(argument)] = Block(argument)
        if len(_BLOCKS) > KEPT:
            _BLOCKS.popitem(last=False)
    return block


@typeof_impl.register(Block)
def _type_of_block(block: Block, _: Any) -> ByReference:
    return block.type


register_model(ByReference)(models.OpaqueModel)


@unbox(ByReference)
def _unbox(_: ByReference, block: Any, context: Any) -> NativeValue:
    address = context.pyapi.object_getattr_string(block, "address")
    pointer = context.pyapi.long_as_voidptr(address)
    context.pyapi.decref(address)
    return NativeValue(pointer)


@infer_getattr
class _Fields(AttributeTemplate):
    key = ByReference

    def generic_resolve(self, typ: ByReference, attribute: str) -> Any:  # type: ignore[override]
        field = typ.fields.get(attribute)
        return field.type if field else None


@lower_getattr_generic(ByReference)
def _read_field(context: Any, builder: Any, typ: ByReference, pointer: Any, attribute: str) -> Any:
    field = typ.fields[attribute]
    if isinstance(field.type, ByReference):
        return cgutils.gep_inbounds(builder, pointer, field.word * WORD)
    if isinstance(field.type, types.Array):
        return _read_array(context, builder, field, pointer)
    word = ir.DoubleType() if field.type == types.float64 else ir.IntType(64)
    value = _read_word(builder, pointer, field.word, word) if field.known is None else word(field.known)
    if field.type == types.boolean:
        value = builder.icmp_unsigned("!=", value, ir.Constant(value.type, 0))
    return imputils.impl_ret_untracked(context, builder, field.type, value)


def _read_array(context: Any, builder: Any, field: Field, pointer: Any) -> Any:
    """The array of a field, as Numba knows one; without owner, since nothing counts references here."""
    array, kind = arrayobj.make_array(field.type)(context, builder), field.type
    word, size = ir.IntType(64), context.get_abi_sizeof(context.get_data_type(kind.dtype))
    address = _read_word(builder, pointer, field.word, array.data.type)
    shape = [_read_word(builder, pointer, field.word + 1 + k, word) for k in range(kind.ndim)]
    if field.known is not None:
        shape[0] = word(field.known)
    if kind.layout == "C":
        strides = [word(size)]
        for length in shape[:0:-1]:
            strides.insert(0, builder.mul(strides[0], length, flags=("nsw",)))
    else:
        strides = [_read_word(builder, pointer, field.word + 1 + kind.ndim + k, word) for k in range(kind.ndim)]
    arrayobj.populate_array(array, address, shape, strides, word(size), None)
    return array._getvalue()


def _read_word(builder: Any, pointer: Any, word: int, kind: Any) -> Any:
    place = builder.bitcast(cgutils.gep_inbounds(builder, pointer, word * WORD), kind.as_pointer())
    value = builder.load(place, align=WORD)
    value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value
