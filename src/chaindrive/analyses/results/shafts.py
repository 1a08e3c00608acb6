"""Torque and power of every shaft versus time, and the torque of a motor versus its speed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.signals.selection import steady_window, wheel_index
from chaindrive.analyses.signals.windows import instants, window_of
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, torques_of
from chaindrive.results.solution import Solution

__all__ = ["MotorCurve", "Shafts", "mean_shafts", "motor_curve", "shafts"]

FloatArray = NDArray[np.float64]
CURVE_POINTS = 400


class Shafts(NamedTuple):
    """Speed, torque and power of the shafts of W wheels at n instants."""

    names: tuple[str, ...]
    time: FloatArray
    """Instants, shape (n,). [s]"""
    speed: FloatArray
    """Speed, shape (n, W). [rad/s]"""
    torque: FloatArray
    """Sum of all torques on the wheel except those of chain and weight, counter-clockwise positive, (n, W) [N m]."""
    power: FloatArray
    """Power supplied to the drive, negative if taken from it, (n, W) [W]."""
    driving: FloatArray
    """Driving torque alone (motor, pedals), if the run has it; otherwise the torque of a prescribed motion together
    with all other torques on the wheels of its shaft, (n, W) [N m]."""


class MeanShafts(NamedTuple):
    """Mean values over the last whole revolutions of the driver, each of shape (W,)."""

    start: float
    stop: float
    """End of the window. [s]"""
    speed: FloatArray
    """Speed. [rad/s]"""
    torque: FloatArray
    """Torque. [N m]"""
    power: FloatArray
    """Power supplied to the drive by motor and load, without bearing friction. [W]"""


class MotorCurve(NamedTuple):
    """Driving torque of a wheel versus steady speed, both counter-clockwise positive."""

    speed: FloatArray
    """Speed, shape (n,). [rad/s]"""
    torque: FloatArray
    """Torque, shape (n,). [N m]"""


def shafts(solution: Solution, start: float | None = None, stop: float | None = None) -> Shafts:
    """Return torque and power of the shafts from start to stop [s], by default for the whole result.

    Needs the channels wheel_torque and wheel_speed. Raises InputError if they were not kept.
    """
    window = window_of(instants(solution), start, stop)
    torque, speed = (
        np.asarray(solution.values(name, window.rows), dtype=np.float64) for name in ("wheel_torque", "wheel_speed")
    )
    names = tuple(wheel.name for wheel in solution.drive.wheels)
    facts = drive_facts(solution.drive)
    driving = torque if facts.one_speed else torque @ (facts.axles[:, None] == facts.axles)
    if "motor_torque" in solution:
        free = [wheel.motion is None for wheel in solution.drive.wheels]
        driving = np.where(free, np.asarray(solution.values("motor_torque", window.rows), dtype=np.float64), torque)
    return Shafts(names, instants(solution)[window.rows], speed, torque, torque * speed, driving)


def mean_shafts(solution: Solution, start: float | None = None, stop: float | None = None) -> MeanShafts:
    """Return mean speed, torque and power of every shaft, by default over the last whole revolutions of the driver.

    Powers are computed from the work channels, so events between two stored instants are included. Needs the channels
    wheel_torque, wheel_speed and shaft_work. Raises InputError if they were not kept.
    """
    begin, end = steady_window(solution, start, stop)
    window = window_of(instants(solution), begin, end)
    speed, torque, work = (
        np.asarray(solution.values(name, window.rows), dtype=np.float64)
        for name in ("wheel_speed", "wheel_torque", "shaft_work")
    )
    lasting = end - begin
    power = (work[-1] - work[0]) / lasting if lasting > 0.0 else np.full(speed.shape[1], np.nan)
    return MeanShafts(begin, end, speed.mean(axis=0), torque.mean(axis=0), power)


def motor_curve(drive: Drive, wheel: int | str | None = None) -> MotorCurve | None:
    """Return torque versus speed of the motor on a wheel, by default the driver; None if the wheel has no such curve.

    For a variable supply, the largest frequency or voltage is used.
    """
    index = wheel_index(drive, wheel)
    driving = torques_of(drive.wheels[index].torque)
    ends = [speed for torque in driving for speed in torque.facts().shown_speeds]
    if not ends:
        return None
    speed = np.linspace(min(*ends, 0.0), max(*ends, 0.0), CURVE_POINTS)
    return MotorCurve(speed, np.array([sum(torque.mean_torque(w, 1.0) for torque in driving) for w in speed]))
