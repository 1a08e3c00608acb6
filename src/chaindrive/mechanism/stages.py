"""The stages and rotors of a drive, each turning at the speed that follows from the chain before it.

A wheel of a chain turns w / w0 = s z0 / (s0 z) times as fast as a reference wheel of the same chain, with teeth z and
direction signs s (``facts.turning_signs``); the part driven by a shaft turns r times as fast as the wheel that drives
the shaft. Every part driven through shafts therefore has a fixed ratio to each wheel of the first chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.mechanism.balance import (
    Shaft,
    balance_speed,
    governors_share,
    is_motor,
    net_torque,
    pace_from_rest,
    reached_speed,
    shaft_of,
)
from chaindrive.mechanism.facts import drive_facts, turning_signs
from chaindrive.model import ConstantSpeed, Drive, Rotor, RotorShaft, Stage, Wheel, driving_torque
from chaindrive.model.stage import wheels_with

__all__ = [
    "RotorTurning",
    "Turned",
    "balance_with_shafts",
    "chains_alone",
    "first_stage",
    "number_of_spans",
    "rotor_turnings",
    "stage_drives",
    "turned_parts",
    "wheel_named",
]

STANDING = 1e-3
"""Speed assumed for a drive at standstill to determine the directions of rotation of its stages. [rad/s]"""


class RotorTurning(NamedTuple):
    """Rotation of a rotor in its drive."""

    speed: float
    """Highest speed, counter-clockwise positive [rad/s]; its sign gives the direction of rotation."""
    motor: bool
    """Whether the power of the torque on the rotor counts as input (``DriveFacts.motors``)."""
    governed: float
    """Torque that a governor on the rotor must supply at this speed, counter-clockwise. [N m]"""


class Turned(NamedTuple):
    """A wheel or rotor that is connected to a wheel of the first chain by shafts."""

    wheel: int
    """Wheel of the first chain through which the part acts on that chain."""
    part: Wheel | Rotor
    ratio: float
    """Speed divided by the speed of this wheel, negative if the part turns in the opposite direction. [-]"""


def first_stage(drive: Drive) -> Drive:
    """Return the drive without stages and rotors.

    If a rotor or a wheel of a stage drives, the wheel of the first chain through which it acts becomes the driver: its
    initial speed is set to the speed at which torques and loads balance.
    """
    if not (drive.stages or drive.rotors):
        return drive
    return drive_facts(drive).once("first stage", lambda: _first_stage(drive))  # a balance of torques, asked for often


def _first_stage(drive: Drive) -> Drive:
    alone = drive.model_copy(update={"stages": (), "rotors": (), "machines": ()})
    found = None if drive_facts(alone).given_speed is not None else _driving_rotor(drive, alone)
    if found is None:
        return alone
    wheel, sense = found
    name = alone.wheels[wheel].name
    for speed in (STANDING, None):
        reached = max(_balance(drive, alone), STANDING) if speed is None else speed
        alone = alone.model_copy(update={"wheels": wheels_with(alone.wheels, name, {"initial_speed": sense * reached})})
    return alone


def stage_drives(drive: Drive) -> tuple[Drive, ...]:
    """Return every stage as a separate drive, in which the wheel turned by its shaft starts with the speed that it will
    have.

    This is the highest speed of the driver, with its sign, divided by the intermediate ratios. The shafts exert no
    torque.
    """
    first = first_stage(drive)
    known = drive_facts(first).given_speed
    return _turned(drive, first, max(_balance(drive, first) if known is None else known, STANDING))


def rotor_turnings(drive: Drive) -> tuple[RotorTurning, ...]:
    """Return the rotation of every rotor at the highest speed of the driver."""
    if not drive.rotors:
        return ()
    first = first_stage(drive)
    known = drive_facts(first).given_speed
    speed = max(_balance(drive, first) if known is None else known, STANDING)
    ratios, sense = _ratios(drive, first), _driver_sense(first)
    share = governors_share([*drive_facts(first).shafts, *_shafts_of_stages_and_rotors(drive, first)], speed)
    found = []
    for rotor in drive.rotors:
        own = sense * speed * ratios[rotor.name]
        drives = is_motor(rotor, own) and not drive_facts(first).prescribed
        found.append(RotorTurning(own, drives, share / (sense * ratios[rotor.name])))
    return tuple(found)


def chains_alone(drive: Drive) -> tuple[Drive, ...]:
    """Return the first chain of the drive and the chains of its stages, each as a separate drive loaded by the others.

    A wheel that drives a stage or rotor is loaded with the mean torque that the stage or rotor requires, and a wheel
    that a motor behind a shaft drives has the mean torque of the motor. The wheel driven by the shaft of a stage has
    the resulting speed as its prescribed motion.
    """
    if not (drive.stages or drive.rotors):
        return (drive,)
    chains: dict[str | None, Drive] = {None: first_stage(drive)}
    chains |= {stage.name: each for stage, each in zip(drive.stages, stage_drives(drive), strict=True)}
    for rotor, turning in zip(drive.rotors, rotor_turnings(drive), strict=True):
        sense = 1.0 if turning.speed > 0.0 else -1.0
        taken = -net_torque([shaft_of(rotor, sense, 1.0)], abs(turning.speed))
        _load(chains, rotor.shaft, taken, turning.motor, f"rotor {rotor.name!r}")
    for stage in reversed(drive.stages):
        own = chains[stage.name]
        speed = drive_facts(own).driver_speed
        taken, motor = -net_torque(drive_facts(own).shafts, abs(speed)), any(drive_facts(own).motors)
        motion = {"initial_speed": None, "motion": ConstantSpeed(speed=speed)}
        chains[stage.name] = own.model_copy(update={"wheels": wheels_with(own.wheels, stage.shaft.to_wheel, motion)})
        _load(chains, stage.shaft, taken, motor, f"stage {stage.name!r}")
    return tuple(chains.values())


def _load(chains: dict[str | None, Drive], shaft: RotorShaft, taken: float, motor: bool, what: str) -> None:
    """Load the wheel that turns a shaft, in place, with the torque that the shaft requires [N m].

    motor: whether a motor is behind the shaft; if it drives the wheel, its torque is added to the key ``torque``, like
    that of a motor on the wheel, instead of ``load_torque``.
    """
    there = chains[shaft.from_stage]
    index = wheel_named(there, shaft.from_wheel)
    loaded, torque = there.wheels[index], abs(shaft.ratio) * taken
    changed: dict[str, object] = {"load_torque": loaded.load_torque + torque}
    if motor and torque < 0.0 and loaded.motion is None:
        driving = -float(drive_facts(there).senses[index]) * torque
        own = loaded.torque if isinstance(loaded.torque, tuple) else (loaded.torque,)
        changed = {"torque": (*own, driving) if loaded.torque else driving}
    wheels = wheels_with(there.wheels, loaded.name, changed)
    note = f"wheel {loaded.name!r}: its {', '.join(changed)} includes the mean torque of {what}"
    chains[shaft.from_stage] = there.model_copy(update={"wheels": wheels, "notes": (*there.notes, note)})


def number_of_spans(drive: Drive) -> int:
    """Return the number of spans of all chains."""
    behind = stage_drives(drive) if drive.stages else ()
    return sum(len(chain.span_names) for chain in (drive, *behind))


def wheel_named(chain: Drive | Stage, name: str) -> int:
    """Return the index of the wheel with this name. The checks of the model ensure that it exists."""
    return next(index for index, wheel in enumerate(chain.wheels) if wheel.name == name)


def _ratios(drive: Drive, first: Drive, wheel: int | None = None) -> dict[str, float]:
    """Return, by the names of stages and rotors, the speed of the part driven by each shaft relative to that of a wheel
    of the first chain.

    wheel: number of this wheel, by default the driver.
    """
    facts = drive_facts(first)
    references: dict[str | None, tuple[Drive | Stage, NDArray[np.int64], int, float]] = {
        None: (first, facts.signs, facts.driver if wheel is None else wheel, 1.0)
    }
    found: dict[str, float] = {}
    parts: Sequence[Stage | Rotor] = (*drive.stages, *drive.rotors)
    for part in parts:
        chain, signs, reference, ratio = references[part.shaft.from_stage]
        turning = wheel_named(chain, part.shaft.from_wheel)
        ratio *= float(signs[turning] * signs[reference])
        ratio *= chain.wheels[reference].teeth / chain.wheels[turning].teeth * part.shaft.ratio
        found[part.name] = ratio
        if isinstance(part, Stage):
            references[part.name] = part, turning_signs(part), wheel_named(part, part.shaft.to_wheel), ratio
    return found


def _driver_sense(first: Drive) -> float:
    """Return the direction of rotation of the driver of the first chain, +1 counter-clockwise, -1 clockwise."""
    facts = drive_facts(first)
    return float(facts.senses[facts.driver])


def _turned(drive: Drive, first: Drive, speed: float) -> tuple[Drive, ...]:
    """Return every stage as a separate drive, for a speed of the driver above 0 [rad/s]."""
    ratios, sense = _ratios(drive, first), _driver_sense(first)
    return tuple(_alone(drive, stage, sense * ratios[stage.name] * speed) for stage in drive.stages)


def _alone(drive: Drive, stage: Stage, speed: float) -> Drive:
    """Return one stage as a drive, in which the wheel driven by its shaft has this initial speed. [rad/s]"""
    return drive.model_copy(
        update={
            "name": f"{drive.name}: {stage.name}",
            "notes": (),
            "loop": stage.loop,
            "chain": stage.chain,
            "contact": stage.contact or drive.contact,
            "preload": None,
            "closing": stage.closing,
            "bicycle": None,
            "wheels": wheels_with(stage.wheels, stage.shaft.to_wheel, {"initial_speed": speed}),
            "bodies": stage.bodies,
            "guides": stage.guides,
            "tensioners": stage.tensioners,
            "payloads": stage.payloads,
            "limits": stage.limits,
            "stages": (),
            "rotors": (),
            "machines": (),
        }
    )


def _driving_rotor(drive: Drive, first: Drive) -> tuple[int, int] | None:
    """Return the wheel of the first chain through which a rotor drives, and its direction (+1 counter-clockwise).

    None if a wheel of that chain has a larger driving torque at its teeth. A torque on a wheel of a stage counts only
    if there is no other.
    """
    own = max((abs(driving_torque(wheel.torque)) / wheel.teeth for wheel in first.wheels), default=0.0)
    best, found = own, None
    for wheel, part, ratio in turned_parts(drive):
        if isinstance(part, Wheel) and own > 0.0:
            continue
        torque = ratio * driving_torque(part.torque)
        pull = abs(torque) / first.wheels[wheel].teeth
        if pull > best:
            best, found = pull, (wheel, 1 if torque > 0.0 else -1)
    return found


def turned_parts(drive: Drive) -> Iterator[Turned]:
    """Yield all rotors, then the wheels of all stages."""
    chains = {stage.name: stage for stage in drive.stages}
    parts: Sequence[Rotor | Stage] = (*drive.rotors, *drive.stages)
    for part in parts:
        root = part
        while root.shaft.from_stage is not None:
            root = chains[root.shaft.from_stage]
        wheel = wheel_named(drive, root.shaft.from_wheel)
        ratio = _ratios(drive, drive, wheel)[part.name]
        if isinstance(part, Rotor):
            yield Turned(wheel, part, ratio)
            continue
        reference, signs = wheel_named(part, part.shaft.to_wheel), turning_signs(part)
        for index, other in enumerate(part.wheels):
            over = 1.0 if other.shaft_with == part.shaft.to_wheel else part.wheels[reference].teeth / other.teeth
            yield Turned(wheel, other, ratio * float(signs[index] * signs[reference]) * over)


def balance_with_shafts(drive: Drive) -> float | None:
    """Return the largest speed (magnitude) of the driver of the first chain at which all torques and loads balance,
    including those behind shafts; None if there is no such speed. [rad/s]
    """
    return _balance_speed(drive, first_stage(drive))


def _balance_speed(drive: Drive, first: Drive) -> float | None:
    return balance_speed([*drive_facts(first).shafts, *_shafts_of_stages_and_rotors(drive, first)])


def _balance(drive: Drive, first: Drive) -> float:
    """Return the speed of a driver at which its torque and all loads, including those behind shafts, balance. [rad/s]

    If there is no such speed, return the highest speed that can be reached.
    """
    found = _balance_speed(drive, first)
    if found is not None:
        return found
    parts = [(wheel, shaft.ratio) for wheel, shaft in zip(first.wheels, drive_facts(first).shafts, strict=True)]
    ratios = _ratios(drive, first)
    for stage in drive.stages:
        own = _turned(drive, first, STANDING)[drive.stages.index(stage)]
        parts += [
            (wheel, abs(ratios[stage.name]) * shaft.ratio)
            for wheel, shaft in zip(own.wheels, drive_facts(own).shafts, strict=True)
        ]
    return reached_speed(drive, pace_from_rest([*parts, *((r, abs(ratios[r.name])) for r in drive.rotors)]), None)


def _shafts_of_stages_and_rotors(drive: Drive, first: Drive) -> Iterator[Shaft]:
    """Yield the wheels of all stages and the rotors, with their speeds relative to that of the driver of the first
    chain.
    """
    ratios, sense = _ratios(drive, first), _driver_sense(first)
    for stage, own in zip(drive.stages, _turned(drive, first, STANDING), strict=True):
        for shaft in drive_facts(own).shafts:
            yield shaft._replace(ratio=shaft.ratio * abs(ratios[stage.name]))
    for rotor in drive.rotors:
        ratio = ratios[rotor.name]
        yield shaft_of(rotor, sense if ratio > 0.0 else -sense, abs(ratio))
