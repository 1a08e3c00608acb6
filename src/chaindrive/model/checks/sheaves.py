"""Checks of a variator: requirements of a rocker-pin chain between conical sheaves, and keys that do not apply."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chaindrive.errors import Problem
from chaindrive.geometry.variator import groove_width, radii_of_ratio, second_radius
from chaindrive.model.chain import Chain
from chaindrive.model.checks.drive import governor_problems
from chaindrive.model.checks.parts import Parts
from chaindrive.model.plates import RockerPlates
from chaindrive.model.problems import shown
from chaindrive.model.sheave import Sheave
from chaindrive.model.torques.torque import driving_torque

__all__ = ["NO_PLACE", "running_radii", "sheave_problems"]

NO_PLACE = (
    "wheels", "bodies", "guides", "tensioners", "payloads", "stages", "rotors", "bicycle", "preload", "closing",
    "contact",
)  # fmt: skip
"""Parts of a drive that a variator does not have."""
OF_ROLLER_CHAINS = (
    "standard", "ends", "roller_diameter", "pin_diameter", "inner_width", "joint_damping", "joint_friction", "strands",
    "inner_link", "outer_link", "joint_clearance", "attachments", "sideways",
)  # fmt: skip
"""Chain keys that do not apply to a rocker-pin chain."""

UNCLEAR = ("running_radius", "elongation", "pitches")
"""Keys without which the path of the chain is unknown."""


def sheave_problems(fields: Mapping[str, Any], chain: Chain | None, sheaves: Sequence[Sheave | None]) -> list[Problem]:
    """Return all problems of a drive with sheaves; chain and sheaves: the parts that are valid on their own."""
    found = [*_out_of_place(fields), *_of_the_chain(fields, chain)]
    if len(sheaves) != 2:
        found.append(
            Problem("sheaves", "must be two pairs: a variator has a driving and a driven pair", str(len(sheaves)))
        )
        return found
    for index, sheave in enumerate(sheaves):
        if sheave is not None:
            found += _of_one(index, sheave)
    first, second = sheaves
    if first is None or second is None:
        return found
    found += _of_both(first, second)
    governed = governor_problems(Parts(None, (first, second), None, None, None))  # type: ignore[arg-type]
    found += (problem._replace(place=f"sheaves{problem.place.removeprefix('wheels')}") for problem in governed)
    if chain is not None and chain.pins is not None and not any(p.place.endswith(UNCLEAR) for p in found):
        found += _of_the_groove(chain, (first, second))
    return found


def _out_of_place(fields: Mapping[str, Any]) -> Iterator[Problem]:
    message = "has no meaning for a rocker-pin chain between sheaves: omit it"
    for name in NO_PLACE:
        if fields.get(name):
            yield Problem(name, message)
    if fields.get("loop", "counterclockwise") != "counterclockwise":
        turning = "must be 'counterclockwise' with sheaves, which turn clockwise with a negative speed or torque"
        yield Problem("loop", turning, shown(fields["loop"]))
    run = fields.get("run")
    slow = run.get("quasi_static") if isinstance(run, Mapping) else getattr(run, "quasi_static", None)
    if slow is not None:
        yield Problem("run.quasi_static", message, shown(slow))


def _of_the_chain(fields: Mapping[str, Any], chain: Chain | None) -> Iterator[Problem]:
    given = fields.get("chain")
    if isinstance(given, Chain):
        given = {name: getattr(given, name) for name in given.model_fields_set}
    if not isinstance(given, Mapping):
        return
    if given.get("kind", "") != "rocker-pin":
        message = "must be 'rocker-pin' in a drive with sheaves; all other chains run on wheels"
        yield Problem("chain.kind", message, shown(given.get("kind", "roller")))
        return
    for name in OF_ROLLER_CHAINS:
        if given.get(name) is not None:
            yield Problem(f"chain.{name}", "has no meaning for a rocker-pin chain: omit it", shown(given[name]))
    if given.get("pitch") is not None and given.get("pitches") is not None:
        message = "contradicts pitches, of which it is the mean: omit one of the two"
        yield Problem("chain.pitch", message, shown(given["pitch"]))
    if chain is not None:
        yield from _of_each_link(chain)
    if given.get("links") == "auto":
        yield Problem("chain.links", "must be a number: the chain sets the radii of the sheaves", "'auto'")
    if chain is not None and chain.pins is None:
        message = "is missing: a rocker-pin chain needs its pins, such as pins = { length = '24 mm', half_angle = "
        yield Problem("chain.pins", message + "'11 deg', friction = 0.09, stiffness = '100 MN/m' }")
    if chain is not None and chain.plates is not None:
        yield from _of_the_plates(chain, chain.plates)


def _of_the_plates(chain: Chain, plates: RockerPlates) -> Iterator[Problem]:
    if chain.links % plates.period:
        message = f"must be a multiple of {plates.period}, the period of chain.plates.rows {plates.rows!r}"
        yield Problem("chain.links", message, str(chain.links))
    width = (len(plates.rows) - 1) * plates.row_pitch
    if chain.pins is not None and width > chain.pins.length:
        message = f"is too large: {len(plates.rows)} rows are {width:.4g} m wide, and pins {chain.pins.length:g} m long"
        yield Problem("chain.plates.row_pitch", message, f"{plates.row_pitch:g}")


def _of_each_link(chain: Chain) -> Iterator[Problem]:
    """Check that lists with a value for each link have as many values as links, and that the inertia of a link is
    possible.
    """
    if chain.pitches is not None and len(chain.pitches) > chain.links:
        message = f"must have at most one value for each link: {chain.links}, not {len(chain.pitches)}"
        yield Problem("chain.pitches", message, f"{len(chain.pitches)} values")
    if isinstance(chain.elongation, tuple) and len(chain.elongation) != chain.links:
        message = f"must be one value, or a list with one for each link: {chain.links}, not {len(chain.elongation)}"
        yield Problem("chain.elongation", message, f"{len(chain.elongation)} values")
    least = chain.link_mass * chain.pitch**2 / 12.0
    if chain.link_inertia is not None and chain.link_inertia < least:
        message = f"is less than that of a thin rod from pin to pin, {least:.3g} kg m^2: plates reach beyond the pins"
        yield Problem("chain.link_inertia", message, f"{chain.link_inertia:g}")


def _of_one(index: int, sheave: Sheave) -> Iterator[Problem]:
    place = f"sheaves[{index}]"
    if sheave.outer_radius <= sheave.inner_radius:
        message = f"must be larger than the inner_radius {sheave.inner_radius:g} m"
        yield Problem(f"{place}.outer_radius", message, f"{sheave.outer_radius:g}")
    if sheave.clamping_force is not None and sheave.shift is not None:
        message = "contradicts clamping_force, which moves the sheave: omit one of them"
        yield Problem(f"{place}.shift", message)
    if sheave.deformation is not None and sheave.tilt_stiffness is not None:
        message = "contradicts tilt_stiffness, from which the tilt follows: omit one of them"
        yield Problem(f"{place}.deformation", message)
    control = sheave.ratio_control
    if control is not None and sheave.clamping_force is None:
        message = "changes the clamping_force, which is missing: give the initial clamping_force"
        yield Problem(f"{place}.ratio_control", message)
    elif control is not None and not control.least_force <= sheave.clamping_force <= control.largest_force:  # type: ignore[operator]
        message = (
            f"must be between least_force = {control.least_force:g} N and largest_force = {control.largest_force:g} N"
        )
        yield Problem(f"{place}.clamping_force", message, f"{sheave.clamping_force:g}")
    if sheave.motion is None and sheave.inertia is None and sheave.vehicle is None:
        message = "is missing: the pair turns freely and needs its moment of inertia, or a motion"
        yield Problem(f"{place}.inertia", message)


def _of_both(first: Sheave, second: Sheave) -> Iterator[Problem]:
    if first.name == second.name:
        yield Problem("sheaves[1].name", "must be unique, but sheaves[0] has the same name", repr(second.name))
    given = [sheave.running_radius for sheave in (first, second)]
    if given.count(None) != 1:
        fault = "is given for both pairs" if None not in given else "is missing"
        message = f"{fault}: give it for one pair only; that of the other pair follows from the length of the chain"
        yield Problem("sheaves[0].running_radius", message)
    if first.clamping_force is None and second.clamping_force is None:
        message = "is missing: at least one of the two pairs needs a force that presses its sheaves together"
        yield Problem("sheaves[1].clamping_force", message)
    if first.ratio_control is not None and second.ratio_control is not None:
        message = "contradicts the ratio_control of sheaves[0]: a ratio can have only one controller"
        yield Problem("sheaves[1].ratio_control", message)
    for index, (sheave, other) in enumerate(((first, second), (second, first))):
        if sheave.ratio_control is not None and other.clamping_force is None:
            message = (
                f"cannot change the ratio, which is fixed by sheaves[{1 - index}], as these have no clamping_force"
            )
            yield Problem(f"sheaves[{index}].ratio_control", message)
    distance, needed = math.dist(first.position, second.position), first.outer_radius + second.outer_radius
    if distance <= needed:
        message = (
            f"the sheaves would touch: their centres are {distance:.6g} m apart, and their outer radii add "
            f"up to {needed:.6g} m"
        )
        yield Problem("sheaves[1].position", message, repr(list(second.position)))
    drives = [s.motion or s.initial_speed or driving_torque(s.torque) != 0.0 for s in (first, second)]
    if not any(drives):
        message = (
            "nothing drives the chain: one pair needs a motion, such as motion = { kind = 'constant_speed', speed = "
            "'2000 rpm' }, a torque, such as that of a motor, or an initial_speed to start with"
        )
        yield Problem("sheaves", message)
    motions = [sheave.motion for sheave in (first, second)]
    if None not in motions:
        message = "contradicts the motion of sheaves[0]: only one pair may have a prescribed motion"
        yield Problem("sheaves[1].motion", message)
    for index, sheave in enumerate((first, second)):
        if sheave.initial_speed is not None and (motions != [None, None] or (index and first.initial_speed)):
            message = "does not apply: the speed at the start is already given; omit it"
            yield Problem(f"sheaves[{index}].initial_speed", message, f"{sheave.initial_speed:g}")


def running_radii(chain: Chain, sheaves: Sequence[Sheave]) -> tuple[float, float]:
    """Return the radii at which the chain is placed. [m] Raises ValueError if the chain does not close."""
    first, second = sheaves
    distance = math.dist(first.position, second.position)
    pitch = chain.lengths
    if first.running_radius is not None:
        return first.running_radius, second_radius(first.running_radius, distance, pitch, chain.links)
    assert second.running_radius is not None
    return second_radius(second.running_radius, distance, pitch, chain.links), second.running_radius


def _of_the_groove(chain: Chain, sheaves: tuple[Sheave, Sheave]) -> Iterator[Problem]:
    given = 0 if sheaves[0].running_radius is not None else 1
    place = f"sheaves[{given}].running_radius"
    value = f"{sheaves[given].running_radius:g}"
    try:
        radii = running_radii(chain, sheaves)
    except ValueError as error:
        message = f"the chain of {chain.links} links does not close: {error}; change the radius, links or pitch"
        yield Problem(place, message, value)
        return
    yield from _within(sheaves, radii, place, value)
    for index, sheave in enumerate(sheaves):
        yield from _pin_in(chain, index, sheave, radii[index])
        yield from _heavy_enough(chain, index, sheave, radii[index])
    yield from _shifts(chain, sheaves, radii)
    yield from _targets(chain, sheaves)


def _within(sheaves: Sequence[Sheave], radii: Sequence[float], place: str, value: str) -> Iterator[Problem]:
    for index, (sheave, radius) in enumerate(zip(sheaves, radii, strict=True)):
        if not sheave.inner_radius <= radius <= sheave.outer_radius:
            message = (
                f"is a ratio out of reach: on sheaves[{index}] {sheave.name!r} the pins would run at {radius:.5g} m, "
                f"but its groove reaches from {sheave.inner_radius:g} to {sheave.outer_radius:g} m"
            )
            yield Problem(place, message, value)


def _pin_in(chain: Chain, index: int, sheave: Sheave, radius: float) -> Iterator[Problem]:
    assert chain.pins is not None
    inside = groove_width(sheave.inner_radius, radius, chain.pins.half_angle, chain.pins.length)
    if inside <= 0.0:
        message = (
            f"is too short: with the pins at {radius:.5g} m both sheaves of sheaves[{index}] {sheave.name!r} would "
            f"touch at their inner radius; the pins are too short by {-inside:.3g} m"
        )
        yield Problem("chain.pins.length", message, f"{chain.pins.length:g}")
    if sheave.opening is not None and inside > sheave.opening:
        message = (
            f"the pins are too long for the groove: with the pins at {radius:.5g} m, it must be {inside:.5g} m wide "
            "at its inner radius"
        )
        yield Problem(f"sheaves[{index}].opening", message, f"{sheave.opening:g}")


def _heavy_enough(chain: Chain, index: int, sheave: Sheave, radius: float) -> Iterator[Problem]:
    """Check that a pair that turns freely has more inertia than a chain wrapped around half of it, because friction is
    solved for each pin separately within a step (docs/decisions/0014-pointwise-friction.md).
    """
    if sheave.motion is not None or (sheave.inertia is None and sheave.vehicle is None):
        return
    inertia = (sheave.inertia or 0.0) + (0.0 if sheave.vehicle is None else sheave.vehicle.inertia)
    least = math.pi * radius / chain.mean_pitch * chain.link_mass * radius**2
    if inertia <= least:
        message = f"is less than that of the chain on the sheaves, {least:.3g} kg m^2; real sheaves are heavier"
        yield Problem(f"sheaves[{index}].inertia", message, f"{inertia:g}")


def _targets(chain: Chain, sheaves: Sequence[Sheave]) -> Iterator[Problem]:
    """Yield set ratios that are out of reach. The driving pair is the pair with a motion, an initial speed or a
    torque.
    """
    distance, driving = math.dist(sheaves[0].position, sheaves[1].position), driving_pair(sheaves)
    for index, sheave in enumerate(sheaves):
        if sheave.ratio_control is None:
            continue
        for ratio in sheave.ratio_control.targets:
            place = f"sheaves[{index}].ratio_control.ratio"
            try:
                radii = radii_of_ratio(ratio if driving == 0 else 1.0 / ratio, distance, chain.mean_pitch, chain.links)
            except ValueError as error:
                yield Problem(place, f"is out of reach: {error}", f"{ratio:g}")
                continue
            yield from _within(sheaves, radii, place, f"{ratio:g}")


def driving_pair(sheaves: Sequence[Sheave]) -> int:
    """Return the index of the pair that drives: the first with a motion, or else with an initial speed, or else with a
    torque; 0 if there is none.
    """
    for given in (
        [sheave.motion is not None for sheave in sheaves],
        [sheave.initial_speed is not None for sheave in sheaves],
        [driving_torque(sheave.torque) != 0.0 for sheave in sheaves],
    ):
        if any(given):
            return given.index(True)
    return 0


def _shifts(chain: Chain, sheaves: Sequence[Sheave], radii: Sequence[float]) -> Iterator[Problem]:
    distance = math.dist(sheaves[0].position, sheaves[1].position)
    for index, sheave in enumerate(sheaves):
        if sheave.shift is None:
            continue
        place, value = f"sheaves[{index}].shift.running_radius", f"{sheave.shift.running_radius:g}"
        try:
            other = second_radius(sheave.shift.running_radius, distance, chain.lengths, chain.links)
        except ValueError as error:
            yield Problem(place, f"the chain does not close: {error}", value)
            continue
        after = (sheave.shift.running_radius, other) if index == 0 else (other, sheave.shift.running_radius)
        yield from _within(sheaves, after, place, value)
