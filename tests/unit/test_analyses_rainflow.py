"""Rainflow counts against the examples of ASTM E1049-85, and results derived from them."""

import numpy as np
import pytest
import rainflow

import chaindrive as cd
from chaindrive.analyses.results.rainflow import (
    count_cycles,
    equivalent_range,
    exceedance,
    link_rainflow,
    range_mean_histogram,
    turning_points,
)
from chaindrive.errors import InputError
from support.made_run import PACE, TIME, made_run, solution_of

ASTM = [-2.0, 1.0, -3.0, 5.0, -1.0, 3.0, -4.0, 4.0, -2.0]


def _table(cycles):
    ranges, _, counts = cycles
    return {float(r): float(counts[ranges == r].sum()) for r in np.unique(ranges)}


def test_the_example_of_the_standard():
    """ASTM E1049-85, Figure 6: ranges 3, 4, 6, 8, 9 with 0.5, 1.5, 0.5, 1.0, 0.5 cycles."""
    assert _table(count_cycles(ASTM)) == {3.0: 0.5, 4.0: 1.5, 6.0: 0.5, 8.0: 1.0, 9.0: 0.5}


def test_the_example_of_the_standard_for_repeating_histories():
    """Section 5.4.5, Figure 7: ranges 3, 4, 7, 9 with one cycle each."""
    assert _table(count_cycles(ASTM, repeating=True)) == {3.0: 1.0, 4.0: 1.0, 7.0: 1.0, 9.0: 1.0}


def test_means_are_the_middles_of_the_ranges():
    ranges, means, counts = count_cycles(ASTM)
    full = counts == 1.0
    assert (ranges[full].item(), means[full].item()) == (4.0, 1.0)  # -1 to 3
    assert sorted(means[~full]) == [-1.0, -0.5, 0.0, 0.5, 1.0, 1.0]  # -3..1, -2..1, -4..4, -4..5, -3..5, -2..4


def test_samples_between_the_reversals_and_plateaus_change_nothing():
    fine = np.interp(np.linspace(0, 8, 801), np.arange(9), ASTM)
    assert _table(count_cycles(fine)) == _table(count_cycles(ASTM))
    assert _table(count_cycles(np.repeat(ASTM, 3))) == _table(count_cycles(ASTM))
    assert _table(count_cycles(-np.array(ASTM))) == _table(count_cycles(ASTM))
    assert _table(count_cycles(np.insert(ASTM, 4, np.nan))) == _table(count_cycles(ASTM))


def test_short_and_constant_signals():
    assert count_cycles([])[0].size == 0
    assert count_cycles([5.0])[0].size == 0
    assert count_cycles([5.0, 5.0, 5.0])[0].size == 0
    assert _table(count_cycles([1.0, 4.0])) == {3.0: 0.5}
    assert _table(count_cycles([1.0, 2.0, 4.0])) == {3.0: 0.5}
    assert _table(count_cycles([1.0, 4.0, 1.0], repeating=True)) == {3.0: 1.0}


@pytest.mark.parametrize("kind", ["few levels", "many levels", "random walk"])
def test_cycles_are_those_that_are_counted_one_by_one(kind):
    """Cycles that are removed at the same time are the same as those of the package ``rainflow``, which counts them
    one after the other; in histories with few levels many ranges are equal.
    """
    random = np.random.default_rng(5)
    for size in (*range(3, 40), 1000):
        steps = random.integers(0, 4 if kind == "few levels" else 1000, size).astype(float)
        signal = np.cumsum(random.normal(size=size)) if kind == "random walk" else steps
        points = turning_points(signal).tolist()
        expected = sorted(cycle[:3] for cycle in rainflow.extract_cycles(points)) if len(points) > 2 else None
        if expected is not None:
            assert sorted(zip(*count_cycles(signal), strict=True)) == expected


def test_turning_points():
    np.testing.assert_array_equal(turning_points([0, 1, 2, 2, 1, 1, 3]), [0, 2, 1, 3])


def test_a_hysteresis_leaves_the_large_cycle_whole():
    """A ripple of range 1 on a swing of range 10: without the ripple's cycles the large cycle remains."""
    swing = np.repeat([0.0, 10.0, 0.0, 10.0], 1)
    rippled = [0.0, 4.0, 3.0, 10.0, 6.0, 7.0, 0.0, 10.0]
    np.testing.assert_array_equal(turning_points(rippled, least=2.0), swing)
    # what comes before the first large move is not a reversal, but its extreme is
    np.testing.assert_array_equal(turning_points([0.0, -1.0, 0.5, 10.0, 9.0], least=5.0), [-1.0, 10.0])
    np.testing.assert_array_equal(turning_points([0.0, 1.0, -0.5, -10.0, 0.0], least=5.0), [1.0, -10.0, 0.0])
    assert turning_points([0.0, 1.0, 0.0], least=5.0).size == 0


def test_every_link_of_a_steady_loop_has_one_cycle_a_loop():
    """Tension is a sine along the loop: a cycle of 8 kN a loop, for the heavier links about a mean of 100 N more."""
    found = link_rainflow(made_run())
    assert found.repeating
    assert found.stop == TIME[-1]
    assert found.loops == pytest.approx(1.0, abs=1e-3)
    near = 2 * 4e3 * (np.pi * PACE / 1000.0 / 122) ** 2  # both extremes are met to half a row
    for link in (0, 7):
        mine = found.of(link)
        np.testing.assert_allclose(mine.range, 8e3, atol=near)
        assert mine.count.sum() == 1.0
        np.testing.assert_allclose(mine.mean, 19e3 + 100.0 * (link == 0), atol=near)
    np.testing.assert_allclose(equivalent_range(found), 8e3, rtol=1e-3)
    reached = exceedance(found)
    assert reached.per_loop[-1] == pytest.approx(1.0, rel=1e-3)
    assert reached.per_hour[-1] == pytest.approx(3600.0 * PACE / 122, rel=1e-3)
    assert np.all(np.diff(reached.range) < 0.0)
    with pytest.raises(InputError, match="not counted"):
        link_rainflow(made_run(), [3]).of(4)


def test_a_window_that_was_asked_for_is_counted_as_it_is():
    """Half a loop from a crest to a trough: one half cycle."""
    crest = (30.5 - 0.5) / PACE  # link 0 at the largest tension
    found = link_rainflow(made_run(), [0], start=crest, stop=crest + 61 / PACE)
    assert not found.repeating
    assert found.count.sum() == 0.5
    assert found.range[0] == pytest.approx(8e3, rel=1e-4)
    assert found.loops == pytest.approx(0.5, abs=1e-2)


def test_counts_are_scaled_to_a_loop_and_an_hour():
    """2.5 s of 120 pitches a second are 300 / 122 loops."""
    found = link_rainflow(made_run(), [0, 1], start=0.0, stop=2.5)
    reached = exceedance(found)
    assert reached.cycles[-1] == pytest.approx(found.count.sum() / 2)  # the mean of two links
    np.testing.assert_allclose(reached.per_loop, reached.cycles * 122 / 300)
    np.testing.assert_allclose(reached.per_hour, reached.cycles * 3600 / 2.5)


def test_equivalent_range_is_miners_sum():
    """Four cycles of 100 N and one of 200 N a loop: (4 100^m + 200^m)^(1/m)."""
    drive, rows = cd.example("6l60mc"), 1221
    time = np.arange(rows) * 1e-3
    place = (np.arange(122) + 0.5 + 0.1 * np.arange(rows)[:, None]) % 122  # one loop in 1220 rows
    wave = np.interp(np.arange(rows), np.linspace(0, 1220, 11), [0, 200, 0, 100, 0, 100, 0, 100, 0, 100, 0])
    tension = np.repeat(1e3 + wave[:, None], 122, axis=1)
    found = link_rainflow(solution_of(drive, time, {"link_tension": tension, "link_path_position": place}), start=0.0)
    assert found.loops == pytest.approx(1.0)
    for m in (3.0, 5.0, 8.0):
        np.testing.assert_allclose(equivalent_range(found, m), (4 * 100.0**m + 200.0**m) ** (1 / m))
    with pytest.raises(InputError, match="above 0"):
        equivalent_range(found, 0.0)


def test_histogram_holds_every_cycle():
    found = link_rainflow(made_run(), range(10))
    histogram = range_mean_histogram(found, 5, 4)
    assert histogram.count.shape == (5, 4)
    assert histogram.count.sum() == pytest.approx(found.count.sum())
    assert histogram.range_edges[0] == 0.0
    assert histogram.count[:4].sum() == 0.0  # all cycles have the largest range
    with pytest.raises(InputError, match="at least 1"):
        range_mean_histogram(found, 0)


def test_without_positions_there_are_counts_but_none_per_loop():
    found = link_rainflow(made_run(drop=("link_path_position", "contact_surface")), [0])
    assert np.isnan(found.loops)
    assert found.count.sum() > 0.0
    with pytest.raises(InputError, match="link_path_position"):
        equivalent_range(found)
    with pytest.raises(InputError, match="links 0 to 121"):
        link_rainflow(made_run(), [122])
    with pytest.raises(InputError, match="at least 0 N"):
        link_rainflow(made_run(), [0], least=-1.0)
