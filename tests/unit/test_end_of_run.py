"""The end of a run between two rows: it is stored as one more row, and the evaluations know that this row is early."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.signals.selection import signal_of, steady_window
from chaindrive.analyses.signals.spectra import spectrum_of
from chaindrive.analyses.signals.waterfall import waterfall
from chaindrive.analyses.signals.windows import even_rows
from chaindrive.model import SaveOptions
from support.made_run import solution_of

DRIVE = "industrial-08b"
SAVE = SaveOptions(rate=1000.0)


def run(until: float, **options) -> cd.Solution:
    """A run with a row every millisecond."""
    return cd.simulate(DRIVE, until, **({"save": SAVE, "progress": False} | options))


def test_the_end_is_stored_with_all_that_happened_before() -> None:
    found = run(0.0205)
    np.testing.assert_allclose(found.time, [*np.arange(21) * 1e-3, 0.0205], rtol=1e-12)
    whole = run(0.021)
    # Half of the last interval has the same largest tension, or a smaller one; steps are divided differently.
    last, later = (each.values("link_tension_max")[-1] for each in (found, whole))
    assert (last <= later * 1.02).all()
    assert (last >= found.values("link_tension")[-1]).all()
    assert found.audit.duration == pytest.approx(0.0205)
    assert found.audit.input == pytest.approx(float(found.values("work_input")[-1]))


def test_no_row_is_added_where_one_is_due() -> None:
    assert run(0.02).time.size == 21
    assert run(0.02 + 1e-9).time.size == 21


def test_a_run_that_continues_drops_its_end(tmp_path: Path) -> None:
    path = tmp_path / "run.nc"
    assert run(0.0105, output=path).time.size == 12
    found = run(0.02, output=path, resume=True)
    np.testing.assert_allclose(found.time, np.arange(21) * 1e-3, rtol=1e-12)
    # The steps are divided differently at the end of the first part.
    whole = run(0.02).values("link_tension_max")
    np.testing.assert_allclose(found.values("link_tension_max"), whole, rtol=0.02)


def test_means_have_no_incomplete_block() -> None:
    save = SaveOptions(rate=1000.0, reduce="mean", oversample=4)
    assert run(0.0205, save=save).time.size == 20


def test_the_live_view_receives_the_end() -> None:
    seen: list[float] = []
    found = run(0.0205, observe=lambda observation: seen.extend(observation.time))
    assert seen == found.time.tolist()


@pytest.mark.parametrize(
    ("times", "rows"),
    [
        ([], 0),
        ([0.0], 1),
        ([0.0, 0.4], 2),
        ([0.0, 1.0, 2.0], 3),
        ([0.0, 1.0, 1.4], 2),
        ([0.0, 1.0, 2.0, 2.998], 3),
        ([0.0, 1.0, 2.0, 2.9999], 4),
    ],
)
def test_number_of_rows_at_equal_intervals(times: list[float], rows: int) -> None:
    assert even_rows(times) == rows


@pytest.fixture(scope="module")
def ended() -> cd.Solution:
    """A made run of 1 s whose last row follows after 0.4 ms, in place of 1 ms."""
    time = np.append(np.arange(1001) * 1e-3, 1.0004)
    speed = 10.0 + np.sin(2.0 * np.pi * 40.0 * time)[:, None] * [1.0, 0.5]
    return solution_of(
        cd.example(DRIVE), time, {"wheel_speed": speed, "wheel_angle": 10.0 * time[:, None] * np.array([1.0, 0.5])}
    )


def test_default_windows_end_with_the_last_regular_row(ended: cd.Solution) -> None:
    assert steady_window(ended)[1] == 1.0
    assert steady_window(ended, stop=1.0004)[1] == 1.0004
    assert signal_of(ended, "wheel_speed").evenly_sampled().time[-1] == 1.0


def test_spectra_of_such_a_run(ended: cd.Solution) -> None:
    for stop in (None, 1.0004):
        found = spectrum_of(ended, "wheel_speed", 0, start=0.0, stop=stop)
        assert found.frequency[found.amplitude.argmax()] == pytest.approx(40.0, abs=1.0)
        assert found.stop == 1.0
    assert waterfall(ended, "wheel_speed", 0, columns=3).speed.size == 3
