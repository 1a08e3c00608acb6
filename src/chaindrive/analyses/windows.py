"""Windows of time of a result, channels as plain arrays, and how far the chain has come.

xarray is not imported for a :class:`~chaindrive.results.Solution`; what only gives xarray.DataArrays by name works too.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.statistics import get_channel
from chaindrive.errors import InputError, Problem

__all__ = ["Window", "chain_advance", "channel_times", "channel_values", "has_channel", "loop_window", "window_of"]

FloatArray = NDArray[np.float64]


class Window(NamedTuple):
    """Rows ``first`` to ``end - 1`` of a result, from ``start`` to ``stop``."""

    start: float
    """Time of the first row. [s]"""
    stop: float
    """Time of the last row. [s]"""
    first: int
    end: int

    @property
    def rows(self) -> slice:
        """The rows, to index arrays with."""
        return slice(self.first, self.end)

    @property
    def duration(self) -> float:
        """[s]"""
        return self.stop - self.start


def _is_solution(solution: Any) -> bool:
    from chaindrive.results import Solution

    return isinstance(solution, Solution)


def has_channel(solution: Any, name: str) -> bool:
    """Whether a result holds a channel."""
    return name in solution.channels


def channel_values(solution: Any, name: str) -> NDArray[Any]:
    """A channel as a plain array, shape (rows, ...). Raises InputError that says which channel the run has to keep."""
    if _is_solution(solution) and name in solution:
        return np.asarray(solution.values(name))
    return np.asarray(get_channel(solution, name).values)


def channel_times(solution: Any, name: str = "link_tension") -> FloatArray:
    """The instants of a result, shape (rows,) [s]; name: a channel that has them, where the result is not a Solution.

    Raises InputError when nothing was stored.
    """
    if _is_solution(solution):
        times = np.asarray(solution.time, dtype=np.float64)
    else:
        times = np.asarray(get_channel(solution, name)["time"].values, dtype=np.float64)
    if not times.size:
        raise InputError(Problem("time", "the result holds no instant: the run ended before the first was stored"))
    return times


def window_of(
    times: FloatArray,
    start: float | None = None,
    stop: float | None = None,
    default: Literal["all", "second half"] = "all",
    least: int = 1,
) -> Window:
    """The rows with start <= time <= stop [s]; an end that is None is open, or as ``default`` says where both are.

    An instant that differs from an end by the rounding of its own making counts as inside.
    Raises InputError when fewer than ``least`` rows lie in it.
    """
    if start is None and stop is None and default == "second half":
        start = 0.5 * (float(times[0]) + float(times[-1]))
    margin = 1e-9 * max(abs(float(times[0])), abs(float(times[-1])))
    first = 0 if start is None else int(np.searchsorted(times, start - margin, side="left"))
    end = times.size if stop is None else int(np.searchsorted(times, stop + margin, side="right"))
    if end - first < least:
        held = f"saved is {times[0]:g} to {times[-1]:g} s in {times.size} instants"
        few = f"fewer than {least} saved instants lie" if least > 1 else "no saved instant lies"
        begin, finish = ("" if at is None else f"{at:g} s" for at in (start, stop))
        given = f"{begin or 'the start'} to {finish or 'the end'}"
        if start is not None and stop is not None and stop < start:
            raise InputError(Problem("time", f"this window ends before it begins; {held}", given))
        raise InputError(Problem("time", f"{few} in this window; {held}", given))
    return Window(float(times[first]), float(times[end - 1]), first, end)


def chain_advance(solution: Any) -> FloatArray:
    """How many pitches the chain has come along the loop at every instant, shape (rows,), counting on over all loops.

    The middle of link i is at (i + 0.5 + advance) modulo the number of links N; the first seat of wheel 0 at the start
    is at 0. From the teeth that wheel 0 has turned (channel wheel_angle), and from link_path_position where these
    count from; without wheel_angle from link_path_position alone, which must not move by half a loop between two rows.
    Raises InputError when link_path_position was not kept.
    """
    drive = solution.drive
    links = drive.chain.links
    place = np.asarray(channel_values(solution, "link_path_position")[:, 0], dtype=np.float64) - 0.5
    if not has_channel(solution, "wheel_angle"):
        return np.asarray(np.unwrap(place, period=links), dtype=np.float64)
    from chaindrive.mechanism.running import turning_signs

    angle = np.asarray(channel_values(solution, "wheel_angle")[:, 0], dtype=np.float64)
    sign, teeth = float(turning_signs(drive)[0]), drive.wheels[0].teeth
    turned = sign * teeth / (2.0 * np.pi) * (angle - angle[0])
    # Mean on the circle: rows that are means over a moment have no meaning where the position jumps from N to 0.
    turn = 2.0 * np.pi / links
    apart = (place - turned)[np.isfinite(place - turned)]  # a run that diverged ends with what is no number
    if not apart.size:
        return np.full(turned.size, np.nan)
    offset = np.angle(np.exp(1j * turn * apart).mean()) / turn
    return np.asarray(turned + offset, dtype=np.float64)


def loop_window(
    solution: Any, start: float | None = None, stop: float | None = None, advance: FloatArray | None = None
) -> tuple[Window, float]:
    """The last full loop of the chain, or the window asked for; and how many loops the chain has made in it.

    With a stop alone the last loop before it, with a start alone the first after it. A run in which the chain has not
    made a full loop is taken whole: the second number is then less than 1. Raises InputError for an empty window.
    """
    times = channel_times(solution)
    moved = chain_advance(solution) if advance is None else advance
    links = solution.drive.chain.links
    broken = np.flatnonzero(~np.isfinite(moved))
    known = max(int(broken[0]), 1) if broken.size else times.size  # a run that diverged ends before it did
    wide = window_of(times[:known], start, stop)
    first, last = wide.first, wide.end - 1
    if start is None or stop is None:
        part = np.abs(moved[first : last + 1] - moved[first if stop is None and start is not None else last])
        if start is None:
            whole = np.flatnonzero(part >= links * (1.0 - 1e-9))
            first += int(whole[-1]) if whole.size else 0
        else:
            whole = np.flatnonzero(part >= links * (1.0 - 1e-9))
            last = first + int(whole[0]) if whole.size else last
    loops = abs(float(moved[last] - moved[first])) / links
    return Window(float(times[first]), float(times[last]), first, last + 1), loops
