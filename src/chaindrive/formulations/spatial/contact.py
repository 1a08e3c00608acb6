"""Contact of the chain with wheels that stand anywhere: rollers on teeth, and plates on the sides of teeth.

Wheel w has its own frame, the last axis along its own. A roller is a cylinder along the pins of the link that carries
it, an inner one. The profile of the tooth gap is that of planar/contact.py, in the middle plane of the teeth, which the
axis of the roller meets in Q = c + s a; c its middle, a its direction, s = -c_z/a_z. With the distance phi of Q from
the profile, a shift u of the axis' point at Q changes phi by

    n . u,    n = (g, -(g . a)/a_z),    g = grad phi,

also where the axis turns: the normal force has the direction n, at right angles to the roller, and acts at Q, off the
middle of the roller where the wheel stands aside. So it turns the link about its length (roll), and takes its energy
from a potential. Friction acts against all of the sliding across n, that along the axis of the wheel included.

A plate meets the side of the tooth that its link straddles, at the edges of that tooth: a roller's radius from either
joint. There s, found likewise, is how far off the middle the tooth stands between the plates, and

    d = |s| + (half the width of the tooth at the radius r) - (half that between the plates)

how far it is pressed in. Towards its tip the tooth is narrower (its relief), so that the force there has a part along
the radius. It is K d (1 + c d'), never pulling (Hunt & Crossley 1975), with friction on the side of the tooth.
"""

from __future__ import annotations

import math

import numpy as np

from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.chain import ONE
from chaindrive.geometry.kernels import beyond, distance, profile_row
from chaindrive.kernels import kernel
from chaindrive.physics.contact import (
    contact_dissipation,
    elastic_force_hertz,
    elastic_force_linear,
    elastic_force_power,
    normal_force,
)
from chaindrive.physics.friction import friction_force, regularised_sign, regularised_signs

__all__ = ["side_energy", "wheel_contacts"]

FAR = 1.0
"""Distance of a roller from a tooth beside which it is. [m]"""
NO_SLIP = 1e-30
"""Added to the square of a sliding speed, so that one has a direction. [m^2/s^2]"""


@kernel(inner=True)
def wheel_contacts(dy, p):
    """Forces of wheels on the links into ``p.link``, their resultants on the wheels, their powers into dy."""
    planar = p.planar
    for w in range(planar.wheels):
        for column in range(S.THRUST_COLUMNS):
            p.thrust[w, column] = 0.0
    used, slots = planar.segments_used[P.USED_SEGMENTS], planar.segments_used[P.USED_SLOTS]
    for s in range(used):
        first, end = planar.segment[s, P.SEGMENT_FIRST], planar.segment[s, P.SEGMENT_END]
        for i in range(first, end):
            _meet(p, s, i, planar.segment[s, P.SEGMENT_SLOT] + i - first)
    if planar.has_friction:
        slip, sign = planar.contact[P.CONTACT_SLIP], planar.contact[P.CONTACT_SIGN]
        regularised_signs(planar.friction_kind, slip, planar.friction_speed, planar.friction_sharpness, sign, slots)
    for s in range(used):
        first, end = planar.segment[s, P.SEGMENT_FIRST], planar.segment[s, P.SEGMENT_END]
        for i in range(first, end):
            k = planar.segment[s, P.SEGMENT_SLOT] + i - first
            if planar.contact[P.CONTACT_PENETRATION, k] > 0.0:
                _press(dy, p, planar.segment[s, P.SEGMENT_SURFACE], i, k)
            else:
                planar.contact[P.CONTACT_ELASTIC, k], planar.contact[P.CONTACT_FORCE, k] = 0.0, 0.0
                planar.contact[P.CONTACT_FRICTION, k], p.slot[S.SLOT_AXIAL, k] = 0.0, 0.0
            if planar.segment[s, P.SEGMENT_BACK] == 0:
                _side(dy, p, planar.segment[s, P.SEGMENT_SURFACE], i, k)
    for w in range(planar.wheels):
        e = p.axes[w]
        moment = p.thrust[w, S.TILTING_X] * e[S.E3] + p.thrust[w, S.TILTING_Y] * e[S.E3 + 1]
        planar.resultant[w, P.RESULTANT_MOMENT] += moment + p.thrust[w, S.TILTING_Z] * e[S.E3 + 2]


@kernel(inline=True)
def _carrier(p, i):
    """Block and lane of the link that carries roller i, and where its joint stands in a block: its place, velocity."""
    link = p.owner[i, 0]
    block = link // S.LANES
    lane = np.uintp(link - block * S.LANES) + ONE
    at_bush = p.owner[i, 1] != 0
    return block, lane, S.BX if at_bush else S.PX


@kernel(inline=True)
def _seen(e, x, y, z):
    """A vector of space in the frame of a wheel."""
    return (
        e[S.E1] * x + e[S.E1 + 1] * y + e[S.E1 + 2] * z,
        e[S.E2] * x + e[S.E2 + 1] * y + e[S.E2 + 2] * z,
        e[S.E3] * x + e[S.E3 + 1] * y + e[S.E3 + 2] * z,
    )


@kernel(inline=True)
def _shown(e, x, y, z):
    """The other way."""
    return (
        e[S.E1] * x + e[S.E2] * y + e[S.E3] * z,
        e[S.E1 + 1] * x + e[S.E2 + 1] * y + e[S.E3 + 1] * z,
        e[S.E1 + 2] * x + e[S.E2 + 2] * y + e[S.E3 + 2] * z,
    )


@kernel(inline=True)
def _against_wheel(s, lane, e, rate, x, y, z, qx, qy):
    """Velocity of the point (x, y, z) of a link against that of a wheel at (qx, qy) of it, in the wheel's frame."""
    dx, dy, dz = x - s[S.X + lane], y - s[S.Y + lane], z - s[S.Z + lane]
    ox, oy, oz = s[S.OX + lane], s[S.OY + lane], s[S.OZ + lane]
    vx, vy, vz = _seen(
        e,
        s[S.VX + lane] + oy * dz - oz * dy - e[S.MOVING],
        s[S.VY + lane] + oz * dx - ox * dz - e[S.MOVING + 1],
        s[S.VZ + lane] + ox * dy - oy * dx - e[S.MOVING + 2],
    )
    spin = rate + e[S.TURNING + 2]
    return vx + spin * qy, vy - spin * qx, vz - e[S.TURNING] * qy + e[S.TURNING + 1] * qx


@kernel(inner=True)
def _meet(p, segment, i, k):
    """Penetration, normal, approach and sliding of roller i at the tooth gap of slot k."""
    planar = p.planar
    contact, slot = planar.contact, p.slot
    w = planar.segment[segment, P.SEGMENT_SURFACE]
    block, lane, joint = _carrier(p, i)
    s, e, step = p.link[block], p.axes[w], np.uintp(S.STRIDE)
    cx, cy, cz = s[joint + lane], s[joint + step + lane], s[joint + step + step + lane]
    lx, ly, lz = _seen(e, cx - e[S.CENTRE], cy - e[S.CENTRE + 1], cz - e[S.CENTRE + 2])
    a1, a2, a3 = s[S.R13 + lane], s[S.R23 + lane], s[S.R33 + lane]
    ax, ay, az = _seen(e, a1, a2, a3)
    along = -lz / az
    beside = abs(along) > p.half_width + p.tooth[w, S.TOOTH_HALF]
    along = min(max(along, -p.half_width), p.half_width)
    qx, qy = lx + along * ax, ly + along * ay
    # In the frame of the gap, mirrored so that the flank is at positive xi.
    ca, sa = planar.frame[w, P.FRAME_COS], planar.frame[w, P.FRAME_SIN]
    ux = ca * planar.candidate[P.CANDIDATE_COS, k] - sa * planar.candidate[P.CANDIDATE_SIN, k]
    uy = sa * planar.candidate[P.CANDIDATE_COS, k] + ca * planar.candidate[P.CANDIDATE_SIN, k]
    face = planar.segment[segment, P.SEGMENT_FACE]
    row, flank = planar.face[face, P.FACE_PROFILE], float(planar.face[face, P.FACE_SIDE])
    aside = ux * qy - uy * qx
    mirror = flank if flank != 0.0 else (1.0 if aside >= 0.0 else -1.0)
    xi, eta = mirror * aside, ux * qx + uy * qy
    facing = profile_row(planar.profile, row)
    for part in range(1, P.PROFILE_ROWS):
        facing = beyond(facing, profile_row(planar.profile, row + part), xi, eta)
    phi, gx, gy = distance(xi - facing[0], eta - facing[1], facing[2], facing[3], facing[4])
    penetration = planar.surface[w, P.SURFACE_RADIUS] - (FAR if beside else phi)
    contact[P.CONTACT_PENETRATION, k] = penetration
    gx *= mirror
    nx, ny = gy * ux - gx * uy, gy * uy + gx * ux
    nz = -(nx * ax + ny * ay) / az
    x, y, z = cx + along * a1, cy + along * a2, cz + along * a3
    vx, vy, vz = _against_wheel(s, lane, e, planar.frame[w, P.FRAME_ANGULAR_VELOCITY], x, y, z, qx, qy)
    approach = vx * nx + vy * ny + vz * nz
    contact[P.CONTACT_RATE, k] = -approach
    share = approach / (1.0 + nz * nz)
    vx, vy, vz = vx - share * nx, vy - share * ny, vz - share * nz
    slip = math.sqrt(vx * vx + vy * vy + vz * vz + NO_SLIP)
    contact[P.CONTACT_SLIP, k] = slip
    slot[S.SLOT_X, k], slot[S.SLOT_Y, k], slot[S.SLOT_Z, k] = x, y, z
    slot[S.SLOT_NX, k], slot[S.SLOT_NY, k], slot[S.SLOT_NZ, k] = _shown(e, nx, ny, nz)
    slot[S.SLOT_SX, k], slot[S.SLOT_SY, k], slot[S.SLOT_SZ, k] = _shown(e, vx / slip, vy / slip, vz / slip)
    contact[P.CONTACT_NORMAL_X, k], contact[P.CONTACT_NORMAL_Y, k] = slot[S.SLOT_NX, k], slot[S.SLOT_NY, k]


@kernel(inner=True)
def _elastic_force(p, w, penetration):
    """Elastic part of the normal force of wheel w. [N]"""
    stiffness, law = p.surface[w, P.SURFACE_STIFFNESS], p.surface_index[w, P.INDEX_LAW]
    if law == P.LAW_HERTZ:
        return elastic_force_hertz(penetration, stiffness)
    if law == P.LAW_LINEAR:
        return elastic_force_linear(penetration, stiffness)
    return elastic_force_power(penetration, stiffness, p.surface[w, P.SURFACE_EXPONENT])


@kernel(inner=True)
def _press(dy, p, w, i, k):
    """Forces of the contact in slot k on roller i and on wheel w, and its powers into dy."""
    planar = p.planar
    contact, slot, surface = planar.contact, p.slot, planar.surface
    penetration, rate = contact[P.CONTACT_PENETRATION, k], contact[P.CONTACT_RATE, k]
    elastic = _elastic_force(planar, w, penetration)
    speed = max(planar.candidate[P.CANDIDATE_SPEED, k], planar.speed_floor)
    force = normal_force(
        elastic, rate, speed, surface[w, P.SURFACE_HYSTERESIS], surface[w, P.SURFACE_VISCOUS], penetration
    )
    sign = contact[P.CONTACT_SIGN, k] if planar.has_friction else 0.0
    rubbing = friction_force(sign, force, surface[w, P.SURFACE_FRICTION])
    sx, sy, sz = slot[S.SLOT_SX, k], slot[S.SLOT_SY, k], slot[S.SLOT_SZ, k]
    nx, ny = slot[S.SLOT_NX, k], slot[S.SLOT_NY, k]
    fx, fy = force * nx + rubbing * sx, force * ny + rubbing * sy
    fz = force * slot[S.SLOT_NZ, k] + rubbing * sz
    contact[P.CONTACT_ELASTIC, k], contact[P.CONTACT_FORCE, k] = elastic, force
    contact[P.CONTACT_FRICTION, k] = rubbing * (sy * nx - sx * ny)
    e = p.axes[w]
    slot[S.SLOT_AXIAL, k] = rubbing * (sx * e[S.E3] + sy * e[S.E3 + 1] + sz * e[S.E3 + 2])
    block, lane, _ = _carrier(p, i)
    _apply(p, w, p.link[block], lane, slot[S.SLOT_X, k], slot[S.SLOT_Y, k], slot[S.SLOT_Z, k], fx, fy, fz)
    work = planar.layout.work
    dy[work + P.WORK_CONTACT] += contact_dissipation(force, elastic, rate)
    dy[work + P.WORK_FRICTION] -= rubbing * contact[P.CONTACT_SLIP, k]


@kernel(inline=True)
def _apply(p, w, s, lane, x, y, z, fx, fy, fz):
    """A force at a point on a link, and the opposite one on wheel w."""
    dx, dy, dz = x - s[S.X + lane], y - s[S.Y + lane], z - s[S.Z + lane]
    s[S.CFX + lane] += fx
    s[S.CFY + lane] += fy
    s[S.CFZ + lane] += fz
    s[S.CTX + lane] += dy * fz - dz * fy
    s[S.CTY + lane] += dz * fx - dx * fz
    s[S.CTZ + lane] += dx * fy - dy * fx
    e, thrust = p.axes[w], p.thrust[w]
    dx, dy, dz = x - e[S.CENTRE], y - e[S.CENTRE + 1], z - e[S.CENTRE + 2]
    thrust[S.THRUST_X] -= fx
    thrust[S.THRUST_Y] -= fy
    thrust[S.THRUST_Z] -= fz
    thrust[S.TILTING_X] -= dy * fz - dz * fy
    thrust[S.TILTING_Y] -= dz * fx - dx * fz
    thrust[S.TILTING_Z] -= dx * fy - dy * fx


@kernel(inner=True)
def _side(dy, p, w, i, k):
    """The plate of the link that carries roller i on the side of the tooth before or behind it."""
    planar, slot = p.planar, p.slot
    block, lane, joint = _carrier(p, i)
    s, e, step = p.link[block], p.axes[w], np.uintp(S.STRIDE)
    inward = planar.roller_radius if p.owner[i, 1] != 0 else -planar.roller_radius
    x = s[joint + lane] + inward * s[S.R11 + lane]
    y = s[joint + step + lane] + inward * s[S.R21 + lane]
    z = s[joint + step + step + lane] + inward * s[S.R31 + lane]
    lx, ly, lz = _seen(e, x - e[S.CENTRE], y - e[S.CENTRE + 1], z - e[S.CENTRE + 2])
    a1, a2, a3 = s[S.R13 + lane], s[S.R23 + lane], s[S.R33 + lane]
    ax, ay, az = _seen(e, a1, a2, a3)
    along = -lz / az
    qx, qy = lx + along * ax, ly + along * ay
    radius = math.sqrt(qx * qx + qy * qy)
    relief = max(radius - p.tooth[w, S.TOOTH_FULL], 0.0) * p.tooth[w, S.TOOTH_SLOPE]
    depth = abs(along) + p.tooth[w, S.TOOTH_HALF] - relief - p.half_width
    if relief >= p.tooth[w, S.TOOTH_HALF]:  # beyond the tip nothing is left of the tooth
        depth = -FAR
    slot[S.SLOT_SIDE, k], slot[S.SLOT_SIDE_FORCE, k] = depth, 0.0
    if not depth > 0.0:
        return
    sign = 1.0 if along > 0.0 else -1.0
    slope = p.tooth[w, S.TOOTH_SLOPE] if relief > 0.0 else 0.0
    # The direction in which the link yields: against the gradient of d.
    nx, ny = slope * qx / radius, slope * qy / radius
    nz = (sign - nx * ax - ny * ay) / az
    x, y, z = x + along * a1, y + along * a2, z + along * a3
    vx, vy, vz = _against_wheel(s, lane, e, planar.frame[w, P.FRAME_ANGULAR_VELOCITY], x, y, z, qx, qy)
    parting = vx * nx + vy * ny + vz * nz
    elastic = p.side_stiffness * depth
    force = max(elastic * (1.0 - p.side_damping * parting), 0.0)
    share = parting / (nx * nx + ny * ny + nz * nz)
    vx, vy, vz = vx - share * nx, vy - share * ny, vz - share * nz
    slip = math.sqrt(vx * vx + vy * vy + vz * vz + NO_SLIP)
    smooth = regularised_sign(planar.friction_kind, slip, planar.friction_speed, planar.friction_sharpness)
    rubbing = friction_force(smooth, force, p.side_friction)
    rub = rubbing / slip
    fx, fy, fz = _shown(e, force * nx + rub * vx, force * ny + rub * vy, force * nz + rub * vz)
    slot[S.SLOT_SIDE_FORCE, k] = fx * a1 + fy * a2 + fz * a3
    _apply(p, w, s, lane, x, y, z, fx, fy, fz)
    dy[planar.layout.work + S.WORK_SIDE] -= (force - elastic) * parting + rubbing * slip


@kernel(inner=True)
def side_energy(p):
    """Elastic energy of plates on the sides of teeth in the last evaluation. [J]"""
    planar, stored = p.planar, 0.0
    for s in range(planar.segments_used[P.USED_SEGMENTS]):
        if planar.segment[s, P.SEGMENT_BACK] == 0:
            slot = planar.segment[s, P.SEGMENT_SLOT]
            for k in range(slot, slot + planar.segment[s, P.SEGMENT_END] - planar.segment[s, P.SEGMENT_FIRST]):
                if p.slot[S.SLOT_SIDE, k] > 0.0:
                    stored += 0.5 * p.side_stiffness * p.slot[S.SLOT_SIDE, k] ** 2
    return stored
