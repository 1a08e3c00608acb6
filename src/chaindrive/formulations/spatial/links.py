"""The links of a chain as bodies in space, and the properties of their joints out of the plane: given or estimated
values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray
from chaindrive.mechanism.link_bodies import STEEL, stadium_area, stadium_polar_moment
from chaindrive.mechanism.links import LinkData, link_data
from chaindrive.model import Chain, Drive
from chaindrive.model.links import link_dimensions

__all__ = ["SpatialLinks", "spatial_links"]

SIDE_STIFFNESS, BEND_STIFFNESS, TWIST_STIFFNESS = 0.2, 0.06, 0.025
"""Stiffness along the pin relative to link_stiffness; then stiffness in bending and in twist relative to link_stiffness
x pitch^2. They are close to values that others use for bicycle chains (1e7 N/m, 300 and 120 N m/rad with 3e7 N/m and
12.7 mm). [-]"""
BEND_PLAY = math.radians(0.4)
"""Bending play of a joint with unknown clearance. [rad]"""
DAMPING = 0.02
"""Damping as a fraction of critical damping. [-]"""


class SpatialLinks(NamedTuple):
    """Links and joints of a chain of N links; links and joints are numbered as in ``LinkData``."""

    plane: LinkData
    """Data of the links in the plane of the chain, without clearance of the joints"""
    inertia: FloatArray
    """(N, 3) principal moments of inertia about the centre of mass: about the length of the link, transverse, and about
    the pins [kg m^2]"""
    side_stiffness: float
    """stiffness of a joint along its pin [N/m]"""
    side_damping: float
    """[N s/m]"""
    pin_play: float
    """[m]"""
    bend_stiffness: float
    """stiffness in bending and in twist [N m/rad]"""
    twist_stiffness: float
    bend_play: float
    """play in bending and in twist [rad]"""
    twist_play: float
    swing_damping: float
    """damping in bending and in twist [N m s/rad]"""
    estimates: Mapping[str, str]
    """What was estimated, and how, by names such as "sideways.stiffness"."""


def spatial_links(drive: Drive) -> SpatialLinks:
    """Return the links and joints of a drive. Here, clearance of the joints does not cause play in the plane."""
    chain, given = drive.chain, drive.chain.sideways
    plane = link_data(drive).jointed("ideal")
    about_x, about_y = _side_moments(chain)
    inertia = np.column_stack([about_x * plane.mass, about_y * plane.mass, plane.inertia])
    found = dict(plane.estimates)

    def value(name: str, estimate: float, words: str) -> float:
        own: float | None = getattr(given, name)
        if own is not None:
            return own
        found[f"sideways.{name}"] = f"{words}: {estimate:.4g}" if estimate else words
        return estimate

    swing = chain.link_stiffness * chain.pitch**2
    stiffness = value("stiffness", SIDE_STIFFNESS * chain.link_stiffness, "0.2 x link_stiffness")
    bend = value("bend_stiffness", BEND_STIFFNESS * swing, "0.06 x link_stiffness x pitch^2")
    play, words = _bend_play(chain)
    bend_play = value("bend_play", play, words)
    damping = 2.0 * DAMPING * math.sqrt(bend * float(inertia[:, 1].mean()))
    found["inertia about the length and transverse"] = "plates, bushes, rollers and pins with the mass of the link"
    return SpatialLinks(
        plane=plane,
        inertia=inertia,
        side_stiffness=stiffness,
        side_damping=2.0 * DAMPING * math.sqrt(stiffness * chain.link_mass),
        pin_play=value("pin_play", 0.0, "none: friction of the tight joints prevents axial play"),
        bend_stiffness=bend,
        twist_stiffness=value("twist_stiffness", TWIST_STIFFNESS * swing, "0.025 x link_stiffness x pitch^2"),
        bend_play=bend_play,
        twist_play=value("twist_play", bend_play, "as bend_play"),
        swing_damping=value("damping", damping, "2 % of the critical damping of bend_stiffness"),
        estimates=MappingProxyType(found),
    )


def _bend_play(chain: Chain) -> tuple[float, str]:
    """Return the tilt of a pin in its bush, and the reason for the value. [rad]"""
    clearance = float(np.mean(chain.joint_clearance))
    if clearance == 0.0:
        return BEND_PLAY, "0.4 degrees"
    size = {name: dimension.value for name, dimension in link_dimensions(chain).items()}
    length = size["inner_width"] + 2.0 * size["inner_link.plate_thickness"]
    return math.atan2(clearance, length), "joint_clearance divided by the length of the bush"


def _side_moments(chain: Chain) -> tuple[FloatArray, FloatArray]:
    """Return the moments of inertia of each link about its length and transverse to it, divided by its mass, (N,) each.
    [m^2]

    A link consists of two plates without holes and a cylinder at each joint: bush and roller for an inner link, or a
    pin for an outer link.
    """
    size = {name: dimension.value for name, dimension in link_dimensions(chain).items()}
    found = []
    width = size["inner_width"]
    for link, radius in (("inner_link", 0.5 * chain.roller_diameter), ("outer_link", 0.5 * size["pin_diameter"])):
        depth, thickness = size[f"{link}.plate_depth"], size[f"{link}.plate_thickness"]
        area = stadium_area(chain.pitch, depth)
        along = chain.pitch * depth**3 / 12.0 + math.pi * (0.5 * depth) ** 4 / 4.0
        across = stadium_polar_moment(chain.pitch, depth) - along
        plates = 2.0 * STEEL * thickness
        aside = (0.5 * (width + thickness)) ** 2 + thickness**2 / 12.0
        length = width if link == "inner_link" else width + 2.0 * thickness
        cylinders = 2.0 * STEEL * math.pi * radius**2 * length
        own = cylinders * (0.25 * radius**2 + length**2 / 12.0)
        mass = plates * area + cylinders
        about_x = plates * (along + area * aside) + own
        about_y = plates * (across + area * aside) + own + cylinders * (0.5 * chain.pitch) ** 2
        found.append((about_x / mass, about_y / mass))
        width += 2.0 * thickness
    each = np.array(found)[np.arange(chain.links) % 2]
    return each[:, 0], each[:, 1]
