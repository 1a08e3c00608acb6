"""The arguments of a kernel as one block of memory: an *image*, which another program copies and runs the kernel on.

Kernels read parameters from blocks of words (``kernels/by_reference.py``), which hold numbers and the addresses and
shapes of arrays. The image has these blocks, then all arrays, of which several may be views of one. Addresses count
from its beginning; ``pointers`` gives their positions. A copy of the image anywhere in memory, with its own address
added at these positions, is therefore a separate run, and a copy of that copy is a snapshot of the run.
"""

from __future__ import annotations

import ctypes
from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from chaindrive.kernels.by_reference import WORD, Block, ByReference

__all__ = ["Image", "image_of"]

ALIGNMENT = 64
"""Alignment of every array. [bytes]"""


class Segment(NamedTuple):
    """A section of memory of this process that is copied into the image. [bytes]"""

    begin: int
    end: int
    offset: int
    """Position of the section in the image."""


class Image(NamedTuple):
    """Memory for a run."""

    content: bytes
    pointers: NDArray[np.int64]
    """Offsets of all addresses in it, ascending. [bytes]"""
    words: int
    """Size of the part at its beginning that consists of blocks of words, which no kernel changes. [bytes]"""
    arguments: tuple[int, ...]
    """Offsets of the blocks of the arguments. [bytes]"""
    segments: tuple[Segment, ...]
    kinds: tuple[ByReference, ...]
    """Types of the arguments."""

    def word(self, argument: int, name: str) -> int:
        """Offset of a number of an argument, by its name: "planar.pitch". [bytes]"""
        kind, offset = self.kinds[argument], self.arguments[argument]
        *outer, last = name.split(".")
        for part in outer:
            offset += kind.fields[part].word * WORD
            kind = kind.fields[part].type
        return offset + kind.fields[last].word * WORD

    def offset(self, array: NDArray[Any], *index: int) -> int:
        """Offset of an element of an array of the arguments. [bytes]

        Raises LookupError for an array that no argument contains.
        """
        steps = (k * stride for k, stride in zip(index, array.strides, strict=False))
        return _moved(array.ctypes.data + sum(steps), self.segments)


def image_of(*arguments: Any) -> Image:
    """The image of NamedTuples of numbers and arrays with their present values."""
    blocks = [Block(argument) for argument in arguments]
    sizes = [block.words.size * WORD for block in blocks]
    starts = [int(start) for start in np.cumsum([0, *sizes])]
    segments = _segments([span for argument in arguments for span in _spans(argument)], starts[-1])
    content = bytearray(max([starts[-1], *(each.offset + each.end - each.begin for each in segments)]))
    for each in segments:
        held = ctypes.string_at(each.begin, each.end - each.begin)
        content[each.offset : each.offset + len(held)] = held
    pointers: list[int] = []
    for start, block in zip(starts, blocks, strict=False):
        words = block.words.copy()
        for word, filled in _addresses(block.type):
            words[word] = _moved(int(words[word]), segments) if filled(words) else 0
            pointers.append(start + word * WORD)
        content[start : start + words.nbytes] = words.tobytes()
    kinds = tuple(block.type for block in blocks)
    return Image(bytes(content), np.array(pointers), starts[-1], tuple(starts[:-1]), segments, kinds)


def _addresses(kind: ByReference, first: int = 0) -> Iterator[tuple[int, Any]]:
    """The words of a block that contain addresses, each with a function of the words that returns whether the array has
    elements.
    """
    for field in kind.fields.values():
        word = first + field.word
        if isinstance(field.type, ByReference):
            yield from _addresses(field.type, word)
        elif isinstance(field.type, types.Array):
            yield word, lambda words, k=word + 1, n=field.type.ndim: bool(words[k : k + n].all())


def _spans(values: Any) -> Iterator[tuple[int, int]]:
    """Begin and end of the memory of every array that is not empty."""
    for value in values:
        if isinstance(value, tuple):
            yield from _spans(value)
        elif isinstance(value, np.ndarray) and value.size:
            reach = [(n - 1) * stride for n, stride in zip(value.shape, value.strides, strict=True)]
            begin = value.ctypes.data + sum(each for each in reach if each < 0)
            yield begin, value.ctypes.data + sum(each for each in reach if each > 0) + value.itemsize


def _segments(spans: list[tuple[int, int]], offset: int) -> tuple[Segment, ...]:
    """Overlapping ranges merged into one, placed side by side starting at an offset and ordered by their beginnings."""
    merged: list[list[int]] = []
    for begin, end in sorted(spans):
        if merged and begin < merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([begin, end])
    begins = [begin for begin, _ in merged]
    found: dict[int, Segment] = {}
    for begin, _ in spans:  # in the order of the fields, which no address of this process changes
        k = bisect_right(begins, begin) - 1
        if k not in found:
            offset += -offset % ALIGNMENT
            found[k] = Segment(merged[k][0], merged[k][1], offset)
            offset += merged[k][1] - merged[k][0]
    return tuple(found[k] for k in sorted(found))


def _moved(address: int, segments: tuple[Segment, ...]) -> int:
    """The offset of an address. Raises LookupError if no segment contains it."""
    at = bisect_right(segments, address, key=attrgetter("begin")) - 1
    if at < 0 or address >= segments[at].end:
        raise LookupError("the address is in none of the arrays of the image")
    return segments[at].offset + address - segments[at].begin
