"""Transmission error of prescribed angles, and of a span that moves according to its exact kinematics."""

import numpy as np
import pytest

from chaindrive.analyses.analytical.four_bar import tight_span_kinematics
from chaindrive.analyses.signals.spectra import peaks
from chaindrive.analyses.signals.transmission import transmission_error, transmission_orders
from chaindrive.errors import InputError
from chaindrive.model import example
from support.signals_of_known_answer import made_up, turning

RATE = 4000.0
TIME = np.arange(round(2.0 * RATE) + 1) / RATE
SPEED = 5.0
"""Speed of the motor [rev/s]."""


@pytest.fixture(scope="module")
def drive():
    return example("industrial-08b")  # 17 and 38 teeth; runs clockwise


def with_error(drive, error, angle=None):
    """The second wheel ahead by ``error`` [rad]."""
    angles = turning(drive, 2 * np.pi * SPEED * TIME if angle is None else angle)
    angles[:, 1] += np.sign(angles[-1, 1]) * error
    return made_up(drive, TIME, wheel_angle=angles)


def test_prescribed_angles(drive):
    """A static lag of 2 mrad after the start, 0.3 mrad at the teeth, and 0.1 mrad at one per turn of the conveyor."""
    motor = 2 * np.pi * SPEED * TIME
    ripple = 3e-4 * np.sin(17 * motor) + 1e-4 * np.sin(motor * 17 / 38)
    error = -2e-3 * (1.0 - np.exp(-TIME / 0.02)) + ripple
    found = transmission_error(with_error(drive, error))
    assert found.names == ("motor", "conveyor")
    assert found.mean == pytest.approx(-2e-3, abs=1e-5)
    assert found.angle.mean() == pytest.approx(0.0, abs=1e-15)
    assert found.peak_to_peak == pytest.approx(8e-4, rel=0.02)
    assert found.rms == pytest.approx(np.sqrt((3e-4**2 + 1e-4**2) / 2.0), rel=0.02)
    assert (found.time[-1] - found.time[0]) * SPEED == pytest.approx(5.0)  # whole revolutions
    radius = drive.chain.pitch / (2.0 * np.sin(np.pi / 38))
    np.testing.assert_allclose(found.path, found.angle * radius)
    kept = transmission_error(with_error(drive, error), remove_mean=False)
    np.testing.assert_allclose(kept.angle, found.angle + found.mean, atol=1e-15)
    np.testing.assert_allclose(kept.angle, error[-kept.angle.size :], atol=1e-12)


def test_orders_of_the_error(drive):
    motor = 2 * np.pi * (SPEED * TIME + 2.0 * TIME**2)  # speeding up
    found = transmission_error(with_error(drive, 3e-4 * np.sin(17 * motor), motor), start=0.0)
    best = peaks(transmission_orders(found), 1)[0]
    assert (best.frequency, best.amplitude) == (pytest.approx(17.0, abs=0.01), pytest.approx(3e-4, rel=0.01))


def test_seen_from_the_other_wheel(drive):
    """theta_1 - theta_2 z_2 / z_1 is the same error, turned round and scaled by 38 / 17."""
    error = 3e-4 * np.sin(17 * 2 * np.pi * SPEED * TIME)
    there = transmission_error(with_error(drive, error), "motor", "conveyor", start=0.5, stop=1.5)
    back = transmission_error(with_error(drive, error), "conveyor", "motor", start=0.5, stop=1.5)
    np.testing.assert_allclose(back.angle, -there.angle * 38 / 17, atol=1e-12)


def test_polygonal_action_of_a_tight_span(drive):
    """The four-bar linkage of the tight span, repeated for every tooth: the error is that of its angles."""
    span = tight_span_kinematics(17, 38, 0.5 * 40.37, 0.5, samples=4001)
    step = 2 * np.pi / 17
    motor = 2 * np.pi * SPEED * TIME
    phase = np.append(span.driver_angle, step)
    within = np.append(span.driven_angle - span.driver_angle * 17 / 38, 0.0)
    angles = turning(drive, motor)
    angles[:, 1] += np.sign(angles[-1, 1]) * np.interp(motor % step, phase, within)
    found = transmission_error(made_up(drive, TIME, wheel_angle=angles))
    assert found.peak_to_peak == pytest.approx(float(np.ptp(within)), rel=0.02)
    # d(theta_2)/d(theta_1) is the ratio of the linkage, 1 on average: integrated again it is the error
    again = np.cumsum(span.ratio - span.ratio.mean()) * step / span.ratio.size * 17 / 38
    assert found.peak_to_peak == pytest.approx(float(np.ptp(again)), rel=0.02)
    orders = transmission_orders(found)
    strong = [peak.frequency for peak in peaks(orders, 3, least=0.05)]
    np.testing.assert_allclose(np.array(strong) / 17.0, np.round(np.array(strong) / 17.0), atol=0.01)


def test_equal_wheels_out_of_step():
    """Equal wheels, whole and half pitches in a long span: no error at all, and R sin(a) half a tooth late.

    Along a long span the chain moves by R (sin a2 - sin a1) on both wheels. Half a tooth out of step sin(b) = sin(a) -
    sin(pi/z) for 0 < a < pi/z, with b from -pi/z to 0: the error is b - a + pi/z.
    """
    z = 12
    whole = tight_span_kinematics(z, z, 5000.0)
    half = tight_span_kinematics(z, z, 5000.5)
    assert np.ptp(whole.driven_angle - whole.driver_angle) < 1e-9
    a = np.linspace(0.0, np.pi / z, 2001)
    first = np.arcsin(np.sin(a) - np.sin(np.pi / z)) - a + np.pi / z
    expected = float(np.ptp(np.concatenate([first, -first])))  # the second half of a tooth mirrors the first
    found = float(np.ptp(half.driven_angle - half.driver_angle))
    assert found == pytest.approx(expected, rel=1e-3)


def test_default_wheels():
    """6L60MC: the crankshaft is driven; the first wheel after it that turns freely is counterweight 2."""
    drive = example("6l60mc")
    result = made_up(drive, TIME, wheel_angle=turning(drive, 2 * np.pi * 2.0 * TIME))
    found = transmission_error(result)
    assert (found.wheel_1, found.wheel_2) == (0, 1)  # on the back of the chain: it turns the other way
    assert found.peak_to_peak < 1e-9
    assert transmission_error(result, "counterweight 2").wheel_2 == 2


def test_a_run_that_diverged(drive):
    """Not-a-number at the end is reported with its instant; earlier parts can be examined."""
    angles = turning(drive, 2 * np.pi * SPEED * TIME)
    angles[-1] = np.nan
    result = made_up(drive, TIME, wheel_angle=angles)
    with pytest.raises(InputError, match=r"not a finite number at 2 s: choose an earlier stop"):
        transmission_error(result)
    assert transmission_error(result, start=0.5, stop=1.9).peak_to_peak < 1e-9


def test_wheels_that_do_not_exist(drive):
    result = with_error(drive, 0.0 * TIME)
    with pytest.raises(InputError, match=r"^wheel_2: .*wheel_1"):
        transmission_error(result, 0, "motor")
    with pytest.raises(InputError, match="motor, conveyor"):
        transmission_error(result, "engine")
    with pytest.raises(InputError, match="0 to 1"):
        transmission_error(result, 0, 2)
    with pytest.raises(InputError, match="wheel_angle"):
        transmission_error(made_up(drive, TIME, power_input=TIME))
