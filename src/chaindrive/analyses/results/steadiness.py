"""Steadiness of a run and the window of its headline values, judged by the same rule in every output."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.periodicity import QUIET, period_text, repetitions, share_text
from chaindrive.analyses.signals.selection import steady_window
from chaindrive.analyses.signals.windows import instants, window_of
from chaindrive.mechanism.facts import drive_facts
from chaindrive.numbers import quantity
from chaindrive.results.solution import Solution

__all__ = ["STEADY", "Creep", "Part", "Steadiness", "creep", "drift", "headline_part", "steadiness"]

FloatArray = NDArray[np.float64]

STEADY = 0.1
"""A motion is regular if its span tensions differ by no more than this from those one period earlier (RMS, relative to
their fluctuation). This remainder is a hundredth of the energy of the fluctuation. [-]"""
DRIFT = 0.05
"""A run has stopped changing if the halves of its last part differ by no more than this (:func:`drift`). [-]"""
PACE = 0.01
"""A drive is neither speeding up nor slowing down if the mean speeds of every wheel in these halves differ by no more
than this. [-]"""

CREEP, CREEP_OF_SPEED = 0.01, 0.005
"""A run has settled if no trend of its last part is expected to change a span tension (relative to the tightest span)
or the speed of a wheel by more than this in a run that continues for ``CONTINUED``. [-]"""
CONTINUED = 2
"""Duration over which a trend is continued, in durations of the last part: usually as long again as the run. [-]"""
FEWEST_BLOCKS, MOST_BLOCKS = 4, 10
"""Smallest and largest number of blocks of the last part whose means may have a trend."""
CHANCE = 1e-4
"""Probability below which a trend of the means of blocks is not a matter of chance (test of Student for the slope). [-]
"""
SAME_LINKS = 2
"""Period of a chain whose inner and outer links differ. [links]"""


class Steadiness(NamedTuple):
    """Whether the quantities by which a run is judged have stopped changing."""

    steady: bool | None
    """Whether the run is steady; None if not known."""
    share: float
    """RMS difference of the span tensions from one period to the next, divided by their fluctuation, for the span that
    differs most; the divisor is at least a tenth of the mean tension of the tightest span [-]. nan if not known."""
    headline: str
    """Result in a few words, such as "54 % after one period"."""
    lines: tuple[str, ...]
    """Details."""
    drift: float = math.nan
    """Difference of the span tensions between the two halves of the last part (:func:`drift`), or the difference of the
    speeds, scaled so that ``PACE`` becomes ``DRIFT``, or the expected change of :func:`creep`, scaled likewise, if one
    of these is larger [-]; nan if none is known."""

    @property
    def irregular(self) -> bool:
        """Return whether the run is steady only in its means and fluctuations, without repeating from period to
        period.
        """
        return self.steady is True and self.share > STEADY

    @property
    def word(self) -> str:
        """STEADY, NOT STEADY, or "not known"."""
        return "not known" if self.steady is None else "STEADY" if self.steady else "NOT STEADY"

    @property
    def text(self) -> str:
        """The complete result in a sentence."""
        return f"{self.word}: {'; '.join(self.lines)}"


class Creep(NamedTuple):
    """The slow change of the last part that goes furthest, compared with its limit."""

    what: str
    """Name of the quantity: "tension of span a - b", "fluctuation of the tension of span a - b", "speed of wheel"."""
    change: float
    """Change over the last part, relative to the tension of the tightest span or to the speed. [-]"""
    expected: float
    """Expected change if the run continued for ``CONTINUED`` times the last part, on the same scale. [-]"""
    limit: float
    """``CREEP`` or ``CREEP_OF_SPEED``. [-]"""

    @property
    def lasting(self) -> bool:
        """Return whether the run has not settled."""
        return self.expected > self.limit


class Part(NamedTuple):
    """The time window of all headline values."""

    name: str
    """Name of the part: "steady part"; "last part" for a run that is not steady or whose steadiness is not known;
    "selected part".
    """
    start: float
    """Start of the window. [s]"""
    stop: float
    """End of the window. [s]"""

    @property
    def headline(self) -> bool:
        """Return whether it is the part judged by default, and not a selected one."""
        return self.name in ("steady part", "last part")

    @property
    def text(self) -> str:
        """The time range as a string."""
        return f"{quantity(self.start, 's', 6)} to {quantity(self.stop, 's', 6)}"


def headline_part(solution: Solution, start: float | None = None, stop: float | None = None) -> Part:
    """Return the window of the headline values of a run: the requested window [s], or the steady part.

    By default it covers the last whole revolutions of the driver in the steady part (:func:`steady_window`); if the run
    is not steady, it is called "last part". If the run failed, it ends with the last row. Raises InputError if nothing
    was stored in it.
    """
    begin, end = steady_window(solution, start, stop)
    if stop is None and solution.status.failed:
        end = float(solution.time[-1])
    if start is not None or stop is not None:
        return Part("selected part", begin, end)
    return Part("steady part" if steadiness(solution).steady else "last part", begin, end)


def steadiness(solution: Solution) -> Steadiness:
    """Return whether the quantities by which a run is judged have stopped changing: speeds, mean span tensions and
    their fluctuations.

    Means and fluctuations of both halves of the last part may differ by at most ``DRIFT``, speeds by ``PACE``. Nor may
    a slow trend within the last part lead further than ``CREEP`` or ``CREEP_OF_SPEED`` (:func:`creep`). A run
    with fewer than two periods in its last part has no such halves. It is steady if its end repeats within ``STEADY``
    in every span; of the differences from one loop, one period and one tooth earlier, the smallest counts. A run that
    neither repeats nor changes is steady and irregular: spans vibrate irregularly, or the motion is chaotic. For an
    open chain, which has no loop, the steadiness is not known. Raises InputError if nothing was stored.
    """
    drive = solution.drive
    if drive.chain.ends is not None:
        return Steadiness(None, math.nan, "not known", ("an open chain does not recirculate",))
    rows = [each for each in repetitions(solution) if each.name.startswith("span tension")]
    if not rows:
        reason = "the run is too short to compare its end with one period earlier"
        return Steadiness(None, math.nan, "not known", (reason,))
    times = ("loop", "period", "tooth")
    least = [
        min((share, time, each.quiet) for share, time in zip(each.shares, times, strict=True) if share == share)
        for each in rows
    ]
    return _judged(solution, *max(least))


def _judged(solution: Solution, worst: float, time: str, quiet: bool) -> Steadiness:
    scale, of_what = (QUIET, "the tightest span's tension") if quiet else (1.0, "their fluctuation")
    share = f"{share_text(worst * scale)} %"
    names = {"period": period_text(solution.drive), "tooth": drive_facts(solution.drive).passing}
    period = names.get(time, time)
    lines = [f"span tensions differ by {share} of {of_what} (RMS) after one {period}"]
    changed = drift(solution)
    halves = f"halves of the last part differ by {share_text(changed)} %; limit {100.0 * DRIFT:g} %"
    if worst > STEADY:
        lines[0] += f"; {100.0 * STEADY * scale:g} % would be a regular motion"
    if worst > STEADY and math.isnan(changed):
        lines.append("the last part has fewer than two periods: it is not known whether the run is still changing")
    elif changed > DRIFT:
        lines.append(f"still changing: {halves}")
    elif worst > STEADY:
        lines.append(f"irregular, not drifting: {halves}")
    wheel, pace = pace_change(solution)
    if pace > PACE:
        lines.append(
            f"speeds are still changing: the speed of {wheel!r} by {share_text(pace)} % between halves of the last "
            f"part; limit {100.0 * PACE:g} %"
        )
    slow = creep(solution)
    lasting = slow is not None and slow.lasting
    if slow is not None and lasting and not (changed > DRIFT or pace > PACE):
        lines.append(
            f"slowly changing: the {slow.what} by {share_text(slow.change)} % during the last part, and by about "
            f"{share_text(slow.expected)} % if the run is continued for twice that time; limit {100.0 * slow.limit:g} %"
        )
    waited = solution.notes.get("steady")
    if waited:
        lines.append(
            f"power and span tensions have been balanced since {quantity(solution.notes['steady_since'], 's', 4)}"
        )
    elif waited is False:
        lines.append("power and span tensions did not balance within the time allowed")
    steady = (worst <= STEADY or changed <= DRIFT) and not changed > DRIFT and not pace > PACE
    steady = steady and not lasting and waited is not False
    repeats = f"{share} after one {period if time == 'tooth' else time}"
    headline = f"irregular, {repeats}" if steady and worst > STEADY else repeats
    further = DRIFT * slow.expected / slow.limit if slow is not None else math.nan
    size = np.fmax(np.fmax(changed, DRIFT * pace / PACE), further)
    return Steadiness(steady, worst, headline, tuple(lines), float(size))


def drift(solution: Solution) -> float:
    """Return the difference of the span tensions between the first and the second half of the last part [-].

    It is the largest difference in mean or standard deviation over all spans, divided by the mean tension of the
    tightest span. The halves are whole periods of motions and loads; nan if the last part has fewer than two of them.
    """
    rows, (first, second) = _halves(solution)
    values = np.asarray(solution.values("span_tension", rows), dtype=np.float64)
    tight = float(np.abs(values.mean(axis=0)).max())
    if min(len(values[first]), len(values[second])) < 2 or not tight > 0.0:
        return math.nan
    before, after = values[first], values[second]
    means = np.abs(before.mean(axis=0) - after.mean(axis=0)).max() / tight
    fluctuations = np.abs(before.std(axis=0) - after.std(axis=0)).max() / tight
    return max(float(means), float(fluctuations))


def pace_change(solution: Solution) -> tuple[str, float]:
    """Return the name of the wheel whose mean speed differs most between the halves of the last part (see
    :func:`drift`), and this difference relative to the larger of the two speeds [-]; nan if it is not known.
    """
    if "wheel_angle" not in solution:
        return "", math.nan
    rows, halves = _halves(solution)
    time, angles = instants(solution)[rows], np.asarray(solution.values("wheel_angle", rows), dtype=np.float64)
    if min(len(angles[half]) for half in halves) < 2:
        return "", math.nan
    first, second = (np.ptp(angles[half], axis=0) / np.ptp(time[half]) for half in halves)
    change = np.abs(first - second) / np.maximum(np.maximum(first, second), np.finfo(np.float64).tiny)
    worst = int(np.argmax(change))
    return solution.drive.wheels[worst].name, float(change[worst])


def creep(solution: Solution) -> Creep | None:
    """Return the trend in the last part that leads furthest, relative to its limit; None if there is no trend, or not
    enough periods to tell.

    The last part is divided into equal blocks of whole periods of motions and loads (whole loops for unequal links,
    whole teeth if only these excite the drive). A straight line through the means of the blocks, or through their
    standard deviations, is a trend if its slope is too regular for chance (``CHANCE``), so that the scatter of an
    irregular motion is none. The change expected for a continued run follows from the means of the three thirds of the
    part as a geometric series: a transient that fades changes little more, while a ramp goes on.
    """
    if "wheel_angle" not in solution or "span_tension" not in solution:
        return None
    rows, blocks = _blocks(solution)
    if len(blocks) < FEWEST_BLOCKS:
        return None
    drive, time = solution.drive, instants(solution)[rows]
    tensions = np.asarray(solution.values("span_tension", rows), dtype=np.float64)
    angles = np.asarray(solution.values("wheel_angle", rows), dtype=np.float64)
    tight = float(np.abs(tensions.mean(axis=0)).max())
    means, deviations = (np.stack([getattr(tensions[each], of)(axis=0) for each in blocks]) for of in ("mean", "std"))
    ends = [slice(each.start, min(each.stop + 1, time.size)) for each in blocks]  # to the start of the next block
    speeds = np.stack([np.ptp(angles[each], axis=0) / np.ptp(time[each]) for each in ends])
    covered = time.size / (blocks[-1].stop - blocks[0].start)  # the part, in durations of all blocks
    found = []
    for names, values, scale, limit in (
        ([f"tension of span {name}" for name in drive.span_names], means, tight, CREEP),
        ([f"fluctuation of the tension of span {name}" for name in drive.span_names], deviations, tight, CREEP),
        ([f"speed of {wheel.name}" for wheel in drive.wheels], speeds, None, CREEP_OF_SPEED),
    ):
        for name, column in zip(names, values.T, strict=True):
            size = float(np.abs(column).mean()) if scale is None else scale
            if size > 0.0 and _has_trend(column):
                change, expected = (covered * each for each in _continued(column / size))
                found.append(Creep(name, change, expected, limit))
    return max(found, key=lambda each: each.expected / each.limit, default=None)


def _has_trend(values: FloatArray) -> bool:
    """Return whether a straight line through equidistant values, (n,), has a slope that is not due to chance."""
    from scipy.special import stdtr  # scipy.stats takes half a second to import

    if not np.isfinite(values).all() or not np.ptp(values) > 1e-12 * float(np.abs(values).max()):
        return False
    freedom, correlation = values.size - 2, float(np.corrcoef(np.arange(values.size), values)[0, 1])
    size = abs(correlation) * math.sqrt(freedom / max(1.0 - correlation**2, np.finfo(np.float64).tiny))
    return bool(2.0 * stdtr(freedom, -size) < CHANCE)


def _continued(values: FloatArray) -> tuple[float, float]:
    """Return the change of equidistant values with a trend, (n,), over their n steps, and the change expected over
    ``CONTINUED`` times as many further steps; both are magnitudes.
    """
    thirds = [float(part.mean()) for part in np.array_split(values, 3)]
    centres = [float(part.mean()) for part in np.array_split(np.arange(values.size, dtype=np.float64), 3)]
    before, after = (float(step) for step in np.diff(thirds) / np.diff(centres))
    slope = float(np.polyfit(np.arange(values.size), values, 1)[0])
    decay = min(max(after / before, 0.0), 1.0) if before * slope > 0.0 else 1.0  # in a third of the part
    third = after * values.size / 3.0
    steps = np.arange(1, 3 * CONTINUED + 1)
    return abs(slope) * values.size, abs(third) * float((decay**steps).sum())


def _blocks(solution: Solution) -> tuple[slice, tuple[slice, ...]]:
    """Return the rows of the last part, and its equal blocks of whole periods, whose rows are counted from the start of
    the part; the last block ends with the part.
    """
    rows, drive = window_of(instants(solution), *steady_window(solution)).rows, solution.drive
    facts, links = drive_facts(drive), list(zip(drive.chain.elongations, drive.chain.attached_masses, strict=True))
    left = _pitches_left(solution, rows)
    if left.size < 2 * FEWEST_BLOCKS or not np.all(np.diff(left) < 0.0):
        return rows, ()
    uneven = any(link != links[k % SAME_LINKS] for k, link in enumerate(links))
    alone = not solution.notes.get("shafts")
    unit = SAME_LINKS if alone and facts.repeats_with_teeth else facts.period
    unit = unit * math.ceil(len(links) / unit) if uneven else unit
    covered = float(left[0]) * left.size / (left.size - 1)  # each row stands for one step of saving
    whole = math.floor(covered / unit * (1.0 + 1e-9))
    most = min(whole, MOST_BLOCKS, left.size // 2)
    if most < FEWEST_BLOCKS:
        return rows, ()
    count = max(range(FEWEST_BLOCKS, most + 1), key=lambda k: (k * (whole // k), k))  # which leaves out least
    length = unit * (whole // count)
    edges = [*(int(np.argmin(np.abs(left - k * length))) for k in range(count, 0, -1)), left.size]
    return rows, tuple(slice(a, b) for a, b in itertools.pairwise(edges))


def _pitches_left(solution: Solution, rows: slice) -> FloatArray:
    """Return the length of chain that passes the driver from each row to the last one, (rows,). [pitches]"""
    first = drive_facts(solution.drive).driver
    angle = np.asarray(solution.values("wheel_angle", rows, first), dtype=np.float64)
    return np.asarray(np.abs(angle[-1] - angle) * solution.drive.wheels[first].teeth / (2.0 * math.pi))


def _halves(solution: Solution) -> tuple[slice, tuple[slice, slice]]:
    """Return the rows of the last part, and its two halves, each with as many whole periods as fit; empty if not even
    one period fits.

    If the angles of the wheels were not stored, or no period fits and only the teeth excite the drive, the rows are
    divided in the middle.
    """
    rows, drive = window_of(instants(solution), *steady_window(solution)).rows, solution.drive
    count = rows.stop - rows.start
    middle = slice(0, count // 2), slice(count // 2, count)
    if "wheel_angle" not in solution:
        return rows, middle
    facts = drive_facts(drive)
    left = _pitches_left(solution, rows)
    step = left[0] / max(count - 1, 1)
    length = facts.period * math.floor((left[0] + step) / (2.0 * facts.period) + 1e-9)
    if length == 0:
        return rows, middle if facts.repeats_with_teeth else (slice(0), slice(0))
    start, split = (int(np.argmin(np.abs(left - part * length))) for part in (2.0, 1.0))
    return rows, (slice(start, split), slice(split, count))
