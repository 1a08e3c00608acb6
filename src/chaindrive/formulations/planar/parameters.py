"""Parameters of the kernels of all planar formulations: one NamedTuple of numbers, arrays and tables."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.formulations.planar.layout import Layout
from chaindrive.formulations.planar.tables import (
    Anchors,
    Axles,
    Bearings,
    Candidates,
    Cogs,
    Contacts,
    Faces,
    Folds,
    Frames,
    Freewheels,
    Hinges,
    Limits,
    Meetings,
    Meshes,
    Payloads,
    PayloadsNow,
    Resultants,
    RigidForces,
    Search,
    Segments,
    Spans,
    Surfaces,
    Tilts,
    Twists,
    Used,
    Ways,
    Wheels,
)
from chaindrive.geometry.profile import MOST_ELEMENTS
from chaindrive.kernels import told_by_type
from chaindrive.mechanism.elements import Elements
from chaindrive.mechanism.load_kernels import LoadRows
from chaindrive.mechanism.motion import MotionRows
from chaindrive.mechanism.torque_kernels import Running, TorqueRows
from chaindrive.mechanism.tree import Tree
from chaindrive.mechanism.tree_kernels import SCRATCH as TREE_SCRATCH
from chaindrive.mechanism.wheels import ShaftTorques

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

PROFILE_ROWS = MOST_ELEMENTS
"""Number of rows for half a tooth gap; shorter profiles are padded with rows that are never reached."""
LAW_LINEAR, LAW_HERTZ, LAW_POWER, LAW_OWN = 0, 1, 2, 3
"""Contact laws: with exponent 1, with exponent 1.5, with any other exponent, and user-defined."""


# Work integrals, the first of the states w, all in J: input, output, and losses by place. The work
# that every shaft (motion and load, without bearing) did on its wheel follows them, one state a wheel.
WORK_INPUT, WORK_OUTPUT, WORK_LINK_DAMPING, WORK_ARTICULATION = 0, 1, 2, 3
WORK_CONTACT, WORK_FRICTION, WORK_BEARING = 4, 5, 6
WORK_GUIDE, WORK_TENSIONER = 7, 8
WORKS = ("input", "output", "link_damping", "articulation", "contact", "friction", "bearing", "guide", "tensioner")
N_WORKS = len(WORKS)


@told_by_type("closed", "ways")
class PlanarParameters(NamedTuple):
    """Compiled parameters, contact memory and scratch arrays of everything but the chain itself.

    There are N rollers (bushes in a chain without rollers), W wheels on A shafts, S surfaces (the wheels, then the
    guides) with F faces, B bodies and J moving joints of the mechanism. A formulation has these parameters in the field
    ``planar`` of its own parameters. An open chain has one link fewer than rollers, and its arrays of values of links
    have a row of zeros at the end.
    """

    layout: Layout
    closed: bool
    """Whether the chain is closed, so that the last roller has a link to roller 0."""
    touching_first: int
    """first roller that may touch a surface; an anchored joint is in its fitting and cannot"""
    touching_end: int
    """index after the last roller that may touch a surface"""
    rollers: int
    wheels: int
    axles: int
    surfaces: int
    faces: int
    pitch: float
    gravity_x: float
    gravity_y: float
    roller_radius: float
    has_friction: bool
    """Whether any surface has friction."""
    own_laws: bool
    """Whether any surface has a user-defined contact law or friction coefficient."""
    elastic_friction: bool
    """Whether friction of contacts and joints is elastic before sliding (sticking.py) rather than smoothed over the
    speed."""
    elastic_joints: bool
    """Whether joints have springs, either for elastic friction or in series with their damping."""
    anchors_kept: bool
    """Whether the run begins with the sticking contacts in memory, as when it continues another run."""
    friction_kind: int
    friction_speed: float
    friction_sharpness: float
    reference_speed: float
    """impact speed of rollers that are in contact at the start [m/s]"""
    speed_floor: float
    """smallest impact speed of all other rollers [m/s]; without stored memory, the reference speed of every contact"""
    stored_memory: bool
    """Whether the impact speed is stored at the beginning of an impact."""
    search_margin: float
    rigid_contacts: bool
    """Whether contacts are rigid, without springs, see rigid.py."""
    projects: bool
    """Whether positions of rigid contacts are projected after a step; if so, the last work is the account of this
    projection."""
    sprung_contacts: bool
    """Whether some surfaces keep springs in their contacts although other contacts are rigid, see sprung.py."""
    stop_at_jump: bool
    """Whether the run ends when the chain jumps a tooth."""
    wheel: Wheels
    axle: Axles
    surface: Surfaces
    face: Faces
    profile: FloatArray
    """(rows, 9): the tooth gaps of all wheels, see geometry.profile.table"""
    guide_profile: FloatArray
    """(rows, 13): the surfaces of all guides, see geometry.guide.table"""
    direction: FloatArray
    """(teeth of all wheels, 2): cosine and sine of the direction of every tooth gap in the frame of its wheel"""
    gap_shift: FloatArray
    """(teeth of all wheels, 2): shift of every tooth gap along its centre line, and to the left of it, see
    geometry.pitch_line [m]; no rows if all wheels are round"""
    cog: Cogs
    law_energy: FloatArray
    """(S, parts + 1): energies stored by user-defined contact laws, see physics.own_contact [J]; no rows without such
    laws"""
    tilted: bool
    """Whether any wheel is or may be tilted."""
    tilt: Tilts
    motion: MotionRows
    """(W,) each"""
    motion_table: FloatArray
    """(rows, 5), see mechanism.motion"""
    running: Running
    torque: TorqueRows
    torque_table: FloatArray
    """(rows, 6), see mechanism.torque_kernels"""
    freewheel: Freewheels
    spans: Spans
    ways: Ways
    end_load: LoadRows
    """forces on free ends, acting on coordinates of the joints, first all x, then all y"""
    end_load_table: FloatArray
    """(rows, 3), see mechanism.load_kernels"""
    payload: Payloads
    payload_share: FloatArray
    """(payloads, N): mass on each roller, or link, when fully loaded [kg]"""
    start_angle: FloatArray
    """(W,) angles of the wheels at the start [rad]"""
    path_angle: float
    """angle of wheel 0 at the start [rad]"""
    path_sign: float
    """direction of rotation of wheel 0, +1 or -1"""
    limit: Limits
    tree: Tree
    """bodies and joints that support wheels and guides"""
    named_bodies: int
    """number of bodies of the drive; the bodies of the shafts of wheels follow them"""
    elements: Elements
    """springs, dampers and tensioners between points of the bodies; the latches of ratchets are part of the memory"""
    # memory, changed by accept only
    gap: IntArray
    """(W, N): tooth gap in which a roller is, or the nearest gap; -1 if the roller is out of reach"""
    cog_gap: IntArray
    """(C, N): the same for every additional cog"""
    impact_speed: FloatArray
    """(F, N): impact speed [m/s], 0 while there is no contact"""
    segment: Segments
    used: Used
    candidate: Candidates
    search: Search
    mesh: Meshes
    anchored: Any
    """``tables.Anchored``, or in space ``spatial.parameters.Anchored``"""
    rigid: RigidForces
    """forces of rigid contacts, (0,) if contacts are compliant"""
    hinge: Hinges
    """springs of elastic friction in the joints, (0,) if friction is smoothed"""
    bearing: Bearings
    overrun: FloatArray
    """(W,) angle by which the hub behind a freewheel has run ahead of its wheel [rad]"""
    latch: FloatArray
    """the same array as elements.latch"""
    payload_anchor: FloatArray
    """(payloads, N): position along the span at which elastic friction of goods is zero; infinite without goods [m]"""
    peaks: Any
    """extremes of forces since the last row, ``peaks.Peaks``"""
    course: Any
    """forces of teeth at the end of the last step, ``peaks.Course``"""
    # scratch
    height: FloatArray
    """(N,) height of the bushes above the plane of the drawing [m]; (0,) without additional cogs"""
    turning: FloatArray
    """(N,) angular velocity of the links [rad/s]; (0,) in a formulation whose links do not rotate"""
    heading_x: FloatArray
    heading_y: FloatArray
    """(N,) direction of the links; (0,) in a formulation whose links do not rotate"""
    twist: FloatArray
    """(N,) moment of sliding friction on the links, about the centres of their bushes [N m]; (0,) if links do not
    rotate"""
    payload_now: PayloadsNow
    payload_follow: FloatArray
    """(payloads, N): ``payload_anchor`` if the evaluated state is accepted [m]"""
    carried: FloatArray
    """(N,) mass of the goods on each roller, or link [kg]"""
    anchor: Anchors
    """anchors of the ends; their positions, velocities, forces and moments belong to the last evaluation"""
    frame: Frames
    fold: Folds
    twisted: Twists
    shaft: ShaftTorques
    resultant: Resultants
    contact: Contacts
    meeting: Meetings
    """rigid contacts of a step, (0,) if contacts are compliant"""
    mobility: FloatArray
    """(3 S, 3 S) speed and angular speed of surfaces per unit impulse on them, for rigid contacts; otherwise (0, 0)"""
    response: FloatArray
    """(velocities of wheels and joints, 3 S) these velocities per unit impulse on the surfaces; otherwise (0, 0)"""
    moved: FloatArray
    """(states,) state with the velocities due to a unit impulse on a surface, for rigid contacts; otherwise (0,)"""
    tooth_force: FloatArray
    """(W,) largest normal force of a tooth of every wheel [N]"""
    derivative: FloatArray
    """(states,) rates of the state, for evaluations by ``record`` and between steps"""
    joint_force: FloatArray
    """(B, 2) [N], for ``record``"""
    joint_moment: FloatArray
    """(B,) [N m], for ``record``"""


SCRATCH = tuple(
    f"planar.{name}"
    for name in (
        *(
            "height",
            "turning",
            "heading_x",
            "heading_y",
            "twist",
            "payload_now",
            "payload_follow",
            "carried",
            "anchor",
            "frame",
            "fold",
            "twisted",
            "shaft",
            "resultant",
            "contact",
            "meeting",
            "mobility",
            "response",
            "moved",
            "tooth_force",
            "derivative",
            "joint_force",
            "joint_moment",
            "elements.state",
        ),
        *(f"tree.{name}" for name in TREE_SCRATCH),
    )
)
"""Fields of these parameters that evaluations overwrite (System.scratch)."""
MEMORY = tuple(
    f"planar.{name}"
    for name in (
        *(
            "gap",
            "cog_gap",
            "impact_speed",
            "segment",
            "used",
            "candidate",
            "search",
            "mesh",
            "anchored",
            "rigid",
            "hinge",
        ),
        *("bearing", "tree.anchor", "payload_anchor", "overrun", "latch", "peaks", "course"),
    )
)
"""Paths of the contact memory in the parameters of a formulation (System.memory)."""
