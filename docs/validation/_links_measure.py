"""Evaluations of runs for the page about rigid links."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from _links_cases import FOUR, V6, Kept
from numpy.typing import NDArray

import chaindrive as cd
from chaindrive.analyses.results.losses import Losses, losses
from chaindrive.analyses.results.statistics import contact_windows, surface_names
from chaindrive.analyses.signals.orders import OrderSpectrum, order_spectrum
from chaindrive.analyses.signals.spectra import peaks
from chaindrive.analyses.signals.transmission import TransmissionError, transmission_error

FloatArray = NDArray[np.float64]
BINS = 5
"""Number of parts into which the time of a bush on a wheel or guide is divided."""


class Differences(NamedTuple):
    """Differences between two formulations from the same start."""

    tension: float
    """Root mean square difference of the span tensions, divided by the mean tension of the tightest span. [-]"""
    contact: float
    """Root mean square difference of the contact forces of all rollers, divided by the root mean square of the forces.
    [-]
    """
    largest: float
    """Difference of the largest link tensions, divided by that of the reference. [-]"""


def differences(run: Kept, reference: Kept) -> Differences:
    """Differences between two runs at the same instants."""

    def both(name: str) -> tuple[FloatArray, FloatArray]:
        return run.solution.values(name), reference.solution.values(name)

    def rms(values: FloatArray) -> float:
        return float(np.sqrt(np.mean(np.square(values, dtype=np.float64))))

    tension, contact, links = both("span_tension"), both("contact_force"), both("link_tension")
    return Differences(
        rms(tension[0] - tension[1]) / float(tension[1].mean(axis=0).max()),
        rms(contact[0] - contact[1]) / rms(contact[1]),
        float(links[0].max() / links[1].max()) - 1.0,
    )


class Stay(NamedTuple):
    """Forces on bushes while they pass a wheel or guide, as means over all bushes."""

    name: str
    guide: bool
    course: FloatArray
    """Largest contact force in each part of the time on the wheel or guide, (BINS,). [N]"""
    mean: float
    """Mean contact force. [N]"""
    peak: float
    """Largest force on a bush, averaged over the bushes. [N]"""

    @property
    def entry(self) -> float:
        """Largest force in the first fifth. [N]"""
        return float(self.course[0])

    @property
    def middle(self) -> float:
        """Largest force in the middle fifth. [N]"""
        return float(self.course[BINS // 2])

    @property
    def exit(self) -> float:
        """Largest force in the last fifth. [N]"""
        return float(self.course[-1])


def stays(run: Kept) -> list[Stay]:
    """Forces for wheels and guides in the order of ``contact_surface``, from complete passages only."""
    solution, drive = run.solution, run.case.drive
    names = surface_names(drive)
    time, force = solution.time, solution.values("contact_force")
    courses: list[list[FloatArray]] = [[] for _ in names]
    means: list[list[float]] = [[] for _ in names]
    for roller in range(drive.chain.links):
        for stay in contact_windows(solution, roller, wheels_only=False):
            if stay.start <= time[0] or stay.stop >= time[-1]:
                continue
            rows = slice(int(np.searchsorted(time, stay.start)), int(np.searchsorted(time, stay.stop)) + 1)
            values = force[rows, roller]
            if values.size < BINS:
                continue  # a touch
            courses[stay.wheel].append(np.array([part.max() for part in np.array_split(values, BINS)]))
            means[stay.wheel].append(float(values.mean()))
    return [
        Stay(
            name,
            k >= len(drive.wheels),
            np.mean(courses[k], axis=0),
            float(np.mean(means[k])),
            float(np.mean(np.max(courses[k], axis=1))),
        )
        for k, name in enumerate(names)
        if courses[k]
    ]


class Summary(NamedTuple):
    """Results of one run."""

    tight: float
    slack: float
    """Mean tension of the tightest and of the slackest span. [N]"""
    largest: float
    """Largest link tension. [N]"""
    ripple: float
    """Standard deviation of the tension of the tightest span. [N]"""
    wheel_peak: float
    """Largest contact force on a bush while it passes the wheel with the largest forces, averaged over the bushes.
    [N]
    """
    guide_peak: float
    """The same for guides; nan if there are no guides. [N]"""
    vibration: float
    """Root mean square of the transverse motion of the span that moves most. [m]"""
    open_share: float
    """Mean fraction of time in which a pin does not touch its bush; nan for rollers."""
    losses: Losses
    per_second: float
    """CPU time per simulated second. [s]"""
    evaluations: float
    """Evaluations of the equations per simulated second."""


def summary(run: Kept) -> Summary:
    """Summary of the examined part of a run."""
    solution = run.solution
    tension, across = solution.values("span_tension"), solution.values("span_displacement")
    mean = tension.mean(axis=0)
    found = stays(run)
    duration = run.case.until
    return Summary(
        tight=float(mean.max()),
        slack=float(mean.min()),
        largest=float(solution.values("link_tension").max()),
        ripple=float(tension[:, mean.argmax()].std()),
        wheel_peak=max(stay.peak for stay in found if not stay.guide),
        guide_peak=max((stay.peak for stay in found if stay.guide), default=np.nan),
        vibration=float(np.nanmax(np.nanstd(across, axis=0))),
        open_share=float((solution.values("pin_gap") > 0.0).mean()) if "pin_gap" in solution else np.nan,
        losses=losses(solution, float(solution.time[0]), float(solution.time[-1])),
        per_second=run.seconds / duration,
        evaluations=float(solution.statistics["evaluations"]) / duration,
    )


# Orders ---------------------------------------------------------------------------------------------------------------

LOBES = {V6: 3, FOUR: 4}
"""Cycles of the torque of a camshaft in one revolution of the camshaft."""


def spectrum(solution: cd.Solution, channel: str, index: str | int | None = None) -> OrderSpectrum:
    """Order spectrum with respect to the crankshaft, over the whole run."""
    return order_spectrum(solution, channel, index, start=float(solution.time[0]), window="hann")


def named_peaks(found: OrderSpectrum, name: str, drive: cd.Drive, count: int) -> list[tuple[float, float, str]]:
    """The highest lines from order 0.4 on: order of the crankshaft, amplitude, origin."""
    lines = peaks(found.spectrum, count, low=0.4)
    return [(line.frequency, line.amplitude, meaning(line.frequency, name, drive)) for line in lines]


def meaning(order: float, name: str, drive: cd.Drive, near: float = 0.12) -> str:
    """The origin of an order of the crankshaft, in words."""
    teeth, cam = drive.wheels[0].teeth, LOBES[name] / 2.0
    motion = getattr(drive.wheels[0].motion, "orders", ())
    words = []
    if (times := round(order / teeth)) and abs(order - times * teeth) < near:
        words.append("tooth engagement" if times == 1 else f"{times} x tooth engagement")
    if (times := round(order / cam)) and abs(order - times * cam) < near and times <= 8:
        words.append(f"order {times * LOBES[name]} of the camshafts")
    words += [f"crankshaft order {term.order:g}" for term in motion if abs(order - term.order) < near]
    if not words:
        side = order - teeth
        if abs(2.0 * side - round(2.0 * side)) < near and abs(side) < 8.0:
            words.append(f"tooth engagement {'+' if side > 0 else '-'} {abs(round(2.0 * side)) / 2:g}")
        elif abs(2.0 * order - round(2.0 * order)) < near:
            words.append("harmonic of half a revolution")
    return ", ".join(words) or "none of these"


def deviation(run: Kept, wheel: str) -> TransmissionError:
    """Deviation of the angle of a camshaft from half the angle of the crankshaft. [rad at the camshaft]"""
    time = run.solution.time
    return transmission_error(run.solution, 0, wheel, float(time[0]), float(time[-1]))
