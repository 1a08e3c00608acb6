"""A start with a tiny perturbation, which soon changes the forces if the motion is chaotic but not if it is regular."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from chaindrive.contract.states import Kind
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem

__all__ = ["DISTURBANCE", "check_disturbance", "disturbed"]

DISTURBANCE = 1e-9
"""Standard deviation of the perturbation of a speed, relative to the largest speed of the same kind: far above the
rounding errors of double precision, and far below every tolerance. [-]"""
AT_REST = 1.0
"""Reference speed if all parts are at rest. [m/s, rad/s]"""


def check_disturbance(number: int) -> None:
    """Raise InputError unless this is a valid number for a perturbation."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise InputError(Problem("disturbance", "must be a whole number from 0 (no perturbation)", repr(number)))


def disturbed(system: System, number: int) -> System:
    """Return the system with perturbed speeds at its start; for number 0 it is unchanged.

    A normally distributed perturbation with a standard deviation of ``DISTURBANCE`` times the largest speed is added to
    the speeds of links and rollers, or of wheels without prescribed motion if the formulation has neither. The same
    number gives the same perturbation on every computer. Positions and prescribed motions are unchanged.
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
