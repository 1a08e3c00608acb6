"""Campbell diagram of a study: the contribution of each run, the map versus speed, its lines, and their crossings.

Each run of a study is read once, when it ends: a :class:`Column` keeps its spectrum, its speed and the frequencies
expected in the spectrum. Columns of runs at different speeds form a map (Campbell 1924, "The protection of
steam-turbine disk wheels from axial vibration", Trans. ASME 46).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.resonance import excitations, natural_frequencies
from chaindrive.analyses.signals.frequencies import Kind
from chaindrive.analyses.signals.selection import Axis, signal_of, span_of, steady_window, wheel_index, window_means
from chaindrive.analyses.signals.spectra import LEAST_SAMPLES, Window, amplitude_spectrum, sampling_step
from chaindrive.analyses.signals.waterfall import CampbellLine, Waterfall, campbell_lines
from chaindrive.analyses.signals.windows import mean_tooth_frequency
from chaindrive.errors import InputError, Problem
from chaindrive.results.solution import Solution

__all__ = ["NEEDED", "Column", "Crossing", "Expected", "Wish", "column_of", "crossings", "map_lines", "map_of"]

FloatArray = NDArray[np.float64]

NEEDED = ("wheel_speed", "wheel_angle", "span_tension")
"""Channels that are needed in addition to the channel of the signal, if the formulation has them."""
STRINGS = 3
"""Modes drawn in the spectrum of a span; in other spectra, only the first mode of every span is drawn."""
LEAST_CHANGE = 0.01
"""Fraction of the highest speed by which runs must differ for a map versus speed."""
FEW = 1e-9
"""Relative difference up to which two values count as equal."""


class Wish(NamedTuple):
    """A requested spectrum of a run."""

    channel: str
    item: int | None
    """Item of the channel; None for a channel with a single signal."""
    axis: Axis
    window: Window
    start: float | str | None
    """Start of the window [s]; "steady": the time at which the run became steady; None: the last whole revolutions of
    the driver."""
    stop: float | None
    """End of the window. [s]"""
    resolution: float | None
    """Resolution; it determines the length of the part at the end of the window that is used. [Hz]"""
    highest: float
    """Highest frequency that is kept. [Hz]"""


class Expected(NamedTuple):
    """A named frequency expected at the speed of a run."""

    label: str
    kind: Kind
    frequency: float
    """Frequency. [Hz]"""


class Column(NamedTuple):
    """The contribution of one run to a map."""

    channel: str
    item: int
    label: str
    """Description of the signal, for a title."""
    unit: str
    window: str
    start: float
    """First instant of the window. [s]"""
    stop: float
    """Last instant of the window. [s]"""
    resolution: float
    """Frequency resolution: 1 / length of the window. [Hz]"""
    rate: float
    """Save rate of the run. [Hz]"""
    wheel: int
    """Index of the driver, the wheel whose speed is given."""
    wheel_name: str
    speed: float
    """Magnitude of the mean speed of the driver in the window. [rad/s]"""
    frequency: FloatArray
    """Frequencies, shape (bins,). [Hz]"""
    amplitude: FloatArray
    """Amplitudes in the unit of the channel, shape (bins,)."""
    lines: tuple[Expected, ...]
    """Lines drawn in the map."""
    excitations: tuple[Expected, ...]
    """Excitations."""
    natural: tuple[Expected, ...]
    """Natural frequencies."""


class Crossing(NamedTuple):
    """A speed at which an excitation meets a natural frequency, between two runs of a map."""

    excitation: str
    mode: str
    speed: float
    """Speed of the driver. [rad/s]"""
    frequency: float
    """Frequency at which they meet. [Hz]"""
    distance: float
    """Relative distance of this speed from the operating speed; negative if it is lower; nan without an operating
    speed. [-]"""
    before: int
    """Column of the run with the nearest speed at or below this speed."""


def column_of(solution: Solution, wish: Wish) -> Column:
    """Return the contribution of a run to a map.

    Raises InputError if the run does not contain the values, if the window has fewer than 8 samples, or if the speed of
    the driver is not known.
    """
    since = solution.notes.get("steady_since")
    if wish.start == "steady" and since is None:
        raise InputError(Problem("time", "the run did not become steady within the time allowed"))
    begin = wish.start if isinstance(wish.start, float | int) else since if wish.start == "steady" else None
    window = steady_window(solution, begin, wish.stop)
    signal = signal_of(solution, wish.channel, wish.item, axis=wish.axis).between(*window).checked().evenly_sampled()
    step = sampling_step(signal.time)
    if wish.resolution is not None:
        count = max(round(1.0 / (wish.resolution * step)), LEAST_SAMPLES)
        if count > signal.time.size:
            message = f"needs a window of {count * step:.4g} s, but this one has {signal.time.size * step:.4g} s"
            raise InputError(Problem("resolution", message, f"{wish.resolution:g} Hz"))
        signal = signal._replace(time=signal.time[-count:], values=signal.values[-count:])
    found = amplitude_spectrum(signal.values, step, wish.window, "linear")
    kept = found.frequency <= wish.highest * (1.0 + FEW)
    start, stop = float(signal.time[0]), float(signal.time[-1])
    drive, chosen = solution.drive, wheel_index(solution.drive, None)
    speeds = solution.values("wheel_speed", item=chosen)
    speed = abs(float(window_means(solution.time, speeds, np.array([start]), np.array([stop]))[0]))
    shaking, natural = _met(solution, start, stop)
    return Column(
        channel=wish.channel,
        item=signal.item,
        label=signal.label,
        unit=signal.unit,
        window=wish.window,
        start=start,
        stop=stop,
        resolution=found.resolution,
        rate=1.0 / step,
        wheel=chosen,
        wheel_name=drive.wheels[chosen].name,
        speed=speed,
        frequency=found.frequency[kept],
        amplitude=found.amplitude[kept],
        lines=_lines(solution, signal.channel, signal.item, start, stop, shaking),
        excitations=shaking,
        natural=natural,
    )


def _met(solution: Solution, start: float, stop: float) -> tuple[tuple[Expected, ...], tuple[Expected, ...]]:
    """Return the excitations of the drive, empty if the chain does not run, and its natural frequencies, empty without
    span_tension.
    """
    drive = solution.drive
    tooth = abs(mean_tooth_frequency(solution, start, stop)) if drive.wheels else 0.0
    shaking = excitations(drive, tooth) if tooth > 0.0 else ()
    natural = natural_frequencies(solution, start, stop) if "span_tension" in solution else ()
    return (
        tuple(Expected(e.label, "tooth" if k == 0 else "order", e.frequency) for k, e in enumerate(shaking)),
        tuple(Expected(n.mode, "system" if n.span < 0 else "string", n.frequency) for n in natural),
    )


def _lines(
    solution: Solution, channel: str, item: int, start: float, stop: float, shaking: Iterable[Expected]
) -> tuple[Expected, ...]:
    """Return the lines of a Campbell diagram as in a waterfall, and the orders of wheels other than the driver."""
    span = span_of(solution, channel, item)
    spans, strings = (None, 1) if span is None else ((span,), STRINGS)
    drawn = campbell_lines(solution, [start], [stop], None, spans, strings)
    lines = [Expected(line.label, line.kind, float(line.frequency[0])) for line in drawn]
    there = [line.frequency for line in lines]
    for each in shaking:
        if not any(abs(each.frequency - other) <= 1e-6 * other for other in there):
            lines.append(each)
    return tuple(lines)


def map_of(columns: Sequence[Column], runs: Sequence[int] | None = None) -> Waterfall:
    """Return the map versus speed from the columns of several runs, in the order of their speeds.

    runs: numbers of the runs for ``run`` of the map, by default 0, 1, ... The bins are as wide as the widest bin in any
    column; if a bin covers several bins of a finer column, the highest value is kept. The map ends at the highest
    frequency that all columns contain. Raises InputError for no columns, for columns of different signals, and if all
    runs have the same speed.
    """
    _check(columns)
    speed = np.array([each.speed for each in columns])
    order = np.argsort(speed, kind="stable")
    step = max(each.resolution for each in columns)
    rows = min(int(float(each.frequency[-1]) / step + 0.5 + FEW) for each in columns) + 1
    amplitude = np.zeros((len(columns), rows))
    for c, k in enumerate(order):
        place = np.floor(columns[k].frequency / step + 0.5 + FEW).astype(np.int64)
        inside = place < rows
        np.maximum.at(amplitude[c], place[inside], columns[k].amplitude[inside])
    first = columns[0]
    numbers = np.arange(len(columns)) if runs is None else np.asarray(runs, dtype=np.int64)
    return Waterfall(
        channel=first.channel,
        item=first.item,
        label=first.label,
        unit=first.unit,
        start=np.array([columns[k].start for k in order]),
        stop=np.array([columns[k].stop for k in order]),
        speed=speed[order],
        wheel=first.wheel,
        wheel_name=first.wheel_name,
        frequency=np.arange(rows, dtype=np.float64) * step,
        amplitude=amplitude,
        window=first.window,
        resolution=step,
        run=numbers[order],
        of_runs=True,
    )


def _check(columns: Sequence[Column]) -> None:
    if not columns:
        raise InputError(Problem("spectra", "no run has a spectrum"))
    if len({(each.channel, each.label, each.wheel_name) for each in columns}) > 1:
        raise InputError(Problem("spectra", "must all be of the same signal", ", ".join({c.label for c in columns})))
    speeds = [each.speed for each in columns]
    if len(columns) < 2 or max(speeds) - min(speeds) < LEAST_CHANGE * max(speeds):
        shown = f"{len(columns)} runs at {min(speeds) * 30.0 / math.pi:.4g} to {max(speeds) * 30.0 / math.pi:.4g} rpm"
        raise InputError(Problem("spectra", "a speed map needs runs at different speeds", shown))


def map_lines(columns: Sequence[Column]) -> list[CampbellLine]:
    """Return the lines of the map, in the order of :func:`map_of`; nan in runs that do not have the line."""
    ordered = _by_speed(columns)
    kinds: dict[str, Kind] = {}
    values: dict[str, FloatArray] = {}
    for c, column in enumerate(ordered):
        for line in column.lines:
            kinds.setdefault(line.label, line.kind)
            values.setdefault(line.label, np.full(len(ordered), np.nan))[c] = line.frequency
    return [CampbellLine(label, kinds[label], frequencies) for label, frequencies in values.items()]


def _by_speed(columns: Sequence[Column]) -> list[Column]:
    return sorted(columns, key=lambda column: column.speed)


def crossings(columns: Sequence[Column], operating: float | None = None) -> list[Crossing]:
    """Return the speeds within the map at which an excitation meets a natural frequency, nearest to the operating speed
    first.

    Excitations and natural frequencies are the same as for a single run
    (:func:`chaindrive.analyses.results.resonance.resonances`), with the tensions of each run, and interpolated linearly
    between neighbouring runs. operating: operating speed of the driver [rad/s]; without it, the crossings are in the
    order of their speeds.
    """
    ordered = _by_speed(columns)
    speed = np.array([each.speed for each in ordered])
    found = []
    for by, excited in _courses([each.excitations for each in ordered]).items():
        for mode, free in _courses([each.natural for each in ordered]).items():
            for k, share in _zero_crossings(excited - free):
                at = float(speed[k] + share * (speed[k + 1] - speed[k]))
                frequency = float(excited[k] + share * (excited[k + 1] - excited[k]))
                distance = at / operating - 1.0 if operating else math.nan
                found.append(Crossing(by, mode, at, frequency, distance, k))
    return sorted(found, key=lambda each: abs(each.distance) if operating else each.speed)


def _courses(expected: Sequence[Sequence[Expected]]) -> dict[str, FloatArray]:
    """Return the frequencies in all columns by name, (C,), nan if missing."""
    found: dict[str, FloatArray] = {}
    for c, each in enumerate(expected):
        for one in each:
            found.setdefault(one.label, np.full(len(expected), np.nan))[c] = one.frequency
    return found


def _zero_crossings(difference: FloatArray) -> Iterable[tuple[int, float]]:
    """Yield the zero crossings of a curve over the columns: the column before each crossing, and the fraction of the
    way to the next column.
    """
    for k in range(difference.size - 1):
        here, there = float(difference[k]), float(difference[k + 1])
        last = k == difference.size - 2
        if here == 0.0 and there != 0.0:
            yield k, 0.0
        elif here * there < 0.0:
            yield k, here / (here - there)
        elif last and there == 0.0 and here != 0.0:
            yield k, 1.0
