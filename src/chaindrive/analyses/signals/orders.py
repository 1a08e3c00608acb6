"""Order spectra: the spectrum of a signal versus the angle of a wheel, for any variation of its speed.

The signal, saved at equal steps of time, is resampled at equal angles of the wheel and transformed with respect to the
angle (computed order tracking: Fyfe & Munck 1997, "Analysis of computed order tracking", Mech. Syst. Signal Process.
11).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.analyses.signals.selection import (
    Axis,
    run_up_of,
    signal_of,
    steady_window,
    wheel_index,
)
from chaindrive.analyses.signals.spectra import Spectrum, Window, amplitude_spectrum, sampling_step
from chaindrive.errors import InputError, Problem
from chaindrive.results.solution import Solution

__all__ = ["OrderSpectrum", "Resampled", "monotone_window", "order_spectrum", "resampled_over_angle"]

FloatArray = NDArray[np.float64]

FINER = 4
"""Factor by which a linear-phase filter refines the sampling before the cubic spline."""
USABLE = 0.4
"""Fraction of the save rate up to which this refinement is accurate (its filter is flat to 0.42)."""
SLOWEST = 0.05
"""Parts of a run-up that are slower than this fraction of its highest speed are omitted from the default window."""
MOST_SAMPLES = 1 << 23
"""Largest number of resampled values; a larger number is refused, because the wheel then nearly stands still at some
time."""


class Resampled(NamedTuple):
    """A signal resampled at equal increments of the angle of a wheel."""

    turned: FloatArray
    """Revolutions turned since the first sample, in either direction, shape (n,)."""
    values: FloatArray
    """Values, shape (n,)."""
    step: float
    """Revolutions between samples."""
    highest: float
    """Highest order that the save rate allows at the highest speed."""
    revolutions: int
    """Number of whole revolutions covered by the samples."""


class OrderSpectrum(NamedTuple):
    """Amplitude versus orders of a wheel."""

    channel: str
    item: int
    label: str
    """Description of the signal, for a title."""
    unit: str
    wheel: int
    """Wheel to whose revolutions the orders refer."""
    wheel_name: str
    order: FloatArray
    """Cycles per revolution of the wheel, shape (bins,), from 0 to the highest order that the save rate allows."""
    amplitude: FloatArray
    """Amplitude in the unit of the channel, shape (bins,); a sine of amplitude A gives A even while the speed
    changes."""
    window: Window
    start: float
    """Start of the window. [s]"""
    stop: float
    """End of the window. [s]"""
    revolutions: int
    """Number of whole revolutions that were transformed."""
    speed: tuple[float, float]
    """Lowest and highest magnitude of the speed of the wheel in the window. [rad/s]"""

    @property
    def resolution(self) -> float:
        """Return the resolution, 1 / number of revolutions [orders]."""
        return 1.0 / self.revolutions

    @property
    def spectrum(self) -> Spectrum:
        """Return the spectrum with orders as frequencies, as required by
        :func:`chaindrive.analyses.signals.spectra.peaks`.
        """
        return Spectrum(self.order, self.amplitude, self.resolution, self.window)


def resampled_over_angle(time: ArrayLike, values: ArrayLike, angle: ArrayLike, name: str = "the wheel") -> Resampled:
    """Return a signal at equal steps of the angle of a wheel that turns in one direction, over the last whole
    revolutions.

    time [s] at equal steps, values, angle [rad], all of shape (n,). The samples are so dense that their rate exceeds
    the save rate even where the wheel is slowest, so there is no aliasing; orders are usable up to 0.4 times the save
    rate divided by the highest speed. Raises InputError if the wheel stops or reverses (the message says when), makes
    less than one revolution, or varies its speed so much that there would be too many samples.
    """
    from scipy.interpolate import CubicSpline
    from scipy.signal import resample_poly

    t, x = np.asarray(time, dtype=np.float64), np.asarray(values, dtype=np.float64)
    step = sampling_step(t)
    if not np.all(np.isfinite(x)):
        raise InputError(Problem("values", "must all be finite", f"{int(np.sum(~np.isfinite(x)))} are not"))
    turned = _turned(t, np.asarray(angle, dtype=np.float64), name)
    pace = np.diff(turned) / step
    slowest, fastest = float(pace.min()), float(pace.max())
    count = math.ceil(1.0 / (step * slowest) - 1e-6)
    whole = math.floor(float(turned[-1]) + 1.0 / count + 1e-6)  # each sample stands for the step that ends with it
    if whole < 1:
        message = f"orders need at least one revolution of {name}; in this window it makes {turned[-1]:.3g} revolutions"
        raise InputError(Problem("wheel", message))
    if whole * count > MOST_SAMPLES:
        at = float(t[int(pace.argmin())])
        message = (
            f"{name} turns {fastest / slowest:.3g} times slower at {at:.4g} s than at its fastest: choose start and "
            "stop so that its speed varies less"
        )
        raise InputError(Problem("wheel", message))
    instant = CubicSpline(turned, t)
    grid = turned[-1] + (np.arange(1 - whole * count, 1) / count)
    mean = x.mean()
    fine = resample_poly(x - mean, FINER, 1, padtype="line") + mean
    course = CubicSpline(t[0] + step / FINER * np.arange(fine.size), fine)
    resampled = np.asarray(course(np.clip(instant(np.maximum(grid, 0.0)), t[0], t[-1])), dtype=np.float64)
    return Resampled(grid - grid[0], resampled, 1.0 / count, USABLE / (step * fastest), whole)


def _turned(t: FloatArray, angle: FloatArray, name: str) -> FloatArray:
    """Return the revolutions turned since the first instant, which increase. Raises InputError if the wheel stops or
    reverses.
    """
    if not np.all(np.isfinite(angle)):
        at = float(t[np.flatnonzero(~np.isfinite(angle))[0]])
        raise InputError(
            Problem("wheel", f"the angle of {name} is not a finite number at {at:.6g} s: choose an earlier stop")
        )
    moves = np.diff(angle)
    way = float(moves.sum())
    if abs(way) < 0.5 * float(np.abs(moves).sum()):  # there and back: the way it turns first
        way = float(moves[np.flatnonzero(moves)[0]])
    turned = (angle - angle[0]) / (2.0 * math.pi) * (1.0 if way > 0.0 else -1.0)
    wrong = np.flatnonzero(np.diff(turned) <= 0.0)
    if wrong.size:
        at = float(t[wrong[0]])
        first, last = _longest(t, angle)
        hint = f"; it turns in one direction from {first:.6g} to {last:.6g} s" if last > first else ""
        message = f"{name} stops or reverses at {at:.6g} s: choose start and stop where it turns in one direction{hint}"
        raise InputError(Problem("wheel", message))
    return turned


def _longest(t: FloatArray, angle: FloatArray, slowest: float = 0.0) -> tuple[float, float]:
    """Return start and end of the longest interval in which an angle changes in one direction, at more than the
    fraction ``slowest`` of its highest rate.
    """
    pace = np.diff(angle)
    least = slowest * float(np.abs(pace).max(initial=0.0))
    best = (0, 0)
    for way in (1.0, -1.0):
        good = np.concatenate([[False], way * pace > least, [False]])
        edges = np.flatnonzero(np.diff(good.astype(np.int8)))
        for begin, end in zip(edges[::2], edges[1::2], strict=True):
            if end - begin > best[1] - best[0]:
                best = (int(begin), int(end))
    return float(t[best[0]]), float(t[best[1]])


def monotone_window(
    solution: Solution, wheel: int | str | None = None, start: float | None = None, stop: float | None = None
) -> tuple[float, float]:
    """Return the time window for orders of a wheel [s]; given ends are kept.

    By default, for a drive with a run-up or run-down, it is the part in which the wheel turns in one direction and
    faster than a twentieth of its highest speed. For any other drive, it covers the last whole revolutions of the
    driver in the steady part. Needs the channel wheel_angle.
    """
    ramp = run_up_of(solution.drive)
    time, angles = solution.time, solution.values("wheel_angle")
    if start is not None or stop is not None or ramp is None:
        first, last = steady_window(solution, start, stop)
        if start is None:  # one instant more: whole revolutions end between instants
            first = float(time[max(int(np.searchsorted(time, first)) - 1, 0)])
        return first, last
    inside = np.flatnonzero((time >= ramp[0]) & (time <= ramp[1]))
    if inside.size < 2:
        return steady_window(solution, start, stop)
    chosen = wheel_index(solution.drive, wheel)
    return _longest(time[inside], angles[inside, chosen], SLOWEST)


def order_spectrum(
    solution: Solution,
    channel: str,
    index: int | str | None = None,
    wheel: int | str | None = None,
    start: float | None = None,
    stop: float | None = None,
    window: Window = "hann",
    axis: Axis = "magnitude",
    padding: int = 1,
) -> OrderSpectrum:
    """Return the amplitudes of a signal versus the orders of a wheel: a sine with k cycles per revolution is a line at
    order k.

    channel, index, axis: as in :func:`chaindrive.analyses.signals.spectra.spectrum_of`. wheel: number or name, by
    default the driver; it may turn in either direction. start, stop [s]: see :func:`monotone_window`. A linear trend
    versus the angle is subtracted first. Marks: :func:`chaindrive.analyses.signals.frequencies.order_marks`. Raises
    InputError for names that do not exist, and for a wheel that stands still, reverses or makes less than one
    revolution in the window.
    """
    drive = solution.drive
    chosen = wheel_index(drive, wheel)
    name = drive.wheels[chosen].name
    signal = signal_of(solution, channel, index, axis=axis)
    time, angles = solution.time, solution.values("wheel_angle")
    signal = signal.between(*monotone_window(solution, chosen, start, stop)).checked().evenly_sampled()
    rows = np.searchsorted(time, signal.time)
    angle = angles[rows, chosen]
    found = resampled_over_angle(signal.time, signal.values, angle, f"the wheel {name!r}")
    spectrum = amplitude_spectrum(found.values, found.step, window, "linear", padding)
    usable = spectrum.frequency <= found.highest
    pace = np.abs(np.diff(angle)) / np.diff(signal.time)
    return OrderSpectrum(
        channel=channel,
        item=signal.item,
        label=signal.label,
        unit=signal.unit,
        wheel=chosen,
        wheel_name=name,
        order=spectrum.frequency[usable],
        amplitude=spectrum.amplitude[usable],
        window=window,
        start=float(signal.time[0]),
        stop=float(signal.time[-1]),
        revolutions=found.revolutions,
        speed=(float(pace.min()), float(pace.max())),
    )
