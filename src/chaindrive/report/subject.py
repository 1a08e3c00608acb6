"""A result of a report, after it has been checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.errors import InputError, Problem

if TYPE_CHECKING:
    from chaindrive.model import Drive
    from chaindrive.results import Solution

__all__ = ["Subject", "subject_of"]

FloatArray = NDArray[np.float64]


class Subject(NamedTuple):
    """A result covered by a report, and the part of that result that is reported."""

    label: str
    solution: Solution
    drive: Drive
    time: FloatArray
    """Instants of the part. [s]"""
    part: slice
    """Rows of the part in the results."""

    @property
    def whole(self) -> bool:
        """Whether the whole result is reported."""
        return self.time.size == self.solution.time.size

    @property
    def window(self) -> tuple[float | None, float | None]:
        """Start and end of the window of the key values, as analyses expect them [s]: None for the steady part of a
        whole run, or the ends of a requested part.
        """
        return (None, None) if self.whole else (float(self.time[0]), float(self.time[-1]))


def subject_of(solution: Solution, label: str, start: float | None = None, stop: float | None = None) -> Subject:
    """The result as a subject of the report, after checking that there is something to report between start and stop
    [s].

    Raises InputError for a result without a stored instant or without its drive, and for an empty window.
    """
    times = solution.time
    if not times.size:
        raise InputError(Problem(label, "contains no results: the run ended before the first instant was stored"))
    if not solution.drive_text.strip():
        raise InputError(Problem(label, "does not contain the simulated drive: the file was not written by chaindrive"))
    try:
        drive = solution.drive
    except InputError as error:  # written by another version, or changed by hand
        raise InputError([each._replace(place=f"{label}, drive, {each.place}") for each in error.problems]) from None
    first = 0 if start is None else int(np.searchsorted(times, start - 1e-9 * abs(start)))
    end = times.size if stop is None else int(np.searchsorted(times, stop + 1e-9 * abs(stop), side="right"))
    if end - first < 1:
        asked = f"{'the start' if start is None else f'{start:g} s'} to {'the end' if stop is None else f'{stop:g} s'}"
        message = f"no stored instant in this window; the results run from {times[0]:g} to {times[-1]:g} s"
        raise InputError(Problem(label, message, asked))
    part = slice(first, end)
    return Subject(label, solution, drive, times[part], part)
