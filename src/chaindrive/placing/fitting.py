"""Computes numbers of links from the route, and positions of wheels and bodies from a number of links.

Both are found from the valid parts of a drive before the drive is validated; the drive then contains the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from chaindrive.errors import InputError, Problem
from chaindrive.geometry import guide as guides
from chaindrive.geometry.roots import root_to_rounding
from chaindrive.geometry.route import Route, pitch_radius, route
from chaindrive.geometry.way import RailOnWay, pitches_around, pitches_aside, rail_on_way
from chaindrive.model.body import Body, PrismaticJoint, RevoluteJoint
from chaindrive.model.chain import Chain
from chaindrive.model.closing import AUTO, STAND_IN, Closing, Fitted
from chaindrive.model.guide import Guide
from chaindrive.model.moving import carried, moved_fields
from chaindrive.model.problems import nearest, shown
from chaindrive.model.run import given_formulation
from chaindrive.model.wheel import Wheel

__all__ = ["fitted", "way_of"]

CLOSED = 1e-10
"""Difference in length between path and chain, in pitches, that counts as zero, so that a drive does not change when it
is written and read again. [-]"""
STEP = 0.125
"""Step in the search for a position: number of pitches by which a wheel, or the farthest wheel of a body, is moved.
[-]"""
STRETCH = 1e-5
"""Largest mean strain of the links at which a chain still counts as reaching around its route. It allows for rounding
in a drawing and corresponds to 15 N in an 08B chain. [-]"""
MOST_STEPS = 600
FARTHEST_TURN = 0.5 * math.pi
"""Largest angle by which a body is turned in the search. [rad]"""


class _Fit(NamedTuple):
    """The fields of one chain with the values found, as in ``Fitted``."""

    fields: dict[str, Any]
    follows: bool
    problems: tuple[Problem, ...] = ()
    complete: bool = True


class _Drawn(NamedTuple):
    """The parts of a drive that determine the length of its chain path."""

    chain: Chain
    wheels: Sequence[Wheel]
    guides: Sequence[Guide]
    bodies: Sequence[Body]
    loop: float
    """Direction of the loop: +1 counter-clockwise, -1 clockwise."""
    in_space: bool = False
    """Whether the links move in space, so that offsets of the wheels make spans longer."""


def fitted(given: Mapping[str, Any], alone: Callable[[Any, Any], Any]) -> Fitted | None:
    """Return the given fields of a drive and its stages, with the numbers of links, or the positions, that follow from
    each other; None if everything is given.

    alone: function that validates a part by itself and returns it, or None if it is invalid.
    """
    listed = given.get("stages")
    stages = [*listed] if isinstance(listed, Sequence) and not isinstance(listed, (str, bytes)) else []
    chains = {"": given} | {f"stages[{k}].": stage for k, stage in enumerate(stages) if isinstance(stage, Mapping)}
    fits = {place: fit for place, chain in chains.items() if (fit := _fit_of(chain, alone)) is not None}
    if not fits:
        return None
    fields = fits[""].fields if "" in fits else dict(given)
    if stages:
        made = [fits.get(f"stages[{k}].") for k in range(len(stages))]
        fields["stages"] = [stage if fit is None else fit.fields for stage, fit in zip(stages, made, strict=True)]
    follows = frozenset(place for place, fit in fits.items() if fit.follows)
    unknown = frozenset(place for place in follows if fits[place].problems or not fits[place].complete)
    problems = tuple(
        problem._replace(place=f"{place}{problem.place}") for place, fit in fits.items() for problem in fit.problems
    )
    return Fitted(fields, follows, unknown, problems, all(fit.complete for fit in fits.values()))


def _fit_of(given: Mapping[str, Any], alone: Callable[[Any, Any], Any]) -> _Fit | None:
    """Do the same as ``fitted`` for a single chain."""
    chain, asked = given.get("chain"), given.get("closing")
    auto = isinstance(chain, Mapping) and chain.get("links") == AUTO
    bicycle = given.get("bicycle") is not None
    if asked is None and not auto:
        return None
    fields = dict(given)
    if auto and bicycle:  # the links of a bicycle are derived if omitted
        fields["chain"] = {name: value for name, value in chain.items() if name != "links"}  # type: ignore[union-attr]
        auto = False
        if asked is None:
            return _Fit(fields, False)
    if auto:
        fields["chain"] = {**chain, "links": STAND_IN}  # type: ignore[dict-item]
    if refused := [*_refused(given, auto)]:
        return _Fit(fields, auto, tuple(refused))
    closing = None if asked is None else alone(Closing, asked)
    drawn = _drawn(fields, alone)
    if drawn is None or (asked is not None and closing is None):
        return _Fit(fields, auto, complete=False)
    if closing is not None and (wrong := [*_closing_problems(closing, drawn)]):
        return _Fit(fields, auto, tuple(wrong))
    try:
        if auto:
            fields["chain"] |= {"links": _links(drawn, closing)}
            drawn = drawn._replace(chain=drawn.chain.model_copy(update={"links": fields["chain"]["links"]}))
        if closing is not None:
            fields = _moved(fields, drawn, closing, auto)
    except InputError as error:
        return _Fit(fields, auto, error.problems)
    return _Fit(fields, auto)


def way_of(
    chain: Chain, wheels: Sequence[Wheel], rails: Sequence[Guide], loop: float, in_space: bool = False
) -> tuple[float, Route]:
    """Return the number of links (usually not a whole number) that fill the path around wheels and rails, and the route
    around the wheels alone.

    loop: +1 counter-clockwise, -1 clockwise; in_space: whether the offsets of the wheels count. Raises InputError if
    there is no route.
    """
    teeth = [wheel.teeth for wheel in wheels]
    places = np.array([wheel.position for wheel in wheels], dtype=np.float64)
    signs = np.array([loop if wheel.side == "front" else -loop for wheel in wheels])
    way = route(places, pitch_radius(chain.pitch, teeth), signs)
    if way.hanging_loop:
        message = (
            "the length of the chain cannot be derived from a route with a loop that hangs between wheels on the "
            "same axis: give chain.links as a number, and omit closing"
        )
        raise InputError(Problem("chain.links", message))
    radii = pitch_radius(max(chain.mean_pitch, chain.pitch), teeth)
    needed = pitches_around(places, radii, signs, teeth, chain.mean_pitch, _rails(chain, rails, way))
    if in_space:
        needed += pitches_aside(way.span_length, [wheel.offset for wheel in wheels], chain.mean_pitch)
    return needed, way


def _rails(chain: Chain, rails: Sequence[Guide], way: Route) -> Iterator[RailOnWay]:
    for number, rail in enumerate(rails):
        radius = 0.5 * chain.roller_diameter if rail.contact_radius is None else rail.contact_radius
        try:
            profile = guides.profile_of(rail.shape, way, radius)
        except ValueError as error:
            raise InputError(Problem(f"guides[{number}].shape", str(error), rail.shape.kind)) from error
        yield rail_on_way(profile, way, radius, rail.shape.side == "left")


def _refused(given: Mapping[str, Any], auto: bool) -> Iterator[Problem]:
    chain = given.get("chain")
    place, value = ("chain.links", repr(AUTO)) if auto else ("closing", "")
    if given.get("bicycle") is not None:
        yield Problem("closing", "omit it: the cage of a bicycle closes its chain")
    if (chain.get("ends") if isinstance(chain, Mapping) else getattr(chain, "ends", None)) is not None:
        yield Problem(place, "needs a closed chain: give the number of links for an open chain", value)
    elif isinstance(wheels := given.get("wheels"), Sequence) and len(wheels) == 1:
        advice = "give the number of its links" if auto else "omit it"
        yield Problem(place, f"needs two wheels, but the chain hangs from a single one: {advice}", value)
    preload = given.get("preload")
    by = preload.get("by") if isinstance(preload, Mapping) else getattr(preload, "by", None)
    if given.get("closing") is not None and by == "wheel":
        yield Problem("closing", "moves a wheel, and so does preload: give only one of the two")


def _drawn(fields: Mapping[str, Any], alone: Callable[[Any, Any], Any]) -> _Drawn | None:
    chain = alone(Chain, fields.get("chain"))
    lists: list[list[Any]] = []
    for name, model in (("wheels", Wheel), ("guides", Guide), ("bodies", Body)):
        listed = fields.get(name) or ()
        if not isinstance(listed, Sequence) or isinstance(listed, (str, bytes)):
            return None
        lists.append([alone(model, part) for part in listed])
    wheels, rails, bodies = lists
    if chain is None or len(wheels) < 2 or any(part is None for part in (*wheels, *rails, *bodies)):
        return None
    loop = -1.0 if fields.get("loop") == "clockwise" else 1.0
    return _Drawn(chain, wheels, rails, bodies, loop, given_formulation(fields.get("run")) == "spatial")


def _closing_problems(closing: Closing, drawn: _Drawn) -> Iterator[Problem]:
    if (closing.wheel is None) == (closing.body is None):
        there = "neither is given" if closing.wheel is None else "both are given"
        yield Problem("closing", f"needs exactly one of wheel and body; {there}")
        return
    if closing.slack is not None and closing.sag is not None:
        yield Problem("closing.sag", "give either slack or sag", f"{closing.sag:g}")
    if closing.wheel is not None:
        names = [wheel.name for wheel in drawn.wheels]
        if closing.wheel not in names:
            message = f"there is no such wheel{nearest(closing.wheel, names) or '.'} Wheels: {', '.join(names)}"
            yield Problem("closing.wheel", message, shown(closing.wheel))
        return
    if closing.direction is not None:
        yield Problem("closing.direction", "applies only to a wheel; a body moves in its joint", "")
    joints = {body.name: body.joint for body in drawn.bodies}
    if closing.body not in joints:
        hint = nearest(str(closing.body), list(joints)) or "."
        yield Problem("closing.body", f"there is no such body{hint}", shown(closing.body))
    elif not isinstance(joint := joints[closing.body], (RevoluteJoint, PrismaticJoint)) or joint.motion is not None:
        message = "must have a revolute or prismatic joint without a prescribed motion"
        yield Problem("closing.body", message, shown(closing.body))


def _slack(closing: Closing, way: Route) -> float:
    """Return the length by which the chain exceeds its path. [m]"""
    if closing.sag is not None:
        return 8.0 / 3.0 * closing.sag**2 / float(way.span_length.max())
    return closing.slack or 0.0


def _links(drawn: _Drawn, closing: Closing | None) -> int:
    """Return the smallest even number of links that reaches around, or the even number nearest to the length as drawn
    if a wheel or body is moved.
    """
    needed, way = way_of(drawn.chain, drawn.wheels, drawn.guides, drawn.loop, drawn.in_space)
    if closing is None:
        return 2 * math.ceil(0.5 * needed / (1.0 + STRETCH))
    return max(2 * round(0.5 * (needed + _slack(closing, way) / drawn.chain.mean_pitch)), 4)


class _Way(NamedTuple):
    """The range in which a wheel or body can be moved, and the effect of moving it."""

    step: float
    least: float
    most: float
    at: Callable[[float], dict[str, Any]]
    """Function that returns the fields with the wheel or body moved by an amount."""
    lacking: Callable[[float], float]
    """Function that returns the number of pitches by which the path is too long; nan if there is no route."""
    moves: str
    """Part of a message that states what is moved, and by how much."""
    place: str


def _moved(fields: dict[str, Any], drawn: _Drawn, closing: Closing, auto: bool) -> dict[str, Any]:
    """Return the fields with the wheel or body in the position in which the chain closes. If its number of links was
    derived (auto) and it closes nowhere, the number becomes the nearest even one with which it does. Raises InputError
    if it closes nowhere.
    """
    way = _of_wheel(fields, drawn, closing) if closing.wheel is not None else _of_body(fields, drawn, closing)
    way = way._replace(lacking=cache(way.lacking))
    links = drawn.chain.links
    found, seen = _search(way, 0)
    if found is not None:
        return way.at(found)
    needed = [links + value for value in seen if math.isfinite(value)]
    for other in _even(needed):
        found, _ = _search(way, other - links)
        if found is not None:
            break
    if auto and found is not None:
        return way.at(found) | {"chain": {**fields["chain"], "links": other}}
    lengths = "it has no path"
    if needed:
        lengths = f"its path is {min(needed):.2f} to {max(needed):.2f} pitches long, including slack"
    number = "no even number of links closes"
    if found is not None:
        number = f"give a different number of links, such as {other}, or {AUTO!r}"
    message = (
        f"the chain of {links} links does not close anywhere: with {way.moves} {lengths}; {number}, or "
        "start from positions nearer to those in which it closes"
    )
    raise InputError(Problem(way.place, message, shown(closing.wheel or closing.body)))


def _even(needed: Sequence[float]) -> list[int]:
    """Return the even numbers between the smallest and the largest of these lengths of a path, in pitches; those
    nearest to the first length come first.
    """
    if not needed:
        return []
    first, last = math.ceil(0.5 * min(needed)), math.floor(0.5 * max(needed))
    return sorted((2 * half for half in range(max(first, 2), last + 1)), key=lambda links: abs(links - needed[0]))


def _search(way: _Way, more: int) -> tuple[float | None, list[float]]:
    """Return the position nearest to that drawn in which the path is this number of pitches longer than the chain, or
    None, and the numbers of pitches by which it is longer in the positions examined, that drawn being the first.
    """

    def lacking(place: float) -> float:
        return way.lacking(place) - more

    here = lacking(0.0)
    seen = [here + more]
    if abs(here) <= CLOSED:
        return 0.0, seen
    below = above = (0.0, here)  # the last positions examined on either side
    for _ in range(MOST_STEPS):
        for sign, last in ((1.0, above), (-1.0, below)):
            end = way.most if sign > 0.0 else way.least
            place = min(last[0] + way.step, end) if sign > 0.0 else max(last[0] - way.step, end)
            if place == last[0]:
                continue
            value = lacking(place)
            seen.append(value + more)
            if value * last[1] <= 0.0:  # not with not-a-number
                return root_to_rounding(lacking, min(place, last[0]), max(place, last[0]), 1e-16), seen
            above, below = ((place, value), below) if sign > 0.0 else (above, (place, value))
    return None, seen


def _lacking(drawn: _Drawn, closing: Closing, wheels: Sequence[Wheel], rails: Sequence[Guide]) -> float:
    try:
        needed, way = way_of(drawn.chain, wheels, rails, drawn.loop, drawn.in_space)
    except InputError:
        return math.nan
    return needed + _slack(closing, way) / drawn.chain.mean_pitch - drawn.chain.links


def _of_wheel(fields: dict[str, Any], drawn: _Drawn, closing: Closing) -> _Way:
    number = [wheel.name for wheel in drawn.wheels].index(str(closing.wheel))
    x, y = drawn.wheels[number].position
    if closing.direction is None:
        way = way_of(drawn.chain, drawn.wheels, drawn.guides, drawn.loop)[1]  # its directions are those in the plane
        pull = way.span_direction[number - 1] - way.span_direction[number]
        direction = math.atan2(pull[1], pull[0])
    else:
        direction = closing.direction
    ux, uy = math.cos(direction), math.sin(direction)

    def moved(distance: float) -> list[Wheel]:
        wheels = list(drawn.wheels)
        position = (x + distance * ux, y + distance * uy)
        wheels[number] = wheels[number].model_copy(update={"position": position})
        return wheels

    def at(distance: float) -> dict[str, Any]:
        parts = list(fields["wheels"])
        position = moved(distance)[number].position
        one = parts[number]
        parts[number] = one | {"position": position} if isinstance(one, dict) else moved(distance)[number]
        return fields | {"wheels": parts}

    step = STEP * drawn.chain.pitch
    moves = f"wheel {closing.wheel!r} moved by up to {step * MOST_STEPS:.3g} m at {math.degrees(direction):.4g} deg"

    def lacking(distance: float) -> float:
        return _lacking(drawn, closing, moved(distance), drawn.guides)

    return _Way(step, -step * MOST_STEPS, step * MOST_STEPS, at, lacking, moves, "closing.wheel")


def _of_body(fields: dict[str, Any], drawn: _Drawn, closing: Closing) -> _Way:
    body = next(body for body in drawn.bodies if body.name == closing.body)
    joint = body.joint
    assert isinstance(joint, (RevoluteJoint, PrismaticJoint))
    turns = isinstance(joint, RevoluteJoint)
    names = carried(drawn.bodies, body.name)
    wheels = [wheel for wheel in drawn.wheels if wheel.body in names]
    rails = [rail for rail in drawn.guides if rail.body in names]
    if not wheels and not rails:
        raise InputError(
            Problem("closing.body", "carries no wheel and no guide, so it cannot close the chain", shown(body.name))
        )
    reach = max([math.dist(joint.position, wheel.position) for wheel in wheels] or [0.0]) or 20.0 * drawn.chain.pitch
    step = STEP * drawn.chain.pitch / (reach if turns else 1.0)
    farthest = min(FARTHEST_TURN, step * MOST_STEPS) if turns else step * MOST_STEPS
    least = max(-farthest, -math.inf if joint.lower is None else joint.lower)
    most = min(farthest, math.inf if joint.upper is None else joint.upper)
    move = partial(moved_fields, joint, names)

    def lacking(coordinate: float) -> float:
        parts = move(coordinate, drawn.wheels, "wheels"), move(coordinate, drawn.guides, "guides")
        return _lacking(drawn, closing, *parts)

    def at(coordinate: float) -> dict[str, Any]:
        given = {name: fields[name] for name in ("wheels", "guides", "bodies", "tensioners") if fields.get(name)}
        return fields | {name: move(coordinate, parts, name, body.name) for name, parts in given.items()}

    unit, size = ("deg", math.degrees(1.0)) if turns else ("m", 1.0)
    moves = f"body {body.name!r} moved by {least * size:.4g} to {most * size:.4g} {unit}"
    return _Way(step, least, most, at, lacking, moves, "closing.body")
