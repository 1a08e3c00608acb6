"""The support of wheels in space, either on the ground or on bodies that move in the plane of the drawing.

The axes of their joints are parallel to z, so that bodies, and the wheel centres on them, move in that plane (see
planar/support.py and mechanism/). A wheel may also move along z, against a spring or as prescribed. The tilt of a
wheel, by alpha about x and beta about y, turns with the body that carries the wheel. With the angles psi of the body
and phi of the wheel relative to the ground, the orientation of the wheel is E Rz(phi),

    E = Rz(psi) Rx(alpha) Ry(beta) Rz(-psi),

where the last axis e3 of E is the wheel axis. The wheel turns with phi' e3 + W. The moment M of the chain about its
centre then does work on phi, and on the rates in W:

    W = psi' (z - e3) + alpha' x + beta' (0, cos alpha, sin alpha),

so that M.(z - e3) turns the body, and M bends an elastic shaft, whose slope is the tilt (the convention of
planar/tilt.py). Gyroscopic moments and the inertia against tilting are neglected in both modules.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from chaindrive.formulations.planar import support as planar_support
from chaindrive.formulations.planar import variants
from chaindrive.formulations.planar.bearings import wheel_bearing_moment
from chaindrive.formulations.spatial import parameters as S
from chaindrive.kernels import Kernel, kernel

__all__ = ["FIXED_IN_SPACE", "SUPPORTED_IN_SPACE", "Mounting", "bearing_losses"]


class Mounting(NamedTuple):
    """The kernels that differ between drives with all wheels on the ground and drives with moving supports, in space.

    Their arguments p are the parameters of the formulation.
    """

    planar: planar_support.Support
    frames: Kernel
    """(y, p): set the frames of all wheels and clear the resultants of the contacts"""
    accelerations: Kernel
    """(t, y, dy, p): compute accelerations of wheels and joints, rates of pressures, and powers"""
    moments: Kernel
    """(t, y, dy, p): after an evaluation, write the moments on wheels into dy and the forces of joints into the tree"""


@kernel(inner=True)
def _fixed_frames(y, p):
    planar_support.fixed_frames(y, p.planar)


@kernel(inner=True)
def _fixed_accelerations(t, y, dy, p):
    planar_support.fixed_accelerations(t, y, dy, p.planar)


@kernel(inner=True)
def _fixed_moments(t, y, dy, p):
    planar_support.fixed_moments(t, y, dy, p.planar)


@kernel(inner=True)
def _supported_frames(y, p):
    planar_support.supported_frames(y, p.planar)
    for w in range(p.planar.wheels):
        _place(y, p, w)
        _turn(y, p, w)


@kernel(inner=True)
def _place(y, p, w):
    """Set the position and velocity of the centre of wheel w."""
    planar, e = p.planar, p.axes[w]
    e[S.CENTRE], e[S.CENTRE + 1] = planar.frame.x[w], planar.frame.y[w]
    e[S.MOVING], e[S.MOVING + 1] = planar.frame.vx[w], planar.frame.vy[w]
    if p.aside[w] >= 0:
        j = planar.tree.body.coordinate[p.aside[w]]
        e[S.CENTRE + 2] = p.offset[w] + y[planar.layout.joint_position + j]
        e[S.MOVING + 2] = y[planar.layout.joint_speed + j]


@kernel(inner=True)
def _askew(y, p, w):
    """Return the tilt of wheel w about x and y [rad] and its rates [rad/s]."""
    planar = p.planar
    alpha, beta, alpha_rate, beta_rate = planar.tilt.x[w], planar.tilt.y[w], 0.0, 0.0
    slope = planar.tilt.slope[w]
    if slope > 0.0:
        along_y = planar.surface.body[w]
        i = planar.tree.body.coordinate[planar.tree.body.parent[along_y]]
        j = planar.tree.body.coordinate[along_y]
        alpha -= slope * y[planar.layout.joint_position + j]
        beta += slope * y[planar.layout.joint_position + i]
        alpha_rate = -slope * y[planar.layout.joint_speed + j]
        beta_rate = slope * y[planar.layout.joint_speed + i]
    return alpha, beta, alpha_rate, beta_rate


@kernel(inline=True)
def _rides_askew(p, w):
    """Return whether wheel w is on a moving support and is tilted or may become so."""
    tilt = p.planar.tilt
    given = tilt.x[w] != 0.0 or tilt.y[w] != 0.0
    return tilt.slope[w] > 0.0 or (given and p.planar.surface.body[w] >= 0)


@kernel(inner=True)
def _turn(y, p, w):
    """Set the frame of a tilted wheel and its angular velocity."""
    if not _rides_askew(p, w):
        return
    planar, e = p.planar, p.axes[w]
    body = planar.surface.body[w]
    psi, rate = planar.tree.frame.angle[body], planar.tree.frame.angular_velocity[body]
    c, s = math.cos(psi), math.sin(psi)
    alpha, beta, alpha_rate, beta_rate = _askew(y, p, w)
    ca, sa, cb, sb = math.cos(alpha), math.sin(alpha), math.cos(beta), math.sin(beta)
    # Rows: the axes of Rx(alpha) Ry(beta) Rz(-psi), turned by psi about z.
    for k, (x1, x2) in enumerate(((c, -s), (s, c))):
        x, y_, z = x1 * cb, x1 * sa * sb + x2 * ca, -x1 * ca * sb + x2 * sa
        e[S.E1 + 3 * k], e[S.E1 + 3 * k + 1], e[S.E1 + 3 * k + 2] = c * x - s * y_, s * x + c * y_, z
    e[S.E3], e[S.E3 + 1], e[S.E3 + 2] = c * sb + s * sa * cb, s * sb - c * sa * cb, ca * cb
    wx = alpha_rate - rate * e[S.E3]
    wy = beta_rate * ca - rate * e[S.E3 + 1]
    wz = beta_rate * sa + rate * (1.0 - e[S.E3 + 2])
    for k in range(3):
        axis = S.E1 + 3 * k
        e[S.TURNING + k] = wx * e[axis] + wy * e[axis + 1] + wz * e[axis + 2]


@kernel(inner=True)
def _supported_accelerations(t, y, dy, p):
    for w in range(p.planar.wheels):
        _load(y, p, w)
    _supported_moments(t, y, dy, p)
    planar_support.supported_motion(t, y, dy, p.planar)


@kernel(inner=True)
def _load(y, p, w):
    """Add the load that the chain exerts, through the tilt of wheel w, on the body that carries the wheel.

    It is added to ``p.planar.resultant``, unless the wheel is on the ground or cannot tilt.
    """
    planar, thrust = p.planar, p.thrust
    if not _rides_askew(p, w):
        return
    slope, e = planar.tilt.slope[w], p.axes[w]
    mx, my, mz = thrust.tilting_x[w], thrust.tilting_y[w], thrust.tilting_z[w]
    own = mx * e[S.E3] + my * e[S.E3 + 1] + mz * e[S.E3 + 2]
    planar.resultant.tilting[w] = mz - own
    if slope > 0.0:
        alpha, _, _, _ = _askew(y, p, w)
        planar.resultant.x[w] += slope * (my * math.cos(alpha) + mz * math.sin(alpha))
        planar.resultant.y[w] -= slope * mx


@kernel(inner=True)
def _supported_moments(t, y, dy, p):
    planar = p.planar
    planar_support.supported_moments(t, y, dy, planar)
    for w in range(planar.wheels):
        if p.aside[w] >= 0:
            planar.tree.force[planar.tree.body.coordinate[p.aside[w]]] += p.thrust.z[w]


@kernel(inner=True)
def bearing_losses(y, dy, p):
    """Write the power lost in the bearing of each wheel into dy."""
    planar = p.planar
    for w in range(planar.wheels):
        turning, body = y[planar.layout.wheel_speed + w], planar.surface.body[w]
        if body >= 0:
            turning -= planar.tree.frame.angular_velocity[body]
        lost = wheel_bearing_moment(y, planar, w, turning) * turning
        dy[p.losses_at + w * len(S.LOSSES) + S.LOST_BEARING] = lost


FIXED_IN_SPACE = Mounting(variants.FIXED_CENTRES, _fixed_frames, _fixed_accelerations, _fixed_moments)
SUPPORTED_IN_SPACE = Mounting(variants.SUPPORTED, _supported_frames, _supported_accelerations, _supported_moments)
