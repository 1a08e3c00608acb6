"""NamedTuples reach compiled kernels by reference: every kind of field is read correctly, and arrays are not copied."""

from __future__ import annotations

import gc
import pickle
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core import config

from chaindrive.kernels import kernel
from chaindrive.kernels.by_reference import KEPT, handed_over, told_by_type

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
    found[9] = p.table[1, :, 2][2]  # a view, which has the strides of the array


@kernel
def total(p):
    found = 0.0
    for i in range(p.count):
        found += p.inner.place[i] + p.offset
    return found


def expected(p: Outer) -> np.ndarray:
    columns = p.inner.columns
    last = p.table[1, 2, 2]
    return np.array([p.on, p.count, p.offset, p.table[1, 0, 1], *(p.inner.scale * columns[1]), *columns.shape, last])


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
    found, before = np.zeros(10), p.inner.place.copy()
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


def test_one_type_for_parameters_whose_numbers_differ_and_another_for_other_kinds_of_arrays():
    type_of = lambda p: handed_over(p).type  # noqa: E731
    first = type_of(parameters())
    bigger = Inner(scale=1.0, place=np.ones(7), columns=np.ones((5, 4)))
    assert type_of(parameters(offset=7.0, count=4, on=False, inner=bigger)) is first
    fixed = np.arange(3.0)
    fixed.flags.writeable = False
    others = [
        parameters(inner=bigger._replace(columns=np.asfortranarray(np.ones((5, 4))))),
        parameters(inner=bigger._replace(place=np.ones(14)[::2])),
        parameters(inner=bigger._replace(place=np.ones(7, dtype=np.int64))),
        parameters(inner=bigger._replace(place=fixed)),
        parameters(inner=bigger._replace(place=np.ones((1, 7)))),
        parameters(table=2.0),
    ]
    assert len({first, *map(type_of, others)}) == 1 + len(others)


def test_what_no_kernel_can_read_is_named():
    with pytest.raises(TypeError, match=r"Outer\.table is 'text': a kernel reads numbers and arrays"):
        handed_over(parameters(table="text"))
    plain = (1.0, 2.0)
    assert handed_over(plain) is plain


@told_by_type("rows", "on")
class Told(NamedTuple):
    rows: Any
    on: bool
    factor: float


class Around(NamedTuple):
    inner: Told
    found: Any


@kernel(inner=True)
def _no_sum(p):
    return -1.0


@kernel(inner=True, without=("rows", _no_sum))
def _sum(p):
    total = 0.0
    for i in range(p.rows.shape[0]):
        total += p.rows[i] * p.factor
    return total


@kernel(inner=True)
def _off(p):
    return -2.0


@kernel(inner=True, without=("on", _off))
def _on(p):
    return p.factor


@kernel
def ask(p):
    p.found[0], p.found[1] = _sum(p.inner), _on(p.inner)
    p.found[2] = p.inner.rows.shape[0]
    p.found[3] = 1.0 if p.inner.on else 0.0


@pytest.mark.parametrize("rows", [np.arange(3.0), np.zeros(0), np.ones(1)])
@pytest.mark.parametrize("on", [True, False])
def test_what_a_type_tells_of_nothing_is_another_kernel(rows, on):
    told = Told(rows=rows, on=on, factor=2.0)
    found = np.zeros(4)
    ask(Around(told, found))
    total = 2.0 * rows.sum() if len(rows) else -1.0
    np.testing.assert_array_equal(found, [total, 2.0 if on else -2.0, len(rows), on])


def test_kernels_are_compiled_for_each_thing_that_a_type_tells_and_for_no_more():
    for rows in (np.ones(2), np.ones(5), np.zeros(0)):
        ask(Around(Told(rows=rows, on=True, factor=float(len(rows))), np.zeros(4)))
    of_told = {signature[0].name for signature in ask.overloads}
    assert len(of_told) <= 4  # with and without rows, on and off
    both = [kind for signature in ask.overloads for kind in signature[0].fields["inner"].type.fields.values()]
    assert {field.known for field in both} <= {None, 0, 1}


def test_a_type_in_files_of_kernels_is_the_one_that_the_process_knows() -> None:
    """It is read once: each of these types is in hundreds of files."""
    kind = handed_over(parameters()).type
    assert pickle.loads(pickle.dumps(kind)) is kind
    assert pickle.loads(pickle.dumps({"argument": kind}))["argument"] is kind
    assert kind._pickled is kind._pickled
