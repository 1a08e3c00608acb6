"""Amplitude spectra of uniformly sampled channels and their peaks.

Scaling: a sine of amplitude A gives a peak of height A, whatever the window; the unit stays that of the channel.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.analyses.statistics import time_slice
from chaindrive.errors import InputError, Problem

__all__ = ["Peak", "Spectrum", "amplitude_spectrum", "channel_spectrum", "peaks", "sampling_step", "window_function"]

Window = Literal["hann", "hamming", "blackman", "flat-top", "rectangular"]
Trend = Literal["mean", "linear", "none"]

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
    """[Hz], shape (bins,), from 0 to half the sampling rate."""
    amplitude: NDArray[np.float64]
    """In the unit of the signal, shape (bins,)."""
    resolution: float
    """One over the duration of the signal [Hz]; a Hann window widens a line to two of these."""


class Peak(NamedTuple):
    """One line of a spectrum, interpolated between the bins."""

    frequency: float
    """[Hz]"""
    amplitude: float
    """In the unit of the signal."""


def window_function(name: Window, samples: int) -> NDArray[np.float64]:
    """Periodic cosine-sum window, shape (samples,). Raises InputError for an unknown name."""
    if name not in _COSINES:
        raise InputError(Problem("window", f"must be one of {', '.join(_COSINES)}", repr(name)))
    phase = 2.0 * np.pi * np.arange(samples) / samples
    terms = ((-1) ** k * a * np.cos(k * phase) for k, a in enumerate(_COSINES[name]))
    return np.asarray(sum(terms), dtype=np.float64)


def amplitude_spectrum(
    values: ArrayLike, step: float, window: Window = "hann", trend: Trend = "mean", padding: int = 1
) -> Spectrum:
    """Amplitude spectrum of a signal sampled every ``step`` seconds, values of shape (samples,).

    2 |FFT(w x)| / sum(w), and without the 2 at frequency zero and at half the sampling rate. ``trend`` is what is
    removed first: the mean, the straight line of least squares, or nothing. ``padding`` appends zeros to that multiple
    of the length, which draws the same spectrum on a finer grid and adds no resolution.

    Raises InputError for fewer than 8 samples, a step that is not positive, or values that are not finite.
    """
    signal = np.asarray(values, dtype=np.float64)
    problems = []
    if signal.ndim != 1 or signal.size < 8:
        problems.append(Problem("values", "a spectrum needs one row of at least 8 samples", f"shape {signal.shape}"))
    if not step > 0.0:
        problems.append(Problem("step", "must be a positive time", f"{step!r}"))
    if not np.all(np.isfinite(signal)):
        problems.append(Problem("values", "must all be finite", f"{int(np.sum(~np.isfinite(signal)))} are not"))
    if padding < 1:
        problems.append(Problem("padding", "must be a whole number of at least 1", f"{padding!r}"))
    if problems:
        raise InputError(problems)

    count = signal.size
    if trend == "mean":
        signal = signal - signal.mean()
    elif trend == "linear":
        along = np.arange(count) - (count - 1) / 2.0
        signal = signal - signal.mean() - along * (along @ signal) / (along @ along)
    weights = window_function(window, count)
    length = count * padding
    amplitude = 2.0 * np.abs(np.fft.rfft(signal * weights, length)) / weights.sum()
    amplitude[0] /= 2.0
    if length % 2 == 0:
        amplitude[-1] /= 2.0
    frequency = np.asarray(np.fft.rfftfreq(length, step), dtype=np.float64)
    return Spectrum(frequency, amplitude, 1.0 / (count * step))


def sampling_step(times: ArrayLike) -> float:
    """The constant step of increasing instants [s].

    Raises InputError when there are fewer than two or when a step differs from their mean by more than a thousandth.
    """
    instants = np.asarray(times, dtype=np.float64)
    if instants.size < 2:
        raise InputError(Problem("time", "at least two saved instants are needed", f"{instants.size}"))
    step = float(instants[-1] - instants[0]) / (instants.size - 1)
    if not step > 0.0 or np.max(np.abs(np.diff(instants) - step)) > 1e-3 * step:
        raise InputError(Problem("time", "must increase in equal steps for a spectrum"))
    return step


def channel_spectrum(
    channel: Any,
    start: float | None = None,
    stop: float | None = None,
    window: Window = "hann",
    trend: Trend = "mean",
    padding: int = 1,
) -> Spectrum:
    """Amplitude spectrum of a channel with one number per instant (an xarray.DataArray over time).

    start and stop [s] bound the part that is used. Raises InputError as :func:`amplitude_spectrum` and
    :func:`sampling_step` do.
    """
    part = time_slice(channel, start, stop)
    return amplitude_spectrum(part.values, sampling_step(part["time"].values), window, trend, padding)


def peaks(
    spectrum: Spectrum,
    count: int | None = 5,
    least: float = 0.03,
    low: float = 0.0,
    high: float = np.inf,
    separation: float | None = None,
) -> list[Peak]:
    """Local maxima of a spectrum, highest first.

    A parabola through the logarithms of a bin and its two neighbours gives frequency and height between bins. ``least``
    is the lowest height looked at, as a part of the highest peak (the first side lobe of a Hann window has 0.027); low
    and high [Hz] bound the search; of two peaks closer than ``separation`` [Hz], by default twice the resolution (the
    half width of the main lobe of a Hann window), the higher one stays.
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


def _interpolated(spectrum: Spectrum, i: int) -> Peak:
    """Vertex of the parabola through the logarithms of bins i - 1, i, i + 1.

    A neighbour below a hundredth of the peak lies at a zero between two lobes, not on the lobe: it counts as that.
    """
    around = spectrum.amplitude[i - 1 : i + 2]
    left, centre, right = np.log(np.maximum(around, 0.01 * around[1]))
    curvature = left - 2.0 * centre + right
    shift = 0.5 * (left - right) / curvature
    height = centre - 0.25 * (left - right) * shift
    bin_width = float(spectrum.frequency[1] - spectrum.frequency[0])
    return Peak(float(spectrum.frequency[i] + shift * bin_width), float(np.exp(height)))
