"""Pairs of parts with rigid contacts that squeeze rollers between them, as drawn or when moved by motions.

Two surfaces are checked if their relative position is known at all times, that is, if all joints between them are fixed
or follow a given motion: a guide and a roller in a seat of a wheel; two guides on either side of a span; two wheels
with a roller in the seats of both. If the result depends on the phase of teeth or on a freely moving body, nothing is
reported here, and the run will show it (``planar.endings``).
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.elementary import cos, sin
from chaindrive.errors import Problem
from chaindrive.geometry import pressing
from chaindrive.geometry.clearance import Layout, lies_on, nearest_points
from chaindrive.geometry.route import Route
from chaindrive.mechanism.facts import drive_facts, moved_route
from chaindrive.mechanism.joint_courses import JointCourse, joint_course
from chaindrive.model import Drive
from chaindrive.model.body import GROUND, Body
from chaindrive.numbers import quantity

__all__ = ["SEATED", "pressed_parts"]

FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]

SEATED = 0.005
"""Depth by which rollers may be squeezed without a report, in pitches, to allow for play, rounding or bedding in.
[-]
"""
LOOKED_AT = 64
"""Largest number of instants with a relevant depth at which it is checked whether the chain is there."""
MOST_TURNS = 60
"""Longest common period of oscillations that is considered, in periods of the slowest oscillation."""
ENDLESS = 100
"""Number of periods of the slowest oscillation that are checked if there is no common period and the run has no end."""


class Part(NamedTuple):
    """A wheel or guide, and the body that carries it."""

    place: str
    name: str
    body: str
    points: ComplexArray
    """Points as drawn: the centre of a wheel, or the surface of a guide as a polyline, (n,). [m]"""


class Pair(NamedTuple):
    """Two parts between which rollers may lie."""

    first: Part
    second: Part
    depth: Callable[[ComplexArray, ComplexArray], FloatArray]
    """Function that returns the depth by which a roller is squeezed, (T,) [m], from the positions of both parts over
    time, (T, n) and (T, m).
    """
    meets: Callable[[float, ComplexArray, ComplexArray], bool]
    """Function that returns whether the chain is between the parts at a time, from the positions of both at that time,
    (n,) and (m,).
    """
    text: str
    """Description of the event, with the amount in place of {}."""


class Pressed(NamedTuple):
    """The time at which a pair squeezes rollers, and the depth."""

    since: float
    """[s]"""
    most: float
    """Largest depth. [m]"""
    when: float
    """Time of the largest depth. [s]"""


def pressed_parts(drive: Drive, layout: Layout) -> Iterator[Problem]:
    """Yield problems for parts that leave too little room for rollers at some time of a run, with the time and the
    depth.
    """
    carriers = _Carriers(drive)
    for pair in _pairs(drive, layout, carriers):
        joints = carriers.between(pair.first.body, pair.second.body)
        found = None if joints is None else _pressed(carriers, pair, joints, SEATED * layout.pitch)
        if found is not None:
            yield _problem(pair, found, [body.name for body in joints or () if body.joint.kind != "fixed"])


def _problem(pair: Pair, found: Pressed, moved: Sequence[str]) -> Problem:
    message = pair.text.format(quantity(found.most, "m", 3))
    advice = "move it away by this distance"
    if moved:
        names = " and ".join(repr(name) for name in moved)
        at = f"at {quantity(found.when, 's', 6)}, from {quantity(found.since, 's', 6)} on"
        message, advice = f"{message} ({at})", f"change the motion of {names} by this distance"
    return Problem(
        pair.first.place,
        f"{message}, and rigid contacts do not give way: {advice}, let one of them keep its springs "
        "(contact.compliant), or use run.formulation.contacts = 'compliant'",
        repr(pair.first.name),
    )


class _Carriers:
    """The bodies of a drive as moved by their motions; bodies that move freely stay where they are drawn."""

    def __init__(self, drive: Drive) -> None:
        self._drive = drive
        self._bodies = {body.name: body for body in drive.bodies}
        self._courses = {body.name: self._course(body) for body in drive.bodies}

    @staticmethod
    def _course(body: Body) -> JointCourse | None:
        joint = body.joint
        return None if joint.kind == "fixed" or joint.motion is None else joint_course(joint.motion)

    def _bodies_to_ground(self, name: str) -> list[Body]:
        """Return the bodies from this one to the ground."""
        found = []
        while name != GROUND:
            found.append(self._bodies[name])
            name = found[-1].parent
        return found

    def between(self, one: str, other: str) -> list[Body] | None:
        """Return the bodies whose joints determine the relative position of two bodies; None if one of them moves
        freely.
        """
        first, second = self._bodies_to_ground(one), self._bodies_to_ground(other)
        common = {body.name for body in first} & {body.name for body in second}
        joints = [body for body in (*first, *second) if body.name not in common]
        free = any(body.joint.kind != "fixed" and self._courses[body.name] is None for body in joints)
        return None if free else joints

    def places(self, part: Part, times: FloatArray) -> ComplexArray:
        """Return the positions of the points of a part over time, (T, n). [m]"""
        turn, shift = np.ones(times.size, np.complex128), np.zeros(times.size, np.complex128)
        for body in self._bodies_to_ground(part.body):
            joint, course = body.joint, self._courses[body.name]
            if course is None or joint.kind == "fixed":
                continue
            moved = course.coordinate(times)
            if joint.kind == "revolute":
                about, by = complex(*joint.position), cos(moved) + 1j * sin(moved)
                turn, shift = by * turn, about + by * (shift - about)
            else:
                shift = shift + moved * cmath.exp(1j * joint.direction)
        return np.asarray(turn[:, None] * part.points + shift[:, None])

    def way(self, part: Part, joints: Sequence[Body], times: FloatArray) -> FloatArray:
        """Return the largest distance that any point of a part moved by these joints can have travelled, (T,). [m]"""
        gone, about, names = np.zeros(times.size), complex(part.points.mean()), {body.name for body in joints}
        radius = float(np.abs(part.points - about).max())
        for body in self._bodies_to_ground(part.body):
            joint, course = body.joint, self._courses[body.name]
            if body.name not in names or course is None:
                continue
            if joint.kind == "revolute":
                centre = complex(*joint.position)
                radius, about = radius + abs(centre - about), centre
                gone += radius * course.way(times)
            else:
                gone += course.way(times)
                radius += course.largest
        return gone

    def instants(self, joints: Sequence[Body]) -> FloatArray:
        """Return instants from the start of a run until the motion of these joints repeats, or to the end of the run.
        [s]
        """
        courses = [course for body in joints if (course := self._courses[body.name]) is not None]
        if not courses:
            return np.zeros(1)
        changes = np.concatenate([course.instants for course in courses])
        settled = max(float(changes.max()), 0.0)
        end = min(settled + _common([course.period for course in courses if course.period > 0.0]), self._end)
        if not math.isfinite(end):
            end = settled + ENDLESS * max(course.period for course in courses)
        within = changes[(changes > 0.0) & (changes < end)]
        return np.unique(np.concatenate([np.linspace(0.0, end, pressing.FIRST), within]))

    @cached_property
    def _end(self) -> float:
        """Return the end of the run, infinite if it is not known. [s]"""
        run = self._drive.run
        if run.until != "steady":
            return run.until
        return math.inf if run.at_most is None else run.at_most

    def route_at(self, time: float) -> Route:
        """Return the route at this time, with the wheels as moved by their motions."""
        times = np.array([time])
        centres = [self.places(_wheel(self._drive, w), times)[0, 0] for w in range(len(self._drive.wheels))]
        return moved_route(self._drive, _coordinates(np.array(centres)))


def _coordinates(points: ComplexArray) -> FloatArray:
    """Return complex points (n,) as coordinates (n, 2)."""
    return np.column_stack([points.real, points.imag])


def _common(periods: Sequence[float]) -> float:
    """Return the least common multiple of periods; 0 without periods, infinite if there is no common multiple. [s]"""
    slowest = max(periods, default=0.0)
    for turns in range(1, MOST_TURNS + 1):
        times = np.array([turns * slowest / period for period in periods])
        if np.all(np.abs(times - np.round(times)) < 1e-9 * np.maximum(times, 1.0)):
            return turns * slowest
    return math.inf


def _pressed(carriers: _Carriers, pair: Pair, joints: Sequence[Body], least: float) -> Pressed | None:
    """Return when and how deep a pair squeezes rollers, if by more than ``least``."""

    def depth(times: FloatArray) -> FloatArray:
        return pair.depth(carriers.places(pair.first, times), carriers.places(pair.second, times))

    def way(times: FloatArray) -> FloatArray:
        return sum((carriers.way(part, joints, times) for part in pair[:2]), np.zeros(times.size))

    times, found = pressing.sampled_depth(depth, way, carriers.instants(joints), least)
    deep = np.flatnonzero(found > least)
    if deep.size > LOOKED_AT:
        some = deep[np.linspace(0, deep.size - 1, LOOKED_AT).astype(np.int64)]
        deep = np.union1d(some, [deep[np.argmax(found[deep])]])
    first, second = carriers.places(pair.first, times[deep]), carriers.places(pair.second, times[deep])
    met = [k for i, k in enumerate(deep) if pair.meets(float(times[k]), first[i], second[i])]
    if not met:
        return None
    deepest = max(met, key=lambda k: float(found[k]))
    return Pressed(float(times[met[0]]), float(found[deepest]), float(times[deepest]))


def _wheel(drive: Drive, w: int) -> Part:
    wheel = drive.wheels[w]
    return Part(f"wheels[{w}]", wheel.name, wheel.body, np.array([complex(*wheel.position)]))


def _pairs(drive: Drive, layout: Layout, carriers: _Carriers) -> Iterator[Pair]:
    way, rails, oval = layout.route, layout.rails, drive_facts(drive).oval
    radii = way.radii.copy()
    if oval is not None:  # it turns, and every radius comes round
        radii[oval.wheel] = oval.polygon.radii.max()
    held = [
        w
        for w, wheel in enumerate(drive.wheels)
        if wheel.shaft is None and not (wheel.contact or drive.contact).compliant
    ]
    hard = [g for g, guide in enumerate(drive.guides) if not guide.contact.compliant]
    guides = [
        Part(f"guides[{g}]", guide.name, guide.body, rails[g].surface @ np.array([1.0, 1.0j]))
        for g, guide in enumerate(drive.guides)
    ]
    for g in hard:
        for w in held:
            yield _guide_and_wheel(guides[g], _wheel(drive, w), w, float(radii[w]) + rails[g].contact_radius, carriers)
    for g, h in combinations(hard, 2):
        if rails[g].span == rails[h].span and drive.guides[g].shape.side != drive.guides[h].shape.side:
            yield _guides(guides[h], guides[g], rails[g].contact_radius + rails[h].contact_radius)
    for v, w in combinations(held, 2):
        if not way.one_centre[v, w]:
            reach = float(radii[v] + radii[w])
            yield _wheels(_wheel(drive, w), w, _wheel(drive, v), v, reach, carriers)


def _guide_and_wheel(guide: Part, wheel: Part, w: int, reach: float, carriers: _Carriers) -> Pair:
    def depth(surface: ComplexArray, centre: ComplexArray) -> FloatArray:
        return pressing.rail_and_wheel(surface, centre[:, 0], reach)

    def meets(time: float, surface: ComplexArray, centre: ComplexArray) -> bool:
        near = complex(*nearest_points(_coordinates(surface), _coordinates(centre))[0])
        return lies_on(carriers.route_at(time), w, near - complex(centre[0]))

    text = f"{guide.name!r} presses the rollers on {wheel.place} {wheel.name!r} {{}} into its teeth"
    return Pair(guide, wheel, depth, meets, text)


def _guides(one: Part, other: Part, reach: float) -> Pair:
    def depth(first: ComplexArray, second: ComplexArray) -> FloatArray:
        return pressing.between_rails(first, second, reach)

    def meets(time: float, first: ComplexArray, second: ComplexArray) -> bool:
        return bool(pressing.facing(first[None], second[None])[0])

    text = f"{one.name!r} and {other.place} {other.name!r} are {{}} too close for the rollers between them"
    return Pair(one, other, depth, meets, text)


def _wheels(one: Part, first: int, other: Part, second: int, reach: float, carriers: _Carriers) -> Pair:
    def depth(centre: ComplexArray, there: ComplexArray) -> FloatArray:
        return pressing.between_wheels(centre[:, 0], there[:, 0], reach)

    def meets(time: float, centre: ComplexArray, there: ComplexArray) -> bool:
        route, arm = carriers.route_at(time), complex(there[0] - centre[0])
        after = {(first, route.span_after(first)), (second, route.span_after(second))}
        if (second, route.span_before(first)) in after or (first, route.span_before(second)) in after:
            return bool(route.signs[first] != route.signs[second])  # from one to the other, between both
        return lies_on(route, first, arm) or lies_on(route, second, -arm)

    text = f"{one.name!r} presses the rollers between it and {other.place} {other.name!r} {{}} into the teeth of both"
    return Pair(one, other, depth, meets, text)
