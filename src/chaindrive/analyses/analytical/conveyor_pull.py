"""Pull of a conveyor by hand calculation: friction on straight rails, lifting and feeding of goods, moving mass.

It includes Coulomb friction of the chain, its attachments and its goods on rails, but not the losses of joints, teeth
and bearings, nor the pull of curved rails, which grows with the tension. The pull is a lower bound for a drive that has
such losses.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from chaindrive.analyses.carried import carried_mass, goods_between, goods_pull, mass_per_length
from chaindrive.geometry.profile import Segment
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.rails import guide_profile, nearest_span
from chaindrive.mechanism.wheel_torques import resistance
from chaindrive.model import Drive
from chaindrive.model.guide import Guide, PathGuide
from chaindrive.numbers import quantity

__all__ = [
    "ConveyorPull",
    "RailPull",
    "conveyor_pull",
    "is_conveyor",
    "is_straight",
    "loads_pull",
    "pull_text",
    "rail_ends",
    "rails_pull",
]


NOTHING = 1e-6
"""A part of the pull below this fraction of the total is not mentioned. [-]"""


class RailPull(NamedTuple):
    """Friction on a straight rail."""

    guide: int
    """Index of the guide."""
    mass: float
    """Mean mass of chain, attachments and goods on the rail. [kg]"""
    pull: float
    """Friction coefficient times the weight pressing on the rail. [N]"""


class ConveyorPull(NamedTuple):
    """Forces along the chain at its running speed; all are positive if they oppose the motion."""

    speed: float
    """Chain speed. [m/s]"""
    moving_mass: float
    """Moving mass: chain, attachments and goods, plus the inertias of the wheels reduced to the chain, the sum of
    inertia / (lever arm)^2. [kg]"""
    rails: tuple[RailPull, ...]
    """Straight rails."""
    trough: float
    """Friction of goods in a trough. [N]"""
    lift: float
    """Component of the weight of the goods along their span; negative downhill. [N]"""
    feed: float
    """Force that accelerates the goods to the chain speed: mass flow times speed difference. [N]"""
    loads: float
    """Pull of the loads and bearings of wheels without prescribed motion [N]; nan if the chain also holds weights, at
    its ends or as a hoist."""

    @property
    def friction(self) -> float:
        """Friction on rails and in troughs. [N]"""
        return sum(rail.pull for rail in self.rails) + self.trough

    @property
    def total(self) -> float:
        """Total pull at constant speed. [N]"""
        return self.friction + self.lift + self.feed + self.loads

    def start(self, time: float, breakaway: float = 1.0) -> float:
        """Return the pull at the start: friction times ``breakaway``, lifting, loads, and moving mass times v / time.
        [N]
        """
        return breakaway * self.friction + self.lift + self.loads + self.moving_mass * self.speed / time


def is_conveyor(drive: Drive) -> bool:
    """Return whether the chain carries goods, or the drive file gives limits for a conveyor."""
    limits = drive.limits
    given = limits is not None and any((limits.motor_power, limits.start_torque, limits.take_up))
    return bool(drive.wheels) and not drive.sheaves and (bool(drive.payloads) or given)


def is_straight(guide: Guide) -> bool:
    """Return whether a rail is straight except for its rounded ends."""
    if isinstance(guide.shape, PathGuide):
        return all(piece.radius is None for piece in guide.shape.pieces)
    return guide.shape.kind in ("straight", "on_span")


def rail_ends(drive: Drive, number: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the two ends of the flat part of a straight rail, in the direction of the route. [m]"""
    profile = guide_profile(drive.guides[number], drive_facts(drive).route, 0.5 * drive.chain.roller_diameter, number)
    flat = [element for element in profile if isinstance(element, Segment)]
    first, last = flat[0].at(0.0)[0], flat[-1].at(1.0)[0]
    return (last, first) if drive.guides[number].shape.side == "left" else (first, last)


def conveyor_pull(drive: Drive) -> ConveyorPull:
    """Return the pull of a conveyor by hand calculation.

    Source: mechanics (Coulomb friction due to the weight, momentum of the goods that are fed). Speed, feed and the pull
    at the start are nan if the speed of the driver is unknown. Raises InputError for a route that does not exist.
    """
    facts, chain = drive_facts(drive), drive.chain
    nominal = facts.nominal_speed
    speed = math.nan if nominal is None else abs(nominal) * float(facts.levers[facts.driver])
    goods = [carried_mass(drive, payload) for payload in drive.payloads]
    trough, lift, feed = goods_pull(drive, speed)
    turning = zip(drive.wheels, facts.levers.tolist(), strict=True)
    wheels = sum((wheel.turned_inertia or 0.0) / lever**2 for wheel, lever in turning)
    mass = chain.links * chain.link_mass + sum(chain.attached_masses) + sum(goods) + wheels
    rails = _straight_rails(drive)
    hoists = chain.ends is not None or not facts.one_speed
    loads = math.nan if hoists else loads_pull(drive, 0.0 if nominal is None else speed)
    return ConveyorPull(speed, mass, rails, trough, lift, feed, loads)


def loads_pull(drive: Drive, speed: float) -> float:
    """Return the pull of the loads and bearings of wheels without prescribed motion at a chain speed [m/s]. [N]"""
    facts = drive_facts(drive)
    free = [(w, lever) for w, lever in enumerate(facts.levers.tolist()) if drive.wheels[w].motion is None]
    return sum(resistance(facts, w, speed / lever) / lever for w, lever in free)


def rails_pull(drive: Drive) -> float:
    """Return the friction due to the weight of chain, attachments and goods on straight rails. [N]"""
    return sum(rail.pull for rail in _straight_rails(drive))


def pull_text(drive: Drive) -> str:
    """Return a description of the pull of a conveyor by hand calculation, with its parts and the power required."""
    found = conveyor_pull(drive)
    parts = [(drive.guides[rail.guide].name, rail.pull) for rail in found.rails]
    parts += [("trough", found.trough), ("lifting", found.lift), ("feed", found.feed), ("loads", found.loads)]
    known = [(name, pull) for name, pull in parts if math.isfinite(pull)]
    total = sum(pull for _, pull in known)
    listed = ", ".join(f"{name} {quantity(pull, 'N', 3)}" for name, pull in known if abs(pull) > NOTHING * abs(total))
    power = f", {quantity(total * found.speed, 'W', 3)} at {quantity(found.speed, 'm/s', 3)}"
    at_speed = power if math.isfinite(found.speed) else ""
    return (
        f"{quantity(total, 'N', 3)}{at_speed}{f': {listed}' if listed else ''}; moving mass {found.moving_mass:.4g} kg"
    )


def _straight_rails(drive: Drive) -> tuple[RailPull, ...]:
    return tuple(_rail_pull(drive, g) for g, guide in enumerate(drive.guides) if is_straight(guide))


def _rail_pull(drive: Drive, number: int) -> RailPull:
    """Return the friction due to the weight on one straight rail."""
    guide, route = drive.guides[number], drive_facts(drive).route
    first, last = (np.asarray(end) for end in rail_ends(drive, number))
    length = math.dist(first, last)
    ux, uy = (last - first) / length
    side = 1.0 if guide.shape.side == "right" else -1.0  # towards the rail: (uy, -ux) on the right
    span = nearest_span(route, tuple(0.5 * (first + last)))
    begin = float((first - route.span_start[span]) @ route.span_direction[span])
    of_chain = mass_per_length(drive) * length
    pressed = of_chain * side * (drive.gravity[0] * uy - drive.gravity[1] * ux)
    mass = of_chain
    for payload in drive.payloads:
        if payload.span == span:
            carried = goods_between(drive, payload, begin, begin + length)
            gx, gy = drive.gravity if payload.gravity is None else payload.gravity
            mass += carried
            pressed += carried * side * (gx * uy - gy * ux)
    return RailPull(number, mass, guide.contact.friction * max(pressed, 0.0))
