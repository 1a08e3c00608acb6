"""Parameters of the kernels of the link formulation: links and joints, in addition to the planar parameters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.bordered import Bordered, Factors
from chaindrive.formulations.declare import Row
from chaindrive.formulations.planar.parameters import MEMORY as PLANAR_MEMORY
from chaindrive.formulations.planar.parameters import N_WORKS as N_PLANAR_WORKS
from chaindrive.formulations.planar.parameters import SCRATCH as PLANAR_SCRATCH
from chaindrive.formulations.planar.parameters import WORKS as PLANAR_WORKS
from chaindrive.formulations.planar.parameters import FloatArray, IntArray, PlanarParameters
from chaindrive.kernels.tables import Reals


class Bodies(NamedTuple):
    """Links, (N,) each. The frame of a link has its origin at the centre of the bush and its x axis towards the pin."""

    mass: Reals
    inertia: Reals
    """mass [kg]; moment of inertia about the centre of mass [kg m^2]"""
    x: Reals
    y: Reals
    """centre of mass in the frame of the link [m]"""
    length: Reals
    """distance from bush to pin [m]"""
    to_bush_x: Reals
    to_bush_y: Reals
    """vector from the centre of mass to the bush, in the frame of the link [m]"""
    to_pin_x: Reals
    to_pin_y: Reals
    """vector from the centre of mass to the pin, in the frame of the link [m]"""
    inverse_mass: Reals
    inverse_inertia: Reals
    """[1/kg, 1/(kg m^2)]"""


class Joints(NamedTuple):
    """Joints, (J,) each: joint i is the pin of link i - 1 in the bush of link i.

    In an open chain, joint 0 is the pin of the first fitting in the bush of link 0, and the last joint is the pin of
    the last link in the bush of the second fitting. At a free end the joint has neither stiffness nor clearance.
    """

    clearance: Reals
    """radial clearance [m]"""
    stiffness: Reals
    damping: Reals
    """stiffness and damping of the joint with both half links and the contact [N/m, N s/m]"""


class Links(NamedTuple):
    """State of the links in the last evaluation, (J,) each.

    The entry after the last link of an open chain is its second fitting, which has only an angle and a moment.
    """

    cos: Reals
    sin: Reals
    """cosine and sine of the angle of the link"""
    bush_x: Reals
    bush_y: Reals
    """vector from the centre of mass to the bush, in the global frame [m]"""
    pin_x: Reals
    pin_y: Reals
    """vector from the centre of mass to the pin, in the global frame [m]"""
    moment: Reals
    """moment of the joints on the link [N m]"""
    tension: Reals
    """force of the pin along the link [N]"""


class Pins(NamedTuple):
    """State of the joints in the last evaluation, (J,) each."""

    x: Reals
    y: Reals
    """position of the pin [m]"""
    vx: Reals
    vy: Reals
    """velocity of the pin [m/s]"""
    normal_x: Reals
    normal_y: Reals
    """unit vector from the centre of the bush to that of the pin"""
    penetration: Reals
    rate: Reals
    """penetration and its rate [m, m/s]; negative: the gap"""
    force_x: Reals
    force_y: Reals
    """force on the bush; the opposite force acts on the pin [N]"""
    force: Reals
    """magnitude of this force [N]"""
    moment: Reals
    """moment on the link of the pin; the opposite moment acts on the link of the bush [N m]"""


class Points(NamedTuple):
    """The trajectory at the position of each link in the last evaluation, (N,) each."""

    cos: Reals
    sin: Reals
    """cosine and sine of the direction of the trajectory"""
    curvature: Reals
    slope: Reals
    """curvature [1/m], and its derivative along the trajectory [1/m^2]"""


class Reactions(NamedTuple):
    """Forces of joints that are constraints, (J,) each; (0,) without constraints."""

    x: Reals
    y: Reals
    """force on the bush, averaged over the last step [N]"""


class ImplicitJoints(NamedTuple):
    """Equations of joints that are solved implicitly over a step, see rigid.py; empty with compliant contacts."""

    step: FloatArray
    """(1,) length of the step [s]"""
    inverse_mass: FloatArray
    inverse_inertia: FloatArray
    """(N,) inverse mass and moment of inertia of links in a step [1/kg, 1/(kg m^2)]"""
    rear: FloatArray
    front: FloatArray
    """(N, 3, 3) coefficients of the velocities of a link in the equations of its joints at the bush and at the pin"""
    matrix: Bordered
    factors: Factors
    shift: FloatArray
    """(3 J,) zeros"""
    free: NDArray[np.bool_]
    """(0,): nothing borders the joints"""
    right: FloatArray
    impulse: FloatArray
    """(3 J,)"""
    moved: FloatArray
    """(3 N,) velocities of links [m/s, rad/s]"""
    alone_x: FloatArray
    alone_y: FloatArray
    """(J,) forces that the constraints would have without rigid contacts [N]"""
    own: FloatArray
    far: FloatArray
    """(J, 3, 3) of the inverse: the block of every joint, and the block between it and the last joint"""
    corner: FloatArray
    """(3, 3) block of the last joint"""


class JointsNear(NamedTuple):
    """Joints of links that meet surfaces, and how impulses on these links affect the joints; empty with compliant
    contacts.

    The last axis of arrays of shape (2 most, 3) contains the rows of a joint.
    """

    link: IntArray
    position: IntArray
    """(2 most,) link on which an impulse in a direction acts, and the index of this link among all links that meet
    surfaces, in the order of the joints"""
    moment: FloatArray
    """(2 most,) moment of a unit impulse in the direction, about the centre of mass [m]"""
    behind: FloatArray
    ahead: FloatArray
    """rates of the first and of the second joint of the link due to a unit impulse in the direction"""
    right: FloatArray
    second: FloatArray
    """impulses on these joints, without the last joint"""
    left: FloatArray
    """rates of the second joint, including the transmitted rates of the first joint"""
    far: FloatArray
    through: FloatArray
    """effect on the last joint, and the impulse there"""
    travelled: FloatArray
    """impulses due to one direction, at the second joint of every position before it"""
    short: FloatArray
    way: FloatArray
    """(2 most, 3, 3) factors by which impulses are passed from the first and from the second joint of a position to the
    second joint of the position before it"""
    block: FloatArray
    """(3, 3)"""


CLEARANCE, JOURNAL, REVOLUTE = 0, 1, 2
"""Kinds of joints: with clearance; as a journal bearing, with a spring and damper between pin and bush (Pfeiffer,
Figure 2); or as a constraint (rigid.py)."""

WORK_OIL_FILM = N_PLANAR_WORKS
WORKS = (*PLANAR_WORKS, "oil_film")
SCRATCH = (
    *(*PLANAR_SCRATCH, "link", "pin", "place", "velocity", "force", "path.row", "path.plane", "path.point", "row"),
    *(f"bushes.{name}" for name in Bordered._fields),
    *(f"implicit.{name}" for name in ImplicitJoints._fields if name not in ("matrix", "factors")),
    *(f"implicit.matrix.{name}" for name in Bordered._fields),
    *(f"implicit.factors.{name}" for name in Factors._fields),
    *("near", "place_near"),
)
MEMORY = (*PLANAR_MEMORY, "reaction")


class Path(NamedTuple):
    """The trajectory along which the positions of links are measured in path coordinates; empty in Cartesian
    coordinates.
    """

    table: FloatArray
    """(E, columns), see geometry.trajectory_kernels"""
    turned: FloatArray
    """(N,) whole turns between the angle of a link and the angle of the trajectory [rad]"""
    # scratch
    row: IntArray
    """(N,) element of the trajectory on which every link was last, where the search for its position begins"""
    plane: FloatArray
    """(states,) the state with Cartesian coordinates of the links"""
    point: Points


class Parameters(NamedTuple):
    """Compiled parameters and scratch arrays of one drive with N links, and J joints and bushes, where J is N, or N + 1
    for an open chain.

    The last bush of an open chain is that of its second fitting or, at a free end, a roller on the last pin.
    """

    planar: PlanarParameters
    path: Path
    links: int
    joint_kind: int
    joint_damping: float
    """coefficient of viscous friction against rotation of the pin in the bush [N m s/rad]"""
    joint_friction_radius: float
    """coefficient of friction between pin and bush times the radius of the pin [m]"""
    joint_friction_rate: float
    """rate of rotation over which joint friction is smoothed [rad/s]"""
    joint_friction_stiffness: float
    """stiffness of a joint that is held by elastic friction, or of the spring in series with its damping [N m/rad]"""
    joint_relaxation: float
    """this stiffness divided by the damping in series with the spring [1/s]; 0: the damping acts alone"""
    oil_damping: float
    """damping of the oil between pin and bush while they touch [N s/m]"""
    oil_inverse_distance: float
    """inverse of the gap above which the oil has no force [1/m]"""
    roller_damping: float
    """coefficient of viscous friction of a roller that turns on its bush [N m s/rad]"""
    surface_oil_damping: float
    """damping of the oil between a surface and the bodies that touch it [N s/m]"""
    surface_oil_inverse_distance: float
    """inverse of the gap above which that oil has no force [1/m]"""
    breaking_load: float
    body: Bodies
    joint: Joints
    hung: FloatArray
    """(2,) masses attached to the ends of an open chain, each a part of its end link [kg]"""
    # scratch
    link: Links
    row: Row
    """row into which ``record`` writes"""
    pin: Pins
    place: FloatArray
    """positions of the bushes, (2 J,), first all x, then all y [m]"""
    velocity: FloatArray
    """velocities of the bushes, (2 J,) [m/s]"""
    force: FloatArray
    """forces of wheels, guides and joints on the bushes, (2 J,); the last entry of an open chain acts on its last pin
    [N]"""
    bushes: Bordered
    """(J blocks) for an open chain: stiffness of contacts and anchors at the bushes and the last pin, for the search
    for the equilibrium at rest"""
    reaction: Reactions
    """memory of the constraints"""
    implicit: ImplicitJoints
    near: JointsNear
    place_near: IntArray
    """(J,) index of every joint among the positions of links that meet surfaces, -1 if it is not one of them; (0,) with
    compliant contacts"""
