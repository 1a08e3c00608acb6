"""States of a system: their order in the array, the kind of each, and its tolerance.

The state ``y`` is one flat array of float64 with three parts:

    y = [ q (positions, n_q) | v (velocities, n_v) | w (other first-order states, n_w: works, pressures, ...) ]

so that Runge-Kutta methods and geometric integrators can use the same array. dq/dt = v, unless the formulation has the
kernel ``rates`` (quaternions with angular velocities); only then may n_q and n_v differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

__all__ = ["TOLERANCES", "FloatArray", "IntArray", "Kind"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Kind(IntEnum):
    """The kind of a state, which determines its absolute tolerance."""

    LENGTH = 0  # m
    ANGLE = 1  # rad
    SPEED = 2  # m/s
    ANGULAR_SPEED = 3  # rad/s
    WORK = 4  # J, integrated with the motion; its tolerance is relative to the work so far, see solvers/works.py
    PRESSURE = 5  # Pa
    MACHINE = 6  # state of a motor or governor over its reference value, without unit


TOLERANCES: Mapping[Kind, float] = {
    Kind.LENGTH: 1e-8,
    Kind.ANGLE: 1e-8,
    Kind.SPEED: 1e-4,
    Kind.ANGULAR_SPEED: 1e-4,
    Kind.PRESSURE: 10.0,
    Kind.MACHINE: 1e-6,
}
"""Absolute tolerance of every kind of state, in its unit; the tolerance for work is relative to the work."""
