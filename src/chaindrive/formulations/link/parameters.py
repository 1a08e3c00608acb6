"""Parameters of the kernels of the link formulation in addition to those of all planar formulations: links and
joints.
"""

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
    """Links, (N,) each. The own frame of a link has its origin in the centre of its bush, x towards its pin."""

    mass: Reals
    inertia: Reals
    """mass [kg]; moment of inertia about the centre of mass [kg m^2]"""
    x: Reals
    y: Reals
    """centre of mass, in its own frame [m]"""
    length: Reals
    """distance from bush to pin [m]"""
    to_bush_x: Reals
    to_bush_y: Reals
    """vector from the centre of mass to the bush, in its own frame [m]"""
    to_pin_x: Reals
    to_pin_y: Reals
    """vector from the centre of mass to the pin, in its own frame [m]"""
    inverse_mass: Reals
    inverse_inertia: Reals
    """[1/kg, 1/(kg m^2)]"""


class Joints(NamedTuple):
    """Joints, (J,) each: joint i is the pin of link i - 1 in the bush of link i.

    Joint 0 of an open chain is the pin of its first fitting in the bush of link 0, its last joint the pin of the last
    link in the bush of the second fitting. At a free end the joint has neither stiffness nor clearance.
    """

    clearance: Reals
    """radial clearance [m]"""
    stiffness: Reals
    damping: Reals
    """stiffness and damping of both half links and the contact [N/m, N s/m]"""


class Links(NamedTuple):
    """Links in the last evaluation, (J,) each.

    The entry after the last link of an open chain is its second fitting, which has only an angle and a moment.
    """

    cos: Reals
    sin: Reals
    """cosine and sine of its angle"""
    bush_x: Reals
    bush_y: Reals
    """vector from its centre of mass to its bush, global [m]"""
    pin_x: Reals
    pin_y: Reals
    """vector from its centre of mass to its pin, global [m]"""
    moment: Reals
    """moment of its joints on it [N m]"""
    tension: Reals
    """force of its pin along it [N]"""


class Pins(NamedTuple):
    """Joints in the last evaluation, (J,) each."""

    x: Reals
    y: Reals
    """place of the pin [m]"""
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
    """force on the bush, the opposite on the pin [N]"""
    force: Reals
    """magnitude of this force [N]"""
    moment: Reals
    """moment on the link of the pin, the opposite on that of the bush [N m]"""


class Points(NamedTuple):
    """The trajectory at the place of each link in the last evaluation, (N,) each."""

    cos: Reals
    sin: Reals
    """cosine and sine of its direction"""
    curvature: Reals
    slope: Reals
    """curvature [1/m], and its slope along the trajectory [1/m^2]"""


class Reactions(NamedTuple):
    """Forces of joints that are constraints, (J,) each; (0,) without constraints."""

    x: Reals
    y: Reals
    """force on the bush, the mean of the last step [N]"""


class ImplicitJoints(NamedTuple):
    """Equations of joints that are solved implicitly over a step, see rigid.py; empty with compliant contacts."""

    step: FloatArray
    """(1,) [s]"""
    inverse_mass: FloatArray
    inverse_inertia: FloatArray
    """(N,) inverse mass and moment of inertia of links in a step [1/kg, 1/(kg m^2)]"""
    rear: FloatArray
    front: FloatArray
    """(N, 3, 3) rows of the joint at the bush and of that at the pin of a link"""
    matrix: Bordered
    factors: Factors
    shift: FloatArray
    """(3 J,) zeros"""
    free: NDArray[np.bool_]
    """(0,): nothing follows the joints"""
    right: FloatArray
    impulse: FloatArray
    """(3 J,)"""
    moved: FloatArray
    """(3 N,) velocities of links [m/s, rad/s]"""
    alone_x: FloatArray
    alone_y: FloatArray
    """(J,) forces of constraints without rigid contacts [N]"""
    own: FloatArray
    far: FloatArray
    """(J, 3, 3) of the inverse: blocks of the joints, and between them and the last one"""
    corner: FloatArray
    """(3, 3) block of the last joint"""


class JointsNear(NamedTuple):
    """Joints of links that meet surfaces, and the effect of impulses on these links on the joints; empty with compliant
    contacts.

    The last axis of directions, (2 most, 3), is that of the rows of a joint.
    """

    link: IntArray
    position: IntArray
    """(2 most,) link that a direction acts on, and the number of its place"""
    moment: FloatArray
    """(2 most,) moment of a unit impulse in the direction, about the centre of mass [m]"""
    behind: FloatArray
    ahead: FloatArray
    """rates of the first and of the second joint of the link due to it"""
    right: FloatArray
    second: FloatArray
    """impulses on these, without the last joint"""
    left: FloatArray
    """rates of the second joint, with those of the first one as transmitted to it"""
    far: FloatArray
    through: FloatArray
    """its effect on the last joint, and the impulse there"""
    travelled: FloatArray
    """impulses by one direction, at the second joint of every place before it"""
    short: FloatArray
    way: FloatArray
    """(2 most, 3, 3) from the first and from the second joint of a place to the second one of the place before"""
    block: FloatArray
    """(3, 3)"""


CLEARANCE, JOURNAL, REVOLUTE = 0, 1, 2
"""Joints with clearance; or as a journal bearing, a spring and damper between pin and bush (Pfeiffer, Figure 2); or as
a constraint (rigid.py).
"""

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
    """The trajectory along which links are counted in path coordinates; empty arrays in Cartesian ones."""

    table: FloatArray
    """(E, columns), see geometry.trajectory_kernels"""
    turned: FloatArray
    """(N,) whole turns between the angle of a link and that of the trajectory [rad]"""
    # scratch
    row: IntArray
    """(N,) element on which every link was last: where a search for its place begins"""
    plane: FloatArray
    """(states,) the state with Cartesian coordinates of the links"""
    point: Points


class Parameters(NamedTuple):
    """Compiled parameters and scratch of one drive with N links, and J joints and bushes: J = N, or N + 1 in an open
    chain. The last bush of an open chain is that of its second fitting, or a roller on the last pin of a free end.
    """

    planar: PlanarParameters
    path: Path
    links: int
    joint_kind: int
    joint_damping: float
    """viscous friction of the rotation of pin in bush [N m s/rad]"""
    joint_friction_radius: float
    """friction coefficient of pin in bush times pin radius [m]"""
    joint_friction_rate: float
    """turning rate that smooths the sign of joint friction [rad/s]"""
    joint_friction_stiffness: float
    """stiffness of a joint that is held by elastic friction, or of the spring in series with its damping [N m/rad]"""
    joint_relaxation: float
    """this stiffness divided by the damping in series with it [1/s]; 0: the damping acts alone"""
    oil_damping: float
    """damping of the oil between pin and bush where they touch [N s/m]"""
    oil_inverse_distance: float
    """inverse of the gap above which the oil has no force [1/m]"""
    roller_damping: float
    """viscous friction of a roller that turns on its bush [N m s/rad]"""
    surface_oil_damping: float
    """damping of the oil between a surface and the bodies that touch it [N s/m]"""
    surface_oil_inverse_distance: float
    """inverse of the gap above which that oil has no force [1/m]"""
    breaking_load: float
    body: Bodies
    joint: Joints
    hung: FloatArray
    """(2,) masses that hang on the ends of an open chain, each a part of its end link [kg]"""
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
    """forces of wheels, guides and joints on the bushes, (2 J,); the last one of an open chain acts on its last pin
    [N]"""
    bushes: Bordered
    """(J blocks) of an open chain: stiffness of contacts and anchors at bushes and the last pin, for the search for
    rest"""
    reaction: Reactions
    """memory of constraints"""
    implicit: ImplicitJoints
    near: JointsNear
    place_near: IntArray
    """(J,) number of every joint among the places of links that meet surfaces, -1 for none; else (0,)"""
