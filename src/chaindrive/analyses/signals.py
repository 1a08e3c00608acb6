"""One signal out of a result: which channel, which of its items, over which window of time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.statistics import SolutionLike, get_channel
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.running import load_periods, period, running_direction, turning_signs
from chaindrive.model import RunUp
from chaindrive.results.layout import nearest
from chaindrive.results.solution import Solution

__all__ = [
    "Axis",
    "Signal",
    "channel_arrays",
    "channel_items",
    "run_up_of",
    "running_senses",
    "signal_of",
    "steady_window",
    "tooth_pace",
    "wheel_index",
    "window_means",
]

FloatArray = NDArray[np.float64]
Axis = Literal["magnitude", "x", "y"]

NUMBERS_OF_THINGS = frozenset({"contact_body"})
"""Channels that hold the number of something: no quantity, and without a spectrum."""


class Signal(NamedTuple):
    """One quantity over time."""

    channel: str
    item: int
    """Which item of the channel; 0 where it has only one."""
    label: str
    """What it is, for a title: "wheel speed of crankshaft"."""
    unit: str
    time: FloatArray
    """[s], shape (n,)."""
    values: FloatArray
    """Shape (n,)."""

    def between(self, start: float | None, stop: float | None) -> Signal:
        """The part with start <= time <= stop [s]. Raises InputError when it is empty."""
        rows = _inside(self.time, start, stop)
        return self._replace(time=self.time[rows], values=self.values[rows])

    def checked(self) -> Signal:
        """The signal itself. Raises InputError, naming it, where it holds what is no finite number."""
        wrong = np.flatnonzero(~np.isfinite(self.values))
        if wrong.size:
            message = (
                f"the {self.label} is no finite number at {self.time[wrong[0]]:.6g} s: choose another window or item"
            )
            raise InputError(Problem("channel", message, f"{wrong.size} of {self.values.size} values are not"))
        return self


def channel_arrays(solution: SolutionLike, name: str) -> tuple[FloatArray, FloatArray]:
    """Time (n,) [s] and values (n, *shape) of a channel, without xarray where the result can do so.

    Raises InputError that says which channel the run has to keep.
    """
    if isinstance(solution, Solution):
        if name not in solution.channels:
            get_channel(solution, name)  # raises
        return solution.time, np.asarray(solution.values(name), dtype=np.float64)
    channel = get_channel(solution, name)
    return np.asarray(channel["time"].values, dtype=np.float64), np.asarray(channel.values, dtype=np.float64)


def signal_of(
    solution: SolutionLike,
    channel: str,
    index: int | str | None = None,
    start: float | None = None,
    stop: float | None = None,
    axis: Axis = "magnitude",
) -> Signal:
    """One signal of a result within start <= time <= stop [s], either end open when None.

    index: number or name of the wheel, span, link ... of the channel, by default the first. axis: of a vector channel
    such as ``bearing_force``, its magnitude or one component.
    Raises InputError, all problems at once: a channel that is not there (naming the three nearest), an item or axis
    that it does not have, and a window that holds no saved instant.
    """
    dims, unit = _described(solution, channel)
    problems = []
    if channel in NUMBERS_OF_THINGS:
        problems.append(Problem("channel", "holds numbers of wheels and guides, which are no signal", repr(channel)))
    if axis not in ("magnitude", "x", "y"):
        problems.append(Problem("axis", "must be one of magnitude, x, y", repr(axis)))
    item = 0
    own = [dim for dim in dims if dim != "axis"]
    if index is not None and not own:
        problems.append(Problem("index", f"{channel} is one signal, it has no items to choose from", repr(index)))
    try:
        names = channel_items(solution, channel)
        item = 0 if index is None or not own else _item(index, own[0], names)
    except InputError as error:
        problems += error.problems
    if problems:
        raise InputError(problems)
    time, values = channel_arrays(solution, channel)
    inside = _inside(time, start, stop)
    part = values[inside]
    if own:
        part = part[:, item]
    if "axis" in dims:
        part = np.hypot(part[:, 0], part[:, 1]) if axis == "magnitude" else part[:, 0 if axis == "x" else 1]
    label = channel.replace("_", " ")
    if "axis" in dims and axis != "magnitude":
        label += f" ({axis})"
    if own:
        label += f" of {names[item]}"
    return Signal(channel, item, label, unit, time[inside], np.asarray(part, dtype=np.float64))


def channel_items(solution: SolutionLike, channel: str) -> tuple[str, ...]:
    """What the items of a channel are called: names of wheels and spans, "link 17" ...; () for one signal."""
    dims, _ = _described(solution, channel)
    own = [dim for dim in dims if dim != "axis"]
    if not own:
        return ()
    dim = own[0]
    named = getattr(solution, "labels", {}).get(dim)
    drive = solution.drive
    if named is None and dim == "wheel":
        named = tuple(wheel.name for wheel in drive.wheels)
    if named is not None:
        return tuple(named)
    return tuple(f"{dim} {k}" for k in range(_count(solution, channel)))


def _described(solution: SolutionLike, name: str) -> tuple[tuple[str, ...], str]:
    """Dimensions without time, and unit, of a channel. Raises InputError naming the nearest when it is not there."""
    channels = getattr(solution, "channels", None)
    if isinstance(channels, Mapping) and name in channels:
        return channels[name].dims, channels[name].unit
    known = [str(key) for key in channels] if channels is not None and not callable(channels) else []
    if name not in known:
        message = (
            f"the result holds no such channel; the nearest that it holds are {nearest(str(name), known)}. "
            "What a run keeps is chosen by save.channels"
        )
        raise InputError(Problem("channel", message, repr(name)))
    channel = solution[name]
    return tuple(str(dim) for dim in channel.dims if dim != "time"), str(channel.attrs.get("units", ""))


def _count(solution: SolutionLike, name: str) -> int:
    channels = getattr(solution, "channels", None)
    if isinstance(channels, Mapping):
        return int(channels[name].shape[0])
    return int(solution[name].shape[1])


def _item(index: int | str, dim: str, names: Sequence[str]) -> int:
    if isinstance(index, str):
        if index in names:
            return names.index(index)
        if not index.strip().isdecimal():
            message = f"there is no {dim} of this name; there are {_listed(names)}"
            raise InputError(Problem("index", message, repr(index)))
        index = int(index)
    if not 0 <= index < len(names):
        raise InputError(Problem("index", f"there are the {dim}s 0 to {len(names) - 1}: {_listed(names)}", str(index)))
    return int(index)


def _listed(names: Sequence[str], most: int = 12) -> str:
    return ", ".join(names) if len(names) <= most else f"{', '.join(names[:2])} ... {names[-1]}"


def wheel_index(drive: Any, wheel: int | str | None) -> int:
    """Number of a wheel that is given by number or name; None: the driver, or wheel 0 where none is driven.

    Raises InputError naming the wheels that there are.
    """
    if wheel is None:
        return next((k for k, one in enumerate(drive.wheels) if one.motion is not None), 0)
    try:
        return _item(wheel, "wheel", [one.name for one in drive.wheels])
    except InputError as error:
        raise InputError([problem._replace(place="wheel") for problem in error.problems]) from None


def running_senses(drive: Any) -> NDArray[np.int64]:
    """Sense in which every wheel turns when the drive runs, +1 counter-clockwise, shape (W,)."""
    driven = any(wheel.motion is not None for wheel in drive.wheels)
    return np.asarray(turning_signs(drive) * (running_direction(drive) if driven else 1))


def run_up_of(drive: Any) -> tuple[float, float] | None:
    """Begin and end of the first prescribed run-up or run-down [s]; None when there is none."""
    for wheel in drive.wheels:
        if isinstance(wheel.motion, RunUp):
            return float(wheel.motion.start), float(wheel.motion.start + wheel.motion.duration)
    return None


def _inside(time: FloatArray, start: float | None, stop: float | None) -> NDArray[np.intp]:
    """Rows with start <= time <= stop, rounding of the ends' own making counted as inside."""
    first = -math.inf if start is None else start - 1e-9 * abs(start)
    last = math.inf if stop is None else stop + 1e-9 * abs(stop)
    rows = np.flatnonzero((time >= first) & (time <= last))
    if not rows.size:
        held = f"{time[0]:g} to {time[-1]:g} s" if time.size else "nothing"
        raise InputError(
            Problem("time", f"no saved instant lies in this window; saved is {held}", f"{start} to {stop}")
        )
    return rows


def steady_window(solution: SolutionLike, start: float | None = None, stop: float | None = None) -> tuple[float, float]:
    """First and last saved instant [s] of the window that spectra and statistics are taken over.

    What is given is kept. By default: the end of the result, and as start the last whole revolutions of the driver in
    the steady part; that part begins where the run was found to be steady, otherwise in the middle of the result. Where
    motions and loads take several revolutions to repeat, whole periods of theirs, or else of a load under an even
    motion, if one fits. The samples from first to last, each standing for one step of saving, then cover whole
    revolutions, and the lines of a steady drive fall on bins of the spectrum. Where not even one revolution fits: the
    steady part.
    """
    name = "wheel_angle" if _holds(solution, "wheel_angle") else _any_channel(solution)
    time, angles = channel_arrays(solution, name)
    last = float(time[_inside(time, start, stop)[-1]])
    if start is not None:
        return float(time[_inside(time, start, stop)[0]]), last
    begin = float(time[0]) + 0.5 * (last - float(time[0]))
    since = solution.notes.get("steady_since") if isinstance(solution, Solution) else None
    if isinstance(since, int | float) and float(time[0]) <= since < last:
        begin = float(since)
    rows = np.flatnonzero((time >= begin - 1e-9 * abs(begin)) & (time <= last))
    if name == "wheel_angle" and rows.size > 2:
        angle = angles[rows, wheel_index(solution.drive, None)]
        turned = np.abs(angle - angle[-1])
        known = math.isfinite(float(turned[0]))  # not of a run that diverged
        whole = float(turned[0]) / (2.0 * math.pi) * (1.0 + 1e-9) if known else 0.0
        found = (turns * math.floor(whole / turns) for turns in _turns_of_periods(solution.drive))
        whole = next((turns for turns in found if turns > 0.0), 0.0)
        if whole and np.all(np.diff(turned) < 0.0):
            at = float(np.interp(-2.0 * math.pi * whole, -turned, time[rows]))
            step = float(time[rows[-1]] - time[rows[0]]) / (rows.size - 1)
            count = max(round((last - at) / step), 2)
            return float(time[max(int(rows[-1]) - count + 1, int(rows[0]))]), last
    return float(time[rows[0]]), last


def _turns_of_periods(drive: Any) -> list[float]:
    """Revolutions of the driver in which motions and loads repeat together, single loads, and the driver itself."""
    driven = [wheel for wheel in drive.wheels if wheel.motion is not None]
    if not driven:
        return [1.0]
    even = driven[0].motion.kind not in ("orders", "angle_table")
    pitches = [period(drive), *(load_periods(drive) if even else ())]
    return [*(each / driven[0].teeth for each in pitches), 1.0]


def _holds(solution: Any, name: str) -> bool:
    channels = getattr(solution, "channels", None)
    return channels is not None and not callable(channels) and name in channels


def _any_channel(solution: Any) -> str:
    if isinstance(solution, Solution):
        lengths = {name: channel.size for name, channel in solution.channels.items()}
        if lengths:
            return min(lengths, key=lengths.__getitem__)
    names = list(getattr(solution, "channels", ()))
    if not names:
        raise InputError(Problem("channel", "the result holds no channel"))
    return str(names[0])


def tooth_pace(solution: SolutionLike, start: float | None = None, stop: float | None = None) -> float:
    """Links that pass a point per second in a window of time, the tooth frequency [Hz].

    z |w| / (2 pi) with the mean speed of every wheel, and of these the median. Raises InputError when ``wheel_speed``
    was not kept or nothing was saved in the window.
    """
    time, speeds = channel_arrays(solution, "wheel_speed")
    mean = np.abs(speeds[_inside(time, start, stop)].mean(axis=0))
    teeth = np.array([wheel.teeth for wheel in solution.drive.wheels])
    return float(np.median(mean * teeth) / (2.0 * math.pi))


def window_means(time: FloatArray, values: FloatArray, starts: FloatArray, stops: FloatArray) -> FloatArray:
    """Mean over windows of time: values (n, ...) at time (n,), starts and stops (C,) [s]; shape (C, ...).

    Over the saved instants in each window, both ends included; nan where there are none.
    """
    tolerance = 1e-9 * max(abs(float(time[0])), abs(float(time[-1])), 1e-30)
    first = np.searchsorted(time, starts - tolerance, side="left")
    end = np.searchsorted(time, stops + tolerance, side="right")
    means = np.full((starts.size, *values.shape[1:]), np.nan)
    for k, (a, b) in enumerate(zip(first, end, strict=True)):
        if b > a:
            means[k] = values[a:b].mean(axis=0)
    return means
