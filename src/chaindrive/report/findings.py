"""The findings of the analyses of a result, for its tables and curves, and the reasons for missing findings."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from chaindrive.analyses.analytical.conveyor_pull import is_conveyor
from chaindrive.analyses.results.bearings import BearingLoads, bearing_loads
from chaindrive.analyses.results.comparison import Comparison, comparison
from chaindrive.analyses.results.conveyor import Conveyor, conveyor
from chaindrive.analyses.results.extremes import Extremes, extremes
from chaindrive.analyses.results.loop import Envelope, loop_envelope
from chaindrive.analyses.results.losses import Losses, WheelLosses, losses, wheel_losses
from chaindrive.analyses.results.plate_forces import PlatePeak, plate_forces, plate_peaks
from chaindrive.analyses.results.rainflow import Rainflow, link_rainflow
from chaindrive.analyses.results.steadiness import Part, headline_part
from chaindrive.analyses.results.strength import Strength, strength
from chaindrive.analyses.results.verdict import Verdict, verdict
from chaindrive.errors import InputError
from chaindrive.report.frames import OF_PINS
from chaindrive.report.subject import Subject
from chaindrive.results.solution import Solution

__all__ = ["Findings", "findings_of"]

T = TypeVar("T")

JOINT_CHANNELS = ("pin_force", "pin_gap", *OF_PINS)
"""Quantities of joints, or of pins between sheaves, that are shown along the loop in addition to the tension."""


class Findings(NamedTuple):
    """Findings of the analyses of a subject. A field is None or empty if its channels were not stored."""

    verdict: Verdict | None
    loop: Envelope | None
    """Envelope of the link tension."""
    joints: dict[str, Envelope]
    """Envelopes of quantities of the joints of rigid links, by channel."""
    part: Part
    """The window of the key values."""
    peaks: Extremes | None
    """Peaks in this window."""
    peaks_run: Extremes | None
    """Peaks in the whole reported part."""
    bearings: BearingLoads | None
    losses: Losses | None
    wheel_losses: WheelLosses | None
    conveyor: Conveyor | None
    """Analysis of the conveyor in the run; also None for a drive that is not a conveyor."""
    comparison: Comparison | None
    cycles: Rainflow | None
    strength: Strength | None
    plates: tuple[PlatePeak, ...] | None
    """Extreme forces on individual plates; empty for a chain whose plates are not given."""
    answered: tuple[int, ...]
    """Rows of the results to which the tiles of the verdict link."""
    missing: dict[str, str]
    """Reason why a field above is None, by the name of the field."""

    @property
    def rows(self) -> list[int]:
        """Rows of the results with extreme values, which become frames of the animation."""
        both = (each for each in (self.peaks, self.peaks_run) if each is not None)
        return sorted({*self.answered, *(peak.row for each in both for peak in each.peaks)})


def findings_of(subject: Subject) -> Findings:
    """Analyse the reported part of a result.

    All values refer to the same window, the envelope along the loop to the last loop in it. The window is the steady
    part (``headline_part``), or the whole of a requested part. Peaks are also found in the whole reported part.
    """
    solution = subject.solution
    start, stop = float(subject.time[0]), float(subject.time[-1])
    part = headline_part(solution, *subject.window)
    mean = part.start, part.stop
    missing: dict[str, str] = {}

    def evaluated(name: str, look: Callable[..., T], *arguments: Any) -> T | None:
        try:
            return look(solution, *arguments)
        except InputError as error:
            missing[name] = "; ".join(problem.message for problem in error.problems)
            return None

    def around(name: str) -> Envelope | None:
        loop = evaluated("loop", loop_envelope, name, None, stop)
        return evaluated("loop", loop_envelope, name, start, stop) if loop is not None and loop.start < start else loop

    cycles = evaluated("cycles", link_rainflow, None, *subject.window)  # an open window becomes whole loops
    judged = evaluated("verdict", verdict, *subject.window, cycles)
    joints = {name: around(name) for name in JOINT_CHANNELS if name in solution}
    return Findings(
        verdict=judged,
        loop=around("link_tension"),
        joints={name: envelope for name, envelope in joints.items() if envelope is not None},
        part=part,
        peaks=evaluated("peaks", extremes, *mean, 1),
        peaks_run=evaluated("peaks", extremes, start, stop, 1),
        bearings=evaluated("bearings", bearing_loads, *mean),
        losses=evaluated("losses", losses, *mean),
        wheel_losses=evaluated("losses", wheel_losses, *mean),
        conveyor=evaluated("conveyor", conveyor, *mean) if is_conveyor(solution.drive) else None,
        comparison=evaluated("comparison", comparison, *mean),
        cycles=cycles,
        strength=evaluated("strength", strength, *subject.window, cycles),
        plates=evaluated("plates", _plates, *subject.window),
        answered=() if judged is None else _answered(subject, judged),
        missing=missing,
    )


def _plates(solution: Solution, start: float | None, stop: float | None) -> tuple[PlatePeak, ...]:
    """Extreme forces on individual plates; empty for a chain whose plates are not given."""
    if solution.drive.chain.plates is None:
        return ()
    return plate_peaks(plate_forces(solution, start, stop))


def _answered(subject: Subject, judged: Verdict) -> tuple[int, ...]:
    """Rows of the reported part with the worst values of the verdict, and the first row of the steady part."""
    moments = [judged.start, *(tile.time for tile in judged.tiles if math.isfinite(tile.time))]
    times = subject.solution.time
    rows = {int(np.abs(times - moment).argmin()) for moment in moments}
    return tuple(sorted(row for row in rows if subject.time[0] <= times[row] <= subject.time[-1]))
