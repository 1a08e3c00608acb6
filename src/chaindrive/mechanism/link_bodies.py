"""Masses and moments of inertia of links from the volumes of their parts: plates, bushes, rollers and pins of steel.

A plate is a stadium: a rectangle as long as the pitch with half a disc at each end. Makers' plates have a waist: for
standard chains, the computed links are between 2 % lighter and 15 % heavier than those in the catalogue, except for 05B
(12 % lighter) and 04B (17 % heavier). The results are scaled to the mass of the chain, so the density cancels.
"""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["STEEL", "LinkBody", "inner_body", "outer_body", "stadium_area", "stadium_polar_moment"]

STEEL = 7850.0
"""Density. [kg/m^3]"""


class LinkBody(NamedTuple):
    """Mass [kg] and moment of inertia about the centre of mass [kg m^2], which is midway between the joints."""

    mass: float
    inertia: float


def stadium_area(length: float, depth: float) -> float:
    """Return the area of a rectangle with half a disc at each of its short ends, in m^2.

    length [m]: of the rectangle, equal to the distance between the centres of the discs; depth [m]: of the rectangle,
    equal to the diameter of the discs.
    """
    return length * depth + 0.25 * math.pi * depth**2


def stadium_polar_moment(length: float, depth: float) -> float:
    """Return the polar second moment of the same area about its centre, in m^4.

    With r = depth / 2, the rectangle contributes r L^3 / 6 + 2 L r^3 / 3, and the half discs contribute pi r^4 / 2 + pi
    r^2 L^2 / 4 + 4 L r^3 / 3, as their centroids are 4 r / (3 pi) outside the centres of the discs.
    """
    r = 0.5 * depth
    return r * length**3 / 6.0 + 2.0 * length * r**3 + math.pi * r**2 * (0.5 * r**2 + 0.25 * length**2)


def inner_body(
    pitch: float,
    depth: float,
    thickness: float,
    inner_width: float,
    pin: float,
    bush: float,
    roller: float,
    strands: int = 1,
) -> LinkBody:
    """Return the body of an inner link: two plates with holes for two bushes, two bushes whose
    length is the inner width plus the thickness of both plates, and two rollers.

    For several strands, such links lie side by side. All lengths in m: depth and thickness of a plate; diameters of pin
    (equal to the bore of the bush), bush (outer) and roller (equal to that of the bush in a bush chain). A roller turns
    freely on its bush: its mass moves with the link, but its own rotation is not included.
    """
    plates = _plates(pitch, depth, thickness, bush)
    bushes = _cylinders(pitch, bush, pin, inner_width + 2.0 * thickness)
    rollers = _cylinders(pitch, roller, bush, inner_width)
    at_joints = rollers.mass * (0.5 * pitch) ** 2
    mass, inertia = plates.mass + bushes.mass + rollers.mass, plates.inertia + bushes.inertia + at_joints
    return LinkBody(strands * mass, strands * inertia)


def outer_body(
    pitch: float,
    depth: float,
    thickness: float,
    inner_width: float,
    inner_thickness: float,
    pin: float,
    strands: int = 1,
    transverse_pitch: float = 0.0,
    between: float = 0.0,
) -> LinkBody:
    """Return the body of an outer link: two plates, intermediate plates between the strands, and two pins through all
    of them.

    All lengths in m, as for :func:`inner_body`; transverse_pitch: distance from strand to strand; between: thickness of
    all plates between two strands; their depth is that of the outer plates.
    """
    further = strands - 1
    plates = _plates(pitch, depth, thickness + 0.5 * further * between, pin)
    pins = _cylinders(pitch, pin, 0.0, inner_width + 2.0 * (inner_thickness + thickness) + further * transverse_pitch)
    return LinkBody(plates.mass + pins.mass, plates.inertia + pins.inertia)


def _plates(pitch: float, depth: float, thickness: float, hole: float) -> LinkBody:
    """Return the mass and moment of inertia of two plates with two holes each."""
    area = stadium_area(pitch, depth) - 0.5 * math.pi * hole**2
    moment = stadium_polar_moment(pitch, depth) - 0.5 * math.pi * hole**2 * (0.125 * hole**2 + 0.25 * pitch**2)
    return LinkBody(2.0 * STEEL * thickness * area, 2.0 * STEEL * thickness * moment)


def _cylinders(pitch: float, outer: float, bore: float, length: float) -> LinkBody:
    """Return two hollow cylinders, one at each joint, that turn with the link."""
    mass = 2.0 * STEEL * length * 0.25 * math.pi * (outer**2 - bore**2)
    return LinkBody(mass, mass * (0.125 * (outer**2 + bore**2) + 0.25 * pitch**2))
