"""Quantities from the solution of a case: spectra of spans, moving strings, contacts of rollers with wheels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.analytical.formulas import chain_speed, moving_string_frequency
from chaindrive.analyses.results.statistics import contact_windows
from chaindrive.analyses.signals.spectra import Peak, Spectrum, amplitude_spectrum, peaks
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive
from chaindrive.results import Solution

SEGMENT_1, SEGMENT_4 = 0, 3
"""The spans examined in the thesis: from sprocket 1 to 2, and from sprocket 4 to 1."""
BLOCK = 10.0
"""Length of the sections whose spectra are averaged, which is the length of the runs in the thesis. [s]"""
FRACTIONS = np.linspace(0.0, 1.0, 101)


def mean_speed(drive: Drive) -> float:
    """Mean speed of the chain. [m/s]"""
    first = drive.wheels[0]
    return float(chain_speed(first.motion.speed, first.teeth, drive.chain.pitch))


def string_frequencies(drive: Drive, span: int, tension: float) -> NDArray[np.float64]:
    """Natural frequencies of the moving string (Eq. 4.27) under the tension of the links, modes 1 to 9 [Hz]."""
    lengths, density = drive_facts(drive).route.span_length, drive.chain.link_mass / drive.chain.pitch
    modes = np.arange(1, 10)
    return moving_string_frequency(modes, lengths[span], max(tension, 0.0), density, mean_speed(drive))


def averaged_spectrum(values: NDArray[np.float64], step: float) -> Spectrum:
    """Root mean square of the amplitude spectra of sections of 10 s that overlap by half (Welch 1967).

    If the amplitude of a span varies slowly, one long spectrum splits its line into many lines; this spectrum is that
    of a run of 10 s without the random scatter. Shorter signals are taken as a whole.
    """
    size = min(round(BLOCK / step), values.size)
    parts = [amplitude_spectrum(values[k : k + size], step) for k in range(0, values.size - size + 1, size // 2)]
    amplitude = np.sqrt(np.mean([part.amplitude**2 for part in parts], axis=0))
    keep = parts[0].frequency <= 400.0
    return Spectrum(parts[0].frequency[keep], amplitude[keep], parts[0].resolution)


def highest(spectrum: Spectrum, low: float, high: float) -> Peak:
    """The highest peak between two frequencies; not-a-number if there is none."""
    found = peaks(spectrum, 1, least=0.0, low=low, high=high)
    return found[0] if found else Peak(np.nan, np.nan)


def side_bands(spectrum: Spectrum, tooth: float) -> tuple[float, float]:
    """Frequencies of the highest peaks 25 to 45 Hz below and above the tooth frequency, found independently [Hz]."""
    below, above = highest(spectrum, tooth - 45.0, tooth - 25.0), highest(spectrum, tooth + 25.0, tooth + 45.0)
    return below.frequency, above.frequency


class Stays(NamedTuple):
    """Passages of many rollers over the wheels, by wheel."""

    duration: dict[int, float]
    """Mean time on the wheel. [s]"""
    lag: dict[int, float]
    """Median time from entering the last wheel to entering this one. [s]"""
    passage: dict[int, NDArray[np.float64]]
    """Contact force during each passage over the wheel, at the FRACTIONS of its duration, (passages, 101). [N]"""


def stays(solution: Solution, drive: Drive, begin: float, every: int = 3) -> Stays:
    """Passages of every third roller after ``begin`` [s]."""
    times, force = solution.time, solution.values("contact_force")
    step = float(times[1] - times[0])
    wheels = range(len(drive.wheels))
    bridge = 0.5 * min(w.teeth for w in drive.wheels) * drive.chain.pitch / mean_speed(drive)
    duration: dict[int, list[float]] = {w: [] for w in wheels}
    passage: dict[int, list[NDArray[np.float64]]] = {w: [] for w in wheels}
    lag: dict[int, list[float]] = {w: [] for w in wheels}
    for roller in range(0, drive.chain.links, every):
        entered = None
        for stay in contact_windows(solution, roller, bridge):
            if stay.start <= begin or stay.stop >= times[-1] - 0.05:
                continue
            duration[stay.wheel].append(stay.stop - stay.start + step)
            entered = stay.start if stay.wheel == len(drive.wheels) - 1 else entered
            if entered is not None:
                lag[stay.wheel].append(stay.start - entered)
            at = stay.start + FRACTIONS * (stay.stop - stay.start)
            passage[stay.wheel].append(np.interp(at, times, force[:, roller]))
    return Stays(
        {w: float(np.mean(x)) for w, x in duration.items()},
        {w: float(np.median(x)) for w, x in lag.items()},
        {w: np.array(x) for w, x in passage.items()},
    )


def joint_moments(solution: Solution, drive: Drive, rows: NDArray[Any]) -> NDArray[np.float64]:
    """Viscous moment in each joint, Cd (w_i - w_(i-1)), where w_i is the angular velocity of link i, (rows, N) [N
    m].
    """
    position, velocity = solution.values("roller_position")[rows], solution.values("roller_velocity")[rows]
    along = np.roll(position, -1, axis=1) - position
    rate = np.roll(velocity, -1, axis=1) - velocity
    angular_velocity = (along[..., 0] * rate[..., 1] - along[..., 1] * rate[..., 0]) / (along**2).sum(axis=2)
    return drive.chain.joint_damping * (angular_velocity - np.roll(angular_velocity, 1, axis=1))
