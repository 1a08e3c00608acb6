"""The timing drive of a four-stroke engine."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.joined import arc_through
from chaindrive.geometry.profile import Arc
from chaindrive.geometry.route import Route, route
from chaindrive.model import Guide, StandardChain
from chaindrive.numbers import quantity
from chaindrive.templates.closed import Placed, closed_at, even_links, way_around
from chaindrive.templates.estimates import contact, disc, link_stiffness, radius, simple_wheel
from chaindrive.templates.questions import Choice, Count, Given, Number, Title, amount
from chaindrive.templates.selection import strong_chain, sufficient
from chaindrive.templates.sheet import Sheet
from chaindrive.templates.template import template

__all__ = ["timing"]

SAFETY = 14.0
"""Breaking load divided by the largest pull of all camshafts together. Vibration and impacts of rollers on teeth add to
the pull. [-]"""
FLUCTUATION = 3.0
"""Amplitude of the torque of a camshaft divided by its mean. [-]"""
IRREGULARITY = 0.008
"""Amplitude of the crankshaft speed divided by its mean. [-]"""
RETURN = 25
"""Number of teeth of the return sprocket of a V engine."""
RETURN_HEIGHT = 0.6
"""Height of the return sprocket divided by the height of the camshafts. [-]"""
RAIL = 0.15
"""Distance of the ends of the rails from the ends of the span, divided by the length of the span. [-]"""
PRESSED = {"tension rail": 0.04, "fixed rail": 0.01}
"""Depth to which the middle of a rail is pressed into the chain, divided by the length of the span. [-]"""
SLACK = 0.01
"""Slack of the chain as drawn. [pitches]"""
SLACK_SIDE = 0.5
"""Tension of the slack span divided by the largest pull. With a lower tension, spans would go completely slack when
cams drive the chain. [-]"""
HOLES = 0.7
"""Moment of inertia of a sprocket with holes divided by the moment of inertia of a solid disc. [-]"""
SHAFT = 4.3e-5
"""Moment of inertia of a camshaft per cylinder: steel, 28 mm in diameter and 90 mm long. [kg m^2]"""
STROKE = 0.025
"""Travel over which the spring of the tensioner loses its preload. [m]"""
ROUNDS = 8
"""Newton's iterations for the angle by which the tension guide turns until the chain is taut."""
LIVELY = 0.5
"""Frequency of the cams, as a fraction of the natural frequency of the camshafts on the chain, above which vibration
adds much to the pull. [-]
"""


class _Rail(NamedTuple):
    """Three points of a rail, and the outward normal of the span."""

    points: list[tuple[float, float]]
    normal: tuple[float, float]

    @property
    def chord(self) -> float:
        return math.dist(self.points[0], self.points[2])

    def beside(self, k: int, out: float) -> tuple[float, float]:
        """Return point k moved outwards by ``out``. [m]"""
        (x, y), (nx, ny) = self.points[k], self.normal
        return x + out * nx, y + out * ny

    @property
    def arc(self) -> Arc:
        found = arc_through(*self.points)
        assert isinstance(found, Arc)
        return found

    @property
    def pivot(self) -> complex:
        """Pivot of the guide that carries the rail, 8 mm outside the end of the rail. [m]"""
        return complex(*self.beside(2, 0.008))

    @property
    def piston(self) -> tuple[complex, complex]:
        """Ends of the tensioner on the engine and on the guide. [m]"""
        return complex(*self.beside(1, 0.05)), complex(*self.beside(1, 0.01))


@template("timing")
def timing(
    *,
    camshafts: Annotated[
        Given, Choice("camshafts that the chain drives", {"one": "", "two": "side by side", "v": "one on each bank"})
    ] = "two",
    speed: Annotated[Given, Number("speed of the crankshaft", "rad/s", "600 rpm", "8000 rpm")] = "3000 rpm",
    torque: Annotated[Given, Number("mean torque of a camshaft", "N*m", "0.5 N*m", "15 N*m")] = "3 N*m",
    height: Annotated[
        Given, Number("height of the camshafts above the crankshaft", "m", "250 mm", "700 mm")
    ] = "380 mm",
    spacing: Annotated[Given, Number("distance between two camshafts", "m", "110 mm", "400 mm")] = "160 mm",
    cylinders: Annotated[Given, Count("cylinders of each camshaft", 2, 6)] = 4,
    name: Annotated[Given, Title()] = "timing drive",
) -> Sheet:
    """The timing drive of a four-stroke engine, with a fixed rail and a tension rail with its tensioner.

    The chain is a 05B, 06B or 08B, simplex or duplex, with the smallest pitch for which the breaking load is at least
    14 times the largest pull of the camshafts, because the ratings of the standards do not extend to the speeds of
    engines.
    """
    count = 1 if camshafts == "one" else 2
    peak = (1.0 + FLUCTUATION) * torque

    def teeth_of(chain: StandardChain) -> int:
        """Return the number of teeth of the crankshaft sprocket: the largest number from 16 to 21 for which the
        camshaft sprockets, with twice as many teeth, clear each other; 0 if there is no such number.
        """
        room = spacing if count == 2 else math.inf
        return next((z for z in range(21, 15, -1) if 2.0 * radius(chain, 2 * z) + 1.5 * chain.pitch < room), 0)

    def fits(chain: StandardChain) -> bool:
        z = teeth_of(chain)
        small = chain.name[:3] in ("05B", "06B", "08B") and chain.strands <= 2
        return small and z > 0 and height > 5.0 * radius(chain, z)

    places = "torque, camshafts, height" + (", spacing" if count == 2 else "")
    chain = strong_chain(
        "iso-606-b", lambda each: count * peak / radius(each, 2 * teeth_of(each)), SAFETY, places, fits, smooth=True
    )
    crank = teeth_of(chain)
    pull = count * peak / radius(chain, 2 * crank)
    inertia = HOLES * disc(chain, 2 * crank).inertia + cylinders * SHAFT

    def sprockets(h: float) -> list[Placed]:
        right, left = (2 * crank, (0.5 * spacing, h), False), (2 * crank, (-0.5 * spacing, h), False)
        between: list[Placed] = [(RETURN, (0.0, RETURN_HEIGHT * h), True)] if camshafts == "v" else []
        cams = [(2 * crank, (0.0, h), False)] if count == 1 else [right, *between, left]
        return [(crank, (0.0, 0.0), False), *cams]

    def with_rails(h: float) -> tuple[float, dict[str, _Rail]]:
        """Return the number of pitches around sprockets and rails, and the rails."""
        _, way = way_around(chain, sprockets(h))
        rails = {
            "tension rail": _rail(way, 0, chain, "tension rail"),
            "fixed rail": _rail(way, -1, chain, "fixed rail"),
        }
        guides = [
            Guide(name=each, shape=_shape(rail.points), contact={"stiffness": 1e8}) for each, rail in rails.items()
        ]
        return way_around(chain, sprockets(h), guides)[0] + SLACK, rails

    try:
        links = even_links(with_rails(height)[0])
        near = 2.0 * chain.pitch
        h = closed_at(lambda x: with_rails(x)[0] - links, height - near, height + near, "height")
        rails = with_rails(h)[1]
    except InputError as error:
        raise InputError([Problem(places, f"no chain fits around this: {each}") for each in error.problems]) from None
    if camshafts == "v":
        arc = rails["tension rail"].arc
        near = min(math.dist(arc.at(0.05 * k)[0], (0.0, RETURN_HEIGHT * h)) for k in range(21))
        if near < radius(chain, RETURN) + 2.0 * chain.pitch:
            message = "is too small: the tension rail would meet the return sprocket; use more, or camshafts = 'two'"
            raise InputError(Problem("spacing", message, amount(spacing, "mm")))
    kinds = {"one": "one camshaft", "two": "two camshafts", "v": "one camshaft on each bank of a V engine"}
    sheet = Sheet(
        "timing",
        name,
        f"A timing drive with {kinds[camshafts]}. The crankshaft turns counter-clockwise; the tension rail is on the "
        "right, on the slack span, the fixed rail on the left.",
    )
    sheet.table("[chain]")
    sheet.put("standard", chain.name, sufficient(chain, SAFETY, pull, "the largest pull of the camshafts"))
    sheet.put("links", links, f"the even number of links that comes nearest to a height of {amount(height, 'mm')}")
    sheet.estimate("joint_friction", 0.1, "lubricated pins in bushes")
    contact(sheet, chain, 0.3, 0.05)
    simple_wheel(sheet, "crankshaft", crank, (0.0, 0.0), chain)
    order = {"order": 0.5 * cylinders, "amplitude": amount(IRREGULARITY * 0.5 * cylinders * speed**2, "rad/s^2", 3)}
    turning = {"kind": "orders", "speed": amount(speed, "rpm", 6), "ramp": "0.2 s", "orders": [order]}
    sheet.estimate(
        "motion",
        turning,
        f"the speed is that specified; it fluctuates by {100 * IRREGULARITY:g} % each time a cylinder fires",
    )
    names = {"one": ["camshaft"], "two": ["right camshaft", "left camshaft"]}
    names["v"] = ["right bank", "return sprocket", "left bank"]
    for k, (each, (teeth, at, back)) in enumerate(zip(names[camshafts], sprockets(h)[1:], strict=True)):
        simple_wheel(sheet, each, teeth, at, chain)
        if back:
            sheet.put("side", "back")
            sheet.estimate("inertia", amount(disc(chain, teeth).inertia, "kg*m^2", 3), "the sprocket as a solid disc")
            continue
        how = f"{HOLES:g} of a solid disc, and a shaft of 28 mm; a phaser adds about 0.001 kg*m^2"
        sheet.estimate("inertia", amount(inertia, "kg*m^2", 3), how)
        lobes = {"order": cylinders, "amplitude": amount(FLUCTUATION * torque, "N*m"), "phase": f"{45 * k} deg"}
        cams = {"kind": "orders", "mean": amount(torque, "N*m"), "orders": [lobes]}
        how = f"mean given; fluctuation of {FLUCTUATION:g} times the mean, once for every cylinder"
        sheet.estimate("loads", [{"torque": cams, "against": "running_sense"}], how)
    mean = SLACK_SIDE * pull + 0.5 * count * torque / radius(chain, 2 * crank)
    longer = SLACK * chain.pitch + links * mean / link_stiffness(chain)
    preload = _preload(chain, sprockets(h), rails["tension rail"], SLACK_SIDE * pull, longer)
    _tensioner(sheet, rails["tension rail"], preload, SLACK_SIDE * pull, pull)
    for each, rail in rails.items():
        sheet.table("[[guides]]")
        sheet.put("name", each)
        if each == "tension rail":
            sheet.put("body", "tension guide")
        shape = _shape([(round(x, 7), round(y, 7)) for x, y in rail.points])
        shape["points"] = [[amount(part, "mm", 7) for part in point] for point in rail.points]
        sheet.estimate("shape", shape, f"an arc, pressed into the chain by {100.0 * PRESSED[each]:g} % of the span")
        stiffness = amount(0.25 * pull / (6e-5) ** 1.5, "MN/m^1.5", 2)
        law = {"stiffness": stiffness, "restitution": 0.3, "friction": 0.08}
        sheet.estimate("contact", law, "plastic: a quarter of the largest pull presses a roller in by 60 um")
    sheet.table("[limits]")
    why = "a sixth of the breaking load"
    firing = 0.5 * cylinders * speed / (2.0 * math.pi)
    resonance = _resonance(chain, height, count * inertia / radius(chain, 2 * crank) ** 2)
    if firing > LIVELY * resonance:
        why += (
            f"; runs may exceed it: cams and crankshaft excite at {amount(firing, 'Hz', 2)}, and the camshafts vibrate "
            f"on the chain at about {amount(resonance, 'Hz', 2)}; lighter sprockets or a shorter chain help"
        )
    sheet.put("tension", amount(chain.breaking_load / 6.0, "N", 3), why)
    sheet.table("[run]")
    sheet.put("until", amount(max(20.0 * math.pi / speed, 0.1), "s", 2), "ten turns of the crankshaft, at least 0.1 s")
    sheet.put("start", "at_speed")
    return sheet


def _resonance(chain: StandardChain, length: float, mass: float) -> float:
    """Return the natural frequency of a mass on the links of a span, which act as a spring: sqrt(k / m) / (2 pi). [Hz]

    length: length of the span [m]; mass: moments of inertia divided by the squares of the pitch radii [kg].
    """
    return math.sqrt(link_stiffness(chain) * chain.pitch / length / mass) / (2.0 * math.pi)


def _rail(way: Route, span: int, chain: StandardChain, which: str) -> _Rail:
    """Return a rail on the outer side of a span, with its ends just touching the rollers and its middle pressed
    inwards.
    """
    length, (ux, uy) = float(way.span_length[span]), way.span_direction[span]
    x, y = way.span_start[span]
    out = 0.5 * chain.roller_diameter
    pressed = PRESSED[which] * length

    def at(share: float, beside: float) -> tuple[float, float]:
        return float(x + share * length * ux + beside * uy), float(y + share * length * uy - beside * ux)

    return _Rail([at(RAIL, out), at(0.5, out - pressed), at(1.0 - RAIL, out)], (float(uy), float(-ux)))


def _shape(points: list[tuple[float, float]]) -> dict[str, object]:
    return {"kind": "three_points", "side": "right", "points": points}


def _preload(chain: StandardChain, sprockets: list[Placed], rail: _Rail, tension: float, longer: float) -> float:
    """Return the force of the tensioner in the drawing, from which a tension of the slack span follows at work [N].

    longer: length by which the chain at work is longer than its route as drawn [m]. The guide takes it up by turning
    about its pivot. The taut chain leaves the rail where a tangent from the sprocket touches it: the tensions before
    and behind the rail act along these tangents.
    """
    arc, pivot, (engine, guide) = rail.arc, rail.pivot, rail.piston
    corners = [(radius(chain, teeth), -1.0 if back else 1.0, at) for teeth, at, back in sprockets]

    def around(turn: float) -> tuple[float, float]:
        """Return the length of the route around the sprockets and the rail, turned by an angle [rad], and its
        derivative, which is the moment of a tension of 1 N about the pivot. [m]
        """
        at = pivot + (complex(*arc.centre) - pivot) * complex(math.cos(turn), math.sin(turn))
        on_rail = (arc.radius + 0.5 * chain.roller_diameter, -1.0, (at.real, at.imag))
        radii, signs, centres = zip(corners[0], on_rail, *corners[1:], strict=True)
        way = route(centres, radii, signs)
        before, behind = (
            _moment(complex(*place) - pivot, complex(*along))
            for place, along in ((way.span_end[0], way.span_direction[0]), (way.span_start[1], way.span_direction[1]))
        )
        return way.length, before - behind

    taut, turn = around(0.0)[0] + longer, 0.0
    for _ in range(ROUNDS):
        length, moment = around(turn)
        turn += (taut - length) / moment
    moved = pivot + (guide - pivot) * complex(math.cos(turn), math.sin(turn))
    reach = abs(moved - engine)
    force = tension * around(turn)[1] / _moment(moved - pivot, (moved - engine) / reach)
    return force / (1.0 - (reach - abs(guide - engine)) / STROKE)


def _moment(arm: complex, force: complex) -> float:
    """Return the moment of a force at the end of an arm, positive counter-clockwise."""
    return (arm.conjugate() * force).imag


def _point(at: complex) -> list[str]:
    return [amount(at.real, "mm"), amount(at.imag, "mm")]


def _tensioner(sheet: Sheet, rail: _Rail, force: float, tension: float, pull: float) -> None:
    """Add the body of the tension rail and the tensioner that pushes it with this force in the drawing [N]; tension:
    that of the slack span at work [N]; pull: the largest pull [N].
    """
    (mx, my) = rail.beside(1, 0.0)
    chord = rail.chord
    mass = 0.36 * chord
    sheet.table("[[bodies]]")
    sheet.put("name", "tension guide")
    sheet.estimate("mass", amount(mass, "g", 3), "plastic, 0.36 kg/m")
    sheet.estimate("inertia", amount(mass * chord**2 / 12.0, "kg*m^2", 3), "a rod of its length")
    sheet.estimate("centre_of_mass", [amount(mx, "mm"), amount(my, "mm")], "the middle of its rail")
    joint = {
        "kind": "revolute",
        "position": _point(rail.pivot),
        "damping": amount(0.05 * mass * chord**2 / 3.0 * 1e3, "N*m*s/rad", 2),
    }
    sheet.estimate("joint", joint, "a pivot 8 mm outside its upper end")
    sheet.table(
        "[[tensioners]]", 'A hydraulic tensioner as spring and damper; kind = "hydraulic" has piston, oil and valve.'
    )
    sheet.put("name", "tensioner")
    sheet.put("kind", "spring_damper")
    engine, guide = rail.piston
    sheet.put("from_position", _point(engine), "on the engine")
    sheet.put("to_body", "tension guide")
    sheet.put("to_position", _point(guide))
    share = f"{100.0 * SLACK_SIDE:g} % of the largest pull"
    how = f"holds {quantity(tension, 'N')} in the slack span, {share}, after the guide has taken up the slack"
    sheet.estimate("preload", amount(force, "N", 3), how)
    sheet.estimate("stiffness", amount(force / STROKE, "N/m", 3), f"its preload over {1e3 * STROKE:g} mm")
    sheet.estimate("damping", amount(pull / 0.05, "N*s/m", 3), "the largest pull at 50 mm/s, oil in a gap")
