"""The stages of a drive as drives of their own, each turned at the speed at which the chain before it turns it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chaindrive.mechanism.balance import Shaft, balance_speed, net_torque
from chaindrive.mechanism.running import driver, driver_speed, highest_speed, prescribed, running_senses, shafts
from chaindrive.model import ConstantSpeed, Drive, Stage, Wheel

__all__ = ["chains_alone", "first_stage", "stage_drives", "wheel_named"]

STANDING = 1e-3
"""Speed by which a stage behind a drive that stands still knows which way it would turn. [rad/s]"""


def first_stage(drive: Drive) -> Drive:
    """The drive without what is behind its own chain."""
    return drive.model_copy(update={"stages": ()}) if drive.stages else drive


def stage_drives(drive: Drive) -> tuple[Drive, ...]:
    """Every stage as a drive of its own: the wheel that its shaft turns starts with the speed that it will have.

    That is the highest speed of the driver over the ratios on the way, with its sign. The shafts pull at none of them.
    """
    first = first_stage(drive)
    senses = _turned(drive, STANDING)
    known = prescribed(first) or first.wheels[driver(first)].initial_speed is not None
    speed = abs(driver_speed(first)) if known else _balance(drive, senses)
    return _turned(drive, max(speed, STANDING))


def chains_alone(drive: Drive) -> tuple[Drive, ...]:
    """The chain of the drive, then those of its stages, each as a drive of its own on which the others still pull.

    A wheel that turns a stage is loaded with the mean torque that this takes at its speed, and the one that its shaft
    turns has that speed as its motion.
    """
    if not drive.stages:
        return (drive,)
    chains: dict[str | None, Drive] = {None: first_stage(drive)}
    chains |= {stage.name: each for stage, each in zip(drive.stages, stage_drives(drive), strict=True)}
    for stage in reversed(drive.stages):
        own, shaft = chains[stage.name], stage.shaft
        speed = driver_speed(own)
        taken = -net_torque(shafts(own), abs(speed))
        chains[stage.name] = _driven(own, shaft.to_wheel, speed)
        there = chains[shaft.from_stage]
        loaded = there.wheels[wheel_named(there, shaft.from_wheel)]
        with_it = {"load_torque": loaded.load_torque + abs(shaft.ratio) * taken}
        note = f"wheel {loaded.name!r}: its load_torque has the mean torque of stage {stage.name!r} in it"
        wheels = _replaced(there.wheels, loaded.name, with_it)
        chains[shaft.from_stage] = there.model_copy(update={"wheels": wheels, "notes": (*there.notes, note)})
    return tuple(chains.values())


def wheel_named(drive: Drive, name: str) -> int:
    """Index of a wheel. The checks of the model know that there is one."""
    return next(index for index, wheel in enumerate(drive.wheels) if wheel.name == name)


def _turned(drive: Drive, speed: float) -> tuple[Drive, ...]:
    """Every stage as a drive of its own, behind a driver that turns at a speed, above 0 [rad/s]."""
    chains: dict[str | None, Drive] = {None: first_stage(drive)}
    paces: dict[str | None, float] = {None: speed}
    for stage in drive.stages:
        shaft, there = stage.shaft, chains[stage.shaft.from_stage]
        turning = wheel_named(there, shaft.from_wheel)
        pace = paces[shaft.from_stage] * there.wheels[driver(there)].teeth / there.wheels[turning].teeth
        own = shaft.ratio * float(running_senses(there)[turning]) * pace
        chains[stage.name], paces[stage.name] = _alone(drive, stage, own), abs(own)
    return tuple(chains[stage.name] for stage in drive.stages)


def _alone(drive: Drive, stage: Stage, speed: float) -> Drive:
    """One stage as a drive, the wheel that its shaft turns with this initial speed. [rad/s]"""
    return drive.model_copy(
        update={
            "name": f"{drive.name}: {stage.name}",
            "notes": (),
            "loop": stage.loop,
            "chain": stage.chain,
            "contact": stage.contact or drive.contact,
            "preload": None,
            "closing": None,
            "bicycle": None,
            "wheels": _replaced(stage.wheels, stage.shaft.to_wheel, {"initial_speed": speed}),
            "bodies": stage.bodies,
            "guides": stage.guides,
            "tensioners": stage.tensioners,
            "payloads": stage.payloads,
            "stages": (),
        }
    )


def _driven(drive: Drive, name: str, speed: float) -> Drive:
    """The drive with a constant speed of a wheel [rad/s] in place of its initial one."""
    motion = {"initial_speed": None, "motion": ConstantSpeed(speed=speed)}
    return drive.model_copy(update={"wheels": _replaced(drive.wheels, name, motion)})


def _replaced(wheels: tuple[Wheel, ...], name: str, values: Mapping[str, Any]) -> tuple[Wheel, ...]:
    return tuple(wheel.model_copy(update=values) if wheel.name == name else wheel for wheel in wheels)


def _balance(drive: Drive, stages: tuple[Drive, ...]) -> float:
    """Speed of a driver at which its torque and all loads balance, those behind the shafts of stages, too. [rad/s]

    Where there is none, the highest that its chain alone can reach.
    """
    first = first_stage(drive)
    found = balance_speed([*shafts(first), *_shafts_behind(drive, stages)])
    return highest_speed(first) if found is None else found


def _shafts_behind(drive: Drive, stages: tuple[Drive, ...]) -> Iterator[Shaft]:
    """The wheels of all stages, with their speeds over that of the driver of the first chain."""
    first = first_stage(drive)
    chains: dict[str | None, Drive] = {None: first}
    ratios: dict[str | None, float] = {None: 1.0}
    for stage, own in zip(drive.stages, stages, strict=True):
        there = chains[stage.shaft.from_stage]
        turning = there.wheels[wheel_named(there, stage.shaft.from_wheel)]
        ratio = ratios[stage.shaft.from_stage] * there.wheels[driver(there)].teeth / turning.teeth
        chains[stage.name], ratios[stage.name] = own, ratio * abs(stage.shaft.ratio)
        for shaft in shafts(own):
            yield shaft._replace(ratio=shaft.ratio * ratios[stage.name])
