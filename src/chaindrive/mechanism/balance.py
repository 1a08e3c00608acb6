"""Balance of the torques on the wheels of a drive, with the drive reduced to the shaft of its driver.

A wheel with z teeth turns z_d / z times as fast as a driver with z_d teeth, on either side of the chain, and a torque
on the wheel acts on the driver multiplied by this ratio. The chain is assumed to be rigid and free of losses; bearing
losses are included.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from chaindrive.mechanism.torques import resisting
from chaindrive.model import Drive, Governor, Rotor, Wheel, driving_torque, loads_on, torques_on
from chaindrive.model.torques.acting import ActingTorque

__all__ = [
    "Shaft",
    "balance_speed",
    "governors_share",
    "is_motor",
    "net_torque",
    "pace_from_rest",
    "reached_speed",
    "shaft_of",
]

HIGHEST_SPEED = 1e5
"""Upper bound of the search for a balance: the largest speed that a description may contain. [rad/s]"""


class Shaft(NamedTuple):
    """A wheel or rotor in the reduced drive."""

    torques: tuple[ActingTorque, ...]
    sense: float
    """+1 if the shaft turns counter-clockwise, -1 if clockwise."""
    ratio: float
    """Ratio of its speed to that of the driver, above 0. [-]"""
    damping: float = 0.0
    """Bearing damping. [N m s/rad]"""
    friction: float = 0.0
    """Bearing friction. [N m]"""
    weight: float = 0.0
    """Resisting torque from the weight of an open chain and its loads. [N m]"""


def shaft_of(part: Wheel | Rotor, sense: float, ratio: float) -> Shaft:
    """Return a wheel or rotor as a shaft of the reduced drive; sense and ratio: see ``Shaft``."""
    return Shaft(torques_on(part), sense, ratio, part.bearing_damping, part.bearing_friction)


def is_motor(part: Wheel | Rotor, sense: float) -> bool:
    """Whether the largest driving torque on a wheel or rotor acts in its direction of rotation."""
    return driving_torque(part.torque) * sense > 0.0


def net_torque(shafts: Sequence[Shaft], speed: float) -> float:
    """Return driving minus resisting torque on the driver's shaft at a steady speed of the driver. [N m]

    speed [rad/s]: positive in the direction of rotation. The mean of angle-dependent loads is used, and the last value
    of time-dependent torques.
    """
    total = 0.0
    for shaft in shafts:
        own = shaft.ratio * speed
        resists = resisting(shaft.torques, own, shaft.sense) + shaft.damping * own + shaft.friction + shaft.weight
        total -= shaft.ratio * resists
    return total


def governors_share(shafts: Sequence[Shaft], speed: float) -> float:
    """Return the torque, reduced to the driver's shaft, that each governor must supply for all torques to balance at a
    speed of the driver. [N m]

    It is 0 without governors.
    """
    own = [tuple(torque for torque in shaft.torques if not isinstance(torque, Governor)) for shaft in shafts]
    others = [shaft._replace(torques=left) for shaft, left in zip(shafts, own, strict=True)]
    governed = sum(len(shaft.torques) > len(left) for shaft, left in zip(shafts, own, strict=True))
    return -net_torque(others, speed) / governed if governed else 0.0


def balance_speed(shafts: Sequence[Shaft]) -> float | None:
    """Return the speed (magnitude) of the driver above which the resisting torque always exceeds the driving torque.
    [rad/s]

    None if there is no such speed, because the driving torque is never sufficient or always exceeds the resistance.
    """
    from scipy.optimize import brentq

    # Between two kinks the net torque is linear less a convex parabola: concave, with one top. The largest zero lies
    # above the highest kink or top at which the net torque is positive.
    kinks = sorted({0.0, HIGHEST_SPEED, *_kinks(shafts)})
    if net_torque(shafts, kinks[-1]) > 0.0:
        return None
    for low, high in zip(kinks[-2::-1], kinks[:0:-1], strict=True):
        top = _top(shafts, low, high)
        if net_torque(shafts, top) > 0.0:
            return float(brentq(lambda speed: net_torque(shafts, speed), top, high))
    return None


def _kinks(shafts: Sequence[Shaft]) -> set[float]:
    """Return the speeds of the driver above 0 at which a torque-speed curve has a kink. [rad/s]"""
    found = {
        shaft.sense * kink / shaft.ratio
        for shaft in shafts
        for torque in shaft.torques
        for kink in torque.facts().kinks
    }
    return {speed for speed in found if 0.0 < speed < HIGHEST_SPEED}


def _top(shafts: Sequence[Shaft], low: float, high: float) -> float:
    """Return the speed at which the net torque, a parabola between two speeds, is largest. [rad/s]"""
    middle = 0.5 * (low + high)
    at_low, at_middle, at_high = (net_torque(shafts, speed) for speed in (low, middle, high))
    bend = at_low - 2.0 * at_middle + at_high
    slope = at_high - at_low
    if bend >= 0.0:  # a straight line
        return high if slope > 0.0 else low
    return float(np.clip(middle - 0.25 * slope / bend * (high - low), low, high))


def pace_from_rest(parts: Sequence[tuple[Wheel | Rotor, float]]) -> float:
    """Return the speed of the driver after one revolution from rest; parts: with their speed ratios to the driver.
    [rad/s]

    It follows from the largest driving and resisting torques, and the inertias of the parts: sqrt(4 pi M / J).
    """
    moment = inertia = 0.0
    for part, ratio in parts:
        moment += ratio * (abs(driving_torque(part.torque)) + sum(abs(load.facts().largest) for load in loads_on(part)))
        inertia += ratio**2 * ((part.turned_inertia or 0.0) + part.hub_inertia)
    return math.sqrt(4.0 * math.pi * moment / inertia)


def reached_speed(drive: Drive, pace: float, balance: float | None) -> float:
    """Return the speed at which the torques balance, or else an estimate from a start at rest, but at most the
    reachable speed. [rad/s]
    """
    until = drive.run.until if isinstance(drive.run.until, float) else math.inf
    return min(pace if balance is None else balance, pace**2 / (4.0 * math.pi) * until)
