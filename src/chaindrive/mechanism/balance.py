"""Where the torques on the wheels of a drive balance: the drive reduced to one shaft, that of its driver.

A wheel with z teeth turns z_d / z times as fast as a driver with z_d, whatever its side, and what acts on it acts on
the driver so many times as large. The chain is rigid and without losses here; what the bearings take is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from chaindrive.mechanism.torques import resisting
from chaindrive.model.torques.acting import ActingTorque

__all__ = ["Shaft", "balance_speed", "net_torque"]

HIGHEST_SPEED = 1e5
"""Up to here a balance is looked for, the largest speed that a description can give. [rad/s]"""


class Shaft(NamedTuple):
    """A wheel as the reduced drive sees it."""

    torques: tuple[ActingTorque, ...]
    sense: float
    """+1 where it runs counter-clockwise, -1 where clockwise."""
    ratio: float
    """Its speed over that of the driver, above 0. [-]"""
    damping: float = 0.0
    """Of its bearing. [N m s/rad]"""
    friction: float = 0.0
    """Of its bearing. [N m]"""


def net_torque(shafts: Sequence[Shaft], speed: float) -> float:
    """What drives less what resists at a steady speed of the driver [rad/s, in the running sense], on its shaft. [N m]

    Loads over the angle count with their mean, torques over time with their last value.
    """
    total = 0.0
    for shaft in shafts:
        own = shaft.ratio * speed
        resists = resisting(shaft.torques, own, shaft.sense) + shaft.damping * own + shaft.friction
        total -= shaft.ratio * resists
    return total


def balance_speed(shafts: Sequence[Shaft]) -> float | None:
    """The largest speed of the driver, in the running sense, beyond which resistance exceeds what drives. [rad/s]

    None where there is none: what drives is never enough to turn the drive on, or always more than what resists.
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
    """Speeds of the driver above 0 at which a torque over the speed bends. [rad/s]"""
    found = {
        shaft.sense * kink / shaft.ratio
        for shaft in shafts
        for torque in shaft.torques
        for kink in torque.facts().kinks
    }
    return {speed for speed in found if 0.0 < speed < HIGHEST_SPEED}


def _top(shafts: Sequence[Shaft], low: float, high: float) -> float:
    """Where the net torque, a parabola between two speeds, is largest. [rad/s]"""
    middle = 0.5 * (low + high)
    at_low, at_middle, at_high = (net_torque(shafts, speed) for speed in (low, middle, high))
    bend = at_low - 2.0 * at_middle + at_high
    slope = at_high - at_low
    if bend >= 0.0:  # a straight line
        return high if slope > 0.0 else low
    return float(np.clip(middle - 0.25 * slope / bend * (high - low), low, high))
