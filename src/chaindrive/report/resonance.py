"""Tables that show how far a run is from resonance, below its waterfall."""

from __future__ import annotations

import math
from collections.abc import Sequence

from chaindrive.analyses.results.resonance import resonances
from chaindrive.analyses.results.speed_map import Crossing
from chaindrive.analyses.signals.selection import steady_window, wheel_index
from chaindrive.analyses.signals.windows import mean_tooth_frequency
from chaindrive.errors import InputError
from chaindrive.report.contents import Table
from chaindrive.report.maps import TO_RPM, crossings_table
from chaindrive.report.subject import Subject

__all__ = ["resonance_tables"]

LISTED = 8


def resonance_tables(subjects: Sequence[Subject]) -> tuple[Table, ...]:
    """A table for every result with the speeds nearest to its speed at which an excitation meets a natural
    frequency.
    """
    found = []
    for subject in subjects:
        try:
            made = _of(subject, f", {subject.label}" if len(subjects) > 1 else "")
        except InputError:
            continue  # nothing turns, or the channels for it were not kept: the waterfall states this
        found += [made] if made is not None else []
    return tuple(found)


def _of(subject: Subject, label: str) -> Table | None:
    solution, drive = subject.solution, subject.drive
    start, stop = steady_window(solution)
    near = resonances(solution, start, stop)
    if not near:
        return None
    chosen = wheel_index(drive, None)
    speed = 2.0 * math.pi * abs(mean_tooth_frequency(solution, start, stop)) / drive.wheels[chosen].teeth
    met = [
        Crossing(each.excitation.label, each.mode, speed * (1.0 + each.distance), each.frequency, each.distance, -1)
        for each in near
    ]
    note = (
        f"Around {TO_RPM * speed:.4g} rpm of {drive.wheels[chosen].name}, the mean from {start:.4g} to {stop:.4g} s. "
        "The modes are those of spans without a guide, as moving strings with the tension of this window at all "
        "speeds, and the lowest modes of the drive at rest; of a drive with stages or rotors only those of spans."
    )
    return crossings_table(f"Nearest resonances{label}", met, note, LISTED, "the mean speed")
