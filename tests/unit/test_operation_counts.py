"""Operations that benchmarks count in compiled kernels, against loops whose operations are known."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core import config

from chaindrive.kernels import index, kernel
from chaindrive.kernels.cache import cache_folder

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="there is no compiled code")

SIZE = 1003
"""A size that is not a whole number of registers."""
WORDS = 200
"""Largest number of bytes of addresses and sizes that a kernel reads."""
WRITTEN = 8 * SIZE + 8
"""Number of bytes written: one array, and the return value of the kernel."""


class Numbers(NamedTuple):
    a: np.ndarray
    b: np.ndarray
    c: np.ndarray


@kernel(inner=True, distinct=True)
def _add_products(a, b, c):
    for i in range(index(c.size)):
        c[i] += a[i] * b[i]


@kernel(inner=True, distinct=True)
def _roots(a, b, c):
    for i in range(index(c.size)):
        c[i] = math.sqrt(a[i] / b[i])


@kernel(inner=True, distinct=True)
def _sines(a, b, c):
    for i in range(index(c.size)):
        c[i] = math.sin(a[i])


@kernel(inner=True, distinct=True)
def _clear(a, b, c):
    for i in range(index(c.size)):
        c[i] = 0.0


@kernel(apart=True)
def _add_products_apart(numbers):
    _add_products(numbers.a, numbers.b, numbers.c)


@kernel
def _twice(numbers):
    for _ in range(2):
        _add_products_apart(numbers)


@pytest.fixture
def nothing_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    cache_folder.cache_clear()
    yield
    cache_folder.cache_clear()


def _kernel(loop: Any) -> Any:
    def once(numbers):
        loop(numbers.a, numbers.b, numbers.c)

    return kernel(once)


def _numbers() -> Numbers:
    return Numbers(np.linspace(1.0, 2.0, SIZE), np.linspace(2.0, 5.0, SIZE), np.ones(SIZE))


def _counted(loop: Any, numbers: Numbers) -> Any:
    return importlib.import_module("parts.operations").counted(loop, numbers)()


def test_products_are_counted_and_computed() -> None:
    numbers = _numbers()
    found = _counted(_kernel(_add_products), numbers)
    assert found.flops == 2 * SIZE
    assert found.packed >= 2 * (SIZE - 31)
    assert 24 * SIZE <= found.read <= 24 * SIZE + WORDS
    assert found.written == WRITTEN
    assert found.divisions == found.roots == found.calls == 0
    np.testing.assert_allclose(numbers.c, 1.0 + numbers.a * numbers.b, rtol=1e-15)


def test_divisions_roots_and_calls() -> None:
    numbers = _numbers()
    found = _counted(_kernel(_roots), numbers)
    assert (found.flops, found.divisions, found.roots) == (2 * SIZE, SIZE, SIZE)
    assert 16 * SIZE <= found.read <= 16 * SIZE + WORDS
    found = _counted(_kernel(_sines), numbers)
    assert (found.flops, found.calls, found.written) == (0, SIZE, WRITTEN)


def test_memory_that_is_set_at_once() -> None:
    found = _counted(_kernel(_clear), _numbers())
    assert (found.flops, found.written) == (0, WRITTEN)


@pytest.mark.usefixtures("nothing_compiled")
def test_what_is_called_apart_is_counted_too() -> None:
    numbers = _numbers()
    assert _counted(_twice, numbers).flops == 4 * SIZE
    np.testing.assert_allclose(numbers.c, 1.0 + 2.0 * numbers.a * numbers.b, rtol=1e-15)
