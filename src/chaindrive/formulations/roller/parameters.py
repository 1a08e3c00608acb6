"""What the kernels of the roller formulation read besides what all planar formulations do: its links and joints."""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.formulations.planar.parameters import SCRATCH as PLANAR_SCRATCH
from chaindrive.formulations.planar.parameters import FloatArray, PlanarParameters

# Rows of Parameters.link, scratch of the last evaluation, one column a link
LINK_X, LINK_Y = 0, 1  # unit vector from roller i to roller i + 1
LINK_TENSION = 2  # [N]
LINK_ANGULAR_VELOCITY = 3  # angular velocity of the link [rad/s]
LINK_INVERSE = 4  # 1 / length [1/m]
LINK_FORCE_X, LINK_FORCE_Y = 5, 6  # force on roller i; the opposite acts on roller i + 1 [N]
LINK_MOMENT = 7  # of the joint at roller i: on link i - 1, the opposite on link i [N m]
LINK_ROWS = 8


# Rows of Parameters.roller, one column a roller and its link
ROLLER_PITCH = 0  # length of link i without force [m]
ROLLER_MASS = 1  # of roller i, with what is attached to both its links and hangs on it [kg]
ROLLER_ROWS = 2

SCRATCH = (*PLANAR_SCRATCH, "link")


class Parameters(NamedTuple):
    """Compiled parameters and scratch of one drive; N rollers, and as many links: the last of an open chain is none."""

    planar: PlanarParameters
    links: int
    mass: float
    """of a roller, without what is attached to its links [kg]"""
    stiffness: float
    damping: float
    joint_damping: float
    joint_friction_radius: float
    """friction coefficient of pin in bush times pin radius [m]"""
    joint_friction_rate: float
    """turning rate that smooths the sign of joint friction [rad/s]"""
    breaking_load: float
    uneven_pitch: bool
    """Whether any link has another length than the pitch."""
    uneven_mass: bool
    """Whether rollers differ in mass: by what is attached to links, or those at the ends of an open chain."""
    roller: FloatArray
    """(ROLLER_ROWS, N)"""
    # scratch
    link: FloatArray
    """(LINK_ROWS, N)"""
