"""What the kernels of the spatial formulation read besides what all planar formulations do: links that move in space.

Links stand in blocks of LANES side by side: a row holds one number of each, all rows of a block lie one behind the
other, STRIDE numbers apart. A loop over a block then reads and writes one array at distances that the compiler knows,
and uses vector registers; with an array for each number, or rows as long as the chain, it cannot tell them apart. Lane
k + 1 of a row is link k of the block; lane 0 is the link before the block, the lane behind its last link the one after.

Names of rows are offsets into a block. They are unsigned: see ``planar.contact.index``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from chaindrive.formulations.planar.parameters import N_WORKS as N_PLANAR_WORKS
from chaindrive.formulations.planar.parameters import SCRATCH as PLANAR_SCRATCH
from chaindrive.formulations.planar.parameters import WORKS as PLANAR_WORKS
from chaindrive.formulations.planar.parameters import FloatArray, IntArray, PlanarParameters

LANES = 32
STRIDE = 40
"""A multiple of the length of vector registers: a row is then never half written where another one is read."""


def _rows(first: int, count: int) -> tuple[np.uintp, ...]:
    """Offsets of so many rows in a block."""
    return tuple(np.uintp(STRIDE * row) for row in range(first, first + count))


# Rows of Parameters.link, scratch of the last evaluation. All vectors are those of space but where it is said.
X, Y, Z, QW, QX, QY, QZ = _rows(0, 7)  # centre of mass [m]; quaternion from the axes of the link to those of space
VX, VY, VZ, O1, O2, O3 = _rows(7, 6)  # its velocity [m/s]; angular velocity in the axes of the link [rad/s]
R11, R12, R13, R21, R22, R23, R31, R32, R33 = _rows(13, 9)  # matrix of the quaternion
OX, OY, OZ = _rows(22, 3)  # angular velocity [rad/s]
PX, PY, PZ = _rows(25, 3)  # middle of its front joint, the pin [m]
BX, BY, BZ, BVX, BVY, BVZ = _rows(28, 6)  # middle of its rear joint, the bush [m], and its velocity [m/s]
LOCATED = 34
"""Rows so far: what the next link needs of the one before. Those read from there stand off those written beside."""
FX, FY, FZ, TX, TY, TZ = _rows(37, 6)  # of its rear joint, on it: force at the bush [N], couple [N m]
AX, AY, AZ = _rows(43, 3)  # from the centre of mass of the link before to that bush [m]
JOINT_FIRST, JOINT_END = 37, 46
"""Rows that the link before needs of the next one."""
D1, D2, D3 = _rows(46, 3)  # of its rear joint: the bush, seen from the pin in the axes of its link [m]
C1, C2, C3 = _rows(49, 3)  # relative quaternion of both links, without its first part
F1, F2, F3 = _rows(52, 3)  # force on the pin in the axes of its link [N]
PIN_RATE, PIN_MOMENT, PIN_GRIP = _rows(55, 3)  # about the pin [rad/s]; on its link [N m]; force across the pin [N]
CFX, CFY, CFZ, CTX, CTY, CTZ = _rows(58, 6)  # of wheels on the link: force [N], moment about its centre of mass [N m]
VXD, VYD, VZD, O1D, O2D, O3D = _rows(64, 6)  # accelerations [m/s^2, rad/s^2]
QWD, QXD, QYD, QZD = _rows(70, 4)  # rates of the quaternion [1/s]
LINK_ROWS = 74

# Rows of Parameters.body. A link has its frame in its centre of mass: x towards its pin, z along the pins.
MASS, I1, I2, I3 = _rows(0, 4)  # [kg]; moments of inertia about x, y, z [kg m^2]
INVERSE_MASS, INVERSE1, INVERSE2, INVERSE3 = _rows(4, 4)  # [1/kg, 1/(kg m^2)]; 0: the link is held
REAR_X, REAR_Y, FRONT_X, FRONT_Y = _rows(8, 4)  # from the centre of mass to bush and pin, in its own axes [m]
# Its rear joint: stiffness along and across the link before, and along the pin [N/m], damping [N s/m]
STIFF_X, STIFF_Y, STIFF_Z, DAMP_X, DAMP_Y, DAMP_Z = _rows(12, 6)
STIFF_TWIST, STIFF_BEND, DAMP_SWING, DAMP_PIN = _rows(18, 4)  # [N m/rad], [N m s/rad]
BODY_ROWS = 22

# Columns of Parameters.axes, one row a wheel: unit vectors of its frame at angle 0, the last along its axis; its centre
# [m] and how fast that moves [m/s]; how fast the frame itself turns, in its own axes [rad/s]. On a wheel that nothing
# moves they stay as they are, on any other they are scratch of the last evaluation.
E1, E2, E3, CENTRE, MOVING, TURNING = 0, 3, 6, 9, 12, 15
AXES_COLUMNS = 18

# Columns of Parameters.thrust, scratch of the last evaluation, one row a wheel: what the chain does to it
THRUST_X, THRUST_Y, THRUST_Z = 0, 1, 2  # [N]
TILTING_X, TILTING_Y, TILTING_Z = 3, 4, 5  # moment about its centre [N m]
THRUST_COLUMNS = 6

# Columns of Parameters.tooth, one row a wheel
TOOTH_HALF = 0  # half the width of its teeth [m]
TOOTH_FULL = 1  # up to this radius they have it [m]
TOOTH_SLOPE = 2  # how much half the width falls with the radius beyond [-]
TOOTH_COLUMNS = 3

# Rows of Parameters.slot, scratch of the last evaluation, one column a slot of planar.contact
SLOT_X, SLOT_Y, SLOT_Z = 0, 1, 2  # place on the axis of the roller at which the tooth presses [m]
SLOT_NX, SLOT_NY, SLOT_NZ = 3, 4, 5  # direction of the normal force on the roller, not quite of length 1
SLOT_SX, SLOT_SY, SLOT_SZ = 6, 7, 8  # direction of sliding of the roller, of length 1 or less
SLOT_SIDE = 9  # how far a side of the tooth is pressed into the plate of the link; negative: the room [m]
SLOT_SIDE_FORCE = 10  # on the link along its pins, positive towards z [N]
SLOT_AXIAL = 11  # friction on the roller along the axis of the wheel [N]
SLOT_ROWS = 12

WORK_SIDE = N_PLANAR_WORKS
WORKS = (*PLANAR_WORKS, "side_plates")
SCRATCH = (
    *PLANAR_SCRATCH,
    "axes",
    "link",
    "place",
    "velocity",
    "tension",
    "thrust",
    "slot",
    "moved",
    "pressed",
    "turn",
)


class Parameters(NamedTuple):
    """Compiled parameters and scratch of one drive; N links in B blocks, W wheels."""

    planar: PlanarParameters
    links: int
    blocks: int
    joint_friction_radius: float
    """friction coefficient of pin in bush times pin radius [m]"""
    joint_friction_rate: float
    """turning rate that smooths the sign of joint friction [rad/s]"""
    pin_play: float
    """of the bush along the pin, to either side [m]"""
    twist_play: float
    """of neighbouring links about their length, to either side [rad]"""
    bend_play: float
    """of neighbouring links across the plane of the chain, to either side [rad]"""
    feedback: float
    """how fast a quaternion comes back to its length, for methods that do not keep it [1/s]"""
    half_width: float
    """half of that between the inner plates, also of the rollers [m]"""
    side_stiffness: float
    """of a plate against the side of a tooth [N/m]"""
    side_damping: float
    """of that contact: what it takes grows with its force and speed by this [s/m]"""
    side_friction: float
    breaking_load: float
    gravity_z: float
    body: FloatArray
    """(B, BODY_ROWS x STRIDE)"""
    gyration: FloatArray
    """(3 N,): (I2 - I3)/I1, (I3 - I1)/I2, (I1 - I2)/I3, first of all links, then the next [-]"""
    owner: IntArray
    """(N, 2): the link that carries the roller at joint i, and whether at its rear end (1) or its front (0)"""
    colours: int
    """of the links: those of one are shifted together when the stiffness is taken"""
    colour: IntArray
    """(N,)"""
    axes: FloatArray
    """(W, AXES_COLUMNS)"""
    tooth: FloatArray
    """(W, TOOTH_COLUMNS)"""
    offset: FloatArray
    """(W,) how far the middle planes of teeth are out of the plane of the drawing at rest [m]"""
    aside: IntArray
    """(W,) the body of the mechanism that stands for the motion of a wheel out of that plane, -1 for none"""
    # scratch
    link: FloatArray
    """(B, LINK_ROWS x STRIDE)"""
    place: FloatArray
    """of the bushes in the plane of the drawing, (2 N,), first all x, then all y [m]"""
    velocity: FloatArray
    """of the bushes there, (2 N,) [m/s]"""
    tension: FloatArray
    """(N,) force of the pin of every link along it [N]"""
    thrust: FloatArray
    """(W, THRUST_COLUMNS)"""
    slot: FloatArray
    """(SLOT_ROWS, slots)"""
    moved: FloatArray
    """(states,) where links are shifted for the stiffness"""
    pressed: FloatArray
    """(2, n_v) forces there"""
    turn: FloatArray
    """(TURN_ROWS x STRIDE,) for the free motion between two evaluations"""


TURN_ROWS = 10
