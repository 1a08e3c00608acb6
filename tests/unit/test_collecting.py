"""Garbage collection waits for the start of a process, and then does its work as usual."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from chaindrive.collecting import FIRST, collect_later


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    threshold, callbacks = gc.get_threshold(), list(gc.callbacks)
    gc.callbacks.clear()
    gc.set_threshold(700, 10, 10)
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)
    gc.callbacks[:] = callbacks


class Pair:
    """Part of a reference cycle."""

    def __init__(self) -> None:
        self.other = self


def test_the_first_collection_waits_and_the_next_ones_do_not() -> None:
    gc.collect()
    collect_later()
    collections = gc.get_stats()[0]["collections"]
    kept = [[] for _ in range(FIRST // 2)]
    assert gc.get_stats()[0]["collections"] == collections
    kept += [[] for _ in range(FIRST)]
    assert gc.get_stats()[0]["collections"] > collections
    assert gc.get_threshold() == (700, 10, 10)
    assert gc.get_freeze_count() > FIRST // 2, "objects of the start are searched again and again"
    assert len(kept) == FIRST // 2 + FIRST


def test_cycles_after_the_start_are_found() -> None:
    collect_later()
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(20_000):
        Pair()
    assert len(gc.get_objects()) - before < 5_000


def test_asking_twice_is_asking_once() -> None:
    collect_later()
    collect_later()
    assert len(gc.callbacks) == 1
