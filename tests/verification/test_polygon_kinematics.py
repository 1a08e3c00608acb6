"""Slow runs of two equal sprockets against exact kinematics: four-bar linkage and polygon spectrum.

Set-up that leaves the kinematics alone: slow (tooth frequency 0.8 Hz), tension 50 N, strain 4e-5, a driven wheel of
little inertia whose bearing damping takes up the shock of the first contact, gravity 1 m/s^2 so that the slack span
hangs, and damped joints, which calm its swinging and the transverse vibration of the tight span (12 Hz). The first
tooth is left for the start to die out; the second one is compared.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

from chaindrive.analyses.analytical.formulas import polygon_harmonic
from chaindrive.analyses.analytical.four_bar import tight_span_kinematics
from support.small_drives import PITCH, SolverSettings, compiled, run, two_wheels

TEETH, SAMPLES, SPEED, TENSION = 15, 400, 0.33, 50.0
STIFFNESS, CONTACT, MASS = 1e8, 3e8, 0.0088
RADIUS = PITCH / (2.0 * math.sin(math.pi / TEETH))
TOOTH = 2.0 * math.pi / TEETH
HALF = 30.47


def second_tooth(span, links):
    """Rows of the second tooth of a run, SAMPLES + 1 of them."""
    drive = two_wheels(
        (TEETH, TEETH), span, links=links, speed=SPEED, gravity=(0.0, -1.0), tooth={"form": "asa-ii"},
        link_stiffness=STIFFNESS, link_mass=MASS, link_damping=0.6 * math.sqrt(STIFFNESS * MASS), joint_damping=0.01,
        contact={"stiffness": CONTACT, "exponent": 1.0, "restitution": 1.0},
        second={"inertia": 1e-4, "load_torque": TENSION * RADIUS, "bearing_damping": 1.0},
    )  # fmt: skip
    step = 0.5 / math.sqrt((4.0 * STIFFNESS + CONTACT) / MASS)
    interval = TOOTH / SPEED / SAMPLES
    done = run(compiled(drive), 2.0 * SAMPLES * interval, interval, SolverSettings(method="verlet", step=step))
    assert done.status.name == "REACHED_END"
    return {name: values[SAMPLES : 2 * SAMPLES + 1] for name, values in done.channels.items()}


@pytest.fixture(scope="module")
def half():
    """A drive with nearly 30 1/2 pitches in the spans, and 0.06 pitches of slack."""
    return second_tooth(HALF, 76)


@pytest.fixture(scope="module")
def whole():
    """A drive with 30 pitches in the spans."""
    return second_tooth(30.0, 75)


def difference(rows):
    """Driven minus driver angle, without the mean."""
    angle = rows["wheel_angle"][:, 1] - rows["wheel_angle"][:, 0]
    return angle - angle[:-1].mean()


@functools.cache
def four_bar_curve(span):
    """Driven minus driver angle over a tooth."""
    found = tight_span_kinematics(TEETH, TEETH, span)
    return found.driven_angle - found.driver_angle


def exact_curve(span, phase):
    """The difference by the four-bar linkage, ``phase`` teeth later."""
    curve = four_bar_curve(span)
    at = (np.arange(SAMPLES) / SAMPLES + phase) % 1.0
    shifted = np.interp(at, np.arange(len(curve) + 1) / len(curve), np.append(curve, curve[0]))
    return shifted - shifted.mean(), np.ptp(curve)


def test_half_pitch_follows_the_four_bar_linkage(half):
    # What limits the agreement: the number of stretched links in the span changes by one, T P/(K P) = 5e-7 m, and two
    # seats yield by 2 T/K_c = 3e-7 m, together 3e-5 rad = 1.2 % of the 2.3e-3 rad peak to peak; tension ripple of 1.7 N
    # on 30 links, 5e-7 m, 0.7 %. The phase is free: rollers lie 0.1 mm up the flanks instead of in the pitch points.
    angle = difference(half)
    shifts = np.linspace(0.0, 1.0, 1001)
    misfit = [np.std(angle[:-1] - exact_curve(HALF, s)[0]) for s in shifts]
    best = shifts[int(np.argmin(misfit))]
    exact, size = exact_curve(HALF, best)
    assert min(best, 1.0 - best) < 0.04
    assert np.std(angle[:-1] - exact) < 0.01 * size
    assert np.abs(angle[:-1] - exact).max() < 0.02 * size
    assert np.ptp(angle) == pytest.approx(size, rel=0.03)


def test_half_pitch_reaches_the_bounds(half):
    # Ratio between cos(pi/z) and 1/cos(pi/z): 0.978136 to 1.022323 for 30.5 pitches, within 2e-4 for 30.47. Measured
    # over a twentieth of a tooth: the extremes are corners with slopes of 0.088 per tooth on both sides, of which such
    # a mean misses 0.088 x 0.05/4 = 1.1e-3; errors of 2 % of 2.3e-3 rad add 4.6e-5/(0.05 TOOTH) = 2.2e-3.
    bounds = tight_span_kinematics(TEETH, TEETH, 30.5).ratio
    assert bounds.min() == pytest.approx(math.cos(math.pi / TEETH), abs=2e-5)
    assert bounds.max() == pytest.approx(1.0 / math.cos(math.pi / TEETH), abs=2e-5)
    exact = tight_span_kinematics(TEETH, TEETH, HALF).ratio
    assert exact.min() == pytest.approx(bounds.min(), abs=2e-4)
    assert exact.max() == pytest.approx(bounds.max(), abs=2e-4)
    width = SAMPLES // 20
    turned = half["wheel_angle"]
    ratio = (turned[width:, 1] - turned[:-width, 1]) / (turned[width:, 0] - turned[:-width, 0])
    assert ratio.min() == pytest.approx(exact.min() + 1.1e-3, abs=2.2e-3)
    assert ratio.max() == pytest.approx(exact.max() - 1.1e-3, abs=2.2e-3)


@pytest.mark.long
def test_whole_pitches_run_as_a_parallelogram(whole):
    # Constant ratio: what remains is elastic, T P/(K P) of one link more or less and the seats, 3e-5 rad, with the
    # ripple of the tension 5e-5 rad: 2 % of the half-pitch drive.
    assert np.ptp(difference(whole)) < 8e-5
    width = SAMPLES // 20
    turned = whole["wheel_angle"]
    ratio = (turned[width:, 1] - turned[:-width, 1]) / (turned[width:, 0] - turned[:-width, 0])
    np.testing.assert_allclose(ratio, 1.0, rtol=0.0, atol=2e-3)


@pytest.mark.long
def test_polygon_spectrum_of_the_span_speed(whole):
    # v = w R cos(theta), |theta| <= pi/z: harmonics k z n with 2/(k^2 z^2 - 1) of the mean. With whole pitches both
    # ends of the span rise together, and it stays level: no other kinematics mixes in. Seats and tensions that change
    # with every tooth move the span by dx = 5e-7 m; in one harmonic that is 2 pi k dx/P of the speed, 2.5e-4 k at the
    # worst, which is 2.8 % k^3 of the polygon's harmonic; the step dx of a saw tooth has pi k less: 1 %, 4 %, 8 %.
    x = whole["roller_position"][:-1, :, 0]
    y = whole["roller_position"][:-1, :, 1]
    middle = np.all((y > 0.9 * RADIUS) & (x > 10 * PITCH) & (x < 20 * PITCH), axis=0)
    assert middle.sum() >= 8
    speed = -whole["roller_velocity"][:-1, middle, 0].mean(axis=1)
    assert speed.mean() == pytest.approx(SPEED * TEETH * PITCH / (2.0 * math.pi), rel=3e-4)
    spectrum = np.abs(np.fft.rfft(speed)) / SAMPLES
    amplitude = 2.0 * spectrum[1:4] / spectrum[0]
    expected = polygon_harmonic(TEETH, np.arange(1, 4))
    assert expected[0] == pytest.approx(0.008929, abs=1e-6)
    assert np.all(np.abs(amplitude / expected - 1.0) < [0.01, 0.04, 0.08])
