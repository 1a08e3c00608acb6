"""The map over speed of several runs: its peak, its lines, aliases and crossings, compared with closed-form
solutions.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from chaindrive.analyses.results.resonance import resonances
from chaindrive.analyses.results.speed_map import Wish, column_of, crossings, map_lines, map_of
from chaindrive.analyses.signals.waterfall import amplitude_along
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from support.swept_runs import ALIASED, RESONANCE, TEETH, TENSION, answer, drive_at, run_at, tooth_frequency

SPEEDS = [float(rpm) for rpm in range(300, 640, 20)]
WISH = Wish("span_displacement", 0, "magnitude", "hann", None, None, None, math.inf)


@pytest.fixture(scope="module")
def columns():
    """Columns in an order other than that of the speeds."""
    return [column_of(run_at(rpm), WISH) for rpm in reversed(SPEEDS)]


def test_the_peak_is_at_the_resonance(columns):
    """The teeth meet 140 Hz at 494 rpm; among runs 20 rpm apart the one at 500 rpm is nearest."""
    found = map_of(columns)
    c, r = np.unravel_index(found.amplitude.argmax(), found.amplitude.shape)
    np.testing.assert_allclose(found.speed * 30.0 / math.pi, SPEEDS, rtol=1e-6)
    assert SPEEDS[c] == min(SPEEDS, key=lambda rpm: abs(tooth_frequency(rpm) - RESONANCE)) == 500.0
    assert found.frequency[r] == pytest.approx(tooth_frequency(500.0), abs=found.resolution)
    assert found.run.tolist() == list(reversed(range(len(SPEEDS))))
    assert (found.of_runs, found.over_speed) == (True, True)


def test_the_order_cut_is_the_answer_of_the_span(columns):
    """Whole revolutions put the tooth frequency on a bin of its own run; the widest bin contains the highest line."""
    found, lines = map_of(columns), {line.label: line for line in map_lines(columns)}
    np.testing.assert_allclose(lines["tooth frequency"].frequency, [tooth_frequency(s) for s in SPEEDS], rtol=1e-9)
    cut = amplitude_along(found, lines["tooth frequency"].frequency)
    # The window begins at a stored instant, half a step of 450 off at most: a line at bin 70 is 0.08 bins aside, where
    # a Hann window leaves sinc(x)/(1 - x^2) = 0.996 of it.
    np.testing.assert_allclose(cut, [answer(tooth_frequency(s)) for s in SPEEDS], rtol=5e-3)


def test_what_the_save_rate_folds_is_a_line_of_its_own(columns):
    """Four times the tooth frequency passes 500 Hz at 441 rpm: from there on it appears at 1000 Hz - 4 f."""
    found, lines = map_of(columns), {line.label: line for line in map_lines(columns)}
    folded = lines["4 × tooth frequency, aliased"]
    assert folded.kind == "folded"
    expected = [1000.0 - 4.0 * tooth_frequency(s) if 4.0 * tooth_frequency(s) > 500.0 else math.nan for s in SPEEDS]
    np.testing.assert_allclose(folded.frequency, expected, rtol=1e-6)
    cut = amplitude_along(found, folded.frequency)
    # a line that is folded from bin 280 is 0.31 bins aside: 0.94
    assert np.isnan(cut[: SPEEDS.index(460.0)]).all()
    np.testing.assert_allclose(cut[SPEEDS.index(460.0) :], ALIASED, rtol=0.06)


def _meeting(tension: float, mode: int) -> float:
    """Speed at which teeth meet a string: z n = k c/2L (1 - v^2/c^2), c^2 = T/rho (Pedersen 2004, Eq. 4.27). [rpm]"""
    drive = drive_at(500.0)
    density, pitch = drive.chain.link_mass / drive.chain.pitch, drive.chain.pitch
    length, c = float(drive_facts(drive).route.span_length[0]), math.sqrt(tension / density)

    def beyond(rpm: float) -> float:
        v = pitch * tooth_frequency(rpm)
        return tooth_frequency(rpm) - mode * c / (2.0 * length) * (1.0 - (v / c) ** 2)

    return brentq(beyond, 1.0, 3000.0)


def test_crossings_are_where_teeth_meet_strings(columns):
    operating = 500.0 * math.pi / 30.0
    found = crossings(columns, operating)
    assert [abs(each.distance) for each in found] == sorted(abs(each.distance) for each in found)
    strings = [each for each in found if "span" in each.mode]
    expected = sorted(
        _meeting(tension, mode)
        for tension in TENSION
        for mode in (1, 2)
        if SPEEDS[0] <= _meeting(tension, mode) <= SPEEDS[-1]
    )
    assert len(expected) >= 2
    # straight lines between runs 20 rpm apart: the string bends by less than 1e-4 of its frequency
    assert sorted(each.speed * 30.0 / math.pi for each in strings) == pytest.approx(expected, rel=2e-4)
    for each in strings:
        assert each.frequency == pytest.approx(TEETH * each.speed / (2.0 * math.pi), rel=1e-6)
        assert each.distance == pytest.approx(each.speed / operating - 1.0, rel=1e-9)
        assert SPEEDS[each.before] <= each.speed * 30.0 / math.pi <= SPEEDS[each.before + 1]


def test_a_crossing_at_the_speed_of_a_run_is_what_the_verdict_of_that_run_finds():
    """A run exactly at the meeting: its own nearest resonance is 0 % away, and the map has it once."""
    rpm = _meeting(TENSION[1], 1)
    own = [each for each in resonances(run_at(rpm)) if each.span == 1 and "mode 1" in each.mode]
    assert own[0].distance == pytest.approx(0.0, abs=1e-4)
    found = crossings([column_of(run_at(s), WISH) for s in (0.9 * rpm, rpm, 1.1 * rpm)], rpm * math.pi / 30.0)
    near = [each for each in found if abs(each.distance) < 0.01]
    assert [(each.excitation, each.mode) for each in near] == [(own[0].excitation.label, own[0].mode)]
    assert crossings([column_of(run_at(s), WISH) for s in (1.2 * rpm, 1.21 * rpm)], None) == []


def test_windows_of_different_lengths_share_the_widest_bins():
    fine = column_of(run_at(500.0), WISH)
    coarse = column_of(run_at(400.0), WISH._replace(start=0.9))
    assert coarse.resolution > 4.0 * fine.resolution
    found = map_of([fine, coarse])
    assert found.resolution == coarse.resolution
    assert found.amplitude.shape == (2, coarse.frequency.size)
    np.testing.assert_array_equal(found.amplitude[0], coarse.amplitude)
    assert found.amplitude[1].max() == fine.amplitude.max()


def test_a_wish_cuts_what_is_kept():
    whole = column_of(run_at(500.0), WISH)
    cut = column_of(run_at(500.0), WISH._replace(resolution=5.0, highest=300.0))
    assert cut.resolution == pytest.approx(5.0)
    assert cut.frequency[-1] == pytest.approx(300.0)
    assert cut.stop == whole.stop
    with pytest.raises(InputError, match=r"resolution: needs a window of 100 s, but this one has"):
        column_of(run_at(500.0), WISH._replace(resolution=0.01))
    with pytest.raises(InputError, match="did not become steady"):
        column_of(run_at(500.0), WISH._replace(start="steady"))


def test_runs_of_one_speed_make_no_map(columns):
    with pytest.raises(InputError, match="needs runs at different speeds"):
        map_of([columns[0], columns[0]])
    with pytest.raises(InputError, match="no run has a spectrum"):
        map_of([])
    other = column_of(run_at(500.0), WISH._replace(item=1))
    with pytest.raises(InputError, match="must all be of the same signal"):
        map_of([columns[0], other])
