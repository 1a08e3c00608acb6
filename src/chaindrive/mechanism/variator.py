"""Properties of a variator that follow from its description alone: ratio, radii, wraps, and the torques that its
clamping forces transmit.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.geometry.variator import Loop, loop_around, place_pins
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.wheel_torques import resistance
from chaindrive.model import Drive
from chaindrive.numbers import quantity

__all__ = ["Clamping", "clampings", "loop_of", "placed_chain", "slip_warnings"]


FloatArray = NDArray[np.float64]


class Clamping(NamedTuple):
    """The thrust of a pair of sheaves, compared with the torque that its contact with the pins must transmit."""

    torque: float
    """magnitude of the torque that the pair must transmit at the speed of the run [N m]"""
    needed: float
    """smallest thrust that transmits this torque [N]"""
    force: float | None
    """clamping force; None if the sheaves are held in place [N]"""
    largest_torque: float | None
    """torque that the clamping force transmits before the chain slips, 2 mu S R / cos(beta) [N m]"""


def loop_of(drive: Drive) -> Loop:
    """Return the loop on which the chain of a drive with sheaves is placed."""
    pitch = drive.chain.mean_pitch
    first, second = (0.5 * pitch / math.sin(math.pi / wheel.teeth) for wheel in drive.wheels)
    centre, other = (sheave.position for sheave in drive.sheaves)
    return loop_around(first, second, math.dist(centre, other))


def placed_chain(drive: Drive) -> tuple[FloatArray, FloatArray]:
    """Return the positions of the pins, and their directions of motion counter-clockwise around the loop, (N, 2) each.
    [m, -]
    """
    return place_pins(loop_of(drive), drive.chain.lengths, [sheave.position for sheave in drive.sheaves])


def clampings(drive: Drive) -> tuple[Clamping, Clamping]:
    """Return the clamping of both pairs: friction at both end faces of all pins transmits M = 2 mu S R / cos(beta).

    The torque is that of the loads at the speeds without slip, neglecting losses in the chain.
    """
    facts, loop, pins = drive_facts(drive), loop_of(drive), drive.chain.pins
    assert pins is not None  # of a drive with sheaves
    driven = 1 - facts.driver
    speed = facts.highest_speed * loop.radii[facts.driver] / loop.radii[driven]
    pull = abs(resistance(facts, driven, speed)) / loop.radii[driven]
    per_thrust = 2.0 * pins.friction / math.cos(pins.half_angle)
    found = []
    for radius, sheave in zip(loop.radii, drive.sheaves, strict=True):
        force = sheave.clamping_force
        needed = pull / per_thrust if per_thrust > 0.0 else math.inf if pull > 0.0 else 0.0
        found.append(Clamping(pull * radius, needed, force, None if force is None else per_thrust * force * radius))
    return found[0], found[1]


def _needed_text(clamping: Clamping) -> str:
    if math.isinf(clamping.needed):
        return "without friction (chain.pins.friction) no force is large enough"
    return f"{quantity(clamping.needed, 'N', 3)} are needed"


def slip_warnings(drive: Drive) -> tuple[str, ...]:
    """Return a warning for each pair whose clamping force cannot transmit its torque."""
    return tuple(
        f"the clamping force of {sheave.name!r}, {quantity(each.force, 'N', 3)}, is below the slip limit: it can "
        f"transmit {quantity(each.largest_torque or 0.0, 'N m', 3)}, but the load is "
        f"{quantity(each.torque, 'N m', 3)}; {_needed_text(each)}"
        for sheave, each in zip(drive.sheaves, clampings(drive), strict=True)
        if each.force is not None and each.force < each.needed
    )
