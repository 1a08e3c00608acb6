"""Conversion of compiled parameters into a system.

The system contains the kernels and data of a planar formulation for solvers, results and statics.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.colouring import chain_colouring
from chaindrive.contract.inputs import Input
from chaindrive.contract.modes import Modes
from chaindrive.contract.motion import ChainPlaces, Motion
from chaindrive.contract.port import Port
from chaindrive.contract.rest import Obstacles, Rest
from chaindrive.contract.states import Kind
from chaindrive.contract.story import Story
from chaindrive.contract.system import System
from chaindrive.formulations.brake import hold_by_bearings
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.anchors import is_held
from chaindrive.formulations.planar.channels import channels, counts_of
from chaindrive.formulations.planar.compile import (
    Placed,
    border_masses,
    expected_tension,
    kinds_of,
    labels_of,
    nothing_holds,
)
from chaindrive.formulations.planar.endings import ENDINGS, NO_REST, ended_at
from chaindrive.formulations.planar.findings import findings
from chaindrive.formulations.planar.limits import Frequencies, tangents
from chaindrive.formulations.planar.modes import mode_shares
from chaindrive.formulations.planar.modular import modules_of
from chaindrive.formulations.planar.parameters import FloatArray, PlanarParameters
from chaindrive.formulations.planar.surfaces import initial_penetration, retract_guides
from chaindrive.formulations.planar.tables import Hinges
from chaindrive.formulations.planar.tangent import has_derivatives
from chaindrive.formulations.planar.variants import Variants
from chaindrive.geometry.initial_configuration import InitialConfiguration
from chaindrive.kernels.tables import blank
from chaindrive.mechanism.description import Mechanism
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.inputs import mechanism_inputs, wheel_inputs
from chaindrive.mechanism.weights import end_loads
from chaindrive.model import BodyEnd, Drive, FixedJoint

__all__ = [
    "ChainAtRest",
    "friction_notes",
    "joint_friction_rate",
    "relaxation_rate",
    "running_system",
    "sticking_stiffness",
    "straight_or_hanging",
    "system_of",
    "with_joint_springs",
]

FLANKS = ("clockwise", "counter-clockwise")
"""Names of the flanks of a tooth gap: the side on which a flank lies, seen from the middle of the gap."""

JOINT_FRICTION_SHARE = 0.02
"""Angular velocity over which joint friction changes its sign, relative to that of joints on the fastest wheel. [-]"""

JOINT_FRICTION_SHARE_ON_GUIDES = 0.01
"""The same for a drive with guides, on whose long arcs joints turn slowly. In the example timing-06b, the loss in the
joints is 2.0 % too small with 0.03 and 0.55 % too small with 0.01, compared with the loss at 1 rad/s, which corresponds
to 0.003. [-]"""

JOINT_FRICTION_RATE_AT_REST = 1.0
"""Angular velocity over which joint friction changes its sign if no wheel has a speed. [rad/s]"""


def joint_friction_rate(speeds: FloatArray, guided: bool) -> float:
    """Return the rate that smooths joint friction if none is given, from the speeds of the wheels (W,). [rad/s]

    A joint that engages with a wheel turns as fast as the wheel. With a small fraction of the largest such rate,
    friction keeps its full value even on wheels of ten times the size. The explicit step is not shortened more than
    necessary: its limit is the slope of friction at rest, mu r F divided by this rate. The highest speed of the run is
    used, even if the run starts at rest.
    """
    share = JOINT_FRICTION_SHARE_ON_GUIDES if guided else JOINT_FRICTION_SHARE
    return share * float(speeds.max(initial=0.0)) or JOINT_FRICTION_RATE_AT_REST


def friction_notes(planar: PlanarParameters, joint_radius: float, rate: float = 0.0) -> dict[str, object]:
    """Return notes on friction: its law, and the rate that smooths joint friction [rad/s], each if it exists.

    joint_radius: friction coefficient times pin radius [m].
    """
    if planar.elastic_friction:
        return {"friction_law": "elastic"}
    law: dict[str, object] = {"friction_law": "smoothed"} if planar.has_friction or joint_radius > 0.0 else {}
    return law | ({"joint_friction_rate": rate} if joint_radius > 0.0 and rate > 0.0 else {})


def sticking_stiffness(link_stiffness: float, pitch: float) -> float:
    """Return the rotational stiffness of a joint held by elastic friction, K P^2/4. [N m/rad]

    For a straight chain of such joints, the square of the highest transverse frequency is 16 k/(m P^2). It is no larger
    than the square of the highest longitudinal frequency, 4 K/m, with links of stiffness K [N/m]. A joint slides beyond
    an angle of mu r F/k, some 1e-5 rad.
    """
    return 0.25 * link_stiffness * pitch * pitch


SERIES_FROM = 0.5
"""Step limit due to the joint dampers, relative to that due to the links, above which the dampers act in series with
springs. [-]"""


def relaxation_rate(damping: float, stiffness: float, rate: float, frequency: float) -> float:
    """Return the relaxation rate k/C of a joint with damping in series with its spring [1/s]; 0: the damping acts
    alone.

    A damper that acts alone limits an explicit step, the more so the larger its damping is. In series with a spring it
    does not, and neither does elastic friction. The joint then deflects elastically under vibrations faster than k/C.
    If the damping only just limits the step, k/C is above the frequency of the links, and slower vibrations are damped
    as they would be without the spring. damping: C [N m s/rad]; stiffness: k [N m/rad]; rate: highest rate of the
    damping in the chain, damping divided by inertia [1/s]; frequency: frequency of the links [rad/s].
    """
    return stiffness / damping if 2.0 * rate > SERIES_FROM * frequency else 0.0


def with_joint_springs(planar: PlanarParameters) -> PlanarParameters:
    """Return the parameters with springs in the joints."""
    return planar._replace(elastic_joints=True, hinge=blank(Hinges, planar.rollers))


class ChainAtRest(NamedTuple):
    """The chain of a formulation at rest, with C coordinates.

    They are ordered as the first coordinate of all links, then the second coordinate of all links, and so on.
    """

    links: int
    place: FloatArray
    """(C,) [m, rad]"""
    kinds: list[Kind]
    """(C,)"""
    masses: FloatArray
    """(C,) [kg, kg m^2]"""


def system_of(
    variants: Variants, parameters: Any, scratch: tuple[str, ...], chain: ChainAtRest, angle: FloatArray,
    mechanism: Mechanism, limit: Frequencies,
) -> System:  # fmt: skip
    """Return a system at rest with the wheels at ``angle`` (W,) [rad], with the kernels that its parameters require.

    parameters: those of the formulation, with the planar parameters in the field ``planar``; scratch: see System.
    """
    planar: PlanarParameters = parameters.planar
    layout, variant = planar.layout, variants.of_drive(planar)
    state = np.zeros(layout.size)
    state[: layout.wheel_angle] = chain.place
    state[layout.wheel_angle : layout.joint_position] = angle[planar.axle.wheel]
    state[layout.joint_position : layout.positions] = mechanism.coordinates
    state[layout.pressure :] = mechanism.pressures
    blocks, kernels = chain.place.size // chain.links, variant.kernels
    colours, neighbours = chain_colouring(chain.links, blocks, layout.positions - layout.wheel_angle)
    system = System(
        kernels=kernels if has_derivatives(planar) else kernels._replace(tangent=None),
        parameters=parameters,
        memory=P.MEMORY,
        state=state,
        positions=layout.positions,
        kinds=kinds_of(chain.kinds, planar, mechanism),
        channels=channels(variant.groups, counts_of(planar)),
        labels={"axis": ("x", "y")},
        masses=np.concatenate([chain.masses, border_masses(planar, mechanism)]),
        coupled=mechanism.tree.joints > 0,
        modules=modules_of(planar, mechanism),
        scratch=scratch,
        motion=Motion(
            rolling=np.zeros(layout.positions),
            highest_frequency=limit.highest,
            undamped_frequency=limit.undamped,
            damping_rate=limit.damping_rate,
            coupling_frequency=_coupling_frequency(planar),
            chains=(ChainPlaces(np.arange(blocks * chain.links).reshape(blocks, chain.links).T.copy()),),
        ),
        rest=Rest(
            colours=colours,
            neighbours=neighbours,
            statics=variant.statics if chain.links >= 3 or not planar.closed else None,
            least_size=planar.pitch,
            advice=NO_REST,
        ),
        story=Story(endings=ENDINGS),
    )
    system.kernels.begin(0.0, system.state, parameters)
    return system


def _coupling_frequency(p: PlanarParameters) -> float:
    """Return the highest frequency of a surface on the largest possible number of contact springs
    (Motion.coupling_frequency). [rad/s]
    """
    wheels = np.arange(p.surfaces) < p.wheels
    rollers = np.where(wheels, math.pi * p.surface.reach, 2.0 * p.surface.length) / p.pitch + 1.0
    return math.sqrt(float((rollers * tangents(p) * p.surface.inverse_mass).max(initial=0.0)))


def _chatter_rate(p: PlanarParameters, drive: Drive, placed: Placed, pressed: float) -> float:
    """Return ``Motion.chatter_rate`` of a roller pressed into its seat by a force [N], at the highest speed. [1/s]"""
    friction = p.surface.friction[: p.wheels].max(initial=0.0)
    if p.elastic_friction or not friction > 0.0:
        return 0.0
    held = float(friction) * pressed / drive.chain.link_mass
    speed = float((placed.wheel_speeds * placed.configuration.route.radii).max(initial=0.0))
    return held / speed if speed > 0.0 else math.inf


def running_system(
    system: System, drive: Drive, placed: Placed, parameters: Any, rolling: FloatArray, tensions: FloatArray
) -> System:
    """Return ``system``, which is that of the drive at rest, with all further data that a run needs.

    rolling: velocities of the coordinates of the rolling chain, (C,); tensions: a view of the tensions of the links in
    the last evaluation, (N,) [N].
    """
    planar: PlanarParameters = parameters.planar
    configuration = placed.configuration
    weight = drive.chain.links * drive.chain.link_mass * math.hypot(*drive.gravity) + end_loads(drive)
    pulled = expected_tension(drive, placed) + weight
    state = system.state.copy()
    state[planar.layout.machine : planar.layout.pressure] = placed.machines
    return replace(
        system,
        state=state,
        labels=labels_of(drive) | ({"flank": FLANKS} if planar.faces > planar.surfaces else {}),
        force_scale=pulled or 1.0,
        port=partial(_port, planar),
        inputs=_inputs(drive, planar),
        motion=replace(
            system.motion,
            rolling=np.concatenate([rolling, placed.rolling]),
            stops=placed.stops,
            chatter_rate=_chatter_rate(planar, drive, placed, pulled),
            braked=_brake(drive, planar),
        ),
        rest=replace(
            system.rest,
            obstacles=_obstacles(planar, configuration),
            searched=parameters._replace(planar=nothing_holds(planar)),
            held=_held(drive, planar),
            standing=_standing(drive, planar),
        ),
        modes=Modes(shares=partial(mode_shares, drive, parameters.links)),
        story=replace(
            system.story,
            ended_at=partial(ended_at, drive, planar, tensions),
            findings=partial(findings, drive, planar),
            warnings=placed.warnings,
            notes={
                "initial_strain": float(configuration.strain),
                "initial_tension": float(drive.chain.link_stiffness * configuration.strain * drive.chain.pitch),
                "initial_sag": float(configuration.sag),
                "chain_speed": float(placed.chain_speed),
            },
        ),
    )


def _obstacles(planar: PlanarParameters, configuration: InitialConfiguration) -> Obstacles | None:
    """Return the guides, if they reach too far into the chain as placed (Rest.obstacles)."""
    penetration = initial_penetration(planar, configuration)
    return Obstacles(penetration, partial(retract_guides, planar)) if penetration > 0.0 else None


def _inputs(drive: Drive, planar: PlanarParameters) -> tuple[Input, ...]:
    """Return the inputs that are written between steps (System.inputs)."""
    layout, axle = planar.layout, planar.wheel.axle
    angles, speeds = ((first + axle).tolist() for first in (layout.wheel_angle, layout.wheel_speed))
    return (
        *wheel_inputs(planar, planar.wheel.motion, [wheel.name for wheel in drive.wheels], angles, speeds),
        *mechanism_inputs(
            planar.tree,
            planar.elements,
            ([body.name for body in drive.bodies], [tensioner.name for tensioner in drive.tensioners]),
            (layout.joint_position, layout.joint_speed),
        ),
    )


def _port(planar: PlanarParameters, wheel: int) -> Port:
    """Return the data that connect a shaft to a wheel (System.port)."""
    layout = planar.layout
    accounts = P.WORK_INPUT, P.WORK_OUTPUT, layout.shaft_work - layout.work + wheel
    axle = int(planar.wheel.axle[wheel])
    angle, speed = layout.wheel_angle + axle, layout.wheel_speed + axle
    return Port(planar.running, wheel, angle, speed, accounts, planar.wheel.motion, planar.motion)


def _held(drive: Drive, p: PlanarParameters) -> tuple[int, ...]:
    """Return the index of the position held at rest if no motion is prescribed: that of the driver, unless an end holds
    the chain.
    """
    facts = drive_facts(drive)
    if facts.prescribed or not drive.wheels or is_held(drive.chain):
        return ()
    return (p.layout.wheel_speed - p.layout.positions + int(p.wheel.axle[facts.driver]),)


def _brake(drive: Drive, p: PlanarParameters) -> Callable[[System, float], System] | None:
    """Return the function that lets the bearings of the driver hold it (Motion.braked)."""
    if not p.elastic_friction or not drive.wheels:
        return None
    wheels = np.flatnonzero(p.wheel.axle == p.wheel.axle[drive_facts(drive).driver]).tolist()

    def braked(system: System, torque: float) -> System:
        planar = system.parameters.planar
        hold_by_bearings(planar.bearing.angle, p.wheel.bearing_friction, p.wheel.bearing_stiffness, wheels, torque)
        return replace(system, parameters=system.parameters._replace(planar=planar._replace(anchors_kept=True)))

    return braked


def _standing(drive: Drive, p: PlanarParameters) -> tuple[int, ...]:
    """Return the indices of the joint positions of bodies that are held only by joint friction (Rest.standing)."""
    parents = {body.name: body.parent for body in drive.bodies}
    joined = {wheel.body for wheel in drive.wheels} | {guide.body for guide in drive.guides}
    joined |= {name for tensioner in drive.tensioners for name in (tensioner.from_body, tensioner.to_body)}
    joined |= {end.body for end in drive.chain.ends or () if isinstance(end, BodyEnd)}
    for body in list(joined):  # and the bodies that carry them
        while body in parents:
            body = parents[body]
            joined.add(body)
    moving = [(body.name, body.joint) for body in drive.bodies if not isinstance(body.joint, FixedJoint)]
    return tuple(
        p.layout.joint_position + j
        for j, (name, joint) in enumerate(moving)
        if name not in joined and joint.motion is None and joint.friction and not joint.stiffness
    )


def straight_or_hanging(compiled: Callable[[bool], System]) -> System:
    """Return the system with its slack chain hanging or straight.

    The chain is straight if guides support the span that would otherwise hang.
    """
    hanging = compiled(False)
    there = hanging.rest.obstacles
    if there is None or not hanging.story.notes["initial_sag"] > 0.0:
        return hanging
    straight = compiled(True)
    left = straight.rest.obstacles
    return straight if left is None or left.penetration < there.penetration else hanging
