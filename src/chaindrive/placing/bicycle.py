"""Converts a bicycle to the wheels and bodies of a drive, with their positions in the selected gear, the driving torque
and the resistance.

The position of the tensioner follows from the loop of the chain (``geometry.closing``).
"""

from __future__ import annotations

import copy
import functools
import math
import re
from typing import Any

import numpy as np

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.closing import Closing, Loop, closing, fewest_links
from chaindrive.geometry.pitch_line import OvalWheel
from chaindrive.geometry.route import length_in_pitches, pitch_radius
from chaindrive.model.bicycle.description import Bicycle, Derailleur, Generated, TensionerArm
from chaindrive.model.bicycle.shift import Shift
from chaindrive.model.chain import Chain
from chaindrive.placing.bicycle_shift import cogs_on_the_way, limit_problems, moved_pulleys

__all__ = ["generated"]

Point = tuple[float, float]
Table = dict[str, Any]

SMALLEST_COG_LINE = 0.0612
"""Distance of the smallest cog from the middle plane of the frame if the position of the cassette is omitted: 3 mm
inside the end of a 130 mm hub. [m]"""
ROD = 1.0 / 12.0
CLEAR_TEETH = 0.8
"""Smallest gap between the pitch circles of cog and guide pulley at which their teeth just clear each other, as a
fraction of the roller diameter. [-]"""
POSITIONS = 120
"""Number of positions per turn of an oval chainring at which the length of the route is computed."""


def generated(bicycle: Bicycle, chain: Chain, links: int | None) -> Generated:
    """Return the wheels and bodies of a bicycle in the selected gear.

    links: number of links, or None to derive it; that of ``chain`` is ignored.
    """
    return copy.deepcopy(_placed(bicycle, chain, links))


@functools.lru_cache(maxsize=64)
def _placed(bicycle: Bicycle, chain: Chain, links: int | None) -> Generated:
    """Return the wheels and bodies of a bicycle, as in ``generated``, cached because a drive is placed again after
    every change, but few changes affect the bicycle.
    """
    return _Layout(bicycle, chain, links).result()


class _Layout:
    """The layout of a bicycle in the selected gear: first the positions, then the closing of the chain, then the tables
    of the parts.
    """

    def __init__(self, bicycle: Bicycle, chain: Chain, links: int | None) -> None:
        self.bicycle, self.chain = bicycle, chain
        self.arm: Derailleur | TensionerArm | None = bicycle.derailleur or bicycle.tensioner
        self.problems: list[Problem] = []
        self.notes: list[str] = []
        ring, cog = bicycle.selected
        self.teeth = (ring, *self._pulleys(), cog)
        self.names = ("chainring", *_PULLEYS[type(self.arm)], "cog")
        self.signs = [-1.0 if side == "front" else 1.0 for side in self._sides()]
        self.radii = [float(pitch_radius(max(chain.mean_pitch, chain.pitch), z)) for z in self.teeth]
        self._lines()
        self.links = links if links is not None else self._fewest()

    def _pulleys(self) -> tuple[int, ...]:
        if isinstance(self.arm, Derailleur):
            return self.arm.tension_pulley, self.arm.guide_pulley
        return () if self.arm is None else (self.arm.pulley,)

    def _sides(self) -> tuple[str, ...]:
        if isinstance(self.arm, Derailleur):
            return "front", "front", "back", "front"
        if self.arm is None:
            return "front", "front"
        return "front", "back" if self.arm.pushes == "up" else "front", "front"

    # Lines: lateral positions of the wheels ---------------------------------------------------------------------------

    def _lines(self) -> None:
        """Determine the offsets of the wheels from the plane of the chainring in use, and whether the derailleur can
        reach the cog.
        """
        bicycle, (ring, cog) = self.bicycle, self.bicycle.selected
        rings = sorted(bicycle.chainrings)  # the largest is the outermost
        ring_line = bicycle.chainline + bicycle.ring_spacing * (rings.index(ring) - 0.5 * (len(rings) - 1))
        cogs = sorted(bicycle.cassette, reverse=True)  # the smallest is the outermost
        width = bicycle.cog_pitch * (len(cogs) - 1)
        middle = bicycle.cassette_line
        if middle is None:
            middle = SMALLEST_COG_LINE - 0.5 * width if len(cogs) > 1 else bicycle.chainline
        cog_line = middle - 0.5 * width + bicycle.cog_pitch * cogs.index(cog)
        aside = 0.0 if bicycle.straight_chainline else cog_line - ring_line
        aside = round(aside, 12)  # without the rounding of the sums of lines
        self.offsets = [0.0, *[aside] * (len(self.teeth) - 1)]
        if aside:
            side = "inboard" if aside < 0.0 else "outboard"
            self.notes.append(f"Chain line: the cog is {1e3 * abs(aside):.4g} mm {side} of the chainring.")
        if isinstance(self.arm, Derailleur) and not self.arm.inner_limit <= cog_line <= self.arm.outer_limit:
            which = "inner_limit" if cog_line < self.arm.inner_limit else "outer_limit"
            message = (
                f"cog {cog} is {1e3 * cog_line:.4g} mm from the middle plane of the frame, beyond the reach of the "
                f"derailleur ({1e3 * self.arm.inner_limit:.4g} to {1e3 * self.arm.outer_limit:.4g} mm): check "
                f"cassette_line and cog_pitch, or move bicycle.derailleur.{which}"
            )
            self.problems.append(Problem("bicycle.gear", message, repr(bicycle.gear)))
        if bicycle.shift is not None and isinstance(self.arm, Derailleur):
            self.problems += limit_problems(bicycle, self.arm, cog_line)

    # Places in the plane ----------------------------------------------------------------------------------------------

    def _axle(self, back: float = 0.0) -> Point:
        stay, drop = self.bicycle.chainstay, self.bicycle.bottom_bracket_drop
        return -math.sqrt(stay**2 - drop**2) - back, drop

    def _guide(self, cog: int) -> Point:
        """Return the axis of the guide pulley under a cog. It lies ahead of the axle, with the gap between the two
        pitch circles.
        """
        arm, (x, y) = self.arm, self._axle()
        assert isinstance(arm, Derailleur)
        pitch = max(self.chain.mean_pitch, self.chain.pitch)
        distance = float(pitch_radius(pitch, cog) + pitch_radius(pitch, arm.guide_pulley)) + arm.gap
        return x + arm.ahead, y - math.sqrt(max(distance**2 - arm.ahead**2, 0.0))

    def _loop(self, ring: int, cog: int) -> Loop:
        """Return the loop of the chain in a gear. Its coordinate is the angle of the cage or arm, or axle travel."""
        arm, pitch = self.arm, self.chain.mean_pitch
        axle, longer = self._axle(), max(self.chain.mean_pitch, self.chain.pitch)
        if isinstance(arm, Derailleur):
            guide, length = self._guide(cog), arm.cage_length

            def places(q: float) -> list[Point]:
                return [(0.0, 0.0), _ahead(guide, q, length), guide, axle]
        elif arm is not None:
            pivot, reach = (axle[0] + arm.pivot[0], axle[1] + arm.pivot[1]), arm.arm_length

            def places(q: float) -> list[Point]:
                return [(0.0, 0.0), _ahead(pivot, q, reach), axle]
        else:

            def places(q: float) -> list[Point]:
                return [(0.0, 0.0), self._axle(q)]

        teeth = (ring, *self.teeth[1:-1], cog)
        loop = Loop(places, teeth, self.signs, pitch, pitch_radius(longer, teeth), self.offsets)
        line = self.bicycle.pitch_line
        if line is None:
            return loop
        oval = OvalWheel(0, line.polygon(ring, longer), line.angle)
        return loop._replace(oval=oval if arm is not None else _tightest(loop, oval))

    def _way(self) -> tuple[float, float]:
        """Return the range from the position in which the chain is fitted to that which the tensioner reaches by
        itself: directions [rad], or travel of the axle [m].
        """
        arm = self.arm
        if arm is None:
            return 0.0, self.bicycle.axle_travel
        return (arm.lower, arm.upper) if self._sense() > 0.0 else (arm.upper, arm.lower)

    def _sense(self) -> float:
        """Return +1 if the spring turns the arm counter-clockwise, -1 if clockwise, for an arm that extends forward
        from its pivot.
        """
        return 1.0 if isinstance(self.arm, TensionerArm) and self.arm.pushes == "up" else -1.0

    # Closing ----------------------------------------------------------------------------------------------------------

    def _fewest(self) -> int:
        """Return the number of links if it is not given: the smallest that closes the largest gear, or this gear if
        there is no tensioner.
        """
        links, gear = self._fewest_of_largest() if self.arm is not None else self._fewest_of_this()
        rule = "with the tensioner within its stops" if self.arm is not None else "tightened only by the axle"
        self.notes.append(
            f"Chain: {links} links, the smallest even number that reaches around {gear}, {rule}; chosen because links "
            "were not given."
        )
        return links

    def _fewest_of_largest(self) -> tuple[int, str]:
        """Return the smallest number of links, and the largest gear, for which it is chosen."""
        ring, cog = max(self.bicycle.chainrings), max(self.bicycle.cassette)
        try:
            links = fewest_links(self._loop(ring, cog), *self._way())
        except InputError:  # reported where the loop of the gear is sought
            links = self._about(ring, cog)
        return links, f"{ring}x{cog}"

    def _fewest_of_this(self) -> tuple[int, str]:
        loop = self._loop(*self.bicycle.selected)
        needed = loop.pitches_at(0.0) + self.bicycle.slack / loop.pitch
        links = 2 * math.ceil(0.5 * needed) if math.isfinite(needed) else self._about(*self.bicycle.selected)
        return links, self.bicycle.gear

    def _about(self, ring: int, cog: int) -> int:
        return 2 * math.ceil(self.bicycle.chainstay / self.chain.pitch + 0.25 * (ring + cog))

    def _closed(self) -> Closing | None:
        """Return the coordinate at which the loop of the gear closes; None if it does not close, and a problem then
        states the reason.
        """
        bicycle, loop = self.bicycle, self._loop(*self.bicycle.selected)
        start, end = self._way()
        try:
            if start == end:
                return self._as_it_is(loop)
            slack = bicycle.slack if self.arm is None else 0.0
            found = closing(loop, self.links, start, end, slack)
        except InputError as error:
            reason = re.sub(r"wheels (\d+) and (\d+)", self._named, error.problems[0].message)
            message = f"{bicycle.gear}: the chain cannot be routed around these wheels: {reason}"
            self.problems.append(Problem(self._place_of_route(), message, repr(bicycle.gear)))
            return None
        if not found.closes:
            self.problems.append(Problem("bicycle.gear", self._misfit(found, bicycle.gear), repr(bicycle.gear)))
        return found

    def _as_it_is(self, loop: Loop) -> Closing:
        """Return the closing with fixed wheels: a chain longer than its path sags, and a shorter chain does not fit."""
        path = loop.route_at(0.0)
        spare = (self.links - length_in_pitches(path, loop.pitch, loop.teeth)) * loop.pitch
        found = Closing(0.0, min(spare, 0.0), 0.0)
        if not found.closes:
            self.problems.append(
                Problem("bicycle.gear", self._misfit(found, self.bicycle.gear), repr(self.bicycle.gear))
            )
        return found

    def _named(self, found: re.Match[str]) -> str:
        one, other = (self.names[int(number)] for number in found.groups())
        return f"{one} and {other}"

    def _place_of_route(self) -> str:
        return "bicycle" if self.arm is None else f"bicycle.{_TABLES[type(self.arm)]}"

    def _misfit(self, found: Closing, gear: str) -> str:
        """Return the message that states why a gear does not close, by how much, and what to do."""
        much = f"{1e3 * abs(found.spare):.3g} mm"
        fault = f"{gear} with {self.links} links: {'slack' if found.spare > 0.0 else 'too short'} by {much}"
        if self.arm is None:
            at = f"with the axle {1e3 * found.coordinate:.3g} mm back"
            advice = "use a different number of links, a different chainstay, or more axle_travel"
            return f"{fault} {at}; {advice}"
        table = f"bicycle.{_TABLES[type(self.arm)]}"
        what = "cage" if isinstance(self.arm, Derailleur) else "arm"
        at = f"with the {what} at {math.degrees(found.coordinate):.4g} deg"
        fewest, largest = self._fewest_of_largest()
        if found.spare > 0.0 and self.links > fewest:
            advice = f"use fewer links ({largest} closes with {fewest})"
        elif found.spare > 0.0:
            advice = (
                f"at least {fewest} links are needed in {largest}: {table} needs more reach, such as a longer {what}"
            )
        else:
            advice = f"use more links ({largest} closes with {fewest}), or move the stops of {table}"
        return f"{fault} {at}; {advice}"

    # Tables -----------------------------------------------------------------------------------------------------------

    def result(self) -> Generated:
        """Return the wheels and bodies of the complete layout."""
        found = self._closed()
        place = found.coordinate if found is not None else self._way()[1]
        loop = self._loop(*self.bicycle.selected)
        centres = [(float(x), float(y)) for x, y in np.asarray(loop.centres_at(place))]
        wheels = [
            {
                "name": name,
                "teeth": teeth,
                "position": centre,
                "side": side,
                "tooth": self.bicycle.tooth.model_dump(),
                "offset": offset,
            }
            for name, teeth, centre, side, offset in zip(
                self.names, self.teeth, centres, self._sides(), self.offsets, strict=True
            )
        ]
        if self.bicycle.pitch_line is not None:
            wheels[0]["pitch_line"] = self.bicycle.pitch_line.model_dump(exclude_none=True)
        self._drive_and_load(wheels[0], wheels[-1])
        if self.bicycle.shift is not None:
            self._shift(self.bicycle.shift, wheels)
        bodies = [] if self.arm is None else [self._arm_body(self.arm, place, centres, wheels)]
        if self.arm is not None and found is not None and found.closes:
            what = "cage" if isinstance(self.arm, Derailleur) else "tensioner arm"
            self.notes.append(
                f"{self.bicycle.gear}: the {what} points to {math.degrees(place):.1f} deg (0 forward, -90 down), where "
                f"the chain closes; the length of its path changes by {1e3 * found.rate:.1f} mm per rad."
            )
        elif self.arm is None and place > 0.0:
            self.notes.append(
                f"The axle is {1e3 * place:.2f} mm farther back than the chainstay length, to tighten the chain."
            )
        return Generated(tuple(wheels), tuple(bodies), self.links, tuple(self.notes), tuple(self.problems))

    def _shift(self, shift: Shift, wheels: list[Table]) -> None:
        """Add the other cogs that a shift needs, and the motion of the pulleys, to the tables of the wheels."""
        ring, cog = self.bicycle.selected
        wheels[-1]["cogs"] = cogs_on_the_way(self.bicycle)
        for pulley in wheels[1:-1]:
            pulley["lateral_motion"] = moved_pulleys(self.bicycle)
        there = f"{ring}x{shift.to}"
        try:
            found = closing(self._loop(ring, shift.to), self.links, *self._way())
        except InputError:
            return  # reported where the gear itself has no route
        if not found.closes:
            self.problems.append(Problem("bicycle.shift.to", self._misfit(found, there), str(shift.to)))
        arm = self.arm
        if isinstance(arm, Derailleur):
            larger = self._radius(shift.to) - self._radius(cog)
            if arm.gap - larger < CLEAR_TEETH * self.chain.roller_diameter:
                message = (
                    f"the guide pulley stays in its position for gear {self.bicycle.gear!r}, and cog {shift.to} "
                    f"reaches {1e3 * larger:.3g} mm farther: its teeth would touch those of the pulley; use a gap "
                    f"larger than {1e3 * arm.gap:.4g} mm, or a cog closer in size"
                )
                self.problems.append(Problem("bicycle.shift.to", message, str(shift.to)))

    def _radius(self, teeth: int) -> float:
        return float(pitch_radius(max(self.chain.mean_pitch, self.chain.pitch), teeth))

    def _drive_and_load(self, ring: Table, cog: Table) -> None:
        """Set the torque or speed that drives the chainring, clockwise as drawn, the resistance at the cog, and the
        inertias and tooth widths of both.
        """
        bicycle, rider = self.bicycle, self.bicycle.rider
        speed = rider.cadence * ring["teeth"] / cog["teeth"]
        ring["inertia"] = rider.crank_inertia
        cog["inertia"] = rider.rear_inertia or rider.mass * rider.wheel_radius**2
        for wheel, width in ((ring, bicycle.ring_width), (cog, bicycle.cog_width)):
            if width is not None:
                wheel["tooth_width"] = width
        if rider.resistance == "air":
            cog["load_quadratic"] = rider.power / speed**3
        else:
            cog["load_torque"] = rider.power / speed
        mean = -rider.power / rider.cadence
        if rider.pedals == "speed":
            ring["motion"] = {"kind": "constant_speed", "speed": -rider.cadence, "ramp": rider.ramp}
            return
        ring["initial_speed"] = -rider.cadence
        if rider.ripple is None:
            ring["torque"] = mean
        else:
            ring["torque"] = {"kind": "pedals", "mean": mean, "ripple": rider.ripple, "phase": rider.phase}

    def _arm_body(
        self, arm: Derailleur | TensionerArm, direction: float, centres: list[Any], wheels: list[Table]
    ) -> Table:
        """Return the cage or arm at its angle as a body on a joint; add it to the tables of the pulleys that it
        carries.
        """
        name = "cage" if isinstance(arm, Derailleur) else "tensioner arm"
        for wheel, radius in zip(wheels[1:-1], self.radii[1:-1], strict=True):
            disk = 0.5 * arm.pulley_mass * radius**2
            wheel |= {"body": name, "mass": arm.pulley_mass, "inertia": arm.pulley_inertia or disk}
            wheel |= {"bearing_friction": arm.pulley_friction, "bearing_damping": arm.pulley_drag}
            if arm.pulley_width is not None:
                wheel["tooth_width"] = arm.pulley_width
        if isinstance(arm, Derailleur):
            length, origin = arm.cage_length, centres[2]
            pivot = _in_frame(origin, direction, arm.pivot)
            middle = _in_frame(origin, direction, arm.centre_of_mass or (0.5 * length, 0.0))
        else:
            length, (x, y) = arm.arm_length, centres[-1]
            pivot = (x + arm.pivot[0], y + arm.pivot[1])
            middle = _ahead(pivot, direction, 0.5 * length)
        sense = self._sense()
        joint = {
            "kind": "revolute",
            "position": pivot,
            "stiffness": arm.spring_stiffness,
            "damping": arm.damping,
            "neutral": arm.spring_angle - direction,
            "load": sense * arm.spring_torque,
            "lower": min(arm.lower - direction, 0.0),
            "upper": max(arm.upper - direction, 0.0),
            "stop_stiffness": arm.stop_stiffness,
        }
        if arm.friction is not None:
            joint["friction"] = arm.friction
        inertia = arm.inertia or ROD * arm.mass * length**2
        return {"name": name, "mass": arm.mass, "inertia": inertia, "centre_of_mass": middle, "joint": joint}


def _tightest(loop: Loop, oval: OvalWheel) -> OvalWheel:
    """Return the oval chainring, turned to the position in which the route around it is longest, which determines the
    position of the axle.
    """
    turned = [oval._replace(angle=angle) for angle in np.linspace(0.0, 2.0 * math.pi, POSITIONS, endpoint=False)]
    needed = [loop._replace(oval=each).pitches_at(0.0) for each in turned]
    return turned[int(np.argmax(np.nan_to_num(needed, nan=-math.inf)))]


_PULLEYS: dict[Any, tuple[str, ...]] = {
    Derailleur: ("tension pulley", "guide pulley"),
    TensionerArm: ("tensioner pulley",),
    type(None): (),
}
_TABLES: dict[Any, str] = {Derailleur: "derailleur", TensionerArm: "tensioner"}


def _ahead(origin: Point, direction: float, length: float) -> Point:
    return origin[0] + length * math.cos(direction), origin[1] + length * math.sin(direction)


def _in_frame(origin: Point, direction: float, place: Point) -> Point:
    """Return the position of a point given by its distances along a direction and to the left of it."""
    c, s = math.cos(direction), math.sin(direction)
    return origin[0] + place[0] * c - place[1] * s, origin[1] + place[0] * s + place[1] * c
