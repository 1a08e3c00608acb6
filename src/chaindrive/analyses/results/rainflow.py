"""Rainflow counts of the link tension, for the fatigue of the links.

Counting follows ASTM E1049-85 (2017), section 5.4.4, and uses the package ``rainflow``. Turning points are the extremes
over all steps since the previous row if the results contain them, otherwise they come from the stored instants.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.analyses.results.passing import passing_advance, passing_tension, spans_only
from chaindrive.analyses.signals.selection import check_index, steady_start
from chaindrive.analyses.signals.windows import chain_advance, instants, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.results.solution import Solution

__all__ = [
    "Exceedance",
    "Histogram",
    "Rainflow",
    "count_cycles",
    "equivalent_range",
    "exceedance",
    "link_rainflow",
    "range_mean_histogram",
    "turning_points",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
MANY = 64
"""Cycles are removed from a history at the same time if one of this number of reversals begins such a cycle."""


class Rainflow(NamedTuple):
    """The C tension cycles of L links in one time window."""

    start: float
    """Start of the window. [s]"""
    stop: float
    """End of the window. [s]"""
    loops: float
    """Number of loops of the chain in the window; nan if link_path_position was not kept."""
    links: IntArray
    """Counted links in increasing order, shape (L,)."""
    link: IntArray
    """Link of every cycle, shape (C,)."""
    range: FloatArray
    """Maximum minus minimum tension of the cycle, shape (C,) [N]."""
    mean: FloatArray
    """Mean of the minimum and maximum of the cycle, shape (C,) [N]."""
    count: FloatArray  # type: ignore[assignment]
    """1 for a closed cycle, 0.5 for a half cycle, shape (C,)."""
    least: float
    """Ranges below this value were omitted before counting. [N]"""
    repeating: bool = False
    """Whether the window was counted as one period of a repeating history."""

    @property
    def duration(self) -> float:
        """Duration. [s]"""
        return self.stop - self.start

    def of(self, link: int) -> Rainflow:
        """Return the cycles of one link. Raises InputError if it was not counted."""
        if link not in self.links:
            raise InputError(Problem("link", f"was not counted; {self.links.size} of the links were", str(link)))
        mine = self.link == link
        parts = {name: getattr(self, name)[mine] for name in ("link", "range", "mean", "count")}
        return self._replace(links=np.array([link]), **parts)


class Histogram(NamedTuple):
    """Number of cycles by range and mean, in R bins of the range and M bins of the mean."""

    range_edges: FloatArray
    """Edges of the range bins, shape (R + 1,). [N]"""
    mean_edges: FloatArray
    """Edges of the mean bins, shape (M + 1,). [N]"""
    count: FloatArray  # type: ignore[assignment]
    """Cycles in the window, shape (R, M), of all links together."""


class Exceedance(NamedTuple):
    """Number of cycles that reach or exceed a range: the load spectrum."""

    range: FloatArray
    """Distinct ranges in descending order, shape (n,) [N]."""
    cycles: FloatArray
    """Cycles of at least this range in the window, as a mean over the links, shape (n,)."""
    per_loop: FloatArray
    """Number of such cycles in one loop of the chain; nan if the number of loops is unknown."""
    per_hour: FloatArray
    """Number of such cycles per hour of operation as in the window."""


def turning_points(values: ArrayLike, least: float = 0.0) -> FloatArray:
    """Return the reversals of a signal, with its first and last value; values (n,), in which nan is ignored.

    least: reversals smaller than this are dropped (a hysteresis filter), so that a small ripple does not split a large
    cycle; the first and last value are then not necessarily kept.
    """
    signal = np.asarray(values, dtype=np.float64)
    signal = signal[np.isfinite(signal)]
    if signal.size < 2:
        return signal
    step = np.diff(signal)
    signal = np.concatenate([signal[:1], signal[1:][step != 0.0]])
    if signal.size < 2:
        return signal
    rising = np.diff(signal) > 0.0
    kept = np.concatenate([[True], rising[1:] != rising[:-1], [True]])
    points = np.asarray(signal[kept], dtype=np.float64)
    return points if least <= 0.0 or points.size < 3 else _filtered(points, least)


def _filtered(points: FloatArray, least: float) -> FloatArray:
    """Return the reversals that differ by at least ``least`` from the previous one; empty if there are none."""
    kept: list[float] = []
    low = high = extreme = float(points[0])
    up = 0
    for value in points[1:].tolist():
        if up == 0:  # the first reversal is the extreme from which the signal first moves far enough
            if max(high - value, value - low) >= least:
                up = 1 if value - low >= least else -1
                kept.append(low if up == 1 else high)
                extreme = value
            low, high = min(low, value), max(high, value)
        elif (value - extreme) * up > 0.0:
            extreme = value
        elif (extreme - value) * up >= least:
            kept.append(extreme)
            extreme, up = value, -up
    return np.array([*kept, extreme] if up else kept)


def count_cycles(
    values: ArrayLike, least: float = 0.0, repeating: bool = False
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return range, mean and count of every cycle of a signal of shape (n,).

    Closed cycles within larger ones come first, then the others in the order in which they close.

    Rainflow counting according to ASTM E1049-85, section 5.4.4: of the two ranges between the three latest reversals,
    the earlier one, Y, is a cycle as soon as the latest range X is not smaller. It counts as half a cycle if it
    contains the start of the history. In the residue, every range counts as half a cycle.

    repeating: the history repeats (section 5.4.5): it is rearranged to begin at its largest value, so that every cycle
    closes. The largest cycle, from the largest to the smallest value and back, is counted as two halves.
    """
    from rainflow import extract_cycles

    signal = np.asarray(values, dtype=np.float64)
    if repeating:
        signal = signal[np.isfinite(signal)]
        if signal.size:
            signal = np.roll(signal, -int(np.argmax(signal)))
            signal = np.append(signal, signal[0])
    points = turning_points(signal, least)
    if points.size < 2:
        return np.empty(0), np.empty(0), np.empty(0)
    closed, points = _closed_within(points)
    if points.size == 2:  # the package sees no range in two points
        rest = np.array([[abs(points[1] - points[0]), points.mean(), 0.5]])
    else:
        rest = np.array([cycle[:3] for cycle in extract_cycles(points.tolist())], dtype=np.float64)
    ranges, means, counts = np.concatenate([*closed, rest]).T
    return ranges, means, counts


def _closed_within(points: FloatArray) -> tuple[list[FloatArray], FloatArray]:
    """Return cycles that close within larger ones, as rows of range, mean and count, and the other reversals.

    A range between two larger ones is a closed cycle whatever precedes or follows them, so that all such ranges can be
    removed at the same time. It is worthwhile while they are many; the package counts the few others one by one.
    """
    found: list[FloatArray] = []
    while points.size >= 4:
        size = np.abs(np.diff(points))
        first = 1 + np.flatnonzero((size[:-2] > size[1:-1]) & (size[1:-1] <= size[2:]))
        if MANY * first.size < points.size:
            break
        found.append(np.stack([size[first], 0.5 * (points[first] + points[first + 1]), np.ones(first.size)], axis=1))
        points = np.delete(points, np.concatenate([first, first + 1]))
    return found, points


def link_rainflow(
    solution: Solution,
    links: Iterable[int] | None = None,
    start: float | None = None,
    stop: float | None = None,
    least: float = 0.0,
    repeating: bool | None = None,
) -> Rainflow:
    """Count and return the tension cycles of all links, or of selected links, in a time window.

    start, stop [s]: by default as many whole loops of the chain as fit into the steady part of the run, so that every
    link passes every place equally often; if the steady part is shorter than a loop, the steady part itself. least [N]:
    a hysteresis below which reversals are ignored. repeating: whether the window is one period of a repeating history
    (see :func:`count_cycles`); by default true for whole loops, and false for a requested window.

    Needs link_tension, and link_path_position for counts per loop. For a formulation with only span tensions
    (``block``), it needs span_tension and wheel_angle to find the spans through which the links pass. Raises InputError
    for an empty window and for a link that does not exist.
    """
    count = solution.drive.chain.links
    wanted = np.arange(count) if links is None else np.unique([check_index("link", int(i), count) for i in links])
    if not (math.isfinite(least) and least >= 0.0):
        raise InputError(Problem("least", "must be at least 0 N", f"{least:g}"))
    times = instants(solution)
    begin = steady_start(solution) if start is None and stop is None else start
    window = window_of(times, begin, stop, least=2)
    rows, loops, whole_loops = window.rows, math.nan, False
    by_span = spans_only(solution)
    if by_span or "link_path_position" in solution:
        advance = (passing_advance(solution) if by_span else chain_advance(solution))[rows]
        moved = np.abs(advance - advance[-1]) / count
        loops = float(moved[0])
        if start is None and stop is None and loops >= 1.0:
            whole = int(np.flatnonzero(moved >= math.floor(loops * (1.0 + 1e-9)) * (1.0 - 1e-9))[-1])
            loops, rows, whole_loops = float(moved[whole]), slice(window.first + whole, window.end), True
    tension = passing_tension(solution, rows) if by_span else _extremes_in_turn(solution, rows)
    again = whole_loops if repeating is None else repeating
    if again:  # the chain in the first row is where it is in the last row, or up to a step before it
        tension = tension[tension.shape[0] // (rows.stop - rows.start) :]
    parts = [count_cycles(tension[:, i], least, again) for i in wanted]
    sizes = [ranges.size for ranges, _, _ in parts]
    found = [np.concatenate([part[k] for part in parts]) if parts else np.empty(0) for k in range(3)]
    return Rainflow(
        start=float(times[rows.start]),
        stop=float(times[rows.stop - 1]),
        loops=loops,
        links=wanted,
        link=np.repeat(wanted, sizes),
        range=found[0],
        mean=found[1],
        count=found[2],
        least=least,
        repeating=again,
    )


def _extremes_in_turn(solution: Solution, rows: slice) -> NDArray[np.floating]:
    """Return the tension of every link at the stored instants, shape (rows, L). If extremes were stored, return instead
    the smallest and largest tension since the previous row, shape (2 rows, L), the smallest first if the tension rises
    from row to row.
    """
    tension = solution.values("link_tension", rows)
    if "link_tension_max" not in solution or "link_tension_min" not in solution:
        return tension
    low, high = (solution.values(f"link_tension_{which}", rows) for which in ("min", "max"))
    rises = np.diff(tension, axis=0, prepend=tension[:1]) >= 0.0
    both = np.empty((2 * tension.shape[0], tension.shape[1]), tension.dtype)
    both[0::2], both[1::2] = np.where(rises, low, high), np.where(rises, high, low)
    return both


def range_mean_histogram(cycles: Rainflow, ranges: int = 32, means: int = 32) -> Histogram:
    """Return the number of cycles of all counted links by range (from 0) and mean, in the given numbers of bins of
    equal width.
    """
    problems = [
        Problem(name, "must be at least 1", str(n)) for name, n in (("ranges", ranges), ("means", means)) if n < 1
    ]
    if problems:
        raise InputError(problems)
    top = float(cycles.range.max(initial=0.0)) or 1.0
    low, high = (float(f(cycles.mean)) if cycles.mean.size else 0.0 for f in (np.min, np.max))
    if not high > low:
        low, high = low - 0.5, low + 0.5
    counted, range_edges, mean_edges = np.histogram2d(
        cycles.range, cycles.mean, bins=(ranges, means), range=((0.0, top), (low, high)), weights=cycles.count
    )
    return Histogram(range_edges, mean_edges, counted)


def exceedance(cycles: Rainflow) -> Exceedance:
    """Return the number of cycles that reach or exceed each range, as a mean over the counted links."""
    values, inverse = np.unique(cycles.range, return_inverse=True)
    each = np.bincount(inverse, weights=cycles.count, minlength=values.size) / max(cycles.links.size, 1)
    total = np.cumsum(each[::-1])
    hour = 3600.0 / cycles.duration if cycles.duration > 0.0 else math.nan
    return Exceedance(values[::-1], total, total / cycles.loops if cycles.loops else total * math.nan, total * hour)


def equivalent_range(cycles: Rainflow, exponent: float = 5.0) -> FloatArray:
    """Return the damage-equivalent range of every counted link [N]: one such cycle per loop of the chain causes the
    same damage as all its cycles.

    Miner's rule (Palmgren 1924; Miner 1945) with an S-N curve of constant slope, N S^m = const, without an endurance
    limit and without a mean-stress correction: (sum n_i S_i^m / loops)^(1 / m), shape (L,). exponent: m of the link
    plate; 5 is the value of the FKM guideline for non-welded steel under normal stress. The window should consist of
    whole loops. Raises InputError if the exponent is not positive or the number of loops is not known.
    """
    if not (math.isfinite(exponent) and exponent > 0.0):
        raise InputError(Problem("exponent", "must be finite and above 0", f"{exponent:g}"))
    if not cycles.loops > 0.0:
        raise InputError(
            Problem("link_path_position", "was not kept, or the chain did not move: the number of loops is not known")
        )
    top = float(cycles.range.max(initial=0.0))
    if top == 0.0:
        return np.zeros(cycles.links.size)
    where = np.searchsorted(cycles.links, cycles.link)
    damage = np.bincount(where, weights=cycles.count * (cycles.range / top) ** exponent, minlength=cycles.links.size)
    return np.asarray(top * (damage / cycles.loops) ** (1.0 / exponent))
