"""Peaks of a run: value, time, place and part."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.loop import Zone, loop_zones, zone_at
from chaindrive.analyses.results.peaks import extreme_channel, magnitudes
from chaindrive.analyses.results.statistics import surface_indices, surface_names
from chaindrive.analyses.signals.windows import (
    Window,
    chain_advance,
    instants,
    window_of,
)
from chaindrive.errors import InputError, Problem
from chaindrive.results.solution import Solution

__all__ = ["Extreme", "Extremes", "extremes"]

FloatArray = NDArray[np.float64]

ROUNDING = 1e-9
"""A peak below this fraction of the largest value of its kind counts as rounding and is omitted."""


class Extreme(NamedTuple):
    """One peak of a run."""

    quantity: str
    """Name such as "largest link tension"."""
    value: float
    unit: str
    """SI unit."""
    time: float
    """Time of the stored instant. [s]"""
    row: int
    """Row of the results, from 0."""
    kind: str
    """Kind of part: link, roller, joint (at the roller with the same number), wheel, span, guide, body or tensioner."""
    index: int  # type: ignore[assignment]
    name: str
    """Name of the wheel, span, guide, body or tensioner, or the number of the link, roller or joint."""
    place: float
    """Place along the loop, for links, rollers and joints [pitches]; otherwise nan."""
    where: str
    """Description of the place: "on crankshaft", "in span crankshaft - tightener", or empty."""
    direction: float
    """Direction of a force in the plane, or of the axis of a tilt or of its moment: counter-clockwise from the x axis,
    -pi..pi [rad]; otherwise nan."""


class Extremes(NamedTuple):
    """The peaks within a time window."""

    start: float
    """Start of the window. [s]"""
    stop: float
    """End of the window. [s]"""
    rows: int
    """Number of stored instants searched."""
    peaks: tuple[Extreme, ...]
    not_kept: tuple[str, ...]
    """Channels that were not kept, and whose peaks are therefore missing."""


class _Run(NamedTuple):
    """A result with the data that all searches need."""

    solution: Solution
    window: Window
    times: FloatArray
    zones: tuple[Zone, ...]
    advance: FloatArray | None
    bodies: NDArray[np.int64] | None
    """Surface touched by every roller within the window, shape (rows, N)."""
    apart: float
    """Time in which the chain advances by one tooth [s]: peaks closer together than this belong to one event."""


def extremes(
    solution: Solution,
    start: float | None = None,
    stop: float | None = None,
    count: int = 3,
    zones: tuple[Zone, ...] | None = None,
) -> Extremes:
    """Return the table of peaks of a run between start and stop [s], by default of the whole run, including the
    start-up.

    For the chain, the table gives the ``count`` largest events of these quantities: the largest and smallest link
    tension, the largest friction force, and for rigid links the largest force of a pin on its bush and the largest gap
    between them. Of peaks at different links, rollers or joints within the time of one tooth, only the largest is
    listed. For every span, it gives the largest and smallest tension and the largest displacement; for every wheel, the
    largest tooth force (if tooth forces are not kept: contact force of a roller), bearing force, torque, and departure
    from the mean speed in the window; for every wheel on an elastic shaft, the largest tilt and moment on the shaft;
    for every guide, joint and tensioner, the largest force. Of equal values, the earliest counts. Link tensions and the
    forces of teeth, bearings, guides and tensioners are the largest over all steps since the previous stored instant,
    and have no direction. All other peaks are taken at the stored instants, as are these if the values of all steps are
    not kept. zones: by default ``loop_zones``.

    Quantities that were not kept are omitted and named in ``not_kept``. Raises InputError for an empty window or a
    count < 1.
    """
    if not count >= 1:
        raise InputError(Problem("count", "must be at least 1", str(count)))
    times = instants(solution)
    window = window_of(times, start, stop)
    placed = "link_path_position" in solution
    advance, bodies, apart = None, None, 0.0
    if placed:
        advance = chain_advance(solution)
        passed = abs(float(advance[window.end - 1] - advance[window.first]))
        apart = window.duration / passed if passed > 1.0 else 0.0
    if "contact_surface" in solution:
        bodies = surface_indices(solution.values("contact_surface", window.rows))
    if zones is None:
        zones = loop_zones(solution) if placed else ()
    run = _Run(solution, window, times, zones, advance, bodies, apart)
    found: list[Extreme] = []
    missing: list[str] = []
    for name, search in _searches(run, count):
        if name in solution:
            found += search(np.asarray(solution.values(extreme_channel(solution, name), window.rows)))
        else:
            missing.append(name)
    return Extremes(window.start, window.stop, window.end - window.first, tuple(found), tuple(missing))


Search = Callable[[NDArray[Any]], list[Extreme]]


def _searches(run: _Run, count: int) -> list[tuple[str, Search]]:
    """Return the quantities to search in each channel; guides, bodies and tensioners only if the drive has any."""
    drive = run.solution.drive

    def items(quantity: str, unit: str, kind: str, names: Sequence[str], fold: Any = np.abs) -> Search:
        return lambda values: _of_items(run, values, quantity, unit, kind, names, fold)

    def smallest(channel: str, values: NDArray[Any]) -> NDArray[Any]:
        name = extreme_channel(run.solution, channel, "min")
        return values if name == channel else np.asarray(run.solution.values(name, run.window.rows))

    def both(channel: str, unit: str, kind: str, names: Sequence[str], what: str) -> tuple[str, Search]:
        most = items(f"largest {what}", unit, kind, names, _same)
        least = items(f"smallest {what}", unit, kind, names, np.negative)
        return channel, lambda values: [*most(values), *least(smallest(channel, values))]

    def links(values: NDArray[Any]) -> list[Extreme]:
        most = _of_chain(run, values, "largest link tension", "N", "link", count, _same)
        low = smallest("link_tension", values)
        return most + _of_chain(run, low, "smallest link tension", "N", "link", count, np.negative)

    def rollers(quantity: str) -> Search:
        return lambda values: _of_chain(run, values, quantity, "N", "roller", count, np.abs)

    def pins(values: NDArray[Any]) -> list[Extreme]:
        sizes = np.hypot(values[..., 0], values[..., 1])
        return _of_chain(run, sizes, "largest pin force", "N", "joint", count, _same)

    def gaps(values: NDArray[Any]) -> list[Extreme]:
        return _of_chain(run, np.maximum(values, 0.0), "largest pin gap", "m", "joint", count, _same)

    wheels, guides, bodies, tensioners = (
        [part.name for part in parts] for parts in (drive.wheels, drive.guides, drive.bodies, drive.tensioners)
    )
    departure = items("largest departure from mean speed", "rad/s", "wheel", wheels)

    def speeds(values: NDArray[Any]) -> list[Extreme]:
        mean = values.mean(axis=0)
        found = departure(values - mean)
        return [row for row in found if abs(row.value) > ROUNDING * abs(mean[row.index])]

    turning = items("largest joint moment", "N m", "body", bodies)

    def moments(values: NDArray[Any]) -> list[Extreme]:
        forces = run.solution.values("joint_force") if "joint_force" in run.solution else 0.0
        least = ROUNDING * drive.chain.pitch * float(np.nanmax(np.abs(forces)))
        return [row for row in turning(values) if abs(row.value) > least]

    def contacts() -> Iterator[tuple[str, Search]]:
        if drive.sheaves:
            yield (
                "pin_axial_force",
                lambda values: _of_chain(run, values, "largest pin force", "N", "pin", count, _same),
            )
            return
        if "tooth_force_max" in run.solution:
            yield "tooth_force_max", items("largest tooth force", "N", "wheel", wheels)
        else:
            yield "contact_force", rollers("largest contact force")
        yield "friction_force", rollers("largest friction force")

    table: list[tuple[str, Search]] = [
        ("link_tension", links),
        *contacts(),
        *(item for item in (("pin_force", pins), ("pin_gap", gaps)) if _jointed(run.solution, item[0])),
        both("span_tension", "N", "span", drive.span_names, "span tension"),
        ("span_displacement", items("largest span displacement", "m", "span", drive.span_names)),
        ("bearing_force", items("largest bearing force", "N", "wheel", wheels)),
        ("wheel_torque", items("largest wheel torque", "N m", "wheel", wheels)),
        ("wheel_speed", speeds),
    ]
    if any(wheel.shaft is not None for wheel in drive.wheels):
        table.append(("wheel_tilt", items("largest wheel tilt", "rad", "wheel", wheels)))
        table.append(("tilting_moment", items("largest tilting moment", "N m", "wheel", wheels)))
    if guides:
        table.append(("guide_force", items("largest guide force", "N", "guide", guides)))
    if bodies:
        table.append(("joint_force", items("largest joint force", "N", "body", bodies)))
        table.append(("joint_moment", moments))
    if tensioners:
        table.append(both("tensioner_force", "N", "tensioner", tensioners, "tensioner force"))
        table.append(both("tensioner_position", "m", "tensioner", tensioners, "tensioner length"))
        if any(tensioner.kind == "hydraulic" for tensioner in drive.tensioners):
            pressure = items("largest tensioner pressure", "Pa", "tensioner", tensioners, _same)
            table.append(("tensioner_pressure", pressure))
    return table


def _jointed(solution: Solution, name: str) -> bool:
    """Return whether a formulation has this channel of joints, kept or not."""
    return name in solution or bool(solution.offers(name))


def _same(values: NDArray[Any]) -> NDArray[Any]:
    return values


def _of_items(
    run: _Run, values: NDArray[Any], quantity: str, unit: str, kind: str, names: Sequence[str], fold: Any
) -> list[Extreme]:
    """Return the peak for every wheel, span, guide, body or tensioner; for a vector channel, the peak of its
    magnitude.
    """
    found = []
    sizes = magnitudes(values)
    largest = float(np.nanmax(np.abs(sizes), initial=0.0))
    for index, name in enumerate(names):
        row = _argmax(fold(sizes[:, index]))
        if row is None or (fold is np.abs and not abs(float(sizes[row, index])) > ROUNDING * largest):
            continue
        direction = math.atan2(values[row, index, 1], values[row, index, 0]) if values.ndim == 3 else math.nan
        at = run.window.first + row
        value, time = float(sizes[row, index]), float(run.times[at])
        found.append(Extreme(quantity, value, unit, time, at, kind, index, name, math.nan, "", direction))
    return found


def _argmax(values: NDArray[Any]) -> int | None:
    finite = np.isfinite(values)
    return int(np.argmax(np.where(finite, values, -np.inf))) if finite.any() else None


def _of_chain(
    run: _Run, values: NDArray[Any], quantity: str, unit: str, kind: str, count: int, fold: Any
) -> list[Extreme]:
    """Return the largest peaks of the links, rollers or joints, which are separated by more than the time of one
    tooth.
    """
    folded = fold(values)
    rows = np.argmax(np.where(np.isfinite(folded), folded, -np.inf), axis=0)
    best = folded[rows, np.arange(values.shape[1])]
    found: list[Extreme] = []
    for item in np.argsort(-best, kind="stable"):
        row, item = int(rows[item]), int(item)
        at, value = run.window.first + row, float(values[row, item])
        if len(found) == count or not math.isfinite(value) or (kind != "link" and value == 0.0):
            break
        time = float(run.times[at])
        if any(abs(other.time - time) <= run.apart for other in found):
            continue
        place, where = _place(run, kind, row, item)
        found.append(Extreme(quantity, value, unit, time, at, kind, item, f"{item}", place, where, math.nan))
    return found


def _place(run: _Run, kind: str, row: int, item: int) -> tuple[float, str]:
    """Return the position of a link, roller or joint along the loop [pitches], and the part where it is."""
    drive = run.solution.drive
    links, parts = drive.chain.links, surface_names(drive)
    place = math.nan
    if run.advance is not None:
        place = item + (0.5 if kind == "link" else 0.0) + float(run.advance[run.window.first + row])
        place = place % links if drive.chain.ends is None else place
    if run.bodies is not None:
        rollers = [item, (item + 1) % drive.chain.joints] if kind == "link" else [item]
        touched = [int(body) for body in run.bodies[row, rollers]]
        if 0 <= touched[0] == touched[-1] < len(parts):
            return place, f"on {parts[touched[0]]}"
    if not run.zones:
        return place, ""
    zone = zone_at(run.zones, place, links)
    return place, f"on {zone.name}" if zone.kind == "wheel" else f"in span {zone.name}"
