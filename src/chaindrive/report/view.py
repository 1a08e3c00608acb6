"""Data of the drawing in addition to its frames: the time at which it opens, means, and the mean path of the chain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from chaindrive.analyses.results.course import mean_course
from chaindrive.analyses.results.tiles import Sign
from chaindrive.analyses.signals.windows import instants, window_of
from chaindrive.errors import InputError
from chaindrive.report.findings import Findings
from chaindrive.report.pack import Blob, Reference
from chaindrive.report.subject import Subject

__all__ = ["MeanWindow", "Opening", "mean_window", "opening_of", "view_entry"]


class MeanWindow(NamedTuple):
    """Time range of the means, and whether the run is steady there."""

    start: float
    """Start. [s]"""
    stop: float
    """Stop. [s]"""
    steady: bool | None
    """Whether the run is steady; None: not known."""


class Opening(NamedTuple):
    """The time at which the drawing opens."""

    row: int
    """Row of the results."""
    time: float
    """Time. [s]"""
    why: str


def mean_window(subject: Subject, findings: Findings) -> MeanWindow:
    """The window of the verdict, or the second half of the reported part if there is no verdict."""
    judged = findings.verdict
    start, stop = float(subject.time[0]), float(subject.time[-1])
    if judged is None:
        return MeanWindow(0.5 * (start + stop), stop, None)
    tile = judged.tile("steady")
    steady = None if tile is None or tile.sign == Sign.OPEN else tile.sign != Sign.BEYOND
    return MeanWindow(judged.start, judged.stop, steady)


def opening_of(subject: Subject, window: MeanWindow) -> Opening | None:
    """Time of the largest tension in the steady part, or in the reported part if the run is not steady.

    It is the tension of the links, or else of the spans; None if neither was stored, or no value is a number.
    """
    solution, part = subject.solution, subject.part
    name = next((each for each in ("link_tension", "span_tension") if each in solution), None)
    if name is None:
        return None
    rows = window_of(instants(solution), window.start, window.stop).rows if window.steady else part
    first, end = max(rows.start, part.start), min(rows.stop, part.stop)
    tension = solution.values(name, slice(first, end))
    if not np.isfinite(tension).any():
        return None
    row = first + int(np.nanargmax(tension.max(axis=1, where=np.isfinite(tension), initial=-np.inf)))
    which = {True: "of the steady part", False: "of the run, which is not steady", None: "of the run"}[window.steady]
    return Opening(row, float(solution.time[row]), f"the largest {name.replace('_', ' ')} {which}")


def view_entry(subject: Subject, window: MeanWindow, opening: Opening | None, blob: Blob) -> Reference:
    """Opening time, window of the means [s], mean tension of every span [N] and the mean path of the chain (M, 2) [m];
    unknown values are None.
    """
    solution = subject.solution
    tension = None
    if "span_tension" in solution:
        values = solution.values("span_tension", window_of(instants(solution), window.start, window.stop).rows)
        tension = np.asarray(values, dtype=np.float64).mean(axis=0).tolist()
    course = None
    if "roller_position" in solution and "link_path_position" in solution:
        try:
            course = mean_course(solution, window.start, window.stop).points
        except InputError:  # an open chain
            course = None
    return {
        "opening": None if opening is None else {"time": opening.time, "why": opening.why},
        **window._asdict(),
        "span_tension": tension,
        "course": None if course is None else blob.add(course, "f4"),
    }
