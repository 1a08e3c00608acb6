"""The joints of the chain: bushings between every link and the link before it (physics/bushing.py).

The displacement of the bush is measured from the pin in the axes of the pin's link. The damper acts on the velocity of
the bush relative to the point of that link where the bush is. Forces act at this point on both links, so that they do
not turn the chain as a whole.
"""

from __future__ import annotations

import math

import numpy as np

from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.chain import (
    ONE,
    STRIDE,
    in_block,
    link_before,
    locate_in_block,
    whole,
    write_row,
)
from chaindrive.formulations.spatial.sticking import hold_joints
from chaindrive.kernels import index, kernel
from chaindrive.physics.bushing import (
    beyond_play,
    play_energy,
    rotation_vector_scale,
    rotation_vector_torque,
    swing_torque,
)
from chaindrive.physics.joint import joint_moment, presliding_moment, presliding_rate
from chaindrive.physics.rotation import quaternion_rates, relative_quaternion

__all__ = ["joint_energy", "joint_forces", "link_accelerations"]


@kernel(inner=True)
def _block_of_joints(s, body, m, pin_play, twist_play, bend_play, friction_radius, presliding):
    """Compute forces and couples of the rear joints of a block; return the powers lost in damping and about the pins.
    [W]
    """
    damped, turned = 0.0, 0.0
    for i in range(m):
        h, k = i, i + ONE  # the link of the pin, the link of the bush
        r11, r12, r13 = s[S.R11 + h], s[S.R12 + h], s[S.R13 + h]
        r21, r22, r23 = s[S.R21 + h], s[S.R22 + h], s[S.R23 + h]
        r31, r32, r33 = s[S.R31 + h], s[S.R32 + h], s[S.R33 + h]
        bx, by, bz = s[S.BX + k], s[S.BY + k], s[S.BZ + k]
        x, y, z = bx - s[S.PX + h], by - s[S.PY + h], bz - s[S.PZ + h]
        d1 = r11 * x + r21 * y + r31 * z
        d2 = r12 * x + r22 * y + r32 * z
        d3 = r13 * x + r23 * y + r33 * z
        ax, ay, az = bx - s[S.X + h], by - s[S.Y + h], bz - s[S.Z + h]
        ox, oy, oz = s[S.OX + h], s[S.OY + h], s[S.OZ + h]
        x = s[S.BVX + k] - s[S.VX + h] - (oy * az - oz * ay)
        y = s[S.BVY + k] - s[S.VY + h] - (oz * ax - ox * az)
        z = s[S.BVZ + k] - s[S.VZ + h] - (ox * ay - oy * ax)
        u1 = r11 * x + r21 * y + r31 * z
        u2 = r12 * x + r22 * y + r32 * z
        u3 = r13 * x + r23 * y + r33 * z
        g1, g2, g3 = body[S.DAMP_X + k] * u1, body[S.DAMP_Y + k] * u2, body[S.DAMP_Z + k] * u3
        f1 = body[S.STIFF_X + k] * d1 + g1
        f2 = body[S.STIFF_Y + k] * d2 + g2
        f3 = body[S.STIFF_Z + k] * beyond_play(d3, pin_play) + g3
        damped += g1 * u1 + g2 * u2 + g3 * u3
        s[S.D1 + k], s[S.D2 + k], s[S.D3 + k] = d1, d2, d3
        s[S.F1 + k], s[S.F2 + k], s[S.F3 + k] = f1, f2, f3
        s[S.AX + k], s[S.AY + k], s[S.AZ + k] = ax, ay, az
        s[S.FX + k] = -(r11 * f1 + r12 * f2 + r13 * f3)
        s[S.FY + k] = -(r21 * f1 + r22 * f2 + r23 * f3)
        s[S.FZ + k] = -(r31 * f1 + r32 * f2 + r33 * f3)
        cw, cx, cy, cz = relative_quaternion(
            s[S.QW + h], s[S.QX + h], s[S.QY + h], s[S.QZ + h], s[S.QW + k], s[S.QX + k], s[S.QY + k], s[S.QZ + k]
        )
        t1, t2, t3 = swing_torque(
            cw, cx, cy, cz, body[S.STIFF_TWIST + k], twist_play, body[S.STIFF_BEND + k], bend_play
        )
        s[S.C1 + k], s[S.C2 + k], s[S.C3 + k] = cx, cy, cz
        x, y, z = s[S.OX + k] - ox, s[S.OY + k] - oy, s[S.OZ + k] - oz
        o1 = r11 * x + r21 * y + r31 * z
        o2 = r12 * x + r22 * y + r32 * z
        o3 = r13 * x + r23 * y + r33 * z
        grip = math.sqrt(f1 * f1 + f2 * f2)
        yielded = s[S.YIELD + k]
        s[S.YIELD_RATE + k] = presliding_rate(o3, yielded, presliding)
        pin = joint_moment(o3, body[S.DAMP_PIN + k]) + presliding_moment(yielded, grip, friction_radius, presliding)
        m1, m2 = body[S.DAMP_SWING + k] * o1, body[S.DAMP_SWING + k] * o2
        damped += m1 * o1 + m2 * o2
        turned += pin * o3
        s[S.PIN_LOSS + k], s[S.PIN_MOMENT + k], s[S.PIN_GRIP + k] = pin * o3, pin, grip
        tx = s[S.R11 + k] * t1 + s[S.R12 + k] * t2 + s[S.R13 + k] * t3
        ty = s[S.R21 + k] * t1 + s[S.R22 + k] * t2 + s[S.R23 + k] * t3
        tz = s[S.R31 + k] * t1 + s[S.R32 + k] * t2 + s[S.R33 + k] * t3
        s[S.TX + k] = tx - (r11 * m1 + r12 * m2 + r13 * pin)
        s[S.TY + k] = ty - (r21 * m1 + r22 * m2 + r23 * pin)
        s[S.TZ + k] = tz - (r31 * m1 + r32 * m2 + r33 * pin)
    return damped, turned


@kernel(inner=True)
def _resist_rotation_vector(s, body, m, twist_play, bend_play):
    """In the joints of a block, replace the torques about axes midway between links by those of Omar's bushing."""
    for i in range(m):
        h, k = i, i + ONE
        cx, cy, cz = s[S.C1 + k], s[S.C2 + k], s[S.C3 + k]
        cw = math.sqrt(max(1.0 - (cx * cx + cy * cy + cz * cz), 0.0))
        twist, bend = body[S.STIFF_TWIST + k], body[S.STIFF_BEND + k]
        t1, t2, t3 = swing_torque(cw, cx, cy, cz, twist, twist_play, bend, bend_play)
        e1, e2 = rotation_vector_torque(cw, cx, cy, cz, twist, twist_play, bend, bend_play)
        s[S.TX + k] += s[S.R11 + h] * e1 + s[S.R12 + h] * e2
        s[S.TY + k] += s[S.R21 + h] * e1 + s[S.R22 + h] * e2
        s[S.TZ + k] += s[S.R31 + h] * e1 + s[S.R32 + h] * e2
        s[S.TX + k] -= s[S.R11 + k] * t1 + s[S.R12 + k] * t2 + s[S.R13 + k] * t3
        s[S.TY + k] -= s[S.R21 + k] * t1 + s[S.R22 + k] * t2 + s[S.R23 + k] * t3
        s[S.TZ + k] -= s[S.R31 + k] * t1 + s[S.R32 + k] * t2 + s[S.R33 + k] * t3


@kernel(inner=True)
def _forces_in_block(dy, p, b):
    """Write the forces of the rear joints of block b into ``p.link``; return the powers lost in damping and about the
    pins. [W]
    """
    s, body, m = p.link[b], p.body[b], in_block(p, b)
    damped, turned = _block_of_joints(
        s, body, whole(m), p.pin_play, p.twist_play, p.bend_play, p.joint_friction_radius, p.presliding
    )
    if p.rotation_vector:
        _resist_rotation_vector(s, body, m, p.twist_play, p.bend_play)
    if p.yielding:
        write_row(s, S.YIELD_RATE, dy, np.uintp(p.yield_at + b * S.LANES), m)
    if p.planar.elastic_friction:
        turned += hold_joints(s, whole(m), p.joint_friction_radius, p.joint_friction_stiffness)
    return damped, turned


@kernel(inner=True)
def joint_forces(y, dy, p):
    """Write positions of all links and the forces between them into ``p.link``, and the powers lost into dy.

    Each block is completed while it is in the fastest cache. The last block is located first, because its last link
    precedes link 0.
    """
    damped, turned, last = 0.0, 0.0, p.blocks - 1
    locate_in_block(y, p, last)
    for b in range(p.blocks):
        if b < last:
            locate_in_block(y, p, b)
        link_before(p, b)
        lost, rubbed = _forces_in_block(dy, p, b)
        damped += lost
        turned += rubbed
    for b in range(p.blocks):
        after = 0 if b + 1 == p.blocks else b + 1
        s, other, many = p.link[b], p.link[after], in_block(p, b)
        for row in range(S.JOINT_FIRST, S.JOINT_END):
            at = np.uintp(row) * STRIDE
            s[at + many + ONE] = other[at + ONE]
        f1 = np.uintp(S.F1)
        s[f1 + many + ONE] = other[f1 + ONE]
        for i in range(many):
            p.tension[np.uintp(b * S.LANES) + i] = s[f1 + ONE + ONE + i]
    dy[p.planar.layout.work + P.WORK_LINK_DAMPING] = damped
    dy[p.planar.layout.work + P.WORK_ARTICULATION] = turned


@kernel(inner=True, distinct=True)
def _accelerate_block(s, body, gravity, feedback, vxd, vyd, vzd, o1d, o2d, o3d, qwd, qxd, qyd, qzd):
    """Compute accelerations of the links of a block, and the rates of their quaternions.

    gravity: along x, y and z [m/s^2].
    """
    gx, gy, gz = gravity
    for i in range(index(vxd.size)):
        k, j = i + ONE, i + ONE + ONE  # the link, and the one after
        fx, fy, fz = s[S.FX + j], s[S.FY + j], s[S.FZ + j]
        ax, ay, az = s[S.AX + j], s[S.AY + j], s[S.AZ + j]
        ex, ey, ez = s[S.FX + k], s[S.FY + k], s[S.FZ + k]
        dx, dy, dz = s[S.BX + k] - s[S.X + k], s[S.BY + k] - s[S.Y + k], s[S.BZ + k] - s[S.Z + k]
        tx = s[S.TX + k] - s[S.TX + j] + s[S.CTX + k] + dy * ez - dz * ey - (ay * fz - az * fy)
        ty = s[S.TY + k] - s[S.TY + j] + s[S.CTY + k] + dz * ex - dx * ez - (az * fx - ax * fz)
        tz = s[S.TZ + k] - s[S.TZ + j] + s[S.CTZ + k] + dx * ey - dy * ex - (ax * fy - ay * fx)
        mass, inverse = body[S.MASS + k], body[S.INVERSE_MASS + k]
        vxd[i] = (ex - fx + s[S.CFX + k] + mass * gx) * inverse
        vyd[i] = (ey - fy + s[S.CFY + k] + mass * gy) * inverse
        vzd[i] = (ez - fz + s[S.CFZ + k] + mass * gz) * inverse
        t1 = s[S.R11 + k] * tx + s[S.R21 + k] * ty + s[S.R31 + k] * tz
        t2 = s[S.R12 + k] * tx + s[S.R22 + k] * ty + s[S.R32 + k] * tz
        t3 = s[S.R13 + k] * tx + s[S.R23 + k] * ty + s[S.R33 + k] * tz
        o1, o2, o3 = s[S.O1 + k], s[S.O2 + k], s[S.O3 + k]
        i1, i2, i3 = body[S.I1 + k], body[S.I2 + k], body[S.I3 + k]
        o1d[i] = (t1 - (i3 - i2) * o2 * o3) * body[S.INVERSE1 + k]
        o2d[i] = (t2 - (i1 - i3) * o3 * o1) * body[S.INVERSE2 + k]
        o3d[i] = (t3 - (i2 - i1) * o1 * o2) * body[S.INVERSE3 + k]
        w, x, y, z = s[S.QW + k], s[S.QX + k], s[S.QY + k], s[S.QZ + k]
        wd, xd, yd, zd = quaternion_rates(w, x, y, z, o1, o2, o3)
        back = feedback * (1.0 - (w * w + x * x + y * y + z * z))
        qwd[i], qxd[i] = wd + back * w, xd + back * x
        qyd[i], qzd[i] = yd + back * y, zd + back * z


@kernel(inner=True)
def link_accelerations(dy, p):
    """Write accelerations of all links and rates of their quaternions into dy, once all forces are known."""
    n, gravity = p.links, (p.planar.gravity_x, p.planar.gravity_y, p.gravity_z)
    for b in range(p.blocks):
        v, q, m = p.planar.layout.positions + b * S.LANES, 3 * n + b * S.LANES, int(in_block(p, b))
        _accelerate_block(
            p.link[b],
            p.body[b],
            gravity,
            p.feedback,
            dy[v : v + m],
            dy[n + v : n + v + m],
            dy[2 * n + v : 2 * n + v + m],
            dy[3 * n + v : 3 * n + v + m],
            dy[4 * n + v : 4 * n + v + m],
            dy[5 * n + v : 5 * n + v + m],
            dy[q : q + m],
            dy[n + q : n + q + m],
            dy[2 * n + q : 2 * n + q + m],
            dy[3 * n + q : 3 * n + q + m],
        )


@kernel(inner=True)
def joint_energy(p):
    """Return the elastic energy of all joints in the last evaluation. [J]"""
    stored = 0.0
    for i in range(p.links):
        b = i // S.LANES
        k = np.uintp(i - b * S.LANES + 1)
        s, body = p.link[b], p.body[b]
        stored += 0.5 * body[S.STIFF_X + k] * s[S.D1 + k] ** 2 + 0.5 * body[S.STIFF_Y + k] * s[S.D2 + k] ** 2
        stored += play_energy(s[S.D3 + k], p.pin_play, body[S.STIFF_Z + k])
        angles = 2.0
        if p.rotation_vector:
            square = s[S.C1 + k] ** 2 + s[S.C2 + k] ** 2 + s[S.C3 + k] ** 2
            angles = rotation_vector_scale(math.sqrt(max(1.0 - square, 0.0)), math.sqrt(square))
        stored += play_energy(angles * s[S.C1 + k], p.twist_play, body[S.STIFF_TWIST + k])
        stored += play_energy(angles * s[S.C2 + k], p.bend_play, body[S.STIFF_BEND + k])
    return stored
