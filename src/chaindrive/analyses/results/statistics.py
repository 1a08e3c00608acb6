"""Statistics of a result: means over a time window, and contact windows."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.signals.selection import check_index
from chaindrive.analyses.signals.windows import instants, mean_tooth_frequency, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.model import Drive
from chaindrive.results.solution import Solution

__all__ = [
    "ContactWindow",
    "contact_windows",
    "mean_by_seat",
    "mean_contact_force_by_seat",
    "mean_span_tension",
    "surface_indices",
    "surface_names",
]


class ContactWindow(NamedTuple):
    """An interval of contact between one roller and one wheel or guide."""

    wheel: int
    """Number of the wheel; guides are counted after the wheels."""
    start: float
    """Start of the contact. [s]"""
    stop: float
    """End of the contact. [s]"""


def mean_span_tension(solution: Solution, span: int, start: float | None = None, stop: float | None = None) -> float:
    """Return the mean of the channel ``span_tension`` of a span over a time window [N], including the centrifugal part,
    which the links carry.

    Raises InputError for a span that does not exist.
    """
    check_index("span", span, solution.channel("span_tension").shape[0])
    return float(np.nanmean(solution.values("span_tension", window_of(instants(solution), start, stop).rows, span)))


def contact_windows(
    solution: Solution, roller: int, bridge: float | None = None, wheels_only: bool = True
) -> list[ContactWindow]:
    """Return the intervals of contact of a roller with each wheel, from the channel ``contact_surface``, in order of
    time.

    wheels_only: if False, contacts with guides are included; guides are counted after the wheels.

    A bouncing roller leaves its seat briefly: gaps shorter than ``bridge`` [s] between two contacts with the same wheel
    are included in the window. The default is half the time in which the chain advances by the teeth of the smallest
    wheel, which is half the shortest possible time away from the wheel. Start and end are known to within one saved
    step.
    """
    check_index("roller", roller, solution.channel("contact_surface").shape[0])
    body = surface_indices(solution.values("contact_surface", item=roller))
    times = instants(solution)
    if bridge is None:
        tooth = mean_tooth_frequency(solution)
        bridge = 0.5 * min(wheel.teeth for wheel in solution.drive.wheels) / tooth if tooth > 0.0 else 0.0
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


def surface_indices(values: Any) -> NDArray[np.int64]:
    """Return the integers of a ``contact_surface`` channel, with -1 (no contact) for nan."""
    numbers = np.asarray(values, dtype=np.float64)
    return np.where(np.isfinite(numbers), np.rint(numbers), -1.0).astype(np.int64)


def surface_names(drive: Drive) -> tuple[str, ...]:
    """Return the names of the surfaces in ``contact_surface``: the wheels, then the guides."""
    return (*(wheel.name for wheel in drive.wheels), *(guide.name for guide in drive.guides))


def mean_contact_force_by_seat(
    solution: Solution, wheel: int, start: float | None = None, stop: float | None = None
) -> NDArray[np.float64]:
    """Return the mean contact force of the rollers on a wheel by position in the wrap, for comparison with Binder's
    loads [N].

    Element 0 is for the roller nearest to the span that leads to the wheel in the order of the route, the last element
    for the roller nearest to the span that leaves the wheel. The shape is (n,), where n is the most frequent number of
    rollers in contact. Only instants with n rollers in an unbroken sequence count. Raises InputError if there are none.
    """
    check_index("wheel", wheel, len(solution.drive.wheels))
    rows = window_of(instants(solution), start, stop).rows
    body = surface_indices(solution.values("contact_surface", rows))
    force = np.asarray(solution.values("contact_force", rows), dtype=np.float64)
    return mean_by_seat(body == wheel, force, wheel)


def mean_by_seat(on_wheel: NDArray[np.bool_], force: NDArray[np.float64], wheel: int) -> NDArray[np.float64]:
    """Return the mean over time of a value of the rollers by their position in the wrap of a wheel.

    on_wheel: which rollers are on the wheel; force: the value of every roller; both have the shape (rows, N). See
    :func:`mean_contact_force_by_seat`.
    """
    counts = on_wheel.sum(axis=1)
    begins = on_wheel & ~np.roll(on_wheel, 1, axis=1)
    unbroken = (begins.sum(axis=1) == 1) & (counts > 0)
    if not unbroken.any():
        raise InputError(Problem("wheel", "its rollers never form an unbroken sequence in this window", str(wheel)))
    rollers = int(np.bincount(counts[unbroken]).argmax())
    rows = np.flatnonzero(unbroken & (counts == rollers))
    columns = (begins[rows].argmax(axis=1)[:, None] + np.arange(rollers)) % force.shape[1]
    return np.asarray(force[rows[:, None], columns].mean(axis=0), dtype=np.float64)
