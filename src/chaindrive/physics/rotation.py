"""Rotation of rigid bodies in space: unit quaternions, and the free rotation of a body as a sequence of exact
rotations.

A quaternion (w, x, y, z) transforms from the axes of the body to those of space. Angular velocities and momenta are in
the axes of the body.

A free body has the kinetic energy L1^2/(2 I1) + L2^2/(2 I2) + L3^2/(2 I3). With only one of these terms the body turns
about the corresponding axis at the constant rate L_k/I_k, and its angular momentum is constant in space. A sequence of
such rotations about the axes 3, 2, 1, 2, 3 for the times h/2, h/2, h, h/2, h/2 follows the full motion to second order
(McLachlan, Phys. Rev. Lett. 71, 1993; Touma & Wisdom, Astron. J. 107, 1994; Reich, Fields Inst. Comm. 10, 1996):
it is reversible in time and symplectic, and every rotation preserves the length of the quaternion and the angular
momentum in space to within rounding errors.
"""

from __future__ import annotations

from chaindrive.kernels import index, kernel

__all__ = ["half_turn", "quaternion_rates", "relative_quaternion", "rotation_matrix", "turn_freely", "turned_about"]


@kernel(inline=True)
def half_turn(angle):
    """Cosine and sine of half an angle, with a relative error of the angle of 3e-6 at 0.3 rad and 3e-14 at 0.003 rad.

    With t = tan(angle/4), the cosine is (1 - t^2)/(1 + t^2) and the sine 2 t/(1 + t^2), whose squares sum to 1 for any
    t. t is computed from its series up to the third power, so that loops use vector registers; angle [rad].
    """
    x = 0.25 * angle
    t = x * (1.0 + x * x * (1.0 / 3.0))
    scale = 1.0 / (1.0 + t * t)
    return (1.0 - t * t) * scale, 2.0 * t * scale


@kernel(inline=True)
def turned_about(angle, w, a, b, c, lb, lc):
    """Quaternion (w, a, b, c) and angular momentum about b and c of a body after a turn about its own axis a, during
    which the angular momentum is constant in space.

    a, b, c: components of the quaternion in cyclic order, starting with a; angle [rad]; lb, lc [kg m^2/s].
    """
    cos, sin = half_turn(angle)
    whole_cos, whole_sin = cos * cos - sin * sin, 2.0 * cos * sin
    return (
        w * cos - a * sin,
        a * cos + w * sin,
        b * cos + c * sin,
        c * cos - b * sin,
        whole_cos * lb + whole_sin * lc,
        whole_cos * lc - whole_sin * lb,
    )


@kernel(inner=True)
def turn_freely(h, w, x, y, z, l1, l2, l3, inverse1, inverse2, inverse3):
    """Update quaternions and angular momenta of free bodies in place, to those after a time h [s] (see the module).

    (w, x, y, z): quaternions; l1, l2, l3: angular momenta in the axes of the bodies [kg m^2/s]; inverse1, inverse2,
    inverse3: reciprocals of the principal moments of inertia [1/(kg m^2)]; (bodies,) each.
    """
    half = 0.5 * h
    _turn_about(half, w, z, x, y, l3, l1, l2, inverse3)
    _turn_about(half, w, y, z, x, l2, l3, l1, inverse2)
    _turn_about(h, w, x, y, z, l1, l2, l3, inverse1)
    _turn_about(half, w, y, z, x, l2, l3, l1, inverse2)
    _turn_about(half, w, z, x, y, l3, l1, l2, inverse3)


@kernel(inner=True, distinct=True)
def _turn_about(h, w, a, b, c, la, lb, lc, inverse):
    """Turn all bodies about one axis. The bodies are independent of each other, so that this loop vectorises; the five
    consecutive rotations of a body are not.
    """
    for i in range(index(w.size)):
        w[i], a[i], b[i], c[i], lb[i], lc[i] = turned_about(
            h * la[i] * inverse[i], w[i], a[i], b[i], c[i], lb[i], lc[i]
        )


@kernel(inline=True)
def quaternion_rates(w, x, y, z, o1, o2, o3):
    """Rate of change of a quaternion, q (0, omega)/2, with the angular velocity in the axes of the body. [1/s]"""
    return (
        -0.5 * (x * o1 + y * o2 + z * o3),
        0.5 * (w * o1 + y * o3 - z * o2),
        0.5 * (w * o2 + z * o1 - x * o3),
        0.5 * (w * o3 + x * o2 - y * o1),
    )


@kernel(inline=True)
def rotation_matrix(w, x, y, z):
    """The nine components, row by row, of the matrix that transforms from the axes of the body to those of space.

    The quaternion may have any length except 0, so that an error in its length does not distort the rotation.
    """
    two = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - two * (y * y + z * z),
        two * (x * y - w * z),
        two * (x * z + w * y),
        two * (x * y + w * z),
        1.0 - two * (x * x + z * z),
        two * (y * z - w * x),
        two * (x * z - w * y),
        two * (y * z + w * x),
        1.0 - two * (x * x + y * y),
    )


@kernel(inline=True)
def relative_quaternion(w, x, y, z, aw, ax, ay, az):
    """The quaternion conj(q) a, which transforms from the axes of body a to those of body q, with the sign for which w
    >= 0.
    """
    cw = w * aw + x * ax + y * ay + z * az
    cx = w * ax - x * aw - y * az + z * ay
    cy = w * ay - y * aw - z * ax + x * az
    cz = w * az - z * aw - x * ay + y * ax
    sign = 1.0 if cw >= 0.0 else -1.0
    return sign * cw, sign * cx, sign * cy, sign * cz
