"""What the kernels of all planar formulations read: one NamedTuple of arrays, and the names of their columns.

Few arrays with named columns rather than many arrays: a call hands every array over as seven machine words.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.formulations.planar.layout import Layout
from chaindrive.geometry.profile import MOST_ELEMENTS
from chaindrive.kernels import told_by_type
from chaindrive.mechanism.elements import Elements
from chaindrive.mechanism.tree import Tree
from chaindrive.mechanism.tree_kernels import SCRATCH as TREE_SCRATCH

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# Columns of PlanarParameters.wheel, float, one row a wheel
WHEEL_INERTIA = 0  # about its axis [kg m^2]; 0 for a prescribed motion without stated inertia
WHEEL_BEARING_DAMPING = 1  # [N m s/rad]
WHEEL_BEARING_FRICTION = 2  # Coulomb torque [N m]
WHEEL_TIP = 3  # tip radius of the teeth [m]
WHEEL_MASS = 4  # [kg]
WHEEL_MOMENT_X, WHEEL_MOMENT_Y = 5, 6  # mass times place of the centre of mass in the wheel's own frame [kg m]
WHEEL_COLUMNS = 7

# Columns of PlanarParameters.wheel_index, int, one row a wheel
INDEX_TEETH = 0
INDEX_MOTION = 1  # mechanism.motion.MotionKind; FREE when the wheel turns freely
INDEX_GAP = 2  # row of PlanarParameters.direction of its gap 0
INDEX_ORDER = 3  # +1 where gap numbers grow along the chain, -1 where they fall
INDEX_HUB = 4  # body of the mechanism behind its freewheel, GROUND for none
INDEX_SMOOTH = 5  # 1 where there are no teeth, and gaps mean nothing
INDEX_COLUMNS = 6
PROFILE_ROWS = MOST_ELEMENTS  # of half a tooth gap; shorter profiles are padded with rows that are never reached

# Columns of PlanarParameters.surface, float, one row a surface: the wheels, then the guides
SURFACE_X, SURFACE_Y = 0, 1  # origin of its frame in the frame of the body that supports it [m]
SURFACE_RADIUS = 2  # distance from a roller centre at which contact begins [m]
SURFACE_STIFFNESS, SURFACE_EXPONENT = 3, 4  # contact law, F = K d^n (1 + D v/v0) + c v
SURFACE_HYSTERESIS, SURFACE_VISCOUS = 5, 6
SURFACE_FRICTION = 7  # friction coefficient of roller on surface
SURFACE_REACH = (
    8  # distance from the middle of a wheel, or of the sides of a guide's box, within which contact is possible
)
SURFACE_MIDDLE_X, SURFACE_MIDDLE_Y = 9, 10  # of the box around a guide, in its frame [m]
SURFACE_ALONG_X, SURFACE_ALONG_Y = 11, 12  # unit vector along that box
SURFACE_LENGTH, SURFACE_WIDTH = 13, 14  # half of the sides of the box, without reach [m]
SURFACE_DEPTH = 15  # below a guide's surface a roller is behind the guide and touches nothing [m]
SURFACE_MAX_PENETRATION = 16  # penetration that ends the run [m]
SURFACE_INVERSE_MASS = 17  # how easily the surface yields to a force on it: speed of its points over impulse [1/kg]
SURFACE_ARM = 18  # radius at which a part of a link slides on it [m]; 0 where rollers do, which turn by themselves
SURFACE_COLUMNS = 19

# Columns of PlanarParameters.surface_index, int, one row a surface
INDEX_LAW = 0  # LAW_LINEAR, LAW_HERTZ, LAW_POWER
INDEX_BODY = 1  # of the mechanism that supports it, GROUND for none
INDEX_PROFILE, INDEX_PROFILE_END = 2, 3  # rows of PlanarParameters.profile (wheels) or PlanarParameters.guide_profile
SURFACE_INDEX_COLUMNS = 4
LAW_LINEAR, LAW_HERTZ, LAW_POWER = 0, 1, 2  # exponent 1, 1.5, any other

# Columns of PlanarParameters.face, int: what a roller may touch of a surface, one row a surface, then what else wheels
# have in whose gaps rollers are wedged: the other flank, and the bottom of the gap
FACE_SURFACE = 0
FACE_PROFILE = 1  # first row of PlanarParameters.profile; unused on guides
FACE_SIDE = 2  # +1, -1: the flank at positive or negative xi alone; 0: the side of the gap on which the roller is
FACE_COLUMNS = 3

# Columns of PlanarParameters.frame, scratch of the last evaluation, one row a surface
FRAME_X, FRAME_Y, FRAME_VX, FRAME_VY = 0, 1, 2, 3  # origin [m] and its velocity [m/s]
FRAME_COS, FRAME_SIN, FRAME_ANGULAR_VELOCITY = 4, 5, 6  # of its angle; angular velocity [rad/s]
FRAME_COLUMNS = 7

# Columns of PlanarParameters.resultant, scratch of the last evaluation, one row a surface: resultant of the
# contacts
RESULTANT_X, RESULTANT_Y, RESULTANT_MOMENT = 0, 1, 2  # force [N]; moment about the origin of its frame [N m]
RESULTANT_TILTING = 3  # what turns the body that carries a wheel askew, beside what turns the wheel [N m]
RESULTANT_COLUMNS = 4

# Columns of PlanarParameters.segment, int: a run of consecutive rollers (no wrap past the last) near one surface
SEGMENT_SURFACE, SEGMENT_FIRST, SEGMENT_END, SEGMENT_SLOT = 0, 1, 2, 3
SEGMENT_FACE = 4
SEGMENT_BACK = 5  # slots back to those of the same rollers with the face before on the same surface; 0 on the first
SEGMENT_COLUMNS = 6

# Rows of PlanarParameters.candidate, float, one column a slot (a pair of face and roller that may touch)
CANDIDATE_COS, CANDIDATE_SIN = 0, 1  # direction of the gap's centre line in the wheel's frame; unused on guides
CANDIDATE_SPEED = 2  # impact speed [m/s]; 0 while there is no contact
# Of the only element of a guide that faces the roller until the next search, -1 where several may; unused on wheels
CANDIDATE_ELEMENT = 3  # row of guide_profile, whose first columns follow
CANDIDATE_X, CANDIDATE_Y, CANDIDATE_NX, CANDIDATE_NY, CANDIDATE_CURVATURE = 4, 5, 6, 7, 8
CANDIDATE_FRICTION, CANDIDATE_HYSTERESIS, CANDIDATE_VISCOUS = 9, 10, 11  # of its surface, see SURFACE_FRICTION, ...
CANDIDATE_ROWS = 12

# Rows of PlanarParameters.contact, scratch of the last evaluation, one column a slot
CONTACT_PENETRATION, CONTACT_RATE, CONTACT_SLIP = 0, 1, 2  # [m], approach [m/s], [m/s]
CONTACT_NORMAL_X, CONTACT_NORMAL_Y = 3, 4  # global, out of the surface
CONTACT_ELASTIC, CONTACT_SIGN = 5, 6  # elastic part of the normal force [N], regularised sign of the slip
CONTACT_FORCE, CONTACT_FRICTION = 7, 8  # normal force [N]; friction force along the tangent [N]
CONTACT_ROWS = 9

# Columns of PlanarParameters.tilt, float, one row a wheel
TILT_X, TILT_Y = 0, 1  # given, about the axes of the plane [rad]
TILT_SLOPE = 2  # of the end of its elastic shaft, over the deflection there [rad/m]; 0 without one
TILT_LENGTH = 3  # of that shaft, from where it is clamped to the plane of the chain [m]
TILT_COLUMNS = 4

# Columns of PlanarParameters.fold, scratch of the last evaluation, one row a wheel: see tilt.py
FOLD_ALPHA, FOLD_BETA = 0, 1  # the tilt [rad]
FOLD_TURN = 2  # of the angle in the plane, per angle of the wheel
FOLD_BY_ALPHA, FOLD_BY_BETA = 3, 4  # and per angle of the tilt
FOLD_COLUMNS = 5

# Columns of PlanarParameters.mesh, float, one row a wheel: how the chain lies on it, see accept.py
MESH_ROLLER = 0  # a roller by which its place on the wheel is followed; -1 for none
MESH_GAP = 1  # gap of that roller
MESH_SLIP = 2  # by how many teeth that roller has moved on, against its place at the start
MESH_LIES = 3  # by how many teeth the chain as a whole has
MESH_JUMPS = 4  # how many teeth it has jumped in all, whichever way
MESH_FIRST = 5  # when it jumped first [s]; not-a-number before
MESH_TILT = 6  # the largest tilt [rad]
MESH_COLUMNS = 7

# Columns of PlanarParameters.freewheel, one row a wheel, see freewheel.py
FREEWHEEL_STIFFNESS, FREEWHEEL_DAMPING = 0, 1  # [N m/rad, N m s/rad]
FREEWHEEL_SENSE = 2  # +1 where it drives counter-clockwise, -1 where clockwise
FREEWHEEL_COLUMNS = 3

# Columns of PlanarParameters.twisted, scratch of the last evaluation, one row a wheel
TWISTED_ANGLE, TWISTED_TORQUE = 0, 1  # [rad]; of the clutch on the hub [N m]
TWISTED_COLUMNS = 2

# Columns of PlanarParameters.shaft, scratch of the last evaluation, one row a wheel: on it, or on its hub
SHAFT_DRIVING, SHAFT_LOAD = 0, 1  # of what drives (wheels.torque), and of all loads; counter-clockwise [N m]
SHAFT_COLUMNS = 2

# Columns of PlanarParameters.spans, one row a span
SPAN_START, SPAN_END = 0, 1  # along the loop, from the first seat on wheel 0 [pitches]
SPAN_X, SPAN_Y, SPAN_UX, SPAN_UY = 2, 3, 4, 5  # middle [m] and direction of travel of the straight tangent
SPAN_COLUMNS = 6

# Columns of PlanarParameters.ways, int, one row a span of an open chain
WAY_BEFORE, WAY_BEHIND = 0, 1  # wheel from which, and to which it leads; -1 for an end of the chain
WAY_COLUMNS = 2

# Columns of PlanarParameters.anchor, float, one row an anchored end of an open chain
ANCHOR_OWN_X, ANCHOR_OWN_Y = 0, 1  # in the frame of its body or wheel [m]
ANCHOR_STIFFNESS, ANCHOR_DAMPING = 2, 3  # [N/m, N s/m]
ANCHOR_X, ANCHOR_Y, ANCHOR_VX, ANCHOR_VY = 4, 5, 6, 7  # in the last evaluation [m, m/s]
ANCHOR_FORCE_X, ANCHOR_FORCE_Y = 8, 9  # of the chain on the anchor in the last evaluation [N]
ANCHOR_MOMENT = 10  # likewise, about its place [N m]
ANCHOR_TURNING = 11  # angular velocity of what it is on, in the last evaluation [rad/s]
ANCHOR_XX, ANCHOR_XY, ANCHOR_YY = 12, 13, 14  # stiffness of the joint against it, for the search for rest [N/m]
ANCHOR_COLUMNS = 15

# Columns of PlanarParameters.anchor_index, int, one row an anchored end
ANCHOR_ROLLER = 0  # the joint that is held
ANCHOR_BODY = 1  # of the mechanism that holds it, GROUND for none
ANCHOR_WHEEL = 2  # that holds it, -1 for none
ANCHOR_END = 3  # which end of the chain it is, 0 or 1
ANCHOR_INDEX_COLUMNS = 4

# Columns of PlanarParameters.payload, float, one row a payload, see payload.py
PAYLOAD_X, PAYLOAD_Y, PAYLOAD_UX, PAYLOAD_UY = 0, 1, 2, 3  # where its span begins [m], and its direction
PAYLOAD_START, PAYLOAD_END, PAYLOAD_TRANSITION = 4, 5, 6  # along the span from there [m]
PAYLOAD_BESIDE = 7  # beside the span, from where on nothing is carried [m]
PAYLOAD_GX, PAYLOAD_GY = 8, 9  # [m/s^2]
PAYLOAD_FEED = 10  # speed along the span with which goods come [m/s]
PAYLOAD_RESISTANCE = 11  # friction coefficient of goods that are dragged [-]
PAYLOAD_COLUMNS = 12

# Columns of PlanarParameters.payload_now, scratch of the last evaluation, one row a payload
PAYLOAD_MASS = 0  # on the chain [kg]
PAYLOAD_GIVEN, PAYLOAD_LOST = 1, 2  # to goods that left less what came with them; in sliding [W]
PAYLOAD_NOW_COLUMNS = 3

# Entries of PlanarParameters.search
SEARCH_DUE = 0  # time at which candidates must be searched anew [s]
SEARCH_ENERGY = 1  # stored energy at the start [J]
SEARCH_ENTRIES = 2

# Entries of PlanarParameters.limit: what limits an explicit step besides contacts and joint friction
LIMIT_SQUARE = 0  # square of the highest undamped frequency of links and mechanism [rad^2/s^2]
LIMIT_DAMPING = 1  # highest damping rate of links, joints and mechanism [1/s]
LIMIT_RATE = 2  # highest rate of loads and oil, which stand alone [1/s]
LIMIT_ENTRIES = 3

# Entries of PlanarParameters.segments_used
USED_SEGMENTS, USED_SLOTS = 0, 1

# Work integrals, the first of the states w, all in J: what came in, what went out, what was lost and where. The work
# that every shaft (motion and load, without bearing) did on its wheel follows them, one state a wheel.
WORK_INPUT, WORK_OUTPUT, WORK_LINK_DAMPING, WORK_ARTICULATION = 0, 1, 2, 3
WORK_CONTACT, WORK_FRICTION, WORK_BEARING = 4, 5, 6
WORK_GUIDE, WORK_TENSIONER = 7, 8
WORKS = ("input", "output", "link_damping", "articulation", "contact", "friction", "bearing", "guide", "tensioner")
N_WORKS = len(WORKS)


@told_by_type("closed", "ways")
class PlanarParameters(NamedTuple):
    """Compiled parameters, contact memory and scratch of all but the chain itself.

    N rollers (bushes in a chain without), W wheels, S surfaces (the wheels, then the guides), F faces of them, B bodies
    and J moving joints of the mechanism. A formulation has it as the field ``planar`` of its own parameters. An open
    chain has one link less than rollers: what there is of each link has a row of zeros behind the last one.
    """

    layout: Layout
    closed: bool
    """Whether the last roller has a link to roller 0."""
    touching_first: int
    """the first roller that may touch a surface: an anchored joint sits in its fitting"""
    touching_end: int
    """and the first one behind the last that may"""
    rollers: int
    wheels: int
    surfaces: int
    faces: int
    pitch: float
    gravity_x: float
    gravity_y: float
    roller_radius: float
    has_friction: bool
    """True where any surface has friction."""
    friction_kind: int
    friction_speed: float
    friction_sharpness: float
    reference_speed: float
    """impact speed of rollers that are in contact at the start [m/s]"""
    speed_floor: float
    """least impact speed of all others [m/s]; without stored memory the reference speed, and that of every contact"""
    stored_memory: bool
    """True: the impact speed is stored at impact."""
    search_margin: float
    stop_at_jump: bool
    """True: the run ends when the chain jumps a tooth."""
    wheel: FloatArray
    """(W, WHEEL_COLUMNS)"""
    wheel_index: IntArray
    """(W, INDEX_COLUMNS)"""
    surface: FloatArray
    """(S, SURFACE_COLUMNS)"""
    surface_index: IntArray
    """(S, SURFACE_INDEX_COLUMNS)"""
    face: IntArray
    """(F, FACE_COLUMNS)"""
    profile: FloatArray
    """(rows, 9): the tooth gaps of all wheels, see geometry.profile.table"""
    guide_profile: FloatArray
    """(rows, 13): the surfaces of all guides, see geometry.guide.table"""
    direction: FloatArray
    """(teeth of all wheels, 2): cosine and sine of the direction of every tooth gap in the frame of its wheel"""
    tilted: bool
    """True where any wheel is tilted, or may be."""
    tilt: FloatArray
    """(W, TILT_COLUMNS)"""
    motion: FloatArray
    """(W, columns), see mechanism.motion"""
    motion_table: FloatArray
    """(rows, 5), see mechanism.motion"""
    running: FloatArray
    """(W, WHEEL_COLUMNS), see mechanism.torque_kernels"""
    torque: FloatArray
    """(T, COLUMNS), see mechanism.torque_kernels"""
    torque_table: FloatArray
    """(rows, 6), see mechanism.torque_kernels"""
    freewheel: FloatArray
    """(W, FREEWHEEL_COLUMNS)"""
    spans: FloatArray
    """(spans, SPAN_COLUMNS): where the span lies along the loop, its middle and its direction"""
    ways: IntArray
    """(spans, WAY_COLUMNS)"""
    anchor_index: IntArray
    """(anchored ends, ANCHOR_INDEX_COLUMNS)"""
    payload: FloatArray
    """(payloads, PAYLOAD_COLUMNS)"""
    payload_share: FloatArray
    """(payloads, N): what each roller, or link, carries where all of the goods are on it [kg]"""
    start_angle: FloatArray
    """(W,) angles of the wheels at the start [rad]"""
    path_angle: float
    """angle of wheel 0 at the start [rad]"""
    path_sign: float
    """turning sign of wheel 0"""
    limit: FloatArray
    """(LIMIT_ENTRIES,)"""
    row_starts: IntArray
    """where the part of every group of channels begins in a row, see channels.py"""
    tree: Tree
    """bodies and joints that support wheels and guides"""
    named_bodies: int
    """of the drive; those of the shafts of wheels follow them"""
    elements: Elements
    """springs, dampers and tensioners between points of the bodies; the latches of ratchets are memory"""
    # memory, changed by accept only
    gap: IntArray
    """(W, N): tooth gap that a roller is in or nearest to, -1 when out of reach"""
    impact_speed: FloatArray
    """(F, N) [m/s], 0 while there is no contact"""
    segment: IntArray
    """(rows, SEGMENT_COLUMNS)"""
    segments_used: IntArray
    """(2,)"""
    candidate: FloatArray
    """(CANDIDATE_ROWS, slots)"""
    search: FloatArray
    """(SEARCH_ENTRIES,)"""
    mesh: FloatArray
    """(W, MESH_COLUMNS)"""
    overrun: FloatArray
    """(W,) by how much the hub behind a freewheel has run ahead of its wheel [rad]"""
    latch: FloatArray
    """the same array as elements.latch"""
    # scratch
    turning: FloatArray
    """(N,) angular velocity of the links [rad/s]; (0,) in a formulation whose links have none"""
    twist: FloatArray
    """(N,) moment of sliding on the links, about the centres of their bushes [N m]; (0,) likewise"""
    payload_now: FloatArray
    """(payloads, PAYLOAD_NOW_COLUMNS)"""
    carried: FloatArray
    """(N,) mass of the goods on each roller, or link [kg]"""
    anchor: FloatArray
    """(anchored ends, ANCHOR_COLUMNS)"""
    frame: FloatArray
    """(S, FRAME_COLUMNS)"""
    fold: FloatArray
    """(W, FOLD_COLUMNS)"""
    twisted: FloatArray
    """(W, TWISTED_COLUMNS)"""
    shaft: FloatArray
    """(W, SHAFT_COLUMNS)"""
    resultant: FloatArray
    """(S, RESULTANT_COLUMNS)"""
    contact: FloatArray
    """(CONTACT_ROWS, slots)"""
    derivative: FloatArray
    """(states,) for evaluations by ``record``"""
    joint_force: FloatArray
    """(B, 2) [N], for ``record``"""
    joint_moment: FloatArray
    """(B,) [N m], for ``record``"""


SCRATCH = tuple(
    f"planar.{name}"
    for name in (
        *(
            "turning",
            "twist",
            "payload_now",
            "carried",
            "anchor",
            "frame",
            "fold",
            "twisted",
            "shaft",
            "resultant",
            "contact",
            "derivative",
            "joint_force",
            "joint_moment",
            "elements.state",
        ),
        *(f"tree.{name}" for name in TREE_SCRATCH),
    )
)
"""What of them evaluations leave something in (System.scratch)."""
MEMORY = tuple(
    f"planar.{name}"
    for name in ("gap", "impact_speed", "segment", "segments_used", "candidate", "search", "mesh", "overrun", "latch")
)
"""Where the contact memory stands in the parameters of a formulation (System.memory)."""
