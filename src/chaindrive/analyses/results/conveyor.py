"""Results of a conveyor: motor power, also for each rail and part; torque and time of the start; travel of the take-up.

This applies to a chain that carries goods or runs on rails. Powers are means over the steady part of the run; the start
and the motion of the take-up are taken from the whole run.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.analytical.conveyor_pull import ConveyorPull, conveyor_pull, is_straight, rail_ends
from chaindrive.analyses.analytical.limits import chain_limits
from chaindrive.analyses.carried import carried_mass, goods_per_length
from chaindrive.analyses.results.losses import Losses, losses
from chaindrive.analyses.results.steadiness import Part, headline_part
from chaindrive.analyses.signals.windows import instants, mean_tooth_frequency, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, Limits
from chaindrive.results.solution import Solution

__all__ = ["AT_SPEED", "Conveyor", "PartPower", "StartUp", "TakeUp", "conveyor"]

FloatArray = NDArray[np.float64]

AT_SPEED = 0.95
"""The start is finished when the driver reaches this fraction of its mean speed in the window. [-]"""
STILL = 0.05
"""A run starts from rest if the initial speed of the driver is at most this fraction of its mean speed in the window.
[-]"""


class PartPower(NamedTuple):
    """Mean power absorbed by one part."""

    name: str
    power: float
    """Mean power in the run. [W]"""
    by_hand: float
    """Power by hand calculation from the weight [W]; nan if there is no such formula."""


class StartUp(NamedTuple):
    """The start of a conveyor."""

    time: float
    """Time from rest to the fraction ``AT_SPEED`` of the mean speed, or the duration of the ramp of the prescribed
    motion; nan without either. [s]"""
    torque: float
    """Largest torque on the driving shaft during the start [N m]; nan if the run does not begin at rest."""
    by_hand: float
    """Torque by hand calculation from breakaway friction, lifting, and moving mass times speed divided by starting time
    [N m]; nan if the time is unknown."""

    @property
    def largest(self) -> float:
        """Return the larger of the two torques, from the run and by hand [N m]; nan if neither is known."""
        return float(np.fmax(self.torque, self.by_hand))


class TakeUp(NamedTuple):
    """Travel of a take-up, from a new chain without tension to a worn chain."""

    name: str
    """Name of the sliding body, or of the wheel that would be shifted if no sliding body carries a wheel."""
    slides: bool
    """Whether ``name`` is a sliding body."""
    gain: float
    """Length of chain taken up per unit of travel; it is 2 between parallel spans. [-]"""
    elastic: float
    """Mean elastic elongation of the chain in the steady part. [m]"""
    moved: float
    """Range of the take-up's positions in the run, including the position for a chain without tension. [m]"""
    wear: float
    """Elongation due to wear at which the chain is replaced, minus its present elongation. [m]"""
    heat: float
    """Thermal elongation of the chain [m]; 0 if none is given."""

    @property
    def travel(self) -> float:
        """Return the travel that the take-up needs. [m]"""
        return self.moved + (self.wear + self.heat) / self.gain


class Conveyor(NamedTuple):
    """Results of a run for a conveyor."""

    part: Part
    """The window over which means are taken."""
    speed: float
    """Chain speed. [m/s]"""
    shaft: float
    """Power at the driving shafts; negative if the driver brakes goods that move down. [W]"""
    stored: float
    """Rate at which stored energy grows; it is included in ``shaft``, and is almost 0 in a steady state. [W]"""
    lifted: float
    """The part of ``stored`` that is energy of gravity. [W]"""
    parts: tuple[PartPower, ...]
    """Power by part: rails, other losses, goods that are lifted and carried away."""
    goods: float
    """Mean mass of the goods on the chain. [kg]"""
    motor: float
    """Motor power: power at the shafts times application factor, divided by gearbox efficiency, or multiplied by it if
    the driver brakes. [W]"""
    pull: ConveyorPull
    """Pull by hand calculation."""
    start: StartUp
    take_up: TakeUp | None
    """Travel of the take-up; None for an open chain."""

    @property
    def specific(self) -> float:
        """Return the work at the shafts per mass of goods and distance, P / (m v) [J/(kg m)]; nan without goods or
        motion. Divided by g it is the overall friction coefficient of the conveyor, if it is horizontal.
        """
        carried = self.goods * self.speed
        return self.shaft / carried if carried > 0.0 else math.nan


def conveyor(solution: Solution, start: float | None = None, stop: float | None = None) -> Conveyor:
    """Return the results for motor, start and take-up of a conveyor; start, stop: a window other than the steady part
    [s].

    The power of a straight rail is its mean force along the chain times the chain speed; curved rails share the rest of
    the losses at guides. The motor power is the power at the shafts times ``limits.application_factor`` divided by
    ``limits.gear_efficiency``, or multiplied by it if goods that move down drive the conveyor. Needs the channels of
    work, wheel_speed and span_tension; also joint_position for a take-up, guide_force for the individual rails, and
    wheel_torque for the start of a run.

    Raises InputError without these channels, without wheels, and if nothing was stored in the window.
    """
    drive = solution.drive
    if not drive.wheels or drive.sheaves:
        raise InputError(Problem("drive", "has no sprocket that drives a conveyor"))
    part = headline_part(solution, start, stop)
    lost = losses(solution, part.start, part.stop)
    speed = mean_tooth_frequency(solution, part.start, part.stop) * drive.chain.pitch
    pull = conveyor_pull(drive)
    limits = drive.limits or Limits()
    shaft, gear = _shaft_power(drive, lost), limits.gear_efficiency or 1.0
    powers = dict(zip(lost.keys, lost.power.tolist(), strict=True))
    parts = _rails(solution, part, speed, pull, powers.get("guide", math.nan))
    names = zip(lost.keys, lost.names, strict=True)
    parts += [PartPower(name, powers[key], math.nan) for key, name in names if not (key == "guide" and parts)]
    if "payload_power" in solution:
        rows = window_of(instants(solution), part.start, part.stop).rows
        goods = float(np.asarray(solution.values("payload_power", rows), np.float64).mean(axis=0).sum())
        carried = sum(_carried_away(drive, k, speed) for k in range(len(drive.payloads)))
        parts.append(PartPower("goods lifted and carried away", goods, pull.lift * speed + carried))
    return Conveyor(
        part=part,
        speed=speed,
        shaft=shaft,
        stored=lost.stored,
        lifted=lost.lifted,
        parts=tuple(parts),
        goods=sum(carried_mass(drive, payload) for payload in drive.payloads),
        motor=shaft * limits.application_factor * (gear if shaft < 0.0 else 1.0 / gear),
        pull=pull,
        start=_start(solution, part, pull, speed),
        take_up=_take_up(solution, part),
    )


def _shaft_power(drive: Drive, lost: Losses) -> float:
    """Return the power of all shafts that supply power, or that of the driver if none does. [W]"""
    if not lost.sources or math.isnan(lost.input):
        return lost.input
    power = dict(zip(lost.sources, lost.source_power.tolist(), strict=True))
    shafts = [power.get(wheel.name, 0.0) for wheel in drive.wheels]
    return sum(each for each in shafts if each > 0.0) or shafts[drive_facts(drive).driver]


def _carried_away(drive: Drive, number: int, speed: float) -> float:
    """Return the kinetic energy per time of the goods that leave, minus that of the goods that arrive. [W]"""
    payload = drive.payloads[number]
    return 0.5 * goods_per_length(drive, payload) * speed * (speed**2 - payload.feed_speed**2)


def _rails(solution: Solution, part: Part, speed: float, pull: ConveyorPull, lost: float) -> list[PartPower]:
    """Return the power lost at each straight rail, and at all curved rails together, from the total loss at all rails
    [W]; empty if rail forces were not kept.
    """
    drive = solution.drive
    if not drive.guides or "guide_force" not in solution:
        return []
    rows = window_of(instants(solution), part.start, part.stop).rows
    force = np.asarray(solution.values("guide_force", rows), np.float64)
    force = force[np.isfinite(force).all(axis=(1, 2))].mean(axis=0)
    by_hand = {rail.guide: rail.pull * pull.speed for rail in pull.rails}
    found = []
    for g, guide in enumerate(drive.guides):
        if is_straight(guide):
            first, last = (np.asarray(end) for end in rail_ends(drive, g))
            along = drive_facts(drive).direction * (last - first) / math.dist(first, last)
            found.append(PartPower(guide.name, float(force[g] @ along) * speed, by_hand[g]))
    curved = [guide.name for guide in drive.guides if not is_straight(guide)]
    if curved:
        name = curved[0] if len(curved) == 1 else "curved rails"
        found.append(PartPower(name, lost - sum(each.power for each in found), math.nan))
    return found


def _start(solution: Solution, part: Part, pull: ConveyorPull, speed: float) -> StartUp:
    """Return time and torque of the start: from the run if it begins at rest, otherwise by hand calculation for a
    prescribed ramp.
    """
    drive, driver = solution.drive, drive_facts(solution.drive).driver
    pace = np.abs(np.asarray(solution.values("wheel_speed", item=driver), np.float64))
    rows = window_of(instants(solution), part.start, part.stop).rows
    mean = float(np.nanmean(pace[rows]))
    ramp = getattr(drive.wheels[driver].motion, "ramp", None)
    time, torque = math.nan if not ramp else float(ramp), math.nan
    reached = np.flatnonzero(pace >= AT_SPEED * mean)
    if mean > 0.0 and pace[0] <= STILL * mean and reached.size:
        time = float(instants(solution)[reached[0]] - instants(solution)[0])
        if "wheel_torque" in solution:
            torque = float(np.abs(solution.values("wheel_torque", slice(0, int(reached[0]) + 1), driver)).max())
    breakaway = (drive.limits.breakaway if drive.limits else None) or 1.0
    force = pull._replace(speed=speed).start(time, breakaway) if time > 0.0 else math.nan
    return StartUp(time, torque, force * float(drive_facts(drive).levers[driver]))


def _take_up(solution: Solution, part: Part) -> TakeUp | None:
    """Return the elongations of the chain and the travel of the take-up; None for an open chain."""
    drive = solution.drive
    chain, route = drive.chain, drive_facts(drive).route
    if chain.ends is not None or route.hanging_loop:
        return None
    tension = np.asarray(solution.values("span_tension"), np.float64)
    of_wheels = 0.5 * (tension + np.roll(tension, 1, axis=1))
    pulled = tension @ route.span_length + of_wheels @ (route.wrap * route.radii)
    stretch = pulled / (chain.pitch * chain.link_stiffness)
    rows = window_of(instants(solution), part.start, part.stop).rows
    elastic = float(np.nanmean(stretch[rows]))
    allowed = chain_limits(drive).elongation.value or 0.0
    length = chain.links * chain.pitch
    wear = max(allowed - (chain.mean_pitch / chain.pitch - 1.0), 0.0) * length
    heat = ((drive.limits.thermal_elongation if drive.limits else None) or 0.0) * length
    body = _sliding_body(drive)
    if body is None:
        wheel, gain = _idle_wheel(drive)
        moved = max(float(np.nanmax(stretch)), 0.0) / gain
        return TakeUp(drive.wheels[wheel].name, False, gain, elastic, moved, wear, heat)
    index, gain = body
    shift = np.asarray(solution.values("joint_position", item=index), np.float64)
    places = np.append(shift - shift[0] + stretch[0] / gain, 0.0)
    places = places[np.isfinite(places)]
    return TakeUp(drive.bodies[index].name, True, abs(gain), elastic, float(np.ptp(places)), wear, heat)


def _sliding_body(drive: Drive) -> tuple[int, float] | None:
    """Return the body that is free to slide on a prismatic joint and whose wheels take up the most chain, and the
    length of chain taken up per unit of its shift.
    """
    found = []
    for b, body in enumerate(drive.bodies):
        if body.joint.kind == "prismatic" and body.joint.motion is None:
            along = np.array([math.cos(body.joint.direction), math.sin(body.joint.direction)])
            carried = [w for w, wheel in enumerate(drive.wheels) if wheel.body == body.name]
            gain = sum(float(_bend(drive, w) @ along) for w in carried)
            if abs(gain) > _LEAST:
                found.append((b, gain))
    return max(found, key=lambda each: abs(each[1]), default=None)


_LEAST = 0.1
"""A body that takes up less chain than this per unit of its shift is not a take-up. [-]"""


def _idle_wheel(drive: Drive) -> tuple[int, float]:
    """Return the wheel other than the driver that takes up the most chain when it is shifted along the bisector of its
    spans, and the length taken up per unit of shift.
    """
    driver = drive_facts(drive).driver
    others = [w for w in range(len(drive.wheels)) if w != driver]
    gains = {w: float(np.hypot(*_bend(drive, w))) for w in others}
    wheel = max(gains, key=lambda w: gains[w])
    return wheel, gains[wheel]


def _bend(drive: Drive, wheel: int) -> FloatArray:
    """Return the derivative of the length of the route with respect to the position of a wheel: direction of arrival
    minus direction of departure. [-]
    """
    direction = drive_facts(drive).route.span_direction
    return np.asarray(direction[wheel - 1] - direction[wheel])
