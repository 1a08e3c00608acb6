"""Conversion of a drive to a system of the spatial formulation: links and bushings as arrays, and initial positions."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from chaindrive.contract.colouring import chain_colouring
from chaindrive.contract.motion import ChainPlaces, Motion
from chaindrive.contract.rest import Rest
from chaindrive.contract.states import Kind
from chaindrive.contract.story import Story
from chaindrive.contract.system import System
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.assembly import friction_notes, running_system, sticking_stiffness
from chaindrive.formulations.planar.channels import channels, counts_of, row_of
from chaindrive.formulations.planar.compile import (
    border_masses,
    border_name,
    drags,
    expected_tension,
    only_dragged,
    placed_drive,
)
from chaindrive.formulations.planar.endings import ENDINGS, NO_REST
from chaindrive.formulations.planar.limits import Expected, lone_rate
from chaindrive.formulations.planar.parameters import FloatArray, IntArray, PlanarParameters
from chaindrive.formulations.planar.step_limits import limits_of_parts
from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.chain import COORDINATES, SPEEDS
from chaindrive.formulations.spatial.kernels import variant_of
from chaindrive.formulations.spatial.limits import highest_frequencies, limits_of_links, set_limits
from chaindrive.formulations.spatial.links import SIDE_STIFFNESS, SpatialLinks, spatial_links
from chaindrive.formulations.spatial.placing import bush_offsets, link_attitudes, link_velocities, wheel_axes
from chaindrive.formulations.spatial.teeth import CHAMFER, put_teeth
from chaindrive.kernels.tables import blank
from chaindrive.mechanism.description import Mechanism, aside
from chaindrive.mechanism.tree import GROUND, REVOLUTE, joint_kinds
from chaindrive.model import Chain, Contact, Drive, SpatialOptions
from chaindrive.model.links import link_dimensions

__all__ = ["compile_spatial", "parameters_of", "spatial_layout", "system_at_rest"]

STATIC_TOLERANCE = 3e-5
"""Largest residual force at rest, relative to the force scale; for a bicycle it is a third of the weight of a link.
With a smaller value, the search would take twice as many steps, in which slack links roll within their play almost
without resistance. [-]
"""
SLOW = 1.0
"""Acceleration of a link that a residual force at rest may always cause, a tenth of that of gravity. If loads are far
smaller than the forces with which a spring tensions the chain, the tolerance relative to the loads is too small.
[m/s^2]
"""


def compile_spatial(drive: Drive, options: SpatialOptions, at_speed: bool) -> System:
    """Compile a drive into the spatial formulation, with the chain placed on its wheels.

    Source: Omar (2014). The equations of that paper are not available; the modules state the equations used here. The
    state contains the kinematic initial configuration with zero velocity; between wheels that are offset from each
    other, the chain is straight. ``rolling`` contains the velocities at the start speed. Raises InputError as
    ``compile_roller`` does.
    """
    chain, links = drive.chain, spatial_links(drive)
    placed = placed_drive(drive, options, at_speed, False, COORDINATES * chain.links, len(S.WORKS))
    configuration, mechanism = placed.configuration, placed.mechanism
    p = parameters_of(chain, links, options, spatial_layout(placed.parameters, chain.links, len(S.WORKS)))
    p = _with_wheels(p, drive, options, mechanism)
    axes = p.axes[:, : S.CENTRE].reshape(-1, 3, 3)
    offset, direction = bush_offsets(configuration, axes, p.axes[:, S.CENTRE : S.MOVING])
    bushes = np.column_stack([configuration.roller_position, offset])
    expected = Expected(expected_tension(drive, placed), placed.load_damping)
    state = link_attitudes(bushes, direction, links.plane.centre)
    system = system_at_rest(p, state, configuration.wheel_angle, mechanism, expected)
    _outer_links_on_wide_teeth(p, drive, configuration.seat_wheel)
    system.kernels.begin(0.0, system.state, p)  # with those teeth
    velocity = placed.chain_speed * _tangents(bushes, configuration.roller_tangent)
    rolling = link_velocities(state, bushes, velocity, links.plane.centre)
    system = running_system(system, drive, placed, p, rolling, p.tension)
    parts, yielding = limits_of_links(p, expected)
    limits = limits_of_parts(p.planar, mechanism, drive, expected, yielding, parts)
    noted: dict[str, object] = {"estimates": dict(links.estimates), "left_out": [], "step_limits": limits}
    noted |= friction_notes(p.planar, p.joint_friction_radius)
    small = SLOW * chain.link_mass / system.force_scale
    return replace(
        system.with_rest(tolerance=max(STATIC_TOLERANCE, small), dragged=_dragged(p)),
        labels=dict(system.labels) | _LABELS | _teeth_labels(drive),
        modes=replace(
            system.modes,
            playing=_sideways(chain.links),
            none_because=_ASIDE if any(wheel.offset != 0.0 or any(wheel.tilt) for wheel in drive.wheels) else "",
        ),
        story=replace(system.story, name_of=partial(_name_of, drive), notes=dict(system.story.notes) | noted),
    )


_ASIDE = (
    "the frequencies of the drive with its wheels in line (offset = 0, tilt = 0; in Python "
    "analyses.linear.linearised.in_line): on offset or tilted wheels, links rest at the ends of their free play, "
    "within which they have no natural frequency"
)
_LABELS = {"loss": S.LOSSES, "space": ("x", "y", "z"), "quaternion": ("w", "x", "y", "z"), "swing": ("twist", "bend")}


def spatial_layout(planar: PlanarParameters, links: int, works: int) -> PlanarParameters:
    """Return planar parameters whose layout has more coordinates than speeds per link, with anchors in space."""
    wheels, given = planar.wheels, planar.layout
    joints, pressures = given.positions - given.joint_position, given.size - given.pressure
    machines = given.pressure - given.machine
    yielding = 0 if planar.elastic_friction else links
    positions = COORDINATES * links + wheels + joints
    work = positions + SPEEDS * links + wheels + joints
    layout = given._replace(
        positions=positions,
        wheel_angle=COORDINATES * links,
        joint_position=COORDINATES * links + wheels,
        wheel_speed=positions + SPEEDS * links,
        joint_speed=positions + SPEEDS * links + wheels,
        work=work,
        shaft_work=work + works,
        machine=work + works + wheels,
        pressure=work + works + wheels + machines,
        size=work + works + wheels + machines + pressures + wheels * len(S.LOSSES) + yielding,
    )
    rows = (planar.faces + 2 * (wheels + planar.cog.wheel.size)) * links if planar.elastic_friction else 0
    anchored = blank(S.Anchored, rows)
    return planar._replace(layout=layout, derivative=np.zeros(layout.size), tilted=False, anchored=anchored)


def parameters_of(chain: Chain, links: SpatialLinks, options: SpatialOptions, planar: PlanarParameters) -> S.Parameters:
    """Return the parameters of links and joints; those of teeth are blank."""
    n, w, layout = chain.links, planar.wheels, planar.layout
    colour = chain_colouring(n, 1)[0]
    blocks, yielding = -(-n // S.LANES), 0 if planar.elastic_friction else n
    sliding = slice(None) if chain.kind == "bush" else slice(w, None)  # plates on guides, bushes on teeth
    planar.surface.arm[sliding] = planar.surface.radius[sliding]
    inertia = links.inertia
    size = link_dimensions(chain)
    width = size["inner_width"].value
    stiffness = options.side_stiffness
    return S.Parameters(
        planar=planar,
        row=row_of(variant_of(planar).groups, counts_of(planar)),
        links=n,
        blocks=blocks,
        joint_friction_radius=chain.joint_friction * links.plane.pin_radius,
        joint_friction_stiffness=_sticking_stiffness(chain),
        presliding=options.presliding,
        losses_at=layout.size - yielding - w * len(S.LOSSES),
        yielding=not planar.elastic_friction,
        yield_at=layout.size - yielding,
        pin_play=links.pin_play,
        twist_play=links.twist_play,
        bend_play=links.bend_play,
        rotation_vector=options.bushing == "rotation-vector",
        feedback=options.quaternion_feedback,
        half_width=0.5 * width,
        outer_half_width=0.5 * width + size["inner_link.plate_thickness"].value,
        chamfer=CHAMFER * size["inner_link.plate_thickness"].value,
        side_stiffness=SIDE_STIFFNESS * chain.link_stiffness if stiffness is None else stiffness,
        side_damping=options.side_damping,
        side_friction=options.side_friction or 0.0,
        breaking_load=chain.breaking_load if chain.breaking_load is not None else math.inf,
        gravity_z=0.0,
        body=_bodies(chain, links, blocks),
        inertia=np.concatenate([*inertia.T, *(1.0 / inertia.T)]),
        gyration=np.concatenate(
            [
                (inertia[:, 1] - inertia[:, 2]) / inertia[:, 0],
                (inertia[:, 2] - inertia[:, 0]) / inertia[:, 1],
                (inertia[:, 0] - inertia[:, 1]) / inertia[:, 2],
            ]
        ),
        owner=_owners(n),
        other=_others(n),
        colours=int(colour.max()) + 1,
        colour=colour,
        axes=np.zeros((w, S.AXES_COLUMNS)),
        tooth=blank(S.Teeth, w + planar.cog.wheel.size),
        cut=blank(S.Cut, len(planar.direction) if planar.cog.wheel.size else 0),
        offset=np.zeros(w),
        aside=np.full(w, -1, dtype=np.int64),
        link=_upright(blocks),
        place=np.zeros(2 * n),
        velocity=np.zeros(2 * n),
        joint_place=np.zeros(2 * n),
        joint_velocity=np.zeros(2 * n),
        tension=np.zeros(n),
        thrust=blank(S.Thrusts, w),
        slot=blank(S.Slots, planar.contact.force.size),
        near=_in_lines((S.NEAR_ROWS * S.STRIDE,), 0),
        follow=blank(S.Anchored, planar.anchored.held.size),
        moved=np.zeros(layout.size),
        pressed=np.zeros((2, layout.work - layout.positions)),
    )


def _sticking_stiffness(chain: Chain) -> float:
    """Return the rotational stiffness of a joint that elastic friction holds. [N m/rad]

    It is a fifth of the value for a chain of rollers, because links have small moments of inertia. The step is thus
    shortened by a twentieth at most, and a joint slides beyond some 1e-4 rad.
    """
    return 0.2 * sticking_stiffness(chain.link_stiffness, chain.pitch)


def _in_lines(shape: tuple[int, ...], lane: int) -> FloatArray:
    """Return zeros in rows of STRIDE, with this lane of every row at the beginning of a cache line.

    Each vector register is then written into one cache line; a step would take longer if every second register spanned
    two lines.
    """
    of_line = 64 // np.dtype(float).itemsize
    size = math.prod(shape)
    room: FloatArray = np.zeros(size + of_line)
    first = (-room.ctypes.data // room.itemsize - lane) % of_line
    return room[first : first + size].reshape(shape)


def _upright(blocks: int) -> FloatArray:
    """Return the rows of Parameters.link before the first evaluation.

    Every lane has the unit quaternion, even if it contains no link.
    """
    rows = _in_lines((blocks, S.LINK_ROWS, S.STRIDE), 1)
    rows[:, int(S.QW) // S.STRIDE] = 1.0
    return rows.reshape(blocks, -1)


def _owners(links: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Return the links that carry the rollers.

    Inner links (even numbers) carry the rollers at both of their ends.
    """
    joint = np.arange(links)
    return np.column_stack([joint - joint % 2, 1 - joint % 2]).astype(np.int64)


def _others(links: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Return the outer link at every joint: the front of the link before an even joint, or the rear of the link at an
    odd one.
    """
    joint = np.arange(links)
    return np.column_stack([(joint - 1 + joint % 2) % links, joint % 2]).astype(np.int64)


def _bodies(chain: Chain, links: SpatialLinks, blocks: int) -> FloatArray:
    """Return the rows of Parameters.body in blocks. Lanes after the last link contain a link whose joints have neither
    stiffness nor damping.
    """
    n, plane, each = chain.links, links.plane, np.ones(chain.links)
    x, y = plane.centre.T
    rows = [
        plane.mass,
        *links.inertia.T,
        1.0 / plane.mass,
        *(1.0 / links.inertia.T),
        -x,
        -y,
        plane.length - x,
        -y,
        plane.stiffness,
        plane.stiffness,
        links.side_stiffness * each,
        plane.damping,
        plane.damping,
        links.side_damping * each,
        links.twist_stiffness * each,
        links.bend_stiffness * each,
        links.swing_damping * each,
        chain.joint_damping * each,
    ]
    lanes = np.arange(blocks)[:, None] * S.LANES + np.arange(S.STRIDE) - 1
    table = np.stack(rows)[:, lanes % n]
    table[int(S.STIFF_X) // S.STRIDE :] *= lanes < n
    found = _in_lines((blocks, S.BODY_ROWS * S.STRIDE), 1)
    found[:] = table.transpose(1, 0, 2).reshape(found.shape)
    return found


def _with_wheels(p: S.Parameters, drive: Drive, options: SpatialOptions, mechanism: Mechanism) -> S.Parameters:
    """Return the parameters with frames and teeth of the wheels, their lateral motions, and the friction at their
    sides.
    """
    for w, wheel in enumerate(drive.wheels):
        p.axes[w, : S.CENTRE] = wheel_axes(wheel.tilt).ravel()
        p.axes[w, S.CENTRE : S.MOVING] = *wheel.position, wheel.offset
        p.offset[w] = wheel.offset
        p.aside[w], _ = mechanism.bodies.get(aside(w), (GROUND, None))
    put_teeth(p, drive)
    contact: Contact | None = drive.contact or drive.wheels[0].contact
    friction = options.side_friction
    if friction is None:
        friction = contact.friction if contact is not None else 0.0
    return p._replace(side_friction=friction)


def _outer_links_on_wide_teeth(p: S.Parameters, drive: Drive, seat_wheel: IntArray) -> None:
    """Make the teeth of narrow-wide wheels wide where outer links of the placed chain straddle them."""
    for w, wheel in enumerate(drive.wheels):
        if wheel.tooth_width_wide is None:
            continue
        joint = int(np.flatnonzero(seat_wheel == w)[0])
        ahead = p.other[joint, 1] != 0
        grows = p.planar.wheel.order[w] > 0
        p.tooth.wide[w] = (p.planar.gap[w, joint] - (0 if ahead == grows else 1)) % 2


def _dragged(p: S.Parameters) -> S.Parameters | None:
    """Return the chain with only those losses that keep their direction while it runs; None if there are none.

    Joints have no friction yet: it follows from the angle by which they have yielded, which is zero at the start.
    """
    body = _in_lines(p.body.shape, 1)
    body[:] = p.body
    rows = body.reshape(p.blocks, S.BODY_ROWS, S.STRIDE)
    if not (drags(p.planar) or rows[:, int(S.DAMP_PIN) // S.STRIDE].any()):
        return None
    for first in (S.DAMP_X, S.DAMP_Y, S.DAMP_Z, S.DAMP_SWING):
        rows[:, int(first) // S.STRIDE] = 0.0
    return p._replace(planar=only_dragged(p.planar), body=body, side_damping=0.0, side_friction=0.0)


def _sideways(links: int) -> IntArray:
    """Return the indices of velocities of links out of the plane of the drawing: along z, about the length of the link,
    and about its transverse axis.

    Teeth have play between the plates of seated links, and push in the middle plane of the teeth. To second order, a
    link that is pressed onto a tooth by the force N, offset by z and rolled by r has the energy -N z r. Only friction
    holds it there.
    """
    return np.arange(2 * links, 5 * links)


def _tangents(bushes: FloatArray, tangent: FloatArray) -> FloatArray:
    """Return the velocities of the bushes for a chain speed of 1, (N, 3).

    tangent: their velocities in the plane, (N, 2).
    """
    ahead = np.roll(bushes, -1, axis=0) - np.roll(bushes, 1, axis=0)
    flat = (ahead[:, :2] ** 2).sum(axis=1)
    along = (tangent * ahead[:, :2]).sum(axis=1) / flat
    return np.column_stack([tangent, along * ahead[:, 2]])


def system_at_rest(
    p: S.Parameters, place: FloatArray, angle: FloatArray, mechanism: Mechanism, expected: Expected
) -> System:
    """Return a system at rest, with links at ``place`` (7 N,) [m, -] and wheels at ``angle`` (W,) [rad]."""
    set_limits(p, mechanism, expected)
    planar, n = p.planar, p.links
    layout, variant = planar.layout, variant_of(planar)
    state = np.zeros(layout.size)
    state[: layout.wheel_angle] = place
    state[layout.wheel_angle : layout.joint_position] = angle
    state[layout.joint_position : layout.positions] = mechanism.coordinates
    state[layout.pressure : p.losses_at] = mechanism.pressures
    colours, neighbours = chain_colouring(n, SPEEDS, layout.positions - layout.wheel_angle)
    body = p.body.reshape(p.blocks, S.BODY_ROWS, S.STRIDE)[:, :4, 1 : 1 + S.LANES]
    limit = highest_frequencies(p, mechanism, expected)
    mass, *inertia = body.transpose(1, 0, 2).reshape(4, -1)[:, :n]
    system = System(
        kernels=variant.kernels,
        parameters=p,
        memory=P.MEMORY,
        state=state,
        positions=layout.positions,
        kinds=_kinds(n, planar, mechanism),
        channels=channels(variant.groups, counts_of(planar)),
        labels={"axis": ("x", "y")} | _LABELS,
        masses=np.concatenate([mass, mass, mass, *inertia, border_masses(planar, mechanism)]),
        scratch=S.SCRATCH,
        coupled=mechanism.tree.joints > 0,
        motion=Motion(
            rolling=np.zeros(layout.work - layout.positions),
            highest_frequency=limit.highest,
            settling_rate=lone_rate(planar, mechanism, expected.load_damping),
            undamped_frequency=limit.undamped if planar.elastic_friction else 0.0,
            damping_rate=limit.damping_rate if planar.elastic_friction else 0.0,
            chains=(ChainPlaces(np.arange(SPEEDS * n).reshape(SPEEDS, n).T.copy()),),
        ),
        rest=Rest(
            colours=colours,
            neighbours=neighbours,
            statics=variant.statics,
            tolerance=STATIC_TOLERANCE,
            advice=NO_REST,
        ),
        story=Story(endings=ENDINGS),
    )
    system.kernels.begin(0.0, system.state, p)
    return system


def _kinds(links: int, planar: PlanarParameters, mechanism: Mechanism) -> IntArray:
    """Return the kind of every state."""
    joints = [Kind.ANGLE if kind == REVOLUTE else Kind.LENGTH for kind in joint_kinds(mechanism.tree)]
    moved = [Kind.ANGULAR_SPEED if kind == Kind.ANGLE else Kind.SPEED for kind in joints]
    kinds = [Kind.LENGTH] * (3 * links) + [Kind.ANGLE] * (4 * links + planar.wheels) + joints
    kinds += [Kind.SPEED] * (3 * links) + [Kind.ANGULAR_SPEED] * (3 * links + planar.wheels) + moved
    kinds += [Kind.WORK] * (planar.layout.machine - planar.layout.work)
    kinds += [Kind.MACHINE] * (planar.layout.pressure - planar.layout.machine)
    kinds += [Kind.PRESSURE] * len(mechanism.pressures) + [Kind.WORK] * (planar.wheels * len(S.LOSSES))
    return np.array(kinds + [Kind.ANGLE] * (planar.layout.size - len(kinds)), dtype=np.int64)


def _teeth_labels(drive: Drive) -> dict[str, tuple[str, ...]]:
    """Return the names of all wheels, followed by those of any additional cogs."""
    cogs = [f"{wheel.name} {cog.teeth}" for wheel in drive.wheels for cog in wheel.cogs]
    return {"teeth": (*(wheel.name for wheel in drive.wheels), *cogs)} if cogs else {}


def _name_of(drive: Drive, position: int) -> str:
    """Return the name of the part to which a velocity belongs."""
    links, own = drive.chain.links, SPEEDS * drive.chain.links
    return f"link {position % links}" if position < own else border_name(drive, position - own)
