"""Periods of the motions and loads of wheels, in pitches of chain, and their orders; oscillations over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chaindrive.model import (
    AngleTable,
    Drive,
    FreeEnd,
    Orders,
    PrismaticHarmonic,
    RevoluteHarmonic,
    Rotor,
    Wheel,
    torques_on,
)
from chaindrive.model.load_over_time import load_frequencies

__all__ = [
    "MOST_PERIOD",
    "common_period",
    "load_orders",
    "load_periods",
    "motion_orders",
    "motion_periods",
    "oscillations",
    "varies",
]

MOST_PERIOD = 60
"""Longest common period of motions and loads that is considered, in revolutions of the driver."""
MISSED = 2e-3
"""Part of a cycle by which a common period may miss whole cycles of an oscillation, which then differs by 1.3 % of its
amplitude from one period to the next. [-]"""


def load_periods(wheels: Sequence[Wheel]) -> list[int]:
    """Return the pitches of chain per revolution of each wheel with an angle-dependent load, the longest period first.

    For loads that repeat only after several turns, such as half orders, these are the pitches of that many turns.
    """
    found = {w.teeth for w in wheels if w.unbalance is not None}
    found |= {w.teeth * turns for w in wheels for cycles in _cycles(w) if (turns := _turns_of(cycles))}
    return sorted(found, reverse=True)


def motion_periods(wheels: Sequence[Wheel], own: int) -> set[int]:
    """Return the pitches after which the fluctuations of prescribed motions repeat; own: teeth of the driver."""
    return {_repeats(wheel, own) for wheel in wheels if wheel.motion is not None} - {0}


def _repeats(wheel: Wheel, own: int) -> int:
    """Return the pitches after which the fluctuation of a motion repeats, if possible after one turn of the driver (own
    teeth).

    0 without a fluctuation.
    """
    orders = _orders_of(wheel.motion) if isinstance(wheel.motion, AngleTable | Orders) else []
    if not orders:
        return 0
    for pitches, relative in ((own, own / wheel.teeth), *((k * wheel.teeth, k) for k in range(1, MOST_PERIOD + 1))):
        cycles = np.array(orders) * relative
        if np.all(np.abs(cycles - np.round(cycles)) < 1e-6 * np.maximum(cycles, 1.0)):
            return pitches
    return own


def oscillations(chain: Drive) -> list[float]:
    """Return the frequencies of the motions and loads of joints, and of the forces on free ends. [Hz]"""
    joints = [body.joint for body in chain.bodies if body.joint.kind != "fixed"]
    moved = [joint.motion for joint in joints if isinstance(joint.motion, RevoluteHarmonic | PrismaticHarmonic)]
    pulled = [end.force for end in chain.chain.ends or () if isinstance(end, FreeEnd) and end.force is not None]
    sizes = [*(joint.load for joint in joints), *(force.size for force in pulled)]
    return [motion.frequency for motion in moved] + [each for size in sizes for each in load_frequencies(size)]


def common_period(pitches: int, frequencies: Sequence[float], tooth_frequency: float, most: int) -> int:
    """Return the smallest multiple of ``pitches``, up to ``most`` pitches, after which oscillations with these
    frequencies [Hz] repeat within ``MISSED``; 0 if there is none.

    tooth_frequency: pitches per second. [Hz]
    """
    if not frequencies:
        return pitches if pitches <= most else 0
    if not tooth_frequency > 0.0:
        return 0
    counts = np.arange(pitches, most + 1, pitches)
    cycles = counts[:, None] * np.asarray(frequencies) / tooth_frequency
    repeated = np.abs(cycles - np.maximum(np.round(cycles), 1.0)) < MISSED
    found = counts[repeated.all(axis=1)]
    return int(found[0]) if found.size else 0


def load_orders(drive: Drive) -> list[tuple[int, float]]:
    """Return wheel and order of all angle-dependent torques and loads, and of unbalance. Orders are per turn of the
    wheel.
    """
    found = {(w, order) for w, wheel in enumerate(drive.wheels) for cycles in _cycles(wheel) for order in cycles}
    return sorted(found | {(w, 1.0) for w, wheel in enumerate(drive.wheels) if wheel.unbalance is not None})


def motion_orders(drive: Drive) -> list[tuple[int, float]]:
    """Return wheel and order of the fluctuations of all prescribed motions, including those whose mean speed changes.
    Orders are per turn of the wheel.
    """
    return [(w, order) for w, wheel in enumerate(drive.wheels) for order in _orders_of(wheel.motion)]


def _orders_of(motion: object) -> list[float]:
    """Return the cycles per revolution of the fluctuation of a motion."""
    if isinstance(motion, AngleTable):
        return [1.0]
    return [term.order for term in getattr(motion, "orders", ())]


def _cycles(part: Wheel | Rotor) -> list[tuple[float, ...]]:
    """Return the cycles of each torque per turn of its wheel or rotor."""
    return [cycles for torque in torques_on(part) if (cycles := torque.facts().cycles)]


def _turns_of(cycles: Sequence[float]) -> int:
    """Return the number of turns after which all cycles repeat; 0 if it exceeds MOST_PERIOD."""
    for turns in range(1, MOST_PERIOD + 1):
        if all(abs(turns * each - round(turns * each)) < 1e-6 * max(turns * each, 1.0) for each in cycles):
            return turns
    return 0


def varies(part: Wheel | Rotor) -> bool:
    """Return whether a wheel or rotor has an angle-dependent load or torque."""
    return bool(_cycles(part))
