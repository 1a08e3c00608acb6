"""Packs spectra, order spectra and waterfalls of a result for the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.signals.frequencies import frequency_marks, order_marks
from chaindrive.analyses.signals.orders import order_spectrum
from chaindrive.analyses.signals.spectra import Spectrum, peaks, spectrum_of
from chaindrive.analyses.signals.transmission import transmission_error, transmission_orders
from chaindrive.analyses.signals.waterfall import campbell_lines, waterfall
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.report.curves import RPM
from chaindrive.report.maps import map_entry
from chaindrive.report.pack import Blob, Reference
from chaindrive.report.subject import Subject
from chaindrive.results.solution import Solution

__all__ = ["Frequencies", "frequencies_of", "highest_kept"]

FloatArray = NDArray[np.float64]
T = TypeVar("T")

BINS = 3000
"""Largest number of bins of a spectrum in the page."""
WATERFALLS = 10
"""Largest number of waterfalls in the page."""
_IN_WATERFALLS = ("span_displacement", "span_tension", "wheel_speed", "wheel_torque")
PEAKS = 5
STRINGS = 3


class Frequencies(NamedTuple):
    """Frequency data of a result for the page."""

    spectra: list[Reference]
    orders: list[Reference]
    campbell: list[Reference]
    missing: dict[str, str]
    """Reasons why fields are empty, by their names."""
    left_out: tuple[str, ...]


class _Signal(NamedTuple):
    """An item of a channel."""

    channel: str
    title: str
    unit: str
    kind: str
    number: int

    @property
    def factor(self) -> float:
        """Factor from the SI unit to the unit of the signal."""
        return RPM if self.unit == "rpm" else 1.0


def _signals(subject: Subject) -> Iterator[_Signal]:
    """Yield the signals for spectra: motion and tension of spans, speed of wheels without a motion, torque on the
    driver and on other wheels with a motion, and forces.
    """
    drive, first = subject.drive, drive_facts(subject.drive).driver
    wheels = [(w, wheel.name) for w, wheel in enumerate(drive.wheels)]
    free = [each for each in wheels if drive.wheels[each[0]].motion is None]
    table: list[tuple[str, str, str, str, list[tuple[int, str]]]] = [
        ("span_displacement", "Displacement of the span", "m", "span", list(enumerate(drive.span_names))),
        ("span_tension", "Tension of the span", "N", "span", list(enumerate(drive.span_names))),
        ("wheel_speed", "Speed of", "rpm", "wheel", free),
        (
            "wheel_torque",
            "Torque on",
            "N m",
            "wheel",
            [(w, n) for w, n in wheels if drive.wheels[w].motion is not None or w == first],
        ),
        ("bearing_force", "Bearing force of", "N", "wheel", wheels),
        ("guide_force", "Force on guide", "N", "guide", [(g, each.name) for g, each in enumerate(drive.guides)]),
        ("tensioner_force", "Force of", "N", "tensioner", [(k, each.name) for k, each in enumerate(drive.tensioners)]),
    ]
    for channel, words, unit, kind, items in table:
        if channel in subject.solution:
            for number, name in items:
                yield _Signal(channel, f"{words} {name}", unit, kind, number)


def frequencies_of(subject: Subject, blob: Blob) -> Frequencies:
    """Return the spectra over the last whole revolutions in the steady part, or over a requested part."""
    start, stop = subject.window
    missing: dict[str, str] = {}
    thinned: list[int] = []

    def evaluated(name: str, look: Callable[[], T]) -> T | None:
        try:
            return look()
        except InputError as error:
            missing.setdefault(name, "; ".join(problem.message for problem in error.problems))
            return None

    spectra: list[Reference] = []
    orders: list[Reference] = []
    for signal in _signals(subject):
        entry = evaluated("spectra", lambda s=signal: _spectrum(subject, s, start, stop, blob, thinned))  # type: ignore[misc]
        spectra += [entry] if entry else []
        entry = evaluated("orders", lambda s=signal: _orders(subject, s, start, stop, blob, thinned))  # type: ignore[misc]
        orders += [entry] if entry else []
    for w, wheel in enumerate(subject.drive.wheels):
        if wheel.motion is None and w != drive_facts(subject.drive).driver:
            entry = evaluated("orders", lambda k=w: _transmission(subject, k, start, stop, blob, thinned))  # type: ignore[misc]
            orders += [entry] if entry else []
    campbell = evaluated("campbell", lambda: _waterfalls(subject, blob)) or []
    left_out = []
    if thinned:
        left_out.append(
            f"Spectra: only the highest of every {max(thinned)} neighbouring bins is kept. Peaks are first found in "
            "all bins."
        )
    return Frequencies(spectra, orders, campbell, missing, tuple(left_out))


def highest_kept(along: FloatArray, amplitude: FloatArray, most: int) -> tuple[FloatArray, FloatArray, int]:
    """Return at most ``most`` bins of a spectrum, the highest of every group of neighbours, and the size of a group."""
    group = -(-amplitude.size // most)
    if group <= 1:
        return along, amplitude, 1
    count = -(-amplitude.size // group)
    padded = np.full(count * group, -np.inf)
    padded[: amplitude.size] = amplitude
    at = padded.reshape(count, group).argmax(axis=1) + group * np.arange(count)
    return along[at], amplitude[at], group


def _packed(
    along: FloatArray, amplitude: FloatArray, name: str, blob: Blob, thinned: list[int]
) -> dict[str, Reference]:
    kept, heights, group = highest_kept(along, amplitude, BINS)
    if group > 1:
        thinned.append(group)
    return {name: blob.add(kept, "f4"), "amplitude": blob.add(heights, "f4")}


def _spectrum(
    subject: Subject, signal: _Signal, start: float | None, stop: float | None, blob: Blob, thinned: list[int]
) -> Reference | None:
    found = spectrum_of(subject.solution, signal.channel, signal.number, start, stop)
    found = found._replace(amplitude=found.amplitude * signal.factor)
    if not found.amplitude.any():
        return None
    highest = float(found.frequency[-1])
    span = signal.number if signal.kind == "span" else None
    marks = frequency_marks(subject.solution, found.start, found.stop, span, highest, STRINGS)
    return {
        "key": signal.channel,
        "title": signal.title,
        "unit": signal.unit,
        "kind": signal.kind,
        "index": signal.number,
        **_packed(found.frequency, found.amplitude, "frequency", blob, thinned),
        "marks": [mark._asdict() for mark in marks],
        "peaks": [list(peak) for peak in peaks(found.spectrum, PEAKS, low=0.5 * found.resolution)],
        "start": found.start,
        "stop": found.stop,
        "resolution": found.resolution,
    }


def _orders(
    subject: Subject, signal: _Signal, start: float | None, stop: float | None, blob: Blob, thinned: list[int]
) -> Reference | None:
    found = order_spectrum(subject.solution, signal.channel, signal.number, None, start, stop)
    if not found.amplitude.any():
        return None
    spectrum = found.spectrum._replace(amplitude=found.amplitude * signal.factor)
    return _order_entry(subject, signal, found.wheel, spectrum, blob, thinned)


def _transmission(
    subject: Subject, wheel: int, start: float | None, stop: float | None, blob: Blob, thinned: list[int]
) -> Reference:
    found = transmission_error(subject.solution, None, wheel, start, stop)
    title = f"Transmission error of {found.names[1]} against {found.names[0]}"
    signal = _Signal("transmission_error", title, "rad", "wheel", wheel)
    return _order_entry(subject, signal, found.wheel_1, transmission_orders(found), blob, thinned)


def _order_entry(
    subject: Subject, signal: _Signal, wheel: int, spectrum: Spectrum, blob: Blob, thinned: list[int]
) -> Reference:
    marks = order_marks(subject.drive, wheel, float(spectrum.frequency[-1]))
    return {
        "key": signal.channel,
        "title": signal.title,
        "unit": signal.unit,
        "wheel": subject.drive.wheels[wheel].name,
        **_packed(spectrum.frequency, spectrum.amplitude, "order", blob, thinned),
        "marks": [{"label": mark.label, "order": mark.order} for mark in marks],
        "resolution": spectrum.resolution,
    }


def _waterfalls(subject: Subject, blob: Blob) -> list[Reference]:
    """Return waterfalls of the most informative signals, the first being that of the span that moves most. They are
    plotted over the speed of the driver if it only rises or only falls, otherwise over time.
    """
    solution = subject.solution
    first = "span_displacement" if "span_displacement" in solution else "span_tension"
    span = _most_fluctuating(solution, first, subject.part)
    start, stop = float(subject.time[0]), float(subject.time[-1])
    signals = [each for each in _signals(subject) if each.channel in _IN_WATERFALLS]
    signals.sort(key=lambda each: (each.channel, each.number) != (first, span))
    made: list[Reference] = []
    for signal in signals[:WATERFALLS]:
        found = waterfall(solution, signal.channel, signal.number, None, start, stop)
        if made and not found.amplitude.any():
            continue
        spans = [signal.number if signal.kind == "span" else span]
        lines = campbell_lines(solution, found.start, found.stop, spans=spans)
        made.append(map_entry(found, lines, blob, signal.title))
    return made


def _most_fluctuating(solution: Solution, channel: str, part: slice) -> int:
    """Number of the span with the largest standard deviation; nan is ignored."""
    if channel not in solution:
        return 0
    values = np.asarray(solution.values(channel, part), dtype=np.float64)
    spread = np.where(np.isfinite(values).all(axis=0), values.std(axis=0), -1.0)
    return int(np.argmax(spread))
