"""Parameters of the kernels of the chain drive block: one NamedTuple of numbers, arrays and tables."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.formulations.declare import Row
from chaindrive.kernels.by_reference import told_by_type
from chaindrive.kernels.tables import Reals, Wholes
from chaindrive.mechanism.motion import MotionRows
from chaindrive.mechanism.torque_kernels import Running, TorqueRows
from chaindrive.mechanism.wheels import ShaftTorques

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Wheels(NamedTuple):
    """Wheels, (W,) each."""

    radius: Reals
    """pitch times number of teeth divided by 2 pi, negative where the wheel turns clockwise along the route [m]"""
    inertia: Reals
    """moment of inertia about its axis [kg m^2]; 0 for a prescribed motion without stated inertia"""
    bearing_damping: Reals
    """[N m s/rad]"""
    bearing_friction: Reals
    """Coulomb torque [N m]"""
    bearing_stiffness: Reals
    """stiffness of sticking bearings [N m/rad]"""
    tension_friction: Reals
    standstill: Reals
    """friction of the chain relative to the tensions on both sides of the wheel [-], and the speed over which it is
    smoothed [rad/s]"""
    mass: Reals
    """[kg]"""
    moment_x: Reals
    moment_y: Reals
    """mass times position of the centre of mass in the wheel's own frame [kg m]"""
    x: Reals
    y: Reals
    """centre [m]"""


class Spans(NamedTuple):
    """Spans, each of which leads from wheel k to wheel k + 1, (W,) each."""

    stiffness: Reals
    damping: Reals
    """[N/m], [N s/m]"""
    offset: Reals
    """elongation where all angles are zero [m]"""
    ux: Reals
    uy: Reals
    """direction along the route"""


class Ripples(NamedTuple):
    """Periodic variations of the elongation of a span with the angle of a wheel, (N,) each."""

    span: Wholes
    wheel: Wholes
    order: Reals
    """waves per revolution of the wheel"""
    amplitude: Reals
    phase: Reals
    """[m], [rad]"""
    slope: Reals
    """slope of the elongation with respect to the angle, in the last evaluation [m/rad]"""


class FrictionMap(NamedTuple):
    """Friction of the chain on a wheel as a function of speed (n,) [m/s] and of the sum of the tensions on both sides
    of the wheel (m,) [N].
    """

    speeds: FloatArray
    tensions: FloatArray
    forces: FloatArray
    """(n, m) [N]"""


class Pulls(NamedTuple):
    """State of the spans in the last evaluation, (W,) each."""

    elongation: Reals
    rate: Reals
    """[m], [m/s]"""
    tension: Reals
    """[N]"""
    ripple_moment: Reals
    """counter-clockwise moment on wheel k of the tensions on both sides, due to the ripple of their lever arms [N m]"""


class Peaks(NamedTuple):
    """Extremes of forces over the steps since the last row, (W,) each. [N]"""

    largest_tension: Any
    smallest_tension: Any
    bearing: Any


# Work integrals, the first of the states w [J]. The work that every shaft did on its wheel follows them.
WORK_INPUT, WORK_OUTPUT, WORK_LINK_DAMPING, WORK_BEARING = 0, 1, 2, 3
WORKS = ("input", "output", "link_damping", "bearing")


@told_by_type("ripples")
class Parameters(NamedTuple):
    """Compiled parameters, memory and scratch arrays of one drive with W wheels and W spans."""

    wheels: int
    net: bool
    """Whether both spans are one element, whose net force is the tension of the stretched span."""
    damping_in_slack: bool
    sticks: bool
    """Whether friction of bearings is elastic (physics/bearing.py) rather than smoothed."""
    anchors_kept: bool
    """Whether the run begins with the sticking contacts in memory, as when it continues another run."""
    maximum_tension: float
    """tension at which the run ends [N]; infinite if there is no limit"""
    gravity_x: float
    gravity_y: float
    maps_friction: bool
    """Whether ``friction_map`` applies."""
    friction_map: FrictionMap
    ripples: bool
    """Whether any elongation has a ripple."""
    wheel: Wheels
    motion_kind: IntArray
    """(W,), mechanism.motion.MotionKind; FREE if the wheel has no prescribed motion"""
    span: Spans
    motion: MotionRows
    """(W,) each"""
    motion_table: FloatArray
    """(rows, 6), see mechanism.motion"""
    running: Running
    torque: TorqueRows
    torque_table: FloatArray
    """(rows, 6), see mechanism.torque_kernels"""
    # memory
    start_energy: FloatArray
    """(1,): stored energy at the start [J]"""
    bearing_angle: FloatArray
    """(W,): angles of the wheels at which elastic friction of their bearings exerts no moment [rad]"""
    peaks: Peaks
    # scratch
    pull: Pulls
    ripple: Ripples
    shaft: ShaftTorques
    derivative: FloatArray
    """(states,) for evaluations by ``record``"""
    row: Row
    """row into which ``record`` writes"""


MEMORY = ("start_energy", "bearing_angle", "peaks")
SCRATCH = ("pull", "ripple", "shaft", "derivative", "row")
