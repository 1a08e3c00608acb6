"""Parameters of the kernels of the rocker-pin chain: one NamedTuple of numbers, arrays and tables.

There are N pins and N links, where link i is between pins i and i + 1, and W = 2 pairs of sheaves, which are the
wheels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.bordered import Bordered, Factors
from chaindrive.formulations.declare import Row
from chaindrive.kernels.tables import Reals, Wholes
from chaindrive.mechanism.motion import MotionRows
from chaindrive.mechanism.torque_kernels import Running, TorqueRows
from chaindrive.mechanism.wheels import ShaftTorques

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Wheels(NamedTuple):
    """Rotation of the pairs of sheaves, (W,) each."""

    x: Reals
    y: Reals
    """centre [m]"""
    inertia: Reals
    """moment of inertia about its axis [kg m^2]; 0 for a prescribed motion without stated inertia"""
    bearing_damping: Reals
    """[N m s/rad]"""
    bearing_friction: Reals
    """Coulomb torque [N m]"""


class Sheaves(NamedTuple):
    """Axial motion and tilt of the pairs of sheaves, (W,) each."""

    radius: Reals
    """radius at which a pin without load touches the sheaves where their shift is 0 [m]"""
    least: Reals
    most: Reals
    """radii between which the groove holds a pin [m]"""
    mass: Reals
    """mass of the movable sheave [kg]"""
    damping: Reals
    """damping of its motion [N s/m]"""
    force: Reals
    """force that closes the pair if its axial motion is free [N]"""
    stiffness: Reals
    """stiffness against the tilt of each sheave [N m/rad]"""
    time: Reals
    """relaxation time of the tilt [s]; infinite if the tilt does not change"""
    size: Reals
    """magnitude of a tilt that is given, so that only its direction follows the pins; 0 for any other tilt [rad]"""


class Controls(NamedTuple):
    """Controllers of the ratio, which act on the forces of the sheaves, (W,) each."""

    sense: Reals
    """+1 for the driving pair, where more force lowers the ratio; -1 for the driven pair; 0 without a controller"""
    proportional: Reals
    """proportional gain: force per unit of the ratio [N]"""
    integral: Reals
    """[N/s]"""
    least: Reals
    largest: Reals
    """limits of the force [N]"""
    slow: Reals
    """speed of the driven pair below which the ratio is undefined and the force stays constant [rad/s]"""
    rows: Wholes
    rows_end: Wholes
    """rows of the table of target ratios"""


class Links(NamedTuple):
    """State of the links in the last evaluation, (N,) each."""

    pitch: Reals
    """[m]"""
    tension: Reals
    """[N]"""
    pull_x: Reals
    pull_y: Reals
    """force on the link's own pin or, for a rigid link, force of the bushing at its front end [N]"""
    lost: Reals
    """damping power of the link [W]"""


class Places(NamedTuple):
    """State of the pins in the last evaluation, (N,) each."""

    x: Reals
    y: Reals
    """[m]"""
    vx: Reals
    vy: Reals
    """[m/s]"""
    arm_x: Reals
    arm_y: Reals
    """vector from the centre of a rigid link to its pin [m]"""
    turning: Reals
    """angular velocity of a rigid link [rad/s]"""


class Touching(NamedTuple):
    """Contacts of the last evaluation, (N,) each, of which the first ``contacts`` are valid."""

    pin: Wholes
    wheel: Wholes
    radius: Reals
    """distance of the pin from the axis [m]"""
    ex: Reals
    ey: Reals
    """unit vector from the axis to the pin"""
    axial: Reals
    """force along the pin [N]"""
    along: Reals
    across: Reals
    """speeds at which an end would slide at the end of the step without friction: along the generator, outwards
    positive, and around the axis, counter-clockwise positive [m/s]"""
    give_along: Reals
    give_askew: Reals
    give_across: Reals
    """change of these speeds within the step due to unit forces on both ends: of the speed along due to a force along,
    of either speed due to a force in the other direction, and of the speed across due to a force across [m/s/N]"""
    force_along: Reals
    force_across: Reals
    """friction on an end, in the same directions [N]"""
    before_along: Reals
    before_across: Reals
    """friction forces of the previous iteration [N]"""


class Pins(NamedTuple):
    """Friction that acts on every pin until the next step, (N,) each."""

    along: Reals
    across: Reals
    """friction on each end of the pin: along the generator, outwards positive, and around the axis, counter-clockwise
    positive [N]"""
    sliding_along: Reals
    sliding_across: Reals
    """speeds at which the end slides at the end of the step, in the same directions [m/s]"""


class Sums(NamedTuple):
    """Sums over all pins in a pair of sheaves in the last evaluation, (W,) each."""

    thrust: Reals
    """[N]"""
    tilting_x: Reals
    tilting_y: Reals
    """moment of the pins on a sheave, sum of Q X and of Q Y [N m]"""
    damped_x: Reals
    damped_y: Reals
    """the same for the damping part of Q [N m]"""
    torque: Reals
    """moment of friction on the pair, counter-clockwise [N m]"""
    touching: Reals
    """number of pins"""
    sliding: Reals
    """mean speed at which the pins slide around the axis [m/s]"""
    running: Reals
    """mean radius at which the pins run [m]"""
    bearing_x: Reals
    bearing_y: Reals
    """force of the pins on the pair, and therefore of the pair on its bearing [N]"""


class Joints(NamedTuple):
    """Scratch arrays for rigid links with constraints as joints, see joints.py; without rows for any other chain."""

    matrix: Bordered
    factors: Factors
    free: NDArray[np.bool_]
    """(0,): nothing borders the matrix"""
    shift: FloatArray
    right: FloatArray
    found: FloatArray
    """(2 N,): zeros; the right-hand side of the equations for the forces; their solution"""
    rates: FloatArray
    """(states,): accelerations during the solution"""


class Peaks(NamedTuple):
    """Extremes of forces over the steps since the last row. [N]"""

    largest_tension: Any
    smallest_tension: Any
    """(N,)"""
    axial: Any
    """(N,)"""
    bearing: Any
    """(W,)"""


# Work integrals, the first of the states w [J]. The work that every shaft did follows them, and then the tilts.
(
    WORK_INPUT,
    WORK_OUTPUT,
    WORK_LINK_DAMPING,
    WORK_RADIAL,
    WORK_CIRCUMFERENTIAL,
    WORK_PIN_DAMPING,
    WORK_SHEAVE_DAMPING,
    WORK_TILT,
    WORK_BEARING,
) = range(9)
WORKS = (
    "input",
    "output",
    "link_damping",
    "friction_radial",
    "friction_circumferential",
    "pin_damping",
    "sheave_damping",
    "tilt",
    "bearing",
)
PAIRS = 2
"""Number of pairs of sheaves, W."""
CONTROLS = PAIRS
"""Number of states of the controllers, which are the last states: the integral parts, relative to the largest force."""
TILTS = 2 * PAIRS
"""Number of states of the tilt: first about one axis for all pairs, then about the other axis."""


class Parameters(NamedTuple):
    """Compiled parameters, memory and scratch arrays of one drive, with N pins and W = 2 pairs of sheaves."""

    pins: int
    rigid: int
    """1: links are rigid bodies; 0: links are point masses at the pins"""
    revolute: int
    """1: joints of rigid links are constraints"""
    coordinates: int
    """number of coordinates of the chain: two for every pin, or three for every rigid link"""
    distance: float
    """centre distance [m]"""
    line_x: float
    line_y: float
    """direction from the first centre to the second"""
    sine: float
    cosine: float
    """sine and cosine of the half angle of the groove"""
    friction: float
    """coefficient [-]"""
    smooth: float
    """speed over which friction is smoothed; 0: Coulomb friction [m/s]"""
    link_mass: float
    """[kg]"""
    per_inertia: float
    """1/J of a rigid link about its centre [1/(kg m^2)]"""
    pin_stiffness: float
    pin_damping: float
    """[N/m], [N s/m]"""
    link_stiffness: float
    link_damping: float
    """[N/m], [N s/m]"""
    slip_speed: float
    """mean sliding speed around the axis above which the chain counts as slipping [m/s]"""
    gravity_x: float
    gravity_y: float
    wheel: Wheels
    sheave: Sheaves
    control: Controls
    target: FloatArray
    """(rows, 3): time [s], target ratio, slope of the target ratio [1/s]"""
    motion_kind: IntArray
    """(W,) kind of motion of the wheels, mechanism.motion.MotionKind"""
    motion: MotionRows
    """(W,) each"""
    motion_table: FloatArray
    """(rows, 6), see mechanism.motion"""
    shift_kind: IntArray
    """(W,) kind of motion of the movable sheaves, mechanism.motion.MotionKind; FREE: they are moved by their force"""
    shift: MotionRows
    shift_table: FloatArray
    running: Running
    torque: TorqueRows
    torque_table: FloatArray
    """(rows, 6), see mechanism.torque_kernels"""
    # memory
    start_energy: FloatArray
    """(1,): stored energy at the start [J]"""
    pin: Pins
    joint_x: FloatArray
    joint_y: FloatArray
    """(N,) force of revolute joints on the front end of link i over the last step [N]; (0,) for any other chain"""
    expected: FloatArray
    """(W,): friction torque on every pair in the previous step, which predicts the speed of the pair in the next step
    [N m]"""
    peaks: Peaks
    # scratch
    contacts: IntArray
    """(1,): number of contacts"""
    joint: Joints
    place: Places
    touch: Touching
    link: Links
    sum: Sums
    shaft: ShaftTorques
    derivative: FloatArray
    """(states,) for evaluations by ``record``"""
    row: Row
    """row into which ``record`` writes"""


MEMORY = ("start_energy", "pin", "joint_x", "joint_y", "expected", "peaks", "sum.sliding")
"""The sliding speed of a pair is that of the last step, like the friction of the pins."""
SCRATCH = (
    *("contacts", "joint", "place", "touch", "link"),
    *(f"sum.{name}" for name in Sums._fields if name != "sliding"),
    *("shaft", "derivative", "row"),
)
