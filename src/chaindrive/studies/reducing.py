"""A drive as a chain drive block whose values are identified from detailed runs of it, with the errors of doing so."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.losses import losses
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, SaveOptions, drive_of, override
from chaindrive.model.friction_map import FrictionMap
from chaindrive.simulation.simulate import simulate
from chaindrive.simulation.start import channel_at_start, prepare
from chaindrive.units import to_si

__all__ = ["LossPoint", "Reduced", "SpanLine", "StaticPoint", "reduce"]

FloatArray = NDArray[np.float64]
STATIC_LOADS = (-1.0, -0.5, -0.25, 0.25, 0.5, 1.0)
STATIC_CHECKS = (-0.75, 0.75)
"""Loads at rest over the largest, and those that the fit does not see. [-]"""
RUNS = ((0.5, 0.5), (0.5, 1.0), (1.0, 0.5), (1.0, 1.0))
RUN_CHECKS = ((0.75, 0.75),)
"""Speed and load of the runs over the largest, and those that the fit does not see. [-]"""
MAP_PARTS = (0.25, 0.5, 1.0)
MAP_RUNS = tuple((fast, loaded) for fast in MAP_PARTS for loaded in MAP_PARTS)
MAP_CHECKS = ((0.375, 0.75), (0.75, 0.375), (0.75, 0.75))
"""The same for a map of the losses. [-]"""
MAP_POINTS = 3
"""Of a map, along the tensions. [-]"""
REVOLUTIONS, MEASURED = 3.0, 2.0
"""Revolutions of the driver in a run, and the last ones over which its losses are taken. [-]"""
TAUT = 0.2
"""A span counts as taut above this fraction of the largest tension: a slack one carries its weight. [-]"""
OWN = "bearing"
"""Losses that the reduced drive has as they are."""
PULL_OF_BREAKING_LOAD = 0.05
"""Without any load in the drive, the largest one pulls with this fraction of the breaking load. [-]"""


class StaticPoint(NamedTuple):
    """The drive at rest with the driver held and a load on one wheel."""

    wheel: int
    load: float
    """Against the direction of rotation. [N m]"""
    fitted: bool
    """False: a check."""
    elongation: FloatArray
    """Of every span, by the angles of its wheels, but for a constant, (W,). [m]"""
    tension: FloatArray
    """(W,) [N]"""


class SpanLine(NamedTuple):
    """Tension of a span over its elongation: stiffness x (elongation + offset) where that is above 0."""

    name: str
    stiffness: float
    """[N/m]"""
    offset: float
    """[m]"""
    error: float
    check_error: float
    """Largest deviation at the points of the fit, and at the others, over the largest tension. [-]"""

    def tension(self, elongation: FloatArray | float) -> FloatArray:
        """Of the reduced drive. [N]"""
        return np.maximum(self.stiffness * (np.asarray(elongation) + self.offset), 0.0)


class LossPoint(NamedTuple):
    """A run at a speed of the driver and a load on the driven wheel."""

    speed: float
    """Without sign. [rad/s]"""
    load: float
    """[N m]"""
    fitted: bool
    input: float
    loss: float
    """Power at the driver, and what chain and contacts lose of it. [W]"""
    chain_speed: float
    """[m/s]"""
    pulls: FloatArray
    """Mean tensions beside every wheel, their sum, (W,). [N]"""
    reduced: float
    """Loss of the reduced drive. [W]"""

    @property
    def pulled(self) -> float:
        """Sum of the pulls times the speed of the chain. [W]"""
        return float(self.pulls.sum()) * self.chain_speed

    @property
    def error(self) -> float:
        """Error of the loss over the power at the driver. [-]"""
        return (self.reduced - self.loss) / self.input


class Losses(NamedTuple):
    """Losses of a reduced drive."""

    friction: float = 0.0
    damping: float = 0.0
    """At the driver, [N m, N m s/rad],"""
    tension_friction: float = 0.0
    """and friction of the chain over its tensions. [-]"""
    friction_map: FrictionMap | None = None

    def power(self, at: LossPoint) -> float:
        """In the place of a run. [W]"""
        found = (self.friction + self.damping * at.speed) * at.speed + self.tension_friction * at.pulled
        if self.friction_map is not None:
            shares = _shares(self.friction_map.speeds, self.friction_map.tensions, at)
            found += float(shares @ np.ravel(self.friction_map.forces)) * at.chain_speed
        return found


class Reduced(NamedTuple):
    """A reduced drive, and how well it stands for the detailed one."""

    drive: Drive
    """In the formulation 'block'."""
    detailed: str
    """Formulation of the runs."""
    spans: tuple[SpanLine, ...]
    losses: tuple[LossPoint, ...]
    slack: float
    """Length of the chain less that of its route; negative: pretension. [m]"""
    friction: float
    damping: float
    """Losses as friction and damping of the driver's bearing, [N m, N m s/rad],"""
    tension_friction: float
    """and as friction of the chain over its tensions. [-]"""
    friction_map: FrictionMap | None
    """In the place of the other three."""
    largest_load: float
    largest_speed: float
    """Of the design. [N m, rad/s]"""

    def table(self) -> str:
        """Values and errors, in lines."""
        lines = [
            f"Reduced from the formulation {self.detailed!r}, at rest with loads up to {self.largest_load:.4g} N m, "
            f"and running up to {self.largest_speed:.4g} rad/s.",
            "span                             stiffness [N/m]   error of the fit   at other loads",
        ]
        lines += [
            f"{line.name[:30]:30s}   {line.stiffness:15.6g}   {line.error:16.2%}   {line.check_error:14.2%}"
            for line in self.spans
        ]
        lines += [
            f"slack {1e3 * self.slack:.4g} mm; losses as {self._losses_text()}",
            "speed [rad/s]   load [N m]   input [W]    loss [W]   reduced [W]   error of the input",
        ]
        lines += [
            f"{each.speed:13.4g}   {each.load:10.4g}   {each.input:9.4g}   {each.loss:9.4g}   {each.reduced:11.4g}   "
            f"{each.error:18.2%}{'' if each.fitted else '   not used for the fit'}"
            for each in self.losses
        ]
        return "\n".join(lines)

    def _losses_text(self) -> str:
        given = self.friction_map
        if given is None:
            return (
                f"{self.friction:.4g} N m and {self.damping:.4g} N m s/rad at the driver, and "
                f"{self.tension_friction:.4g} of the tensions beside every wheel"
            )
        low, high = (of(map(of, given.forces)) for of in (min, max))
        return (
            f"{low:.4g} to {high:.4g} N against the chain on every wheel, a map from {given.speeds[0]:.4g} to "
            f"{given.speeds[-1]:.4g} m/s and from {given.tensions[0]:.4g} to {given.tensions[-1]:.4g} N"
        )

    def to_toml(self) -> str:
        """The reduced drive as the text of a file, with the table as comments."""
        comments = "\n".join(f"# {line}".rstrip() for line in self.table().splitlines())
        return f"{comments}\n\n{self.drive.to_toml()}"


def reduce(
    drive: Drive | str | os.PathLike[str],
    *,
    load: float | str | None = None,
    speed: float | str | None = None,
    loss_map: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Reduced:
    """Identify a chain drive block from detailed runs of a drive, in the formulation of its ``run``.

    Stiffness of every span and slack: a line through tensions over elongations in the static equilibria with loads on
    every free wheel in turn, up to ``load``, in both directions, and the driver held. Losses: friction and damping at
    the driver, and friction of the chain over its tensions, by non-negative least squares through the losses of four
    runs, at half and all of ``load`` and ``speed``; with ``loss_map`` friction of the chain as a map over speed and
    tensions, through nine runs, at a quarter, half and all of both. Both are compared with points that the fits do
    not see. What the block lacks is not in it: polygonal action and what else repeats with the teeth, inertia and
    weight of the chain.

    load: largest load on the last free wheel [N m], of others by their teeth; default: ``load_torque`` of that wheel,
    or one that pulls with 5 % of the breaking load. speed: largest of the driver [rad/s]; default: that of the drive.
    Numbers, or texts with units. progress: called with a few words.
    Raises InputError for drives that are more than wheels on fixed axes with a closed chain, guides and tensioners, and
    for wrong arguments; ComputationError where a run fails or a span is never taut.
    """
    drive = drive_of(drive)
    tell = progress or (lambda _: None)
    _check(drive)
    bare = _bare(drive)
    facts = drive_facts(bare)
    free = [w for w, wheel in enumerate(bare.wheels) if wheel.motion is None]
    top_speed, top_load = _largest(drive, free[-1], load, speed)
    points = list(_static(bare, free, top_load, tell))
    lines = tuple(_line(points, k, name) for k, name in enumerate(bare.span_names))
    design = (MAP_RUNS, MAP_CHECKS) if loss_map else (RUNS, RUN_CHECKS)
    measured = list(_runs(bare, free[-1], top_speed, top_load, design, tell))
    lost = _loss_map(measured) if loss_map else _losses(measured)
    slack = -sum(line.offset for line in lines)
    reduced = _reduced(drive, prepare(bare, start="at_rest").drive, lines, slack, facts.driver, lost)
    told = tuple(each._replace(reduced=lost.power(each)) for each in measured)
    return Reduced(reduced, bare.run.formulation.kind, lines, told, slack, *lost, top_load, top_speed)


def _check(drive: Drive) -> None:
    """Refuse what the block does not have."""
    wrong = {
        "stages": bool(drive.stages),
        "rotors": bool(drive.rotors),
        "sheaves": bool(drive.sheaves),
        "bicycle": drive.bicycle is not None,
        "chain.ends": drive.chain.ends is not None,
        "wheels.freewheel": any(wheel.freewheel is not None for wheel in drive.wheels),
        "wheels.shaft_with": any(wheel.shaft_with is not None for wheel in drive.wheels),
        "wheels.body": any(wheel.body != "ground" for wheel in drive.wheels),
    }
    message = "cannot be reduced to a chain drive block: it has wheels on fixed axes and one closed chain"
    problems = [Problem(place, message) for place, there in wrong.items() if there]
    if sum(wheel.motion is not None for wheel in drive.wheels) > 1:
        problems.append(Problem("wheels.motion", "several wheels have a motion: one drives, the others are to be free"))
    if problems:
        raise InputError(problems)


def _bare(drive: Drive) -> Drive:
    """The drive without loads and torques, its driver at a constant speed."""
    facts = drive_facts(drive)
    changes: dict[str, Any] = {}
    for w, wheel in enumerate(drive.wheels):
        changes |= {f"wheels.{w}.{name}": 0.0 for name in ("load_torque", "load_viscous", "load_quadratic", "torque")}
        changes |= {f"wheels.{w}.loads": []}
        changes |= {
            f"wheels.{w}.{name}": None
            for name in ("load_table", "vehicle", "initial_speed")
            if getattr(wheel, name) is not None
        }
    changes[f"wheels.{facts.driver}.motion"] = {"kind": "constant_speed", "speed": facts.nominal_speed or 1.0}
    return override(drive, changes)


def _largest(drive: Drive, wheel: int, load: float | str | None, speed: float | str | None) -> tuple[float, float]:
    """Speed [rad/s] and load [N m] up to which the drive is looked at. Raises InputError."""
    facts, problems, found = drive_facts(drive), [], []
    pull = (drive.chain.breaking_load or 0.0) * PULL_OF_BREAKING_LOAD
    radius = float(facts.levers[wheel])
    own = abs(drive.wheels[wheel].load_torque)
    for name, given, unit, default in (
        ("speed", speed, "rad/s", abs(facts.nominal_speed or 0.0)),
        ("load", load, "N*m", own or pull * radius),
    ):
        try:
            value = default if given is None else to_si(given, unit)
        except ValueError as error:
            problems.append(Problem(name, str(error), repr(given)))
            continue
        if not value > 0.0:
            problems.append(Problem(name, f"must be above 0 {unit}; give it", f"{value:g}"))
        found.append(value)
    if problems:
        raise InputError(problems)
    return found[0], found[1]


def _radii(drive: Drive) -> FloatArray:
    """Radii of the wheels of the block, negative where they turn clockwise along the route. [m]"""
    return np.asarray(drive_facts(drive).signs * drive_facts(drive).levers)


def _static(bare: Drive, free: Sequence[int], largest: float, tell: Callable[[str], None]) -> Iterator[StaticPoint]:
    """The drive at rest under loads on its free wheels in turn."""
    radii, last = _radii(bare), bare.wheels[free[-1]].teeth
    for w in free:
        for part in sorted((*STATIC_LOADS, *STATIC_CHECKS)):
            load = part * largest * bare.wheels[w].teeth / last
            tell(f"at rest with {load:.4g} N m on {bare.wheels[w].name}")
            system = prepare(override(bare, {f"wheels.{w}.load_torque": load}), start="at_rest").system
            if not system.story.notes["static_converged"]:
                raise ComputationError(
                    f"no static equilibrium was found with {load:.4g} N m on {bare.wheels[w].name!r}"
                )
            moved = radii * channel_at_start(system, "wheel_angle")
            tension = channel_at_start(system, "span_tension")
            yield StaticPoint(w, load, part in STATIC_LOADS, np.roll(moved, -1) - moved, np.asarray(tension))


def _line(points: Sequence[StaticPoint], k: int, name: str) -> SpanLine:
    """The line of span k through the points at which it is taut. Raises ComputationError if there are too few."""
    scale = max(float(point.tension.max()) for point in points)
    used = [point for point in points if point.fitted and point.tension[k] > TAUT * scale]
    x, force = (np.array([getattr(point, column)[k] for point in used]) for column in ("elongation", "tension"))
    if len(used) < 2 or not np.ptp(x) > 0.0:
        raise ComputationError(f"the span {name!r} is not taut under two different loads: give a larger load")
    stiffness, constant = np.polyfit(x, force, 1)
    line = SpanLine(name, float(stiffness), float(constant / stiffness), 0.0, 0.0)

    def error(fitted: bool) -> float:
        own = [point for point in points if point.fitted == fitted]
        return max(abs(float(line.tension(point.elongation[k])) - float(point.tension[k])) for point in own) / scale

    return line._replace(error=error(True), check_error=error(False))


def _runs(
    bare: Drive,
    loaded: int,
    speed: float,
    load: float,
    design: tuple[Sequence[tuple[float, float]], Sequence[tuple[float, float]]],
    tell: Callable[[str], None],
) -> Iterator[LossPoint]:
    """The runs of the design, and those that it is checked by."""
    driver = drive_facts(bare).driver
    sense = math.copysign(1.0, drive_facts(bare).nominal_speed or 1.0)
    fitted, checks = design
    for fast, loaded_by in (*fitted, *checks):
        at, under = fast * speed, loaded_by * load
        tell(f"running at {at:.4g} rad/s with {under:.4g} N m")
        changes = {f"wheels.{driver}.motion.speed": sense * at, f"wheels.{loaded}.load_torque": under}
        turn = 2.0 * math.pi / at
        run = simulate(
            override(bare, changes),
            until=REVOLUTIONS * turn,
            save=SaveOptions(rate=100.0 / turn),
            start="at_speed",
            progress=False,
        )
        if run.status.failed:
            raise ComputationError(f"the run at {at:.4g} rad/s with {under:.4g} N m failed: {run.status.description}")
        begin = (REVOLUTIONS - MEASURED) * turn
        balance = losses(run, begin)
        lost = sum(power for key, power in zip(balance.keys, balance.power.tolist(), strict=True) if key != OWN)
        late = run.time >= begin
        tensions = run.values("span_tension")[late].mean(axis=0)
        pulls = np.asarray(tensions + np.roll(tensions, 1), dtype=np.float64)
        chain_speed = at * float(abs(_radii(bare)[driver]))
        is_fitted = (fast, loaded_by) in fitted
        yield LossPoint(at, under, is_fitted, balance.input, lost, chain_speed, pulls, math.nan)


def _losses(points: Sequence[LossPoint]) -> Losses:
    """Friction [N m] and damping [N m s/rad] at the driver, and that over the tensions, which meet the losses best."""
    from scipy.optimize import nnls

    used = [point for point in points if point.fitted]
    speeds = np.array([point.speed for point in used])
    torques = np.array([max(point.loss, 0.0) for point in used]) / speeds
    parts = np.column_stack([np.ones(len(used)), speeds, [point.pulled / point.speed for point in used]])
    sizes = parts.max(axis=0)
    found, _ = nnls(parts / sizes, torques)
    friction, damping, tension_friction = (float(each) for each in found / sizes)
    return Losses(friction, damping, tension_friction)


def _loss_map(points: Sequence[LossPoint]) -> Losses:
    """Friction of the chain as the map, bilinear between its points, that meets the losses best."""
    from scipy.optimize import nnls

    used = [point for point in points if point.fitted]
    speeds = sorted({point.chain_speed for point in used})
    pulls = np.concatenate([point.pulls for point in used])
    tensions = np.linspace(max(float(pulls.min()), 0.0), float(pulls.max()), MAP_POINTS)
    if not np.ptp(tensions) > 0.0:
        raise ComputationError("all runs have the same tensions: give a larger load")
    parts = np.array([_shares(speeds, tensions, point) for point in used])
    found, _ = nnls(parts, np.array([max(point.loss, 0.0) / point.chain_speed for point in used]))
    rows = found.reshape(len(speeds), MAP_POINTS).tolist()
    return Losses(friction_map=FrictionMap(speeds=speeds, tensions=tensions.tolist(), forces=rows))


def _shares(speeds: Sequence[float], tensions: Any, at: LossPoint) -> FloatArray:
    """Part of every point of a map in the force against the chain in the place of a run, of all wheels, (n m,). [-]"""
    over_speed = np.array([np.interp(at.chain_speed, speeds, unit) for unit in np.eye(len(speeds))])
    over_tension = np.array([np.interp(at.pulls, tensions, unit).sum() for unit in np.eye(len(tensions))])
    return np.asarray(np.outer(over_speed, over_tension).ravel())


def _reduced(
    drive: Drive,
    placed: Drive,
    lines: Sequence[SpanLine],
    slack: float,
    driver: int,
    lost: Losses,
) -> Drive:
    """The block: the wheels of the drive where the preload has put them, with the values found."""
    fields: dict[str, Any] = {name: value for name, value in drive.to_dict().items() if name not in _LEFT_OUT}
    for w, (wheel, own) in enumerate(zip(fields["wheels"], placed.wheels, strict=True)):
        for name in ("shaft", "tilt", "offset", "body"):
            wheel.pop(name, None)
        wheel["position"] = list(own.position)
        if w == driver:
            wheel["bearing_friction"] = own.bearing_friction + lost.friction
            wheel["bearing_damping"] = own.bearing_damping + lost.damping
    fields["name"] = f"{drive.name[:80]}, reduced"
    options = {"kind": "block", "stiffness": [line.stiffness for line in lines], "slack": slack}
    run = fields.get("run", {})
    kept = {name: run[name] for name in ("until", "start") if name in run}
    options["tension_friction"] = lost.tension_friction
    if lost.friction_map is not None:
        options["friction_map"] = lost.friction_map.model_dump()
    fields["run"] = {**kept, "formulation": options}
    return Drive.from_dict(fields)


_LEFT_OUT = ("guides", "tensioners", "bodies", "preload", "closing", "payloads")
