"""Parameters of the kernels of the roller formulation: links and joints, in addition to the planar parameters."""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.formulations.declare import Row
from chaindrive.formulations.planar.parameters import SCRATCH as PLANAR_SCRATCH
from chaindrive.formulations.planar.parameters import FloatArray, IntArray, PlanarParameters
from chaindrive.kernels.tables import Reals, Wholes


class Links(NamedTuple):
    """State of the links in the last evaluation, (N,) each."""

    x: Reals
    y: Reals
    """unit vector from roller i to roller i + 1"""
    tension: Reals
    """[N]"""
    angular_velocity: Reals
    """angular velocity of the link [rad/s]"""
    inverse: Reals
    """inverse of the length [1/m]"""
    force_x: Reals
    force_y: Reals
    """force on roller i; the opposite force acts on roller i + 1 [N]"""
    moment: Reals
    """moment of the joint at roller i on link i - 1; the opposite moment acts on link i [N m]"""


class ImplicitLinks(NamedTuple):
    """Equations of links that are integrated implicitly over a step, (N,) each, see rigid.py; otherwise (0,)."""

    mass: Reals
    """mass of a roller, including the effect of masses attached to it and of fittings that hold it [kg]"""
    diagonal: Reals
    beside: Reals
    """coupling to the next link"""
    pivot: Reals
    factor: Reals
    border: Reals
    """border of the factorisation"""
    impulse: Reals
    """impulses of the links [N s]"""


class LinksNear(NamedTuple):
    """Links at rollers that touch surfaces, (4 most,) each, and the rates at which impulses on these rollers lengthen
    the links.
    """

    link: Wholes
    first: Wholes
    second: Wholes
    """indices, among these links, of the links before and after a roller"""
    by_first: Reals
    by_second: Reals
    """rates of both links due to a unit impulse in a direction [1/kg]"""


class Rollers(NamedTuple):
    """Rollers and their links, (N,) each."""

    pitch: Reals
    """unloaded length of link i [m]"""
    mass: Reals
    """mass of roller i, including its share of attachments on both links and any load hanging from it [kg]"""


SCRATCH = (*PLANAR_SCRATCH, "link", "implicit", "near", "place", "inverse", "row")


class Parameters(NamedTuple):
    """Compiled parameters and scratch arrays of one drive with N rollers and N links.

    The last link of an open chain is not a real link.
    """

    planar: PlanarParameters
    links: int
    mass: float
    """mass of a roller, without attachments on its links [kg]"""
    stiffness: float
    damping: float
    joint_damping: float
    joint_friction_radius: float
    """coefficient of friction between pin and bush times the radius of the pin [m]"""
    joint_friction_rate: float
    """angular velocity over which the sign of joint friction is smoothed [rad/s]"""
    joint_friction_stiffness: float
    """stiffness of a joint that is held by elastic friction, or whose damping is in series with a spring [N m/rad]"""
    joint_relaxation: float
    """this stiffness divided by the damping in series with the spring [1/s]; 0: the damping acts alone"""
    breaking_load: float
    uneven_pitch: bool
    """Whether the length of any link differs from the pitch."""
    uneven_mass: bool
    """Whether rollers differ in mass, because of attachments or at the ends of an open chain."""
    roller: Rollers
    # scratch
    link: Links
    implicit: ImplicitLinks
    near: LinksNear
    """links near contacts, (0,) if contacts are compliant; the same holds for the next two fields"""
    place: IntArray
    """(N,) index of every link among the links near contacts, -1 if it is not one of them"""
    inverse: FloatArray
    """(4 most, 4 most) [kg]"""
    row: Row
    """row into which ``record`` writes"""
