"""Order spectra of synthetic run-ups, whose orders are known."""

import numpy as np
import pytest

from chaindrive.analyses.signals.frequencies import driver_orders, frequency_marks, order_marks, string_frequencies
from chaindrive.analyses.signals.orders import monotone_window, order_spectrum, resampled_over_angle
from chaindrive.analyses.signals.spectra import amplitude_spectrum, peaks
from chaindrive.errors import InputError
from chaindrive.model import example, override
from support.signals_of_known_answer import made_up, turning

RATE = 2000.0
TIME = np.arange(round(4.0 * RATE) + 1) / RATE
LINES = {1.0: 5.0, 2.5: 3.0, 17.0: 2.0}
"""Height by order of the motor, which has 17 teeth."""


def ramp(start, stop):
    """Angle [rad] of a speed that rises linearly from start to stop [rev/s] in four seconds."""
    return 2 * np.pi * (start * TIME + (stop - start) * TIME**2 / 8.0)


def course(angle, lines=LINES):
    return 40.0 + sum(height * np.sin(order * angle + order) for order, height in lines.items())


@pytest.fixture(scope="module")
def drive():
    return example("industrial-08b")


def run_up(drive, first, last):
    angle = ramp(first, last)
    tension = np.stack([course(angle), 0.0 * angle], axis=1)
    return made_up(drive, TIME, wheel_angle=turning(drive, angle), span_tension=tension)


@pytest.mark.parametrize("direction", [1.0, -1.0])
@pytest.mark.parametrize(("first", "last"), [(2.0, 20.0), (20.0, 2.0), (10.0, 10.0)])
def test_orders_keep_their_height_while_the_speed_changes(first, last, direction):
    """Sines over the angle: lines at their orders with their amplitudes, though the frequency of each changes tenfold.

    On whole revolutions orders 1 and 17 fall on bins and 2.5 at worst between two; the flat-top window reads each
    within 0.2 %.
    """
    angle = ramp(first, last)
    found = resampled_over_angle(TIME, course(angle), direction * angle)
    assert found.revolutions == round(2.0 * (first + last))
    spectrum = amplitude_spectrum(found.values, found.step, "flat-top", "linear")
    for order, height in LINES.items():
        near = np.abs(spectrum.frequency - order) < 2.0 * spectrum.resolution
        assert spectrum.amplitude[near].max() == pytest.approx(height, rel=4e-3)
    away = np.min(np.abs(spectrum.frequency[:, None] - [0.0, *LINES]), axis=1) > 8.0 * spectrum.resolution
    assert spectrum.amplitude[away & (spectrum.frequency < found.highest)].max() < 2e-3 * max(LINES.values())


def test_an_ordinary_spectrum_smears_the_same_run_up():
    """The counter-test: over time, order 17 is a sweep from 34 to 340 Hz without a line."""
    assert amplitude_spectrum(course(ramp(2.0, 20.0), {17.0: 2.0}), 1.0 / RATE).amplitude.max() < 0.3 * 2.0


def test_order_spectrum_of_a_result(drive):
    found = order_spectrum(run_up(drive, 2.0, 20.0), "span_tension", 0, start=0.0, stop=4.0)
    best = {round(p.frequency, 2): p.amplitude for p in peaks(found.spectrum, 3)}
    assert best == pytest.approx({1.0: 5.0, 2.5: 3.0, 17.0: 2.0}, rel=0.04)  # a Hann lobe between bins: 3.8 %
    assert (found.wheel_name, found.revolutions, found.unit) == ("motor", 44, "N")
    assert found.resolution == pytest.approx(1.0 / 44)
    assert found.speed == (pytest.approx(2 * np.pi * 2.0, rel=2e-3), pytest.approx(2 * np.pi * 20.0, rel=2e-3))
    assert found.order[-1] <= 0.4 * RATE / 20.0
    assert found.order[-1] > 0.4 * RATE / 20.0 - 0.1


def test_orders_of_another_wheel(drive):
    """The conveyor turns 17 times while the motor turns 38 times: all its orders are 38/17 higher."""
    found = order_spectrum(run_up(drive, 2.0, 20.0), "span_tension", 0, "conveyor", start=0.0, stop=4.0)
    best = sorted(round(p.frequency * 17 / 38, 2) for p in peaks(found.spectrum, 3))
    assert best == pytest.approx([1.0, 2.5, 17.0], abs=0.03)
    assert found.wheel_name == "conveyor"


def test_nothing_is_folded_over():
    """A line at 0.45 of the save rate while the wheel turns slowly: it appears above the usable orders or at its true
    order, not at a lower order. (At 2 rev/s 900 Hz are order 450, at 20 rev/s order 45; usable are 40.)
    """
    angle = ramp(2.0, 20.0)
    found = resampled_over_angle(TIME, np.sin(2 * np.pi * 900.0 * TIME), angle)
    spectrum = amplitude_spectrum(found.values, found.step)
    assert spectrum.amplitude[spectrum.frequency < found.highest].max() < 2e-3


def test_whole_revolutions_of_a_steady_result(drive):
    """Half of 4 s at 10 rev/s: 20 revolutions, and orders exactly on bins."""
    found = order_spectrum(run_up(drive, 10.0, 10.0), "span_tension", 0)
    assert found.revolutions == 20
    at = {round(order, 6): height for order, height in zip(found.order, found.amplitude, strict=True)}
    assert {order: at[order] for order in LINES} == pytest.approx(LINES, rel=2e-3)


def test_a_result_of_little_more_than_one_revolution(drive):
    """76 rpm: a revolution lasts 1578.9 steps; the default window is one revolution between stored instants."""
    time = TIME[:4000]
    angle = 2 * np.pi * 76.0 / 60.0 * time
    result = made_up(drive, time[:3200], wheel_angle=turning(drive, angle[:3200]), power_input=course(angle)[:3200])
    assert order_spectrum(result, "power_input").revolutions == 1


def test_what_is_no_number_is_said(drive):
    angle = ramp(5.0, 5.0)
    broken = np.where(TIME > 3.9, np.nan, angle)
    result = made_up(drive, TIME, wheel_angle=turning(drive, broken), power_input=course(angle))
    with pytest.raises(InputError, match=r"angle of the wheel 'motor' is not a finite number at 3\.9005 s"):
        order_spectrum(result, "power_input")
    result = made_up(drive, TIME, wheel_angle=turning(drive, angle), power_input=broken)
    with pytest.raises(InputError, match=r"the power input is not a finite number at 3\.9005 s"):
        order_spectrum(result, "power_input")


def test_a_wheel_that_turns_back_or_stands_is_refused(drive):
    there_and_back = ramp(10.0, -10.0)
    with pytest.raises(InputError, match=r"'motor' stops or reverses at 2(\.0\d*)? s.*from 0 to 2 s"):
        order_spectrum(made_up(drive, TIME, wheel_angle=np.stack([there_and_back] * 2, axis=1),
                               power_input=there_and_back), "power_input", start=0.0)  # fmt: skip
    with pytest.raises(InputError, match="stops or reverses"):
        resampled_over_angle(TIME, TIME, 0.0 * TIME)
    with pytest.raises(InputError, match=r"at least one revolution.*0\.8 revolutions"):
        resampled_over_angle(TIME, TIME, 2 * np.pi * 0.2 * TIME)
    with pytest.raises(InputError, match="times slower at 0 s"):
        resampled_over_angle(TIME, TIME, ramp(1e-4, 60.0))
    with pytest.raises(InputError, match="finite"):
        resampled_over_angle(TIME, np.where(TIME > 3.0, np.nan, 1.0), ramp(1.0, 2.0))


def test_window_of_a_run_up_is_where_the_wheel_turns_on(drive):
    """From rest within 2 s: the default leaves out speeds below a twentieth of the highest speed, 0.1 s."""
    motion = {"kind": "run_up", "initial_speed": 0, "final_speed": -60, "start": 1, "duration": 2}
    rising = override(drive, {"wheels.0.motion": motion})
    speed = np.clip(TIME - 1.0, 0.0, 2.0) * 30.0
    angle = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1])) / RATE])
    result = made_up(rising, TIME, wheel_angle=turning(rising, angle), power_input=course(angle))
    assert monotone_window(result) == (pytest.approx(1.1, abs=2.0 / RATE), pytest.approx(3.0, abs=1.0 / RATE))
    best = peaks(order_spectrum(result, "power_input").spectrum, 1)[0]
    assert (best.frequency, best.amplitude) == (pytest.approx(1.0, abs=0.01), pytest.approx(5.0, rel=0.04))
    assert monotone_window(result, start=2.0) == (2.0, 4.0)


# Marks ----------------------------------------------------------------------------------------------------------------


def test_order_marks():
    """6L60MC: 60, 30, 28 and 30 teeth, 122 links. Seen from the tightener every order is 28/60 of the crankshaft's."""
    drive = example("6l60mc")
    marks = {mark.label: (mark.order, mark.kind) for mark in order_marks(drive)}
    assert marks["teeth (60)"] == (60.0, "tooth")
    assert marks["crankshaft, order 1"] == (1.0, "driver")
    assert marks["revolution of counterweight 2, counterweight 4"] == (2.0, "order")
    assert marks["revolution of tightener"] == (pytest.approx(60 / 28), "order")
    assert marks["loop of the chain"] == (pytest.approx(60 / 122), "order")
    seen = {mark.kind: mark.order for mark in order_marks(drive, "tightener") if "teeth" not in mark.label}
    assert seen["driver"] == pytest.approx(28 / 60)
    assert {m.order for m in order_marks(drive, "tightener") if m.kind == "tooth"} == {28.0, 56.0, 84.0}
    assert max(m.order for m in order_marks(drive, highest=59.0)) < 59.0
    with pytest.raises(InputError, match="crankshaft, counterweight 2"):
        order_marks(drive, "camshaft")


def test_orders_that_a_motion_prescribes_are_marked():
    assert driver_orders(example("timing-06b")) == (1.0, 2.0, 4.0)
    assert {m.order for m in order_marks(example("timing-06b")) if m.kind == "driver"} == {1.0, 2.0, 4.0}


def test_frequency_marks(drive):
    """17 teeth at 10 rev/s: 170 teeth a second. A string of 508 mm, 0.7 kg/m, 520 N: computed by hand below."""
    angle = ramp(10.0, 10.0)
    speeds = np.gradient(turning(drive, angle), TIME, axis=0)
    tension = np.stack([0.0 * TIME, 520.0 + 0.0 * TIME], axis=1)
    result = made_up(drive, TIME, wheel_speed=speeds, span_tension=tension)
    marks = {mark.label: mark for mark in frequency_marks(result, span=1)}
    assert marks["tooth frequency"].frequency == pytest.approx(170.0, rel=1e-6)
    assert marks["2 × tooth frequency"].frequency == pytest.approx(340.0, rel=1e-6)
    assert marks["motor, order 1"].frequency == pytest.approx(10.0, rel=1e-6)
    assert marks["revolution of conveyor"].frequency == pytest.approx(170.0 / 38, rel=1e-6)
    assert marks["loop of the chain"].frequency == pytest.approx(170.0 / 108, rel=1e-6)
    chain = drive.chain
    radii = chain.pitch / (2 * np.sin(np.pi / np.array([17, 38])))
    length = np.sqrt(0.5092**2 - (radii[1] - radii[0]) ** 2)
    wave, speed = np.sqrt(520.0 / (chain.link_mass / chain.pitch)), 170.0 * chain.pitch
    expected = (wave**2 - speed**2) / (2 * length * wave)
    assert marks["string 1, conveyor - motor"].frequency == pytest.approx(expected, rel=1e-6)
    assert marks["string 3, conveyor - motor"].frequency == pytest.approx(3 * expected, rel=1e-6)
    np.testing.assert_array_equal(string_frequencies(result, 0), np.full(3, np.nan))  # slack
    assert not any(mark.kind == "string" for mark in frequency_marks(result, span=0))
    assert max(mark.frequency for mark in frequency_marks(result, highest=200.0)) <= 200.0
    poor = made_up(drive, TIME, power_input=TIME)
    assert {mark.kind for mark in frequency_marks(poor, span=1)} == {"system"}
