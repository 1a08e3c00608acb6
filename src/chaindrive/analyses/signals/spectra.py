"""Spectra of uniformly sampled channels and their peaks.

There are three scalings, which do not depend on the window: with "amplitude", a sine of amplitude A gives a peak of
height A; with "rms", it gives A / sqrt(2); "density" is the power spectral density, whose integral over frequency is
the mean square. The first two are for lines, the third is for noise (Heinzel, Ruediger & Schilling 2002, "Spectrum and
spectral density estimation by the DFT").
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.analyses.signals.selection import Axis, signal_of, steady_window
from chaindrive.errors import InputError, Problem
from chaindrive.results.solution import Solution

__all__ = [
    "ChannelSpectrum",
    "Peak",
    "Spectrum",
    "WindowProperties",
    "amplitude_spectrum",
    "peaks",
    "power_density",
    "rms_spectrum",
    "sampling_step",
    "spectrum_of",
    "window_function",
    "window_properties",
]

Window = Literal["hann", "hamming", "blackman", "flat-top", "rectangular"]
Trend = Literal["mean", "linear", "none"]
Scaling = Literal["amplitude", "rms", "density"]
SEGMENTS = 8
"""Number of overlapping segments that are averaged in a power spectral density."""
LEAST_SAMPLES = 8

# Coefficients of the cosine-sum windows (Harris 1978; flat-top: ISO 18431-2).
_COSINES: dict[str, tuple[float, ...]] = {
    "rectangular": (1.0,),
    "hann": (0.5, 0.5),
    "hamming": (0.54, 0.46),
    "blackman": (0.42, 0.5, 0.08),
    "flat-top": (1.0, 1.933, 1.286, 0.388, 0.0322),
}


class Spectrum(NamedTuple):
    """One-sided amplitude spectrum."""

    frequency: NDArray[np.float64]
    """Frequencies, shape (bins,), from 0 to half the sampling rate. [Hz]"""
    amplitude: NDArray[np.float64]
    """Amplitudes in the unit of the signal, shape (bins,)."""
    resolution: float
    """Resolution, 1 / duration of the signal [Hz]; a Hann window widens a line to twice this value."""
    window: Window | None = None
    """Window that determines the shape of lines; None if lines have no such shape, as in a power spectral density."""


class WindowProperties(NamedTuple):
    """Effect of a window on lines and noise (Harris 1978)."""

    coherent_gain: float
    """Mean of the window divided by its highest value: the factor by which the height of a line is multiplied. [1]"""
    noise_bandwidth: float
    """Equivalent noise bandwidth in bins: 1 for the rectangular window, 1.5 for Hann's. [1]"""


class ChannelSpectrum(NamedTuple):
    """Spectrum of one signal of a result, with the data of its caption."""

    channel: str
    item: int
    label: str
    """Description for a title: "wheel speed of crankshaft"."""
    unit: str
    """Unit of ``amplitude``: unit of the channel, or its square per Hz for a density."""
    frequency: NDArray[np.float64]
    """Frequencies, shape (bins,), from 0 to half the sampling rate. [Hz]"""
    amplitude: NDArray[np.float64]
    """Shape (bins,): amplitude, root mean square, or power spectral density, according to ``scaling``."""
    scaling: Scaling
    window: Window
    start: float
    """First instant used. [s]"""
    stop: float
    """Last instant used. [s]"""
    resolution: float
    """Resolution, 1 / transformed duration [Hz]; a Hann window widens a line to twice this value."""
    coherent_gain: float
    noise_bandwidth: float
    """Equivalent noise bandwidth of one bin. [Hz]"""
    mean: float
    """Mean of the signal in the window, which was removed before the transform, in the unit of the channel."""

    @property
    def spectrum(self) -> Spectrum:
        """Return only frequencies and amplitudes, as required by :func:`peaks`."""
        window = None if self.scaling == "density" else self.window
        return Spectrum(self.frequency, self.amplitude, self.resolution, window)


class Peak(NamedTuple):
    """One line of a spectrum, interpolated between the bins."""

    frequency: float
    """Frequency. [Hz]"""
    amplitude: float
    """Amplitude in the unit of the signal."""


def window_function(name: Window, samples: int) -> NDArray[np.float64]:
    """Return a periodic cosine-sum window, shape (samples,). Raises InputError for an unknown name."""
    if name not in _COSINES:
        raise InputError(Problem("window", f"must be one of {', '.join(_COSINES)}", repr(name)))
    phase = 2.0 * np.pi * np.arange(samples) / samples
    terms = ((-1) ** k * a * np.cos(k * phase) for k, a in enumerate(_COSINES[name]))
    return np.asarray(sum(terms), dtype=np.float64)


def window_properties(name: Window, samples: int = 4096) -> WindowProperties:
    """Return coherent gain and equivalent noise bandwidth of a window: sum(w) / (n max(w)) and n sum(w^2) /
    sum(w)^2.
    """
    weights = window_function(name, samples)
    gain = float(weights.mean() / weights.max())
    return WindowProperties(gain, float(samples * (weights @ weights) / weights.sum() ** 2))


def amplitude_spectrum(
    values: ArrayLike, step: float, window: Window = "hann", trend: Trend = "mean", padding: int = 1
) -> Spectrum:
    """Return the amplitude spectrum of a signal sampled every ``step`` seconds, values of shape (samples,).

    It is 2 |FFT(w x)| / sum(w), without the factor 2 at frequency zero and at half the sampling rate. ``trend`` is
    removed first: the mean, the least-squares straight line, or nothing. ``padding`` appends zeros up to this multiple
    of the length, which gives the same spectrum on a finer grid but no better resolution.

    Raises InputError for fewer than 8 samples, a step that is not positive, or values that are not finite.
    """
    signal = _checked(values, step, padding)
    count = signal.size
    signal = _detrended(signal, trend)
    weights = window_function(window, count)
    length = count * padding
    amplitude = 2.0 * np.abs(np.fft.rfft(signal * weights, length)) / weights.sum()
    amplitude[0] /= 2.0
    if length % 2 == 0:
        amplitude[-1] /= 2.0
    frequency = np.asarray(np.fft.rfftfreq(length, step), dtype=np.float64)
    return Spectrum(frequency, amplitude, 1.0 / (count * step), window)


def rms_spectrum(
    values: ArrayLike, step: float, window: Window = "hann", trend: Trend = "mean", padding: int = 1
) -> Spectrum:
    """Return a spectrum like that of :func:`amplitude_spectrum`, but a sine of amplitude A gives a peak of A / sqrt(2).

    The height of the mean, and of a line at half the sampling rate, is its root mean square. The squares of all bins,
    divided by the equivalent noise bandwidth in bins and by ``padding``, add up to the mean square of the signal
    weighted with the window.
    """
    found = amplitude_spectrum(values, step, window, trend, padding)
    height = found.amplitude / np.sqrt(2.0)
    height[0] = found.amplitude[0]
    if (np.size(values) * padding) % 2 == 0:
        height[-1] = found.amplitude[-1]
    return found._replace(amplitude=height)


def power_density(
    values: ArrayLike, step: float, window: Window = "hann", trend: Trend = "mean", segments: int = SEGMENTS
) -> Spectrum:
    """Return the one-sided power spectral density of a signal sampled every ``step`` seconds [unit^2/Hz], by Welch's
    method (1967).

    The signal is divided into ``segments`` segments that overlap by half. The trend of each is removed, the window is
    applied, and the periodograms are averaged. More segments reduce the scatter (about 1/sqrt(segments)) and the
    resolution. There are fewer segments if each would have fewer than 16 samples. The sum of density times frequency
    step is the mean square of the signal without its trend, exactly for one segment and a rectangular window.

    Raises InputError as :func:`amplitude_spectrum` does, and for fewer than one segment.
    """
    from scipy.signal import welch

    signal = _checked(values, step, segments, "segments")
    used = max(1, min(segments, 2 * signal.size // 16 - 1))
    length = int(2 * signal.size // (used + 1))
    weights = window_function(window, length)

    def without_trend(parts: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.apply_along_axis(_detrended, -1, parts, trend)

    frequency, density = welch(
        signal, 1.0 / step, weights, length, length // 2 if used > 1 else 0, detrend=without_trend
    )
    return Spectrum(np.asarray(frequency), np.asarray(density), 1.0 / (length * step))


def _checked(values: ArrayLike, step: float, count: int, name: str = "padding") -> NDArray[np.float64]:
    """Return the signal as an array. Raises InputError with all reasons why it cannot have a spectrum."""
    signal = np.asarray(values, dtype=np.float64)
    problems = []
    if signal.ndim != 1:
        problems.append(Problem("values", "must be a one-dimensional array", f"shape {signal.shape}"))
    elif signal.size < LEAST_SAMPLES:
        message = f"a spectrum needs at least {LEAST_SAMPLES} instants in its window"
        problems.append(Problem("values", message, f"{signal.size}"))
    if not step > 0.0:
        problems.append(Problem("step", "must be a positive time", f"{step!r}"))
    if not np.all(np.isfinite(signal)):
        problems.append(Problem("values", "must all be finite", f"{int(np.sum(~np.isfinite(signal)))} are not"))
    if count < 1:
        problems.append(Problem(name, "must be a whole number of at least 1", f"{count!r}"))
    if problems:
        raise InputError(problems)
    return signal


def _detrended(signal: NDArray[np.float64], trend: Trend) -> NDArray[np.float64]:
    if trend == "mean":
        return signal - signal.mean()
    if trend == "linear":
        along = np.arange(signal.size) - (signal.size - 1) / 2.0
        return np.asarray(signal - signal.mean() - along * (along @ signal) / (along @ along))
    return signal


def sampling_step(times: ArrayLike) -> float:
    """Return the constant step of increasing instants [s].

    Raises InputError if there are fewer than two instants, or if a step differs from the mean step by more than a
    thousandth.
    """
    instants = np.asarray(times, dtype=np.float64)
    if instants.size < 2:
        raise InputError(Problem("time", "at least two saved instants are needed", f"{instants.size}"))
    step = float(instants[-1] - instants[0]) / (instants.size - 1)
    if not step > 0.0 or np.max(np.abs(np.diff(instants) - step)) > 1e-3 * step:
        steps = np.diff(instants)
        message = "must increase in equal steps for a spectrum, but the steps differ"
        raise InputError(Problem("time", message, f"steps of {steps.min():.6g} to {steps.max():.6g} s"))
    return step


def spectrum_of(
    solution: Solution,
    channel: str,
    index: int | str | None = None,
    start: float | None = None,
    stop: float | None = None,
    window: Window = "hann",
    scaling: Scaling = "amplitude",
    axis: Axis = "magnitude",
    padding: int = 1,
) -> ChannelSpectrum:
    """Return the spectrum of one signal of a result. channel: name of any channel; index: number or name of its item
    (wheel, span, link ...), by default the first; axis: "magnitude", "x" or "y" for a vector channel. start, stop [s]:
    by default the last whole revolutions of the driver in the steady part
    (:func:`chaindrive.analyses.signals.selection.steady_window`). A straight line is subtracted first.

    Results are sampled at the save rate: oscillations faster than half the save rate appear at lower frequencies,
    unless the run stored means (``run.save.reduce = "mean"``). Raises InputError for names that do not exist, for a
    window of fewer than 8 samples, and for samples that are not evenly spaced.
    """
    if scaling not in ("amplitude", "rms", "density"):
        raise InputError(Problem("scaling", "must be one of amplitude, rms, density", repr(scaling)))
    signal = signal_of(solution, channel, index, axis=axis).between(*steady_window(solution, start, stop)).checked()
    signal = signal.evenly_sampled()
    step = sampling_step(signal.time)
    unit = signal.unit
    if scaling == "density":
        found = power_density(signal.values, step, window, "linear")
        unit = f"({unit})^2/Hz" if any(mark in unit for mark in " /*") else f"{unit}^2/Hz"
    elif scaling == "rms":
        found = rms_spectrum(signal.values, step, window, "linear", padding)
    else:
        found = amplitude_spectrum(signal.values, step, window, "linear", padding)
    properties = window_properties(window)
    return ChannelSpectrum(
        channel=channel,
        item=signal.item,
        label=signal.label,
        unit=unit,
        frequency=found.frequency,
        amplitude=found.amplitude,
        scaling=scaling,
        window=window,
        start=float(signal.time[0]),
        stop=float(signal.time[-1]),
        resolution=found.resolution,
        coherent_gain=properties.coherent_gain,
        noise_bandwidth=properties.noise_bandwidth * found.resolution,
        mean=float(signal.values.mean()),
    )


def peaks(
    spectrum: Spectrum,
    count: int | None = 5,
    least: float = 0.03,
    low: float = 0.0,
    high: float = np.inf,
    separation: float | None = None,
) -> list[Peak]:
    """Return the local maxima of a spectrum, highest first.

    Between bins, the frequency and height of a line follow from the shape that the window gives to a line. For a wider
    peak, such as a resonance, they follow from a parabola through the logarithms of a bin and its two neighbours.
    ``least`` is the lowest height considered, as a fraction of the highest peak (0.027 for the first side lobe of a
    Hann window); low and high [Hz] bound the search. Of two peaks closer than ``separation`` [Hz], by default twice the
    resolution (half the width of the main lobe of a Hann window), only the higher is kept.
    """
    frequency, amplitude = spectrum.frequency, spectrum.amplitude
    middle = np.arange(1, amplitude.size - 1)
    is_peak = (amplitude[middle] > amplitude[middle - 1]) & (amplitude[middle] >= amplitude[middle + 1])
    is_peak &= (frequency[middle] >= low) & (frequency[middle] <= high)
    found = middle[is_peak]
    found = found[np.argsort(-amplitude[found], kind="stable")]
    apart = 2.0 * spectrum.resolution if separation is None else separation
    kept: list[int] = []
    for i in found:
        if count is not None and len(kept) == count:
            break
        if kept and amplitude[i] < least * amplitude[kept[0]]:
            break
        if all(abs(frequency[i] - frequency[other]) >= apart for other in kept):
            kept.append(int(i))
    return sorted((_interpolated(spectrum, i) for i in kept), key=lambda peak: -peak.amplitude)


NO_LINE = 0.1
"""If a neighbouring bin exceeds the shape of a line by more than this, relative to the peak, the peak is wider than a
line. [-]"""


def _interpolated(spectrum: Spectrum, i: int) -> Peak:
    """Return the peak around the bins i - 1, i, i + 1."""
    spacing = float(spectrum.frequency[1] - spectrum.frequency[0])
    apart = max(1, round(spectrum.resolution / spacing))  # neighbours in a padded spectrum lie too close to tell
    line = None
    if spectrum.window and apart <= i < spectrum.amplitude.size - apart:
        around = spectrum.amplitude[i - apart : i + apart + 1 : apart]
        line = _line(around, apart * spacing / spectrum.resolution, spectrum.window)
    if line:
        return Peak(float(spectrum.frequency[i]) + line[0] * spectrum.resolution, line[1])
    shift, height = _vertex(spectrum.amplitude[i - 1 : i + 2])
    return Peak(float(spectrum.frequency[i]) + shift * spacing, height)


def _line(around: NDArray[np.float64], spacing: float, window: Window) -> tuple[float, float] | None:
    """Return position and height of a line from three bins of its spectrum.

    The ratio of the two highest values gives the position; the response of the window at this position, relative to its
    maximum, gives the height. The spacing of the bins (about 1) and the position relative to the middle bin are in
    units of the resolution. None if the third value does not agree with such a line.
    """
    side = 1.0 if around[2] >= around[0] else -1.0
    centre, near, far = (float(value) for value in (around[1], max(around[0], around[2]), min(around[0], around[2])))
    low, high = 0.0, 0.5 * spacing
    for _ in range(50):
        middle = 0.5 * (low + high)
        if centre * _response(window, spacing - middle) > near * _response(window, middle):
            high = middle
        else:
            low = middle
    if far / centre > _response(window, spacing + low) / _response(window, low) + NO_LINE:
        return None
    return side * low, centre * _response(window, 0.0) / _response(window, low)


def _response(window: Window, offset: float) -> float:
    """Return the magnitude of the transform of a cosine-sum window at a distance from a line, in units of the
    resolution (Harris 1978).
    """
    terms = np.asarray(_COSINES[window])
    k = np.arange(terms.size)
    return abs(0.5 * float(terms @ (np.sinc(offset - k) + np.sinc(offset + k))))


def _vertex(around: NDArray[np.float64]) -> tuple[float, float]:
    """Return the vertex of the parabola through the logarithms of three bins: position relative to the middle bin in
    bins, and height.

    A neighbour below a hundredth of the peak lies at a zero between two lobes, and is raised to a hundredth of the
    peak.
    """
    left, centre, right = np.log(np.maximum(around, 0.01 * around[1]))
    shift = 0.5 * (left - right) / (left - 2.0 * centre + right)
    return float(shift), float(np.exp(centre - 0.25 * (left - right) * shift))
