"""The stages of a drive as drives of their own, each turned at the speed at which the chain before it turns it."""

from __future__ import annotations

from chaindrive.geometry.route import pitch_radius
from chaindrive.mechanism.running import driver, highest_speed, running_senses
from chaindrive.model import Drive, Stage

__all__ = ["before", "first_stage", "shaft_stiffness", "stage_drive", "stage_drives", "wheel_named"]

RIGID = 10.0
"""Stiffness of a shaft without one, over that of a single link at the wheel it turns. [-]"""
STANDING = 1e-3
"""Speed by which a stage behind a drive that stands still knows which way it would turn. [rad/s]"""


def stage_drives(drive: Drive) -> tuple[Drive, ...]:
    """Every stage as a drive of its own."""
    return tuple(stage_drive(drive, k) for k in range(len(drive.stages)))


def stage_drive(drive: Drive, k: int) -> Drive:
    """Stage k as a drive of its own: the wheel that its shaft turns starts with the speed that it will have.

    That is the highest speed of the driver over the ratios of teeth on the way, and has its sign.
    """
    stage = drive.stages[k]
    there = before(drive, stage)
    turning = wheel_named(there, stage.shaft.from_wheel)
    pace = highest_speed(there) * there.wheels[driver(there)].teeth / there.wheels[turning].teeth
    speed = stage.shaft.ratio * float(running_senses(there)[turning]) * max(pace, STANDING)
    wheels = tuple(
        wheel.model_copy(update={"initial_speed": speed}) if wheel.name == stage.shaft.to_wheel else wheel
        for wheel in stage.wheels
    )
    return drive.model_copy(
        update={
            "name": f"{drive.name}: {stage.name}",
            "notes": (),
            "loop": stage.loop,
            "chain": stage.chain,
            "contact": stage.contact or drive.contact,
            "preload": None,
            "bicycle": None,
            "wheels": wheels,
            "bodies": stage.bodies,
            "guides": stage.guides,
            "tensioners": stage.tensioners,
            "stages": (),
        }
    )


def shaft_stiffness(stage: Stage) -> float:
    """Of the shaft of a stage, RIGID times that of a link at the wheel it turns where it is left out. [N m/rad]"""
    if stage.shaft.stiffness is not None:
        return stage.shaft.stiffness
    teeth = next(wheel.teeth for wheel in stage.wheels if wheel.name == stage.shaft.to_wheel)
    return RIGID * stage.chain.link_stiffness * float(pitch_radius(stage.chain.pitch, teeth)) ** 2


def before(drive: Drive, stage: Stage) -> Drive:
    """The chain whose wheel turns a stage, as a drive of its own."""
    if stage.shaft.from_stage is None:
        return first_stage(drive)
    names = [each.name for each in drive.stages]
    return stage_drive(drive, names.index(stage.shaft.from_stage))


def first_stage(drive: Drive) -> Drive:
    """The drive without what is behind its own chain."""
    return drive.model_copy(update={"stages": ()}) if drive.stages else drive


def wheel_named(drive: Drive, name: str) -> int:
    """Index of a wheel. The checks of the model know that there is one."""
    return next(index for index, wheel in enumerate(drive.wheels) if wheel.name == name)
