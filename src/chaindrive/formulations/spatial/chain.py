"""The links as coordinates of the chain.

They are x of all centres of mass, then y, z, then the four components of their quaternions. The speeds are the
velocities of the centres of mass in space, followed by the angular velocities in the axes of the links.
"""

from __future__ import annotations

import numpy as np

from chaindrive.formulations.spatial import parameters as S
from chaindrive.kernels import index, kernel
from chaindrive.physics.rotation import quaternion_rates, rotation_matrix, turn_freely

__all__ = [
    "COORDINATES",
    "SPEEDS",
    "drift",
    "inertial",
    "link_before",
    "locate",
    "locate_in_block",
    "positions_of",
    "rates",
    "speeds",
    "tensions_of",
    "velocities_of",
]

COORDINATES, SPEEDS = 7, 6
"""Numbers of coordinates and of speeds per link."""
ONE, STRIDE = np.uintp(1), np.uintp(S.STRIDE)
TOO_NARROW = 1e-300
"""Added to a radius or a magnitude, so that a direction is always defined."""


@kernel(inline=True)
def in_block(p, b):
    """Return the number of links in block b."""
    return np.uintp(min(S.LANES, p.links - b * S.LANES))


@kernel(inline=True)
def whole(m):
    """Return the number of lanes that are computed for m links."""
    return (m + np.uintp(S.WHOLE - 1)) // np.uintp(S.WHOLE) * np.uintp(S.WHOLE)


@kernel(inner=True, distinct=True)
def read_row(y, start, s, row, m):
    """Copy one number of each of m links from an array into a row of a block."""
    for i in range(m):
        s[row + ONE + i] = y[start + i]


@kernel(inner=True, distinct=True)
def write_row(s, row, y, start, m):
    """Copy a row of a block, with one number of each of m links, into an array."""
    for i in range(m):
        y[start + i] = s[row + ONE + i]


@kernel(inner=True, distinct=True)
def _locate_block(y, first, velocities, n, s, body, m):
    """Compute rotation matrices, angular velocities and both joints of the links of a block from the state, and clear
    the forces of wheels on them.

    first, velocities: indices in the state at which the position and the velocity of the first link begin.
    """
    for i in range(m):
        k, at, v = i + ONE, first + i, velocities + i
        x, y_, z = y[at], y[n + at], y[2 * n + at]
        w, a, b, c = y[3 * n + at], y[4 * n + at], y[5 * n + at], y[6 * n + at]
        vx, vy, vz, o1, o2, o3 = y[v], y[n + v], y[2 * n + v], y[3 * n + v], y[4 * n + v], y[5 * n + v]
        s[S.X + k], s[S.Y + k], s[S.Z + k] = x, y_, z
        s[S.QW + k], s[S.QX + k], s[S.QY + k], s[S.QZ + k] = w, a, b, c
        s[S.VX + k], s[S.VY + k], s[S.VZ + k] = vx, vy, vz
        s[S.O1 + k], s[S.O2 + k], s[S.O3 + k] = o1, o2, o3
        r11, r12, r13, r21, r22, r23, r31, r32, r33 = rotation_matrix(w, a, b, c)
        s[S.R11 + k], s[S.R12 + k], s[S.R13 + k] = r11, r12, r13
        s[S.R21 + k], s[S.R22 + k], s[S.R23 + k] = r21, r22, r23
        s[S.R31 + k], s[S.R32 + k], s[S.R33 + k] = r31, r32, r33
        ox = r11 * o1 + r12 * o2 + r13 * o3
        oy = r21 * o1 + r22 * o2 + r23 * o3
        oz = r31 * o1 + r32 * o2 + r33 * o3
        s[S.OX + k], s[S.OY + k], s[S.OZ + k] = ox, oy, oz
        ax, ay = body[S.REAR_X + k], body[S.REAR_Y + k]
        dx, dy, dz = r11 * ax + r12 * ay, r21 * ax + r22 * ay, r31 * ax + r32 * ay
        s[S.BX + k], s[S.BY + k], s[S.BZ + k] = x + dx, y_ + dy, z + dz
        s[S.BVX + k] = vx + oy * dz - oz * dy
        s[S.BVY + k] = vy + oz * dx - ox * dz
        s[S.BVZ + k] = vz + ox * dy - oy * dx
        ax, ay = body[S.FRONT_X + k], body[S.FRONT_Y + k]
        dx, dy, dz = r11 * ax + r12 * ay, r21 * ax + r22 * ay, r31 * ax + r32 * ay
        s[S.PX + k], s[S.PY + k], s[S.PZ + k] = x + dx, y_ + dy, z + dz
        s[S.CFX + k], s[S.CFY + k], s[S.CFZ + k] = 0.0, 0.0, 0.0
        s[S.CTX + k], s[S.CTY + k], s[S.CTZ + k] = 0.0, 0.0, 0.0


@kernel(inner=True)
def locate_in_block(y, p, b):
    """Write positions and velocities of links, bushes and pins of block b into ``p.link``."""
    n, v = p.links, p.planar.layout.positions
    s, m, first = p.link[b], in_block(p, b), b * S.LANES
    _locate_block(y, np.uintp(first), np.uintp(v + first), np.uintp(n), s, p.body[b], m)
    if p.yielding:
        read_row(y, np.uintp(p.yield_at + first), s, S.YIELD, m)
    if p.planar.elastic_friction:
        read_row(p.planar.hinge.cos, np.uintp(first), s, S.HINGE_COS, m)
        read_row(p.planar.hinge.sin, np.uintp(first), s, S.HINGE_SIN, m)


@kernel(inner=True)
def link_before(p, b):
    """Copy the data of the last link of the previous block that block b needs."""
    before = p.blocks - 1 if b == 0 else b - 1
    s, other, last = p.link[b], p.link[before], in_block(p, before)
    for row in range(S.LOCATED):
        at = np.uintp(row) * STRIDE
        s[at] = other[at + last]


@kernel(inner=True)
def locate(y, p):
    """Write positions and velocities of links, bushes and pins into ``p.link``."""
    for b in range(p.blocks):
        locate_in_block(y, p, b)
    for b in range(p.blocks):
        link_before(p, b)


@kernel(inner=True)
def _rows_of_all(p, row, found):
    """Copy a row of all links, followed by the next row of all links, (2 N,)."""
    for b in range(p.blocks):
        s, m, first = p.link[b], in_block(p, b), b * S.LANES
        write_row(s, row, found, np.uintp(first), m)
        write_row(s, row + STRIDE, found, np.uintp(p.links + first), m)


@kernel(inner=True)
def _place_bushes(p):
    """Write the positions of the bushes in the last evaluation into ``p.place``.

    If there are cogs, also write the heights of the bushes above the plane into ``p.planar.height``.
    """
    _rows_of_all(p, S.BX, p.place)
    for b in range(p.blocks if p.planar.height.size > 0 else 0):
        write_row(p.link[b], S.BZ, p.planar.height, np.uintp(b * S.LANES), in_block(p, b))


@kernel(inline=True)
def positions_of(y, p):
    """Return the positions of the bushes in the plane in the last evaluation, (2 N,). [m]"""
    _place_bushes(p)
    return p.place


@kernel(inline=True)
def velocities_of(y, p):
    """Return the velocities of the bushes in the plane in the last evaluation, (2 N,). [m/s]"""
    _rows_of_all(p, S.BVX, p.velocity)
    return p.velocity


@kernel(inline=True)
def tensions_of(p):
    """Return the forces of the pins along their links in the last evaluation, (N,). [N]"""
    return p.tension


@kernel
def rates(q, v, dq, p):
    """Write dq/dt, which is linear in v. A quaternion turns with the angular velocity in the axes of its link."""
    n = p.links
    for i in range(3 * n):
        dq[i] = v[i]
    w, x, y, z = q[3 * n : 4 * n], q[4 * n : 5 * n], q[5 * n : 6 * n], q[6 * n : 7 * n]
    o1, o2, o3 = v[3 * n : 4 * n], v[4 * n : 5 * n], v[5 * n : 6 * n]
    for i in range(n):
        a, b, c, d = quaternion_rates(w[i], x[i], y[i], z[i], o1[i], o2[i], o3[i])
        dq[3 * n + i], dq[4 * n + i], dq[5 * n + i], dq[6 * n + i] = a, b, c, d
    for i in range(COORDINATES * n, q.size):
        dq[i] = v[i - n]


@kernel
def speeds(q, dq, v, p):
    """Write the velocities v that correspond to dq, the derivatives of the coordinates.

    The angular velocity of a quaternion is 2 conj(q) dq, divided by its squared length.
    """
    n = p.links
    for i in range(3 * n):
        v[i] = dq[i]
    for i in range(n):
        w, x, y, z = q[3 * n + i], q[4 * n + i], q[5 * n + i], q[6 * n + i]
        a, b, c, d = dq[3 * n + i], dq[4 * n + i], dq[5 * n + i], dq[6 * n + i]
        scale = 2.0 / (w * w + x * x + y * y + z * z)
        v[3 * n + i] = scale * (w * b - x * a - y * d + z * c)
        v[4 * n + i] = scale * (w * c - y * a - z * b + x * d)
        v[5 * n + i] = scale * (w * d - z * a - x * c + y * b)
    for i in range(COORDINATES * n, q.size):
        v[i - n] = dq[i]


@kernel(inner=True, distinct=True)
def _scale(o1, o2, o3, by1, by2, by3):
    """Convert angular velocities to angular momenta, or the reverse."""
    for i in range(index(o1.size)):
        o1[i], o2[i], o3[i] = o1[i] * by1[i], o2[i] * by2[i], o3[i] * by3[i]


@kernel(inner=True, distinct=True)
def _advance(h, place, velocity):
    for i in range(place.size):
        place[i] += h * velocity[i]


@kernel
def drift(y, h, p):
    """Move links and wheels freely for a time h, in place. Links turn by exact partial rotations
    (physics/rotation.py).
    """
    n, v = p.links, p.planar.layout.positions
    _advance(h, y[: 3 * n], y[v : v + 3 * n])
    _advance(h, y[COORDINATES * n : v], y[v + SPEEDS * n : 2 * v - n])
    q, o = 3 * n, v + 3 * n
    q0, q1, q2, q3 = y[q : q + n], y[q + n : q + 2 * n], y[q + 2 * n : q + 3 * n], y[q + 3 * n : q + 4 * n]
    o1, o2, o3 = y[o : o + n], y[o + n : o + 2 * n], y[o + 2 * n : o + 3 * n]
    i1, i2, i3 = p.inertia[:n], p.inertia[n : 2 * n], p.inertia[2 * n : 3 * n]
    j1, j2, j3 = p.inertia[3 * n : 4 * n], p.inertia[4 * n : 5 * n], p.inertia[5 * n :]
    _scale(o1, o2, o3, i1, i2, i3)
    turn_freely(h, q0, q1, q2, q3, o1, o2, o3, j1, j2, j3)
    _scale(o1, o2, o3, j1, j2, j3)


@kernel(inner=True, distinct=True)
def _add_products(dy, scale, factor, one, other):
    for i in range(dy.size):
        dy[i] += scale * factor[i] * one[i] * other[i]


@kernel
def inertial(y, dy, factor, p):
    """Add the angular accelerations of links without moments, -I^-1 (w x I w), times a factor."""
    n, at = p.links, p.planar.layout.positions + 3 * p.links
    o1, o2, o3 = y[at : at + n], y[at + n : at + 2 * n], y[at + 2 * n : at + 3 * n]
    _add_products(dy[at : at + n], factor, p.gyration[:n], o2, o3)
    _add_products(dy[at + n : at + 2 * n], factor, p.gyration[n : 2 * n], o3, o1)
    _add_products(dy[at + 2 * n : at + 3 * n], factor, p.gyration[2 * n :], o1, o2)
