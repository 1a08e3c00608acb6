"""Periodicity of a result: a channel is compared with itself one loop, one period of the drive, or one tooth earlier.

Polygonal action repeats with every tooth. Eccentricities, prescribed oscillations and loads repeat with every
revolution of the driver, or after several revolutions (the working cycle of a four-stroke engine). The effect of a
single link repeats with every loop of the chain. Motion that does not repeat with any of these is a transient, a free
vibration, or chaos (Pedersen 2004, section 4.3.5, determines the steady state from the power balance alone).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.signals.windows import mean_tooth_frequency
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.numbers import quantity

if TYPE_CHECKING:
    from chaindrive.model import Drive
    from chaindrive.results import Solution

__all__ = ["Repetition", "period_text", "repetition", "repetitions", "share_text", "steady_text"]

FLOOR = 1e-6
"""A fluctuation below this fraction of the RMS value counts as constant; differences are then taken relative to this
fraction."""
QUIET = 0.1
"""Fraction of the mean tension of the tightest span. A span whose tension fluctuates less than this (standard
deviation) is compared as if it fluctuated by this amount, because its irregular motion does not affect the loads of the
drive."""
MEANING = (
    "RMS difference relative to the fluctuation (span tensions: to at least a tenth of the tightest span's mean); "
    "0 %: repeats exactly, 100 %: unrelated"
)
"""Meaning of the values in a table of repetitions."""
LEAST_ROWS = 8
"""Smallest number of rows that are compared."""
LEAST_ROWS_PER_PERIOD = 4
"""With fewer rows per period than this, the spline between the rows is unreliable."""
SPLINE_ROWS = 32
"""Number of rows of the spline before the first instant at which it is used: the effect of its end decreases by the
factor 0.27 with every row."""


class Repetition(NamedTuple):
    """Difference between a channel and the same channel one period earlier: 0 if it repeats, 1 if it is unrelated, nan
    if not known.
    """

    name: str
    """Name of the channel, and of the wheel or span."""
    loop: float
    period: float
    """Difference after the period of motions and loads, which is one or several revolutions of the driver."""
    tooth: float
    quiet: bool = False
    """Whether the fluctuation is below ``QUIET``; differences are then relative to ``QUIET``."""

    @property
    def shares(self) -> tuple[float, float, float]:
        """Return the differences after a loop, a period and a tooth."""
        return self.loop, self.period, self.tooth


def repetition(
    time: NDArray[np.float64], values: NDArray[np.float64], period: float, window: float, least: float = 0.0
) -> float:
    """Return the RMS of x(t) - x(t - period) over the last ``window`` seconds, divided by sqrt(2) times the standard
    deviation of x.

    time (n,) [s], evenly spaced; values (n,); period, window [s]. Two unrelated signals with the same variance differ
    by sqrt(2) standard deviations, so that the result is 1. Between the instants x is a cubic spline, which is
    inaccurate for oscillations faster than a quarter of the save rate. least: variations smaller than this also count
    as constant. Returns nan if the result is shorter than window + period, or has fewer than 8 rows in the window.
    """
    from scipy.interpolate import CubicSpline

    rounding = 1e-9 * max(abs(float(time[-1])), period) if time.size else 0.0
    if not (period > 0.0 and window > 0.0) or time.size < LEAST_ROWS:
        return math.nan
    late = time >= time[-1] - window - rounding
    if late.sum() < LEAST_ROWS or time[late][0] - period < time[0] - rounding:
        return math.nan
    now = np.asarray(values[late], dtype=np.float64)
    asked = np.maximum(time[late] - period, time[0])
    begin = max(int(np.searchsorted(time, asked[0])) - SPLINE_ROWS, 0)
    before = CubicSpline(time[begin:], values[begin:])(asked)
    rms = math.sqrt(float(np.mean(now**2)))
    scale = math.sqrt(2.0) * max(float(now.std()), FLOOR * rms, least)
    return math.sqrt(float(np.mean((now - before) ** 2))) / scale if scale > 0.0 else 0.0


def repetitions(solution: Solution) -> list[Repetition]:
    """Return how well span tensions, speeds of wheels without prescribed motion, torques of the driver and of wheels
    with prescribed motion, and power repeat.

    The comparison covers the end of a result: the last loop of the chain or, if the result is shorter than two loops,
    the last revolution of the driver. Differences are relative to the fluctuation of each channel; for span tensions,
    to at least the fraction ``QUIET`` of the mean tension of the tightest span. The periods follow from the mean speed
    of the driver in the last loop. A period with fewer than 4 stored rows, or without a preceding period, gives nan.
    The list is empty if the speed of the wheels was not kept or the result is too short for any period.
    """
    time = solution.time
    try:
        drive = solution.drive
        speeds = np.asarray(solution.values("wheel_speed"), dtype=np.float64)
    except InputError:
        return []
    if time.size < LEAST_ROWS or drive.chain.ends is not None:  # an open chain has no loop
        return []
    first = drive_facts(drive).driver
    teeth, links = drive.wheels[first].teeth, drive.chain.links
    speed = abs(float(speeds[-1, first]))
    for _ in range(2):  # the window depends on the speed in it
        if speed > 0.0:
            last = time >= time[-1] - 2.0 * math.pi / speed * links / teeth
            speed = abs(float(speeds[last, first].mean()))
    if not speed > 0.0:
        return []
    revolution, pitches = 2.0 * math.pi / speed, float(teeth)
    if drive.sheaves:  # on the radii of the end, not of the start
        pitches = mean_tooth_frequency(solution, float(time[-1] - revolution)) * revolution
    if not pitches > 0.0:
        return []
    loop, tooth = revolution * links / pitches, revolution / pitches
    period = tooth * drive_facts(drive).period
    window = loop if time[-1] - time[0] >= 2.0 * loop * (1.0 - 1e-9) else revolution
    step = float(np.median(np.diff(time)))
    late = time >= time[-1] - window

    def compared(name: str, values: NDArray[np.float64], rounding: float, quiet: float) -> Repetition:
        def share(lag: float) -> float:
            few = lag < LEAST_ROWS_PER_PERIOD * step
            return math.nan if few else repetition(time, values, lag, window, max(rounding, quiet))

        return Repetition(name, share(loop), share(period), share(tooth), bool(values[late].std() < quiet))

    found = []
    for name in ("span_tension", "wheel_speed", "wheel_torque", "power_input"):
        if name not in solution:
            continue
        values = np.asarray(solution.values(name), dtype=np.float64).reshape(time.size, -1)
        items = solution.items(name)
        rounding = FLOOR * math.sqrt(float(np.mean(values**2)))  # the rounding of a slack span is not a motion
        quiet = QUIET * float(np.abs(values[late].mean(axis=0)).max()) if name == "span_tension" else 0.0
        for i in range(values.shape[1]):
            free = name.startswith("wheel") and drive.wheels[i].motion is None
            if (name == "wheel_speed" and not free) or (name == "wheel_torque" and free and i != first):
                continue
            whose = f" of {items[i]}" if items else ""
            found.append(compared(name.replace("_", " ") + whose, values[:, i], rounding, quiet))
    return [row for row in found if any(math.isfinite(x) for x in row.shares)]


def period_text(drive: Drive) -> str:
    """Return a description of the period of motions and loads."""
    facts = drive_facts(drive)
    turns = facts.period / drive.wheels[facts.driver].teeth
    if drive.sheaves and facts.repeats_with_teeth:
        return "loop"
    return "revolution of the driver" if turns == 1.0 else f"period of {turns:.4g} revolutions of the driver"


def share_text(share: float) -> str:
    """Return a difference in per cent as a string with two significant digits."""
    return f"{float(f'{100.0 * share:.2g}'):g}"


def steady_text(notes: Mapping[str, Any]) -> str:
    """Return a description of whether and when a run with until = "steady" reached the steady state; empty for any
    other run.
    """
    if "steady" not in notes:
        return ""
    found = f"since {quantity(notes['steady_since'], 's', 6)}" if notes["steady"] else "not reached"
    if "steady_imbalance" in notes:
        turns = notes.get("period_turns", 1.0)
        period = "a revolution" if turns == 1.0 else f"{turns:.4g} revolutions of the driver, a period,"
        found += f"; work of {period} balanced within {100.0 * notes['steady_imbalance']:.2g} %"
        found += f", span tensions changed by {100.0 * notes['steady_tension_change']:.2g} % from one to the next"
        found += f" and by {100.0 * notes['steady_tension_drift']:.2g} % over the last {notes['steady_revolutions']}"
    return found
