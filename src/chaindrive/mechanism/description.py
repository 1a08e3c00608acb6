"""Conversion of the description of bodies and tensioners into the arrays that the kernels of the mechanism read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.elements import (
    ElementData,
    Elements,
    HydraulicData,
    LawData,
    RatchetData,
    build_elements,
    element_stops,
    initial_pressures,
)
from chaindrive.mechanism.joint_motions import joint_motion
from chaindrive.mechanism.shafts import shaft_end
from chaindrive.mechanism.tree import (
    FIXED,
    GROUND,
    PRISMATIC,
    REVOLUTE,
    BodyData,
    PointMass,
    Tree,
    build_tree,
    joint_start,
    joint_stops,
)
from chaindrive.model import Drive
from chaindrive.model.body import GROUND as GROUND_NAME
from chaindrive.model.body import Body, FixedJoint, PrismaticJoint
from chaindrive.model.load_over_time import constant_load, load_rows, start_load
from chaindrive.model.tensioner import HydraulicTensioner, Tensioner
from chaindrive.model.wheel import Wheel

__all__ = ["Mechanism", "aside", "carrier", "hub", "joint_names", "mechanism_of"]

FloatArray = NDArray[np.float64]


class Mechanism(NamedTuple):
    """The bodies that support wheels and guides, and the elements between points of these bodies."""

    tree: Tree
    elements: Elements
    bodies: Mapping[str, tuple[int, tuple[float, float]]]
    """For every body by name, its index and the origin of its frame in the reference configuration [m]; the ground is
    -1. Parts without a name in the drive are named by ``carrier`` (ends of elastic shafts), ``aside`` (bodies that
    represent wheels moving along their axes) and ``hub`` (hubs driven through freewheels).
    """
    named_bodies: int
    """Number of bodies with a name in the drive; they come first."""
    point_masses: tuple[PointMass, ...]
    """The wheels that ride on bodies."""
    pressures: FloatArray
    """Initial values of the chamber pressures, (H,) [Pa]"""
    coordinates: FloatArray
    """Initial values of the joint coordinates, (J,) [rad or m]"""
    speeds: FloatArray
    """Initial values of the rates of these coordinates, (J,)"""
    stops: FloatArray
    """Instants at which the acceleration of a prescribed joint, a time-dependent load or a supply pressure has a kink.
    [s]
    """


def mechanism_of(drive: Drive) -> Mechanism:
    """Return the mechanism of a drive. Raises InputError if it cannot move as described."""
    names = {body.name: index for index, body in enumerate(drive.bodies)} | {GROUND_NAME: GROUND}
    data = [_body(body, names[body.parent], drive.chain.pitch) for body in drive.bodies]
    named = len(data)
    for number, wheel in enumerate(drive.wheels):
        if wheel.shaft is not None:
            data += shaft_end(wheel.shaft, wheel.position, len(data))
            names[carrier(drive, number)] = len(data) - 1
        if _moves_aside(wheel):
            data.append(_aside(wheel, drive.gravity))
            names[aside(number)] = len(data) - 1
        if wheel.freewheel is not None:
            place = wheel.position
            data.append(BodyData(joint=REVOLUTE, inertia=wheel.hub_inertia, centre=place, position=place))
            names[hub(number)] = len(data) - 1
    bodies = {name: (index, data[index].position if index >= 0 else (0.0, 0.0)) for name, index in names.items()}
    point_masses = tuple(
        PointMass(names[carrier(drive, number)], wheel.position, wheel.mass or 0.0)
        for number, wheel in enumerate(drive.wheels)
        if names[carrier(drive, number)] != GROUND
    )
    try:
        tree = build_tree(data, point_masses, len(drive.wheels))
    except ValueError as error:
        raise InputError([Problem("bodies", line) for line in str(error).splitlines()]) from error
    tensioning = [_element(each, names) for each in drive.tensioners]
    try:
        elements = build_elements(tensioning, tree)
    except ValueError as error:
        raise InputError([Problem("tensioners", line) for line in str(error).splitlines()]) from error
    coordinates, speeds = joint_start(data)
    return Mechanism(
        tree=tree,
        elements=elements,
        bodies=bodies,
        named_bodies=named,
        point_masses=point_masses,
        pressures=initial_pressures(elements),
        coordinates=coordinates,
        speeds=speeds,
        stops=np.union1d(joint_stops(data), element_stops(tensioning)),
    )


def carrier(drive: Drive, number: int) -> str:
    """Return the name in ``Mechanism.bodies`` of the part that carries a wheel: its body, or the end of its elastic
    shaft.
    """
    wheel = drive.wheels[number]
    return wheel.body if wheel.shaft is None else f"wheels[{number}].shaft"


def aside(number: int) -> str:
    """Return the name in ``Mechanism.bodies`` of the body that represents the motion of a wheel along its axis."""
    return f"wheels[{number}].lateral"


def hub(number: int) -> str:
    """Return the name in ``Mechanism.bodies`` of the hub that a wheel drives through its freewheel."""
    return f"wheels[{number}].freewheel"


def joint_names(drive: Drive) -> tuple[str, ...]:
    """Return, for every joint coordinate, the name of the part that moves with it: bodies by their names, then for
    every wheel the end of its shaft along x and y, the wheel along its axis, and its hub.
    """
    names = [body.name for body in drive.bodies if not isinstance(body.joint, FixedJoint)]
    for wheel in drive.wheels:
        names += [f"{wheel.name} shaft {axis}" for axis in "xy"] if wheel.shaft is not None else []
        names += [f"{wheel.name} along its axis"] if _moves_aside(wheel) else []
        names += [f"{wheel.name} hub"] if wheel.freewheel is not None else []
    return tuple(names)


def _moves_aside(wheel: Wheel) -> bool:
    """Return whether a wheel moves along its axis, against a spring or as prescribed."""
    return wheel.lateral_stiffness is not None or wheel.lateral_motion is not None


def _aside(wheel: Wheel, gravity: tuple[float, float]) -> BodyData:
    """Return a slide whose coordinate is the displacement of a wheel out of the plane, with the mass of the wheel and
    its spring or motion.

    As the tree is in the plane, the slide is placed at right angles to gravity, so that weight has no effect on it. It
    carries nothing. The force on it is the force of the chain out of the plane (spatial/support.py).
    """
    x, y = gravity
    return BodyData(
        joint=PRISMATIC,
        mass=wheel.mass or 0.0,
        centre=wheel.position,
        position=wheel.position,
        direction=(-y, x) if math.hypot(x, y) > 0.0 else (1.0, 0.0),
        stiffness=wheel.lateral_stiffness or 0.0,
        damping=wheel.lateral_damping,
        motion=joint_motion(wheel.lateral_motion),
    )


YIELD = 1e-5
"""Displacement beyond which a joint with elastic friction slides: an angle [rad], or a distance in pitches. [-]"""
SMOOTHED_RATE, SMOOTHED_SPEED = 0.1, 0.005
"""Scales over which joint friction is smoothed in a drive without elastic friction. [rad/s, m/s]"""


def _body(body: Body, parent: int, pitch: float) -> BodyData:
    joint = body.joint
    if isinstance(joint, FixedJoint):
        centre = body.centre_of_mass or (0.0, 0.0)
        return BodyData(parent, FIXED, body.mass, body.inertia, centre, centre)
    centre = body.centre_of_mass or joint.position
    sliding = isinstance(joint, PrismaticJoint)
    direction = (math.cos(joint.direction), math.sin(joint.direction)) if isinstance(joint, PrismaticJoint) else (1, 0)
    smoothed = joint.friction_speed if isinstance(joint, PrismaticJoint) else joint.friction_rate
    return BodyData(
        parent=parent,
        joint=PRISMATIC if sliding else REVOLUTE,
        mass=body.mass,
        inertia=body.inertia,
        centre=centre,
        position=joint.position,
        direction=direction,
        stiffness=joint.stiffness,
        damping=joint.damping,
        neutral=joint.neutral,
        load=constant_load(joint.load),
        loads=load_rows(joint.load),
        lower=-math.inf if joint.lower is None else joint.lower,
        upper=math.inf if joint.upper is None else joint.upper,
        stop_stiffness=joint.stop_stiffness or 0.0,
        stop_damping=joint.stop_damping,
        friction=joint.friction,
        friction_rate=smoothed or (SMOOTHED_SPEED if sliding else SMOOTHED_RATE),
        friction_yield=0.0 if smoothed else YIELD * (pitch if sliding else 1.0),
        motion=joint_motion(joint.motion),
    )


def _element(given: Tensioner, names: Mapping[str, int]) -> ElementData:
    ratchet = given.ratchet
    return ElementData(
        name=given.name,
        body_a=names[given.from_body],
        a=given.from_position,
        body_b=names[given.to_body],
        b=given.to_position,
        stiffness=given.stiffness,
        damping=given.damping,
        damping_compression=given.damping_compression,
        free_length=given.free_length,
        preload=given.preload or 0.0,
        shortest=given.shortest,
        longest=given.longest,
        stop_stiffness=given.stop_stiffness or 0.0,
        stop_damping=given.stop_damping,
        ratchet=None
        if ratchet is None
        else RatchetData(ratchet.pitch, ratchet.stiffness, ratchet.damping, ratchet.backlash),
        hydraulic=_hydraulic(given) if isinstance(given, HydraulicTensioner) else None,
        law=None if given.law is None else LawData(given.law.address, -given.law.slope(0)[0], -given.law.slope(1)[0]),
    )


def _hydraulic(given: HydraulicTensioner) -> HydraulicData:
    oil, gap, valve = given.oil, given.leakage, given.check_valve
    return HydraulicData(
        piston_diameter=given.piston_diameter,
        chamber_length=given.chamber_length,
        supply_pressure=start_load(given.supply_pressure),
        supply=next(iter(load_rows(given.supply_pressure)), None),
        bulk_modulus=oil.bulk_modulus,
        viscosity=oil.viscosity,
        density=oil.density,
        air_content=oil.air_content,
        polytropic_exponent=oil.polytropic_exponent,
        gap=gap.gap if gap else 0.0,
        gap_length=gap.length if gap else 1.0,
        eccentricity=gap.eccentricity if gap else 0.0,
        valve_diameter=valve.diameter if valve else 0.0,
        discharge_coefficient=valve.discharge_coefficient if valve else 0.6,
        opening_pressure=valve.opening_pressure if valve else 0.0,
        full_opening_pressure=valve.full_opening_pressure if valve else None,
    )
