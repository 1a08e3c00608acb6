"""Checks whether a drive can be built as described: collisions of its parts as drawn, and the messages about them.

``geometry.clearance`` finds overlapping parts. Drives in which fixed parts or taut spans collide are impossible, and
are refused. A warning is given if the drawing is not conclusive: for parts on moving bodies; for spans that hang or are
deflected by guides, as they do not follow the straight line; and for guides at wheels, as guides for the plates may
pass beside the teeth. Bodies have no outline; only the wheels and guides that they support are checked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from chaindrive.errors import InputError, Problem
from chaindrive.geometry import clearance
from chaindrive.geometry import guide as guides
from chaindrive.geometry.clearance import Finding, Layout, Rail
from chaindrive.geometry.initial_configuration import InitialConfiguration, place_chain
from chaindrive.geometry.open_chain import place_open_chain
from chaindrive.geometry.route import Route, length_in_pitches
from chaindrive.geometry.way import RailOnWay, pitches_around, pitches_aside, rail_on_way
from chaindrive.mechanism.doubts import doubts
from chaindrive.mechanism.elongated import elongation_problems
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.pressing import pressed_parts
from chaindrive.mechanism.rails import contact_radius, guide_profile, hanging_direction, nearest_span
from chaindrive.mechanism.routes import route_around
from chaindrive.mechanism.teeth import tooth_gaps
from chaindrive.model import BodyEnd, Drive, FreeEnd
from chaindrive.model.body import moving_bodies
from chaindrive.numbers import quantity

__all__ = [
    "Judgement",
    "initial_configuration",
    "judge_layout",
    "layout_of",
    "placed_chain",
    "route_in_pitches",
]

MOST_POINTS = 200
"""Largest number of points on the line of a hanging span that are checked."""


class Judgement(NamedTuple):
    """Warnings and errors about the positions of the parts of a drive."""

    problems: tuple[Problem, ...]
    """Reasons why the drive cannot be built."""
    warnings: tuple[str, ...]
    """Doubtful values and positions."""


def initial_configuration(
    drive: Drive, straight: bool = False, centres: ArrayLike | None = None
) -> InitialConfiguration:
    """Return the chain on its wheels, with which a run or a search for equilibrium starts. Raises InputError if it does
    not fit.

    straight: a slack chain does not hang (``geometry.initial_configuration.place_chain``). It does not hang either if,
    hanging away from its guides, it would meet a different span. centres: as for ``DriveFacts.route_at``, by default as
    drawn.
    """
    chain, facts = drive.chain, drive_facts(drive)
    slack, way = facts.slack_span, facts.route if centres is None else facts.route_at(centres)
    hanging = hanging_direction(drive, way, slack)
    teeth = [wheel.teeth for wheel in drive.wheels]
    if chain.ends is not None:
        free = isinstance(chain.ends[0], FreeEnd), isinstance(chain.ends[1], FreeEnd)
        circles = route_around(drive, way.centres, facts.wrapped_radii, facts.signs)
        return place_open_chain(circles, teeth, chain.mean_pitch, chain.links, free, hanging, slack_span=slack)
    place = partial(
        place_chain,
        way.centres,
        teeth,
        way.signs,
        chain.mean_pitch,
        chain.links,
        hanging,
        slack_span=slack,
        radii=facts.wrapped_radii,
        offsets=[wheel.offset for wheel in drive.wheels],
        oval=facts.oval,
    )
    placed = place(straight=straight)
    if placed.sag > 0.0 and hanging is not drive.gravity and _meets_others(placed, chain.pitch):
        return place(straight=True)
    return placed


def _meets_others(placed: InitialConfiguration, pitch: float) -> bool:
    """Return whether the hanging span is within a pitch of a different span: it could then come to rest beyond the
    guides of that span.
    """
    others = list(clearance.straight_lines(placed.route))
    del others[placed.slack_span]
    return clearance.apart(_hanging_line(placed), others) < pitch


def placed_chain(drive: Drive, straight: bool = False) -> tuple[InitialConfiguration, tuple[str, ...]]:
    """Return the chain on its wheels (``initial_configuration``), and doubts about the positions of the parts.

    Raises InputError, with all problems, if the chain does not fit or parts collide.
    """
    try:
        configuration = initial_configuration(drive, straight)
    except InputError as error:
        raise InputError((*error.problems, *judge_layout(drive).problems)) from None
    judgement = judge_layout(drive, configuration)
    if judgement.problems:
        raise InputError(judgement.problems)
    return configuration, judgement.warnings


def judge_layout(drive: Drive, configuration: InitialConfiguration | None = None) -> Judgement:
    """Return messages about all collisions of parts. Without an initial configuration, all spans are taken as straight.

    A hanging span is checked both as it is placed and as a straight line, because a running chain moves between the
    two. The loop on a single wheel is never straight. Raises InputError if there is no route, or if a guide or tooth is
    impossible.
    """
    layout = layout_of(drive, configuration)
    slack = configuration.slack_span if configuration is not None else -1
    found = {finding[:3]: finding for finding in clearance.findings(layout)}
    if slack >= 0 and not layout.route.hanging_loop:
        straight = layout._replace(lines=clearance.straight_lines(layout.route))
        for finding in clearance.findings(straight):
            found.setdefault(finding[:3], finding)
    loose = _Loose(drive, layout, slack)
    problems, warnings = [], list(doubts(drive, layout, {first for kind, first, _ in found if kind.startswith("rail")}))
    for finding in found.values():
        place, message, value = _problem_of(drive, layout, finding)
        reason = loose.reason(finding)
        if reason:
            warnings.append(f"{place}: {message} ({reason})")
        else:
            problems.append(Problem(place, f"{message}; {_ADVICE[finding.kind]}", value))
    problems += elongation_problems(drive, layout.route)
    if drive.run.formulation.rigid_contacts:
        problems += pressed_parts(drive, layout)
    return Judgement(tuple(problems), tuple(warnings))


def route_in_pitches(drive: Drive, centres: ArrayLike | None = None) -> float:
    """Return the number of links that fill the path of the chain around its wheels and the rails that press into it.
    [-]

    Rails are taken as drawn; if the chain cannot be laid around them, only the wheels are considered. centres: as for
    ``DriveFacts.route_at``, by default as drawn.
    """
    chain, facts = drive.chain, drive_facts(drive)
    drawn = facts.route
    if chain.ends is not None:
        way = drawn if centres is None else facts.route_at(centres)
        return length_in_pitches(way, chain.mean_pitch, [wheel.teeth for wheel in drive.wheels])
    places = drawn.centres if centres is None else np.asarray(centres, dtype=np.float64)
    teeth = [wheel.teeth for wheel in drive.wheels]
    around = pitches_around(places, facts.wrapped_radii, drawn.signs, teeth, chain.mean_pitch, _rails(drive, drawn))
    if drive.run.formulation.kind != "spatial":
        return around
    way = drawn if centres is None else facts.route_at(centres)
    return around + pitches_aside(way.span_length, [wheel.offset for wheel in drive.wheels], chain.mean_pitch)


def _rails(drive: Drive, way: Route) -> Iterator[RailOnWay]:
    for number, guide in enumerate(drive.guides):
        profile = guide_profile(guide, way, 0.5 * drive.chain.roller_diameter, number)
        radius = contact_radius(guide, 0.5 * drive.chain.roller_diameter)
        yield rail_on_way(profile, way, radius, guide.shape.side == "left")


def layout_of(drive: Drive, configuration: InitialConfiguration | None = None) -> Layout:
    """Return the extent of the parts of a drive as drawn, with the hanging span as placed."""
    chain, way = drive.chain, drive_facts(drive).route if configuration is None else configuration.route
    lines = list(clearance.straight_lines(way))
    if configuration is not None and configuration.slack_span >= 0:
        start, end = lines[configuration.slack_span]
        lines[configuration.slack_span] = np.concatenate([[start], _hanging_line(configuration), [end]])
    tips, oval = np.array([gap.tip_radius for gap in tooth_gaps(drive)]), drive_facts(drive).oval
    if oval is not None:
        tips[oval.wheel] += oval.polygon.radii.max() - way.radii[oval.wheel]
    rails = []
    for number, guide in enumerate(drive.guides):
        profile = guide_profile(guide, way, 0.5 * chain.roller_diameter, number)
        radius = contact_radius(guide, 0.5 * chain.roller_diameter)
        rails.append(Rail(guides.outline(profile), nearest_span(way, guides.middle(profile)[0]), radius))
    return Layout(way, tips, 0.5 * chain.roller_diameter, chain.pitch, tuple(lines), tuple(rails))


def _hanging_line(configuration: InitialConfiguration) -> clearance.FloatArray:
    """Return the positions of the rollers in the hanging span, from its wheel to the next; in a long span, only some of
    them.
    """
    count = len(configuration.roller_span)
    inside = configuration.roller_span == configuration.slack_span
    number = np.flatnonzero(inside)
    first = next((int(i) for i in number if not inside[i - 1]), 0) if configuration.route.closed else int(number[0])
    ordered = (first + np.arange(len(number))) % count
    return np.asarray(configuration.roller_position[ordered[:: max(1, len(ordered) // MOST_POINTS)]])


class _Loose:
    """Finds the parts that may not be where they are drawn."""

    def __init__(self, drive: Drive, layout: Layout, slack: int) -> None:
        moving = moving_bodies(drive.bodies)
        self.wheels = [wheel.body in moving for wheel in drive.wheels]
        self.rails = [guide.body in moving for guide in drive.guides]
        self.led = {rail.span for rail in layout.rails}
        self.slack, self.way = slack, layout.route
        ends = drive.chain.ends or ()
        self.ends = [isinstance(end, FreeEnd) or (isinstance(end, BodyEnd) and end.body in moving) for end in ends]

    def reason(self, finding: Finding) -> str:
        """Return why a drive can perhaps be built in spite of a finding; empty if it cannot."""
        kind, first, second = finding.kind, finding.first, finding.second
        if kind == "wheel meets span":
            return "only its teeth, which may mesh with the chain there"
        if kind == "rail beside span":
            return "the chain is pressed there"
        if kind in ("rail in wheel", "rail on wheel"):
            return "permissible only if the guide guides the plates and passes beside the teeth"
        if kind == "wheels":
            return _MOVING if self.wheels[first] or self.wheels[second] else ""
        if kind == "spans":
            return self._of_span(first) or self._of_span(second)
        part = self.wheels[first] if kind == "wheel in span" else self.rails[first]
        return _MOVING if part else self._of_span(second)

    def _of_span(self, span: int) -> str:
        if span == self.slack:
            return "the span is slack and moves as the drive runs"
        if span in self.led:
            return "guides deflect this span from its straight line"
        at = self.way.wheels_of(span)
        if any(w < 0 and self.ends[end] for end, w in enumerate(at)):
            return _AT_AN_END
        return _MOVING if any(w >= 0 and self.wheels[w] for w in at) else ""


_MOVING = "as drawn, but the bodies that support these parts move"
_AT_AN_END = "the span leads to an end of the chain, and moves as the drive runs"

_ADVICE = {
    "wheel in span": "move the wheel away by this distance, or list it in the route where the chain meets it",
    "wheels": "move one of them, or use fewer teeth",
    "spans": "check the order, the side and the position of the wheels",
    "rail across span": "shorten or move the guide, or place it at the span for which it is intended",
}


def _problem_of(drive: Drive, layout: Layout, finding: Finding) -> tuple[str, str, str]:
    """Return the place, message and value for a finding."""
    kind, first, second, amount = finding.kind, finding.first, finding.second, quantity(finding.amount, "m", 3)
    at = "near ({:.4g}, {:.4g}) mm".format(*(1e3 * coordinate for coordinate in finding.at))
    if kind in ("wheel in span", "wheel meets span"):
        wheel = drive.wheels[first]
        reach = "reaches" if kind == "wheel in span" else "reaches with its teeth"
        message = f"{wheel.name!r} {reach} {amount} into {_span(drive, second)}, to which it does not belong"
        return f"wheels[{first}]", message, repr(list(wheel.position))
    if kind == "wheels":
        one, other = drive.wheels[first], drive.wheels[second]
        message = f"{other.name!r} reaches {amount} into wheels[{first}] {one.name!r} and the chain on it"
        return f"wheels[{second}]", message, repr(list(other.position))
    if kind == "spans":
        crossing = math.isclose(finding.amount, 2.0 * layout.roller_radius)
        how = f"crosses {_span(drive, second)}" if crossing else f"and {_span(drive, second)} come too close"
        need = quantity(2.0 * layout.roller_radius - finding.amount, "m", 3)
        rest = "" if crossing else f": the lines are {need} apart, so that the rollers overlap by {amount}"
        return "wheels", f"{_span(drive, first)} {how} {at}{rest}", ""
    guide = drive.guides[first]
    place = f"guides[{first}]"
    if kind == "rail across span":
        return place, f"{guide.name!r} cuts {_span(drive, second)}, reaching {amount} beyond it, {at}", guide.shape.kind
    if kind == "rail beside span":
        return (
            place,
            f"{guide.name!r} reaches {amount} into {_span(drive, second)}, to which it does not belong, {at}",
            "",
        )
    how = "into" if kind == "rail in wheel" else "into the teeth of, or the chain on,"
    message = f"{guide.name!r} reaches {amount} {how} wheels[{second}] {drive.wheels[second].name!r}"
    return place, message, guide.shape.kind


def _span(drive: Drive, span: int) -> str:
    return f"span {span} ({drive.span_names[span]})"
