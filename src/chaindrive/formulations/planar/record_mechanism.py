"""The channels of bodies, tensioners and freewheels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from chaindrive.contract.channels import Channel
from chaindrive.formulations.declare import one, torque_channels
from chaindrive.formulations.planar.channels import Counts, Group
from chaindrive.formulations.planar.freewheel import hub_of
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

__all__ = ["body_rows", "freewheel_rows", "groups_around", "mechanism_groups", "tensioner_rows"]


def _body_channels(counts: Counts) -> Sequence[Channel]:
    b = counts.bodies
    if b == 0:
        return ()
    return (
        one("joint_position", ("body",), "1", "coordinate of the body's joint, 0 in the drawing [rad or m]", (b,)),
        one("joint_speed", ("body",), "1", "rate of the coordinate of the body's joint [rad/s or m/s]", (b,)),
        one("joint_force", ("body", "axis"), "N", "force of the body on what supports it, through its joint", (b, 2)),
        one("joint_moment", ("body",), "N m", "moment of the body on what supports it, about its joint", (b,)),
        one("body_position", ("body", "axis"), "m", "centre of mass of the body", (b, 2)),
        one("body_angle", ("body",), "rad", "angle by which the body has turned from the drawing", (b,)),
    )


@kernel(inner=True)
def body_rows(y, dy, p, part):
    """Channels of the bodies into their part of a row."""
    planar = p.planar
    bodies = planar.named_bodies
    if bodies > 0:
        tree.reactions(planar.tree, planar.joint_force, planar.joint_moment)
    for b in range(bodies):
        j = planar.tree.body.coordinate[b]
        part[b] = y[planar.layout.joint_position + j] if j >= 0 else 0.0
        part[bodies + b] = y[planar.layout.joint_speed + j] if j >= 0 else 0.0
        part[2 * bodies + 2 * b] = planar.joint_force[b, 0]
        part[2 * bodies + 2 * b + 1] = planar.joint_force[b, 1]
        part[4 * bodies + b] = planar.joint_moment[b]
        px, py, _, _ = tree.place(planar.tree, b, planar.tree.body.centre_x[b], planar.tree.body.centre_y[b])
        part[5 * bodies + 2 * b], part[5 * bodies + 2 * b + 1] = px, py
        part[7 * bodies + b] = planar.tree.frame.angle[b]


def _tensioner_channels(counts: Counts) -> Sequence[Channel]:
    k = counts.tensioners
    if k == 0:
        return ()
    pressure = "pressure in its chamber; NaN without a chamber"
    return (
        one("tensioner_position", ("tensioner",), "m", "distance between the ends of the tensioner", (k,)),
        one("tensioner_force", ("tensioner",), "N", "force with which it pushes its ends apart", (k,)),
        one("tensioner_pressure", ("tensioner",), "Pa", pressure, (k,)),
    )


@kernel(inner=True)
def tensioner_rows(y, dy, p, part):
    """Channels of the tensioners into their part of a row."""
    count, state, index = p.planar.elements.count, p.planar.elements.state, p.planar.elements.value
    for k in range(count):
        part[k] = state.length[k]
        part[count + k] = state.force[k]
        part[2 * count + k] = state.pressure[k] if index.pressure_index[k] >= 0 else math.nan


def _freewheel_channels(counts: Counts) -> Sequence[Channel]:
    if not counts.freewheels:
        return ()
    w = (counts.wheels,)
    torque = "torque of the freewheel on the hub, counter-clockwise positive; NaN without one"
    return (
        one("hub_angle", ("wheel",), "rad", "angle turned by the hub of the freewheel since the start", w),
        one("hub_speed", ("wheel",), "rad/s", "angular velocity of the hub of the freewheel", w),
        one("freewheel_torque", ("wheel",), "N m", torque, w),
    )


@kernel(inner=True)
def freewheel_rows(y, dy, p, part):
    """Channels of the freewheels into their part of a row, which is empty in a drive without."""
    planar = p.planar
    count = planar.wheels if part.size > 0 else 0
    for w in range(count):
        j = hub_of(planar, w)
        part[w] = y[planar.layout.joint_position + j] if j >= 0 else math.nan
        part[count + w] = y[planar.layout.joint_speed + j] if j >= 0 else math.nan
        part[2 * count + w] = planar.twisted.torque[w] if j >= 0 else math.nan


def _torque_channels(counts: Counts) -> Sequence[Channel]:
    return torque_channels(counts.wheels) if counts.torques else ()


@kernel(inner=True)
def torque_rows(y, dy, p, part):
    """Channels of what drives and loads the wheels into their part of a row, which is empty in a drive without."""
    count = p.planar.wheels if part.size > 0 else 0
    for w in range(count):
        part[w], part[count + w] = p.planar.shaft.driving[w], p.planar.shaft.load[w]


def mechanism_groups(support: Support) -> tuple[Group, Group, Group, Group]:
    """Channels of bodies, of tensioners, of freewheels, and of what drives and loads the wheels."""
    return (
        Group(_body_channels, support.bodies),
        Group(_tensioner_channels, support.tensioners),
        Group(_freewheel_channels, support.freewheels),
        Group(_torque_channels, torque_rows),
    )


def groups_around(
    chain: Sequence[Group],
    support: Support,
    energies: Kernel,
    positions_of: Kernel,
    tensions_of: Kernel,
    works: Mapping[str, str] = WORK_TEXT,
) -> tuple[Group, ...]:
    """All channels of a chain in the plane, in the order of a row: those of the chain, then those around it.

    positions_of, tensions_of: see ``ChainKernels``; energies: see ``planar.record.balance``; works: what losses are.
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
        balance_group(energies, works),
    )
