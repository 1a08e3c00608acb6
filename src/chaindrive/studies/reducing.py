"""Reduction of a drive to a chain drive block, whose values are identified from detailed runs of the drive, with the
errors of the block.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.losses import losses
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, SaveOptions, drive_of, loads_on, override, torques_of
from chaindrive.model.friction_map import FrictionMap
from chaindrive.results.solution import Solution
from chaindrive.simulation.simulate import simulate
from chaindrive.simulation.start import channel_at_start, prepare
from chaindrive.studies.reduced import Losses, LossPoint, Reduced, SpanLine, shares
from chaindrive.studies.ripple import (
    SAMPLES,
    Course,
    Geometry,
    RipplePoint,
    compared,
    course_of,
    ripples_of,
    waves_of,
)
from chaindrive.units import to_si

__all__ = ["StaticPoint", "reduce"]

FloatArray = NDArray[np.float64]
STATIC_LOADS = (-1.0, -0.5, -0.25, 0.25, 0.5, 1.0)
STATIC_CHECKS = (-0.75, 0.75)
"""Loads at rest, relative to the largest load: those used for the fit, and those used only to check it. [-]"""
RUNS = ((0.5, 0.5), (0.5, 1.0), (1.0, 0.5), (1.0, 1.0))
RUN_CHECKS = ((0.75, 0.75),)
"""Speeds and loads of the runs, relative to the largest: those used for the fit, and those used only to check it.
[-]"""
MAP_PARTS = (0.25, 0.5, 1.0)
MAP_RUNS = tuple((fast, loaded) for fast in MAP_PARTS for loaded in MAP_PARTS)
MAP_CHECKS = ((0.375, 0.75), (0.75, 0.375), (0.75, 0.75))
"""Speeds and loads of the runs for a map of the losses, relative to the largest: those used for the fit, and those used
only to check it. [-]
"""
MAP_POINTS = 3
"""Number of points of a map in the direction of the tensions. [-]"""
REVOLUTIONS, MEASURED, ROWS = 3.0, 2.0, 100.0
"""Number of revolutions of the driver in a run, number of final revolutions from which losses are computed, and number
of rows in each revolution. [-]"""
FINE: dict[str, Any] = {"precision": "double", "reduce": "mean"}
"""Save options of the runs from which ripple is identified."""
TAUT = 0.2
"""A span counts as taut if its tension is above this fraction of the largest tension, because a slack span still
carries its own weight. [-]"""
OWN = "bearing"
"""Loss that is left unchanged in the reduced drive."""
PULL_OF_BREAKING_LOAD = 0.05
"""If the drive has no load, the largest load is chosen so that it pulls the chain with this fraction of the breaking
load. [-]"""


class StaticPoint(NamedTuple):
    """The drive at rest with the driver held and a load on one wheel."""

    wheel: int
    load: float
    """Load, positive against the direction of rotation. [N m]"""
    fitted: bool
    """Whether the fit uses this point; otherwise it is used only to check the fit."""
    elongation: FloatArray
    """Elongation of every span that follows from the angles of its wheels, up to a constant, (W,). [m]"""
    tension: FloatArray
    """(W,) [N]"""


def reduce(
    drive: Drive | str | os.PathLike[str],
    *,
    load: float | str | None = None,
    speed: float | str | None = None,
    loss_map: bool = False,
    ripple: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Reduced:
    """Identify a chain drive block from detailed runs of a drive, in the formulation of its ``run``.

    The stiffness of every span and the slack follow from a line fitted to tension as a function of elongation, in
    static equilibria with the driver held and loads up to ``load``, in both directions, on every other wheel in turn.
    The losses are modelled by friction and damping at the driver, and by friction of the chain in proportion to its
    tensions; these values are fitted by non-negative least squares to the losses of four runs, at half and full
    ``load`` and ``speed``. With ``loss_map`` the friction of the chain is a map over speed and tensions instead, fitted
    to nine runs, at a quarter, half and full ``load`` and ``speed``. Both fits are compared with points that they do
    not use. With ``ripple`` the part that repeats with the teeth is identified as well (``studies.ripple``), and the
    tensions are compared with those in runs of the reduced drive. The block has neither inertia nor weight of the
    chain.

    load: largest load on the last wheel without a prescribed motion [N m]; loads on other wheels are in proportion to
    their teeth; default: all loads of this wheel at ``speed``, each at its largest, or the loads of all other wheels
    if it has none, or a load that pulls the chain with 5 % of the breaking load.
    speed: largest speed of the driver [rad/s]; default: its speed in the drive. Both are numbers or strings with units.
    progress: called with a description of the current task. Raises InputError for wrong arguments and for drives with
    anything other than wheels on fixed axes, a closed chain, guides and tensioners; ComputationError if a run fails or
    a span is never taut.
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
    runs = list(_runs(bare, free[-1], top_speed, top_load, design, ripple, tell))
    measured = [point for point, _ in runs]
    lost = _loss_map(measured) if loss_map else _losses(measured)
    slack = -sum(line.offset for line in lines)
    reduced = _reduced(drive, prepare(bare, start="at_rest").drive, lines, slack, facts.driver, lost)
    compared = tuple(each._replace(reduced=lost.power(each)) for each in measured)
    found = Reduced(reduced, bare.run.formulation.kind, lines, compared, slack, *lost, top_load, top_speed)
    return _rippled(found, runs, free[-1], tell) if ripple else found


def _rippled(
    found: Reduced,
    runs: Sequence[tuple[LossPoint, Course]],
    loaded: int,
    tell: Callable[[str], None],
) -> Reduced:
    """Return the reduced drive with the ripple of its spans, and with its tensions in all runs."""
    bare = _bare(found.drive)
    facts = drive_facts(bare)
    geometry = Geometry(
        radii=_radii(bare),
        teeth=np.array([wheel.teeth for wheel in bare.wheels]),
        inertia=np.array([wheel.turned_inertia or 0.0 for wheel in bare.wheels]),
        driver=facts.driver,
        stiffness=np.array([line.stiffness for line in found.spans]),
        offset=np.array([line.offset for line in found.spans]),
    )
    waves = waves_of([course for point, course in runs if point.fitted], geometry)
    if not waves:
        raise ComputationError("no span is taut throughout a run, so no ripple can be identified: give a larger load")
    ripple = {"run.formulation.ripple": [each.model_dump() for each in ripples_of(waves, geometry)]}
    points: list[RipplePoint] = []
    for point, course in runs:
        tell(f"reduced drive at {point.speed:.4g} rad/s with {point.load:.4g} N m")
        own, begin = _run(override(bare, ripple), loaded, point.speed, point.load, fine=True)
        points += compared(course, course_of(own, begin), geometry, (point.speed, point.load, point.fitted))
    return found._replace(drive=override(found.drive, ripple), waves=waves, ripples=tuple(points))


def _check(drive: Drive) -> None:
    """Raise InputError for a drive with parts that a block cannot have."""
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
    message = "cannot be reduced to a chain drive block, which has wheels on fixed axes and one closed chain"
    problems = [Problem(place, message) for place, there in wrong.items() if there]
    if sum(wheel.motion is not None for wheel in drive.wheels) > 1:
        problems.append(
            Problem("wheels.motion", "several wheels have a motion: only one may drive; the others must have none")
        )
    if problems:
        raise InputError(problems)


def _bare(drive: Drive) -> Drive:
    """Return the drive without loads, torques and machines, and with its driver at a constant speed."""
    facts = drive_facts(drive)
    changes: dict[str, Any] = {"machines": []} if drive.machines else {}
    for w, wheel in enumerate(drive.wheels):
        changes |= {f"wheels.{w}.{name}": 0.0 for name in ("load_torque", "load_viscous", "load_quadratic", "torque")}
        changes |= {f"wheels.{w}.loads": []}
        changes |= {
            f"wheels.{w}.{name}": None
            for name in ("load_table", "vehicle", "initial_speed")
            if getattr(wheel, name) is not None
        }
    speed = float(facts.senses[facts.driver]) * (facts.nominal_speed or 1.0)
    changes[f"wheels.{facts.driver}.motion"] = {"kind": "constant_speed", "speed": speed}
    return override(drive, changes)


def _largest(drive: Drive, wheel: int, load: float | str | None, speed: float | str | None) -> tuple[float, float]:
    """Return the largest speed [rad/s] and load [N m] to be used. Raises InputError if they are not valid or not
    known.
    """
    facts, problems = drive_facts(drive), []
    found: list[float] = []
    pull = (drive.chain.breaking_load or 0.0) * PULL_OF_BREAKING_LOAD

    def default_load() -> float:
        return _given_load(drive, wheel, *found[:1]) or pull * float(facts.levers[wheel])

    for name, given, unit, default in (
        ("speed", speed, "rad/s", lambda: abs(facts.nominal_speed or 0.0)),
        ("load", load, "N*m", default_load),
    ):
        try:
            value = default() if given is None else to_si(given, unit)
        except ValueError as error:
            problems.append(Problem(name, str(error), repr(given)))
            continue
        if not value > 0.0:
            problems.append(Problem(name, f"must be given, above 0 {unit}", f"{value:g}"))
        found.append(value)
    if problems:
        raise InputError(problems)
    return found[0], found[1]


def _given_load(drive: Drive, wheel: int, speed: float = 0.0) -> float:
    """Return the load on a wheel in the file, each of its loads at its largest. [N m]

    If the wheel has no load, it is the load on it that pulls the chain as much as those of all other wheels, 0 if there
    are none. speed of the driver [rad/s]: that of loads which depend on the speed. A torque against the direction of
    rotation is a load as well, and a load that only drives is not. The driver has no load.
    """
    facts = drive_facts(drive)
    found: list[float] = []
    for w, (own, sense, teeth) in enumerate(zip(drive.wheels, facts.senses, facts.teeth, strict=True)):
        if w == facts.driver:
            found.append(0.0)
            continue
        turning = speed * facts.teeth[facts.driver] / teeth
        loads = [load.facts(turning).largest for load in loads_on(own)]
        for torque in torques_of(own.torque):
            mean = torque.mean_torque(sense * turning, sense)
            loads.append(max(-sense * torque.facts(turning).largest, -sense * mean))
        found.append(sum(load for load in loads if load > 0.0) * facts.teeth[wheel] / teeth)
    return float(found[wheel] or sum(found))


def _radii(drive: Drive) -> FloatArray:
    """Return the radii of the wheels of the block, negative for wheels that turn clockwise along the route. [m]"""
    return np.asarray(drive_facts(drive).signs * drive_facts(drive).levers)


def _static(bare: Drive, free: Sequence[int], largest: float, tell: Callable[[str], None]) -> Iterator[StaticPoint]:
    """Yield the drive at rest under loads on each of its wheels without a motion in turn."""
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
    """Return the line of span k, fitted to the points at which the span is taut. Raises ComputationError if there are
    too few such points.
    """
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
    fine: bool,
    tell: Callable[[str], None],
) -> Iterator[tuple[LossPoint, Course]]:
    """Yield the runs for the fit, and then the runs with which it is checked."""
    driver = drive_facts(bare).driver
    fitted, checks = design
    for fast, loaded_by in (*fitted, *checks):
        at, under = fast * speed, loaded_by * load
        tell(f"running at {at:.4g} rad/s with {under:.4g} N m")
        run, begin = _run(bare, loaded, at, under, fine)
        balance = losses(run, begin)
        lost = sum(power for key, power in zip(balance.keys, balance.power.tolist(), strict=True) if key != OWN)
        late = run.time >= begin
        tensions = run.values("span_tension")[late].mean(axis=0)
        pulls = np.asarray(tensions + np.roll(tensions, 1), dtype=np.float64)
        chain_speed = at * float(abs(_radii(bare)[driver]))
        is_fitted = (fast, loaded_by) in fitted
        point = LossPoint(at, under, is_fitted, balance.input, lost, chain_speed, pulls, math.nan)
        yield point, course_of(run, begin)


def _run(bare: Drive, loaded: int, speed: float, load: float, fine: bool) -> tuple[Solution, float]:
    """Return a run with a load on a wheel, and the time from which it is evaluated. Raises ComputationError if the run
    fails.

    fine: whether rows are stored that resolve changes at the tooth frequency. These rows are means, because faster
    changes would cause aliasing.
    """
    facts = drive_facts(bare)
    often = SAMPLES * bare.wheels[facts.driver].teeth if fine else ROWS
    sense, turn = float(facts.senses[facts.driver]), 2.0 * math.pi / speed
    run = simulate(
        override(bare, {f"wheels.{facts.driver}.motion.speed": sense * speed, f"wheels.{loaded}.load_torque": load}),
        until=REVOLUTIONS * turn,
        save=SaveOptions(rate=often / turn, **FINE if fine else {}),
        start="at_speed",
        progress=False,
    )
    if run.status.failed:
        raise ComputationError(f"the run at {speed:.4g} rad/s with {load:.4g} N m failed: {run.status.description}")
    return run, (REVOLUTIONS - MEASURED) * turn


def _losses(points: Sequence[LossPoint]) -> Losses:
    """Return the friction [N m] and damping [N m s/rad] at the driver, and the friction in proportion to the tensions,
    that fit the losses best.
    """
    from scipy.optimize import nnls

    used = [point for point in points if point.fitted]
    speeds = np.array([point.speed for point in used])
    torques = np.array([max(point.loss, 0.0) for point in used]) / speeds
    parts = np.column_stack([np.ones(len(used)), speeds, [point.pull_power / point.speed for point in used]])
    sizes = parts.max(axis=0)
    found, _ = nnls(parts / sizes, torques)
    friction, damping, tension_friction = (float(each) for each in found / sizes)
    return Losses(friction, damping, tension_friction)


def _loss_map(points: Sequence[LossPoint]) -> Losses:
    """Return the friction of the chain as the map, bilinear between its points, that fits the losses best."""
    from scipy.optimize import nnls

    used = [point for point in points if point.fitted]
    speeds = sorted({point.chain_speed for point in used})
    pulls = np.concatenate([point.pulls for point in used])
    tensions = np.linspace(max(float(pulls.min()), 0.0), float(pulls.max()), MAP_POINTS)
    if not np.ptp(tensions) > 0.0:
        raise ComputationError("all runs have the same tensions: give a larger load")
    parts = np.array([shares(speeds, tensions, point) for point in used])
    found, _ = nnls(parts, np.array([max(point.loss, 0.0) / point.chain_speed for point in used]))
    rows = found.reshape(len(speeds), MAP_POINTS).tolist()
    return Losses(friction_map=FrictionMap(speeds=speeds, tensions=tensions.tolist(), forces=rows))


def _reduced(
    drive: Drive,
    placed: Drive,
    lines: Sequence[SpanLine],
    slack: float,
    driver: int,
    lost: Losses,
) -> Drive:
    """Return the block, with the wheels of the drive at the positions to which the preload has moved them, and with the
    identified values.
    """
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
    kept = {name: run[name] for name in ("until", "start", "coupling") if name in run}
    if "machines" in fields:
        fields["machines"] = _with_shafts_only(fields["machines"])
    options["tension_friction"] = lost.tension_friction
    if lost.friction_map is not None:
        options["friction_map"] = lost.friction_map.model_dump()
    fields["run"] = {**kept, "formulation": options}
    return Drive.from_dict(fields)


def _with_shafts_only(machines: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the machines that turn or load a wheel, without their couplings to parts that the block does not have."""
    parts = ("bodies", "tensioners")
    return [{k: v for k, v in each.items() if k not in parts} for each in machines if each.get("shafts")]


_LEFT_OUT = ("guides", "tensioners", "bodies", "preload", "closing", "payloads")
