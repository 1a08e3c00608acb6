"""Waterfall and Campbell lines of a synthetic run-up through a resonance, and of a short real one."""

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.analytical.formulas import moving_string_frequency
from chaindrive.analyses.signals.frequencies import frequencies_at_rest, system_frequencies
from chaindrive.analyses.signals.spectra import Spectrum, peaks
from chaindrive.analyses.signals.waterfall import campbell_lines, campbell_lines_of_runs, waterfall, waterfall_of_runs
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import SaveOptions, example, override
from support.signals_of_known_answer import made_up, turning

RATE = 500.0
TIME = np.arange(round(40.0 * RATE) + 1) / RATE
FIRST, LAST = 2.0, 10.0
"""Speed of the motor at the beginning and the end of 40 s [rev/s]; 17 teeth."""
RESONANCE, DAMPING = 96.0, 0.02
"""Resonance excited by the teeth [Hz], damping ratio: reached at 96/17 = 5.65 rev/s, after 18.2 s."""


@pytest.fixture(scope="module")
def drive():
    return example("industrial-08b")


def speed_at(time):
    return FIRST + (LAST - FIRST) * time / 40.0


def magnified(frequency):
    """Amplitude of a damped oscillator under a force of amplitude 1 over its stiffness."""
    ratio = frequency / RESONANCE
    return 1.0 / np.sqrt((1.0 - ratio**2) ** 2 + (2.0 * DAMPING * ratio) ** 2)


@pytest.fixture(scope="module")
def run(drive):
    angle = 2 * np.pi * (FIRST * TIME + (LAST - FIRST) * TIME**2 / 80.0)
    teeth = 17.0 * speed_at(TIME)
    signal = magnified(teeth) * np.sin(17.0 * angle) + 0.8 * np.sin(angle)
    tension = np.stack([400.0 + 5.0 * TIME, -20.0 + 0.0 * TIME], axis=1)
    return made_up(
        drive,
        TIME,
        wheel_speed=np.gradient(turning(drive, angle), TIME, axis=0),
        wheel_angle=turning(drive, angle),
        span_tension=tension,
        span_displacement=np.stack([1e-3 * signal, 0.0 * signal], axis=1),
    )


def test_run_up_through_a_resonance(run):
    """The ridge follows the tooth frequency and is highest where that meets the resonance, with the known height.

    A window of T = sqrt(2 / rate) = 0.77 s sees the frequency move by 2.6 Hz, the half-power width of the resonance is
    3.8 Hz: read within 10 % at the top, where it lasts only moments, and 3 % away from it.
    """
    found = waterfall(run, "span_displacement", 0, columns=100)
    assert found.resolution == pytest.approx(1.0 / np.sqrt(2.0 / (17.0 * (LAST - FIRST) / 40.0)), rel=0.02)
    assert (found.label, found.unit) == ("span displacement of motor - conveyor", "m")
    assert found.over_speed
    np.testing.assert_allclose(found.speed, 2 * np.pi * speed_at(found.time), rtol=1e-3)
    teeth = 17.0 * speed_at(found.time)
    heights = []
    for column, frequency in zip(found.amplitude, teeth, strict=True):
        best = peaks(Spectrum(found.frequency, column, found.resolution), 1, low=20.0)[0]
        assert best.frequency == pytest.approx(frequency, abs=0.6 * found.resolution)
        heights.append(best.amplitude)
    heights, expected = np.array(heights), 1e-3 * magnified(teeth)
    top = int(np.argmax(heights))
    assert teeth[top] == pytest.approx(RESONANCE, abs=2.0)
    assert heights[top] == pytest.approx(25e-3, rel=0.1)
    away = np.abs(teeth - RESONANCE) > 15.0
    np.testing.assert_allclose(heights[away], expected[away], rtol=0.15)


def test_campbell_lines_of_the_run_up(drive, run):
    found = waterfall(run, "span_displacement", 0, columns=50)
    lines = {line.label: line for line in campbell_lines(run, found.start, found.stop, orders=(1.0, 3.0))}
    np.testing.assert_allclose(lines["tooth frequency"].frequency, 17.0 * speed_at(found.time), rtol=1e-3)
    np.testing.assert_allclose(lines["motor, order 3"].frequency, 3.0 * speed_at(found.time), rtol=1e-3)
    at_crossing = np.interp(RESONANCE, lines["tooth frequency"].frequency, found.speed)
    assert at_crossing == pytest.approx(2 * np.pi * RESONANCE / 17.0, rel=1e-3)
    chain = drive.chain
    expected = moving_string_frequency(
        2,
        drive_facts(drive).route.span_length[0],
        400.0 + 5.0 * found.time,
        chain.link_mass / chain.pitch,
        17.0 * speed_at(found.time) * chain.pitch,
    )
    np.testing.assert_allclose(lines["string 2, motor - conveyor"].frequency, expected, rtol=1e-3)
    assert np.isnan(lines["string 1, conveyor - motor"].frequency).all()  # slack
    modes = [line.frequency for line in lines.values() if line.kind == "system"]
    np.testing.assert_allclose([f[0] for f in modes], system_frequencies(drive))
    assert all(np.ptp(f) == 0.0 for f in modes)
    others = [
        line
        for line in campbell_lines(run, found.start, found.stop, system={"arm": [5.0, 11.0]})
        if line.kind == "system"
    ]
    assert [line.label for line in others] == ["arm, mode 1", "arm, mode 2"]
    assert others[-1].frequency.tolist() == [11.0] * 50


def test_windows(run):
    found = waterfall(run, "span_displacement", start=5.0, stop=15.0, columns=7, duration=2.0)
    assert found.amplitude.shape == (7, found.frequency.size)
    assert found.start[0] == pytest.approx(5.0)
    assert found.stop[-1] == pytest.approx(15.0)
    assert found.resolution == pytest.approx(0.5)
    np.testing.assert_allclose(found.stop - found.start, 2.0 - 1.0 / RATE)
    whole = waterfall(run, "span_displacement", columns=1, duration=1e6)  # longer than the result
    assert whole.amplitude.shape[0] == 1
    with pytest.raises(InputError) as caught:
        waterfall(run, "span_displacement", columns=0, duration=0.001)
    assert len(caught.value.problems) == 2


def test_a_steady_run_goes_over_time(drive):
    angle = 2 * np.pi * 5.0 * TIME
    speeds = np.gradient(turning(drive, angle), TIME, axis=0)
    steady = made_up(drive, TIME, wheel_speed=speeds, power_input=np.sin(angle))
    found = waterfall(steady, "power_input")
    assert not found.over_speed
    assert found.resolution == pytest.approx(8.0 / 40.0, rel=1e-2)
    np.testing.assert_allclose(found.amplitude[:, round(5.0 / found.resolution)], 1.0, rtol=2e-3)
    alone = made_up(drive, TIME, power_input=np.sin(angle))  # without speeds there are no lines but those of the drive
    assert np.isnan(waterfall(alone, "power_input").speed).all()
    assert {line.kind for line in campbell_lines(alone, [0.0], [1.0])} == {"system"}


def test_waterfall_of_a_sweep(drive):
    """Three runs, given out of order: each column is the spectrum of one of them, in the order of their speed."""
    runs = []
    for turns in (6.0, 4.0, 5.0):
        time = np.arange(2001) / RATE
        angle = 2 * np.pi * turns * time
        speeds = np.gradient(turning(drive, angle), time, axis=0)
        tension = np.stack([100.0 * turns + 0.0 * time] * 2, axis=1)
        runs.append(
            made_up(drive, time, wheel_speed=speeds, wheel_angle=turning(drive, angle), span_tension=tension,
                    power_input=turns * np.sin(17 * angle))
        )  # fmt: skip
    found = waterfall_of_runs(runs, "power_input")
    assert found.over_speed
    assert found.run.tolist() == [1, 2, 0]
    np.testing.assert_allclose(found.speed, 2 * np.pi * np.array([4.0, 5.0, 6.0]), rtol=1e-6)
    for column, turns in zip(found.amplitude, (4.0, 5.0, 6.0), strict=True):
        best = peaks(Spectrum(found.frequency, column, found.resolution), 1)[0]
        assert (best.frequency, best.amplitude) == (pytest.approx(17 * turns, abs=0.05), pytest.approx(turns, rel=0.05))
    lines = {line.label: line.frequency for line in campbell_lines_of_runs(runs, found)}
    np.testing.assert_allclose(lines["tooth frequency"], [68.0, 85.0, 102.0], rtol=1e-6)
    strings = lines["string 1, motor - conveyor"]
    assert strings[0] < strings[1] < strings[2]
    with pytest.raises(InputError, match="at least one"):
        waterfall_of_runs([], "power_input")


@pytest.mark.parametrize("rates", [(500.0, 1000.0), (2000.0, 500.0), (300.0, 1000.0)])
def test_runs_with_different_save_rates_share_frequencies_up_to_half_the_lowest(drive, rates):
    runs = []
    for turns, rate in zip((4.0, 6.0), rates, strict=True):
        time = np.arange(round(4.0 * rate) + 1) / rate
        angle = 2 * np.pi * turns * time
        speeds = np.gradient(turning(drive, angle), time, axis=0)
        signal = turns * np.sin(17 * angle)
        runs.append(made_up(drive, time, wheel_speed=speeds, wheel_angle=turning(drive, angle), power_input=signal))
    found = waterfall_of_runs(runs, "power_input")
    assert found.frequency[-1] == pytest.approx(0.5 * min(rates), rel=1e-3)
    for column, turns in zip(found.amplitude, (4.0, 6.0), strict=True):
        best = peaks(Spectrum(found.frequency, column, found.resolution), 1)[0]
        assert (best.frequency, best.amplitude) == (pytest.approx(17 * turns, abs=0.1), pytest.approx(turns, rel=0.05))


def test_a_real_run_up(drive):
    """300 to 900 rpm within 60 ms: the teeth of the drive follow, and the lines with them."""
    motion = {"kind": "run_up", "initial_speed": "-300 rpm", "final_speed": "-900 rpm", "start": 0, "duration": 0.06}
    rising = override(drive, {"wheels.0.motion": motion})
    run = cd.simulate(rising, 0.06, save=SaveOptions(rate=5000.0))
    found = waterfall(run, "wheel_torque", "motor", columns=5)
    assert found.over_speed
    assert found.speed[0] > 31.4
    assert found.speed[-1] < 94.3
    lines = {line.label: line.frequency for line in campbell_lines(run, found.start, found.stop)}
    np.testing.assert_allclose(lines["tooth frequency"], 17 * found.speed / (2 * np.pi), rtol=0.05)
    assert np.nanmin(lines["string 1, conveyor - motor"]) > 0.0  # the tight span: the loop runs clockwise


def test_frequencies_at_rest(drive):
    """Elastic seats lower the frequency of the conveyor on the tight span; its inertia is the same."""
    found = frequencies_at_rest(drive)
    assert not any(part.endswith("transverse") for part in found)
    rigid = float(system_frequencies(drive)[0])
    assert 0.8 * rigid < float(found["wheels"][0]) < rigid


def test_orders_of_the_teeth_beyond_half_the_save_rate_are_marked_where_they_fold_to(drive, run):
    """Saved at 500 Hz, teeth at 34 to 170 Hz: the second multiple passes 250 Hz where the teeth pass 125.

    A tone at n f is shown at |n f - 500 round(n f / 500)|: the sampled tone itself is the check.
    """
    found = waterfall(run, "span_displacement", 0, columns=60)
    folded = {
        line.label: line.frequency for line in campbell_lines(run, found.start, found.stop) if line.kind == "folded"
    }
    teeth = 17.0 * speed_at(found.time)
    assert list(folded) == [f"{n} \u00d7 tooth frequency, aliased" for n in range(2, 7)]
    for n, frequency in zip(range(2, 7), folded.values(), strict=True):
        np.testing.assert_array_equal(np.isnan(frequency), ~(n * teeth > 250.0))
        assert np.nanmax(frequency) <= 250.0
    angle = 2 * np.pi * (FIRST * TIME + (LAST - FIRST) * TIME**2 / 80.0)
    displacement = 1e-3 * np.stack([np.sin(3 * 17.0 * angle), 0.0 * angle], axis=1)
    aliased = made_up(
        drive,
        TIME,
        wheel_speed=np.gradient(turning(drive, angle), TIME, axis=0),
        span_displacement=displacement,
    )
    shown = waterfall(aliased, "span_displacement", 0, columns=60)
    lines = {line.label: line.frequency for line in campbell_lines(aliased, shown.start, shown.stop)}
    line = lines["3 \u00d7 tooth frequency, aliased"]
    assert np.isfinite(line).sum() > 20
    for column, frequency in zip(shown.amplitude, line, strict=True):
        # in a window the third multiple sweeps over six bins; at the edges, 0 and 250 Hz, it meets its own image
        if 10.0 < frequency < 240.0:
            assert shown.frequency[np.argmax(column)] == pytest.approx(frequency, abs=4.0 * shown.resolution)


def test_nothing_is_folded_where_the_save_rate_is_high_enough(drive):
    angle = 2 * np.pi * 2.0 * TIME
    slow = made_up(drive, TIME, wheel_speed=np.gradient(turning(drive, angle), TIME, axis=0))
    lines = campbell_lines(slow, [1.0], [2.0])  # 6 x 34 Hz = 204 Hz
    assert {line.kind for line in lines} >= {"tooth", "driver"}
    assert not [line for line in lines if line.kind == "folded"]
