"""Numbers read off a synthetic result."""

import numpy as np
import pytest

from chaindrive.analyses.results.statistics import contact_windows, mean_contact_force_by_seat, mean_span_tension
from chaindrive.analyses.signals.selection import steady_start
from chaindrive.analyses.signals.windows import chain_frequency, mean_tooth_frequency, window_of
from chaindrive.errors import InputError
from chaindrive.model import example
from support.made_run import solution_of

TIME = np.arange(0.0, 2.0, 0.01)
DRIVE = example("industrial-08b")
LINKS = DRIVE.chain.links
TEETH = np.array([17, 38])
SPEEDS = np.tile(2 * np.pi * 60.0 * np.array([-1.0, 1.0]) / TEETH, (TIME.size, 1))
"""Speeds at which 60 links pass per second."""


def result(**table):
    return solution_of(DRIVE, TIME, {"wheel_speed": SPEEDS} | table)


def test_tooth_frequency():
    assert mean_tooth_frequency(result()) == pytest.approx(60.0)
    # at the mean speed of each wheel, and of the wheels the median: 60 and 90 Hz
    faster = np.where(TIME[:, None] < 1.0, SPEEDS, 2.0 * SPEEDS) * np.array([1.0, 0.0]) + SPEEDS * np.array([0.0, 1.0])
    run = solution_of(DRIVE, TIME, {"wheel_speed": faster})
    assert mean_tooth_frequency(run) == pytest.approx(75.0)
    assert mean_tooth_frequency(run, stop=0.995) == pytest.approx(60.0)
    np.testing.assert_allclose(chain_frequency(DRIVE, np.stack([faster[0], faster[-1]])), [60.0, 90.0])


def test_tooth_frequency_of_a_run_that_diverged():
    broken = SPEEDS.copy()
    broken[150:] = np.nan
    assert mean_tooth_frequency(solution_of(DRIVE, TIME, {"wheel_speed": broken})) == pytest.approx(60.0)
    assert np.isnan(mean_tooth_frequency(solution_of(DRIVE, TIME, {"wheel_speed": broken}), start=1.6))


def test_mean_span_tension():
    run = result(span_tension=np.stack([1000.0 + 10.0 * TIME, np.full(TIME.size, 50.0)], axis=1))
    # mean of 0.5 .. 1.0 s on a straight line: its middle
    assert mean_span_tension(run, 0, 0.495, 1.005) == pytest.approx(1000.0 + 10.0 * 0.75)
    assert mean_span_tension(run, 1) == pytest.approx(50.0)
    with pytest.raises(InputError, match="0 to 1"):
        mean_span_tension(run, 2)
    with pytest.raises(InputError, match="no saved instant"):
        mean_span_tension(run, 0, 5.0)


def test_contact_windows_bridge_bounces_but_not_flights():
    body = np.full((TIME.size, LINKS), -1.0)
    body[(TIME > 0.195) & (TIME < 0.405), 3] = 0
    body[(TIME > 0.295) & (TIME < 0.315), 3] = -1  # a bounce of 20 ms; half a turn of 17 teeth at 60 / s is 142 ms
    body[(TIME > 0.695) & (TIME < 0.905), 3] = 1
    body[(TIME > 1.195) & (TIME < 1.405), 3] = 0
    body[(TIME > 1.595) & (TIME < 1.605), 3] = 2  # a guide, not a wheel
    run = result(contact_surface=body)
    windows = contact_windows(run, 3)
    assert [window.wheel for window in windows] == [0, 1, 0]
    np.testing.assert_allclose([w.start for w in windows], [0.2, 0.7, 1.2], atol=1e-9)
    np.testing.assert_allclose([w.stop for w in windows], [0.4, 0.9, 1.4], atol=1e-9)
    assert contact_windows(run, 4) == []
    assert len(contact_windows(run, 3, bridge=0.0)) == 4
    assert [window.wheel for window in contact_windows(run, 3, wheels_only=False)] == [0, 1, 0, 2]
    with pytest.raises(InputError, match="roller"):
        contact_windows(run, LINKS)


def test_contact_force_by_seat_follows_the_row_round_the_end_of_the_chain():
    # a row of three moves along the chain by one roller per instant; the k-th of the row carries 100 (k + 1)
    body, force = np.full((TIME.size, LINKS), -1.0), np.zeros((TIME.size, LINKS))
    for i in range(TIME.size):
        for k in range(3):
            body[i, (i + k) % LINKS], force[i, (i + k) % LINKS] = 1.0, 100.0 * (k + 1)
    run = result(contact_surface=body, contact_force=force)
    np.testing.assert_allclose(mean_contact_force_by_seat(run, 1), [100.0, 200.0, 300.0])
    with pytest.raises(InputError, match="unbroken sequence"):
        mean_contact_force_by_seat(run, 0)


def test_missing_channel_names_itself_and_its_neighbours():
    run = result()
    for read in (run.channel, run.values, run.items, run.__getitem__):
        with pytest.raises(InputError, match=r"'wheel_speeds'.*wheel_speed.*save\.channels"):
            read("wheel_speeds")
    with pytest.raises(InputError, match=r"'contact_surface'"):
        contact_windows(run, 0)


def test_a_window_keeps_both_ends():
    window = window_of(TIME, 0.5 - 1e-9, 1.0 + 1e-9)
    assert (window.start, window.stop) == (pytest.approx(0.5), pytest.approx(1.0))


def test_the_steady_part_begins_in_the_middle_wherever_the_run_begins():
    """Rows from 2 s to 3.99 s: their middle is at 2.995 s."""
    run = solution_of(DRIVE, 2.0 + TIME, {"wheel_speed": SPEEDS})
    assert steady_start(run) == pytest.approx(2.995)
    assert steady_start(run, 3.0) == pytest.approx(2.5)
