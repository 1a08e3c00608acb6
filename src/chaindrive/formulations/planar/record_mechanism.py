"""The channels of bodies, tensioners, freewheels, torques on wheels and inputs, and the list of all channels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from chaindrive.formulations.declare import Shown, TorqueChannels, motion_torque, one, torque_channels
from chaindrive.formulations.planar.channels import Counts, Group
from chaindrive.formulations.planar.freewheel import hub_of
from chaindrive.formulations.planar.peaks import peaks_group
from chaindrive.formulations.planar.record import (
    CONTACTS,
    ENDS,
    FLANKS,
    GUIDES,
    PATH,
    PAYLOADS,
    WORK_TEXT,
    balance_group,
    spans_group,
    tilt_group,
    wheels_group,
)
from chaindrive.formulations.planar.support import Support
from chaindrive.kernels import Kernel, kernel
from chaindrive.mechanism import tree

__all__ = ["groups_around", "mechanism_groups", "write_bodies", "write_freewheels", "write_tensioners"]


class _Bodies(NamedTuple):
    joint_position: Shown
    joint_speed: Shown
    joint_force: Shown
    joint_moment: Shown
    position: Shown
    angle: Shown


def _body_channels(counts: Counts) -> _Bodies:
    b = counts.bodies
    return _Bodies(
        joint_position=one(
            "joint_position", ("body",), "1", "coordinate of the body's joint, 0 in the drawing [rad or m]", (b,)
        ),
        joint_speed=one(
            "joint_speed", ("body",), "1", "rate of the coordinate of the body's joint [rad/s or m/s]", (b,)
        ),
        joint_force=one(
            "joint_force", ("body", "axis"), "N", "force of the body on its support, through its joint", (b, 2)
        ),
        joint_moment=one("joint_moment", ("body",), "N m", "moment of the body on its support, about its joint", (b,)),
        position=one("body_position", ("body", "axis"), "m", "centre of mass of the body", (b, 2)),
        angle=one("body_angle", ("body",), "rad", "rotation of the body from its position in the drawing", (b,)),
    )


@kernel(inner=True)
def write_bodies(y, dy, p):
    """Write the channels of the bodies."""
    planar, own = p.planar, p.row.views.bodies
    bodies = planar.named_bodies
    if bodies > 0:
        tree.reactions(planar.tree, planar.joint_force, planar.joint_moment)
    for b in range(bodies):
        j = planar.tree.body.coordinate[b]
        own.joint_position[b] = y[planar.layout.joint_position + j] if j >= 0 else 0.0
        own.joint_speed[b] = y[planar.layout.joint_speed + j] if j >= 0 else 0.0
        own.joint_force[b, 0], own.joint_force[b, 1] = planar.joint_force[b, 0], planar.joint_force[b, 1]
        own.joint_moment[b] = planar.joint_moment[b]
        px, py, _, _ = tree.place(planar.tree, b, planar.tree.body.centre_x[b], planar.tree.body.centre_y[b])
        own.position[b, 0], own.position[b, 1] = px, py
        own.angle[b] = planar.tree.frame.angle[b]


class _Tensioners(NamedTuple):
    position: Shown
    force: Shown
    pressure: Shown


def _tensioner_channels(counts: Counts) -> _Tensioners:
    k = counts.tensioners
    pressure = "pressure in the chamber of the tensioner; NaN without a chamber"
    return _Tensioners(
        position=one("tensioner_position", ("tensioner",), "m", "distance between the ends of the tensioner", (k,)),
        force=one("tensioner_force", ("tensioner",), "N", "force with which the tensioner pushes its ends apart", (k,)),
        pressure=one("tensioner_pressure", ("tensioner",), "Pa", pressure, (k,)),
    )


@kernel(inner=True)
def write_tensioners(y, dy, p):
    """Write the channels of the tensioners."""
    own, state, index = p.row.views.tensioners, p.planar.elements.state, p.planar.elements.value
    for k in range(p.planar.elements.count):
        own.position[k], own.force[k] = state.length[k], state.force[k]
        own.pressure[k] = state.pressure[k] if index.pressure_index[k] >= 0 else math.nan


class _Freewheels(NamedTuple):
    hub_angle: Shown
    hub_speed: Shown
    torque: Shown


def _freewheel_channels(counts: Counts) -> _Freewheels:
    w = (counts.wheels if counts.freewheels else 0,)
    torque = "torque of the freewheel on the hub, counter-clockwise positive; NaN without one"
    return _Freewheels(
        hub_angle=one("hub_angle", ("wheel",), "rad", "angle turned by the hub of the freewheel since the start", w),
        hub_speed=one("hub_speed", ("wheel",), "rad/s", "angular velocity of the hub of the freewheel", w),
        torque=one("freewheel_torque", ("wheel",), "N m", torque, w),
    )


@kernel(inner=True)
def write_freewheels(y, dy, p):
    """Write the channels of the freewheels."""
    planar, own = p.planar, p.row.views.freewheels
    for w in range(own.torque.size):
        j = hub_of(planar, w)
        own.hub_angle[w] = y[planar.layout.joint_position + j] if j >= 0 else math.nan
        own.hub_speed[w] = y[planar.layout.joint_speed + j] if j >= 0 else math.nan
        own.torque[w] = planar.twisted.torque[w] if j >= 0 else math.nan


def _torque_channels(counts: Counts) -> TorqueChannels:
    return torque_channels(counts.wheels if counts.torques else 0)


@kernel(inner=True)
def _torques(y, dy, p):
    own = p.row.views.torques
    for w in range(own.motor.size):
        own.motor[w], own.load[w] = p.planar.shaft.driving[w], p.planar.shaft.load[w]


class _WheelMotions(NamedTuple):
    torque: Shown


def _wheel_motion_channels(counts: Counts) -> _WheelMotions:
    return _WheelMotions(torque=motion_torque(counts.wheels if counts.wheel_inputs else 0))


@kernel(inner=True)
def _wheel_motions(y, dy, p):
    own = p.row.views.wheel_motions
    for w in range(own.torque.size):
        own.torque[w] = p.planar.shaft.motion[w]


class _JointMotions(NamedTuple):
    force: Shown


def _joint_motion_channels(counts: Counts) -> _JointMotions:
    text = (
        "force or torque that makes the joint of the body follow its prescribed motion; 0 where it has none [N or N m]"
    )
    return _JointMotions(
        force=one("motion_force", ("body",), "1", text, (counts.bodies if counts.joint_inputs else 0,))
    )


@kernel(inner=True)
def _joint_motions(y, dy, p):
    own, tree_now = p.row.views.joint_motions, p.planar.tree
    for b in range(own.force.size):
        j = tree_now.body.coordinate[b]
        own.force[b] = tree_now.motion_force[j] if j >= 0 else 0.0


class _Oil(NamedTuple):
    inflow: Shown


def _oil_channels(counts: Counts) -> _Oil:
    text = "flow of oil into the chamber of the tensioner through the check valve, if a supply pressure is an input"
    count = counts.tensioners if counts.oil_inputs else 0
    return _Oil(inflow=one("tensioner_inflow", ("tensioner",), "m^3/s", text, (count,)))


@kernel(inner=True)
def _oil(y, dy, p):
    own = p.row.views.oil
    for k in range(own.inflow.size):
        own.inflow[k] = p.planar.elements.state.inflow[k]


def mechanism_groups(support: Support) -> tuple[Group, ...]:
    """Return the channels of bodies, tensioners, freewheels, torques on wheels, and motions that are inputs."""
    return (
        Group("bodies", _body_channels, support.bodies, optional=True),
        Group("tensioners", _tensioner_channels, support.tensioners, optional=True),
        Group("freewheels", _freewheel_channels, support.freewheels, optional=True),
        Group("torques", _torque_channels, _torques, optional=True),
        Group("wheel_motions", _wheel_motion_channels, _wheel_motions, optional=True),
        Group("joint_motions", _joint_motion_channels, _joint_motions, optional=True),
        Group("oil", _oil_channels, _oil, optional=True),
    )


def groups_around(
    chain: Sequence[Group],
    support: Support,
    energies: Kernel,
    positions_of: Kernel,
    tensions_of: Kernel,
    works: Mapping[str, str] = WORK_TEXT,
) -> tuple[Group, ...]:
    """Return all channels of a chain in the plane, in the order of a row: first those of the chain, then the others.

    positions_of, tensions_of: see ``ChainKernels``; energies: see ``planar.record.balance``; works: descriptions of
    the works.
    """
    return (
        *chain,
        CONTACTS,
        FLANKS,
        PATH,
        wheels_group(support.centre_acceleration),
        tilt_group(support.centre_acceleration),
        spans_group(positions_of, tensions_of),
        ENDS,
        GUIDES,
        PAYLOADS,
        *mechanism_groups(support),
        peaks_group(support.centre_acceleration, tensions_of),
        balance_group(energies, works),
    )
