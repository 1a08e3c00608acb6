"""Checks whether a generated drive can be built as drawn and has plausible loads."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.analytical.formulas import binder_ratio, pressure_angle
from chaindrive.errors import InputError
from chaindrive.geometry import guide as guides
from chaindrive.geometry.initial_configuration import place_chain
from chaindrive.geometry.route import Route, length_in_pitches
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.rails import guide_profile, hanging_direction, nearest_span
from chaindrive.mechanism.teeth import tooth_gap
from chaindrive.model import Drive, standard_chain

FloatArray = NDArray[np.float64]

LEAST_SPAN = 2.5
"""Shortest free span between two wheels. [pitches]"""
LEAST_TEETH_WRAPPED = {"idler": 1.2, "loaded": 4.0}
"""Smallest number of teeth in mesh with the chain; an idler may barely touch the chain."""
LEAST_WRAP = 1.4
"""Smallest wrap angle of the driver and of loaded wheels. [rad]"""
MOST_SLACK = 0.021
"""Largest excess of links over the route, as a fraction of all links; rails are not part of the route and may take up
as many again.
"""
MOST_SAG = 0.25
"""Largest sag of the slack span, as a fraction of its length."""
LEAST_SLACK_JUDGED = 0.3
"""Slack above which the weight of the strand alone must keep the chain from slipping under the load. [pitches]"""
LEAST_TEETH_SLACK, LEAST_WRAP_SLACK = 3.0, 1.0
"""Smallest number of teeth in mesh and smallest wrap angle of an idler in a slack chain. [-], [rad]"""
LOOSE_TEETH = 1.5
"""Number of teeth at the ends of a wrap that carry little load."""
HELD_SAFELY = 2.0
"""Safety factor on the load that a slack strand holds."""
HIDDEN_SLACK = 0.4
"""Slack that may hang below a wheel without leaving its teeth. [pitches]"""


def problems(drive: Drive) -> list[str]:
    """Reasons, as texts, why nobody would build the drive; empty for a sound drive."""
    try:
        way = drive_facts(drive).route
        tips = np.array([_tip(drive, w) for w in range(len(drive.wheels))])
    except InputError as error:
        return [str(error)]
    found = [*_wheels(way, tips, drive), *_spans(way, tips, drive), *_wraps(way, drive)]
    if found:
        return found
    return [*_length(way, drive), *_hanging(way, tips, drive), *_rails(way, tips, drive), *_held(way, drive)]


def plate_height(drive: Drive) -> float:
    """Plate height of the chain. [m]"""
    standard = drive.chain.standard
    return standard_chain(standard).inner_plate_depth if standard else 1.3 * drive.chain.roller_diameter


def _tip(drive: Drive, w: int) -> float:
    """Tip radius of the teeth of a wheel. [m]"""
    return tooth_gap(drive, w).tip_radius


def _wheels(way: Route, tips: FloatArray, drive: Drive) -> Iterator[str]:
    """Check that wheels stay clear of each other and of the chain on other wheels."""
    plate = plate_height(drive)
    for i, j in combinations(range(len(tips)), 2):
        least = max(tips[i], way.radii[i] + plate) + max(tips[j], way.radii[j] + plate)
        if math.dist(way.centres[i], way.centres[j]) < least:
            yield f"wheels {i} and {j} overlap, or the chain on them"


def _spans(way: Route, tips: FloatArray, drive: Drive) -> Iterator[str]:
    """Check that spans are long enough and cross nothing, and that no wheel reaches into another span."""
    count, plate = len(tips), plate_height(drive)
    for k in range(count):
        if way.span_length[k] < LEAST_SPAN * drive.chain.pitch:
            yield f"span {k} is short"
        for w in range(count):
            if w not in (k, (k + 1) % count):
                reach = max(tips[w], way.radii[w] + 0.5 * plate) + 0.5 * plate
                if _from_segment(way.centres[w][None], way.span_start[k], way.span_end[k]).min() < reach:
                    yield f"wheel {w} reaches into span {k}"
    for i, j in combinations(range(count), 2):
        apart = [
            w for w in ((i + 1) % count if j == (i + 1) % count else -1, i if i == (j + 1) % count else -1) if w >= 0
        ]
        if apart and all(way.wrap[w] <= math.pi for w in apart):
            continue  # they part from each other at the wheel between them
        if _between_segments(way, i, j) < plate:
            yield f"spans {i} and {j} touch"


def _wraps(way: Route, drive: Drive) -> Iterator[str]:
    for w, wheel in enumerate(drive.wheels):
        loaded = wheel.motion is not None or bool(_static_load(drive, w))
        wrapped = float(way.wrap[w]) * wheel.teeth / (2.0 * math.pi)
        if wrapped < LEAST_TEETH_WRAPPED["loaded" if loaded else "idler"]:
            yield f"wheel {w} has {wrapped:.2g} teeth in the chain"
        if (loaded and way.wrap[w] < LEAST_WRAP) or way.wrap[w] > 1.6 * math.pi:
            yield f"wheel {w} is wrapped over {math.degrees(way.wrap[w]):.0f} degrees"


def _held(way: Route, drive: Drive) -> Iterator[str]:
    """Check that without a tensioner the slack strand holds the loads of the wheels and lies on its idlers.

    A slack span of weight q per length sags by f = L sqrt(3 s/8) and pulls with H = q L^2 / (8 f), where s is the slack
    as a fraction of L; along a wrap the tension decreases by Binder's ratio from tooth to tooth. At rest nothing else
    holds the rollers in their tooth gaps: with a smaller pull, the load would pull the chain over the teeth.
    """
    if drive.bodies or drive.tensioners or drive.guides:
        return
    pitch, teeth = drive.chain.pitch, np.array([wheel.teeth for wheel in drive.wheels])
    slack = (drive.chain.links - length_in_pitches(way, pitch, teeth)) * pitch
    if slack < LEAST_SLACK_JUDGED * pitch:
        return
    length = float(way.span_length[drive_facts(drive).slack_span])
    weight = drive.chain.link_mass / pitch * math.hypot(*drive.gravity)
    holds = weight * length / (8.0 * math.sqrt(0.375 * slack / length))
    pulls = holds + sum(_torque_at_rest(drive, w) / float(way.radii[w]) for w in range(len(teeth)))
    for w, wheel in enumerate(drive.wheels):
        wrapped = float(way.wrap[w]) * wheel.teeth / (2.0 * math.pi)
        if wheel.motion is not None or _static_load(drive, w):
            falls = binder_ratio(wheel.teeth, pressure_angle(wheel.teeth, "mean")) ** max(wrapped - LOOSE_TEETH, 0.0)
            if pulls * falls > holds / HELD_SAFELY:
                yield f"the slack strand does not hold the load of wheel {w}"
        elif wrapped < LEAST_TEETH_SLACK or way.wrap[w] < LEAST_WRAP_SLACK:
            yield f"the slack chain may hang free of wheel {w}"


def _length(way: Route, drive: Drive) -> Iterator[str]:
    links = drive.chain.links
    needed = length_in_pitches(way, drive.chain.pitch, [wheel.teeth for wheel in drive.wheels])
    allowed = (2.0 if drive.guides else 1.0) * MOST_SLACK
    if not -0.03 <= links - needed <= allowed * links:
        yield f"{links} links on {needed:.2f} pitches"


def _hanging(way: Route, tips: FloatArray, drive: Drive) -> Iterator[str]:
    """Check that a slack chain hangs free and stays on its wheels."""
    chain, span = drive.chain, drive_facts(drive).slack_span
    teeth = [wheel.teeth for wheel in drive.wheels]
    slack = chain.links - length_in_pitches(way, chain.pitch, teeth)
    gravity = hanging_direction(drive, way, span)
    try:
        lay = place_chain(way.centres, teeth, way.signs, chain.pitch, chain.links, gravity, slack_span=span)
    except InputError as error:
        yield str(error)
        return
    if lay.slack_span < 0 or drive.guides:
        return
    if lay.sag > MOST_SAG * way.span_length[span]:
        yield f"sags {lay.sag:.3g} m"
    yield from _hangs_clear(lay.roller_position, lay.roller_span == span, way, tips, drive)
    weight = math.hypot(*drive.gravity)
    if slack > HIDDEN_SLACK and weight > 0.0:
        for w in range(len(teeth)):
            middle = way.arrival_angle[w] + 0.5 * way.signs[w] * way.wrap[w]
            below = math.cos(middle) * drive.gravity[0] + math.sin(middle) * drive.gravity[1]
            if below > 0.75 * weight:
                yield f"the slack chain hangs off wheel {w}"


def _hangs_clear(
    place: FloatArray, hanging: NDArray[np.bool_], way: Route, tips: FloatArray, drive: Drive
) -> Iterator[str]:
    """Check that the rollers of the slack span, with 1.5 times its sag, touch neither wheels nor other parts of the
    chain.
    """
    span, plate, count = drive_facts(drive).slack_span, plate_height(drive), len(tips)
    u, start = way.span_direction[span], way.span_start[span]
    free = place[hanging]
    along = start + ((free - start) @ u)[:, None] * u
    for lower in (1.0, 1.5):
        low = along + lower * (free - along)
        for w in (w for w in range(count) if w not in (span, (span + 1) % count)):
            if np.hypot(*(low - way.centres[w]).T).min(initial=math.inf) < tips[w] + plate:
                yield f"the slack span hangs onto wheel {w}"
        for k in (k for k in range(count) if k != span):
            if _from_segment(low, way.span_start[k], way.span_end[k]).min(initial=math.inf) < plate:
                yield f"the slack span hangs onto span {k}"


def _rails(way: Route, tips: FloatArray, drive: Drive) -> Iterator[str]:
    """Check that rails stay clear of wheels and of other spans."""
    plate = plate_height(drive)
    for number, each in enumerate(drive.guides):
        try:
            profile = guide_profile(each, way, 0.5 * drive.chain.roller_diameter, number)
        except InputError as error:
            yield str(error)
            continue
        line = guides.outline(profile)
        own = each.shape.span if each.shape.kind == "on_span" else nearest_span(way, guides.middle(profile)[0])
        for w in range(len(tips)):
            if np.hypot(*(line - way.centres[w]).T).min() < max(tips[w], way.radii[w] + 0.5 * plate):
                yield f"guide {number} reaches into wheel {w}"
        for k in (k for k in range(len(tips)) if k != own):
            if _from_segment(line, way.span_start[k], way.span_end[k]).min() < plate:
                yield f"guide {number} reaches into span {k}"


def _static_load(drive: Drive, w: int) -> bool:
    wheel = drive.wheels[w]
    return bool(wheel.load_torque or wheel.load_viscous or wheel.load_quadratic or wheel.load_table)


def _torque_at_rest(drive: Drive, w: int) -> float:
    """The largest torque of the loads on a wheel at rest. [N m]"""
    wheel = drive.wheels[w]
    table = max(map(abs, wheel.load_table.torques)) if wheel.load_table is not None else 0.0
    return abs(wheel.load_torque) + abs(wheel.torque) + table


def _from_segment(points: FloatArray, start: FloatArray, end: FloatArray) -> FloatArray:
    """Distances of points, shape (n, 2), from a segment. [m]"""
    way = end - start
    share = np.clip((points - start) @ way / (way @ way), 0.0, 1.0)
    return np.asarray(np.hypot(*(points - start - share[:, None] * way).T))


def _between_segments(way: Route, i: int, j: int) -> float:
    """Smallest distance between two spans, 0 if they cross. [m]"""
    a, b, c, d = way.span_start[i], way.span_end[i], way.span_start[j], way.span_end[j]
    e, f = b - a, d - c
    cross = e[0] * f[1] - e[1] * f[0]
    if cross:
        s, t = np.linalg.solve(np.column_stack([e, -f]), c - a)
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            return 0.0
    ends = _from_segment(np.array([a, b]), c, d).min(), _from_segment(np.array([c, d]), a, b).min()
    return float(min(ends))
