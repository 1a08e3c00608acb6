"""A start with a tiny disturbance: a chaotic motion soon has other forces, a regular one the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from chaindrive.contract.states import Kind
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem

__all__ = ["DISTURBANCE", "check_disturbance", "disturbed"]

DISTURBANCE = 1e-9
"""Standard deviation of the disturbance of a speed, relative to the largest of its kind: far above the rounding of a
double number, far below every tolerance. [-]"""
AT_REST = 1.0
"""Speed to which it is relative where all are at rest. [m/s, rad/s]"""


def check_disturbance(number: int) -> None:
    """Refuse what is not the number of a disturbance. Raises InputError."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise InputError(Problem("disturbance", "must be a whole number from 0 (no disturbance)", repr(number)))


def disturbed(system: System, number: int) -> System:
    """The system with disturbed speeds at its start; unchanged for number 0.

    Speeds of links and rollers, of a formulation without them those of free wheels, get a normally distributed part of
    ``DISTURBANCE`` times the largest of them, the same for the same number on every machine. Places and prescribed
    motions stay.
    """
    if number == 0:
        return system
    velocities = slice(system.positions, system.positions + system.velocities)
    kinds, free = system.kinds[velocities], np.isfinite(system.masses)
    chosen = free & (kinds == Kind.SPEED)
    chosen = chosen if chosen.any() else free & (kinds == Kind.ANGULAR_SPEED)
    state = system.state.copy()
    speeds = state[velocities]
    scale = float(np.abs(speeds[chosen]).max(initial=0.0)) or AT_REST
    speeds[chosen] += DISTURBANCE * scale * np.random.default_rng(number).standard_normal(int(chosen.sum()))
    return replace(system, state=state).noted({"disturbance": number})
