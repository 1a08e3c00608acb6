"""Time windows of a result, and the speed and advance of the chain in them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.route import tooth_frequency
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive
from chaindrive.model.arguments import times as times_of
from chaindrive.results.solution import Solution

__all__ = [
    "Window",
    "chain_advance",
    "chain_frequency",
    "even_rows",
    "instants",
    "loop_window",
    "mean_tooth_frequency",
    "unwrapped",
    "window_of",
]

FloatArray = NDArray[np.float64]

UNEVEN = 1e-3
"""Relative difference of two intervals between rows from which they count as different. [-]"""


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
        """The rows as an index for arrays."""
        return slice(self.first, self.end)

    @property
    def duration(self) -> float:
        """Duration. [s]"""
        return self.stop - self.start


def instants(solution: Solution) -> FloatArray:
    """Return the instants of a result, shape (rows,) [s]. Raises InputError if nothing was stored."""
    times = solution.time
    if not times.size:
        message = "the result contains no stored instant: the run ended before the first was stored"
        raise InputError(Problem("time", message))
    return times


def even_rows(times: ArrayLike) -> int:
    """Return the number of rows at equal intervals: all, or all but the last if it follows sooner than the others.

    A run that ends between two rows stores its end as one more row. times: increasing instants, (n,) [s].
    """
    instants = np.asarray(times, dtype=np.float64)
    if instants.size < 3:
        return instants.size
    before, last = float(instants[-2] - instants[-3]), float(instants[-1] - instants[-2])
    return instants.size - 1 if last < (1.0 - UNEVEN) * before else instants.size


def window_of(
    times: FloatArray,
    start: float | str | None = None,
    stop: float | str | None = None,
    least: int = 1,
) -> Window:
    """Return the rows with start <= time <= stop, in seconds or as text with a unit; None leaves an end open.

    An instant that differs from an end only by rounding counts as inside. Raises InputError for ends that are not
    times, and if fewer than ``least`` rows lie in it.
    """
    start, stop = times_of(start=start, stop=stop)
    margin = 1e-9 * max(abs(float(times[0])), abs(float(times[-1])))
    first = 0 if start is None else int(np.searchsorted(times, start - margin, side="left"))
    end = times.size if stop is None else int(np.searchsorted(times, stop + margin, side="right"))
    if end - first < least:
        held = f"saved: {times[0]:g} to {times[-1]:g} s in {times.size} instants"
        few = f"fewer than {least} saved instants lie" if least > 1 else "no saved instant lies"
        begin, finish = ("" if at is None else f"{at:g} s" for at in (start, stop))
        given = f"{begin or 'the start'} to {finish or 'the end'}"
        if start is not None and stop is not None and stop < start:
            raise InputError(Problem("time", f"this window ends before it begins; {held}", given))
        raise InputError(Problem("time", f"{few} in this window; {held}", given))
    return Window(float(times[first]), float(times[end - 1]), first, end)


def chain_frequency(drive: Drive, speeds: ArrayLike) -> FloatArray:
    """Return the tooth frequency, the pitches of chain that pass a point per second, for speeds of the wheels (..., W);
    (...) [Hz].

    It is the median over the wheels, so that a wheel on which the chain jumps, or whose speed deviates, has no effect.
    """
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    return np.asarray(np.median(tooth_frequency(speeds, teeth), axis=-1))


def mean_tooth_frequency(solution: Solution, start: float | None = None, stop: float | None = None) -> float:
    """Return the tooth frequency at the mean speeds of the wheels from start to stop [s]; None leaves an end open. [Hz]

    For a chain between sheaves, whose radii change, it follows from the positions of the links if these were kept. Only
    instants at which all speeds are numbers are used; nan if there are none. Raises InputError if ``wheel_speed`` was
    not kept or nothing was saved in the window.
    """
    if not solution.drive.wheels:
        return float("nan")
    window = window_of(instants(solution), start, stop)
    if solution.drive.sheaves and window.duration > 0.0 and "link_path_position" in solution:
        first, last = chain_advance(solution)[[window.first, window.end - 1]]
        return abs(float(last - first)) / window.duration
    speeds = solution.values("wheel_speed", window.rows)
    known = speeds[np.isfinite(speeds).all(axis=1)]
    return float(chain_frequency(solution.drive, known.mean(axis=0))) if len(known) else float("nan")


def chain_advance(solution: Solution) -> FloatArray:
    """Return the advance of the chain along the loop in pitches at every instant, shape (rows,), counted continuously
    over all loops.

    The middle of link i is at (i + 0.5 + advance) modulo the number of links N; position 0 is the first seat of wheel 0
    at the start. The advance follows from the number of teeth by which wheel 0 has turned (channel wheel_angle), with
    the offset from link_path_position. Without wheel_angle it follows from link_path_position alone, which must not
    move by half a loop between two rows. Between sheaves, where the chain slips and the ratio changes, it follows from
    link_path_position, and wheel_angle gives only the number of loops from row to row. Raises InputError if
    link_path_position was not kept.
    """
    links = solution.drive.chain.links
    place = np.asarray(solution.values("link_path_position", item=0), dtype=np.float64) - 0.5
    if solution.drive.chain.ends is not None:  # an open chain does not advance along a loop
        return np.zeros(place.size)
    if "wheel_angle" not in solution:
        return np.asarray(np.unwrap(place, period=links), dtype=np.float64)
    angle = solution.values("wheel_angle", item=0)
    turned = drive_facts(solution.drive).pitches_turned(angle - angle[:1])
    if solution.drive.sheaves:
        return unwrapped(place, turned, links)
    # Mean on the circle: rows that are means over a moment have no meaning where the position jumps from N to 0.
    turn = 2.0 * np.pi / links
    apart = (place - turned)[np.isfinite(place - turned)]  # a run that diverged ends with not-a-number
    if not apart.size:
        return np.full(turned.size, np.nan)
    offset = np.angle(np.exp(1j * turn * apart).mean()) / turn
    return np.asarray(turned + offset, dtype=np.float64)


def unwrapped(place: FloatArray, about: FloatArray, links: int) -> FloatArray:
    """Return a position along the loop, given from 0 to ``links`` at instants (n,), counted continuously over all
    loops. [pitches]

    about (n,): an estimate of the result, whose error may change by less than half a loop from one instant to
    the next.
    """
    steps = np.diff(about)
    steps += (np.diff(place) - steps + 0.5 * links) % links - 0.5 * links
    return np.asarray(place[0] + np.concatenate([[0.0], np.cumsum(steps)]), dtype=np.float64)


def loop_window(
    solution: Solution, start: float | None = None, stop: float | None = None, advance: FloatArray | None = None
) -> tuple[Window, float]:
    """Return the last full loop of the chain, or the requested window, and the number of loops that the chain makes in
    it.

    If only a stop is given, it is the last loop before the stop; if only a start is given, the first loop after the
    start. A run in which the chain does not make a full loop is used completely; the number of loops is then less than
    1. Raises InputError for an empty window.
    """
    times = instants(solution)
    moved = chain_advance(solution) if advance is None else advance
    links = solution.drive.chain.links
    broken = np.flatnonzero(~np.isfinite(moved))
    known = max(int(broken[0]), 1) if broken.size else times.size  # of a run that diverged, the rows before
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
