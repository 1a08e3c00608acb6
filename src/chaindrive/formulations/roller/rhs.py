"""The right-hand side of the roller formulation: the recipe of one evaluation.

Rollers are lumped masses, links are springs and dampers, joints carry viscous and friction moments as force couples
(Pedersen 2004, chapter 3). Wheels turn, and guides rest, on the ground or on the bodies of a mechanism with J moving
joints. State, with N rollers, W wheels and H hydraulic chambers, n_q = 2 N + W + J:

    q = [x(N), y(N), angle(W), joint coordinate(J)],  v = dq/dt,
    w = [work integrals (parameters.WORKS), works of shafts(W), pressure(H)]

Wheels and guides are surfaces alike: a frame that moves, a profile in it, rollers that may touch it.

Written for vector registers: structure of arrays, one simple loop for each stage of the computation, no branch inside a
loop that depends on data, and the choice of a law made outside the loop.
"""

from __future__ import annotations

import math

import numpy as np

from chaindrive.formulations.roller.parameters import (
    CANDIDATE_COS,
    CANDIDATE_SIN,
    CANDIDATE_SPEED,
    CONTACT_ELASTIC,
    CONTACT_FORCE,
    CONTACT_FRICTION,
    CONTACT_NORMAL_X,
    CONTACT_NORMAL_Y,
    CONTACT_PENETRATION,
    CONTACT_RATE,
    CONTACT_SIGN,
    CONTACT_SLIP,
    FRAME_COS,
    FRAME_SIN,
    FRAME_SPIN,
    FRAME_VX,
    FRAME_VY,
    FRAME_X,
    FRAME_Y,
    INDEX_LAW,
    INDEX_PROFILE,
    INDEX_PROFILE_END,
    LAW_HERTZ,
    LAW_LINEAR,
    LINK_FORCE_X,
    LINK_FORCE_Y,
    LINK_INVERSE,
    LINK_MOMENT,
    LINK_SPIN,
    LINK_TENSION,
    LINK_X,
    LINK_Y,
    PUSH_MOMENT,
    SEGMENT_END,
    SEGMENT_FIRST,
    SEGMENT_SLOT,
    SEGMENT_SURFACE,
    SURFACE_DEPTH,
    SURFACE_EXPONENT,
    SURFACE_FRICTION,
    SURFACE_HYSTERESIS,
    SURFACE_RADIUS,
    SURFACE_STIFFNESS,
    SURFACE_VISCOUS,
    USED_SEGMENTS,
    USED_SLOTS,
    WORK_CONTACT,
    WORK_FRICTION,
    WORK_GUIDE,
    WORK_JOINT,
    WORK_LINK_DAMPING,
)
from chaindrive.geometry.kernels import beyond, distance, open_profile_distance, profile_row
from chaindrive.kernels import Kernel, kernel
from chaindrive.physics.contact import (
    contact_dissipation,
    elastic_force_hertz,
    elastic_force_linear,
    elastic_force_power,
    normal_force,
)
from chaindrive.physics.friction import friction_force, regularised_signs
from chaindrive.physics.joint import (
    couple_force,
    joint_dissipation,
    joint_friction_moment,
    joint_moment,
    link_angular_velocity,
)
from chaindrive.physics.link import link_dissipation, link_force

index = np.uintp
"""Unsigned indices: a signed one that is not plainly a loop counter is tested for a count from the end, which keeps a
loop from using vector registers."""
ZERO, ONE = index(0), index(1)


def evaluation(frames: Kernel, accelerations: Kernel) -> Kernel:
    """The right-hand side, compiled around the kernels of what carries the chain (variants.py)."""

    @kernel
    def rhs(t, y, dy, p):
        """Write dy/dt of the state y at time t. Frames, links, contacts and pushes stay in the scratch arrays of p."""
        positions, rollers = index(p.positions), index(2 * p.links)
        for i in range(positions):
            dy[i] = y[positions + i]
        for k in range(positions + rollers, index(y.size)):
            dy[k] = 0.0
        frames(y, p)
        _link_forces(y, dy, p)
        used = p.segments_used[USED_SEGMENTS]
        for s in range(used):
            surface = p.segment[s, SEGMENT_SURFACE]
            if surface < p.wheels:
                _tooth_contact(y, p, surface, s)
            else:
                _guide_contact(y, p, surface, s)
            _elastic_forces(p, surface, s)
        if p.rubbing:
            slots = p.segments_used[USED_SLOTS]
            slip, sign = p.contact[CONTACT_SLIP], p.contact[CONTACT_SIGN]
            regularised_signs(p.friction_kind, slip, p.friction_speed, p.friction_sharpness, sign, slots)
        for s in range(used):
            _contact_forces(y, dy, p, p.segment[s, SEGMENT_SURFACE], s)
        _roller_accelerations(dy, p)
        accelerations(t, y, dy, p)

    return rhs


@kernel(inline=True)
def _link_forces(y, dy, p):
    """Tension, joint moments and their powers; the sum of link forces on every roller goes to dy. [N]"""
    n = index(p.links)
    positions = index(p.positions)
    last = n - ONE
    link = p.link
    dissipated = 0.0
    for i in range(last):
        dissipated += _one_link(y, link, i, i + ONE, n, positions, p.pitch, p.stiffness, p.damping)
    dissipated += _one_link(y, link, last, ZERO, n, positions, p.pitch, p.stiffness, p.damping)
    dy[positions + positions + index(WORK_LINK_DAMPING)] = dissipated

    if p.joint_damping != 0.0 or p.joint_friction_radius != 0.0:
        lost = _viscous_joint(link, last, ZERO, p.joint_damping)
        for i in range(ONE, n):
            lost += _viscous_joint(link, i - ONE, i, p.joint_damping)
        if p.joint_friction_radius != 0.0:
            lost += _rubbing_joint(link, last, ZERO, p.joint_friction_radius, p.joint_friction_rate)
            for i in range(ONE, n):
                lost += _rubbing_joint(link, i - ONE, i, p.joint_friction_radius, p.joint_friction_rate)
        for i in range(last):
            _couple(link, i, i + ONE)
        _couple(link, last, ZERO)
        dy[positions + positions + index(WORK_JOINT)] = lost

    ax, ay = positions, positions + n
    dy[ax] = link[LINK_FORCE_X, ZERO] - link[LINK_FORCE_X, last]
    dy[ay] = link[LINK_FORCE_Y, ZERO] - link[LINK_FORCE_Y, last]
    for i in range(ONE, n):
        dy[ax + i] = link[LINK_FORCE_X, i] - link[LINK_FORCE_X, i - ONE]
        dy[ay + i] = link[LINK_FORCE_Y, i] - link[LINK_FORCE_Y, i - ONE]


@kernel(inline=True)
def _one_link(y, link, i, j, n, positions, pitch, stiffness, damping):
    """Spring and damper between rollers i and j (Pedersen 2004, Eq. 3.7); returns the dissipated power. [W]"""
    dx = y[j] - y[i]
    dz = y[n + j] - y[n + i]
    vx = y[positions + j] - y[positions + i]
    vz = y[positions + n + j] - y[positions + n + i]
    inverse = 1.0 / math.sqrt(dx * dx + dz * dz)
    ux = dx * inverse
    uz = dz * inverse
    rate = ux * vx + uz * vz
    length = (dx * dx + dz * dz) * inverse
    tension = link_force(length, rate, pitch, stiffness, damping)
    link[LINK_X, i] = ux
    link[LINK_Y, i] = uz
    link[LINK_TENSION, i] = tension
    link[LINK_SPIN, i] = link_angular_velocity(ux, uz, inverse, vx, vz)
    link[LINK_INVERSE, i] = inverse
    link[LINK_FORCE_X, i] = tension * ux
    link[LINK_FORCE_Y, i] = tension * uz
    return link_dissipation(rate, damping)


@kernel(inline=True)
def _viscous_joint(link, before, i, damping):
    """Set the moment of the joint between link ``before`` and link i; returns the lost power. [W]"""
    rate = link[LINK_SPIN, i] - link[LINK_SPIN, before]
    link[LINK_MOMENT, i] = joint_moment(rate, damping)
    return joint_dissipation(rate, damping)


@kernel(inline=True)
def _rubbing_joint(link, before, i, radius, scale):
    """Add Coulomb friction to the moment of the joint between link ``before`` and link i; returns the lost power. [W]

    Pin and bush exchange what the links transmit: the mean of both tensions (they differ by the force of a tooth).
    """
    rate = link[LINK_SPIN, i] - link[LINK_SPIN, before]
    force = 0.5 * (link[LINK_TENSION, before] + link[LINK_TENSION, i])
    moment = joint_friction_moment(rate, force, radius, scale)
    link[LINK_MOMENT, i] += moment
    return moment * rate


@kernel(inline=True)
def _couple(link, i, after):
    """The moments of both joints of link i as a couple of transverse forces at its ends (Pedersen 2004, Eq. 3.17)."""
    moment = link[LINK_MOMENT, after] - link[LINK_MOMENT, i]
    fx, fz = couple_force(link[LINK_X, i], link[LINK_Y, i], link[LINK_INVERSE, i], moment)
    link[LINK_FORCE_X, i] -= fx
    link[LINK_FORCE_Y, i] -= fz


@kernel(inline=True)
def _tooth_contact(y, p, w, s):
    """Penetration, normal, approach and slip between the teeth of wheel w and one run of rollers."""
    n, positions = index(p.links), index(p.positions)
    first, slot = index(p.segment[s, SEGMENT_FIRST]), index(p.segment[s, SEGMENT_SLOT])
    count = index(p.segment[s, SEGMENT_END]) - first
    contact, candidate = p.contact, p.candidate
    cx, cy, cvx, cvy = p.frame[w, FRAME_X], p.frame[w, FRAME_Y], p.frame[w, FRAME_VX], p.frame[w, FRAME_VY]
    ca, sa, spin = p.frame[w, FRAME_COS], p.frame[w, FRAME_SIN], p.frame[w, FRAME_SPIN]
    radius = p.surface[w, SURFACE_RADIUS]

    row = p.surface_index[w, INDEX_PROFILE]
    seat = profile_row(p.profile, row)
    second, third = profile_row(p.profile, row + 1), profile_row(p.profile, row + 2)
    fourth, fifth = profile_row(p.profile, row + 3), profile_row(p.profile, row + 4)
    outermost = profile_row(p.profile, row + 5)

    for i in range(count):
        k = slot + i
        # The roller in the gap's own frame, folded to one side of its centre line.
        ux = ca * candidate[CANDIDATE_COS, k] - sa * candidate[CANDIDATE_SIN, k]
        uy = sa * candidate[CANDIDATE_COS, k] + ca * candidate[CANDIDATE_SIN, k]
        dx = y[first + i] - cx
        dz = y[n + first + i] - cy
        side = ux * dz - uy * dx
        xi = abs(side)
        eta = ux * dx + uy * dz
        # The element of the profile that faces it.
        facing = beyond(seat, second, xi, eta)
        facing = beyond(facing, third, xi, eta)
        facing = beyond(facing, fourth, xi, eta)
        facing = beyond(facing, fifth, xi, eta)
        facing = beyond(facing, outermost, xi, eta)
        phi, gx, gy = distance(xi - facing[0], eta - facing[1], facing[2], facing[3], facing[4])
        gx = gx if side >= 0.0 else -gx
        # Normal out of the tooth, approach and slip.
        nx = gy * ux - gx * uy
        ny = gy * uy + gx * ux
        vx = y[positions + first + i] - cvx + spin * dz
        vz = y[positions + n + first + i] - cvy - spin * dx
        contact[CONTACT_PENETRATION, k] = radius - phi
        contact[CONTACT_NORMAL_X, k] = nx
        contact[CONTACT_NORMAL_Y, k] = ny
        contact[CONTACT_RATE, k] = -(vx * nx + vz * ny)
        contact[CONTACT_SLIP, k] = vz * nx - vx * ny


@kernel(inline=True)
def _guide_contact(y, p, g, s):
    """Penetration, normal, approach and slip between guide surface g and one run of rollers (Pedersen 2004, 3.8.2)."""
    n, positions = index(p.links), index(p.positions)
    first, slot = index(p.segment[s, SEGMENT_FIRST]), index(p.segment[s, SEGMENT_SLOT])
    count = index(p.segment[s, SEGMENT_END]) - first
    contact, frame = p.contact, p.frame
    ca, sa, spin = frame[g, FRAME_COS], frame[g, FRAME_SIN], frame[g, FRAME_SPIN]
    row, end = p.surface_index[g, INDEX_PROFILE], p.surface_index[g, INDEX_PROFILE_END]
    for i in range(count):
        k = slot + i
        dx = y[first + i] - frame[g, FRAME_X]
        dz = y[n + first + i] - frame[g, FRAME_Y]
        phi, gx, gy = open_profile_distance(
            p.guide_profile, row, end, ca * dx + sa * dz, ca * dz - sa * dx, p.surface[g, SURFACE_DEPTH]
        )
        nx = ca * gx - sa * gy
        ny = sa * gx + ca * gy
        vx = y[positions + first + i] - frame[g, FRAME_VX] + spin * dz
        vz = y[positions + n + first + i] - frame[g, FRAME_VY] - spin * dx
        contact[CONTACT_PENETRATION, k] = p.surface[g, SURFACE_RADIUS] - phi
        contact[CONTACT_NORMAL_X, k] = nx
        contact[CONTACT_NORMAL_Y, k] = ny
        contact[CONTACT_RATE, k] = -(vx * nx + vz * ny)
        contact[CONTACT_SLIP, k] = vz * nx - vx * ny


@kernel(inline=True)
def _elastic_forces(p, surface, s):
    """Elastic part of the normal force on one run of rollers, by exponent."""
    first, slot = index(p.segment[s, SEGMENT_FIRST]), index(p.segment[s, SEGMENT_SLOT])
    count = index(p.segment[s, SEGMENT_END]) - first
    contact = p.contact
    stiffness, exponent = p.surface[surface, SURFACE_STIFFNESS], p.surface[surface, SURFACE_EXPONENT]
    law = p.surface_index[surface, INDEX_LAW]
    if law == LAW_HERTZ:
        for k in range(slot, slot + count):
            contact[CONTACT_ELASTIC, k] = elastic_force_hertz(contact[CONTACT_PENETRATION, k], stiffness)
    elif law == LAW_LINEAR:
        for k in range(slot, slot + count):
            contact[CONTACT_ELASTIC, k] = elastic_force_linear(contact[CONTACT_PENETRATION, k], stiffness)
    else:
        for k in range(slot, slot + count):
            contact[CONTACT_ELASTIC, k] = elastic_force_power(contact[CONTACT_PENETRATION, k], stiffness, exponent)


@kernel(inline=True)
def _contact_forces(y, dy, p, surface, s):
    """Contact and friction between a surface and one run of rollers: forces and powers into dy, the moment on it."""
    n, positions = index(p.links), index(p.positions)
    first, slot = index(p.segment[s, SEGMENT_FIRST]), index(p.segment[s, SEGMENT_SLOT])
    count = index(p.segment[s, SEGMENT_END]) - first
    contact, candidate = p.contact, p.candidate
    cx, cy = p.frame[surface, FRAME_X], p.frame[surface, FRAME_Y]
    friction = p.surface[surface, SURFACE_FRICTION]
    hysteresis, viscous = p.surface[surface, SURFACE_HYSTERESIS], p.surface[surface, SURFACE_VISCOUS]
    moment, lost, rubbed = 0.0, 0.0, 0.0
    ax, ay = positions + first, positions + n + first
    for i in range(count):
        k = slot + i
        rate, slip = contact[CONTACT_RATE, k], contact[CONTACT_SLIP, k]
        speed = max(candidate[CANDIDATE_SPEED, k], p.speed_floor)
        force = normal_force(
            contact[CONTACT_ELASTIC, k], rate, speed, hysteresis, viscous, contact[CONTACT_PENETRATION, k]
        )
        rub = friction_force(contact[CONTACT_SIGN, k], force, friction)
        nx, ny = contact[CONTACT_NORMAL_X, k], contact[CONTACT_NORMAL_Y, k]
        fx = force * nx - rub * ny
        fz = force * ny + rub * nx
        contact[CONTACT_FORCE, k] = force
        contact[CONTACT_FRICTION, k] = rub
        dy[ax + i] += fx
        dy[ay + i] += fz
        moment -= (y[first + i] - cx) * fz - (y[n + first + i] - cy) * fx
        lost += contact_dissipation(force, contact[CONTACT_ELASTIC, k], rate)
        rubbed -= rub * slip
    p.push[surface, PUSH_MOMENT] += moment
    work = 2 * p.positions
    if surface < p.wheels:
        dy[work + WORK_CONTACT] += lost
        dy[work + WORK_FRICTION] += rubbed
    else:
        dy[work + WORK_GUIDE] += lost + rubbed


@kernel(inline=True)
def _roller_accelerations(dy, p):
    """Forces on the rollers in dy become accelerations."""
    n, positions = index(p.links), index(p.positions)
    inverse = 1.0 / p.mass
    for i in range(n):
        dy[positions + i] = dy[positions + i] * inverse + p.gravity_x
        dy[positions + n + i] = dy[positions + n + i] * inverse + p.gravity_y
