"""Cross-checks: contradictions between parts that are valid on their own.

Every check returns all its problems at once. The checks run on all available parts: an invalid wheel is None here, and
the other wheels are still checked against each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from chaindrive.errors import Problem
from chaindrive.model.checks.axles import AXLE_CHECKS
from chaindrive.model.checks.cogs import COG_CHECKS
from chaindrive.model.checks.kinds import rocker_pins
from chaindrive.model.checks.links import LINK_CHECKS
from chaindrive.model.checks.mechanism import MECHANISM_CHECKS
from chaindrive.model.checks.open_chain import OPEN_CHECKS, is_open, span_names
from chaindrive.model.checks.parts import Parts
from chaindrive.model.checks.pitch_line import PITCH_LINE_CHECKS
from chaindrive.model.checks.tilt import TILT_CHECKS
from chaindrive.model.checks.wear import WEAR_CHECKS
from chaindrive.model.formulation import BlockOptions
from chaindrive.model.problems import nearest_of, shown
from chaindrive.model.tooth import AsaTooth, CircularTooth, IsoTooth, RectangularTooth, SemiRealTooth
from chaindrive.model.torques.governor import Governor
from chaindrive.model.torques.torque import driving_torque, torques_of
from chaindrive.model.wheel import VARYING, RunUp, SpeedTable, Wheel

__all__ = ["cross_check", "governor_problems"]

PITCH_RADIUS_TOLERANCE = 0.005
"""Relative difference between a given pitch radius and pitch / (2 sin(pi / teeth)) that counts as rounding. [-]"""
SAME_SPEED = 1e-6
"""Relative difference in chain speed that counts as rounding. [-]"""


def cross_check(parts: Parts) -> list[Problem]:
    """Return all contradictions between the parts."""
    checks = (*_CHECKS, *OPEN_CHECKS, *LINK_CHECKS, *MECHANISM_CHECKS, *WEAR_CHECKS, *AXLE_CHECKS, *PITCH_LINE_CHECKS)
    return [problem for check in checks for problem in check(parts)]


def pitch_radius(pitch: float, teeth: int) -> float:
    """Return the radius of the circle through the roller centres of a wrapped wheel, P / (2 sin(pi / z)), in m."""
    return pitch / (2 * math.sin(math.pi / teeth))


def _names(parts: Parts) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for index, wheel in parts.present_wheels():
        if wheel.name in first:
            message = f"must be unique, but wheels[{first[wheel.name]}] has the same name"
            yield Problem(f"wheels[{index}].name", message, repr(wheel.name))
        first.setdefault(wheel.name, index)


def _overlap(parts: Parts) -> Iterator[Problem]:
    """Check that two pitch circles leave room for a roller between them: a chain passes there, or teeth would meet."""
    if parts.chain is None:
        return
    pitch, roller = parts.chain.pitch, parts.chain.roller_diameter
    wheels = list(parts.present_wheels())
    for count, (i, one) in enumerate(wheels):
        for j, other in wheels[count + 1 :]:
            distance = math.dist(one.position, other.position)
            least = pitch_radius(pitch, one.teeth) + pitch_radius(pitch, other.teeth) + roller
            if distance == 0.0:
                if (one.shaft_with or one.name) != (other.shaft_with or other.name):
                    yield Problem(
                        f"wheels[{j}].position",
                        f"wheel {other.name!r} is on the axis of wheels[{i}] {one.name!r}: fix it to the same shaft "
                        f"with shaft_with = {one.name!r}, as in a differential hoist, give it a separate chain "
                        "(stages), or move it",
                        repr(list(other.position)),
                    )
            elif distance < least:
                yield Problem(
                    f"wheels[{j}].position",
                    f"wheel {other.name!r} overlaps wheels[{i}] {one.name!r}: their centres are {distance:.6g} m apart "
                    f"and need {least:.6g} m for both pitch radii and a roller; move one, or use fewer teeth",
                    repr(list(other.position)),
                )


def _pitch_radii(parts: Parts) -> Iterator[Problem]:
    if parts.chain is None:
        return
    for index, wheel in parts.present_wheels():
        if wheel.pitch_radius is None:
            continue
        radius = pitch_radius(parts.chain.pitch, wheel.teeth)
        if abs(wheel.pitch_radius - radius) > PITCH_RADIUS_TOLERANCE * radius:
            yield Problem(
                f"wheels[{index}].pitch_radius",
                f"must be within 0.5 % of pitch / (2 sin(pi / {wheel.teeth})) = {radius:.6g} m: "
                "correct it, teeth or pitch, or omit it",
                f"{wheel.pitch_radius:g}",
            )


def _motions(parts: Parts) -> Iterator[Problem]:
    present = list(parts.present_wheels())
    driven = [(index, wheel) for index, wheel in present if wheel.motion is not None]
    drives = [w for _, w in present if w.motion or w.initial_speed or driving_torque(w.torque) != 0.0]
    moved = {wheel.name for _, wheel in driven}
    known = present and len(present) == len(parts.wheels)
    if known and not (drives or parts.driven_behind or is_open(parts) or _is_targeted(parts)):
        message = (
            "nothing drives the chain: at least one wheel needs a motion, such as "
            "motion = { kind = 'constant_speed', speed = '120 rpm' }, a torque, such as torque = '12 N*m', "
            "or an initial_speed to start with"
        )
        yield Problem("wheels", message)
    for index, wheel in present:
        if wheel.motion is None and wheel.turned_inertia is None and wheel.shaft_with not in moved:
            message = "is missing: the wheel turns freely and needs its moment of inertia, or a motion"
            yield Problem(f"wheels[{index}].inertia", message)
        if wheel.motion is not None and wheel.freewheel is not None:
            message = (
                "cannot be given for a wheel with a motion: give the motion to a different wheel, or omit one of "
                "the two"
            )
            yield Problem(f"wheels[{index}].freewheel", message)
    for index, wheel in driven[1:]:
        reference, leader = driven[0]
        if not _same_motion(_chain_motion(leader), _chain_motion(wheel)):
            yield Problem(
                f"wheels[{index}].motion",
                f"contradicts the motion of wheels[{reference}] {leader.name!r}: speed x teeth must agree "
                f"({_running_text(leader)} there, {_running_text(wheel)} here, positive on the front), and so must the "
                "variation over time",
            )


def _is_targeted(parts: Parts) -> bool:
    """Return whether initial values are given from which the drive runs freely."""
    formulation = parts.run.formulation if parts.run is not None else None
    return isinstance(formulation, BlockOptions) and bool(formulation.targets)


def governor_problems(parts: Parts) -> Iterator[Problem]:
    """Refuse a governor on a wheel with a prescribed motion, where nothing is left to govern, or with initial_speed."""
    for index, wheel in parts.present_wheels():
        torques = torques_of(wheel.torque)
        for number, torque in enumerate(torques):
            if not isinstance(torque, Governor):
                continue
            place = f"wheels[{index}].torque" + (f"[{number}]" if isinstance(wheel.torque, tuple) else "")
            if wheel.motion is not None:
                message = "cannot govern a wheel that has a motion; omit one of them"
                yield Problem(place, message, torque.kind)
            elif wheel.initial_speed is not None and wheel.initial_speed * torque.speed < 0.0:
                message = f"contradicts initial_speed = {wheel.initial_speed:g} rad/s: their directions are opposite"
                yield Problem(f"{place}.speed", message, f"{torque.speed:g}")


def _initial_speeds(parts: Parts) -> Iterator[Problem]:
    present = list(parts.present_wheels())
    driven = [(index, wheel) for index, wheel in present if wheel.motion is not None]
    given = [(index, wheel, wheel.initial_speed) for index, wheel in present if wheel.initial_speed is not None]
    for index, wheel, speed in given:
        place, value = f"wheels[{index}].initial_speed", f"{speed:g}"
        if driven:
            whose = "the wheel" if wheel.motion is not None else f"wheels[{driven[0][0]}] {driven[0][1].name!r}"
            message = f"does not apply: {whose} has a motion, which sets the speed at the start; omit one of them"
            yield Problem(place, message, value)
            continue
        first, leader, reference = given[0]
        here, there = speed * _signed_teeth(wheel), reference * _signed_teeth(leader)
        if not math.isclose(here, there, rel_tol=SAME_SPEED):
            yield Problem(
                place,
                f"contradicts that of wheels[{first}] {leader.name!r}: speed x teeth must agree ({there:g} rad/s "
                f"there, {here:g} rad/s here, positive on the front); give it for one wheel only",
                value,
            )


def _signed_teeth(wheel: Wheel) -> int:
    """Return the number of teeth, negative on the back of the chain, where a wheel turns in the opposite direction."""
    return wheel.teeth if wheel.side == "front" else -wheel.teeth


def _chain_motion(wheel: Wheel) -> tuple[float, ...]:
    """Return the chain speed imposed by a motion and its course over time, without the fluctuation of the motion.

    The speed is given as teeth per second times 2 pi, positive if wheels on the front turn counter-clockwise.
    """
    motion = wheel.motion
    teeth = _signed_teeth(wheel)
    if isinstance(motion, SpeedTable):
        return (motion.ramp if motion.initial_speed else 0.0, *motion.times, *(w * teeth for w in motion.speeds))
    if isinstance(motion, RunUp):
        return (motion.initial_speed * teeth, motion.final_speed * teeth, motion.ramp, motion.start, motion.duration)
    assert motion is not None
    return (motion.speed * teeth, motion.speed * teeth, motion.ramp, 0.0, 0.0)


def _same_motion(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return len(one) == len(other) and all(
        math.isclose(a, b, rel_tol=SAME_SPEED, abs_tol=1e-12) for a, b in zip(one, other, strict=True)
    )


def _running_text(wheel: Wheel) -> str:
    motion, teeth = wheel.motion, _signed_teeth(wheel)
    if isinstance(motion, VARYING):
        first, last = motion.initial_speed * teeth, motion.final_speed * teeth
    else:
        first, last, *_ = _chain_motion(wheel)
    return f"{first:g} rad/s" if first == last else f"{first:g} to {last:g} rad/s"


def _sides(parts: Parts) -> Iterator[Problem]:
    wheels = [wheel for wheel in parts.wheels if wheel is not None]
    if is_open(parts):
        return
    if wheels and len(wheels) == len(parts.wheels) and all(wheel.side == "back" for wheel in wheels):
        message = "all are on the back of the chain: put them on the front and reverse loop instead"
        yield Problem("wheels", message)


def _teeth(parts: Parts) -> Iterator[Problem]:
    """Check that the tooth form leaves a tooth between two gaps for this roller and pitch."""
    if parts.chain is None:
        return
    pitch = parts.chain.pitch
    for index, wheel in parts.present_wheels():
        roller = wheel.roller_diameter or parts.chain.roller_diameter
        room = _tooth_room(wheel, pitch, roller)
        if room is None or room > 0:
            continue
        thin = isinstance(wheel.tooth, AsaTooth) and wheel.tooth.flank_factor * roller < pitch / 2
        size, check = ("small", "these, or use the form 'conveyor'") if thin else ("large", "these and the clearance")
        yield Problem(
            f"wheels[{index}].tooth",
            f"wheel {wheel.name!r}: form {wheel.tooth.form!r} with {wheel.teeth} teeth leaves no tooth between two "
            f"gaps: rollers of {roller:g} m are too {size} for a pitch of {pitch:g} m, by {-room:.3g} m; check {check}",
            wheel.tooth.form,
        )


def _tooth_room(wheel: Wheel, pitch: float, roller: float) -> float | None:
    """Return the thickness of the tooth that is left between two gaps, in m; zero or negative if there is no tooth.

    None for forms without a gap. ISO 606: seat radius 0.505 d1, plus 0.069 d1^(1/3) in the maximum form (d1 in mm).
    ASA/ANSI B29.1 type II: the topping arc must reach the centre line of the tooth, and its margin is returned if that
    is smaller. If rollers are too small, the arc ends before the centre line; if too large, it begins beyond it.
    """
    tooth, teeth = wheel.tooth, wheel.teeth
    if isinstance(tooth, AsaTooth):
        return min(pitch - 1.005 * roller - 7.62e-5, _asa_tip(tooth, teeth, pitch, roller))
    if isinstance(tooth, IsoTooth):
        widest = 0.069e-3 * (roller * 1e3) ** (1 / 3) if tooth.gap == "maximum" else 0.0
        return pitch - 2 * (0.505 * roller + widest)
    if isinstance(tooth, CircularTooth):
        clearance = 0.0025 * roller + 3.81e-5 if tooth.clearance is None else tooth.clearance
        return pitch - roller - 2 * clearance
    if isinstance(tooth, (RectangularTooth, SemiRealTooth)):
        return pitch - roller - 2 * tooth.clearance
    return None


def _asa_tip(tooth: AsaTooth, teeth: int, pitch: float, roller: float) -> float:
    """Return the radius of the topping arc minus the distance of its centre from the line midway between two gaps, in
    m.

    ANSI B29.1: F = Dr (0.8 cos(18 - 56/N) + f cos(17 - 64/N) - 1.3025) - 0.0015 in, centre at f Dr from the seat's;
    H = sqrt(F^2 - (f Dr - P/2)^2) must be real.
    """
    factor = tooth.flank_factor
    straight = math.cos(math.radians(18 - 56 / teeth))
    top = math.cos(math.radians(17 - 64 / teeth))
    radius = roller * (0.8 * straight + factor * top - 1.3025) - 3.81e-5
    return radius - abs(factor * roller - pitch / 2)


def _preload(parts: Parts) -> Iterator[Problem]:
    preload = parts.preload
    if preload is None:
        return
    count = len(parts.wheels)
    wheels = [f"wheels[{k}]" if wheel is None else wheel.name for k, wheel in enumerate(parts.wheels)]
    spans = span_names(wheels, None if parts.chain is None else parts.chain.ends)
    if (preload.tension is None) == (preload.sag is None):
        has = "neither is given" if preload.tension is None else "both are given"
        yield Problem("preload", f"needs exactly one of tension and sag; {has}")
    if parts.chain is not None or not isinstance(preload.span, str):  # whose ends give names to spans
        yield from _unknown_part("preload.span", preload.span, "span", spans)
    if preload.by == "wheel" and is_open(parts) and not count:
        yield Problem("preload.by", "the drive has no wheel that could be moved: use by = 'pitch'", "'wheel'")
    elif preload.by == "wheel" and preload.wheel is None:
        yield Problem("preload.wheel", "is missing: by = 'wheel' needs the index or name of the wheel that is moved")
    if preload.wheel is not None:
        yield from _unknown_part("preload.wheel", preload.wheel, "wheel", wheels)
    if preload.by == "pitch":
        for name in ("wheel", "direction"):
            if getattr(preload, name) is not None:
                value = str(getattr(preload, name))
                yield Problem(
                    f"preload.{name}", "does not apply with by = 'pitch': omit it, or set by = 'wheel'", value
                )
    load = parts.chain.breaking_load if parts.chain else None
    if preload.tension is not None and load is not None and preload.tension >= load:
        message = f"must be below the breaking load {load:g} N of the chain"
        yield Problem("preload.tension", message, f"{preload.tension:g}")


def _unknown_part(place: str, part: int | str, kind: str, names: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem if the drive does not have the wheel or span given by its number or its name."""
    if isinstance(part, str):
        if part not in names:
            yield Problem(place, f"there is no {kind} with this name{nearest_of(part, names)}", shown(part))
    elif names and part >= len(names):
        message = f"must be from 0 to {len(names) - 1}, or a name: the drive has {len(names)} {kind}s"
        yield Problem(place, message, str(part))


def _formulation(parts: Parts) -> Iterator[Problem]:
    if parts.run is not None:
        yield from parts.run.formulation.misfits(parts)


def _joint_friction(parts: Parts) -> Iterator[Problem]:
    chain = parts.chain
    if chain is not None and chain.joint_friction > 0 and chain.pin_diameter is None:
        message = "is needed for joint_friction, whose moment is the coefficient times pin radius times link tension"
        yield Problem("chain.pin_diameter", message)


_CHECKS: tuple[Callable[[Parts], Iterator[Problem]], ...] = (
    rocker_pins,
    _joint_friction,
    _names,
    _overlap,
    _pitch_radii,
    _motions,
    _initial_speeds,
    governor_problems,
    _sides,
    _teeth,
    _preload,
    _formulation,
    *TILT_CHECKS,
    *COG_CHECKS,
)
