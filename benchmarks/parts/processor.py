"""Highest speed of one core: multiplications and additions, divisions and roots, copies of memory."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from measure import paired

from chaindrive.kernels import index, kernel
from parts.operations import counted

SIZE = 512
"""Array size of the arithmetic loops: few enough for the cache next to the core."""
DEGREE = 16
"""Degree of a polynomial of fused multiply-adds; those of several registers can overlap."""


class Numbers(NamedTuple):
    """Two arrays."""

    given: np.ndarray
    found: np.ndarray


class Core(NamedTuple):
    """Speed of one core."""

    flops: float
    """fused multiply-adds in vector registers, each of them two [1/s]"""
    division: float
    root: float
    """time of one division and of one root in vector registers [s]"""


@kernel(inner=True, distinct=True)
def _polynomial(given, found):
    for i in range(index(given.size)):
        x = given[i]
        value = x
        for _ in range(DEGREE):
            value = value * x + 0.5
        found[i] = value


@kernel(inner=True, distinct=True)
def _divided(given, found):
    for i in range(index(given.size)):
        found[i] = 3.0 / given[i]


@kernel(inner=True, distinct=True)
def _rooted(given, found):
    for i in range(index(given.size)):
        found[i] = np.sqrt(given[i])


@kernel(inner=True, distinct=True)
def _copied(given, found):
    for i in range(index(given.size)):
        found[i] = given[i]


def _repeated(once):
    """Kernel of a number of passes, each of which reads the output of the previous one."""

    def loop(count, numbers):
        for _ in range(count):
            once(numbers.given, numbers.found)
            numbers.given[0] += 1e-30 * numbers.found[0]

    return kernel(loop)


polynomials, divisions, roots, copies = map(_repeated, (_polynomial, _divided, _rooted, _copied))


@functools.cache
def core(count: int = 20_000, repeats: int = 9) -> Core:
    """Measure the speed of one core."""
    numbers = Numbers(np.linspace(0.5, 1.0, SIZE), np.zeros(SIZE))
    loops = {"polynomials": polynomials, "divisions": divisions, "roots": roots}
    for loop in loops.values():
        loop(1, numbers)
    things = {name: functools.partial(loop, count, numbers) for name, loop in loops.items()}
    taken = {name: cost.cpu / count for name, cost in paired(things, repeats).items()}
    flops = counted(polynomials, 1, numbers)().flops
    return Core(flops / taken["polynomials"], taken["divisions"] / SIZE, taken["roots"] / SIZE)


@functools.cache
def copying(kilobytes: int, repeats: int = 9) -> float:
    """Bytes per second read and written by a copy, for a total size of both arrays [kB]. [B/s]"""
    size = max(1000 * kilobytes // 16, 64)
    numbers, count = Numbers(np.ones(size), np.zeros(size)), max(40_000_000 // size, 1)
    copies(1, numbers)
    return 16.0 * size * count / paired({"copy": functools.partial(copies, count, numbers)}, repeats)["copy"].cpu
