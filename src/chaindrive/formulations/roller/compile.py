"""Conversion of a drive to a system of the roller formulation: the coordinates of the chain, its links and joints."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from chaindrive.contract.rigid import MOST_DENSE
from chaindrive.contract.states import Kind
from chaindrive.contract.system import System
from chaindrive.formulations.planar.assembly import (
    JOINT_FRICTION_RATE_AT_REST,
    ChainAtRest,
    friction_notes,
    joint_friction_rate,
    relaxation_rate,
    running_system,
    sticking_stiffness,
    straight_or_hanging,
    system_of,
    with_joint_springs,
)
from chaindrive.formulations.planar.bearings import set_bearing_stiffness
from chaindrive.formulations.planar.channels import counts_of, row_of
from chaindrive.formulations.planar.compile import (
    border_name,
    directions,
    drags,
    expected_tension,
    only_dragged,
    placed_drive,
    planar_parameters,
    softened_contacts,
)
from chaindrive.formulations.planar.limits import Expected
from chaindrive.formulations.planar.parameters import N_WORKS, FloatArray, PlanarParameters
from chaindrive.formulations.planar.rigid_laws import Fitting, resolved_chain, rigid_step, step_for, with_rigid_contacts
from chaindrive.formulations.planar.step_limits import limits_of_parts
from chaindrive.formulations.planar.surfaces import SurfaceData
from chaindrive.formulations.roller.chain import coordinates_of
from chaindrive.formulations.roller.limits import (
    LIMITS_OF_JOINTS,
    frequency_at,
    highest_frequencies,
    limits_of_chain,
    set_limits,
    tightest_at,
)
from chaindrive.formulations.roller.parameters import (
    SCRATCH,
    ImplicitLinks,
    Links,
    LinksNear,
    Parameters,
    Rollers,
)
from chaindrive.formulations.roller.sweeps import sweeps_of
from chaindrive.formulations.roller.variants import VARIANTS
from chaindrive.geometry.initial_configuration import InitialConfiguration
from chaindrive.kernels.tables import blank
from chaindrive.mechanism.description import Mechanism
from chaindrive.model import Chain, Drive, RollerOptions


def compile_roller(drive: Drive, options: RollerOptions, at_speed: bool) -> System:
    """Compile a drive into the roller formulation (Pedersen 2004, chapter 3), with the chain placed on its wheels.

    The state contains the kinematic initial configuration with zero velocity; ``rolling`` contains the velocities at
    the start speed. Raises InputError when the chain does not fit the route, parts collide, the contact law does not
    fit the contact, the form of friction does not exist, or the mechanism cannot move as described.
    """
    return straight_or_hanging(partial(_compile, drive, options, at_speed))


def _compile(drive: Drive, options: RollerOptions, at_speed: bool, straight: bool) -> System:
    """Return the compiled drive, with the slack chain hanging or straight."""
    chain, works = drive.chain, N_WORKS + options.projects
    placed = placed_drive(drive, options, at_speed, straight, coordinates_of(chain.joints), works)
    configuration, mechanism = placed.configuration, placed.mechanism
    rate = options.joint_friction_rate or joint_friction_rate(placed.wheel_speeds, bool(drive.guides))
    expected = Expected(expected_tension(drive, placed), placed.load_damping)
    step = rigid_step(drive, placed.wheel_speeds, expected.tension) if placed.parameters.rigid_contacts else 0.0
    resolved = resolved_chain(chain, step) if step > 0.0 else chain
    if step > 0.0:
        set_bearing_stiffness(placed.parameters.wheel, resolved)
    parameters = _parameters(chain, placed.parameters, resolved.link_stiffness)._replace(joint_friction_rate=rate)
    system = system_at_rest(parameters, configuration.roller_position, configuration.wheel_angle, mechanism, expected)
    rolling = placed.chain_speed * configuration.roller_tangent.T.ravel()
    system = running_system(system, drive, placed, parameters, rolling, parameters.link.tension)
    parts = limits_of_chain(parameters, expected)
    limits = limits_of_parts(parameters.planar, mechanism, drive, expected, 1.0 / parameters.mass, parts)
    noted: dict[str, object] = {"step_limits": limits}
    noted |= friction_notes(parameters.planar, parameters.joint_friction_radius, rate)
    if left_out := _left_out(chain):
        noted["left_out"] = left_out
    system = replace(
        system,
        motion=replace(
            system.motion,
            frequency_at=partial(frequency_at, parameters, mechanism, expected),
            rolling_past=partial(_rolling_past, configuration, system.motion.rolling),
            chains=tuple(each._replace(reach=_reach(parameters)) for each in system.motion.chains),
        ),
        rest=replace(system.rest, dragged=_dragged(parameters)),
        story=replace(system.story, name_of=partial(_name_of, drive), notes=dict(system.story.notes) | noted),
    )
    if step == 0.0:
        return system
    planar = parameters.planar
    scratch = sweeps_of(planar.rollers, planar.surfaces, planar.meeting.roller.size // 2)
    step_at = partial(step_for, drive, placed.wheel_speeds, partial(_explicit, parameters, expected))
    resolve = partial(_resolved, chain)
    fitting = Fitting(step_at, expected.tension, partial(tightest_at, parameters), resolve)
    return with_rigid_contacts(system, drive, planar, fitting, scratch=scratch)


def _resolved(chain: Chain, p: Parameters, step: float) -> Parameters:
    """Return the parameters with joints and bearings as stiff as a step [s] resolves."""
    resolved = resolved_chain(chain, step)
    set_bearing_stiffness(p.planar.wheel, resolved)
    held = sticking_stiffness(resolved.link_stiffness, chain.pitch)
    relaxation = held / p.joint_damping if p.joint_relaxation > 0.0 else 0.0
    return p._replace(joint_friction_stiffness=held, joint_relaxation=relaxation)


def _explicit(p: Parameters, expected: Expected, tension: float) -> dict[str, float]:
    """Return the frequencies by which joints limit the step of rigid contacts, by name, at a tension [N]. [rad/s]"""
    limits = limits_of_chain(p, expected._replace(tension=tension))
    return {name: limits[name] for name in LIMITS_OF_JOINTS if name in limits}


def _reach(p: Parameters) -> int:
    """Return the number of rollers on each side on which a roller acts: two if joints resist rotation, else one."""
    return 2 if p.joint_friction_radius > 0.0 or p.joint_damping > 0.0 else 1


def _left_out(chain: Chain) -> list[str]:
    """Return the properties of the chain in the file that do not apply to rollers on springs."""
    links = chain.inner_link, chain.outer_link
    differ = any(value is not None for link in links for value in (link.mass, link.inertia, link.centre_of_mass))
    left_out = ["difference between inner and outer links"] * differ
    left_out += ["clearance of the joints"] * bool(np.any(chain.joint_clearance))
    return left_out + ["rotation of bushes on teeth"] * (chain.kind == "bush")


def _rolling_past(configuration: InitialConfiguration, rolling: FloatArray, state: FloatArray) -> FloatArray:
    """Return the rolling velocities of the initial configuration, with rollers in spans moving along the present chain
    path.
    """
    own = coordinates_of(len(configuration.roller_position))
    position, velocity = state[:own].reshape(2, -1), rolling.copy()
    ahead = directions(position.T, configuration.route.closed).T
    free = configuration.seat_wheel < 0
    placed = rolling[:own].reshape(2, -1)
    speed = np.hypot(*placed) * np.sign((placed * ahead).sum(axis=0))
    velocity[:own] = np.where(free, speed * ahead, placed).ravel()
    return velocity


def parameters_of(
    chain: Chain, gravity: tuple[float, float], options: RollerOptions, surfaces: SurfaceData, mechanism: Mechanism
) -> Parameters:
    """Return the parameters of a drive, without the parameters of its motions and spans."""
    planar = planar_parameters(chain, gravity, options, surfaces, mechanism, coordinates_of(chain.joints))
    return _parameters(chain, planar, chain.link_stiffness)._replace(
        joint_friction_rate=options.joint_friction_rate or JOINT_FRICTION_RATE_AT_REST
    )


def _parameters(chain: Chain, planar: PlanarParameters, resolved: float) -> Parameters:
    """Return the parameters of a chain, with the rate of joint friction for the chain at rest.

    resolved: stiffness of the links or, if links are implicit, that stiffness limited to what the step resolves
    explicitly, on which the stiffness of all other springs is based [N/m].
    """
    roller, near = _rollers(chain), min(2 * planar.meeting.roller.size, 4 * MOST_DENSE)
    held = sticking_stiffness(resolved, chain.pitch)
    turning = 16.0 * chain.joint_damping / (chain.link_mass * chain.pitch**2)
    links = math.sqrt(4.0 * resolved / chain.link_mass)
    relaxation = relaxation_rate(chain.joint_damping, held, turning, links)
    return Parameters(
        planar=with_joint_springs(planar) if relaxation > 0.0 else planar,
        row=row_of(VARIANTS.supported.groups, counts_of(planar)),
        links=chain.joints,
        mass=chain.link_mass,
        stiffness=chain.link_stiffness,
        damping=chain.link_damping,
        joint_damping=chain.joint_damping,
        joint_friction_radius=0.5 * chain.joint_friction * (chain.pin_diameter or 0.0),
        joint_friction_rate=JOINT_FRICTION_RATE_AT_REST,
        joint_friction_stiffness=held,
        joint_relaxation=relaxation,
        breaking_load=chain.breaking_load if chain.breaking_load is not None else math.inf,
        uneven_pitch=bool(np.any(roller.pitch != chain.pitch)),
        uneven_mass=bool(chain.attachments) or chain.ends is not None,
        roller=roller,
        link=blank(Links, chain.joints),
        implicit=blank(ImplicitLinks, chain.joints if planar.rigid_contacts else 0),
        near=blank(LinksNear, near),
        place=np.full(chain.joints if planar.rigid_contacts else 0, -1),
        inverse=np.zeros((near, near)),
    )


def _rollers(chain: Chain) -> Rollers:
    """Return the rollers and their links.

    A roller has half of the masses attached to each of its two links.
    """
    roller = blank(Rollers, chain.joints)
    roller.pitch[:], roller.mass[:] = chain.pitch, chain.link_mass
    roller.pitch[: chain.links] = chain.pitch * (1.0 + np.array(chain.elongations))
    attached = np.zeros(chain.joints)
    attached[: chain.links] = chain.attached_masses
    if chain.ends is not None:
        roller.mass[[0, -1]] = chain.end_masses
    roller.mass[:] += 0.5 * (attached + np.roll(attached, 1))
    return roller


def system_at_rest(
    p: Parameters, position: FloatArray, angle: FloatArray, mechanism: Mechanism, expected: Expected
) -> System:
    """Return a system at rest, with the rollers at ``position`` (N, 2) and the wheels at ``angle`` (W,)."""
    set_limits(p, mechanism, expected)
    own = p.planar.layout.wheel_angle
    masses = np.tile(p.roller.mass, (2, 1))
    chain = ChainAtRest(p.links, position.T.ravel(), [Kind.LENGTH] * own, masses.ravel())
    limit = highest_frequencies(p, mechanism, expected)
    return system_of(VARIANTS, p, SCRATCH, chain, angle, mechanism, limit).with_rest(softened=partial(_softened, p))


def _softened(p: Parameters, links: float, contacts: float) -> Parameters:
    """Return the chain with the stiffness of links and contacts multiplied by these factors."""
    return p._replace(stiffness=links * p.stiffness, planar=softened_contacts(p.planar, contacts))


def _dragged(p: Parameters) -> Parameters | None:
    """Return the chain with only those losses that keep their direction while it runs; None if there are none."""
    if not (drags(p.planar) or p.joint_friction_radius > 0.0 or p.joint_damping > 0.0):
        return None
    return p._replace(planar=only_dragged(p.planar), damping=0.0)


def _name_of(drive: Drive, position: int) -> str:
    """Return the name of the part to which a position belongs."""
    links, own = drive.chain.joints, coordinates_of(drive.chain.joints)
    return f"roller {position % links}" if position < own else border_name(drive, position - own)
