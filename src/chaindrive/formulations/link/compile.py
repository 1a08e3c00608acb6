"""Conversion of a drive to a system of the link formulation: its links and joints, and their positions at the start."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.bordered import bordered, factors_for
from chaindrive.contract.states import Kind
from chaindrive.contract.system import System
from chaindrive.elementary import arctan2, rotated
from chaindrive.errors import InputError, Problem
from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.link.chain import coordinates_of
from chaindrive.formulations.link.limits import (
    frequency_at,
    highest_frequencies,
    limits_of_chain,
    set_limits,
    tightest_at,
    yielding_to_contacts,
)
from chaindrive.formulations.link.path import along_the_path, no_path
from chaindrive.formulations.link.rigid import CLOSING
from chaindrive.formulations.link.variants import VARIANTS
from chaindrive.formulations.planar.assembly import (
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
    softened_contacts,
)
from chaindrive.formulations.planar.limits import Expected
from chaindrive.formulations.planar.parameters import FloatArray, PlanarParameters
from chaindrive.formulations.planar.rigid_laws import Fitting, resolved_chain, rigid_step, step_for, with_rigid_contacts
from chaindrive.formulations.planar.step_limits import limits_of_parts
from chaindrive.geometry.initial_configuration import InitialConfiguration
from chaindrive.kernels.tables import blank, copied
from chaindrive.mechanism.description import Mechanism
from chaindrive.mechanism.links import LinkData, link_data
from chaindrive.model import Chain, Drive, FreeEnd, LinkOptions

__all__ = ["compile_link", "link_state", "link_velocities", "parameters_of", "system_at_rest"]

JOINTS = {"clearance": L.CLEARANCE, "journal": L.JOURNAL, "ideal": L.JOURNAL, "revolute": L.JOURNAL}
"""Kernel branches for the joints. Revolute joints are constraints only in the steps of a run; the search for the
equilibrium at rest replaces them by stiff joints."""
LEAST_GIVE = 1e-7
"""Deflection of a revolute joint at rest under the expected tension and the weight of the chain, in pitches. The first
steps of a run remove it."""


def compile_link(drive: Drive, options: LinkOptions, at_speed: bool) -> System:
    """Compile a drive into the link formulation, with the chain placed on its wheels.

    Source: Hippmann, Arnold & Schittenhelm (2005), section 2; journals after Pfeiffer, Fritz & Srnik (1997), section 3.
    The state contains the kinematic initial configuration with zero velocity; ``rolling`` contains the velocities at
    the start speed. Raises InputError as ``compile_roller`` does, and if pins do not fit their bushes.
    """
    return straight_or_hanging(partial(_compile, drive, options, at_speed))


def _compile(drive: Drive, options: LinkOptions, at_speed: bool, straight: bool) -> System:
    """Return the compiled drive, with the slack chain hanging or straight."""
    chain, links, works = drive.chain, link_data(drive), len(L.WORKS) + options.projects
    placed = placed_drive(drive, options, at_speed, straight, coordinates_of(chain.links), works)
    configuration, mechanism = placed.configuration, placed.mechanism
    rate = options.joint_friction_rate or joint_friction_rate(placed.wheel_speeds, bool(drive.guides))
    expected = Expected(expected_tension(drive, placed), placed.load_damping)
    step = rigid_step(drive, placed.wheel_speeds, expected.tension) if options.rigid_contacts else 0.0
    if step > 0.0:
        set_bearing_stiffness(placed.parameters.wheel, resolved_chain(chain, step))
    if options.joint == "revolute":
        _refuse_preload(chain, configuration, mechanism)
        links = _stiffened(links, chain, expected.tension + math.hypot(*drive.gravity) * chain.links * chain.link_mass)
    parameters = parameters_of(chain, links, options, placed.parameters)._replace(joint_friction_rate=rate)
    bushes = configuration.roller_position
    if not parameters.planar.closed:
        bushes = _taut(parameters, configuration)
    system = system_at_rest(parameters, bushes, configuration.wheel_angle, mechanism, expected)
    rolling = link_velocities(parameters, bushes, placed.chain_speed * configuration.roller_tangent)
    system = running_system(system, drive, placed, parameters, rolling, parameters.link.tension)
    parts = limits_of_chain(parameters, expected)
    limits = limits_of_parts(parameters.planar, mechanism, drive, expected, yielding_to_contacts(parameters), parts)
    noted: dict[str, object] = {"step_limits": limits, "estimates": dict(links.estimates)}
    noted |= friction_notes(parameters.planar, parameters.joint_friction_radius, rate)
    system = replace(
        system,
        motion=replace(
            system.motion,
            frequency_at=partial(frequency_at, parameters, mechanism, expected),
            integrated=partial(along_the_path, configuration) if options.coordinates == "path" else None,
            rolling_past=partial(_rolling_past, parameters, configuration, placed.chain_speed, system.motion.rolling),
        ),
        rest=replace(system.rest, dragged=_dragged(parameters)),
        story=replace(system.story, name_of=partial(_name_of, drive), notes=dict(system.story.notes) | noted),
    )
    constrained = options.joint == "revolute"
    if constrained:
        system = replace(system, parameters=_constrained(parameters), memory=L.MEMORY)
    if step == 0.0:
        return system
    closing = CLOSING if constrained else 0.0
    step_at = partial(step_for, drive, placed.wheel_speeds, _nothing_explicit)
    resolve = partial(_resolved, chain)
    fitting = Fitting(step_at, expected.tension, partial(tightest_at, parameters), resolve)
    return with_rigid_contacts(system, drive, parameters.planar, fitting, closing=closing)


def _resolved(chain: Chain, p: L.Parameters, step: float) -> L.Parameters:
    """Return the parameters with bearings as stiff as a step [s] resolves."""
    set_bearing_stiffness(p.planar.wheel, resolved_chain(chain, step))
    return p


def _nothing_explicit(tension: float) -> dict[str, float]:
    """Return no frequencies: joints are integrated implicitly and do not limit the step of rigid contacts."""
    return {}


def _refuse_preload(chain: Chain, configuration: InitialConfiguration, mechanism: Mechanism) -> None:
    """Raise InputError if rigid links form a closed chain that is tight between fixed centres on rigid teeth."""
    if chain.ends is None and configuration.strain > 0.0 and not mechanism.tree.joints:
        message = (
            "must have a stiffness where a closed chain is preloaded on fixed centres, because the tension in a loop "
            "of rigid links on rigid teeth is statically indeterminate; use 'ideal' or 'clearance', or a tensioner"
        )
        raise InputError(Problem("run.formulation.joint", message, "'revolute'"))


def _stiffened(links: LinkData, chain: Chain, tension: float) -> LinkData:
    """Return the links with joints that hardly deflect under a tension [N]; fittings and free ends are unchanged."""
    stiff = links.stiffness.copy()
    inner = slice(None) if chain.ends is None else slice(1, -1)
    stiff[inner] = np.maximum(stiff[inner], tension / (LEAST_GIVE * chain.pitch))
    return links._replace(stiffness=stiff)


def _constrained(p: L.Parameters) -> L.Parameters:
    """Return the links with constraints as joints, except at fittings and free ends.

    The forces of constraints are impulses divided by the length of a step, and are not compared with the breaking load.
    """
    joint = copied(p.joint)
    inner = slice(None) if p.planar.closed else slice(1, -1)
    joint.stiffness[inner] = joint.damping[inner] = 0.0
    return p._replace(joint_kind=L.REVOLUTE, joint=joint, breaking_load=math.inf)


def parameters_of(chain: Chain, links: LinkData, options: LinkOptions, planar: PlanarParameters) -> L.Parameters:
    """Return the parameters of a chain, with the rate of joint friction for the chain at rest."""
    n, joints = chain.links, chain.joints
    links = links.jointed(options.joint)
    joint = L.Joints(links.clearance, *_resistance(links, options))
    anchor, held = copied(planar.anchor), planar.anchor.roller
    anchor.stiffness[:], anchor.damping[:] = joint.stiffness[held], joint.damping[held]
    planar = planar._replace(
        turning=np.zeros(joints),
        twist=np.zeros(joints),
        anchor=anchor,
    )
    held = _sticking_stiffness(chain, links, joint)
    turning = 4.0 * chain.joint_damping / float(np.min(links.inertia))
    relaxation = relaxation_rate(chain.joint_damping, held, turning, _frequency(links, joint))
    if planar.rigid_contacts:  # the turning of joints is taken implicitly as well
        relaxation = 0.0
    if relaxation > 0.0:
        planar = with_joint_springs(planar)
    implicit = joints if planar.rigid_contacts else 0
    link = blank(L.Links, joints)
    planar = planar._replace(heading_x=link.cos, heading_y=link.sin)
    border = planar.layout.positions - planar.layout.wheel_angle
    sliding = slice(None) if chain.kind == "bush" else slice(planar.wheels, None)  # plates on guides, bushes on teeth
    planar.surface.arm[sliding] = planar.surface.radius[sliding]
    return L.Parameters(
        planar=planar,
        row=row_of(VARIANTS.supported.groups, counts_of(planar)),
        path=no_path(),
        links=n,
        joint_kind=JOINTS[options.joint],
        joint_damping=chain.joint_damping,
        joint_friction_radius=chain.joint_friction * links.pin_radius,
        joint_friction_rate=options.joint_friction_rate or 1.0,
        joint_friction_stiffness=held,
        joint_relaxation=relaxation,
        oil_damping=options.oil_damping if options.joint == "clearance" else 0.0,
        oil_inverse_distance=1.0 / options.oil_film,
        roller_damping=options.roller_damping,
        surface_oil_damping=options.surface_oil_damping,
        surface_oil_inverse_distance=1.0 / options.surface_oil_film,
        breaking_load=chain.breaking_load if chain.breaking_load is not None else math.inf,
        body=_bodies(links),
        joint=joint,
        hung=np.array([end.mass if isinstance(end, FreeEnd) else 0.0 for end in chain.ends or (None, None)]),
        link=link,
        pin=blank(L.Pins, joints),
        place=np.zeros(2 * joints),
        velocity=np.zeros(2 * joints),
        force=np.zeros(2 * joints),
        bushes=bordered(0 if planar.closed else joints, 3, border),
        reaction=blank(L.Reactions, implicit if options.joint == "revolute" else 0),
        implicit=_implicit_joints(implicit, n if implicit else 0),
        near=_joints_near(planar.meeting.roller.size),
        place_near=np.full(implicit, -1),
    )


def _joints_near(most: int) -> L.JointsNear:
    """Return scratch arrays for a number of directions in which links meet surfaces."""
    rows = "behind", "ahead", "right", "second", "left", "far", "through", "travelled"
    return L.JointsNear(
        link=np.zeros(most, dtype=np.int64),
        position=np.zeros(most, dtype=np.int64),
        moment=np.zeros(most),
        **{name: np.zeros((most, 3)) for name in rows},
        short=np.zeros((most, 3, 3)),
        way=np.zeros((most, 3, 3)),
        block=np.zeros((3, 3)),
    )


def _implicit_joints(joints: int, links: int) -> L.ImplicitJoints:
    """Return scratch arrays for the equations of a number of joints."""
    matrix = bordered(joints, 3, 0)
    return L.ImplicitJoints(
        step=np.zeros(1),
        inverse_mass=np.zeros(links),
        inverse_inertia=np.zeros(links),
        rear=np.zeros((links, 3, 3)),
        front=np.zeros((links, 3, 3)),
        matrix=matrix,
        factors=factors_for(matrix),
        shift=np.zeros(3 * joints),
        free=np.zeros(0, dtype=np.bool_),
        right=np.zeros(3 * joints),
        impulse=np.zeros(3 * joints),
        moved=np.zeros(3 * links),
        alone_x=np.zeros(joints),
        alone_y=np.zeros(joints),
        own=np.zeros((joints, 3, 3)),
        far=np.zeros((joints, 3, 3)),
        corner=np.zeros((3, 3)),
    )


def _sticking_stiffness(chain: Chain, links: LinkData, joint: L.Joints) -> float:
    """Return the rotational stiffness of a joint held by elastic friction. [N m/rad]

    If adjacent links rotate in antiphase, w^2 = 4 k/I <= 2 K/m, half the value for adjacent links that move in
    antiphase on joints of stiffness K. I and m are those of the lightest link, without payload.
    """
    light = float(np.min(links.inertia)) / float(np.min(links.mass))
    return min(sticking_stiffness(chain.link_stiffness, chain.pitch), 0.5 * light * float(joint.stiffness.max()))


def _frequency(links: LinkData, joint: L.Joints) -> float:
    """Return the frequency of the lightest links when adjacent links move in antiphase, sqrt(4 K/m). [rad/s]"""
    return math.sqrt(4.0 * float(joint.stiffness.max()) / float(np.min(links.mass)))


def _resistance(links: LinkData, options: LinkOptions) -> tuple[FloatArray, FloatArray]:
    """Return stiffness and damping of the joints, (J,) each [N/m, N s/m]; both are zero at a free end."""
    stiffness, damping, held = links.stiffness, links.damping, links.stiffness > 0.0
    if options.journal_stiffness is not None:
        stiffness = np.where(held, 1.0 / (1.0 / np.where(held, stiffness, 1.0) + 1.0 / options.journal_stiffness), 0.0)
    if options.journal_damping is not None:
        damping = np.where(held, options.journal_damping, 0.0)
    return stiffness, damping


def _taut(p: L.Parameters, configuration: InitialConfiguration) -> FloatArray:
    """Return the bushes of an open chain pulled taut, (J, 2) [m].

    In the spans they are ahead of the positions with centred pins by the clearance of the fittings; bushes on wheels
    are in their gaps.
    """
    bushes = configuration.roller_position
    ahead = p.joint.clearance.max(where=_ends_only(p), initial=0.0) * directions(bushes, closed=False)
    return np.where((configuration.seat_wheel < 0)[:, None], bushes + ahead, bushes)


def _ends_only(p: L.Parameters) -> NDArray[np.bool_]:
    """Return whether each joint is at an end of the chain, (J,)."""
    return np.arange(p.joint.clearance.size) % p.links == 0


def ahead_of(p: L.Parameters, values: FloatArray) -> FloatArray:
    """Return the change of values from the rear joint of every link to its front joint, (N, ...).

    values: one for every joint, (J, ...).
    """
    change: FloatArray = np.roll(values, -1, axis=0) - values if p.planar.closed else np.diff(values, axis=0)
    return change


def _bodies(links: LinkData) -> L.Bodies:
    """Return the links in the form that the kernels read."""
    (x, y), length = links.centre.T, links.length
    inverse = 1.0 / links.mass, 1.0 / links.inertia
    columns = (links.mass, links.inertia, x, y, length, -x, -y, length - x, -y, *inverse)
    return L.Bodies(*(np.ascontiguousarray(column) for column in columns))


def system_at_rest(
    p: L.Parameters, bushes: FloatArray, angle: FloatArray, mechanism: Mechanism, expected: Expected
) -> System:
    """Return a system at rest, with bushes at (J, 2) [m] and wheels at ``angle`` (W,) [rad]."""
    set_limits(p, mechanism, expected)
    n = p.links
    kinds = [Kind.LENGTH] * (2 * n) + [Kind.ANGLE] * n
    masses = np.concatenate([p.body.mass, p.body.mass, p.body.inertia])
    chain = ChainAtRest(n, link_state(p, bushes), kinds, masses)
    limit = highest_frequencies(p, mechanism, expected)
    system = system_of(VARIANTS, p, L.SCRATCH, chain, angle, mechanism, limit)
    if p.surface_oil_damping > 0.0:  # has no derivatives
        system = replace(system, kernels=system.kernels._replace(tangent=None))
    return system.with_rest(softened=partial(_softened, p))


def link_state(p: L.Parameters, bushes: FloatArray) -> FloatArray:
    """Return the coordinates of links whose bushes are at (J, 2) [m], (3 N,); each link points to the next bush."""
    ahead = ahead_of(p, bushes)
    angle = arctan2(ahead[:, 1], ahead[:, 0])
    centre = bushes[: p.links] + rotated(np.column_stack([p.body.x, p.body.y]), angle)
    return np.concatenate([centre[:, 0], centre[:, 1], angle])


def link_velocities(p: L.Parameters, bushes: FloatArray, velocity: FloatArray) -> FloatArray:
    """Return the velocities of the coordinates of links, (3 N,).

    They follow from positions and velocities of their bushes, (J, 2) [m, m/s].
    """
    ahead, faster = ahead_of(p, bushes), ahead_of(p, velocity)
    rate = (ahead[:, 0] * faster[:, 1] - ahead[:, 1] * faster[:, 0]) / (ahead**2).sum(axis=1)
    arm = link_state(p, bushes)[: 2 * p.links].reshape(2, -1).T - bushes[: p.links]
    moved = velocity[: p.links] + rate[:, None] * np.column_stack([-arm[:, 1], arm[:, 0]])
    return np.concatenate([moved[:, 0], moved[:, 1], rate])


def bushes_of(p: L.Parameters, state: FloatArray) -> FloatArray:
    """Return the centres of the bushes in a state, (J, 2). [m]

    For an open chain they are followed by the last pin.
    """
    n = p.links
    centre, angle = state[: 2 * n].reshape(2, n).T, state[2 * n : 3 * n]
    bushes = centre - rotated(np.column_stack([p.body.x, p.body.y]), angle)
    if p.planar.closed:
        return bushes
    pin = centre[-1:] + rotated(np.column_stack([p.body.to_pin_x, p.body.to_pin_y])[-1:], angle[-1:])
    return np.concatenate([bushes, pin])


def _rolling_past(
    p: L.Parameters, configuration: InitialConfiguration, speed: float, rolling: FloatArray, state: FloatArray
) -> FloatArray:
    """Return the rolling velocities of the initial configuration, with links in spans moving along the present chain
    path.
    """
    bushes = bushes_of(p, state)
    ahead = directions(bushes, p.planar.closed)
    free = configuration.seat_wheel < 0
    tangent = configuration.roller_tangent
    along = np.hypot(*tangent.T) * np.sign((tangent * ahead).sum(axis=1))
    tangent = np.where(free[:, None], along[:, None] * ahead, tangent)
    velocity = rolling.copy()
    velocity[: coordinates_of(p.links)] = link_velocities(p, bushes, speed * tangent)
    return velocity


def _softened(p: L.Parameters, links: float, contacts: float) -> L.Parameters:
    """Return the chain with the stiffness of joints and contacts multiplied by these factors."""
    joint = p.joint._replace(stiffness=links * p.joint.stiffness)
    return p._replace(joint=joint, planar=softened_contacts(p.planar, contacts))


def _dragged(p: L.Parameters) -> L.Parameters | None:
    """Return the chain with only those losses whose direction stays the same while it runs; None if it has none."""
    if not (drags(p.planar) or p.joint_friction_radius > 0.0 or p.joint_damping > 0.0):
        return None
    joint = p.joint._replace(damping=np.zeros_like(p.joint.damping))
    return p._replace(planar=only_dragged(p.planar), joint=joint, oil_damping=0.0, surface_oil_damping=0.0)


def _name_of(drive: Drive, position: int) -> str:
    """Return a description of the part to which a position belongs."""
    links, own = drive.chain.links, coordinates_of(drive.chain.links)
    return f"link {position % links}" if position < own else border_name(drive, position - own)
