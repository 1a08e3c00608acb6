"""Natural frequencies by which the verdict judges resonance, compared with those of runs disturbed by a load step.

The slack span is held by a spring, a weight or a fixed idler. A model with fixed wheel centres and rigid seats takes
this span for a stiff spring.
"""

from __future__ import annotations

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.resonance import natural_frequencies, resonances
from chaindrive.analyses.signals.frequencies import drive_frequencies, longitudinal_frequencies
from chaindrive.model import override
from support.sprung_drives import Hold, sprung_drive

AT, UNTIL = 0.15, 0.5


def disturbed(seed: int, hold: Hold) -> tuple[cd.Solution, dict[str, float]]:
    """Return a run, and the frequencies at which its driven wheel and its arm answer a step of a tenth of the load, in
    Hz.

    They are those of the largest peaks in the spectra of the difference from the run without the step.
    """
    base, after = (cd.simulate(sprung_drive(seed, hold, step, AT), UNTIL, progress=False) for step in (0.0, 0.1))
    time = base.time
    late = time > AT + 2e-3
    rows, step = time[late], float(time[1] - time[0])
    found = {}
    for part, channel, item in (("driven", "wheel_speed", 2), ("arm", "joint_position", 0)):
        if channel not in base:
            continue
        answer = (after.values(channel)[:, item] - base.values(channel)[:, item])[late]
        answer = answer - np.polyval(np.polyfit(rows, answer, 1), rows)
        spectrum = np.abs(np.fft.rfft(answer * np.hanning(2 * rows.size)[rows.size :], 16 * rows.size))
        frequency = np.fft.rfftfreq(16 * rows.size, step)
        spectrum[frequency < 8.0] = 0.0
        found[part] = float(frequency[np.argmax(spectrum)])
    return base, found


@pytest.mark.parametrize(("seed", "hold"), [(1, "arm"), (4, "slide"), (5, "arm"), (6, "weight"), (1, "fixed")])
def test_frequencies_of_the_verdict_are_those_of_a_disturbed_run(seed: int, hold: Hold) -> None:
    """The driven wheel on its chain within 6 %, and the weighted arm within 7 %; the lowest frequency of wheels on
    fixed centres is at least a quarter too high.
    """
    run, measured = disturbed(seed, hold)
    whole = drive_frequencies(run)
    assert whole.linearised
    own = dict(zip(whole.part[::-1], whole.frequency.tolist()[::-1], strict=True))  # the lowest of each part
    assert own["driven"] == pytest.approx(measured["driven"], rel=0.06)
    if hold == "weight":
        assert own["arm"] == pytest.approx(measured["arm"], rel=0.07)
    assert longitudinal_frequencies(run)[0] > 1.25 * measured["driven"]
    modes = [each.frequency for each in natural_frequencies(run) if each.span < 0]
    assert own["driven"] in modes
    assert {each.frequency for each in resonances(run) if each.span < 0} <= set(modes)


@pytest.mark.parametrize("kind", ["roller", "link", "spatial"])
def test_a_drive_that_rolls_freely_has_no_frequency_of_rolling(kind: str) -> None:
    """Between the seats of its teeth, a drive without prescribed motion has a low frequency at rest, 0.25 Hz here."""
    drive = override(cd.example("motor-08b"), {"run.formulation.kind": kind})
    found = drive_frequencies(cd.simulate(drive, "1 ms", progress=False))
    assert found.linearised
    assert found.frequency.min() > 10.0


def test_oil_has_no_modes() -> None:
    """With a hydraulic tensioner the longitudinal model is used, and the reason is given."""
    run = cd.simulate("timing-06b", "2 ms", progress=False)
    found = drive_frequencies(run)
    assert not found.linearised
    assert "hydraulic" in found.reason
    np.testing.assert_array_equal(found.frequency, longitudinal_frequencies(run))


@pytest.mark.parametrize("hold", ["arm", "fixed"])
def test_fixed_centres_are_not_assumed_where_springs_hold_a_wheel(monkeypatch: pytest.MonkeyPatch, hold: Hold) -> None:
    """If the complete modes are not computed, the longitudinal model applies only to fixed wheels."""
    monkeypatch.setattr("chaindrive.analyses.signals.frequencies.MOST_VELOCITIES", 10)
    run = cd.simulate(sprung_drive(1, hold), 0.05, progress=False)
    found = drive_frequencies(run)
    assert not found.linearised
    assert "too long" in found.reason
    assert found.frequency.size == (0 if hold == "arm" else longitudinal_frequencies(run).size)
    tile = run.verdict.tile("resonance")
    assert tile is not None
    assert ("only spans" in " ".join(tile.lines)) is (hold == "arm")


def test_the_state_at_rest_says_nothing_of_an_open_chain() -> None:
    """The lengths of its strands change as it moves."""
    found = drive_frequencies(cd.simulate("hoist", "1 ms", progress=False))
    assert found.frequency.size == 0
    assert found.reason
