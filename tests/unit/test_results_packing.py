"""Packed rows of results: the kept channels in their formats, in reused memory."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from chaindrive.contract.channels import Channel
from chaindrive.results.packing import Packing

CHANNELS = (
    Channel("a", ("link",), "N", "", 1, (3,), precision="single"),
    Channel("b", ("link", "axis"), "N", "", 4, (2, 2), precision="single"),
    Channel("c", (), "J", "", 8, ()),
    Channel("d", ("link",), "N", "", 10, (3,), precision="single"),
)
ROW_SIZE = 14


def rows_of(count: int) -> np.ndarray:
    return np.arange(float(count * ROW_SIZE)).reshape(count, ROW_SIZE) / 7.0


@pytest.mark.parametrize("doubles", [False, True])
def test_every_channel_is_found_again(doubles: bool) -> None:
    packing, rows = Packing(CHANNELS, doubles), rows_of(5)
    table = packing.table(packing.pack(rows))
    assert list(table) == [channel.name for channel in CHANNELS]
    for channel in CHANNELS:
        kind = np.float32 if channel.precision == "single" and not doubles else np.float64
        assert table[channel.name].dtype == kind
        np.testing.assert_array_equal(table[channel.name], channel.read(rows).astype(kind), err_msg=channel.name)


def test_the_memory_of_rows_that_were_given_back_is_used_again() -> None:
    packing = Packing(CHANNELS)
    first = packing.pack(rows_of(5))
    packing.give_back(first)
    fewer = packing.pack(rows_of(3))
    assert np.shares_memory(packing.table(fewer)["a"], packing.table(first)["a"])
    np.testing.assert_array_equal(packing.table(fewer)["c"], rows_of(3)[:, 8])
    packing.give_back(fewer)
    more = packing.pack(rows_of(9))
    assert not np.shares_memory(packing.table(more)["a"], packing.table(first)["a"])
    np.testing.assert_array_equal(packing.table(more)["c"], rows_of(9)[:, 8])
    held = packing.pack(rows_of(2))
    assert not np.shares_memory(packing.table(held)["a"], packing.table(more)["a"])


def test_memory_does_not_grow_with_the_number_of_sections() -> None:
    """Batches of a section are held together, and differ in size."""
    packing, sizes = Packing(CHANNELS), (250, 400, 30, 1)
    packed_row = sum(channel.size * (4 if channel.precision == "single" else 8) for channel in CHANNELS)
    most = len(sizes) * max(sizes) * packed_row
    batches = [rows_of(size) for size in sizes]
    tracemalloc.start()
    try:
        for section in range(40):
            held = [packing.pack(batches[(section + k) % len(sizes)]) for k in range(len(sizes))]
            for packed in held:
                packing.give_back(packed)
        assert tracemalloc.get_traced_memory()[0] < most
    finally:
        tracemalloc.stop()


def test_a_number_too_large_for_its_format_is_infinite() -> None:
    rows = rows_of(1)
    rows[0, 2], rows[0, 8] = 1e300, 1e300
    packing = Packing(CHANNELS)
    table = packing.table(packing.pack(rows))
    assert np.isinf(table["a"][0, 1])
    assert table["c"][0] == 1e300
