"""Amplitude spectra of signals whose lines are known."""

import numpy as np
import pytest
import xarray

from chaindrive.analyses.spectra import amplitude_spectrum, channel_spectrum, peaks, sampling_step, window_function
from chaindrive.errors import InputError

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


@pytest.mark.parametrize("fraction", [0.0, 0.13, 0.37, 0.5, 0.81])
def test_peaks_between_bins(fraction):
    # The log-parabola over a Hann lobe W(u) = sinc(u) / (1 - u^2) is worst half way between two bins, where
    # W(1/2) = 0.8488 and W(3/2) = 0.1698 give exp(ln W(1/2) + ln(W(1/2) / W(3/2)) / 8) = 1.038; on a grid padded four
    # times the lobe between bins is nearly a parabola, and the errors shrink with the fourth power.
    frequency = 40.0 + 0.25 * fraction
    signal = 1.3 + 0.02 * np.sin(2 * np.pi * frequency * TIME + 1.0)
    coarse = peaks(amplitude_spectrum(signal, STEP))[0]
    assert coarse.frequency == pytest.approx(frequency, abs=0.02 * 0.25)
    assert coarse.amplitude == pytest.approx(0.02, rel=0.0381)
    fine = peaks(amplitude_spectrum(signal, STEP, padding=4))[0]
    assert fine.frequency == pytest.approx(frequency, abs=0.0005 * 0.25)
    assert fine.amplitude == pytest.approx(0.02, rel=2e-4)


def test_peaks_of_several_lines():
    lines = [(5.1, 1.0), (13.0, 0.3), (120.0, 0.15)]
    signal = sum(a * np.sin(2 * np.pi * fr * TIME) for fr, a in lines)
    found = peaks(amplitude_spectrum(signal, STEP, padding=4), least=0.05)
    assert len(found) == 3
    for peak, (frequency, amplitude) in zip(found, lines, strict=True):
        assert peak.frequency == pytest.approx(frequency, abs=0.01)
        assert peak.amplitude == pytest.approx(amplitude, rel=0.01)
    assert [round(p.frequency) for p in peaks(amplitude_spectrum(signal, STEP), low=10.0, high=50.0, least=0.5)] == [13]


def test_channel_spectrum_uses_its_window_of_time():
    signal = np.where(TIME < 2.0, np.sin(2 * np.pi * 10.0 * TIME), 2.0 * np.sin(2 * np.pi * 30.0 * TIME))
    channel = xarray.DataArray(signal, dims=("time",), coords={"time": TIME})
    peak = peaks(channel_spectrum(channel, start=2.0))[0]
    assert (peak.frequency, peak.amplitude) == (pytest.approx(30.0, abs=1e-3), pytest.approx(2.0, rel=2e-3))
    assert peaks(channel_spectrum(channel, stop=1.9995))[0].frequency == pytest.approx(10.0, abs=1e-3)


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
