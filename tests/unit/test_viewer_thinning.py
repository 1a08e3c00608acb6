"""A run thinned while it goes on: the instants kept, and all extremes, compared with a direct count."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from chaindrive.contract.channels import Channel
from chaindrive.results.layout import Layout
from chaindrive.viewer.thinning import PER_TURN, Thinned

LAYOUT = Layout(
    (
        Channel("wheel_angle", ("wheel",), "rad", "", 0, (1,)),
        Channel("x", ("link",), "N", "", 1, (3,), precision="single"),
    ),
    {},
)
SERIES = 2


def made(rows, turns, seed=1):
    """A run of one second: time, driver's angle over this many turns, channels, and two noisy series."""
    random = np.random.default_rng(seed)
    time = np.linspace(0.0, 1.0, rows)
    angle = -2.0 * math.pi * turns * time  # against the clock or with it: all the same
    table = {"wheel_angle": angle[:, None], "x": random.normal(size=(rows, 3))}
    return time, angle, table, random.normal(size=(rows, SERIES))


def fed(run, pieces, driver=True, most=3000, until=1.0):
    """The run offered in pieces of irregular lengths."""
    time, angle, table, series = run
    kept = Thinned(LAYOUT, SERIES, until, most)
    cuts = np.linspace(0, time.size, pieces + 1).astype(int)
    for a, b in itertools.pairwise(cuts):
        if b > a:
            part = {name: values[a:b] for name, values in table.items()}
            kept.add(time[a:b], part, series[a:b], angle[a:b] if driver else None)
    return kept


def check_extremes(piece, run):
    """Every kept interval holds the extremes of all the rows that it covers."""
    time, _, table, series = run
    where = np.searchsorted(time, piece.time)
    np.testing.assert_array_equal(time[where], piece.time)
    before = -1
    for k, row in enumerate(where):
        covered = series[before + 1 : row + 1]
        np.testing.assert_array_equal(piece.low[k], covered.min(axis=0))
        np.testing.assert_array_equal(piece.high[k], covered.max(axis=0))
        assert piece.rows[k] == covered.shape[0]
        np.testing.assert_array_equal(piece.series[k], series[row])
        np.testing.assert_array_equal(piece.table["x"][k], table["x"][row].astype("f4"))
        before = row
    np.testing.assert_array_equal(piece.before[1:], piece.time[:-1])


@pytest.mark.parametrize("pieces", [1, 7, 100])
def test_instants_are_kept_as_the_driver_turns(pieces):
    run = made(rows=20001, turns=20)
    kept = fed(run, pieces, until=1e6)
    assert kept.count == 20 * PER_TURN + 1
    assert kept.generation == 0
    assert kept.seen == 20001
    piece = kept.piece(0, 10**6)
    check_extremes(piece, run)
    turned = np.diff(np.floor(-run[1][np.searchsorted(run[0], piece.time)] * PER_TURN / (2 * math.pi)))
    assert np.all(turned[1:] >= 1)


def test_a_driver_that_stands_still_is_seen_too():
    run = made(rows=5001, turns=0)
    kept = fed(run, 3)
    assert 499 <= kept.count <= 502
    check_extremes(kept.piece(0, 10**6), run)
    without = fed(run, 3, driver=False)
    np.testing.assert_array_equal(without.piece(0, 10**6).time, kept.piece(0, 10**6).time)


def test_every_row_is_kept_where_there_are_few():
    run = made(rows=50, turns=10)
    piece = fed(run, 4).piece(0, 100)
    np.testing.assert_array_equal(piece.time, run[0])
    np.testing.assert_array_equal(piece.rows, np.ones(50))


@pytest.mark.parametrize("most", [4, 5, 100, 257])
@pytest.mark.parametrize("pieces", [1, 13])
def test_memory_is_bounded_and_no_extreme_is_lost(most, pieces):
    run = made(rows=10001, turns=40)
    kept = fed(run, pieces, most=most)
    assert most // 2 - 1 <= kept.count < most
    assert kept.generation >= math.log2(2000 / most) - 1
    piece = kept.piece(0, 10**6)
    assert piece.time[0] == 0.0
    check_extremes(piece, run)
    gaps = np.diff(piece.time)
    assert gaps.max() <= 2.6 * np.median(gaps)  # evenly over the run, not the beginning finely and the rest coarsely


def test_pieces_go_on_where_the_last_one_ended():
    run = made(rows=2001, turns=10)
    kept = fed(run, 3)
    whole = kept.piece(0, 10**6)
    first, second = kept.piece(0, 100), kept.piece(100, 10**6)
    assert first.time.size == 100
    for name in ("time", "before", "rows", "low", "high", "series"):
        joined = np.concatenate([getattr(first, name), getattr(second, name)])
        np.testing.assert_array_equal(joined, getattr(whole, name))
    assert kept.piece(kept.count, 10).time.size == 0


@pytest.mark.parametrize("most", [3000, 64])
def test_the_last_instant_of_the_run_is_kept(most):
    run = made(rows=997, turns=3)
    time, angle, table, series = run
    kept = fed(run, 5, most=most)
    for _ in range(2):  # said twice, kept once
        kept.close(time[-1], {name: values[-1:] for name, values in table.items()}, series[-1:])
    piece = kept.piece(0, 10**6)
    assert piece.time[-1] == time[-1]
    assert piece.time[-2] < time[-1]
    check_extremes(piece, run)
    assert piece.rows.sum() == 997
    assert piece.table["wheel_angle"][-1, 0] == angle[-1]


def test_what_is_not_a_number_does_not_hide_the_rest():
    time, angle, table, series = made(rows=501, turns=1)
    series[100:140, 0] = math.nan
    piece = fed((time, angle, table, series), 2, until=1e6).piece(0, 1000)
    assert np.isfinite(piece.low[:, 1]).all()
    assert np.nanmin(piece.low[:, 0]) == np.nanmin(series[:, 0])
