"""Whether a run is steady, and what its headline numbers are of: judged here, by one rule, for every output."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.periodicity import Repetition, period_text, repetitions, share_text
from chaindrive.analyses.signals.selection import steady_window
from chaindrive.analyses.signals.windows import instants, window_of
from chaindrive.numbers import quantity
from chaindrive.results.solution import Solution

__all__ = ["STEADY", "Part", "Steadiness", "headline_part", "steadiness"]

STEADY = 0.1
"""Up to which rms difference of the span tensions from those a period before, over their fluctuation, a run is steady:
what is left then is a hundredth of the energy of the fluctuation. [-]"""
QUIET = 1e-3
"""Of the tension of the tightest span: what fluctuates less (standard deviation) is at rest in it. [-]"""


class Steadiness(NamedTuple):
    """Whether the end of a run repeats what was one period before."""

    steady: bool | None
    """None where it is not known."""
    share: float
    """Rms difference of the span tensions over their fluctuation, of the span that differs most [-]; 0 where none
    fluctuates, nan where it is not known."""
    headline: str
    """In a few words, such as "54 % from one period to the next"."""
    lines: tuple[str, ...]
    """What stands behind it."""

    @property
    def word(self) -> str:
        """STEADY, NOT STEADY, or "not known"."""
        return "not known" if self.steady is None else "STEADY" if self.steady else "NOT STEADY"

    @property
    def text(self) -> str:
        """All of it in a sentence."""
        return f"{self.word}: {'; '.join(self.lines)}"


class Part(NamedTuple):
    """The one window of time that all headline numbers are of."""

    name: str
    """"steady part"; "last part" of a run that is not steady, or not known to be; "selected part"."""
    start: float
    """[s]"""
    stop: float
    """[s]"""

    @property
    def text(self) -> str:
        """From when to when."""
        return f"{quantity(self.start, 's', 6)} to {quantity(self.stop, 's', 6)}"


def headline_part(solution: Solution, start: float | None = None, stop: float | None = None) -> Part:
    """The window that the headline numbers of a run are of: the one that was asked for [s], or its steady part.

    By default the last whole revolutions of the driver in the steady part (:func:`steady_window`), which is called
    "last part" where the run is not steady. Raises InputError where nothing was stored in it.
    """
    begin, end = steady_window(solution, start, stop)
    if start is not None or stop is not None:
        return Part("selected part", begin, end)
    return Part("steady part" if steadiness(solution).steady else "last part", begin, end)


def steadiness(solution: Solution) -> Steadiness:
    """Whether the end of a run repeats: by at most ``STEADY``, in every span whose tension fluctuates.

    Of the differences to one loop, one period and one tooth before the least counts. An open chain goes round nowhere:
    not known. Raises InputError where nothing was stored.
    """
    drive = solution.drive
    if drive.chain.ends is not None:
        return Steadiness(None, math.nan, "not known", ("an open chain does not recirculate",))
    names, moving = drive.span_names, _fluctuating(solution)
    found = {each.name.removeprefix("span tension of "): each for each in repetitions(solution)}
    if not moving.any() and any(name in found for name in names):
        quiet = f"{100.0 * QUIET:.3g} %"
        lines = (f"span tensions fluctuate by less than {quiet} of the largest",)
        return Steadiness(True, 0.0, f"fluctuates by < {quiet}", lines)
    rows = [found[name] for name, moves in zip(names, moving, strict=True) if moves and name in found]
    return _judged(solution, [each for each in rows if np.isfinite(each[1:]).any()])


def _judged(solution: Solution, rows: Sequence[Repetition]) -> Steadiness:
    if not rows:
        reason = "the run is too short to compare its end with one period earlier"
        return Steadiness(None, math.nan, "not known", (reason,))
    times = ("loop", "period", "tooth")
    least = [min((share, time) for share, time in zip(each[1:], times, strict=True) if share == share) for each in rows]
    worst, short = max(least)
    time = period_text(solution.drive) if short == "period" else short
    lines = [f"span tensions at the end differ by {share_text(worst)} % (RMS) after one {time}"]
    if worst > STEADY:
        lines[0] += f"; at most {100.0 * STEADY:g} % counts as steady"
    waited = solution.notes.get("steady")
    if waited:
        lines.append(f"power and span tensions balance since {quantity(solution.notes['steady_since'], 's', 4)}")
    elif waited is False:
        lines.append("power and span tensions did not balance within the time allowed")
    return Steadiness(worst <= STEADY, worst, f"{share_text(worst)} % from one {short} to the next", tuple(lines))


def _fluctuating(solution: Solution) -> NDArray[np.bool_]:
    """Which spans have a tension that fluctuates in the steady part, (spans,)."""
    if "span_tension" not in solution:
        return np.zeros(len(solution.drive.span_names), dtype=bool)
    window = window_of(instants(solution), *steady_window(solution))
    values = np.asarray(solution.values("span_tension", window.rows), dtype=np.float64)
    return np.asarray(values.std(axis=0) > QUIET * np.abs(values.mean(axis=0)).max(initial=0.0))
