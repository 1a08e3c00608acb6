"""Tiles of the verdict on a conveyor: motor, start, take-up."""

from __future__ import annotations

import math

from chaindrive.analyses.results.conveyor import Conveyor, TakeUp, conveyor
from chaindrive.analyses.results.losses import lifting
from chaindrive.analyses.results.steadiness import Part
from chaindrive.analyses.results.strength import Finding
from chaindrive.analyses.results.tiles import Tile, limit_line, percent, tile_of, unknown_tile
from chaindrive.errors import InputError
from chaindrive.model import Limits
from chaindrive.numbers import quantity
from chaindrive.results.solution import Solution

__all__ = ["carrying_text", "conveyor_tiles"]

UNSTEADY = 0.02
"""If more than this fraction of the power at the shafts is stored on average, the tile says so. [-]"""


def conveyor_tiles(solution: Solution, part: Part) -> tuple[list[Tile], list[Finding]]:
    """Return the tiles for motor, start and take-up of a conveyor, and their findings."""
    try:
        found = conveyor(solution, part.start, part.stop)
    except InputError as error:
        return [unknown_tile("motor", "Motor", error)], []
    limits = solution.drive.limits or Limits()
    made = [_motor(found, limits), _start(found, limits)]
    if found.take_up is not None:
        made.append(_take_up(found.take_up, limits))
    return [tile for tile, _ in made], [finding for _, finding in made]


def carrying_text(solution: Solution, part: Part) -> tuple[str, str] | None:
    """Return the work needed to carry a mass over a distance, and a description of the power from which it is computed;
    None if it is not known, or if goods drive the conveyor. It replaces the efficiency for a conveyor without output
    power.
    """
    try:
        found = conveyor(solution, part.start, part.stop)
    except InputError:
        return None
    if not found.specific > 0.0:
        return None
    power, speed = quantity(found.shaft, "W", 3), quantity(found.speed, "m/s", 3)
    work = f"{quantity(found.specific, 'J', 3)} per kg and metre"
    return work, f"{power} at the shafts carries {found.goods:.3g} kg at {speed}"


def _motor(found: Conveyor, limits: Limits) -> tuple[Tile, Finding]:
    name = "motor power: power at the shafts times application factor divided by gearbox efficiency"
    motor = abs(found.motor) or math.nan
    finding = _limited("motor", name, motor, "W", limits.motor_power)
    factor, gear = f"application factor {limits.application_factor:g}", limits.gear_efficiency
    lost = f"gearbox {percent(gear)}" if gear else "gearbox without losses (limits.gear_efficiency)"
    brakes = "; goods that move down drive the conveyor" if found.shaft < 0.0 else ""
    power, speed = quantity(abs(found.shaft), "W", 3), quantity(found.speed, "m/s", 3)
    lines = [f"{power} at the shafts at {speed}{brakes}; {factor}, {lost}", limit_line(finding)]
    largest = max(found.parts, key=lambda part: part.power, default=None)
    if largest is not None and found.shaft > 0.0 and largest.power > abs(found.stored):
        lines.append(f"the largest part of it is for {largest.name}: {quantity(largest.power, 'W', 3)}")
    if abs(found.stored) > UNSTEADY * abs(found.shaft):
        how = lifting(found.stored, found.lifted) or " on average: the run is not steady"
        lines.append(f"{quantity(found.stored, 'W', 3)} of it is stored{how}")
    headline = (
        f"{quantity(motor, 'W', 3)}{' of braking' if brakes else ''}" if motor > 0.0 else "no shaft supplies power"
    )
    return tile_of("motor", "Motor", headline, lines, finding), finding


def _start(found: Conveyor, limits: Limits) -> tuple[Tile, Finding]:
    start = found.start
    name = "largest torque on the driving shaft at the start"
    finding = _limited("start_torque", name, start.largest, "N m", limits.start_torque)
    if math.isnan(start.time):
        lines = ["the run does not begin at rest (run.start), and no ramp of the driver is given", limit_line(finding)]
        return tile_of("start_torque", "Start", "not known", lines, finding), finding
    friction = "friction as in motion (limits.breakaway)"
    if limits.breakaway is not None:
        friction = f"friction {limits.breakaway:g} times that in motion"
    in_run = f"in the run {quantity(start.torque, 'N m', 3)}"
    if math.isnan(start.torque):
        in_run = "the run does not begin at rest; the time is that of the ramp"
    if math.isnan(start.by_hand):
        by_hand = "not computed by hand, because the chain holds weights"
    else:
        by_hand = f"by hand {quantity(start.by_hand, 'N m', 3)}: {friction}, "
        by_hand += f"moving mass {found.pull.moving_mass:.3g} kg"
    lines = [in_run, by_hand, limit_line(finding)]
    headline = f"{quantity(start.time, 's', 3)}, {quantity(start.largest, 'N m', 3)}"
    return tile_of("start_torque", "Start", headline, lines, finding), finding


def _take_up(own: TakeUp, limits: Limits) -> tuple[Tile, Finding]:
    finding = _limited("take_up", "travel of the take-up", own.travel, "m", limits.take_up)
    wear, heat = own.wear / own.gain, own.heat / own.gain
    what = f"{own.name}: {quantity(own.moved, 'm', 3)} in the run, from the position without tension"
    if not own.slides:
        what = f"if {own.name} is shifted: {quantity(own.moved, 'm', 3)} for the largest elastic elongation"
    lines = [f"{what}, {quantity(wear, 'm', 3)} for wear", limit_line(finding)]
    lines.append(
        f"{quantity(heat, 'm', 3)} for thermal elongation"
        if heat
        else "no thermal elongation given (limits.thermal_elongation)"
    )
    lines.append(f"the chain is {quantity(own.elastic, 'm', 3)} longer under its mean tensions")
    return tile_of("take_up", "Take-up", quantity(own.travel, "m", 3), lines, finding), finding


def _limited(key: str, name: str, value: float, unit: str, limit: float | None) -> Finding:
    """Return a finding with an upper limit; the limit for "motor" is given by the key ``motor_power``."""
    where = "limits.motor_power" if key == "motor" else f"limits.{key}"
    given = "" if limit is None else f"given: {where}"
    missing = where if limit is None else ""
    return Finding(key, name, value, unit, math.nan if limit is None else limit, given, "most", missing)
