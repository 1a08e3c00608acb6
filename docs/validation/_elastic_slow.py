"""Generated drives that run slowly, with elastic friction in their joints, on their teeth and guides."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _generated import class_of, generate
from _made import kept

import chaindrive as cd
from chaindrive.errors import ChaindriveError
from chaindrive.geometry.route import pitch_radius
from chaindrive.model import Drive

__all__ = ["Slow", "at_constant_speed", "slow_drive", "slow_runs"]

SEED = 29
SLOWEST, FASTEST = 0.01, 20.0
"""Range of the speed of the fastest wheel. [rpm]"""
STEPS = 60_000
"""Approximate number of steps of a run, each of which lasts 0.5/omega, with the highest frequency omega of the
links.
"""


class Slow(NamedTuple):
    """Measured values of one drive."""

    number: int
    kind: str
    rpm: float
    """Speed of the fastest wheel."""
    outcome: str
    mean_step: float
    """[s]"""
    frequency: float
    """Highest frequency of the links. [rad/s]"""
    residual: float
    """Residual of the energy balance over the energy exchanged. [-]"""


def slow_drive(index: int) -> tuple[Drive, float]:
    """A generated drive that runs slowly at constant speed against constant loads, and the speed of its fastest wheel
    [rpm].
    """
    rng, found = np.random.default_rng([SEED, index]), generate(SEED, index)
    rpm = float(np.exp(rng.uniform(math.log(SLOWEST), math.log(FASTEST))))
    data, _ = at_constant_speed(found, rpm)
    data["chain"] |= {"joint_friction": float(rng.uniform(0.05, 0.2))}
    data["contact"] |= {"friction": float(rng.uniform(0.05, 0.2))}
    for guide in data.get("guides", ()):
        guide.setdefault("contact", {})["friction"] = float(rng.uniform(0.05, 0.3))
    until = STEPS * 0.5 / _frequency(found)
    data["run"] |= {"until": until, "start": "at_speed", "formulation": {"kind": "roller"}}
    data["run"]["solver"] = {"method": "dormand-prince"}
    data["run"]["save"] = {"rate": 400.0 / until}
    return Drive(**data), rpm


def at_constant_speed(drive: Drive, rpm: float) -> tuple[dict[str, Any], float]:
    """The data of a drive whose fastest wheel turns at this constant speed [rpm] against constant loads, and its chain
    speed [m/s].
    """
    radii = [float(pitch_radius(drive.chain.pitch, wheel.teeth)) for wheel in drive.wheels]
    chain_speed = rpm * math.pi / 30.0 * min(radii)
    data = drive.to_dict()
    for wheel, radius in zip(data["wheels"], radii, strict=True):
        _slowed(wheel, chain_speed / radius)
    return data, chain_speed


def _frequency(drive: Drive) -> float:
    """Highest frequency of the links, at which neighbouring links move in opposite directions: sqrt(4 K/m). [rad/s]"""
    return math.sqrt(4.0 * drive.chain.link_stiffness / drive.chain.link_mass)


def _slowed(wheel: dict[str, Any], speed: float) -> None:
    """Data in which a prescribed motion has become a constant speed [rad/s] and loads that grow with speed have become
    constant.
    """
    if motion := wheel.pop("motion", None):
        before = motion.get("speed", motion.get("final_speed"))
        wheel["motion"] = {"kind": "constant_speed", "speed": math.copysign(speed, before)}
    if table := wheel.pop("load_table", None):
        wheel["load_torque"] = float(np.mean(table["torques"]))


def _ran(index: int) -> Slow:
    """Run a drive to its end."""
    drive, rpm = slow_drive(index)
    kind, frequency = class_of(SEED, index), _frequency(drive)
    try:
        solution = cd.simulate(drive)
    except ChaindriveError as error:
        return Slow(index, kind, rpm, f"{type(error).__name__}: {str(error).splitlines()[0]}", 0.0, frequency, 0.0)
    step, residual = solution.statistics["mean_step"], solution.audit.relative_residual
    return Slow(index, kind, rpm, solution.status.name, float(step), frequency, float(residual))


def slow_runs(folder: Path, count: int) -> list[Slow]:
    """Run this number of drives, except those whose results are kept in the folder."""
    return [Slow(*kept(folder / f"slow-{index}.json", partial(_ran, index))) for index in range(count)]
