"""A chain between two pairs of sheaves as numbers: what the formulation compiles."""

from __future__ import annotations

import math
from typing import NamedTuple

from chaindrive.geometry.variator import Loop, loop_around
from chaindrive.mechanism.motion import Motion
from chaindrive.mechanism.torques import Torques

__all__ = ["Pair", "Variator"]


class Pair(NamedTuple):
    """A pair of sheaves, of which one moves along the axis."""

    name: str
    centre: tuple[float, float]
    """[m]"""
    radius: float
    """Running radius at which the chain is placed [m]"""
    reach: tuple[float, float] = (0.0, math.inf)
    """Least and largest radius at which the groove holds a pin [m]"""
    inertia: float = 0.0
    """[kg m^2]; 0 for a prescribed motion without stated inertia"""
    bearing_damping: float = 0.0
    bearing_friction: float = 0.0
    """[N m s/rad], [N m]"""
    motion: Motion | None = None
    """Of its angle; None: it turns freely"""
    sheave_mass: float = 2.0
    sheave_damping: float = 0.0
    """of the sheave that moves along the axis [kg], [N s/m]"""
    force: float = 0.0
    """that closes the pair [N]"""
    shift: Motion | None = None
    """by how much it closes from where it was drawn, over time [m]; None: the force moves it"""
    tilt_stiffness: float = math.inf
    """of each sheave, against tilt about an axis across its own; infinite: rigid [N m/rad]"""
    tilt_time: float = 2e-4
    """within which the tilt follows its moment [s]"""


class Variator(NamedTuple):
    """The drive."""

    pairs: tuple[Pair, Pair]
    pitches: tuple[float, ...]
    """Length of every link without load, (N,) [m]"""
    link_mass: float
    """of a link with its pin, as a point at the pin [kg]"""
    link_stiffness: float
    link_damping: float
    """[N/m], [N s/m]"""
    pin_stiffness: float
    pin_damping: float
    """of a pin with both its ends, along itself [N/m], [N s/m]"""
    friction: float
    """coefficient of pins on sheaves [-]"""
    half_angle: float
    """of the groove [rad]"""
    torques: Torques
    """on both pairs"""
    speeds: tuple[float, float]
    """at which they turn when the run starts [rad/s]"""
    gravity: tuple[float, float] = (0.0, 0.0)
    """[m/s^2]"""
    smooth: float = 0.0
    """Sliding speed over which friction is smoothed; 0: Coulomb friction [m/s]"""
    largest_slip: float = 0.2
    """Mean sliding speed over that of the rim, from which the chain counts as slipping [-]"""

    @property
    def distance(self) -> float:
        """Of the centres. [m]"""
        return math.dist(self.pairs[0].centre, self.pairs[1].centre)

    @property
    def loop(self) -> Loop:
        """On which the chain is placed."""
        return loop_around(self.pairs[0].radius, self.pairs[1].radius, self.distance)
