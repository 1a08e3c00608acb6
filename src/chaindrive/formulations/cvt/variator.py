"""Plain numbers that describe a chain between two pairs of sheaves, from which the formulation is compiled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from chaindrive.geometry.variator import Loop, loop_around
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.motion import Motion
from chaindrive.mechanism.torques import Torques
from chaindrive.mechanism.wheel_motions import wheel_motions
from chaindrive.mechanism.wheel_torques import wheel_torques
from chaindrive.model import CvtOptions, Drive, Sheave, torques_on
from chaindrive.model.ratio_control import RatioControl

__all__ = ["Pair", "Variator", "variator_of"]


SLOW = 0.1
"""Speed of the driven pair below which the ratio is undefined, relative to its nominal speed in the run. [-]"""


class Pair(NamedTuple):
    """A pair of sheaves, one of which moves along the axis."""

    name: str
    centre: tuple[float, float]
    """[m]"""
    radius: float
    """Running radius at which the chain is placed [m]"""
    reach: tuple[float, float] = (0.0, math.inf)
    """Smallest and largest radius at which the groove holds a pin [m]"""
    inertia: float = 0.0
    """[kg m^2]; 0 for a prescribed motion without stated inertia"""
    bearing_damping: float = 0.0
    bearing_friction: float = 0.0
    """[N m s/rad], [N m]"""
    motion: Motion | None = None
    """Motion of its angle; None: the pair has no prescribed motion"""
    sheave_mass: float = 2.0
    sheave_damping: float = 0.0
    """mass [kg] and damping [N s/m] of the movable sheave"""
    force: float = 0.0
    """force that closes the pair [N]"""
    control: RatioControl | None = None
    """controller that changes the force; None: the force is constant"""
    shift: Motion | None = None
    """axial displacement by which the pair closes from its drawn position, over time [m]; None: the force moves it"""
    tilt_stiffness: float = math.inf
    """stiffness of each sheave against tilt about an axis normal to its own; infinite: rigid [N m/rad]"""
    tilt_time: float = 2e-4
    """relaxation time with which the tilt follows the tilting moment [s]"""
    variation: float = 0.0
    """variation of the half angle around the axis, which replaces an elastic tilt [rad]"""
    widest: float | None = None
    """direction from the axis in which this variation widens the groove [rad]; None: it follows the pins"""


class Variator(NamedTuple):
    """The numbers that describe a drive with a variator."""

    pairs: tuple[Pair, Pair]
    pitches: tuple[float, ...]
    """Unloaded length of every link, (N,) [m]"""
    link_mass: float
    """mass of a link with its pin [kg]"""
    link_stiffness: float
    link_damping: float
    """[N/m], [N s/m]"""
    pin_stiffness: float
    pin_damping: float
    """axial stiffness [N/m] and damping [N s/m] of a pin, including both ends"""
    friction: float
    """friction coefficient of pins on sheaves [-]"""
    half_angle: float
    """half angle of the groove [rad]"""
    torques: Torques
    """torques on both pairs"""
    speeds: tuple[float, float]
    """speeds at which both pairs turn when the run starts [rad/s]"""
    rigid: bool = False
    """Whether links are rigid bodies with bushings between them, rather than point masses at the pins with springs"""
    revolute: bool = False
    """Whether the joints of rigid links are constraints instead of bushings"""
    link_inertia: float = 0.0
    """moment of inertia of a rigid link about its centre, midway between its ends [kg m^2]"""
    gravity: tuple[float, float] = (0.0, 0.0)
    """[m/s^2]"""
    smooth: float = 0.0
    """Sliding speed over which friction is smoothed; 0: Coulomb friction [m/s]"""
    driver: int = 0
    """Index of the driving pair"""
    slow_speed: float = 0.0
    """Speed of the driven pair below which the ratio is undefined [rad/s]"""
    slip_speed: float = math.inf
    """Mean sliding speed above which the chain counts as slipping [m/s]"""

    @property
    def coordinates(self) -> int:
        """Number of coordinates of the chain."""
        return (3 if self.rigid else 2) * len(self.pitches)

    @property
    def distance(self) -> float:
        """Centre distance. [m]"""
        return math.dist(self.pairs[0].centre, self.pairs[1].centre)

    @property
    def loop(self) -> Loop:
        """The loop on which the chain is placed."""
        return loop_around(self.pairs[0].radius, self.pairs[1].radius, self.distance)


def variator_of(drive: Drive, options: CvtOptions, at_speed: bool) -> Variator:
    """Return the numbers of a drive with sheaves. Raises InputError for a motion that is impossible."""
    facts, chain, pins = drive_facts(drive), drive.chain, drive.chain.pins
    assert pins is not None  # of a drive with sheaves
    moved = wheel_motions(drive, at_speed)
    radii = [0.5 * chain.mean_pitch / math.sin(math.pi / wheel.teeth) for wheel in drive.wheels]
    slope = math.tan(pins.half_angle)
    pairs = [
        _pair(sheave, radius, slope, motion)
        for sheave, radius, (motion, _) in zip(drive.sheaves, radii, moved, strict=True)
    ]
    driver, signs = facts.driver, facts.signs
    given = moved[driver][0]
    pace = facts.driver_speed * at_speed if given is None else given.initial_speed
    pace *= radii[driver] * signs[driver]
    return Variator(
        pairs=(pairs[0], pairs[1]),
        pitches=chain.lengths,
        link_mass=chain.link_mass,
        rigid=options.links == "rigid",
        revolute=options.joint == "revolute",
        link_inertia=chain.link_inertia or 0.0,
        link_stiffness=chain.link_stiffness,
        link_damping=chain.link_damping,
        pin_stiffness=pins.stiffness,
        pin_damping=pins.damping,
        friction=pins.friction,
        half_angle=pins.half_angle,
        torques=wheel_torques(facts, np.zeros(2), at_speed),
        speeds=(pace * signs[0] / radii[0], pace * signs[1] / radii[1]),
        gravity=drive.gravity,
        driver=driver,
        slow_speed=SLOW * facts.highest_speed * radii[driver] / radii[1 - driver],
        smooth=options.friction_speed if options.friction_law == "smoothed" else 0.0,
        slip_speed=max(options.largest_slip * facts.highest_speed * radii[driver], _winding(drive, radii)) or math.inf,
    )


def _winding(drive: Drive, radii: Sequence[float]) -> float:
    """Return the speed at which pins slide at most while the chain winds up under the torque of a free pair. [m/s]

    A run starts with equal tensions, and with both pairs at the speeds of the ratio. The torque M of a pair then turns
    its inertia J against the stiffness k of the tight span, up to the rim speed M / sqrt(k J).
    """
    facts, chain = drive_facts(drive), drive.chain
    length = float(max(facts.route.span_length))
    stiffness = chain.link_stiffness * chain.mean_pitch / length
    found = 0.0
    for wheel, radius in zip(drive.wheels, radii, strict=True):
        inertia = wheel.turned_inertia
        if wheel.motion is None and inertia:
            speed = facts.highest_speed * radii[facts.driver] / radius
            torque = sum(abs(each.facts(speed).largest) for each in torques_on(wheel))
            found = max(found, torque / math.sqrt(stiffness * inertia))
    return found


def _pair(sheave: Sheave, radius: float, slope: float, motion: Motion | None) -> Pair:
    """Return a pair of sheaves on which the chain runs at a radius [m]; slope: tan(beta) [-]."""
    shift: Motion | None = None
    if sheave.clamping_force is None:
        shift = motions.constant_speed(0.0, 0.0)
        if sheave.shift is not None:
            change = 2.0 * (sheave.shift.running_radius - radius) * slope
            shift = motions.move(change, sheave.shift.start, sheave.shift.duration)
    vehicle = 0.0 if sheave.vehicle is None else sheave.vehicle.inertia
    return Pair(
        name=sheave.name,
        centre=sheave.position,
        radius=radius,
        reach=(sheave.inner_radius, sheave.outer_radius),
        inertia=(sheave.inertia or 0.0) + vehicle,
        bearing_damping=sheave.bearing_damping,
        bearing_friction=sheave.bearing_friction,
        motion=motion,
        sheave_mass=sheave.sheave_mass,
        sheave_damping=sheave.sheave_damping,
        force=sheave.clamping_force or 0.0,
        control=sheave.ratio_control,
        shift=shift,
        tilt_stiffness=math.inf if sheave.tilt_stiffness is None else sheave.tilt_stiffness,
        tilt_time=sheave.tilt_time,
        variation=0.0 if sheave.deformation is None else sheave.deformation.variation,
        widest=None if sheave.deformation is None else sheave.deformation.widest,
    )
