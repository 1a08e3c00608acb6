"""Positions of the wheels and rails of a generated drive, with all lengths in pitches. A plan says which parts are
neighbours; a scale gives their size. The scale follows from the length of the chain.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.optimize import brentq

from chaindrive.errors import InputError
from chaindrive.geometry.route import Route, pitch_radius, route

FloatArray = NDArray[np.float64]


class Back(NamedTuple):
    """A wheel on the back of the chain, which presses a span between front wheels inwards."""

    after: int
    """The front wheel before it."""
    at: float
    """Position along that span, 0 to 1."""
    depth: float
    """Depth to which it presses the span inwards, as a fraction of the length of the span."""


class RailPlan(NamedTuple):
    """A rail along the span that follows a wheel."""

    span: int
    side: str
    """"left" or "right", seen along the route."""
    curved: bool
    share: float
    """Length of the part of the rail that the chain touches, as a fraction of the span."""
    bend: float
    """Curved: half of the angle by which it bends the chain [rad]; flat: how far it projects into the chain
    [pitches].
    """


class Plan(NamedTuple):
    """Wheels in the order of the route."""

    front: FloatArray
    """Positions of the front wheels in a drive of size 1, counter-clockwise, shape (F, 2)."""
    back: tuple[Back, ...]
    teeth: tuple[int, ...]
    """Numbers of teeth in the order of the route: each front wheel is followed by its back wheel."""
    rails: tuple[RailPlan, ...]


class RailPlace(NamedTuple):
    """Position of a rail."""

    plan: RailPlan
    centre: FloatArray
    """Curved: centre of the arc on which roller centres lie; flat: the middle of its flat part."""
    radius: float
    """Radius of the arc; 0 if flat."""
    length: float
    """Length of the part that the chain touches."""
    normal: FloatArray
    """Unit vector from the middle of the rail towards the chain."""
    along: FloatArray
    """Unit vector along the span in the direction of the route."""


class Layout(NamedTuple):
    """A drive around which the chain fits."""

    centres: FloatArray
    teeth: tuple[int, ...]
    signs: FloatArray
    """+1 on the front, -1 on the back."""
    route: Route
    """Route around the wheels, without rails."""
    rails: tuple[RailPlace, ...]
    needed: float
    """Length of the path around wheels and rails, in pitches."""


def plan(rng: Generator, links: int, wheels: int, rails: int, curved: bool | None = None) -> Plan:
    """A random plan. curved: whether rails are curved; None for either."""
    backs = 0 if wheels == 2 else min(wheels - 2, int(rng.choice([0, 1, 2], p=[0.45, 0.4, 0.15])))
    fronts = wheels - backs
    if fronts == 2:
        front = np.array([[0.0, 0.0], [1.0, 0.0]])
    else:
        turn = 2.0 * math.pi * (np.arange(fronts) + 0.3 * rng.uniform(-1.0, 1.0, fronts)) / fronts
        shape = np.array([1.0, rng.uniform(0.45, 1.0)])
        front = rng.uniform(0.65, 1.0, fronts)[:, None] * np.column_stack([np.cos(turn), np.sin(turn)]) * shape
    tilt = _tilt(rng)
    front = front @ np.array([[math.cos(tilt), math.sin(tilt)], [-math.sin(tilt), math.cos(tilt)]])
    where = sorted(rng.choice(fronts, backs, replace=False).tolist())
    back = tuple(Back(k, rng.uniform(0.35, 0.65), rng.uniform(0.03, 0.16)) for k in where)
    most = min(72.0, max(14.0, 0.95 * links / wheels))
    teeth = tuple(int(z) for z in np.exp(rng.uniform(math.log(11.0), math.log(most), wheels)))
    spans = rng.choice(wheels, min(rails, wheels), replace=False)
    return Plan(front, back, teeth, tuple(_rail_plan(rng, int(k), curved) for k in spans))


def _tilt(rng: Generator) -> float:
    """Rotation of the drive: nearly horizontal in most cases, otherwise arbitrary. [rad]"""
    near = rng.uniform(-0.7, 0.7) + math.pi * int(rng.integers(2))
    return float(near if rng.random() < 0.7 else rng.uniform(0.0, 2.0 * math.pi))


def _rail_plan(rng: Generator, span: int, curved: bool | None) -> RailPlan:
    bent = bool(rng.random() < 0.5) if curved is None else curved
    amount = rng.uniform(0.03, 0.14) if bent else rng.choice([0.0, 0.0, 0.02, 0.1, 0.3])
    return RailPlan(span, str(rng.choice(["left", "right"])), bent, rng.uniform(0.3, 0.55), float(amount))


def fitted(drawn: Plan, needed: float) -> Layout | None:
    """The drive with the size at which the path around wheels and rails has this length in pitches; None if there is
    none.
    """

    def excess(scale: float) -> float:
        found = _at(drawn, scale)
        return -needed if found is None else found.needed - needed

    high = needed
    if excess(high) <= 0.0:
        return None
    found = _at(drawn, float(brentq(excess, 1.0, high, xtol=1e-12, rtol=1e-14)))
    return found if found is not None and abs(found.needed - needed) < 1e-6 else None


def _at(drawn: Plan, scale: float) -> Layout | None:
    """The drive with this size; None if the route does not exist."""
    fronts = len(drawn.front)
    order = sorted([*(float(k) for k in range(fronts)), *(b.after + 0.5 for b in drawn.back)])
    radii = pitch_radius(1.0, drawn.teeth)
    on_front = np.array([place == int(place) for place in order])
    front = scale * drawn.front
    centres = np.empty((len(order), 2))
    centres[on_front] = front
    signs = np.where(on_front, 1.0, -1.0)
    try:
        hull = route(front, radii[on_front], np.ones(fronts))
        for back, w in zip(drawn.back, np.flatnonzero(~on_front), strict=True):
            u, long = hull.span_direction[back.after], hull.span_length[back.after]
            outward = np.array([u[1], -u[0]])
            middle = hull.span_start[back.after] + back.at * long * u
            centres[w] = middle + (radii[w] - back.depth * long) * outward
        way = route(centres, radii, signs)
        rails = tuple(_rail(way, each) for each in drawn.rails)
        return Layout(centres, drawn.teeth, signs, way, rails, _needed(way, drawn.teeth, rails))
    except InputError:
        return None


def _rail(way: Route, drawn: RailPlan) -> RailPlace:
    u, long = way.span_direction[drawn.span], float(way.span_length[drawn.span])
    normal = np.array([u[1], -u[0]]) if drawn.side == "left" else np.array([-u[1], u[0]])
    middle = way.span_start[drawn.span] + 0.5 * long * u
    length = drawn.share * long
    if not drawn.curved:
        return RailPlace(drawn, middle + drawn.bend * normal, 0.0, length, normal, u)
    radius = 0.5 * length / drawn.bend
    straight = (0.5 * long - radius * math.sin(drawn.bend)) / math.cos(drawn.bend)
    height = radius * (1.0 - math.cos(drawn.bend)) + straight * math.sin(drawn.bend)
    return RailPlace(drawn, middle + (height - radius) * normal, radius, length, normal, u)


def _needed(way: Route, teeth: tuple[int, ...], rails: tuple[RailPlace, ...]) -> float:
    """Length of the path around wheels and rails, in pitches: an arc counts as a wheel whose wrap has the length of the
    arc.
    """
    arcs = sorted((r for r in rails if r.radius > 0.0), key=lambda r: r.plan.span)
    at = [r.plan.span + 1 for r in arcs]
    centres = np.insert(way.centres, at, np.array([r.centre for r in arcs]).reshape(-1, 2), axis=0)
    radii = np.insert(way.radii, at, [r.radius for r in arcs])
    signs = np.insert(way.signs, at, [1.0 if r.plan.side == "left" else -1.0 for r in arcs])
    per_radian = np.insert(np.array(teeth) / (2.0 * math.pi), at, [r.radius for r in arcs])
    whole = route(centres, radii, signs)
    needed = float(whole.span_length.sum() + whole.wrap @ per_radian)
    for rail in (r for r in rails if r.radius == 0.0):
        free = 0.5 * (float(way.span_length[rail.plan.span]) - rail.length)
        needed += 2.0 * (math.hypot(free, rail.plan.bend) - free)
    return needed


class Place(NamedTuple):
    """A drive as drawn, in metres."""

    centres: FloatArray
    teeth: tuple[int, ...]
    sides: tuple[str, ...]
    loop: str
    route: Route
    """Route around the wheels, without rails."""
    rails: tuple[RailPlace, ...]
    needed: float
    """Length of the path around wheels and rails, in pitches."""


def drawn(layout: Layout, pitch: float, clockwise: bool, first: int) -> Place:
    """The drive in metres, rounded to micrometres, mirrored if it runs clockwise, and with a different first wheel."""
    count, mirror = len(layout.teeth), np.array([-1.0 if clockwise else 1.0, 1.0])
    order = (np.arange(count) + first) % count
    centres = np.round(layout.centres[order] * mirror * pitch, 6) + 0.0
    signs = layout.signs[order]
    teeth = tuple(layout.teeth[w] for w in order)
    way = route(centres, pitch_radius(pitch, teeth), -signs if clockwise else signs)
    other = {"left": "right", "right": "left"}
    rails = tuple(
        rail._replace(
            plan=rail.plan._replace(
                span=(rail.plan.span - first) % count, side=other[rail.plan.side] if clockwise else rail.plan.side
            ),
            centre=rail.centre * mirror * pitch,
            radius=rail.radius * pitch,
            length=rail.length * pitch,
            normal=rail.normal * mirror,
            along=rail.along * mirror,
        )
        for rail in layout.rails
    )
    sides = tuple("front" if sign > 0.0 else "back" for sign in signs)
    loop = "clockwise" if clockwise else "counterclockwise"
    return Place(centres, teeth, sides, loop, way, rails, layout.needed)
