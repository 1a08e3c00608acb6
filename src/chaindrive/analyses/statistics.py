"""Numbers read off a result: means over a window of time, contact windows, the pace of the chain.

A *solution* is anything that gives a channel by name as an xarray.DataArray with a ``time`` coordinate and has the
``drive`` it was computed from.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.formulas import chain_speed
from chaindrive.errors import InputError, Problem

__all__ = [
    "ContactWindow",
    "SolutionLike",
    "body_indices",
    "chain_pace",
    "check_index",
    "contact_windows",
    "get_channel",
    "mean_by_seat",
    "mean_contact_force_by_seat",
    "mean_span_tension",
    "time_slice",
]


class SolutionLike(Protocol):
    """What the analyses and plots need of a result."""

    @property
    def drive(self) -> Any:
        """The drive that it was computed from."""
        ...

    def __getitem__(self, name: str) -> Any:
        """Return the channel of that name, an xarray.DataArray with the dimension and coordinate ``time``."""
        ...


class ContactWindow(NamedTuple):
    """A stay of one roller on one wheel, or guide."""

    wheel: int
    """Its number; guides are counted on after the wheels."""
    start: float
    """[s]"""
    stop: float
    """[s]"""


def get_channel(solution: SolutionLike, name: str) -> Any:
    """Return a channel, or raise InputError that says which channel the run has to keep."""
    try:
        return solution[name]
    except (KeyError, InputError):
        kept = _names(solution)
        near = difflib.get_close_matches(name, kept, n=3)
        message = (
            f"the result does not hold the channel {name!r}; run again with it among those to keep (save.channels)"
        )
        if near:
            message += f"; similar channels it does hold: {', '.join(near)}"
        raise InputError(Problem(name, message)) from None


def _names(solution: Any) -> list[str]:
    names = getattr(solution, "channels", None)
    if callable(names):
        names = names()
    return [str(name) for name in names] if isinstance(names, Iterable) else []


def time_slice(channel: Any, start: float | None = None, stop: float | None = None) -> Any:
    """Part of a channel with start <= time <= stop [s], either end open when None. Raises InputError when empty.

    An instant that differs from an end by the rounding of its own making counts as inside.
    """
    times = np.asarray(channel["time"].values, dtype=np.float64)
    inside = np.ones(times.size, dtype=bool)
    if start is not None:
        inside &= times >= start - 1e-9 * abs(start)
    if stop is not None:
        inside &= times <= stop + 1e-9 * abs(stop)
    if not inside.any():
        held = f"{times[0]:g} to {times[-1]:g} s" if times.size else "nothing"
        raise InputError(
            Problem("time", f"no saved instant lies in this window; saved is {held}", f"{start} to {stop}")
        )
    return channel.isel(time=np.flatnonzero(inside))


def mean_span_tension(
    solution: SolutionLike, span: int, start: float | None = None, stop: float | None = None
) -> float:
    """Mean of the channel ``span_tension`` of a span over a window of time [N].

    It contains the centrifugal part, as the links carry it. Raises InputError for a span that does not exist.
    """
    channel = time_slice(get_channel(solution, "span_tension"), start, stop)
    return float(channel.isel(span=check_index("span", span, channel.sizes["span"])).mean())


def check_index(kind: str, index: int, count: int) -> int:
    """Return ``index`` when 0 <= index < count, and raise InputError otherwise."""
    if not 0 <= index < count:
        raise InputError(Problem(kind, f"the drive has the {kind}s 0 to {count - 1}", str(index)))
    return index


def chain_pace(solution: SolutionLike, start: float | None = None, stop: float | None = None) -> float:
    """Mean number of links that pass a point per second, the tooth frequency [Hz].

    From ``wheel_speed``: z |w| / (2 pi), its median over the wheels. Raises InputError when that is not kept.
    """
    speeds = time_slice(get_channel(solution, "wheel_speed"), start, stop)
    mean = np.asarray(speeds.mean("time").values, dtype=np.float64)
    teeth = np.array([wheel.teeth for wheel in solution.drive.wheels])
    return float(np.median(chain_speed(mean, teeth, 1.0)))


def contact_windows(
    solution: SolutionLike, roller: int, bridge: float | None = None, wheels_only: bool = True
) -> list[ContactWindow]:
    """When a roller was on which wheel, from the channel ``contact_body``, in order of time.

    wheels_only: else also when it was on which guide; guides are counted on after the wheels.

    A roller that bounces leaves its seat for moments: pauses shorter than ``bridge`` [s] between two contacts with the
    same wheel belong to the window. By default half the shortest possible flight round the loop is bridged: half the
    time in which the chain advances by the teeth of the smallest wheel. The ends are known to one saved step.
    """
    channel = get_channel(solution, "contact_body")
    body = body_indices(channel.isel(roller=check_index("roller", roller, channel.sizes["roller"])).values)
    times = np.asarray(channel["time"].values, dtype=np.float64)
    if bridge is None:
        pace = chain_pace(solution)
        bridge = 0.5 * min(wheel.teeth for wheel in solution.drive.wheels) / pace if pace > 0.0 else 0.0
    if wheels_only:
        body = np.where(body < len(solution.drive.wheels), body, -1)

    changes = np.flatnonzero(np.diff(body)) + 1
    edges = np.concatenate(([0], changes, [body.size]))
    windows: list[ContactWindow] = []
    for first, end in itertools.pairwise(edges):
        if body[first] < 0:
            continue
        stay = ContactWindow(int(body[first]), float(times[first]), float(times[end - 1]))
        last = windows[-1] if windows else None
        if last is not None and last.wheel == stay.wheel and stay.start - last.stop <= bridge:
            windows[-1] = last._replace(stop=stay.stop)
        else:
            windows.append(stay)
    return windows


def body_indices(values: Any) -> NDArray[np.int64]:
    """Whole numbers of a ``contact_body`` channel; -1 (no contact) where it is not a number."""
    numbers = np.asarray(values, dtype=np.float64)
    return np.where(np.isfinite(numbers), np.rint(numbers), -1.0).astype(np.int64)


def mean_contact_force_by_seat(
    solution: SolutionLike, wheel: int, start: float | None = None, stop: float | None = None
) -> NDArray[np.float64]:
    """Mean contact force of the rollers on a wheel by their place in the wrap, to compare with Binder's loads [N].

    Element 0 is the roller nearest to the span that leads to the wheel in the order of the route, the last element the
    one nearest to the span that leaves it; shape (n,) with n the most frequent number of rollers in contact. Only
    instants with n rollers in one unbroken row count. Raises InputError when there are none.
    """
    check_index("wheel", wheel, len(solution.drive.wheels))
    body = body_indices(time_slice(get_channel(solution, "contact_body"), start, stop).values)
    force = np.asarray(time_slice(get_channel(solution, "contact_force"), start, stop).values, dtype=np.float64)
    return mean_by_seat(body == wheel, force, wheel)


def mean_by_seat(on_wheel: NDArray[np.bool_], force: NDArray[np.float64], wheel: int) -> NDArray[np.float64]:
    """Mean over time of a number of every roller by its place in the wrap of a wheel, as arrays.

    on_wheel: which rollers are on the wheel, force: the number of every roller, both of shape (rows, N).
    See :func:`mean_contact_force_by_seat`.
    """
    counts = on_wheel.sum(axis=1)
    begins = on_wheel & ~np.roll(on_wheel, 1, axis=1)
    unbroken = (begins.sum(axis=1) == 1) & (counts > 0)
    if not unbroken.any():
        raise InputError(Problem("wheel", "its rollers never form one unbroken row in this window", str(wheel)))
    rollers = int(np.bincount(counts[unbroken]).argmax())
    rows = np.flatnonzero(unbroken & (counts == rollers))
    columns = (begins[rows].argmax(axis=1)[:, None] + np.arange(rollers)) % force.shape[1]
    return np.asarray(force[rows[:, None], columns].mean(axis=0), dtype=np.float64)
