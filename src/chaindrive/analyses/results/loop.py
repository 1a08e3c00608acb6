"""Tension and joint forces along the loop of the chain, and the loads on one link during one loop."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.peaks import extreme_channel, magnitudes
from chaindrive.analyses.results.statistics import surface_indices
from chaindrive.analyses.signals.selection import check_index, steady_window
from chaindrive.analyses.signals.windows import chain_advance, instants, loop_window, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.geometry.initial_configuration import span_places
from chaindrive.geometry.route import Route
from chaindrive.geometry.variator import loop_around
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import initial_configuration
from chaindrive.mechanism.rails import guide_profile, nearest_span
from chaindrive.mechanism.variator import loop_of
from chaindrive.results.solution import Solution

__all__ = [
    "Envelope",
    "LinkLoad",
    "Zone",
    "link_load",
    "loop_envelope",
    "loop_zones",
    "tension_envelope",
    "zone_at",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Zone(NamedTuple):
    """A part of the loop: the chain on a wheel, in a span, or on a guide; guides lie within spans."""

    start: float
    """Start of the zone, from 0 [pitches]"""
    end: float
    """End of the zone [pitches]; larger than the number of links if the zone contains position 0."""
    kind: str
    """wheel, span or guide"""
    index: int  # type: ignore[assignment]
    name: str
    """Name of the wheel, span or guide."""


class Envelope(NamedTuple):
    """Minimum, mean and maximum of a channel of the links or joints over a time window, at P places along the loop and
    for each of the N links, in the unit of the channel.
    """

    places: FloatArray
    """Middle of every bin along the loop, shape (P,) [pitches]."""
    low: FloatArray
    """Minimum, shape (P,). This and the next two fields are nan if no link was at the place at a stored instant."""
    mean: FloatArray
    high: FloatArray
    link_low: FloatArray
    """Minimum of every link or joint, shape (N,)."""
    link_mean: FloatArray
    link_high: FloatArray
    zones: tuple[Zone, ...]
    start: float
    """Start of the window. [s]"""
    stop: float
    """End of the window. [s]"""
    loops: float
    """Number of loops of the chain in this time; less than 1 if no link completed the loop. [-]"""
    rows: int
    """Number of stored instants used."""


class LinkLoad(NamedTuple):
    """Loads on one link as it runs around the loop, at M instants."""

    link: int
    time: FloatArray
    """Instants, shape (M,) [s]."""
    place: FloatArray
    """Position of the middle of the link along the loop, shape (M,) [pitches]; counting continues beyond the number of
    links."""
    tension: FloatArray
    """Tension, shape (M,) [N]."""
    contact_force: FloatArray | None
    """Normal forces on the two rollers of the link, ``link`` and ``link + 1``, shape (M, 2) [N]; None if not kept."""
    contact_surface: IntArray | None
    """Index of the surface that each of these rollers touches, shape (M, 2): wheels first, then guides; -1 for no
    surface; None if not kept."""
    articulation: FloatArray | None
    """Angle of the link relative to the previous link (at its first roller), and of the next link relative to this link
    (at its second roller), counter-clockwise positive, shape (M, 2) [rad]; None without roller_position."""
    zones: tuple[Zone, ...]
    loops: float
    """Number of loops in this time. [-]"""


def loop_zones(solution: Solution) -> tuple[Zone, ...]:
    """Return the zones of wheels, spans and guides along the loop [pitches], counted from the first seat of wheel 0 as
    placed.

    Spans begin and end where the straight tangents do, with the chain as placed on its route; wheels fill the rest. The
    channel span_tension is the mean over the same spans. A guide reaches from the first to the last position at which a
    roller touched it in the run; without contact_surface, it covers the part along its straight span. The chain cannot
    be placed on the drawn route if the run moved a wheel to preload the chain and the position of the wheel was not
    kept; the zones then have the proportions of the drawn route.

    For a variator, the zones follow from the mean running radii in the steady part. For an open chain, zones are
    counted from its first end, with wheels and spans as placed. There are no zones if an open chain advances by more
    than a pitch, because every link then passes through several of them.
    """
    drive = solution.drive
    if drive.chain.ends is not None:
        return _open_zones(solution)
    if drive.sheaves:
        return _zones_of_sheaves(solution)
    way, links = drive_facts(drive).route, drive.chain.links
    centres = np.array(way.centres)
    if "wheel_position" in solution:  # a wheel that was moved to tighten the chain stays where it is
        found = np.asarray(solution.values("wheel_position")[0], dtype=np.float64)
        fixed = [w for w, wheel in enumerate(drive.wheels) if wheel.body == "ground" and np.isfinite(found[w]).all()]
        centres[fixed] = found[fixed]

    def placed() -> FloatArray:
        return span_places(initial_configuration(drive, centres=centres), drive.chain.mean_pitch)

    try:
        places = drive_facts(drive).once(("places of spans", centres.tobytes()), placed)
    except InputError:  # the wheels are as drawn, but the chain fits only at their positions in the run
        teeth = np.array([wheel.teeth for wheel in drive.wheels])
        places = _places_in_proportion(way, teeth, drive.chain.pitch, links)
    names = [wheel.name for wheel in drive.wheels]
    zones = []
    for k, (start, end) in enumerate(places):
        after = (k + 1) % len(names)
        zones.append(_zone(start, end - start, links, "span", k, drive.span_names[k]))
        zones.append(_zone(end, (places[after, 0] - end) % links, links, "wheel", after, names[after]))
    zones.sort(key=lambda zone: zone.start)
    return (*zones, *_guide_zones(solution, places))


def _zones_of_sheaves(solution: Solution) -> tuple[Zone, ...]:
    """Return the zones of both sheave pairs and both spans, in the proportions of the mean running radii."""
    drive, loop = solution.drive, loop_of(solution.drive)
    if "running_radius" in solution:
        rows = window_of(instants(solution), *steady_window(solution)).rows
        radii = np.asarray(solution.values("running_radius", rows), dtype=np.float64)
        touching = radii[(radii > 0.0).all(axis=1)]
        if len(touching):
            first, second = touching.mean(axis=0).tolist()
            loop = loop_around(first, second, loop.distance)
    arcs = [wrap * radius for wrap, radius in zip(loop.wraps, loop.radii, strict=True)]
    lengths = [arcs[0], loop.span, arcs[1], loop.span]
    parts = np.array(lengths) * drive.chain.links / sum(lengths)
    starts = np.concatenate([[0.0], np.cumsum(parts)[:-1]])
    kinds = (("wheel", 0), ("span", 0), ("wheel", 1), ("span", 1))
    names = {"wheel": [wheel.name for wheel in drive.wheels], "span": drive.span_names}
    return tuple(
        _zone(float(start), float(part), drive.chain.links, kind, k, names[kind][k])
        for start, part, (kind, k) in zip(starts, parts, kinds, strict=True)
    )


def _open_zones(solution: Solution) -> tuple[Zone, ...]:
    drive = solution.drive
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    if len(teeth) == 0:
        return (Zone(0.0, float(drive.chain.links), "span", 0, drive.span_names[0]),)
    if "wheel_angle" not in solution:
        return ()
    if np.any(np.nan_to_num(np.ptp(solution.values("wheel_angle"), axis=0)) * teeth > 2.0 * np.pi):
        return ()
    try:
        configuration = initial_configuration(drive)
    except InputError:
        return ()
    places, way = span_places(configuration, drive.chain.mean_pitch), configuration.route
    zones = [Zone(float(a), float(b), "span", k, drive.span_names[k]) for k, (a, b) in enumerate(places)]
    for w, wheel in enumerate(drive.wheels):
        before, behind = way.span_before(w), way.span_after(w)
        begin = 0.0 if before < 0 else float(places[before, 1])
        end = float(drive.chain.links) if behind < 0 else float(places[behind, 0])
        zones.append(Zone(begin, end, "wheel", w, wheel.name))
    return tuple(sorted((zone for zone in zones if zone.end > zone.start), key=lambda zone: zone.start))


def _places_in_proportion(way: Route, teeth: IntArray, pitch: float, links: int) -> FloatArray:
    """Return start and end of the spans if the excess or deficit of chain length is shared by all parts of the route,
    (W, 2).
    """
    wrapped, spans = way.wrap * teeth / (2.0 * np.pi), way.span_length / pitch
    scale = links / float((wrapped + spans).sum())
    ends = np.cumsum(np.column_stack([wrapped, spans]).ravel()).reshape(-1, 2) * scale
    return np.asarray(ends)


def _zone(start: float, length: float, links: int, kind: str, index: int, name: str) -> Zone:
    begin = float(start) % links
    return Zone(begin, begin + float(length), kind, index, name)


def _guide_zones(solution: Solution, spans: FloatArray) -> list[Zone]:
    drive = solution.drive
    links, wheels = drive.chain.links, len(drive.wheels)
    if not drive.guides:
        return []
    touched: dict[int, FloatArray] = {}
    if "contact_surface" in solution:
        body = surface_indices(solution.values("contact_surface"))
        rows, rollers = np.nonzero(body >= wheels)
        place = (rollers + chain_advance(solution)[rows]) % links
        guides = body[rows, rollers] - wheels
        touched = {int(g): place[guides == g] for g in np.unique(guides)}
    zones = []
    way = drive_facts(drive).route
    for g, guide in enumerate(drive.guides):
        if g in touched:
            start, length = _shortest_arc(touched[g], links)
        else:
            profile = guide_profile(guide, way, 0.5 * drive.chain.roller_diameter, g)
            ends = np.array([profile[0].at(0.0)[0], profile[-1].at(1.0)[0]])
            span = nearest_span(way, tuple(ends.mean(axis=0)))
            along = (ends - way.span_start[span]) @ way.span_direction[span] / drive.chain.pitch
            start, length = float(spans[span, 0] + along.min()), float(np.ptp(along))
        zones.append(_zone(start, length, links, "guide", g, guide.name))
    return zones


def _shortest_arc(places: FloatArray, links: int) -> tuple[float, float]:
    """Return start and length of the shortest part of the loop that contains all places [pitches]."""
    ordered = np.unique(places)
    gaps = np.diff(np.append(ordered, ordered[0] + links))
    widest = int(np.argmax(gaps))
    return float(ordered[(widest + 1) % ordered.size]), links - float(gaps[widest])


def zone_at(zones: tuple[Zone, ...], place: float, links: int, kinds: tuple[str, ...] = ("wheel", "span")) -> Zone:
    """Return the zone of these kinds that contains a position [pitches]; otherwise the nearest zone."""
    of_kind = [zone for zone in zones if zone.kind in kinds]

    def distance(zone: Zone) -> float:
        past = (place - zone.start) % links
        length = zone.end - zone.start
        return 0.0 if past <= length else min(past - length, links - past)

    return min(of_kind, key=distance)


def tension_envelope(
    solution: Solution, start: float | None = None, stop: float | None = None, bins: int | None = None
) -> Envelope:
    """Return minimum, mean and maximum link tension along the loop [N]: the ``loop_envelope`` of the channel
    link_tension.
    """
    return loop_envelope(solution, "link_tension", start, stop, bins)


def loop_envelope(
    solution: Solution, name: str, start: float | None = None, stop: float | None = None, bins: int | None = None
) -> Envelope:
    """Return minimum, mean and maximum of a channel by position along the loop and by link, over the last full loop.

    name: a channel with a number or a vector for every link, or for every roller and the joint at it; of a vector the
    magnitude is taken. Extremes are those of all steps if they were stored (``link_tension_max``). start, stop [s]: a
    different window; a run shorter than a loop is used completely (``loops`` gives its fraction). bins: bins per pitch;
    by default 4, or fewer if some would stay empty because the chain advances by the same fraction of a pitch from row
    to row. The position of a link is its middle, the position of a roller its centre. Needs the channel and
    link_path_position. Raises InputError without them, and for an empty window.
    """
    if bins is not None and not 1 <= bins <= 64:
        raise InputError(Problem("bins", "must be between 1 and 64 per pitch", str(bins)))
    advance = chain_advance(solution)
    window, loops = loop_window(solution, start, stop, advance)
    values = magnitudes(solution.values(name, window.rows))
    lowest, highest = (
        values if channel == name else magnitudes(solution.values(channel, window.rows))
        for channel in (extreme_channel(solution, name, "min"), extreme_channel(solution, name, "max"))
    )
    links = values.shape[1]
    known = np.isfinite(values).all(axis=1) & np.isfinite(advance[window.rows])
    if not known.any():
        raise InputError(Problem(name, "is not a number in this window: the run diverged"))
    values, lowest, highest = values[known], lowest[known], highest[known]
    behind = advance[window.rows][known] + (0.5 if solution.channel(name).dims[0] == "link" else 0.0)
    pitches = np.floor(behind).astype(np.int64)
    part = behind - pitches
    at_place = np.arange(len(values))[:, None], (np.arange(links) - pitches[:, None]) % links
    by_place, low_there, high_there = (each[at_place] for each in (values, lowest, highest))
    wanted = (4, 2, 1) if bins is None else (bins,)
    count = next((n for n in wanted if np.unique((part * n).astype(int)).size == n), wanted[-1])
    low, mean, high = np.full((3, links * count), np.nan)
    cell = np.minimum((part * count).astype(int), count - 1)
    for k in range(count):
        inside = cell == k
        if inside.any():
            places = slice(k, None, count)
            low[places] = low_there[inside].min(axis=0)
            high[places] = high_there[inside].max(axis=0)
            mean[places] = by_place[inside].mean(axis=0, dtype=np.float64)
    return Envelope(
        places=(np.arange(links * count) + 0.5) / count,
        low=low,
        mean=mean,
        high=high,
        link_low=lowest.min(axis=0).astype(np.float64),
        link_mean=values.mean(axis=0, dtype=np.float64),
        link_high=highest.max(axis=0).astype(np.float64),
        zones=loop_zones(solution),
        start=window.start,
        stop=window.stop,
        loops=loops,
        rows=len(values),
    )


def link_load(solution: Solution, link: int = 0, start: float | None = None, stop: float | None = None) -> LinkLoad:
    """Return the tension of one link, the contact forces of its two rollers and the angles of its two joints as a
    function of its position.

    The result covers the last full loop of the chain, or start to stop [s]. The position is counted continuously: it
    exceeds the number of links for a link that has passed position 0. Needs link_tension and link_path_position;
    contact_force, contact_surface and roller_position are used if they were kept. Raises InputError for a link that
    does not exist, and for an empty window.
    """
    links = solution.drive.chain.links
    check_index("link", link, links)
    advance = chain_advance(solution)
    window, loops = loop_window(solution, start, stop, advance)
    closed = solution.drive.chain.ends is None
    rows, rollers = window.rows, [link, (link + 1) % links if closed else link + 1]

    def of_rollers(name: str) -> NDArray[Any] | None:
        return solution.values(name, rows)[:, rollers] if name in solution else None

    place = link + 0.5 + advance[rows]
    place -= links * np.floor(place.min() / links)
    force, body = of_rollers("contact_force"), of_rollers("contact_surface")
    articulation = None
    if "roller_position" in solution:
        around, count = link + np.arange(-1, 3), solution.drive.chain.joints
        joints = np.asarray(solution.values("roller_position", rows)[:, around % count], dtype=np.float64)
        if not closed:  # beyond an end there is no link to bend against
            joints[:, (around < 0) | (around >= count)] = np.nan
        along = np.diff(joints, axis=1)
        before, after = along[:, :-1], along[:, 1:]
        cross = before[..., 0] * after[..., 1] - before[..., 1] * after[..., 0]
        articulation = np.arctan2(cross, (before * after).sum(axis=-1))
    return LinkLoad(
        link=link,
        time=instants(solution)[rows],
        place=place,
        tension=np.asarray(solution.values("link_tension", rows, link), dtype=np.float64),
        contact_force=None if force is None else np.asarray(force, dtype=np.float64),
        contact_surface=None if body is None else surface_indices(body),
        articulation=articulation,
        zones=loop_zones(solution),
        loops=loops,
    )
