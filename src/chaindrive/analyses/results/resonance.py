"""Distance of a run from resonance: excitations are compared with the frequencies of the spans and of the whole
drive.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from chaindrive.analyses.analytical.formulas import moving_string_frequency
from chaindrive.analyses.carried import span_mass_per_length
from chaindrive.analyses.signals.frequencies import DriveFrequencies, drive_frequencies, drive_in_run
from chaindrive.analyses.signals.selection import signal_of, steady_window
from chaindrive.analyses.signals.windows import mean_tooth_frequency
from chaindrive.errors import InputError, Problem
from chaindrive.geometry.roots import root_to_rounding
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.periods import load_orders
from chaindrive.mechanism.rails import guided_spans
from chaindrive.model import VARYING, Drive, Orders
from chaindrive.results.solution import Solution

__all__ = ["Excitation", "NaturalFrequency", "Resonance", "excitations", "natural_frequencies", "resonances"]

STRING_MODES = 2
"""Modes of every span that are considered: the first, and the mode with twice its frequency, at which a fluctuating
tension excites the first mode (Pedersen 2004, 4.3)."""
SYSTEM_MODES = 2
"""Number of the lowest natural frequencies of the whole drive that are considered, plus one for every body."""
LOWEST, HIGHEST = 0.2, 5.0
"""Range of speeds considered, relative to the speed of the run."""
LEAST_ADVANCE = 1.0
"""Mean advance of the chain in a window below which the drive does not turn. [pitches]"""


class Excitation(NamedTuple):
    """An excitation at a multiple of the drive's speed."""

    label: str
    frequency: float
    """Frequency at the mean speed of the window. [Hz]"""


class NaturalFrequency(NamedTuple):
    """A natural frequency of a span or of the drive."""

    mode: str
    """Name of the mode: "mode 1 of span a - b", "mode 2 of the drive"."""
    span: int
    """Index of the span; -1 for a mode of the drive."""
    frequency: float
    """Frequency at the mean speed and tensions of the window. [Hz]"""


class Resonance(NamedTuple):
    """A speed at which an excitation meets a natural frequency."""

    excitation: Excitation
    mode: str
    """"mode 1 of span a - b", "mode 2 of the drive"."""
    span: int
    """Index of the span; -1 for a mode of the drive."""
    frequency: float
    """Frequency at which they meet. [Hz]"""
    distance: float
    """Relative distance of this speed from the speed of the run; negative if it is lower. [-]"""
    part: str = ""
    """Name of the part that moves most; empty for a span, and for the longitudinal model."""


def excitations(drive: Drive, tooth_frequency: float) -> tuple[Excitation, ...]:
    """Return the excitations of a drive: teeth, prescribed orders of motions, angle-dependent loads, unbalance.

    tooth_frequency: number of teeth that mesh per second. [Hz]
    """
    found = {f"{drive_facts(drive).passing} frequency": tooth_frequency}
    for w, wheel in enumerate(drive.wheels):
        turning = tooth_frequency / wheel.teeth
        orders = {order for index, order in load_orders(drive) if index == w}
        if isinstance(wheel.motion, (Orders, *VARYING)):
            orders |= {float(term.order) for term in wheel.motion.orders if term.amplitude > 0.0}
        found |= {f"order {order:g} of {wheel.name}": order * turning for order in sorted(orders)}
    return tuple(Excitation(label, frequency) for label, frequency in found.items())


def natural_frequencies(
    solution: Solution, start: float | None = None, stop: float | None = None
) -> tuple[NaturalFrequency, ...]:
    """Return the natural frequencies that are considered for resonance, at the mean speed and tensions of a window.

    They are modes 1 and 2 of every tight span without a guide, as a moving string (Pedersen 2004, Eq. 4.27), and the
    lowest modes of the drive (``drive_frequencies``), if they are known. Window and errors are those of
    :func:`resonances`.
    """
    drive = drive_in_run(solution)
    begin, end = steady_window(solution, start, stop)
    speed = abs(mean_tooth_frequency(solution, begin, end)) * drive.chain.pitch if drive.wheels else 0.0
    densities, way = span_mass_per_length(drive), drive_facts(drive).route
    found = [
        NaturalFrequency(f"mode {k + 1} of the drive", -1, float(frequency))
        for k, frequency in enumerate(drive_frequencies(solution, _considered(drive)).frequency)
    ]
    for span in _free_spans(drive, way):
        density = float(densities[span])
        tension = float(signal_of(solution, "span_tension", span, begin, end).values.mean())
        if tension > density * speed**2:
            modes = np.arange(1, STRING_MODES + 1)
            strings = moving_string_frequency(modes, float(way.span_length[span]), tension, density, speed)
            found += [
                NaturalFrequency(f"mode {n} of span {drive.span_names[span]}", span, float(f))
                for n, f in zip(modes, strings, strict=True)
            ]
    return tuple(found)


def _considered(drive: Drive) -> int:
    """Return the number of modes of the drive that are considered."""
    return SYSTEM_MODES + len(drive.bodies)


def _free_spans(drive: Drive, way: Any) -> list[int]:
    """Return the spans that vibrate as strings: no guide restrains them, and they do not hang in a loop."""
    return sorted(set(np.flatnonzero(np.isfinite(way.string_length)).tolist()) - guided_spans(drive, way))


def resonances(
    solution: Solution,
    start: float | None = None,
    stop: float | None = None,
    modes: DriveFrequencies | None = None,
) -> list[Resonance]:
    """Return the speeds near the speed of a run at which an excitation meets a natural frequency, the nearest first.

    start, stop: window of the mean speed and mean tensions [s], by default the last whole revolutions of the driver in
    the steady part. The natural frequencies considered are modes 1 and 2 of every span without a guide, as a moving
    string (Pedersen 2004, Eq. 4.27) with its mean tension in the window, of which only the centrifugal part changes
    with the speed, and the lowest modes of the drive (``modes``, by default those of ``drive_frequencies``), if they
    are known: two, and one for every body. Raises InputError if nothing turns, or if span_tension or
    wheel_speed was not kept.
    """
    drive = drive_in_run(solution)
    begin, end = steady_window(solution, start, stop)
    tooth = abs(mean_tooth_frequency(solution, begin, end)) if drive.wheels else 0.0
    if not tooth * (end - begin) >= LEAST_ADVANCE:
        raise InputError(Problem("wheel_speed", "the drive does not turn in the window"))
    excited, way = excitations(drive, tooth), drive_facts(drive).route
    whole = drive_frequencies(solution, _considered(drive)) if modes is None else modes
    parts = whole.part or ("",) * whole.frequency.size
    found = [
        Resonance(by, f"mode {k + 1} of the drive", -1, own, own / by.frequency - 1.0, part)
        for by in excited
        for k, (own, part) in enumerate(zip(whole.frequency.tolist()[: _considered(drive)], parts, strict=False))
    ]
    densities = span_mass_per_length(drive)
    for span in _free_spans(drive, way):
        pull = float(signal_of(solution, "span_tension", span, begin, end).values.mean())
        found += _of_span(drive, span, float(densities[span]), float(way.span_length[span]), pull, tooth, excited)
    near = [each for each in found if LOWEST < 1.0 + each.distance < HIGHEST]
    return sorted(near, key=lambda each: abs(each.distance))


def _of_span(
    drive: Drive,
    span: int,
    density: float,
    length: float,
    tension: float,
    tooth: float,
    excited: tuple[Excitation, ...],
) -> Iterator[Resonance]:
    """Yield the resonances of one span; none if it is slack."""
    speed = tooth * drive.chain.pitch
    pull = tension - density * speed**2
    if not pull > 0.0:
        return
    faster = np.linspace(LOWEST, HIGHEST, 400)
    for mode in range(1, STRING_MODES + 1):
        for by in excited:

            def beyond(x: Any, n: int = mode, frequency: float = by.frequency) -> Any:
                """Return the excitation frequency minus the frequency of the mode at x times the speed; only the
                centrifugal part of the tension changes with the speed.
                """
                carried = pull + density * (x * speed) ** 2
                return frequency * x - moving_string_frequency(n, length, carried, density, x * speed)

            course = beyond(faster)
            for k in np.flatnonzero(course[:-1] * course[1:] <= 0.0):
                x = root_to_rounding(beyond, faster[k], faster[k + 1], 1e-12)
                yield Resonance(by, f"mode {mode} of span {drive.span_names[span]}", span, by.frequency * x, x - 1.0)
