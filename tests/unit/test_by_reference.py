"""NamedTuples reach compiled kernels by reference: every kind of field is read as it is, and arrays are not copied."""

from __future__ import annotations

import gc
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core import config

from chaindrive.by_reference import KEPT, handed_over
from chaindrive.kernels import kernel

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")


class Inner(NamedTuple):
    scale: float
    place: Any
    columns: Any


class Outer(NamedTuple):
    on: bool
    count: int
    inner: Inner
    table: Any
    offset: float


def parameters(**changes: Any) -> Outer:
    inner = Inner(scale=-2.5, place=np.arange(3.0), columns=np.arange(6.0).reshape(2, 3))
    return Outer(on=True, count=3, inner=inner, table=np.arange(24).reshape(2, 3, 4), offset=0.25)._replace(**changes)


@kernel(inner=True)
def _row(inner, i):
    return inner.scale * inner.columns[1, i]


@kernel
def read(p, found):
    found[0], found[1], found[2] = p.on, p.count, p.offset
    found[3] = p.table[1, 0, 1]
    for i in range(p.count):
        found[4 + i] = _row(p.inner, i)
        p.inner.place[i] += 10.0
    found[7], found[8] = p.inner.columns.shape[0], p.inner.columns.shape[1]


@kernel
def total(p):
    found = 0.0
    for i in range(p.count):
        found += p.inner.place[i] + p.offset
    return found


def expected(p: Outer) -> np.ndarray:
    columns = p.inner.columns
    return np.array([p.on, p.count, p.offset, p.table[1, 0, 1], *(p.inner.scale * columns[1]), *columns.shape])


@pytest.mark.parametrize(
    "p",
    [
        parameters(),
        parameters(on=False, offset=-1e300),
        parameters(on=np.True_, count=np.int64(3), offset=np.float64(np.nan)),
        parameters(offset=2),  # a whole number where others have a fraction is a kernel of its own
        parameters(inner=Inner(0.5, np.zeros(6)[::2], np.asfortranarray(np.arange(6.0).reshape(2, 3)))),
        parameters(inner=Inner(0.5, np.zeros(3), np.arange(24.0).reshape(4, 6)[::2, ::-2])),
    ],
)
def test_fields_are_what_they_are_in_python(p):
    found, before = np.zeros(9), p.inner.place.copy()
    read(p, found)
    np.testing.assert_array_equal(found, expected(p))
    np.testing.assert_array_equal(p.inner.place, before + 10.0)


def test_a_changed_copy_is_seen_and_shares_the_other_arrays():
    p = parameters()
    assert total(p) == 3.75
    assert total(p._replace(offset=1.0)) == 6.0
    p.inner.place[0] = 100.0
    assert total(p) == 103.75
    assert total(p._replace(inner=p.inner._replace(place=np.ones(3)))) == 3.75


def test_many_tuples_that_come_and_go_are_never_mistaken_for_each_other():
    for number in range(5 * KEPT):  # identities of tuples are used again
        assert total(parameters(offset=float(number))) == 3.0 + 3.0 * number
        gc.collect(0)


def test_what_no_kernel_can_read_is_named():
    with pytest.raises(TypeError, match=r"Outer\.table is 'text': a kernel reads numbers and arrays"):
        handed_over(parameters(table="text"))
    plain = (1.0, 2.0)
    assert handed_over(plain) is plain
