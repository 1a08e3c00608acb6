"""Waterfall: spectra of successive time windows or of several runs, and the lines of a Campbell diagram to draw over
them.

A run-up is divided into overlapping windows, each with its own spectrum; in a sweep, each run gives one spectrum. Where
an order line (a frequency proportional to speed) crosses a natural frequency, resonance can be expected (Campbell 1924,
"The protection of steam-turbine disk wheels from axial vibration", Trans. ASME 46).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.analyses.analytical.formulas import moving_string_frequency
from chaindrive.analyses.carried import span_mass_per_length
from chaindrive.analyses.signals.frequencies import Kind, drive_in_run, driver_orders, longitudinal_frequencies, times
from chaindrive.analyses.signals.selection import (
    Axis,
    signal_of,
    steady_window,
    wheel_index,
    window_means,
)
from chaindrive.analyses.signals.spectra import LEAST_SAMPLES, Window, amplitude_spectrum, sampling_step
from chaindrive.analyses.signals.windows import chain_frequency, even_rows
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model.arguments import times as times_of
from chaindrive.results.solution import Solution

__all__ = [
    "CampbellLine",
    "Waterfall",
    "amplitude_along",
    "campbell_lines",
    "campbell_lines_of_runs",
    "waterfall",
    "waterfall_of_runs",
]

FloatArray = NDArray[np.float64]

COLUMNS = 60
"""Default number of windows of a waterfall."""
SAMPLES_WANTED = 64
"""Smallest length of an automatically chosen window, if the result is long enough. [samples]"""
FOLDED = 6
"""Number of multiples of the tooth frequency that are drawn if they exceed half the save rate."""
STRINGS = 2
"""Number of modes that are drawn for every span."""


class Waterfall(NamedTuple):
    """Amplitude spectra of one signal, one for each of C time windows or runs."""

    channel: str
    item: int
    label: str
    """Description of the signal, for a title."""
    unit: str
    start: FloatArray
    """First instant of every window, shape (C,). [s]"""
    stop: FloatArray
    """Last instant of every window, shape (C,). [s]"""
    speed: FloatArray
    """Magnitude of the mean speed of the wheel in every window, shape (C,); nan if not kept. [rad/s]"""
    wheel: int
    wheel_name: str
    frequency: FloatArray
    """Frequencies, shape (R,). [Hz]"""
    amplitude: FloatArray
    """Amplitudes in the unit of the channel, shape (C, R)."""
    window: str
    resolution: float
    """Resolution: 1 / length of a window. [Hz]"""
    run: NDArray[np.int64]
    """Run of every column, shape (C,); all 0 for windows of one run."""
    of_runs: bool
    """Whether the columns are runs, in the order of their speed; otherwise they are windows of one run, in the order of
    time."""

    @property
    def time(self) -> FloatArray:
        """Middle of every window, shape (C,). [s]"""
        return 0.5 * (self.start + self.stop)

    @property
    def over_speed(self) -> bool:
        """Whether the spectra are best shown versus the speed of the wheel: for runs, and for a run-up or run-down in
        which the speed changes in one direction only.
        """
        if self.of_runs:
            return True
        change = np.diff(self.speed)
        if not change.size or not np.isfinite(self.speed).all():
            return False
        way = float(self.speed[-1] - self.speed[0])
        largest = float(self.speed.max())
        return bool(abs(way) > 0.1 * largest and np.all(change * math.copysign(1.0, way) > 1e-4 * abs(way)))


class CampbellLine(NamedTuple):
    """A frequency in every column of a waterfall."""

    label: str
    kind: Kind
    frequency: FloatArray
    """Frequency, shape (C,), nan if there is none (a slack span). [Hz]"""


def waterfall(
    solution: Solution,
    channel: str,
    index: int | str | None = None,
    wheel: int | str | None = None,
    start: float | None = None,
    stop: float | None = None,
    columns: int = COLUMNS,
    duration: float | str | None = None,
    window: Window = "hann",
    axis: Axis = "magnitude",
) -> Waterfall:
    """Return the spectra of ``columns`` windows of equal length, evenly spread (and overlapping) from start to stop.

    channel, index, axis: as in :func:`chaindrive.analyses.signals.spectra.spectrum_of`. wheel: wheel whose speed is
    assigned to every window, by default the driver. start, stop [s, or text with a unit]: by default the whole result.
    duration [s, or text with a unit]: length of a window; longer windows separate frequencies, shorter windows follow a
    change of speed. By default an eighth of the time range, or in a run-up the time in which the tooth frequency
    changes by two bins, sqrt(2 / rate), if that is shorter. A straight line is subtracted from every window. Raises
    InputError for names that do not exist, fewer than 1 column, and windows of fewer than 8 samples.
    """
    drive = solution.drive
    chosen = wheel_index(drive, wheel)
    signal = signal_of(solution, channel, index, axis=axis).between(start, stop).checked().evenly_sampled()
    step = sampling_step(signal.time)
    (duration,) = times_of(duration=duration)
    problems = []
    if columns < 1:
        problems.append(Problem("columns", "must be a whole number of at least 1", f"{columns!r}"))
    if duration is not None and not duration >= LEAST_SAMPLES * step * (1.0 - 1e-9):
        message = f"must be at least {LEAST_SAMPLES} save intervals, {LEAST_SAMPLES * step:.4g} s"
        problems.append(Problem("duration", message, f"{duration!r}"))
    if problems:
        raise InputError(problems)
    total = signal.time.size
    if duration is None:
        wanted = _good_duration(solution, signal.time, total * step)
        count = max(round(wanted / step), min(SAMPLES_WANTED, total))
    else:
        count = round(duration / step)
    count = min(count, total)
    firsts = np.unique(np.round(np.linspace(0, total - count, columns)).astype(np.int64))
    spectra = [amplitude_spectrum(signal.values[k : k + count], step, window, "linear") for k in firsts]
    starts, stops = signal.time[firsts], signal.time[firsts + count - 1]
    return Waterfall(
        channel=channel,
        item=signal.item,
        label=signal.label,
        unit=signal.unit,
        start=starts,
        stop=stops,
        speed=_speeds(solution, chosen, starts, stops),
        wheel=chosen,
        wheel_name=drive.wheels[chosen].name,
        frequency=spectra[0].frequency,
        amplitude=np.stack([spectrum.amplitude for spectrum in spectra]),
        window=window,
        resolution=spectra[0].resolution,
        run=np.zeros(starts.size, dtype=np.int64),
        of_runs=False,
    )


def _speeds(solution: Solution, wheel: int, starts: FloatArray, stops: FloatArray) -> FloatArray:
    if "wheel_speed" not in solution:
        return np.full(starts.size, np.nan)
    return np.abs(window_means(solution.time, solution.values("wheel_speed", item=wheel), starts, stops))


def _good_duration(solution: Solution, time: FloatArray, total: float) -> float:
    """Return the length of the windows [s]: an eighth of the time range, or less if the tooth frequency changes
    quickly.
    """
    longest = total / 8.0
    tenth = np.array([time[0], time[-1] - 0.1 * total]), np.array([time[0] + 0.1 * total, time[-1]])
    ends = _tooth_frequencies(solution, *tenth)
    if not np.isfinite(ends).all():
        return longest
    rate = abs(float(ends[1] - ends[0])) / (0.9 * total)
    return max(min(longest, math.sqrt(2.0 / rate)), total / 100.0) if rate > 0.0 else longest


def _tooth_frequencies(solution: Solution, starts: FloatArray, stops: FloatArray) -> FloatArray:
    """Return the tooth frequency in every window, shape (C,) [Hz]; nan if the speeds were not kept."""
    if "wheel_speed" not in solution:
        return np.full(starts.size, np.nan)
    return chain_frequency(solution.drive, window_means(solution.time, solution.values("wheel_speed"), starts, stops))


def waterfall_of_runs(
    solutions: Sequence[Solution],
    channel: str,
    index: int | str | None = None,
    wheel: int | str | None = None,
    start: float | None = None,
    stop: float | None = None,
    window: Window = "hann",
    axis: Axis = "magnitude",
) -> Waterfall:
    """Return the spectra of the same signal in several runs, such as those of a speed sweep, ordered by the speed of a
    wheel.

    For every run the window covers the last whole revolutions of the driver in the steady part, or start to stop [s].
    Each window is shortened at its start to the length of the shortest window, so that all spectra have the same
    resolution. They end at half the lowest save rate. Raises InputError for anything that a run does not have, and if
    there are no runs.
    """
    if not solutions:
        raise InputError(Problem("solutions", "at least one run is needed"))
    chosen = wheel_index(solutions[0].drive, wheel)
    signals = [
        signal_of(one, channel, index, axis=axis).between(*steady_window(one, start, stop)).checked().evenly_sampled()
        for one in solutions
    ]
    steps = [sampling_step(signal.time) for signal in signals]
    # whole steps of the coarsest, so that all are equally long to half a step of their own
    span = max(steps) * math.floor(min(s.time.size * step for s, step in zip(signals, steps, strict=True)) / max(steps))
    counts = [round(span / step) for step in steps]
    starts = np.array([signal.time[-count] for signal, count in zip(signals, counts, strict=True)])
    stops = np.array([signal.time[-1] for signal in signals])
    speeds = np.array(
        [
            float(_speeds(one, wheel_index(one.drive, wheel), a[None], b[None])[0])
            for one, a, b in zip(solutions, starts, stops, strict=True)
        ]
    )
    spectra = [
        amplitude_spectrum(signal.values[-count:], step, window, "linear")
        for signal, count, step in zip(signals, counts, steps, strict=True)
    ]
    coarsest = spectra[int(np.argmax(steps))]
    order = np.argsort(speeds, kind="stable")
    return Waterfall(
        channel=channel,
        item=signals[0].item,
        label=signals[0].label,
        unit=signals[0].unit,
        start=starts[order],
        stop=stops[order],
        speed=speeds[order],
        wheel=chosen,
        wheel_name=solutions[0].drive.wheels[chosen].name,
        frequency=coarsest.frequency,
        amplitude=np.stack([spectra[k].amplitude[: coarsest.frequency.size] for k in order]),
        window=window,
        resolution=coarsest.resolution,
        run=order,
        of_runs=True,
    )


def amplitude_along(found: Waterfall, frequency: ArrayLike) -> FloatArray:
    """Return the amplitude of a waterfall along a line, shape (C,); for an order, this is the order cut. frequency:
    frequency of the line, (C,) [Hz].

    In every column the highest of the nearest bin and its two neighbours is used, among which a line with a Hann window
    has its maximum. The result is nan if the line has no frequency, or if its frequency is beyond the waterfall.
    """
    along = np.asarray(frequency, dtype=np.float64)
    rows = found.frequency.size
    step = float(found.frequency[1] - found.frequency[0]) if rows > 1 else math.inf
    cut = np.full(along.size, np.nan)
    inside = np.flatnonzero(np.isfinite(along) & (along <= found.frequency[-1] + 0.5 * step))
    for c in inside:
        row = min(round(float(along[c]) / step), rows - 1)
        cut[c] = found.amplitude[c, max(row - 1, 0) : row + 2].max()
    return cut


def campbell_lines(
    solution: Solution,
    starts: ArrayLike,
    stops: ArrayLike,
    orders: Sequence[float] | None = None,
    spans: Sequence[int] | None = None,
    strings: int = STRINGS,
    system: Mapping[str, ArrayLike] | None = None,
) -> list[CampbellLine]:
    """Return the lines of a Campbell diagram for time windows, starts to stops (C,) [s], as in a :class:`Waterfall`.

    The lines are: the tooth frequency and its second and third harmonic; those of its first six multiples that lie
    beyond half the save rate, drawn at the alias frequencies at which the spectrum shows them, |f - n fs| (Shannon
    1949); ``orders`` of the driver, by default its revolution and the orders that its motion prescribes; the first
    ``strings`` frequencies of the spans (all by default) as moving strings at the tension and speed of every window
    (Pedersen 2004, Eq. 4.27, eta = 0), nan if slack; and the longitudinal eigenfrequencies of the drive with rigid
    seats, if that model applies. system: different eigenfrequencies by name in place of the longitudinal ones, such as
    those from :func:`chaindrive.analyses.signals.frequencies.frequencies_at_rest`. Lines that need a channel that was
    not kept are omitted, as are the lines of teeth and driver if the chain runs at several speeds over two wheels of
    one shaft.
    """
    drive = solution.drive
    first, last = np.asarray(starts, dtype=np.float64), np.asarray(stops, dtype=np.float64)
    columns = first.size
    lines: list[CampbellLine] = []
    teeth = _tooth_frequencies(solution, first, last)
    if np.isfinite(teeth).any() and drive_facts(drive).one_speed:
        driver = drive.wheels[wheel_index(drive, None)]
        word = drive_facts(drive).passing
        lines += [CampbellLine(f"{times(n)}{word} frequency", "tooth", n * teeth) for n in (1, 2, 3)]
        lines += _folded_lines(solution, teeth)
        for order in driver_orders(drive) if orders is None else orders:
            lines.append(CampbellLine(f"{driver.name}, order {order:g}", "driver", order * teeth / driver.teeth))
    if np.isfinite(teeth).any():
        lines += _string_lines(solution, first, last, teeth, spans, strings)
    for name, frequencies in ({"drive": longitudinal_frequencies(solution)} if system is None else system).items():
        for n, frequency in enumerate(np.atleast_1d(np.asarray(frequencies, dtype=np.float64))):
            lines.append(CampbellLine(f"{name}, mode {n + 1}", "system", np.full(columns, frequency)))
    return lines


def _folded_lines(solution: Solution, teeth: FloatArray) -> list[CampbellLine]:
    """Return the aliases of multiples of the tooth frequency above half the save rate, as they appear in a spectrum."""
    if solution.time.size < 2:
        return []
    rate = 1.0 / sampling_step(solution.time[: even_rows(solution.time)])
    lines = []
    for n in range(1, FOLDED + 1):
        beyond = n * teeth > 0.5 * rate
        if beyond.any():
            folded = np.abs(n * teeth - rate * np.round(n * teeth / rate))
            label = f"{times(n)}{drive_facts(solution.drive).passing} frequency, aliased"
            lines.append(CampbellLine(label, "folded", np.where(beyond, folded, np.nan)))
    return lines


def _string_lines(
    solution: Solution, first: FloatArray, last: FloatArray, teeth: FloatArray, spans: Sequence[int] | None, modes: int
) -> list[CampbellLine]:
    drive = drive_in_run(solution)
    if "span_tension" not in solution:
        return []
    mean = window_means(solution.time, solution.values("span_tension"), first, last)
    lengths = drive_facts(drive).route.string_length
    densities = span_mass_per_length(drive)
    names = drive.span_names
    lines = []
    for k in range(len(names)) if spans is None else spans:
        taut = np.where(mean[:, k] > 0.0, mean[:, k], np.nan)
        for n in range(1, modes + 1):
            found = moving_string_frequency(n, float(lengths[k]), taut, float(densities[k]), teeth * drive.chain.pitch)
            lines.append(CampbellLine(f"string {n}, {names[k]}", "string", np.asarray(found, dtype=np.float64)))
    return lines


def campbell_lines_of_runs(
    solutions: Sequence[Solution],
    found: Waterfall,
    orders: Sequence[float] | None = None,
    spans: Sequence[int] | None = None,
    strings: int = STRINGS,
    system: Mapping[str, ArrayLike] | None = None,
) -> list[CampbellLine]:
    """Return the lines of a Campbell diagram for the waterfall of several runs from :func:`waterfall_of_runs`.

    A line that only some of the runs have is nan in the others.
    """
    kinds: dict[str, Kind] = {}
    values: dict[str, FloatArray] = {}
    for c, k in enumerate(found.run):
        window = found.start[c : c + 1], found.stop[c : c + 1]
        for line in campbell_lines(solutions[k], *window, orders, spans, strings, system):
            kinds.setdefault(line.label, line.kind)
            values.setdefault(line.label, np.full(found.run.size, np.nan))[c] = line.frequency[0]
    return [CampbellLine(label, kinds[label], frequencies) for label, frequencies in values.items()]
