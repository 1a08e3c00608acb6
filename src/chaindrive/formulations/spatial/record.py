"""The channels of the spatial formulation: those that only it has, and the order of all channels in a row."""

from __future__ import annotations

import math
from math import atan2
from typing import NamedTuple

import numpy as np

from chaindrive.formulations.declare import Shown, one, several
from chaindrive.formulations.planar.channels import Counts, Group
from chaindrive.formulations.planar.peaks import peaks_group
from chaindrive.formulations.planar.record import (
    CONTACTS,
    FLANKS,
    GUIDES,
    PATH,
    WORK_TEXT,
    balance_group,
    spans_group,
    wheels_group,
)
from chaindrive.formulations.planar.record_mechanism import mechanism_groups
from chaindrive.formulations.planar.support import Support
from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.chain import ONE, positions_of, tensions_of
from chaindrive.formulations.spatial.joints import joint_energy
from chaindrive.formulations.spatial.sides import side_energy
from chaindrive.formulations.spatial.sticking import teeth_of
from chaindrive.kernels import Kernel, kernel

__all__ = ["chain_energies", "groups", "link_roll"]

WORKS = WORK_TEXT | {
    "link_damping": "lost in the damping of joints, excluding friction about their pins",
    "articulation": "lost in the rotation of pins in bushes",
    "friction": "lost in friction of rollers on teeth, including friction along the axes of wheels",
    "side_plates": "lost in friction and impacts of plates at the sides of teeth",
}


def groups(support: Support, energies: Kernel) -> tuple[Group, ...]:
    """Return all channels of the formulation, in the order of a row; energies: see ``planar.record.balance``."""
    return (
        CHAIN,
        JOINTS,
        CONTACTS,
        FLANKS,
        SIDES,
        PATH,
        wheels_group(support.centre_acceleration),
        THRUSTS,
        SEATED,
        LOSSES,
        spans_group(positions_of, tensions_of),
        GUIDES,
        *mechanism_groups(support),
        peaks_group(support.centre_acceleration, tensions_of),
        balance_group(energies, WORKS),
    )


class _Chain(NamedTuple):
    tension: Shown
    bush: Shown
    bush_velocity: Shown
    bush_offset: Shown
    position: Shown
    orientation: Shown
    rotation: Shown
    acceleration: Shown
    roll: Shown


def _chain_channels(counts: Counts) -> _Chain:
    n = counts.links
    place = "centre of mass of the link in space; z is out of the plane of the drawing"
    turn = "quaternion (w, x, y, z) from the axes of the link (x to its pin, z along its pins) to those of space"
    rate = "angular velocity of the link in its own axes"
    sway = "acceleration of the link's centre of mass out of the plane of the drawing"
    roll = (
        "roll of the link about its length; zero where its pins are as nearly normal to the drawing plane as possible"
    )
    return _Chain(
        tension=several("link_tension", ("link",), "N", "force of the pin of link i along the link", (n,)),
        bush=several(
            "roller_position", ("roller", "axis"), "m", "middle of every bush in the plane of the drawing", (n, 2)
        ),
        bush_velocity=several(
            "roller_velocity",
            ("roller", "axis"),
            "m/s",
            "in-plane velocity of the middle of every bush",
            (n, 2),
            kept="on request",
        ),
        bush_offset=several(
            "roller_offset", ("roller",), "m", "distance of the middle of every bush from the drawing plane", (n,)
        ),
        position=several("link_position", ("link", "space"), "m", place, (n, 3), kept="on request"),
        orientation=several("link_orientation", ("link", "quaternion"), "1", turn, (n, 4), kept="on request"),
        rotation=several("link_rotation", ("link", "space"), "rad/s", rate, (n, 3), kept="on request"),
        acceleration=several("lateral_acceleration", ("link",), "m/s^2", sway, (n,), kept="on request"),
        roll=several("link_roll", ("link",), "rad", roll, (n,)),
    )


@kernel(inline=True)
def link_roll(w, x, y, z):
    """Return the rotation of a link about its length, from its quaternion (w, x, y, z) of any length. [rad]

    The angle is measured from the position in which the pins are as nearly normal to the plane of the drawing as
    possible. It is the last of the z-y-x angles: tan r = R_zy/R_zz.
    """
    return atan2(2.0 * (w * x + y * z), w * w - x * x - y * y + z * z)


@kernel(inner=True)
def _chain(y, dy, p):
    """Write the channels of the chain, and set the resultants on the wheels to those of all contact forces."""
    own, n = p.row.views.chain, p.links
    for w in range(p.planar.wheels):
        p.planar.resultant.x[w] = p.thrust.x[w]
        p.planar.resultant.y[w] = p.thrust.y[w]
    v = p.planar.layout.positions
    for i in range(n):
        b = i // S.LANES
        s, k = p.link[b], np.uintp(i - b * S.LANES) + ONE
        own.tension[i] = p.tension[i]
        own.bush[i, 0], own.bush[i, 1] = s[S.BX + k], s[S.BY + k]
        own.bush_velocity[i, 0], own.bush_velocity[i, 1] = s[S.BVX + k], s[S.BVY + k]
        own.bush_offset[i] = s[S.BZ + k]
        for c in range(3):
            own.position[i, c] = y[c * n + i]
            own.rotation[i, c] = y[v + (3 + c) * n + i]
        for c in range(4):
            own.orientation[i, c] = y[(3 + c) * n + i]
        own.acceleration[i] = dy[v + 2 * n + i]
        own.roll[i] = link_roll(y[3 * n + i], y[4 * n + i], y[5 * n + i], y[6 * n + i])


CHAIN = Group("chain", _chain_channels, _chain)


class _Joints(NamedTuple):
    force: Shown
    angle: Shown
    moment: Shown


def _joint_channels(counts: Counts) -> _Joints:
    n = counts.links
    force = (
        "force of the bush at the roller on its pin, in the axes of the pin's link: along the link, across it, along "
        "the pin"
    )
    angle = "misalignment angles between the two links of a joint: twist about their length, bend out of the plane"
    moment = "friction moment about the pin, acting on the previous link"
    return _Joints(
        force=several("bushing_force", ("roller", "space"), "N", force, (n, 3)),
        angle=several("bushing_angle", ("roller", "swing"), "rad", angle, (n, 2)),
        moment=several("pin_moment", ("roller",), "N m", moment, (n,), kept="on request"),
    )


@kernel(inner=True)
def _joints(y, dy, p):
    own = p.row.views.joints
    for i in range(p.links):
        b = i // S.LANES
        s, k = p.link[b], np.uintp(i - b * S.LANES) + ONE
        own.force[i, 0], own.force[i, 1], own.force[i, 2] = s[S.F1 + k], s[S.F2 + k], s[S.F3 + k]
        own.angle[i, 0], own.angle[i, 1] = 2.0 * s[S.C1 + k], 2.0 * s[S.C2 + k]
        own.moment[i] = s[S.PIN_MOMENT + k]


JOINTS = Group("joints", _joint_channels, _joints)


class _Sides(NamedTuple):
    force: Shown
    friction: Shown


def _side_channels(counts: Counts) -> _Sides:
    n = (counts.links,)
    force = "force of the sides of teeth on the plates at the roller, along the pins"
    rubbing = "friction force of the teeth on the roller along the axis of the wheel"
    return _Sides(
        force=several("side_force", ("roller",), "N", force, n),
        friction=several("axial_friction", ("roller",), "N", rubbing, n),
    )


@kernel(inner=True)
def _sides(y, dy, p):
    own, planar = p.row.views.sides, p.planar
    for i in range(p.links):
        own.force[i], own.friction[i] = 0.0, 0.0
    for s in range(planar.used.segments[0]):
        first, slot = planar.segment.first[s], planar.segment.slot[s]
        for i in range(first, planar.segment.end[s]):
            k = slot + i - first
            if planar.segment.back[s] == 0:
                own.force[i] += p.slot.side_force[k] + p.slot.outer_force[k]
            own.friction[i] += p.slot.axial[k]


SIDES = Group("sides", _side_channels, _sides)


class _Thrusts(NamedTuple):
    force: Shown
    moment: Shown
    offset: Shown
    tilt: Shown


def _thrust_channels(counts: Counts) -> _Thrusts:
    w = counts.wheels
    thrust = "force of the chain on the wheel out of the plane of the drawing"
    moment = "moment of the chain on the wheel about its centre, about x and y"
    tilt = "tilt angles of the wheel axis about x and y, relative to the normal of the drawing plane"
    offset = "distance of the middle plane of the wheel's teeth in front of the plane of the drawing"
    return _Thrusts(
        force=one("axial_thrust", ("wheel",), "N", thrust, (w,)),
        moment=one("tilting_moment", ("wheel", "axis"), "N m", moment, (w, 2)),
        offset=one("wheel_offset", ("wheel",), "m", offset, (w,)),
        tilt=one("wheel_tilt", ("wheel", "axis"), "rad", tilt, (w, 2)),
    )


@kernel(inner=True)
def _thrusts(y, dy, p):
    own, thrust = p.row.views.thrusts, p.thrust
    for w in range(p.planar.wheels):
        own.force[w] = thrust.z[w]
        own.moment[w, 0], own.moment[w, 1] = thrust.tilting_x[w], thrust.tilting_y[w]
        own.offset[w] = p.axes[w, S.CENTRE + 2]
        own.tilt[w, 0] = math.atan2(-p.axes[w, S.E3 + 1], p.axes[w, S.E3 + 2])
        own.tilt[w, 1] = math.asin(p.axes[w, S.E3])


THRUSTS = Group("thrusts", _thrust_channels, _thrusts)


class _Seated(NamedTuple):
    count: Shown


def _seated_channels(counts: Counts) -> _Seated:
    text = "number of rollers seated on a wheel or cog: those that press on its teeth near its pitch circle"
    teeth = counts.wheels + counts.cogs if counts.cogs else 0
    return _Seated(count=several("seated_rollers", ("teeth",), "1", text, (teeth,), holds="count"))


SEATED_WITHIN = 0.1
"""Largest distance of a seated roller from the pitch circle, relative to the pitch. [-]"""


@kernel(inner=True)
def _seated(y, dy, p):
    seated, planar, n, place = p.row.views.seated.count, p.planar, p.links, positions_of(y, p)
    for t in range(seated.size):
        seated[t] = 0.0
    for s in range(planar.used.segments[0] if seated.size else 0):
        w, first, slot = planar.segment.surface[s], planar.segment.first[s], planar.segment.slot[s]
        if w >= planar.wheels or planar.segment.back[s] != 0:
            continue
        t = teeth_of(planar, w, planar.segment.face[s])
        for i in range(first, planar.segment.end[s]):
            dx, dy_ = place[i] - planar.frame.x[w], place[n + i] - planar.frame.y[w]
            off = abs(math.sqrt(dx * dx + dy_ * dy_) - p.tooth.full[t])
            if planar.contact.force[slot + i - first] > 0.0 and off < SEATED_WITHIN * planar.pitch:
                seated[t] += 1.0


SEATED = Group("seated", _seated_channels, _seated, optional=True)


class _Losses(NamedTuple):
    lost: Shown


def _loss_channels(counts: Counts) -> _Losses:
    w = counts.wheels
    text = (
        "lost at the wheel since the start: in chain joints at its teeth, between rollers and teeth, at the sides of "
        "teeth, and in its bearing"
    )
    return _Losses(lost=one("wheel_losses", ("wheel", "loss"), "J", text, (w, len(S.LOSSES)), kept="always"))


@kernel(inner=True)
def _losses(y, dy, p):
    lost = p.row.views.losses.lost
    for w in range(lost.shape[0]):
        for k in range(lost.shape[1]):
            lost[w, k] = y[p.losses_at + w * lost.shape[1] + k]


LOSSES = Group("losses", _loss_channels, _losses)


@kernel(inner=True)
def chain_energies(y, p):
    """Return the kinetic, elastic and gravity energy of the chain; plates on teeth add to the elastic energy. [J]"""
    n, v = p.links, p.planar.layout.positions
    kinetic, gravity = 0.0, 0.0
    for i in range(n):
        b = i // S.LANES
        body, k = p.body[b], np.uintp(i - b * S.LANES) + ONE
        mass = body[S.MASS + k]
        kinetic += mass * (y[v + i] ** 2 + y[v + n + i] ** 2 + y[v + 2 * n + i] ** 2)
        kinetic += body[S.I1 + k] * y[v + 3 * n + i] ** 2 + body[S.I2 + k] * y[v + 4 * n + i] ** 2
        kinetic += body[S.I3 + k] * y[v + 5 * n + i] ** 2
        gravity -= mass * (p.planar.gravity_x * y[i] + p.planar.gravity_y * y[n + i] + p.gravity_z * y[2 * n + i])
    return 0.5 * kinetic, joint_energy(p) + side_energy(p), gravity
