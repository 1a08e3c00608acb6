"""What the kernels of the link formulation read besides what all planar formulations do: its links and joints."""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.contract.bordered import Bordered
from chaindrive.formulations.planar.parameters import N_WORKS as N_PLANAR_WORKS
from chaindrive.formulations.planar.parameters import SCRATCH as PLANAR_SCRATCH
from chaindrive.formulations.planar.parameters import WORKS as PLANAR_WORKS
from chaindrive.formulations.planar.parameters import FloatArray, IntArray, PlanarParameters

# Rows of Parameters.body, one column a link. Its own frame: origin in the centre of its bush, x towards its pin.
BODY_MASS, BODY_INERTIA = 0, 1  # [kg]; about the centre of mass [kg m^2]
BODY_X, BODY_Y = 2, 3  # centre of mass, in its own frame [m]
BODY_LENGTH = 4  # from bush to pin [m]
BODY_TO_BUSH_X, BODY_TO_BUSH_Y = 5, 6  # from the centre of mass to the bush, in its own frame [m]
BODY_TO_PIN_X, BODY_TO_PIN_Y = 7, 8  # and to the pin [m]
BODY_INVERSE_MASS, BODY_INVERSE_INERTIA = 9, 10  # [1/kg, 1/(kg m^2)]
BODY_ROWS = 11

# Rows of Parameters.joint, one column a joint: joint i is the pin of link i - 1 in the bush of link i. Joint 0 of an
# open chain is the pin of its first fitting in the bush of link 0, its last one the pin of the last link in the bush of
# the second fitting; without stiffness and clearance where that end is free
JOINT_CLEARANCE = 0  # radial [m]
JOINT_STIFFNESS, JOINT_DAMPING = 1, 2  # of both half links and the contact [N/m, N s/m]
JOINT_ROWS = 3

# Rows of Parameters.link, scratch of the last evaluation, one column a link; the one behind the last link of an open
# chain is its second fitting, of which there is the moment alone
LINK_COS, LINK_SIN = 0, 1  # of its angle
LINK_BUSH_X, LINK_BUSH_Y = 2, 3  # from its centre of mass to its bush, global [m]
LINK_PIN_X, LINK_PIN_Y = 4, 5  # from its centre of mass to its pin, global [m]
LINK_MOMENT = 6  # on it, of its joints [N m]
LINK_TENSION = 7  # force of its pin along it [N]
LINK_ROWS = 8

# Rows of Parameters.pin, scratch of the last evaluation, one column a joint
PIN_X, PIN_Y = 0, 1  # place of the pin [m]
PIN_VX, PIN_VY = 2, 3  # its velocity [m/s]
PIN_NORMAL_X, PIN_NORMAL_Y = 4, 5  # from the centre of the bush to that of the pin
PIN_PENETRATION, PIN_RATE = 6, 7  # [m, m/s]; negative: the gap
PIN_FORCE_X, PIN_FORCE_Y = 8, 9  # on the bush, the opposite on the pin [N]
PIN_FORCE = 10  # its size [N]
PIN_MOMENT = 11  # on the link of the pin, the opposite on that of the bush [N m]
PIN_ROWS = 12

# Rows of Path.point, scratch of the last evaluation, one column a link: the trajectory at its place
POINT_COS, POINT_SIN = 0, 1  # of its direction
POINT_CURVATURE, POINT_SLOPE = 2, 3  # [1/m]; along it [1/m^2]
POINT_ROWS = 4

CLEARANCE, JOURNAL = 0, 1
"""Joints with clearance; or as a journal bearing, a spring and damper between pin and bush (Pfeiffer, Figure 2)."""

WORK_OIL_FILM = N_PLANAR_WORKS
WORKS = (*PLANAR_WORKS, "oil_film")
SCRATCH = (
    *(*PLANAR_SCRATCH, "link", "pin", "place", "velocity", "force", "path.row", "path.plane", "path.point"),
    *(f"bushes.{name}" for name in Bordered._fields),
)


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
    point: FloatArray
    """(POINT_ROWS, N)"""


class Parameters(NamedTuple):
    """Compiled parameters and scratch of one drive: N links, and J joints and bushes, as many or of an open chain one
    more: its last bush is that of its second fitting, or where that end is free a roller on the last pin.
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
    oil_damping: float
    """of the oil between pin and bush where they touch [N s/m]"""
    oil_inverse_distance: float
    """inverse of the gap from which on the oil has no force [1/m]"""
    roller_damping: float
    """viscous friction of a roller that turns on its bush [N m s/rad]"""
    surface_oil_damping: float
    """of the oil between a surface and what touches it [N s/m]"""
    surface_oil_inverse_distance: float
    """inverse of the gap from which on that oil has no force [1/m]"""
    breaking_load: float
    body: FloatArray
    """(BODY_ROWS, N)"""
    joint: FloatArray
    """(JOINT_ROWS, J)"""
    hung: FloatArray
    """(2,) masses that hang on the ends of an open chain, each a part of its end link [kg]"""
    # scratch
    link: FloatArray
    """(LINK_ROWS, J)"""
    pin: FloatArray
    """(PIN_ROWS, J)"""
    place: FloatArray
    """of the bushes, (2 J,), first all x, then all y [m]"""
    velocity: FloatArray
    """of the bushes, (2 J,) [m/s]"""
    force: FloatArray
    """of wheels, guides and joints on the bushes, (2 J,); the last of an open chain that on the last pin [N]"""
    bushes: Bordered
    """(J blocks) of an open chain: what contacts and anchors are to bushes and the last pin, for the search for rest"""
