"""Spectra of signals whose lines and noise are known."""

import numpy as np
import pytest

from chaindrive.analyses.signals.selection import signal_of, steady_window
from chaindrive.analyses.signals.spectra import (
    amplitude_spectrum,
    peaks,
    power_density,
    rms_spectrum,
    sampling_step,
    spectrum_of,
    window_function,
    window_properties,
)
from chaindrive.errors import InputError
from chaindrive.model import example
from support.signals_of_known_answer import made_up, turning

STEP = 1e-3
TIME = np.arange(4000) * STEP  # 4 s: bins every 0.25 Hz


@pytest.mark.parametrize("window", ["hann", "hamming", "blackman", "flat-top", "rectangular"])
def test_sine_on_a_bin_has_its_amplitude(window):
    spectrum = amplitude_spectrum(3.5 * np.sin(2 * np.pi * 25.0 * TIME + 0.4), STEP, window)
    at = int(np.argmax(spectrum.amplitude))
    assert spectrum.frequency[at] == pytest.approx(25.0)
    assert spectrum.amplitude[at] == pytest.approx(3.5, rel=1e-12)
    assert spectrum.resolution == pytest.approx(0.25)


def test_mean_and_line_at_half_the_rate_are_counted_once():
    signal = 2.0 + 0.7 * np.cos(np.pi * np.arange(TIME.size))
    spectrum = amplitude_spectrum(signal, STEP, "rectangular", trend="none")
    assert spectrum.amplitude[0] == pytest.approx(2.0)
    assert spectrum.amplitude[-1] == pytest.approx(0.7)
    assert spectrum.frequency[-1] == pytest.approx(500.0)


def test_trends_are_removed():
    straight = 5.0 - 3.0 * TIME
    assert amplitude_spectrum(straight, STEP, trend="linear").amplitude.max() < 1e-12
    assert amplitude_spectrum(np.full(100, 7.0), STEP).amplitude.max() < 1e-12
    assert amplitude_spectrum(straight, STEP, trend="mean").amplitude.max() > 0.1


@pytest.mark.parametrize("window", ["rectangular", "hann", "hamming", "blackman", "flat-top"])
@pytest.mark.parametrize("padding", [1, 3])
def test_peaks_between_bins(window, padding):
    """A single line has its frequency and height wherever it lies between bins, and whatever its phase."""
    for fraction in np.linspace(0.0, 1.0, 14):
        frequency = 40.0 + 0.25 * fraction
        signal = 1.3 + 0.02 * np.sin(2 * np.pi * frequency * TIME + 7.0 * fraction)
        found = peaks(amplitude_spectrum(signal, STEP, window, padding=padding))[0]
        assert found.frequency == pytest.approx(frequency, abs=0.003 * 0.25)
        assert found.amplitude == pytest.approx(0.02, rel=0.003)


def test_a_line_without_a_window_known_is_that_of_a_parabola():
    """The log-parabola over a Hann lobe W(u) = sinc(u)/(1 - u^2) is worst half way between two bins, where W(1/2) =
    0.8488 and W(3/2) = 0.1698 give exp(ln W(1/2) + ln(W(1/2)/W(3/2))/8) = 1.038."""
    signal = 0.02 * np.sin(2 * np.pi * 40.125 * TIME + 1.0)
    found = peaks(amplitude_spectrum(signal, STEP)._replace(window=None))[0]
    assert found.amplitude == pytest.approx(1.038 * 0.02, rel=1e-3)


def test_what_is_wider_than_a_line_is_not_raised():
    """Two lines one resolution and a half apart, merge into one hump under a Hann window: no line is read from it."""
    signal = np.sin(2 * np.pi * 40.0 * TIME) + np.sin(2 * np.pi * 40.375 * TIME)
    spectrum = amplitude_spectrum(signal, STEP)
    assert peaks(spectrum)[0] == peaks(spectrum._replace(window=None))[0]


def test_peaks_of_several_lines():
    lines = [(5.1, 1.0), (13.0, 0.3), (120.0, 0.15)]
    signal = sum(a * np.sin(2 * np.pi * fr * TIME) for fr, a in lines)
    found = peaks(amplitude_spectrum(signal, STEP, padding=4), least=0.05)
    assert len(found) == 3
    for peak, (frequency, amplitude) in zip(found, lines, strict=True):
        assert peak.frequency == pytest.approx(frequency, abs=0.01)
        assert peak.amplitude == pytest.approx(amplitude, rel=0.01)
    assert [round(p.frequency) for p in peaks(amplitude_spectrum(signal, STEP), low=10.0, high=50.0, least=0.5)] == [13]


def test_a_spectrum_is_that_of_its_window_of_time():
    signal = np.where(TIME < 2.0, np.sin(2 * np.pi * 10.0 * TIME), 2.0 * np.sin(2 * np.pi * 30.0 * TIME))
    run = made_up(example("industrial-08b"), TIME, power_input=signal)
    peak = peaks(spectrum_of(run, "power_input", start=2.0).spectrum)[0]
    assert (peak.frequency, peak.amplitude) == (pytest.approx(30.0, abs=1e-3), pytest.approx(2.0, rel=2e-3))
    early = spectrum_of(run, "power_input", start=0.0, stop=1.9995).spectrum
    assert peaks(early)[0].frequency == pytest.approx(10.0, abs=1e-3)


def test_bad_input_is_refused_all_at_once():
    with pytest.raises(InputError) as caught:
        amplitude_spectrum([1.0, np.nan], -1.0)
    assert len(caught.value.problems) == 3
    with pytest.raises(InputError, match="equal steps"):
        sampling_step([0.0, 0.1, 0.3])
    with pytest.raises(InputError, match="two saved instants"):
        sampling_step([0.0])
    with pytest.raises(InputError, match="must be one of"):
        window_function("hanning", 16)


# Scalings -------------------------------------------------------------------------------------------------------------

WINDOWS = ["hann", "hamming", "blackman", "flat-top", "rectangular"]


@pytest.mark.parametrize(
    ("window", "gain", "bandwidth"),
    [
        ("rectangular", 1.0, 1.0),
        ("hann", 0.5, 1.5),
        ("hamming", 0.54, 1.362826),  # (0.54^2 + 0.46^2 / 2) / 0.54^2
        ("blackman", 0.42, 1.726757),  # (0.42^2 + 0.5^2 / 2 + 0.08^2 / 2) / 0.42^2
        ("flat-top", 1.0 / 4.6392, 3.770933),  # 1 + (1.933^2 + 1.286^2 + 0.388^2 + 0.0322^2) / 2
    ],
)
def test_window_properties(window, gain, bandwidth):
    """Sums of cosines: the mean is the first coefficient, the highest value the sum of all, the mean square the square
    of the first and half the squares of the others.
    """
    found = window_properties(window)
    assert found.coherent_gain == pytest.approx(gain, rel=1e-12)
    assert found.noise_bandwidth == pytest.approx(bandwidth, rel=1e-6)


@pytest.mark.parametrize("window", WINDOWS)
def test_rms_of_line_mean_and_nyquist(window):
    signal = 2.0 + 3.0 * np.sin(2 * np.pi * 25.0 * TIME) + 0.7 * np.cos(np.pi * np.arange(TIME.size))
    found = rms_spectrum(signal, STEP, window, trend="none")
    at = {round(f, 6): a for f, a in zip(found.frequency, found.amplitude, strict=True)}
    assert at[0.0] == pytest.approx(2.0, rel=1e-9)
    assert at[25.0] == pytest.approx(3.0 / np.sqrt(2.0), rel=1e-9)
    assert at[500.0] == pytest.approx(0.7, rel=1e-9)


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("samples", [500, 501])
def test_parseval(window, samples):
    """Sum of the squares of the rms spectrum over the noise bandwidth is the mean square under the window."""
    signal = np.random.default_rng(3).normal(size=samples)
    weights = window_function(window, samples)
    found = rms_spectrum(signal, STEP, window, trend="none")
    total = float(np.sum(found.amplitude**2)) / window_properties(window, samples).noise_bandwidth
    # The mean and the line at half the rate hold no negative frequency: their share is counted in full.
    assert total == pytest.approx(float(np.sum((weights * signal) ** 2) / np.sum(weights**2)), rel=1e-12)


def test_density_integrates_to_the_mean_square():
    signal = np.random.default_rng(4).normal(size=1000)
    whole = power_density(signal, STEP, "rectangular", segments=1)
    assert whole.resolution == pytest.approx(1.0)
    assert whole.amplitude.sum() * whole.frequency[1] == pytest.approx(signal.var(), rel=1e-12)


@pytest.mark.parametrize("window", WINDOWS)
def test_density_of_white_noise_is_flat(window):
    """2 sigma^2 / f_s at every frequency, whatever the window; scatter 1/sqrt(segments) at each of 500 frequencies."""
    sigma = 1.7
    signal = sigma * np.random.default_rng(5).normal(size=64_000)
    found = power_density(signal, STEP, window, segments=127)
    expected = 2.0 * sigma**2 * STEP
    assert found.amplitude[2:-2].mean() == pytest.approx(expected, rel=0.02)
    assert found.amplitude[2:-2].std() / expected < 2.0 / np.sqrt(127)


def test_density_of_a_sine_holds_half_its_square():
    found = power_density(2.0 * np.sin(2 * np.pi * 40.0 * TIME), STEP, segments=4)
    assert found.amplitude.sum() * found.frequency[1] == pytest.approx(2.0, rel=1e-3)
    assert found.frequency[int(np.argmax(found.amplitude))] == pytest.approx(40.0, abs=found.resolution)


def test_flat_top_reads_amplitudes_between_bins():
    """The worst case lies half way between two bins: 0.2 % for the flat-top window, 15 % for Hann, 36 % for none."""
    signal = 5.0 * np.sin(2 * np.pi * (40.0 + 0.125) * TIME)
    heights = {window: amplitude_spectrum(signal, STEP, window).amplitude.max() for window in WINDOWS}
    assert heights["flat-top"] == pytest.approx(5.0, rel=2e-3)
    assert heights["hann"] == pytest.approx(5.0 * 8.0 / (3.0 * np.pi), rel=1e-3)  # W(1/2) = sinc(1/2) / (1 - 1/4)
    assert heights["rectangular"] == pytest.approx(5.0 * 2.0 / np.pi, rel=1e-2)


def test_leakage():
    """Far from a line between bins the skirts fall with 1/u without a window, with 1/u^3 with Hann's."""
    signal = np.sin(2 * np.pi * (40.0 + 0.125) * TIME)
    far = {}
    for window in ("rectangular", "hann"):
        found = amplitude_spectrum(signal, STEP, window)
        far[window] = [found.amplitude[round((40.0 + df) / 0.25)] for df in (5.0, 20.0)]
    assert far["rectangular"][0] / far["rectangular"][1] == pytest.approx(4.0, rel=0.3)
    assert far["hann"][0] / far["hann"][1] == pytest.approx(64.0, rel=0.5)
    assert far["hann"][1] < 1e-6


def test_short_signals():
    assert amplitude_spectrum(np.sin(np.arange(8.0)), STEP).frequency.size == 5
    assert power_density(np.sin(np.arange(9.0)), STEP).resolution == pytest.approx(1.0 / (9 * STEP))  # one segment
    with pytest.raises(InputError, match="at least 8"):
        power_density(np.ones(7), STEP)
    with pytest.raises(InputError, match="segments"):
        power_density(np.ones(70), STEP, segments=0)


# Of a result ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run():
    """8.35 revolutions of the 17 teeth in a second; loads that pulse with them on one axis."""
    drive = example("industrial-08b")
    time = np.arange(2001) / 1000.0
    speed = 8.35
    angle = turning(drive, 2 * np.pi * speed * time)
    pulse = np.sin(2 * np.pi * speed * time)
    force = np.zeros((time.size, 2, 2))
    force[:, 1, 0], force[:, 1, 1] = 30.0 + 3.0 * pulse, 40.0 + 4.0 * pulse
    return made_up(
        drive,
        time,
        wheel_angle=angle,
        bearing_force=force,
        span_tension=np.stack([500.0 + 20.0 * pulse, 50.0 + 0.0 * pulse], axis=1),
        power_input=900.0 + 90.0 * pulse,
        contact_surface=np.zeros((time.size, 108)),
    )


def test_default_window_is_the_last_whole_revolutions(run):
    """It covers 8 of the 8.35 revolutions in the last second: 0.958 s or 958 samples, each representing the step before
    it.
    """
    start, stop = steady_window(run)
    assert (start, stop) == (pytest.approx(2.0 - 0.957, abs=1e-9), 2.0)
    assert steady_window(run, start=0.5) == (0.5, 2.0)
    assert steady_window(run, stop=1.0) == (pytest.approx(1.0 - 0.478, abs=1e-9), 1.0)  # 4 revolutions in 0.5 s: 0.479
    settled = made_up(run.drive, run.time, {"notes": '{"steady_since": 0.4}'}, wheel_angle=run.values("wheel_angle"))
    assert steady_window(settled)[0] == pytest.approx(2.0 - 1.556, abs=1e-9)  # 13 of 13.36 revolutions: 1.557 s


def test_spectrum_of_a_channel(run):
    """Hann over 8 revolutions, off by at most half a sample: the line is in bin 8 with its full height."""
    found = spectrum_of(run, "span_tension", 0)
    best = peaks(found.spectrum)[0]
    assert (best.frequency, best.amplitude) == (pytest.approx(8.35, rel=1e-3), pytest.approx(20.0, rel=1e-3))
    assert int(np.argmax(found.amplitude)) == 8
    assert (found.unit, found.label) == ("N", "span tension of motor - conveyor")
    assert found.resolution == pytest.approx(1.0 / 0.958)
    assert (found.coherent_gain, found.noise_bandwidth) == (pytest.approx(0.5), pytest.approx(1.5 / 0.958))
    assert found.mean == pytest.approx(500.0, rel=1e-3)
    rms = spectrum_of(run, "span_tension", 0, scaling="rms")
    assert rms.amplitude[8] == pytest.approx(found.amplitude[8] / np.sqrt(2.0), rel=1e-12)
    density = spectrum_of(run, "span_tension", 0, scaling="density")
    assert density.unit == "N^2/Hz"
    signal = signal_of(run, "span_tension", 0, found.start, found.stop).values
    np.testing.assert_allclose(density.amplitude, power_density(signal, STEP, trend="linear").amplitude, rtol=1e-9)
    assert density.noise_bandwidth == pytest.approx(1.5 * density.frequency[1])
    assert spectrum_of(run, "power_input").label == "power input"


@pytest.mark.parametrize(("axis", "height"), [("magnitude", 5.0), ("x", 3.0), ("y", 4.0)])
def test_vector_channels(run, axis, height):
    """(30 + 3 s, 40 + 4 s) has the magnitude 50 + 5 s."""
    for item in (1, "conveyor", "1"):
        found = spectrum_of(run, "bearing_force", item, axis=axis)
        assert found.amplitude.max() == pytest.approx(height, rel=1e-3)


def test_what_a_result_does_not_have_is_refused(run):
    with pytest.raises(InputError, match=r"'spam_tension'") as caught:
        spectrum_of(run, "spam_tension")
    assert "span_tension" in str(caught.value)
    assert str(caught.value).count(", ") >= 2  # the three nearest
    with pytest.raises(InputError, match="motor, conveyor"):
        spectrum_of(run, "bearing_force", "engine")
    with pytest.raises(InputError, match="spans 0 to 1"):
        spectrum_of(run, "span_tension", 2)
    with pytest.raises(InputError, match="spans 0 to 1"):
        spectrum_of(run, "span_tension", -1)
    with pytest.raises(InputError, match="no saved instant"):
        spectrum_of(run, "span_tension", start=3.0)
    with pytest.raises(InputError, match="amplitude, rms, density"):
        spectrum_of(run, "span_tension", scaling="power")
    with pytest.raises(InputError, match="not a signal"):
        spectrum_of(run, "contact_surface", 3)
    with pytest.raises(InputError) as caught:
        signal_of(run, "power_input", 3, axis="z")
    assert len(caught.value.problems) == 2


def test_uneven_samples_are_refused(run):
    uneven = np.sort(np.random.default_rng(1).uniform(0.0, 2.0, 500))
    result = made_up(run.drive, uneven, power_input=np.sin(uneven))
    with pytest.raises(InputError, match="equal steps"):
        spectrum_of(result, "power_input")
