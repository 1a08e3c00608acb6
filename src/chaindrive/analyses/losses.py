"""Where the power goes: mean losses by their cause, efficiency, and how the losses change over time."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.signals import steady_window
from chaindrive.analyses.windows import channel_times, channel_values, has_channel, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.running import driver

__all__ = ["LOSS_NAMES", "LossHistory", "Losses", "loss_history", "losses"]

FloatArray = NDArray[np.float64]

LOSS_NAMES = {
    "link_damping": "damping of the links",
    "joint": "joints of the chain",
    "contact": "impact and damping on teeth",
    "friction": "friction on teeth",
    "bearing": "bearings and joints of bodies",
    "guide": "guides",
    "tensioner": "tensioners",
}
"""Causes of losses, by the names of their channels (work_*, power_*), in the words for tables and legends."""

ENERGIES = ("energy_kinetic", "energy_elastic", "energy_gravity")


class Losses(NamedTuple):
    """Mean powers over a window of time. input = output + sum of power + stored + residual."""

    start: float
    """[s]"""
    stop: float
    """[s]"""
    input: float
    """Of motors and prescribed motions [W]; nan when not kept."""
    output: float
    """Taken by loads [W]; nan when not kept."""
    names: tuple[str, ...]
    """Causes of losses that were kept, S of them, in words."""
    keys: tuple[str, ...]
    """The same, as the channels call them (work_KEY)."""
    power: FloatArray
    """Shape (S,) [W]."""
    share: FloatArray
    """Of all losses, shape (S,) [-]; nan where nothing is lost."""
    stored: float
    """Rate at which stored energy grows: 0 in a steady state [W]; nan when not kept."""
    residual: float
    """What this balance cannot account for [W]; nan where a part of it was not kept."""
    efficiency: float
    """output / input; nan where nothing is taken out, or nothing is put in."""
    not_kept: tuple[str, ...]
    """Channels without which a loss is missing."""

    @property
    def total(self) -> float:
        """All losses together [W]."""
        return float(self.power.sum())


class LossHistory(NamedTuple):
    """Losses as means over a moment that moves along, M instants."""

    time: FloatArray
    """Middle of the moment, shape (M,) [s]."""
    names: tuple[str, ...]
    keys: tuple[str, ...]
    power: FloatArray
    """Shape (M, S) [W]."""
    period: float
    """Length of the moment [s]."""
    over: str
    """In words, such as "one revolution of crankshaft"."""


def losses(solution: Any, start: float | None = None, stop: float | None = None) -> Losses:
    """Mean power in, out, and lost by cause; start, stop [s].

    By default over the last whole revolutions of the driver in the second half of a run, or in its steady part.

    From differences of the works, which the solver integrates along with the motion: exact also for impacts that fall
    between two stored instants. Needs channels work_*. Raises InputError without any, and for fewer than 2 instants.
    """
    times = channel_times(solution)
    window = window_of(times, *steady_window(solution, start, stop), least=2)
    keys, missing = _kept(solution)
    known = np.isfinite(channel_values(solution, f"work_{keys[0]}")[window.rows])  # until a run diverged
    if np.count_nonzero(known) < 2:
        raise InputError(Problem(f"work_{keys[0]}", "is not a number in this window: the run diverged"))
    first, last = (window.first + int(row) for row in np.flatnonzero(known)[[0, -1]])
    duration = float(times[last] - times[first])

    def rate(name: str) -> float:
        if not has_channel(solution, name):
            return math.nan
        values = channel_values(solution, name)
        return (float(values[last]) - float(values[first])) / duration

    power = np.array([rate(f"work_{key}") for key in keys])
    put_in, taken = rate("work_input"), rate("work_output")
    stored = sum(rate(name) for name in ENERGIES)
    total = float(power.sum())
    complete = not missing
    return Losses(
        start=float(times[first]),
        stop=float(times[last]),
        input=put_in,
        output=taken,
        names=tuple(LOSS_NAMES[key] for key in keys),
        keys=keys,
        power=power,
        share=power / total if total != 0.0 else np.full(power.size, math.nan),
        stored=stored,
        residual=put_in - taken - total - stored if complete else math.nan,
        efficiency=taken / put_in if put_in > 0.0 and taken > 0.0 else math.nan,
        not_kept=missing,
    )


def _kept(solution: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Causes of losses whose works were kept, and the channels of those that were not; guides, tensioners of some."""
    drive = solution.drive
    none_of = {"guide": not drive.guides, "tensioner": not drive.tensioners}
    kept = [key for key in LOSS_NAMES if has_channel(solution, f"work_{key}")]
    keys = tuple(key for key in kept if not none_of.get(key, False))
    if not keys:
        message = (
            "the result holds no work of a loss (work_joint, work_contact ...); run again with them in save.channels"
        )
        raise InputError(Problem("work", message))
    missing = [f"work_{key}" for key in LOSS_NAMES if key not in kept and not none_of.get(key, False)]
    return keys, tuple(missing)


def loss_history(
    solution: Any,
    start: float | None = None,
    stop: float | None = None,
    over: Literal["tooth", "revolution", "loop"] = "revolution",
) -> LossHistory:
    """Losses by cause over time, each the mean over a moment around it; by default over all of a run.

    over: the moment is one tooth or one revolution of the driver, or one loop of the chain, at the mean speed of the
    driver in the window, in whole steps of what is stored (at least one); a moment longer than half of the window is
    cut to that. (W(t + T/2) - W(t - T/2)) / T from the works, which holds the losses between stored instants too.
    Needs work_* and wheel_speed. Raises InputError without them, and for fewer than 2 instants.
    """
    times = channel_times(solution)
    window = window_of(times, start, stop, least=2)
    keys, _ = _kept(solution)
    part = times[window.rows]
    steps, words = _moment(solution, window.rows, part, over)
    works = np.stack([np.asarray(channel_values(solution, f"work_{key}")[window.rows], np.float64) for key in keys], 1)
    span = part[steps:] - part[:-steps]
    return LossHistory(
        time=0.5 * (part[steps:] + part[:-steps]),
        names=tuple(LOSS_NAMES[key] for key in keys),
        keys=keys,
        power=(works[steps:] - works[:-steps]) / span[:, None],
        period=float(span.mean()),
        over=words,
    )


def _moment(solution: Any, rows: slice, times: FloatArray, over: str) -> tuple[int, str]:
    """How many steps the moment takes, and what it is in words."""
    drive = solution.drive
    wheel = driver(drive)
    speed = abs(float(np.mean(channel_values(solution, "wheel_speed")[rows, wheel])))
    step = float(times[-1] - times[0]) / (times.size - 1)
    teeth, name = drive.wheels[wheel].teeth, drive.wheels[wheel].name
    turns = {"tooth": 1.0 / teeth, "revolution": 1.0, "loop": drive.chain.links / teeth}
    if over not in turns:
        raise InputError(Problem("over", f"must be one of {', '.join(turns)}", repr(over)))
    period = turns[over] * 2.0 * math.pi / speed if speed > 0.0 else math.inf
    most = max((times.size - 1) // 2, 1)
    if period > most * step:
        return most, "half of what is shown"
    words = {
        "tooth": f"one tooth of {name}",
        "revolution": f"one revolution of {name}",
        "loop": "one loop of the chain",
    }
    return max(round(period / step), 1), words[over]
