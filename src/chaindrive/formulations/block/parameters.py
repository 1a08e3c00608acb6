"""What the kernels of the chain drive block read: one NamedTuple of arrays, and the names of their columns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# Columns of Parameters.wheel, one row a wheel
WHEEL_RADIUS = 0  # pitch times teeth over 2 pi, negative where the wheel turns clockwise along the route [m]
WHEEL_INERTIA = 1  # about its axis [kg m^2]; 0 for a prescribed motion without stated inertia
WHEEL_BEARING_DAMPING = 2  # [N m s/rad]
WHEEL_BEARING_FRICTION = 3  # Coulomb torque [N m]
WHEEL_MASS = 4  # [kg]
WHEEL_MOMENT_X, WHEEL_MOMENT_Y = 5, 6  # mass times place of the centre of mass in the wheel's own frame [kg m]
WHEEL_X, WHEEL_Y = 7, 8  # centre [m]
WHEEL_COLUMNS = 9

# Columns of Parameters.span, one row a span, which leads from wheel k to wheel k + 1
SPAN_STIFFNESS, SPAN_DAMPING = 0, 1  # [N/m], [N s/m]
SPAN_OFFSET = 2  # elongation where all angles are zero [m]
SPAN_UX, SPAN_UY = 3, 4  # direction along the route
SPAN_COLUMNS = 5

# Columns of Parameters.pull, scratch of the last evaluation, one row a span
PULL_ELONGATION, PULL_RATE = 0, 1  # [m], [m/s]
PULL_TENSION = 2  # [N]
PULL_COLUMNS = 3

# Columns of Parameters.shaft, scratch of the last evaluation, one row a wheel
SHAFT_DRIVING, SHAFT_LOAD = 0, 1  # torque of what drives, and of all loads, counter-clockwise [N m]
SHAFT_COLUMNS = 2

# Work integrals, the first of the states w [J]. The work that every shaft did on its wheel follows them.
WORK_INPUT, WORK_OUTPUT, WORK_LINK_DAMPING, WORK_BEARING = 0, 1, 2, 3
WORKS = ("input", "output", "link_damping", "bearing")


class Parameters(NamedTuple):
    """Compiled parameters, memory and scratch of one drive with W wheels, and as many spans."""

    wheels: int
    net: bool
    """True: both spans are one element, whose net force pulls in the span that it stretches."""
    damping_in_slack: bool
    maximum_tension: float
    """[N], infinite where nothing ends the run"""
    gravity_x: float
    gravity_y: float
    wheel: FloatArray
    """(W, WHEEL_COLUMNS)"""
    motion_kind: IntArray
    """(W,), mechanism.motion.MotionKind; FREE when the wheel turns freely"""
    span: FloatArray
    """(W, SPAN_COLUMNS)"""
    motion: FloatArray
    """(W, columns), see mechanism.motion"""
    motion_table: FloatArray
    """(rows, 6), see mechanism.motion"""
    running: FloatArray
    """(W, WHEEL_COLUMNS), see mechanism.torque_kernels"""
    torque: FloatArray
    """(T, COLUMNS), see mechanism.torque_kernels"""
    torque_table: FloatArray
    """(rows, 6), see mechanism.torque_kernels"""
    torques: bool
    """Whether rows have the torques of motors and loads"""
    # memory
    start_energy: FloatArray
    """(1,): stored energy at the start [J]"""
    # scratch
    pull: FloatArray
    """(W, PULL_COLUMNS)"""
    shaft: FloatArray
    """(W, SHAFT_COLUMNS)"""
    derivative: FloatArray
    """(states,) for evaluations by ``record``"""


MEMORY = ("start_energy",)
SCRATCH = ("pull", "shaft", "derivative")
