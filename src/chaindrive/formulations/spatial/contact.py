"""Contact of rollers with the teeth of wheels in any position and orientation.

Wheel w has its own frame, whose last axis is that of the wheel. A roller is a cylinder along the pins of the inner link
that carries it. The profile of the tooth gap is that of planar/contact.py, in the middle plane of the teeth. The axis
of the roller, with its middle c and direction a, meets this plane at Q = c + s a, s = -c_z/a_z. If phi is the distance
of Q from the profile, a displacement u of that point of the axis changes phi by

    n . u,    n = (g, -(g . a)/a_z),    g = grad phi,

even if the axis turns. The normal force has the direction n, at right angles to the roller, and acts at Q, which is off
the middle of the roller if the wheel is offset. It therefore turns the link about its length (roll), and is derived
from a potential. If Q would be beyond the end of the roller, the roller touches with that end, and n = (g, 0). On a
cassette, where chains move sideways, a tooth pushes against that end along the axis if the end is less deep in the
tooth from the side than from the flank. Friction opposes all sliding normal to n, including that along the wheel axis.

Rollers near a wheel are treated LANES at a time. The data of their links are gathered into rows of ``p.near``, loops
over these rows use vector registers, and the results are copied back.
"""

from __future__ import annotations

import math

import numpy as np

from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.chain import ONE, whole
from chaindrive.formulations.spatial.pressing import press_teeth
from chaindrive.formulations.spatial.sticking import teeth_of
from chaindrive.geometry.kernels import beyond, distance, profile_row
from chaindrive.kernels import Kernel, kernel
from chaindrive.physics.friction import regularised_signs

__all__ = ["FAR", "NO_SLIP", "act", "against_wheel", "gather", "hand_back", "signs", "touch_teeth"]

FAR = 1.0
"""Distance assigned to a roller that is beside a tooth. [m]"""
NOWHERE = 1e3
"""Distance assigned to unused slots for rollers. [m]"""
NO_SLIP = 1e-30
"""Added to the square of a sliding speed, so that its direction is always defined. [m^2/s^2]"""


@kernel(inner=True)
def touch_teeth(dy, p, segment, first, slot, count):
    """Apply the contacts of ``count`` rollers, starting with ``first``, with the teeth of a wheel.

    Their slots begin with ``slot``.
    """
    planar, n, m = p.planar, p.near, whole(np.uintp(count))
    w, work = planar.segment.surface[segment], planar.layout.work
    e, surface = p.axes[w], planar.surface
    face = planar.segment.face[segment]
    teeth = teeth_of(planar, w, face)
    gather(p, p.owner, w, teeth, first, slot, count)
    wx, wy, wz = e[S.TURNING], e[S.TURNING + 1], e[S.TURNING + 2] + planar.frame.angular_velocity[w]
    c, s, radius = planar.frame.cos[w], planar.frame.sin[w], surface.radius[w]
    room, reach = p.half_width, p.half_width + p.tooth.half[teeth]
    full, fall = p.tooth.full[teeth], p.tooth.slope[teeth]
    flank, row = float(planar.face.side[face]), planar.face.profile[face]
    if p.tooth.passable[teeth] != 0:
        _meet_on_cassette(n, m, c, s, wx, wy, wz, radius, room, reach, full, fall, flank, planar.profile, row)
    else:
        _meet(n, m, c, s, wx, wy, wz, radius, room, reach, full, fall, flank, planar.profile, row)
    if not planar.elastic_friction:
        signs(planar, n, count)
    lost, rubbed = press_teeth(p, w, face * planar.rollers + first, count, m)
    dy[work + P.WORK_CONTACT] += lost
    dy[work + P.WORK_FRICTION] += rubbed
    lost_here = p.losses_at + w * len(S.LOSSES)
    dy[lost_here + S.LOST_TEETH] += lost + rubbed
    if planar.face.side[face] >= 0 and planar.face.cog[face] < 0:  # a roller may be looked at several times
        dy[lost_here + S.LOST_JOINTS] += _turned(n, m)
    act(n, m, e, p.thrust, w)
    _keep(planar.contact, p.slot, n, np.uintp(slot), np.uintp(count), e)
    hand_back(p, p.owner, first, count)


@kernel(inner=True)
def gather(p, carriers, w, teeth, first, slot, count):
    """Gather the data of candidates, and of the links that carry their rollers, for contacts with wheel w.

    carriers: ``p.owner`` for the inner links, or ``p.other`` for the outer links. A joint is at the rear of the link
    with the same number, or at the front of the link before it. teeth: row of ``p.tooth``.

    Dummy rollers that fill up the rows are beside all teeth and beyond their tips, because some flanks have no end.
    """
    n, candidate, taken = p.near, p.planar.candidate, 0
    while taken < count:
        block, lane = (first + taken) // S.LANES, (first + taken) % S.LANES
        many = min(count - taken, S.LANES - lane)
        joint, start = np.uintp(first + taken), np.uintp(taken)
        e, offset = p.axes[w], p.tooth.offset[teeth]
        _gather_lanes(n, p.link[block], e, offset, carriers, joint, start, np.uintp(lane), np.uintp(many))
        taken += many
    _gather_candidates(n, candidate.cos, candidate.sin, candidate.speed, np.uintp(slot), np.uintp(count))
    for i in range(np.uintp(count), whole(np.uintp(count))):
        for row in range(S.GATHERED):
            n[np.uintp(row * S.STRIDE) + i] = 0.0
        n[S.OWN_X + i], n[S.OWN_X + np.uintp(2 * S.STRIDE) + i], n[S.OWN_AZ + i] = 2.0 * NOWHERE, NOWHERE, 1.0
        n[S.NEAR_COS + i], n[S.NEAR_SIN + i], n[S.NEAR_TURNED + i] = 1.0, 0.0, 0.0
    _centre_gaps(p, w, slot, count)


@kernel(inner=True, distinct=True)
def _gather_lanes(n, s, e, offset, carriers, joint, start, lane, count):
    """Do the work of ``gather`` for one block, with links and joints in space and in the frame of the wheel.

    e: row of ``p.axes``; offset: distance of the plane of the teeth in front of that of the wheel [m]; in the frame of
    the wheel, joints are given relative to the plane of the teeth; joint: the first joint; start, lane: its positions
    in ``p.near`` and in the block.
    """
    one, two, three = np.uintp(S.STRIDE), np.uintp(2 * S.STRIDE), np.uintp(3 * S.STRIDE)
    axes = e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7], e[8]
    cx, cy, cz = e[S.CENTRE], e[S.CENTRE + 1], e[S.CENTRE + 2]
    wheel_x, wheel_y, wheel_z = e[S.MOVING], e[S.MOVING + 1], e[S.MOVING + 2]
    for c in range(count):
        i, h, k = start + c, lane + c, lane + c + ONE
        at_bush = carriers[joint + c, 1] != 0
        inward = 1.0 if at_bush else -1.0
        x, y, z = _vector(at_bush, s, S.BX + k, S.PX + h, one)
        mx, my, mz = _vector(at_bush, s, S.X + k, S.X + h, one)
        ox, oy, oz = _vector(at_bush, s, S.OX + k, S.OX + h, one)
        vx, vy, vz = _vector(at_bush, s, S.VX + k, S.VX + h, one)
        ax, ay, az = _vector(at_bush, s, S.R13 + k, S.R13 + h, three)
        ix, iy, iz = _vector(at_bush, s, S.R11 + k, S.R11 + h, three)
        ix, iy, iz = inward * ix, inward * iy, inward * iz
        dx, dy, dz = x - mx, y - my, z - mz
        x, y, z = x - cx, y - cy, z - cz
        vx = vx + oy * dz - oz * dy - wheel_x
        vy = vy + oz * dx - ox * dz - wheel_y
        vz = vz + ox * dy - oy * dx - wheel_z
        n[S.NEAR_X + i], n[S.NEAR_Y + i], n[S.NEAR_Z + i] = x, y, z
        n[S.NEAR_DX + i], n[S.NEAR_DY + i], n[S.NEAR_DZ + i] = dx, dy, dz
        n[S.NEAR_AX + i], n[S.NEAR_AY + i], n[S.NEAR_AZ + i] = ax, ay, az
        n[S.NEAR_UX + i], n[S.NEAR_UY + i], n[S.NEAR_UZ + i] = ix, iy, iz
        n[S.NEAR_TURNED + i] = s[S.PIN_LOSS + k]
        x, y, z = _seen(axes, x, y, z)
        n[S.OWN_X + i], n[S.OWN_X + one + i], n[S.OWN_X + two + i] = x, y, z - offset
        n[S.OWN_VX + i], n[S.OWN_VX + one + i], n[S.OWN_VX + two + i] = _seen(axes, vx, vy, vz)
        n[S.OWN_AX + i], n[S.OWN_AY + i], n[S.OWN_AZ + i] = _seen(axes, ax, ay, az)
        n[S.OWN_UX + i], n[S.OWN_UX + one + i], n[S.OWN_UX + two + i] = _seen(axes, ix, iy, iz)
        n[S.OWN_OX + i], n[S.OWN_OX + one + i], n[S.OWN_OX + two + i] = _seen(axes, ox, oy, oz)


@kernel(inline=True)
def _vector(at_bush, s, one, other, apart):
    """Return the vector whose first component is at ``one`` or at ``other``; apart: distance between its components."""
    x, y, z = s[one], s[one + apart], s[one + apart + apart]
    u, v, w = s[other], s[other + apart], s[other + apart + apart]
    return x if at_bush else u, y if at_bush else v, z if at_bush else w


@kernel(inline=True)
def _seen(axes, x, y, z):
    """Return a vector in a frame whose axes have these nine components in space."""
    return (
        axes[0] * x + axes[1] * y + axes[2] * z,
        axes[3] * x + axes[4] * y + axes[5] * z,
        axes[6] * x + axes[7] * y + axes[8] * z,
    )


@kernel(inner=True, distinct=True)
def _gather_candidates(n, cos, sin, speed, slot, count):
    """Copy the directions of the gaps of some rollers, and their impact speeds."""
    for i in range(count):
        n[S.NEAR_COS + i], n[S.NEAR_SIN + i], n[S.NEAR_SPEED + i] = cos[slot + i], sin[slot + i], speed[slot + i]


@kernel(inner=True)
def _centre_gaps(p, w, slot, count):
    """Write the centre of the round wheel that has the gap of each roller: on the axis, except on an oval sprocket."""
    n, planar = p.near, p.planar
    if planar.gap_shift.shape[0] == 0:
        return
    c, s = planar.frame.cos[w], planar.frame.sin[w]
    for k in range(count):
        i = np.uintp(k)
        ux = c * n[S.NEAR_COS + i] - s * n[S.NEAR_SIN + i]
        uy = s * n[S.NEAR_COS + i] + c * n[S.NEAR_SIN + i]
        along, aside = planar.candidate.x[slot + k], planar.candidate.y[slot + k]
        n[S.NEAR_CX + i] = along * ux - aside * uy
        n[S.NEAR_CY + i] = along * uy + aside * ux


@kernel(inline=True)
def against_wheel(n, i, step, bx, by, bz, wx, wy, wz, qx, qy):
    """Return the velocity of a point of a link relative to a point of a wheel.

    The point of the link is at (bx, by, bz) from its joint; the point of the wheel is (qx, qy). (wx, wy, wz): angular
    velocity of the wheel [rad/s].
    """
    ox, oy, oz = n[S.OWN_OX + i], n[S.OWN_OX + step + i], n[S.OWN_OX + step + step + i]
    return (
        n[S.OWN_VX + i] + oy * bz - oz * by + wz * qy,
        n[S.OWN_VX + step + i] + oz * bx - ox * bz - wz * qx,
        n[S.OWN_VX + step + step + i] + ox * by - oy * bx - wx * qy + wy * qx,
    )


def _meeting(passable: bool) -> Kernel:
    """Return the kernel of rollers at tooth gaps, compiled for teeth that a chain can pass beside, or for
    other teeth.
    """

    @kernel(inner=True)
    def meet(n, m, cos, sin, wx, wy, wz, radius, room, reach, full, fall, flank, table, row):
        """Compute penetration, normal, approach speed and sliding speed of rollers at their tooth gaps.

        room: half the length of a roller [m]; reach: largest distance, along the roller, of its middle from the plane
        of the teeth at which it touches the tooth [m]; on a cassette it is reduced by ``fall`` per unit of radius
        beyond ``full`` [m]; flank: the flank considered, 0 for the nearer flank; table, row: profile of the gap.
        """
        step = np.uintp(S.STRIDE)
        seat = profile_row(table, row)
        second, third = profile_row(table, row + 1), profile_row(table, row + 2)
        fourth, fifth = profile_row(table, row + 3), profile_row(table, row + 4)
        outermost = profile_row(table, row + 5)
        for i in range(m):
            ax, ay, az = n[S.OWN_AX + i], n[S.OWN_AX + step + i], n[S.OWN_AX + step + step + i]
            lx, ly, lz = n[S.OWN_X + i], n[S.OWN_X + step + i], n[S.OWN_X + step + step + i]
            off = -lz / az
            along = min(max(off, -room), room)
            qx, qy = lx + along * ax, ly + along * ay
            # In the frame of the gap, mirrored so that the flank is at positive xi.
            ux = cos * n[S.NEAR_COS + i] - sin * n[S.NEAR_SIN + i]
            uy = sin * n[S.NEAR_COS + i] + cos * n[S.NEAR_SIN + i]
            ox, oy = qx - n[S.NEAR_CX + i], qy - n[S.NEAR_CY + i]
            aside = ux * oy - uy * ox
            mirror = flank if flank != 0.0 else (1.0 if aside >= 0.0 else -1.0)
            xi, eta = mirror * aside, ux * ox + uy * oy
            facing = beyond(seat, second, xi, eta)
            facing = beyond(facing, third, xi, eta)
            facing = beyond(facing, fourth, xi, eta)
            facing = beyond(facing, fifth, xi, eta)
            facing = beyond(facing, outermost, xi, eta)
            phi, gx, gy = distance(xi - facing[0], eta - facing[1], facing[2], facing[3], facing[4])
            gx *= mirror
            nx, ny = gy * ux - gx * uy, gy * uy + gx * ux
            nz = -(nx * ax + ny * ay) / az if abs(off) <= room else 0.0
            size, aside_of = 1.0 + nz * nz, abs(off) > reach
            if passable:
                qx, qy = lx + off * ax, ly + off * ay
                far = math.sqrt(qx * qx + qy * qy)
                beside = reach - max(far - full, 0.0) * fall - abs(off)
                aside_of = beside < 0.0
                if 0.0 <= beside < radius - phi:  # the end of the roller meets the side of the tooth
                    along, phi, out = off, radius - beside, (fall / far if far > full else 0.0)
                    nx, ny = out * qx, out * qy
                    nz = -(math.copysign(1.0, off) + nx * ax + ny * ay) / az
                    size = nx * nx + ny * ny + nz * nz
                qx, qy = lx + along * ax, ly + along * ay
            vx, vy, vz = against_wheel(n, i, step, along * ax, along * ay, along * az, wx, wy, wz, qx, qy)
            approach = vx * nx + vy * ny + vz * nz
            share = approach / size
            vx, vy, vz = vx - share * nx, vy - share * ny, vz - share * nz
            slip = math.sqrt(vx * vx + vy * vy + vz * vz + NO_SLIP)
            n[S.NEAR_DEPTH + i] = radius - (FAR if aside_of else phi)
            n[S.NEAR_RATE + i], n[S.NEAR_SLIP + i], n[S.NEAR_ALONG + i] = -approach, slip, along
            n[S.NEAR_NX + i], n[S.NEAR_NY + i], n[S.NEAR_NZ + i] = nx, ny, nz
            n[S.NEAR_SX + i], n[S.NEAR_SY + i], n[S.NEAR_SZ + i] = vx / slip, vy / slip, vz / slip

    return meet


_meet, _meet_on_cassette = _meeting(False), _meeting(True)


@kernel(inner=True)
def signs(planar, n, count):
    """Write the regularised signs of sliding into ``p.near``."""
    slip, sign = n[S.NEAR_SLIP : S.NEAR_SLIP + S.LANES], n[S.NEAR_SIGN : S.NEAR_SIGN + S.LANES]
    regularised_signs(planar.friction_kind, slip, planar.friction_speed, planar.friction_sharpness, sign, count)


@kernel(inner=True)
def _turned(n, m):
    """Return the power lost about the pins of the joints at the rollers. [W]"""
    lost = 0.0
    for i in range(m):
        lost += n[S.NEAR_TURNED + i]
    return lost


@kernel(inner=True)
def act(n, m, e, thrust, w):
    """Transform the forces on links into space, compute their moments about the centres of mass, and add their
    reactions to the load of wheel w. The points where they act are given relative to the joints.
    """
    e11, e12, e13, e21, e22, e23, e31, e32, e33 = e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7], e[8]
    tx, ty, tz, mx, my, mz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(m):
        x, y, z = n[S.NEAR_FX + i], n[S.NEAR_FY + i], n[S.NEAR_FZ + i]
        fx = e11 * x + e21 * y + e31 * z
        fy = e12 * x + e22 * y + e32 * z
        fz = e13 * x + e23 * y + e33 * z
        bx, by, bz = n[S.NEAR_BX + i], n[S.NEAR_BY + i], n[S.NEAR_BZ + i]
        dx, dy, dz = n[S.NEAR_DX + i] + bx, n[S.NEAR_DY + i] + by, n[S.NEAR_DZ + i] + bz
        n[S.NEAR_FX + i], n[S.NEAR_FY + i], n[S.NEAR_FZ + i] = fx, fy, fz
        n[S.NEAR_MX + i], n[S.NEAR_MY + i], n[S.NEAR_MZ + i] = dy * fz - dz * fy, dz * fx - dx * fz, dx * fy - dy * fx
        bx, by, bz = bx + n[S.NEAR_X + i], by + n[S.NEAR_Y + i], bz + n[S.NEAR_Z + i]
        tx += fx
        ty += fy
        tz += fz
        mx += by * fz - bz * fy
        my += bz * fx - bx * fz
        mz += bx * fy - by * fx
    thrust.x[w] -= tx
    thrust.y[w] -= ty
    thrust.z[w] -= tz
    thrust.tilting_x[w] -= mx
    thrust.tilting_y[w] -= my
    thrust.tilting_z[w] -= mz


@kernel(inner=True)
def hand_back(p, carriers, first, count):
    """Add forces and moments to the links on which they act, ``p.owner`` or ``p.other``."""
    n = p.near
    for c in range(count):
        link = carriers[first + c, 0]
        block = link // S.LANES
        s, lane, i = p.link[block], np.uintp(link - block * S.LANES) + ONE, np.uintp(c)
        s[S.CFX + lane] += n[S.NEAR_FX + i]
        s[S.CFY + lane] += n[S.NEAR_FY + i]
        s[S.CFZ + lane] += n[S.NEAR_FZ + i]
        s[S.CTX + lane] += n[S.NEAR_MX + i]
        s[S.CTY + lane] += n[S.NEAR_MY + i]
        s[S.CTZ + lane] += n[S.NEAR_MZ + i]


@kernel(inner=True)
def _keep(contact, slots, n, slot, m, e):
    """Store the results of contacts in their slots, where memory, channels and the choice of the step find them."""
    _keep_depths(n, slot, m, contact.penetration, contact.rate, contact.slip, contact.elastic, contact.force)
    _keep_directions(n, slot, m, e, contact.normal_x, contact.normal_y, contact.friction, slots.axial)


@kernel(inner=True, distinct=True)
def _keep_depths(n, slot, m, penetration, rate, slip, elastic, force):
    for i in range(m):
        k = slot + i
        penetration[k], rate[k], slip[k] = n[S.NEAR_DEPTH + i], n[S.NEAR_RATE + i], n[S.NEAR_SLIP + i]
        elastic[k], force[k] = n[S.NEAR_ELASTIC + i], n[S.NEAR_FORCE + i]


@kernel(inner=True, distinct=True)
def _keep_directions(n, slot, m, e, normal_x, normal_y, friction, axial):
    e11, e12, e21, e22, e31, e32 = e[0], e[1], e[3], e[4], e[6], e[7]
    e13, e23, e33 = e[2], e[5], e[8]
    for i in range(m):
        k = slot + i
        nx, ny, nz = n[S.NEAR_NX + i], n[S.NEAR_NY + i], n[S.NEAR_NZ + i]
        sx, sy, sz = n[S.NEAR_SX + i], n[S.NEAR_SY + i], n[S.NEAR_SZ + i]
        rubbing = n[S.NEAR_RUBBING + i]
        normal_x[k] = e11 * nx + e21 * ny + e31 * nz
        normal_y[k] = e12 * nx + e22 * ny + e32 * nz
        across = e13 * (ny * sz - nz * sy) + e23 * (nz * sx - nx * sz) + e33 * (nx * sy - ny * sx)
        friction[k] = rubbing * across
        axial[k] = rubbing * sz
