"""The arguments of a kernel as one block of memory, called the *image*. Another program copies it and runs the kernel
on the copy.

Kernels read parameters from blocks of words (``kernels/by_reference.py``), which hold numbers and the addresses and
shapes of arrays. The image contains these blocks, followed by all arrays, several of which may be views of the same
memory. Addresses are relative to the beginning of the image; ``pointers`` gives their positions. A copy of the image
anywhere in memory, with the address of the copy added at these positions, is therefore a separate run. A copy of that
copy is a snapshot of the run.
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
    """The arguments of a kernel as one relocatable block of memory (see above)."""

    content: bytes
    pointers: NDArray[np.int64]
    """Offsets of all addresses in the image, in ascending order. [bytes]"""
    words: int
    """Size of the part at the beginning of the image that consists of blocks of words; no kernel changes it. [bytes]"""
    arguments: tuple[int, ...]
    """Offsets of the blocks of the arguments. [bytes]"""
    segments: tuple[Segment, ...]
    kinds: tuple[ByReference, ...]
    """Types of the arguments."""

    def word(self, argument: int, name: str) -> int:
        """Return the offset of a named number, such as "planar.pitch", in an argument with this index. [bytes]"""
        kind, offset = self.kinds[argument], self.arguments[argument]
        *outer, last = name.split(".")
        for part in outer:
            offset += kind.fields[part].word * WORD
            kind = kind.fields[part].type
        return offset + kind.fields[last].word * WORD

    def offset(self, array: NDArray[Any], *index: int) -> int:
        """Return the offset of an element of an array that the arguments contain. [bytes]

        Raises LookupError for an array that no argument contains.
        """
        steps = (k * stride for k, stride in zip(index, array.strides, strict=False))
        return _moved(array.ctypes.data + sum(steps), self.segments)


def image_of(*arguments: Any) -> Image:
    """Return the image of NamedTuples of numbers and arrays, with their present values."""
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
    """Yield the words of a block that contain addresses.

    Each comes with a function of the words that returns whether the array has elements.
    """
    for field in kind.fields.values():
        word = first + field.word
        if isinstance(field.type, ByReference):
            yield from _addresses(field.type, word)
        elif isinstance(field.type, types.Array):
            yield word, lambda words, k=word + 1, n=field.type.ndim: bool(words[k : k + n].all())


def _spans(values: Any) -> Iterator[tuple[int, int]]:
    """Yield the first address of the memory of every non-empty array, and the address after its last byte."""
    for value in values:
        if isinstance(value, tuple):
            yield from _spans(value)
        elif isinstance(value, np.ndarray) and value.size:
            reach = [(n - 1) * stride for n, stride in zip(value.shape, value.strides, strict=True)]
            begin = value.ctypes.data + sum(each for each in reach if each < 0)
            yield begin, value.ctypes.data + sum(each for each in reach if each > 0) + value.itemsize


def _segments(spans: list[tuple[int, int]], offset: int) -> tuple[Segment, ...]:
    """Return memory ranges as segments, with overlapping ranges merged.

    The segments are ordered by their addresses. In the image they lie one after another, starting at an offset.
    """
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
    """Return the offset of an address in the image. Raises LookupError if no segment contains the address."""
    at = bisect_right(segments, address, key=attrgetter("begin")) - 1
    if at < 0 or address >= segments[at].end:
        raise LookupError("the address is in none of the arrays of the image")
    return segments[at].offset + address - segments[at].begin
