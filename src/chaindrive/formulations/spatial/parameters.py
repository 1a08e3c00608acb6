"""Parameters of the kernels of the spatial formulation: links in space, in addition to the planar parameters.

Links are stored in blocks of LANES. A row contains one number of each link, and the rows of a block follow each
other at a distance of STRIDE numbers. A loop over a block then reads and writes one array at offsets known to the
compiler, which can use vector registers. With a separate array for each number, or with rows as long as the chain, the
compiler cannot prove that they do not overlap.
Lane k + 1 of a row is link k of the block. Lane 0 is the link before the block, and the lane after its last link is the
link after the block.

Names of rows are offsets into a block. They are unsigned: see ``planar.contact.index``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from chaindrive.formulations.declare import Row
from chaindrive.formulations.planar.parameters import N_WORKS as N_PLANAR_WORKS
from chaindrive.formulations.planar.parameters import SCRATCH as PLANAR_SCRATCH
from chaindrive.formulations.planar.parameters import WORKS as PLANAR_WORKS
from chaindrive.formulations.planar.parameters import FloatArray, IntArray, PlanarParameters
from chaindrive.kernels.tables import Reals, Wholes

LANES = 32
WHOLE = 4
"""Links are computed in groups of this size; the last group may contain empty lanes. Empty lanes have an orientation
but neither stiffness nor damping, and so have no effect."""
STRIDE = 40
"""Distance between the rows of a block. It is a multiple of the length of vector registers, so that no register extends
over two rows, one of which is written while the other is read."""


def _rows(first: int, count: int) -> tuple[np.uintp, ...]:
    """Return the offsets of a number of rows in a block."""
    return tuple(np.uintp(STRIDE * row) for row in range(first, first + count))


# Rows of Parameters.link, scratch of the last evaluation. All vectors are in space unless stated otherwise.
X, Y, Z, QW, QX, QY, QZ = _rows(0, 7)  # centre of mass [m]; quaternion from the axes of the link to those of space
VX, VY, VZ, O1, O2, O3 = _rows(7, 6)  # its velocity [m/s]; angular velocity in the axes of the link [rad/s]
R11, R12, R13, R21, R22, R23, R31, R32, R33 = _rows(13, 9)  # matrix of the quaternion
OX, OY, OZ = _rows(22, 3)  # angular velocity [rad/s]
PX, PY, PZ = _rows(25, 3)  # middle of its front joint, the pin [m]
BX, BY, BZ, BVX, BVY, BVZ = _rows(28, 6)  # middle of its rear joint, the bush [m], and its velocity [m/s]
LOCATED = 34
"""Number of rows up to here, which the next link needs from the link before it. These rows do not overlap those that
are written."""
FX, FY, FZ, TX, TY, TZ = _rows(37, 6)  # of its rear joint, on it: force at the bush [N], couple [N m]
AX, AY, AZ = _rows(43, 3)  # from the centre of mass of the link before to that bush [m]
JOINT_FIRST, JOINT_END = 37, 46
"""First of the rows that a link needs from the next link, and the row after the last of them."""
D1, D2, D3 = _rows(46, 3)  # of its rear joint: the bush, seen from the pin in the axes of its link [m]
C1, C2, C3 = _rows(49, 3)  # relative quaternion of both links, without its first part
F1, F2, F3 = _rows(52, 3)  # force on the pin in the axes of its link [N]
PIN_LOSS, PIN_MOMENT, PIN_GRIP = _rows(55, 3)  # power lost about the pin [W]; on its link [N m]; force across it [N]
CFX, CFY, CFZ, CTX, CTY, CTZ = _rows(58, 6)  # of wheels on the link: force [N], moment about its centre of mass [N m]
YIELD, YIELD_RATE = _rows(64, 2)  # deflection of its rear joint under friction [rad], and its rate [rad/s]
HINGE_COS, HINGE_SIN = _rows(66, 2)  # where its elastic friction has no moment: of half the angle of both links
HALF_COS, HALF_SIN, PIN_SPRING = _rows(68, 3)  # of that angle now; moment of its spring before the limit [N m]
LINK_ROWS = 71

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

# Rows of Parameters.near, scratch of the contacts of up to LANES rollers with a wheel. In space except for those of
# OWN_ and NEAR_N, NEAR_S, and NEAR_F before it acts, which are in the frame of the wheel.
NEAR_X, NEAR_Y, NEAR_Z = _rows(0, 3)  # joint of the roller, from the centre of the wheel [m]
NEAR_DX, NEAR_DY, NEAR_DZ = _rows(3, 3)  # the same from the centre of mass of its link [m]
NEAR_AX, NEAR_AY, NEAR_AZ = _rows(6, 3)  # direction of its axis
NEAR_UX, NEAR_UY, NEAR_UZ = _rows(9, 3)  # direction into its link
OWN_X, OWN_VX, OWN_UX, OWN_OX = (np.uintp(STRIDE * row) for row in (12, 15, 18, 21))  # three rows each: the joint,
# its velocity [m/s], the direction into its link, how fast that turns [rad/s]
OWN_AX, OWN_AY, OWN_AZ = _rows(24, 3)
GATHERED = 27
"""Number of rows up to here, all copied from the links."""
NEAR_COS, NEAR_SIN, NEAR_SPEED = _rows(27, 3)  # of the candidate
NEAR_ALONG, NEAR_DEPTH, NEAR_RATE, NEAR_SLIP, NEAR_SIGN = _rows(30, 5)  # place on the axis [m]; of the contact
NEAR_NX, NEAR_NY, NEAR_NZ = _rows(35, 3)  # direction of the normal force on the link, not quite of length 1
NEAR_SX, NEAR_SY, NEAR_SZ = _rows(38, 3)  # direction of sliding of the link, of length 1 or less
NEAR_ELASTIC, NEAR_FORCE, NEAR_RUBBING, NEAR_SIDE_FORCE = _rows(41, 4)  # [N]
NEAR_FX, NEAR_FY, NEAR_FZ = _rows(45, 3)  # force on the link [N]
NEAR_BX, NEAR_BY, NEAR_BZ = _rows(48, 3)  # where it acts, from the joint [m]
NEAR_MX, NEAR_MY, NEAR_MZ = _rows(51, 3)  # its moment about the centre of mass [N m]
NEAR_TURNED = _rows(54, 1)[0]  # power lost about the pin of the joint [W]
NEAR_HALF, NEAR_SLOPE = _rows(55, 2)  # of the tooth that the link straddles: half its width [m], and how that falls
NEAR_HELD, NEAR_PX, NEAR_PY, NEAR_PZ, NEAR_OWN = _rows(57, 5)  # of its anchor, see Anchored
NEAR_CX, NEAR_CY = _rows(62, 2)  # in the frame of the wheel: centre of a round wheel with the gap of the roller [m]
NEAR_FRICTION = _rows(64, 1)[0]  # coefficient of friction by a user-defined law [-]
NEAR_TIP, NEAR_LEAN = _rows(65, 2)  # on a cassette, there: where the tooth ends, how far that is towards z [m]
NEAR_TIP_RISE, NEAR_LEAN_RISE = _rows(67, 2)  # and how both grow counter-clockwise around the wheel [m/rad]
NEAR_ROWS = 69

WORK_SIDE = N_PLANAR_WORKS
# What is lost at a wheel, works in the state from Parameters.losses_at on, one row a wheel
LOST_JOINTS, LOST_TEETH, LOST_SIDES, LOST_BEARING = range(4)
LOSSES = ("joints", "teeth", "side plates", "bearing")
WORKS = (*PLANAR_WORKS, "side_plates")
SCRATCH = (
    *PLANAR_SCRATCH,
    "axes",
    "link",
    "place",
    "velocity",
    "joint_place",
    "joint_velocity",
    "tension",
    "thrust",
    "slot",
    "near",
    "follow",
    "moved",
    "pressed",
    "row",
)


class Thrusts(NamedTuple):
    """Forces and moments of the chain on every wheel in the last evaluation, (W,) each."""

    x: Reals
    y: Reals
    z: Reals
    """[N]"""
    tilting_x: Reals
    tilting_y: Reals
    tilting_z: Reals
    """moment about the centre of the wheel [N m]"""


class Teeth(NamedTuple):
    """Teeth of every wheel, followed by those of every additional cog, (W + C,) each."""

    half: Reals
    """half the width of the teeth; for a narrow-wide wheel, of its narrow teeth [m]"""
    full: Reals
    """radius up to which the teeth have this width [m]"""
    slope: Reals
    """decrease of this half width per unit of radius beyond ``full`` [-]"""
    half_wide: Reals
    slope_wide: Reals
    """half width and its decrease for the wide teeth"""
    wide: Reals
    """0: even teeth are wide; 1: odd teeth are wide; -1: all teeth are alike"""
    outer: Reals
    """penetration of inner plates into the sides of the teeth at which outer plates may touch; negative: gap [m]"""
    tip: Reals
    """radius at which the teeth end [m]"""
    lowest: Reals
    """radius at which the lowest tooth ends on a cassette [m]"""
    offset: Reals
    """distance of the middle plane of the teeth in front of that of their wheel [m]"""
    passable: Wholes
    """1: plates can be beside the teeth, as on a cassette; 0: plates beyond the teeth ride on them"""


class Cut(NamedTuple):
    """Teeth of cassettes in the order of ``planar.direction``, (gaps,) each: tooth t is between gaps t and t + 1.

    Without additional cogs: (0,).
    """

    tip: Reals
    """radius up to which plates beside the tooth meet it [m]"""
    lean: Reals
    """offset of the tip of the tooth along the axis z of its wheel [m]"""


class Slots(NamedTuple):
    """Lateral contact in every slot of ``planar.contact`` in the last evaluation, (slots,) each."""

    side: Reals
    """depth by which a side of the tooth is pressed into the plate of the link; negative: the gap [m]"""
    side_force: Reals
    """force on the link along its pins, positive towards z [N]"""
    outer: Reals
    outer_force: Reals
    """the same for the outer plate at that joint, if inner plates are deep enough for it to touch (``Teeth.outer``)"""
    axial: Reals
    """friction on the roller along the axis of the wheel [N]"""


class Anchored(NamedTuple):
    """Anchors of sticking links, ((F + 2 (W + C)) N,); see sticking.py.

    They are the anchors of N joints at every face, then of inner plates and of outer plates at every wheel and cog.
    """

    held: Reals
    """1 while the link is in contact, otherwise 0"""
    x: Reals
    y: Reals
    z: Reals
    """position in the frame of the surface, which turns with the surface [m]"""
    own_x: Reals
    own_y: Reals
    own_z: Reals
    """point of the link that sticks there, from its joint and in the axes of the link; at wheels only along its pins
    [m]"""


class Parameters(NamedTuple):
    """Compiled parameters and scratch arrays of one drive, with N links in B blocks and W wheels."""

    planar: PlanarParameters
    links: int
    blocks: int
    joint_friction_radius: float
    """coefficient of friction between pin and bush times the radius of the pin [m]"""
    joint_friction_stiffness: float
    """stiffness of a joint that elastic friction holds [N m/rad]"""
    presliding: float
    """angle by which a joint deflects under friction before it slides, if friction is not elastic [rad]"""
    losses_at: int
    """index in the state of the first of the works lost at the wheels, (W, LOSSES)"""
    yielding: bool
    """whether the deflection of every joint under friction is a state of its own (Dahl 1968)"""
    yield_at: int
    """index in the state of the first of these deflections, (N,)"""
    pin_play: float
    """play of the bush along the pin, to either side [m]"""
    twist_play: float
    """play of neighbouring links about their length, to either side [rad]"""
    bend_play: float
    """play of neighbouring links in bending out of the plane of the chain, to either side [rad]"""
    rotation_vector: bool
    """whether joints resist their rotation vector, as in Omar (2014), instead of the angles midway between links"""
    feedback: float
    """rate at which a quaternion returns to unit length, for methods that do not preserve it [1/s]"""
    half_width: float
    """half the width between the inner plates, and of the rollers [m]"""
    outer_half_width: float
    """half the width between the outer plates [m]"""
    chamfer: float
    """size of the chamfered edges of plates [m]"""
    side_stiffness: float
    """stiffness of a plate against the side of a tooth [N/m]"""
    side_damping: float
    """damping of this contact: relative increase of its force per unit of approach speed [s/m]"""
    side_friction: float
    breaking_load: float
    gravity_z: float
    body: FloatArray
    """(B, BODY_ROWS x STRIDE)"""
    inertia: FloatArray
    """(6 N,): moments of inertia about x of all links, then about y, then about z [kg m^2]; then their inverses"""
    gyration: FloatArray
    """(3 N,): (I2 - I3)/I1 of all links, then (I3 - I1)/I2, then (I1 - I2)/I3 [-]"""
    owner: IntArray
    """(N, 2): the link that carries the roller at joint i, and 1 if the roller is at its rear end, 0 if at its front
    end"""
    other: IntArray
    """(N, 2): the outer link at that joint, and 1 if the joint is at its rear end, 0 if at its front end"""
    colours: int
    """colours of the links; links of one colour are shifted together when the stiffness is computed"""
    colour: IntArray
    """(N,)"""
    axes: FloatArray
    """(W, AXES_COLUMNS)"""
    tooth: Teeth
    cut: Cut
    offset: FloatArray
    """(W,) distances of the middle planes of teeth from the plane of the drawing at rest [m]"""
    aside: IntArray
    """(W,) the body of the mechanism that represents the motion of a wheel out of that plane; -1 if there is none"""
    # scratch
    link: FloatArray
    """(B, LINK_ROWS x STRIDE)"""
    place: FloatArray
    """positions of the bushes in the plane of the drawing, (2 N,), first all x, then all y, see
    ``chain.positions_of`` [m]"""
    velocity: FloatArray
    """velocities of the bushes in this plane, (2 N,), in the same order [m/s]"""
    joint_place: FloatArray
    joint_velocity: FloatArray
    """positions and velocities in this plane of joints near guides, on the links that carry the rollers, in the same
    order [m, m/s]"""
    tension: FloatArray
    """(N,) force of the pin of every link along the link [N]"""
    thrust: Thrusts
    slot: Slots
    near: FloatArray
    """(NEAR_ROWS x STRIDE,)"""
    follow: Anchored
    """new ``planar.anchored`` if the last evaluation is accepted; valid only for contacts checked in that evaluation"""
    moved: FloatArray
    """(states,) state in which links are shifted to compute the stiffness"""
    pressed: FloatArray
    """(2, n_v) forces in that state"""
    row: Row
    """row into which ``record`` writes"""
