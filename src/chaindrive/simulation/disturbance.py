"""A start with a tiny disturbance, which soon changes the forces of a chaotic motion, but not those of a regular
one.
"""

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
"""Reference speed if all parts are at rest. [m/s, rad/s]"""


def check_disturbance(number: int) -> None:
    """Refuse anything but the number of a disturbance. Raises InputError."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise InputError(Problem("disturbance", "must be a whole number from 0 (no disturbance)", repr(number)))


def disturbed(system: System, number: int) -> System:
    """The system with disturbed speeds at its start; unchanged for number 0.

    Speeds of links and rollers, or in a formulation without them those of free wheels, receive a normally distributed
    disturbance of ``DISTURBANCE`` times the largest of them, the same for the same number on every machine. Positions
    and prescribed motions are unchanged.
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
